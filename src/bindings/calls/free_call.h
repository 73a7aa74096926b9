// SPDX-License-Identifier: Apache-2.0
// Calls of thread-safe functions (tain::thread_safe, tain::lock_receiver) in a CPython without a GIL:
// they do not take the lock of the bridge, so threads make them at the same time.
//
// A call goes this way if no argument needs more than a look at it: numbers, None, text, bytes, and
// wrappers that are ready, but for those of Lists and Dicts. Each object is held, because another thread may take it away from its
// wrapper (HoldReady). A result that is a number, None, text or one of the arguments is converted
// without the lock, too.
// Everything else takes the lock to convert, and only the callee runs without it (CallUnlocked).
#pragma once

#include "base/bridge_lock.h"
#include "calls/call.h"
#include "calls/call_values.h"
#include "values/container_convert.h"

#ifdef Py_GIL_DISABLED
namespace tain::bindings {

/// Whether FreeCall may call a function.
bool MayCallFree(const TainObject* function, const TainFunctionInfo* info) noexcept;

/// At most `kRoom` arguments, whose objects are held.
template <int kRoom>
class HeldArgsOf : internal::NotCopied {
 public:
  ~HeldArgsOf() {
    if (TAIN_UNLIKELY(made_ != 0)) ForgetSources();
    if (held_ == 0) return;
    for (int i = 0; i < kRoom; ++i) {
      if ((held_ >> i & 1) != 0) internal::DecRef(values_[i].v_obj);
    }
  }
  /// Converts the arguments. Returns false, without an error, if one needs the lock.
  bool Convert(const TainFunctionInfo* info, PyObject* const* args, int32_t num_args) noexcept {
    for (int32_t i = 0; i < num_args; ++i) {
      if (TAIN_UNLIKELY(!ConvertOne(info, args[i], i))) return false;
    }
    return true;
  }
  /// Converts the arguments in the order of the parameters.
  bool Convert(const TainFunctionInfo* info, PyObject* const* args,
               const KeywordOrder& order) noexcept {
    const int32_t receiver = (info->flags & kTainCallMethod) != 0 ? 1 : 0;
    for (int32_t i = 0; i < order.count; ++i) {
      const uint8_t at = order.source[i];
      if (at == KeywordOrder::kDefault) {
        values_[i] = DefaultOf(info->args[i - receiver]);
      } else if (TAIN_UNLIKELY(!ConvertOne(info, args[at], i))) {
        return false;
      }
    }
    return true;
  }
  /// Converts exactly `kRoom` arguments, without a loop.
  [[gnu::always_inline]] bool ConvertAll(const TainFunctionInfo* info,
                                         PyObject* const* args) noexcept {
    return ConvertEach(info, args, std::make_integer_sequence<int, kRoom>());
  }
  const TainAny* values() const noexcept { return values_; }
  /// Whether an argument is an object.
  bool is_object(int place) const noexcept { return (held_ >> place & 1) != 0; }

 private:
  static_assert(kRoom <= 32, "one bit each");

  template <int... kPlaces>
  [[gnu::always_inline]] bool ConvertEach([[maybe_unused]] const TainFunctionInfo* info,
                                          [[maybe_unused]] PyObject* const* args,
                                          std::integer_sequence<int, kPlaces...>) noexcept {
    return (ConvertOne(info, args[kPlaces], kPlaces) && ...);
  }
  [[gnu::always_inline]] bool ConvertOne(const TainFunctionInfo* info, PyObject* object,
                                         int place) noexcept {
    TainAny* value = &values_[place];
    int64_t number;
    const PyTypeObject* type = Py_TYPE(object);
    if (type == &PyLong_Type && TAIN_LIKELY(CompactInt(object, &number))) {
      SetInt(number, value);
      return true;
    }
    if (type == &PyFloat_Type) {
      SetFloat(PyFloat_AS_DOUBLE(object), value);
      return true;
    }
    if (IsWrapper(object)) {
      TainObject* target = HoldReady(object);
      if (TAIN_UNLIKELY(target == nullptr)) return false;
      SetObject(target, value);
      held_ |= 1u << place;
      return TAIN_LIKELY(!IsChangeable(target->type_index));
    }
    return TAIN_LIKELY(FromPythonFast(object, value, &bytes_[place])) ||
           ConvertSequence(info, object, place);
  }
  /// Converts a list or tuple.
  TAIN_COLD bool ConvertSequence(const TainFunctionInfo* info, PyObject* object,
                                 int place) noexcept {
    if (IsTensorType(TypeOfArgument(info, place))) return false;
    TainObject* made = FreeSequenceFromPython(object);
    if (made == nullptr) return false;
    SetObject(made, &values_[place]);
    held_ |= 1u << place;
    made_ |= 1u << place;
    RememberSource(made, object);
    return true;
  }
  TAIN_COLD void ForgetSources() noexcept {
    for (int i = 0; i < kRoom; ++i) {
      if ((made_ >> i & 1) != 0) ForgetSource(values_[i].v_obj);
    }
  }

