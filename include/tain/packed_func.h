// SPDX-License-Identifier: Apache-2.0
// Packed functions: bodies that read an argument list and fill a result, registered by name.
//
//   void Add(PackedArgs args, RetValue* rv) { int a = args[0], b = args[1]; *rv = a + b; }
//   TAIN_REGISTER_GLOBAL("example.add").set_body(Add);
//   TAIN_REGISTER_GLOBAL("example.half").set_body_typed([](double x) { return x / 2; });
//   int sum = (*Registry::Get("example.add"))(1, 2);
// Arguments and results convert implicitly, as parameters do; a value that does not fit throws
// TypeError or OverflowError. A PackedFunc is a Function with this interface: the same object, so
// each converts to the other.
#pragma once

#include <type_traits>
#include <utility>

#include "tain/internal/type_builder.h"

namespace tain {

class PackedFunc;
class PackedArgs;

namespace internal {

/// A type to which an argument or a result converts implicitly.
template <class T>
concept ImplicitTarget = Crosses<T> && !std::is_same_v<T, std::nullptr_t> &&
                         !std::is_same_v<T, Any> && !std::is_same_v<T, AnyView>;

/// Throws TypeError because a packed body reads argument `index` of a call with `given` arguments.
[[noreturn]] TAIN_DLL void ThrowMissing(const TainFunctionInfo* info, int32_t index, int32_t given);

}  // namespace internal

/// An argument of a packed function, which converts implicitly to the type that it is used as. It
/// must not outlive the call.
class ArgValue : public AnyView {
 public:
  template <class T>
    requires internal::ImplicitTarget<T>
  operator T() const {  // NOLINT: implicit on purpose
    if constexpr (!TypeTraits<T>::kReadOnce) {
      if (TAIN_LIKELY(TypeTraits<T>::CheckAnyStrict(place_))) {
        return TypeTraits<T>::CopyFromAnyViewAfterCheck(place_);
      }
    }
    std::optional<T> converted = TypeTraits<T>::TryCastFromAnyView(place_);
    if (TAIN_UNLIKELY(!converted)) {
      internal::ThrowArgument(info_, index_, &internal::MismatchOf<T>, *place_);
    }
    return *std::move(converted);
  }

 private:
  friend class PackedArgs;
  ArgValue(const TainAny* place, int32_t index, const TainFunctionInfo* info) noexcept
      : AnyView(*place), place_(place), index_(index), info_(info) {}

  const TainAny* place_;  // an element of the call's arguments, so that the error can name it
  int32_t index_;
  const TainFunctionInfo* info_;  // null if the function is not registered
};

/// The arguments of a packed function.
class PackedArgs : public Args {
 public:
  PackedArgs(Args args, const TainFunctionInfo* info = nullptr) noexcept  // NOLINT: same values
      : Args(args), num_args(args.size()), info_(info) {}
  /// Argument i; throws TypeError if the caller has not passed it.
  const ArgValue operator[](int32_t i) const {
    if (TAIN_UNLIKELY(i < 0 || i >= size())) internal::ThrowMissing(info_, i, size());
    return ArgValue(data() + i, i, info_);
  }

  int32_t num_args;  ///< the same as size()

 private:
  const TainFunctionInfo* info_;
};

/// The result of a packed function. The function assigns any value; the caller converts it
/// implicitly.
class RetValue : public Any {
 public:
  RetValue() noexcept = default;
  RetValue(Any value) noexcept : Any(std::move(value)) {}  // NOLINT: the same value
  template <class T>
    requires std::is_constructible_v<Any, T>
  RetValue& operator=(T&& value) {
    Any::operator=(Any(std::forward<T>(value)));
    return *this;
  }
  template <class T>
    requires internal::ImplicitTarget<T>
  operator T() const {  // NOLINT: implicit on purpose
    return internal::CastOrThrow<T>(data(), "result of the function");
  }
};

namespace internal {

/// The object behind a PackedFunc that is made of a body; the body follows it.
class PackedObj : public FunctionObj {
 public:
  using Call = void (*)(PackedObj* self, const PackedArgs& args, RetValue* result);

 protected:
  TAIN_DLL explicit PackedObj(Call call) noexcept;

 private:
  static int SafeCall(void* self, const TainAny* args, int32_t num_args, TainAny* result) noexcept;
  Call call_;
};

template <class F>
class PackedClosure : public PackedObj {
 public:
  explicit PackedClosure(F f) : PackedObj(&Run), body_(std::move(f)) {}

