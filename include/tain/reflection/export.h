// SPDX-License-Identifier: Apache-2.0
// TAIN_EXPORT: makes a C++ function a function of the library's module.
//
//   int add(int a, int b) { return a + b; }
//   TAIN_EXPORT(add, add, tain::arg("a"), tain::arg("b") = 1, "Adds.");
// `tain.load_module(path).add(1, 2)` calls it. The function is not registered globally. The library
// gets the C symbol `__tvm_ffi_add`, which programs of the TVM FFI's binary interface call, and a
// record from which tain makes a Function with names, defaults and documentation.
#pragma once

#include <tuple>
#include <utility>

#include "tain/function.h"
#include "tain/internal/member_specs.h"

#ifndef TAIN_EXPORTS  // libtain itself is no module
/// A variable of the binary contract: the loader of a module writes the address of its runtime's
/// function there. Weak, because each file of a library has it.
extern "C" __attribute__((weak)) TAIN_DLL_EXPORT void (*__TVMFFIErrorSetRaisedFromCStr)(
    const char* kind, const char* message);
void (*__TVMFFIErrorSetRaisedFromCStr)(const char* kind, const char* message) = nullptr;
#if defined(__ELF__)
/// The function itself, for runtimes that do not fill the variable; null if the process has no other
/// runtime than libtain.
extern "C" __attribute__((weak)) void TVMFFIErrorSetRaisedFromCStr(const char* kind,
                                                                   const char* message);
/// In the process if the names of that runtime lead to libtain.
extern "C" __attribute__((weak)) const char TainForwardsTVMFFI;
#endif
#endif

namespace tain::internal {

#ifndef TAIN_EXPORTS
/// Whether another runtime than libtain has loaded the module, or did so last. Some write nothing.
inline bool IsLoadedByOthers() noexcept {
  if (__TVMFFIErrorSetRaisedFromCStr != nullptr) {
    return __TVMFFIErrorSetRaisedFromCStr != &TainErrorSetRaisedFromCStr;
  }
#if defined(__ELF__)
  return &TVMFFIErrorSetRaisedFromCStr != nullptr && &TainForwardsTVMFFI == nullptr;
#else
  return false;
#endif
}
#endif

/// Gives the error of an exported function to each runtime that may have called it: it looks for the
/// error in its own table. Returns -1.
TAIN_HIDDEN TAIN_COLD inline int PassRaised() noexcept {
#ifndef TAIN_EXPORTS
  using Raise = void (*)(const char* kind, const char* message);
  const Raise written = __TVMFFIErrorSetRaisedFromCStr;
  const bool is_by_tain = written == &TainErrorSetRaisedFromCStr;
  const Raise loader = is_by_tain ? nullptr : written;
  Raise other = nullptr;
#if defined(__ELF__)
  if (&TainForwardsTVMFFI == nullptr) other = &TVMFFIErrorSetRaisedFromCStr;
#endif
  if (loader == nullptr && other == nullptr) return -1;
  TainObject* error = nullptr;
  TainErrorMoveFromRaised(&error);
  if (error == nullptr) return -1;
  const auto* cell = reinterpret_cast<const TainErrorCell*>(error + 1);  // it follows the header
  if (loader != nullptr) loader(cell->kind.data, cell->message.data);
  if (other != nullptr && other != loader) other(cell->kind.data, cell->message.data);
  if (is_by_tain) TainErrorSetRaised(error);  // a program of tain's may have called the symbol
  DecRef(error);
#endif
  return -1;
}

/// Whether values can cross to or from the runtime that calls: another one takes the number of a type
/// that a library registered for that of one of its own types.
TAIN_HIDDEN inline bool MayCross([[maybe_unused]] const TainAny* values,
                                 [[maybe_unused]] int32_t count) noexcept {
#ifndef TAIN_EXPORTS
  if (TAIN_LIKELY(!IsLoadedByOthers())) return true;
  for (int32_t i = 0; i < count; ++i) {
    if (values[i].type_index >= kTainDynObjectBegin) return false;
  }
#endif
  return true;
}
TAIN_HIDDEN TAIN_COLD inline int RaiseNoCrossing() noexcept {
  TainErrorSetRaisedFromCStr(
      "TypeError",
      "objects of registered types cannot cross between tain and another runtime: pass numbers, "
      "texts, containers of these, functions or tensors");
  return PassRaised();
}

/// The record of an exported function, the data symbol `__tain_export_<name>`. libtain reads it
/// only if `layout` is libtain's own TAIN_LAYOUT_VERSION.
struct ModuleExport {
  uint32_t layout;
  uint32_t flags;          ///< TainCallFlags that are known at compile time; 0
  TainSafeCall safe_call;  ///< of a Closure of the callable
  uint64_t (*callable)();  ///< the bytes of the callable
  const CallShape* shape;  ///< the signature; null for a packed function
  /// Calls `take(context, spec)` with names, defaults, documentation and options.
  void (*describe)(void* context, void (*take)(void* context, const CallSpec* spec));
};

/// A callable with its options.
template <class F, class... Extra>
struct Exported {
  using Callable = typename FunctionCall<F>::Type;
  static_assert(kGoodSignature<SignatureOf<Callable>>,
                "TAIN_EXPORT: expected a function, or a lambda without captures, whose parameters "
                "and result are types that Python can have (docs/conversions.md)");
  static_assert(kIsPlainCallable<Callable> && sizeof(Callable) <= sizeof(uint64_t),
                "TAIN_EXPORT: expected a function or a lambda without captures");
  static_assert(Accepts<CallSpec, Extra...>,
                "TAIN_EXPORT: after the function it takes tain::arg, documentation, "
                "release_gil() and thread_safe()");

