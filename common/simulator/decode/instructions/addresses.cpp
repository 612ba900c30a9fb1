// cvta and isspacep (PTX ISA 9.7.9.19, 9.7.9.20): generic addresses of the spaces other than global lie in
// the windows of memory.hpp; generic and global addresses are the same.
#include "../../memory.hpp"
#include "families.hpp"
#include "rows.hpp"

namespace warpwise::simulator::decode::instructions {
namespace {

using ptx::Type;

template <std::uint64_t window>
constexpr std::uint64_t to_generic(std::uint64_t address) {
  return address + window;
}
template <std::uint64_t window>
constexpr std::uint64_t from_generic(std::uint64_t address) {
  return address - window;
}
template <std::uint64_t window>
constexpr bool lies_in(std::uint64_t address) {
  return address - window < window_bytes;
}
constexpr bool is_global(std::uint64_t address) {
  return !lies_in<shared_window>(address) && !lies_in<local_window>(address) &&
         !lies_in<constant_window>(address) && !lies_in<param_window>(address);
}

template <class Find>
LaneOperation by_space(Form& form, Find find) {
  const auto space = form.take_one_of(
      {"shared", "shared::cta", "shared::cluster", "local", "const", "param", "param::entry", "param::func"});
  if (space.starts_with("shared")) return find.template operator()<shared_window>();
  if (space == "local") return find.template operator()<local_window>();
  if (space == "const") return find.template operator()<constant_window>();
  if (space.starts_with("param")) return find.template operator()<param_window>();
  form.reject("state space missing");
}

}  // namespace

LaneOperation find_cvta(Form& form) {
  if (form.take_type() != Type::u64) form.reject("addresses have 64 bits here");
  const bool to = form.take("to");
  if (form.take("global")) return vectorised<to_generic<0>>();
  return by_space(form, [&]<std::uint64_t window>() {
    return to ? vectorised<from_generic<window>>() : vectorised<to_generic<window>>();
  });
}

LaneOperation find_isspacep(Form& form) {
  if (form.take("global")) return vectorised<is_global>();
  return by_space(form, []<std::uint64_t window>() { return vectorised<lies_in<window>>(); });
}

}  // namespace warpwise::simulator::decode::instructions
