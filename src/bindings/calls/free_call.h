// SPDX-License-Identifier: Apache-2.0
// Calls of thread-safe functions (tain::thread_safe, tain::lock_receiver) in a CPython without a GIL:
// they do not take the lock of the bridge, so threads make them at the same time.
//
// A call goes this way if no argument needs more than a look at it: numbers, None, text, bytes, and
// wrappers that are ready. Each object is held, because another thread may take it away from its
// wrapper (HoldReady). A result that is a number, None, text or one of the arguments is converted
// without the lock, too.
// Everything else takes the lock to convert, and only the callee runs without it (CallUnlocked).
#pragma once

#include "base/bridge_lock.h"
#include "calls/call.h"
#include "values/container_convert.h"

#ifdef Py_GIL_DISABLED
namespace tain::bindings {

/// Whether FreeCall may call a function.
bool MayCallFree(const TainObject* function, const TainFunctionInfo* info) noexcept;

/// Arguments whose objects are held.
class HeldArgs : internal::NotCopied {
 public:
  ~HeldArgs() {
    while (count_ > 0) {
      const TainAny& value = values_[--count_];
      if (value.type_index < kTainStaticObjectBegin) continue;
      if (TAIN_UNLIKELY((made_ >> count_ & 1) != 0)) ForgetSource(value.v_obj);
      internal::DecRef(value.v_obj);
    }
  }
  /// Converts at most kInlineArgs arguments. Returns false, without an error, if one needs the lock.
  bool Convert(const TainFunctionInfo* info, PyObject* const* args, int32_t num_args) noexcept {
    for (; count_ < num_args; ++count_) {
      PyObject* object = args[count_];
      TainAny* value = &values_[count_];
      if (IsWrapper(object)) {
        TainObject* target = HoldReady(object);
        if (TAIN_UNLIKELY(target == nullptr)) return false;
        SetObject(target, value);
      } else if (TAIN_UNLIKELY(!FromPythonFast(object, value, &bytes_[count_]) &&
                               !ConvertSequence(object, TypeOfArgument(info, count_)))) {
        return false;
      }
    }
    return true;
  }
  const TainAny* values() const noexcept { return values_; }
  int32_t count() const noexcept { return count_; }

 private:
  /// Makes the next argument of a list or tuple.
  bool ConvertSequence(PyObject* object, std::string_view type) noexcept {
    if (IsTensorType(type)) return false;
    TainObject* made = FreeSequenceFromPython(object);
    if (made == nullptr) return false;
    SetObject(made, &values_[count_]);
    made_ |= 1u << count_;
    RememberSource(made, object);
    return true;
  }

  TainAny values_[kInlineArgs];
  TainByteArray bytes_[kInlineArgs];
  int32_t count_ = 0;
  uint32_t made_ = 0;  ///< one bit for each argument: it was made for the call
};

/// Whether the arguments of a call without keywords may be converted without the lock: nothing waits for
/// the lock, and no defaults are needed.
inline bool MayConvertFreely(const TainFunctionInfo* info, Py_ssize_t num_args) noexcept {
  return num_args <= kInlineArgs && !ReleasedWait() && !LacksArguments(info, num_args);
}

/// Whether the receiver can be locked, if it must: it is a wrapper.
inline bool HasLock(const TainFunctionInfo* info, const HeldArgs& args) noexcept {
  return !internal::LocksReceiver(info) ||
         (args.count() > 0 && args.values()[0].type_index >= kTainStaticObjectBegin);
}

/// Makes the Python value of a result, or of the error that the callee raised, with the lock.
PyObject* LockedResult(int code, const TainAny& result) noexcept;

/// Returns the wrapper of a result that is one of the arguments `given`, and drops the result; else
/// null. Methods often return their object.
inline PyObject* GivenBack(const TainAny& result, const HeldArgs& args,
                           PyObject* const* given) noexcept {
  for (int32_t i = 0; i < args.count(); ++i) {
    if (IsWrapper(given[i]) && ReadyObject(given[i]) == result.v_obj) {
      internal::DecRef(result.v_obj);  // `args` holds it, too
      return Py_NewRef(given[i]);
    }
  }
  return nullptr;
}

/// Calls the function, with the lock of its receiver if it asks for it, and converts its result.
/// `kText` is ReturnsText.
template <bool kText>
[[gnu::always_inline]] inline PyObject* FreeResult(TainObject* function,
                                                   const TainFunctionInfo* info,
                                                   const HeldArgs& args,
                                                   PyObject* const* given) noexcept {
  auto* cell = reinterpret_cast<TainFunctionCell*>(function + 1);  // the cell follows the header
  TainAny result = kText ? OfferStr() : TainAny{};
  int code;
  if (TAIN_LIKELY(!internal::LocksReceiver(info))) {
    code = cell->safe_call(function, args.values(), args.count(), &result);
  } else {
    const WordLock lock(given[0]);
    code = cell->safe_call(function, args.values(), args.count(), &result);
  }
  if constexpr (kText) {
    PyObject* text;
    if (TAIN_LIKELY(TookText(code, &result, &text))) return text;
  }
  if (TAIN_LIKELY(code == 0)) {
    switch (result.type_index) {
      case kTainNone: return Py_NewRef(Py_None);
      case kTainInt: return PyLong_FromLongLong(result.v_int64);
      case kTainFloat: return PyFloat_FromDouble(result.v_float64);
      case kTainBool: return PyBool_FromLong(result.v_int64 != 0);
      default:
        if (result.type_index < kTainStaticObjectBegin) break;
        if (PyObject* wrapper = GivenBack(result, args, given)) return wrapper;
        if (PyObject* wrapper = FreeWrap(result.v_obj)) return wrapper;
    }
  }
  return LockedResult(code, result);
}

/// Calls a function for which MayCallFree is true.
template <bool kText>
PyObject* FreeCall(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                   Py_ssize_t num_args, PyObject* kwnames) noexcept {
  if (TAIN_LIKELY(kwnames == nullptr && MayConvertFreely(info, num_args))) {
    HeldArgs held;
    const auto count = static_cast<int32_t>(num_args);
    if (TAIN_LIKELY(held.Convert(info, args, count) && HasLock(info, held))) {
      return FreeResult<kText>(function, info, held, args);
    }
  }
  const BridgeLock lock;
  return CallCore(function, info, args, num_args, kwnames);
}

}  // namespace tain::bindings
#endif
