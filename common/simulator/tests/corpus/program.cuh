#pragma once
/// \file What a program of the corpus is made of. program.cpp, which each is linked with, does the rest: it
/// makes the buffers, launches, and prints the result. It is compiled once, and this header is read by every
/// file.

#include <cstddef>
#include <initializer_list>

/// A kernel and what it is launched with, in the words of launch_text.hpp.
struct Launch {
  template <class... Parameters>
  Launch(void (*launched)(Parameters...), const char* with)
      : kernel(reinterpret_cast<const void*>(launched)), parameters(sizeof...(Parameters)), text(with) {}

  const void* kernel;
  std::size_t parameters;  ///< how many the kernel declares
  const char* text;
};

/// Launches kernels, one after the other, and prints the first elements of the last launch's last buffer,
/// where main's argument is `name`. Each is one, in a namespace of that name.
struct LaunchingProgram {
  LaunchingProgram(const char* name, std::initializer_list<Launch> launches);
};
