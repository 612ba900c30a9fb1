#include "chapter_run.hpp"

#include <cstdio>
#include <filesystem>

#include "../../print/terminal.hpp"
#include "../../simulator/program.hpp"
#include "../../text/chapter_folder.hpp"
#include "../../text/files.hpp"
#include "../../text/installation.hpp"

namespace warpwise::harness {

namespace {

std::string kernel_names(const CheckedChapter& chapter) {
  std::string names;
  for (const ChapterKernel& entry : chapter.kernels) {
    names += (names.empty() ? "" : ", ") + std::string(entry.kernel.text);
  }
  return names;
}

/// An error in the module, where the module says which line of the source it comes from. The compiler
/// compiles what it knows: what is wrong stands in an `asm`, which it does not look into, or is more than a
/// simulated GPU has.
std::string sentence_at_source(const simulator::ptx::Error& error) {
  simulator::Finding finding;
  finding.kind = simulator::FindingKind::unsupported;
  finding.file = error.file();
  finding.line = error.line();
  finding.message = error.message();
  finding.source = simulator::SourceTexts().line({error.file(), error.line()});
  const bool is_asm = error.is_of_asm();
  finding.help =
      is_asm ? "the compiler copies the text of an asm statement as it is: the PTX manual says what it may be"
             : "docs/simulator.md lists what the simulated GPU understands";
  return text::shown_path(error.file()) +
         (is_asm ? " has an asm statement that is not PTX:"
                 : " uses something that the simulated GPU does not have:") +
         "\n\n" + print::indented(simulator::format(finding), 4);
}

std::unique_ptr<SimulatedDevice> load_simulated(const std::string& module) {
  if (!std::filesystem::exists(module)) {
    throw UsageError("there is no module " + module + "; ./warpwise run builds the exercise's");
  }
  try {
    return std::make_unique<SimulatedDevice>(module);
  } catch (const simulator::ptx::Error& error) {
    throw NotJudged(error.file() == module ? std::string("the module cannot be used: ") + error.what()
                                           : sentence_at_source(error));
  }
}

std::unique_ptr<GpuDevice> gpu_device(DeviceChoice choice, const std::string& module) {
  if (choice == DeviceChoice::gpu && !is_gpu_available()) {
    throw NotJudged("--device gpu: " + gpu_availability().reason);
  }
  if (choice == DeviceChoice::simulator || !is_gpu_available()) return nullptr;
  try {
    return make_gpu_device(module);
  } catch (const std::exception& error) {
    if (choice == DeviceChoice::gpu) throw;
    std::fprintf(stderr, "The GPU is not used: %s\n", error.what());
    return nullptr;
  }
}

}  // namespace

Devices load_devices(DeviceChoice choice, const std::string& module) {
  return {load_simulated(module), gpu_device(choice, module)};
}

std::string contract_file(const CheckedChapter& chapter) {
  namespace fs = std::filesystem;
  const fs::path folder = text::program_folder();
  if (fs::exists(folder / "kernels.hpp")) return (folder / "kernels.hpp").string();  // a variant's
  const std::string here = std::string(chapter.name) + "/kernels.hpp";
  if (fs::exists(here)) return here;
  try {
    const text::Installation& found = text::installation();
    return (found.root / folder.lexically_relative(found.programs) / "kernels.hpp").string();
  } catch (const std::runtime_error&) {  // the program alone, as behind a fence
    return here;
  }
}

namespace {
/// "ch01_naive/kernels.hpp:16"
std::string declaration_of(const CheckedChapter& chapter, const std::string& kernel) {
  const std::string path = contract_file(chapter);
  const unsigned line = text::contract_of(text::read_contracts(path), kernel).line;
  return text::shown_path(path) + (line == 0 ? "" : ":" + std::to_string(line));
}
}  // namespace

void expect_kernels(const CheckedChapter& chapter, const std::string& kernel, const SimulatedDevice& device,
                    const std::string& module) {
  if (!kernel.empty() && chapter.find(kernel) == nullptr) {
    throw UsageError(std::string(chapter.name) + " has no kernel '" + kernel + "'; it has " +
                     kernel_names(chapter));
  }
  if (device.program().kernel_names().empty()) {
    throw NotJudged(text::shown_path(module) + " has no kernels: is its source empty? ./warpwise reset " +
                    report::short_name(chapter.name) + " brings the skeleton back");
  }
  for (const ChapterKernel& entry : chapter.kernels) {
    if (!kernel.empty() && chapter.find(kernel) != &entry) continue;
    const KernelName alone[] = {entry.kernel};
    const std::span<const KernelName> needed = entry.family.empty() ? std::span(alone) : entry.family;
    for (const KernelName& name : needed) {
      if (device.has_kernel(std::string(name.text))) continue;
      const std::string source = source_of(device.program().module());
      throw NotJudged((source.empty() ? module : text::shown_path(source)) + " has no kernel '" +
                      std::string(name.text) + "'" +
                      (name.text == entry.kernel.text
                           ? ""
                           : ", which is judged together with " + std::string(entry.kernel.text)) +
                      "; was its name changed, or `extern \"C\"` left out? It is declared in " +
                      declaration_of(chapter, std::string(name.text)));
    }
  }
}

}  // namespace warpwise::harness
