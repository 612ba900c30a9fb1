#!/bin/sh
# browser.sh WARPWISE_CLI FOLDER: browser.py with the Chromium of this machine and the Playwright in .cache/browser,
# where `.ci/long browser` puts it. Exit status 77 where there is no browser to try the page in.
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
python=$here/../../../.cache/browser/bin/python
for name in chromium chromium-browser google-chrome; do
  chromium=$(command -v "$name") && break
done
[ -n "${chromium:-}" ] || { echo "There is no Chromium here: the page was not tried in a browser."; exit 77; }
"$python" -c "import playwright" 2>/dev/null ||
  { echo "There is no Playwright here (.ci/long browser installs it): the page was not tried in a browser."; exit 77; }
exec "$python" "$here/browser.py" "$chromium" "$1" "$2"
