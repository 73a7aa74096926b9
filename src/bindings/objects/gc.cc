// SPDX-License-Identifier: Apache-2.0
// Garbage collection through C++ objects; see gc.h.
#include "objects/gc.h"

#include <tsl/robin_map.h>

#include <utility>
#include <vector>

#include "base/bridge_lock.h"
#include "base/opaque.h"
#include "objects/edge_counts.h"
#include "objects/gc_edges.h"
#include "objects/gc_state.h"
#include "objects/gc_watch.h"
#include "objects/instance.h"

namespace tain::bindings {
namespace {

/// The weak count without the collector's own reference; it is 1 if there are no weak references.
uint32_t WeakCount(const TainObject* object) noexcept {
  const uint32_t ours = (TainObjectWordOf(object) & kTainHeaderCandidate) != 0 ? 1 : 0;
  return static_cast<uint32_t>(
             std::atomic_ref<uint64_t>(const_cast<uint64_t&>(object->combined_ref_count))
                 .load(std::memory_order_acquire) >>
             32) -
         ours;
}

/// Whether a wrapper that owns a reference keeps the object alive. That wrapper then traverses it.
bool HasOwningWrapper(const TainObject* object) noexcept {
  const uintptr_t tie = LoadTie(object);
  return (tie & ~uintptr_t{kTainTieMask}) != 0 && (tie & kTainTieOwnsWrapper) == 0;
}

/// Counts edges from a root, and finds the objects that only the root keeps alive.
class Exploration {
 public:
  explicit Exploration(TainObject* root) : root_(root), memory_(TakeMemory()) {}
  ~Exploration() {
    memory_->Empty();
    delete GetGc().exploration_memory.exchange(memory_);
  }
  Exploration(const Exploration&) = delete;
  Exploration& operator=(const Exploration&) = delete;

  /// Returns the objects that only the root keeps alive, itself included; empty if others hold the
  /// root.
  const std::vector<TainObject*>& Run() {
    Expand(root_);
    Drain();
    if (edges_ > kYoungLimit) WatchCollectionsSoon();  // else each collection visits all
    if (!pending_.empty()) Speculate();
    if (StrongCount(root_) != own_ + 1 || WeakCount(root_) != 1) expanded_.clear();
    return expanded_;
  }

 private:
  static ExplorationMemory* TakeMemory() {
    ExplorationMemory* kept = GetGc().exploration_memory.exchange(nullptr);
    return kept == nullptr ? new ExplorationMemory() : kept;
  }
  void Count(TainObject* child) {
    ++edges_;
    if (child == root_) ++own_;
    if (child == root_ || HasOwningWrapper(child)) return;
    const int32_t count = ++counts_.Of(child);
    if (count == StrongCount(child) && WeakCount(child) == 1) {
      ready_.push_back(child);
    } else if (count == 1) {
      pending_.push_back(child);
    }
  }
  void Expand(TainObject* object) {
    expanded_.push_back(object);
    if (edges_ > limit_) return;  // a full collection visits the rest
    VisitEdges(object, [this](TainObject* child) {
      Count(child);
      return edges_ > most_edges_ ? 1 : 0;  // an object may have any number of them
    });
  }
  void Drain() {
    while (!ready_.empty()) {
      TainObject* object = ready_.back();
      ready_.pop_back();
      Expand(object);
    }
  }

  /// Finds cycles among C++ objects, whose members hold each other. Explores the remaining objects,
  /// within a limit that keeps the time of a collection linear, and keeps those that nothing
  /// outside holds.
  void Speculate() {
    const size_t certain = expanded_.size();
    most_edges_ = 1024 + 4 * edges_;
    tsl::robin_map<TainObject*, bool> seen;
    for (TainObject* object : expanded_) seen[object] = true;
    for (size_t i = 0; i < pending_.size(); ++i) {
      TainObject* object = pending_[i];
      if (!seen.insert({object, true}).second) continue;
      Expand(object);
      if (edges_ > most_edges_) {
        expanded_.resize(certain);
        return;
      }
      for (; !ready_.empty(); ready_.pop_back()) pending_.push_back(ready_.back());
    }
    DropShared(certain, seen);
  }

