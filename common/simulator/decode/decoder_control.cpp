/// \file Branches, calls, and barriers and other meetings of lanes (PTX ISA 9.7.12, 9.7.13).

#include <algorithm>

#include "decoder.hpp"

namespace warpwise::simulator::decode {

using ptx::Operand;

void FunctionDecoder::decode_branch(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"uni"});
  expect_operands(text, 1, 1);
  if (text.operands[0].kind != Operand::Kind::label) throw std::invalid_argument("a label is expected");
  out.kind = Kind::branch;
  out.detail = decoded_.entry + text.operands[0].target;
  const auto index = static_cast<std::size_t>(&text - function_.code.data());
  const std::uint32_t meeting = reconvergence_[index];
  out.offset = meeting == no_pc ? no_pc : decoded_.entry + meeting;
}

void FunctionDecoder::decode_branch_table(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"uni", "idx"});
  expect_operands(text, 2, 2);
  out.kind = Kind::branch_table;
  out.rows[0] = row_of_operand(text.operands[0], Width::b32, ptx::Type::u32);
  flow_ = flow_to(ValueUse::branch, 0, {Width::b32});
  out.detail = static_cast<std::uint32_t>(code_.branch_tables.size());
  const std::uint32_t meeting = reconvergence_[static_cast<std::size_t>(&text - function_.code.data())];
  out.offset = meeting == no_pc ? no_pc : decoded_.entry + meeting;
  for (const auto& list : function_.target_lists) {
    if (list.name != text.operands[1].symbol) continue;
    std::vector<Pc>& table = code_.branch_tables.emplace_back();
    for (std::uint32_t target : list.targets) table.push_back(decoded_.entry + target);
    return;
  }
  throw std::invalid_argument("there is no list of targets " + text.operands[1].symbol);
}

LanePlace FunctionDecoder::place_of_argument(const Operand& operand, ptx::Type type) {
  if (operand.kind == Operand::Kind::param) return frame_.layout().parameters.at(operand.param);
  const Width width = width_of_operand(operand, width_of(type == ptx::Type::none ? ptx::Type::b64 : type));
  if (width == Width::pred) throw std::invalid_argument("a predicate cannot be an argument");
  const std::uint32_t bytes = bytes_of(width) / warp_size;
  return {row_of_operand(operand, width, type), bytes, bytes};
}

/// `call (results), target, (arguments), prototype;` with every part but the target optional.
void FunctionDecoder::decode_call(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"uni"});
  out.kind = Kind::call;
  out.detail = static_cast<std::uint32_t>(code_.calls.size());
  Call call;
  std::size_t at = 0;
  const Operand* results = nullptr;
  if (!text.operands.empty() && text.operands[0].kind == Operand::Kind::vector)
    results = &text.operands[at++];
  if (at >= text.operands.size()) throw std::invalid_argument("a function is expected");
  const Operand& target = text.operands[at++];
  const ptx::Function* callee = nullptr;
  if (target.kind == Operand::Kind::reg) {
    expect_register(target.reg, {Width::b64});
    call.target = Call::Target::indirect;
    out.rows[0] = frame_.register_row(target.reg);
    flow_ = flow_to(ValueUse::address, 0, {Width::b64});
    decoded_.has_indirect_calls = true;
  } else {
    static constexpr std::pair<std::string_view, Call::Target> known[] = {
        {"vprintf", Call::Target::print},
        {"__assertfail", Call::Target::assertion},
        {"malloc", Call::Target::allocate},
        {"free", Call::Target::release}};
    for (std::uint32_t i = 0; i < module_.functions.size(); ++i)
      if (module_.functions[i].name == target.symbol && (!callee || !module_.functions[i].is_declaration)) {
        callee = &module_.functions[i];
        call.function = i;
      }
    if (callee && !callee->is_declaration) {
      decoded_.callees.push_back(call.function);
    } else {
      callee = nullptr;
      const auto* found = std::find_if(std::begin(known), std::end(known),
                                       [&](const auto& entry) { return entry.first == target.symbol; });
      if (found == std::end(known))
        throw std::invalid_argument("function " + target.symbol + " has no body and is not provided");
      call.target = found->second;
    }
  }
  const auto type_in = [&](const std::vector<ptx::Parameter>* formals, std::size_t i) {
    return formals && i < formals->size() ? (*formals)[i].type : ptx::Type::none;
  };
  if (results)
    for (std::size_t i = 0; i < results->elements.size(); ++i)
      call.results.push_back(
          place_of_argument(results->elements[i], type_in(callee ? &callee->returns : nullptr, i)));
  if (at < text.operands.size() && text.operands[at].kind == Operand::Kind::vector)
    for (std::size_t i = 0; i < text.operands[at].elements.size(); ++i)
      call.arguments.push_back(place_of_argument(text.operands[at].elements[i],
                                                 type_in(callee ? &callee->parameters : nullptr, i)));
  const auto least = [&](std::size_t arguments, std::size_t results_count) {
    if (call.arguments.size() < arguments || call.results.size() < results_count)
      throw std::invalid_argument("too few arguments for " + target.symbol);
  };
  if (callee) least(callee->formals, 0);
  if (call.target == Call::Target::print) least(2, 0);
  if (call.target == Call::Target::assertion) least(4, 0);
  if (call.target == Call::Target::allocate) least(1, 1);
  if (call.target == Call::Target::release) least(1, 0);
  code_.calls.push_back(std::move(call));
}

