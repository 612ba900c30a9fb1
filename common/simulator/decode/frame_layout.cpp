#include "frame_layout.hpp"

#include <stdexcept>

namespace warpwise::simulator::decode {

namespace {

constexpr std::uint32_t row_alignment = 64;

std::uint32_t round_up(std::uint32_t value, std::uint32_t unit) { return (value + unit - 1) / unit * unit; }

struct SpecialName {
  std::string_view name;
  Special special;
};

/// PTX ISA chapter 10. A grid has one cluster of one block per block here (10.12 to 10.17).
constexpr SpecialName special_names[] = {
    {"tid.x", Special::tid_x},
    {"tid.y", Special::tid_y},
    {"tid.z", Special::tid_z},
    {"ntid.x", Special::ntid_x},
    {"ntid.y", Special::ntid_y},
    {"ntid.z", Special::ntid_z},
    {"ctaid.x", Special::ctaid_x},
    {"ctaid.y", Special::ctaid_y},
    {"ctaid.z", Special::ctaid_z},
    {"nctaid.x", Special::nctaid_x},
    {"nctaid.y", Special::nctaid_y},
    {"nctaid.z", Special::nctaid_z},
    {"laneid", Special::laneid},
    {"warpid", Special::warpid},
    {"nwarpid", Special::nwarpid},
    {"smid", Special::smid},
    {"nsmid", Special::nsmid},
    {"gridid", Special::gridid},
    {"lanemask_eq", Special::lanemask_eq},
    {"lanemask_lt", Special::lanemask_lt},
    {"lanemask_le", Special::lanemask_le},
    {"lanemask_gt", Special::lanemask_gt},
    {"lanemask_ge", Special::lanemask_ge},
    {"dynamic_smem_size", Special::dynamic_smem_size},
    {"envreg1", Special::grid_workspace_high},
    {"envreg2", Special::grid_workspace_low},
    {"total_smem_size", Special::total_smem_size},
    {"aggr_smem_size", Special::total_smem_size},
    {"reserved_smem_offset_begin", Special::reserved_smem_begin},
    {"reserved_smem_offset_end", Special::reserved_smem_end},
    {"reserved_smem_offset_cap", Special::reserved_smem_cap},
    {"reserved_smem_offset_0", Special::reserved_smem_0},
    {"reserved_smem_offset_1", Special::reserved_smem_1},
    {"WARP_SZ", Special::lanes_in_warp},
    {"clusterid.x", Special::ctaid_x},
    {"clusterid.y", Special::ctaid_y},
    {"clusterid.z", Special::ctaid_z},
    {"nclusterid.x", Special::nctaid_x},
    {"nclusterid.y", Special::nctaid_y},
    {"nclusterid.z", Special::nctaid_z},
    {"cluster_ctaid.x", Special::zero},
    {"cluster_ctaid.y", Special::zero},
    {"cluster_ctaid.z", Special::zero},
    {"cluster_nctaid.x", Special::one},
    {"cluster_nctaid.y", Special::one},
    {"cluster_nctaid.z", Special::one},
    {"cluster_ctarank", Special::zero},
    {"cluster_nctarank", Special::one},
};

}  // namespace

std::uint32_t bytes_of(Width width) {
  switch (width) {
    case Width::pred:
      return sizeof(LaneMask);
    case Width::b32:
      return 4 * warp_size;
    case Width::b64:
      return 8 * warp_size;
    case Width::b128:
      return 16 * warp_size;
  }
  return 0;
}

Width width_of(ptx::Type type) {
  if (type == ptx::Type::pred) return Width::pred;
  const std::uint32_t bytes = ptx::bytes_of(type);
  return bytes == 16 ? Width::b128 : bytes == 8 ? Width::b64 : Width::b32;
}

FrameBuilder::FrameBuilder(const ptx::Function& function) : function_(function) {
  registers_.resize(function.registers.size());
  // Predicates first and close together: they are read at every branch.
  for (std::size_t i = 0; i < registers_.size(); ++i)
    if (function.registers[i].type == ptx::Type::pred) registers_[i] = add(Width::pred);
  for (std::size_t i = 0; i < registers_.size(); ++i)
    if (function.registers[i].type != ptx::Type::pred)
      registers_[i] = add(width_of(function.registers[i].type));
  for (std::size_t i = 0; i < function.parameters.size() + function.returns.size(); ++i) {
    const bool is_return = i >= function.parameters.size();
    const ptx::Parameter& p =
        is_return ? function.returns[i - function.parameters.size()] : function.parameters[i];
    const bool is_kernel_formal = function.is_kernel && i < function.formals;
    LanePlace area{0, 0, static_cast<std::uint32_t>(p.bytes)};
    if (p.is_register) {
      area.bytes = bytes_of(width_of(p.type)) / warp_size;
      area.start = registers_[p.reg];
      area.stride = area.bytes;
    } else if (!is_kernel_formal) {
      area.stride = round_up(area.bytes, 16);
      area.start = round_up(layout_.bytes, row_alignment);
      layout_.bytes = area.start + area.stride * warp_size;
    }
    layout_.parameters.push_back(area);
  }
}

Row FrameBuilder::add(Width width) {
  const Row row = round_up(layout_.bytes, width == Width::pred ? 4 : row_alignment);
  layout_.bytes = row + bytes_of(width);
  return row;
}

Row FrameBuilder::immediate(std::uint64_t bits, Width width) {
  auto [at, is_new] = immediates_.try_emplace({bits, width}, 0);
  if (is_new) layout_.immediates.push_back({at->second = add(width), width, bits});
  return at->second;
}

Row FrameBuilder::special(std::string_view name, Width width) {
  // What an H200 gives for clusters of one block, too (PTX ISA 10.12).
  if (name == "is_explicit_cluster") return immediate(function_.has_explicit_clusters ? 1 : 0, width);
  for (const SpecialName& known : special_names) {
    if (known.name != name) continue;
    auto [at, is_new] = specials_.try_emplace({known.special, width}, 0);
    if (is_new) layout_.specials.push_back({at->second = add(width), width, known.special});
    return at->second;
  }
  throw std::invalid_argument("special register %" + std::string(name) + " is not known");
}

Row FrameBuilder::local_address(std::int64_t offset, Width width) {
  auto [at, is_new] = local_addresses_.try_emplace({offset, width}, 0);
  if (is_new) layout_.local_addresses.push_back({at->second = add(width), width, offset});
  return at->second;
}

Row FrameBuilder::dynamic_address(std::int64_t offset, Width width) {
  auto [at, is_new] = dynamic_addresses_.try_emplace({offset, width}, 0);
  if (is_new) layout_.dynamic_addresses.push_back({at->second = add(width), width, offset});
  return at->second;
}

Row FrameBuilder::kernel_parameter(std::uint32_t offset, std::uint8_t bytes, bool is_signed, Width width) {
  auto [at, is_new] = kernel_parameters_.try_emplace({offset, bytes, is_signed, width}, 0);
  if (is_new) layout_.kernel_parameters.push_back({at->second = add(width), width, offset, bytes, is_signed});
  return at->second;
}

Row FrameBuilder::scratch(Width width) {
  auto [at, is_new] = scratch_.try_emplace(width, 0);
  if (is_new) at->second = add(width);
  return at->second;
}

Row FrameBuilder::carry() {
  if (!carry_) carry_ = add(Width::pred);
  return *carry_;
}

void FrameBuilder::leave_unset(ptx::RegisterId id) {
  layout_.unset.push_back({registers_[id], width_of(function_.registers[id].type)});
}

FrameLayout FrameBuilder::finish() {
  layout_.bytes = round_up(layout_.bytes, row_alignment);
  return std::move(layout_);
}

}  // namespace warpwise::simulator::decode
