#include "special_registers.hpp"

#include <algorithm>
#include <array>

namespace warpwise::simulator::ptx {
namespace {

constexpr std::array<std::string_view, 37> plain = {
    "tid",
    "ntid",
    "laneid",
    "warpid",
    "nwarpid",
    "ctaid",
    "nctaid",
    "smid",
    "nsmid",
    "gridid",
    "is_explicit_cluster",
    "clusterid",
    "nclusterid",
    "cluster_ctaid",
    "cluster_nctaid",
    "cluster_ctarank",
    "cluster_nctarank",
    "lanemask_eq",
    "lanemask_le",
    "lanemask_lt",
    "lanemask_ge",
    "lanemask_gt",
    "clock",
    "clock_hi",
    "clock64",
    "globaltimer",
    "globaltimer_lo",
    "globaltimer_hi",
    "reserved_smem_offset_begin",
    "reserved_smem_offset_end",
    "reserved_smem_offset_cap",
    "reserved_smem_offset_0",
    "reserved_smem_offset_1",
    "total_smem_size",
    "aggr_smem_size",
    "dynamic_smem_size",
    "current_graph_exec",
};

/// `pm0` … `pm7`, `envreg0` … `envreg31`: families that end in a number.
bool is_numbered(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return false;
  const std::string_view digits = name.substr(prefix.size());
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !digits.empty() && digits.size() <= 2 && std::all_of(digits.begin(), digits.end(), is_digit);
}

}  // namespace

bool is_special_register(std::string_view name) {
  if (std::find(plain.begin(), plain.end(), name) != plain.end()) return true;
  if (name.starts_with("pm") && name.ends_with("_64")) name.remove_suffix(3);
  return is_numbered(name, "pm") || is_numbered(name, "envreg");
}

}  // namespace warpwise::simulator::ptx
