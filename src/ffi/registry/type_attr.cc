// SPDX-License-Identifier: Apache-2.0
// Attribute columns: one value per type and name, in memory that libraries cache and read directly.
#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/guard.h"
#include "registry/key_functions.h"
#include "registry/registry.h"
#include "registry/unit.h"
#include "tain/internal/value_ops.h"

namespace tain::internal {
namespace {

/// The columns that exist before any library is loaded, because libraries also cache absent
/// columns.
constexpr const char* kBuiltinColumns[] = {"__ffi_new__",
                                           "__ffi_init__",
                                           "__ffi_convert__",
                                           "__ffi_shallow_copy__",
                                           "__ffi_repr__",
                                           "__ffi_hash__",
                                           "__ffi_eq__",
                                           "__ffi_compare__",
                                           "__any_hash__",
                                           "__any_equal__",
                                           "__s_equal__",
                                           "__s_hash__",
                                           "__s_visit__",
                                           "__s_mutate__",
                                           "__s_maybe_inplace_mutate__",
                                           "__data_to_json__",
                                           "__data_from_json__",
                                           "__ffi_enum__",
                                           "__ffi_type_final__",
                                           "__ffi_convert_type_schema__"};

TainTypeAttrColumn* FindOrAddColumn(Registry& registry, std::string_view name) {
  const auto it = registry.attrs.find(name);
  if (it != registry.attrs.end()) return it->second;
  auto* column = registry.arena.New<TainTypeAttrColumn>();
  registry.attrs.emplace(std::string(name), column);
  return column;
}

/// Returns the slot of a type, for which it makes room. The data moves to a larger array. The old
/// array is kept, because readers may still use it. The data is published before the size.
TainAny& SlotOf(Registry& registry, TainTypeAttrColumn& column, int32_t type_index) {
  const int32_t at = type_index - column.begin_index;
  if (at < column.size) return const_cast<TainAny&>(column.data[at]);
  const int32_t size = std::max({at + 1, column.size * 2, 2 * kTainDynObjectBegin});
  auto* larger = registry.arena.NewArray<TainAny>(static_cast<size_t>(size));
  std::copy_n(column.data, column.size, larger);
  std::atomic_ref<const TainAny*>(column.data).store(larger, std::memory_order_release);
  std::atomic_ref<int32_t>(column.size).store(size, std::memory_order_release);
  return larger[at];
}

/// Stores a value for readers without a lock: the payload before the type.
void StoreAny(TainAny& slot, const TainAny& value) noexcept {
  slot.v_uint64 = value.v_uint64;
  slot.zero_padding = value.zero_padding;
  std::atomic_ref<int32_t>(slot.type_index).store(value.type_index, std::memory_order_release);
}

bool IsSame(const TainAny& a, const TainAny& b) noexcept {
  return a.type_index == b.type_index && a.zero_padding == b.zero_padding &&
         a.v_uint64 == b.v_uint64;
}

void StoreInColumn(Registry& registry, TypeEntry& entry, TainTypeAttrColumn& column, Any value,
                   Unit* unit) {
  const int32_t type_index = entry.info.type_index;
  TainAny& slot = SlotOf(registry, column, type_index);
  if (unit != nullptr && entry.provisional != unit) {
    Journal(unit, AttrSet{&column, type_index, slot});
  }
  StoreAny(slot, registry.Keep(std::move(value)));
  entry.Changed();
}

void SetAttr(int32_t type_index, std::string_view name, Any value, Unit* unit) {
  Registry& registry = Registry::Default();
  std::unique_lock lock(registry.mutex);
  TypeEntry* entry = registry.types.Registered(type_index);
  if (entry->dead() || (unit != nullptr && unit->refused)) return;
  TainTypeAttrColumn* column = FindOrAddColumn(registry, name);
  if (type_index == 0) return;
  const TainAny& slot = SlotOf(registry, *column, type_index);
  if (IsSame(slot, value.data())) return;
  if (slot.type_index != kTainNone && !IsKeyFunction(slot)) {  // the author's come first
    TAIN_THROW(ValueError) << entry->Name() << ": the attribute " << name << " is already set";
  }
  StoreInColumn(registry, *entry, *column, std::move(value), unit);
}

void FillKeyColumn(Registry& registry, const char* name, int32_t type_index,
                   const TainAny& function) {
  TainAny& slot = SlotOf(registry, *FindOrAddColumn(registry, name), type_index);
  if (slot.type_index == kTainNone) StoreAny(slot, function);
}

void FillKeyColumnsOf(Registry& registry, int32_t type_index) {
  const KeyFunctions& functions = GetKeyFunctions();
  FillKeyColumn(registry, "__any_hash__", type_index, functions.hash.data());
  FillKeyColumn(registry, "__any_equal__", type_index, functions.equal.data());
}

}  // namespace

void ReplaceAttr(Registry& registry, TypeEntry& entry, std::string_view name, const TainAny& before,
                 Any after, Unit* unit) {
  const auto it = registry.attrs.find(name);
  if (it == registry.attrs.end()) return;
  TainTypeAttrColumn& column = *it->second;
  const int32_t at = entry.info.type_index - column.begin_index;
  if (at < 0 || at >= column.size || !IsSame(column.data[at], before)) return;
  StoreInColumn(registry, entry, column, std::move(after), unit);
}

void FillKeyColumns(Registry& registry, int32_t type_index, bool with_children) {
  FillKeyColumnsOf(registry, type_index);
  if (!with_children) return;
  for (int32_t index = type_index + 1; index < registry.types.end(); ++index) {
    if (registry.types.IsInstance(index, type_index)) FillKeyColumnsOf(registry, index);
  }
}

void InheritKeyColumns(Registry& registry, int32_t type_index, int32_t parent) {
  if (parent < kTainDynObjectBegin) return;
  const TainTypeAttrColumn* column = FindOrAddColumn(registry, "__any_hash__");
  const int32_t offset = parent - column->begin_index;
  if (offset >= column->size || !IsKeyFunction(column->data[offset])) return;
  FillKeyColumnsOf(registry, type_index);
}

void FillKeyColumns(int32_t type_index, bool with_children) {
  Registry& registry = Registry::Default();
  std::unique_lock lock(registry.mutex);
  FillKeyColumns(registry, type_index, with_children);
}

void AddBuiltinAttrs(Registry& registry) {
  for (const char* name : kBuiltinColumns) FindOrAddColumn(registry, name);
}

}  // namespace tain::internal

using namespace tain::internal;
using tain::Any;
using tain::AnyView;

extern "C" int TainTypeRegisterAttr(int32_t type_index, const TainByteArray* name,
                                    const TainAny* value) noexcept {
  return GuardRegistration([&](Unit* unit) {
    const std::string_view text = TextOf(name, "TainTypeRegisterAttr", "a name");
    CheckName(text, "type attribute");
    const bool column_only = type_index == 0;
    const TainAny none{};
    const TainAny& given = column_only ? none : NotNull(value, "TainTypeRegisterAttr", "a value");
    if (given.type_index == kTainRValueRef ||
        (given.type_index >= kTainStaticObjectBegin && given.v_obj == nullptr)) {
      TAIN_THROW(TypeError) << "type attribute " << text << ": expected a value, got null";
    }
    SetAttr(type_index, text, Any(AnyView(given)), unit);
  });
}

extern "C" const TainTypeAttrColumn* TainGetTypeAttrColumn(const TainByteArray* name) noexcept {
  if (name == nullptr || name->data == nullptr) return nullptr;
  return Registered(&Registry::attrs, View(*name));
}
