// SPDX-License-Identifier: Apache-2.0
// Function, a callable of any signature, and TypedFunction<R(Args...)>.
//
//   Function f = [](int a, int b) { return a + b; };
//   int sum = f(1, 2).cast<int>();
//   TypedFunction<int(int, int)> g = f;
// A Function may be C++, Python or from another library: all are called the same way. Arguments are
// converted as the callee's parameters ask; a missing argument takes its registered default; what
// does not fit throws TypeError.
#pragma once

#include <memory>
#include <tuple>
#include <utility>

#include "tain/arguments.h"
#include "tain/callable.h"
#include "tain/convert.h"
#include "tain/internal/store_result.h"

namespace tain {

/// The object behind Function.
class FunctionObj : public Object {
 public:
  TainFunctionBody body{};

  static constexpr const char* _type_key = "ffi.Function";
  static constexpr int32_t _type_depth = 1;
  static int32_t RuntimeTypeIndex() noexcept { return kTainFunction; }
};

class Function;

namespace internal {

/// An object passed by reference.
template <class T>
  requires IsObject<T>
struct ArgumentView<T> {
  AnyView view;
  explicit ArgumentView(const T& object) : view(&object) {}
};

/// Throws the error of argument `index` (counted with the receiver).
[[noreturn]] TAIN_DLL void ThrowArgument(const TainFunctionInfo* info, int32_t index,
                                         const std::string& expected, const std::string& place,
                                         const TainAny& got);
/// Completes `args` with defaults in `out` (room for num_params) or throws TypeError about the
/// number of arguments. The first `fixed` parameters count; owned defaults made by factories are
/// kept alive by `out`'s cleaner.
TAIN_DLL void CompleteArguments(const TainFunctionInfo* info, const TainAny* args, int32_t num_args,
                                int32_t num_params, TainAny* out, Any* made);

/// Calls with keywords: in the order of the parameters where names are known, else behind the
/// others.
TAIN_DLL Any CallWithKeywords(TainObject* function, Args args, const Kwargs& kwargs);

template <class P>
struct ParamType {
  using Decayed = std::remove_cv_t<std::remove_reference_t<P>>;
  static constexpr bool kObject = IsObject<Decayed>;
  static constexpr bool kNoMutableReference =
      kObject || !std::is_lvalue_reference_v<P> || std::is_const_v<std::remove_reference_t<P>>;
  static constexpr bool kNoObjectByValue = !kObject || std::is_lvalue_reference_v<P>;
  static constexpr bool kRest = std::is_same_v<Decayed, Args>;
  static constexpr bool kKeywords = std::is_same_v<Decayed, Kwargs>;
  static constexpr bool kCrosses = kObject || Crosses<Decayed> || kRest || kKeywords;
};

/// Whether Args stands last and Kwargs behind it.
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
  static constexpr bool kNoObjectByValue = !kObject || std::is_lvalue_reference_v<R>;
  static constexpr bool kCrosses = kObject || std::is_void_v<R> || Crosses<Decayed>;
};

/// Whether a Function can be made of a callable with this signature.
template <class Sig>
inline constexpr bool kGoodSignature = false;  // void: no one signature
template <class R, class... P>
inline constexpr bool kGoodSignature<Signature<R, P...>> =
    ((ParamType<P>::kNoMutableReference && ParamType<P>::kNoObjectByValue &&
      ParamType<P>::kCrosses) &&
     ...) &&
    RestIsLast<P...>() && ResultType<R>::kNoObjectByValue && ResultType<R>::kCrosses;

template <class F>
concept IsMember = std::is_member_function_pointer_v<std::decay_t<F>>;

/// Callables that cross as what they are: std::function.
template <class F>
inline constexpr bool kCallableCrosses = false;

template <class F>
inline constexpr bool kIsPlainFunction = std::is_function_v<std::remove_pointer_t<std::decay_t<F>>>;
template <class F>
concept IsCallable = IsMember<F> || kIsPlainFunction<F> ||
                     (std::is_class_v<std::decay_t<F>> && !IsObjectRef<std::decay_t<F>> &&
                      (kCallableCrosses<std::decay_t<F>> || !Crosses<F>));

/// Says why F has no signature that crosses. Whoever calls this compiles nothing else, so that the
/// compiler says nothing else.
template <class Sig, class F>
struct SignatureErrors {
  // As bool: of a concept the compilers say at length why it does not hold.
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
  static_assert((ParamType<P>::kNoObjectByValue && ...),
                "an object parameter is taken as T&, const T&, T*, tain::Ref<T> or tain::Ptr<T>, "
                "not by value");
  static_assert((ParamType<P>::kCrosses && ...),
                "a parameter's type does not cross the border: give it a tain::TypeTraits, or "
                "include tain/stl.h for standard containers");
  static_assert(RestIsLast<P...>(),
                "tain::Args takes all further arguments: it is the last parameter, or the one "
                "before tain::Kwargs");
  static_assert(ResultType<R>::kNoObjectByValue,
                "an object cannot be returned by value: return tain::Ref<T>, T& or T*");
  static_assert(ResultType<R>::kCrosses,
                "a result's type does not cross the border: give it a tain::TypeTraits, or "
                "include tain/stl.h for standard containers");
};

template <class P>
inline std::string ParamTypeStr() {
  using T = typename ParamType<P>::Decayed;
  if constexpr (ParamType<P>::kObject) {
    return KeyOf<T>();
  } else if constexpr (ParamType<P>::kRest || ParamType<P>::kKeywords) {
    return "Any";
  } else {
    return TypeTraits<T>::TypeStr();
  }
}

/// Whether a value is exactly what a parameter takes, as far as overloads go: a parameter that
/// takes anything is never the exact one.
template <class P>
int ExactParam(const TainAny* a) {
  using T = typename ParamType<P>::Decayed;
  if constexpr (ParamType<P>::kObject) {
    return a->type_index >= kTainStaticObjectBegin && IndexIsInstance<T>(a->type_index) ? 1 : 0;
  } else if constexpr (ParamType<P>::kRest || ParamType<P>::kKeywords || std::is_same_v<T, Any> ||
                       std::is_same_v<T, AnyView>) {
    return 0;
  } else {
    return TypeTraits<T>::CheckAnyStrict(a) ? 1 : 0;
  }
}

template <class T>
[[noreturn]] TAIN_COLD void ThrowParam(const TainFunctionInfo* info, int32_t index,
                                       const TainAny& got) {
  std::string place;
  const std::string expected = MismatchOf<T>(&got, place);
  ThrowArgument(info, index, expected, place, got);
}

/// One argument, converted and kept while the callee runs.
template <class P, int32_t kIndex, bool kObject = ParamType<P>::kObject>
struct Argument {
  using T = typename ParamType<P>::Decayed;
  T value;

