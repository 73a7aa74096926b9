// SPDX-License-Identifier: Apache-2.0
// What is remembered of classes written in Python; see noted_classes.h.
#include "objects/noted_classes.h"

#include "base/bridge_lock.h"

namespace tain::bindings {
namespace {

std::atomic<uint32_t>& RecentSet(const PyTypeObject* type) noexcept {
  return OverrideSets().recent[(reinterpret_cast<uintptr_t>(type) >> 6) & 63];
}

/// Returns the entry of a class that is one of the recent ones; else null. Needs no lock.
OverrideSetOwner* RecentOwner(const PyTypeObject* type) noexcept {
  OverrideSetOwner* owners = OverrideSets().owners.load(std::memory_order_acquire);
  if (TAIN_UNLIKELY(owners == nullptr)) return nullptr;
  OverrideSetOwner* owner = owners + RecentSet(type).load(std::memory_order_relaxed);
  return TAIN_LIKELY(owner->type.load(std::memory_order_acquire) == type) ? owner : nullptr;
}

}  // namespace

uint32_t VersionOfNames(PyTypeObject* type, [[maybe_unused]] uint32_t before) noexcept {
  const uint32_t version = VersionOf(type);
#ifdef Py_GIL_DISABLED
  if (version != before) return 0;  // another thread may have changed the class meanwhile
#endif
  return version;
}

uint32_t OverrideSetOf(PyTypeObject* type) noexcept {
  if (const uint32_t index = RecentSetOf(type)) return index;
  const BridgeLock lock;
  const auto& known = OverrideSets().index_of;
  const auto found = known.find(type);
  if (found == known.end()) return kTainOverrideSetAsk;
  RecentSet(type).store(found->second, std::memory_order_relaxed);
  return found->second;
}

uint32_t RecentSetOf(const PyTypeObject* type) noexcept {
  const OverrideSetOwner* owner = RecentOwner(type);
  return TAIN_LIKELY(owner != nullptr) ? static_cast<uint32_t>(owner - &OwnerAt(0)) : 0;
}

ClassRecord* NotedRecordOf(PyTypeObject* type) noexcept {
  const OverrideSetOwner* owner = RecentOwner(type);
  if (TAIN_UNLIKELY(owner == nullptr)) return nullptr;
  const uint32_t version = owner->version_of_record.load(std::memory_order_acquire);
  if (TAIN_UNLIKELY(version == 0 || version != VersionOf(type))) return nullptr;
  return owner->record.load(std::memory_order_relaxed);
}

void NoteRecordOf(PyTypeObject* type, ClassRecord* record, uint32_t before) noexcept {
  if (OverrideSetOf(type) == kTainOverrideSetAsk) return;
  if (before == 0) ClassMember(type, GetState().names.init);  // gives the class a version
  OverrideSetOwner* owner = RecentOwner(type);
  owner->version_of_record.store(0, std::memory_order_relaxed);
  owner->record.store(record, std::memory_order_release);
  owner->version_of_record.store(VersionOfNames(type, before), std::memory_order_release);
}

void ForgetRecordOf(PyTypeObject* type) noexcept {
  if (OverrideSetOf(type) == kTainOverrideSetAsk) return;
  RecentOwner(type)->version_of_record.store(0, std::memory_order_release);
}

bool NeedsNothingNoted(PyTypeObject* type) noexcept {
  const OverrideSetOwner* owner = RecentOwner(type);
  if (TAIN_UNLIKELY(owner == nullptr)) return false;
  const uint32_t version = owner->version_of_nothing.load(std::memory_order_acquire);
  return version != 0 && version == VersionOf(type);
}

void NoteNeedsNothing(PyTypeObject* type, uint32_t before) noexcept {
  if (OverrideSetOf(type) == kTainOverrideSetAsk) return;
  RecentOwner(type)->version_of_nothing.store(VersionOfNames(type, before),
                                              std::memory_order_release);
}

}  // namespace tain::bindings
