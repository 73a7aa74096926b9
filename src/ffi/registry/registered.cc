// SPDX-License-Identifier: Apache-2.0
// The items that a library registered and left out, and the library that registered a function.
#include <algorithm>
#include <filesystem>
#include <shared_mutex>
#include <string>
#include <vector>

#include "base/guard.h"
#include "registry/registration.h"
#include "registry/registry.h"
#include "registry/unit.h"
#include "tain/internal/error_record.h"
#include "tain/internal/function_source.h"
#include "tain/internal/type_builder.h"

namespace tain::internal {
namespace {

/// A unit that registered something, and the files of its library.
struct Candidate {
  const Unit* unit;  // never freed
  std::string name, file, opened;
};

std::vector<Candidate> AllUnits(const Registry& registry) {
  std::vector<Candidate> all;
  std::shared_lock lock(registry.mutex);
  for (const auto& unit : registry.units.all()) {
    if (!unit->HasRegistered()) continue;
    all.push_back({unit.get(), unit->name, unit->file, unit->opened});
  }
  return all;
}

/// Whether two paths name one file. A library that the user's code opened may have been opened by
/// another name.
bool IsFile(const std::string& known, const std::string& wanted) {
  std::error_code none;
  return known == wanted || std::filesystem::equivalent(known, wanted, none);
}

/// Returns the units of a library; of several builds, the newest.
std::vector<const Unit*> UnitsOf(const Registry& registry, const std::string& file) {
  std::vector<Candidate> found;
  for (Candidate& one : AllUnits(registry)) {  // asks the file system, so without the lock
    if (!IsFile(one.file, file) && !IsFile(one.opened, file)) continue;
    std::erase_if(found, [&](const Candidate& other) { return other.name == one.name; });
    found.push_back(std::move(one));
  }
  std::vector<const Unit*> units;
  for (const Candidate& one : found) units.push_back(one.unit);
  return units;
}

struct Item {
  int32_t kind;
  std::string name;
};

std::vector<Item> RegisteredBy(const std::vector<const Unit*>& units, const Registry& registry) {
  const auto has = [&](const Unit* unit) {
    return unit != nullptr && std::find(units.begin(), units.end(), unit) != units.end();
  };
  std::vector<Item> items;
  std::shared_lock lock(registry.mutex);
  for (int32_t i = kTainStaticObjectBegin; i < registry.types.end(); ++i) {
    const TypeEntry* entry = registry.types.Find(i);
    if (entry == nullptr || !has(entry->owner)) continue;
    if (registry.types.FindKey(entry->key()) != entry) continue;
    items.push_back({kTainRegisteredType, std::string(entry->key())});
  }
  for (const auto& [key, entry] : registry.enums) {
    if (has(entry.unit)) items.push_back({kTainRegisteredEnum, key});
  }
  for (const auto& [name, function] : registry.functions) {
    if (!has(function.unit)) continue;
    if (std::string_view(name).starts_with(kErrorRecordPrefix)) {
      items.push_back({kTainRegisteredError, name.substr(kErrorRecordPrefix.size())});
    } else if (std::string_view(name).starts_with(kConstantPrefix)) {
      items.push_back({kTainRegisteredConstant, name.substr(kConstantPrefix.size())});
    } else {
      items.push_back({kTainRegisteredFunction, name});
    }
  }
  return items;
}

}  // namespace

std::string FileOfFunction(std::string_view name) {
  const Unit* unit = Registered(&Registry::functions, name).unit;
  if (unit == nullptr) return "";
  return unit->opened.empty() ? unit->file : unit->opened;
}

void NoteSkippedFunction(const TainUnit* unit, const char* name, const char* why,
                         bool is_strict) noexcept {
  FaultsInUnit(unit, name, [&] {
    NoteInUnit(unit, [&](Unit& owner) { owner.skipped.push_back({name, why, is_strict}); });
  });
}

std::vector<SkippedFunction> SkippedFunctionsOf(const std::string& file) {
  const Registry& registry = Registry::Default();
  std::vector<SkippedFunction> all;
  const std::vector<const Unit*> units = UnitsOf(registry, file);
  std::shared_lock lock(registry.mutex);
  for (const Unit* unit : units) {
    all.insert(all.end(), unit->skipped.begin(), unit->skipped.end());
  }
  return all;
}

}  // namespace tain::internal

using namespace tain::internal;

extern "C" int TainListRegistered(const TainByteArray* file,
                                  int (*visit)(int32_t kind, const TainByteArray* name,
                                               void* context),
                                  void* context) noexcept {
  return Guard([&] {
    const std::string path(TextOf(file, "TainListRegistered", "a path"));
    NotNull(visit, "TainListRegistered", "a function");
    const Registry& registry = Registry::Default();
    std::vector<Item> items = RegisteredBy(UnitsOf(registry, path), registry);
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
      return a.kind != b.kind ? a.kind < b.kind : a.name < b.name;
    });
    for (const Item& item : items) {
      const TainByteArray name{item.name.data(), item.name.size()};
      if (visit(item.kind, &name, context) != 0) return;
    }
  });
}

extern "C" void TainListUnits(void (*visit)(const TainByteArray* file, const TainByteArray* name,
                                            int32_t build, void* context),
                              void* context) noexcept {
  if (visit == nullptr) return;
  GuardVoid([&] {
    for (const Candidate& one : AllUnits(Registry::Default())) {
      const TainByteArray file{one.file.data(), one.file.size()};
      const TainByteArray name{one.name.data(), one.name.size()};
      visit(&file, &name, one.unit->build, context);
    }
  });
}
