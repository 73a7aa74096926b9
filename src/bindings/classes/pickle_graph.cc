// SPDX-License-Identifier: Apache-2.0
// Graphs in pickles; see pickle_graph.h.
//
// The pickler reads the list from an iterator, so the bridge knows what it did with each object. An
// object that the pickler had already is not written again, and its members are not visited. The
// iterator marks the object that it returned last until it is asked again: a call of the object's
// __reduce__ in between comes from the pickler.
#include "classes/pickle_graph.h"

#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/loops.h"
#include "base/state.h"
#include "classes/object_state.h"
#include "classes/state.h"
#include "objects/class_table.h"
#include "objects/gc_watch.h"
#include "objects/instance.h"
#include "tain/internal/container_api.h"

namespace tain::bindings {

/// How the objects of a class are written.
enum class NodeForm : uint8_t {
  kOwn,    ///< by its own methods, or without a list because it holds nothing
  kShell,  ///< in two parts, its state after all objects are made
  kWhole   ///< in one part after its parts: its hash or its __setstate__ needs them
};

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
  const nb::object dict = AttrOrNone(wrapper, "__dict__");
  return nb::isinstance<nb::dict>(dict) ? dict : nb::object(nb::none());
}

/// Calls `visit` for the objects among Python values.
template <class F>
void ForEachWrapper(const nb::handle dict, F&& visit) {
  if (!nb::isinstance<nb::dict>(dict)) return;
  ForEachEntry(dict, [&](nb::handle, nb::handle value) {
    if (IsWrapper(value.ptr()) && ObjectOrNull(value.ptr()) != nullptr) visit(value);
  });
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
    const nb::object wrapper = nb::steal(HoldWrapper(object).release());
    if (!wrapper.is_valid()) continue;
    ForEachWrapper(DictOf(wrapper), [&](nb::handle value) { meet(ObjectOrNull(value.ptr())); });
  }
  return seen.size() > kSmall;
}

/// Returns the objects in a Python value: itself, or those inside a container.
void CollectNodes(nb::handle value, std::vector<nb::object>* nodes) {
  if (!IsWrapper(value.ptr())) return;
  TainObject* object = ObjectOrNull(value.ptr());
  if (object == nullptr) return;
  if (object->type_index >= kTainDynObjectBegin) return nodes->push_back(nb::borrow(value));
  std::vector<Any> held;  // making wrappers runs Python code, which may change a container
  ForEachChild(object, [&](TainObject* child) {
    held.emplace_back(AnyView(internal::ViewOfObject(child)));
    return true;
  });
  for (Any& child : held) nodes->push_back(Checked(Wrap(child.Release().v_obj)));
}

void CollectWrappers(nb::handle own, std::vector<nb::object>* nodes) {
  ForEachWrapper(own, [&](nb::handle value) { nodes->push_back(nb::borrow(value)); });
}

/// Returns the objects in fields, and those in the Python state of an object.
std::vector<nb::object> NodesIn(const nb::dict& fields, nb::handle own = Py_None) {
  std::vector<nb::object> nodes;
  ForEachEntry(fields, [&](nb::handle, nb::handle value) { CollectNodes(value, &nodes); });
  CollectWrappers(own, &nodes);
  return nodes;
}

NodeForm FormOfClass(PyTypeObject* type) {
  // A metaclass may run Python code.
  const nb::object cls = nb::borrow(reinterpret_cast<PyObject*>(type));
  if (DiffersFromObject(cls, "__reduce__") || DiffersFromObject(cls, "__reduce_ex__")) {
    return NodeForm::kOwn;
  }
  const bool hashed = type->tp_hash != PyBaseObject_Type.tp_hash;
  return hashed || DiffersFromObject(cls, "__setstate__") ? NodeForm::kWhole : NodeForm::kShell;
}

}  // namespace

/// The facts about a graph while a pickler writes its lists.
class GraphWalk {
 public:
  /// An object that is still to be written.
  struct Open {
    nb::object node;
    bool whole;          ///< with its state, because an object that is written whole holds it
    bool ready = false;  ///< the objects that it needs come before it
  };

  /// Marks the walk as in use: the code of users that it calls must not move it on.
  class Use : internal::NotCopied {
   public:
    explicit Use(GraphWalk* walk) : walk_(walk) {
      if (std::exchange(walk_->in_use_, true)) {
        ThrowError(PyExc_RuntimeError, "the list of a graph is being read already");
      }
    }
    ~Use() { walk_->in_use_ = false; }

   private:
    GraphWalk* walk_;
  };

  /// `root` is written before or after the list, and never in it.
  explicit GraphWalk(nb::handle root) {
    kept_.push_back(nb::borrow(root));
    seen_.insert(ObjectOrNull(root.ptr()));
  }

