// SPDX-License-Identifier: Apache-2.0
// Turns mistakes of a registration into faults of its unit; see registration.h.
#include "registry/registration.h"

#include <exception>
#include <string>

#include "registry/undescribed.h"
#include "registry/unit.h"
#include "tain/internal/type_builder.h"
#include "tain/reflection/register.h"

namespace tain::internal {
namespace {

void Fault(const TainUnit* unit, std::string_view where, std::string_view message) noexcept {
  try {
    std::string text(message);
    if (!where.empty() && text.compare(0, where.size(), where) != 0) {
      text = std::string(where) + ": " + text;
    }
    TainUnitFault(unit, text.c_str());
  } catch (...) {
    TainUnitFault(unit, "out of memory in a registration");
  }
}

}  // namespace

void FaultFromException(const TainUnit* unit, std::string_view where) noexcept {
  try {
    throw;
  } catch (const Error& error) {
    Fault(unit, where, error.what());
  } catch (const std::exception& error) {
    Fault(unit, where, error.what());
  } catch (...) {
    Fault(unit, where, "registration code threw something that is no std::exception");
  }
}

bool RunRegistration(const TainUnit* unit, void (*body)()) noexcept {
  return RunRegistrationAt(unit, body, nullptr, 0);
}

bool RunRegistrationAt(const TainUnit* unit, void (*body)(), const char* file, int line) noexcept {
  LoadScope* load = LoadScope::Current();
  if (load != nullptr && load->Defer({unit, body, file, line})) return true;
  const UnitScope scope(unit);
  if (!scope) return false;
  const RegistrationBlock block(file, line);
  try {
    body();
    return true;
  } catch (...) {
    FaultFromException(unit, block.Where());
    return false;
  }
}

}  // namespace tain::internal
