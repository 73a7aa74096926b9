// SPDX-License-Identifier: Apache-2.0
// Calls from Python into Functions; see call.h. Raw Python type: tain.Function, because a call
// through nanobind's own callables costs a second dispatch (ARCHITECTURE.md has the figures).
#include "call.h"

#include "arguments.h"
#include "enums.h"
#include "error.h"
#include "function_attrs.h"
#include "gc.h"
#include "gil.h"
#include "opaque.h"
#include "overload_call.h"
#include "plain_call.h"
#include "state.h"

namespace tain::bindings {
namespace {

inline bool ReleasesGil(const TainFunctionInfo* info) noexcept {
  return info != nullptr && (info->flags & kTainCallReleaseGil) != 0;
}

/// A call without the GIL: another thread may drop the last reference to anything, so everything is
/// held. An error stays with the core.
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
  internal::DecRef(function);
  return code;
}

/// The call itself; an error stays with the core.
int CallValues(TainObject* function, const TainFunctionInfo* info, const TainAny* args,
               int32_t num_args, TainAny* result) noexcept {
  if (ReleasesGil(info) || TainFunctionReleasesGil(function) != 0) {
    return CallWithoutGil(function, args, num_args, result);
  }
  auto* cell = reinterpret_cast<TainFunctionCell*>(function + 1);  // the cell follows the header
  return cell->safe_call(function, args, num_args, result);
}

/// One of several functions, of which all are called without the GIL.
int CallCandidateWithoutGil(TainObject* function, const TainFunctionInfo*, const TainAny* args,
                            int32_t num_args, TainAny* result) noexcept {
  return CallWithoutGil(function, args, num_args, result);
}

int CallFrame(TainObject* function, const TainFunctionInfo* info, const TainAny* args,
              int32_t num_args, TainAny* result) noexcept {
  const int code = CallValues(function, info, args, num_args, result);
  if (code != 0) SetFromCore();
  return code;
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

int CallWithValues(TainObject* function, const TainAny* args, int32_t num_args,
                   TainAny* result) noexcept {
  const InFlight in_flight(args, num_args);
  return CallFrame(function, TainFunctionGetInfo(function), args, num_args, result);
}

PyObject* CallReleasing(TainObject* function, const TainFunctionInfo* info, PyObject* const* args,
                        Py_ssize_t num_args, PyObject* kwnames) noexcept {
  DrainReleased();
  TainAny result{};
  if (CallGeneral(function, info, args, num_args, kwnames, &result) != 0) return nullptr;
  return ResultToPython(info, result);
}

namespace {

FunctionInstance* AsFunction(PyObject* self) noexcept {
  return reinterpret_cast<FunctionInstance*>(self);  // the class has this layout
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

using Caller = PyObject* (*)(TainObject*, const TainFunctionInfo*, PyObject* const*, Py_ssize_t,
                             PyObject*) noexcept;

template <Caller kCall>
PyObject* FunctionVectorcall(PyObject* self, PyObject* const* args, size_t nargsf,
                             PyObject* kwnames) {
  TainObject* function = ObjectOf(self);
  if (TAIN_UNLIKELY(function == nullptr)) return nullptr;
  return kCall(function, AsFunction(self)->info, args, PyVectorcall_NARGS(nargsf), kwnames);
}

vectorcallfunc VectorcallFor(const TainObject* object, const TainFunctionInfo* info) noexcept {
  if (TainFunctionReleasesGil(object) != 0) return &FunctionVectorcall<&CallReleasing>;
  if (!IsPlain(info)) return &FunctionVectorcall<&CallCore>;
  const bool nullary =
      info != nullptr && info->num_args == 0 && (info->flags & kTainCallPacked) == 0;
  if (ReturnsText(info)) {
    return nullary ? &FunctionVectorcall<&CallNullary<true>>
                   : &FunctionVectorcall<&CallPlain<true>>;
  }
  return nullary ? &FunctionVectorcall<&CallNullary<false>>
                 : &FunctionVectorcall<&CallPlain<false>>;
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
  FunctionInstance* function = AsFunction(self);
  const TainObject* object = ReadyObject(self);
  function->info = TainFunctionGetInfo(object);
  function->vectorcall = VectorcallFor(object, function->info);
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
                         {Py_tp_getattro, reinterpret_cast<void*>(&FunctionGetAttribute)},
                         {Py_tp_getset, FunctionGetSet()},
                         {Py_tp_methods, FunctionMethods()},
                         {Py_tp_richcompare, reinterpret_cast<void*>(&CompareFunctions)},
                         {Py_tp_hash, reinterpret_cast<void*>(&HashFunction)},
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
