// SPDX-License-Identifier: Apache-2.0
// The addresses that the loader writes into variables of compiled libraries. Four are known from
// the start: the functions of libtain that compiled code calls without being linked with it.
#include "modules/context_symbols.h"

#include "base/fork.h"
#include "base/guard.h"
#include "tain/c_api.h"

namespace tain::internal {
namespace {

template <class F>
void* AddressOf(F* function) {
  return reinterpret_cast<void*>(function);
}

struct ContextTable : AddressTable {
  ContextTable() {
    addresses = {
        {"__TVMFFIFunctionCall", AddressOf(&TainFunctionCall)},
        {"__TVMFFIHandleInitOnce", AddressOf(&TainHandleInitOnce)},
        {"__TVMFFIErrorSetRaisedFromCStr", AddressOf(&TainErrorSetRaisedFromCStr)},
        {"__TVMFFIEnvModLookupFromImports", AddressOf(&TainEnvModLookupFromImports)},
    };
  }
};

AddressTable& State() { return NeverDestroyed<ContextTable>(); }

}  // namespace

constinit const ForkSteps context_symbols_fork = StepsFor<&State>();

void AddressTable::Add(const char* where, const char* what, const char* name, void* address) {
  NotNull(name, where, "a name");
  if (address == nullptr) TAIN_THROW(ValueError) << where << ": expected an address, got null";
  const std::lock_guard lock(mutex);
  const auto [known, is_new] = addresses.emplace(name, address);
  if (is_new || known->second == address) return;
  TAIN_THROW(ValueError) << what << name << " is already registered with another address";
}

std::map<std::string, void*> ContextSymbols() {
  const std::lock_guard lock(State().mutex);
  return State().addresses;
}

}  // namespace tain::internal

using namespace tain::internal;

extern "C" int TainEnvModRegisterContextSymbol(const char* name, void* symbol) noexcept {
  return Guard(
      [&] { State().Add("TainEnvModRegisterContextSymbol", "the context symbol ", name, symbol); });
}

extern "C" int TainListContextSymbols(void (*visit)(const char* name, void* address, void* context),
                                      void* context) noexcept {
  return Guard([&] {
    NotNull(visit, "TainListContextSymbols", "a function");
    for (const auto& [name, address] : ContextSymbols()) visit(name.c_str(), address, context);
  });
}
