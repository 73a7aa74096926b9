// SPDX-License-Identifier: Apache-2.0
// MemberWriter: adds members to the record of a type, and to the ABI's arrays at the same time.
#include "registry/member_writer.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "base/guard.h"
#include "memory/unlocked_end.h"
#include "registry/array_results.h"
#include "registry/thread_rules.h"
#include "registry/type_chain.h"
#include "tain/internal/field_kinds.h"
#include "tain/internal/structural_kinds.h"

namespace tain::internal {
namespace {

/// Publishes an array that is read without a lock: the pointer before the count.
template <class T>
void PublishArray(T*& array, int32_t& count, T* larger, int32_t new_count) noexcept {
  std::atomic_ref<T*>(array).store(larger, std::memory_order_release);
  std::atomic_ref<int32_t>(count).store(new_count, std::memory_order_release);
}

template <class T>
void AppendRecord(Arena& arena, const T*& array, int32_t& count, int32_t& capacity,
                  const T& value) {
  T* larger = arena.Grow(const_cast<T*>(array), count, &capacity);
  larger[count] = value;
  PublishArray<const T>(array, count, larger, count + 1);
}

/// The flags that an author may set on a type.
constexpr int64_t kAuthorTypeFlags =
    kTainTypeEq | kTainTypeOrder | kTainTypeHash | kTainTypeFrozen | kTainTypeFinal |
    kTainTypeAbstract | kTainTypeFieldInit | kTainTypeDefined | kTainTypeBoxed |
    kTainTypeDestroyWithoutGil | kTainTypeTransient | kTainTypeNoCopy | kTainTypeAsNumpy |
    kTainTypeOverridden | kTainTypeThreadSafe | kTainTypeLockReceiver | kTainTypeStructural;

void CheckStructuralKind(const TypeEntry& entry, int64_t kind) {
  if (kind == kTainStructuralUnspecified || NameOfStructuralKind(kind) != nullptr) return;
  TAIN_THROW(ValueError) << entry.Name() << ": unknown structural kind " << kind;
}

}  // namespace

MemberWriter::MemberWriter(Registry& registry, int32_t type_index, Unit* unit)
    : registry_(registry), lock_(registry.mutex), unit_(unit) {
  entry_ = registry.types.Registered(type_index);
  if (unit != nullptr) {
    for (const int32_t index : unit->ignored_types) ignored_ = ignored_ || index == type_index;
    ignored_ = ignored_ || unit->refused;
  }
  if (entry_->dead()) ignored_ = true;
  if (ignored_) return;
  const bool defined = (entry_->record.def.flags & kTainTypeDefined) != 0;
  if (defined && unit != nullptr && entry_->owner != nullptr && entry_->owner != unit) {
    unit->ignored_types.push_back(type_index);  // report one fault, not one for each member
    TAIN_THROW(ValueError) << entry_->Name() << ": already described by " << entry_->owner->file
                           << "; another library can use the type, but not add to it";
  }
}

void MemberWriter::Save() {
  if (unit_ == nullptr || entry_->provisional == unit_ || entry_->saved_by == unit_) return;
  Journal(unit_, MembersChanged{entry_, std::make_unique<const TypeEntry>(*entry_)});
  entry_->saved_by = unit_;
}

std::string_view MemberWriter::NewName(const TainByteArray& given, const char* what) const {
  const std::string_view name = TextOf(given, Key(), what);
  CheckName(name, Key());
  CheckMemberName({*entry_, name}, name);
  const TainTypeRecord& r = entry_->record;
  const char* kind = FindNamed(r.fields, r.num_fields, name)           ? "field"
                     : FindNamed(r.methods, r.num_methods, name)       ? "method"
                     : FindNamed(r.properties, r.num_properties, name) ? "property"
                     : FindNamed(r.constants, r.num_constants, name)   ? "constant"
                                                                       : nullptr;
  if (kind != nullptr) {
    TAIN_THROW(ValueError) << MemberPath{*entry_, name}.Text() << ": the name is already that of a "
                           << kind;
  }
  return name;
}

void MemberWriter::Define(const TainTypeDef& def) {
  TainTypeRecord& record = entry_->record;
  if ((record.def.flags & kTainTypeDefined) != 0) {
    if (unit_ != nullptr) unit_->ignored_types.push_back(entry_->info.type_index);
    TAIN_THROW(ValueError) << entry_->Name() << ": described twice (a second ObjectDef)";
  }
  if ((def.flags & ~kAuthorTypeFlags) != 0) {
    TAIN_THROW(ValueError) << entry_->Name() << ": unknown type flags "
                           << (def.flags & ~kAuthorTypeFlags);
  }
  CheckThreadFlags(def.flags, entry_->Name());
  const int64_t size = record.request.size;
  constexpr int64_t kLimit = int64_t{8} << (32 - kTainHeaderOffsetShift);
  if (def.header_offset < 0 || def.header_offset >= kLimit || def.header_offset % 8 != 0 ||
      (size != 0 && def.header_offset + static_cast<int64_t>(sizeof(TainObject)) > size)) {
    TAIN_THROW(ValueError) << entry_->Name() << ": its header cannot be " << def.header_offset
                           << " bytes into an object of " << size << " bytes";
  }
  const int64_t kind = (def.flags & kTainTypeStructural) >> kTainTypeStructuralShift;
  CheckStructuralKind(*entry_, kind);
  const std::string_view doc = TextOf(def.doc, Key(), "documentation");
  Save();
  record.def = def;
  record.def.doc = registry_.arena.Copy(doc);
  record.def.flags |= kTainTypeDefined;
  AddThreadFlagsOfUnit(unit_, &record.def.flags);
  if (unit_ != nullptr && entry_->owner != unit_) {
    entry_->owner = unit_;
    record.unit_name = registry_.arena.Copy(unit_->name);
    record.unit_file = registry_.arena.Copy(unit_->file);
  }
  if ((def.flags & kTainTypeDestroyWithoutGil) != 0) {
    unlocked_ends_exist.store(true, std::memory_order_relaxed);
  }
  if ((def.flags & kTainTypeHash) != 0) {
    FillKeyColumns(registry_, entry_->info.type_index, true);
  }
  if (entry_->info.metadata == nullptr || kind != kTainStructuralUnspecified) {
    auto* metadata = registry_.arena.New<TainTypeMetadata>();
    metadata->doc = record.def.doc;
    metadata->total_size = static_cast<int32_t>(size);
    if (entry_->info.metadata != nullptr) *metadata = *entry_->info.metadata;
    if (kind != kTainStructuralUnspecified) {
      metadata->structural_eq_hash_kind = static_cast<int32_t>(kind);
    }
    entry_->info.metadata = metadata;
  }
}

void MemberWriter::SetLayout(const void* layout) noexcept { entry_->record.layout = layout; }

void MemberWriter::SetState(const TainTypeState& state) {
  constexpr int64_t kKnown = kTainStatePolymorphic | kTainStateNoPadding;
  if (state.size < 0 || state.mark == nullptr || (state.flags & ~kKnown) != 0) {
    TAIN_THROW(ValueError) << entry_->Name() << ": a description of its state with a size of "
                           << state.size << " bytes and the flags " << state.flags
                           << (state.mark == nullptr ? ", without a function" : "");
  }
  Save();
  auto* copy = registry_.arena.New<TainTypeState>();
  *copy = state;
  entry_->record.state = copy;
}

void MemberWriter::SetMetadata(const TainTypeMetadata& metadata) {
  if (entry_->explicit_metadata) {
    TAIN_THROW(ValueError) << entry_->Name() << ": its metadata is registered twice";
  }
  CheckStructuralKind(*entry_, metadata.structural_eq_hash_kind);
  if (metadata.total_size < 0) {
    TAIN_THROW(ValueError) << entry_->Name() << ": a size of " << metadata.total_size << " bytes";
  }
  const std::string_view doc = TextOf(metadata.doc, Key(), "documentation");
  Save();
  auto* copy = registry_.arena.New<TainTypeMetadata>();
  *copy = metadata;
  copy->doc = registry_.arena.Copy(doc);
  entry_->info.metadata = copy;
  entry_->explicit_metadata = true;
  if (entry_->record.def.doc.size == 0) entry_->record.def.doc = copy->doc;
}

void MemberWriter::AddField(const TainFieldDef& def, Any default_value) {
  const std::string_view name = NewName(def.info.name, "a field's name");
  const MemberPath where{*entry_, name};
  CheckField(*entry_, def, where);
  const std::string_view doc = TextOf(def.info.doc, Key(), "documentation");
  const std::string_view metadata = TextOf(def.info.metadata, Key(), "metadata");
  const std::string_view type = TextOf(def.type, Key(), "a type expression");
  if ((def.info.flags & kTainFieldHasDefault) != 0) {
    CheckFieldDefault(registry_, def, default_value.data(), where);
  }
  Save();
  Arena& arena = registry_.arena;
  auto* field = arena.New<TainFieldDef>();
  *field = def;
  field->info.name = arena.Copy(name);
  field->info.doc = arena.Copy(doc);
  field->type = arena.Copy(type);
  PlaceArrays(arena, unit_, {&field->type, nullptr}, (def.info.flags & kTainFieldAsNumpy) != 0);
  field->info.metadata = metadata.empty() ? SchemaOfField(type) : arena.Copy(metadata);
  field->declaring_type = entry_->info.type_index;
  field->info.default_value_or_factory = TainAny{};
  if ((def.info.flags & kTainFieldHasDefault) != 0) {
    field->info.default_value_or_factory = registry_.Keep(std::move(default_value));
  }
  if ((def.info.flags & kTainFieldSetterIsFunction) != 0) {
    registry_.KeepObject(static_cast<TainObject*>(def.info.setter));
  }
  TainTypeInfo& info = entry_->info;
  AppendRecord(arena, info.fields, info.num_fields, entry_->capacity.abi_fields, field->info);
  TainTypeRecord& record = entry_->record;
  AppendRecord<const TainFieldDef*>(arena, record.fields, record.num_fields,
                                    entry_->capacity.fields, field);
}

void MemberWriter::CheckMethod(const TainMethodDef& def, std::string_view name) const {
  const TainMethodInfo& info = def.info;
  const MemberPath where{*entry_, name};
  if ((info.flags & ~int64_t{kTainMethodStatic}) != 0) {
    TAIN_THROW(ValueError) << where.Text() << ": unknown flags " << info.flags << " of a method";
  }
  if (info.method.type_index != kTainFunction || info.method.v_obj == nullptr) {
    TAIN_THROW(TypeError) << where.Text() << ": expected a Function, got "
                          << NameOfValueType(registry_, info.method);
  }
  TextOf(info.doc, Key(), "documentation");
  TextOf(info.metadata, Key(), "metadata");
}

void MemberWriter::AddMethod(const TainMethodDef& def) {
  const std::string_view name = NewName(def.info.name, "a method's name");
  CheckMethod(def, name);
  Save();
  Arena& arena = registry_.arena;
  const TainMethodDef* method = NewMethod(def);
  TainTypeInfo& abi = entry_->info;
  AppendRecord(arena, abi.methods, abi.num_methods, entry_->capacity.abi_methods, method->info);
  TainTypeRecord& record = entry_->record;
  AppendRecord<const TainMethodDef*>(arena, record.methods, record.num_methods,
                                     entry_->capacity.methods, method);
  if (name == "__hash__") FillKeyColumns(registry_, entry_->info.type_index, true);
}

void MemberWriter::AddOrReplaceMethod(const TainMethodDef& def) {
  const std::string_view name = TextOf(def.info.name, Key(), "a method's name");
  const TainTypeRecord& record = entry_->record;
  if (!FindNamed(record.methods, record.num_methods, name)) return AddMethod(def);
  CheckMethod(def, name);
  const TainAny before = ReplaceMethod(def);
  ReplaceAttr(registry_, *entry_, name, before, Any(AnyView(def.info.method)), unit_);
}

TainMethodDef* MemberWriter::NewMethod(const TainMethodDef& def) {
  Arena& arena = registry_.arena;
  auto* method = arena.New<TainMethodDef>();
  *method = def;
  method->call = TainFunctionGetInfo(def.info.method.v_obj);
  method->info.name = arena.Copy(View(def.info.name));
  method->info.doc = arena.Copy(View(def.info.doc));
  const std::string_view metadata = View(def.info.metadata);
  method->info.metadata = metadata.empty() ? SchemaOfMethod(method->call) : arena.Copy(metadata);
  method->info.method = registry_.Keep(Any(AnyView(def.info.method)));
  method->declaring_type = entry_->info.type_index;
  return method;
}

TainAny MemberWriter::ReplaceMethod(const TainMethodDef& def) {
  TainTypeRecord& record = entry_->record;
  TainTypeInfo& abi = entry_->info;
  const std::string_view name = View(def.info.name);
  int32_t at = 0;
  while (at < record.num_methods && View(record.methods[at]->info.name) != name) ++at;
  if (at == record.num_methods) {
    TAIN_THROW(ValueError) << MemberPath{*entry_, name}.Text() << ": there is no such method";
  }
  Save();
  // Code that reads the present arrays keeps reading them.
  const auto count = static_cast<size_t>(record.num_methods);
  auto** methods = registry_.arena.NewArray<const TainMethodDef*>(count);
  auto* infos = registry_.arena.NewArray<TainMethodInfo>(count);
  std::copy_n(record.methods, count, methods);
  std::copy_n(abi.methods, count, infos);
  const TainAny before = methods[at]->info.method;
  methods[at] = NewMethod(def);
  infos[at] = methods[at]->info;
  entry_->capacity.methods = entry_->capacity.abi_methods = record.num_methods;
  PublishArray<const TainMethodDef* const>(record.methods, record.num_methods, methods,
                                           record.num_methods);
  PublishArray<const TainMethodInfo>(abi.methods, abi.num_methods, infos, abi.num_methods);
  return before;
}

void MemberWriter::AddProperty(const TainPropertyDef& def) {
  const std::string_view name = NewName(def.name, "a property's name");
  const MemberPath where{*entry_, name};
  CheckFunction(def.getter, where.Text(), "a getter");
  if (def.setter != nullptr) {
    CheckFunction(def.setter, where.Text(), "a setter");
    if ((entry_->record.def.flags & kTainTypeFrozen) != 0) {
      TAIN_THROW(TypeError) << where.Text() << ": a setter, but the type is frozen";
    }
  }
  const std::string_view doc = TextOf(def.doc, Key(), "documentation");
  const std::string_view type = TextOf(def.type, Key(), "a type expression");
  Save();
  Arena& arena = registry_.arena;
  auto* property = arena.New<TainPropertyDef>();
  *property = def;
  property->name = arena.Copy(name);
  property->doc = arena.Copy(doc);
  property->type = arena.Copy(type);
  PlaceArrays(arena, unit_, {&property->type, nullptr}, false);
  property->declaring_type = entry_->info.type_index;
  for (TainObject* function : {def.getter, def.setter}) {
    if (function != nullptr) registry_.KeepObject(function);
  }
  TainTypeRecord& record = entry_->record;
  AppendRecord<const TainPropertyDef*>(arena, record.properties, record.num_properties,
                                       entry_->capacity.properties, property);
}

void MemberWriter::AddConstant(const TainConstantDef& def, Any value) {
  const std::string_view name = NewName(def.name, "a constant's name");
  const std::string_view doc = TextOf(def.doc, Key(), "documentation");
  Save();
  Arena& arena = registry_.arena;
  auto* constant = arena.New<TainConstantDef>();
  constant->name = arena.Copy(name);
  constant->doc = arena.Copy(doc);
  constant->value = registry_.Keep(std::move(value));
  TainTypeRecord& record = entry_->record;
  AppendRecord<const TainConstantDef*>(arena, record.constants, record.num_constants,
                                       entry_->capacity.constants, constant);
}

void MemberWriter::SetConstructor(TainObject* function,
                                  decltype(TainTypeDef::construct) construct) {
  CheckFunction(function, entry_->Name(), "a constructor");
  if (entry_->record.constructor != nullptr) {
    TAIN_THROW(ValueError) << entry_->Name() << ": has two constructors";
  }
  ReplaceConstructor(function, construct);
}

void MemberWriter::ReplaceConstructor(TainObject* function,
                                      decltype(TainTypeDef::construct) construct) {
  TainTypeRecord& record = entry_->record;
  Save();
  registry_.KeepObject(function);
  record.constructor = function;
  record.def.construct = construct;
}

TainByteArray MemberWriter::SchemaOfField(std::string_view type) {
  if (type.empty()) return {"", 0};
  const auto it = registry_.field_schemas.find(type);
  if (it != registry_.field_schemas.end()) return it->second;
  const TainByteArray key = registry_.arena.Copy(type);
  const TainByteArray text = registry_.arena.Copy(FieldMetadata(type));
  registry_.field_schemas.emplace(View(key), text);
  return text;
}

TainByteArray MemberWriter::SchemaOfMethod(const TainFunctionInfo* call) {
  if (call == nullptr) return {"", 0};
  std::vector<std::string_view> parts;
  std::string receiver;
  if ((call->flags & kTainCallPacked) == 0) {
    const auto add = [&](const TainByteArray& type) {
      parts.push_back(View(SchemaOfField(type.size == 0 ? "Any" : View(type))));
    };
    add(call->return_type);
    if ((call->flags & kTainCallMethod) != 0) {
      receiver = KeyMetadata(entry_->key());
      parts.push_back(receiver);
    }
    for (int32_t i = 0; i < call->num_args; ++i) add(call->args[i].type);
  }
  return registry_.arena.Copy(FunctionMetadata(parts));
}

int32_t StaticIndexOf(const TainFieldDef& def) noexcept {
  switch (def.kind) {
    case kTainFieldBool: return kTainBool;
    case kTainFieldFloat32:
    case kTainFieldFloat64: return kTainFloat;
    case kTainFieldString: return kTainStr;
    case kTainFieldObject: return def.object_type_index;
    default:
      return IsIntKind(def.kind) ? static_cast<int32_t>(kTainInt) : static_cast<int32_t>(kTainAny);
  }
}

}  // namespace tain::internal
