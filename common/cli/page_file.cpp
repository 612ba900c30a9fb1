#include "page_file.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <ostream>

#include "clone.hpp"
#include "failure.hpp"
#include "process.hpp"

namespace warpwise::cli {

namespace fs = std::filesystem;

namespace {

/// Somebody sits at this machine: a terminal alone may be one over the network.
bool has_desktop() {
  return isatty(STDOUT_FILENO) != 0 && (getenv("DISPLAY") != nullptr || getenv("WAYLAND_DISPLAY") != nullptr);
}

}  // namespace

void present_page(std::ostream& out, const std::string& name, const std::string& page, const fs::path& file,
                  bool is_opened) {
  std::error_code ignored;
  fs::create_directories(fs::absolute(file).parent_path(), ignored);
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  if (!(stream << page << std::flush)) throw Failure(shown_path(file) + " cannot be written.", wrong_usage);
  out << name << " is drawn in " << shown_path(file) << "\n";
  if (is_opened && has_desktop() && capture_process({"sh", "-c", "command -v xdg-open"}).status == 0)
    capture_process({"xdg-open", file.string()});
}

}  // namespace warpwise::cli
