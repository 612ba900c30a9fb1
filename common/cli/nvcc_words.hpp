#pragma once
/// \file nvcc's command line as the simulated GPU needs it: it runs PTX, and has a runtime of its own.

#include <filesystem>
#include <string>
#include <string_view>

#include "commands.hpp"

namespace warpwise::cli {

/// Whether the value of this option of nvcc is the next word, which is no input file.
bool takes_next_word(std::string_view option);

/// "sm_86" -> "compute_86": PTX alone; what is chosen from the machine at hand becomes the oldest.
std::string virtual_architecture(const std::string& name);

/// What is made of one call.
struct NvccCall {
  Words words;              ///< for the real nvcc, without its name
  bool is_verbose = false;  ///< it says where its toolkit is (-v, --dryrun)
};

/// The same call, but that it makes PTX and finds the runtime in `libraries`. Of several architectures it
/// keeps the one that the simulated GPU would choose. Relocatable device code is compiled as whole programs:
/// what needs it does not compile. Its linking makes an empty object.
NvccCall call_for_simulated_gpu(const Words& given, const std::filesystem::path& libraries);

}  // namespace warpwise::cli
