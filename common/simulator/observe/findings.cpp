#include "findings.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

#include "../decode/declared_types.hpp"
#include "../program.hpp"

namespace warpwise::simulator::observe {

namespace {

/// Where a whole function has no line, places differ by their instruction: (file, line, kind, pc).
using Key = std::tuple<SourcePlace, FindingKind, Pc>;

struct Merged {
  FindingLog::Entry entry;
  bool is_near = false;  ///< the compiler names no line for it: it bears a neighbour's
};

std::string with_count(const std::string& note, std::uint64_t count, std::uint64_t block) {
  const std::string where = "block " + std::to_string(block);
  const std::string seen =
      count == 1 ? "seen once, in " + where : "seen " + std::to_string(count) + " times, first in " + where;
  return note.empty() ? seen : note + " (" + seen + ")";
}

/// "called in line 125": of what waits for other lanes, whose caller decides which of them come; and of what
/// a header does for the file that uses it.
std::string call_text(const Program& program, FindingKind kind, Pc pc) {
  const SourcePlace caller = caller_of(program, pc);
  if (caller.line == 0) return {};
  if (caller.file != place_of(program, pc).file)
    return "called in " + caller.file + ":" + std::to_string(caller.line);
  const bool is_waiting = kind == FindingKind::sync || kind == FindingKind::barrier;
  return is_waiting ? "called in line " + std::to_string(caller.line) : "";
}

/// Whether a finding of one kind explains one of another kind that comes after it in the same block: what an
/// access that was skipped, an exchange with lanes that were not there, or a barrier that was not one for
/// all, leaves behind.
bool explains(FindingKind cause, FindingKind effect) {
  const bool is_skipped = cause == FindingKind::out_of_bounds || cause == FindingKind::misaligned;
  const bool is_missed = cause == FindingKind::sync || cause == FindingKind::barrier;
  if (effect == FindingKind::uninitialised) return is_skipped || is_missed;
  return is_missed &&
         (effect == FindingKind::out_of_bounds || effect == FindingKind::race || effect == cause);
}

bool follows(const Merged& effect, const Merged& cause) {
  const SeenAt &before = cause.entry.seen, &after = effect.entry.seen;
  return explains(cause.entry.kind, effect.entry.kind) && before.rank == 0 && before.block == after.block &&
         before.order < after.order;
}

Finding without_count(const Program& program, const FindingLog::Entry& entry, const SourcePlace& place,
                      bool is_near, SourceTexts& texts) {
  Finding finding;
  finding.kind = entry.kind;
  finding.file = place.file;
  finding.line = place.line;
  finding.source = texts.line(place);
  finding.message = (is_near ? "near this line: " : "") + entry.description.message;
  finding.note = entry.description.note;
  const std::string call = call_text(program, entry.kind, entry.description.pc);
  finding.note += (finding.note.empty() || call.empty() ? "" : "; ") + call;
  finding.help = entry.description.help;
  finding.count = 1;
  finding.block = entry.seen.block;
  finding.threads = entry.description.threads;
  if (!entry.description.other_pc) return finding;
  const SourcePlace other = near_place_of(program, *entry.description.other_pc).place;
  if (other != place) {
    finding.other_file = other.file;
    finding.other_line = other.line;
    finding.other_source = texts.line(other);
  }
  return finding;
}

}  // namespace

void FindingLog::confirm(FindingKind kind, Pc pc, const std::string& why) {
  const auto found = entries_.find(key_of(kind, pc));
  if (found == entries_.end() || !found->second.description.is_note) return;
  Entry& entry = found->second;
  entry.description.is_note = false;
  entry.description.note += (entry.description.note.empty() ? "" : "; ") + why;
  entry.seen.rank = 0;
  if (on_first) on_first(entry);
}

SourcePlace caller_of(const Program& program, Pc pc) {
  const SourcePlace own = place_of(program, pc);
  for (std::int32_t i = program.text_of(pc).location; i >= 0 && own.line != 0;) {
    const SourcePlace& place = program.place_of_location(i);
    if (place.line != 0 && place != own) return place;
    i = program.module().locations[static_cast<std::size_t>(i)].inlined_at;
  }
  return {};
}

Finding first_seen(const Program& program, const FindingLog::Entry& entry) {
  const auto [place, is_near] = near_place_of(program, entry.description.pc);
  SourceTexts texts;
  return without_count(program, entry, place, is_near, texts);
}

std::vector<MergedFinding> merge_findings(const Program& program, const std::deque<FindingLog>& logs) {
  std::map<Key, Merged> merged;
  for (const FindingLog& log : logs) {
    for (const auto& [key, entry] : log.entries()) {
      const Pc pc = entry.description.pc;
      const auto [place, is_near] = near_place_of(program, pc);
      Merged& together = merged[{place, entry.kind, place.line == 0 ? pc : 0}];
      const auto rank = [&](const FindingLog::Entry& e, bool is_beside) {
        return std::tuple(is_beside, e.seen, e.description.pc);
      };
      const std::uint64_t count = together.entry.count + entry.count;
      if (together.entry.count == 0 || rank(entry, is_near) < rank(together.entry, together.is_near))
        together = {entry, is_near};
      together.entry.count = count;
    }
  }
  std::vector<MergedFinding> findings;
  SourceTexts texts;
  for (const auto& [key, together] : merged) {
    const auto& of_line = together;  // clang 14 hands no structured binding to a lambda
    const FindingLog::Entry& entry = of_line.entry;
    const SourcePlace& place = std::get<SourcePlace>(key);
    if (entry.kind == FindingKind::uninitialised &&
        merged.contains({place, FindingKind::race, std::get<Pc>(key)})) {
      continue;
    }
    Finding finding = without_count(program, entry, place, of_line.is_near, texts);
    if (entry.description.is_note && !entry.description.as_note.empty())
      finding.note += (finding.note.empty() ? "" : "; ") + entry.description.as_note;
    finding.note = with_count(finding.note, entry.count, entry.seen.block);
    finding.count = entry.count;
    finding.follows = std::any_of(merged.begin(), merged.end(),
                                  [&](const auto& other) { return follows(of_line, other.second); });
    findings.push_back({std::move(finding), entry.description.race, entry.description.is_note});
  }
  std::stable_partition(findings.begin(), findings.end(),
                        [](const MergedFinding& one) { return !one.finding.follows; });
  return findings;
}

// ---- Names

namespace {

/// An address this far from an allocation was hardly meant for it.
constexpr std::uint64_t farthest = std::uint64_t{1} << 24;

/// `name[3]`, "element 3 of " what has no name, "byte 12 of name".
std::string part_of(const std::string& name, bool is_name, std::int64_t bytes, std::uint32_t element) {
  if (element == 0) return "byte " + std::to_string(bytes) + " of " + name;
  const std::int64_t size = element;
  const std::string index = std::to_string(bytes >= 0 ? bytes / size : -((-bytes + size - 1) / size));
  return is_name ? name + "[" + index + "]" : "element " + index + " of " + name;
}

std::string count_text(const std::string& name, std::uint64_t bytes, std::uint32_t element) {
  const std::uint64_t count = element == 0 ? bytes : bytes / element;
  const std::string unit = element == 0 ? "byte" : "element";
  return name + " has " + std::to_string(count) + " " + unit + (count == 1 ? "" : "s");
}

/// In shared memory an index below zero comes to an address just below 2^32.
std::int64_t signed_offset(std::uint64_t offset) {
  return offset >> 32 == 0 ? static_cast<std::int32_t>(offset) : static_cast<std::int64_t>(offset);
}

}  // namespace

Naming::Naming(const LaunchContext& launch)
    : launch_(launch),
      memory_(*launch.memory),
      shared_(launch.program->find_kernel(launch.kernel)->shared_variables) {}

const Program::SharedVariable* Naming::meant_in_shared(std::uint64_t offset) const {
  if (signed_offset(offset) < 0) return shared_.empty() ? nullptr : &shared_.front();
  const auto next =
      std::upper_bound(shared_.begin(), shared_.end(), offset,
                       [](std::uint64_t at, const auto& variable) { return at < variable.offset; });
  if (next == shared_.begin()) return next == shared_.end() ? nullptr : &*next;
  const auto& before = *(next - 1);
  const std::uint64_t end = std::uint64_t{before.offset} + before.bytes;
  if (before.bytes == 0 || offset < end || next == shared_.end()) return &before;
  return next->offset - offset < offset - end ? &*next : &before;
}

std::string Naming::shared(std::uint64_t offset) const {
  const Program::SharedVariable* meant = meant_in_shared(offset);
  if (meant == nullptr) return "shared memory at byte " + std::to_string(offset);
  const bool is_inside = offset >= meant->offset && offset - meant->offset < meant->bytes;
  if (is_inside && meant->bytes <= meant->element_bytes) return meant->name;
  return part_of(meant->name, true, signed_offset(offset) - meant->offset, meant->element_bytes);
}

std::string Naming::shared_size(std::uint64_t offset) const {
  const Program::SharedVariable* meant = meant_in_shared(offset);
  if (meant == nullptr || meant->bytes == 0) return "";
  return count_text(meant->name, meant->bytes, meant->element_bytes);
}

bool Naming::is_in_variable(std::uint64_t offset) const {
  const Program::SharedVariable* meant = meant_in_shared(offset);
  return meant != nullptr && offset >= meant->offset && offset - meant->offset < meant->bytes;
}

/// A pointer into a buffer makes its elements those of its type, if all such pointers agree.
void Naming::look_at_parameters() const {
  const ptx::Function& kernel = *launch_.program->find_kernel(launch_.kernel)->function;
  const std::vector<std::uint32_t> pointees = decode::pointee_bytes(launch_.kernel);
  if (pointees.size() != kernel.formals) return;
  for (std::size_t i = 0; i < pointees.size(); ++i) {
    const ptx::Parameter& parameter = kernel.parameters[i];
    std::uint64_t address = 0;
    if (parameter.bytes != sizeof address || parameter.offset + sizeof address > launch_.parameters.size())
      continue;
    std::memcpy(&address, launch_.parameters.data() + parameter.offset, sizeof address);
    const Allocation* const buffer = memory_.find(address);
    if (buffer == nullptr) continue;
    const bool is_whole = pointees[i] != 0 && (address - buffer->base) % pointees[i] == 0;
    const std::uint32_t bytes = is_whole ? pointees[i] : 0;
    const auto [known, is_new] = pointee_bytes_.try_emplace(buffer->base, bytes);
    if (known->second != bytes) known->second = 0;
  }
}

std::uint32_t Naming::element_bytes(const Allocation& allocation) const {
  if (allocation.element_bytes != 0) return allocation.element_bytes;
  std::call_once(looked_at_parameters_, [&] { look_at_parameters(); });
  const auto known = pointee_bytes_.find(allocation.base);
  return known == pointee_bytes_.end() ? 0 : known->second;
}

std::string Naming::global(const Allocation& allocation, std::uint64_t address) const {
  const std::uint32_t element = element_bytes(allocation);
  const auto bytes = static_cast<std::int64_t>(address - allocation.base);
  if (!allocation.name.empty()) {
    const bool is_inside = address >= allocation.base && address - allocation.base < allocation.bytes;
    if (is_inside && allocation.bytes <= element) return allocation.name;
    return part_of(allocation.name, true, bytes, element);
  }
  const std::string size = "an allocation of " + std::to_string(allocation.bytes) + " bytes";
  if (bytes < 0) return "what lies " + std::to_string(-bytes) + " bytes before " + size;
  return part_of(size, false, bytes, element);
}

std::string Naming::size_of(const Allocation& allocation) const {
  return count_text(allocation.name.empty() ? "it" : allocation.name, allocation.bytes,
                    element_bytes(allocation));
}

std::string Naming::of(ptx::Space space, std::uint64_t address) const {
  switch (space) {
    case ptx::Space::shared:
      return shared(address);
    case ptx::Space::local:
      return "its local memory at byte " + std::to_string(address);
    case ptx::Space::param:
      return "a parameter at byte " + std::to_string(address);
    default:
      break;
  }
  const Allocation* allocation = meant_by(address);
  return allocation == nullptr ? "global memory" : global(*allocation, address);
}

const Allocation* Naming::meant_by(std::uint64_t address) const {
  const Allocation* nearest = memory_.nearest(address);
  if (nearest == nullptr) return nullptr;
  const std::uint64_t end = nearest->base + nearest->bytes;
  const bool is_near = address + farthest >= nearest->base && address < end + farthest;
  return is_near ? nearest : nullptr;
}

std::string thread_name(std::uint32_t thread, std::uint64_t block, bool names_block) {
  const std::string name = "thread " + std::to_string(thread);
  return names_block ? name + " of block " + std::to_string(block) : name;
}

std::vector<std::uint32_t> threads_of(std::uint32_t warp, LaneMask lanes) {
  std::vector<std::uint32_t> threads;
  for (const std::uint32_t lane : lanes_in(lanes)) threads.push_back(warp * warp_size + lane);
  return threads;
}

std::string lanes_name(std::uint32_t warp, LaneMask lanes) {
  const std::vector<std::uint32_t> threads = threads_of(warp, lanes);
  if (threads.empty()) return "no thread";
  if (threads.size() == 1) return "thread " + std::to_string(threads[0]);
  if (threads.back() - threads.front() + 1 == threads.size() && threads.size() > 2) {
    return "threads " + std::to_string(threads.front()) + " to " + std::to_string(threads.back());
  }
  std::string text = "threads " + std::to_string(threads[0]);
  const std::size_t named = std::min<std::size_t>(threads.size(), 4);
  for (std::size_t i = 1; i < named; ++i) {
    const bool is_last = i + 1 == threads.size();
    text += (is_last ? " and " : ", ") + std::to_string(threads[i]);
  }
  if (named < threads.size()) text += " and " + std::to_string(threads.size() - named) + " more";
  return text;
}

}  // namespace warpwise::simulator::observe

