// SPDX-License-Identifier: Apache-2.0
// Exception classes of ErrorDef; see error_class.h.
#include "base/error_class.h"

#include <cstdint>
#include <string>

#include "base/error.h"
#include "base/state.h"
#include "base/type_keys.h"
#include "tain/internal/error_record.h"
#include "tain/interop/nanobind.h"

namespace tain::bindings {
namespace {

using internal::ErrorField;
using internal::ErrorRecord;

Error ErrorFrom(TainObject* error) {
  return internal::RefAccess::Make<Error>(internal::RefAccess::Share<Object>(error));
}

/// Returns the class that was made for a record, or that a user registered for its key; null if
/// there is none yet.
PyObject* KnownClass(const ErrorRecord& record) {
  const auto& table = GetState().error_classes;
  const auto found = table.find(record.key());
  if (found == table.end()) return nullptr;
  const nb::object made = nb::getattr(nb::handle(found->second), "_tain_record", nb::none());
  const auto address = reinterpret_cast<uintptr_t>(&record);
  if (!made.is_none() && nb::cast<uintptr_t>(made) != address) return nullptr;  // another build
  return found->second;
}

PyObject* ClassOfError(std::string_view key, int depth);

PyObject* ParentClass(const ErrorRecord& record, int depth) {
  constexpr int kMaxDepth = 64;  // parents may form a circle
  const bool is_own = record.parent() == record.key() || depth > kMaxDepth;
  PyObject* parent = is_own ? nullptr : ClassOfError(record.parent(), depth + 1);
  const auto& table = GetState().error_classes;
  const auto found = table.find(record.parent());
  if (parent == nullptr && !is_own && found != table.end()) parent = found->second;
  if (parent == nullptr) {
    ThrowType(record.key() + ": expected an exception as its parent, got '" + record.parent() +
              "', which no ErrorDef and no exception of Python has as its name");
  }
  return parent;
}

PyObject* ClassOfError(std::string_view key, int depth) {
  const ErrorRecord* record = internal::FindErrorRecord(key);
  if (record == nullptr) return nullptr;
  if (PyObject* known = KnownClass(*record)) return known;
  const nb::handle parent(ParentClass(*record, depth));
  nb::list fields = NewList();
  for (const ErrorField* field : record->fields()) {
    fields.append(nb::make_tuple(Text(field->name()), Text(field->doc())));
  }
  const nb::object made = nb::module_::import_("tain._error_classes")
                              .attr("make_error_class")(
                                  Text(ModuleOfKey(key)), Text(ClassNameOfKey(key)), parent,
                                  Text(record->doc()), fields, reinterpret_cast<uintptr_t>(record));
  RegisterErrorClass(std::string(key), made.ptr());
  return made.ptr();  // the table holds it
}

}  // namespace

PyObject* DefinedErrorClass(std::string_view key) { return ClassOfError(key, 0); }

void SetExceptionFields(nb::handle exception, TainObject* error) {
  for (const auto& [name, value] : internal::ErrorFieldsOf(ErrorFrom(error))) {
    nb::setattr(exception, Text(std::string_view(name)), nb::cast(value));
  }
}

void CopyExceptionFields(nb::handle exception, std::string_view kind, TainObject* error) {
  const ErrorRecord* record = internal::FindErrorRecord(kind);
  if (record == nullptr) return;
  Map<String, Any> values;
  for (const ErrorField* field : internal::AllErrorFields(*record)) {
    const nb::object value = nb::getattr(exception, Text(field->name()), nb::none());
    if (!value.is_none()) values.Set(String(field->name()), nb::cast<Any>(value));
  }
  internal::SetErrorFields(ErrorFrom(error), values);
}

}  // namespace tain::bindings
