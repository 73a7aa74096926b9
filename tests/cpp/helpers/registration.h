// SPDX-License-Identifier: Apache-2.0
// What tests of registration share: the faults of a block of registrations.
#pragma once

#include <string>

#include "helpers/c_helpers.h"
#include "helpers/error_of.h"
#include "tain/reflection/object_def.h"

namespace tain_test {

/// Runs registrations as a library would that is loaded now; the faults, one on each line, or
/// nothing. What this program registered before is committed first, so only the block is withdrawn.
inline std::string FaultsOf(void (*body)()) {
  if (TainRaisePendingFaults() != 0) return "faults before: " + TakeError();
  tain::internal::RunRegistration(tain::internal::ThisUnit(), body);
  if (TainRaisePendingFaults() == 0) return "";
  const std::string text = TakeError();
  std::string faults;
  for (size_t at = text.find("\n  - "); at != std::string::npos; at = text.find("\n  - ", at + 1)) {
    const size_t begin = at + 5;
    faults += (faults.empty() ? "" : "\n") + text.substr(begin, text.find('\n', begin) - begin);
  }
  return faults.empty() ? text : faults;
}

/// A static method of a type, such as `__create__`.
inline tain::Function MethodOf(int32_t type_index, std::string_view name) {
  const TainTypeRecord* record = TainGetTypeRecord(type_index);
  for (int32_t i = 0; i < record->num_methods; ++i) {
    const TainMethodInfo& info = record->methods[i]->info;
    if (Str(info.name) == name) return tain::AnyView(info.method).cast<tain::Function>();
  }
  return tain::Function();
}

template <class T>
tain::Function MethodOf(std::string_view name) {
  return MethodOf(T::RuntimeTypeIndex(), name);
}

/// The constructor of a type.
template <class T>
tain::Function ConstructorOf() {
  TainObject* function = TainGetTypeRecord(T::RuntimeTypeIndex())->constructor;
  return tain::Function(tain::internal::RefAccess::Share<tain::FunctionObj>(function));
}

/// A field that a type registered itself.
template <class T>
const TainFieldDef* FieldOf(std::string_view name) {
  const TainTypeRecord* record = TainGetTypeRecord(T::RuntimeTypeIndex());
  for (int32_t i = 0; i < record->num_fields; ++i) {
    if (Str(record->fields[i]->info.name) == name) return record->fields[i];
  }
  return nullptr;
}

/// Reads a field by its record.
template <class T>
tain::Any GetField(const T& object, std::string_view name) {
  const TainFieldDef* field = FieldOf<T>(name);
  TainAny value{};
  char* header = reinterpret_cast<char*>(tain::internal::ObjectAccess::Header(&object));
  if (field->info.getter(header + field->info.offset, &value) != 0) {
    throw tain::Error::MoveFromRaised();
  }
  return tain::Any::Steal(value);
}

/// Assigns a field by its record.
template <class T>
void SetField(T& object, std::string_view name, const tain::AnyView& value) {
  const TainFieldDef* field = FieldOf<T>(name);
  char* header = reinterpret_cast<char*>(tain::internal::ObjectAccess::Header(&object));
  auto* setter = reinterpret_cast<TainFieldSetter>(field->info.setter);  // the ABI's word
  if (setter(header + field->info.offset, &value.data()) != 0) throw tain::Error::MoveFromRaised();
}

}  // namespace tain_test
