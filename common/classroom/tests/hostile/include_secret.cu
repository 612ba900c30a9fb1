// hostile: a file of the host, by an absolute path
// earns: 0
#include "SECRET_PATH"
//@ solution
