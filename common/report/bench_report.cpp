#include "bench_report.hpp"

#include <sstream>

#include "json_members.hpp"

namespace warpwise::report {

// What the JSON of bench consists of, as describe.hpp says it of reports and traces.

void look_up(std::string_view name, std::optional<BenchVerdict>& verdict) {
  verdict = value_named<BenchVerdict>(all_bench_verdicts, name);
}

void describe(auto& members, Is<Median> auto& median) {
  members("median", median.median);
  members("low", median.low);
  members("high", median.high);
}

void describe(auto& members, Is<BenchRow> auto& row) {
  members("n", row.n);
  members("bins", row.bins);
  members("bytes", row.bytes);
  members("pairs", row.pairs);
  members("ours", row.ours);
  members("cub", row.cub);
  members("ratio", row.ratio);
  members("called", row.called);
}

void describe(auto& members, Is<BenchKernel> auto& kernel) {
  members("chapter", kernel.chapter);
  members("kernel", kernel.kernel);
  members("counterpart", kernel.counterpart);
  members("remark", kernel.remark);
  members("verdict", kernel.verdict);
  members("problem", kernel.problem);
  members("rows", kernel.rows);
}

void describe(auto& members, Is<BenchMachine> auto& machine) {
  members("gpu", machine.gpu);
  members("driver", machine.driver);
  members("toolkit", machine.toolkit);
  members("multiprocessors", machine.multiprocessors);
  members("read", machine.read);
  members("copy", machine.copy);
  members("peak", machine.peak);
}

void describe(auto& members, Is<BenchReport> auto& bench) {
  members("bench", bench.version);
  members("command", bench.command);
  members("machine", bench.machine);
  members("kernels", bench.kernels);
}

namespace {

/// What a comparison's program says of a kernel, but for its rows.
struct ComparisonEvent {
  std::string event;  ///< "right", "wrong", "row", or one that is news of a long run
  unsigned n = 0, bins = 0;
  std::string text;  ///< what is wrong at that size
};
void describe(auto& members, Is<ComparisonEvent> auto& said) {
  members("event", said.event);
  members.optional("n", said.n);
  members.optional("bins", said.bins);
  members.optional("text", said.text);
}

/// A kernel that it can hold against CUB.
struct ComparisonEntry {
  std::string kernel, counterpart, remark;
};
void describe(auto& members, Is<ComparisonEntry> auto& entry) {
  members("kernel", entry.kernel);
  members("counterpart", entry.counterpart);
  members("remark", entry.remark);
}

/// One sentence for whatever of `read` is not as it should be.
template <class Read>
auto read_or_refuse(Read read) {
  try {
    return read();
  } catch (const ReportError& error) {
    throw ReportError(std::string("it is no result of bench (") + error.what() + ")");
  }
}

template <class T>
T object_from(const std::string& line) {
  return read_or_refuse([&] {
    const Json json = Json::parse(line, nullptr, false);
    T object;
    read(json, "", object);
    return object;
  });
}

}  // namespace

double datasheet_bandwidth(std::string_view gpu) {
  // NVIDIA's datasheets of these products, "GPU memory bandwidth".
  constexpr std::array<std::pair<std::string_view, double>, 6> known{{{"NVIDIA H200", 4800e9},
                                                                      {"NVIDIA H100 80GB HBM3", 3350e9},
                                                                      {"NVIDIA A100-SXM4-80GB", 2039e9},
                                                                      {"NVIDIA A100-SXM4-40GB", 1555e9},
                                                                      {"NVIDIA L4", 300e9},
                                                                      {"Tesla T4", 320e9}}};
  for (const auto& [name, bandwidth] : known)
    if (name == gpu) return bandwidth;
  return 0;
}

double gigabytes_per_second(const BenchRow& row, const Median& milliseconds) {
  return row.bytes / milliseconds.median / 1e6;
}

std::string size_text(const BenchRow& row) {
  const std::string bins = row.bins == 0 ? "" : ", " + std::to_string(row.bins) + " bins";
  for (unsigned log = 3; log < 32; ++log) {
    const unsigned power = 1U << log;
    if (row.n < power || row.n - power > 3) continue;
    return "2^" + std::to_string(log) + (row.n == power ? "" : " + " + std::to_string(row.n - power)) + bins;
  }
  return std::to_string(row.n) + bins;
}

std::string read_comparison_line(std::string_view text, BenchKernel& kernel) {
  const std::string line(text);
  if (!line.starts_with("{\"event\":")) return line;
  const auto said = object_from<ComparisonEvent>(line);
  if (said.event == "right") {
    kernel.verdict = BenchVerdict::right;
  } else if (said.event == "wrong") {
    kernel.verdict = BenchVerdict::wrong;
    kernel.problem = "n = " + size_text({said.n, said.bins, 0, 0, {}, {}, {}, {}}) + ": " + said.text;
  } else if (said.event == "row") {
    kernel.rows.push_back(object_from<BenchRow>(line));
  }
  return {};
}

BenchMachine machine_from(std::string_view line) { return object_from<BenchMachine>(std::string(line)); }

std::vector<BenchKernel> kernels_from(std::string_view lines, const std::string& chapter) {
  std::vector<BenchKernel> kernels;
  std::istringstream stream{std::string(lines)};
  for (std::string line; std::getline(stream, line);) {
    const auto entry = object_from<ComparisonEntry>(line);
    kernels.push_back(
        {chapter, entry.kernel, entry.counterpart, entry.remark, BenchVerdict::unwritten, {}, {}});
  }
  return kernels;
}

BenchReport bench_from(std::string_view text) {
  return read_or_refuse(
      [&] { return document_from<BenchReport>(text, "the file", "bench", current_bench_version); });
}

void write_bench(const std::filesystem::path& file, const BenchReport& bench) {
  // A line for each row, so that two files can be compared line by line.
  std::ostringstream out;
  out << "{\"bench\": " << bench.version << ",\n \"command\": " << Json(bench.command).dump()
      << ",\n \"machine\": " << value_of(bench.machine).dump() << ",\n \"kernels\": [";
  for (const BenchKernel& kernel : bench.kernels) {
    Json head = value_of(kernel);
    const Json rows = head["rows"];
    head.erase("rows");
    std::string text = head.dump();
    text.pop_back();
    out << (&kernel == bench.kernels.data() ? "\n  " : ",\n  ") << text << ",\"rows\": [";
    for (std::size_t r = 0; r < rows.size(); ++r) out << (r == 0 ? "\n   " : ",\n   ") << rows[r].dump();
    out << "]}";
  }
  out << "]}\n";
  write_whole(file, std::move(out).str());
}

BenchReport read_bench(const std::filesystem::path& file) { return read_whole(file, bench_from); }

}  // namespace warpwise::report
