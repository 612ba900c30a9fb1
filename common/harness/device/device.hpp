#pragma once
/// \file Where a kernel runs: the simulated GPU or a real one, behind the same interface.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "device_memory.hpp"
#include "kernel.hpp"
#include "launch_result.hpp"

namespace warpwise::harness {

// --- Arguments of a launch --------------------------------------------------------------------------------

namespace detail {
template <class Parameter, class Argument>
constexpr bool accepts_argument() {
  using Plain = std::remove_cvref_t<Argument>;
  if constexpr (std::is_integral_v<Parameter>)
    return std::is_integral_v<Plain>;  // a float for an `unsigned n` is a mistake, not a conversion
  else if constexpr (!std::is_pointer_v<Parameter>)
    return std::is_convertible_v<Argument, Parameter>;
  else if constexpr (requires { typename Plain::Element; })
    return std::is_same_v<std::remove_cv_t<std::remove_pointer_t<Parameter>>, typename Plain::Element>;
  else
    return std::is_same_v<Plain, std::nullptr_t>;
}
}  // namespace detail

/// Whether a launch may pass an `Argument` for a `Parameter` of the kernel: Buffer<T> or DevicePointer<T> for
/// T* and const T*, nullptr for any pointer, whole numbers for whole numbers, else what converts.
template <class Parameter, class Argument>
inline constexpr bool accepts = detail::accepts_argument<Parameter, Argument>();

/// The values of one launch, and what cuLaunchKernel takes: a pointer to each.
class Arguments {
 public:
  const std::vector<const void*>& pointers() const { return pointers_; }
  /// The bytes of each value.
  const std::vector<std::size_t>& sizes() const { return sizes_; }
  /// The addresses that go to a `T*`, and may be written.
  const std::vector<std::uint64_t>& written() const { return written_; }
  /// The addresses that go to a `const T*` and to no `T*`.
  std::vector<std::uint64_t> only_read() const;

 protected:
  void add(const void* value, std::size_t bytes);
  void add_address(std::uint64_t address, bool is_of_const);

 private:
  std::vector<std::vector<std::byte>> values_;
  std::vector<const void*> pointers_;  ///< to what values_ own
  std::vector<std::size_t> sizes_;
  std::vector<std::uint64_t> written_, read_;
};

/// The same, in the types of the kernel's parameters.
template <class... Parameters>
class PackedArguments : public Arguments {
 public:
  template <class... Values>
  explicit PackedArguments(const Values&... values) {
    (add_as<Parameters>(values), ...);
  }
  PackedArguments(const PackedArguments&) = delete;  ///< its pointers would be those of the other
  PackedArguments& operator=(const PackedArguments&) = delete;

 private:
  template <class Parameter, class Value>
  void add_as(const Value& value) {
    if constexpr (std::is_same_v<Value, std::nullptr_t>) {
      add_address(0, true);
    } else if constexpr (std::is_pointer_v<Parameter>) {
      add_address(value.address(), std::is_const_v<std::remove_pointer_t<Parameter>>);
    } else {
      const auto converted = static_cast<Parameter>(value);
      add(&converted, sizeof converted);
    }
  }
};

/// While it lives, kernels may not write to what begins at these addresses: what they get for a `const T*`
/// and for no `T*`.
class ReadOnly {
 public:
  ReadOnly(DeviceMemory& memory, std::vector<std::uint64_t> addresses)
      : memory_(memory), addresses_(std::move(addresses)) {
    for (const std::uint64_t address : addresses_) memory_.set_read_only(address, true);
  }
  ~ReadOnly() {
    for (const std::uint64_t address : addresses_) memory_.set_read_only(address, false);
  }
  ReadOnly(const ReadOnly&) = delete;  ///< writing is allowed again once
  ReadOnly& operator=(const ReadOnly&) = delete;

 private:
  DeviceMemory& memory_;
  std::vector<std::uint64_t> addresses_;
};

// --- Devices ----------------------------------------------------------------------------------------------

struct DeviceProperties {
  std::string name;              ///< "simulated GPU", "NVIDIA H200"
  unsigned multiprocessors = 1;  ///< for grids that are sized from the device
  std::size_t l2_bytes = 0;      ///< 0: unknown
  double bytes_per_second = 0;   ///< peak of the memory, from its clock and width; 0: unknown
};

/// A device with one module loaded: the kernels of the chapter's exercise, solution or attempt.
class Device : public DeviceMemory {
 public:
  virtual bool is_simulated() const = 0;
  virtual const DeviceProperties& properties() const = 0;
  virtual bool has_kernel(const std::string& name) const = 0;

  /// Threads a block of a launch that is shown and may have any: `usual`, if no other number was chosen.
  unsigned block_or(unsigned usual) const { return chosen_block_ != 0 ? chosen_block_ : usual; }
  void choose_block(unsigned threads) { chosen_block_ = threads; }
  const LaunchShape* latest_shape() const override { return latest_shape_ ? &*latest_shape_ : nullptr; }