  Exported(F f, Extra... extra) : callable{std::move(f)}, extras(std::move(extra)...) {}

  uint64_t Bytes() const noexcept {
    uint64_t bytes = 0;
    __builtin_memcpy(&bytes, &callable, sizeof(callable));
    return bytes;
  }
  void Describe(void* context, void (*take)(void* context, const CallSpec* spec)) const {
    std::apply(
        [&](const Extra&... extra) {
          const Collected<CallSpec, Extra...> spec{Extra(extra)...};
          take(context, spec.get());
        },
        extras);
  }
  /// Calls the callable for a program that knows the C symbol only.
  int Call(const TainAny* args, int32_t num_args, TainAny* result) const noexcept {
    if (TAIN_UNLIKELY(!MayCross(args, num_args))) return RaiseNoCrossing();
    Closure<Callable> closure(callable);
    const int code =
        Closure<Callable>::SafeCall(ObjectAccess::Header(&closure), args, num_args, result);
    if (TAIN_UNLIKELY(code != 0)) return PassRaised();
    if (TAIN_LIKELY(MayCross(result, 1))) return 0;
    DecRef(result->v_obj);
    *result = TainAny{};
    return RaiseNoCrossing();
  }

  Callable callable;
  std::tuple<Extra...> extras;
};
template <class F, class... Extra>
Exported(F, Extra...) -> Exported<F, Extra...>;

}  // namespace tain::internal

/// Exports a function under a name, which must be an identifier: TAIN_EXPORT(name, f, options...).
/// `f` is a function or a lambda without captures. It stands outside of classes and functions.
#define TAIN_EXPORT(name, ...)                                                                  \
  static const auto& tain_exported_##name() {                                                   \
    static const ::tain::internal::Exported exported(__VA_ARGS__);                              \
    return exported;                                                                            \
  }                                                                                             \
  extern "C" TAIN_DLL_EXPORT int __tvm_ffi_##name(void*, const TainAny* args, int32_t num_args, \
                                                  TainAny* result) noexcept {                   \
    return tain_exported_##name().Call(args, num_args, result);                                 \
  }                                                                                             \
  extern "C" TAIN_DLL_EXPORT const ::tain::internal::ModuleExport __tain_export_##name;         \
  const ::tain::internal::ModuleExport __tain_export_##name = {                                 \
      TAIN_LAYOUT_VERSION,                                                                      \
      0,                                                                                        \
      &::tain::internal::Closure<                                                               \
          std::decay_t<decltype(tain_exported_##name().callable)>>::SafeCall,                   \
      [] { return tain_exported_##name().Bytes(); },                                            \
      &::tain::internal::kShapeOf<std::decay_t<decltype(tain_exported_##name().callable)>>,     \
      [](void* context, void (*take)(void*, const ::tain::internal::CallSpec*)) {               \
        tain_exported_##name().Describe(context, take);                                         \
      }}
