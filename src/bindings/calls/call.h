// SPDX-License-Identifier: Apache-2.0
// Calls from Python into Functions.
//
// Nearly all calls have few arguments, all positional, and none of them needs a new object of the
// core. CallPlain makes these calls, and CallFew those of functions with at most three parameters.
//
//   path            taken for                                        falls back to
//   FreeCall        no GIL, and tain::thread_safe (free_call.h)      CallCore
//   CallFew         IsPlain, as many arguments as parameters (<= 3)  CallPlain; CallCore for keywords
//   CallPlain       IsPlain, positional, constant defaults           CallConverting, CallCore
//   CallCore        every call whose result Python gets              CallOverloaded; CallCoreRaw
//   CallCoreRaw     the same, if the result stays in the core        CallGeneral
//   CallLeaving     ConvertsPlainly, positional, leaves the lock     CallConverting
//   CallConverting  an argument needs a new object                   CallGeneral
//   CallOperator    a binary operator: NotImplemented, if refused    TryOverloads
//   CallForArray    the caller chooses the class of a new Tensor     CallGeneral
//   CallGeneral     what the others leave; chooses among:
//     CallOverloaded   overloads: the first that fits (overloads.h)
//     CallBound        keywords, or parameters that need BoundArguments (arguments.h)
//     CallForTensor    the rest, with tensors' streams (tensor_call.h)
//   CallUnlocked, CallValues (call_values.h): what each of them ends in, with values of the core.
//
// A path that falls back has had no effect. The class function_class.cc and the descriptor
// method_descr.cc choose a path when the function is first seen.
#pragma once

#include <algorithm>

#include "base/release_queue.h"
#include "calls/arguments.h"
#include "calls/call_values.h"
#include "calls/state.h"
#include "objects/in_flight.h"
#include "values/from_python.h"
#include "values/to_python.h"

namespace tain::bindings {

/// Calls a function of the core with Python arguments. Returns null with an error set. `info` may
/// be null.
PyObject* CallCore(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                   Py_ssize_t num_args, PyObject* kwnames) noexcept;
/// CallCore for calls that leave the lock (LeavesLock), with an info for which ConvertsPlainly is true.
PyObject* CallLeaving(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                      Py_ssize_t num_args, PyObject* kwnames) noexcept;
/// CallCore for other calls that leave the lock, or with an argument that needs a new object.
PyObject* CallConverting(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                         Py_ssize_t num_args, PyObject* kwnames) noexcept;
/// Calls a binary operator with both operands. Returns NotImplemented if the second one does not
/// fit.
PyObject* CallOperator(TainObject* function, const TainFunctionInfo* info,
                       PyObject* const* args) noexcept;
/// CallCore, but a result that is a new Tensor becomes what the Python callable `make` makes of it;
/// it stays a tain.Tensor if `make` is None.
PyObject* CallForArray(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                       Py_ssize_t num_args, PyObject* kwnames, PyObject* make) noexcept;
/// CallCore, but the result stays a value of the core. Returns -1 with a Python error set.
int CallCoreRaw(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                Py_ssize_t num_args, PyObject* kwnames, TainAny* result) noexcept;

/// One of the ways to call a function, such as CallCore.
using CallPath = PyObject* (*)(TainObject*, const TainFunctionInfo*, PyObject* const*, Py_ssize_t,
                               PyObject*) noexcept;

/// Whether calls of functions with this info, which may be null, need not bind arguments or convert
/// the result specially.
bool ConvertsPlainly(const TainFunctionInfo* info) noexcept;
/// Whether CallPlain may call them: they do not leave the lock either.
bool IsPlain(const TainFunctionInfo* info) noexcept;

/// Whether the result is text, which the callee may itself return as a str (kTainTextOffer).
bool ReturnsText(const TainFunctionInfo* info) noexcept;

/// At most `kRoom` arguments that need no new object. The values are not initialized; a call writes
/// the ones it uses.
template <int kRoom>
struct PlainArgsOf {
  TainAny values[kRoom];
  TainByteArray bytes[kRoom];
  int32_t all_types = 0;  ///< bitwise OR of their type indices

