#include "run.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace warpwise::harness {

namespace {

report::Kernel kernel_of(const Exhibit& exhibit) {
  report::Kernel kernel;
  kernel.name = exhibit.kernel.text;
  kernel.technique = exhibit.technique;
  kernel.task = exhibit.task;
  kernel.is_exercise = exhibit.is_exercise;
  kernel.is_rung = exhibit.is_rung;
  kernel.comes_from = exhibit.comes_from;
  kernel.bytes_per_element = exhibit.bytes_per_element;
  for (const KernelName& member : exhibit.family) kernel.family.emplace_back(member.text);
  return kernel;
}

constexpr unsigned gpu_elements = 1u << 26;  // 256 MB of floats: more than any cache holds

report::Launch reported(const Launch& launch, const Exhibit& exhibit, unsigned n, std::string_view chapter) {
  report::Launch result;
  result.chapter = chapter;
  result.elements = n;
  result.is_simulated = launch.is_simulated();
  if (launch.is_simulated()) {
    result.report = launch.report();
    std::ostringstream remarks;
    if (exhibit.show != nullptr) exhibit.show(remarks, launch);
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

/// The launch of the exhibit. Throws where it is judged, and wrong or compared with nothing.
Launch run_simulated(const Exhibit& exhibit, unsigned n, SimulatedDevice& simulated, Judged judged) {
  simulated.forget_launches();
  try {
    Launch launch = exhibit.run(simulated, n);
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
  for (const Exhibit& exhibit : chapter.exhibits) described.kernels.push_back(kernel_of(exhibit));
  return report;
}

void run_exhibits(report::Report& report, const CheckedChapter& the_chapter, const std::string& kernel,
                  std::optional<unsigned> n, SimulatedDevice& simulated, GpuDevice* gpu, Judged judged) {
  if (gpu != nullptr) gpu->time_launches(TimingOptions{});
  for (report::Kernel& subject : report.chapters.front().kernels) {
    const Exhibit& exhibit = *the_chapter.find(subject.name);
    if (exhibit.run == nullptr || (!kernel.empty() && subject.name != kernel) ||
        report.outcome(the_chapter.name, subject.name, report::Aspect::result) == report::Outcome::failed)
      continue;
    try {
      const unsigned elements = std::min(n.value_or(exhibit.n), exhibit.largest_n);
      report.launches.push_back(
          reported(run_simulated(exhibit, elements, simulated, judged), exhibit, elements, the_chapter.name));
      if (gpu == nullptr) continue;
      const unsigned many = std::min(n.value_or(gpu_elements), exhibit.largest_n);
      report.launches.push_back(reported(exhibit.run(*gpu, many), exhibit, many, the_chapter.name));
    } catch (const std::exception& error) {
      subject.problem = error.what();
    }
  }
}

report::TraceFile trace_exhibits(const CheckedChapter& the_chapter, const std::string& kernel,
                                 unsigned (*usual_n)(const Exhibit&), std::optional<unsigned> n,
                                 SimulatedDevice& simulated) {
  report::TraceFile traces;
  const Silence silence(simulated);
  for (const Exhibit& exhibit : the_chapter.exhibits) {
    if (exhibit.run == nullptr || (!kernel.empty() && exhibit.kernel.text != kernel)) continue;
    const unsigned elements = std::min(n.value_or(usual_n(exhibit)), exhibit.largest_n);
    simulator::TraceRecorder recorder;
    simulated.options().recorder = &recorder;
    try {
      exhibit.run(simulated, elements);
    } catch (const std::exception&) {
      // A launch that ended early or whose result is wrong. It is drawn all the same.
    }
    simulated.options().recorder = nullptr;
    report::TraceFile of_exhibit = report::traces_of(recorder, std::string(the_chapter.name), elements);
    traces.launches_left_out += of_exhibit.launches_left_out;
    std::move(of_exhibit.launches.begin(), of_exhibit.launches.end(), std::back_inserter(traces.launches));
  }
  return traces;
}

}  // namespace warpwise::harness
