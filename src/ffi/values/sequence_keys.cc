// SPDX-License-Identifier: Apache-2.0
// Arrays and Shapes as keys of maps: keys are equal if their content is, as for tuples in Python.
//
// A List or Dict is a key by identity, because it may change; for Maps see object_keys.cc.
#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "base/key_level.h"
#include "tain/container/shape.h"
#include "tain/internal/container_api.h"
#include "tain/signals.h"
#include "values/value_plan.h"

namespace tain::internal {
namespace {

/// The results for nested Arrays while a key is hashed or compared. Arrays do not change, so each
/// is read once, however many hold it.
struct KnownParts {
  std::unordered_map<const TainObject*, uint64_t> hashes;
  std::set<std::pair<const TainObject*, const TainObject*>> equal;
  std::vector<Any> held;  ///< so that no other object gets an address
  uint64_t steps = 0;
};

/// One more level of nested Arrays, which are read recursively. Throws RecursionError if there are too
/// many, and what a signal handler throws.
class Level : KeyLevel<KnownParts> {
 public:
  Level() : KeyLevel("a key of a map", "a key of a map is nested") {
    if (depth() > 1 && ++MakeNotes().steps % 4096 == 0) check_signals();
  }

  /// Returns what is known if this is an inner level and an Array may be met again, or null. The
  /// caller of an inner level holds a reference too.
  static KnownParts* KnownOf(const TainObject* seq) noexcept {
    if (depth() < 2 || ObjectAccess::FromHeader(const_cast<TainObject*>(seq))->use_count() < 3) {
      return nullptr;
    }
    return notes();
  }
};

Any HeldSeq(const TainObject* seq) {
  TainAny view{};
  view.type_index = seq->type_index;
  view.v_obj = const_cast<TainObject*>(seq);
  return Any(AnyView(view));
}

uint64_t AddToHash(uint64_t hash, uint64_t value) noexcept {
  return hash ^ (value + 0x9e3779b9u + (hash << 6) + (hash >> 2));
}

uint64_t HashOf(const TainObject* seq) {
  const Level level;
  if (seq->type_index == kTainShape) {
    const auto* cell = reinterpret_cast<const TainShapeCell*>(seq + 1);  // follows the header
    uint64_t hash = cell->size;
    for (size_t i = 0; i < cell->size; ++i)
      hash = AddToHash(hash, static_cast<uint64_t>(cell->data[i]));
    return hash;
  }
  KnownParts* known = Level::KnownOf(seq);
  if (known != nullptr) {
    if (const auto found = known->hashes.find(seq); found != known->hashes.end()) {
      return found->second;
    }
  }
  auto hash = static_cast<uint64_t>(SeqSize(seq));
  for (int64_t i = 0; i < SeqSize(seq); ++i) {
    const Any element{AnyView(SeqData(seq)[i])};  // held: hashing it can run arbitrary code
    hash = AddToHash(hash, AnyHash(element.data()));
  }
  if (known != nullptr && known->hashes.try_emplace(seq, hash).second) {
    known->held.push_back(HeldSeq(seq));
  }
  return hash;
}

bool EqualSeqs(const TainObject* a, const TainObject* b) {
  const Level level;
  if (a->type_index == kTainShape) {
    const auto* x = reinterpret_cast<const TainShapeCell*>(a + 1);
    const auto* y = reinterpret_cast<const TainShapeCell*>(b + 1);
    return x->size == y->size && std::equal(x->data, x->data + x->size, y->data);
  }
  if (SeqSize(a) != SeqSize(b)) return false;
  KnownParts* known = Level::KnownOf(a);
  if (known != nullptr && known->equal.count({a, b}) != 0) return true;
  for (int64_t i = 0; i < SeqSize(a) && i < SeqSize(b); ++i) {
    const Any left{AnyView(SeqData(a)[i])};
    const Any right{AnyView(SeqData(b)[i])};
    if (!AnyEqual(left.data(), right.data())) return false;
  }
  if (known != nullptr && known->equal.insert({a, b}).second) {
    known->held.push_back(HeldSeq(a));
    known->held.push_back(HeldSeq(b));
  }
  return true;
}

bool IsSequenceKey(const TainAny& value) noexcept {
  return value.type_index == kTainArray || value.type_index == kTainShape;
}

int HashSequence(void*, const TainAny* args, int32_t num_args, TainAny* result) {
  return Guard([&] {
    if (num_args != 1 || !IsSequenceKey(args[0])) {
      TAIN_THROW(TypeError) << "__any_hash__: expected an Array or Shape";
    }
    const int traits = TraitsOf(args[0].v_obj);  // of a derived class of the host
    uint64_t hash = args[0].v_uint64;
    if ((traits & kHostHash) != 0) {
      hash = static_cast<uint64_t>(HostHash(args[0]));
    } else if ((traits & kHostUnhashable) == 0) {
      hash = HashOf(args[0].v_obj);
    }
    result->type_index = kTainInt;
    result->v_uint64 = hash;
  });
}

int EqualSequences(void*, const TainAny* args, int32_t num_args, TainAny* result) {
  return Guard([&] {
    if (num_args != 2 || !IsSequenceKey(args[0]) || args[0].type_index != args[1].type_index) {
      TAIN_THROW(TypeError) << "__any_equal__: expected two Arrays or two Shapes";
    }
    const int traits = TraitsOf(args[0].v_obj) | TraitsOf(args[1].v_obj);
    bool equal = args[0].v_obj == args[1].v_obj;
    if ((traits & kHostUnhashable) == 0 && !equal) {
      equal = (traits & kHostEqual) != 0 ? HostEqual(args[0], args[1])
                                         : EqualSeqs(args[0].v_obj, args[1].v_obj);
    }
    result->type_index = kTainBool;
    result->v_int64 = equal ? 1 : 0;
  });
}

int SetFunction(const char* name, TainSafeCall call) {
  TainAny value{};
  value.type_index = kTainFunction;
  if (TainFunctionCreate(nullptr, call, nullptr, &value.v_obj) != 0) return -1;
  TainFunctionSetReleasesGil(value.v_obj, 0);
  const Any owned = Any::Steal(value);
  const TainByteArray text = Bytes(name);
  return TainTypeRegisterAttr(kTainArray, &text, &owned.data()) +
         TainTypeRegisterAttr(kTainShape, &text, &owned.data());
}

const int registered =
    SetFunction("__any_hash__", &HashSequence) + SetFunction("__any_equal__", &EqualSequences);

}  // namespace
}  // namespace tain::internal