 private:
  static void Run(PackedObj* self, const PackedArgs& args, RetValue* result) {
    static_cast<PackedClosure*>(self)->body_(args, result);
  }
  F body_;
};

/// A callable that reads an argument list and fills a result; no Function.
template <class F>
concept IsPackedBody = !IsObjectRef<std::decay_t<F>> &&
                       std::is_invocable_v<std::decay_t<F>&, const PackedArgs&, RetValue*>;

}  // namespace internal

/// A Function that can be made from `void(PackedArgs, RetValue*)`. Calls return a RetValue.
class PackedFunc : public Function {
 public:
  PackedFunc() noexcept = default;
  PackedFunc(std::nullptr_t) noexcept {}  // NOLINT: a null function
  explicit PackedFunc(UnsafeInit tag) noexcept : Function(tag) {}
  explicit PackedFunc(ObjectPtr<FunctionObj> object) noexcept : Function(std::move(object)) {}
  PackedFunc(Function function) noexcept : Function(std::move(function)) {}  // NOLINT: the same
  template <class F>
    requires internal::IsPackedBody<F>
  PackedFunc(F&& body)  // NOLINT: any packed body
      : Function(ObjectPtr<FunctionObj>(
            make_object<internal::PackedClosure<std::decay_t<F>>>(std::forward<F>(body)))) {}

  /// Calls the function. Throws ValueError if it is null, and any error of the callee.
  template <class... A>
  RetValue operator()(A&&... args) const {
    return Function::operator()(std::forward<A>(args)...);
  }
  using Function::CallPacked;
  /// Calls the function with a list of arguments and stores the result.
  void CallPacked(const PackedArgs& args, RetValue* result) const {
    *result = Function::CallPacked(args);
  }
};

template <>
struct TypeTraits<PackedFunc> : internal::HandleTraits<PackedFunc, FunctionObj, true> {
  static std::string TypeStr() { return TypeTraits<Function>::TypeStr(); }
};

/// A PackedFunc whose signature the compiler knows.
template <class Signature>
using TypedPackedFunc = TypedFunction<Signature>;

/// The registration of one global function; see TAIN_REGISTER_GLOBAL.
class Registry {
 public:
  /// Begins the registration of a function. The default of `unit` is evaluated by the caller, so it
  /// is the record of the caller's library.
  static Registry Register(const char* name, const TainUnit* unit = internal::ThisUnit()) noexcept {
    return Registry(name, unit);
  }
  /// Registers a packed body or an existing function. A name that is taken is a fault of the load.
  template <class F>
    requires std::is_constructible_v<PackedFunc, F>
  Registry& set_body(F&& body) {
    internal::DefineGlobal(unit_, name_, PackedFunc(std::forward<F>(body)), nullptr, nullptr, 0);
    return *this;
  }
  /// Registers any callable with its signature; tain::arg, documentation and release_gil() may
  /// follow it.
  template <class F, class... Extra>
  Registry& set_body_typed(F&& f, Extra... extra) {
    static_assert(internal::Accepts<internal::CallSpec, Extra...>,
                  "set_body_typed: after the function it takes tain::arg, documentation and "
                  "release_gil()");
    using Call = typename internal::FunctionCall<std::decay_t<F>>::Type;
    using Sig = internal::SignatureOf<Call>;
    if constexpr (!internal::kGoodSignature<Sig>) {
      (void)sizeof(internal::SignatureErrors<Sig, F>);
    } else {
      const internal::Collected<internal::CallSpec, Extra...> spec(std::forward<Extra>(extra)...);
      internal::DefineGlobal(unit_, name_, Function::FromTyped(std::forward<F>(f)),
                             &internal::kShapeOf<Call>, spec.get(), 0);
    }
    return *this;
  }
  /// Returns the global function of a name, or null if there is none. The pointer stays valid, so
  /// the function lives as long as the process, even if its name is removed.
  TAIN_DLL static const PackedFunc* Get(std::string_view name);

 private:
  Registry(const char* name, const TainUnit* unit) noexcept : name_(name), unit_(unit) {}
  const char* name_;
  const TainUnit* unit_;
};

}  // namespace tain

/// Registers a global function when the library is loaded: `TAIN_REGISTER_GLOBAL("name")` followed
/// by `.set_body(f);` or `.set_body_typed(f);`.
#define TAIN_REGISTER_GLOBAL(name)                                                          \
  [[maybe_unused]] static const ::tain::Registry TAIN_CONCAT(tain_registry_, __COUNTER__) = \
      ::tain::Registry::Register(name)
