// SPDX-License-Identifier: Apache-2.0
// The parts of a value for Python.
//
// Reading a part may run Python code: a getter, the making of a class, the garbage collector. So
// the value is held, and the parts of a container are copied before the first one is converted. A
// part that cannot be read is replaced by the exception, because the others can still be shown.
#include "graphs/init.h"

#include <vector>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "classes/field_descr.h"
#include "tain/container/map_base.h"
#include "tain/internal/type_members.h"
#include "values/container_access.h"

namespace tain::bindings {
namespace {

/// The facts that Python is told about a part, beside its name and value.
enum PartFlag : int {
  kPartHidden = 1,   ///< repr leaves the field out
  kPartIgnored = 2,  ///< structural comparison leaves the field out
  kPartError = 4     ///< the value is the exception that reading it raised
};

/// Returns the exception that is set, in place of a part. What asks to stop is thrown.
nb::object PartError() {
  if (PyErr_ExceptionMatches(PyExc_Exception) == 0) throw nb::python_error();
  return Checked(TakeRaised());
}

/// Takes over `value`; null stands for the error that is set.
nb::object NewPart(const nb::object& name, PyObject* value, int flags) {
  nb::object part = nb::steal(value);
  if (!part.is_valid()) {
    part = PartError();
    flags |= kPartError;
  }
  return Checked(Py_BuildValue("OOi", name.ptr(), part.ptr(), flags));
}

std::vector<const TainFieldDef*> ShownFields(const TainObject* object) {
  const TainTypeRecord* record = TainGetTypeRecord(object->type_index);
  return record == nullptr ? std::vector<const TainFieldDef*>() : internal::AllFieldsOf(*record);
}

nb::list FieldParts(TainObject* object, const std::vector<const TainFieldDef*>& fields,
                    int64_t limit) {
  nb::list parts = NewList();
  for (const TainFieldDef* field : fields) {
    if (limit <= 0) break;
    --limit;
    int flags = 0;
    if ((field->info.flags & kTainFieldNoRepr) != 0) flags |= kPartHidden;
    if ((field->info.flags & kTainFieldNoStructuralEq) != 0) flags |= kPartIgnored;
    const nb::object name = Text(field->info.name);
    parts.append(NewPart(name, GetFieldValue(object, field), flags));
  }
  return parts;
}

nb::list ElementParts(const TainObject* seq, int64_t limit) {
  std::vector<Any> copies;
  for (int64_t i = 0; i < internal::SeqSize(seq) && i < limit; ++i) {
    copies.emplace_back(AnyView(internal::SeqData(seq)[i]));
  }
  nb::list parts = NewList();
  int64_t index = 0;
  for (const Any& element : copies) {
    const nb::object name = Checked(PyLong_FromLongLong(index++));
    parts.append(NewPart(name, ElementToPython(element.data()), 0));
  }
  return parts;
}

nb::list EntryParts(TainObject* map, int64_t limit) {
  std::vector<std::pair<Any, Any>> copies;
  if (limit > 0) {
    internal::EachEntry(map, [&](const Any& key, const Any& value) {
      copies.emplace_back(key, value);
      return static_cast<int64_t>(copies.size()) < limit;
    });
  }
  nb::list parts = NewList();
  for (const auto& [key, value] : copies) {
    nb::object name = nb::steal(ElementToPython(key.data()));
    if (!name.is_valid()) name = PartError();
    parts.append(NewPart(name, ElementToPython(value.data()), 0));
  }
  return parts;
}

nb::object PartsOf(nb::handle value, int64_t limit) {
  if (!IsWrapper(value.ptr())) {
    ThrowType(std::string("parts: expected a registered object, got ") + TypeName(value.ptr()));
  }
  TainObject* object = ObjectOrNull(value.ptr());
  if (object == nullptr) return nb::none();
  const Held held = Hold(object);
  const int32_t index = object->type_index;
  if (internal::IsSeq(index)) {
    const int64_t size = internal::SeqSize(object);  // before it can change
    return nb::make_tuple("elements", size, ElementParts(object, limit));
  }
  if (internal::IsMap(index)) {
    const int64_t size = internal::MapSize(object);
    return nb::make_tuple("entries", size, EntryParts(object, limit));
  }
  if (index < kTainDynObjectBegin) return nb::make_tuple("", 0, NewList());
  const std::vector<const TainFieldDef*> fields = ShownFields(object);
  return nb::make_tuple("fields", fields.size(), FieldParts(object, fields, limit));
}

}  // namespace

void DefinePartsView(CoreModule& m) {
  m.def("parts", &PartsOf, nb::arg("value"), nb::arg("limit"),
        nb::sig("def parts(value: object, limit: int) -> "
                "tuple[str, int, list[tuple[typing.Any, typing.Any, int]]] | None"),
        "Returns how the parts of a registered object are found ('fields', 'elements', 'entries' "
        "or ''), how many there are, and the first ones as (name, index or key; value; flags). "
        "Flags: 1 hidden from repr, 2 ignored by structural comparison, 4 the value is the "
        "exception that reading it raised. None for an object that was moved away.");
}

}  // namespace tain::bindings
