#include "bench.hpp"

#include <array>
#include <sstream>

#include "json.hpp"
#include "whole_file.hpp"

// Its own name, as in json_members.hpp.
#define nlohmann warpwise_nlohmann
#include <nlohmann/json.hpp>
#undef nlohmann

namespace warpwise::report {
namespace {

using Json = warpwise_nlohmann::ordered_json;

constexpr int bench_version = 1;
constexpr std::array<std::pair<BenchVerdict, const char*>, 4> verdicts{
    {{BenchVerdict::right, "right"},
     {BenchVerdict::wrong, "wrong"},
     {BenchVerdict::failed, "failed"},
     {BenchVerdict::unwritten, "unwritten"}}};

const char* name_of(BenchVerdict verdict) {
  for (const auto& [value, name] : verdicts)
    if (value == verdict) return name;
  return "";
}
BenchVerdict verdict_named(const std::string& name) {
  for (const auto& [value, known] : verdicts)
    if (name == known) return value;
  throw ReportError("no verdict is called '" + name + "'");
}

Json json_of(const Middle& middle) {
  return {{"median", middle.median}, {"low", middle.low}, {"high", middle.high}};
}
Middle middle_from(const Json& json) {
  return {json.at("median").get<double>(), json.at("low").get<double>(), json.at("high").get<double>()};
}

Json json_of(const BenchRow& row) {
  return {{"n", row.n},
          {"bins", row.bins},
          {"bytes", row.bytes},
          {"pairs", row.pairs},
          {"ours", json_of(row.ours)},
          {"cub", json_of(row.cub)},
          {"ratio", json_of(row.ratio)},
          {"called", json_of(row.called)}};
}
BenchRow row_from(const Json& json) {
  return {json.at("n").get<unsigned>(),     json.at("bins").get<unsigned>(), json.at("bytes").get<double>(),
          json.at("pairs").get<unsigned>(), middle_from(json.at("ours")),    middle_from(json.at("cub")),
          middle_from(json.at("ratio")),    middle_from(json.at("called"))};
}

Json json_of(const BenchKernel& kernel) {
  Json rows = Json::array();
  for (const BenchRow& row : kernel.rows) rows.push_back(json_of(row));
  return {{"chapter", kernel.chapter},
          {"kernel", kernel.kernel},
          {"counterpart", kernel.counterpart},
          {"remark", kernel.remark},
          {"verdict", name_of(kernel.verdict)},
          {"problem", kernel.problem},
          {"rows", std::move(rows)}};
}
BenchKernel kernel_from(const Json& json) {
  BenchKernel kernel{json.at("chapter"),
                     json.at("kernel"),
                     json.at("counterpart"),
                     json.at("remark"),
                     verdict_named(json.at("verdict")),
                     json.at("problem"),
                     {}};
  for (const Json& row : json.at("rows")) kernel.rows.push_back(row_from(row));
  return kernel;
}

Json json_of(const BenchMachine& machine) {
  return {{"gpu", machine.gpu},         {"driver", machine.driver},
          {"toolkit", machine.toolkit}, {"multiprocessors", machine.multiprocessors},
          {"read", machine.read},       {"copy", machine.copy},
          {"peak", machine.peak}};
}
BenchMachine machine_from(const Json& json) {
  return {json.at("gpu"),
          json.at("driver"),
          json.at("toolkit"),
          json.at("multiprocessors").get<unsigned>(),
          json.at("read").get<double>(),
          json.at("copy").get<double>(),
          json.at("peak").get<double>()};
}

/// What nlohmann says of a member that is missing or of another type, as one sentence of ours.
template <class Read>
auto read_or_refuse(std::string_view text, Read read) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw ReportError("it is no JSON");
  try {
    return read(json);
  } catch (const warpwise_nlohmann::json::exception& error) {
    throw ReportError(std::string("it is no result of bench (") + error.what() + ")");
  }
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

double gigabytes_per_second(const BenchRow& row, const Middle& milliseconds) {
  return row.bytes / milliseconds.median / 1e6;
}

std::string size_text(const BenchRow& row) {
  for (unsigned log = 3; log < 32; ++log) {
    const unsigned power = 1U << log;
    if (row.n < power || row.n - power > 3) continue;
    return "2^" + std::to_string(log) + (row.n == power ? "" : " + " + std::to_string(row.n - power));
  }
  return std::to_string(row.n);
}

std::string read_contest_line(std::string_view line, BenchKernel& kernel) {
  if (!line.starts_with("{\"event\":")) return std::string(line);
  return read_or_refuse(line, [&](const Json& json) -> std::string {
    const std::string event = json.at("event");
    if (event == "right") {
      kernel.verdict = BenchVerdict::right;
    } else if (event == "wrong") {
      kernel.verdict = BenchVerdict::wrong;
      const BenchRow at{json.at("n").get<unsigned>(), json.at("bins").get<unsigned>(), 0, 0, {}, {}, {}, {}};
      kernel.problem = "n = " + size_text(at) +
                       (at.bins == 0 ? "" : ", " + std::to_string(at.bins) + " bins") + ": " +
                       json.at("text").get<std::string>();
    } else if (event == "row") {
      kernel.rows.push_back(row_from(json));
    }
    return {};
  });
}

BenchMachine machine_from(std::string_view line) {
  return read_or_refuse(line, [](const Json& json) { return machine_from(json); });
}

std::vector<BenchKernel> kernels_from(std::string_view lines, const std::string& chapter) {
  std::vector<BenchKernel> kernels;
  std::istringstream stream{std::string(lines)};
  for (std::string line; std::getline(stream, line);) {
    kernels.push_back(read_or_refuse(line, [&](const Json& json) {
      return BenchKernel{
          chapter, json.at("kernel"), json.at("counterpart"), json.at("remark"), BenchVerdict::unwritten, {},
          {}};
    }));
  }
  return kernels;
}

Bench bench_from(std::string_view text) {
  return read_or_refuse(text, [](const Json& json) {
    if (json.at("bench") != bench_version)
      throw ReportError("it is of version " + json["bench"].dump() + "; this Warpwise reads version " +
                        std::to_string(bench_version));
    Bench bench{json.at("command"), machine_from(json.at("machine")), {}};
    for (const Json& kernel : json.at("kernels")) bench.kernels.push_back(kernel_from(kernel));
    return bench;
  });
}

void write_bench(const std::filesystem::path& file, const Bench& bench) {
  // A line for each row, so that two files can be compared line by line.
  std::ostringstream out;
  out << "{\"bench\": " << bench_version << ",\n \"command\": " << Json(bench.command).dump()
      << ",\n \"machine\": " << json_of(bench.machine).dump() << ",\n \"kernels\": [";
  for (const BenchKernel& kernel : bench.kernels) {
    Json head = json_of(kernel);
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

Bench read_bench(const std::filesystem::path& file) { return read_whole(file, bench_from); }

}  // namespace warpwise::report
