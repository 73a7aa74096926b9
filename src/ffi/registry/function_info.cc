// SPDX-License-Identifier: Apache-2.0
// The info of a function: names, defaults and documentation. Checks them and never frees them.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <unordered_map>

#include "base/fork.h"
#include "base/guard.h"
#include "registry/array_results.h"
#include "registry/foreign_type.h"
#include "registry/member_writer.h"
#include "registry/overloads.h"
#include "registry/registry.h"
#include "registry/thread_rules.h"
#include "registry/unit.h"
#include "tain/internal/type_expr.h"
#include "tain/reflection/arg.h"

namespace tain::internal {
namespace {

/// Returns the body if the function was made by tain, and so has room for an info; else null.
TainFunctionBody* BodyOf(const TainObject* function) noexcept {
  if (function->type_index != kTainFunction ||
      (TainObjectWordOf(function) & kTainHeaderHasPrefix) == 0) {
    return nullptr;
  }
  // The cell follows the header.
  return reinterpret_cast<TainFunctionBody*>(const_cast<TainObject*>(function) + 1);
}

void CheckArgument(const TainFunctionInfo& info, int32_t i, const std::string& where) {
  const TainArgInfo& argument = info.args[i];
  const std::string_view name = TextOf(argument.name, where.c_str(), "an argument's name");
  if (!name.empty()) CheckName(name, where);  // a setter's value has no name
  if ((argument.flags & ~kAllArgFlags) != 0 ||
      ((argument.flags & kTainArgFactory) != 0 && (argument.flags & kTainArgHasDefault) == 0)) {
    TAIN_THROW(ValueError) << where << ": argument " << name << " has wrong flags "
                           << argument.flags;
  }
  if ((argument.flags & kTainArgFactory) != 0 &&
      argument.default_value.type_index != kTainFunction) {
    TAIN_THROW(TypeError) << where << ": the factory of argument " << name
                          << "'s default is not a Function";
  }
  for (int32_t j = 0; j < i; ++j) {
    if (!name.empty() && View(info.args[j].name) == name) {
      TAIN_THROW(ValueError) << where << ": two arguments are named " << name;
    }
  }
  constexpr int32_t kOptional = kTainArgHasDefault | kTainArgOptional | kTainArgKwOnly |
                                kTainArgVarPositional | kTainArgVarKeyword;
  if (i > 0 && (argument.flags & kOptional) == 0 &&
      (info.args[i - 1].flags & (kTainArgHasDefault | kTainArgOptional)) != 0 &&
      (info.args[i - 1].flags & kTainArgKwOnly) == 0) {
    TAIN_THROW(ValueError) << where << ": argument " << name << " has no default, but "
                           << View(info.args[i - 1].name) << " before it has one";
  }
}

/// Throws if the info contradicts itself.
void CheckInfo(const TainFunctionInfo& info) {
  const std::string_view name = TextOf(info.name, "a function's info", "a name");
  const std::string where = name.empty() ? "a function" : std::string(name);
  CheckList(info.args, info.num_args, where, "arguments");
  if ((info.flags & ~kAllCallFlags) != 0) {
    TAIN_THROW(ValueError) << where << ": unknown call flags " << (info.flags & ~kAllCallFlags);
  }
  CheckThreadFlags(info, where);
  TextOf(info.doc, where.c_str(), "documentation");
  TextOf(info.return_type, where.c_str(), "a type expression");
  for (int32_t i = 0; i < info.num_args; ++i) CheckArgument(info, i, where);
}

/// Copies the info into the registry. `defaults` are owned and in order.
const TainFunctionInfo* CopyInfo(const TainFunctionInfo& info, std::vector<Any>& defaults,
                                 Unit* unit) {
  Registry& registry = Registry::Default();
  std::unique_lock lock(registry.mutex);
  Arena& arena = registry.arena;
  auto* copy = arena.New<TainFunctionInfo>();
  *copy = info;
  copy->name = arena.Copy(View(info.name));
  copy->doc = arena.Copy(View(info.doc));
  copy->return_type = arena.Copy(View(info.return_type));
  PlaceArrays(arena, unit, {&copy->return_type, &copy->flags},
              (info.flags & kTainCallAsNumpy) != 0);
  AddThreadFlagsOfUnit(unit, &copy->flags);
  copy->overloads = nullptr;
  copy->num_overloads = 0;
  auto* args = arena.NewArray<TainArgInfo>(static_cast<size_t>(info.num_args));
  copy->args = args;
  size_t next_default = 0;
  for (int32_t i = 0; i < info.num_args; ++i) {
    args[i] = info.args[i];
    if (NamesObject(View(args[i].type))) copy->flags |= kTainCallTakesObject;
    args[i].name = arena.Copy(View(info.args[i].name));
    args[i].doc = arena.Copy(View(info.args[i].doc));
    args[i].type = arena.Copy(View(info.args[i].type));
    args[i].default_value = TainAny{};
    if ((info.args[i].flags & kTainArgHasDefault) != 0) {
      args[i].default_value = registry.Keep(std::move(defaults[next_default++]));
    }
  }
  return copy;
}

/// What is known of functions that other libraries made whole, which have no room for it.
struct ForeignInfos {
  std::shared_mutex mutex;
  std::unordered_map<const TainObject*, const TainFunctionInfo*> infos;
};

ForeignInfos& Foreign() { return NeverDestroyed<ForeignInfos>(); }

}  // namespace

constinit const ForkSteps foreign_infos_fork = StepsFor<&Foreign>();

void DescribeForeign(TainObject* function, std::string_view name, std::string_view doc,
                     const TainByteArray& metadata, int32_t flags) {
  if (TainFunctionGetInfo(function) != nullptr) return;  // it says so itself
  const std::optional<FunctionTypes> types = TypesFromMetadata(metadata);
  if (!types && doc.empty()) return;
  TainFunctionInfo info{};
  info.name = {name.data(), name.size()};
  info.doc = {doc.data(), doc.size()};
  info.flags = kTainCallPacked | flags;  // the callee checks its arguments
  std::vector<TainArgInfo> args;
  if (types) {
    info.return_type = {types->result.data(), types->result.size()};
    for (const std::string& type : types->parameters) {
      TainArgInfo arg{};
      arg.type = {type.data(), type.size()};
      args.push_back(arg);
    }
    if ((flags & kTainCallMethod) != 0 && !args.empty()) args.erase(args.begin());
    info.args = args.data();
    info.num_args = static_cast<int32_t>(args.size());
  }
  if (BodyOf(function) != nullptr) return ThrowIfFailed(TainFunctionSetInfo(function, &info));
  std::vector<Any> no_defaults;
  const TainFunctionInfo* copy = CopyInfo(info, no_defaults, nullptr);
  {
    Registry& registry = Registry::Default();
    const std::unique_lock lock(registry.mutex);
    registry.KeepObject(function);  // so that its address stays its own
  }
  ForeignInfos& foreign = Foreign();
  const std::unique_lock lock(foreign.mutex);
  foreign.infos.emplace(function, copy);
}

void SetOverloadInfo(TainObject* function, const TainFunctionInfo& info,
                     const std::vector<TainOverload>& overloads) {
  Unit* unit = CurrentUnit();
  Registry& registry = Registry::Default();
  std::unique_lock lock(registry.mutex);
  Arena& arena = registry.arena;
  auto* copy = arena.New<TainFunctionInfo>();
  *copy = info;  // its texts are those of the overloads, except the result
  copy->return_type = arena.Copy(View(info.return_type));
  PlaceArrays(arena, unit, {&copy->return_type, &copy->flags}, false);
  auto* kept = arena.NewArray<TainOverload>(overloads.size());
  std::copy(overloads.begin(), overloads.end(), kept);
  for (const TainOverload& overload : overloads) {  // records hold them, and are never freed
    registry.KeepObject(overload.function);
  }
  copy->overloads = kept;
  copy->num_overloads = static_cast<int32_t>(overloads.size());
  copy->flags |= kTainCallOverloaded;
  std::atomic_ref<const TainFunctionInfo*>(BodyOf(function)->info)
      .store(copy, std::memory_order_release);
}

void SetSharedInfo(TainObject* function, const TainFunctionInfo* info) noexcept {
  TainFunctionBody* body = BodyOf(function);
  if (body == nullptr) return;  // of another runtime
  const TainFunctionInfo* none = nullptr;
  std::atomic_ref<const TainFunctionInfo*>(body->info).compare_exchange_strong(none, info);
}

}  // namespace tain::internal

