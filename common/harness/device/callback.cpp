#include "callback.hpp"

namespace warpwise::harness::detail {

Callable::~Callable() = default;

SharedCallable::SharedCallable(Callable* owned) : callable_(owned) {}
SharedCallable::SharedCallable(const SharedCallable&) = default;
SharedCallable& SharedCallable::operator=(const SharedCallable&) = default;
SharedCallable::~SharedCallable() = default;

}  // namespace warpwise::harness::detail
