// The registry of Catch2, and the generators.
#include "running_case.hpp"  // first: it asks for inner headers of Catch2

#include "cases.hpp"

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_case_info.hpp>
#include <catch2/interfaces/catch_interfaces_registry_hub.hpp>
#include <catch2/interfaces/catch_interfaces_testcase.hpp>
template <class Do>
static void for_each_test_case(Do act) {
  for (const Catch::TestCaseInfo* info : Catch::getRegistryHub().getTestCaseRegistry().getAllInfos()) {
    std::vector<std::string> tags;
    for (const Catch::Tag& tag : info->tags) tags.emplace_back(tag.original);
    act(*info, tags);
  }
}
#else
template <class Do>
static void for_each_test_case(Do act) {
  for (const Catch::TestCase& info : Catch::getRegistryHub().getTestCaseRegistry().getAllTests())
    act(info, info.tags);
}
#endif

#include <algorithm>
#include <bit>
#include <new>
#include <set>

#include "../../text/files.hpp"

namespace warpwise::harness {

namespace {

// What is tried in another order. An order goes wrong in few warps as it does in many.
constexpr unsigned other_seeds = 4;

std::vector<std::string> every_schedule(unsigned seeds) {
  std::vector<std::string> all{"converged", "lockstep"};
  for (unsigned seed = 1; seed <= seeds; ++seed) all.push_back("split:" + std::to_string(seed));
  return all;
}

/// One device after the other, in one order or more.
template <class AnyDevice>
class DeviceGenerator : public Catch::Generators::IGenerator<std::reference_wrapper<AnyDevice>> {
 public:
  struct Place {
    std::reference_wrapper<AnyDevice> device;
    std::string order = {};
  };
  DeviceGenerator(std::vector<Place> places, bool is_limited)
      : places_(std::move(places)), is_limited_(is_limited) {}

  const std::reference_wrapper<AnyDevice>& get() const override {
    Run& run = Run::current();
    const Place& place = places_[at_];
    run.end_if_failed();
    if (run.is_used_up(place.order)) end_body();
    run.enter_order(place.order, is_limited_);
    return place.device;
  }
  bool next() override {
    Run& run = Run::current();
    do ++at_;
    while (at_ < places_.size() && run.is_used_up(places_[at_].order));
    return at_ < places_.size() && run.failures.empty();
  }

