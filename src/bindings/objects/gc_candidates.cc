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

bool IsCandidate(const TainObject* object) noexcept {
  return (TainObjectWordOf(object) & kTainHeaderCandidate) != 0;
}

/// Marks an object as a candidate, which is a weak reference to it.
void MarkCandidate(TainObject* object) noexcept {
  std::atomic_ref<uint32_t>(object->reserved)
      .fetch_or(kTainHeaderCandidate, std::memory_order_relaxed);
  std::atomic_ref<uint64_t>(object->combined_ref_count)
      .fetch_add(internal::kWeakOne, std::memory_order_relaxed);
}

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
  explicit Trial(const Roots& roots) {
    for (TainObject* root : roots) ++counts_[Add(root)];
    for (size_t i = 0; i < order_.size(); ++i) {
      first_edge_.push_back(edges_.size());
      VisitEdges(order_[i], [this](TainObject* child) {
        const Place place = Add(child);
        ++counts_[place];
        edges_.push_back(place);
        return 0;
      });
    }
    first_edge_.push_back(edges_.size());
    KeepReachable();
  }

  size_t size() const noexcept { return order_.size(); }

  /// Returns the explored objects that nothing outside of them can reach.
  std::vector<TainObject*> Garbage() const {
    std::vector<TainObject*> garbage;
    for (Place place = 0; place < order_.size(); ++place) {
      if (!is_kept_[place]) garbage.push_back(order_[place]);
    }
    return garbage;
  }

  /// Returns one object of each cycle among the others that has no candidate.
  std::vector<TainObject*> LivingCycles() const { return CycleSearch(*this).Run(); }

 private:
  using Place = uint32_t;  ///< in order_

  /// Tarjan's search for strongly connected components, without recursion.
  class CycleSearch {
   public:
    explicit CycleSearch(const Trial& trial)
        : trial_(trial), number_(trial.size()), lowest_(trial.size()) {}

    std::vector<TainObject*> Run() {
      for (Place place = 0; place < trial_.size(); ++place) {
        if (trial_.is_kept_[place] && number_[place] == 0) From(place);
      }
      return std::move(found_);
    }

   private:
    static constexpr Place kClosed = UINT32_MAX;  ///< number_ of a place whose component is known
    struct Frame {
      Place place;
      size_t edge;
    };

    void Open(Place place) {
      number_[place] = lowest_[place] = ++last_;
      open_.push_back(place);
      frames_.push_back({place, trial_.first_edge_[place]});
    }

    void From(Place start) {
      Open(start);
      while (!frames_.empty()) {
        Frame& frame = frames_.back();
        const Place place = frame.place;
        if (frame.edge < trial_.first_edge_[place + 1]) {
          const Place child = trial_.edges_[frame.edge++];
          if (number_[child] == 0) {
            Open(child);  // it is kept, as its parent is
          } else if (number_[child] != kClosed) {
            lowest_[place] = std::min(lowest_[place], number_[child]);
          }
          continue;
        }
        frames_.pop_back();
        if (!frames_.empty()) {
          Place& above = lowest_[frames_.back().place];
          above = std::min(above, lowest_[place]);
        }
        if (lowest_[place] == number_[place]) Close(place);
      }
    }

    /// Ends the component whose first place is `root`.
    void Close(Place root) {
      const bool is_cycle = open_.back() != root || PointsToItself(root);
      bool has_candidate = false;
      for (Place place = kClosed; place != root;) {
        place = open_.back();
        open_.pop_back();
        number_[place] = kClosed;
        has_candidate = has_candidate || IsCandidate(trial_.order_[place]);
      }
      if (is_cycle && !has_candidate) found_.push_back(trial_.order_[root]);
    }

    bool PointsToItself(Place place) const noexcept {
      const auto edges = trial_.edges_.begin();
      const auto end = edges + static_cast<std::ptrdiff_t>(trial_.first_edge_[place + 1]);
      return std::find(edges + static_cast<std::ptrdiff_t>(trial_.first_edge_[place]), end,
                       place) != end;
    }

    const Trial& trial_;
    std::vector<Place> number_;  ///< in the order in which they were opened; 0 before
    std::vector<Place> lowest_;
    std::vector<Place> open_;
    std::vector<Frame> frames_;
    std::vector<TainObject*> found_;
    Place last_ = 0;
  };

  Place Add(TainObject* object) {
    const auto [at, is_new] = places_.insert({object, static_cast<Place>(order_.size())});
    if (is_new) {
      order_.push_back(object);
      counts_.push_back(0);
    }
    return at->second;
  }

  /// Keeps what something outside holds, and what that leads to.
  void KeepReachable() {
    is_kept_.resize(order_.size());
    std::vector<Place> work;
    const auto keep = [&](Place place) {
      if (is_kept_[place]) return;
      is_kept_[place] = true;
      work.push_back(place);
    };
    for (Place place = 0; place < order_.size(); ++place) {
      const TainObject* object = order_[place];
      if (counts_[place] != StrongCount(object) || HeldByPython(object)) keep(place);
    }
    while (!work.empty()) {
      const Place place = work.back();
      work.pop_back();
      for (size_t i = first_edge_[place]; i < first_edge_[place + 1]; ++i) keep(edges_[i]);
    }
  }

  tsl::robin_map<TainObject*, Place> places_;
  std::vector<TainObject*> order_;
  std::vector<int32_t> counts_;
  std::vector<size_t> first_edge_;  ///< of edges_, for each place and for the end
  std::vector<Place> edges_;
  std::vector<bool> is_kept_;
};

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