  void Start(const std::vector<nb::object>& nodes, bool whole) {
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) Push(*node, whole);
  }

  /// Moves to the next object whose parts are written, and whose needed parts are among them.
  /// Returns false if there is none. `with_later`: also those that are reached by states alone.
  bool NextReady(bool with_later, Open* out) {
    while (true) {
      while (!open_.empty()) {
        if (open_.back().ready) {
          *out = std::move(open_.back());
          open_.pop_back();
          return true;
        }
        Descend();
      }
      // Objects that a state holds wait until all that constructors need is written. So no object
      // is reached while one that needs it is still open.
      if (!with_later || later_.empty()) return false;
      nb::object node = std::move(later_.back());
      later_.pop_back();
      Push(node, false);
    }
  }

  /// Stores the state of a shell that the pickler has taken.
  void AddState(const nb::object& node) {
    const ObjectState state = StateOf(node);
    if (nb::len(state.fields) == 0 && state.own.is_none()) return;
    const std::vector<nb::object> children = NodesIn(state.fields, state.own);
    for (auto child = children.rbegin(); child != children.rend(); ++child) {
      if (IsNode(child->ptr())) later_.push_back(*child);
    }
    states_.push_back(nb::make_tuple(node, state.fields, state.own));
  }

  /// Returns the next state, or an invalid object.
  nb::object NextState() {
    return next_state_ < states_.size() ? std::move(states_[next_state_++]) : nb::object();
  }

 private:
  void Push(nb::handle node, bool whole) {
    if (IsNode(node.ptr())) open_.push_back({nb::borrow(node), whole});
  }

  /// Puts the objects that the last open object needs on top of it.
  void Descend() {
    const nb::object node = open_.back().node;
    TainObject* object = ObjectOrNull(node.ptr());
    if (object == nullptr || !seen_.insert(object).second) return open_.pop_back();
    kept_.push_back(node);
    open_.back().ready = true;
    const bool whole = open_.back().whole || FormOf(Py_TYPE(node.ptr())) == NodeForm::kWhole;
    open_.back().whole = whole;
    const auto holder = internal::RefAccess::Share<Object>(object);
    const TainTypeRecord* record = TainGetTypeRecord(object->type_index);
    if (!whole && HasDefault(record)) return;
    std::vector<nb::object> children = NodesIn(FieldsOf(object, record, whole).needed);
    if (whole) CollectWrappers(DictOf(node), &children);
    Start(children, whole);
  }

  NodeForm FormOf(PyTypeObject* type) {
    const auto found = forms_.find(type);
    if (found != forms_.end()) return found->second;
    const NodeForm form = FormOfClass(type);
    kept_.push_back(nb::borrow(reinterpret_cast<PyObject*>(type)));
    return forms_.emplace(type, form).first->second;
  }

  bool IsNode(PyObject* wrapper) {
    if (!IsWrapper(wrapper)) return false;
    PyTypeObject* type = Py_TYPE(wrapper);
    const TainObject* object = ObjectOrNull(wrapper);
    if (object == nullptr) return false;
    const int32_t index = object->type_index;
    if (index < kTainDynObjectBegin) return false;
    if (type->tp_dealloc == &InstanceDealloc && TainTypeCanReach(index) == 0) return false;
    return FormOf(type) != NodeForm::kOwn;
  }

  std::vector<Open> open_;         ///< the next one last
  std::vector<nb::object> later_;  ///< objects in states, the next one last
  std::vector<nb::object> kept_;   ///< held so that the addresses in the tables stay unique
  std::unordered_set<TainObject*> seen_;
  std::unordered_map<PyTypeObject*, NodeForm> forms_;
  std::vector<nb::object> states_;  ///< (object, fields, Python state)
  size_t next_state_ = 0;
  bool in_use_ = false;
};

/// One pass over a list of a graph while a pickler writes it.
class PicklePass : internal::NotCopied {
 public:
  PicklePass(std::shared_ptr<GraphWalk> walk, bool is_last)
      : walk_(std::move(walk)), is_last_(is_last) {}
  ~PicklePass() { Unmark(); }

  /// Returns the next entry: an object, the state of an object, or None until it is known whether
  /// the pickler took the last object.
  nb::object Next() {
    if (marked_ != nullptr && !waited_) {
      waited_ = true;
      return nb::none();
    }
    Unmark();
    const GraphWalk::Use use(walk_.get());
    if (taken_.is_valid()) walk_->AddState(std::exchange(taken_, nb::object()));
    if (walk_->NextReady(is_last_, &entry_)) {
      Mark(entry_.node.ptr());
      return entry_.node;
    }
    nb::object state = is_last_ ? walk_->NextState() : nb::object();
    if (!state.is_valid()) throw nb::stop_iteration();
    return state;
  }

  /// Whether the iterator returned the object last.
  bool IsMarked(PyObject* self) const noexcept {
    return marked_ == self && thread_ == PyThread_get_thread_ident();
  }

  /// The same as IsMarked, but notes that the pickler pickles the object now.
  GraphEntry Take(PyObject* self) {
    if (!IsMarked(self)) return GraphEntry::kNone;
    if (!entry_.whole) taken_ = nb::borrow(self);
    Unmark();
    return entry_.whole ? GraphEntry::kWhole : GraphEntry::kShell;
  }

