#include "launching_program.cuh"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../../testing/program.cuh"
#include "launch_text.hpp"

using namespace corpus;

namespace {

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(1);
}

/// The values of a program's arguments, by name; its buffers are freed with it.
class Arguments {
 public:
  Arguments() = default;
  Arguments(const Arguments&) = delete;  // one owner
  ~Arguments() {
    for (void* buffer : to_free_) cudaFree(buffer);
  }

  /// Where the value stands. Addresses stay: a launch points at them.
  std::uint64_t* value_of(const Argument& argument) {
    if (argument.kind == Argument::Kind::scalar) {
      if (buffers_.count(argument.name) != 0) refuse("scalar, but a buffer", argument.name);
      values_[argument.name] = argument.value;
    }
    if (argument.kind == Argument::Kind::buffer) {
      values_[argument.name] = make(argument);
      buffers_[argument.name] = argument;
    }
    const Argument& buffer = argument.kind == Argument::Kind::scalar ? argument : buffer_of(argument);
    if (buffer.kind == Argument::Kind::buffer) last_ = buffer.name;
    return &values_.at(buffer.name);
  }

  /// As it was made.
  const Argument& buffer_of(const Argument& argument) const {
    const auto found = buffers_.find(argument.name);
    if (found == buffers_.end()) refuse("buffer", argument.name);
    return found->second;
  }

  /// Waits for the kernel and prints the first elements of the last buffer.
  void show() const {
    check(cudaDeviceSynchronize());
    const auto found = buffers_.find(last_);
    if (found == buffers_.end()) return;
    const Argument& buffer = found->second;
    if (buffer.content == "null" || buffer.content == "freed") return;
    with_type(buffer.type, [&](auto of_type) {
      std::vector<decltype(of_type)> values(buffer.count);
      check(cudaMemcpy(values.data(), reinterpret_cast<void*>(values_.at(buffer.name)),
                       values.size() * sizeof of_type, cudaMemcpyDeviceToHost));
      for (std::size_t i = 0; i < values.size() && i < 8; ++i)
        std::printf("%.9g ", static_cast<double>(values[i]));
      std::printf("%s\n", values.size() > 8 ? "..." : "");
    });
  }

 private:
  std::uint64_t make(const Argument& buffer) {
    if (buffer.content == "null") return 0;
    void* data = nullptr;
    check(cudaMalloc(&data, buffer.count * bytes_of_type(buffer.type)));
    if (buffer.content == "freed") {
      check(cudaFree(data));
    } else {
      to_free_.push_back(data);
    }
    if (buffer.content != "freed" && buffer.content != "poison") {
      const std::vector<unsigned char> bytes = filled(buffer);
      check(cudaMemcpy(data, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
    }
    return reinterpret_cast<std::uint64_t>(data);
  }

  std::map<std::string, std::uint64_t> values_;
  std::map<std::string, Argument> buffers_;
  std::vector<void*> to_free_;
  std::string last_;
};

/// Whether an argument is what the kernel declares: a whole number, or a pointer to elements that are as
/// large as the buffer's, several of them, or parts of one.
bool fits(const ParameterShape& parameter, const Argument& argument) {
  const std::size_t bytes = bytes_of_type(argument.type);
  if (argument.kind == Argument::Kind::scalar) return parameter.is_whole_number && parameter.bytes == bytes;
  return parameter.is_pointer && (parameter.bytes % bytes == 0 || bytes % parameter.bytes == 0);
}

void launch_kernel(const Launch& launch, Arguments& arguments) {
  const LaunchText text = read_launch(launch.text);
  if (text.arguments.size() != launch.parameter_count)
    throw std::runtime_error("a kernel of " + std::to_string(launch.parameter_count) +
                             " parameters is launched with " + std::to_string(text.arguments.size()) +
                             " arguments");
  std::vector<void*> pointers;
  for (const Argument& argument : text.arguments) {
    const ParameterShape& parameter = launch.parameters[pointers.size()];
    pointers.push_back(arguments.value_of(argument));
    if (!fits(parameter, argument.kind == Argument::Kind::scalar ? argument : arguments.buffer_of(argument)))
      throw std::runtime_error("the kernel's parameter is of another type than " + argument.name);
  }
  const dim3 grid(text.grid[0], text.grid[1], text.grid[2]),
      block(text.block[0], text.block[1], text.block[2]);
  check(text.is_cooperative
            ? cudaLaunchCooperativeKernel(launch.kernel, grid, block, pointers.data(), text.shared_bytes,
                                          nullptr)
            : cudaLaunchKernel(launch.kernel, grid, block, pointers.data(), text.shared_bytes, nullptr));
}

class Launching : public Program {
 public:
  Launching(const char* name, std::initializer_list<Launch> launches) : Program(name), launches_(launches) {}

 private:
  int start() const override {
    try {
      Arguments arguments;
      for (const Launch& each : launches_) launch_kernel(each, arguments);
      arguments.show();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 2;
    }
    return 0;
  }

  std::vector<Launch> launches_;
};

}  // namespace

LaunchingProgram::LaunchingProgram(const char* name, std::initializer_list<Launch> launches) {
  new Launching(name, launches);  // for as long as the process lives
}