/// Searches until no finalizer has run, for __del__ may have saved some objects.
Trial Search(const Roots& roots) {
  Trial trial(roots);
  return RunFinalizers(trial.Garbage()) ? Trial(roots) : std::move(trial);
}

/// Remembers cycles that live on, so that they are found when C++ drops its last reference to them.
void RememberCycles(const std::vector<TainObject*>& cycles) {
  const Roots held(cycles);
  for (TainObject* object : held) {
    GetGc().cycles.insert(object);
    MarkCandidate(object);
  }
}

/// Moves the remembered cycles to the candidates, if it is their turn or all are to be searched: on
/// average a collection looks at no more than this many of their objects.
void TakeCycles(std::vector<TainObject*>* candidates, bool all) {
  constexpr size_t kPerCollection = 10000;
  GcState& gc = GetGc();
  if (gc.cycles.empty()) return;
  gc.cycles_waited += kPerCollection;
  if (!all && gc.cycles_waited < gc.cycles_size) return;
  candidates->insert(candidates->end(), gc.cycles.begin(), gc.cycles.end());
  gc.cycles.clear();
  gc.cycles_waited = gc.cycles_size = 0;
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
  std::optional<Trial> trial(Search(*roots));
  std::vector<TainObject*> garbage = trial->Garbage();
  const size_t living = trial->size() - garbage.size();  // what dies below may start another search
  GetGc().trial_size = trial->size();
  GetGc().cycles_size = std::max(GetGc().cycles_size, living);
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
  RememberCycles(trial->LivingCycles());
  trial.reset();
  for (TainObject* object : garbage) {
    if (TainObjectClearEdges(object) != 0) DropCoreError();
  }
  for (TainObject* object : garbage) internal::DecRef(object);
  roots.reset();
  PaceSearched(living);
  return static_cast<int64_t>(garbage.size());
}

int64_t CollectCycles(bool all) {
  DropDead();
  std::vector<TainObject*> candidates;
  candidates.swap(GetGc().candidates);
  try {
    TakeCycles(&candidates, all);
    return candidates.empty() ? 0 : CollectAmong(candidates);
  } catch (const std::bad_alloc&) {
    PutBack(candidates);
    return 0;
  }
}

}  // namespace

void NoteCandidate(TainObject* object) noexcept {
  if (Finalizing()) return;
  const bool is_new = !IsCandidate(object);
  if (!is_new && GetGc().cycles.count(object) == 0) return;
  WatchCollections();
  try {
    if (GetGc().candidates.size() >= GetGc().candidate_limit) DropDead();
    GetGc().candidates.push_back(object);
    GetGc().cycles.erase(object);  // it need not wait for its turn
  } catch (const std::exception&) {
    return;  // if there is no memory, the cycle is not found
  }
  if (is_new) MarkCandidate(object);
  PaceCandidate();
}

namespace {

int64_t Collect(bool all) noexcept {
  internal::DropKeptOfEnded();
  if (GetGc().candidates.empty() && GetGc().cycles.empty()) return 0;
  try {
    return CollectCycles(all);
  } catch (const std::exception&) {
    return 0;
  }
}

}  // namespace

int64_t CollectCandidates() noexcept { return Collect(false); }

void InitCandidates(CoreModule& m) {
  GetHooks().collect_candidates = &CollectCandidates;
  m.def(
      "_collect_cycles", [] { return Collect(true); },
      "Frees closed cycles of C++ objects now; returns how many objects were freed.");
}

}  // namespace tain::bindings