  static T Convert(const TainFunctionInfo* info, const TainAny* args) {
    const TainAny& a = args[kIndex];
    if (TAIN_LIKELY(TypeTraits<T>::CheckAnyStrict(&a))) {
      return TypeTraits<T>::CopyFromAnyViewAfterCheck(&a);
    }
    std::optional<T> converted = TypeTraits<T>::TryCastFromAnyView(&a);
    if (TAIN_UNLIKELY(!converted)) ThrowParam<T>(info, kIndex, a);
    return *std::move(converted);
  }
  Argument(const TainFunctionInfo* info, const TainAny* args, int32_t, const TainAny*)
      : value(Convert(info, args)) {}
  P&& Forward() noexcept { return static_cast<P&&>(value); }
};

/// An object by reference: never null.
template <class P, int32_t kIndex>
struct Argument<P, kIndex, true> {
  using T = typename ParamType<P>::Decayed;
  T* object;
  Argument(const TainFunctionInfo* info, const TainAny* args, int32_t, const TainAny*) {
    const TainAny& a = args[kIndex];
    if (TAIN_LIKELY(a.type_index >= kTainStaticObjectBegin && IndexIsInstance<T>(a.type_index))) {
      object = static_cast<T*>(ObjectAccess::FromHeader(a.v_obj));
    } else {
      object = Peek(info, a);
    }
  }
  TAIN_COLD static T* Peek(const TainFunctionInfo* info, const TainAny& a) {
    const TainAny moved = PeekRValue(a);
    if (moved.type_index == kTainNone || !IndexIsInstance<T>(moved.type_index)) {
      ThrowArgument(info, kIndex, ClassMismatch(&a, T::RuntimeTypeIndex(), KeyOf<T>()), "", a);
    }
    return static_cast<T*>(ObjectAccess::FromHeader(moved.v_obj));
  }
  P Forward() noexcept { return *object; }
};

/// The rest of the arguments.
template <class P, int32_t kIndex>
  requires ParamType<P>::kRest
struct Argument<P, kIndex, false> {
  Args rest;
  Argument(const TainFunctionInfo*, const TainAny* args, int32_t num_args, const TainAny*)
      : rest(args + kIndex, num_args - kIndex) {}
  Args Forward() noexcept { return rest; }
};

/// The keywords; none if `map` is null.
template <class P, int32_t kIndex>
  requires ParamType<P>::kKeywords
struct Argument<P, kIndex, false> {
  Kwargs value;
  Argument(const TainFunctionInfo*, const TainAny*, int32_t, const TainAny* map) {
    if (map != nullptr) value = Kwargs(AnyView(*map).cast<Map<String, Any>>());
  }
  P&& Forward() noexcept { return static_cast<P&&>(value); }
};

template <class... P>
inline constexpr bool kTakesRest = (ParamType<P>::kRest || ...);
template <class... P>
inline constexpr bool kTakesKeywords = (ParamType<P>::kKeywords || ...);

template <class Sig, class Indices>
struct Invoker;

template <class R, class... P, size_t... I>
struct Invoker<Signature<R, P...>, std::index_sequence<I...>> {
  // Arguments are converted in order, so that the first wrong one is reported.
  struct Pack : Argument<P, static_cast<int32_t>(I)>... {};

