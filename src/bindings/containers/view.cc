// SPDX-License-Identifier: Apache-2.0
// The views that keys(), values() and items() of Map and Dict return. They are set-like if dict's
// are.
#include "base/bridge_lock.h"
#include "containers/iter.h"
#include "containers/map.h"
#include "values/container_access.h"
#include "values/container_lookup.h"

namespace tain::bindings {
namespace {

/// A view; the three Python classes have one C++ base.
struct MapView {
  Own map;  ///< an Instance; null after the garbage collector cleared it
  MapPart part;
};
template <MapPart kPart>
struct PartView : MapView {
  explicit PartView(PyObject* container) noexcept : MapView{Own::Share(container), kPart} {}
};
using KeysView = PartView<MapPart::kKeys>;
using ValuesView = PartView<MapPart::kValues>;
using ItemsView = PartView<MapPart::kItems>;

/// Returns the view of a Python object of one of the three classes.
MapView* AsView(PyObject* self) noexcept { return nb::inst_ptr<MapView>(nb::handle(self)); }

bool IsView(PyObject* object) noexcept {
  const nb::handle handle(object);
  return nb::isinstance<KeysView>(handle) || nb::isinstance<ValuesView>(handle) ||
         nb::isinstance<ItemsView>(handle);
}

template <class View>
PyObject* NewView(PyObject* map) noexcept {
  return Guarded<PyObject*>(nullptr, [&] {
    if (!nb::type<View>().is_valid()) DefineRestOfModule();
    nb::object view = nb::inst_alloc(nb::type<View>());
    new (nb::inst_ptr<View>(view)) View(map);
    nb::inst_mark_ready(view);
    return view.release().ptr();
  });
}

// ---------------------------------------------------------------- slots

int Traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(nb::handle(self))) Py_VISIT(AsView(self)->map.get());
  return 0;
}

int Clear(PyObject* self) {
  if (nb::inst_ready(nb::handle(self))) AsView(self)->map = Own();
  return 0;
}

/// Returns the container of a view as a borrowed reference; null with an error set if it was
/// cleared.
PyObject* MapOf(const MapView* view) noexcept {
  PyObject* map = view->map.get();
  if (map == nullptr) PyErr_SetString(PyExc_ReferenceError, "the view's container is gone");
  return map;
}

Py_ssize_t Length(PyObject* self) {
  PyObject* map = MapOf(AsView(self));
  return map == nullptr ? -1 : MapLength(map);
}

PyObject* Iter(PyObject* self) {
  PyObject* map = MapOf(AsView(self));
  return map == nullptr ? nullptr : NewMapIter(map, AsView(self)->part, false);
}

int KeysContain(PyObject* self, PyObject* key) {
  PyObject* map = MapOf(AsView(self));
  return map == nullptr ? -1 : MapContains(map, key);
}

int ItemsContain(PyObject* self, PyObject* item) {
  PyObject* map = MapOf(AsView(self));
  if (map == nullptr) return -1;
  if (!PyTuple_Check(item) || PyTuple_GET_SIZE(item) != 2) return 0;
  Any value;
  const int found = LookUpKey(map, PyTuple_GET_ITEM(item, 0), &value);
  if (found <= 0) return found;
  const Own ours(ToPython(value.Release()));
  return ours ? PyObject_RichCompareBool(ours.get(), PyTuple_GET_ITEM(item, 1), Py_EQ) : -1;
}

PyObject* Repr(PyObject* self) {
  const int entered = Py_ReprEnter(self);
  if (entered != 0) return entered > 0 ? PyUnicode_FromString("...") : nullptr;
  const Own name(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(self)), "__name__"));
  const Own list(name ? PySequence_List(self) : nullptr);
  PyObject* text = list ? PyUnicode_FromFormat("%U(%R)", name.get(), list.get()) : nullptr;
  Py_ReprLeave(self);
  return text;
}

/// Whether every element of `a` is in `b`; -1 with an error set.
int AllIn(PyObject* a, PyObject* b) noexcept {
  const Own iterator(PyObject_GetIter(a));
  if (!iterator) return -1;
  while (true) {
    const Own item(PyIter_Next(iterator.get()));
    if (!item) return PyErr_Occurred() ? -1 : 1;
    const int found = PySequence_Contains(b, item.get());
    if (found <= 0) return found;
  }
}

bool IsSetLike(PyObject* object) noexcept {
  return PyAnySet_Check(object) || PyDictKeys_Check(object) || PyDictItems_Check(object) ||
         (IsView(object) && AsView(object)->part != MapPart::kValues);
}

