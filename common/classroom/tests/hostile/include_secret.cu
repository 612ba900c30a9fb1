// hostile: a file of the host, by an absolute path
// earns: 0
// behind the fence: yes
#include "SECRET_PATH"
//@ solution
