// SPDX-License-Identifier: Apache-2.0
// Calls from Python into Functions.
//
// Nearly all calls are by position, with few arguments, none of which needs an object of the core
// that is not there yet: CallPlain, which is inlined into the callables of functions and methods.
#pragma once

#include "base/release_queue.h"
#include "calls/arguments.h"
#include "calls/call_values.h"
#include "objects/in_flight.h"
#include "values/from_python.h"
#include "values/to_python.h"

namespace tain::bindings {

/// Calls a function of the core with Python arguments; null with an error set. `info` may be null.
PyObject* CallCore(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                   Py_ssize_t num_args, PyObject* kwnames) noexcept;
/// The same for a function around whose calls the GIL is released (TainFunctionReleasesGil).
PyObject* CallReleasing(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                        Py_ssize_t num_args, PyObject* kwnames) noexcept;
/// CallCore, but the result stays a value of the core; -1 with a Python error set.
int CallCoreRaw(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                Py_ssize_t num_args, PyObject* kwnames, TainAny* result) noexcept;

constexpr int kInlineArgs = 16;

/// Whether CallPlain may call functions of this record, which may be null: nothing to release, to
/// bind or to make of the result.
bool IsPlain(const TainFunctionInfo* info) noexcept;

/// Whether the result is text, of which the callee may make the str itself (kTainTextOffer).
bool ReturnsText(const TainFunctionInfo* info) noexcept;

/// Arguments that need no new object. Not initialized: a call writes what it uses.
struct PlainArgs {
  TainAny values[kInlineArgs];
  TainByteArray bytes[kInlineArgs];
  int32_t all_types = 0;  ///< their type indices, one or the other

  /// Converts; false, without an error, if an argument needs more. Nothing has happened then.
  bool Convert(PyObject* const* args, Py_ssize_t num_args) noexcept {
    for (Py_ssize_t i = 0; i < num_args; ++i) {
      if (TAIN_UNLIKELY(!FromPythonFast(args[i], &values[i], &bytes[i]))) return false;
      all_types |= values[i].type_index;
    }
    return true;
  }

  /// The same in the order of the parameters.
  bool Convert(PyObject* const* args, const KeywordOrder& order) noexcept {
    for (int32_t i = 0; i < order.count; ++i) {
      const uint8_t at = order.source[i];
      if (at == KeywordOrder::kDefault) {
        const bool has_receiver = (order.info->flags & kTainCallMethod) != 0;
        values[i] = DefaultOf(order.info->args[i - (has_receiver ? 1 : 0)]);
      } else if (TAIN_UNLIKELY(!FromPythonFast(args[at], &values[i], &bytes[i]))) {
        return false;
      }
      all_types |= values[i].type_index;
    }
    return true;
  }

  /// Whether an object may be among them; certain if not.
  bool may_hold_objects() const noexcept { return all_types >= kTainStaticObjectBegin; }
};

/// The same with arguments that were converted.
inline int SafeCall(TainObject* function, const PlainArgs& args, int32_t num_args,
                    TainAny* result) noexcept {
  if (!args.may_hold_objects()) return SafeCall(function, args.values, num_args, result);
  const InFlight in_flight(args.values, num_args);
  return SafeCall(function, args.values, num_args, result);
}

/// A str, as a TainTakeText.
void* TakeText(const char* data, size_t size) noexcept;

/// A result slot that offers to make a str.
inline TainAny OfferStr() noexcept {
  TainAny offer{};
  offer.zero_padding = kTainTextOffer;
  offer.v_ptr = reinterpret_cast<void*>(&TakeText);
  return offer;
}

/// Takes back an offer that the callee left, so that nobody finds it on the stack.
inline void WithdrawOffer(TainAny* result) noexcept {
  if (TAIN_UNLIKELY(result->zero_padding == kTainTextOffer)) {
    *const_cast<volatile uint32_t*>(&result->zero_padding) = 0;
  }
}

/// The call and its result; `kText`: ReturnsText.
template <bool kText, class Args>
PyObject* CallForPython(TainObject* function, const Args& args, int32_t num_args) noexcept {
  TainAny result = kText ? OfferStr() : TainAny{};
  const int code = SafeCall(function, args, num_args, &result);
  if constexpr (kText) {
    WithdrawOffer(&result);
    if (TAIN_LIKELY(result.type_index == kTainTakenText)) {
      auto* text = static_cast<PyObject*>(result.v_ptr);
      if (TAIN_LIKELY(code == 0)) return text;
      Py_XDECREF(text);
    }
  }
  if (TAIN_UNLIKELY(code != 0)) return nullptr;
  if (result.type_index == kTainNone) return Py_NewRef(Py_None);  // without a call, as nearly all
  if (result.type_index == kTainInt) return PyLong_FromLongLong(result.v_int64);
  return ToPython(result);
}

/// CallCore for a record that IsPlain.
template <bool kText>
PyObject* CallPlain(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                    Py_ssize_t num_args, PyObject* kwnames) noexcept {
  PlainArgs plain;
  if (TAIN_LIKELY(kwnames == nullptr && num_args <= kInlineArgs && !ReleasedWait() &&
                  plain.Convert(args, num_args))) {
    return CallForPython<kText>(function, plain, static_cast<int32_t>(num_args));
  }
  return CallCore(function, info, args, num_args, kwnames);
}

/// A function without parameters.
template <bool kText>
PyObject* CallNullary(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                      Py_ssize_t num_args, PyObject* kwnames) noexcept {
  if (TAIN_UNLIKELY(num_args != 0 || kwnames != nullptr || ReleasedWait())) {
    return CallCore(function, info, args, num_args, kwnames);
  }
  return CallForPython<kText>(function, static_cast<const TainAny*>(nullptr), 0);
}

}  // namespace tain::bindings
