// SPDX-License-Identifier: Apache-2.0
// Lists what is registered; see inspect.h.
#include "tain/reflection/inspect.h"

#include <algorithm>

#include "base/guard.h"
#include "registry/unit.h"
#include "tain/internal/dotted_name.h"
#include "tain/internal/near_matches.h"
#include "tain/internal/signature_text.h"
#include "tain/reflection/access.h"

namespace tain {
namespace internal {
namespace {

/// A key and its type index, which is -1 for an enum.
using Key = std::pair<std::string_view, int32_t>;

/// Returns the keys with a prefix, sorted. The records that hold their texts are never freed.
std::vector<Key> KeysOf(std::string_view prefix) {
  RaisePendingFaults();
  std::pair<std::string_view, std::vector<Key>> found{prefix, {}};
  const auto visit = [](const TainByteArray* key, int32_t type_index, void* context) {
    auto& [wanted, keys] = *static_cast<decltype(found)*>(context);
    if (View(*key).starts_with(wanted)) keys.emplace_back(View(*key), type_index);
    return 0;
  };
  ThrowIfFailed(TainListTypeKeys(visit, &found));
  std::sort(found.second.begin(), found.second.end());
  return std::move(found.second);
}

const TainEnumInfo* EnumOf(std::string_view key) {
  const TainByteArray bytes{key.data(), key.size()};
  return TainGetEnum(&bytes);
}

/// Returns the path of a library's module; empty for modules of other kinds.
std::string FileOf(const Module& module) {
  if (!module.defined()) ThrowNullAccess(ModuleObj::_type_key);
  for (std::optional<reflection::TypeInfo> type(TainGetTypeRecord(module->type_index())); type;
       type = type->parent()) {
    for (const reflection::FieldInfo& property : type->properties()) {
      if (property.name() != "file") continue;
      return reflection::GetField(module, "file").cast<std::string>();
    }
  }
  return "";
}

}  // namespace
}  // namespace internal

std::string Repr(const AnyView& value) {
  TainAny text{};
  internal::ThrowIfFailed(TainAnyRepr(&value.data(), &text));
  return Any::Steal(text).cast<std::string>();
}

std::string reflection::FunctionInfo::signature() const {
  const std::string_view name =
      record_ == nullptr ? std::string_view() : internal::LastPart(internal::View(record_->name));
  return internal::SignatureText(record_, name, false);
}

std::vector<reflection::TypeInfo> Types(std::string_view prefix) {
  std::vector<reflection::TypeInfo> types;
  for (const auto& [key, index] : internal::KeysOf(prefix)) {
    if (index >= 0) types.emplace_back(TainGetTypeRecord(index));
  }
  return types;
}

reflection::TypeInfo TypeOfKey(std::string_view key) {
  std::vector<std::string> known;
  for (const auto& [one, index] : internal::KeysOf("")) {
    if (index < 0) continue;
    if (one == key) return reflection::TypeInfo(TainGetTypeRecord(index));
    known.emplace_back(one);
  }
  TAIN_THROW(ValueError) << "no type is registered as " << key << "."
                         << internal::NearMatches(key, known);
}

std::vector<reflection::EnumInfo> Enums(std::string_view prefix) {
  std::vector<reflection::EnumInfo> enums;
  for (const auto& [key, index] : internal::KeysOf(prefix)) {
    if (const TainEnumInfo* info = index < 0 ? internal::EnumOf(key) : nullptr) {
      enums.emplace_back(info);
    }
  }
  return enums;
}

std::vector<std::string> GlobalFunctionNames(std::string_view prefix) {
  internal::RaisePendingFaults();
  std::pair<std::string_view, std::vector<std::string>> found{prefix, {}};
  const auto visit = [](const TainByteArray* name, void* context) {
    auto& [wanted, names] = *static_cast<decltype(found)*>(context);
    if (internal::View(*name).starts_with(wanted)) names.emplace_back(internal::View(*name));
    return 0;
  };
  internal::ThrowIfFailed(TainListGlobalNames(visit, &found));
  std::sort(found.second.begin(), found.second.end());
  return std::move(found.second);
}

LibraryInfo::LibraryInfo(std::string_view path) : path_(path) {
  if (path.empty()) return;
  struct Found {
    std::vector<std::string> names[5];  // by TainRegisteredKind
  } found;
  const auto visit = [](int32_t kind, const TainByteArray* name, void* context) {
    static_cast<Found*>(context)->names[kind].emplace_back(internal::View(*name));
    return 0;
  };
  const TainByteArray file{path.data(), path.size()};
  internal::ThrowIfFailed(TainListRegistered(&file, visit, &found));
  for (const std::string& key : found.names[kTainRegisteredType]) {
    types_.push_back(TypeOfKey(key));
  }
  for (const std::string& key : found.names[kTainRegisteredEnum]) {
    if (const TainEnumInfo* info = internal::EnumOf(key)) enums_.emplace_back(info);
  }
  functions_ = std::move(found.names[kTainRegisteredFunction]);
  errors_ = std::move(found.names[kTainRegisteredError]);
}

LibraryInfo::LibraryInfo(const Module& module) : LibraryInfo(internal::FileOf(module)) {}

LibraryInfo LoadLibrary(std::string_view path) {
  const TainByteArray bytes{path.data(), path.size()};
  TainAny opened{};
  internal::ThrowIfFailed(TainLibraryLoad(&bytes, &opened));
  return LibraryInfo(Any::Steal(opened).cast<std::string>());
}

}  // namespace tain
