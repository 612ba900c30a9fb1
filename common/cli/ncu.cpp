#include "ncu.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "../print/tables.hpp"
#include "../text/files.hpp"
#include "commands.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

/// Rows of a table, by the names of its columns.
class Columns {
 public:
  explicit Columns(std::vector<std::string> names) : names_(std::move(names)) {}
  bool has(const std::string& name) const {
    return std::find(names_.begin(), names_.end(), name) != names_.end();
  }
  /// Empty if the row is too short. Throws Failure if there is no such column.
  std::string of(const std::vector<std::string>& row, const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) throw Failure("Nsight Compute did not measure " + name + ".");
    const auto place = static_cast<std::size_t>(found - names_.begin());
    return place < row.size() ? row[place] : "";
  }

 private:
  std::vector<std::string> names_;
};

/// "107,520" or "3.00" or "-": whole numbers, in ncu's spelling.
std::uint64_t number_from(std::string text) {
  std::erase(text, ',');
  return static_cast<std::uint64_t>(std::llround(std::strtod(text.c_str(), nullptr)));
}

/// Calls `use` with the fields of each line that is one of a table.
template <class Use>
void for_each_row(std::string_view page, Use use) {
  std::istringstream stream{std::string(page)};
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with('"')) use(csv_fields(line));
}

std::string name_of_kernel(const std::string& text) { return text.substr(0, text.find('(')); }

}  // namespace

