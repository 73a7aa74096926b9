// SPDX-License-Identifier: Apache-2.0
// The objects behind Functions: all have the same body; in a Closure the callable follows it.
#pragma once

#include <utility>

#include "tain/internal/invoke.h"

namespace tain {

/// The object behind Function.
class FunctionObj : public Object {
 public:
  TainFunctionBody body{};

  TAIN_INTERNAL_BUILTIN_TYPE("ffi.Function", kTainFunction, false);
};

class Function;

namespace internal {

/// A Function object that stores a callable after the body.
template <class F>
class Closure : public FunctionObj {
 public:
  explicit Closure(F f) : callable(std::move(f)) { body.cell.safe_call = &SafeCall; }
  F callable;

  static int SafeCall(void* self, const TainAny* args, int32_t num_args, TainAny* result) noexcept {
    using Invoke = typename SignatureTools<SignatureOf<F>>::Invoke;
    auto* closure = static_cast<Closure*>(ObjectAccess::FromHeader(static_cast<TainObject*>(self)));
    try {
      if (TAIN_LIKELY(
              Invoke::Call(closure->callable, closure->body.info, args, num_args, result))) {
        return 0;
      }
      if constexpr (requires { &F::CallShorter; }) {
        if (closure->callable.CallShorter(closure->body.info, args, num_args, result)) return 0;
      }
    } catch (...) {
      return FailedIn(closure->body.info);
    }
    return CallCompleted(&SafeCall, self, closure->body.info, {Invoke::kParams, Invoke::kKeywords},
                         args, num_args, result);
  }
};

/// A callable that can be copied as bytes, so that libtain can make its Function.
template <class F>
inline constexpr bool kIsPlainCallable =
    std::is_trivially_copyable_v<F> && std::is_trivially_destructible_v<F> && alignof(F) <= 8;

/// The data from which libtain makes the Closure of a plain callable.
struct PlainClosure {
  TainSafeCall safe_call;
  size_t callable_size;
};
template <class F>
TAIN_HIDDEN inline constexpr PlainClosure kPlainClosure = {&Closure<F>::SafeCall, sizeof(F)};

/// Makes a Function object with a copy of the callable after its body. Throws std::bad_alloc.
TAIN_DLL ObjectPtr<FunctionObj> MakePlainClosure(const PlainClosure& closure, const void* callable);

/// Makes a Function object that stores a callable.
template <class F>
ObjectPtr<FunctionObj> MakeClosure(F f) {
  if constexpr (kIsPlainCallable<F>) {
    static_assert(sizeof(Closure<F>) == sizeof(FunctionObj) + ((sizeof(F) + 7) & ~size_t{7}));
    return MakePlainClosure(kPlainClosure<F>, &f);
  } else {
    return make_object<Closure<F>>(std::move(f));
  }
}

/// The callable of which a Function is made: for a member function a MemberCall, which takes the
/// object first.
template <class D>
struct FunctionCall {
  using Type = D;
};
template <IsMember D>
struct FunctionCall<D> {
  using Type = MemberCall<typename MemberSignature<D>::Class, D>;
};

/// An existing Function, whose signature is not known at compile time.
template <class F>
concept IsReadyFunction = std::is_same_v<std::decay_t<F>, Function>;

}  // namespace internal
}  // namespace tain
