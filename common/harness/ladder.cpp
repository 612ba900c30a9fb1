#include "ladder.hpp"

#include <algorithm>
#include <ostream>

namespace warpwise::harness {

namespace {

const char* word_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return "right";
    case Outcome::failed:
      return "wrong";
    case Outcome::not_checked:
      return "-";
  }
  return "-";
}

void print_counters(std::ostream& out, const ExhibitRun* run) {
  if (run == nullptr || !run->simulated) {
    out << "\t-\t-\t-\t-\t-\t-\t-\t-";
    return;
  }
  const simulator::Counters& counters = run->simulated->counters();
  const auto blocks = static_cast<double>(run->simulated->shape().grid.volume());
  out << '\t' << counters.warp_instructions << '\t'
      << static_cast<double>(counters.warp_instructions) / std::max(1u, run->n) << '\t'
      << counters.lane_utilisation() << '\t' << counters.divergent_branches << '\t'
      << static_cast<double>(counters.block_barriers) / blocks << '\t' << shared_wavefronts(counters) << '\t'
      << bank_conflicts(counters) << '\t' << global_sectors(counters);
}

void print_time(std::ostream& out, const ExhibitRun* run, const std::string& gpu_name) {
  if (run == nullptr || !run->gpu || !run->gpu->milliseconds()) {
    out << "\t-\t-\t-\t-";
    return;
  }
  out << '\t' << gpu_name << '\t' << run->gpu_n << '\t' << *run->gpu->milliseconds() << '\t'
      << gigabytes_per_second(*run);
}

}  // namespace

std::uint64_t shared_wavefronts(const simulator::Counters& counters) {
  return counters.shared_load_wavefronts + counters.shared_store_wavefronts +
         counters.shared_atomic_wavefronts;
}
std::uint64_t bank_conflicts(const simulator::Counters& counters) {
  return counters.shared_load_bank_conflicts + counters.shared_store_bank_conflicts +
         counters.shared_atomic_bank_conflicts;
}
std::uint64_t global_sectors(const simulator::Counters& counters) {
  return counters.global_load_sectors + counters.global_store_sectors + counters.global_atomic_sectors;
}

void print_ladder(std::ostream& out, const Chapter& chapter, const Record& record,
                  const std::vector<ExhibitRun>& runs, const std::string& gpu_name) {
  out << "chapter\tkernel\ttechnique\trung\tn\tresult\tmethod\tsafety\twarp_instructions\twarp_instructions_"
         "per_"
         "element"
         "\tlane_utilisation\tdivergent_branches\tblock_barriers\tshared_wavefronts\tbank_conflicts\tglobal_"
         "sectors"
         "\tgpu\tgpu_n\tmilliseconds\tgigabytes_per_second\n";
  for (const Exhibit& exhibit : chapter.exhibits) {
    const auto run =
        std::find_if(runs.begin(), runs.end(), [&](const ExhibitRun& r) { return r.exhibit == &exhibit; });
    const ExhibitRun* found = run == runs.end() ? nullptr : &*run;
    const std::string_view kernel = exhibit.kernel.text;
    out << chapter.name << '\t' << kernel << '\t' << exhibit.technique << '\t'
        << (exhibit.is_rung ? "yes" : "-") << '\t';
    if (found != nullptr) {
      out << found->n;
    } else {
      out << '-';
    }
    for (const Aspect aspect : all_aspects) out << '\t' << word_of(record.outcome(kernel, aspect));
    print_counters(out, found);
    print_time(out, found, gpu_name);
    out << '\n';
  }
}

}  // namespace warpwise::harness
