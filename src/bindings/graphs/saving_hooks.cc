// SPDX-License-Identifier: Apache-2.0
// Answers of Python classes about saving: `__data_to_json__`, `__data_from_json__`, state, enums.
#include "graphs/init.h"

#include <string>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/gil.h"
#include "base/release_queue.h"
#include "base/with_gil.h"
#include "classes/object_state.h"
#include "classes/visible_class.h"
#include "objects/class_table.h"
#include "objects/enums.h"
#include "objects/gc_candidates.h"
#include "objects/instance.h"
#include "objects/state.h"
#include "tain/internal/saving.h"
#include "values/from_python.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

/// Returns an attribute of a class by its name, or null; instances and metaclasses do not count.
nb::object HookOf(PyTypeObject* type, const char* name) {
  const nb::str text = Text(name);
  Own found = ClassMember(type, text.ptr());
  return found.get() == Py_None ? nb::object() : nb::steal(found.release());
}

/// Returns the class of a type index if it was made, else that of its nearest parent whose class
/// was made: only such a class can have a hook of Python's. Null if there is none.
PyTypeObject* MadeClass(int32_t type_index) noexcept {
  while (type_index >= kTainDynObjectBegin) {
    const ClassRecord* made = GetObjectsState().classes.Find(type_index);
    if (made != nullptr) return made->type;
    const TainTypeRecord* record = TainGetTypeRecord(type_index);
    if (record == nullptr) return nullptr;
    type_index = record->request.parent;
  }
  return nullptr;
}

int HasHook(int32_t type_index, const char* name, int* out) noexcept {
  const auto look = [&] {
    PyTypeObject* type = MadeClass(type_index);
    *out = type != nullptr && HookOf(type, name).is_valid() ? 1 : 0;
    return 0;
  };
  // This runs no Python code, so a thread that shares the lock need not leave it.
  return BridgeReading::IsInside() ? GuardedForCore(look) : WithPython(look);
}
int HasToHook(int32_t type_index, int* out) noexcept {
  return HasHook(type_index, "__data_to_json__", out);
}
int HasFromHook(int32_t type_index, int* out) noexcept {
  return HasHook(type_index, "__data_from_json__", out);
}

/// Converts what a hook returned.
void ToCore(const nb::object& value, TainAny* out) {
  if (!OwnedFromPythonForAny(value.ptr(), out)) throw nb::python_error();
}

/// Returns what Python adds to an object and no field holds, its class or attributes, or an empty
/// text.
std::string StateText(nb::handle wrapper) {
  PyTypeObject* type = Py_TYPE(wrapper.ptr());
  if (type->tp_dealloc == &InstanceDealloc) return "";
  const nb::object state = PythonStateOf(wrapper);
  const std::string hint =
      " cannot be saved: give the class __data_to_json__ and __data_from_json__, or save it as its "
      "parent with subclasses=\"as_parent\"";
  if (state.is_none()) {
    const ClassRecord* record = RecordOfType(type);
    if (record == nullptr || type == record->type || IsMadeFor(*record, type)) return "";
    return std::string("its Python class ") + type->tp_name + hint;
  }
  nb::object names = state;
  if (nb::isinstance<nb::tuple>(state) && nb::len(state) == 2) {
    names = nb::object(state[0]).is_none() ? nb::object(state[1]) : nb::object(state[0]);
  }
  if (!nb::isinstance<nb::dict>(names) || nb::len(names) == 0) return "its Python state" + hint;
  const nb::object first = nb::borrow(*nb::iter(names));
  return "its Python attribute " + Utf8Of(nb::str(first)) + hint;
}

int DataOf(TainObject* object, TainAny* out, int* answer) noexcept {
  return WithPython([&] {
    *answer = internal::kHostSavesFields;
    // An object whose wrapper sleeps has one too.
    const nb::object wrapper = LoadTie(object) == 0 ? nb::object() : Checked(WrapBorrowed(object));
    PyTypeObject* type =
        wrapper.is_valid() ? Py_TYPE(wrapper.ptr()) : MadeClass(object->type_index);
    if (type == nullptr) return 0;
    if (HookOf(type, "__data_to_json__").is_valid()) {
      const nb::object self = wrapper.is_valid() ? wrapper : Checked(WrapBorrowed(object));
      ToCore(self.attr("__data_to_json__")(), out);
      *answer = internal::kHostSavesData;
      return 0;
    }
    const std::string state = wrapper.is_valid() ? StateText(wrapper) : "";
    if (state.empty()) return 0;
    ToCore(Text(state), out);
    *answer = internal::kHostCannotSave;
    return 0;
  });
}

int ObjectOfData(int32_t type_index, const TainAny* data, TainAny* out, int* handled) noexcept {
  return WithPython([&] {
    PyTypeObject* type = ClassOf(type_index);
    if (type == nullptr) throw nb::python_error();
    *handled = HookOf(type, "__data_from_json__").is_valid() ? 1 : 0;
    if (*handled == 0) return 0;
    const nb::object value = Checked(ViewToPython(data));
    const nb::handle cls(reinterpret_cast<PyObject*>(type));
    ToCore(cls.attr("__data_from_json__")(value), out);
    return 0;
  });
}

int MemberOf(const TainEnumInfo* info, const TainAny* value, TainAny* out) noexcept {
  return WithPython([&] {
    PyObject* plain = ViewToPython(value);
    if (plain == nullptr) throw nb::python_error();
    ToCore(Checked(EnumMember(View(info->key), plain)), out);
    return 0;
  });
}

/// Does not wait for the GIL for each object.
void LeftBehind(TainObject* object) {
  if (HoldsGil()) {
    const BridgeLock lock;
    return NoteCandidate(object);
  }
  internal::IncRef(object);
  Later(
      [](void* data) {
        auto* held = static_cast<TainObject*>(data);
        NoteCandidate(held);
        internal::DecRef(held);
      },
      object);
}

}  // namespace

void InitSavingHooks() {
  static constexpr internal::HostSaving host = {&HasToHook,   &DataOf,   &ObjectOfData,
                                                &HasFromHook, &MemberOf, &LeftBehind};
  internal::SetHostSaving(&host);
}

}  // namespace tain::bindings
