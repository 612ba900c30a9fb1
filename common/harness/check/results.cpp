#include "results.hpp"

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

}  // namespace

report::Report report_of(const Chapter& chapter, const Record& record) {
  report::Report report;
  report::Chapter& described = report.chapters.emplace_back();
  described.name = chapter.name;
  described.title = chapter.title;
  for (const Exhibit& exhibit : chapter.exhibits) described.kernels.push_back(kernel_of(exhibit));
  report.verdicts = record.verdicts();
  for (Verdict& verdict : report.verdicts) verdict.chapter = chapter.name;
  return report;
}

}  // namespace warpwise::harness
