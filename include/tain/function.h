// SPDX-License-Identifier: Apache-2.0
// Function, a callable of any signature, and TypedFunction<R(Args...)>.
//
//   Function f = [](int a, int b) { return a + b; };
//   int sum = f(1, 2).cast<int>();
//   TypedFunction<int(int, int)> g = f;
// A Function may be written in C++ or Python or come from another library: all are called the same
// way. Arguments are converted to the types of the callee's parameters. A missing argument takes
// its registered default. An argument that does not fit throws TypeError or OverflowError.
#pragma once

#include <tuple>
#include <utility>

#include "tain/internal/closure.h"
#include "tain/internal/declared_arguments.h"

namespace tain {

namespace internal {

/// Calls a function. Throws ValueError if it is null, and any error of the callee. If kObject is
/// set, a callable of the host is asked for its result as an object that is left as it is.
template <bool kObject>
Any CallFunction(TainObject* function, const AnyView* args, int32_t num_args) {
  if (TAIN_UNLIKELY(function == nullptr)) ThrowNullRef("Function");
  TainAny result{};
  if constexpr (kObject) result.zero_padding = kTainObjectRequest;
  auto* cell = reinterpret_cast<TainFunctionCell*>(function + 1);
  const auto* values = reinterpret_cast<const TainAny*>(args);  // an AnyView has its layout
  // A function that another library made whole may need a call without the host's lock.
  const int code = TAIN_LIKELY((TainObjectWordOf(function) & kTainHeaderHasPrefix) != 0)
                       ? cell->safe_call(function, values, num_args, &result)
                       : TainFunctionCall(function, values, num_args, &result);
  if constexpr (kObject) {
    if (result.zero_padding == kTainObjectRequest) result.zero_padding = 0;  // nobody answered it
  }
  if (TAIN_UNLIKELY(code != 0)) throw Error::MoveFromRaised();
  return Any::Steal(result);
}

}  // namespace internal

/// A callable of any signature; may be null.
class Function : public ObjectRef {
 public:
  using ContainerType = FunctionObj;
  static constexpr bool _type_is_nullable = true;

  Function() noexcept = default;
  Function(std::nullptr_t) noexcept {}  // NOLINT: a null function
  explicit Function(UnsafeInit tag) noexcept : ObjectRef(tag) {}
  explicit Function(ObjectPtr<FunctionObj> object) noexcept
      : ObjectRef(ObjectPtr<Object>(std::move(object))) {}
  template <class F>
    requires internal::IsCallable<F>
  Function(F&& f) : Function(FromTyped(std::forward<F>(f))) {}  // NOLINT: any callable

  /// Wraps a callable; a member function takes its receiver as first argument.
  template <class F>
  static Function FromTyped(F&& f) {
    using D = std::decay_t<F>;
    using Call = typename internal::FunctionCall<D>::Type;
    using Sig = internal::SignatureOf<Call>;
    if constexpr (internal::kGoodSignature<Sig>) {
      return Wrap(Call{std::forward<F>(f)});
    } else {
      (void)sizeof(internal::SignatureErrors<Sig, F>);
      return Function();
    }
  }
  /// Wraps a function object or a function pointer; FromTyped also takes member functions.
  template <class F>
  static Function Wrap(F f) {
    return Function(internal::MakeClosure(std::move(f)));
  }
  /// Wraps `void(Args, Any*)` or `Any(Args)`.
  template <class F>
  static Function FromPacked(F f) {
    if constexpr (std::is_invocable_v<F&, Args, Any*>) {
      return Wrap([f = std::move(f)](Args args) mutable -> Any {
        Any result;
        f(args, &result);
        return result;
      });
    } else {
      static_assert(std::is_invocable_r_v<Any, F&, Args>,
                    "a packed function is void(tain::Args, tain::Any*) or Any(tain::Args)");
      return Wrap([f = std::move(f)](Args args) mutable -> Any { return f(args); });
    }
  }
  /// Returns the global function of a name, or std::nullopt if there is none.
  static std::optional<Function> GetGlobal(std::string_view name) {
    const TainByteArray bytes{name.data(), name.size()};
    TainObject* found = nullptr;
    if (TainFunctionGetGlobal(&bytes, &found) != 0) throw Error::MoveFromRaised();
    if (found == nullptr) return std::nullopt;
    return Function(internal::RefAccess::Steal<FunctionObj>(found));
  }
  /// Returns the global function of a name. Throws ValueError if there is none.
  static Function GetGlobalRequired(std::string_view name) {
    std::optional<Function> found = GetGlobal(name);
    if (!found) TAIN_INTERNAL_THROW(ValueError) << "Cannot find global function " << name;
    return *std::move(found);
  }
  /// Makes a function global. Throws ValueError if the name is taken and `override_` is false.
  static void SetGlobal(std::string_view name, const Function& function, bool override_ = false) {
    const TainByteArray bytes{name.data(), name.size()};
    TainObject* header = internal::RefAccess::Header(function);
    if (TainFunctionSetGlobal(&bytes, header, override_) != 0) throw Error::MoveFromRaised();
  }

