// SPDX-License-Identifier: Apache-2.0
// Graphs in pickles; see pickle_graph.h.
//
// The pickler reads the list from an iterator, so the bridge knows what it did with each object. An
// object that the pickler had already is not written again, and its members are not visited. The
// iterator marks the object that it returned last until it is asked again: a call of the object's
// __reduce__ in between comes from the pickler.
#include "classes/pickle_graph.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "base/state.h"
#include "classes/object_state.h"
#include "objects/class_table.h"
#include "objects/gc_watch.h"
#include "objects/instance.h"
#include "tain/internal/container_api.h"

namespace tain::bindings {
namespace {

constexpr int kSmall =
    24;  // objects; Python's limit of 1000 calls allows about 100 objects in depth

bool IsContainer(const TainObject* object) noexcept {
  return object->type_index < kTainDynObjectBegin && TainTypeCanReach(object->type_index) != 0;
}

/// Calls `visit` for the objects that an object holds, also inside containers.
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

/// Returns the `__dict__` of a wrapper of a Python subclass, or None.
nb::object DictOf(nb::handle wrapper) {
  if (wrapper.type().ptr() == nullptr || !IsWrapper(wrapper.ptr()) ||
      Py_TYPE(wrapper.ptr())->tp_dealloc == &InstanceDealloc) {
    return nb::none();
  }
  const nb::object dict = nb::getattr(wrapper, "__dict__", nb::none());
  return nb::isinstance<nb::dict>(dict) ? dict : nb::object(nb::none());
}

/// Calls `visit` for the objects among Python values.
template <class F>
void ForEachWrapper(const nb::handle dict, F&& visit) {
  if (!nb::isinstance<nb::dict>(dict)) return;
  for (auto [name, value] : nb::borrow<nb::dict>(dict)) {
    if (IsWrapper(value.ptr()) && ObjectOrNull(value.ptr()) != nullptr) visit(value);
  }
}

/// Whether more than kSmall objects can be reached.
bool IsLarge(TainObject* root) {
  std::unordered_set<TainObject*> seen = {root};
  // The objects are held, because reading a __dict__ may run Python code.
  std::vector<ObjectPtr<Object>> held = {internal::RefAccess::Share<Object>(root)};
  const auto meet = [&](TainObject* child) {
    if (seen.insert(child).second) held.push_back(internal::RefAccess::Share<Object>(child));
    return seen.size() <= kSmall;
  };
  for (size_t i = 0; i < held.size() && seen.size() <= kSmall; ++i) {
    TainObject* object = internal::RefAccess::Header(held[i]);
    ForEachChild(object, meet);
    const nb::object wrapper = nb::borrow(FindWrapper(object));
    if (!wrapper.is_valid()) continue;
    ForEachWrapper(DictOf(wrapper), [&](nb::handle value) { meet(ObjectOrNull(value.ptr())); });
  }
  return seen.size() > kSmall;
}

}  // namespace

/// One pass over the list of a graph while a pickler writes it.
class PicklePass {
 public:
  explicit PicklePass(const std::vector<nb::object>& start) {
    std::vector<nb::object> children;
    for (const nb::object& value : start) Collect(value, &children);
    for (const nb::object& child : children) Push(child);
  }
  PicklePass(const PicklePass&) = delete;
  PicklePass& operator=(const PicklePass&) = delete;
  ~PicklePass() { Unmark(); }

  /// Returns the next entry: an object, the state of an object, or None until it is known whether
  /// the pickler took the last object.
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

  /// Whether the iterator returned the object last; if so, its state follows later.
  bool Take(PyObject* self) {
    if (marked_ != self || thread_ != PyThread_get_thread_ident()) return false;
    taken_ = nb::borrow(self);
    Unmark();
    return true;
  }

 private:
  void Mark(PyObject* node) {
    GetState().pickle_passes.push_back(this);
    marked_ = node;
    waited_ = false;
    thread_ = PyThread_get_thread_ident();
  }
  void Unmark() noexcept {
    if (marked_ == nullptr) return;
    marked_ = nullptr;
    std::erase(GetState().pickle_passes, this);
  }

  /// Stores the object's state, and adds the objects in it.
  void Descend(const nb::object& node) {
    ObjectState state = StateOf(node);
    std::vector<nb::object> children;
    for (auto [name, value] : state.fields) Collect(value, &children);
    ForEachWrapper(state.own, [&](nb::handle value) { children.push_back(nb::borrow(value)); });
    for (auto child = children.rbegin(); child != children.rend(); ++child) Push(*child);
    states_.push_back(nb::make_tuple(node, state.fields, state.own));
  }

