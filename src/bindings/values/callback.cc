// SPDX-License-Identifier: Apache-2.0
// Makes Functions of Python callables, and calls them from C++.
#include <algorithm>
#include <atomic>
#include <vector>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/gil.h"
#include "base/hooks.h"
#include "base/opaque.h"
#include "base/recursion.h"
#include "base/release_queue.h"
#include "base/tie.h"
#include "tain/arguments.h"
#include "tain/internal/declared_arguments.h"
#include "values/declared.h"
#include "values/from_python.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

/// Converts a container, which is a tuple or has members of enums where the caller declares it. The
/// last one ends what is known of the types: the callee has not begun to run.
TAIN_COLD PyObject* ContainerToPython(const TainAny* args, int32_t index,
                                      int32_t num_args) noexcept {
  const std::string_view type = internal::DeclaredArguments::TypeOf(args, index);
  if (std::none_of(args + index + 1, args + num_args,
                   [](const TainAny& value) { return internal::IsContainer(value.type_index); }))
    internal::ForgetDeclared(args);
  if (type.empty()) return ViewToPython(&args[index]);
  internal::IncRef(args[index].v_obj);
  return DeclaredToPython(type, args[index]);
}

/// Converts an argument. A parameter with the annotation tain.Tensor gets no other array.
inline PyObject* ArgumentToPython(PyObject* callable, const TainAny* args, int32_t index,
                                  int32_t num_args) noexcept {
  if (internal::IsContainer(args[index].type_index))
    return ContainerToPython(args, index, num_args);
  if (TAIN_UNLIKELY(args[index].type_index == kTainTensor)) {
    return GetHooks().tensor_argument(callable, index, nullptr, args[index].v_obj);
  }
  return ViewToPython(&args[index]);
}

PyObject* KeywordToPython(PyObject* callable, PyObject* name, const TainAny& value) noexcept {
  if (value.type_index != kTainTensor) return ViewToPython(&value);
  return GetHooks().tensor_argument(callable, 0, name, value.v_obj);
}

/// Ends what was lent to the callee for the length of the call. If the callee kept an array of it,
/// its result is dropped and an error is set, unless one is set already.
TAIN_COLD void EndLoans(PyObject** argv, int32_t count, PyObject** value) noexcept {
  const Own error(*value == nullptr ? TakeRaised() : nullptr);
  bool kept = false;
  for (int32_t i = 0; i < count; ++i) kept = GetHooks().end_tensor_view(argv[i]) != 0 || kept;
  if (error) {
    PyErr_Clear();
    SetRaised(Py_NewRef(error.get()));
  } else if (kept) {
    Py_CLEAR(*value);
  }
}

/// Stores the result of a callable whose caller wants it as it is.
TAIN_COLD bool OpaqueResult(PyObject* value, TainAny* result) noexcept {
  ArgExtra extra;  // the result takes over what it owns
  return FromPythonUntouched("object", value, result, &extra);
}
inline bool StoreCallbackResult(PyObject* value, TainAny* result) noexcept {
  return TAIN_UNLIKELY(result->zero_padding == kTainObjectRequest)
             ? OpaqueResult(value, result)
             : OwnedFromPythonForAny(value, result);
}

/// Calls with keywords: a marker and a Map follow the other arguments.
TAIN_COLD int CallPythonWithKeywords(PyObject* callable, const TainAny* args, int32_t num_args,
                                     TainAny* result) {
  const Own positional(PyTuple_New(num_args - 2));
  const Own keywords(PyDict_New());
  if (!positional || !keywords) return SetCoreFromPython();
  for (int32_t i = 0; i < num_args - 2; ++i) {
    PyObject* value = ArgumentToPython(callable, args, i, num_args - 2);
    if (value == nullptr) return SetCoreFromPython();
    PyTuple_SET_ITEM(positional.get(), i, value);
  }
  const auto map = AnyView(args[num_args - 1]).cast<Map<String, Any>>();
  for (const auto& [name, value] : map) {
    const Own key(ToStr(name.data(), name.size()));
    const Own item(!key ? nullptr : KeywordToPython(callable, key.get(), value.data()));
    if (!key || !item || PyDict_SetItem(keywords.get(), key.get(), item.get()) != 0) {
      return SetCoreFromPython();
    }
  }
  PyObject* returned = nullptr;
  {
    const BridgeUnlock unlocked;
    returned = PyObject_Call(callable, positional.get(), keywords.get());
  }
  EndLoans(&PyTuple_GET_ITEM(positional.get(), 0), num_args - 2, &returned);
  const Own value(returned);
  return value && StoreCallbackResult(value.get(), result) ? 0 : SetCoreFromPython();
}

