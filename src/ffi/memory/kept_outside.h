// SPDX-License-Identifier: Apache-2.0
// The objects kept alive by those of C++ for which no box stands: a box's object that C++ shares
// and that outlives the box, and the owner of members or parts to which boxes refer: an object of
// tain, or static memory.
//
// The functions of KeptOutside are called under KeptLock().
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "memory/kept_list.h"

namespace tain::internal {

class KeptOutside {
 public:
  /// The one of the process, which is never destroyed.
  static KeptOutside& Get();

  /// Returns the place for what an object keeps; null stands there if it is new.
  BoxKept*& OfShared(const std::weak_ptr<const void>& owner);
  BoxKept*& OfObject(TainObject* owner);
  /// Of static memory: it is kept as long as the process lives.
  BoxKept*& OfStatic(const void* place);

  /// Return what an object keeps, or null.
  const BoxKept* FindShared(const std::shared_ptr<const void>& owner) const;
  const BoxKept* FindObject(TainObject* owner) const;
  const BoxKept* FindStatic(const void* place) const;

  /// Whether anything was ever kept here; may be asked without the lock.
  bool IsUsed() const noexcept { return is_used_.load(std::memory_order_relaxed); }

  using Shared =
      std::map<std::weak_ptr<const void>, BoxKept*, std::owner_less<std::weak_ptr<const void>>>;
  struct OfObjectPart {
    Weak<Object> owner;  ///< so that no other object gets its address
    BoxKept* kept = nullptr;
  };
  using Objects = std::unordered_map<TainObject*, OfObjectPart>;
  /// The entries that were taken out, to be destroyed without the lock.
  struct Ended : NotCopied {
    std::vector<Shared::node_type> shared;
    std::vector<Objects::node_type> objects;
    Ended() = default;
    ~Ended();
  };
  /// Takes out what an object of tain kept.
  void TakeOf(TainObject* owner, Ended* ended);
  /// Takes out what dead objects kept.
  void TakeEnded(Ended* ended);
  /// Whether there are so many objects that it is time for TakeEnded.
  bool IsTidyTime() const noexcept { return shared_.size() + objects_.size() >= next_tidy_; }

 private:
  Shared shared_;
  Objects objects_;
  std::unordered_map<const void*, BoxKept*> static_;
  size_t next_tidy_ = 64;
  std::atomic<bool> is_used_{false};
};

/// Drops what an object of tain kept, after it was destroyed. Objects that keep nothing outside are
/// not asked: something refers weakly to those that do.
void DropKeptOutside(TainObject* ended) noexcept;
/// Calls `visit` for each object that an object of tain keeps alive outside, until it returns
/// non-zero, and returns that.
int VisitKeptOutside(TainObject* object, int (*visit)(TainObject* child, void* context),
                     void* context);

}  // namespace tain::internal
