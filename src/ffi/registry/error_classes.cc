// SPDX-License-Identifier: Apache-2.0
// Registers exception classes, and finds those that no host could make.
//
// Names are checked when a class is registered. Keys and parents are checked when the load ends,
// because a class may be described before its parent.
#include <algorithm>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "base/defined_errors.h"
#include "registry/function_record.h"
#include "registry/registration.h"
#include "registry/registry.h"
#include "registry/unit.h"
#include "tain/internal/near_matches.h"

namespace tain::internal {
namespace {

/// The attributes that Python's exceptions have already.
constexpr std::string_view kNamesOfExceptions[] = {"add_note", "args", "characters_written",
                                                   "with_traceback"};

bool IsIdentifier(std::string_view name) noexcept {
  const auto is_letter = [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
  };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), is_part);
}

void CheckFieldName(const ErrorRecord& record, const ErrorField& field) {
  const std::string_view name = field.name();
  const std::string where = record.key() + "." + field.name();
  CheckName(name, record.key() + ": a field");
  if (!IsIdentifier(name)) {
    TAIN_THROW(ValueError) << where << ": expected a name of letters, digits and '_' that Python "
                           << "can use for an attribute";
  }
  const bool is_special = name.starts_with("__") && name.ends_with("__");
  if (is_special || name.starts_with("_tain_") ||
      std::find(std::begin(kNamesOfExceptions), std::end(kNamesOfExceptions), name) !=
          std::end(kNamesOfExceptions)) {
    TAIN_THROW(ValueError) << where
                           << ": the name belongs to Python, which keeps it for exceptions: give "
                           << "the field another name";
  }
  const auto& fields = record.fields();
  const auto has_name = [&](const ErrorField* other) { return other->name() == name; };
  if (*std::find_if(fields.begin(), fields.end(), has_name) != &field) {
    TAIN_THROW(ValueError) << where << ": the class has two fields of this name";
  }
}

/// Throws if the key belongs to somebody else. Takes the registry's lock.
void CheckIsFree(const ErrorRecord& record, Unit* unit) {
  HostErrorClass host{};
  if (FindHostError(record.key(), &host) && host.is_builtin) {
    TAIN_THROW(ValueError) << record.key() << ": the key is the name of an exception of Python: "
                           << "choose another, such as mylib." << record.key();
  }
  Registry& registry = Registry::Default();
  const std::shared_lock lock(registry.mutex);
  const auto found = registry.functions.find(RecordFunctionName(record.key()));
  if (found == registry.functions.end() || IsOtherBuild(found->second.unit, unit)) return;
  const Unit* owner = found->second.unit;
  const std::string by =
      owner == unit || owner == nullptr || owner->file.empty() ? "" : " in " + owner->file;
  TAIN_THROW(ValueError) << record.key() << ": another ErrorDef" << by
                         << " has this key: choose another";
}

const ErrorRecord* RecordOfKey(const Registry& registry, std::string_view key) {
  const auto found = registry.functions.find(RecordFunctionName(key));
  if (found == registry.functions.end()) return nullptr;
  return RecordOfFunction(RefAccess::Header(found->second.function));
}

std::string FaultOfParent(const Registry& registry, const ErrorRecord& record) {
  const std::string& parent = record.parent();
  const std::string expected = record.key() + ": expected an exception as its parent, got ";
  HostErrorClass host{};
  std::set<std::string> seen{record.key()};
  const ErrorRecord* at = RecordOfKey(registry, parent);
  if (at == nullptr && parent != record.key()) {
    if (!KnowsHostErrors()) return "";
    if (!FindHostError(parent, &host)) {
      return expected + "'" + parent +
             "', which no ErrorDef and no exception of Python has as its name." +
             NearMatches(parent, HostErrorNames());
    }
    if (host.takes_message) return "";
    return expected + parent + ", which cannot be made from a message alone: use one of its bases";
  }
  std::string circle = record.key() + " -> " + parent;
  for (; at != nullptr && seen.insert(at->key()).second; at = RecordOfKey(registry, at->parent())) {
    circle += " -> " + at->parent();
  }
  if (at == nullptr && parent != record.key()) return "";
  return expected + "itself: " + circle;
}

/// The faults of one class; `others` are the classes that the unit described before it.
std::string FaultOf(const Registry& registry, const ErrorRecord& record,
                    const std::vector<const ErrorRecord*>& others) {
  if (registry.types.FindKey(record.key()) != nullptr || registry.enums.contains(record.key())) {
    return record.key() + ": a type or an enum has this key: choose another for the exception";
  }
  for (const ErrorRecord* other : others) {
    if (other == &record) break;
    if (other->type_name() == record.type_name()) {
      return record.key() + ": another ErrorDef describes the same C++ class as " + other->key();
    }
  }
  return FaultOfParent(registry, record);
}

}  // namespace

void DefineError(const TainUnit* unit, const ErrorRecord* record) noexcept {
  const UnitScope scope(unit);
  if (!scope) return;
  const std::string& key = record->key();
  for (const ErrorField* field : record->fields()) {
    FaultsOf(unit, key, [&] {
      CheckFieldName(*record, *field);
      SpellType(field->type(), key + "." + field->name());  // throws if it has an unknown enum
    });
  }
  FaultsOf(unit, key, [&] {
    Unit* owner = CurrentUnit(unit);
    CheckName(key, "key of an ErrorDef");
    CheckIsFree(*record, owner);
    const Collected<CallSpec, const char*> spec("The record of an exception class.");
    DefineGlobal(unit, RecordFunctionName(key).c_str(), Function::Wrap(ErrorRecordGetter{record}),
                 &kShapeOf<ErrorRecordGetter>, spec.get(), NewDefinition());
    const std::unique_lock lock(Registry::Default().mutex);
    owner->errors.push_back(record);
    AddErrorRecord(record);
  });
}

void CheckErrorClasses(const Registry& registry, Unit* unit) {
  const std::vector<const ErrorRecord*> errors = std::exchange(unit->errors, {});
  for (const ErrorRecord* record : errors) {
    std::string fault = FaultOf(registry, *record, errors);
    if (!fault.empty()) unit->faults.push_back(std::move(fault));
  }
}

}  // namespace tain::internal
