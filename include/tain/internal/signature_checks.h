// SPDX-License-Identifier: Apache-2.0
// The signatures of which a Function can be made, and the compile errors for all others.
#pragma once

#include "tain/arguments.h"
#include "tain/callable.h"

namespace tain::internal {

/// Whether a T crosses in a box, so that parameters may be references to it.
template <class T>
concept CrossesInBox = requires { requires TypeTraits<T>::kInBox; };

/// Whether F is a callback whose result points to a boxed object.
template <class F>
inline constexpr bool kCallbackRefers = false;

template <class P>
struct ParamType {
  using Decayed = std::remove_cv_t<std::remove_reference_t<P>>;
  static constexpr bool kObject = IsObject<Decayed>;
  static constexpr bool kByReference = kObject || CrossesInBox<Decayed>;
  static constexpr bool kNoMutableReference =
      kByReference || !std::is_lvalue_reference_v<P> || std::is_const_v<std::remove_reference_t<P>>;
  /// Objects cross by value as copies.
  static constexpr bool kCopies =
      !kByReference || std::is_lvalue_reference_v<P> || std::is_copy_constructible_v<Decayed>;
  static constexpr bool kOwnedResult = !kCallbackRefers<Decayed>;
  static constexpr bool kRest = std::is_same_v<Decayed, Args>;
  static constexpr bool kKeywords = std::is_same_v<Decayed, Kwargs>;
  /// A `char*` is a text that C++ writes: a result can be one, an argument cannot.
  static constexpr bool kWritten = std::is_same_v<Decayed, char*>;
  static constexpr bool kCrosses = kObject || (Crosses<Decayed> && !kWritten) || kRest || kKeywords;
};

/// Whether Args and Kwargs, if any, are the last parameters, in this order.
template <class... P>
constexpr bool RestIsLast() noexcept {
  int last = 0;  // 1 after Args, 2 after Kwargs
  bool good = true;
  ((good = good && (ParamType<P>::kKeywords ? last < 2 : last == 0),
    last = ParamType<P>::kKeywords ? 2
           : ParamType<P>::kRest   ? 1
                                   : last),
   ...);
  return good;
}

template <class R>
struct ResultType {
  using Decayed = std::decay_t<R>;
  static constexpr bool kObject = IsObject<Decayed>;
  static constexpr bool kMoves = !(kObject || CrossesInBox<Decayed>) ||
                                 std::is_lvalue_reference_v<R> ||
                                 std::is_move_constructible_v<Decayed>;
  static constexpr bool kCrosses = kObject || std::is_void_v<R> || Crosses<Decayed>;
};

/// Whether a Function can be made of a callable with this signature.
template <class Sig>
inline constexpr bool kGoodSignature = false;  // void: no single signature
template <class R, class... P>
inline constexpr bool kGoodSignature<Signature<R, P...>> =
    ((ParamType<P>::kNoMutableReference && ParamType<P>::kCopies && ParamType<P>::kOwnedResult &&
      ParamType<P>::kCrosses) &&
     ...) &&
    RestIsLast<P...>() && ResultType<R>::kMoves && ResultType<R>::kCrosses;

/// The parameter type of `def` for the name of overloaded functions, of which the compiler cannot
/// select one. The compiler's error names it: select one function with
/// `tain::overload_cast<int>(&Point::scale, tain::const_)`, or write a lambda.
struct UseOverloadCast {
  UseOverloadCast() = delete;
};
/// The same of `def_virtual`: the name that TAIN_VIRTUAL(area) declares is no function, it takes
/// `&Shape::area_impl`.
struct UseTheImplFunction {
  UseTheImplFunction() = delete;
};

template <class F>
concept IsMember = std::is_member_function_pointer_v<std::decay_t<F>>;

/// Callables that have TypeTraits of their own: std::function.
template <class F>
inline constexpr bool kCallableCrosses = false;

template <class F>
inline constexpr bool kIsPlainFunction = std::is_function_v<std::remove_pointer_t<std::decay_t<F>>>;
template <class F>
concept IsCallable = IsMember<F> || kIsPlainFunction<F> ||
                     (std::is_class_v<std::decay_t<F>> && !IsObjectRef<std::decay_t<F>> &&
                      !std::is_same_v<std::decay_t<F>, UnsafeInit> &&
                      (kCallableCrosses<std::decay_t<F>> || !Crosses<F> ||
                       (CrossesInBox<std::decay_t<F>> && HasOneCallOperator<std::decay_t<F>>)));

/// Fails to compile with the reason why the signature of F does not cross. Its users compile
/// nothing else for F, so that the compiler reports only this error.
template <class Sig, class F>
struct SignatureErrors {
  // A bool, because compilers explain at length why a concept does not hold.
  static constexpr bool kPlain = kIsPlainFunction<F>;
  static constexpr bool kCallable = IsCallable<F>;
  static_assert(!kPlain,
                "a function with C's variable arguments has no one signature: wrap it in a lambda "
                "with the parameters that it shall have");
  static_assert(kCallable,
                "this is no function: a function, a lambda or a member function is needed; use "
                "def_attr for a constant");
  static_assert(
      kPlain || !kCallable,
      "this callable has a generic or overloaded operator(): pick one signature, for example "
      "[f](int x) { return f(x); }");
};
template <class R, class... P, class F>
struct SignatureErrors<Signature<R, P...>, F> {
  static_assert(
      (ParamType<P>::kNoMutableReference && ...),
      "a parameter cannot be a reference to a non-const value: take it by value or by const&");
  static_assert((ParamType<P>::kCopies && ...),
                "a parameter by value is a copy of the argument, and this class cannot be copied: "
                "take T&, const T& or T*");
  static_assert((ParamType<P>::kOwnedResult && ...),
                "a callback's result cannot point to a boxed object, which dies with what the "
                "callback returned: use a value, std::shared_ptr or tain::Ref");
  static_assert((ParamType<P>::kCrosses && ...), "a parameter's type" TAIN_INTERNAL_NOT_CROSSING);
  static_assert(RestIsLast<P...>(),
                "tain::Args takes all further arguments: it is the last parameter, or the one "
                "before tain::Kwargs");
  static_assert(ResultType<R>::kMoves,
                "a result by value is moved, and this class can neither be moved nor copied: "
                "return T&, T*, tain::Ref<T> or, of a boxed class, std::unique_ptr<T>");
  static_assert(ResultType<R>::kCrosses, "a result's type" TAIN_INTERNAL_NOT_CROSSING);
};

}  // namespace tain::internal
