// SPDX-License-Identifier: Apache-2.0
// Calls a C++ callable with the values of a call: one Argument for each parameter, which converts
// and holds the value, and an Invoker for the signature.
#pragma once

#include <utility>

#include "tain/convert.h"
#include "tain/internal/caught.h"
#include "tain/internal/lenient.h"
#include "tain/internal/signature_checks.h"
#include "tain/internal/store_result.h"

namespace tain::internal {

/// A parameter that takes an object by reference.
template <class T>
  requires IsObject<T>
struct ArgumentView<T> {
  AnyView view;
  explicit ArgumentView(const T& object) : view(&object) {}
};

using InPlaceConstructor = int (*)(void* body, const TainFunctionInfo* info, const TainAny* args,
                                   int32_t num_args);

/// Throws the error of argument `index`, counted with the receiver. `got` must be an element of the
/// array of the arguments.
[[noreturn]] TAIN_DLL void ThrowArgument(const TainFunctionInfo* info, int32_t index,
                                         Explain explain, const TainAny& got);
/// Writes `args`, completed with defaults, to `out`. `made` receives the values that factories
/// make, which it owns. Both have room for num_params values. Throws TypeError if the number of
/// arguments is wrong.
TAIN_DLL void CompleteArguments(const TainFunctionInfo* info, const TainAny* args, int32_t num_args,
                                int32_t num_params, TainAny* out, Any* made);

/// The number of parameters that take one value each, and whether keywords follow them.
struct ParamCount {
  int32_t count;
  bool keywords;
};
/// Calls a callable again with defaults for the missing arguments, or raises TypeError if the
/// number of arguments is wrong. So each callable is compiled only for the full number of
/// arguments.
TAIN_DLL int CallCompleted(TainSafeCall call, void* self, const TainFunctionInfo* info,
                           ParamCount params, const TainAny* args, int32_t num_args,
                           TainAny* result) noexcept;
/// CallCompleted for a constructor that builds in place.
TAIN_DLL int ConstructCompleted(InPlaceConstructor construct, void* body,
                                const TainFunctionInfo* info, ParamCount params,
                                const TainAny* args, int32_t num_args) noexcept;

/// Calls a function with keywords. If the parameter names are known, the values are passed in the
/// order of the parameters; otherwise the keywords follow the other values. `for_object`: a callable
/// of the host is asked for its result as an object that is left as it is.
TAIN_DLL Any CallWithKeywords(TainObject* function, Args args, const Kwargs& kwargs,
                              bool for_object);

/// Notes that argument conversion itself threw in this thread, before the callee's code ran, so that
/// an overload search may go on. `args` are those of the call.
TAIN_DLL void NoteUnread(const TainFunctionInfo* info, const TainAny* args) noexcept;
/// RethrowInside for what threw while argument `index` was converted.
[[noreturn]] TAIN_DLL void RethrowArgument(const TainFunctionInfo* info, int32_t index);

/// Reads an argument.
template <class T>
std::optional<T> ReadArgument(const TainFunctionInfo* info, const TainAny* args, const TainAny& a) {
  return ReadOr<T>(&a, [&] {
    NoteUnread(info, args);
    RethrowArgument(info, static_cast<int32_t>(&a - args));
  });
}

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

/// Returns the fit of a value for a parameter that takes objects of the type, and no null.
TAIN_DLL int FitOfObject(const TainAny* a, int32_t type_index) noexcept;

/// Returns how well a value fits a parameter, for the overload search. A parameter that takes
/// anything is never exact.
template <class P>
int ExactParam(const TainAny* a) {
  using T = typename ParamType<P>::Decayed;
  if constexpr (ParamType<P>::kObject) {
    return FitOfObject(a, TypeOf<T>::Index());
  } else if constexpr (ParamType<P>::kRest || ParamType<P>::kKeywords || std::is_same_v<T, Any> ||
                       std::is_same_v<T, AnyView>) {
    return kFitAnything;
  } else {
    return FitOf<T>(a);
  }
}

/// Returns the mismatch of a value that is not an object of class T.
template <class T>
TAIN_COLD Mismatch ObjectMismatch(const TainAny* a) {
  return ClassMismatch(a, TypeOf<T>::Index(), &KeyOf<T>);
}

/// Whether the author says that a parameter takes no None; `index` counts the receiver.
TAIN_DLL bool RefusesNone(const TainFunctionInfo* info, int32_t index) noexcept;
/// Returns `X` of `X | None`.
TAIN_DLL std::string WithoutNone(std::string type);

template <class T>
inline constexpr bool kTakesNull = requires { requires TypeTraits<T>::kNullable; };

/// Throws if an argument is None, and the author says that the parameter takes none.
template <class T>
void CheckNotNone(const TainFunctionInfo* info, int32_t index, const TainAny& a) {
  if constexpr (kTakesNull<T>) {
    if (TAIN_LIKELY(a.type_index != kTainNone) || !RefusesNone(info, index)) return;
    ThrowArgument(
        info, index, [](const TainAny*) { return Mismatch(WithoutNone(TypeTraits<T>::TypeStr())); },
        a);
  }
}

/// One argument, which is converted and held while the callee runs.
template <class P, int32_t kIndex, bool kObject = ParamType<P>::kObject>
struct Argument {
  using T = typename ParamType<P>::Decayed;
  T value;

