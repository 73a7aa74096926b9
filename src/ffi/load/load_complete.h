// SPDX-License-Identifier: Apache-2.0
// Which objects of a graph are complete while it is loaded. Hooks of loading and upgrade functions
// get complete values only.
//
// An object is not complete while it is open, which matters if a value refers to it meanwhile, and
// while a value in it is waited for; nor is what leads to such an object. In a graph without cycles
// there is none, and nothing is looked for.
#pragma once

#include <unordered_set>
#include <vector>

#include "tain/any.h"

namespace tain::internal {

/// Appends the objects to which an object leads at once.
void AddParts(TainObject* object, std::vector<TainObject*>* parts);

class CompleteObjects {
 public:
  /// A value refers to an object that is still being filled.
  void NoteOpen(const TainObject* object) {
    if (open_.empty()) NoteCycle(object);
    open_.insert(object);
  }
  /// An object leads to itself.
  void NoteCycle(const TainObject* object) { cycles_.emplace_back(AnyView(ViewOfObject(object))); }
  /// An object is filled, except for what it waits for.
  void NoteEnd(const TainObject* object) {
    if (TAIN_UNLIKELY(!open_.empty())) open_.erase(object);
  }
  /// A part of an object is waited for.
  void NoteWaiting(const TainObject* object) { waiting_.insert(object); }
  /// All that was waited for is in its place.
  void NoteNoneWaits() noexcept { waiting_.clear(); }

  bool HasOpen() const noexcept { return !open_.empty(); }
  /// Objects that lead to themselves. The other ones that do are reached by these.
  const std::vector<Any>& cycles() const noexcept { return cycles_; }

  /// Returns an object that is not complete and to which a value leads, or null.
  const TainObject* FindIncomplete(const TainAny& value);
  /// Whether the content by which a key is found is not complete. A key without content is found as
  /// itself.
  bool IsIncompleteKey(const TainAny& key) const;

 private:
  bool IsIncomplete(const TainObject* object) const {
    return open_.contains(object) || waiting_.contains(object);
  }
  void Add(TainObject* object);

  std::unordered_set<const TainObject*> open_;
  std::unordered_set<const TainObject*> waiting_;
  std::vector<Any> cycles_;
  /// The objects known to be complete, so that each is looked at once. Something incomplete ends
  /// the load.
  std::unordered_set<const TainObject*> complete_;
  std::vector<Any> held_;  ///< the objects of complete_, so that no other gets an address
  size_t next_ = 0;        ///< of held_, whose parts are to be looked at
};

}  // namespace tain::internal
