// SPDX-License-Identifier: Apache-2.0
// The signature of anything callable, found at compile time.
//
// A callable is a function, a function pointer, a function object, a lambda, a std::function or a
// member function with any of const, &, && and noexcept. A generic or overloaded operator() has no
// single signature: select one with a cast or a lambda.
#pragma once

#include <type_traits>
#include <utility>

#include "tain/object.h"

namespace tain::internal {

/// Result and parameters.
template <class R, class... P>
struct Signature {
  using Result = R;
  static constexpr int kNumParams = sizeof...(P);
};

template <class F>
struct MemberSignature;

// One line for each combination of qualifiers of a member function.
#define TAIN_INTERNAL_MEMBER(quals, is_const, is_rvalue) \
  template <class R, class C, class... P>                \
  struct MemberSignature<R (C::*)(P...) quals> {         \
    using Class = C;                                     \
    using Params = Signature<R, P...>;                   \
    static constexpr bool kConst = is_const;             \
    static constexpr bool kRvalue = is_rvalue;           \
  };
TAIN_INTERNAL_MEMBER(, false, false)
TAIN_INTERNAL_MEMBER(const, true, false)
TAIN_INTERNAL_MEMBER(&, false, false)
TAIN_INTERNAL_MEMBER(const&, true, false)
TAIN_INTERNAL_MEMBER(&&, false, true)
TAIN_INTERNAL_MEMBER(const&&, true, true)
TAIN_INTERNAL_MEMBER(noexcept, false, false)
TAIN_INTERNAL_MEMBER(const noexcept, true, false)
TAIN_INTERNAL_MEMBER(& noexcept, false, false)
TAIN_INTERNAL_MEMBER(const& noexcept, true, false)
TAIN_INTERNAL_MEMBER(&& noexcept, false, true)
TAIN_INTERNAL_MEMBER(const&& noexcept, true, true)
#undef TAIN_INTERNAL_MEMBER

template <class F>
concept HasOneCallOperator = requires { &F::operator(); };

/// The signature, or void if the callable has no single signature.
template <class F>
struct CallableSignature {
  using Type = void;
};
template <HasOneCallOperator F>
struct CallableSignature<F> {
  using Type = typename MemberSignature<decltype(&F::operator())>::Params;
};
template <class R, class... P>
struct CallableSignature<R(P...)> {
  using Type = Signature<R, P...>;
};
template <class R, class... P>
struct CallableSignature<R (*)(P...)> {
  using Type = Signature<R, P...>;
};
template <class R, class... P>
struct CallableSignature<R (*)(P...) noexcept> {
  using Type = Signature<R, P...>;
};

/// Calls a member function on a receiver of class Self.
template <class Self, class M>
struct MemberCall {
  M member;
};

/// The signature of a member function, with the receiver as first parameter.
template <class Self, class M, class Sig = typename MemberSignature<M>::Params>
struct WithReceiver;
template <class Self, class M, class R, class... P>
struct WithReceiver<Self, M, Signature<R, P...>> {
  using Receiver = std::conditional_t<MemberSignature<M>::kConst, const Self&, Self&>;
  using Type = Signature<R, Receiver, P...>;
};
template <class Self, class M>
struct CallableSignature<MemberCall<Self, M>> {
  using Type = typename WithReceiver<Self, M>::Type;
};

template <class F>
using SignatureOf = typename CallableSignature<std::remove_cv_t<std::remove_reference_t<F>>>::Type;

/// Calls f. A MemberCall takes the receiver as its first argument.
template <class F, class... A>
inline decltype(auto) CallWith(F& f, A&&... args) {
  return f(std::forward<A>(args)...);
}
template <class Self, class M, class Receiver, class... A>
inline decltype(auto) CallWith(MemberCall<Self, M>& f, Receiver&& self, A&&... args) {
  if constexpr (MemberSignature<M>::kRvalue) {
    return (std::move(self).*f.member)(std::forward<A>(args)...);
  } else {
    return (self.*f.member)(std::forward<A>(args)...);
  }
}

}  // namespace tain::internal
