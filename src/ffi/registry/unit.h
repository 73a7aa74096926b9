// SPDX-License-Identifier: Apache-2.0
// Units: record which library registered what, so that it can be withdrawn, and its faults.
//
// A unit is one library, identified by the TainUnit record compiled into it. Its registrations are
// written to its journal until they are committed: at the end of the load, or at the next look-up
// if the library was loaded in another way. If there are faults, they are withdrawn instead.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "registry/registry.h"
#include "registry/unit_table.h"

namespace tain::internal {

/// A block of registrations, and its place: RunRegistrationAt.
struct Registration {
  const TainUnit* unit;
  void (*body)();
  const char* file;
  int line;
};

/// The running load of a library on a thread.
class LoadScope : NotCopied {
 public:
  /// `file` is the name that the user gave; `opened` is the name that the loader gets.
  LoadScope(std::string file, std::string opened);
  ~LoadScope();

  /// From now until RunDeferred, registration code does not run: the loader runs static initializers
  /// with its lock, and registration code may wait for the host's, which another thread has that
  /// waits for the loader.
  void DeferRegistrations() noexcept { defers_ = true; }
  /// Takes over registration code of a unit; false if the caller must run it.
  bool Defer(const Registration& registration) noexcept;
  /// Runs what was taken over, in its order, and defers no more.
  void RunDeferred() noexcept;
  /// Lets a static initializer that looks for a name find what its library has registered before.
  static void BeforeLookUp() noexcept;

  /// Commits the registrations, or withdraws them and returns the text of the ImportError.
  std::string Finish();

  static LoadScope* Current() noexcept;
  /// Makes the unit a part of this load.
  void Enroll(Unit* unit);
  /// Returns the unit of libraries that have no record.
  Unit* Anonymous();
  uint64_t number() const noexcept { return number_; }
  /// Whether the load committed a registration. Asked after Finish.
  bool registered() const noexcept;
  /// Returns the user's name of a file that the loader reports.
  std::string UserFile(const std::string& reported) const {
    return reported == opened_ ? file_ : reported;
  }

 private:
  std::string file_;
  std::string opened_;
  uint64_t number_;
  std::vector<Unit*> units_;
  std::vector<Registration> deferred_;
  bool defers_ = false;
  Unit* anonymous_ = nullptr;
  LoadScope* outer_;
};

/// Returns the unit of a registration: that of `record`, else the unit that is open on the thread,
/// else that of the running load, else null. Takes the registry's lock.
Unit* CurrentUnit(const TainUnit* record = nullptr);

/// Calls `note(unit)` under the registry's lock, if the registration has a unit.
template <class F>
void NoteInUnit(const TainUnit* record, F&& note) {
  Unit* unit = CurrentUnit(record);
  const std::unique_lock lock(Registry::Default().mutex);
  if (unit != nullptr) note(*unit);
}
/// Returns the unit for faults of a library that has no record, by its file.
Unit* UnknownUnit(const std::string& file);

/// Records a fault of `unit`.
void RecordFault(Unit* unit, std::string_view message);

/// Records that the library of `record` calls a virtual method of a type, until FindUnlisted.
void NoteCalledVirtual(const TainUnit* record, int32_t type_index, std::string_view name);
/// Adds to the faults of a unit which file describes the types that were not described yet. Needs the
/// registry's lock.
void ExplainUndescribed(Unit* unit);
/// Notes that a method or property of a type is a fault, so that it is not missed too.
void NoteRefusedMember(const TainUnit* record, int32_t type_index, const char* name) noexcept;

/// Records a fault for each virtual method that the unit calls and no def_virtual registers,
/// because no override of it could be called. Needs the registry's lock.
void FindUnlisted(const Registry& registry, Unit* unit);

/// Records the faults of the exception classes of the unit that only the whole load shows: of their
/// keys and parents. Needs the registry's lock.
void CheckErrorClasses(const Registry& registry, Unit* unit);

/// Commits or withdraws what was registered outside of a load; throws the ImportError.
void RaisePendingFaults();

/// The two parts of InOwnUnit.
Unit* OpenOwnUnit(const TainByteArray& name, const TainByteArray& file);
void SettleOwnUnit(Unit* unit);

/// Commits the units, or withdraws all of them if one has faults. Returns the text of the
/// ImportError, empty if there are no faults. Takes the lock.
std::string SettleUnits(Registry& registry, const std::vector<Unit*>& units);

/// Runs `body(unit)` in a new unit. Its registrations are committed, or withdrawn if it throws, and
/// the exception passes through. A unit of the same name may define the same keys again.
template <class F>
inline void InOwnUnit(const TainByteArray& name, const TainByteArray& file, F&& body) {
  Unit* unit = OpenOwnUnit(name, file);
  try {
    body(unit);
  } catch (...) {
    RecordFault(unit, "the definition failed");
    SettleOwnUnit(unit);
    throw;
  }
  SettleOwnUnit(unit);
}

/// Handles the exception of a registration. It becomes a fault of its unit, or of the library whose
/// static initializer is running, whose caller would terminate; then the result is 0. Otherwise it
/// becomes the thread's raised error, and the result is -1. Call it inside catch.
int RegistrationFailed(Unit* unit) noexcept;

/// Runs a registration. If a unit is open, a mistake is recorded as its fault and the result is 0:
/// the running load or the next look-up raises it. Otherwise it is raised here.
template <class F>
inline int GuardRegistration(F&& body) noexcept {
  Unit* unit = nullptr;
  try {
    unit = CurrentUnit();
    body(unit);
    return 0;
  } catch (...) {
    return RegistrationFailed(unit);
  }
}

}  // namespace tain::internal
