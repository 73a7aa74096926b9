// SPDX-License-Identifier: Apache-2.0
// Nested classes and enums: the class of the key `geometry.Expr.Kind` is the attribute `Kind` of the
// class of `geometry.Expr`. It is looked up at each access, so it is made when it is first used, and
// a redefinition is seen. Raw Python types: the attribute, which lives as long as its class, and so
// longer than nanobind expects of its instances.
#include "classes/class_parts.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/type_keys.h"
#include "classes/init.h"
#include "classes/state.h"
#include "classes/visible_class.h"
#include "objects/class_table.h"
#include "objects/state.h"
#include "tain/internal/dotted_name.h"

namespace tain::bindings {
namespace {

/// The attribute of the outer class: a descriptor that returns the class of a key.
struct NestedClass {
  PyObject_HEAD std::string* key;
  PyObject* cls;        ///< found last, or null
  uint64_t generation;  ///< of the registry, when it was found
  uint64_t changes;     ///< of FoundNames, when it was found
};

NestedClass* AsNested(PyObject* self) noexcept { return reinterpret_cast<NestedClass*>(self); }

PyObject* GetNestedClass(PyObject* self, PyObject*, PyObject*) noexcept {
  NestedClass* nested = AsNested(self);
  const uint64_t generation = TainRegistryGeneration();
  const uint64_t changes = GetObjectsState().found_names.changes;
  if (TAIN_LIKELY(nested->generation == generation && nested->changes == changes)) {
    return Py_NewRef(nested->cls);
  }
  const Own keep = Own::Share(self);  // looking up may run code that deletes the attribute
  return GuardedObject([&] {
    nb::object found = nb::steal(FindClassOfKey(*nested->key, false));
    if (!found.is_valid()) throw nb::attribute_error(nested->key->c_str());
    nested->generation = generation;
    nested->changes = changes;
    const Own before(std::exchange(nested->cls, Py_NewRef(found.ptr())));
    return found;
  });
}

void DropNested(PyObject* self) noexcept {
  PyTypeObject* type = Py_TYPE(self);
  delete AsNested(self)->key;
  Py_XDECREF(AsNested(self)->cls);
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject* NestedRepr(PyObject* self) noexcept {
  return PyUnicode_FromFormat("<nested class %s>", AsNested(self)->key->c_str());
}

nb::object MakeAttribute(const std::string& key) {
  auto text = std::make_unique<std::string>(key);
  PyTypeObject* type = GetClassesState().nested.type;
  PyObject* made = type->tp_alloc(type, 0);  // all other members are 0: it has not looked up
  if (made == nullptr) throw nb::python_error();
  AsNested(made)->key = text.release();
  return nb::steal(made);
}

/// Adds an attribute, unless the class has a member of the name.
void AddAttribute(const ClassRecord& outer, const std::string& key) {
  const nb::object name = Text(internal::LastPart(key));
  const Own member = ClassMember(outer.generated, name.ptr());
  PyObject* present = member.get();
  const bool is_nested = present != nullptr && Py_TYPE(present) == GetClassesState().nested.type;
  if (present != nullptr && (!is_nested || *AsNested(present)->key == key)) return;
  const nb::object made = MakeAttribute(key);
  auto* type = reinterpret_cast<PyObject*>(outer.generated);
  if (PyType_Type.tp_setattro(type, name.ptr(), made.ptr()) != 0) throw nb::python_error();
  RenameClassOfKey(key);  // its class may have been made before the outer type was registered
}

/// Lists the nested keys again if the registry has changed; returns whether it has.
bool ListNestedKeys() {
  NestedKeys& nested = GetClassesState().nested;
  const uint64_t generation = TainRegistryGeneration();
  if (nested.generation == generation) return false;
  std::unordered_map<std::string, std::vector<std::string>> of;
  const auto add = [](const TainByteArray* key, int32_t, void* data) {
    auto& into = *static_cast<decltype(of)*>(data);
    try {
      const std::string_view outer = OuterKeyOf(View(*key));
      if (!outer.empty()) into[std::string(outer)].emplace_back(View(*key));
      return 0;
    } catch (const std::bad_alloc&) {
      return 1;
    }
  };
  if (TainListTypeKeys(add, &of) != 0) ThrowFromCore();
  nested.of = std::move(of);
  nested.generation = generation;
  return true;
}

void AddAttributes(const ClassRecord& outer) {
  const auto& all = GetClassesState().nested.of;
  const auto found = all.find(std::string(View(outer.record->info->type_key)));
  if (found == all.end()) return;
  const std::vector<std::string> keys = found->second;
  for (const std::string& key : keys) AddAttribute(outer, key);
}

}  // namespace

void AddNestedClasses(const ClassRecord& outer) {
  if (outer.type_index < kTainDynObjectBegin) return;
  UpdateNestedClasses();
  AddAttributes(outer);
}

void UpdateNestedClasses() {
  if (!ListNestedKeys()) return;
  std::vector<const ClassRecord*> made;
  for (const auto& [outer, keys] : GetClassesState().nested.of) {
    const TainByteArray bytes{outer.data(), outer.size()};
    int32_t index = 0;
    if (TainTypeKeyToIndex(&bytes, &index) != 0) {
      DropCoreError();
      continue;
    }
    if (const ClassRecord* found = GetObjectsState().classes.Find(index)) made.push_back(found);
  }
  for (const ClassRecord* outer : made) AddAttributes(*outer);
}

void InitNestedClasses() {
  static constexpr unsigned kFlags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  PyType_Slot slots[] = {Slot(Py_tp_descr_get, kLocked<&GetNestedClass>),
                         Slot(Py_tp_dealloc, kLocked<&DropNested>),
                         Slot(Py_tp_repr, kLocked<&NestedRepr>),
                         {0, nullptr}};
  PyType_Spec spec{"tain.NestedClass", sizeof(NestedClass), 0, kFlags, slots};
  PyObject* type = Checked(PyType_FromSpec(&spec)).release().ptr();
  GetClassesState().nested.type = reinterpret_cast<PyTypeObject*>(type);
}

}  // namespace tain::bindings
