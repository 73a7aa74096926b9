// SPDX-License-Identifier: Apache-2.0
// Which callables are methods of a class, and what the compiler says of the others.
#pragma once

#include <string_view>

#include "tain/function.h"

namespace tain::internal {

/// Whether P takes the box of a T; boxed.h specializes it.
template <class P, class T>
inline constexpr bool kTakesBox = false;

/// Whether P, the first parameter of a function registered as a method, can take a T.
template <class P, class T>
inline constexpr bool kTakesReceiver =
    std::is_convertible_v<T&, P> || std::is_convertible_v<T*, P> ||
    std::is_same_v<std::decay_t<P>, AnyView> || std::is_same_v<std::decay_t<P>, Any> ||
    std::is_same_v<std::decay_t<P>, Args> ||
    requires(T* object) { std::decay_t<P>(ObjectPtr<T>(object)); } || kTakesBox<P, T>;
// Most methods, and quick to compile.
template <class T>
inline constexpr bool kTakesReceiver<T&, T> = true;
template <class T>
inline constexpr bool kTakesReceiver<const T&, T> = true;

template <class Sig, class T>
inline constexpr bool kIsMethodOf = false;
template <class R, class First, class... P, class T>
inline constexpr bool kIsMethodOf<Signature<R, First, P...>, T> = kTakesReceiver<First, T>;

/// The callable of which a method of T is made.
template <class T, class D>
struct MethodCall {
  using Type = D;
};
template <class T, IsMember D>
struct MethodCall<T, D> {
  using Type = MemberCall<T, D>;
};
/// Whether a member function belongs to T or its bases; true for other callables.
template <class T, class D>
inline constexpr bool kIsOwnMember = true;
template <class T, IsMember D>
inline constexpr bool kIsOwnMember<T, D> = std::is_base_of_v<typename MemberSignature<D>::Class, T>;

/// The signature of a callable as a method of T.
template <class T, class F>
using MethodSignature =
    SignatureOf<std::conditional_t<kIsOwnMember<T, std::decay_t<F>>,
                                   typename MethodCall<T, std::decay_t<F>>::Type, void (*)()>>;
template <class T, class F>
inline constexpr bool kGoodMethod =
    kIsOwnMember<T, std::decay_t<F>> && kGoodSignature<MethodSignature<T, F>> &&
    kIsMethodOf<MethodSignature<T, F>, T>;

/// Fails to compile with the reason why a callable with a valid signature cannot be a method of T.
template <class T, class F, class Sig>
struct ReceiverErrors {
  static_assert(
      kIsOwnMember<T, std::decay_t<F>>,
      "def: this is a member function of another class, not of ObjectDef's class or its bases");
  static_assert(!kIsOwnMember<T, std::decay_t<F>> || kIsMethodOf<Sig, T>,
                "def: the first parameter of a method must take the object: T&, const T&, T* or "
                "tain::Ref<T>; use def_static for a function without it");
};

/// Fails to compile with the reason why a callable cannot be a method of T.
template <class T, class F, class Sig = MethodSignature<T, F>>
using MethodErrors =
    std::conditional_t<kGoodSignature<Sig>, ReceiverErrors<T, F, Sig>, SignatureErrors<Sig, F>>;

/// Whether a method takes the object and kValues values.
template <class T, class F, int kValues, class Sig = MethodSignature<T, F>>
inline constexpr bool kTakesValues = Sig::kNumParams == kValues + 1 || SignatureTools<Sig>::kRest;

/// Whether a result of type R can never be an object of T.
template <class T, class R>
constexpr bool NeverMakes() {
  using D = std::decay_t<R>;
  if constexpr (requires { typename TypeTraits<D>::Container; }) {
    using C = typename TypeTraits<D>::Container;
    return !std::is_base_of_v<C, T> && !std::is_base_of_v<T, C>;
  } else {
    return std::is_void_v<D> || std::is_arithmetic_v<D> || std::is_enum_v<D> ||
           std::is_convertible_v<D, std::string_view>;
  }
}

/// Turns a callable into a method of T, whose first argument is the object.
template <class T, class F>
auto AsMethod(F&& f) {
  return typename MethodCall<T, std::decay_t<F>>::Type{std::forward<F>(f)};
}

}  // namespace tain::internal