  /// Converts the arguments. Returns false, without an error or any effect, if one needs a new
  /// object.
  bool Convert(PyObject* const* args, Py_ssize_t num_args) noexcept {
    int32_t types = 0;
    for (Py_ssize_t i = 0; i < num_args; ++i) {
      if (TAIN_UNLIKELY(!ConvertOne(args[i], i))) return false;
      types |= values[i].type_index;
    }
    all_types = types;
    return true;
  }

  /// Converts exactly `kRoom` arguments, without a loop.
  bool ConvertAll(PyObject* const* args) noexcept {
    return ConvertEach(args, std::make_integer_sequence<int, kRoom>());
  }

  /// Converts the arguments in the order of the parameters.
  bool Convert(PyObject* const* args, const KeywordOrder& order) noexcept {
    int32_t types = 0;
    for (int32_t i = 0; i < order.count; ++i) {
      const uint8_t at = order.source[i];
      if (at == KeywordOrder::kDefault) {
        const bool has_receiver = (order.info->flags & kTainCallMethod) != 0;
        values[i] = DefaultOf(order.info->args[i - (has_receiver ? 1 : 0)]);
      } else if (TAIN_UNLIKELY(!ConvertOne(args[at], i))) {
        return false;
      }
      types |= values[i].type_index;
    }
    all_types = types;
    return true;
  }

  /// Adds the defaults of the parameters that `num_args` arguments leave out. Returns false, without
  /// an error, if one is not constant.
  bool AddDefaults(const TainFunctionInfo* info, Py_ssize_t num_args) noexcept {
    const int32_t receiver = (info->flags & kTainCallMethod) != 0 ? 1 : 0;
    const int32_t count = info->num_args + receiver;
    const bool is_packed = (info->flags & kTainCallPacked) != 0;
    if (num_args < receiver || count > kRoom || is_packed) return false;
    for (auto i = static_cast<int32_t>(num_args); i < count; ++i) {
      const TainArgInfo& parameter = info->args[i - receiver];
      if (TAIN_UNLIKELY(!IsConstantDefault(parameter))) return false;
      values[i] = DefaultOf(parameter);
      all_types |= values[i].type_index;
    }
    return true;
  }

  /// Whether an argument may be an object; if false, certainly none is.
  bool may_hold_objects() const noexcept { return all_types >= kTainStaticObjectBegin; }
  /// Whether one of the first `num_args` arguments is a tensor.
  bool HoldTensor(int32_t num_args) const noexcept {
    return may_hold_objects() && std::any_of(values, values + num_args, [](const TainAny& value) {
             return value.type_index == kTainTensor;
           });
  }

 private:
  template <int... kPlaces>
  [[gnu::always_inline]] bool ConvertEach(PyObject* const* args,
                                          std::integer_sequence<int, kPlaces...>) noexcept {
    if (TAIN_UNLIKELY(!(ConvertOne(args[kPlaces], kPlaces) && ...))) return false;
    all_types = (values[kPlaces].type_index | ...);
    return true;
  }

