// SPDX-License-Identifier: Apache-2.0
// Registration of global functions and enums.
#include <atomic>
#include <string>

#include "base/guard.h"
#include "registry/function_record.h"
#include "registry/overloads.h"
#include "registry/registration.h"
#include "registry/registry.h"

namespace tain::internal {

void DefineGlobal(const TainUnit* unit, const char* name, const Function& function,
                  const CallShape* shape, const CallSpec* spec, uint64_t definition) noexcept {
  const char* where = name == nullptr ? "" : name;
  FaultsInUnit(unit, where, [&] {
    TAIN_CHECK(function.defined()) << "the function is null";
    FunctionRecord record(where, shape, SpecOf(spec), false);
    const Function registered = record.SetInfoOf(function);
    if (const Function known = KnownOfDefinition(where, definition); known.defined()) {
      const Function both = MakeOverloaded({RefAccess::Header(known), nullptr},
                                           {RefAccess::Header(registered), nullptr});
      return ThrowIfFailed(SetGlobalOfDefinition(where, both, definition));
    }
    ThrowIfFailed(SetGlobalOfDefinition(where, registered, definition));
  });
}

void DefineConstant(const TainUnit* unit, std::string_view name, const Function& getter,
                    const CallShape* shape, const CallSpec* spec) noexcept {
  FaultsInUnit(unit, name, [&] {
    CheckName(name, "name of a constant");
    if (getter().type_index() == kTainNone) {
      TAIN_THROW(ValueError) << name << ": the value of a constant is not null";
    }
    const std::string full = std::string(kConstantPrefix) + std::string(name);
    DefineGlobal(unit, full.c_str(), getter, shape, spec, 0);
  });
}

uint64_t NewDefinition() noexcept {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

const TainEnumInfo* DefineEnum(const TainUnit* unit, const TainEnumInfo& info) noexcept {
  const bool done =
      FaultsInUnit(unit, View(info.key), [&] { ThrowIfFailed(TainEnumDefine(&info)); });
  return done ? TainGetEnum(&info.key) : nullptr;
}

const TainEnumInfo* DeclareEnum(const TainUnit* unit, const char* key, int32_t integers,
                                std::string_view name) noexcept {
  const TainByteArray bytes = Bytes(key);
  const TainEnumInfo* found = TainGetEnum(&bytes);
  const bool fits = FaultsOf(unit, View(bytes), [&] {
    if (found == nullptr) {
      TAIN_THROW(ValueError) << View(bytes) << ": no enum is registered under the key: load the "
                             << "library that defines it before";
    }
    CheckEnumIntegers(*found, integers, name);
  });
  return fits ? found : nullptr;
}

}  // namespace tain::internal
