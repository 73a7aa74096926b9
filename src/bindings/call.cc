// SPDX-License-Identifier: Apache-2.0
// Calls from Python into Functions; see call.h. Raw Python type: tain.Function, because a call
// through nanobind's own callables costs a second dispatch (ARCHITECTURE.md has the figures).
#include "call.h"

#include "arguments.h"
#include "enums.h"
#include "error.h"
#include "from_python.h"
#include "function_attrs.h"
#include "gc.h"
#include "gil.h"
#include "release_queue.h"
#include "state.h"
#include "to_python.h"

namespace tain::bindings {
namespace {

constexpr int kInlineArgs = 8;

/// Arguments of a call without keywords. Most need no ArgExtra: those stay untouched.
class PlainArgs {
 public:
  PlainArgs() noexcept = default;
  PlainArgs(const PlainArgs&) = delete;
  PlainArgs& operator=(const PlainArgs&) = delete;
  ~PlainArgs() {
    if (TAIN_UNLIKELY(owned_ != 0)) Release();
  }
  /// Converts at most kInlineArgs objects; false with a Python error set.
  bool Convert(PyObject* const* args, Py_ssize_t num_args) noexcept {
    for (Py_ssize_t i = 0; i < num_args; ++i) {
      if (!FromPythonFast(args[i], &values_[i]) && TAIN_UNLIKELY(!ConvertSlow(args[i], i))) {
        return false;
      }
    }
    return true;
  }
  const TainAny* values() const noexcept { return values_; }

