// The real GPU; gpu_device_absent.cpp takes this file's place where the toolkit has no static runtime.
#include "gpu_device.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "../../simulator/launch.hpp"

namespace warpwise::harness {

namespace {

// --- CUDA -------------------------------------------------------------------------------------------------

/// what() is "cudaMalloc: out of memory (cudaErrorMemoryAllocation) at gpu_device.cpp:40".
struct CudaError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string sentence_of(int code, const char* what, int line) {
  const auto error = static_cast<cudaError_t>(code);
  return std::string(what) + ": " + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) +
         ") at gpu_device.cpp:" + std::to_string(line);
}

/// `code` is a cudaError_t; throws CudaError unless it is cudaSuccess.
void cuda_call(int code, const char* what, int line = __builtin_LINE()) {
  if (code == cudaSuccess) return;
  (void)cudaGetLastError();  // or the next call would report this error again
  throw CudaError(sentence_of(code, what, line));
}
/// Writes the same sentence to stderr instead: for destructors, which must not throw.
void cuda_call_noexcept(int code, const char* what, int line = __builtin_LINE()) noexcept {
  if (code == cudaSuccess) return;
  try {
    std::fprintf(stderr, "%s\n", sentence_of(code, what, line).c_str());
  } catch (...) {
    std::fprintf(stderr, "%s failed\n", what);
  }
}

/// Those few functions of the driver that load a PTX text and launch its kernels.
/// They are asked for while the program runs (cudaGetDriverEntryPoint), so that it also links and starts
/// where there is no driver. Types are spelled out here because libcuda's header does not come with every
/// toolkit. Source: CUDA driver API manual, "Module management" and "Execution control".
struct Driver {
  // A CUresult of 0 is success; the other values are those of cudaError_t. CUmodule and CUfunction are
  // pointers.
  int (*load_module)(void** module, const void* text, unsigned option_count, int* options, void** values);
  int (*unload_module)(void* module);
  int (*find_function)(void** function, void* module, const char* name);
  int (*set_function_attribute)(void* function, int attribute, int value);
  int (*launch)(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                unsigned block_y, unsigned block_z, unsigned shared_bytes, void* stream, void** arguments,
                void** extra);

  // Values of CUjit_option and CUfunction_attribute that are used.
  static constexpr int jit_error_log = 5, jit_error_log_bytes = 6;
  static constexpr int jit_line_info = 13;  ///< so that profilers know the lines of the source
  static constexpr int max_dynamic_shared_bytes = 8;
};

void* entry_point(const char* name) {
  void* address = nullptr;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
  constexpr unsigned version = 12000;  // the signatures above are those of CUDA 12.0
  const auto code = cudaGetDriverEntryPointByVersion(name, &address, version, cudaEnableDefault, &status);
#else
  const auto code = cudaGetDriverEntryPoint(name, &address, cudaEnableDefault, &status);
#endif
  cuda_call(code, name);
  if (status != cudaDriverEntryPointSuccess || address == nullptr) {
    throw CudaError(std::string("the NVIDIA driver has no ") + name);
  }
  return address;
}

template <class Function>
void find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(entry_point(name));
}

/// Throws CudaError where there is no driver, or one without these functions.
const Driver& driver() {
  static const Driver found = [] {
    Driver functions{};
    find(functions.load_module, "cuModuleLoadDataEx");
    find(functions.unload_module, "cuModuleUnload");
    find(functions.find_function, "cuModuleGetFunction");
    find(functions.set_function_attribute, "cuFuncSetAttribute");
    find(functions.launch, "cuLaunchKernel");
    return functions;
  }();
  return found;
}

// --- The GPU ----------------------------------------------------------------------------------------------

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// The PTX for a driver that is older than the compiler which wrote it: the same text, as the first PTX
/// version of the driver's CUDA. What a kernel does is not changed by that line, and a driver refuses what it
/// does not know. So the GPU runs the very text that is simulated. Source: PTX ISA, "Release Notes"
/// (CUDA 12.0 reads PTX 8.0, CUDA 13.0 reads 9.0).
std::string with_older_version(std::string ptx) {
  int driver_version = 0;
  (void)cudaDriverGetVersion(&driver_version);
  constexpr std::string_view directive = "\n.version ";
  const std::size_t line = ptx.find(directive);
  if (line == ptx.npos) return ptx;
  const std::size_t number = line + directive.size();
  return ptx.replace(number, ptx.find('\n', number) - number,
                     std::to_string(driver_version / 1000 - 4) + ".0");
}

