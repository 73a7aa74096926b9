// SPDX-License-Identifier: Apache-2.0
// The scope of a registration, which opens its unit and turns mistakes into faults of the unit.
#pragma once

#include <string_view>

#include "tain/internal/type_builder.h"

namespace tain::internal {

/// Opens a unit for the calling thread for a scope.
class UnitScope : NotCopied {
 public:
  explicit UnitScope(const TainUnit* unit) noexcept
      : unit_(unit), entered_(TainUnitEnter(unit) == 0) {}
  ~UnitScope() {
    if (entered_) TainUnitLeave(unit_);
  }
  /// False for a library that was compiled for another version of tain; it registers nothing.
  explicit operator bool() const noexcept { return entered_; }

 private:
  const TainUnit* unit_;
  bool entered_;
};

/// Records the exception that is being handled as a fault of the unit. Call it inside catch.
void FaultFromException(const TainUnit* unit, std::string_view where) noexcept;

/// Runs `body`. An exception becomes a fault of the unit whose text begins with `where`, unless the
/// text does already.
template <class F>
inline bool FaultsOf(const TainUnit* unit, std::string_view where, F&& body) noexcept {
  try {
    body();
    return true;
  } catch (...) {
    FaultFromException(unit, where);
    return false;
  }
}

/// The same in the scope of the unit; does nothing if that cannot be opened.
template <class F>
inline bool FaultsInUnit(const TainUnit* unit, std::string_view where, F&& body) noexcept {
  const UnitScope scope(unit);
  return scope && FaultsOf(unit, where, body);
}

}  // namespace tain::internal
