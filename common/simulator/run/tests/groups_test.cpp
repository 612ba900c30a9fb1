/// \file Which lanes of a warp run next, without a kernel: groups, schedules, and frames of calls.

#include "../groups.hpp"

#include "../call_stack.hpp"
#include "fixture.hpp"

namespace warpwise::simulator::run {

namespace {

/// Twenty instructions, the last an exit, and two frames: a kernel's and one of a call.
struct Places {
  Code code;
  Frame kernel, called;
  Groups groups{code};

  explicit Places(Schedule::Kind schedule = Schedule::Kind::converged, std::uint64_t seed = 0) {
    code.instructions.resize(20);
    for (Instruction& instruction : code.instructions) instruction.kind = Kind::lane;
    code.instructions.back().kind = Kind::exit;
    called.depth = 1;
    groups.begin(schedule, seed);
  }
};

}  // namespace

TEST_CASE("lanes that agree are found, and every part once, lowest lane first") {
  const std::uint32_t key[] = {7, 3, 7, 3, 9};
  const auto key_of = [&](std::uint32_t lane) { return key[lane]; };
  CHECK(agreeing(0b11111, key_of) == 0b00101);
  CHECK(agreeing(0b11010, key_of) == 0b01010);
  std::vector<LaneMask> parts;
  for_each_agreeing(0b11111, key_of, [&](LaneMask same) { parts.push_back(same); });
  CHECK(parts == std::vector<LaneMask>{0b00101, 0b01010, 0b10000});
  std::vector<std::uint32_t> lanes;
  for (const std::uint32_t lane : lanes_in(0x80000009u)) lanes.push_back(lane);
  CHECK(lanes == std::vector<std::uint32_t>{0, 3, 31});
}

TEST_CASE("the deepest call runs first, then the lowest pc, up to where another group waits") {
  Places at;
  at.groups.add(&at.kernel, 9, 0x000f);
  at.groups.add(&at.kernel, 4, 0x00f0);
  Group* next = at.groups.select(0);
  REQUIRE(next != nullptr);
  CHECK(next->pc == 4);
  CHECK(at.groups.limit() == 9);
  at.groups.add(&at.called, 12, 0x0f00);
  next = at.groups.select(0);
  CHECK(next->mask == 0x0f00);
  CHECK(at.groups.limit() == no_pc);
}

TEST_CASE("a lane that is in no group, or in two, is noticed") {
  Places at;
  at.groups.add(&at.kernel, 4, 0x00f0);
  Group& second = at.groups.add(&at.kernel, 9, 0x000f);
  CHECK(at.groups.hold(0x00ff));
  CHECK_FALSE(at.groups.hold(0x01ff));
  CHECK_FALSE(at.groups.hold(0x007f));
  second.mask = 0x001f;
  CHECK_FALSE(at.groups.hold(0x00ff));
}

TEST_CASE("lanes about to leave the kernel go before all") {
  Places at;
  at.groups.add(&at.kernel, 4, 0x00f0);
  at.groups.add(&at.kernel, 19, 0x000f);
  CHECK(at.groups.select(0)->mask == 0x000f);
}

TEST_CASE("groups part, and become one where they are ready at one place of one call") {
  Places at;
  Group& all = at.groups.add(&at.kernel, 3, 0xffff);
  Group& away = at.groups.split_off(all, 0xff00, 8);
  CHECK(all.mask == 0x00ff);
  CHECK(away.pc == 8);
  CHECK(at.groups.of_lane(15) == &away);
  CHECK(at.groups.of_lane(16) == nullptr);
  all.pc = 8;
  away.state = Group::State::at_barrier;
  at.groups.meet();
  CHECK(at.groups.end() - at.groups.begin() == 2);
  away.state = Group::State::ready;
  at.groups.meet();
  CHECK(at.groups.end() - at.groups.begin() == 1);
  CHECK(at.groups.begin()->mask == 0xffff);
}

TEST_CASE("under lockstep the sides of a branch wait for each other, and not for lanes that have exited") {
  Places at(Schedule::Kind::lockstep);
  Group& left = at.groups.add(&at.kernel, 5, 0xffff);
  at.groups.expect_meeting(left, 10);
  Group& right = at.groups.split_off(left, 0xff00, 12);
  left.pc = 10;
  CHECK(at.groups.select(0)->pc == 12);  // though 10 is lower: it waits
  Places alone(Schedule::Kind::lockstep);
  Group& whole = alone.groups.add(&alone.kernel, 5, 0xffff);
  alone.groups.expect_meeting(whole, 10);
  alone.groups.split_off(whole, 0xff00, 12);
  whole.pc = 10;
  CHECK(alone.groups.select(0xff00)->pc == 10);
  right.pc = 10;
  const Group* together = at.groups.select(0);
  REQUIRE(together != nullptr);
  CHECK(together->mask == 0xffff);
}

TEST_CASE("split takes the same turns for the same seed, and others for another") {
  const auto turns = [](std::uint64_t seed) {
    Places at(Schedule::Kind::split, seed);
    at.groups.add(&at.kernel, 2, all_lanes);
    std::vector<LaneMask> masks;
    for (int i = 0; i < 50; ++i) masks.push_back(at.groups.select(0)->mask);
    return masks;
  };
  CHECK(turns(1) == turns(1));
  CHECK(turns(1) != turns(2));
}

TEST_CASE("a group that polls makes way after a while, and one that changes memory goes on") {
  Group polls, works;
  bool has_made_way = false;
  for (int i = 0; i < 64; ++i) {
    polls.note_poll(3);
    has_made_way |= !polls.jump_back();
    works.note_poll(3);
    works.note_change();
    CHECK(works.jump_back());
  }
  CHECK(has_made_way);
  CHECK_FALSE(polls.can_run());
}

TEST_CASE("lanes that call one function share its frame, and return to where each came from") {
  const std::string text = kernel("ret;", ".func deeper() { .local .b32 own[4]; ret; }\n");
  Machine m(text);
  LaunchRequest request;
  request.kernel = "k";
  LaunchState launch{*m.program, m.program->decoded(), m.memory, request, m.options};
  launch.context.program = m.program.get();
  launch.kernel = launch.code.owners[m.program->find_kernel("k")->entry];
  launch.parameters.resize(8);
  const std::uint32_t deeper = 1 - launch.kernel;
  BlockContext block;
  block.launch = &launch.context;
  WarpContext warp;
  warp.block = &block;
  FramePool pool(launch.code);
  const ObserverList nobody;
  CallStack stack(pool, launch, nobody, warp);
  Frame& bottom = stack.begin(0xff);

  const Call call;
  Frame* const frame = stack.enter(bottom, call, deeper, 5, 0x0f);
  REQUIRE(frame != nullptr);
  CHECK(frame->depth == 1);
  CHECK(stack.local_bytes() >= 16);
  CHECK(stack.local()[0] == poison);
  CHECK(stack.enter(bottom, call, deeper, 9, 0xf0) == frame);
  CHECK(frame->lanes == 0xff);
  const CallStack::Return first = stack.leave(*frame, 0xff);
  CHECK(first.caller == &bottom);
  CHECK(first.pc == 5);
  CHECK(first.lanes == 0x0f);
  CHECK(stack.leave(*frame, 0xf0).pc == 9);

  Frame* top = &bottom;
  std::uint32_t depth = 0;
  while (Frame* next = stack.enter(*top, call, deeper, 5, 1)) {
    top = next;
    ++depth;
  }
  CHECK(depth == 512);
  stack.end();
}

}  // namespace warpwise::simulator::run
