// SPDX-License-Identifier: Apache-2.0
// Hash of values; see value_ops.h.
//
// The objects that are being hashed are in a list, innermost last, so nesting uses memory instead
// of the C stack. After some steps the hashes of objects are recorded, so that shared parts are
// hashed once. An object that occurs again while it is being hashed contains itself.
#include <vector>

#include "tain/container/shape.h"
#include "tain/internal/host_value.h"
#include "tain/internal/pair_table.h"
#include "tain/signals.h"
#include "values/container_detail.h"
#include "values/number.h"
#include "values/value_plan.h"

namespace tain::internal {
namespace {

uint64_t MixHash(uint64_t hash, uint64_t value) noexcept {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

/// Returns the hash as Python expects it: never -1, which means an error in Python.
int64_t FinalHash(uint64_t hash) noexcept {
  const auto value = static_cast<int64_t>(hash);
  return value == -1 ? -2 : value;
}

/// Throws TypeError because the value is unhashable. If there is a host, the host makes the error.
int64_t RefuseHash(const TainAny& value) {
  if (HasHost()) return HostHash(value);
  TAIN_THROW(TypeError) << "unhashable type: '" << TypeNameOf(value) << "'";
}

class Hashing {
 public:
  int64_t Run(const TainAny& value) {
    int64_t hash = 0;
    return HashOrOpen(value, &hash) ? hash : Finish();
  }

  int64_t RunFields(TainObject* object) {
    const TainAny value = ViewOfObject(object);
    OpenObject(value, &PlanOf(object->type_index));
    return Finish();
  }

 private:
  enum class Kind : uint8_t { kFields, kSequence, kShape, kMap };

  /// An object whose parts are hashed.
  struct Open {
    Any value;
    const ValuePlan* plan;  ///< for objects that are hashed by fields
    Kind kind;
    int64_t next;       ///< the next part
    MapCursor at;       ///< for maps
    uint64_t hash;      ///< the hash of the parts so far
    uint64_t key_hash;  ///< for maps: the hash of the entry's key

    TainObject* object() const noexcept { return value.data().v_obj; }
  };

  int64_t Finish() {
    while (true) {
      if (++steps_ % kStepsPerCheck == 0) check_signals();
      Any part;
      if (Next(open_.back(), &part)) {
        int64_t hash = 0;
        if (HashOrOpen(part.data(), &hash)) Add(open_.back(), hash);
        continue;
      }
      const int64_t hash = FinalHash(open_.back().hash);
      if (noting_) {
        *noted_.Find(open_.back().object()) = {hash, true};
      }
      open_.pop_back();
      if (open_.empty()) return hash;
      Add(open_.back(), hash);
    }
  }

  static void Add(Open& open, int64_t part) noexcept {
    const auto hash = static_cast<uint64_t>(part);
    if (open.kind != Kind::kMap) {
      open.hash = MixHash(open.hash, hash);
    } else if (open.at.at_value) {  // of the key
      open.key_hash = hash;
    } else {
      open.hash += MixHash(MixHash(1, open.key_hash), hash);  // independent of the order
    }
  }

  /// Gets the next part, owned. Returns false if there is none.
  static bool Next(Open& open, Any* part) {
    switch (open.kind) {
      case Kind::kFields: {
        const auto& fields = open.plan->hashed;
        const auto index = static_cast<size_t>(open.next++);
        if (index >= fields.size()) return false;
        const TainAny view = FieldView(open.object(), *fields[index], part);
        if (part->data().type_index == kTainNone) *part = Any(AnyView(view));
        return true;
      }
      case Kind::kSequence:
        if (open.next >= SeqSize(open.object())) return false;
        *part = Any(AnyView(SeqData(open.object())[open.next++]));
        return true;
      case Kind::kShape: {
        // The cell follows the header.
        const auto* cell = reinterpret_cast<const TainShapeCell*>(open.object() + 1);
        if (static_cast<size_t>(open.next) >= cell->size) return false;
        *part = Any(cell->data[open.next++]);
        return true;
      }
      default: return NextOfMap(open, part);
    }
  }

  static bool NextOfMap(Open& open, Any* part) {
    const MapItem* item = NextItem(open.object(), &open.next, &open.at);
    if (item == nullptr) return false;
    *part = Any(AnyView(open.at.at_value ? item->key : item->value));
    return true;
  }

  /// Returns true and the hash, or opens the value and returns false.
  bool HashOrOpen(const TainAny& given, int64_t* hash) {
    const TainAny value = PlainValue(given);
    std::string_view text;
    if (IsNumber(value)) {
      *hash = NumberHash(value);
    } else if (TextOf(&value, &text) || BytesOf(&value, &text)) {
      *hash = FinalHash(AnyHash(value));
    } else if (value.type_index == kTainDataType) {
      *hash = HashTypeName(value);
    } else if (value.type_index < kTainStaticObjectBegin) {
      *hash = FinalHash(MixHash(static_cast<uint64_t>(value.type_index), value.v_uint64));
    } else {
      return HashOrOpenObject(value, hash);
    }
    return true;
  }

  /// Returns the hash of a data type, which is that of its name as in Python.
  static int64_t HashTypeName(const TainAny& type) {
    TainAny made{};
    ThrowIfFailed(TainDataTypeToString(&type.v_dtype, &made));
    const Any owned = Any::Steal(made);
    return FinalHash(AnyHash(owned.data()));
  }

  bool HashOrOpenObject(const TainAny& value, int64_t* hash) {
    if (IsHostValue(value)) {
      *hash = HasHost() ? HostHash(value) : FinalHash(value.v_uint64);
      return true;
    }
    if ((TraitsOf(value.v_obj) & (kHostHash | kHostUnhashable)) != 0) {
      *hash = HostHash(value);
      return true;
    }
    switch (value.type_index) {
      case kTainArray: return OpenContainer(value, Kind::kSequence, hash);
      case kTainShape: return OpenContainer(value, Kind::kShape, hash);
      case kTainMap: return OpenContainer(value, Kind::kMap, hash);
      case kTainList:
      case kTainDict: *hash = RefuseHash(value); return true;
      default: break;
    }
    const ValuePlan& plan = PlanOf(value.type_index);
    switch (plan.hash) {
      case ValueRule::kFields: return OpenNoted(value, &plan, Kind::kFields, hash);
      case ValueRule::kMethod:
        *hash =
            FinalHash(static_cast<uint64_t>(CallForInt(plan.hash_method, &value, 1, "__hash__")));
        return true;
      case ValueRule::kUnhashable: *hash = RefuseHash(value); return true;
      default: *hash = FinalHash(value.v_uint64); return true;
    }
  }

  bool OpenContainer(const TainAny& value, Kind kind, int64_t* hash) {
    return OpenNoted(value, nullptr, kind, hash);
  }

  void OpenObject(const TainAny& value, const ValuePlan* plan) {
    int64_t hash = 0;
    OpenNoted(value, plan, Kind::kFields, &hash);
  }

  bool OpenNoted(const TainAny& value, const ValuePlan* plan, Kind kind, int64_t* hash) {
    if (++opened_ > kOpenedUnnoted && FindNoted(value, hash)) return true;
    const uint64_t seed = kind == Kind::kFields  ? static_cast<uint64_t>(value.type_index)
                          : kind == Kind::kShape ? static_cast<uint64_t>(Kind::kSequence)
                                                 : static_cast<uint64_t>(kind);
    open_.push_back({Any(AnyView(value)), plan, kind, 0, {}, MixHash(0, seed), 0});
    return false;
  }

  /// Gets the recorded hash of an object. If there is none, records that hashing it has begun and
  /// returns false.
  bool FindNoted(const TainAny& value, int64_t* hash) {
    if (!noting_) {
      noting_ = true;
      for (const Open& open : open_) noted_.FindOrAdd(open.object(), nullptr, {0, false});
    }
    const Note* note = noted_.Find(value.v_obj);
    if (note == nullptr) {
      noted_.Add(value.v_obj, nullptr, {0, false});
      return false;
    }
    if (!note->done) {
      TAIN_THROW(RecursionError) << "hash() of a " << TypeNameOf(value) << " that contains itself";
    }
    *hash = note->hash;
    return true;
  }

  struct Note {
    int64_t hash;
    bool done;
  };
  static constexpr int64_t kOpenedUnnoted = 64;
  static constexpr int64_t kStepsPerCheck = 4096;
  std::vector<Open> open_;
  int64_t opened_ = 0;
  int64_t steps_ = 0;
  bool noting_ = false;
  PairTable<Note> noted_;
};

}  // namespace

int64_t ValueHash(const TainAny& value) { return Hashing().Run(value); }

int64_t FieldsHash(TainObject* object) { return Hashing().RunFields(object); }

}  // namespace tain::internal
