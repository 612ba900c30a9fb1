#include "matchers.hpp"

#include "../../print/terminal.hpp"

namespace warpwise::harness {

namespace {
std::optional<CheckFailed>& mismatch() {
  static std::optional<CheckFailed> latest;
  return latest;
}
}  // namespace

std::optional<CheckFailed> take_mismatch() { return std::exchange(mismatch(), std::nullopt); }

bool SentenceMatcher::holds(const std::function<void()>& ask) const {
  try {
    ask();
    return true;
  } catch (const CheckFailed& failed) {
    text_ = failed.what();
    mismatch() = failed;
    return false;
  }
}

Case case_of(const DeviceMemory& memory, std::optional<std::size_t> n, std::size_t stretch) {
  const LaunchShape* const shape = memory.latest_shape();
  if (shape == nullptr) return {};
  Case where{.n = shape->n, .block = shape->block.x};
  if (n && !where.n) where.n = static_cast<unsigned>(*n);
  const bool is_needed = where.n && stretch != 0 &&
                         std::max<std::size_t>(1, (*where.n + stretch - 1) / stretch) == shape->grid.x;
  if (!is_needed) where.grid = shape->grid.x;
  return where;
}

namespace {
using Expect = void (*)(std::string_view, const Amount&, Limit, std::string_view);
Requirement<Amount> amount(Expect expect, const char* relation, Limit limit, std::string what,
                           std::string why) {
  return {relation + text_of(limit.value) + " " + what,
          [=](const Amount& actual) { expect(what, actual, limit, why); }};
}
}  // namespace

Requirement<Amount> AtMost(Limit limit, std::string what, std::string why) {
  return amount(expect_at_most, "at most ", limit, std::move(what), std::move(why));
}
Requirement<Amount> AtLeast(Limit limit, std::string what, std::string why) {
  return amount(expect_at_least, "at least ", limit, std::move(what), std::move(why));
}
Requirement<Amount> Exactly(Limit limit, std::string what, std::string why) {
  return amount(expect_equal_count, "exactly ", limit, std::move(what), std::move(why));
}

Requirement<Launch> HasNoFindings() { return {"has no findings", expect_no_findings}; }

Requirement<Launch> HasFinding(simulator::FindingKind kind) {
  return {"has the finding " + std::string(simulator::name_of(kind)), [=](const Launch& launch) {
            const auto& findings = launch.findings();
            if (std::ranges::any_of(findings, [&](const auto& one) { return one.kind == kind; })) return;
            fail("expected the finding " + std::string(simulator::name_of(kind)) + ", but there " +
                     (findings.empty() ? "is none" : "is only " + print::headline(findings.front())),
                 {.findings = findings});
          }};
}

}  // namespace warpwise::harness