 private:
  void Mark(PyObject* node) {
    GetClassesState().pickle_passes.push_back(this);
    marked_ = node;
    waited_ = false;
    thread_ = PyThread_get_thread_ident();
  }
  void Unmark() noexcept {
    if (marked_ == nullptr) return;
    marked_ = nullptr;
    std::erase(GetClassesState().pickle_passes, this);
  }

  std::shared_ptr<GraphWalk> walk_;
  bool is_last_;                ///< the list has states, and what only states reach
  GraphWalk::Open entry_;       ///< the last returned object
  nb::object taken_;            ///< the object that the pickler took, not visited yet
  PyObject* marked_ = nullptr;  ///< the last returned object, if not taken; the walk holds it
  bool waited_ = false;         ///< the pickler got None after it
  unsigned long thread_ = 0;    ///< the thread of the pickler
};

namespace {

/// The data that the two lists of a graph share. Each pass over the first list begins a walk, which
/// the second list continues.
struct SharedWalk {
  nb::object root;
  std::shared_ptr<GraphWalk> walk;

  std::shared_ptr<GraphWalk> Begin() const { return std::make_shared<GraphWalk>(root); }
};

/// Stands for a list, and reduces to it.
struct Graph {
  std::shared_ptr<SharedWalk> shared;
  std::vector<nb::object> start;
  bool whole;     ///< the objects are written whole
  bool is_first;  ///< it begins a walk, which another list continues
};

nb::object ReduceGraph(const Graph& graph) {
  std::shared_ptr<GraphWalk> walk = std::exchange(graph.shared->walk, nullptr);
  if (walk == nullptr || graph.is_first) walk = graph.shared->Begin();
  if (graph.is_first) graph.shared->walk = walk;
  const GraphWalk::Use use(walk.get());
  walk->Start(graph.start, graph.whole);
  const nb::handle list(reinterpret_cast<PyObject*>(&PyList_Type));
  return nb::make_tuple(
      list, nb::make_tuple(), nb::none(),
      nb::cast(new PicklePass(std::move(walk), !graph.is_first), nb::rv_policy::take_ownership));
}

PyObject* ReduceMethod(PyObject* self, PyObject*) noexcept {
  return GuardedObject([&] { return ReduceGraph(nb::cast<const Graph&>(nb::handle(self))); });
}
PyMethodDef reduce_graph = {"__reduce__", kLocked<&ReduceMethod>, METH_NOARGS, nullptr};

}  // namespace

void AddPlainMethod(PyTypeObject* type, PyMethodDef* method) {
  const nb::object made = Checked(PyDescr_NewMethod(type, method));
  if (PyDict_SetItemString(type->tp_dict, method->ml_name, made.ptr()) != 0) {
    throw nb::python_error();
  }
  PyType_Modified(type);
}

GraphLists GraphOf(nb::handle self, const nb::dict& needed, const nb::dict& rest,
                   const nb::object& own, bool own_setter) {
  GraphLists lists;
  if (!IsLarge(ObjectOrNull(self.ptr()))) return lists;
  if (!nb::type<Graph>().is_valid()) DefineRestOfModule();
  WatchCollections();  // many wrappers follow: young collections must be recognized
  const bool whole = FormOfClass(Py_TYPE(self.ptr())) == NodeForm::kWhole;
  auto shared = std::make_shared<SharedWalk>(SharedWalk{nb::borrow(self), nullptr});
  std::vector<nb::object> before = NodesIn(needed);
  if (own_setter) {
    if (!before.empty()) lists.before = nb::cast(Graph{shared, std::move(before), true, false});
    return lists;
  }
  std::vector<nb::object> after = NodesIn(rest, own);
  if (!before.empty()) lists.before = nb::cast(Graph{shared, std::move(before), whole, true});
  lists.in_state = nb::cast(Graph{std::move(shared), std::move(after), whole, false});
  return lists;
}

GraphEntry TakeEntry(PyObject* self) noexcept {
  for (PicklePass* pass : GetClassesState().pickle_passes) {
    const GraphEntry entry = pass->Take(self);
    if (entry != GraphEntry::kNone) return entry;
  }
  return GraphEntry::kNone;
}

bool IsEntry(PyObject* self) noexcept {
  for (const PicklePass* pass : GetClassesState().pickle_passes) {
    if (pass->IsMarked(self)) return true;
  }
  return false;
}

void RestoreGraph(nb::handle graph) {
  if (!nb::isinstance<nb::list>(graph)) return;  // copy.copy passes a state without a list
  ForEachItem(graph, [](nb::handle entry) {
    if (!PyTuple_CheckExact(entry.ptr()) || PyTuple_GET_SIZE(entry.ptr()) != 3) return;
    RestoreParts(entry[0], entry[1], entry[2]);
  });
}

void DefinePickleGraph(CoreModule& m) {
  CoreClass<PicklePass>(m, "_GraphPass", nb::is_final())
      .def("__iter__", [](nb::handle self) { return self; })
      .def("__next__", &PicklePass::Next);
  const nb::object cls = CoreClass<Graph>(m, "_Graph", nb::is_final());
  AddPlainMethod(reinterpret_cast<PyTypeObject*>(cls.ptr()), &reduce_graph);
}

}  // namespace tain::bindings