  static constexpr int kSize = kRoom > 0 ? kRoom : 1;
  TainAny values_[kSize];
  TainByteArray bytes_[kSize];
  uint32_t held_ = 0;  ///< one bit for each argument: it is an object
  uint32_t made_ = 0;  ///< likewise: it was made for the call
};
using HeldArgs = HeldArgsOf<kInlineArgs>;

/// Converts the arguments of a call in the order of the parameters. Returns their number; -1, without an
/// error, if that needs the lock: also if work waits for it, or the first time that a line of code makes
/// such a call with keywords or defaults.
inline int32_t ConvertFreely(HeldArgs* held, const TainFunctionInfo* info, PyObject* const* args,
                             Py_ssize_t num_args, PyObject* kwnames) noexcept {
  if (TAIN_UNLIKELY(ReleasedWait())) return -1;
  if (TAIN_LIKELY(kwnames == nullptr && !LacksArguments(info, num_args))) {
    const auto count = static_cast<int32_t>(num_args);
    return num_args <= kInlineArgs && held->Convert(info, args, count) ? count : -1;
  }
  const KeywordOrder* order = GetCallsState().keyword_orders.Find(info, kwnames, num_args);
  if (order == nullptr || order->count < 0) return -1;
  return held->Convert(info, args, *order) ? order->count : -1;
}

/// Finds out the order of a call that ConvertFreely did not know, for the next time. Needs the lock.
inline void RememberOrder(const TainFunctionInfo* info, Py_ssize_t num_args,
                          PyObject* kwnames) noexcept {
  if (kwnames == nullptr && !LacksArguments(info, num_args)) return;
  (void)FindKeywordOrder(info, kwnames, num_args);
}

/// Makes the Python value of a result, or of the error that the callee raised, with the lock.
PyObject* LockedResult(int code, const TainAny& result) noexcept;
/// Makes the Python value of a result, which may be one of the `num_args` arguments by position.
PyObject* OtherResult(const TainAny& result, PyObject* const* args, Py_ssize_t num_args) noexcept;

/// Calls the function with `count` converted arguments, and with the lock of its receiver if it asks for it.
/// `kText` is ReturnsText.
template <bool kText, int kRoom>
[[gnu::always_inline]] inline PyObject* FreeResult(TainObject* function,
                                                   const TainFunctionInfo* info,
                                                   const HeldArgsOf<kRoom>& held, int32_t count,
                                                   PyObject* const* args,
                                                   Py_ssize_t num_args) noexcept {
  auto* cell = reinterpret_cast<TainFunctionCell*>(function + 1);  // the cell follows the header
  TainAny result = kText ? OfferStr() : TainAny{};
  int code;
  if (TAIN_LIKELY(!internal::LocksReceiver(info))) {
    code = cell->safe_call(function, held.values(), count, &result);
  } else {
    const WordLock lock(args[0]);
    code = cell->safe_call(function, held.values(), count, &result);
  }
  if constexpr (kText) {
    PyObject* text;
    if (TAIN_LIKELY(TookText(code, &result, &text))) return text;
  }
  if (TAIN_UNLIKELY(code != 0)) return LockedResult(code, result);
  if (result.type_index == kTainNone) return Py_NewRef(Py_None);
  if (result.type_index == kTainInt) return PyLong_FromLongLong(result.v_int64);
  if (result.type_index == kTainFloat) return PyFloat_FromDouble(result.v_float64);
  return OtherResult(result, args, num_args);
}

/// Whether the receiver can be locked, if it must: it is a wrapper.
template <int kRoom>
inline bool HasLock(const TainFunctionInfo* info, const HeldArgsOf<kRoom>& held,
                    Py_ssize_t num_args) noexcept {
  return !internal::LocksReceiver(info) || (num_args > 0 && held.is_object(0));
}

/// Makes a call that needs the lock.
inline PyObject* CallWithLock(TainObject* function, const TainFunctionInfo* info,
                              PyObject* const* args, Py_ssize_t num_args,
                              PyObject* kwnames) noexcept {
  const BridgeLock lock;
  RememberOrder(info, num_args, kwnames);
  return CallCore(function, info, args, num_args, kwnames);
}

/// Calls a function for which MayCallFree is true.
template <bool kText>
PyObject* FreeCall(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                   Py_ssize_t num_args, PyObject* kwnames) noexcept {
  {
    HeldArgs held;
    const int32_t count = ConvertFreely(&held, info, args, num_args, kwnames);
    if (TAIN_LIKELY(count >= 0 && HasLock(info, held, num_args))) {
      return FreeResult<kText>(function, info, held, count, args, num_args);
    }
  }
  return CallWithLock(function, info, args, num_args, kwnames);
}

/// FreeCall for an info with `kCount` parameters, including the receiver: the conversions are unrolled.
template <bool kText, int kCount>
[[gnu::always_inline]] inline PyObject* FreeFew(TainObject* function, const TainFunctionInfo* info,
                                                PyObject* const* args, Py_ssize_t num_args,
                                                PyObject* kwnames) noexcept {
  if (TAIN_LIKELY(kwnames == nullptr && num_args == kCount && !ReleasedWait())) {
    {
      HeldArgsOf<kCount> held;
      if (TAIN_LIKELY(held.ConvertAll(info, args) && HasLock(info, held, kCount))) {
        return FreeResult<kText>(function, info, held, kCount, args, kCount);
      }
    }
    return CallWithLock(function, info, args, kCount, nullptr);
  }
  return FreeCall<kText>(function, info, args, num_args, kwnames);
}

}  // namespace tain::bindings
#endif
