#pragma once
/// \file A value that is made once, by whoever asks first; the others wait.

#include <mutex>
#include <optional>

namespace warpwise::text {

template <class T>
class Once {
 public:
  /// What `make()` gave the first time. Where it throws, the next one tries again.
  template <class Make>
  const T& get(Make make) {
    std::call_once(flag_, [&] { value_.emplace(make()); });
    return *value_;
  }

 private:
  std::once_flag flag_;
  std::optional<T> value_;
};

}  // namespace warpwise::text