  /// A buffer that holds `values`.
  template <class T>
  Buffer<T> upload(std::string name, const std::vector<T>& values) {
    Buffer<T> buffer(*this, std::move(name), values.size());
    buffer.upload(values);
    return buffer;
  }
  /// A buffer that holds those of `values` of whose index `is_present` is true. The others are absent: their
  /// memory was never written, and a kernel that loads one has a finding, even if it drops what it gets.
  template <class T, class IsPresent>
  Buffer<T> upload_where(std::string name, const std::vector<T>& values, IsPresent is_present) {
    Buffer<T> buffer(*this, std::move(name), values.size());
    for (std::size_t i = 0, end = 0; i < values.size(); i = std::max(end, i + 1)) {
      for (end = i; end < values.size() && is_present(end);) ++end;
      buffer.upload(std::span(values).subspan(i, end - i), i);
    }
    set_absent_where_unwritten(buffer.address());
    return buffer;
  }
  /// A buffer in which nothing is written: every byte is 0xCD. For outputs, always.
  template <class T>
  Buffer<T> poisoned(std::string name, std::size_t size) {
    return Buffer<T>(*this, std::move(name), size);
  }
  /// A buffer of zeros (all bytes 0), for results that kernels add to.
  template <class T>
  Buffer<T> zeroed(std::string name, std::size_t size) {
    return upload(std::move(name), std::vector<T>(size));
  }

  /// Launches and waits. Buffers stand for pointers, see `accepts`. Throws LaunchFault where the launch
  /// cannot start or ends early, std::runtime_error where the module has no such kernel.
  template <class... Parameters, class... Arguments>
  Launch launch(const Kernel<void(Parameters...)>& kernel, const LaunchShape& shape,
                const Arguments&... arguments) {
    static_assert(sizeof...(Parameters) == sizeof...(Arguments),
                  "the launch passes another number of arguments than the kernel has parameters");
    if constexpr (sizeof...(Parameters) == sizeof...(Arguments)) {
      static_assert((accepts<Parameters, Arguments> && ...),
                    "an argument of the launch does not fit the kernel's parameter: Buffer<T> for T*, whole "
                    "numbers for whole numbers");
      return launch_with(kernel.name, shape, PackedArguments<Parameters...>(arguments...));
    }
  }

 protected:
  /// `sizes`: of the arguments, in bytes. A module's kernel of that name may have been declared otherwise.
  virtual Launch launch_packed(const std::string& kernel, const LaunchShape& shape,
                               std::span<const void* const> arguments,
                               std::span<const std::size_t> sizes) = 0;
  /// Where the arrays begin that `launch` could write, and those that it could only read.
  virtual void note_arrays(const Launch& /*launch*/, std::vector<std::uint64_t> /*written*/,
                           const std::vector<std::uint64_t>& /*read*/) {}

 private:
  Launch launch_with(const std::string& kernel, const LaunchShape& shape, const Arguments& arguments);

  unsigned chosen_block_ = 0;
  std::optional<LaunchShape> latest_shape_;
};

/// As many blocks that walk over n elements as the device runs at once: 2048 threads a multiprocessor, on the
/// GPUs that have most.
inline LaunchShape walking_grid(const Device& device, unsigned n, unsigned block) {
  return walking_blocks(n, block, device.properties().multiprocessors * (2048 / block));
}

/// Kernels that read one array and write another, `kernel(in, out, n)`: the form of most of the course.
template <class In, class Out = In>
using InOutKernel = Kernel<void(const In*, Out*, unsigned)>;

/// A launch, and the array that it wrote.
template <class T>
struct Written {
  Launch launch;
  Buffer<T> out;
};

/// Launches `kernel` on `values`, which it gets as `in`, with an `out` of `results` elements in which nothing
/// is written. `last` is the third argument: how many elements there are, or what the kernel takes in its
/// place.
template <class In, class Out>
Written<Out> run_in_out(Device& device, const InOutKernel<In, Out>& kernel, const LaunchShape& shape,
                        const std::vector<In>& values, std::size_t results, unsigned last) {
  const auto in = device.upload("in", values);
  auto out = device.poisoned<Out>("out", results);
  Launch launch = device.launch(kernel, shape, in, out, last);
  return {std::move(launch), std::move(out)};
}
template <class In, class Out>
Written<Out> run_in_out(Device& device, const InOutKernel<In, Out>& kernel, const LaunchShape& shape,
                        const std::vector<In>& values, std::size_t results) {
  LaunchShape shape_with_n = shape;
  shape_with_n.n = static_cast<unsigned>(values.size());
  return run_in_out(device, kernel, shape_with_n, values, results, *shape_with_n.n);
}

}  // namespace warpwise::harness
