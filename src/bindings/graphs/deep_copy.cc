// SPDX-License-Identifier: Apache-2.0
// copy.deepcopy of objects and containers by the core.
//
// The core copies a graph without making wrappers, if nothing in it concerns Python: no class with
// methods of its own for copies, no attributes, no opaque values. Otherwise the graph is copied as
// it is pickled. The memo of copy.deepcopy holds the core's copies, because an object of the graph
// may be reached again from elsewhere.
#include "graphs/init.h"

#include <unordered_map>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/hooks.h"
#include "base/recursion.h"
#include "classes/object_state.h"
#include "classes/pickle_graph.h"
#include "classes/visible_class.h"
#include "objects/class_table.h"
#include "objects/instance.h"
#include "tain/internal/deep_copy.h"
#include "values/container_access.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

/// The copies that the core made during one copy.deepcopy.
struct CopiesOfMemo {
  internal::CopyMemo copies;
};

/// Returns an entry of a memo, or an invalid object.
nb::object FindIn(nb::handle memo, nb::handle key) {
  nb::object found = nb::steal(PyObject_GetItem(memo.ptr(), key.ptr()));
  if (!found.is_valid()) {
    if (!PyErr_ExceptionMatches(PyExc_KeyError)) throw nb::python_error();
    PyErr_Clear();
  }
  return found;
}

/// Whether a method of a class is not Python's.
bool IsOfC(nb::handle cls, const char* name) {
  const nb::object method = AttrOrNone(cls, name);
  return PyObject_TypeCheck(method.ptr(), &PyMethodDescr_Type) != 0;
}

class PythonHost final : public internal::DeepCopyHost {
 public:
  explicit PythonHost(nb::handle memo) : memo_(memo), is_empty_(nb::len(memo) == 0) {}

  Answer Meet(const TainAny& value, Any* copy) override {
    const bool has_fields = value.type_index >= kTainDynObjectBegin;
    if (!has_fields && !internal::IsContainer(value.type_index)) return MeetOther(value, copy);
    const nb::object wrapper = nb::steal(HoldWrapper(value.v_obj).release());
    if (!wrapper.is_valid()) return Answer::kCopy;
    if (!is_empty_) {
      const nb::object found = FindIn(memo_, Checked(PyLong_FromVoidPtr(wrapper.ptr())));
      if (found.is_valid()) return Known(found, copy);
    }
    PyTypeObject* type = Py_TYPE(wrapper.ptr());
    if (has_fields && !IsPlain(type)) return Answer::kStop;
    if (type->tp_dealloc == &InstanceDealloc) return Answer::kCopy;
    return has_fields && PythonStateOf(wrapper).is_none() ? Answer::kCopy : Answer::kStop;
  }

  Answer MeetType(int32_t type_index) override {
    PyTypeObject* type = ClassOf(type_index);
    if (type == nullptr) throw nb::python_error();
    return IsPlain(type) ? Answer::kCopy : Answer::kStop;
  }

 private:
  static Answer Known(const nb::object& found, Any* copy) {
    if (!AnyFromPython(found.ptr(), copy)) throw nb::python_error();
    return Answer::kKnown;
  }

  /// Asks about tensors and modules, which hold no part of the graph, and about the rest.
  Answer MeetOther(const TainAny& value, Any* copy) {
    if (value.type_index != kTainTensor && value.type_index != kTainModule) return Answer::kStop;
    const nb::object object = Checked(ToPython(Any(AnyView(value)).Release()));
    return Known(nb::module_::import_("copy").attr("deepcopy")(object, memo_), copy);
  }

  /// Whether the objects of a class, if they have no attributes, are copied by the core: tain made
  /// the class or it stands for the key, and it copies as tain.Object does.
  bool IsPlain(PyTypeObject* type) {
    const auto found = classes_.find(type);
    if (found != classes_.end()) return found->second.second;
    const nb::object cls = nb::borrow(reinterpret_cast<PyObject*>(type));
    const ClassRecord* record = RecordOfType(type);
    bool plain = record != nullptr && (type == record->type || IsMadeFor(*record, type));
    plain = plain && PicklesAsTain(type) && !DiffersFromObject(cls, "__getstate__") &&
            IsOfC(cls, "__deepcopy__");
    const nb::object reducers = nb::module_::import_("copyreg").attr("dispatch_table");
    plain = plain && !nb::cast<bool>(reducers.attr("__contains__")(cls));
    classes_.emplace(type, std::make_pair(cls, plain));
    return plain;
  }

  nb::handle memo_;
  bool is_empty_;
  /// The answers of IsPlain by class, which is held.
  std::unordered_map<PyTypeObject*, std::pair<nb::object, bool>> classes_;
};

/// Returns the copies in a memo, which owns them; enters an empty table if it has none.
nb::object CopiesIn(nb::handle memo) {
  const nb::handle key = nb::type<CopiesOfMemo>();
  nb::object found = FindIn(memo, key);
  if (found.is_valid() && nb::isinstance<CopiesOfMemo>(found)) return found;
  found = nb::cast(new CopiesOfMemo(), nb::rv_policy::take_ownership);
  if (PyObject_SetItem(memo.ptr(), key.ptr(), found.ptr()) != 0) throw nb::python_error();
  return found;
}

/// Returns a deep copy by the core; an invalid object if Python must copy.
nb::object CopyByCore(PyObject* self, nb::handle memo) {
  if (IsEntry(self)) return nb::object();
  TainObject* object = ObjectOrNull(self);
  if (object == nullptr) return nb::object();
  const int32_t index = object->type_index;
  if (index < kTainDynObjectBegin && !internal::IsContainer(index)) return nb::object();
  const Any value{AnyView(internal::ViewOfObject(object))};
  PythonHost host(memo);
  const nb::object copies = CopiesIn(memo);
  std::optional<Any> made =
      internal::DeepCopyWith(value, &nb::cast<CopiesOfMemo&>(copies).copies, &host);
  return made ? Checked(ToPython(made->Release())) : nb::object();
}

PyObject* TryDeepCopy(PyObject* self, PyObject* memo, bool* failed) noexcept {
  PyObject* made =
      Guarded<PyObject*>(nullptr, [&] { return CopyByCore(self, memo).release().ptr(); });
  *failed = made == nullptr && PyErr_Occurred() != nullptr;
  return made;
}

}  // namespace

void InitDeepCopy(CoreModule& m) {
  CoreClass<CopiesOfMemo>(m, "_CopiesOfMemo", nb::is_final());
  GetHooks().deep_copy = &TryDeepCopy;
}

}  // namespace tain::bindings