  /// Removes from the speculative part the objects that are held from outside, and all that they
  /// reach. An unexplored object that these reach is held from outside too, so it need not be
  /// explored.
  void DropShared(size_t certain, const tsl::robin_map<TainObject*, bool>& explored) {
    tsl::robin_map<TainObject*, bool> shared;
    std::vector<TainObject*> work;
    for (size_t i = certain; i < expanded_.size(); ++i) {
      TainObject* object = expanded_[i];
      if (counts_.Of(object) != StrongCount(object) || WeakCount(object) != 1) {
        shared[object] = true;
        work.push_back(object);
      }
    }
    while (!work.empty()) {
      TainObject* object = work.back();
      work.pop_back();
      VisitEdges(object, [&](TainObject* child) {
        if (explored.count(child) == 0) return 0;
        if (shared.insert({child, true}).second) work.push_back(child);
        return 0;
      });
    }
    if (shared.count(root_) !=
        0) {  // reached from outside through a cycle: nothing is the root's alone
      expanded_.clear();
      return;
    }
    std::vector<TainObject*> kept;
    for (TainObject* object : expanded_) {
      if (shared.count(object) == 0) kept.push_back(object);
    }
    expanded_.swap(kept);
  }

  /// Young collections are frequent, so they take unexplored objects for reachable. A full
  /// collection explores all objects.
  static constexpr size_t kYoungLimit = 512;

