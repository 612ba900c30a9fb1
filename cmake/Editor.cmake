# What clangd needs to read kernels as the compiler does: the build compiles .cu files by commands of its own, which
# compile_commands.json does not list. .clangd at the root names the file that is written here.
#
# clang knows of toolkits up to the one that was current when it was released: it reads a newer one's headers
# well, and its warning about it would stand on every file. -nocudalib: no libdevice, nothing is linked.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/editor/compile_flags.txt" @ONLY CONTENT
"-xcuda
-std=c++17
--cuda-path=${CUDAToolkit_LIBRARY_ROOT}
--cuda-gpu-arch=sm_75
-nocudalib
-Wno-unknown-cuda-version
-I${PROJECT_SOURCE_DIR}
")
