// SPDX-License-Identifier: Apache-2.0
// Calls from Python into Functions; see call.h.
#include "calls/call.h"

#include "base/error.h"
#include "base/hooks.h"
#include "base/opaque.h"
#include "calls/overload_call.h"
#include "calls/state.h"
#include "calls/tensor_call.h"
#include "objects/enums.h"
#include "tain/internal/overload.h"
#include "values/declared.h"

namespace tain::bindings {
namespace {

/// CallFrame for arguments that may be tensors.
int CallForTensor(TainObject* function, const TainFunctionInfo* info, const TainAny* args,
                  int32_t num_args, Adopt adopt, TainAny* result) noexcept {
  const ArgumentStream stream(args, num_args);
  if (TAIN_UNLIKELY(!stream.ok())) return -1;
  if (CallFrame(function, info, args, num_args, result) != 0) return -1;
  return adopt == Adopt::kNo || AdoptResult(info, args, num_args, result) ? 0 : -1;
}

/// Makes a call with keywords or keyword-only parameters.
int CallBound(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
              Py_ssize_t num_args, PyObject* kwnames, Adopt adopt, TainAny* result) noexcept {
  return Guarded(-1, [&] {
    if (info == nullptr && PythonSlotOf(function) == nullptr) {
      ThrowType("this function takes no keyword arguments");
    }
    BoundArguments bound(info, args, num_args, kwnames);
    if (!bound.Convert()) return -1;
    return CallForTensor(function, info, bound.values(), bound.size(), adopt, result);
  });
}

/// Makes any call that CallPlain cannot make. Of an overloaded function, `*info` becomes the info of
/// the candidate.
int CallGeneral(TainObject* function, const TainFunctionInfo** called, PyObject* const* args,
                Py_ssize_t num_args, PyObject* kwnames, Adopt adopt, TainAny* result) noexcept {
  if (IsOverloaded(*called)) {
    const bool releases = TainFunctionReleasesGil(function) != 0;
    return CallOverloaded(called, args, num_args, kwnames, {releases, adopt}, result);
  }
  const TainFunctionInfo* info = *called;
  if ((kwnames != nullptr && PyTuple_GET_SIZE(kwnames) > 0) || MustBind(info)) {
    return CallBound(function, info, args, num_args, kwnames, adopt, result);
  }
  ArgFrame<kInlineArgs> frame(num_args);
  if (TAIN_UNLIKELY(!frame.ok())) return -1;
  for (Py_ssize_t i = 0; i < num_args; ++i) {
    if (TAIN_UNLIKELY(!frame.Add(args[i], TypeOfArgument(info, i)))) return -1;
  }
  return CallForTensor(function, info, frame.values(), frame.size(), adopt, result);
}

/// CallLeaving with an argument that needs a new object, or is a tensor.
PyObject* LeaveConverting(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                          int32_t num_args) noexcept {
  ArgFrame<kInlineArgs> frame(num_args);
  for (int32_t i = 0; i < num_args; ++i) {
    if (TAIN_UNLIKELY(!frame.AddFormless(args[i], TypeOfArgument(info, i)))) return nullptr;
  }
  TainAny result{};
  if (CallForTensor(function, info, frame.values(), num_args, Adopt::kYes, &result) != 0) {
    return nullptr;
  }
  return ToPython(result);
}

inline bool ReturnsEnum(const TainFunctionInfo* info) noexcept {
  return info != nullptr && (info->flags & kTainCallReturnsEnum) != 0;
}

inline bool ReturnsMore(const TainFunctionInfo* info) noexcept {
  return info != nullptr && DeclaresMore(View(info->return_type));
}

inline PyObject* ResultToPython(const TainFunctionInfo* info, const TainAny& result) noexcept {
  if (ReturnsEnum(info)) {
    PyObject* value = ToPython(result);
    return value == nullptr ? nullptr : EnumMember(View(info->return_type), value);
  }
  if (info == nullptr || !MayDeclareMore(View(info->return_type), result)) return ToPython(result);
  return DeclaredToPython(View(info->return_type), result);
}

}  // namespace

bool ConvertsPlainly(const TainFunctionInfo* info) noexcept {
  return !ReturnsEnum(info) && !ReturnsMore(info) && !MustBind(info);
}

bool IsPlain(const TainFunctionInfo* info) noexcept {
  return !LeavesLock(info) && ConvertsPlainly(info);
}

bool ReturnsText(const TainFunctionInfo* info) noexcept {
  return info != nullptr && View(info->return_type) == "str";
}

PyObject* OtherToPython(TainAny result) noexcept { return ToPython(result); }

void* TakeText(const char* data, size_t size) noexcept { return ToStr(data, size); }

int CallCoreRaw(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                Py_ssize_t num_args, PyObject* kwnames, TainAny* result) noexcept {
  DrainReleased();
  if (TAIN_LIKELY(!LeavesLock(info) && !IsOverloaded(info))) {
    PlainArgs plain;
    const bool must_bind = kwnames != nullptr || MustBind(info);
    if (TAIN_UNLIKELY(must_bind || LacksArguments(info, num_args))) {
      const KeywordOrder* order = FindKeywordOrder(info, kwnames, num_args);
      if (TAIN_LIKELY(order != nullptr && plain.Convert(args, *order))) {
        return SafeCall(function, plain, order->count, result);
      }
    }
    if (TAIN_LIKELY(!must_bind && num_args <= kInlineArgs && plain.Convert(args, num_args))) {
      return SafeCall(function, plain, static_cast<int32_t>(num_args), result);
    }
  }
  return CallGeneral(function, &info, args, num_args, kwnames, Adopt::kYes, result);
}

PyObject* CallCore(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                   Py_ssize_t num_args, PyObject* kwnames) noexcept {
  TainAny result{};
  if (TAIN_UNLIKELY(IsOverloaded(info))) {
    DrainReleased();
    const HowToCall how{false, Adopt::kYes};
    if (CallOverloaded(&info, args, num_args, kwnames, how, &result) != 0) return nullptr;
  } else if (TAIN_UNLIKELY(CallCoreRaw(function, info, args, num_args, kwnames, &result) != 0)) {
    return nullptr;
  }
  return ResultToPython(info, result);
}

PyObject* CallOperator(TainObject* function, const TainFunctionInfo* info,
                       PyObject* const* args) noexcept {
  constexpr int kOperands = 2;
  DrainReleased();
  TainAny result{};
  if (IsOverloaded(info)) {
    const HowToCall how{false, Adopt::kYes};
    const Outcome outcome = TryOverloads(&info, args, kOperands, nullptr, how, &result);
    if (outcome == Outcome::kFailed) return nullptr;
    if (outcome == Outcome::kRefused) return Py_NewRef(Py_NotImplemented);
    return ResultToPython(info, result);
  }
  ArgFrame<kOperands> frame(kOperands);
  const bool takes_object = info != nullptr && (info->flags & kTainCallTakesObject) != 0;
  for (int i = 0; i < kOperands; ++i) {
    const std::string_view type = TypeOfArgument(info, i);
    const bool good = takes_object ? frame.AddUntouched(args[i], type) : frame.Add(args[i], type);
    if (TAIN_UNLIKELY(!good)) return nullptr;
  }
  if (TAIN_LIKELY(CallValues(function, info, frame.values(), kOperands, &result) == 0)) {
    return ResultToPython(info, result);
  }
  if (internal::OperandWasRefused(info, frame.values())) {
    DropCoreError();
    return Py_NewRef(Py_NotImplemented);
  }
  SetFromCore();
  return nullptr;
}

PyObject* CallLeaving(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                      Py_ssize_t num_args, PyObject* kwnames) noexcept {
  if (TAIN_UNLIKELY(kwnames != nullptr || num_args > kInlineArgs || ReleasedWait())) {
    return CallConverting(function, info, args, num_args, kwnames);
  }
  PlainArgs plain;
  const auto count = static_cast<int32_t>(num_args);
  // The library of a tensor may have a stream, and makes the tensors that are results.
  if (TAIN_UNLIKELY(!plain.Convert(args, num_args) || plain.HoldTensor(count))) {
    return LeaveConverting(function, info, args, count);
  }
  TainAny result{};
  const InFlight in_flight(plain.values, plain.may_hold_objects() ? count : 0);
  if (CallFrame(function, info, plain.values, count, &result) != 0) return nullptr;
  return ToPython(result);
}

PyObject* CallConverting(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                         Py_ssize_t num_args, PyObject* kwnames) noexcept {
  DrainReleased();
  TainAny result{};
  if (CallGeneral(function, &info, args, num_args, kwnames, Adopt::kYes, &result) != 0) {
    return nullptr;
  }
  return ResultToPython(info, result);
}

PyObject* CallForArray(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                       Py_ssize_t num_args, PyObject* kwnames, PyObject* make) noexcept {
  DrainReleased();
  TainAny result{};
  PlainArgs plain;
  const bool may_be_plain = kwnames == nullptr && num_args <= kInlineArgs && !LeavesLock(info) &&
                            !IsOverloaded(info) && !MustBind(info) &&
                            !LacksArguments(info, num_args);
  const int code = may_be_plain && plain.Convert(args, num_args)
                       ? SafeCall(function, plain, static_cast<int32_t>(num_args), &result)
                       : CallGeneral(function, &info, args, num_args, kwnames, Adopt::kNo, &result);
  if (code != 0) return nullptr;
  const bool is_new = result.type_index == kTainTensor && LoadTie(result.v_obj) == 0;
  if (is_new && PyType_Check(make)) {  // numpy.ndarray: other libraries have a function
    return GetHooks().tensor_to_numpy(result.v_obj);
  }
  // The caller's class counts, not the one that the function says.
  PyObject* value = is_new ? ToPython(result) : ResultToPython(info, result);
  if (value == nullptr || !is_new || make == Py_None || !IsWrapper(value)) return value;
  const Own tensor(value);
  return PyObject_CallOneArg(make, value);
}

}  // namespace tain::bindings
