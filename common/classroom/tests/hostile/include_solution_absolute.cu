// hostile: the public solution, by an absolute path
// earns: 0
// behind the fence: yes
#include "COURSE_PATH/ch01_naive/solution.cu"