  [[gnu::always_inline]] bool ConvertOne(PyObject* object, Py_ssize_t place) noexcept {
    return TAIN_LIKELY(FromPythonAtOnce(object, &values[place])) ||
           FromPythonFast(object, &values[place], &bytes[place]);
  }
};

using PlainArgs = PlainArgsOf<kInlineArgs>;

/// CallCore with converted arguments.
template <int kRoom>
inline int SafeCall(TainObject* function, const PlainArgsOf<kRoom>& args, int32_t num_args,
                    TainAny* result) noexcept {
  if (!args.may_hold_objects()) return SafeCall(function, args.values, num_args, result);
  if constexpr (kRoom < kInlineArgs) {  // `num_args` is kRoom
    const FewInFlight<kRoom> in_flight(args.values);
    return SafeCall(function, args.values, num_args, result);
  } else {
    const InFlight in_flight(args.values, num_args);
    return SafeCall(function, args.values, num_args, result);
  }
}

/// Makes a str; this is the TainTakeText of Python.
void* TakeText(const char* data, size_t size) noexcept;

/// Returns a result slot that offers to make a str (kTainTextOffer).
inline TainAny OfferStr() noexcept {
  TainAny offer{};
  offer.zero_padding = kTainTextOffer;
  offer.v_ptr = reinterpret_cast<void*>(&TakeText);
  return offer;
}

/// Removes an offer that the callee did not overwrite, so that no later code finds it on the stack.
inline void WithdrawOffer(TainAny* result) noexcept {
  if (TAIN_UNLIKELY(result->zero_padding == kTainTextOffer)) {
    *const_cast<volatile uint32_t*>(&result->zero_padding) = 0;
  }
}

/// Whether the callee has taken the offer and returned the str, which `text` gets. Drops a str that it
/// made before it failed.
[[gnu::always_inline]] inline bool TookText(int code, TainAny* result, PyObject** text) noexcept {
  WithdrawOffer(result);
  if (TAIN_UNLIKELY(result->type_index != kTainTakenText)) return false;
  *text = static_cast<PyObject*>(result->v_ptr);
  if (TAIN_LIKELY(code == 0)) return true;
  Py_XDECREF(*text);
  return false;
}

/// ToPython for rare results. Takes the value by copy, so that the caller needs no address for it.
PyObject* OtherToPython(TainAny result) noexcept;

/// Calls the function and converts its result. `kText` is ReturnsText.
template <bool kText, class Args>
[[gnu::always_inline]] inline PyObject* CallForPython(TainObject* function, const Args& args,
                                                      int32_t num_args) noexcept {
  TainAny result = kText ? OfferStr() : TainAny{};
  const int code = SafeCall(function, args, num_args, &result);
  if constexpr (kText) {
    PyObject* text;
    if (TAIN_LIKELY(TookText(code, &result, &text))) return text;
  }
  if (TAIN_UNLIKELY(code != 0)) return nullptr;
  if (result.type_index == kTainNone) return Py_NewRef(Py_None);  // common, needs no conversion
  if (result.type_index == kTainInt) return PyLong_FromLongLong(result.v_int64);
  if (result.type_index >= kTainDynObjectBegin) return Wrap(result.v_obj);
  return OtherToPython(result);
}

/// Returns the number of arguments, including the receiver, of a call that omits none; -1 if the
/// info does not tell.
inline int32_t NumParameters(const TainFunctionInfo* info) noexcept {
  if (info == nullptr || (info->flags & kTainCallPacked) != 0) return -1;
  return info->num_args + ((info->flags & kTainCallMethod) != 0 ? 1 : 0);
}

/// CallCore for an info for which IsPlain is true.
template <bool kText>
PyObject* CallPlain(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                    Py_ssize_t num_args, PyObject* kwnames) noexcept {
  PlainArgs plain;
  if (TAIN_LIKELY(kwnames == nullptr && num_args <= kInlineArgs && !ReleasedWait())) {
    if (TAIN_UNLIKELY(!plain.Convert(args, num_args))) {
      return CallConverting(function, info, args, num_args, nullptr);
    }
    if (TAIN_LIKELY(!LacksArguments(info, num_args))) {
      return CallForPython<kText>(function, plain, static_cast<int32_t>(num_args));
    }
    if (TAIN_LIKELY(plain.AddDefaults(info, num_args))) {
      return CallForPython<kText>(function, plain, NumParameters(info));
    }
  }
  return CallCore(function, info, args, num_args, kwnames);
}

/// CallPlain for an info with `kCount` parameters, including the receiver. The conversions are
/// unrolled, and the call uses little stack.
template <bool kText, int kCount>
[[gnu::always_inline]] inline PyObject* CallFew(TainObject* function, const TainFunctionInfo* info,
                                                PyObject* const* args, Py_ssize_t num_args,
                                                PyObject* kwnames) noexcept {
  if (TAIN_LIKELY(kwnames == nullptr && num_args == kCount && !ReleasedWait())) {
    PlainArgsOf<kCount> plain;
    if (TAIN_LIKELY(plain.ConvertAll(args))) return CallForPython<kText>(function, plain, kCount);
    return CallConverting(function, info, args, kCount, nullptr);
  }
  if (kwnames == nullptr) return CallPlain<kText>(function, info, args, num_args, nullptr);
  return CallCore(function, info, args, num_args, kwnames);
}

}  // namespace tain::bindings
