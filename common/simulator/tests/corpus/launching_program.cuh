#pragma once
/// \file What a program of the corpus is made of. launching_program.cpp, which each is linked with, does the
/// rest: it makes the buffers, launches, and prints the result. It is compiled once, and this header is read
/// by every file. By hand:
///
///     ./warpwise exec wrong/masks.cu launching_program.cpp -- NAME

#include <cstddef>
#include <initializer_list>

/// A parameter of a kernel: a value of so many bytes, or a pointer to elements of so many.
struct ParameterShape {
  bool is_pointer;
  bool is_whole_number;
  std::size_t bytes;
};
template <class T>
struct ShapeOf {
  static constexpr ParameterShape value{false, static_cast<T>(1) / static_cast<T>(2) == static_cast<T>(0),
                                        sizeof(T)};
};
template <class T>
struct ShapeOf<T*> {
  static constexpr ParameterShape value{true, false, sizeof(T)};
};

/// A kernel and what it is launched with, in the words of launch_text.hpp. The tests read both from the
/// source: the kernel is `name` or `name<...>`, the text a literal.
struct Launch {
  static constexpr std::size_t most_parameters = 8;

  template <class... Parameters>
  Launch(void (*launched)(Parameters...), const char* with)
      : kernel(reinterpret_cast<const void*>(launched)),
        parameters{ShapeOf<Parameters>::value...},
        parameter_count(sizeof...(Parameters)),
        text(with) {
    static_assert(sizeof...(Parameters) <= most_parameters);
  }

  const void* kernel;
  ParameterShape parameters[most_parameters];
  std::size_t parameter_count;
  const char* text;
};

/// A program: where main's argument is `name`, which is the program's namespace as well, it does the launches
/// one after the other and prints the first elements of the last buffer that they name.
struct LaunchingProgram {
  LaunchingProgram(const char* name, std::initializer_list<Launch> launches);
};
