# CMake's toolchain file for 64-bit Arm: compiles the simulator and its unit tests on an x86-64 machine, and
# lets CTest run them under emulation. Debian and Ubuntu: g++-aarch64-linux-gnu, qemu-user-static, catch2.
#
#   cmake -G Ninja -B build-arm64 --toolchain cmake/arm64-linux.cmake -DWARPWISE_CLI=OFF -DCMAKE_UNITY_BUILD=ON
#   ninja -C build-arm64 ptx machine instructions observers
#   ctest --test-dir build-arm64 -L simulator
#
# The .ptx files come from this machine's nvcc: PTX is the same whatever processor runs the compiler.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
find_program(WARPWISE_QEMU NAMES qemu-aarch64-static qemu-aarch64 REQUIRED)
# Statically linked, a test needs no folder of foreign libraries to run.
set(CMAKE_CROSSCOMPILING_EMULATOR "${WARPWISE_QEMU}")
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
# nvcc, Catch2's header and CMake's modules are this machine's; libraries are not looked for.
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