  TainObject* root_;
  size_t limit_ = GetGc().full_collection ? SIZE_MAX : kYoungLimit;
  size_t edges_ = 0;
  size_t most_edges_ = SIZE_MAX;  ///< that are visited
  int32_t own_ = 0;               ///< edges to the root
  ExplorationMemory* memory_;
  EdgeCounts& counts_ = memory_->counts;
  std::vector<TainObject*>& ready_ = memory_->ready;
  std::vector<TainObject*>& pending_ = memory_->pending;
  std::vector<TainObject*>& expanded_ = memory_->expanded;
};

/// Returns the object of a wrapper; null if the wrapper is empty or the object owns the wrapper.
TainObject* OwnedObject(PyObject* self) noexcept {
  TainObject* object = OwnedObjectOf(self);
  return object != nullptr && HasOwningWrapper(object) ? object : nullptr;
}

/// Whether the object may hold references. Most objects hold none.
bool MayReach(const TainObject* object) noexcept {
  return TainTypeCanReach(object->type_index) != 0;
}

int VisitPython(TainObject* object, visitproc visit, void* arg) {
  if (PyObject** slot = PythonSlotOf(object)) Py_VISIT(*slot);
  // Never cleared, because C++ may still read the memory: something else of the cycle is.
  Py_VISIT(ArrayBehind(object));
  const uintptr_t tie = LoadTie(object);
  if ((tie & kTainTieOwnsWrapper) != 0) {
    Py_VISIT(reinterpret_cast<PyObject*>(tie & ~uintptr_t{kTainTieMask}));
  }
  return 0;
}

/// Exchanges tp_traverse in the Python classes that derive from a generated class.
void SwapTraverse(PyTypeObject* type, traverseproc from, traverseproc to) noexcept {
  for (; type != nullptr && type->tp_dealloc == &SubclassDealloc; type = type->tp_base) {
    if (type->tp_traverse == from) type->tp_traverse = to;
  }
}

/// Whether others than the wrapper hold the object.
bool IsShared(TainObject* object) noexcept {
  if (StrongCount(object) == 1) return false;
  if (!MayReach(object)) return true;
  try {
    return Exploration(object).Run().empty();
  } catch (const std::bad_alloc&) {
    return true;
  }
}

/// Visits what the wrapper's object reaches.
int VisitReached(PyObject* self, visitproc visit, void* arg) {
  TainObject* object = OwnedObject(self);
  if (object == nullptr) {
    if (self == GetGc().gc_probe) NoteTraversal();
    return 0;
  }
  try {
    if (!MayReach(object)) {  // a callback or an opaque value has no edges, but a Python reference
      return StrongCount(object) == 1 ? VisitPython(object, visit, arg) : 0;
    }
    Exploration exploration(object);
    for (TainObject* reached : exploration.Run()) {
      const int code = VisitPython(reached, visit, arg);
      if (code != 0) return code;
    }
  } catch (const std::bad_alloc&) {
    return 0;  // if there is no memory, nothing is found and nothing is collected
  }
  return 0;
}

/// Whether the objects of a class can reach others, but CPython took the layout from a parent whose
/// objects cannot. CPython's functions for Python classes then do not call InstanceTraverse and
/// InstanceClear.
bool LacksGcOfBase(PyTypeObject* type) noexcept {
  if (!PyType_IS_GC(GeneratedBase(type))) return false;
  for (; type->tp_dealloc != &InstanceDealloc; type = type->tp_base) {
    if (type->tp_traverse == &InstanceTraverse) return false;
  }
  return !PyType_IS_GC(type);
}

/// The tp_clear of such classes. It drops what CPython's function drops, and then calls
/// InstanceClear.
int ClearWithReached(PyObject* self) {
  ClearState(self);
  return InstanceClear(self);
}

}  // namespace

int InstanceTraverse(PyObject* self, visitproc visit, void* arg) {
  if (IsTracking()) return 0;
  Py_VISIT(Py_TYPE(self));
  return VisitReached(self, visit, arg);
}

void AdoptTraverse(PyTypeObject* type) noexcept {
  const bool lacks = LacksGcOfBase(type);
  if (!PyType_IS_GC(type)) {
    if (!lacks || type->tp_dealloc == &SubclassDealloc) return;
    // Its objects have no __dict__ and no slots, and there are none yet.
    type->tp_flags |= Py_TPFLAGS_HAVE_GC;
    type->tp_free = &PyObject_GC_Del;
    type->tp_traverse = &InstanceTraverse;
    type->tp_clear = kLocked<&InstanceClear>;
    return;
  }
  if (type->tp_traverse == &SubclassTraverse || type->tp_traverse == &InstanceTraverse) return;
  GetGc().subtype_traverse = type->tp_traverse;
  type->tp_traverse = &SubclassTraverse;
  if (lacks) type->tp_clear = kLocked<&ClearWithReached>;
}

int SubclassTraverse(PyObject* self, visitproc visit, void* arg) {
  if (IsTracking()) return 0;
  TainObject* object = OwnedObject(self);
  if (object != nullptr && IsShared(object)) {
    Py_VISIT(Py_TYPE(self));
    return 0;
  }
  // CPython's function finds the base class by comparing tp_traverse with itself, so it is restored
  // while it runs. This is safe, because the GIL is held and only one thread runs a collection.
  const traverseproc subtype_traverse = GetGc().subtype_traverse;
  SwapTraverse(Py_TYPE(self), &SubclassTraverse, subtype_traverse);
  const int code = subtype_traverse(self, visit, arg);
  SwapTraverse(Py_TYPE(self), subtype_traverse, &SubclassTraverse);
  if (TAIN_LIKELY(code != 0 || !LacksGcOfBase(Py_TYPE(self)))) return code;
  return VisitReached(self, visit, arg);
}

int InstanceClear(PyObject* self) {
  TainObject* object = OwnedObject(self);
  if (object == nullptr) return 0;
  std::vector<PyObject*> cut;
  try {
    Exploration exploration(object);
    for (TainObject* reached : exploration.Run()) {
      if (PyObject** slot = PythonSlotOf(reached)) {
        if (*slot != nullptr) {
          cut.push_back(*slot);
          *slot = nullptr;
        }
      }
    }
  } catch (const std::bad_alloc&) {
    // The references that were cut so far are dropped below.
  }
  for (PyObject* reference : cut) Py_DECREF(reference);
  return 0;
}

}  // namespace tain::bindings