  static T Convert(const TainFunctionInfo* info, const TainAny* args) {
    CheckNotNone<T>(info, kIndex, args[kIndex]);
    if constexpr (LenientResults<T>::kHelps) {
      T read = ConvertAny(info, args);
      if (IsLenient(info, kIndex)) LenientResults<T>::Apply(&read);
      return read;
    } else {
      return ConvertAny(info, args);
    }
  }
  static T ConvertAny(const TainFunctionInfo* info, const TainAny* args) {
    const TainAny& a = args[kIndex];
    if constexpr (!TypeTraits<T>::kReadOnce) {
      if (TAIN_LIKELY(TypeTraits<T>::CheckAnyStrict(&a))) {
        return TypeTraits<T>::CopyFromAnyViewAfterCheck(&a);
      }
    }
    if constexpr (ReadsInto<T> && !FitsIfRead<T>) {
      T converted{};
      if (!TypeTraits<T>::ReadInto(&a, &converted)) return Refused(info, a);
      return converted;
    } else {
      std::optional<T> converted = ReadArgument<T>(info, args, a);
      if (TAIN_UNLIKELY(!converted)) return Refused(info, a);
      return *std::move(converted);
    }
  }
  /// Returns the value of a lenient parameter. Throws for others.
  TAIN_COLD static T Refused(const TainFunctionInfo* info, const TainAny& a) {
    if constexpr (LenientTraits<T>::kHelps) {
      if (IsLenient(info, kIndex)) {
        if (std::optional<T> read = LenientTraits<T>::Read(a)) return *std::move(read);
        ThrowArgument(info, kIndex, &LenientTraits<T>::Explain, a);
      }
    }
    ThrowArgument(info, kIndex, &MismatchOf<T>, a);
  }
  Argument(const TainFunctionInfo* info, const TainAny* args, int32_t, const TainAny*)
      : value(Convert(info, args)) {}
  P&& Forward() noexcept { return static_cast<P&&>(value); }
};

/// An object that is passed by reference; never null.
template <class P, int32_t kIndex>
struct Argument<P, kIndex, true> {
  using T = typename ParamType<P>::Decayed;
  T* object;
  struct Nothing {};
  /// What stands for an object of another library.
  [[no_unique_address]] std::conditional_t<OnlyOfTain<T>, ObjectPtr<Object>, Nothing> adapted;
  Argument(const TainFunctionInfo* info, const TainAny* args, int32_t, const TainAny*) {
    const TainAny& a = args[kIndex];
    if (TAIN_LIKELY(a.type_index >= kTainStaticObjectBegin &&
                    IsInstanceOf<T>(a.type_index, a.v_obj))) {
      object = static_cast<T*>(ObjectAccess::FromHeader(a.v_obj));
    } else {
      object = Peek(info, a);
    }
  }
  TAIN_COLD T* Peek(const TainFunctionInfo* info, const TainAny& a) {
    const TainAny moved = PeekRValue(a);
    if constexpr (OnlyOfTain<T>) {
      const TainAny& given = moved.type_index == kTainNone ? a : moved;
      if (MayBeAdapted<T>(given)) {
        adapted = AdaptModule(given.v_obj);
        if (adapted != nullptr) return static_cast<T*>(adapted.get());
      }
    }
    if (moved.type_index == kTainNone || !IsInstanceOf<T>(moved.type_index, moved.v_obj)) {
      ThrowArgument(info, kIndex, &ObjectMismatch<T>, a);
    }
    return static_cast<T*>(ObjectAccess::FromHeader(moved.v_obj));
  }
  /// A parameter by value gets a copy.
  std::conditional_t<std::is_lvalue_reference_v<P>, P, T> Forward() { return *object; }
};

/// The remaining positional arguments.
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

/// How the boxes that a call makes or changes keep its arguments alive; see box_kept.h.
template <class F, class Sig>
struct KeptArguments {
  static constexpr bool kAny = false;
};

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
    if constexpr (KeptArguments<F, Signature<R, P...>>::kAny) {
      KeptArguments<F, Signature<R, P...>>::Before(info, args, num_args);
    }
    if constexpr (std::is_void_v<R>) {
      CallWith(f, pack.Argument<P, static_cast<int32_t>(I)>::Forward()...);
    } else if constexpr (BorrowsFromArguments<R>) {
      TypeTraits<std::decay_t<R>>::StoreBorrowed(
          CallWith(f, pack.Argument<P, static_cast<int32_t>(I)>::Forward()...), args, num_args,
          result);
    } else {
      StoreResult<R>(info, CallWith(f, pack.Argument<P, static_cast<int32_t>(I)>::Forward()...),
                     result);
    }
    if constexpr (KeptArguments<F, Signature<R, P...>>::kAny) {
      KeptArguments<F, Signature<R, P...>>::After(f, info, args, num_args, result);
    }
  }

  static constexpr bool kRest = kTakesRest<P...>;
  static constexpr bool kKeywords = kTakesKeywords<P...>;
  static constexpr int32_t kParams = sizeof...(P) - (kRest ? 1 : 0) - (kKeywords ? 1 : 0);

  /// Calls f if each parameter has an argument. Returns false if defaults must be added first.
  template <class F>
  static bool Call(F& f, const TainFunctionInfo* info, const TainAny* args, int32_t num_args,
                   TainAny* result) {
    const TainAny* keywords = nullptr;
    if constexpr (kKeywords) {
      if (HasKeywords(args, num_args)) {
        num_args -= 2;
        keywords = &args[num_args + 1];
      }
    }
    if (TAIN_UNLIKELY(kRest ? num_args < kParams : num_args != kParams)) return false;
    Run(f, info, args, num_args, keywords, result);
    return true;
  }
};

