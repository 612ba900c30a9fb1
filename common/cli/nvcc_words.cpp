#include "nvcc_words.hpp"

#include <algorithm>
#include <optional>

#include "../compile/compile.hpp"

namespace warpwise::cli {
namespace {

/// Options of nvcc whose value is the next word (nvcc --help, 13.0), which is no input file; a blank around
/// each.
constexpr std::string_view options_with_value =
    " -I --include-path -D --define-macro -U --undefine-macro -L --library-path -l --library -include "
    "--pre-include -isystem --system-include -x --x -std --std -Xcompiler --compiler-options -Xlinker "
    "--linker-options -Xcudafe -Xptxas --ptxas-options -Xarchive --archive-options -Xnvlink --nvlink-options "
    "-ccbin --compiler-bindir -diag-suppress --diag-suppress -diag-error --diag-error -maxrregcount "
    "--maxrregcount -default-stream --default-stream -O --optimize -arch --gpu-architecture -code --gpu-code "
    "-gencode --generate-code -cudart --cudart -cudadevrt --cudadevrt -rdc --relocatable-device-code -o "
    "--output-file -MF --dependency-output -MT --dependency-target-name -odir --output-directory -t "
    "--threads "
    "-keep-dir --keep-dir -optf --options-file -ldir --library-directory -Werror --Werror -ftz --ftz -fmad "
    "--fmad -prec-div --prec-div -prec-sqrt --prec-sqrt -compress-mode --compress-mode ";

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

constexpr unsigned newest = 90;  // of the simulated GPU

/// 80 of "sm_80", "compute_80" or "arch=compute_80,code=[compute_80,sm_80]"; nothing for "native".
std::optional<unsigned> architecture_in(const std::string& value) {
  const std::size_t at = value.find('_');
  if (at == value.npos || at + 1 == value.size() || value[at + 1] < '0' || value[at + 1] > '9') return {};
  return static_cast<unsigned>(std::stoul(value.substr(at + 1, 4)));
}

/// The newest that the simulated GPU has, as a driver would choose; of those beyond it the oldest. None is
/// older than nvcc of CUDA 13 takes.
std::string chosen_architecture(const std::vector<unsigned>& asked) {
  const unsigned usual = *architecture_in(compile::usual_architecture);
  std::optional<unsigned> best;
  for (const unsigned each : asked) {
    const bool is_better = !best || (each <= newest ? *best > newest || each > *best : each < *best);
    if (is_better) best = each;
  }
  return "compute_" + std::to_string(std::max(best.value_or(usual), usual));
}

/// An object without anything in it: there is nothing to link on the device.
Words empty_object(const std::string& output) {
  return {"-c", "-x", "c++", "/dev/null", "-o", output.empty() ? "a_dlink.o" : output};
}

}  // namespace

bool takes_next_word(std::string_view option) {
  return options_with_value.find(' ' + std::string(option) + ' ') != std::string_view::npos;
}

std::string virtual_architecture(const std::string& name) {
  if (name.starts_with("sm_") || name.starts_with("compute_"))
    return "compute_" + name.substr(name.find('_') + 1);
  return compile::usual_architecture;
}

NvccCall call_for_simulated_gpu(const Words& given, const std::filesystem::path& libraries) {
  NvccCall call;
  Words kept;
  std::vector<unsigned> architectures;
  std::string output;
  bool is_relocatable = false, is_device_link = false, is_machine_code = false;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string& word = given[i];
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const auto value = [&] {
      return equals != word.npos ? word.substr(equals + 1) : i + 1 < given.size() ? given[++i] : "";
    };
    if (is_one_of(name, {"-arch", "--gpu-architecture", "-gencode", "--generate-code"})) {
      if (const auto asked = architecture_in(value())) architectures.push_back(*asked);
    } else if (is_one_of(name, {"-code", "--gpu-code", "-cudart", "--cudart", "-compress-mode",
                                "--compress-mode"})) {
      value();
    } else if (is_one_of(name, {"-rdc", "--relocatable-device-code"})) {
      is_relocatable = is_one_of(value(), {"true", "TRUE", "1"});
    } else if (is_one_of(word, {"-dc", "--device-c"})) {
      is_relocatable = true;
      kept.emplace_back("-c");
    } else if (is_one_of(word, {"-dlink", "--device-link"})) {
      is_device_link = true;
    } else if (is_one_of(word, {"-G", "--device-debug", "-lineinfo", "--generate-line-info", "--no-compress",
                                "-no-compress", "-compress-all", "--compress-all", "-dlto",
                                "--dlink-time-opt", "-lto", "--lto"})) {
      continue;  // they choose how device code is made
    } else {
      is_machine_code = is_machine_code || is_one_of(word, {"-cubin", "--cubin", "-fatbin", "--fatbin"});
      call.is_verbose = call.is_verbose || is_one_of(word, {"-v", "--verbose", "-dryrun", "--dryrun"});
      kept.push_back(word);
      if (is_one_of(name, {"-o", "--output-file"}))
        output = equals != word.npos ? word.substr(equals + 1) : "";
      if (!takes_next_word(word) || i + 1 == given.size()) continue;
      kept.push_back(given[++i]);
      if (is_one_of(name, {"-o", "--output-file"})) output = kept.back();
    }
  }
  if (is_machine_code) return {given, call.is_verbose};  // no part of a program, and not to be run here
  if (is_device_link) return {empty_object(output), call.is_verbose};
  call.words = {"-arch=" + chosen_architecture(architectures), "--no-compress", "-lineinfo",
                "-L" + libraries.string()};
  // Without relocatable device code an `extern` variable would quietly become one of this file.
  if (is_relocatable) call.words.emplace_back("-diag-error=20044");
  call.words.insert(call.words.end(), kept.begin(), kept.end());
  return call;
}

}  // namespace warpwise::cli
