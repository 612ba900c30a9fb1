/// \file Undefined values on their way to and from memory, and between lanes of a warp: they go where the
/// values go, and nothing is reported before somebody uses one.

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <unordered_set>
#include <vector>

#include "../ptx/function_text.hpp"
#include "memory_rows.hpp"
#include "undefined_values.hpp"

namespace warpwise::simulator::run {

namespace {

/// Bytes [first, first + count) of an access.
std::uint32_t bytes_from(std::uint32_t first, std::uint32_t count) {
  return static_cast<std::uint32_t>(((std::uint64_t{1} << count) - 1) << first);
}

std::uint32_t element_bytes(const Access& access) { return access.bytes / access.elements; }

/// Bytes that are undefined in some of their bits alone, from bit 0 on.
std::uint32_t mixed_bytes(std::span<const std::byte> bits) {
  std::uint32_t mixed = 0;
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (bits[i] != std::byte{0} && bits[i] != std::byte{0xFF}) mixed |= 1u << i;
  return mixed;
}

/// Whether the store writes back a word that was read at the same address and in which some fields were set.
bool sets_bit_field(const ptx::Function& function, const ptx::Instruction& store) {
  if (store.row->access != ptx::MemoryAccess::store || store.operands.size() != 2 ||
      store.operands[1].kind != ptx::Operand::Kind::reg)
    return false;
  std::unordered_set<ptx::RegisterId> words = {store.operands[1].reg};
  const auto writes_word = [&](const ptx::Instruction& instruction) {
    return !instruction.operands.empty() && instruction.operands[0].kind == ptx::Operand::Kind::reg &&
           words.contains(instruction.operands[0].reg);
  };
  for (std::size_t before = 0; before != words.size();) {
    before = words.size();
    for (const ptx::Instruction& instruction : function.code)
      if (writes_word(instruction))
        for (const ptx::Operand* word : words_around(instruction))
          if (word->kind == ptx::Operand::Kind::reg) words.insert(word->reg);
  }
  return std::any_of(function.code.begin(), function.code.end(), [&](const ptx::Instruction& instruction) {
    return instruction.row->access == ptx::MemoryAccess::load && instruction.operands.size() == 2 &&
           writes_word(instruction) && ptx::is_same_place(instruction.operands[1], store.operands[0]);
  });
}

}  // namespace

void UndefinedValues::access(Frame& frame, const MemoryOperation& operation, const Row* rows,
                             const Access& access) {
  switch (operation.kind) {
    case AccessKind::load:
      return load(frame, operation, rows, access);
    case AccessKind::store:
      return store(frame, operation, rows, access);
    default:
      return update(frame, operation, rows, access);
  }
}

void UndefinedValues::skip_load(Frame& frame, const MemoryOperation& operation, const Row* rows,
                                LaneMask lanes) {
  for (std::uint32_t e = 0; e < operation.elements; ++e)
    frame.undefined->define(rows[e], operation.width, lanes);
  frame.settle();
}

void UndefinedValues::join(Frame& frame, Row data, Row piece, std::uint32_t done, LaneMask lanes) {
  Shadow& shadow = *frame.undefined;
  auto* const to = row_of<std::uint64_t>(shadow.bits(), data);
  for (const std::uint32_t lane : lanes_in(lanes & shadow.lanes(piece, Width::b64))) {
    to[done / 8 * warp_size + lane] |= row_of<std::uint64_t>(shadow.bits(), piece)[lane] << done % 8 * 8;
    shadow.set_origin(data, Width::b128, lane, shadow.origin(piece, Width::b64, lane));
  }
  shadow.settle(data, Width::b128);
}

void UndefinedValues::load(Frame& frame, const MemoryOperation& operation, const Row* rows,
                           const Access& access) {
  LaneBytes undefined;
  bool any = memory_.written.enter(warp_, access, undefined);
  if (access.used != all_bytes) {
    if (!any) undefined.fill(0);
    // What the compiler added is undefined, save for registers that nobody reads.
    const std::uint32_t added = bytes_from(0, access.bytes) & ~access.used & ~operation.unread_bytes;
    for (const std::uint32_t lane : lanes_in(access.lanes)) undefined[lane] |= added;
    any |= added != 0;
  }
  if (any)
    set_loaded(frame, operation, rows, access, undefined);
  else if (frame.undefined != nullptr)
    skip_load(frame, operation, rows, access.lanes);
}

/// The bits are loaded into the shadow as the values are into the frame.
void UndefinedValues::set_loaded(Frame& frame, const MemoryOperation& operation, const Row* rows,
                                 const Access& access, const LaneBytes& undefined) {
  Shadow& shadow = frame.make_shadow();
  PackedLanes packed(access.bytes);
  packed.bytes.fill(std::byte{0});
  for (const std::uint32_t lane : lanes_in(access.lanes))
    for (std::uint32_t i = 0; i < access.bytes; ++i)
      if ((undefined[lane] >> i & 1) != 0)
        packed.bytes[packed.offset[lane] + i] = undefined_bits(access, lane, i);
  load_rows(without_ordering(operation), shadow.bits(), rows, packed.places(), access.lanes, false);
  for (std::uint32_t e = 0; e < operation.elements; ++e) {
    for (const std::uint32_t lane : lanes_in(access.lanes & shadow.lanes(rows[e], operation.width)))
      shadow.set_origin(rows[e], operation.width, lane, origin_of_load(access, lane, e, undefined[lane]));
    shadow.settle(rows[e], operation.width);
  }
  frame.settle();
}

/// Of a byte that counts as not written.
std::byte UndefinedValues::undefined_bits(const Access& access, std::uint32_t lane,
                                          std::uint32_t byte) const {
  const StoredByte* const stored = memory_.stored(warp_, access, lane, byte);
  return stored != nullptr ? stored->bits : std::byte{0xFF};
}

/// Padding is what lies unwritten beside bytes that were written, or was added by the compiler: a structure
/// is copied with it, by vectors, words or bytes.
OriginId UndefinedValues::origin_of_load(const Access& access, std::uint32_t lane, std::uint32_t element,
                                         std::uint32_t undefined) {
  const std::uint32_t size = element_bytes(access), start = element * size;
  const std::uint32_t mine = undefined & bytes_from(start, size);
  if (mine == 0) return not_read_yet;
  if ((mine & access.used) != 0) {
    const auto first = static_cast<std::uint32_t>(std::countr_zero(mine & access.used));
    if (const StoredByte* const stored = memory_.stored(warp_, access, lane, first)) return stored->origin;
  }
  UndefinedOrigin origin;
  origin.pc = access.pc;
  origin.thread = warp_.warp * warp_size + lane;
  origin.space = access.space;
  origin.address = access.address[lane] + start;
  const OriginId id = memory_.origins.add(origin);
  const bool has_written_bytes = undefined != bytes_from(0, access.bytes);
  const bool is_byte_of_vector = size == 1 && access.elements > 1;
  const bool is_padding = (mine & access.used) == 0 || has_written_bytes || is_byte_of_vector ||
                          (size < 4 && memory_.written.is_written_nearby(warp_, access, lane));
  return is_padding ? id | padding_flag : id;
}

void UndefinedValues::store(Frame& frame, const MemoryOperation& operation, const Row* rows,
                            const Access& access) {
  LaneBytes undefined;
  memory_.written.enter(warp_, access, undefined);
  if (frame.undefined == nullptr) return;
  undefined.fill(0);
  Shadow& shadow = *frame.undefined;
  LaneMask holders = 0;
  for (std::uint32_t e = 0; e < operation.elements; ++e)
    if (shadow.holds(rows[e])) holders |= shadow.lanes(rows[e], operation.width);
  if ((holders &= access.lanes) == 0) return;

  PackedLanes packed(access.bytes);
  packed.bytes.fill(std::byte{0});
  const std::byte* bits = pack_values(operation, shadow.bits(), rows, access.lanes, packed.bytes.data());
  Lanes<OriginId> data{};  // origins of what becomes data
  LaneMask reported = 0;
  for (const std::uint32_t lane : lanes_in(holders)) {
    for (std::uint32_t i = 0; i < access.bytes; ++i)
      if (bits[packed.offset[lane] + i] != std::byte{0}) undefined[lane] |= bytes_from(i, 1);
    const std::uint32_t all = undefined[lane];
    for (std::uint32_t e = 0; e < operation.elements; ++e) {
      const std::uint32_t mine = all & bytes_from(e * operation.element_bytes, operation.element_bytes);
      if (mine == 0) continue;
      OriginId origin = resolved(shadow, access.pc, rows[e], operation.width, lane);
      const std::byte* const of_element = bits + packed.offset[lane] + e * operation.element_bytes;
      const std::uint32_t mixed = mixed_bytes({of_element, operation.element_bytes})
                                  << e * operation.element_bytes;
      if (mixed != 0 && puts_word_back(access.pc, origin)) origin |= bit_field_flag;
      if (access.space != ptx::Space::global) {
        for (std::uint32_t rest = mine; rest != 0; rest &= rest - 1) {
          const auto byte = static_cast<std::uint32_t>(std::countr_zero(rest));
          memory_.set_stored(warp_, access, lane, byte, {origin, bits[packed.offset[lane] + byte]});
        }
      } else if ((origin & bit_field_flag) != 0) {
        undefined[lane] &= ~mixed;  // of global memory no single bits are kept
      } else if (is_data(operation, access.pc, origin, e, all)) {
        data[lane] = origin;
        reported |= lane_bit(lane);
        undefined[lane] &= ~mine;  // said once; from now on it is what it is
      }
    }
  }
  memory_.written.forget(warp_, access, undefined);
  for_each_agreeing(
      reported, [&](std::uint32_t lane) { return data[lane]; },
      [&](LaneMask same) { report(access.pc, ValueUse::store, same, data[lowest_lane(same)]); });
}

/// A bit-field is set in memory by reading its word, changing some bits, and writing the word back: the bits
/// around it are put back undefined where they were read.
bool UndefinedValues::puts_word_back(Pc store, OriginId origin) {
  if (memory_.origins.at(origin).is_register) return false;
  const auto [known, is_new] = puts_back_.try_emplace(store, false);
  if (is_new)
    known->second = sets_bit_field(*code_.functions[code_.owners[store]].function, *code_.texts[store]);
  return known->second;
}

/// Padding is copied, also that of a structure which lies in registers: some bytes of a vector of bytes, or
/// half of a word of 64 bits, made from a register that nobody set and nobody computed with.
bool UndefinedValues::is_data(const MemoryOperation& operation, Pc pc, OriginId origin, std::uint32_t element,
                              std::uint32_t undefined) const {
  if ((origin & origin_flags) != 0) return false;
  const UndefinedOrigin& from = memory_.origins.at(origin);
  if (!from.is_register) return true;
  const std::uint32_t mine = bytes_from(element * operation.element_bytes, operation.element_bytes);
  const std::uint32_t others = bytes_from(0, operation.bytes()) & ~mine;
  const bool is_part_of_vector = operation.element_bytes < 4 && (others & ~undefined) != 0;
  const bool is_part_of_word = from.pc == pc && (mine & ~undefined) != 0;
  return !is_part_of_vector && !is_part_of_word;
}

void UndefinedValues::update(Frame& frame, const MemoryOperation& operation, const Row* rows,
                             const Access& access) {
  if (frame.undefined != nullptr) {
    use(frame, access.pc, rows[1], operation.width, access.lanes, ValueUse::atomic);
    if (operation.is_cas) use(frame, access.pc, rows[2], operation.width, access.lanes, ValueUse::atomic);
    if (operation.has_result) frame.undefined->define(rows[0], operation.result_width, access.lanes);
    frame.settle();
  }
  LaneBytes unwritten;
  if (!memory_.written.enter(warp_, access, unwritten)) return;
  LaneMask lanes = 0;
  for (const std::uint32_t lane : lanes_in(access.lanes))
    if (unwritten[lane] == bytes_from(0, access.bytes)) lanes |= lane_bit(lane);
  if (lanes == 0) return;
  const std::uint32_t first = lowest_lane(lanes);
  const OriginId origin = origin_of_load(access, first, 0, unwritten[first]) & ~padding_flag;
  if (!operation.is_exchange)
    report(access.pc, ValueUse::atomic, lanes, origin);
  else if (operation.has_result)
    frame.make_shadow().undefine(rows[0], operation.result_width, lanes, origin);
}

// ---- What lanes of a warp hand to each other

/// What lanes bring to a `*.sync`, and what they get.
struct UndefinedValues::Meeting {
  LaneMask lanes = 0;
  const Collective* what = nullptr;
  Lanes<std::uint64_t> source{}, result{};  ///< undefined bits
  Lanes<OriginId> origin{}, result_origin{};
  Lanes<std::uint32_t> b{}, c{};  ///< of a shuffle
  LaneMask predicate = 0;         ///< of a vote
  LaneMask undefined = 0;         ///< lanes of which the source is