template <class R>
inline std::string ResultTypeStr() {
  using T = std::decay_t<R>;
  if constexpr (std::is_void_v<R>) {
    return "None";
  } else if constexpr (IsObject<T>) {
    return KeyOf<T>();
  } else {
    return TypeTraits<T>::TypeStr();
  }
}

/// Returns the type expression of a nullable function with these parameters and this result.
TAIN_DLL std::string CallableStr(const TypeText* params, int32_t num_params, TypeText result);

/// Whether a parameter of the type takes the object away from its argument: a std::unique_ptr
/// (internal/box_arguments.h).
template <class T>
inline constexpr bool kIsBoxOwner = false;

template <class Sig>
struct SignatureTools;
template <class R, class... P>
struct SignatureTools<Signature<R, P...>> {
  using Invoke = Invoker<Signature<R, P...>, std::make_index_sequence<sizeof...(P)>>;
  static constexpr bool ReturnsEnum() {
    if constexpr (Crosses<R>) return TypeTraits<std::decay_t<R>>::kIsEnum;
    return false;
  }
  static constexpr int32_t kNumParams = sizeof...(P);
  /// Bit i: parameter i can be null. Later ones than the 64th have none.
  static constexpr uint64_t kNullable = [] {
    uint64_t bits = 0;
    [[maybe_unused]] int32_t i = 0;  // there may be no parameter
    ((bits |= i < 64 && kTakesNull<typename ParamType<P>::Decayed> ? uint64_t{1} << i : 0, ++i),
     ...);
    return bits;
  }();
  static constexpr TypeText kParams[sizeof...(P) + 1] = {&ParamTypeStr<P>..., nullptr};
  static constexpr int (*kExact[sizeof...(P) + 1])(const TainAny*) = {&ExactParam<P>..., nullptr};
  static constexpr bool kTakesAway = (kIsBoxOwner<std::decay_t<P>> || ...);
  static constexpr bool kRest = kTakesRest<P...>;
  static constexpr bool kKeywords = kTakesKeywords<P...>;
};

}  // namespace tain::internal
