// SPDX-License-Identifier: Apache-2.0
// The class tain.Function; see function_class.h. It is written with the C API, because a call
// through nanobind's own callables costs a second dispatch (docs/contributing/raw_types.md has the
// figures).
#include "calls/function_class.h"

#include <string>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/given_text.h"
#include "base/hooks.h"
#include "base/opaque.h"
#include "base/type_keys.h"
#include "calls/call.h"
#include "calls/free_call.h"
#include "calls/function_of_address.h"
#include "calls/method_descr.h"
#include "describe/signature.h"
#include "objects/class_table.h"
#include "objects/gc.h"
#include "tain/internal/dotted_name.h"
#include "tain/internal/function_source.h"

namespace tain::bindings {
namespace {

FunctionInstance* AsFunction(PyObject* self) noexcept {
  return reinterpret_cast<FunctionInstance*>(self);  // the class has this layout
}

template <CallPath kCall>
PyObject* FunctionVectorcall(PyObject* self, PyObject* const* args, size_t nargsf,
                             PyObject* kwnames) {
  TainObject* function = ObjectOf(self);
  if (TAIN_UNLIKELY(function == nullptr)) return nullptr;
  return kCall(function, AsFunction(self)->info, args, PyVectorcall_NARGS(nargsf), kwnames);
}

/// Calls a function without parameters. If the call has no arguments, nothing must be converted.
template <bool kText>
PyObject* NullaryVectorcall(PyObject* self, PyObject* const* args, size_t nargsf,
                            PyObject* kwnames) {
  TainObject* function = ReadyObject(self);
  if (TAIN_UNLIKELY(function == nullptr || PyVectorcall_NARGS(nargsf) != 0 || kwnames != nullptr ||
                    ReleasedWait())) {
    return FunctionVectorcall<&CallCore>(self, args, nargsf, kwnames);
  }
  return CallForPython<kText>(function, static_cast<const TainAny*>(nullptr), 0);
}

/// Selects the call for an info for which IsPlain is true.
template <bool kText>
vectorcallfunc PlainVectorcall(const TainFunctionInfo* info) noexcept {
  switch (NumParameters(info)) {
    case 0: return kLocked<&NullaryVectorcall<kText>>;
    case 1: return kLocked<&FunctionVectorcall<&CallFew<kText, 1>>>;
    case 2: return kLocked<&FunctionVectorcall<&CallFew<kText, 2>>>;
    case 3: return kLocked<&FunctionVectorcall<&CallFew<kText, 3>>>;
    default: return kLocked<&FunctionVectorcall<&CallPlain<kText>>>;
  }
}

#ifdef Py_GIL_DISABLED
/// Calls a thread-safe function. A Function cannot be moved, and Python holds its wrapper.
template <CallPath kCall>
PyObject* FreeVectorcall(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  TainObject* function = ReadyObject(self);
  if (TAIN_UNLIKELY(function == nullptr)) {
    return kLocked<&FunctionVectorcall<&CallCore>>(self, args, nargsf, kwnames);
  }
  return kCall(function, AsFunction(self)->info, args, PyVectorcall_NARGS(nargsf), kwnames);
}

template <bool kText>
vectorcallfunc FreeVectorcallFor(const TainFunctionInfo* info) noexcept {
  switch (NumParameters(info)) {
    case 0: return FreeVectorcall<&FreeFew<kText, 0>>;
    case 1: return FreeVectorcall<&FreeFew<kText, 1>>;
    case 2: return FreeVectorcall<&FreeFew<kText, 2>>;
    case 3: return FreeVectorcall<&FreeFew<kText, 3>>;
    default: return FreeVectorcall<&FreeCall<kText>>;
  }
}
#endif

vectorcallfunc VectorcallFor(const TainObject* object, const TainFunctionInfo* info) noexcept {
#ifdef Py_GIL_DISABLED
  if (MayCallFree(object, info)) {
    return ReturnsText(info) ? FreeVectorcallFor<true>(info) : FreeVectorcallFor<false>(info);
  }
#endif
  if (LeavesLock(object, info)) {
    return ConvertsPlainly(info) ? kLocked<&FunctionVectorcall<&CallLeaving>>
                                 : kLocked<&FunctionVectorcall<&CallConverting>>;
  }
  if (!IsPlain(info)) return kLocked<&FunctionVectorcall<&CallCore>>;
  return ReturnsText(info) ? PlainVectorcall<true>(info) : PlainVectorcall<false>(info);
}

/// Implements tain.Function(callable), which returns the callable as a Function.
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
    SetGivenError(PyExc_TypeError, "Function(): expected a callable", callable);
    return nullptr;
  }
  TainAny value{};
  if (!OwnedFromPython(callable, &value)) return nullptr;
  if (value.type_index == kTainFunction) return Wrap(value.v_obj);
  return ToPython(value);
}