  /// Calls the function. Throws ValueError if it is null, and any error of the callee.
  template <class... A>
  Any operator()(A&&... args) const {
    return CallWithViews<false>(internal::PassedView<A>(args)...);
  }
  /// Calls the function with an array of arguments.
  Any CallPacked(const AnyView* args, int32_t num_args) const {
    return CallFor<false>(args, num_args);
  }
  Any CallPacked(Args args) const {
    return CallPacked(reinterpret_cast<const AnyView*>(args.data()), args.size());
  }
  /// Calls the function with positional arguments and keywords.
  Any CallPacked(Args args, const Kwargs& kwargs) const { return CallFor<false>(args, kwargs); }

 private:
  template <class>
  friend class TypedFunction;

  template <bool kObject>
  Any CallFor(const AnyView* args, int32_t num_args) const {
    return internal::CallFunction<kObject>(internal::RefAccess::Header(*this), args, num_args);
  }
  template <bool kObject>
  Any CallFor(Args args, const Kwargs& kwargs) const {
    if (kwargs.size() == 0) {
      return CallFor<kObject>(reinterpret_cast<const AnyView*>(args.data()), args.size());
    }
    TainObject* header = internal::RefAccess::Header(*this);
    if (TAIN_UNLIKELY(header == nullptr)) internal::ThrowNullRef("Function");
    return internal::CallWithKeywords(header, args, kwargs, kObject);
  }
  template <bool kObject, class... P>
    requires(std::is_same_v<P, internal::ArgumentView<Kwargs>> || ...)
  Any CallWithViews(const P&... passed) const {
    const auto& last = std::get<sizeof...(P) - 1>(std::tie(passed...));
    static_assert(std::is_same_v<decltype(last), const internal::ArgumentView<Kwargs>&>,
                  "tain::Kwargs is the last argument of a call");
    const AnyView views[sizeof...(P)] = {passed.view...};
    const Args args(reinterpret_cast<const TainAny*>(&views[0]), sizeof...(P) - 1);
    return CallFor<kObject>(args, last.kwargs);
  }
  template <bool kObject, class... P>
  Any CallWithViews(const P&... passed) const {
    const AnyView views[sizeof...(P) + 1] = {passed.view..., AnyView()};
    return CallFor<kObject>(&views[0], sizeof...(P));
  }
};

template <>
struct TypeTraits<Function> : internal::HandleTraits<Function, FunctionObj, true> {
  static std::string TypeStr() { return "Callable[..., Any] | None"; }
};

template <class Sig>
class TypedFunction;

namespace internal {

template <class R, class... P>
inline constexpr bool kCallbackRefers<TypedFunction<R(P...)>> = RefersTo<R>;

/// Whether a callback's result of type R is an object of the host that is left as it is.
template <class R>
inline constexpr bool kIsHostObject = false;

/// A TypedFunction of a lenient parameter, which reads its results as leniently.
template <class Typed>
struct LenientCall;
template <class R, class... P>
struct LenientCall<TypedFunction<R(P...)>> {
  TypedFunction<R(P...)> typed;
  R operator()(P... args) const { return typed.template Invoke<true>(std::forward<P>(args)...); }
};

}  // namespace internal

/// A Function whose signature the compiler knows. It may be null; calling a null one throws
/// ValueError.
template <class R, class... P>
class TypedFunction<R(P...)> {
 public:
  TypedFunction() noexcept = default;
  TypedFunction(std::nullptr_t) noexcept {}                                      // NOLINT
  TypedFunction(Function function) noexcept : function_(std::move(function)) {}  // NOLINT
  template <class F>
    requires(!std::is_same_v<std::decay_t<F>, TypedFunction> && internal::IsCallable<F> &&
             std::is_invocable_r_v<R, std::decay_t<F>&, P...>)
  TypedFunction(F&& f)  // NOLINT: any callable of the signature
      : function_(Function::Wrap([f = std::decay_t<F>(std::forward<F>(f))](P... args) mutable -> R {
          return f(std::forward<P>(args)...);
        })) {}

