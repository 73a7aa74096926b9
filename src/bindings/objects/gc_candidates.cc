// SPDX-License-Identifier: Apache-2.0
// Trial deletion over C++ objects; see gc_candidates.h.
#include "objects/gc_candidates.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/gil.h"
#include "base/hooks.h"
#include "objects/gc_edges.h"
#include "objects/gc_pace.h"
#include "objects/gc_state.h"
#include "objects/gc_watch.h"
#include "objects/instance.h"
#include "tain/internal/box.h"

namespace tain::bindings {
namespace {

bool IsDead(const TainObject* object) noexcept { return StrongCount(object) == 0; }

void ForgetCandidate(TainObject* object) noexcept {
  std::atomic_ref<uint32_t>(object->reserved)
      .fetch_and(~uint32_t{kTainHeaderCandidate}, std::memory_order_relaxed);
  internal::DecWeak(object);
}

/// Removes dead objects once the list has doubled, so that its size stays proportional to the
/// living ones.
void DropDead() {
  std::erase_if(GetGc().candidates, [](TainObject* object) {
    if (!IsDead(object)) return false;
    ForgetCandidate(object);
    return true;
  });
  GetGc().candidate_limit = std::max<size_t>(1024, 2 * GetGc().candidates.size());
}

bool OwnsWrapper(const TainObject* object) noexcept {
  return (LoadTie(object) & kTainTieOwnsWrapper) != 0;
}

/// Whether others hold the wrapper that the object owns; they got it through a weak reference or in
/// __del__. Nothing tells when they drop it.
bool SharesWrapper(const TainObject* object) noexcept {
  return OwnsWrapper(object) && Py_REFCNT(FindWrapper(object)) != 1;
}

/// Whether Python can reach the object: through a wrapper that owns it, or through a wrapper that
/// it owns and that others hold too.
bool HeldByPython(const TainObject* object) noexcept {
  if (FindWrapper(object) == nullptr) return false;
  return !OwnsWrapper(object) || SharesWrapper(object);
}

/// References to the candidates that are alive: a thread without the GIL may drop the last other one
/// during the search.
class Roots : internal::NotCopied {
 public:
  explicit Roots(const std::vector<TainObject*>& candidates) {
    objects_.reserve(candidates.size());
    for (TainObject* object : candidates) {
      if (internal::IncRefIfAlive(object)) objects_.push_back(object);
    }
  }
  ~Roots() {
    for (TainObject* object : objects_) internal::DecRef(object);
  }
  auto begin() const noexcept { return objects_.begin(); }
  auto end() const noexcept { return objects_.end(); }

 private:
  std::vector<TainObject*> objects_;
};

/// The objects that the candidates reach, with the number of references among them and of the roots.
class Trial {
 public:
  void Explore(const Roots& roots) {
    for (TainObject* root : roots) {
      Add(root);
      ++counts_[root];
    }
    for (size_t i = 0; i < order_.size(); ++i) {
      VisitEdges(order_[i], [this](TainObject* child) {
        Add(child);
        ++counts_[child];
        return 0;
      });
    }
  }

  size_t Size() const noexcept { return order_.size(); }

  /// Returns the explored objects that nothing outside of them can reach.
  std::vector<TainObject*> Garbage() {
    for (TainObject* object : order_) {
      if (counts_[object] != StrongCount(object) || HeldByPython(object)) Keep(object);
    }
    while (!work_.empty()) {
      TainObject* object = work_.back();
      work_.pop_back();
      VisitEdges(object, [this](TainObject* child) {
        Keep(child);
        return 0;
      });
    }
    std::vector<TainObject*> garbage;
    for (TainObject* object : order_) {
      if (kept_.count(object) == 0) garbage.push_back(object);
    }
    return garbage;
  }

