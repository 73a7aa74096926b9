// SPDX-License-Identifier: Apache-2.0
// Which calls threads may make at the same time; see thread_rules.h.
#include "registry/thread_rules.h"

#include "base/guard.h"
#include "registry/registration.h"
#include "registry/unit.h"
#include "tain/reflection/library_def.h"

namespace tain::internal {

void CheckThreadFlags(const TainFunctionInfo& info, const std::string& where) {
  if (!LocksReceiver(&info)) return;
  if (IsThreadSafe(&info)) {
    TAIN_THROW(ValueError) << where << ": lock_receiver() and "
                           << (ReleasesGil(&info) ? "release_gil()" : "thread_safe()")
                           << " exclude each other: say one of them";
  }
  if ((info.flags & kTainCallMethod) == 0) {
    TAIN_THROW(ValueError) << where << ": lock_receiver() is for methods and properties, and this "
                           << "function has no receiver: say thread_safe(), or nothing";
  }
}

void CheckThreadFlags(int64_t type_flags, const std::string& where) {
  if ((type_flags & kTainTypeThreadSafe) != 0 && (type_flags & kTainTypeLockReceiver) != 0) {
    TAIN_THROW(ValueError) << where
                           << ": lock_receiver() and thread_safe() exclude each other: say one of "
                           << "them, and the other one at the methods that differ";
  }
}

void AddThreadFlagsOfType(int32_t type_index, int32_t* flags) noexcept {
  const TainTypeRecord* record = TainGetTypeRecord(type_index);
  if (record == nullptr || (*flags & kThreadFlags) != 0) return;
  if ((record->def.flags & kTainTypeThreadSafe) != 0) *flags |= kTainCallThreadSafe;
  const bool has_receiver = (*flags & kTainCallMethod) != 0;
  if (has_receiver && (record->def.flags & kTainTypeLockReceiver) != 0) {
    *flags |= kTainCallLockReceiver;
  }
}

void AddThreadFlagsOfUnit(Unit* unit, int32_t* call_flags) {
  if (unit == nullptr || (*call_flags & kThreadFlags) != 0) return;
  if (unit->thread_safe) {
    *call_flags |= kTainCallThreadSafe;
  } else {
    unit->silent_calls.push_back(call_flags);
  }
}

void AddThreadFlagsOfUnit(Unit* unit, int64_t* type_flags) {
  constexpr int64_t kSaid = kTainTypeThreadSafe | kTainTypeLockReceiver;
  if (unit == nullptr || (*type_flags & kSaid) != 0) return;
  if (unit->thread_safe) {
    *type_flags |= kTainTypeThreadSafe;
  } else {
    unit->silent_types.push_back(type_flags);
  }
}

void SetLibraryThreadSafe(const TainUnit* record) noexcept {
  FaultsInUnit(record, "LibraryDef", [&] {
    NoteInUnit(record, [](Unit& unit) {
      unit.thread_safe = true;
      for (int32_t* flags : unit.silent_calls) *flags |= kTainCallThreadSafe;
      for (int64_t* flags : unit.silent_types) *flags |= kTainTypeThreadSafe;
      unit.silent_calls.clear();
      unit.silent_types.clear();
    });
  });
}

}  // namespace tain::internal
