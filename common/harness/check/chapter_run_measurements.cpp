#include "chapter_run.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace warpwise::harness {

std::string unread_sentence(const Launch& launch) {
  return "nothing has been compared of what " + launch.kernel() + spelled(launch.shape()) +
         " wrote: a check that launches must compare the result too";
}

namespace {

report::Kernel kernel_of(const ChapterKernel& entry) {
  report::Kernel kernel;
  kernel.name = entry.kernel.text;
  kernel.technique = entry.technique;
  kernel.task = entry.task;
  kernel.is_exercise = entry.is_exercise;
  kernel.is_step = entry.is_step;
  kernel.comes_from = entry.comes_from;
  kernel.bytes_per_element = entry.bytes_per_element;
  for (const KernelName& member : entry.family) kernel.family.emplace_back(member.text);
  return kernel;
}

constexpr unsigned gpu_elements = 1u << 26;  // 256 MB of floats: more than any cache holds

report::Launch reported(const Launch& launch, const ChapterKernel& entry, unsigned n,
                        std::string_view chapter) {
  report::Launch result;
  result.chapter = chapter;
  result.elements = n;
  result.is_simulated = launch.is_simulated();
  if (launch.is_simulated()) {
    result.report = launch.report();
    std::ostringstream remarks;
    if (entry.show != nullptr) entry.show(remarks, launch);
    result.remarks = remarks.str();
  } else {
    const LaunchShape& shape = launch.shape();
    result.report.kernel = launch.kernel();
    result.report.grid = {shape.grid.x, shape.grid.y, shape.grid.z};
    result.report.block = {shape.block.x, shape.block.y, shape.block.z};
    result.report.shared_bytes = static_cast<std::uint32_t>(shape.shared_bytes);
    result.report.seconds = launch.milliseconds().value_or(0) / 1e3;
  }
  return result;
}

/// The launch of the kernel. Throws where it is judged, and wrong or compared with nothing.
Launch run_simulated(const ChapterKernel& entry, unsigned n, SimulatedDevice& simulated, Judged judged) {
  simulated.forget_launches();
  try {
    Launch launch = entry.run(simulated, n);
    const auto unread = simulated.unread_launch();
    if (unread && judged == Judged::yes) throw std::logic_error(unread_sentence(*unread));
    return launch;
  } catch (const CheckFailed&) {
    if (judged == Judged::yes || !simulated.latest_launch()) throw;
    return *simulated.latest_launch();  // wrong, and only what it did was asked for
  }
}

}  // namespace

report::Report report_of(const CheckedChapter& chapter) {
  report::Report report;
  report::Chapter& described = report.chapters.emplace_back();
  described.name = chapter.name;
  described.title = chapter.title;
  for (const ChapterKernel& entry : chapter.kernels) described.kernels.push_back(kernel_of(entry));
  return report;
}

void measure_kernels(report::Report& report, const CheckedChapter& the_chapter, const std::string& kernel,
                     std::optional<unsigned> n, SimulatedDevice& simulated, GpuDevice* gpu, Judged judged) {
  if (gpu != nullptr) gpu->time_launches(TimingOptions{});
  for (report::Kernel& subject : report.chapters.front().kernels) {
    const ChapterKernel& entry = *the_chapter.find(subject.name);
    if (entry.run == nullptr || (!kernel.empty() && subject.name != kernel) ||
        report.outcome(the_chapter.name, subject.name, report::Aspect::result) == report::Outcome::failed)
      continue;
    try {
      const unsigned elements = std::min(n.value_or(entry.n), entry.largest_n);
      report.launches.push_back(
          reported(run_simulated(entry, elements, simulated, judged), entry, elements, the_chapter.name));
      if (gpu == nullptr) continue;
      const unsigned many = std::min(n.value_or(gpu_elements), entry.largest_n);
      report.launches.push_back(reported(entry.run(*gpu, many), entry, many, the_chapter.name));
    } catch (const std::exception& error) {
      subject.problem = error.what();
    }
  }
}

report::TraceFile trace_kernels(const CheckedChapter& the_chapter, const std::string& kernel,
                                unsigned (*usual_n)(const ChapterKernel&), std::optional<unsigned> n,
                                SimulatedDevice& simulated) {
  report::TraceFile traces;
  const Silence silence(simulated);
  for (const ChapterKernel& entry : the_chapter.kernels) {
    if (entry.run == nullptr || (!kernel.empty() && entry.kernel.text != kernel)) continue;
    const unsigned elements = std::min(n.value_or(usual_n(entry)), entry.largest_n);
    simulator::TraceRecorder recorder;
    simulated.options().recorder = &recorder;
    try {
      entry.run(simulated, elements);
    } catch (const std::exception&) {
      // A launch that ended early or whose result is wrong. It is drawn all the same.
    }
    simulated.options().recorder = nullptr;
    report::TraceFile of_kernel = report::traces_of(recorder, std::string(the_chapter.name), elements);
    traces.launches_left_out += of_kernel.launches_left_out;
    std::move(of_kernel.launches.begin(), of_kernel.launches.end(), std::back_inserter(traces.launches));
  }
  return traces;
}

}  // namespace warpwise::harness
