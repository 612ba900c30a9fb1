// The block that draws the last ticket goes on to read what the others have published. PTX orders that only
// with a fence on both sides (ISA 8.8, release and acquire patterns): in front of the ticket, and behind it.
// The second is missing in much code, NVIDIA's own samples among it, and is rarely missed: so it is a note.
#include <algorithm>
#include <set>

#include "../ptx/function_text.hpp"
#include "observers.hpp"
#include "program_facts.hpp"

namespace warpwise::simulator::observe {

namespace {

constexpr std::uint32_t note_rank = 2;  // behind whatever else is found in the line

/// Parameters and variables, by number: where the pointers to memory come from.
struct Pointers {
  std::set<std::uint32_t> parameters, variables;

  void add(const ptx::Operand& operand) {
    using Kind = ptx::Operand::Kind;
    const Kind kind = operand.kind == Kind::address ? operand.base : operand.kind;
    if (kind == Kind::param) parameters.insert(operand.param);
    if (kind == Kind::variable) variables.insert(operand.variable);
  }
  bool meet(const Pointers& other) const {
    const auto have_common = [](const auto& a, const auto& b) {
      return std::ranges::any_of(a, [&](std::uint32_t each) { return b.contains(each); });
    };
    return have_common(parameters, other.parameters) || have_common(variables, other.variables);
  }
};

Pointers pointers_behind(const ptx::Function& function, const ptx::Operand& address) {
  Pointers pointers;
  pointers.add(address);
  std::set<ptx::RegisterId> reached;
  const auto reach = [&](ptx::RegisterId reg) { reached.insert(reg); };
  ptx::visit_registers(address, reach);
  for (std::size_t before = ~std::size_t{0}; before != reached.size();) {
    before = reached.size();
    for (const ptx::Instruction& each : function.code) {
      if (!each.has_destination() || each.operands.empty()) continue;
      bool is_written = false;
      ptx::visit_registers(each.operands[0],
                           [&](ptx::RegisterId reg) { is_written |= reached.contains(reg); });
      const bool is_memory = each.row->access != ptx::MemoryAccess::none && each.space() != ptx::Space::param;
      if (!is_written || is_memory) continue;
      for (std::size_t i = 1; i < each.operands.size(); ++i) {
        pointers.add(each.operands[i]);
        ptx::visit_registers(each.operands[i], reach);
      }
    }
  }
  return pointers;
}

bool is_global(const ptx::Instruction& each) {
  return each.row->access != ptx::MemoryAccess::none &&
         (each.space() == ptx::Space::global || each.space() == ptx::Space::generic);
}

bool is_wide_fence(const ptx::Instruction& each) {
  return each.row->what == ptx::InstructionClass::fence && !each.has("cta");
}

bool acquires(const ptx::Instruction& each) { return each.has("acquire") || each.has("acq_rel"); }

/// A ticket without a fence behind it, and a load that would need one.
struct Unfenced {
  std::size_t ticket = 0, load = 0;
};

std::optional<Unfenced> unfenced_in(const ptx::Function& function) {
  const auto& code = function.code;
  const auto place = [&](auto each) { return static_cast<std::size_t>(each - code.begin()); };
  const auto fence = std::find_if(code.begin(), code.end(), is_wide_fence);
  const auto ticket = std::find_if(fence, code.end(), [&](const ptx::Instruction& each) {
    if (!is_global(each) || each.row->access != ptx::MemoryAccess::atomic || acquires(each)) return false;
    const auto at = static_cast<std::size_t>(&each - code.data());
    const ValueUses uses = RegisterReaders(function).uses_of(at);
    return !ptx::is_in_loop(function, at, at) && (!uses.branches.empty() || uses.goes_to_shared);
  });
  const auto is_order = [&](const ptx::Instruction& each) { return is_wide_fence(each) || acquires(each); };
  if (ticket == code.end() || std::any_of(ticket, code.end(), is_order)) return std::nullopt;
  for (auto load = ticket; load != code.end(); ++load) {
    if (!is_global(*load) || load->row->access != ptx::MemoryAccess::load) continue;
    const Pointers read = pointers_behind(function, load->operands[1]);
    for (auto store = code.begin(); store != fence; ++store)
      if (is_global(*store) && store->row->access == ptx::MemoryAccess::store &&
          pointers_behind(function, store->operands[0]).meet(read))
        return Unfenced{place(ticket), place(load)};
  }
  return std::nullopt;
}

class LastTicket final : public ReportPart {
 public:
  explicit LastTicket(const LaunchContext& launch) : launch_(launch) {}
  void add_observer(ObserverList&, FindingLog&) override {}
  void end(LaunchReport&, FindingLog& log) override {
    const Program& program = *launch_.program;
    const Program::KernelInfo& kernel = *program.find_kernel(launch_.kernel);
    const auto found = unfenced_in(*kernel.function);
    if (!found) return;
    const Pc ticket = kernel.entry + static_cast<Pc>(found->ticket);
    const Pc load = kernel.entry + static_cast<Pc>(found->load);
    log.add(
        FindingKind::race, ticket, 0,
        [&] {
          Description description;
          description.pc = ticket;
          description.is_note = true;
          const std::string line = std::to_string(near_place_of(program, ticket).place.line);
          description.message =
              "the block that draws the last ticket here reads what other blocks have written (line " +
              std::to_string(near_place_of(program, load).place.line) + ") without a fence of its own";
          description.as_note =
              "the memory model orders the two only if there is a second __threadfence(), after line " + line;
          return description;
        },
        note_rank);
  }

 private:
  const LaunchContext& launch_;
};

}  // namespace

std::unique_ptr<ReportPart> last_ticket(const Watched& watched) {
  const LaunchContext& launch = watched.launch;
  if (std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z < 2) return nullptr;
  return std::make_unique<LastTicket>(launch);
}

}  // namespace warpwise::simulator::observe
