#include "program.cuh"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

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
    if (argument.kind == Argument::Kind::buffer) values_[argument.name] = make(argument);
    if (argument.kind == Argument::Kind::scalar) values_[argument.name] = argument.value;
    return &values_.at(argument.name);
  }

  /// Waits for the kernel and prints a buffer's first elements.
  void show(const Argument& buffer) const {
    check(cudaDeviceSynchronize());
    if (buffer.kind != Argument::Kind::buffer || buffer.content == "null" || buffer.content == "freed")
      return;
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
  std::vector<void*> to_free_;
};

void launch_kernel(const Launch& launch, const LaunchText& text, Arguments& arguments) {
  if (text.arguments.size() != launch.parameters) {
    std::fprintf(stderr, "a kernel of %zu parameters is launched with %zu arguments\n", launch.parameters,
                 text.arguments.size());
    std::exit(2);
  }
  std::vector<void*> pointers;
  for (const Argument& argument : text.arguments) pointers.push_back(arguments.value_of(argument));
  const dim3 grid(text.grid[0], text.grid[1], text.grid[2]),
      block(text.block[0], text.block[1], text.block[2]);
  check(text.is_cooperative
            ? cudaLaunchCooperativeKernel(launch.kernel, grid, block, pointers.data(), text.shared_bytes,
                                          nullptr)
            : cudaLaunchKernel(launch.kernel, grid, block, pointers.data(), text.shared_bytes, nullptr));
}

using Programs = std::map<std::string, std::vector<Launch>>;

Programs& programs() {
  static Programs all;
  return all;
}

void run(const std::vector<Launch>& launches) {
  Arguments arguments;
  LaunchText text;
  for (const Launch& each : launches) {
    text = read_launch(each.text);
    launch_kernel(each, text, arguments);
  }
  arguments.show(text.last_buffer());
}

}  // namespace

LaunchingProgram::LaunchingProgram(const char* name, std::initializer_list<Launch> launches) {
  programs().emplace(name, launches);
}

int main(int count, char** words) {
  const auto found = programs().find(count == 2 ? words[1] : "");
  if (found != programs().end()) {
    run(found->second);
    return 0;
  }
  std::fprintf(stderr, "which program?");
  for (const auto& [name, launches] : programs()) std::fprintf(stderr, " %s", name.c_str());
  std::fprintf(stderr, "\n");
  return 2;
}