  R operator()(P... args) const { return Invoke<false>(std::forward<P>(args)...); }
  const Function& packed() const noexcept { return function_; }
  operator Function() const noexcept { return function_; }  // NOLINT: drops the signature
  bool defined() const noexcept { return function_.defined(); }
  explicit operator bool() const noexcept { return defined(); }
  bool operator==(std::nullptr_t) const noexcept { return !defined(); }

 private:
  friend struct internal::LenientCall<TypedFunction>;
  static constexpr bool kObject = internal::kIsHostObject<std::decay_t<R>>;

  template <bool kLenient>
  R Invoke(P... args) const {
    constexpr bool kOwns = !internal::RefersTo<R>;
    static_assert(kOwns, "TypedFunction: the result points to a boxed object that may be dead");
    if constexpr ((std::is_same_v<std::decay_t<P>, Kwargs> || ...)) {
      return ReadResult<kLenient>(
          function_.template CallWithViews<kObject>(internal::PassedView<P>(args)...));
    } else {
      return Call<kLenient>(internal::DeclaredView<P>(args)...);
    }
  }
  /// Calls the function, and tells it which arguments are declared as tuples or enums. What the
  /// arguments lend ends after the result was read.
  template <bool kLenient, class... Passed>
  R Call(const Passed&... passed) const {
    const AnyView views[sizeof...(P) + 1] = {passed.view..., AnyView()};
    if constexpr ((internal::kDeclaresMore<std::decay_t<P>> || ...)) {
      const std::string_view types[] = {internal::DeclaredTypeOf<std::decay_t<P>>()...};
      const internal::DeclaredArguments declared(reinterpret_cast<const TainAny*>(&views[0]),
                                                 &types[0]);
      return ReadResult<kLenient>(function_.template CallFor<kObject>(&views[0], sizeof...(P)));
    } else {
      return ReadResult<kLenient>(function_.template CallFor<kObject>(&views[0], sizeof...(P)));
    }
  }
  template <bool kLenient>
  R ReadResult(const Any& result) const {
    if constexpr (!std::is_void_v<R>) {
      using Traits = TypeTraits<std::decay_t<R>>;
      if constexpr (!Traits::kReadOnce) {
        if (TAIN_LIKELY(Traits::CheckAnyStrict(&result.data()))) {
          return Traits::CopyFromAnyViewAfterCheck(&result.data());
        }
      }
      const TainObject* function = internal::RefAccess::Header(function_);
      auto value = internal::ReadCallbackResult<std::decay_t<R>>(function, result.data());
      if (value) return *std::move(value);
      if constexpr (kLenient) {
        value = internal::LenientTraits<std::decay_t<R>>::Read(result.data());
        if (value) return *std::move(value);
      }
      internal::ThrowCallbackResult(function, &internal::MismatchOf<std::decay_t<R>>,
                                    result.data());
    }
  }

  Function function_;
};

template <class R, class... P>
struct TypeTraits<TypedFunction<R(P...)>> : TypeTraitsBase {
  using T = TypedFunction<R(P...)>;
  static constexpr int32_t kFieldKind = kTainFieldObject;
  static constexpr bool kDirectWrite = true;
  static constexpr bool kNullable = true;
  using Container = FunctionObj;
  static void CopyToAnyView(const T& v, TainAny* out) {
    TypeTraits<Function>::CopyToAnyView(v.packed(), out);
  }
  static void MoveToAny(T v, TainAny* out) { TypeTraits<Function>::MoveToAny(v.packed(), out); }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return TypeTraits<Function>::CheckAnyStrict(a);
  }
  static T CopyFromAnyViewAfterCheck(const TainAny* a) {
    return T(TypeTraits<Function>::CopyFromAnyViewAfterCheck(a));
  }
  static std::optional<T> TryCastFromAnyView(const TainAny* a) {
    auto function = TypeTraits<Function>::TryCastFromAnyView(a);
    if (!function) return std::nullopt;
    return T(*std::move(function));
  }
  static std::string TypeStr() {
    using Tools = internal::SignatureTools<internal::Signature<R, P...>>;
    return internal::CallableStr(Tools::kParams, Tools::kNumParams, &internal::ResultTypeStr<R>);
  }
};

}  // namespace tain
