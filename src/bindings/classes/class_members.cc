// SPDX-License-Identifier: Apache-2.0
// The members of a generated class that are not fields: methods, constants, annotations,
// __match_args__, __signature__.
#include "classes/class_parts.h"

#include "base/error.h"
#include "base/protocols.h"
#include "calls/method_descr.h"
#include "classes/constructor.h"
#include "containers/iter.h"
#include "describe/signature.h"
#include "objects/type_constructor.h"
#include "tain/internal/type_members.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

/// Whether a method is the `__create__` that def_init makes: it does what the class does, so that
/// people need not see it. One that the author registered is a static method like others.
bool IsImplied(const TainTypeRecord* record, const TainMethodDef* method) noexcept {
  return record->def.construct != nullptr && View(method->info.name) == "__create__";
}

void AddMethods(nb::handle cls, PyTypeObject* type, const TainTypeRecord* record) {
  for (int32_t i = 0; i < record->num_methods; ++i) {
    const TainMethodDef* method = record->methods[i];
    if (IsImplied(record, method)) continue;
    const nb::str name = Text(method->info.name);
    if ((method->info.flags & kTainMethodStatic) != 0) {
      const nb::object function = Checked(ViewToPython(&method->info.method));
      nb::setattr(cls, name, Checked(PyStaticMethod_New(function.ptr())));
      continue;
    }
    const bool iterates = View(method->info.name) == "__iter__";
    const nb::object descr = Checked(iterates ? NewIter(type, method) : NewMethod(type, method));
    nb::setattr(cls, name, descr);  // type.__setattr__ sets the slots of __len__ and others
  }
}

/// Adds `__init__` and keeps the slot, which type.__setattr__ would replace by a look-up of the
/// method.
void AddInit(PyTypeObject* type, const TainTypeRecord* record) {
  const TainMethodDef* create = internal::OwnMethod(*record, "__create__");
  const TainByteArray doc = create == nullptr ? TainByteArray{"", 0} : create->info.doc;
  const nb::object descr = Checked(NewInit(type, record->constructor, doc));
  if (PyDict_SetItemString(type->tp_dict, "__init__", descr.ptr()) != 0) throw nb::python_error();
  PyType_Modified(type);
}

/// Makes a class with == and without a hash unhashable, as Python does.
void FixHash(nb::handle cls, const TainTypeRecord* record) {
  if (internal::OwnMethod(*record, "__eq__") != nullptr &&
      internal::OwnMethod(*record, "__hash__") == nullptr &&
      (record->def.flags & kTainTypeHash) == 0) {
    nb::setattr(cls, "__hash__", nb::none());
  }
}

void AddAnnotations(nb::handle cls, const TainTypeRecord* record) {
  nb::dict annotations = NewDict();
  for (int32_t i = 0; i < record->num_fields; ++i) {
    annotations[Text(record->fields[i]->info.name)] =
        AnnotationFromExpression(View(record->fields[i]->type));
  }
  nb::setattr(cls, "__annotations__", annotations);
}

/// Returns the positional parameters of the constructor that are also fields or properties.
void AddMatchArgs(nb::handle cls, const TainTypeRecord* record) {
  const TainFunctionInfo* info = ConstructorOf(record).info();
  if (info == nullptr) return;
  nb::list names = NewList();
  for (int32_t i = 0; i < info->num_args; ++i) {
    const TainArgInfo& arg = info->args[i];
    if ((arg.flags & kTainArgNamed) == 0 || (arg.flags & kTainArgKwOnly) != 0) break;
    const nb::str name = Text(arg.name);
    const nb::object member = nb::steal(PyObject_GetAttr(cls.ptr(), name.ptr()));
    if (!member.is_valid()) {
      if (!PyErr_ExceptionMatches(PyExc_AttributeError)) throw nb::python_error();
      PyErr_Clear();
      break;
    }
    names.append(name);
  }
  nb::setattr(cls, "__match_args__", nb::tuple(names));
}

}  // namespace

void AddMembers(PyTypeObject* type, const TainTypeRecord* record) {
  const nb::handle cls(reinterpret_cast<PyObject*>(type));
  AddMethods(cls, type, record);
  FixHash(cls, record);
  for (int32_t i = 0; i < record->num_constants; ++i) {
    nb::setattr(cls, Text(record->constants[i]->name),
                Checked(ViewToPython(&record->constants[i]->value)));
  }
  AddAnnotations(cls, record);
  AddMatchArgs(cls, record);
  if (record->info->type_index >= kTainDynObjectBegin) {
    if (record->constructor != nullptr) AddInit(type, record);
    // inspect finds the signature of `__init__` from CPython 3.11 on.
    if (record->constructor == nullptr || PY_VERSION_HEX < 0x030B0000) {
      nb::setattr(cls, "__signature__", ClassSignatureDescriptor());
    }
  }
  AddModuleMethods(type, record);
  AddIteratorSlots(type, record);
  AddProtocols(type, record->info->type_index);
}

}  // namespace tain::bindings
