// SPDX-License-Identifier: Apache-2.0
// Structural hash of objects, fields and containers; see structural_hash.h.
#include "compare/structural_hash.h"

#include "graphs/access_path_text.h"

#include "base/key_level.h"
#include "base/stack_bound.h"
#include "compare/structural_hooks.h"
#include "compare/structural_leaf.h"
#include "tain/internal/value_ops.h"
#include "values/container_detail.h"
#include "values/value_plan.h"

namespace tain::internal {
namespace {

/// Hashes run inside of each other only for keys of maps that are objects. What is known of keys is
/// in `keys_`.
struct NoNotes {};

/// Returns the hash of a value that stands for its parts too: an entry with an object as key has
/// no place among the others, so its value cannot be walked through in a fixed order.
uint64_t ShallowHash(const TainAny& value, TensorContent content) {
  return HasParts(value.type_index) ? StableMix(kTainObject, 0) : LeafHash(value, content);
}

}  // namespace

// ---------------------------------------------------------------- the loop

StructuralHashing::~StructuralHashing() {
  while (!frames_.empty()) Pop();
}

uint64_t StructuralHashing::Run(const TainAny& value, Region region) {
  uint64_t hash = 0;
  const bool is_done = HashOrOpen(value, region, &hash) || (!found_cycle_ && RunTo(0, &hash));
  if (is_done && !found_cycle_) return hash;
  return is_key_ ? StableMix(kTainObject, 1) : CyclicHash(value, content_);
}

/// Returns the hash of a key, in which variables and DAG nodes are not told apart. Each key is hashed
/// once, however many maps share it. RecursionError names the key of the outermost map.
uint64_t StructuralHashing::KeyHash(const Any& key) {
  const TainAny& data = key.data();
  if (data.type_index < kTainStaticObjectBegin) return NestedKeyHash(key);
  if (const uint64_t* found = keys_->Find(data.v_obj)) return *found;
  uint64_t hash = 0;
  try {
    hash = NestedKeyHash(key);
  } catch (const Error& error) {
    if (is_key_ || error.kind() != "RecursionError") throw;
    TAIN_THROW(RecursionError) << PlaceOf(key) << ": " << error.message();
  }
  keys_->FindOrAdd(data.v_obj, nullptr, hash);
  return hash;
}

uint64_t StructuralHashing::NestedKeyHash(const Any& key) {
  const KeyLevel<NoNotes> level("structural hash of a key of a map",
                                "maps are nested in keys of maps");
  const auto hashing = std::make_shared<StructuralHashing>(TensorContent::kCounts);
  hashing->is_key_ = true;
  hashing->keys_ = keys_;
  return hashing->Run(key.data(), Region::kUse);
}

/// Returns the path to the entry of a key in the map that is to be opened. What hooks lead to has no
/// step.
std::string StructuralHashing::PlaceOf(const Any& key) const {
  Array<AccessStep> steps;
  const auto add = [&steps](const char* kind, const Any& value) {
    steps.push_back(AccessStep(make_object<AccessStepObj>(String(kind), value)));
  };
  auto entries = entries_.begin();
  for (const Frame& frame : frames_) {
    const int64_t at = frame.next - 1;
    if (frame.form == Form::kFields) {
      const TainByteArray& name = frame.plan->fields[static_cast<size_t>(at)].def->info.name;
      add("attr", Any(String(std::string_view(name.data, name.size))));
    } else if (frame.form == Form::kSequence) {
      add("index", Any(at));
    } else if (frame.form == Form::kMap) {
      add("key", (*entries++)[static_cast<size_t>(at)].key);
    }
  }
  add("key", key);
  return ShortPath(steps, static_cast<int64_t>(steps.size()));
}

/// Hashes until only `base` objects are left. Returns false if there is a cycle.
bool StructuralHashing::RunTo(size_t base, uint64_t* hash) {
  while (true) {
    CountStep();
    if (!Step(hash)) {  // opened, or there is a cycle
      if (TAIN_UNLIKELY(found_cycle_)) return false;
      continue;
    }
    Close(hash);
    if (frames_.size() == base) return true;
    Frame& frame = frames_.back();
    frame.hash = StableMix(frame.hash, *hash);
  }
}

/// Hashes parts of the last object until one is opened. Returns true if none is left.
bool StructuralHashing::Step(uint64_t* hash) {
  Frame& frame = frames_.back();
  switch (frame.form) {
    case Form::kFields: return Fields(frame, hash);
    case Form::kSequence: return Elements(frame, hash);
    case Form::kMap: return MapValues(frame, hash);
    default: return RunHook();
  }
}

bool StructuralHashing::Fields(Frame& frame, uint64_t* hash) {
  const std::vector<StructuralField>& fields = frame.plan->fields;
  TainObject* const object = frame.object;
  while (static_cast<size_t>(frame.next) < fields.size()) {
    const StructuralField& field = fields[static_cast<size_t>(frame.next++)];
    switch (field.kind) {
      case kTainFieldOpaque:
        if (!OpaqueField(frame, field, hash)) return false;
        break;
      case kTainFieldFloat32:
        *hash =
            StableFloatHash(static_cast<double>(ReadNumber(FieldAt<float>(object, field.offset))));
        break;
      case kTainFieldFloat64:
        *hash = StableFloatHash(ReadNumber(FieldAt<double>(object, field.offset)));
        break;
      case kTainFieldString:
      case kTainFieldAny:
        if (!HashOrOpen(FieldAt<TainAny>(object, field.offset), RegionOf(field, frame.region),
                        hash)) {
          return false;
        }
        break;
      case kTainFieldObject:
        if (!HashOrOpen(ObjectView(FieldAt<TainObject*>(object, field.offset)),
                        RegionOf(field, frame.region), hash)) {
          return false;
        }
        break;
      default: *hash = StableIntHash(IntegerAt(object, field.offset, field.kind));
    }
    frame.hash = StableMix(frame.hash, *hash);  // nothing was opened, so the frame has not moved
  }
  return true;
}

bool StructuralHashing::OpaqueField(Frame& frame, const StructuralField& field, uint64_t* hash) {
  const Region region = RegionOf(field, frame.region);
  HoldAll();  // the getter may run foreign code, and so may the end of what it made
  const GetterValue value(frame.object, field);
  if (HashOrOpen(value.data(), region, hash)) return true;
  if (!found_cycle_) HoldTop();
  return false;
}

bool StructuralHashing::Elements(Frame& frame, uint64_t* hash) {
  TainObject* const seq = frame.object;
  while (frame.next < SeqSize(seq)) {
    if (!HashOrOpen(SeqData(seq)[frame.next++], frame.region, hash)) return false;
    frame.hash = StableMix(frame.hash, *hash);
  }
  return true;
}

bool StructuralHashing::MapValues(Frame& frame, uint64_t* hash) {
  const std::vector<MapEntry>& entries = entries_.back();
  while (static_cast<size_t>(frame.next) < entries.size()) {
    const MapEntry& entry = entries[static_cast<size_t>(frame.next++)];
    frame.hash = StableMix(frame.hash, LeafHash(entry.key.data()));
    if (!HashOrOpen(entry.value.data(), frame.region, hash)) return false;
    frame.hash = StableMix(frame.hash, *hash);
  }
  return true;
}

// ---------------------------------------------------------------- values

/// Returns true and the hash, or opens the value and returns false.
bool StructuralHashing::HashOrOpen(const TainAny& value, Region region, uint64_t* hash) {
  if (value.type_index >= kTainDynObjectBegin) return HashObject(value.v_obj, region, hash);
  if (IsContainer(value.type_index)) return HashContainer(value.v_obj, region, hash);
  *hash = LeafHash(value, content_);
  return true;
}

bool StructuralHashing::HashObject(TainObject* object, Region region, uint64_t* hash) {
  const KnownType type = plans_.Of(object->type_index);  // a copy: another may take its place
  const StructuralPlan& plan = *type.plan;
  const bool is_variable = plan.kind == StructuralKind::kVariable;
  const bool is_node = is_variable || plan.kind == StructuralKind::kDag;
  if (plan.kind == StructuralKind::kUnique) {
    *hash = StableMix(plan.key_hash, reinterpret_cast<uintptr_t>(object));
    return true;
  }
  if (is_key_ && is_variable) {
    *hash = plan.key_hash;
    return true;
  }
  if (TAIN_UNLIKELY(plan.hash_hook != nullptr || plan.equal_hook != nullptr ||
                    MayHaveHostHook(object, type))) {
    return OpenWithHook(object, type, region, hash);
  }
  if (plan.is_flat && !is_node) {
    Frame flat{object, &plan, 0, plan.key_hash, Form::kFields, region, false, false, false};
    Fields(flat, hash);
    *hash = flat.hash;
    return true;
  }
  return OpenObject(object, plan, Form::kFields, region, hash);
}

/// Opens an object unless its hash is known.
bool StructuralHashing::OpenObject(TainObject* object, const StructuralPlan& plan, Form form,
                                   Region region, uint64_t* hash) {
  const bool is_variable = plan.kind == StructuralKind::kVariable;
  const bool is_node = is_variable || plan.kind == StructuralKind::kDag;
  const bool recorded = is_node || IsShared(object);
  if (recorded && FindRecord(object, hash)) return true;
  if (found_cycle_) return false;
  if (is_variable && region == Region::kUse) {
    *hash = StableMix(plan.key_hash, reinterpret_cast<uintptr_t>(object));
    *records_.Find(object) = {*hash, 0, true};
    return true;
  }
  const bool numbered = is_node && !is_key_;
  if (numbered) records_.Find(object)->number = ++next_number_;
  return Open(object, &plan, form, region, plan.key_hash, recorded, numbered);
}

/// Opens an object of which the type or the host class may have hooks. If only equality is a hook,
/// the hash is that of the type.
bool StructuralHashing::OpenWithHook(TainObject* object, const KnownType& type, Region region,
                                     uint64_t* hash) {
  HoldAll();  // classes of the host are asked
  const Any held{AnyView(ObjectView(object))};
  const StructuralPlan& plan = *type.plan;
  const bool by_hook = plan.hash_hook != nullptr || HasHostHook(object, type, kHostStructuralHash);
  if (!by_hook && (plan.equal_hook != nullptr || HasHostHook(object, type, kHostStructuralEqual))) {
    *hash = plan.key_hash;
    return true;
  }
  const bool opens = !OpenObject(object, plan, by_hook ? Form::kHook : Form::kFields, region, hash);
  if (opens && !found_cycle_) HoldTop();
  return !opens;
}

bool StructuralHashing::HashContainer(TainObject* object, Region region, uint64_t* hash) {
  const bool is_map = IsMap(object->type_index);
  const uint64_t size = is_map ? MapSize(object) : static_cast<uint64_t>(SeqSize(object));
  const uint64_t seed = StableMix(static_cast<uint64_t>(object->type_index), size);
  if (size == 0) {
    *hash = seed;
    return true;
  }
  const bool recorded = IsShared(object);
  if (recorded && FindRecord(object, hash)) return true;
  if (found_cycle_) return false;
  if (is_map) return OpenMap(object, region, recorded);
  return HashOrOpenSequence(object, region, seed, recorded, hash);
}

/// Hashes the elements up to the first that has parts. Only a sequence with such an element is
/// opened, because most are short and without one.
bool StructuralHashing::HashOrOpenSequence(TainObject* seq, Region region, uint64_t seed,
                                           bool recorded, uint64_t* hash) {
  int64_t next = 0;
  uint64_t so_far = seed;
  for (; next < SeqSize(seq); ++next) {
    const TainAny& element = SeqData(seq)[next];
    if (HasParts(element.type_index)) break;
    so_far = StableMix(so_far, LeafHash(element, content_));
  }
  if (next < SeqSize(seq)) {
    Open(seq, nullptr, Form::kSequence, region, so_far, recorded, false);
    frames_.back().next = next;
    return false;
  }
  *hash = so_far;
  if (recorded) *records_.Find(seq) = {so_far, 0, true};
  return true;
}

/// Opens a map: entries with plain keys are hashed in the order of the keys, the others by a sum.
bool StructuralHashing::OpenMap(TainObject* map, Region region, bool recorded) {
  SortedEntries sorted = SortedEntriesOf(map);
  const Any held{AnyView(ObjectView(map))};
  uint64_t sum = sorted.entries.size();
  for (size_t i = sorted.num_plain; i < sorted.entries.size(); ++i) {
    HoldAll();  // the keys may have hooks
    const MapEntry& entry = sorted.entries[i];
    sum += StableMix(KeyHash(entry.key), ShallowHash(entry.value.data(), content_));
  }
  sorted.entries.resize(sorted.num_plain);
  entries_.push_back(std::move(sorted.entries));
  Open(map, nullptr, Form::kMap, region, StableMix(static_cast<uint64_t>(map->type_index), sum),
       recorded, false);
  HoldTop();
  return false;
}

// ---------------------------------------------------------------- open objects

bool StructuralHashing::Open(TainObject* object, const StructuralPlan* plan, Form form,
                             Region region, uint64_t seed, bool recorded, bool numbered) {
  frames_.push_back({object, plan, 0, seed, form, region, false, recorded, numbered});
  return false;
}

/// Returns true and the recorded hash of an object. Otherwise records that it is being hashed, and
/// returns false; if it was being hashed already, there is a cycle.
bool StructuralHashing::FindRecord(TainObject* object, uint64_t* hash) {
  const Record* record = records_.Find(object);
  if (record == nullptr) {
    records_.Add(object, nullptr, {0, 0, false});
    return false;
  }
  found_cycle_ = !record->done;
  *hash = record->hash;
  return record->done;
}

/// Finishes the last object.
void StructuralHashing::Close(uint64_t* hash) {
  const Frame& frame = frames_.back();
  *hash = frame.hash;
  if (frame.recorded) {
    Record& record = *records_.Find(frame.object);
    if (frame.numbered) *hash = StableMix(*hash, record.number);
    record.hash = *hash;
    record.done = true;
  }
  Pop();
}

void StructuralHashing::Pop() {
  const Frame frame = TakeTop();
  if (frame.form == Form::kMap) {
    HoldAll();  // the entries may be the last references to objects
    const std::vector<MapEntry> dropped = std::move(entries_.back());
    entries_.pop_back();
  }
  Drop(frame);
}

// ---------------------------------------------------------------- __s_hash__

/// Gets the hash of the last object from its hook. Returns false if there is a cycle.
bool StructuralHashing::RunHook() {
  HoldAll();
  const Frame frame = frames_.back();
  const KnownType type = plans_.Of(frame.object->type_index);
  const Any self{AnyView(ObjectView(frame.object))};
  bool handled = false;
  Any result;
  const HookTurns::Turn turn(turns_);
  try {
    const auto run = [self = shared_from_this(), turn = turn.number(),
                      object = frame.object](Args args) {
      self->turns_.Check(turn, kHashHook);
      if (args.size() < 1 || args.size() > 3) {
        TAIN_THROW(TypeError) << kHashHook << ": expected 1 to 3 arguments for its function, got "
                              << args.size();
      }
      const uint64_t init = args.size() > 1 ? HookInt(object, Any(args[1])) : 0;
      const bool defines = HookFlag(args, 2, kHashHook, "def_region");
      return Any(static_cast<int64_t>(self->Nested(Any(args[0]), init, defines)));
    };
    const HookFunction function(kHashHook, run);
    const Any init(static_cast<int64_t>(type.plan->key_hash));
    const AnyView args[3] = {AnyView(self.data()), AnyView(init.data()),
                             AnyView(function.function())};
    handled = CallStructuralHook(kHashHook, type.plan->hash_hook,
                                 MayHaveHostHook(frame.object, type), args, 3, &result);
  } catch (const Error&) {
    if (!found_cycle_) throw;  // else it is the error that told the hook of the cycle
  }
  turns_.Check(turn.number(), kHashHook);
  if (found_cycle_) return false;
  if (!handled) TAIN_THROW(RuntimeError) << kHashHook << " was removed while it was looked up";
  frames_.back().hash = HookInt(frame.object, result);
  return true;
}

uint64_t StructuralHashing::Nested(const Any& value, uint64_t init, bool defines) {
  if (StackIsLow()) ThrowStackIsLow(kHashHook);
  const size_t base = frames_.size();
  uint64_t hash = 0;
  const HookTurns::Turn turn(turns_);
  try {
    const Region region = defines ? Region::kDef : Inside(frames_.back().region, true);
    bool done = !found_cycle_ && HashOrOpen(value.data(), region, &hash);
    if (!done && !found_cycle_) {
      HoldTop();
      done = RunTo(base, &hash);
    }
    turns_.Check(turn.number(), kHashHook);
    if (!done) TAIN_THROW(RecursionError) << kHashHook << ": the graph has a cycle";
    return StableMix(init, hash);
  } catch (...) {
    if (turns_.IsTurnOf(turn.number())) {
      HoldAll();
      while (frames_.size() > base) Pop();
    }
    throw;
  }
}

}  // namespace tain::internal
