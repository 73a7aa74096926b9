// SPDX-License-Identifier: Apache-2.0
// Type keys and other registered names; see type_keys.h.
#include "base/type_keys.h"

#include <algorithm>

#include "base/error.h"
#include "base/state.h"
#include "tain/internal/dotted_name.h"

namespace tain::bindings {
namespace {

bool IsIdentifier(std::string_view name) { return PyUnicode_IsIdentifier(Text(name).ptr()) == 1; }

/// Whether a type or a parent of it has a member of a name.
bool HasMember(const TainTypeRecord* record, std::string_view name) noexcept {
  for (; record != nullptr; record = TainGetTypeRecord(record->request.parent)) {
    for (int32_t i = 0; i < record->num_fields; ++i) {
      if (View(record->fields[i]->info.name) == name) return true;
    }
    for (int32_t i = 0; i < record->num_properties; ++i) {
      if (View(record->properties[i]->name) == name) return true;
    }
    for (int32_t i = 0; i < record->num_methods; ++i) {
      if (View(record->methods[i]->info.name) == name) return true;
    }
    for (int32_t i = 0; i < record->num_constants; ++i) {
      if (View(record->constants[i]->name) == name) return true;
    }
    if (record->info->type_index <= kTainObject) break;
  }
  return false;
}

}  // namespace

void RaisePendingFaults() {
  if (TainRaisePendingFaults() != 0) ThrowFromCore();
}

void AskForMissing(const char* kind, std::string_view name) {
  const nb::object hook = nb::borrow(GetState().on_missing);
  if (hook.is_valid()) hook(kind, Text(name));
}

int32_t FindTypeIndex(std::string_view key) noexcept {
  const TainByteArray bytes = BytesOf(key);
  int32_t index = -1;
  if (TainTypeKeyToIndex(&bytes, &index) == 0) return index;
  DropCoreError();
  return -1;
}

const TainEnumInfo* FindEnum(std::string_view key) noexcept {
  const TainByteArray bytes = BytesOf(key);
  return TainGetEnum(&bytes);
}

TainObject* FindGlobalFunction(std::string_view name) {
  const TainByteArray bytes = BytesOf(name);
  TainObject* found = nullptr;
  if (TainFunctionGetGlobal(&bytes, &found) != 0) ThrowFromCore();
  return found;
}

std::vector<std::string> GlobalFunctionNames() {
  std::vector<std::string> names;
  const auto add = [](const TainByteArray* name, void* all) {
    static_cast<std::vector<std::string>*>(all)->emplace_back(View(*name));
    return 0;
  };
  if (TainListGlobalNames(add, &names) != 0) ThrowFromCore();
  return names;
}

void ThrowUnknownKey(std::string_view key) {
  ThrowValue("no type is registered under the key '" + std::string(key) + "'." +
             NearMatches(key, TypeKeys("")));
}

std::vector<std::string> TypeKeys(std::string_view prefix) {
  std::vector<std::string> keys;
  const auto add = [](const TainByteArray* key, int32_t, void* all) {
    static_cast<std::vector<std::string>*>(all)->emplace_back(View(*key));
    return 0;
  };
  if (TainListTypeKeys(add, &keys) != 0) ThrowFromCore();
  std::erase_if(keys, [&](const std::string& key) { return !key.starts_with(prefix); });
  std::sort(keys.begin(), keys.end());
  return keys;
}

std::string_view KeyOfIndex(int32_t type_index) noexcept {
  const TainTypeInfo* info = TainGetTypeInfo(type_index);
  return info == nullptr ? std::string_view() : View(info->type_key);
}

std::string_view ClassNameOfKey(std::string_view key) noexcept {
  const std::string_view last = internal::LastPart(key);
  return last.empty() ? "_" : last;
}

std::string_view OuterKeyOf(std::string_view key) {
  const std::string_view outer = internal::NamespaceOf(key);
  if (outer.empty()) return {};
  constexpr int32_t kOnlyAsks = -2;
  const TainByteArray bytes = BytesOf(outer);
  const int32_t index = TainTypeGetOrAllocIndex(&bytes, 0, 0, 0, 0, kOnlyAsks);
  if (index < kTainDynObjectBegin) return {};
  const std::string_view name = internal::LastPart(key);
  if (HasMember(TainGetTypeRecord(index), name) || !IsIdentifier(name)) return {};
  if (!IsIdentifier(internal::LastPart(outer))) return {};
  return AdoptedModule(outer) == nullptr ? outer : std::string_view();
}

std::string QualNameOfKey(std::string_view key) {
  const std::string_view outer = OuterKeyOf(key);
  const std::string name(ClassNameOfKey(key));
  return outer.empty() ? name : QualNameOfKey(outer) + "." + name;
}

std::string ModuleOfKey(std::string_view key) {
  if (const std::string_view outer = OuterKeyOf(key); !outer.empty()) return ModuleOfKey(outer);
  const std::string space(internal::NamespaceOf(key));
  // Adopting a namespace does not change the module of nested namespaces.
  if (const std::string* module = AdoptedModule(space)) return *module;
  if (space == "ffi") return "tain";
  if (space == "tain.transform") return space;
  return space.empty() ? "tain.types" : "tain.types." + space;
}

const TainAny* TypeAttr(int32_t type_index, const char* name) noexcept {
  const TainByteArray bytes = internal::Bytes(name);
  const TainTypeAttrColumn* column = TainGetTypeAttrColumn(&bytes);
  if (column == nullptr) return nullptr;
  const int64_t at = int64_t{type_index} - column->begin_index;
  if (at < 0 || at >= column->size || column->data[at].type_index == kTainNone) return nullptr;
  return &column->data[at];
}

}  // namespace tain::bindings
