// SPDX-License-Identifier: Apache-2.0
// The C functions that return indices of types, and the records of types.

#include "base/guard.h"
#include "base/shared_file.h"
#include "registry/registry.h"
#include "registry/unit.h"

namespace tain::internal {
namespace {

/// Returns the index for a request of the C functions; `caller` identifies a library without a
/// record.
int32_t RequestOrDead(const TainTypeRequest& request, const void* caller) noexcept {
  Registry& registry = Registry::Default();
  const std::string_view key = request.key.data == nullptr ? std::string_view() : View(request.key);
  Unit* unit = nullptr;
  try {
    unit = CurrentUnit(request.unit);
    return registry.RequestType(request, unit);
  } catch (const std::exception& error) {
    try {
      if (unit == nullptr) unit = UnknownUnit(FileOfAddress(caller));
      RecordFault(unit, error.what());
      return registry.AddDeadType(key);
    } catch (...) {
      return kTainObject;  // no memory: it is certainly an object
    }
  }
}

}  // namespace
}  // namespace tain::internal

using namespace tain::internal;

extern "C" int32_t TainTypeRequestIndex(const TainTypeRequest* request) noexcept {
  static constexpr TainTypeRequest kNothing{};
  return RequestOrDead(request == nullptr ? kNothing : *request, TAIN_CALLER());
}

extern "C" int32_t TainTypeGetOrAllocIndex(const TainByteArray* type_key, int32_t static_index,
                                           int32_t depth, int32_t num_child_slots,
                                           int32_t child_slots_can_overflow,
                                           int32_t parent_index) noexcept {
  constexpr int32_t kOnlyAsks = -2;
  TainTypeRequest request{};
  if (type_key != nullptr) request.key = *type_key;
  if (parent_index == kOnlyAsks) {
    return request.key.data == nullptr ? kOnlyAsks : KnownIndex(View(request.key), kOnlyAsks);
  }
  request.static_index = static_index;
  request.parent = parent_index;
  request.depth = depth;
  request.child_slots = num_child_slots;
  request.child_slots_can_overflow = child_slots_can_overflow;
  return RequestOrDead(request, TAIN_CALLER());
}

extern "C" int TainTypeKeyToIndex(const TainByteArray* type_key, int32_t* out) noexcept {
  return Guard([&] {
    const std::string_view key = TextOf(type_key, "TainTypeKeyToIndex", "a key");
    int32_t& result = NotNull(out, "TainTypeKeyToIndex", "a place for the result");
    LoadScope::BeforeLookUp();
    constexpr int32_t kUnknown = -1;
    const int32_t index = KnownIndex(key, kUnknown);
    if (index == kUnknown) TAIN_THROW(ValueError) << "no type is registered as " << key;
    result = index;
  });
}

extern "C" const TainTypeInfo* TainGetTypeInfo(int32_t type_index) noexcept {
  const TypeEntry* entry = Registry::Default().types.Find(type_index);
  return entry == nullptr ? nullptr : &entry->info;
}

extern "C" const TainTypeRecord* TainGetTypeRecord(int32_t type_index) noexcept {
  const TypeEntry* entry = Registry::Default().types.Find(type_index);
  return entry == nullptr ? nullptr : &entry->record;
}

extern "C" int TainTypeIsInstance(int32_t type_index, int32_t parent) noexcept {
  return Registry::Default().types.IsInstance(type_index, parent) ? 1 : 0;
}

extern "C" int TainListTypeKeys(int (*visit)(const TainByteArray* key, int32_t type_index,
                                             void* context),
                                void* context) noexcept {
  return Guard([&] {
    NotNull(visit, "TainListTypeKeys", "a function");
    std::vector<std::pair<TainByteArray, int32_t>> keys;  // never freed
    Registry& registry = Registry::Default();
    {
      std::shared_lock lock(registry.mutex);
      for (int32_t i = kTainStaticObjectBegin; i < registry.types.end(); ++i) {
        const TypeEntry* entry = registry.types.Find(i);
        if (entry == nullptr || registry.types.FindKey(entry->key()) != entry) continue;
        keys.emplace_back(entry->info.type_key, i);
      }
      for (const auto& [key, entry] : registry.enums) keys.emplace_back(entry.info->key, -1);
    }
    for (const auto& [key, index] : keys) {
      if (visit(&key, index, context) != 0) return;
    }
  });
}

extern "C" uint64_t TainRegistryGeneration(void) noexcept {
  return Registry::Default().generation.load(std::memory_order_acquire);
}
