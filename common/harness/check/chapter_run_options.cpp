#include "chapter_run.hpp"

#include <charconv>
#include <limits>
#include <string_view>
#include <utility>

#include "../../simulator/launch.hpp"

namespace warpwise::harness {

namespace {

DeviceChoice parse_device(std::string_view text) {
  if (text == "sim") return DeviceChoice::simulator;
  if (text == "gpu") return DeviceChoice::gpu;
  if (text == "auto") return DeviceChoice::automatic;
  throw UsageError("--device is sim, gpu or auto, not '" + std::string(text) + "'");
}

/// Empty where `text` is no whole number, or a larger one than `most`.
std::optional<std::uint64_t> whole_number(std::string_view text, std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value > most) return std::nullopt;
  return value;
}

unsigned parse_n(std::string_view text) {
  const auto value = whole_number(text, 1u << 30);
  if (!value)
    throw UsageError("--n is a whole number up to 2^30 = 1073741824, not '" + std::string(text) + "'");
  return static_cast<unsigned>(*value);
}

std::uint64_t parse_count(std::string_view name, std::string_view text, std::uint64_t most) {
  const auto value = whole_number(text, most);
  if (!value)
    throw UsageError(std::string(name) + " is a whole number up to " + std::to_string(most) + ", not '" +
                     std::string(text) + "'");
  return *value;
}

/// Chapters promise their kernels blocks of a power of two from 32 to 1024 threads.
unsigned parse_block(std::string_view text) {
  for (unsigned block = 32; block <= 1024; block *= 2)
    if (text == std::to_string(block)) return block;
  throw UsageError("--block is 32, 64, 128, 256, 512 or 1024, not '" + std::string(text) + "'");
}

/// "reduce_naive tree block_barriers / blocks"
print::Unpredicted parse_unpredicted(const std::string& text) {
  const std::size_t section = text.find(' '), counted = text.find(' ', section + 1);
  if (counted == std::string::npos)
    throw UsageError("--unpredicted is \"KERNEL SECTION COUNTERS\", not '" + text + "'");
  return {text.substr(0, section), text.substr(section + 1, counted - section - 1), text.substr(counted + 1)};
}

/// The same text, if it is one.
std::string parse_schedule(const std::string& text) {
  try {
    return simulator::Schedule::parse(text).spelled();
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

constexpr std::pair<std::string_view, bool Options::*> flags[] = {
    {"--no-checks", &Options::runs_no_checks},
    {"--quiet", &Options::is_quiet},
    {"--rejected", &Options::traces_rejected},
    {"--list", &Options::lists_kernels},
    {"--expect-failure", &Options::expects_failure},
    {"--lines", &Options::shows_lines},
    {"--verbose", &Options::is_verbose},
    {"--help", &Options::wants_help},
    {"-h", &Options::wants_help},
};
constexpr std::pair<std::string_view, std::string Options::*> texts[] = {
    {"--kernel", &Options::kernel},
    {"--report", &Options::report},
    {"--trace", &Options::trace},
    {"--expect-counters", &Options::hardware_table},
    {"--expect-rejection", &Options::expected_rejection},
};

/// An option that has a value, which `value()` takes from the line; false: there is none of that name.
template <class Value>
bool read_value(std::string_view name, Value value, Options& options) {
  for (const auto& [known, member] : texts)
    if (name == known) {
      options.*member = value();
      return true;
    }
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  if (name == "--device")
    options.device = parse_device(value());
  else if (name == "--n")
    options.n = parse_n(value());
  else if (name == "--block")
    options.block = parse_block(value());
  else if (name == "--schedule")
    options.schedule = parse_schedule(value());
  else if (name == "--threads")
    options.threads = static_cast<unsigned>(parse_count(name, value(), 1024));
  else if (name == "--seed")
    options.seed = parse_count(name, value(), most);
  else if (name == "--budget")
    options.kernel_budget = parse_count(name, value(), most);
  else if (name == "--unpredicted")
    options.unpredicted.push_back(parse_unpredicted(value()));
  else
    return false;
  return true;
}

bool read_flag(std::string_view word, Options& options) {
  for (const auto& [known, member] : flags)
    if (word == known) return options.*member = true;
  return false;
}

void expect_sensible(const Options& options) {
  if (options.trace.empty() && !options.schedule.empty()) throw UsageError("--schedule needs --trace FILE");
  if (options.trace.empty() && options.block && !options.runs_no_checks)
    throw UsageError("--block needs --trace FILE or --no-checks");
  if (options.traces_rejected && (!options.runs_no_checks || options.trace.empty() || options.kernel.empty()))
    throw UsageError("--rejected needs --no-checks, --trace FILE and --kernel NAME");
  if (options.runs_no_checks && options.trace.empty() && options.report.empty())
    throw UsageError("--no-checks needs --trace FILE or --report FILE");
}

}  // namespace

Options parse_options(std::span<const char* const> arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    if (word == "--") {
      options.catch_arguments.insert(options.catch_arguments.end(), arguments.begin() + i + 1,
                                     arguments.end());
      break;
    }
    const auto equals = word.starts_with("--") ? word.find('=') : std::string_view::npos;
    const std::string_view name = word.substr(0, equals);
    const auto value = [&]() -> std::string {
      if (equals != std::string_view::npos) return std::string(word.substr(equals + 1));
      if (i + 1 == arguments.size()) throw UsageError(std::string(name) + " needs a value after it");
      return arguments[++i];
    };
    if (read_flag(word, options) || read_value(name, value, options)) continue;
    if (!word.ends_with(".ptx"))
      options.catch_arguments.emplace_back(word);
    else if (!options.module.empty())
      throw UsageError("one module at a time: '" + options.module + "' or '" + std::string(word) + "'");
    else
      options.module = word;
  }
  expect_sensible(options);
  return options;
}

std::string usage(const std::string& program) {
  return "Usage: " + program + " [MODULE.ptx] [test cases] [options]\n" + R"(
Checks the kernels of a module: by default this chapter's exercise. It is a
program of Catch2: test cases are named as Catch2 does, "[KERNEL][safety]", and
all other options are Catch2's (-? lists them), as is whatever follows "--":
with --list-tests, -r junit or --success Catch2 reports.

  --device sim|gpu|auto       where results are checked (auto: simulated, and on
                              a GPU if there is one)
  --kernel NAME               this kernel only
  --n N                       number of elements in the run that is shown
  --lines                     what each source line costs
  --unpredicted "KERNEL SECTION COUNTERS"
                              leaves these counters of the kernel open, until
                              they are predicted; any number of times
  --verbose                   every failure in full
  --quiet                     leaves out what kernels print
  --seed N                    other inputs and more sizes
  --budget N                  warp instructions that a kernel may spend in all
                              checks together
  --threads N                 host threads for the simulated GPU (default: one
                              per processor)
  --list                      the kernels and their checks, as JSON
  --report FILE               everything that was found, as JSON
                              (docs/report.schema.json)
  --trace FILE                the run that is shown, step by step, as JSON
                              (docs/trace.schema.json); failing kernels too
  --no-checks                 only that run (of few elements with --trace);
                              --report has its counters
  --rejected                  in its place the launches that the checks of
                              --kernel reject, if they reject any
  --block N                   threads per block in that run, if the kernel takes
                              any number
  --schedule ORDER            of that run: converged (default), lockstep or
                              split:SEED
  --expect-failure            succeeds if every exercise fails its result check
  --expect-rejection FILE.cu  succeeds if the check named in the file's first
                              line rejects the module
  --expect-counters FILE.tsv  succeeds if a GPU counted the same
                              (docs/results/h200/counters.tsv)

Exit status: 0 all is well, 1 a check failed, 2 wrong usage, 3 nothing is
judged: the module lacks a kernel or cannot be used, or there is no GPU.
)";
}

}  // namespace warpwise::harness