int FunctionInit(PyObject*, PyObject*, PyObject*) { return 0; }

void InitFunction(PyObject* self) noexcept {
  FunctionInstance* function = AsFunction(self);
  const TainObject* object = ReadyObject(self);
  function->info = TainFunctionGetInfo(object);
  function->vectorcall = VectorcallFor(object, function->info);
#ifdef Py_GIL_DISABLED
  if (MayCallFree(object, function->info)) NeverDies(self);
#endif
}

// ---------------------------------------------------------------- attributes and methods

const TainFunctionInfo* InfoOf(PyObject* self) noexcept { return AsFunction(self)->info; }

/// Returns the Python callable that a Function wraps, borrowed; null for other Functions.
PyObject* WrappedOf(PyObject* self) noexcept {
  TainObject* object = ObjectOrNull(self);
  PyObject** slot = object == nullptr ? nullptr : PythonSlotOf(object);
  return slot == nullptr ? nullptr : *slot;
}

/// Returns an attribute of the wrapped callable, or a fallback.
nb::object FromWrapped(PyObject* self, const char* name, const nb::object& fallback) {
  PyObject* wrapped = WrappedOf(self);
  if (wrapped == nullptr) return fallback;
  return nb::getattr(nb::handle(wrapped), name, fallback);
}

std::string_view FullName(PyObject* self) noexcept {
  const TainFunctionInfo* info = InfoOf(self);
  return info == nullptr ? std::string_view("Function") : View(info->name);
}
std::string_view LastName(PyObject* self) noexcept { return internal::LastPart(FullName(self)); }

nb::object GetName(PyObject* self) { return FromWrapped(self, "__name__", Text(LastName(self))); }
nb::object GetQualname(PyObject* self) {
  return FromWrapped(self, "__qualname__", Text(FullName(self)));
}
nb::object GetDoc(PyObject* self) {
  const TainFunctionInfo* info = InfoOf(self);
  if (info == nullptr) return FromWrapped(self, "__doc__", nb::none());
  return TextOrNone(DocText(info, LastName(self), View(info->doc), false));
}
nb::object GetSignature(PyObject* self) {
  if (PyObject* wrapped = WrappedOf(self)) {
    return nb::module_::import_("inspect").attr("signature")(nb::handle(wrapped));
  }
  return SignatureOf(InfoOf(self), false);
}
nb::object GetAnnotations(PyObject* self) {
  if (WrappedOf(self) != nullptr) return FromWrapped(self, "__annotations__", NewDict());
  return AnnotationsOf(InfoOf(self));
}
PyObject* GetWrapped(PyObject* self, void*) {
  PyObject* wrapped = WrappedOf(self);
  if (wrapped == nullptr) {
    PyErr_SetString(PyExc_AttributeError, "__wrapped__: the function is not a Python callable");
    return nullptr;
  }
  return Py_NewRef(wrapped);
}

PyObject* GetReleaseGil(PyObject* self, void*) {
  return PyBool_FromLong(TainFunctionReleasesGil(ObjectOrNull(self)));
}
int SetReleaseGil(PyObject* self, PyObject* value, void*) {
  if (value == nullptr || !PyBool_Check(value)) {
    if (value == nullptr) {
      PyErr_SetString(PyExc_AttributeError, "Function.release_gil cannot be deleted");
    } else {
      SetGivenError(PyExc_TypeError, "Function.release_gil: expected bool", value);
    }
    return -1;
  }
  if (TainFunctionSetReleasesGil(ObjectOrNull(self), value == Py_True ? 1 : 0) != 0) {
    SetFromCore();
    return -1;
  }
  InitFunction(self);
  return 0;
}

