// hostile: files that never end
// earns: 0
#include "/dev/zero"
#include "/dev/stdin"
#include "/dev/tty"
//@ solution