 private:
  void Add(TainObject* object) {
    if (counts_.insert({object, 0}).second) order_.push_back(object);
  }
  void Keep(TainObject* object) {
    if (kept_.insert({object, true}).second) work_.push_back(object);
  }
  tsl::robin_map<TainObject*, int32_t> counts_;
  tsl::robin_map<TainObject*, bool> kept_;
  std::vector<TainObject*> order_;
  std::vector<TainObject*> work_;
};

std::vector<TainObject*> FindGarbage(const Roots& roots) {
  Trial trial;
  trial.Explore(roots);
  GetGc().trial_size = trial.Size();
  return trial.Garbage();
}

/// Runs __del__ of the wrappers that garbage owns, while all objects are still intact. Returns
/// whether there was any.
bool RunFinalizers(const std::vector<TainObject*>& garbage) {
  std::vector<Own> wrappers;
  for (TainObject* object : garbage) {
    Own wrapper = HoldWrapper(object);
    if (wrapper && Py_TYPE(wrapper.get())->tp_finalize != nullptr) {
      wrappers.push_back(std::move(wrapper));
    }
  }
  for (const Own& wrapper : wrappers) PyObject_CallFinalizer(wrapper.get());
  return !wrappers.empty();
}

/// Returns the objects that can be freed after the finalizers have run.
std::vector<TainObject*> FinalGarbage(const Roots& roots) {
  std::vector<TainObject*> garbage = FindGarbage(roots);
  if (RunFinalizers(garbage)) garbage = FindGarbage(roots);  // __del__ may have saved some
  return garbage;
}

/// If there is no memory, nothing is found. The candidates are kept for the next collection.
void PutBack(std::vector<TainObject*>& candidates) noexcept {
  auto& kept = GetGc().candidates;
  if (kept.empty()) return kept.swap(candidates);
  try {
    kept.insert(kept.end(), candidates.begin(), candidates.end());
  } catch (const std::bad_alloc&) {
    for (TainObject* object : candidates) ForgetCandidate(object);
  }
}

/// Frees the garbage among candidates, and forgets these.
int64_t CollectAmong(std::vector<TainObject*>& candidates) {
  std::optional<Roots> roots(candidates);
  std::vector<TainObject*> garbage = FinalGarbage(*roots);
  const size_t searched = GetGc().trial_size;  // what dies below may start another search
  auto& kept = GetGc().candidates;
  kept.reserve(kept.size() + candidates.size());
  for (TainObject* object : garbage) internal::IncRef(object);
  for (TainObject* object : candidates) {
    if (!IsDead(object) && SharesWrapper(object)) {
      kept.push_back(object);  // checked again in the next collection
    } else {
      ForgetCandidate(object);
    }
  }
  candidates.clear();
  for (TainObject* object : garbage) {
    if (TainObjectClearEdges(object) != 0) DropCoreError();
  }
  for (TainObject* object : garbage) internal::DecRef(object);
  roots.reset();
  PaceSearched(searched - garbage.size());
  return static_cast<int64_t>(garbage.size());
}

int64_t CollectCycles() {
  DropDead();
  std::vector<TainObject*> candidates;
  candidates.swap(GetGc().candidates);
  try {
    return CollectAmong(candidates);
  } catch (const std::bad_alloc&) {
    PutBack(candidates);
    return 0;
  }
}

}  // namespace

void NoteCandidate(TainObject* object) noexcept {
  if ((TainObjectWordOf(object) & kTainHeaderCandidate) != 0 || Finalizing()) return;
  WatchCollections();
  try {
    if (GetGc().candidates.size() >= GetGc().candidate_limit) DropDead();
    GetGc().candidates.push_back(object);
  } catch (const std::exception&) {
    return;  // if there is no memory, the cycle is not found
  }
  std::atomic_ref<uint32_t>(object->reserved)
      .fetch_or(kTainHeaderCandidate, std::memory_order_relaxed);
  std::atomic_ref<uint64_t>(object->combined_ref_count)
      .fetch_add(internal::kWeakOne, std::memory_order_relaxed);
  PaceCandidate();
}

int64_t CollectCandidates() noexcept {
  internal::DropKeptOfEnded();
  if (GetGc().candidates.empty()) return 0;
  try {
    return CollectCycles();
  } catch (const std::exception&) {
    return 0;
  }
}

void InitCandidates(CoreModule& m) {
  GetHooks().collect_candidates = &CollectCandidates;
  m.def("_collect_cycles", &CollectCandidates,
        "Frees closed cycles of C++ objects now; returns how many objects were freed.");
}

}  // namespace tain::bindings