/// Returns the name of a global function; empty if the function is not global.
std::string GlobalName(PyObject* self) {
  const TainObject* object = ObjectOrNull(self);
  const auto stands_for_it = [&](std::string_view name) {
    TainObject* found = FindGlobalFunction(name);
    if (found != nullptr) TainObjectDecRef(found);
    return found != nullptr && found == object;
  };
  if (const TainFunctionInfo* info = InfoOf(self)) {
    return stands_for_it(View(info->name)) ? std::string(View(info->name)) : std::string();
  }
  for (const std::string& name : GlobalFunctionNames()) {
    if (stands_for_it(name)) return name;
  }
  return {};
}

/// Pickles a Function by its global name, or as the Python callable that it wraps.
nb::object Reduce(PyObject* self) {
  const nb::module_ tain = nb::module_::import_("tain");
  const std::string name = GlobalName(self);
  if (!name.empty()) {
    const nb::object find = nb::module_::import_("tain.registry").attr("_function_of_pickle");
    return nb::make_tuple(find, nb::make_tuple(Text(name), Text(internal::FileOfFunction(name))));
  }
  if (PyObject* wrapped = WrappedOf(self)) {
    return nb::make_tuple(tain.attr("Function"), nb::make_tuple(nb::borrow(wrapped)));
  }
  ThrowType(
      "cannot pickle a tain.Function that is no global function: register it "
      "(GlobalDef().def in C++, tain.register_global_func in Python)");
}

/// Returns the Function itself, as copy.copy does for Python functions.
PyObject* CopyFunction(PyObject* self, PyObject*) { return Py_NewRef(self); }

/// Returns the module of the class of a static method, or the module that adopted the namespace of
/// the function's name.
std::string ModuleOf(PyObject* self) {
  const std::string_view space = internal::NamespaceOf(FullName(self));
  if (space.empty()) return "tain";
  if (FindTypeIndex(space) >= 0) return ModuleOfKey(space);
  const std::string* module = AdoptedModule(space);
  return module == nullptr ? "tain" : *module;
}

// `__module__` is handled here, because a getter would hide the `__module__` of the type.
PyObject* FunctionGetAttribute(PyObject* self, PyObject* name) noexcept {
  if (TAIN_LIKELY(!IsText(name, "__module__"))) {
    return PyObject_GenericGetAttr(self, name);
  }
  return GuardedObject([&] {
    const std::string module = ModuleOf(self);
    return FromWrapped(self, "__module__", Text(module));
  });
}

