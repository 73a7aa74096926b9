// SPDX-License-Identifier: Apache-2.0
// Registration of functions and enums, and how a mistake in it becomes a fault of its unit.
#include "definition.h"

#include <atomic>
#include <exception>
#include <string>

#include "tain/reflection/info.h"

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
  const UnitScope scope(unit);
  if (!scope) return false;
  return FaultsOf(unit, "", body);
}

void DefineGlobal(const TainUnit* unit, const char* name, const Function& function,
                  const CallShape* shape, const CallSpec& spec, uint64_t definition) noexcept {
  const UnitScope scope(unit);
  if (!scope) return;
  const char* where = name == nullptr ? "" : name;
  FaultsOf(unit, where, [&] {
    TAIN_CHECK(function.defined()) << "the function is null";
    FunctionRecord record(where, shape, spec, false);
    record.HangOn(function);
    if (const Function known = KnownOfDefinition(where, definition); known.defined()) {
      const Function both = MakeOverloaded({RefAccess::Header(known), nullptr},
                                           {RefAccess::Header(function), nullptr});
      return CheckCode(SetGlobalOfDefinition(where, both, definition));
    }
    CheckCode(SetGlobalOfDefinition(where, function, definition));
  });
}

uint64_t NewDefinition() noexcept {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

const TainEnumInfo* DefineEnum(const TainUnit* unit, const TainEnumInfo& info) noexcept {
  const UnitScope scope(unit);
  if (!scope) return nullptr;
  const std::string_view key(info.key.data, info.key.size);
  const bool done = FaultsOf(unit, key, [&] { CheckCode(TainEnumDefine(&info)); });
  return done ? TainGetEnum(&info.key) : nullptr;
}

}  // namespace tain::internal
