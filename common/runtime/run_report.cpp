#include "run_report.hpp"

#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <sstream>

#include "../harness/report_lines.hpp"

namespace warpwise::runtime {

namespace {

/// Kind and place: what makes a finding the same one in another launch.
std::string headline(const simulator::Finding& finding) {
  if (finding.line == 0) return std::string(name_of(finding.kind)) + ": " + finding.message;
  return finding.file + ":" + std::to_string(finding.line) + ": " + std::string(name_of(finding.kind));
}

}  // namespace

RunReport::RunReport(const Settings& settings) : is_quiet_(settings.is_quiet) {
  if (settings.report_file.empty()) return;
  lines_.open(settings.report_file, std::ios::binary | std::ios::trunc);
  harness::write_report(lines_, {});
  if (!lines_.flush()) refuse("cannot write the report " + settings.report_file + ".");
}

void RunReport::add(const simulator::LaunchReport& launch) {
  for (const simulator::Finding& finding : launch.findings) {
    const auto [at, is_new] = repetitions_.try_emplace(headline(finding), 0);
    if (!is_new) ++at->second;
    if (is_new && !is_quiet_) {
      std::fflush(stdout);  // the finding belongs behind what the program said before
      std::fprintf(stderr, "%s\n", format(finding).c_str());
    }
  }
  if (!lines_.is_open()) return;
  harness::Report report;
  report.launches.push_back({launch, "sim"});
  std::ostringstream text;
  harness::write_report(text, report);
  const std::string lines = text.str();
  lines_ << lines.substr(lines.find('\n') + 1) << std::flush;  // the first line stands in the file already
}

void RunReport::note(const std::string& sentence) const {
  if (!is_quiet_) std::fprintf(stderr, "warpwise: %s\n", sentence.c_str());
}

int RunReport::final_status(int status) const {
  if (repetitions_.empty()) return status;
  return status == 0 || has_told_fault_ ? status_findings : status;
}

void RunReport::print_repetitions() const {
  if (is_quiet_) return;
  for (const auto& [name, count] : repetitions_)
    if (count != 0)
      std::fprintf(stderr, "%s: the same in %llu more launch%s\n", name.c_str(),
                   static_cast<unsigned long long>(count), count == 1 ? "" : "es");
}

void refuse(const std::string& sentence) {
  const std::ios_base::Init
      streams;  // kernels register themselves before main, perhaps before std::cout is there
  std::cout.flush();
  std::fflush(nullptr);
  std::fprintf(stderr, "warpwise: %s\n", sentence.c_str());
  _exit(status_refused);  // not exit: destructors of the program might call the runtime again
}

}  // namespace warpwise::runtime
