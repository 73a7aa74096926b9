// SPDX-License-Identifier: Apache-2.0
// Pickling of registered objects; see pickle.h.
//
// An object is rebuilt from its fields: by the constructor, for parameters that are named like
// fields, and by the setters for the rest; or by the default constructor and the setters.
#include "pickle.h"

#include <string>
#include <vector>

#include "call.h"
#include "class_table.h"
#include "error.h"
#include "field_descr.h"
#include "instance.h"

namespace tain::bindings {
namespace {

std::string KeyOf(const TainTypeRecord* record) {
  return std::string(View(record->info->type_key));
}

[[noreturn]] void ThrowType(const std::string& text) {
  PyErr_SetString(PyExc_TypeError, text.c_str());
  throw nb::python_error();
}

const TainFunctionInfo* ConstructorInfo(const TainTypeRecord* record) noexcept {
  return record->constructor == nullptr ? nullptr : TainFunctionGetInfo(record->constructor);
}

/// Refuses types that cannot be rebuilt, before anything is written.
void CheckRebuildable(const TainTypeRecord* record) {
  if (record->def.construct_default != nullptr) return;
  const TainFunctionInfo* info = ConstructorInfo(record);
  if (info == nullptr) ThrowType("cannot pickle " + KeyOf(record) + ": it has no constructor");
  for (int32_t i = 0; i < info->num_args; ++i) {
    const TainArgInfo& arg = info->args[i];
    if ((arg.flags & kTainArgHasDefault) != 0) continue;
    bool found = false;
    for (const TainFieldDef* field : AllFields(record)) {
      found = found || View(field->info.name) == View(arg.name);
    }
    if (!found || (arg.flags & kTainArgNamed) == 0) {
      ThrowType("cannot pickle " + KeyOf(record) + ": its constructor needs '" +
                std::string(View(arg.name)) + "', which is no field");
    }
  }
}

nb::object FieldsOf(TainObject* object, const TainTypeRecord* record) {
  nb::dict fields;
  for (const TainFieldDef* field : AllFields(record)) {
    const nb::object value = nb::steal(GetFieldValue(object, field));
    if (!value.is_valid()) throw nb::python_error();
    fields[nb::steal(ToStr(field->info.name))] = value;
  }
  return fields;
}

nb::object Reduce(PyObject* self) {
  TainObject* object = ObjectOf(self);
  if (object == nullptr) throw nb::python_error();
  const TainTypeRecord* record = TainGetTypeRecord(object->type_index);
  CheckRebuildable(record);
  const nb::object cls = nb::borrow(reinterpret_cast<PyObject*>(Py_TYPE(self)));
  const nb::object state = nb::getattr(nb::handle(self), "__dict__", nb::none());
  const nb::object rebuild = nb::module_::import_("tain._core").attr("_rebuild");
  const nb::object args = nb::make_tuple(cls, FieldsOf(object, record));
  if (state.is_none() || nb::len(state) == 0) return nb::make_tuple(rebuild, args);
  return nb::make_tuple(rebuild, args, state);
}

/// Makes the object by its constructor with the parameters that are fields; the names it used leave
/// `fields`.
TainObject* ByConstructor(const TainTypeRecord* record, nb::dict& fields) {
  const TainFunctionInfo* info = ConstructorInfo(record);
  if (info == nullptr) ThrowType(KeyOf(record) + " has no constructor to unpickle with");
  std::vector<nb::object> values;
  std::vector<nb::object> names;
  for (int32_t i = 0; i < info->num_args; ++i) {
    const nb::object name = nb::steal(ToStr(info->args[i].name));
    if (!fields.contains(name)) continue;
    names.push_back(name);
    values.push_back(fields[name]);
    nb::del(fields[name]);
  }
  const nb::object kwnames = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(names.size())));
  std::vector<PyObject*> args;
  for (size_t i = 0; i < names.size(); ++i) {
    PyTuple_SET_ITEM(kwnames.ptr(), static_cast<Py_ssize_t>(i),
                     nb::object(names[i]).release().ptr());
    args.push_back(values[i].ptr());
  }
  TainAny result{};
  if (CallCoreRaw(record->constructor, info, args.data(), 0, kwnames.ptr(), &result) != 0) {
    throw nb::python_error();
  }
  if (result.type_index < kTainStaticObjectBegin) {
    ThrowType(KeyOf(record) + ": the constructor returned " + internal::TypeNameOf(result));
  }
  return result.v_obj;
}

