#pragma once
/// \file Names of the special registers (PTX ISA chapter 10).

#include <string_view>

namespace warpwise::simulator::ptx {

/// Whether `name`, without `%` and without `.x`, is one: "tid", "laneid", "clock64".
bool is_special_register(std::string_view name);

}  // namespace warpwise::simulator::ptx
