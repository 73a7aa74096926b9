// SPDX-License-Identifier: Apache-2.0
// Units: who registers, what can be taken back, and what went wrong.
//
// A unit is one library, known by the TainUnit record compiled into it. Whatever it registers is
// written to its journal until it is committed: at the end of the load, or, for a library that came
// by another way, at the next look-up. If there are faults, the journal is undone instead.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "registry/unit_table.h"

namespace tain::internal {

class Registry;

/// The library load that is under way on a thread.
class LoadScope {
 public:
  /// `file` is what the user asked for, `opened` what is given to the loader.
  LoadScope(std::string file, std::string opened);
  ~LoadScope();
  LoadScope(const LoadScope&) = delete;
  LoadScope& operator=(const LoadScope&) = delete;

  /// Commits what was registered, or withdraws it and returns the text of the ImportError.
  std::string Finish();

  static LoadScope* Current() noexcept;
  /// Makes the unit part of this load.
  void Enroll(Unit* unit);
  /// The unit of libraries that have no record.
  Unit* Anonymous();
  uint64_t number() const noexcept { return number_; }
  /// The user's name of a file that the loader reports.
  std::string UserFile(const std::string& reported) const {
    return reported == opened_ ? file_ : reported;
  }

 private:
  std::string file_;
  std::string opened_;
  uint64_t number_;
  std::vector<Unit*> units_;
  Unit* anonymous_ = nullptr;
  LoadScope* outer_;
};

/// The unit that a registration belongs to: that of `record`, else the one that is open on the
/// thread, else that of the load under way, else null. Takes the registry's lock.
Unit* CurrentUnit(const TainUnit* record = nullptr);

/// The unit to blame for a mistake of a library that has no record, by its file.
Unit* UnknownUnit(const std::string& file);

/// Records a mistake of `unit`.
void RecordFault(Unit* unit, std::string_view message);

/// Remembers that the library of `record` calls a virtual method of a type, until FindUnlisted.
void NoteCalledVirtual(const TainUnit* record, int32_t type_index, std::string_view name);

/// Records a fault for each method that the unit calls and that no override can reach, because
/// nobody lists it. Needs the registry's lock.
void FindUnlisted(const Registry& registry, Unit* unit);

/// Commits or withdraws what came outside of a load; throws the ImportError.
void RaisePendingFaults();

/// The parts of InOwnUnit.
Unit* OpenOwnUnit(const TainByteArray& name, const TainByteArray& file);
void SettleOwnUnit(Unit* unit);

/// Commits the units, or withdraws all of them if one has faults. Returns the text of the
/// ImportError, empty if there were no faults. Takes the lock.
std::string SettleUnits(Registry& registry, const std::vector<Unit*>& units);

/// Runs `body(unit)` in a new unit: what it registers is committed, or taken back if it throws, and
/// the exception goes on. A unit of the same name may define the same keys again.
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

/// What becomes of the exception that a registration threw: a fault of its unit, or of the library
/// whose static initializer runs, where whoever called would terminate; the result is 0 then. Else
/// the thread's raised error, and -1. Call inside catch.
int RegistrationFailed(Unit* unit) noexcept;

/// Runs a registration. A mistake is recorded with the unit that is open, and the result is 0: the
/// load that is under way, or the next look-up, raises it. Without a unit it is raised here.
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