/// Compares as sets do.
PyObject* RichCompare(PyObject* self, PyObject* other, int op) {
  if (!IsSetLike(other)) Py_RETURN_NOTIMPLEMENTED;
  const Py_ssize_t size = Length(self);
  const Py_ssize_t other_size = PyObject_Size(other);
  if (size < 0 || other_size < 0) return nullptr;
  int result = 0;
  switch (op) {
    case Py_EQ:
    case Py_NE:
      result = size == other_size ? AllIn(self, other) : 0;
      if (op == Py_NE && result >= 0) result = 1 - result;
      break;
    case Py_LT:
    case Py_LE:
      if (size < other_size + (op == Py_LE)) result = AllIn(self, other);
      break;
    default:
      if (size + (op == Py_GE) > other_size) result = AllIn(other, self);
      break;
  }
  return result < 0 ? nullptr : PyBool_FromLong(result);
}

/// Computes set(left).<method>(right), where at least one operand is a view.
PyObject* SetOperation(PyObject* left, PyObject* right, const char* method) noexcept {
  const Own set(PySet_New(left));
  if (!set) return nullptr;
  const Own done(PyObject_CallMethod(set.get(), method, "O", right));
  return done ? Py_NewRef(set.get()) : nullptr;
}
PyObject* And(PyObject* a, PyObject* b) { return SetOperation(a, b, "intersection_update"); }
PyObject* Or(PyObject* a, PyObject* b) { return SetOperation(a, b, "update"); }
PyObject* Subtract(PyObject* a, PyObject* b) { return SetOperation(a, b, "difference_update"); }
PyObject* Xor(PyObject* a, PyObject* b) {
  return SetOperation(a, b, "symmetric_difference_update");
}

/// The slots of a view; nanobind copies them.
template <MapPart kPart>
std::vector<PyType_Slot> SlotsOf() {
  std::vector<PyType_Slot> slots = {
      Slot(Py_tp_traverse, &Traverse),      Slot(Py_tp_clear, kLocked<&Clear>),
      Slot(Py_sq_length, kLocked<&Length>), Slot(Py_mp_length, kLocked<&Length>),
      Slot(Py_tp_iter, kLocked<&Iter>),     Slot(Py_tp_repr, kLocked<&Repr>)};
  if (kPart != MapPart::kValues) {
    slots.insert(slots.end(),
                 {Slot(Py_sq_contains,
                       kPart == MapPart::kKeys ? kLocked<&KeysContain> : kLocked<&ItemsContain>),
                  Slot(Py_tp_richcompare, kLocked<&RichCompare>),
                  Slot(Py_tp_hash, &PyObject_HashNotImplemented), Slot(Py_nb_and, kLocked<&And>),
                  Slot(Py_nb_or, kLocked<&Or>), Slot(Py_nb_subtract, kLocked<&Subtract>),
                  Slot(Py_nb_xor, kLocked<&Xor>)});
  }
  slots.push_back({0, nullptr});
  return slots;
}

template <MapPart kPart>
void DefineView(CoreModule& m, const char* name, const char* doc) {
  using View = PartView<kPart>;
  const std::vector<PyType_Slot> slots = SlotsOf<kPart>();
  CoreClass<View> cls(m, name, nb::type_slots(slots.data()), doc);
  cls.def("__reversed__", [](View& self) {
    PyObject* map = MapOf(&self);
    return Checked(map == nullptr ? nullptr : NewMapIter(map, kPart, true));
  });
  cls.def_prop_ro(
      "mapping", [](View& self) { return Checked(Py_XNewRef(MapOf(&self))); }, "The Map or Dict.");
  if (kPart == MapPart::kValues) return;
  cls.def(
      "isdisjoint",
      [](nb::handle_t<View> self, nb::handle other) {
        for (const nb::handle item : nb::iter(other)) {
          const int found = PySequence_Contains(self.ptr(), item.ptr());
          if (found < 0) throw nb::python_error();
          if (found > 0) return false;
        }
        return true;
      },
      nb::arg("other"), "Whether no element of an iterable is in the view.");
}

}  // namespace

PyObject* MapKeys(PyObject* self, PyObject*) { return NewView<KeysView>(self); }
PyObject* MapValues(PyObject* self, PyObject*) { return NewView<ValuesView>(self); }
PyObject* MapItems(PyObject* self, PyObject*) { return NewView<ItemsView>(self); }

void DefineViews(CoreModule& m) {
  DefineView<MapPart::kKeys>(m, "KeysView", "Set-like view of the keys of a Map or Dict.");
  DefineView<MapPart::kValues>(m, "ValuesView", "View of the values of a Map or Dict.");
  DefineView<MapPart::kItems>(m, "ItemsView",
                              "Set-like view of the (key, value) pairs of a Map or Dict.");
}

void RegisterViews(CoreModule& m) {
  const nb::module_ abc = nb::module_::import_("_collections_abc");
  for (const char* view : {"KeysView", "ValuesView", "ItemsView"}) {
    abc.attr(view).attr("register")(m.attr(view));
  }
}

}  // namespace tain::bindings
