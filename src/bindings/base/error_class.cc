// SPDX-License-Identifier: Apache-2.0
// Makes the classes of ErrorDef, and copies fields between exceptions and errors; see
// error_class.h.
#include "base/error_class.h"

#include "base/hooks.h"
#include "base/state.h"
#include "tain/error.h"
#include "tain/internal/dotted_name.h"

namespace tain::bindings {
namespace {

using internal::ErrorField;
using internal::ErrorRecord;

/// The module from which an exception class is imported, as for the classes of types.
std::string ModuleOfError(std::string_view key) {
  const std::string space(internal::NamespaceOf(key));
  if (const std::string* module = AdoptedModule(space)) return *module;
  return space.empty() ? "tain.types" : "tain.types." + space;
}

Error ErrorFrom(TainObject* error) {
  return internal::RefAccess::Make<Error>(internal::RefAccess::Share<Object>(error));
}

/// Returns the class that was made for a record, or that a user registered for its key; null if
/// there is none yet.
PyObject* KnownClass(const ErrorRecord& record) {
  PyObject* known = ClassOfKind(record.key());
  if (known == nullptr) return nullptr;
  const nb::object made = AttrOrNone(known, "_tain_record");
  if (nb::isinstance<ErrorInfo>(made) && nb::inst_ptr<ErrorInfo>(made)->record != &record) {
    return nullptr;  // another build
  }
  return known;
}

PyObject* ParentClass(const ErrorRecord& record, int depth) {
  constexpr int kMaxDepth = 64;  // parents may form a circle
  const bool is_own = record.parent() == record.key() || depth > kMaxDepth;
  PyObject* parent = is_own ? nullptr : DefinedErrorClass(record.parent(), depth + 1);
  if (parent == nullptr && !is_own) parent = ClassOfKind(record.parent());
  if (parent == nullptr) {
    ThrowType(record.key() + ": expected an exception as its parent, got '" + record.parent() +
              "', which no ErrorDef and no exception of Python has as its name");
  }
  return parent;
}

/// Runs what concerns one field. If it fails, the field is left out: the exception itself matters
/// more. What is no Exception, such as KeyboardInterrupt, goes on.
template <class F>
void ForOneField(const F& run) {
  try {
    run();
  } catch (nb::python_error& e) {
    if (!e.matches(PyExc_Exception)) throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    // A value that cannot cross.
  }
}

/// Returns the type of a field of a record or its parents; empty for a field that only another build
/// of the class has.
std::string TypeOfField(const ErrorRecord* record, const String& name) {
  if (record == nullptr) return "";
  std::string type;
  for (const ErrorField* field : internal::AllErrorFields(*record)) {
    if (String(field->name()) == name) type = field->type()();  // a class hides its parents' fields
  }
  return type;
}

/// Sets attributes to values of the fields of a record.
void SetFieldsOf(nb::handle exception, std::string_view kind, const Map<String, Any>& values) {
  const ErrorRecord* record = values.empty() ? nullptr : internal::FindErrorRecord(kind);
  for (const auto& [name, value] : values) {
    ForOneField([&] {
      const std::string type = TypeOfField(record, name);
      const nb::object made = Checked(GetHooks().declared_to_python(type, value.data()));
      nb::setattr(exception, Text(std::string_view(name)), made);
    });
  }
}

}  // namespace

void StoreErrorClass(const std::string& kind, PyObject* cls) {
  GetState().unknown_kinds.clear();
  PyObject*& slot = GetState().error_classes[kind];
  Py_XSETREF(slot, Py_NewRef(cls));
}

PyObject* ClassOfKind(std::string_view kind) {
  const auto& table = GetState().error_classes;
  const auto found = table.find(std::string(kind));
  return found == table.end() ? nullptr : found->second;
}

PyObject* DefinedErrorClass(std::string_view key, int depth) {
  const ErrorRecord* record = internal::FindErrorRecord(key);
  if (record == nullptr) return nullptr;
  if (PyObject* known = KnownClass(*record)) return known;
  const nb::object parent = nb::borrow(ParentClass(*record, depth));  // Python may replace it
  DefineRestOfModule();
  nb::list fields = NewList();
  for (const ErrorField* field : record->fields()) {
    fields.append(nb::cast(ErrorFieldInfo{field, record}));
  }
  const nb::object made =
      nb::module_::import_("tain._error_classes")
          .attr("make_error_class")(Text(ModuleOfError(key)), Text(internal::LastPart(key)), parent,
                                    Text(record->doc()), fields, nb::cast(ErrorInfo{record}));
  // Making it ran Python code, which may have made the class too, or loaded another build.
  if (PyObject* known = KnownClass(*record)) return known;
  if (internal::FindErrorRecord(key) != record) return DefinedErrorClass(key, depth);
  StoreErrorClass(std::string(key), made.ptr());
  return made.ptr();  // the table holds it
}

void SetChangedFields(nb::handle exception, TainObject* object) {
  const Error error = ErrorFrom(object);
  SetFieldsOf(exception, error.kind(), internal::ChangedErrorFields(error));
}

void SetExceptionFields(nb::handle exception, TainObject* object) {
  const Error error = ErrorFrom(object);
  SetFieldsOf(exception, error.kind(), internal::ErrorFieldsOf(error));
}

void CopyExceptionFields(nb::handle exception, std::string_view kind, TainObject* error) {
  // An exception in a field has no fields itself: exceptions may refer to each other.
  static thread_local bool is_inside = false;
  const ErrorRecord* record = is_inside ? nullptr : internal::FindErrorRecord(kind);
  if (record == nullptr) return;
  struct Inside {
    Inside() { is_inside = true; }
    ~Inside() { is_inside = false; }
  } const inside;
  Map<String, Any> values;
  for (const ErrorField* field : internal::AllErrorFields(*record)) {
    ForOneField([&] {
      const nb::str name = Text(field->name());
      const nb::object own = AttrOrNone(exception, "__dict__");
      const bool is_own = nb::isinstance<nb::dict>(own) && nb::cast<nb::dict>(own).contains(name);
      // Without an attribute of its own it has what a new C++ exception has.
      const nb::object shared = AttrOrNone(exception.type(), name);
      if (!is_own && nb::isinstance<ErrorFieldInfo>(shared)) return;
      const nb::object value = Checked(PyObject_GetAttr(exception.ptr(), name.ptr()));
      if (!is_own && value.is_none()) return;
      TainAny taken;
      if (!GetHooks().declared_from_python(field->type()(), value.ptr(), &taken)) {
        throw nb::python_error();
      }
      values.Set(String(field->name()), Any::Steal(taken));
    });
  }
  internal::SetErrorFields(ErrorFrom(error), values);
}

}  // namespace tain::bindings