 private:
  std::vector<Place> places_;
  bool is_limited_;
  std::size_t at_ = 0;
};

Generator<unsigned> values_of(const std::vector<unsigned>& values) {
  return Catch::Generators::from_range(values);
}

constexpr unsigned large_size = 8192;

/// Numbers that the kernel's code compares with, and one more, where they are none of `usual`.
std::vector<unsigned> new_from_code(const std::vector<unsigned>& usual,
                                    const std::function<bool(unsigned)>& may_be) {
  std::set<unsigned> found;
  for (const unsigned number : numbers_in_code())
    for (const unsigned one : {number, number + 1})
      if (may_be(one) && std::find(usual.begin(), usual.end(), one) == usual.end()) found.insert(one);
  return {found.begin(), found.end()};
}
std::vector<unsigned> sizes_from_code(const std::vector<unsigned>& usual) {
  return new_from_code(usual, [](unsigned n) { return n > 33 && n <= large_size; });  // the others are known
}

/// 0 is the last.
std::vector<unsigned> sizes_in_this_order(unsigned stretch) {
  if (is_in_another_order()) return {3 * stretch - 5, stretch / 2 + 3};
  std::vector<unsigned> sizes = awkward(stretch);
  const std::vector<unsigned> more = sizes_from_code(sizes);
  sizes.insert(sizes.end() - 1, more.begin(), more.end());
  return sizes;
}

}  // namespace

Generator<std::reference_wrapper<Device>> devices() {
  const Devices& all = Run::current().places;
  std::vector<DeviceGenerator<Device>::Place> places{{*all.simulated}};
  if (all.gpu) places.push_back({*all.gpu});
  for (const std::string& order : every_schedule(other_seeds))
    if (order != "converged") places.push_back({*all.simulated, order});
  return testing::generator_of<std::reference_wrapper<Device>>(
      new DeviceGenerator<Device>(std::move(places), true));
}

SimulatedDevice& simulated() {
  Run::current().end_if_failed();
  return *Run::current().places.simulated;
}

SimulatedDevice& simulated_at_any_size() {
  static const bool has_addresses = [] {
    try {
      const simulator::ZeroedBytes all(std::uint64_t{1} << 36);
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }();
  SimulatedDevice& device = simulated();
  if (!has_addresses) end_body();
  return device;
}

Generator<std::reference_wrapper<SimulatedDevice>> every_order(unsigned seeds) {
  std::vector<DeviceGenerator<SimulatedDevice>::Place> places;
  for (const std::string& order : every_schedule(seeds))
    places.push_back({*Run::current().places.simulated, order});
  return testing::generator_of<std::reference_wrapper<SimulatedDevice>>(
      new DeviceGenerator<SimulatedDevice>(std::move(places), false));
}

OtherOptions one_after_the_other(SimulatedDevice& device, std::uint64_t blocks, bool is_last_first) {
  return OtherOptions(device, [=](simulator::GpuOptions& options) {
    options.launch.resident_blocks = 1;
    for (std::uint64_t left = blocks; is_last_first && left > 0; --left)
      options.launch.only_blocks.push_back(left - 1);
  });
}

bool is_in_another_order() { return Run::current().is_other_order; }

Generator<unsigned> block_sizes() {
  return values_of(is_in_another_order() ? std::vector<unsigned>{32, 256}
                                         : std::vector<unsigned>{32, 64, 128, 256, 512, 1024});
}

Generator<unsigned> awkward_sizes(unsigned stretch) { return values_of(sizes_in_this_order(stretch)); }

Generator<unsigned> some_awkward_sizes(unsigned stretch, unsigned count) {
  const std::vector<unsigned> all = sizes_in_this_order(stretch);
  std::vector<unsigned> some = sizes_from_code({});
  for (unsigned draw = 0; draw < count; ++draw)
    some.push_back(all[seed_of(run_seed(), stretch, 100 + draw) % all.size()]);
  return values_of(some);
}

Generator<unsigned> sizes_with_short_rest(unsigned stretch) {
  return also_from_code({stretch + stretch / 8 * 3}, [](unsigned n) { return n > 1 && n <= 33; });
}

Generator<LaunchShape> uneven_shares() {
  return Catch::Generators::values<LaunchShape>({{.grid = 72, .block = 32, .n = 72 * (64 * 32 + 32) - 1},
                                                 {.grid = 4, .block = 64, .n = 4 * 64 * 128 - 33},
                                                 {.grid = 4, .block = 64, .n = 4 * 64 * 64 + 33}});
}

const std::vector<unsigned>& numbers_in_code() {
  static const std::vector<unsigned> none;
  const Run* const run = Run::running();
  return run == nullptr || run->test_case == nullptr
             ? none
             : run->places.simulated->numbers_in_code(run->test_case->kernel);
}

Generator<unsigned> also_from_code(std::vector<unsigned> usual, const std::function<bool(unsigned)>& may_be) {
  const std::vector<unsigned> more =
      is_in_another_order() ? std::vector<unsigned>() : new_from_code(usual, may_be);
  usual.insert(usual.end(), more.begin(), more.end());
  return values_of(usual);
}
Generator<unsigned> blocks_also_from_code(std::vector<unsigned> usual, bool are_powers_of_two) {
  return also_from_code(std::move(usual), [=](unsigned block) {
    return block % 32 == 0 && block <= 1024 && (std::has_single_bit(block) || !are_powers_of_two);
  });
}
Generator<unsigned> large_sizes(std::vector<unsigned> usual) {
  return also_from_code(std::move(usual), [](unsigned n) { return n > large_size && n <= 1u << 30; });
}

// --- The test cases ---------------------------------------------------------------------------------------

namespace {

/// "[reduce_naive] or [sum_in_place]"
std::string kernel_tags() {
  std::string all;
  for (const ChapterKernel& one : chapter().kernels)
    all += (all.empty() ? "[" : " or [") + std::string(one.kernel.text) + "]";
  return all;
}

}  // namespace

std::string TestCase::name_in_kernel() const {
  return name.starts_with(kernel + ": ") ? name.substr(kernel.size() + 2) : name;
}

const std::vector<TestCase>& test_cases() {
  static const std::vector<TestCase> all = [] {
    std::vector<TestCase> cases;
    std::set<std::string> seen;  // kernels that have a case of the result
    for_each_test_case([&](const Catch::TestCaseInfo& info, const std::vector<std::string>& tags) {
      const ChapterKernel* kernel = nullptr;
      Aspect aspect = Aspect::result;
      std::string name;
      for (const std::string& tag : tags) {
        if (const ChapterKernel* const found = chapter().find(tag)) {
          kernel = found;
          name = tag;
        }
        for (const Aspect one : all_aspects)
          if (name_of(one) == tag) aspect = one;
      }
      if (kernel == nullptr)
        throw std::logic_error(text::shown_path(info.lineInfo.file) + ":" +
                               std::to_string(info.lineInfo.line) + ": the tags of the test case '" +
                               info.name + "' name no kernel: behind its name there must be " +
                               kernel_tags());
      const bool is_first = aspect == Aspect::result && seen.insert(name).second;
      cases.push_back({info.name, std::string(kernel->kernel.text), aspect, is_first});
    });
    return cases;
  }();
  return all;
}

}  // namespace warpwise::harness
