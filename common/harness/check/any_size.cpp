#include "any_size.hpp"

#include <iterator>

namespace warpwise::harness {

namespace {

std::vector<std::uint64_t> telling_blocks(std::uint64_t blocks, const std::vector<unsigned>& known) {
  std::vector<std::uint64_t> numbers;
  for (const std::uint64_t block :
       {std::uint64_t{0}, std::uint64_t{65535}, blocks / 2, blocks - 2, blocks - 1})
    if (block < blocks) numbers.push_back(block);
  for (std::uint64_t block = 65536; block < blocks; block *= 2) numbers.push_back(block);
  const std::size_t most = numbers.size() + 4;
  for (const unsigned block : known)
    if (block < blocks && numbers.size() < most) numbers.push_back(block);
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

/// Notes what the blocks of one host thread load of one array.
class LoadsOfArray final : public simulator::Observer {
 public:
  explicit LoadsOfArray(const std::string& name) : taken(name) {}
  void on_access(const simulator::WarpContext& warp, const simulator::Access& access) override {
    if (access.kind != simulator::AccessKind::load || access.space != simulator::ptx::Space::global) return;
    for (const std::uint32_t lane : simulator::lanes_in(access.lanes)) {
      const simulator::Allocation& array = *access.allocation[lane];
      if (array.name != taken.name()) continue;
      const std::uint64_t first = access.address[lane] - array.base;
      for (std::uint64_t byte = 0; byte < access.used_end(); byte += array.element_bytes)
        taken.of(warp.block->linear).push_back((first + byte) / array.element_bytes);
    }
  }

  Taken taken;
};

}  // namespace

SomeBlocks::SomeBlocks(SimulatedDevice& device, std::uint64_t blocks, const std::vector<unsigned>& known)
    : numbers_(telling_blocks(blocks, known)),
      attached_(device, [&](auto& options) { options.launch.only_blocks = numbers_; }) {}

FilledOnTouch::FilledOnTouch(SimulatedDevice& device, std::uint64_t address, std::size_t size,
                             std::size_t element_bytes,
                             std::function<void(std::size_t first, std::size_t count)> fill)
    : address_(address),
      size_(size),
      element_bytes_(element_bytes),
      fill_(std::move(fill)),
      attached_(device, [this](auto& options) { options.observations.push_back(this); }) {}

void FilledOnTouch::on_access(const simulator::WarpContext&, const simulator::Access& access) {
  if (access.space != simulator::ptx::Space::global) return;
  constexpr std::size_t page = 1024;  // elements: how many is of no importance
  for (const std::uint32_t lane : simulator::lanes_in(access.lanes)) {
    if (access.allocation[lane]->base != address_) continue;
    const std::uint64_t first = access.address[lane] - address_, last = first + access.used_end() - 1;
    const std::lock_guard lock(mutex_);
    for (std::size_t p = first / element_bytes_ / page; p <= last / element_bytes_ / page; ++p)
      if (filled_.insert(p).second) fill_(p * page, std::min(page, size_ - p * page));
  }
}

Taken taken_of(SimulatedDevice& device, const std::string& name, const std::function<void()>& run) {
  Observed<LoadsOfArray> observed(device, [&](std::uint32_t) { return LoadsOfArray(name); });
  run();
  Taken all(name);
  for (const LoadsOfArray& of_thread : observed.observers())
    for (const auto& [block, elements] : of_thread.taken.all()) {
      std::vector<std::size_t>& sorted = all.of(block) = elements;
      std::sort(sorted.begin(), sorted.end());
      sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    }
  return all;
}

Requirement<Taken> IsFairlyTaken(const SomeBlocks& some, unsigned n, unsigned blocks) {
  return {"is taken in fair shares", [=, numbers = some.numbers()](const Taken& taken) {
            const double even = static_cast<double>(n) / blocks;
            for (const std::uint64_t block : numbers) {
              const auto found = taken.all().find(block);
              const double share = found == taken.all().end() ? 0 : static_cast<double>(found->second.size());
              if (share * 4 >= even && share <= 2 * even) continue;
              fail("block " + std::to_string(block) + " takes " + text_of(share) +
                       " elements, where an even share is " + text_of(even) + ": share the work out",
                   {.where = spelled(Case{.n = n, .grid = blocks})});
            }
          }};
}

Requirement<Taken> IsTakenOnce(unsigned n) {
  return {"is taken once", [=](const Taken& taken) {
            for (auto one = taken.all().begin(); one != taken.all().end(); ++one)
              for (auto other = std::next(one); other != taken.all().end(); ++other) {
                std::vector<std::size_t> both;
                std::ranges::set_intersection(one->second, other->second, std::back_inserter(both));
                if (!both.empty())
                  fail(taken.name() + "[" + std::to_string(both.front()) + "] is taken twice, by block " +
                           std::to_string(one->first) + " and by block " + std::to_string(other->first),
                       {.where = spelled(Case{.n = n})});
              }
          }};
}

Requirement<Taken> DividesElements(unsigned n) {
  return {"divides the elements among the blocks", [=](const Taken& taken) {
            require(taken, IsTakenOnce(n));
            std::size_t last = 0;
            for (const auto& [block, elements] : taken.all())
              if (!elements.empty()) last = std::max(last, elements.back());
            if (last < n / 4 * 3)
              fail("no block takes an element of the last quarter; " + taken.name() + "[" +
                       std::to_string(last) + "] is the last",
                   {.where = spelled(Case{.n = n})});
          }};
}

Generator<unsigned> grids_that_wrap(unsigned block) {
  std::vector<unsigned> grids;
  for (const std::uint64_t steps : {5, 6, 7, 15})
    grids.push_back(static_cast<unsigned>((std::uint64_t{1} << 32) / steps / block + 1));
  return Catch::Generators::from_range(grids);
}

void check_sum_across_4_gib(SimulatedDevice& device, const Kernel<void(float*)>& kernel, bool is_in_last) {
  constexpr unsigned n = 256, half = n / 2;
  constexpr std::size_t in_4_gib = (std::uint64_t{1} << 32) / sizeof(float);
  auto values = device.reserved<float>("values", 2 * in_4_gib + n);
  const std::size_t first = 2 * in_4_gib - values.address() / sizeof(float) % in_4_gib - half;
  const auto before = random_integers(n, seed_of(n));
  values.upload(before, first);
  const Launch launch = device.launch(kernel, {.grid = 1, .block = half, .n = n}, values.from(first));
  const double found = values.download(first + (is_in_last ? n - 1 : 0), 1).front();
  CHECK_THAT(found, IsSame(sum(before), "across a multiple of 4 GiB, the sum is "));
  device.mark_read(launch);  // it got a pointer to the middle of an array
  CHECK_THAT(launch, HasNoFindings());
}

}  // namespace warpwise::harness