void FunctionDecoder::decode_return(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"uni"});
  out.kind = function_.is_kernel ? Kind::exit : Kind::ret;
}

void FunctionDecoder::decode_exit(const ptx::Instruction&, Instruction& out) { out.kind = Kind::exit; }

void FunctionDecoder::decode_trap(const ptx::Instruction&, Instruction& out) { out.kind = Kind::trap; }

void FunctionDecoder::decode_sleep(const ptx::Instruction&, Instruction& out) { out.kind = Kind::sleep; }

/// Hints, and what has no meaning without time.
void FunctionDecoder::decode_nothing(const ptx::Instruction&, Instruction& out) {
  out.kind = Kind::lane;
  out.run = [](std::byte*, const Row*, LaneMask) {};
}

using ptx::Operand;

namespace {

/// The value of an enumeration by its place among the names of all.
template <class Mode>
std::optional<Mode> mode_in(const ptx::Instruction& text, std::initializer_list<std::string_view> names) {
  for (const std::string_view& name : names)
    if (text.has(name)) return static_cast<Mode>(&name - names.begin());
  return std::nullopt;
}

}  // namespace

void FunctionDecoder::decode_block_barrier(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"sync", "arrive", "red", "popc", "and", "or", "cta", "warp", "aligned", "cluster",
                         "wait", "release", "relaxed", "acquire"});
  if (text.what() == ptx::InstructionClass::warp_barrier) {
    expect_operands(text, 1, 1);
    add_collective(Collective::Op::warp_barrier, out);
    membermask(text.operands[0], out);
    return;
  }
  BlockBarrier barrier;
  out.rows.fill(frame_.immediate(0, Width::b32));
  std::vector<Operand> operands = text.operands;
  if (text.has("cluster")) {
    // A cluster has one block: arrive is a release that waits for nobody, wait is the block's barrier.
    if (text.has("arrive")) return decode_nothing(text, out);
    operands.clear();
  }
  if (text.has("red"))
    barrier.op = text.has("popc")  ? BlockBarrier::Op::popc
                 : text.has("and") ? BlockBarrier::Op::all
                                   : BlockBarrier::Op::any;
  else if (text.has("arrive"))
    barrier.op = BlockBarrier::Op::arrive;
  std::size_t at = 0, end = operands.size();
  if (text.has("red")) {
    if (end < 3) throw std::invalid_argument("wrong number of operands");
    const bool is_count = barrier.op == BlockBarrier::Op::popc;
    out.rows[0] = row_of_operand(operands[at++], is_count ? Width::b32 : Width::pred, ptx::Type::u32);
    const Operand& predicate = operands[--end];
    barrier.is_negated = predicate.is_negated && predicate.kind == Operand::Kind::reg;
    out.rows[3] = row_of_operand(predicate, Width::pred, ptx::Type::pred);
  }
  const Operand zero = [] {
    Operand o;
    o.kind = Operand::Kind::immediate;
    return o;
  }();
  out.rows[1] = row_of_operand(at < end ? operands[at++] : zero, Width::b32, ptx::Type::u32);
  barrier.has_count = at < end;
  if (barrier.has_count) out.rows[2] = row_of_operand(operands[at++], Width::b32, ptx::Type::u32);
  barrier.is_fixed = std::none_of(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(at),
                                  [](const Operand& each) { return each.kind == Operand::Kind::reg; });
  if (at != end || (barrier.op == BlockBarrier::Op::arrive && !barrier.has_count))
    throw std::invalid_argument("wrong number of operands");
  out.kind = Kind::barrier;
  const Width result = barrier.op == BlockBarrier::Op::popc ? Width::b32 : Width::pred;
  flow_ = flow_to(ValueUse::exchange, text.has("red"), {result, Width::b32, Width::b32, Width::pred});
  out.detail = static_cast<std::uint32_t>(code_.barriers.size());
  code_.barriers.push_back(barrier);
}

