// SPDX-License-Identifier: Apache-2.0
// A registration: the scope of its unit, and how a mistake becomes a fault of it.
#pragma once

#include <string_view>

#include "tain/reflection/info.h"

namespace tain::internal {

/// Opens a unit for the calling thread as long as it lives.
class UnitScope {
 public:
  explicit UnitScope(const TainUnit* unit) noexcept
      : unit_(unit), entered_(TainUnitEnter(unit) == 0) {}
  ~UnitScope() {
    if (entered_) TainUnitLeave(unit_);
  }
  UnitScope(const UnitScope&) = delete;
  UnitScope& operator=(const UnitScope&) = delete;
  /// False for a library that was compiled for another tain: it registers nothing.
  explicit operator bool() const noexcept { return entered_; }

 private:
  const TainUnit* unit_;
  bool entered_;
};

/// Throws what a C function raised. Mistakes that the tables find are recorded with the open unit
/// and do not come here.
inline void CheckCode(int code) {
  if (TAIN_UNLIKELY(code != 0)) throw Error::MoveFromRaised();
}

/// Records the exception being handled as a fault of the unit. Call inside catch.
void FaultFromException(const TainUnit* unit, std::string_view where) noexcept;

/// Runs `body`; what it throws becomes a fault of the unit that begins with `where` unless the text
/// says so itself.
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

}  // namespace tain::internal
