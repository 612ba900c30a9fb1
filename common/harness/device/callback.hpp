#pragma once
/// \file Callback: what std::function is, for a quarter of the compiler's time. A chapter's checks have some
/// hundred lambdas, each a type of its own: what is not of that type is compiled once, in callback.cpp.

#include <memory>
#include <type_traits>
#include <utility>

namespace warpwise::harness {

namespace detail {
struct Callable {
  Callable() = default;
  Callable(const Callable&) = delete;  ///< it is shared
  Callable& operator=(const Callable&) = delete;
  virtual ~Callable();
};
/// Shares it with its copies.
class SharedCallable {
 public:
  explicit SharedCallable(Callable* owned = nullptr);
  SharedCallable(const SharedCallable&);
  SharedCallable& operator=(const SharedCallable&);
  ~SharedCallable();
  Callable* get() const { return callable_.get(); }

 private:
  std::shared_ptr<Callable> callable_;
};
}  // namespace detail

template <class Signature>
class Callback;
/// Copies share what they call.
template <class Result, class... Arguments>
class Callback<Result(Arguments...)> {
 public:
  Callback() = default;  ///< nothing, and not to be called
  template <class Call>
  requires(!std::is_same_v<Call, Callback>) Callback(Call call)
      : call_(new Of<Call>(std::move(call))) {}  // NOLINT: implicit on purpose
  explicit operator bool() const { return call_.get() != nullptr; }
  Result operator()(Arguments... arguments) const {
    return static_cast<Any*>(call_.get())->call(std::forward<Arguments>(arguments)...);
  }

 private:
  struct Any : detail::Callable {
    virtual Result call(Arguments... arguments) = 0;
  };
  template <class Call>
  struct Of final : Any {
    explicit Of(Call&& call) : call_(std::move(call)) {}
    Result call(Arguments... arguments) override { return call_(std::forward<Arguments>(arguments)...); }
    Call call_;
  };
  detail::SharedCallable call_;
};

}  // namespace warpwise::harness
