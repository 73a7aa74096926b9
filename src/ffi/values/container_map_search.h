// SPDX-License-Identifier: Apache-2.0
// The search for a key in a Map or Dict.
//
// The equality and hash of a key may run anybody's code, which may change the very map that is
// searched, and other threads run meanwhile. Keys that run no code, which are nearly all, are
// looked up in one walk. For the others, whenever a map has changed during a call, the walk begins
// anew: no position outlives a change. A stored key is asked once in a search, so only keys that
// come in meanwhile can prolong it, and a limit ends that.
#pragma once

#include <unordered_map>
#include <vector>

#include "values/container_detail.h"
#include "values/container_map_dense.h"

namespace tain::internal {

/// Where a walk ended.
struct Found {
  uint64_t position = kMapEnd;  ///< of the entry, or kMapEnd
  uint64_t before = kMapEnd;    ///< dense: the member of the chain before it, or the chain's last
};

/// Finds a key that runs no code. The hash matters for the dense form only.
Found FindPlain(const TainObject* map, const TainAny& key, uint64_t hash);

/// Counts how often one operation began anew.
class Restarts {
 public:
  /// RuntimeError if that goes on for ever.
  void Count();

 private:
  int count_ = 0;
};

/// The search for a key that may run code. What it holds, it drops when it ends: that may run code
/// too.
class KeySearch {
 public:
  KeySearch(const TainObject* map, const TainAny& key) : keep_(Mutable(map)), map_(map) {
    key_ = Any(AnyView(key));
  }
  /// The key's hash; asks for it once.
  uint64_t Hash();
  /// No code has run between the walk that found this and the return.
  Found Find(Restarts* restarts);

 private:
  struct Asked {
    Any key;  ///< held, so that no other key can be taken for it
    bool equal;
  };
  enum class Answer { kSame, kOther, kChanged };

  static TainObject* Mutable(const TainObject* map) noexcept {
    return const_cast<TainObject*>(map);  // for its count
  }
  Answer Ask(const TainAny& stored, uint64_t position);
  bool WalkSmall(Found* found);
  bool WalkDense(Found* found);

  KeepAlive keep_;
  const TainObject* map_;
  Any key_;
  std::vector<Asked> asked_;
  uint64_t hash_ = 0;
  bool has_hash_ = false;
};

/// Hashes of all keys of a map, in order.
class KeyHashes {
 public:
  /// False if the map changed meanwhile; what was learnt is known the next time.
  bool Collect(const TainObject* map);
  /// What Collect has collected; may be taken away.
  std::vector<uint64_t>& all() noexcept { return all_; }

 private:
  struct Known {
    Any key;
    uint64_t hash;
  };
  uint64_t HashOf(const TainAny& key);

  std::vector<uint64_t> all_;
  std::unordered_map<const TainObject*, Known> known_;
};

}  // namespace tain::internal
