// SPDX-License-Identifier: Apache-2.0
// The repr of Python classes and callables, for the core.
//
// Inside a container or a field, an object is written by the class that Python sees: a Python
// subclass, the class that is registered for its key, or a class with a `__repr__` in C++.
#include "classes/init.h"

#include "base/error.h"
#include "base/hooks.h"
#include "base/opaque.h"
#include "base/recursion.h"
#include "base/state.h"
#include "base/with_gil.h"
#include "classes/visible_class.h"
#include "describe/signature.h"
#include "objects/class_table.h"
#include "objects/instance.h"
#include "tain/internal/dotted_name.h"
#include "tain/internal/host_repr.h"
#include "values/declared.h"
#include "values/from_python.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

/// Whether objects of a class are written by their type alone, with its key.
bool IsWrittenByType(PyTypeObject* type) {
  const ClassRecord* record = RecordOfType(type);
  return record != nullptr && type == record->type && IsMadeFor(*record, type) &&
         type->tp_repr == GetState().object_type->tp_repr;
}

/// Returns the repr of an object. The generated one is called directly: libtain bounds its depth.
PyObject* ReprOf(PyTypeObject* type, PyObject* self) noexcept {
  if (type->tp_repr == GetState().object_type->tp_repr) return type->tp_repr(self);
  const Recursion level(" in repr()");
  return level ? PyObject_Repr(self) : nullptr;
}

int WriteText(nb::handle text, TainAny* out) {
  return OwnedFromPython(text.ptr(), out) ? 0 : SetCoreFromPython();
}

/// Whether libtain writes an object without Python: it has no Python class, or it is not made yet,
/// or it was destroyed already.
bool HasNoClass(const TainObject* object) noexcept {
  return object->type_index < kTainStaticObjectBegin || object->type_index == kTainFunction ||
         object->type_index == kTainOpaquePyObject || StrongCount(object) == 0;
}

int ReprOfHostObject(TainObject* object, TainAny* out) noexcept {
  if (HasNoClass(object)) return 0;
  return WithPython([&] {
    const Own wrapper = HoldWrapper(object);
    PyTypeObject* type = wrapper ? Py_TYPE(wrapper.get()) : ClassOf(object->type_index);
    if (type == nullptr) PyErr_Clear();  // its class cannot be made: libtain writes it
    if (type == nullptr || IsWrittenByType(type)) return 0;
    const Own self(WrapBorrowed(object));
    const Own text(self ? ReprOf(type, self.get()) : nullptr);
    return text ? WriteText(text.get(), out) : SetCoreFromPython();
  });
}

/// Returns the signature of a Python callable as text: `(...)` if it has none.
std::string SignatureOfCallable(nb::handle callable) {
  try {
    const nb::object found = nb::module_::import_("inspect").attr("signature")(callable);
    return Utf8Of(nb::str(found));
  } catch (nb::python_error& e) {
    if (!e.matches(PyExc_Exception)) throw;  // the code of `__signature__` may raise anything
    return "(...)";
  }
}

std::string NameOfCallable(nb::handle callable) {
  const nb::object name = nb::getattr(callable, "__name__", nb::none());
  if (PyUnicode_Check(name.ptr())) return Utf8Of(name);
  return std::string(internal::LastPart(Py_TYPE(callable.ptr())->tp_name));
}

std::string TextOfCall(TainObject* function) {
  if (PyObject** slot = PythonSlotOf(function); slot != nullptr && *slot != nullptr) {
    const nb::object callable = nb::borrow(*slot);
    return NameOfCallable(callable) + SignatureOfCallable(callable);
  }
  const TainFunctionInfo* info = TainFunctionGetInfo(function);
  return SignatureText(info, info == nullptr ? std::string_view() : View(info->name), false);
}

int ReprOfHostCallable(TainObject* function, TainAny* out) noexcept {
  return WithPython([&] { return WriteText(Text(TextOfCall(function)), out); });
}

int NameOfHostCallable(const TainObject* function, TainAny* out) noexcept {
  return WithPython([&] {
    PyObject** slot = PythonSlotOf(const_cast<TainObject*>(function));
    if (slot == nullptr || *slot == nullptr) return WriteText(Text(std::string_view()), out);
    return WriteText(Text(NameOfCallable(nb::borrow(*slot))), out);
  });
}

/// Returns what `find` finds in Python; null if Python has ended.
template <class F>
const void* FoundInPython(F&& find) noexcept {
  const void* found = nullptr;
  WithPython([&] {
    found = find();
    return 0;
  });
  return found;
}
const void* TypeOfHost(TainByteArray type) noexcept {
  return FoundInPython([&] { return FindDeclaredType(View(type)); });
}
const void* TypeOfHostElement(const TainObject* container, ElementRole role) noexcept {
  return FoundInPython([&] { return TypeOfElements(container, role); });
}

/// Returns the repr of an array of numpy as an owned string value; None if there is none.
TainAny TextOfArray(const TainAny& tensor) noexcept {
  TainAny text{};
  internal::IncRef(tensor.v_obj);
  const Own array(GetHooks().tensor_to_numpy(tensor.v_obj));
  const Own shown(array ? PyObject_Repr(array.get()) : nullptr);
  if (!shown || !OwnedFromPython(shown.get(), &text)) PyErr_Clear();  // on a GPU, for example
  return text;
}

internal::DeclaredForm FormInHost(const void* type, const TainAny& value) noexcept {
  internal::DeclaredForm form;
  WithPython([&] {
    form = FormOfDeclared(static_cast<const DeclaredType*>(type), value);
    if (form.kind != internal::DeclaredForm::Kind::kText) return 0;
    form.text = TextOfArray(value);
    if (form.text.type_index == kTainNone) form.kind = internal::DeclaredForm::Kind::kPlain;
    return 0;
  });
  return form;
}

}  // namespace

void InitHostRepr() {
  static constexpr internal::HostRepr host = {
      &ReprOfHostObject,  &ReprOfHostCallable, &NameOfHostCallable, &TypeOfHost,
      &TypeOfHostElement, &FormInHost,         &PartOfTuple};
  internal::SetHostRepr(&host);
}

}  // namespace tain::bindings
