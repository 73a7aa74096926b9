// SPDX-License-Identifier: Apache-2.0
// Graphs in pickles; see pickle_graph.h.
//
// The list is written from an iterator, so that it is known what the pickler did with each object:
// one that it had already is neither written again nor descended into. An object that was given out
// is marked until the iterator is asked again; a call of its __reduce__ in between is the
// pickler's.
#include "classes/pickle_graph.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "classes/object_state.h"
#include "objects/class_table.h"
#include "objects/gc_watch.h"
#include "objects/instance.h"
#include "tain/internal/container_api.h"

namespace tain::bindings {
namespace {

constexpr int kSmall = 24;  // objects; Python's limit of 1000 calls is about 100 objects deep

bool IsContainer(const TainObject* object) noexcept {
  return object->type_index < kTainDynObjectBegin && TainTypeCanReach(object->type_index) != 0;
}

/// Calls `visit` for the objects that an object holds, looking through containers.
template <class F>
void ForEachChild(TainObject* object, F&& visit) {
  struct Walk {
    std::vector<TainObject*> children;
    static int Add(TainObject* child, void* context) {
      static_cast<Walk*>(context)->children.push_back(child);
      return 0;
    }
  };
  std::vector<TainObject*> open = {object};
  std::unordered_set<TainObject*> containers;
  while (!open.empty()) {
    Walk walk;
    TainObject* next = open.back();
    open.pop_back();
    if (TainObjectVisitEdges(next, &Walk::Add, &walk) != 0) ThrowFromCore();
    for (TainObject* child : walk.children) {
      if (child->type_index >= kTainDynObjectBegin) {
        if (!visit(child)) return;
      } else if (IsContainer(child) && containers.insert(child).second) {
        open.push_back(child);
      }
    }
  }
}

/// The `__dict__` of a Python subclass's instance, or None.
nb::object DictOf(nb::handle mirror) {
  if (mirror.type().ptr() == nullptr || !IsInstance(mirror.ptr()) ||
      Py_TYPE(mirror.ptr())->tp_dealloc == &InstanceDealloc) {
    return nb::none();
  }
  const nb::object dict = nb::getattr(mirror, "__dict__", nb::none());
  return nb::isinstance<nb::dict>(dict) ? dict : nb::object(nb::none());
}

/// The objects among Python's values.
template <class F>
void ForEachInstance(const nb::handle dict, F&& visit) {
  if (!nb::isinstance<nb::dict>(dict)) return;
  for (auto [name, value] : nb::borrow<nb::dict>(dict)) {
    if (IsInstance(value.ptr()) && ObjectOrNull(value.ptr()) != nullptr) visit(value);
  }
}

/// Whether more than kSmall objects can be reached.
bool IsLarge(TainObject* root) {
  std::unordered_set<TainObject*> seen = {root};
  // Held: reading a __dict__ may run Python.
  std::vector<ObjectPtr<Object>> held = {internal::RefAccess::Share<Object>(root)};
  const auto meet = [&](TainObject* child) {
    if (seen.insert(child).second) held.push_back(internal::RefAccess::Share<Object>(child));
    return seen.size() <= kSmall;
  };
  for (size_t i = 0; i < held.size() && seen.size() <= kSmall; ++i) {
    TainObject* object = internal::RefAccess::Header(held[i]);
    ForEachChild(object, meet);
    const nb::object mirror = nb::borrow(LiveMirror(object));
    if (!mirror.is_valid()) continue;
    ForEachInstance(DictOf(mirror), [&](nb::handle value) { meet(ObjectOrNull(value.ptr())); });
  }
  return seen.size() > kSmall;
}

/// One writing of a graph's list.
class Pass {
 public:
  explicit Pass(const std::vector<nb::object>& start) {
    std::vector<nb::object> children;
    for (const nb::object& value : start) Collect(value, &children);
    for (const nb::object& child : children) Push(child);
  }
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;
  ~Pass() { Unmark(); }

  /// The next entry: an object, the state of one, or None while it is not known yet what became of
  /// the last object.
  nb::object Next() {
    if (marked_ != nullptr && !waited_) {
      waited_ = true;
      return nb::none();
    }
    Unmark();
    if (taken_.is_valid()) Descend(std::exchange(taken_, nb::object()));
    while (!open_.empty()) {
      nb::object node = std::move(open_.back());
      open_.pop_back();
      TainObject* object = ObjectOrNull(node.ptr());
      if (object == nullptr || !seen_.insert(object).second) continue;
      kept_.push_back(node);
      Mark(node.ptr());
      return node;
    }
    if (next_state_ < states_.size()) return std::move(states_[next_state_++]);
    throw nb::stop_iteration();
  }

  /// Whether the object was given out last; then its state is owed.
  bool Take(PyObject* self) {
    if (marked_ != self || thread_ != PyThread_get_thread_ident()) return false;
    taken_ = nb::borrow(self);
    Unmark();
    return true;
  }

  /// The passes that wait for what becomes of an object; guarded by the GIL.
  static std::vector<Pass*>& Waiting() {
    static auto* all = new std::vector<Pass*>();
    return *all;
  }

 private:
  void Mark(PyObject* node) {
    Waiting().push_back(this);
    marked_ = node;
    waited_ = false;
    thread_ = PyThread_get_thread_ident();
  }
  void Unmark() noexcept {
    if (marked_ == nullptr) return;
    marked_ = nullptr;
    std::erase(Waiting(), this);
  }