  template <class F>
  static void Run(F& f, const TainFunctionInfo* info, const TainAny* args, int32_t num_args,
                  const TainAny* keywords, TainAny* result) {
    Pack pack{Argument<P, static_cast<int32_t>(I)>(info, args, num_args, keywords)...};
    (void)pack, (void)info, (void)args, (void)num_args;  // not used without parameters
    (void)keywords;
    if constexpr (std::is_void_v<R>) {
      CallWith(f, pack.Argument<P, static_cast<int32_t>(I)>::Forward()...);
    } else {
      StoreResult<R>(info, CallWith(f, pack.Argument<P, static_cast<int32_t>(I)>::Forward()...),
                     result);
    }
  }

  static constexpr bool kRest = kTakesRest<P...>;
  static constexpr int32_t kParams =
      sizeof...(P) - (kRest ? 1 : 0) - (kTakesKeywords<P...> ? 1 : 0);

  template <class F>
  TAIN_COLD static void RunCompleted(F& f, const TainFunctionInfo* info, const TainAny* args,
                                     int32_t num_args, const TainAny* keywords, TainAny* result) {
    TainAny values[kParams + 1] = {};
    Any made[kParams + 1];
    CompleteArguments(info, args, num_args, kParams, values, made);
    Run(f, info, values, kParams, keywords, result);
  }