 private:
  bool ConvertSlow(PyObject* object, Py_ssize_t i) noexcept {
    const bool good = FromPythonSlow(object, &values_[i], &extras_[i]);
    if (extras_[i].owned != nullptr) owned_ |= 1u << i;
    return good;
  }
  TAIN_COLD void Release() noexcept {
    for (int i = 0; i < kInlineArgs; ++i) {
      if ((owned_ & (1u << i)) != 0) internal::DecRef(extras_[i].owned);
    }
  }
  TainAny values_[kInlineArgs];
  ArgExtra extras_[kInlineArgs];
  uint32_t owned_ = 0;  ///< bit i: extras_[i] owns an object
};

inline int SafeCall(TainObject* function, const TainAny* args, int32_t num_args,
                    TainAny* result) noexcept {
  auto* cell = reinterpret_cast<TainFunctionCell*>(function + 1);  // the cell follows the header
  const int code = cell->safe_call(function, args, num_args, result);
  if (TAIN_UNLIKELY(code != 0)) SetFromCore();
  return code;
}

/// A call without the GIL: another thread may drop the last reference to anything, so everything is
/// held.
int CallWithoutGil(TainObject* function, const TainAny* args, int32_t num_args,
                   TainAny* result) noexcept {
  internal::IncRef(function);
  for (int32_t i = 0; i < num_args; ++i) {
    if (args[i].type_index >= kTainStaticObjectBegin) internal::IncRef(args[i].v_obj);
  }
  auto* cell = reinterpret_cast<TainFunctionCell*>(function + 1);
  int code;
  {
    ReleaseGil unlocked;
    code = cell->safe_call(function, args, num_args, result);
  }
  for (int32_t i = 0; i < num_args; ++i) {
    if (args[i].type_index >= kTainStaticObjectBegin) internal::DecRef(args[i].v_obj);
  }
  if (code != 0) SetFromCore();
  internal::DecRef(function);
  return code;
}

int CallFrame(TainObject* function, const TainFunctionInfo* info, const TainAny* args,
              int32_t num_args, TainAny* result) noexcept {
  if (info != nullptr && (info->flags & kTainCallReleaseGil) != 0) {
    return CallWithoutGil(function, args, num_args, result);
  }
  return SafeCall(function, args, num_args, result);
}

/// The call with keywords or keyword-only parameters: arguments are put in the order of the
/// parameters first.
int CallBound(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
              Py_ssize_t num_args, PyObject* kwnames, TainAny* result) noexcept {
  const Py_ssize_t room = BoundSize(info, num_args);
  ArgFrame<kInlineArgs> frame(room);
  if (!frame.ok()) return -1;
  ArgSink sink{[](void* data, PyObject* object) {
                 return static_cast<ArgFrame<kInlineArgs>*>(data)->Add(object);
               },
               [](void* data, const TainAny& value) {
                 static_cast<ArgFrame<kInlineArgs>*>(data)->AddView(value);
               },
               [](void* data, const TainAny& value) {
                 static_cast<ArgFrame<kInlineArgs>*>(data)->AddOwned(value);
               },
               &frame};
  if (!BindArguments(info, args, num_args, kwnames, sink)) return -1;
  return CallFrame(function, info, frame.values(), frame.size(), result);
}

/// Everything that is no plain call.
int CallGeneral(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                Py_ssize_t num_args, PyObject* kwnames, TainAny* result) noexcept {
  if ((kwnames != nullptr && PyTuple_GET_SIZE(kwnames) > 0) || MustBind(info)) {
    return CallBound(function, info, args, num_args, kwnames, result);
  }
  ArgFrame<kInlineArgs> frame(num_args);
  if (TAIN_UNLIKELY(!frame.ok())) return -1;
  for (Py_ssize_t i = 0; i < num_args; ++i) {
    if (TAIN_UNLIKELY(!frame.Add(args[i]))) return -1;
  }
  return CallFrame(function, info, frame.values(), frame.size(), result);
}

inline int Call(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                Py_ssize_t num_args, PyObject* kwnames, TainAny* result) noexcept {
  DrainReleased();
  if (TAIN_UNLIKELY(kwnames != nullptr || num_args > kInlineArgs ||
                    (info != nullptr && (info->flags & kTainCallReleaseGil) != 0) ||
                    MustBind(info))) {
    return CallGeneral(function, info, args, num_args, kwnames, result);
  }
  PlainArgs plain;
  if (TAIN_UNLIKELY(!plain.Convert(args, num_args))) return -1;
  return SafeCall(function, plain.values(), static_cast<int32_t>(num_args), result);
}

}  // namespace

int CallCoreRaw(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                Py_ssize_t num_args, PyObject* kwnames, TainAny* result) noexcept {
  return Call(function, info, args, num_args, kwnames, result);
}

PyObject* CallCore(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                   Py_ssize_t num_args, PyObject* kwnames) noexcept {
  TainAny result{};
  if (TAIN_UNLIKELY(Call(function, info, args, num_args, kwnames, &result) != 0)) return nullptr;
  PyObject* value = ToPython(result);
  if (TAIN_UNLIKELY(info != nullptr && (info->flags & kTainCallReturnsEnum) != 0 &&
                    value != nullptr)) {
    return EnumMember(View(info->return_type), value);
  }
  return value;
}

namespace {

FunctionInstance* AsFunction(PyObject* self) noexcept {
  return reinterpret_cast<FunctionInstance*>(self);  // the class has this layout
}

PyObject* FunctionVectorcall(PyObject* self, PyObject* const* args, size_t nargsf,
                             PyObject* kwnames) {
  TainObject* function = AsFunction(self)->base.object;
  if (TAIN_UNLIKELY(function == nullptr)) {
    SetEmptyError(self);
    return nullptr;
  }
  return CallCore(function, AsFunction(self)->info, args, PyVectorcall_NARGS(nargsf), kwnames);
}

PyObject* FunctionBind(PyObject* self, PyObject* object, PyObject*) {
  if (object == nullptr || object == Py_None) return Py_NewRef(self);
  return PyMethod_New(self, object);
}

/// tain.Function(callable): the callable as a Function.
PyObject* FunctionNew(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  if (kwargs != nullptr && PyDict_GET_SIZE(kwargs) > 0) {
    PyErr_SetString(PyExc_TypeError, "Function() takes no keyword arguments");
    return nullptr;
  }
  PyObject* callable = nullptr;
  if (!PyArg_UnpackTuple(args, "Function", 1, 1, &callable)) return nullptr;
  if (type != GetState().function_type) {
    PyErr_SetString(PyExc_TypeError, "tain.Function cannot be subclassed");
    return nullptr;
  }
  if (Py_TYPE(callable) == type) return Py_NewRef(callable);
  if (!PyCallable_Check(callable)) {
    PyErr_Format(PyExc_TypeError, "Function(): expected a callable, got %s", TypeName(callable));
    return nullptr;
  }
  TainAny value{};
  if (!OwnedFromPython(callable, &value)) return nullptr;
  if (value.type_index == kTainFunction) return Wrap(value.v_obj);
  return ToPython(value);
}

int FunctionInit(PyObject*, PyObject*, PyObject*) { return 0; }

}  // namespace

void InitFunctionInstance(PyObject* self) noexcept {
  AsFunction(self)->vectorcall = &FunctionVectorcall;
  AsFunction(self)->info = TainFunctionGetInfo(AsFunction(self)->base.object);
}

PyTypeObject* MakeFunctionClass() noexcept {
  static PyMemberDef members[] = {
      // 19 is T_PYSSIZET (Py_T_PYSSIZET from 3.12 on), 1 is READONLY.
      {"__vectorcalloffset__", 19, offsetof(FunctionInstance, vectorcall), 1, nullptr},
      {nullptr, 0, 0, 0, nullptr}};
  PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(&InstanceDealloc)},
                         {Py_tp_traverse, reinterpret_cast<void*>(&InstanceTraverse)},
                         {Py_tp_clear, reinterpret_cast<void*>(&InstanceClear)},
                         {Py_tp_call, reinterpret_cast<void*>(&PyVectorcall_Call)},
                         {Py_tp_descr_get, reinterpret_cast<void*>(&FunctionBind)},
                         {Py_tp_new, reinterpret_cast<void*>(&FunctionNew)},
                         {Py_tp_init, reinterpret_cast<void*>(&FunctionInit)},
                         {Py_tp_getset, FunctionGetSet()},
                         {Py_tp_methods, FunctionMethods()},
                         {Py_tp_members, members},
                         {0, nullptr}};
  PyType_Spec spec{"tain.Function", sizeof(FunctionInstance), 0,
                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
                       Py_TPFLAGS_METHOD_DESCRIPTOR,
                   slots};
  const Own bases(PyTuple_Pack(1, GetState().object_type));
  if (!bases) return nullptr;
  return reinterpret_cast<PyTypeObject*>(PyType_FromSpecWithBases(&spec, bases.get()));
}

}  // namespace tain::bindings
