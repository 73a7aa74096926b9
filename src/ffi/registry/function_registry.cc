// SPDX-License-Identifier: Apache-2.0
// Global functions by name; the C functions that make and call functions.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "base/unlocked_call.h"
#include "registry/foreign_type.h"
#include "registry/member_writer.h"
#include "registry/overloads.h"
#include "registry/registry.h"
#include "registry/unit.h"
#include "tain/internal/call_flags.h"

namespace tain::internal {
namespace {

// ---------------------------------------------------------------- functions made from callbacks

/// A Function that calls a C callback.
struct CallbackFunction {
  TainObject header;
  TainFunctionBody body;
  void* self;
  TainSafeCall call;
  void (*release)(void* self);  ///< or null
};

int CallCallback(void* object, const TainAny* args, int32_t num_args, TainAny* result) {
  auto* function = static_cast<CallbackFunction*>(object);
  return Guard([&] {
    const int code = TainFunctionReleasesGil(&function->header) != 0
                         ? CallUnlocked(function->call, function->self, args, num_args, result)
                         : function->call(function->self, args, num_args, result);
    return CheckedResult(code, *result);
  });
}

void DeleteCallback(void* object, int flags) {
  TainObjectDelete(object, flags, [](void* header) {
    auto* function = static_cast<CallbackFunction*>(header);
    if (function->release != nullptr) function->release(function->self);
  });
}

TainObject* MakeCallback(void* self, TainSafeCall call, void (*release)(void*)) {
  void* memory =
      TainObjectAlloc(sizeof(CallbackFunction), alignof(CallbackFunction), kTainFunction);
  if (memory == nullptr) throw std::bad_alloc();
  auto* function = ::new (memory)
      CallbackFunction{{kBothOne, kTainFunction, kTainHeaderHasPrefix, &DeleteCallback},
                       {{&CallCallback, nullptr}, nullptr},
                       self,
                       call,
                       release};
  return &function->header;
}

// ---------------------------------------------------------------- names

std::string ConstantOrFunction(std::string_view name) {
  if (!name.starts_with(kConstantPrefix)) return "global function " + std::string(name);
  return "constant " + std::string(name.substr(kConstantPrefix.size()));
}

/// Throws if a constant has the name of a function of another unit or of this one, or the other way
/// round: Python would see one of them only. Needs the lock.
void CheckOtherKind(const Registry& registry, std::string_view name, const Unit* unit) {
  const bool is_constant = name.starts_with(kConstantPrefix);
  const std::string other = is_constant ? std::string(name.substr(kConstantPrefix.size()))
                                        : std::string(kConstantPrefix) + std::string(name);
  const auto it = registry.functions.find(other);
  if (it == registry.functions.end() || IsOtherBuild(it->second.unit, unit)) return;
  TAIN_THROW(ValueError) << ConstantOrFunction(name) << ": " << ConstantOrFunction(other)
                         << " is already registered: choose another name";
}

void SetGlobal(std::string_view name, TainObject* function, bool allow_override, Unit* unit,
               uint64_t definition = 0) {
  Registry& registry = Registry::Default();
  CheckName(name, "global function");
  CheckFunction(function, name, "a function");
  auto owned = RefAccess::Share<Object>(function);
  std::unique_lock lock(
      registry.mutex);  // released before `owned`, which receives the old function
  if (unit != nullptr && unit->refused) return;
  const auto it = registry.functions.find(name);
  if (it == registry.functions.end()) {
    CheckOtherKind(registry, name, unit);
    registry.functions.emplace(std::string(name),
                               GlobalFunction{std::move(owned), unit, definition});
    Journal(unit, FunctionSet{std::string(name), nullptr, nullptr});
    registry.Touch();
    return;
  }
  GlobalFunction& known = it->second;
  const bool same_definition = definition != 0 && known.definition == definition;
  if (!allow_override && !same_definition && !IsOtherBuild(known.unit, unit)) {
    const std::string by =
        known.unit == nullptr || known.unit->file.empty() ? "" : " by " + known.unit->file;
    const bool is_constant = name.starts_with(kConstantPrefix);
    TAIN_THROW(ValueError) << ConstantOrFunction(name) << " is already registered" << by
                           << ": choose another name"
                           << (is_constant ? "" : ", or pass override=True to replace it");
  }
  known.function.swap(owned);
  Unit* previous_unit = std::exchange(known.unit, unit);
  known.definition = definition;
  Journal(unit, FunctionSet{std::string(name), owned, previous_unit});
  registry.Touch();
}

}  // namespace

Function KnownOfDefinition(std::string_view name, uint64_t definition) {
  const GlobalFunction known = Registered(&Registry::functions, name);
  if (definition == 0 || known.definition != definition) return Function();
  return Function(RefAccess::Share<FunctionObj>(RefAccess::Header(known.function)));
}

int SetGlobalOfDefinition(std::string_view name, const Function& function,
                          uint64_t definition) noexcept {
  return GuardRegistration(
      [&](Unit* unit) { SetGlobal(name, RefAccess::Header(function), false, unit, definition); });
}

}  // namespace tain::internal

using namespace tain::internal;
using tain::Object;
using tain::ObjectPtr;

extern "C" int TainFunctionCreate(void* self, TainSafeCall safe_call, void (*deleter)(void* self),
                                  TainObject** out) noexcept {
  return Guard([&] {
    TainObject*& result = NotNull(out, "TainFunctionCreate", "a place for the result");
    NotNull(safe_call, "TainFunctionCreate", "a function to call");
    result = MakeCallback(self, safe_call, deleter);
    result->reserved |= kTainFunctionReleasesGil;  // code that knows better clears it afterwards
  });
}