using namespace tain::internal;
using tain::Any;
using tain::AnyView;

extern "C" int TainFunctionSetInfo(TainObject* function, const TainFunctionInfo* info) noexcept {
  return GuardRegistration([&](Unit* unit) {
    TainFunctionBody* body = BodyOf(CheckFunction(function, "TainFunctionSetInfo", "a function"));
    const auto& given = NotNull(info, "TainFunctionSetInfo", "an info");
    if (body == nullptr) {
      TAIN_THROW(TypeError) << "TainFunctionSetInfo: the function was made by another runtime and "
                               "has no room for names and defaults";
    }
    CheckInfo(given);
    std::atomic_ref<const TainFunctionInfo*> slot(body->info);
    if (slot.load(std::memory_order_acquire) != nullptr) return;  // the first call counts
    std::vector<Any> defaults;                                    // made before the lock is taken
    for (int32_t i = 0; i < given.num_args; ++i) {
      if ((given.args[i].flags & kTainArgHasDefault) == 0) continue;
      defaults.emplace_back(AnyView(given.args[i].default_value));
    }
    const TainFunctionInfo* none = nullptr;
    slot.compare_exchange_strong(none, CopyInfo(given, defaults, unit));
  });
}

extern "C" const TainFunctionInfo* TainFunctionGetInfo(const TainObject* function) noexcept {
  if (function == nullptr) return nullptr;
  TainFunctionBody* body = BodyOf(function);
  if (body == nullptr) {
    ForeignInfos& foreign = Foreign();
    const std::shared_lock lock(foreign.mutex);
    const auto known = foreign.infos.find(function);
    return known == foreign.infos.end() ? nullptr : known->second;
  }
  return std::atomic_ref<const TainFunctionInfo*>(body->info).load(std::memory_order_acquire);
}