constexpr const char* kWhere = " in a callback from C++";

/// The end of a call by position with `made` arguments: drops them, and takes over and stores what the
/// callable returned, or the error that it raised.
[[gnu::always_inline]] inline int EndCall(PyObject** argv, int32_t made, PyObject* value,
                                          TainAny* result) noexcept {
  for (int32_t i = 0; i < made; ++i) Py_DECREF(argv[i + 1]);
  int64_t number;
  if (value != nullptr && Py_TYPE(value) == &PyLong_Type && CompactInt(value, &number)) {
    SetInt(number, result);  // it is no member of an enum
    Py_DECREF(value);
    return 0;
  }
  const BridgeLock lock;
  if (TAIN_UNLIKELY(value == nullptr)) return SetCoreFromPython();
  const bool ok = StoreCallbackResult(value, result);
  Py_DECREF(value);
  return TAIN_LIKELY(ok) ? 0 : SetCoreFromPython();
}

/// Calls by position. `argv` has room for the arguments and for one place before them, which the
/// callee may use.
[[gnu::always_inline]] inline int CallPythonWith(PyObject** argv, PyObject* callable,
                                                 const TainAny* args, int32_t num_args,
                                                 TainAny* result) {
  int32_t made = 0;
  bool lent = false;
  for (; made < num_args; ++made) {
    argv[made + 1] = args[made].type_index == kTainInt
                         ? PyLong_FromLongLong(args[made].v_int64)
                         : ArgumentToPython(callable, args, made, num_args);
    if (TAIN_UNLIKELY(args[made].type_index == kTainDLTensorPtr)) lent = true;
    if (TAIN_UNLIKELY(argv[made + 1] == nullptr)) break;
  }
  PyObject* value = nullptr;
  const size_t nargsf = static_cast<size_t>(num_args) | PY_VECTORCALL_ARGUMENTS_OFFSET;
  if (TAIN_UNLIKELY(made < num_args)) {
  } else if (TAIN_LIKELY(Py_TYPE(callable) == &PyFunction_Type)) {  // it counts its own depth
    const BridgeUnlock unlocked;
    if (CheckStack(kWhere)) value = PyObject_Vectorcall(callable, argv + 1, nargsf, nullptr);
  } else if (const Recursion level(kWhere); level) {
    const BridgeUnlock unlocked;
    value = PyObject_Vectorcall(callable, argv + 1, nargsf, nullptr);
  }
  if (TAIN_UNLIKELY(lent)) EndLoans(argv + 1, made, &value);
  return EndCall(argv, made, value, result);
}

#ifdef Py_GIL_DISABLED
/// Converts an argument without the lock of the bridge; null, perhaps with an error, if that needs the lock.
PyObject* FreeArgument(const TainAny& view) noexcept {
  const bool is_object = view.type_index >= kTainStaticObjectBegin;
  if (is_object) internal::IncRef(view.v_obj);
  PyObject* made = nullptr;
  if (TAIN_LIKELY(FreeToPython(view, &made))) return made;
  if (is_object) internal::DecRef(view.v_obj);
  return nullptr;
}

/// Holds the callable of a callback without the lock of the bridge; null if that needs the lock. The garbage
/// collector may be dropping it in another thread: its memory is then that of an object as long as this
/// thread is attached, so that TakeReference can tell.
Own HoldCallable(CallbackObj* callback) noexcept {
  const std::atomic_ref<PyObject*> slot(callback->callable);
  PyObject* callable = slot.load(std::memory_order_acquire);
  if (callable == nullptr || !TakeReference(callable)) return Own();
  Own held(callable);
  return slot.load(std::memory_order_acquire) == callable ? std::move(held) : Own();
}

