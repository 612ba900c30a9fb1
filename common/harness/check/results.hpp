#pragma once
/// \file From what a chapter's executable knows to a report.

#include <string>

#include "../../report/report.hpp"
#include "chapter.hpp"
#include "verdict.hpp"

namespace warpwise::harness {

/// The chapter with its kernels as they are declared, and the record's verdicts; no launches yet.
report::Report report_of(const Chapter& chapter, const Record& record);

}  // namespace warpwise::harness
