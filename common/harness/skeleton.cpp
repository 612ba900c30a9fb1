#include "skeleton.hpp"

namespace warpwise::harness {

std::string source_of(const simulator::ptx::Module& module) {
  for (const auto& file : module.files) {
    if (file.path.ends_with(".cu")) return file.path;
  }
  return {};
}

}  // namespace warpwise::harness