TainObject* ByDefault(const TainTypeRecord* record) {
  const TainTypeDef& def = record->def;
  void* body =
      TainObjectAlloc(static_cast<size_t>(record->request.size),
                      static_cast<size_t>(record->request.alignment), record->info->type_index);
  if (body == nullptr) throw std::bad_alloc();
  if (def.construct_default(body) != 0) {
    TainObjectAbandon(body, record->info->type_index);
    ThrowFromCore();
  }
  auto* header = reinterpret_cast<TainObject*>(static_cast<char*>(body) + def.header_offset);
  header->type_index = record->info->type_index;
  header->deleter = def.deleter;
  header->reserved = kTainHeaderHasPrefix |
                     (static_cast<uint32_t>(def.header_offset >> 3) << kTainHeaderOffsetShift);
  return header;
}

/// Whether a read-only field, which may be const, holds a value already.
bool HasValue(TainObject* object, const TainFieldDef* field, nb::handle value) {
  if ((field->info.flags & kTainFieldWritable) != 0) return false;
  const nb::object current = nb::steal(GetFieldValue(object, field));
  return current.is_valid() && current.equal(value);
}

nb::object Rebuild(nb::handle cls, nb::dict fields) {
  if (!PyType_Check(cls.ptr())) ThrowType("_rebuild: expected a class");
  auto* type = reinterpret_cast<PyTypeObject*>(cls.ptr());
  const ClassRecord* found = RecordOfType(type);
  if (found == nullptr || found->type_index < kTainDynObjectBegin) {
    ThrowType("_rebuild: expected a class of a registered type");
  }
  const TainTypeRecord* record = found->record;
  fields = nb::dict(fields);
  TainObject* object =
      record->def.construct_default != nullptr ? ByDefault(record) : ByConstructor(record, fields);
  const auto holder = internal::RefAccess::Steal<Object>(object);
  for (const TainFieldDef* field : AllFields(record)) {
    const nb::object name = nb::steal(ToStr(field->info.name));
    if (!fields.contains(name)) continue;
    const nb::object value = fields[name];
    if (!HasValue(object, field, value) && SetFieldValue(object, field, value.ptr()) != 0) {
      throw nb::python_error();
    }
    nb::del(fields[name]);
  }
  for (auto [name, value] : fields) {
    ThrowType(KeyOf(record) + " has no field '" + nb::cast<std::string>(name) +
              "' that the pickle holds");
  }
  internal::IncRef(object);
  if (type == found->type || type == found->generated) return nb::steal(Wrap(object));
  const nb::object self = nb::steal(cls.attr("__new__")(cls).release().ptr());
  if (!IsInstance(self.ptr())) {
    internal::DecRef(object);
    ThrowType("_rebuild: __new__ returned no instance");
  }
  if (TainObject* old = Detach(AsInstance(self.ptr()))) internal::DecRef(old);
  Attach(AsInstance(self.ptr()), object);
  return self;
}

}  // namespace

PyObject* ReduceInstance(PyObject* self) noexcept {
  try {
    return Reduce(self).release().ptr();
  } catch (nb::python_error& e) {
    e.restore();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
  return nullptr;
}

void InitPickle(nb::module_& m) {
  m.def("_rebuild", &Rebuild, nb::arg("cls"), nb::arg("fields"),
        "Rebuilds a pickled object from its fields.");
  // The functions of _core have a type that is tain's own (NB_DOMAIN): they are pickled by name.
  nb::module_::import_("copyreg").attr("pickle")(
      m.attr("_rebuild").type(), nb::module_::import_("operator").attr("attrgetter")("__name__"));
}

}  // namespace tain::bindings