const std::vector<CounterMetrics>& compared_counters() {
  static const std::vector<CounterMetrics> counters = {
      {"shared_load_wavefronts", {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"}},
      {"shared_load_bank_conflicts", {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"}},
      {"shared_store_wavefronts", {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"}},
      {"shared_store_bank_conflicts", {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"}},
      {"shared_atomic_wavefronts", {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"}},
      {"shared_atomic_bank_conflicts", {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum"}},
      {"global_load_requests", {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"}},
      {"global_load_sectors", {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"}},
      {"global_store_requests", {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"}},
      {"global_store_sectors", {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}},
      {"global_atomic_requests",
       {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
        "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"}},
      {"global_atomic_sectors",
       {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
        "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"}},
      {"warp_instructions", {"smsp__inst_executed.sum"}},
      {"divergent_branches", {"smsp__sass_branch_targets_threads_divergent.sum"}}};
  return counters;
}

std::string metrics_argument() {
  std::string all;
  for (const CounterMetrics& counter : compared_counters())
    for (const std::string& metric : counter.metrics) all += (all.empty() ? "" : ",") + metric;
  return all;
}

std::vector<std::string> csv_fields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && is_quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[i++];
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (c == ',' && !is_quoted) {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

std::vector<HardwareLaunch> launches_from(std::string_view raw_page) {
  std::vector<HardwareLaunch> launches;
  Columns columns({});
  for_each_row(raw_page, [&](const std::vector<std::string>& row) {
    if (row.front() == "ID") {
      columns = Columns(row);
      return;
    }
    if (row.front().empty()) return;  // the row of units
    HardwareLaunch launch{name_of_kernel(columns.of(row, "Kernel Name")), columns.of(row, "Grid Size"), {}};
    const bool is_known = std::any_of(launches.begin(), launches.end(), [&](const HardwareLaunch& other) {
      return other.kernel == launch.kernel;
    });
    if (is_known) return;
    for (const CounterMetrics& counter : compared_counters())
      for (const std::string& metric : counter.metrics)
        launch.counters[counter.counter] += number_from(columns.of(row, metric));
    launches.push_back(std::move(launch));
  });
  return launches;
}

std::vector<HardwareLine> lines_from(std::string_view source_page) {
  std::vector<HardwareLine> lines;
  std::string file, kernel;
  Columns columns({});
  // A kernel that does not touch shared memory at all has no column for it.
  const auto count = [&](const std::vector<std::string>& row, const std::string& name) {
    return columns.has(name) ? number_from(columns.of(row, name)) : 0;
  };
  for_each_row(source_page, [&](const std::vector<std::string>& row) {
    if (row.front() == "File Path" && row.size() > 1) {
      file = row[1];
    } else if (row.front() == "Function Name" && row.size() > 1) {
      kernel = name_of_kernel(row[1]);
    } else if (row.front() == "Line No") {
      columns = Columns(row);
    } else if (!row.front().empty() && row.front().find_first_not_of("0123456789") == std::string::npos) {
      const HardwareLine line{kernel,
                              file,
                              static_cast<unsigned>(number_from(row.front())),
                              count(row, "L1 Wavefronts Shared"),
                              count(row, "L1 Tag Requests Global"),
                              count(row, "L2 Theoretical Sectors Global")};
      if (line.shared_wavefronts + line.global_requests + line.global_sectors != 0) lines.push_back(line);
    }
  });
  return lines;
}

std::string ncu_problem(std::string_view output) {
  if (output.find("ERR_NVGPUCTRPERM") != output.npos)
    return "this user may not read the GPU's counters (ERR_NVGPUCTRPERM). Whoever administers the machine "
           "allows "
           "it to all users with the line `options nvidia NVreg_RestrictProfilingToAdminUsers=0` in "
           "/etc/modprobe.d/nvidia.conf and a restart, or to this call with `sudo -E`; a container needs "
           "`--cap-add=SYS_ADMIN`. See https://developer.nvidia.com/ERR_NVGPUCTRPERM";
  const std::size_t error = output.find("==ERROR==");
  if (error == output.npos) return "Nsight Compute measured nothing.";
  const std::size_t begin = output.find_first_not_of(' ', error + std::string_view("==ERROR==").size());
  return "Nsight Compute says: " + std::string(output.substr(begin, output.find('\n', begin) - begin));
}

std::string find_ncu() {
  std::istringstream path(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"));
  for (std::string folder; std::getline(path, folder, ':');)
    if (std::error_code error; fs::is_regular_file(fs::path(folder) / "ncu", error)) return folder + "/ncu";
  std::vector<fs::path> found;
  for (const char* folder : {"/usr/local/cuda/bin", "/opt/nvidia/nsight-compute"}) {
    std::error_code error;
    if (fs::is_regular_file(fs::path(folder) / "ncu", error)) return std::string(folder) + "/ncu";
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (std::error_code ignored; fs::is_regular_file(entry.path() / "ncu", ignored))
        found.push_back(entry.path() / "ncu");
  }
  return found.empty() ? "" : std::max_element(found.begin(), found.end())->string();
}

// --- Side by side -----------------------------------------------------------------------------------------

namespace {

std::uint64_t simulated_count(const report::Launch& launch, const std::string& counter) {
  for (const simulator::CounterField& field : simulator::counter_fields)
    if (field.name == counter) return launch.report.counters.*field.member;
  return 0;
}

/// Whether two spellings of a path mean the same file of the course: the same name in a folder of the same
/// name.
bool is_same_file(const fs::path& one, const fs::path& other) {
  return one.filename() == other.filename() &&
         one.lexically_normal().parent_path().filename() == other.lexically_normal().parent_path().filename();
}

LinePair& pair_at(std::vector<LinePair>& pairs, const std::string& file, unsigned line) {
  for (LinePair& pair : pairs)
    if (pair.line == line && is_same_file(pair.file, file)) return pair;
  LinePair& pair = pairs.emplace_back();
  pair.file = file;
  pair.line = line;
  return pair;
}

}  // namespace

KnownDifferences::KnownDifferences(std::string_view table) {
  std::istringstream stream{std::string(table)};
  for (std::string line; std::getline(stream, line);) {
    const std::vector<std::string> fields = text::tab_separated(line);
    if (!line.starts_with('#') && fields.size() == 3) rows_.push_back({fields[0], fields[1], fields[2]});
  }
}

std::string KnownDifferences::reason(const std::string& kernel, const std::string& counter) const {
  for (const Row& row : rows_)
    if ((row.kernel == kernel || row.kernel == "*") && row.counter == counter) return row.reason;
  return {};
}

std::vector<CounterPair> pairs_of(const report::Launch& simulated, const HardwareLaunch& hardware,
                                  const KnownDifferences& known) {
  std::vector<CounterPair> pairs;
  for (const CounterMetrics& compared : compared_counters()) {
    CounterPair pair{simulated.chapter,
                     hardware.kernel,
                     compared.counter,
                     simulated_count(simulated, compared.counter),
                     hardware.counters.at(compared.counter),
                     "="};
    if (pair.simulated == 0 && pair.hardware == 0) continue;
    if (!pair.is_equal()) {
      const std::string reason = known.reason(pair.kernel, pair.counter);
      pair.verdict = reason.empty() ? "differs" : reason;
    }
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

std::vector<LinePair> line_pairs(const report::Launch& simulated, const std::vector<HardwareLine>& lines) {
  const auto is_of_kernel = [&](const HardwareLine& line) { return line.kernel == simulated.report.kernel; };
  std::vector<LinePair> pairs;
  if (std::none_of(lines.begin(), lines.end(), is_of_kernel)) return pairs;
  for (const simulator::LineCounters& line : simulated.report.lines) {
    const std::uint64_t wavefronts = print::shared_wavefronts(line.counters);
    const std::uint64_t requests = print::global_requests(line.counters);
    const std::uint64_t sectors = print::global_sectors(line.counters);
    if (wavefronts + requests + sectors == 0) continue;
    LinePair& pair = pair_at(pairs, line.file, line.line);
    pair.shared_wavefronts.simulated += wavefronts;
    pair.global_requests.simulated += requests;
    pair.global_sectors.simulated += sectors;
  }
  for (const HardwareLine& line : lines) {
    if (!is_of_kernel(line)) continue;
    LinePair& pair = pair_at(pairs, line.file, line.line);
    pair.shared_wavefronts.hardware += line.shared_wavefronts;
    pair.global_requests.hardware += line.global_requests;
    pair.global_sectors.hardware += line.global_sectors;
  }
  for (LinePair& pair : pairs) pair.file = fs::path(pair.file).filename().string();
  std::stable_sort(pairs.begin(), pairs.end(), [](const LinePair& a, const LinePair& b) {
    return a.file != b.file ? a.file < b.file : a.line < b.line;
  });
  return pairs;
}

std::string table_of(const std::vector<CounterPair>& pairs, const std::string& head) {
  std::string text = head + "\nchapter\tkernel\tcounter\tsimulated\thardware\t\n";
  for (const CounterPair& pair : pairs)
    text += pair.chapter + '\t' + pair.kernel + '\t' + pair.counter + '\t' + std::to_string(pair.simulated) +
            '\t' + std::to_string(pair.hardware) + '\t' + pair.verdict + '\n';
  return text;
}

std::vector<CounterPair> pairs_from(std::string_view table) {
  std::vector<CounterPair> pairs;
  std::istringstream stream{std::string(table)};
  for (std::string line; std::getline(stream, line);) {
    const std::vector<std::string> fields = text::tab_separated(line);
    if (line.starts_with('#') || fields.size() != 6) continue;
    pairs.push_back({fields[0], fields[1], fields[2], std::strtoull(fields[3].c_str(), nullptr, 10),
                     std::strtoull(fields[4].c_str(), nullptr, 10), fields[5]});
  }
  return pairs;
}

}  // namespace warpwise::cli