PyObject* CompareFunctions(PyObject* self, PyObject* other, int op) noexcept {
  if (op != Py_EQ && op != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  PyObject* left = WrappedOf(self);
  const bool both = Py_TYPE(other) == GetState().function_type;
  PyObject* right = both ? WrappedOf(other) : other;
  if (left != nullptr && right != nullptr && PyCallable_Check(right)) {
    const Own held = Own::Share(left);  // comparing may drop it
    return PyObject_RichCompare(held.get(), Own::Share(right).get(), op);
  }
  if (!both) Py_RETURN_NOTIMPLEMENTED;
  return PyBool_FromLong((ObjectOrNull(self) == ObjectOrNull(other)) == (op == Py_EQ));
}

Py_hash_t HashFunction(PyObject* self) noexcept {
  const Own wrapped = Own::Share(WrappedOf(self));
  return wrapped ? PyObject_Hash(wrapped.get()) : PyBaseObject_Type.tp_hash(self);
}

// isinstance() takes this for a second type of the object, so that inspect, pydoc, Sphinx and
// others, which know functions written in C by it, take a Function for one.
PyObject* GetClass(PyObject*, void*) {
  return Py_NewRef(reinterpret_cast<PyObject*>(&PyCFunction_Type));
}

PyGetSetDef getset[] = {{"__name__", kGetter<&GetName>, nullptr, nullptr, nullptr},
                        {"__class__", kLocked<&GetClass>, nullptr, nullptr, nullptr},
                        {"__qualname__", kGetter<&GetQualname>, nullptr, nullptr, nullptr},
                        {"__doc__", kGetter<&GetDoc>, nullptr, nullptr, nullptr},
                        {"__signature__", kGetter<&GetSignature>, nullptr, nullptr, nullptr},
                        {"__annotations__", kGetter<&GetAnnotations>, nullptr, nullptr, nullptr},
                        {"__wrapped__", kLocked<&GetWrapped>, nullptr, nullptr, nullptr},
                        {"release_gil", kLocked<&GetReleaseGil>, kLocked<&SetReleaseGil>,
                         "Whether Python's global lock is released while the function runs. True "
                         "for functions that other libraries made through the C functions, and for "
                         "those that C++ defines with tain::release_gil(). Can be assigned.",
                         nullptr},
                        {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMethodDef methods[] = {
    {"__reduce__", kMethod<&Reduce>, METH_NOARGS, "__reduce__($self, /)\n--\n\n"},
    {"with_tensor_type", kLocked<&WithTensorType>, METH_O,
     "with_tensor_type($self, cls, /)\n--\n\n"
     "A callable that calls the function and returns a new Tensor as an array "
     "of the class `cls`, such as numpy.ndarray or torch.Tensor, whatever the "
     "arguments are; as tain.Tensor if `cls` is None."},
    {"__from_extern_c__", MethodPointer(kLocked<&FunctionOfSafeCall>),
     METH_VARARGS | METH_KEYWORDS | METH_STATIC,
     "__from_extern_c__(c_symbol, *, keep_alive_object=None)\n--\n\n"
     "The Function of the address of a C function with the calling convention of the binary "
     "contract. It keeps\n`keep_alive_object` alive, such as what owns the code."},
    {"__from_mlir_packed_safe_call__", MethodPointer(kLocked<&FunctionOfPackedCall>),
     METH_VARARGS | METH_KEYWORDS | METH_STATIC,
     "__from_mlir_packed_safe_call__(mlir_packed_symbol, *, keep_alive_object=None)\n--\n\n"
     "The same for the address of code that MLIR's execution engine has packed: `void f(void** "
     "slots)`."},
    {"__copy__", kLocked<&CopyFunction>, METH_NOARGS, "__copy__($self, /)\n--\n\n"},
    {"__deepcopy__", kLocked<&CopyFunction>, METH_O, "__deepcopy__($self, memo, /)\n--\n\n"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyTypeObject* MakeFunctionClass() noexcept {
  GetHooks().init_function = &InitFunction;
  static PyMemberDef members[] = {{"__vectorcalloffset__", T_PYSSIZET,
                                   offsetof(FunctionInstance, vectorcall), READONLY, nullptr},
                                  {nullptr, 0, 0, 0, nullptr}};
  PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(&InstanceDealloc)},
                         {Py_tp_traverse, reinterpret_cast<void*>(&InstanceTraverse)},
                         {Py_tp_clear, reinterpret_cast<void*>(kLocked<&InstanceClear>)},
                         {Py_tp_call, reinterpret_cast<void*>(&PyVectorcall_Call)},
                         {Py_tp_descr_get, reinterpret_cast<void*>(kLocked<&BindToObject>)},
                         {Py_tp_new, reinterpret_cast<void*>(kLocked<&FunctionNew>)},
                         {Py_tp_init, reinterpret_cast<void*>(kLocked<&FunctionInit>)},
                         {Py_tp_getattro, reinterpret_cast<void*>(kLocked<&FunctionGetAttribute>)},
                         {Py_tp_getset, getset},
                         {Py_tp_methods, methods},
                         {Py_tp_richcompare, reinterpret_cast<void*>(kLocked<&CompareFunctions>)},
                         {Py_tp_hash, reinterpret_cast<void*>(kLocked<&HashFunction>)},
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
