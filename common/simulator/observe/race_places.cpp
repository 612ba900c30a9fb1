#include "race_places.hpp"

#include <algorithm>
#include <set>

#include "../ptx/function_text.hpp"

namespace warpwise::simulator::observe {

namespace {

bool is_access(const ptx::Instruction& text) {
  const ptx::MemoryAccess access = text.row->access;
  return access != ptx::MemoryAccess::none;
}

/// Of an instruction, the location in the student's files that its line is of.
std::int32_t own_location(const Program& program, std::int32_t location) {
  const auto& locations = program.module().locations;
  const SourcePlace& place = program.place_of_location(location);
  for (std::int32_t outer = location; outer >= 0;
       outer = locations[static_cast<std::size_t>(outer)].inlined_at)
    if (program.place_of_location(outer) == place)
      location = outer;
    else
      break;
  return location;
}

std::int32_t call_of(const Program& program, std::int32_t location) {
  const std::int32_t own = location < 0 ? -1 : own_location(program, location);
  return own < 0 ? -1 : program.module().locations[static_cast<std::size_t>(own)].inlined_at;
}

}  // namespace

BarrierPlaces::BarrierPlaces(const Program& program, PcRange reach, ptx::Space space)
    : program_(program), reach_(reach), anchors_(reach.size()) {
  using Class = ptx::InstructionClass;
  std::set<ptx::RegisterId> guards;
  const ptx::Function* function = nullptr;
  for (Pc pc = reach.begin; pc < reach.end; ++pc) {
    const ptx::Instruction& text = program.text_of(pc);
    Anchor& anchor = anchors_[reach.index_of(pc)];
    const Class what = text.what();
    const ptx::Space own = text.space();
    anchor.is_branch = ptx::jumps(text) && text.guard;
    anchor.is_access = is_access(text) && (own == space || own == ptx::Space::generic);
    anchor.writes = anchor.is_access && text.row->access != ptx::MemoryAccess::load;
    anchor.is_here =
        anchor.is_branch || anchor.is_access || what == Class::block_barrier || what == Class::warp_barrier ||
        what == Class::shuffle || what == Class::vote ||
        (is_access(text) && own == ptx::Space::global && text.row->access != ptx::MemoryAccess::load);
    // Where a guard stands in front of an access, all threads come to what computes it.
    if (function != &program.function_of(pc)) {
      function = &program.function_of(pc);
      guards.clear();
      for (const ptx::Instruction& each : function->code)
        if (is_access(each) && each.guard) guards.insert(each.guard->reg);
    }
    if (text.has_destination() && !text.operands.empty() &&
        text.operands[0].kind == ptx::Operand::Kind::reg && guards.contains(text.operands[0].reg))
      anchor.is_here = true;
  }
}

int BarrierPlaces::file_of(const SourcePlace& place) {
  for (const auto& [number, file] : files_)
    if (file.path == place.file) return number;
  const int number = static_cast<int>(files_.size());
  files_.emplace(number, File{place.file, read_statements(program_, reach_, place.file)});
  return number;
}

std::uint32_t BarrierPlaces::line_behind(Pc pc) {
  const SourcePlace place = near_place_of(program_, pc).place;
  if (place.line == 0) return 0;
  const Statements& in = files_.at(file_of(place)).statements;
  for (const CodeBlock& block : in.blocks())
    if (!block.is_function && block.begin <= place.line && place.line <= block.open)
      return block.is_loop ? block.end : block.open;
  const int block = in.block_of(place.line);
  const std::uint32_t line = block < 0 ? 0 : in.behind(place.line, block).line;
  return line == 0 ? place.line : line;
}

const Statements* BarrierPlaces::statements_at(Pc pc) const {
  const SourcePlace& place = place_of(program_, pc);
  for (const auto& [number, file] : files_)
    if (file.path == place.file) return &file.statements;
  return nullptr;
}

void BarrierPlaces::add(int file, CodePosition at, bool is_round, std::vector<std::uint32_t>& found) {
  if (at.block < 0 || (at.line == 0 && !is_round)) return;
  for (std::uint32_t i = 0; i < places_.size(); ++i) {
    if (places_[i].file != file || places_[i].at != at || places_[i].is_round != is_round) continue;
    if (std::find(found.begin(), found.end(), i) == found.end()) found.push_back(i);
    return;
  }
  const Statements& in = files_.at(file).statements;
  int function = at.block;
  const auto& blocks = in.blocks();
  while (function >= 0 && !blocks[static_cast<std::size_t>(function)].is_function)
    function = blocks[static_cast<std::size_t>(function)].parent;
  if (function < 0) return;
  const auto same = std::find_if(regions_.begin(), regions_.end(), [&](const Region& region) {
    return region.file == file && region.function == function;
  });
  const auto region = static_cast<int>(same - regions_.begin());
  if (same == regions_.end()) {
    regions_.push_back({file, function, {}});
    const std::string& path = files_.at(file).path;
    for (Pc pc = reach_.begin; pc < reach_.end; ++pc) {
      Anchor& anchor = anchors_[reach_.index_of(pc)];
      const SourcePlace& place = place_of(program_, pc);
      if (!anchor.is_here || place.file != path || in.function_of(place.line) != function) continue;
      anchor.region = region;
      anchor.line = in.start_of(place.line);
      anchor.call = call_of(program_, program_.text_of(pc).location);
    }
  }
  places_.push_back({file, at, region, is_round});
  regions_[static_cast<std::size_t>(region)].places.push_back(static_cast<std::uint32_t>(places_.size() - 1));
  found.push_back(static_cast<std::uint32_t>(places_.size() - 1));
}

/// Around the instruction, from the innermost block outwards, and around the calls that it was inlined into.
void BarrierPlaces::add_places(Pc pc, bool is_first, std::vector<std::uint32_t>& found) {
  const auto& locations = program_.module().locations;
  std::int32_t location = program_.text_of(pc).location;
  for (int calls = 0; location >= 0 && calls < 8; ++calls) {
    location = own_location(program_, location);
    const SourcePlace& place = program_.place_of_location(location);
    if (place.line == 0) return;
    const int file = file_of(place);
    const Statements& in = files_.at(file).statements;
    std::vector<int> around;
    for (int at = in.block_of(place.line); at >= 0; at = in.blocks()[static_cast<std::size_t>(at)].parent) {
      around.push_back(at);
      if (in.blocks()[static_cast<std::size_t>(at)].is_function) break;
    }
    for (const bool is_behind : {is_first, !is_first})
      for (const int block : around)
        add(file, is_behind ? in.behind(place.line, block) : in.in_front_of(place.line, block), false, found);
    for (const int block : around) {
      const CodeBlock& each = in.blocks()[static_cast<std::size_t>(block)];
      if (!each.is_loop && !each.is_function) continue;
      add(file, in.end_of(block), false, found);
      add(file, {block, each.open}, true, found);
    }
    location = locations[static_cast<std::size_t>(location)].inlined_at;
  }
}

std::vector<std::uint32_t> BarrierPlaces::around(Pc first, Pc second) {
  std::vector<std::uint32_t> found;
  add_places(first, true, found);
  add_places(second, false, found);
  return found;
}

bool BarrierPlaces::is_new_round(const Statements& in, Pc from, bool has_jumped, Pc to) const {
  const Anchor &a = anchor(from), &b = anchor(to);
  if (a.call != b.call) return true;
  if (b.line < a.line) {
    // Outside the loops of a kernel, what goes back is the compiler's order. (Line 0: no source is there.)
    const int around = in.round_of(b.line, a.line);
    return a.call >= 0 || around < 0 || in.blocks()[static_cast<std::size_t>(around)].is_loop ||
           in.blocks()[static_cast<std::size_t>(around)].begin == 0;
  }
  if (a.line != b.line) return false;
  if (to <= from) return true;
  // Rounds that the compiler has unrolled: writing ends one, and so does a jump over the rest of it.
  const int round = in.round_of(a.line, a.line);
  if (round < 0 || !in.blocks()[static_cast<std::size_t>(round)].is_loop) return false;
  const bool begins = b.is_branch || (b.is_access && !b.writes);
  return begins && (a.writes || (a.is_branch && has_jumped && b.is_branch));
}

bool BarrierPlaces::is_in(Pc pc, const Place& place, const CodeBlock& block) const {
  const auto& locations = program_.module().locations;
  for (std::int32_t i = program_.text_of(pc).location; i >= 0;
       i = locations[static_cast<std::size_t>(i)].inlined_at)
    if (const SourcePlace& at = program_.place_of_location(i);
        at.file == path_of(place) && block.spans(at.line))
      return true;
  return false;
}

bool BarrierPlaces::may_return_at(int region, Pc last) const {
  if (last == nowhere || !anchor(last).is_branch) return false;
  const Region& in = regions_[static_cast<std::size_t>(region)];
  return files_.at(in.file).statements.may_jump_out(anchor(last).line, in.function);
}

std::vector<std::uint32_t> BarrierPlaces::passed_now(const Region& region, Pc from, bool has_jumped,
                                                     Pc to) const {
  const Statements& in = files_.at(region.file).statements;
  const bool is_same_round = from != nowhere && to != nowhere && !is_new_round(in, from, has_jumped, to);
  const std::uint32_t i = from == nowhere ? 0 : anchor(from).line, j = to == nowhere ? 0 : anchor(to).line;
  int round = -1;
  if (from != nowhere && to != nowhere && !is_same_round)
    round = anchor(from).call != anchor(to).call ? region.function : in.round_of(i, j);
  std::vector<std::uint32_t> passed;
  for (const std::uint32_t index : region.places) {
    const CodePosition& at = places_[index].at;
    const CodeBlock& block = in.blocks()[static_cast<std::size_t>(at.block)];
    const bool is_in_from = from != nowhere && block.contains(i),
               is_in_to = to != nowhere && block.contains(j);
    const bool leaves = is_in_from && i <= at.line && !in.may_jump_out(i, at.block);
    const bool enters = is_in_to && at.line < j;
    if (is_same_round && is_in_from && is_in_to) {
      if (i <= at.line && at.line < j) passed.push_back(index);
      continue;
    }
    // Another round of a loop inside the block.
    if (round >= 0 && round != at.block && in.is_nested(round, at.block)) continue;
    if (leaves) passed.push_back(index);
    if (enters) passed.push_back(index);
  }
  return passed;
}

const std::vector<std::uint32_t>& BarrierPlaces::passed(int region, Pc from, bool has_jumped, Pc to) {
  const auto code = [&](Pc pc) {
    return pc == nowhere ? std::uint64_t{reach_.size()} : std::uint64_t{reach_.index_of(pc)};
  };
  const std::uint64_t key = (code(from) << 31 | code(to)) << 1 | (has_jumped ? 1 : 0);
  const std::uint64_t with_region = key * 64 + static_cast<std::uint64_t>(region);
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = passed_.try_emplace(with_region);
  if (is_new) known->second = passed_now(regions_[static_cast<std::size_t>(region)], from, has_jumped, to);
  return known->second;
}

}  // namespace warpwise::simulator::observe