  /// Remembers the object's state, and visits what that holds.
  void Descend(const nb::object& node) {
    ObjectState state = StateOf(node);
    std::vector<nb::object> children;
    for (auto [name, value] : state.fields) Collect(value, &children);
    ForEachInstance(state.own, [&](nb::handle value) { children.push_back(nb::borrow(value)); });
    for (auto child = children.rbegin(); child != children.rend(); ++child) Push(*child);
    states_.push_back(nb::make_tuple(node, state.fields, state.own));
  }

  static void Collect(nb::handle value, std::vector<nb::object>* children) {
    if (!IsInstance(value.ptr())) return;
    TainObject* object = ObjectOrNull(value.ptr());
    if (object == nullptr) return;
    if (object->type_index >= kTainDynObjectBegin) return children->push_back(nb::borrow(value));
    std::vector<Any> held;  // making mirrors runs Python, which may change a container
    ForEachChild(object, [&](TainObject* child) {
      TainAny view{};
      view.type_index = child->type_index;
      view.v_obj = child;
      held.emplace_back(AnyView(view));
      return true;
    });
    for (Any& child : held) {
      TainAny owned = child.Release();
      nb::object mirror = nb::steal(Wrap(owned.v_obj));
      if (!mirror.is_valid()) throw nb::python_error();
      children->push_back(std::move(mirror));
    }
  }

  void Push(nb::handle value) {
    if (!IsInstance(value.ptr()) || ObjectOrNull(value.ptr()) == nullptr) return;
    if (IsNode(value.ptr())) open_.push_back(nb::borrow(value));
  }

  /// Whether the object may be written in two parts: pickled as tain does it, and not asked for its
  /// hash before its state is there. What reaches nothing need not be.
  bool IsNode(PyObject* mirror) {
    PyTypeObject* type = Py_TYPE(mirror);
    const TainObject* object = ObjectOrNull(mirror);
    if (object == nullptr) return false;
    const int32_t index = object->type_index;
    if (index < kTainDynObjectBegin) return false;
    if (type->tp_dealloc == &InstanceDealloc && TainTypeCanReach(index) == 0) return false;
    const auto [entry, is_new] = types_.try_emplace(type, false);
    if (is_new) {
      entry->second = type->tp_hash == PyBaseObject_Type.tp_hash && PicklesAsTain(type);
    }
    return entry->second;
  }

  std::vector<nb::object> open_;          ///< to be given out, the next one last
  std::vector<nb::object> kept_;          ///< what was given out, so that addresses stay theirs
  std::unordered_set<TainObject*> seen_;  ///< the objects of kept_
  std::unordered_map<PyTypeObject*, bool> types_;  ///< what IsNode says of classes
  std::vector<nb::object> states_;                 ///< (object, fields, Python state)
  size_t next_state_ = 0;
  nb::object taken_;            ///< what the pickler took, not yet visited
  PyObject* marked_ = nullptr;  ///< given out last, and not taken; kept_ holds it
  bool waited_ = false;         ///< the pickler got None after it
  unsigned long thread_ = 0;    ///< whose pickler it is
};

/// What stands in the state for the list; reduces to it.
struct Graph {
  std::vector<nb::object> start;
};

nb::object ReduceGraph(const Graph& graph) {
  const nb::handle list(reinterpret_cast<PyObject*>(&PyList_Type));
  return nb::make_tuple(list, nb::make_tuple(), nb::none(),
                        nb::cast(new Pass(graph.start), nb::rv_policy::take_ownership));
}

}  // namespace

nb::object GraphOf(nb::handle self, const nb::dict& fields, const nb::object& own) {
  if (!IsLarge(ObjectOrNull(self.ptr()))) return nb::none();
  WatchCollections();  // many mirrors are about to be made: young collections must be told apart
  Graph graph;
  for (auto [name, value] : fields) graph.start.push_back(nb::borrow(value));
  ForEachInstance(own, [&](nb::handle value) { graph.start.push_back(nb::borrow(value)); });
  return nb::cast(std::move(graph));
}

bool TakeShell(PyObject* self) noexcept {
  for (Pass* pass : Pass::Waiting()) {
    if (pass->Take(self)) return true;
  }
  return false;
}

void RestoreGraph(nb::handle graph) {
  if (!nb::isinstance<nb::list>(graph)) return;  // copy.copy hands over what has no list yet
  for (nb::handle entry : nb::borrow<nb::list>(graph)) {
    if (!PyTuple_Check(entry.ptr()) || nb::len(entry) != 3) continue;
    RestoreParts(entry[0], entry[1], entry[2]);
  }
}

void InitPickleGraph(nb::module_& m) {
  nb::class_<Pass>(m, "_GraphPass", nb::is_final())
      .def("__iter__", [](nb::handle self) { return self; })
      .def("__next__", &Pass::Next);
  const nb::object cls = nb::class_<Graph>(m, "_Graph", nb::is_final());
  m.def("_reduce_graph", &ReduceGraph, nb::arg("graph"));
  nb::module_::import_("copyreg").attr("pickle")(cls, m.attr("_reduce_graph"));
}

}  // namespace tain::bindings
