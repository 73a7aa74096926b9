// SPDX-License-Identifier: Apache-2.0
// Calls from Python into Functions; see call.h.
#include "calls/call.h"

#include "base/error.h"
#include "base/opaque.h"
#include "calls/overload_call.h"
#include "objects/enums.h"

namespace tain::bindings {
namespace {

/// One of several functions, of which all are called without the GIL.
int CallCandidateWithoutGil(TainObject* function, const TainFunctionInfo*, const TainAny* args,
                            int32_t num_args, TainAny* result) noexcept {
  return CallWithoutGil(function, args, num_args, result);
}

/// The declared type of the parameter that takes the argument at a place; none for a receiver.
std::string_view TypeOfArgument(const TainFunctionInfo* info, Py_ssize_t place) noexcept {
  if (info == nullptr) return "Any";
  const Py_ssize_t at = place - ((info->flags & kTainCallMethod) != 0 ? 1 : 0);
  if (at < 0) return {};
  return at < info->num_args ? View(info->args[at].type) : "Any";
}

/// Where BindArguments puts the arguments of a call.
struct BoundFrame : ArgFrame<kInlineArgs> {
  BoundFrame(const TainFunctionInfo* of, Py_ssize_t room) noexcept : ArgFrame(room), info(of) {}
  const TainFunctionInfo* info;
};

/// The call with keywords or keyword-only parameters: arguments are put in the order of the
/// parameters first.
int CallBound(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
              Py_ssize_t num_args, PyObject* kwnames, TainAny* result) noexcept {
  const bool is_python = info == nullptr && PythonSlotOf(function) != nullptr;
  const Py_ssize_t room = is_python ? num_args + 2 : BoundSize(info, num_args);
  BoundFrame frame(info, room);
  if (!frame.ok()) return -1;
  ArgSink sink{
      [](void* data, PyObject* object) {
        auto* bound = static_cast<BoundFrame*>(data);
        return bound->Add(object, TypeOfArgument(bound->info, bound->size()));
      },
      [](void* data, const TainAny& value) { static_cast<BoundFrame*>(data)->AddView(value); },
      [](void* data, const TainAny& value) { static_cast<BoundFrame*>(data)->AddOwned(value); },
      &frame};
  if (!(is_python ? PassArguments(args, num_args, kwnames, sink)
                  : BindArguments(info, args, num_args, kwnames, sink))) {
    return -1;
  }
  return CallFrame(function, info, frame.values(), frame.size(), result);
}

/// Everything that is no plain call.
int CallGeneral(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                Py_ssize_t num_args, PyObject* kwnames, TainAny* result) noexcept {
  if (IsOverloaded(info)) {
    const bool releases = TainFunctionReleasesGil(function) != 0;
    const CandidateCall call = releases ? &CallCandidateWithoutGil : &CallValues;
    return CallOverloaded(&info, args, num_args, kwnames, call, result);
  }
  if ((kwnames != nullptr && PyTuple_GET_SIZE(kwnames) > 0) || MustBind(info)) {
    return CallBound(function, info, args, num_args, kwnames, result);
  }
  ArgFrame<kInlineArgs> frame(num_args);
  if (TAIN_UNLIKELY(!frame.ok())) return -1;
  for (Py_ssize_t i = 0; i < num_args; ++i) {
    if (TAIN_UNLIKELY(!frame.Add(args[i], TypeOfArgument(info, i)))) return -1;
  }
  return CallFrame(function, info, frame.values(), frame.size(), result);
}

inline bool ReturnsEnum(const TainFunctionInfo* info) noexcept {
  return info != nullptr && (info->flags & kTainCallReturnsEnum) != 0;
}

inline PyObject* ResultToPython(const TainFunctionInfo* info, const TainAny& result) noexcept {
  PyObject* value = ToPython(result);
  if (TAIN_UNLIKELY(ReturnsEnum(info) && value != nullptr)) {
    return EnumMember(View(info->return_type), value);
  }
  return value;
}

}  // namespace

bool IsPlain(const TainFunctionInfo* info) noexcept {
  return !ReleasesGil(info) && !ReturnsEnum(info) && !MustBind(info);
}

bool ReturnsText(const TainFunctionInfo* info) noexcept {
  return info != nullptr && View(info->return_type) == "str";
}

void* TakeText(const char* data, size_t size) noexcept { return ToStr(data, size); }

int CallCoreRaw(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                Py_ssize_t num_args, PyObject* kwnames, TainAny* result) noexcept {
  DrainReleased();
  if (TAIN_LIKELY(!ReleasesGil(info) && !IsOverloaded(info))) {
    PlainArgs plain;
    if (TAIN_UNLIKELY(kwnames != nullptr)) {
      const KeywordOrder* order = FindKeywordOrder(info, kwnames, num_args);
      if (TAIN_LIKELY(order != nullptr && plain.Convert(args, *order))) {
        return SafeCall(function, plain, order->count, result);
      }
    } else if (TAIN_LIKELY(num_args <= kInlineArgs && !MustBind(info)) &&
               TAIN_LIKELY(plain.Convert(args, num_args))) {
      return SafeCall(function, plain, static_cast<int32_t>(num_args), result);
    }
  }
  return CallGeneral(function, info, args, num_args, kwnames, result);
}

PyObject* CallCore(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                   Py_ssize_t num_args, PyObject* kwnames) noexcept {
  TainAny result{};
  if (TAIN_UNLIKELY(IsOverloaded(info))) {
    DrainReleased();
    if (CallOverloaded(&info, args, num_args, kwnames, &CallValues, &result) != 0) return nullptr;
  } else if (TAIN_UNLIKELY(CallCoreRaw(function, info, args, num_args, kwnames, &result) != 0)) {
    return nullptr;
  }
  return ResultToPython(info, result);
}

PyObject* CallReleasing(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                        Py_ssize_t num_args, PyObject* kwnames) noexcept {
  DrainReleased();
  TainAny result{};
  if (CallGeneral(function, info, args, num_args, kwnames, &result) != 0) return nullptr;
  return ResultToPython(info, result);
}

}  // namespace tain::bindings
