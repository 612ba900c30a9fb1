/// \file Control flow of random kernels: each branch knows which lanes take it.

#include "writer.hpp"

namespace warpwise::simulator::tests {

void Writer::statements(const Context& context, std::uint32_t count) {
  static constexpr Statement anywhere[] = {&Writer::assign,     &Writer::assign,       &Writer::assign,
                                           &Writer::assign,     &Writer::local_array,  &Writer::call,
                                           &Writer::own_atomic, &Writer::shared_total, &Writer::global_total,
                                           &Writer::vote,       &Writer::match,        &Writer::reduce,
                                           &Writer::shuffle,    &Writer::shuffle,      &Writer::load};
  static constexpr Statement control[] = {&Writer::branch, &Writer::branch,       &Writer::split_by_lane,
                                          &Writer::loop,   &Writer::counted_loop, &Writer::choose};
  static constexpr Statement block[] = {&Writer::exchange, &Writer::exchange_vectors, &Writer::block_vote};
  for (std::uint32_t k = 0; k < count; ++k) {
    if (context.is_block_uniform && random_.chance(20))
      (this->*block[random_.below(3)])(context);
    else if (context.depth < 3 && random_.chance(25))
      (this->*control[random_.below(6)])(context);
    else
      (this->*anywhere[random_.below(15)])(context);
  }
}

void Writer::branch(const Context& context) {
  const std::string taken = fresh("taken"), mask = fresh("mask");
  line(context, "const bool " + taken + " = $?;");
  line(context, "const u32 " + mask + " = __ballot_sync(MASK, " + taken + ");");
  Context inside{mask, 0, false, context.depth + 1, context.indent + 1};
  line(context, "if (" + taken + ") {");
  statements(inside, 1 + random_.below(4));
  if (random_.chance(60)) {
    line(context, "} else {");
    inside.mask = "(" + context.mask + " & ~" + mask + ")";
    statements(inside, 1 + random_.below(4));
  }
  line(context, "}");
}

/// Whole groups of 4, 8 or 16 lanes go one way: there every shuffle within a group is allowed.
void Writer::split_by_lane(const Context& context) {
  if (context.group != 32) return branch(context);
  static constexpr const char* odd_groups[] = {"0xf0f0f0f0u", "0xff00ff00u", "0xffff0000u"};
  const std::uint32_t k = random_.below(3);
  const std::string odd = odd_groups[k];
  Context inside{odd, 4u << k, false, context.depth + 1, context.indent + 1};
  line(context, "if (lane & " + std::to_string(inside.group) + ") {");
  statements(inside, 1 + random_.below(4));
  line(context, "} else {");
  inside.mask = "(~" + odd + ")";
  statements(inside, 1 + random_.below(4));
  line(context, "}");
}

/// The number of turns is each lane's own; at the end of a turn those that go on tell each other.
void Writer::loop(const Context& context) {
  const std::string end = fresh("end"), mask = fresh("mask"), turn = fresh("turn");
  line(context, "const u32 " + end + " = $u32 & " + std::string(one_of({"3", "7"})) + ";");
  line(context, "u32 " + mask + " = __ballot_sync(MASK, " + end + " > 0);");
  // NVVM may unroll a loop of unknown length although it holds `*.sync` instructions: then lanes of one mask
  // stand at different copies of one of them, and what the hardware does depends on time.
  text_ += "#pragma unroll 1\n";
  line(context, "for (u32 " + turn + " = 0; " + turn + " < " + end + ";) {");
  const Context inside{mask, 0, false, context.depth + 1, context.indent + 1};
  statements(inside, 1 + random_.below(3));
  line(inside, "@u32 += " + turn + ";");
  line(inside, "++" + turn + ";");
  line(inside, mask + " = __ballot_sync(MASK, " + turn + " < " + end + ");");
  line(context, "}");
}

void Writer::counted_loop(const Context& context) {
  const std::string turn = fresh("turn"), turns = std::to_string(2 + random_.below(3));
  text_ += "#pragma unroll 1\n";
  line(context, "for (u32 " + turn + " = 0; " + turn + " < " + turns + "; ++" + turn + ") {");
  Context inside = context;
  inside.depth += 1;
  inside.indent += 1;
  statements(inside, 1 + random_.below(3));
  line(inside, "@u32 ^= " + turn + ";");
  line(context, "}");
}

void Writer::choose(const Context& context) {
  const std::string key = fresh("key"), mask = fresh("mask");
  line(context, "const u32 " + key + " = ($u32) % 6;");
  line(context, "const u32 " + mask + " = __match_any_sync(MASK, " + key + ");");
  line(context, "switch (" + key + ") {");
  const Context inside{mask, 0, false, context.depth + 1, context.indent + 2};
  Context label = context;
  label.indent += 1;
  for (std::uint32_t k = 0; k < 5; ++k) {
    line(label, "case " + std::to_string(k) + ": {");
    statements(inside, 1 + random_.below(2));
    line(label, "} break;");
  }
  line(label, "default: @u32 += 1;");
  line(context, "}");
}

}  // namespace warpwise::simulator::tests
