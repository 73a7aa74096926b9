// SPDX-License-Identifier: Apache-2.0
// Finds virtual methods that C++ calls and no registration lists, so that no override could be
// called.
#include <algorithm>
#include <string>

#include "base/guard.h"
#include "registry/registry.h"
#include "registry/type_chain.h"
#include "registry/unit.h"

namespace tain::internal {
namespace {

bool IsVirtual(const TainFunctionInfo* info) noexcept {
  return info != nullptr && (info->flags & kTainCallVirtual) != 0;
}

/// Whether the type itself has a virtual method or property of the name.
bool ListsVirtual(const TypeEntry& entry, std::string_view name) {
  const TainTypeRecord& record = entry.record;
  const TainMethodDef* method = OwnMethod(record, name);
  if (method != nullptr && IsVirtual(method->call)) return true;
  const auto* property = FindNamed(record.properties, record.num_properties, name);
  return property != nullptr && IsVirtual(TainFunctionGetInfo(property->getter));
}

/// Whether an object of a Python class that derives from the type can override the method.
bool CanBeOverridden(const TypeTable& types, const TypeEntry& entry, std::string_view name) {
  for (const TypeEntry* at = &entry; at != nullptr; at = at->parent) {
    if (ListsVirtual(*at, name)) return true;
  }
  // An abstract type has no objects of its own, only its children have.
  if ((entry.record.def.flags & kTainTypeAbstract) == 0) return false;
  for (int32_t index = entry.info.type_index + 1; index < types.end(); ++index) {
    const TypeEntry* child = types.Find(index);
    if (child != nullptr && types.IsInstance(index, entry.info.type_index) &&
        ListsVirtual(*child, name)) {
      return true;
    }
  }
  return false;
}

/// Whether the type, or one of its line, lists the method in a registration that is a fault.
bool IsRefused(const TypeTable& types, const Unit& unit, const CalledMethod& called) {
  return std::any_of(unit.refused_members.begin(), unit.refused_members.end(),
                     [&](const auto& refused) {
                       return refused.second == called.name &&
                              (types.IsInstance(refused.first, called.type_index) ||
                               types.IsInstance(called.type_index, refused.first));
                     });
}

}  // namespace

void NoteRefusedMember(const TainUnit* record, int32_t type_index, const char* name) noexcept {
  if (name == nullptr) return;
  try {
    NoteInUnit(record, [&](Unit& unit) { unit.refused_members.emplace_back(type_index, name); });
  } catch (...) {
    // Another fault says that the method is missed.
  }
}

void NoteCalledVirtual(const TainUnit* record, int32_t type_index, std::string_view name) {
  NoteInUnit(record, [&](Unit& unit) { unit.called_methods.push_back({type_index, name}); });
}

void FindUnlisted(const Registry& registry, Unit* unit) {
  for (const CalledMethod& called : unit->called_methods) {
    const TypeEntry* entry = registry.types.Find(called.type_index);
    if (entry == nullptr || entry->dead() || CanBeOverridden(registry.types, *entry, called.name) ||
        IsRefused(registry.types, *unit, called)) {
      continue;
    }
    const std::string name(called.name);
    unit->faults.push_back(entry->Name() + "." + name + ": expected def_virtual(\"" + name +
                           "\", ...) for the TAIN_VIRTUAL(" + name +
                           ") that C++ calls, got none: no override would ever be called");
  }
  unit->called_methods.clear();
  unit->refused_members.clear();
}

}  // namespace tain::internal
