#include "headline.hpp"

namespace warpwise::harness {

std::string headline(const simulator::Finding& finding) {
  std::string text = std::string(simulator::name_of(finding.kind)) + ": " + finding.message;
  if (finding.line == 0) return text;
  const auto slash = finding.file.rfind('/');
  const std::string file = slash == std::string::npos ? finding.file : finding.file.substr(slash + 1);
  return file + ":" + std::to_string(finding.line) + ": " + text;
}

}  // namespace warpwise::harness
