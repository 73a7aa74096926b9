// SPDX-License-Identifier: Apache-2.0
// The addresses that the loader writes into variables of compiled libraries. Four are known from
// the start: the functions of libtain that compiled code calls without being linked with it.
#include "modules/context_symbols.h"

#include <mutex>

#include "base/fork.h"
#include "base/guard.h"
#include "tain/c_api.h"

namespace tain::internal {
namespace {

/// Never destroyed.
struct Registered {
  std::mutex mutex;  ///< guards `addresses`
  std::map<std::string, void*> addresses;
};

template <class F>
void* AddressOf(F* function) {
  return reinterpret_cast<void*>(function);
}

Registered& State() {
  static auto* state = [] {
    auto* made = new Registered;
    made->addresses = {
        {"__TVMFFIFunctionCall", AddressOf(&TainFunctionCall)},
        {"__TVMFFIHandleInitOnce", AddressOf(&TainHandleInitOnce)},
        {"__TVMFFIErrorSetRaisedFromCStr", AddressOf(&TainErrorSetRaisedFromCStr)},
        {"__TVMFFIEnvModLookupFromImports", AddressOf(&TainEnvModLookupFromImports)},
    };
    return made;
  }();
  return *state;
}

std::mutex& StateLock() { return State().mutex; }

}  // namespace

constinit const ForkSteps context_symbols_fork = StepsFor<&StateLock>();

std::map<std::string, void*> ContextSymbols() {
  const std::lock_guard lock(State().mutex);
  return State().addresses;
}

}  // namespace tain::internal

using namespace tain::internal;

extern "C" int TainEnvModRegisterContextSymbol(const char* name, void* symbol) noexcept {
  return Guard([&] {
    const char* where = "TainEnvModRegisterContextSymbol";
    NotNull(name, where, "a name");
    if (symbol == nullptr) TAIN_THROW(ValueError) << where << ": expected an address, got null";
    const std::lock_guard lock(State().mutex);
    const auto [known, is_new] = State().addresses.emplace(name, symbol);
    if (!is_new && known->second != symbol) {
      TAIN_THROW(ValueError) << "the context symbol " << name << " is already registered with "
                             << "another address";
    }
  });
}
