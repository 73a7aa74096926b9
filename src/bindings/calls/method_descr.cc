// SPDX-License-Identifier: Apache-2.0
// The method descriptor; see method_descr.h. It is written with the C API: with vectorcall and
// Py_TPFLAGS_METHOD_DESCRIPTOR a method call makes no bound-method object
// (docs/contributing/raw_types.md has the figures).
#include "calls/method_descr.h"

#include <string>
#include <utility>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/given_text.h"
#include "base/type_keys.h"
#include "calls/call.h"
#include "calls/free_call.h"
#include "calls/state.h"
#include "describe/signature.h"
#include "objects/direct_call.h"
#include "objects/instance.h"
#include "tain/internal/operators.h"

namespace tain::bindings {
namespace {

/// A descriptor. It lives at least as long as its class; the records are never freed.
struct MethodDescr {
  PyObject_HEAD vectorcallfunc vectorcall;
  vectorcallfunc indirect;       ///< the `vectorcall` before CallMethodDirectly, or null
  TainObject* function;          ///< owned by the core's record
  const TainFunctionInfo* info;  ///< names and defaults
  const TainMethodDef* method;   ///< name and documentation
  PyTypeObject* owner;           ///< the class it was made for
  bool is_operator;              ///< returns NotImplemented for an operand that does not fit
};

MethodDescr* AsMethod(PyObject* self) noexcept { return reinterpret_cast<MethodDescr*>(self); }

/// Whether a method is a binary operator, which has one parameter besides the receiver.
bool IsOperator(std::string_view name, const TainFunctionInfo* info) noexcept {
  if (info == nullptr) return false;
  const bool overloaded = (info->flags & kTainCallOverloaded) != 0;
  return (info->num_args == 1 || overloaded) && internal::IsBinaryOperator(name);
}

/// Returns the full name: `geometry.Point.norm`.
std::string FullNameOf(const MethodDescr* method) {
  return std::string(KeyOfIndex(method->method->declaring_type)) + "." +
         std::string(View(method->method->info.name));
}

// The callee checks the receiver: its first parameter is the object.
template <CallPath kCall>
PyObject* PlainMethod(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  const MethodDescr* method = AsMethod(self);
  return kCall(method->function, method->info, args, PyVectorcall_NARGS(nargsf), kwnames);
}

/// Selects the call for an info for which IsPlain is true. One of the parameters is the receiver.
template <bool kText>
vectorcallfunc PlainVectorcall(const TainFunctionInfo* info) noexcept {
  switch (NumParameters(info)) {
    case 1: return kLocked<&PlainMethod<&CallFew<kText, 1>>>;
    case 2: return kLocked<&PlainMethod<&CallFew<kText, 2>>>;
    case 3: return kLocked<&PlainMethod<&CallFew<kText, 3>>>;
    default: return kLocked<&PlainMethod<&CallPlain<kText>>>;
  }
}

#ifdef Py_GIL_DISABLED
/// The same for a thread-safe method.
template <bool kText>
vectorcallfunc FreeVectorcall(const TainFunctionInfo* info) noexcept {
  switch (NumParameters(info)) {
    case 1: return PlainMethod<&FreeFew<kText, 1>>;
    case 2: return PlainMethod<&FreeFew<kText, 2>>;
    case 3: return PlainMethod<&FreeFew<kText, 3>>;
    default: return PlainMethod<&FreeCall<kText>>;
  }
}
#endif

/// Checks that a function of another library gets an object of its type, because it may not check
/// this itself. Returns false with TypeError set.
bool CheckReceiver(const MethodDescr* method, PyObject* const* args, Py_ssize_t num_args) noexcept {
  if (method->info != nullptr && (method->info->flags & kTainCallMethod) != 0) return true;
  if (num_args == 0) {
    PyErr_Format(PyExc_TypeError, "unbound method %s needs an object as its first argument",
                 FullNameOf(method).c_str());
    return false;
  }
  const int32_t wanted = method->method->declaring_type;
  TainObject* object = IsWrapper(args[0]) ? ObjectOf(args[0]) : nullptr;
  if (object != nullptr && TainTypeIsInstance(object->type_index, wanted) != 0) return true;
  if (!PyErr_Occurred()) {
    SetGivenError(PyExc_TypeError,
                  FullNameOf(method) + ": expected " + std::string(KeyOfIndex(wanted)), args[0]);
  }
  return false;
}

/// Calls a method without the lock.
template <CallPath kCall>
PyObject* UnlockedMethod(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  const MethodDescr* method = AsMethod(self);
  if (TAIN_UNLIKELY(!CheckReceiver(method, args, PyVectorcall_NARGS(nargsf)))) return nullptr;
  return kCall(method->function, method->info, args, PyVectorcall_NARGS(nargsf), kwnames);
}

/// Selects the call for a method that leaves the lock.
vectorcallfunc UnlockedVectorcall(const TainFunctionInfo* info) noexcept {
  return ConvertsPlainly(info) ? kLocked<&UnlockedMethod<&CallLeaving>>
                               : kLocked<&UnlockedMethod<&CallConverting>>;
}

/// Calls an operator without a full description of an operand that does not fit, because the
/// message is dropped anyway.
TAIN_COLD PyObject* QuietOperator(const MethodDescr* method, PyObject* const* args) {
  const QuietOperand quiet(args[1]);
  return CallOperator(method->function, method->info, args);
}

PyObject* AnyMethod(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  const MethodDescr* method = AsMethod(self);
  if (!method->is_operator || PyVectorcall_NARGS(nargsf) != 2 || kwnames != nullptr) {
    return CallCore(method->function, method->info, args, PyVectorcall_NARGS(nargsf), kwnames);
  }
  const bool plain =
      IsWrapper(args[1]) || PyFloat_CheckExact(args[1]) || PyLong_CheckExact(args[1]);
  return plain ? CallOperator(method->function, method->info, args) : QuietOperator(method, args);
}

PyObject* DirectMethod(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  const MethodDescr* method = AsMethod(self);
  const bool has_receiver = PyVectorcall_NARGS(nargsf) != 0 && IsWrapper(args[0]);
  const DirectCall direct(has_receiver ? ObjectOrNull(args[0]) : nullptr,
                          &method->method->info.name);
  return method->indirect(self, args, nargsf, kwnames);
}

/// Makes a descriptor without its call function. Returns null with an error set.
MethodDescr* NewDescr(PyTypeObject* owner, const TainMethodDef* method, TainObject* function,
                      const TainFunctionInfo* info) noexcept {
  PyTypeObject* type = GetCallsState().method_type;
  PyObject* self = type->tp_alloc(type, 0);
  if (self == nullptr) return nullptr;
  MethodDescr* descr = AsMethod(self);
  descr->function = function;
  descr->info = info;
  descr->method = method;
  descr->owner = reinterpret_cast<PyTypeObject*>(Py_NewRef(reinterpret_cast<PyObject*>(owner)));
  return descr;
}

void Dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  Py_DECREF(AsMethod(self)->owner);
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject* GetName(PyObject* self, void*) { return ToStr(AsMethod(self)->method->info.name); }
// isinstance() takes this for the type, so that inspect, pydoc, Sphinx and others, which know
// methods written in C by it, take the descriptor for a method.
PyObject* GetClass(PyObject*, void*) {
  return Py_NewRef(reinterpret_cast<PyObject*>(&PyMethodDescr_Type));
}
PyObject* GetOwner(PyObject* self, void*) {
  return Py_NewRef(reinterpret_cast<PyObject*>(AsMethod(self)->owner));
}
PyObject* GetQualname(PyObject* self, void*) {
  const Own owner(
      PyObject_GetAttrString(reinterpret_cast<PyObject*>(AsMethod(self)->owner), "__qualname__"));
  const Own name(ToStr(AsMethod(self)->method->info.name));
  return owner ? PyUnicode_FromFormat("%U.%U", owner.get(), name.get()) : nullptr;
}

PyObject* Repr(PyObject* self) {
  return GuardedObject([&] {
    const Own qualname(GetQualname(self, nullptr));
    if (!qualname) throw nb::python_error();
    const std::string name = Utf8Of(qualname.get());
    return Text("<method " + SignatureText(AsMethod(self)->info, name, true) + ">");
  });
}

nb::object GetDoc(PyObject* self) {
  const MethodDescr* method = AsMethod(self);
  const TainMethodInfo& names = method->method->info;
  return TextOrNone(DocText(method->info, View(names.name), View(names.doc), true));
}
nb::object GetSignature(PyObject* self) { return SignatureOf(AsMethod(self)->info, true); }
nb::object GetAnnotations(PyObject* self) { return AnnotationsOf(AsMethod(self)->info); }
// The module abc reads it for the subclasses of an abstract class.
PyObject* GetIsAbstract(PyObject* self, void*) {
  const TainFunctionInfo* info = AsMethod(self)->info;
  return PyBool_FromLong(info != nullptr && (info->flags & kTainCallAbstract) != 0);
}
// Pickles a descriptor as an attribute of its class.
nb::object Reduce(PyObject* self) {
  const nb::object getattr = nb::module_::import_("builtins").attr("getattr");
  return nb::make_tuple(getattr, nb::make_tuple(nb::steal(GetOwner(self, nullptr)),
                                                nb::steal(GetName(self, nullptr))));
}

/// Returns an attribute; `__module__` is that of the class. It is handled here, because a getter
/// would hide the `__module__` of the type.
PyObject* GetAttribute(PyObject* self, PyObject* name) {
  if (IsText(name, "__module__")) {
    return PyObject_GetAttr(reinterpret_cast<PyObject*>(AsMethod(self)->owner), name);
  }
  return PyObject_GenericGetAttr(self, name);
}

PyGetSetDef getset[] = {
    {"__name__", kLocked<&GetName>, nullptr, nullptr, nullptr},
    {"__qualname__", kLocked<&GetQualname>, nullptr, nullptr, nullptr},
    {"__class__", kLocked<&GetClass>, nullptr, nullptr, nullptr},
    {"__objclass__", kLocked<&GetOwner>, nullptr, nullptr, nullptr},
    {"__doc__", kGetter<&GetDoc>, nullptr, nullptr, nullptr},
    {"__signature__", kGetter<&GetSignature>, nullptr, nullptr, nullptr},
    {"__annotations__", kGetter<&GetAnnotations>, nullptr, nullptr, nullptr},
    {"__isabstractmethod__", kLocked<&GetIsAbstract>, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMethodDef methods[] = {
    {"__reduce__", kMethod<&Reduce>, METH_NOARGS, "__reduce__($self, /)\n--\n\n"},
    {"with_tensor_type", kLocked<&WithTensorType>, METH_O,
     "with_tensor_type($self, cls, /)\n--\n\n"
     "The method as a function of the object, whose new Tensors are arrays of "
     "the class `cls`."},
    {nullptr, nullptr, 0, nullptr}};
PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(MethodDescr, vectorcall), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyObject* IterMethod(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  const MethodDescr* method = AsMethod(self);
  if (TAIN_UNLIKELY(!CheckReceiver(method, args, PyVectorcall_NARGS(nargsf)))) return nullptr;
  const CallPath call = LeavesLock(method->function, method->info) ? &CallConverting : &CallCore;
  Own made(call(method->function, method->info, args, PyVectorcall_NARGS(nargsf), kwnames));
  if (!made || PyIter_Check(made.get())) return made.release();
  return PyObject_GetIter(made.get());
}

}  // namespace

PyObject* BindToObject(PyObject* self, PyObject* object, PyObject*) {
  if (object == nullptr || object == Py_None) return Py_NewRef(self);
  return PyMethod_New(self, object);
}

PyObject* WithTensorType(PyObject* callable, PyObject* cls) noexcept {
  return CallPackage("tain._tensors", "with_tensor_type", nb::handle(callable), nb::handle(cls));
}

PyTypeObject* MakeMethodType() noexcept {
  // There is no Py_tp_doc, because it would hide the getter of __doc__.
  PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(&Dealloc)},
                         {Py_tp_call, reinterpret_cast<void*>(&PyVectorcall_Call)},
                         {Py_tp_descr_get, reinterpret_cast<void*>(kLocked<&BindToObject>)},
                         {Py_tp_repr, reinterpret_cast<void*>(kLocked<&Repr>)},
                         {Py_tp_getattro, reinterpret_cast<void*>(kLocked<&GetAttribute>)},
                         {Py_tp_getset, getset},
                         {Py_tp_methods, methods},
                         {Py_tp_members, members},
                         {0, nullptr}};
  // The interpreter specializes calls only for descriptors of an immutable type.
  PyType_Spec spec{"tain._core.MethodDescriptor", sizeof(MethodDescr), 0,
                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR |
                       Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                   slots};
  return reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
}

TainObject* FunctionOfMethod(PyObject* descr) noexcept {
  return Py_TYPE(descr) == GetCallsState().method_type ? AsMethod(descr)->function : nullptr;
}

const TainFunctionInfo* InfoOfMethod(PyObject* descr) noexcept {
  if (descr == nullptr || Py_TYPE(descr) != GetCallsState().method_type) return nullptr;
  return AsMethod(descr)->info;
}

void CallMethodDirectly(PyObject* descr) noexcept {
  MethodDescr* method = AsMethod(descr);
  constexpr vectorcallfunc kDirect = kLocked<&DirectMethod>;
  if (method->vectorcall == kDirect) return;
  method->indirect = std::exchange(method->vectorcall, kDirect);
}

PyObject* NewMethod(PyTypeObject* owner, const TainMethodDef* method) noexcept {
  MethodDescr* descr = NewDescr(owner, method, method->info.method.v_obj, method->call);
  if (descr == nullptr) return nullptr;
  descr->is_operator = IsOperator(View(method->info.name), method->call);
  const bool is_plain = !descr->is_operator && IsPlain(method->call);
  const bool leaves_lock = !descr->is_operator && LeavesLock(descr->function, method->call);
#ifdef Py_GIL_DISABLED
  NeverDies(reinterpret_cast<PyObject*>(descr));  // its class never dies either, with threads
  if (!descr->is_operator && MayCallFree(descr->function, method->call) &&
      (method->call->flags & kTainCallMethod) != 0) {  // the callee checks the receiver
    descr->vectorcall = ReturnsText(method->call) ? FreeVectorcall<true>(method->call)
                                                  : FreeVectorcall<false>(method->call);
    return reinterpret_cast<PyObject*>(descr);
  }
#endif
  descr->vectorcall = leaves_lock                 ? UnlockedVectorcall(method->call)
                      : !is_plain                 ? kLocked<&AnyMethod>
                      : ReturnsText(method->call) ? PlainVectorcall<true>(method->call)
                                                  : PlainVectorcall<false>(method->call);
  return reinterpret_cast<PyObject*>(descr);
}

PyObject* NewMethodLike(PyTypeObject* owner, const TainMethodDef* method, TainObject* function,
                        const TainFunctionInfo* info, vectorcallfunc call) noexcept {
  MethodDescr* descr = NewDescr(owner, method, function, info);
  if (descr != nullptr) descr->vectorcall = call;
  return reinterpret_cast<PyObject*>(descr);
}

PyObject* NewIter(PyTypeObject* owner, const TainMethodDef* method) noexcept {
  return NewMethodLike(owner, method, method->info.method.v_obj, method->call,
                       kLocked<&IterMethod>);
}

PyTypeObject* OwnerOfMethod(PyObject* descr) noexcept { return AsMethod(descr)->owner; }

}  // namespace tain::bindings
