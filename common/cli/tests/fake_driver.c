/* In place of NVIDIA's driver, libcuda.so.1: as many GPUs as FAKE_GPUS says, for the CUDA of FAKE_CUDA (13000). */
#include <stdlib.h>
#include <string.h>

static int number_of(const char* name) { return getenv(name) == NULL ? 0 : atoi(getenv(name)); }

int cuInit(unsigned flags) { return (void)flags, number_of("FAKE_GPUS") < 0 ? 999 : 0; }
int cuDeviceGetCount(int* count) { return *count = number_of("FAKE_GPUS"), 0; }
int cuDriverGetVersion(int* version) { return *version = number_of("FAKE_CUDA"), 0; }
int cuDeviceGetName(char* name, int size, int device) {
  (void)device;
  return strncpy(name, "Fake GPU", (size_t)size), 0;
}