Collective& FunctionDecoder::add_collective(Collective::Op op, Instruction& out) {
  out.kind = Kind::collective;
  out.detail = static_cast<std::uint32_t>(code_.collectives.size());
  out.rows[5] = frame_.immediate(all_lanes, Width::b32);
  Collective& collective = code_.collectives.emplace_back();
  collective.op = op;
  return collective;
}

void FunctionDecoder::membermask(const Operand& operand, Instruction& out) {
  out.rows[5] = row_of_operand(operand, Width::b32, ptx::Type::b32);
}

/// `d` or `d|p`: rows 0 and 1. A missing predicate goes to a row that nobody reads.
void FunctionDecoder::destination_pair(const Operand& operand, Width width, Instruction& out) {
  const bool is_pair = operand.kind == Operand::Kind::vector;
  if (is_pair && operand.elements.size() != 2) throw std::invalid_argument("d|p is expected");
  out.rows[0] = row_of_operand(is_pair ? operand.elements[0] : operand, width, ptx::Type::none);
  out.rows[1] = is_pair ? row_of_operand(operand.elements[1], Width::pred, ptx::Type::pred)
                        : frame_.scratch(Width::pred);
}

void FunctionDecoder::decode_shuffle(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"sync", "up", "down", "bfly", "idx"});
  const bool is_sync = text.has("sync");
  expect_operands(text, is_sync ? 5 : 4, is_sync ? 5 : 4);
  Collective& collective = add_collective(Collective::Op::shuffle, out);
  collective.shuffle = mode_in<ShuffleMode>(text, {"up", "down", "bfly", "idx"}).value_or(ShuffleMode::idx);
  collective.has_mask = is_sync;
  destination_pair(text.operands[0], Width::b32, out);
  for (std::size_t i = 1; i < 4; ++i)
    out.rows[1 + i] = row_of_operand(text.operands[i], Width::b32, ptx::Type::b32);
  if (is_sync) membermask(text.operands[4], out);
}

void FunctionDecoder::decode_vote(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"sync", "all", "any", "uni", "ballot"});
  const bool is_sync = text.has("sync");
  expect_operands(text, is_sync ? 3 : 2, is_sync ? 3 : 2);
  Collective& collective = add_collective(Collective::Op::vote, out);
  const auto mode = mode_in<VoteMode>(text, {"all", "any", "uni", "ballot"});
  if (!mode) throw std::invalid_argument("a mode is expected");
  collective.vote = *mode;
  collective.has_mask = is_sync;
  collective.width = collective.vote == VoteMode::ballot ? Width::b32 : Width::pred;
  collective.is_negated = text.operands[1].is_negated && text.operands[1].kind == Operand::Kind::reg;
  out.rows[0] = row_of_operand(text.operands[0], collective.width, ptx::Type::none);
  out.rows[2] = row_of_operand(text.operands[1], Width::pred, ptx::Type::pred);
  if (is_sync) membermask(text.operands[2], out);
}

void FunctionDecoder::decode_match(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"sync", "any", "all"});
  expect_operands(text, 3, 3);
  Collective& collective =
      add_collective(text.has("all") ? Collective::Op::match_all : Collective::Op::match_any, out);
  collective.width = width_of(text.type());
  if (collective.width != Width::b32 && collective.width != Width::b64)
    throw std::invalid_argument("there is no such form");
  destination_pair(text.operands[0], Width::b32, out);
  out.rows[2] = row_of_operand(text.operands[1], collective.width, text.type());
  membermask(text.operands[2], out);
}

void FunctionDecoder::decode_redux(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"sync", "add", "min", "max", "and", "or", "xor", "abs", "NaN"});
  expect_operands(text, 3, 3);
  Collective& collective = add_collective(Collective::Op::redux, out);
  for (std::string_view name : {"add", "min", "max", "and", "or", "xor"})
    if (text.has(name))
      collective.redux = instructions::find_redux(name, text.type(), text.has("abs"), text.has("NaN"));
  if (collective.redux == nullptr) throw std::invalid_argument("there is no such form");
  out.rows[0] = row_of_operand(text.operands[0], Width::b32, text.type());
  out.rows[2] = row_of_operand(text.operands[1], Width::b32, text.type());
  membermask(text.operands[2], out);
}

void FunctionDecoder::decode_elect(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"sync"});
  expect_operands(text, 2, 2);
  add_collective(Collective::Op::elect, out);
  destination_pair(text.operands[0], Width::b32, out);
  membermask(text.operands[1], out);
}

void FunctionDecoder::decode_active_mask(const ptx::Instruction& text, Instruction& out) {
  expect_operands(text, 1, 1);
  out.kind = Kind::active_mask;
  out.rows[0] = row_of_operand(text.operands[0], Width::b32, ptx::Type::b32);
  flow_ = flow_to({}, 1, {Width::b32});
}

}  // namespace warpwise::simulator::decode
