// SPDX-License-Identifier: Apache-2.0
// The search for a key in a Map or Dict.
//
// The equality and hash of a key may run users' code, which may change the map that is searched,
// and other threads may change it meanwhile. Keys that run no code, which are nearly all, are found
// in one walk. For other keys the walk starts again whenever the map has changed during a call,
// because positions are not valid any more. A search compares each stored key only once, so only
// new keys can prolong it, and the number of restarts is limited.
#pragma once

#include <unordered_map>
#include <vector>

#include "values/container_detail.h"
#include "values/container_map_dense.h"

namespace tain::internal {

/// The result of a walk.
struct Found {
  uint64_t position = kMapEnd;  ///< of the entry, or kMapEnd
  uint64_t before = kMapEnd;    ///< dense: the previous member of the chain, or the chain's last
};

/// Finds a key that runs no code. The hash is used for the dense form only.
Found FindPlain(const TainObject* map, const TainAny& key, uint64_t hash);

/// Counts the restarts of one operation.
class Restarts {
 public:
  /// Throws RuntimeError after too many restarts.
  void Count();

 private:
  int count_ = 0;
};

/// The search for a key that may run code. It drops its references when it ends, which may run code
/// too.
class KeySearch {
 public:
  KeySearch(const TainObject* map, const TainAny& key) : keep_(Mutable(map)), map_(map) {
    key_ = Any(AnyView(key));
  }
  /// Returns the key's hash; computes it once.
  uint64_t Hash();
  /// No code has run between the walk that found the result and the return.
  Found Find(Restarts* restarts);

 private:
  struct Asked {
    Any key;  ///< held, so that no other key can get its address
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

/// The hashes of all keys of a map, in order.
class KeyHashes {
 public:
  /// Returns false if the map changed meanwhile. The hashes found so far are kept for the next
  /// call.
  bool Collect(const TainObject* map);
  /// Returns the hashes that Collect found; the caller may move them.
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
