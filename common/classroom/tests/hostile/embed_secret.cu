// hostile: the bytes of a file of the host
// earns: 0
__device__ const char secret[] = {
#embed "SECRET_PATH"
};
//@ solution
