// SPDX-License-Identifier: Apache-2.0
// std::function crosses as Function: any callable is accepted, an empty one is None. A callable
// that came from Python returns as the same Function.
#pragma once

#include <functional>
#include <utility>

#include "tain/function.h"
#include "tain/internal/edges.h"

namespace tain {
namespace internal {

template <class Sig>
inline constexpr bool kCallableCrosses<std::function<Sig>> = true;
template <class R, class... P>
inline constexpr bool kCallbackRefers<std::function<R(P...)>> = RefersTo<R>;

template <class R, class... P>
  requires(LenientTraits<std::decay_t<R>>::kHelps)
struct LenientResults<std::function<R(P...)>> {
  using Typed = TypedFunction<R(P...)>;
  static constexpr bool kHelps = true;
  static void Apply(std::function<R(P...)>* f) {
    if (const Typed* typed = f->template target<Typed>()) *f = LenientCall<Typed>{*typed};
  }
};

}  // namespace internal

template <class R, class... P>
struct TypeTraits<std::function<R(P...)>> : internal::ReadingTraits<std::function<R(P...)>> {
  using F = std::function<R(P...)>;
  using Typed = TypedFunction<R(P...)>;
  static constexpr bool kCrosses = internal::kGoodSignature<internal::Signature<R, P...>>;
  static constexpr bool kViewable = false;
  static constexpr bool kHoldsEdges = true;

  /// A std::function made from a Function holds a reference to it. The references inside any other
  /// callable are unknown.
  static int VisitEdges(const F& v, const internal::EdgeVisit& visit) {
    const Typed* typed = TypedIn(v);
    return typed == nullptr ? 0 : internal::VisitEdgesOf(*typed, visit);
  }
  static void ClearEdges(F& v) {
    if (TypedIn(v) == nullptr) return;
    F taken;
    taken.swap(v);
  }
  static void MoveToAny(const F& v, TainAny* out) {
    if (const Typed* from_any = TypedIn(v)) {
      return TypeTraits<Typed>::MoveToAny(*from_any, out);
    }
    TypeTraits<Function>::MoveToAny(v ? Function::Wrap(v) : Function(), out);
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return TypeTraits<Typed>::CheckAnyStrict(a);
  }
  static F CopyFromAnyViewAfterCheck(const TainAny* a) {
    Typed typed = TypeTraits<Typed>::CopyFromAnyViewAfterCheck(a);
    return typed.defined() ? F(std::move(typed)) : F();
  }
  static bool ReadInto(const TainAny* a, F* out) {
    std::optional<Typed> typed = TypeTraits<Typed>::TryCastFromAnyView(a);
    if (!typed) return false;
    if (typed->defined()) *out = F(*std::move(typed));
    return true;
  }
  static std::string TypeStr() { return TypeTraits<Typed>::TypeStr(); }

 private:
  /// Returns what a std::function was made from, if that was a Function; else null.
  static const Typed* TypedIn(const F& v) noexcept {
    if (const auto* typed = v.template target<Typed>()) return typed;
    if constexpr (internal::LenientResults<F>::kHelps) {
      if (const auto* lenient = v.template target<internal::LenientCall<Typed>>()) {
        return &lenient->typed;
      }
    }
    return nullptr;
  }
};

}  // namespace tain