/// Calls a function written in Python without the lock of the bridge, if no argument and nothing else needs
/// it: threads then run callbacks at the same time. Returns false, without any effect, if one does.
[[gnu::always_inline]] inline bool CallFreely(PyThreadState* thread, CallbackObj* callback,
                                              const TainAny* args, int32_t num_args,
                                              TainAny* result, int* code) noexcept {
  constexpr int32_t kFew = 4;
  if (num_args > kFew || result->zero_padding == kTainObjectRequest ||
      internal::HasKeywords(args, num_args) || InnermostSection(thread) != nullptr ||
      BridgeReading::IsInside()) {
    return false;
  }
  const Own held = HoldCallable(callback);  // the callback may drop itself
  PyObject* callable = held.get();
  if (callable == nullptr || Py_TYPE(callable) != &PyFunction_Type) return false;
  PyObject* argv[kFew + 1];
  for (int32_t made = 0; made < num_args; ++made) {
    argv[made + 1] = args[made].type_index == kTainInt ? PyLong_FromLongLong(args[made].v_int64)
                                                       : FreeArgument(args[made]);
    if (TAIN_LIKELY(argv[made + 1] != nullptr)) continue;
    PyErr_Clear();
    while (made > 0) Py_DECREF(argv[made--]);
    return false;
  }
  const size_t nargsf = static_cast<size_t>(num_args) | PY_VECTORCALL_ARGUMENTS_OFFSET;
  PyObject* value = nullptr;
  if (CheckStack(kWhere)) value = PyObject_Vectorcall(callable, argv + 1, nargsf, nullptr);
  *code = EndCall(argv, num_args, value, result);
  if (TAIN_UNLIKELY(WatchedChanged())) {
    const BridgeLock lock;
    UpdateIfWatchedChanged();
  }
  return true;
}
#endif

TAIN_COLD int CallPythonWithMany(PyObject* callable, const TainAny* args, int32_t num_args,
                                 TainAny* result) {
  std::vector<PyObject*> argv(static_cast<size_t>(num_args) + 1);
  return CallPythonWith(argv.data(), callable, args, num_args, result);
}

inline int CallPython(PyObject* callable, const TainAny* args, int32_t num_args, TainAny* result) {
  if (TAIN_UNLIKELY(internal::HasKeywords(args, num_args))) {
    return CallPythonWithKeywords(callable, args, num_args, result);
  }
  constexpr int32_t kInline = 16;
  if (TAIN_UNLIKELY(num_args > kInline)) {
    return CallPythonWithMany(callable, args, num_args, result);
  }
  PyObject* argv[kInline + 1];
  if (num_args == 1) return CallPythonWith(argv, callable, args, 1, result);  // without loops
  return CallPythonWith(argv, callable, args, num_args, result);
}

/// Calls with the lock of the bridge.
int CallLocked(CallbackObj* callback, const TainAny* args, int32_t num_args,
               TainAny* result) noexcept {
  const BridgeLock lock;
  return GuardedForCore([&] {
    const Own callable = Own::Share(callback->callable);  // the callback may drop itself
    if (!callable) {
      TainErrorSetRaisedFromCStr("ReferenceError",
                                 "the Python callable was dropped by the garbage collector");
      return -1;
    }
    const int code = CallPython(callable.get(), args, num_args, result);
    UpdateIfWatchedChanged();  // C++ goes on, without another entry into the bridge
    return code;
  });
}

int CallbackSafeCall(void* self, const TainAny* args, int32_t num_args, TainAny* result) noexcept;

/// Calls in a thread that does not hold the GIL.
TAIN_COLD int CallAttached(void* self, const TainAny* args, int32_t num_args,
                           TainAny* result) noexcept {
  if (!Py_IsInitialized()) {  // called by a static destructor of a C++ library
    TainErrorSetRaisedFromCStr("RuntimeError", "the Python interpreter is gone");
    return -1;
  }
  TakeGil gil;
  return CallbackSafeCall(self, args, num_args, result);
}

int CallbackSafeCall(void* self, const TainAny* args, int32_t num_args, TainAny* result) noexcept {
  auto* callback =
      static_cast<CallbackObj*>(internal::ObjectAccess::FromHeader(static_cast<TainObject*>(self)));
#ifdef Py_GIL_DISABLED
  PyThreadState* thread = PyThreadState_GetUnchecked();
  if (TAIN_UNLIKELY(thread == nullptr)) return CallAttached(self, args, num_args, result);
  int done;
  if (TAIN_LIKELY(CallFreely(thread, callback, args, num_args, result, &done))) return done;
#else
  if (TAIN_UNLIKELY(!HoldsGil())) return CallAttached(self, args, num_args, result);
#endif
  return CallLocked(callback, args, num_args, result);
}

}  // namespace

TainObject* MakeCallback(PyObject* callable) noexcept {
  AllowTakeReference(callable);
  return MakeCallbackWith(callable, &CallbackSafeCall);
}

}  // namespace tain::bindings