namespace warpwise::simulator {

// The text of a finding, as a student reads it.

namespace {

FindingLine excerpt(std::uint32_t line, const std::string& source) {
  std::string number = std::to_string(line);
  number.insert(0, number.size() < 5 ? 5 - number.size() : 0, ' ');
  const std::size_t start = std::min(source.find_first_not_of(" \t"), source.size());
  return {number + " |     ", source.substr(start), false};
}

FindingLine note(const std::string& text) { return {"      = ", text, true}; }

}  // namespace

std::optional<FindingKind> finding_kind_named(std::string_view name) {
  const auto found = std::find(std::begin(finding_kind_names), std::end(finding_kind_names), name);
  if (found == std::end(finding_kind_names)) return std::nullopt;
  return static_cast<FindingKind>(found - std::begin(finding_kind_names));
}

std::vector<FindingLine> lines_of(const Finding& finding) {
  const std::string place = finding.line == 0 ? "" : finding.file + ":" + std::to_string(finding.line) + ": ";
  std::vector<FindingLine> lines = {
      {"", place + std::string(name_of(finding.kind)) + ": " + finding.message, false}};
  const bool is_same_file = finding.other_file == finding.file;
  const bool comes_first = is_same_file && finding.other_line < finding.line;
  const bool has_other = finding.other_line != 0 && is_same_file && !finding.other_source.empty();
  if (has_other && comes_first) lines.push_back(excerpt(finding.other_line, finding.other_source));
  if (!finding.source.empty()) lines.push_back(excerpt(finding.line, finding.source));
  if (has_other && !comes_first) lines.push_back(excerpt(finding.other_line, finding.other_source));
  if (!finding.note.empty()) lines.push_back(note(finding.note));
  if (finding.other_line != 0 && !is_same_file)
    lines.push_back(note((finding.kind == FindingKind::race ? "the other access is at " : "see also ") +
                         finding.other_file + ":" + std::to_string(finding.other_line)));
  if (!finding.help.empty()) lines.push_back(note("help: " + finding.help));
  return lines;
}

std::string format(const Finding& finding) {
  std::string text;
  for (const FindingLine& line : lines_of(finding))
    text += (text.empty() ? "" : "\n") + line.mark + line.text;
  return text;
}

}  // namespace warpwise::simulator