GpuAvailability ask_for_gpu() {
  int driver_version = 0;
  (void)cudaDriverGetVersion(&driver_version);
  if (driver_version == 0) return {.reason = "no NVIDIA driver is installed"};
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  (void)cudaGetLastError();
  if (code == cudaErrorInsufficientDriver) {
    return {.reason = "the NVIDIA driver supports CUDA " + version_text(driver_version) +
                      ", this program was built with " + version_text(CUDART_VERSION)};
  }
  if (code != cudaSuccess && code != cudaErrorNoDevice) return {.reason = cudaGetErrorString(code)};
  if (count == 0) return {.reason = "the NVIDIA driver lists no GPU"};
  cudaDeviceProp properties{};
  cuda_call(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  return {.is_available = true, .name = properties.name};
}

int attribute(cudaDeviceAttr which) {
  int value = 0;
  cuda_call(cudaDeviceGetAttribute(&value, which, 0), "cudaDeviceGetAttribute");
  return value;
}

/// Device memory that is overwritten to push everything else out of the L2 cache.
class CacheFlush {
 public:
  CacheFlush() = default;
  ~CacheFlush() {
    if (memory_ != nullptr) cuda_call_noexcept(cudaFree(memory_), "cudaFree");
  }
  CacheFlush(const CacheFlush&) = delete;  ///< two owners would free the memory twice
  CacheFlush& operator=(const CacheFlush&) = delete;

  void operator()(std::size_t l2_bytes) {
    const std::size_t bytes = 2 * l2_bytes;
    if (memory_ == nullptr) cuda_call(cudaMalloc(&memory_, bytes), "cudaMalloc");
    cuda_call(cudaMemsetAsync(memory_, 0, bytes, nullptr), "cudaMemsetAsync");
  }

 private:
  void* memory_ = nullptr;
};

/// A CUDA event and its owner.
class Event {
 public:
  Event() { cuda_call(cudaEventCreate(&event_), "cudaEventCreate"); }
  ~Event() { cuda_call_noexcept(cudaEventDestroy(event_), "cudaEventDestroy"); }
  Event(const Event&) = delete;  ///< two owners would destroy the event twice
  Event& operator=(const Event&) = delete;

  void record() { cuda_call(cudaEventRecord(event_, nullptr), "cudaEventRecord"); }
  void wait() { cuda_call(cudaEventSynchronize(event_), "cudaEventSynchronize"); }
  double milliseconds_since(const Event& begin) const {
    float milliseconds = 0;
    cuda_call(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "cudaEventElapsedTime");
    return milliseconds;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// The middle value; the mean of the two middle ones where their number is even. `values` is not empty.
double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// Median time in milliseconds of what `launch` puts on the default stream, by CUDA events (their resolution
/// is about half a microsecond). `before_each` runs before each launch, outside the measured time.
double time_on_gpu(const TimingOptions& options, const std::function<void()>& launch,
                   const std::function<void()>& before_each) {
  for (unsigned i = 0; i < options.warm_up; ++i) launch();
  Event begin, end;
  std::vector<double> times;
  for (unsigned i = 0; i < options.repetitions; ++i) {
    before_each();
    begin.record();
    launch();
    end.record();
    end.wait();
    times.push_back(end.milliseconds_since(begin));
  }
  return median(std::move(times));
}

class RuntimeGpu : public GpuDevice {
 public:
  explicit RuntimeGpu(const std::string& module_path) {
    cuda_call(cudaSetDevice(0), "cudaSetDevice");
    cuda_call(cudaFree(nullptr), "cudaFree");  // makes the context that the driver's functions work in
    properties_.name = gpu_availability().name;
    properties_.multiprocessors = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
    properties_.l2_bytes = static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize));
    // Clock in kHz, twice a cycle, width in bits.
    properties_.bytes_per_second =
        2e3 * attribute(cudaDevAttrMemoryClockRate) * (attribute(cudaDevAttrGlobalMemoryBusWidth) / 8.0);
    load(module_path);
  }
  ~RuntimeGpu() override { cuda_call_noexcept(driver().unload_module(module_), "cuModuleUnload"); }
  RuntimeGpu(const RuntimeGpu&) = delete;  ///< two owners would unload the module twice
  RuntimeGpu& operator=(const RuntimeGpu&) = delete;

  const DeviceProperties& properties() const override { return properties_; }
  std::string place() const override { return "on " + properties_.name; }
  void time_launches(std::optional<TimingOptions> options) override { timing_ = options; }
  bool has_kernel(const std::string& name) const override {
    void* function = nullptr;
    return driver().find_function(&function, module_, name.c_str()) == 0;
  }

  std::uint64_t allocate(std::size_t bytes, const std::string& name, std::size_t) override {
    void* memory = nullptr;
    const std::size_t at_least_one = bytes == 0 ? 1 : bytes;
    cuda_call(cudaMalloc(&memory, at_least_one), ("cudaMalloc of `" + name + "`").c_str());
    cuda_call(cudaMemset(memory, 0xCD, at_least_one), "cudaMemset");
    return reinterpret_cast<std::uint64_t>(memory);
  }
  void release(std::uint64_t address) noexcept override {
    // After a kernel has crashed, every call fails with its error: it has been reported.
    if (!is_lost_) cuda_call_noexcept(cudaFree(reinterpret_cast<void*>(address)), "cudaFree");
  }
  void write(std::uint64_t address, const void* from, std::size_t bytes) override {
    cuda_call(cudaMemcpy(reinterpret_cast<void*>(address), from, bytes, cudaMemcpyHostToDevice),
              "cudaMemcpy");
  }
  void read(void* to, std::uint64_t address, std::size_t bytes) override {
    cuda_call(cudaMemcpy(to, reinterpret_cast<const void*>(address), bytes, cudaMemcpyDeviceToHost),
              "cudaMemcpy");
  }
  bool is_written(std::uint64_t address, std::size_t bytes) override {
    std::vector<unsigned char> content(bytes);
    read(content.data(), address, bytes);
    return !is_poison(content.data(), bytes);
  }

 protected:
  Launch launch_packed(const std::string& kernel, const LaunchShape& shape,
                       std::span<const void* const> arguments, std::span<const std::size_t>) override {
    void* function = nullptr;
    if (driver().find_function(&function, module_, kernel.c_str()) != 0) {
      throw std::runtime_error("the module has no kernel `" + kernel + "`");
    }
    if (shape.shared_bytes > simulator::usual_shared_bytes) {
      cuda_call(driver().set_function_attribute(function, Driver::max_dynamic_shared_bytes,
                                                static_cast<int>(shape.shared_bytes)),
                "cuFuncSetAttribute");
    }
    const auto once = [&] { launch_once(function, kernel, shape, arguments); };
    Launch launch(kernel, shape);
    try {
      if (timing_) {
        launch.set_milliseconds(time_on_gpu(*timing_, once, [&] { flush_(properties_.l2_bytes); }));
      } else {
        once();
      }
      cuda_call(cudaDeviceSynchronize(), kernel.c_str());
    } catch (const CudaError& error) {
      is_lost_ = cudaDeviceSynchronize() != cudaSuccess;  // does the error stay? Then the context is gone
      throw LaunchFault(kernel + spelled(shape) + " failed on " + properties_.name + ": " + error.what());
    }
    return launch;
  }

 private:
  void load(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error(path + ": cannot be read");
    const std::string text(std::istreambuf_iterator<char>(file), {});
    std::vector<char> log(4096, '\0');
    const auto load_text = [&](const std::string& ptx) {
      int options[] = {Driver::jit_error_log, Driver::jit_error_log_bytes, Driver::jit_line_info};
      void* values[] = {log.data(), reinterpret_cast<void*>(log.size()), reinterpret_cast<void*>(1)};
      return driver().load_module(&module_, ptx.c_str(), 3, options, values);
    };
    int code = load_text(text);
    if (code == cudaErrorUnsupportedPtxVersion) code = load_text(with_older_version(text));
    if (code != 0) cuda_call(code, ("the driver cannot load " + path + ": " + log.data()).c_str());
  }

  static void launch_once(void* function, const std::string& kernel, const LaunchShape& shape,
                          std::span<const void* const> arguments) {
    // The driver reads the arguments and never writes them; its C interface just does not say so.
    auto** values = const_cast<void**>(arguments.data());
    const int code =
        driver().launch(function, shape.grid.x, shape.grid.y, shape.grid.z, shape.block.x, shape.block.y,
                        shape.block.z, static_cast<unsigned>(shape.shared_bytes), nullptr, values, nullptr);
    cuda_call(code, kernel.c_str());
  }

  DeviceProperties properties_;
  std::optional<TimingOptions> timing_;
  CacheFlush flush_;
  void* module_ = nullptr;
  bool is_lost_ = false;
};

}  // namespace

const GpuAvailability& gpu_availability() {
  static const GpuAvailability answer = ask_for_gpu();
  return answer;
}

std::unique_ptr<GpuDevice> make_gpu_device(const std::string& module_path) {
  if (!is_gpu_available()) throw std::runtime_error(gpu_availability().reason);
  return std::make_unique<RuntimeGpu>(module_path);
}

}  // namespace warpwise::harness
