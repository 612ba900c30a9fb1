#!/bin/sh
# quotes.sh WARPWISE_COURSE FOLDER: in a folder whose name holds quotes and blanks the programs of pages are run all the same.
set -eu
course=$1 folder="$2/it's a \"\$folder\""
mkdir -p "$folder/build" && cd "$folder"
printf '#!/bin/sh\necho "$# words"\n' >warpwise
cp warpwise build/prints && chmod +x warpwise build/prints
printf '```\n$ ./warpwise list\n1 words\n```\n\n```\n$ build/prints\n0 words\n```\n' >page.md
for which in quick compiled; do "$course" commands check $which "$folder/warpwise" "$folder/build" page.md; done
"$course" output "$folder/build/prints" page.md
