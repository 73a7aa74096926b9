// SPDX-License-Identifier: Apache-2.0
// Builds a graph of what readers find; see load_graph.h.
#include "load/load_graph.h"

#include "base/error_object.h"
#include "base/guard.h"
#include "base/text_repr.h"
#include "dynamic/dynamic_type.h"
#include "graphs/rebuild.h"
#include "registry/object_maker.h"
#include "save/save_path.h"
#include "tain/container/dict.h"
#include "tain/container/map.h"
#include "tain/internal/type_members.h"
#include "values/container_detail.h"

namespace tain::internal {
namespace {

std::string ShownName(std::string_view name) {
  std::string shown;
  AppendStrRepr(Utf8Prefix(name, 200), &shown);
  return shown;
}

/// The words for a field that an upgrade function gets.
std::string ForUpgrade(std::string_view name) {
  return "the field " + ShownName(name) + " for the upgrade function";
}

}  // namespace

void GraphLoader::FailAt(uint64_t node, const LoadType* type, const std::string& what) const {
  std::string place = "node " + std::to_string(node);
  if (type != nullptr) place += " (" + type->key + ")";
  TAIN_THROW(ValueError) << where_ << ": " << place << ": " << what;
}

void GraphLoader::PassOn(const Error& error, uint64_t node, std::string_view field) const {
  std::string place = std::string(where_) + ": node " + std::to_string(node);
  if (!field.empty()) place += ", " + std::string(field);
  ThrowPlaced(place, error);
}

LoadType& GraphLoader::TypeOf(std::string_view key, int64_t version, uint64_t node) {
  try {
    return types_.Get(key, version);
  } catch (const Error& error) {
    if (error.kind() != "ValueError") throw;
    FailAt(node, nullptr, error.message());
  }
}

void GraphLoader::PushSlots(const LoadType& type) {
  const size_t base = slots.size();
  PushNones(type);
  for (size_t i = base; i < slots.size(); ++i) slots[i] = MissingSlot();
}

/// Whether a slot is missing or pending.
bool GraphLoader::HasGaps(size_t base) const noexcept {
  for (size_t i = base; i < slots.size(); ++i) {
    if (TAIN_UNLIKELY(slots[i].type_index() < 0)) return true;
  }
  return false;
}

Any GraphLoader::Begin(LoadType& type, uint64_t node) {
  if (type.make != LoadMake::kDefault) return MissingSlot();
  try {
    return MakeDefault(*type.record);
  } catch (const Error& error) {
    PassOn(error, node, "");
  }
}

bool GraphLoader::IsIncomplete(const Any& value) const noexcept {
  return !incomplete_.empty() && value.type_index() >= kTainStaticObjectBegin &&
         incomplete_.count(value.data().v_obj) != 0;
}

Any GraphLoader::Finish(LoadType& type, Any made, size_t base, std::vector<ExtraField>* extras,
                        uint64_t node) {
  const bool is_old = type.version < type.upgrade.version;
  if (TAIN_UNLIKELY(is_old || !extras->empty())) Upgrade(type, base, extras, node);
  const bool has_gaps = HasGaps(base);
  if (TAIN_UNLIKELY(has_gaps)) FillMissing(type, base, node);
  if (type.make == LoadMake::kDefault) {
    SetFields(type, made, base, node);
  } else {
    if (TAIN_UNLIKELY(has_gaps)) CheckNoPending(type, base, node);
    made = type.make == LoadMake::kCall ? MakeByCall(type, base, node)
                                        : MakeByFields(type, base, node);
  }
  slots.resize(base);
  return made;
}

void GraphLoader::CheckNoPending(const LoadType& type, size_t base, uint64_t node) const {
  for (size_t i = base; i < slots.size(); ++i) {
    if (!IsPending(slots[i])) continue;
    FailAt(node, &type,
           "field " + std::string(type.fields[i - base].name) +
               " refers to a node that contains this one: such a cycle needs a type with a default "
               "constructor");
  }
}

void GraphLoader::AddPending(PendingValue pending) {
  for (const Any* part : {&pending.key, &pending.value}) {
    if (IsPending(*part)) awaited_.insert(part->data().v_int64);
  }
  complete_.NoteWaiting(pending.holder.data().v_obj);
  pending_.push_back(std::move(pending));
}

/// Throws ValueError unless a value that a function gets is complete; `what` leads to it.
void GraphLoader::CheckComplete(const Any& value, const LoadType& type, const std::string& what,
                                uint64_t node) {
  const TainObject* found = complete_.FindIncomplete(value.data());
  if (found == nullptr) return;
  FailAt(node, &type,
         what + " leads to the " + TypeNameOf(ViewOfObject(found)) +
             " that contains this node, and is not complete yet: a cycle cannot pass through it");
}

bool GraphLoader::SetOne(const Any& made, const SaveField& field, Any* value, uint64_t node) {
  if (TAIN_UNLIKELY(IsPending(*value) || IsIncomplete(*value))) {
    AddPending({PendingValue::Kind::kField, made, field.def, 0, {}, std::move(*value), node});
    return true;
  }
  if (TAIN_LIKELY(SetNewField(made.data().v_obj, *field.def, value) == 0)) return true;
  const Error error = internal::TakeRaisedError();
  if (error.kind() == "AttributeError") return false;
  PassOn(error, node, FieldPlace(made.type_index(), *field.def));
}

void GraphLoader::SetFields(LoadType& type, const Any& made, size_t base, uint64_t node) {
  for (size_t i = 0; i < type.fields.size(); ++i) {
    if (slots[base + i].type_index() == kSlotMissing) continue;
    if (SetOne(made, type.fields[i], &slots[base + i], node)) continue;
    FailAt(node, &type,
           "field " + std::string(type.fields[i].name) + " cannot be set: the member is const");
  }
}

Any GraphLoader::MakeByCall(LoadType& type, size_t base, uint64_t node) {
  const MakePlan& plan = *type.plan;
  const auto count = static_cast<size_t>(plan.info->num_args);
  std::vector<Any> defaults;
  args_.clear();
  for (size_t i = 0; i < count; ++i) {
    const int32_t slot = plan.field_of_param[i];
    if (slot >= 0 && slots[base + static_cast<size_t>(slot)].type_index() != kSlotMissing) {
      args_.push_back(slots[base + static_cast<size_t>(slot)].data());
      continue;
    }
    defaults.reserve(count);
    defaults.push_back(DefaultOfParam(plan.info->args[i]));
    args_.push_back(defaults.back().data());
  }
  TainAny result{};
  if (TainFunctionCall(type.record->constructor, args_.data(), static_cast<int32_t>(count),
                       &result) != 0) {
    PassOn(internal::TakeRaisedError(), node, "");
  }
  Any made = Any::Steal(result);
  if (made.type_index() != type.type_index) {
    FailAt(node, &type, "the constructor returned " + TypeNameOf(made.data()));
  }
  for (size_t i = 0; i < type.fields.size(); ++i) {
    if (TAIN_LIKELY(plan.fields[i].param >= 0)) {
      AskConditions(made, *type.fields[i].def, node);
      continue;
    }
    Any& value = slots[base + i];
    if (value.type_index() == kSlotMissing) continue;
    if (SetOne(made, type.fields[i], &value, node)) continue;
    FailAt(node, &type,
           "field " + std::string(type.fields[i].name) + " cannot be set: the member is const");
  }
  return made;
}

void GraphLoader::AskConditions(const Any& made, const TainFieldDef& field, uint64_t node) {
  if ((field.access & kTainFieldChecked) == 0) return;
  try {
    CheckConditions(made.data().v_obj, field);
  } catch (const Error& error) {
    PassOn(error, node, "");
  }
}

Any GraphLoader::MakeByFields(LoadType& type, size_t base, uint64_t node) {
  std::vector<FieldChange> changes;
  for (size_t i = 0; i < type.fields.size(); ++i) {
    if (slots[base + i].type_index() == kSlotMissing) continue;
    changes.push_back({type.fields[i].def, slots[base + i]});
  }
  try {
    return MakeFromFields(*type.record, changes);
  } catch (const Error& error) {
    PassOn(error, node, "");
  }
}

void GraphLoader::FillMissing(LoadType& type, size_t base, uint64_t node) {
  for (size_t i = 0; i < type.fields.size(); ++i) {
    Any& slot = slots[base + i];
    if (slot.type_index() != kSlotMissing) continue;
    const SaveField& field = type.fields[i];
    if ((field.def->info.flags & kTainFieldHasDefault) != 0) {
      slot = DefaultOf(*field.def);
      continue;
    }
    const TainArgInfo* param = type.ParamOf(i);
    if (param != nullptr && (param->flags & kTainArgHasDefault) != 0) {
      slot = DefaultOfParam(*param);
      continue;
    }
    if (param != nullptr && (param->flags & kTainArgOptional) != 0) continue;
    FailAt(node, &type,
           "field " + std::string(field.name) +
               " is missing in the data and has no default; register_upgrade can supply it");
  }
}

void GraphLoader::Upgrade(LoadType& type, size_t base, std::vector<ExtraField>* extras,
                          uint64_t node) {
  if (!type.upgrade.function) {
    if (extras->empty()) return;
    FailAt(node, &type,
           "the type has no field " + ShownName(extras->front().name) +
               "; register_upgrade can convert old data");
  }
  Map<String, Any> fields;
  for (size_t i = 0; i < type.fields.size(); ++i) {
    if (IsPending(slots[base + i])) CheckNoPending(type, base, node);
    if (slots[base + i].type_index() == kSlotMissing) continue;
    const std::string_view name = type.fields[i].name;
    CheckComplete(slots[base + i], type, ForUpgrade(name), node);
    fields.Set(String(name), slots[base + i]);
  }
  for (ExtraField& extra : *extras) {
    CheckComplete(extra.value, type, ForUpgrade(extra.name), node);
    fields.Set(String(extra.name), std::move(extra.value));
  }
  extras->clear();
  called_out_ = true;
  const Any result = (*type.upgrade.function)(fields, type.version);
  const auto upgraded = result.try_cast<Map<String, Any>>();
  if (!upgraded) {
    FailAt(node, &type,
           "the upgrade function returned " + TypeAndValue(result.data()) + ", expected dict");
  }
  for (size_t i = 0; i < type.fields.size(); ++i) slots[base + i] = MissingSlot();
  for (const auto& [name, value] : *upgraded) {
    const int32_t slot = type.SlotOf(name);
    if (slot < 0) {
      FailAt(node, &type,
             "the upgrade function returned " + ShownName(name) + ", which is no field");
    }
    slots[base + static_cast<size_t>(slot)] = value;
  }
}

Any GraphLoader::FinishData(LoadType& type, const Any& data, uint64_t node) {
  if (!type.has_hook) {
    FailAt(node, &type, "the data was made by a hook, but the type has no __data_from_json__");
  }
  if (IsPending(data)) {
    FailAt(node, &type, "the value of the hook refers to a node that contains this one");
  }
  CheckComplete(data, type, "the value for __data_from_json__", node);
  called_out_ = true;
  TainAny result{};
  if (const TainAny* hook = FromDataHook(type.type_index)) {
    ThrowIfFailed(TainFunctionCall(hook->v_obj, &data.data(), 1, &result));
  } else {
    int handled = 0;
    ThrowIfFailed(SavingHost()->object_of(type.type_index, &data.data(), &result, &handled));
    if (handled == 0) FailAt(node, &type, "the type has no __data_from_json__");
  }
  Any made = Any::Steal(result);
  if (made.type_index() < kTainDynObjectBegin ||
      TainTypeIsInstance(made.type_index(), type.type_index) == 0) {
    FailAt(node, &type,
           "__data_from_json__ returned " + TypeAndValue(made.data()) + ", expected " + type.key);
  }
  return made;
}

void GraphLoader::Push(TainObject* sequence, Any value) {
  if (TAIN_UNLIKELY(IsPending(value) || IsIncomplete(value))) {
    if (IsPending(value)) {
      AddPending({PendingValue::Kind::kElement,
                  Any(AnyView(ViewOfObject(sequence))),
                  nullptr,
                  SeqSize(sequence),
                  {},
                  std::move(value),
                  0});
      value = Any();
    }
    incomplete_.insert(sequence);
  }
  SeqPush(sequence, std::move(value));
}

void GraphLoader::SetEntry(TainObject* map, Any key, Any value) {
  // A key whose content is not complete would be taken for another one.
  const bool key_waits = !IsPending(key) && complete_.IsIncompleteKey(key.data());
  const bool waits = IsPending(key) || IsPending(value) || key_waits;
  if (TAIN_UNLIKELY(key_waits)) keys_wait_ = true;
  if (TAIN_UNLIKELY(waits || IsIncomplete(key) || IsIncomplete(value))) incomplete_.insert(map);
  if (TAIN_UNLIKELY(waits || (!late_.empty() && late_.count(map) != 0))) {
    late_.insert(map);
    AddPending({PendingValue::Kind::kEntry, Any(AnyView(ViewOfObject(map))), nullptr, 0,
                std::move(key), std::move(value), 0});
    return;
  }
  MapSet(map, std::move(key), std::move(value));
}

void GraphLoader::Resolve(const std::function<const Any*(int64_t)>& target) {
  const auto settle = [&](Any* value) {
    if (!IsPending(*value)) return;
    const int64_t number = value->data().v_int64;
    const Any* found = target(number);
    if (found == nullptr || found->type_index() < 0) {
      TAIN_THROW(ValueError) << where_ << ": a value refers to the node " << number
                             << ", which does not exist";
    }
    *value = *found;
    if (found->type_index() >= kTainStaticObjectBegin) complete_.NoteCycle(found->data().v_obj);
  };
  if (TAIN_LIKELY(pending_.empty())) return;
  std::vector<PendingValue> all = std::exchange(pending_, {});
  awaited_.clear();
  incomplete_.clear();
  late_.clear();
  keys_wait_ = false;
  complete_.NoteNoneWaits();
  for (PendingValue& pending : all) {
    settle(&pending.key);
    settle(&pending.value);
  }
  PendingPlaces([this](PendingValue& pending) {
    TainObject* holder = pending.holder_object();
    if (SetNewField(holder, *pending.field, &pending.value) == 0) return;
    PassOn(internal::TakeRaisedError(), pending.node,
           FieldPlace(holder->type_index, *pending.field));
  }).Put(std::move(all));
}

void GraphLoader::End(const std::function<const Any*(int64_t)>& target) {
  Resolve(target);
  const HostSaving* host = SavingHost();
  if (host == nullptr) return;
  for (const Any& one : complete_.cycles()) host->left_behind(one.data().v_obj);
}

void GraphLoader::Discard(const std::vector<Any>& nodes) const noexcept {
  for (const Any& node : nodes) {
    const int32_t index = node.type_index();
    const bool is_container = IsSeq(index) || IsMap(index);
    if (!is_container && (index < kTainDynObjectBegin || TainTypeHasDefault(index) == 0)) continue;
    TainObject* object = node.data().v_obj;
    if (HasHostClass(object)) continue;
    if (!called_out_) {
      TainObjectClearEdges(object);
    } else if (const HostSaving* host = SavingHost(); host != nullptr) {
      host->left_behind(object);
    }
  }
}

}  // namespace tain::internal
