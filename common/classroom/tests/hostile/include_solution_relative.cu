// hostile: the public solution, by a relative path
// earns: 0
#include "../ch01_naive/solution.cu"