  static void Collect(nb::handle value, std::vector<nb::object>* children) {
    if (!IsWrapper(value.ptr())) return;
    TainObject* object = ObjectOrNull(value.ptr());
    if (object == nullptr) return;
    if (object->type_index >= kTainDynObjectBegin) return children->push_back(nb::borrow(value));
    std::vector<Any> held;  // making wrappers runs Python code, which may change a container
    ForEachChild(object, [&](TainObject* child) {
      TainAny view{};
      view.type_index = child->type_index;
      view.v_obj = child;
      held.emplace_back(AnyView(view));
      return true;
    });
    for (Any& child : held) {
      TainAny owned = child.Release();
      nb::object wrapper = nb::steal(Wrap(owned.v_obj));
      if (!wrapper.is_valid()) throw nb::python_error();
      children->push_back(std::move(wrapper));
    }
  }

  void Push(nb::handle value) {
    if (!IsWrapper(value.ptr()) || ObjectOrNull(value.ptr()) == nullptr) return;
    if (IsNode(value.ptr())) open_.push_back(nb::borrow(value));
  }

  /// Whether the object can be written in two parts: tain pickles it, and it needs no hash before
  /// its state is set. An object without references is written in one part.
  bool IsNode(PyObject* wrapper) {
    PyTypeObject* type = Py_TYPE(wrapper);
    const TainObject* object = ObjectOrNull(wrapper);
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

  std::vector<nb::object> open_;  ///< objects to return, the next one last
  std::vector<nb::object> kept_;  ///< returned objects, held so that their addresses stay unique
  std::unordered_set<TainObject*> seen_;           ///< the objects of kept_
  std::unordered_map<PyTypeObject*, bool> types_;  ///< results of IsNode by class
  std::vector<nb::object> states_;                 ///< (object, fields, Python state)
  size_t next_state_ = 0;
  nb::object taken_;            ///< the object that the pickler took, not visited yet
  PyObject* marked_ = nullptr;  ///< the last returned object, if not taken; kept_ holds it
  bool waited_ = false;         ///< the pickler got None after it
  unsigned long thread_ = 0;    ///< the thread of the pickler
};

namespace {

/// Stands for the list in the state, and reduces to it.
struct Graph {
  std::vector<nb::object> start;
};

nb::object ReduceGraph(const Graph& graph) {
  const nb::handle list(reinterpret_cast<PyObject*>(&PyList_Type));
  return nb::make_tuple(list, nb::make_tuple(), nb::none(),
                        nb::cast(new PicklePass(graph.start), nb::rv_policy::take_ownership));
}

}  // namespace

nb::object GraphOf(nb::handle self, const nb::dict& fields, const nb::object& own) {
  if (!IsLarge(ObjectOrNull(self.ptr()))) return nb::none();
  WatchCollections();  // many wrappers follow: young collections must be recognized
  Graph graph;
  for (auto [name, value] : fields) graph.start.push_back(nb::borrow(value));
  ForEachWrapper(own, [&](nb::handle value) { graph.start.push_back(nb::borrow(value)); });
  return nb::cast(std::move(graph));
}

bool TakeShell(PyObject* self) noexcept {
  for (PicklePass* pass : GetState().pickle_passes) {
    if (pass->Take(self)) return true;
  }
  return false;
}

void RestoreGraph(nb::handle graph) {
  if (!nb::isinstance<nb::list>(graph)) return;  // copy.copy passes a state without a list
  for (nb::handle entry : nb::borrow<nb::list>(graph)) {
    if (!PyTuple_Check(entry.ptr()) || nb::len(entry) != 3) continue;
    RestoreParts(entry[0], entry[1], entry[2]);
  }
}

void InitPickleGraph(nb::module_& m) {
  nb::class_<PicklePass>(m, "_GraphPass", nb::is_final())
      .def("__iter__", [](nb::handle self) { return self; })
      .def("__next__", &PicklePass::Next);
  const nb::object cls = nb::class_<Graph>(m, "_Graph", nb::is_final());
  m.def("_reduce_graph", &ReduceGraph, nb::arg("graph"));
  nb::module_::import_("copyreg").attr("pickle")(cls, m.attr("_reduce_graph"));
}

}  // namespace tain::bindings