  template <class F>
  static void Call(F& f, const TainFunctionInfo* info, const TainAny* args, int32_t num_args,
                   TainAny* result) {
    const TainAny* keywords = nullptr;
    if constexpr (kTakesKeywords<P...>) {
      if (HasKeywords(args, num_args)) {
        num_args -= 2;
        keywords = &args[num_args + 1];
      }
    }
    if (TAIN_LIKELY(kRest ? num_args >= kParams : num_args == kParams)) {
      Run(f, info, args, num_args, keywords, result);
    } else {
      RunCompleted(f, info, args, num_args, keywords, result);
    }
  }
};

template <class Sig>
struct SignatureTools;
template <class R, class... P>
struct SignatureTools<Signature<R, P...>> {
  using Invoke = Invoker<Signature<R, P...>, std::make_index_sequence<sizeof...(P)>>;
  using TypeStr = std::string (*)();
  static std::string ResultTypeStr() {
    using T = std::decay_t<R>;
    if constexpr (std::is_void_v<R>) {
      return "None";
    } else if constexpr (IsObject<T>) {
      return KeyOf<T>();
    } else {
      return TypeTraits<T>::TypeStr();
    }
  }
  static constexpr bool ReturnsEnum() {
    if constexpr (Crosses<R>) return TypeTraits<std::decay_t<R>>::kIsEnum;
    return false;
  }
  static constexpr int32_t kNumParams = sizeof...(P);
  static constexpr TypeStr kParams[sizeof...(P) + 1] = {&ParamTypeStr<P>..., nullptr};
  static constexpr int (*kExact[sizeof...(P) + 1])(const TainAny*) = {&ExactParam<P>..., nullptr};
  static constexpr bool kRest = kTakesRest<P...>;
  static constexpr bool kKeywords = kTakesKeywords<P...>;
};

/// A Function object with a callable behind its body.
template <class F>
class Closure : public FunctionObj {
 public:
  explicit Closure(F f) : callable(std::move(f)) { body.cell.safe_call = &SafeCall; }
  F callable;

