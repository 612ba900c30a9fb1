// hostile: what somebody else has handed in
// earns: 0
// behind the fence: yes
#include "CLASS_PATH/right.cu"