extern "C" int TainFunctionReleasesGil(const TainObject* function) noexcept {
  if (function == nullptr || function->type_index != kTainFunction) return 0;
  const uint32_t word = std::atomic_ref<uint32_t>(const_cast<TainObject*>(function)->reserved)
                            .load(std::memory_order_relaxed);
  if ((word & kTainFunctionKeepsGil) != 0) return 0;
  if ((word & kTainFunctionReleasesGil) != 0 || (word & kTainHeaderHasPrefix) == 0) return 1;
  return ReleasesGil(TainFunctionGetInfo(function)) ? 1 : 0;
}

extern "C" int TainFunctionIsForeign(const TainObject* function) noexcept {
  if (function == nullptr || function->type_index != kTainFunction) return 0;
  const uint32_t word = std::atomic_ref<uint32_t>(const_cast<TainObject*>(function)->reserved)
                            .load(std::memory_order_relaxed);
  if ((word & kTainHeaderHasPrefix) == 0) return 1;
  // What the host makes of its own callables keeps the lock.
  return (word & kTainFunctionKeepsGil) == 0 &&
                 reinterpret_cast<const TainFunctionCell*>(function + 1)->safe_call == &CallCallback
             ? 1
             : 0;
}

extern "C" int TainFunctionSetReleasesGil(TainObject* function, int releases) noexcept {
  return Guard([&] {
    CheckFunction(function, "TainFunctionSetReleasesGil", "a function");
    std::atomic_ref<uint32_t> word(function->reserved);
    const uint32_t set = releases != 0 ? kTainFunctionReleasesGil : kTainFunctionKeepsGil;
    word.fetch_or(set, std::memory_order_relaxed);
    word.fetch_and(~((kTainFunctionReleasesGil | kTainFunctionKeepsGil) ^ set),
                   std::memory_order_relaxed);
  });
}

extern "C" int TainFunctionCall(TainObject* function, const TainAny* args, int32_t num_args,
                                TainAny* result) noexcept {
  return Guard([&] {
    CheckFunction(function, "TainFunctionCall", "a function");
    TainAny& out = NotNull(result, "TainFunctionCall", "a place for the result");
    CheckList(args, num_args, "TainFunctionCall", "arguments");
    out = TainAny{};
    // The cell follows the header of every function.
    const auto* cell = reinterpret_cast<const TainFunctionCell*>(function + 1);
    // A function that another library made whole; libtain's own ones look themselves.
    if ((TainObjectWordOf(function) & kTainHeaderHasPrefix) == 0 &&
        TainFunctionReleasesGil(function) != 0) {
      return CallUnlocked(cell->safe_call, function, args, num_args, &out);
    }
    return cell->safe_call(function, args, num_args, &out);
  });
}

extern "C" int TainFunctionGetGlobal(const TainByteArray* name, TainObject** out) noexcept {
  return Guard([&] {
    const std::string_view text = TextOf(name, "TainFunctionGetGlobal", "a name");
    TainObject*& result = NotNull(out, "TainFunctionGetGlobal", "a place for the result");
    LoadScope::BeforeLookUp();
    Registry& registry = Registry::Default();
    std::shared_lock lock(registry.mutex);
    const auto it = registry.functions.find(text);
    result = it == registry.functions.end() ? nullptr : RefAccess::Header(it->second.function);
    if (result != nullptr) IncRef(result);
  });
}

extern "C" int TainFunctionSetGlobal(const TainByteArray* name, TainObject* function,
                                     int allow_override) noexcept {
  return GuardRegistration([&](Unit* unit) {
    const std::string_view text = TextOf(name, "TainFunctionSetGlobal", "a name");
    SetGlobal(text, function, allow_override != 0, unit);
  });
}

extern "C" int TainFunctionSetGlobalFromMethodInfo(const TainMethodInfo* info,
                                                   int allow_override) noexcept {
  return GuardRegistration([&](Unit* unit) {
    const char* where = "TainFunctionSetGlobalFromMethodInfo";
    const auto& given = NotNull(info, where, "a method");
    const std::string_view name = TextOf(given.name, where, "a name");
    const std::string_view doc = TextOf(given.doc, where, "documentation");
    if (given.method.type_index != kTainFunction) {
      TAIN_THROW(TypeError) << "global function " << name << ": expected a Function, got "
                            << NameOfValueType(Registry::Default(), given.method);
    }
    TainObject* function = given.method.v_obj;
    SetGlobal(name, function, allow_override != 0, unit);
    TextOf(given.metadata, where, "metadata");
    DescribeForeign(function, name, doc, given.metadata, 0);
  });
}

extern "C" int TainFunctionRemoveGlobal(const TainByteArray* name, int* out) noexcept {
  return Guard([&] {
    const std::string_view text = TextOf(name, "TainFunctionRemoveGlobal", "a name");
    int& result = NotNull(out, "TainFunctionRemoveGlobal", "a place for the result");
    Registry& registry = Registry::Default();
    ObjectPtr<Object> removed;  // dropped after the lock was released
    std::unique_lock lock(registry.mutex);
    const auto it = registry.functions.find(text);
    result = it != registry.functions.end() ? 1 : 0;
    if (result == 0) return;
    removed = std::move(it->second.function);
    registry.functions.erase(it);
    registry.Touch();
  });
}

extern "C" int TainListGlobalNames(int (*visit)(const TainByteArray* name, void* context),
                                   void* context) noexcept {
  return Guard([&] {
    NotNull(visit, "TainListGlobalNames", "a function");
    std::vector<std::string> names;
    Registry& registry = Registry::Default();
    {
      std::shared_lock lock(registry.mutex);
      names.reserve(registry.functions.size());
      for (const auto& [name, entry] : registry.functions) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      const TainByteArray text{name.data(), name.size()};
      if (visit(&text, context) != 0) return;
    }
  });
}