  static int SafeCall(void* self, const TainAny* args, int32_t num_args, TainAny* result) noexcept {
    auto* closure = static_cast<Closure*>(ObjectAccess::FromHeader(static_cast<TainObject*>(self)));
    try {
      SignatureTools<SignatureOf<F>>::Invoke::Call(closure->callable, closure->body.info, args,
                                                   num_args, result);
      return 0;
    } catch (...) {
      return TainErrorSetFromException();
    }
  }
  static int32_t RuntimeTypeIndex() noexcept { return kTainFunction; }
};

/// What a Function is made of: a member function takes its object first.
template <class D>
struct FunctionCall {
  using Type = D;
};
template <IsMember D>
struct FunctionCall<D> {
  using Type = MemberCall<typename MemberSignature<D>::Class, D>;
};

/// A Function that is there already: its signature is its own affair.
template <class F>
concept IsReadyFunction = std::is_same_v<std::decay_t<F>, Function>;

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
  /// Wraps a callable that is already in its final form.
  template <class F>
  static Function Wrap(F f) {
    return Function(ObjectPtr<FunctionObj>(make_object<internal::Closure<F>>(std::move(f))));
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
  /// The global function of a name; nothing if there is none.
  static std::optional<Function> GetGlobal(std::string_view name) {
    const TainByteArray bytes{name.data(), name.size()};
    TainObject* found = nullptr;
    if (TainFunctionGetGlobal(&bytes, &found) != 0) throw Error::MoveFromRaised();
    if (found == nullptr) return std::nullopt;
    return Function(internal::RefAccess::Steal<FunctionObj>(found));
  }
  /// The global function of a name; ValueError if there is none.
  static Function GetGlobalRequired(std::string_view name) {
    std::optional<Function> found = GetGlobal(name);
    if (!found) TAIN_THROW(ValueError) << "Cannot find global function " << name;
    return *std::move(found);
  }
  /// Makes a function global; ValueError if the name is taken and `override_` is false.
  static void SetGlobal(std::string_view name, const Function& function, bool override_ = false) {
    const TainByteArray bytes{name.data(), name.size()};
    TainObject* header = internal::RefAccess::Header(function);
    if (TainFunctionSetGlobal(&bytes, header, override_) != 0) throw Error::MoveFromRaised();
  }

  /// Calls; throws what the callee threw.
  template <class... A>
  Any operator()(A&&... args) const {
    return CallWithViews(internal::ArgumentView<std::decay_t<A>>(args)...);
  }
  /// Calls with arguments in an array.
  Any CallPacked(const AnyView* args, int32_t num_args) const {
    TainObject* header = internal::RefAccess::Header(*this);
    if (TAIN_UNLIKELY(header == nullptr)) internal::ThrowNullRef("Function");
    TainAny result{};
    auto* cell = reinterpret_cast<TainFunctionCell*>(header + 1);
    // An AnyView is a TainAny: same 16 bytes.
    if (TAIN_UNLIKELY(cell->safe_call(header, reinterpret_cast<const TainAny*>(args), num_args,
                                      &result) != 0)) {
      throw Error::MoveFromRaised();
    }
    return Any::Steal(result);
  }
  Any CallPacked(Args args) const {
    return CallPacked(reinterpret_cast<const AnyView*>(args.data()), args.size());
  }
  /// Calls with positional arguments and keywords.
  Any CallPacked(Args args, const Kwargs& kwargs) const {
    if (kwargs.size() == 0) return CallPacked(args);
    TainObject* header = internal::RefAccess::Header(*this);
    if (TAIN_UNLIKELY(header == nullptr)) internal::ThrowNullRef("Function");
    return internal::CallWithKeywords(header, args, kwargs);
  }

 private:
  template <class... P>
    requires(std::is_same_v<P, internal::ArgumentView<Kwargs>> || ...)
  Any CallWithViews(const P&... passed) const {
    const auto& last = std::get<sizeof...(P) - 1>(std::tie(passed...));
    static_assert(std::is_same_v<decltype(last), const internal::ArgumentView<Kwargs>&>,
                  "tain::Kwargs is the last argument of a call");
    const AnyView views[sizeof...(P)] = {passed.view...};
    const Args args(reinterpret_cast<const TainAny*>(&views[0]), sizeof...(P) - 1);
    return CallPacked(args, last.kwargs);
  }
  template <class... P>
  Any CallWithViews(const P&... passed) const {
    const AnyView views[sizeof...(P) + 1] = {passed.view..., AnyView()};
    return CallPacked(&views[0], sizeof...(P));
  }
};

template <>
struct TypeTraits<Function> : internal::HandleTraits<Function, FunctionObj, true> {
  static std::string TypeStr() { return "Callable[..., Any] | None"; }
};

template <class Sig>
class TypedFunction;

/// A Function whose signature the compiler knows; never null when called.
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

  R operator()(P... args) const {
    if constexpr (std::is_void_v<R>) {
      function_(std::forward<P>(args)...);
    } else {
      const Any result = function_(std::forward<P>(args)...);
      return internal::CastOrThrow<std::decay_t<R>>(result.data(), "result of the callback");
    }
  }
  const Function& packed() const noexcept { return function_; }
  operator Function() const noexcept { return function_; }  // NOLINT: forgets the signature
  bool defined() const noexcept { return function_.defined(); }
  explicit operator bool() const noexcept { return defined(); }
  bool operator==(std::nullptr_t) const noexcept { return !defined(); }

 private:
  Function function_;
};

template <class R, class... P>
struct TypeTraits<TypedFunction<R(P...)>> : TypeTraitsBase {
  using T = TypedFunction<R(P...)>;
  static constexpr bool kCrosses = true;
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
    std::string params;
    for (int i = 0; i < Tools::kNumParams; ++i) {
      params += (i == 0 ? "" : ", ") + Tools::kParams[i]();
    }
    return "Callable[[" + params + "], " + Tools::ResultTypeStr() + "] | None";
  }
};

}  // namespace tain