  void combine();
  bool is_vote_open() const;
};

namespace {

bool has_source(Collective::Op op) {
  return op != Collective::Op::warp_barrier && op != Collective::Op::elect;
}

bool has_pair(Collective::Op op) {
  return op == Collective::Op::shuffle || op == Collective::Op::match_all ||
         op == Collective::Op::match_any || op == Collective::Op::elect;
}

}  // namespace

/// The lanes whose predicate is defined do not decide the vote.
bool UndefinedValues::Meeting::is_vote_open() const {
  const LaneMask yes = predicate & lanes & ~undefined, no = ~predicate & lanes & ~undefined;
  switch (what->vote) {
    case VoteMode::any:
      return yes == 0;
    case VoteMode::all:
      return no == 0;
    default:
      return yes == 0 || no == 0;
  }
}

void UndefinedValues::Meeting::combine() {
  if (undefined == 0) return;
  if (what->op == Collective::Op::shuffle) {
    const instructions::ShuffleResult from = instructions::shuffle_sources(what->shuffle, b, c, lanes);
    for (const std::uint32_t lane : lanes_in(lanes)) {
      const std::uint32_t other = from.source[lane] & (warp_size - 1);
      result[lane] = source[other];
      result_origin[lane] = origin[other];
    }
    return;
  }
  for (const std::uint32_t lane : lanes_in(lanes)) {
    result_origin[lane] = origin[lowest_lane(undefined)] & ~origin_flags;
    if (what->op == Collective::Op::vote && what->vote == VoteMode::ballot)
      result[lane] = undefined;
    else if (what->op == Collective::Op::vote)
      result[lane] = is_vote_open();
    else if (what->op == Collective::Op::match_any)
      result[lane] = source[lane] != 0 ? lanes : undefined;
    else
      result[lane] = ~std::uint64_t{0};
  }
}

void UndefinedValues::exchange(Groups& groups, LaneMask lanes) {
  const bool is_needed = std::any_of(groups.begin(), groups.end(), [&](const Group& group) {
    return (group.mask & lanes) != 0 && group.frame->undefined != nullptr;
  });
  if (!is_needed) return;
  Meeting meeting;
  meeting.lanes = lanes;
  bring(meeting, groups);
  meeting.combine();
  take(meeting, groups);
}

void UndefinedValues::receive_from_absent(Groups& groups, LaneMask lanes) {
  for (Group& group : groups) {
    const LaneMask here = group.mask & lanes;
    if (here == 0) continue;
    const OriginId origin = memory_.origins.add(
        {.pc = group.pc, .thread = warp_.warp * warp_size + lowest_lane(here), .is_absent_lane = true});
    group.frame->make_shadow().undefine(code_.instructions[group.pc].rows[0], Width::b32, here, origin);
  }
}

void UndefinedValues::bring(Meeting& meeting, Groups& groups) {
  for (const Group& group : groups) {
    const LaneMask here = group.mask & meeting.lanes;
    if (here == 0) continue;
    const Instruction& instruction = code_.instructions[group.pc];
    const Collective& what = code_.collectives[instruction.detail];
    const bool is_shuffle = what.op == Collective::Op::shuffle, is_vote = what.op == Collective::Op::vote;
    meeting.what = &what;
    Frame& frame = *group.frame;
    for (const std::uint32_t lane : lanes_in(is_shuffle ? here : 0)) {
      meeting.b[lane] = row_of<std::uint32_t>(frame.rows, instruction.rows[3])[lane];
      meeting.c[lane] = row_of<std::uint32_t>(frame.rows, instruction.rows[4])[lane];
    }
    if (is_vote) {
      const LaneMask predicate = *row_of<LaneMask>(frame.rows, instruction.rows[2]);
      meeting.predicate |= (what.is_negated ? ~predicate : predicate) & here;
    }
    if (frame.undefined == nullptr) continue;
    for (const std::size_t i : {3, 4, 5})
      if (i == 5 || is_shuffle)
        use(frame, group.pc, instruction.rows[i], Width::b32, here, ValueUse::exchange);
    if (!has_source(what.op)) continue;
    Shadow& shadow = *frame.undefined;
    const Width width = is_vote ? Width::pred : what.width;
    for (const std::uint32_t lane : lanes_in(here & shadow.lanes(instruction.rows[2], width))) {
      meeting.source[lane] = cell_in(shadow.bits(), instruction.rows[2], width, lane);
      meeting.origin[lane] = resolved(shadow, group.pc, instruction.rows[2], width, lane);
      meeting.undefined |= lane_bit(lane);
    }
  }
}

void UndefinedValues::take(const Meeting& meeting, Groups& groups) {
  const Collective& what = *meeting.what;
  if (what.op == Collective::Op::warp_barrier) return;
  const Width width = what.op == Collective::Op::vote ? what.width : Width::b32;
  const bool is_pair_undefined = what.op == Collective::Op::match_all && meeting.undefined != 0;
  for (const Group& group : groups) {
    const LaneMask here = group.mask & meeting.lanes;
    if (here == 0 || (group.frame->undefined == nullptr && meeting.undefined == 0)) continue;
    const Instruction& instruction = code_.instructions[group.pc];
    Shadow& shadow = group.frame->make_shadow();
    for (const std::uint32_t lane : lanes_in(here)) {
      set_cell(shadow.bits(), instruction.rows[0], width, lane, meeting.result[lane]);
      if (meeting.result[lane] != 0)
        shadow.set_origin(instruction.rows[0], width, lane, meeting.result_origin[lane]);
    }
    shadow.settle(instruction.rows[0], width);
    if (has_pair(what.op)) {
      if (is_pair_undefined)
        shadow.undefine(instruction.rows[1], Width::pred, here, meeting.result_origin[lowest_lane(here)]);
      else
        shadow.define(instruction.rows[1], Width::pred, here);
    }
    group.frame->settle();
  }
}

}  // namespace warpwise::simulator::run
