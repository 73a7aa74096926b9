// SPDX-License-Identifier: Apache-2.0
// What the memory of a foreign type consists of, by its fields; see foreign_parent.h.
#include "dynamic/foreign_parent.h"

#include <algorithm>
#include <optional>
#include <string>

#include "registry/field_init.h"
#include "registry/foreign_type.h"
#include "registry/type_chain.h"

namespace tain::internal {
namespace {

/// Whether values of a type expression are always objects or None, so that 8 bytes are a pointer to one:
/// what the ecosystem stores of `int | None` may have 8 bytes, too.
bool IsObjectOrNone(std::string_view type) {
  constexpr std::string_view kClasses[] = {"Array",    "List",   "Map",   "Dict",   "Callable",
                                           "Function", "Tensor", "Shape", "Object", "Module"};
  while (!type.empty()) {
    const size_t end = std::min(type.find(" | "), type.size());
    const std::string_view one = type.substr(0, end);
    type.remove_prefix(std::min(end + 3, type.size()));
    const std::string_view name = one.substr(0, one.find('['));
    const bool is_class =
        std::find(std::begin(kClasses), std::end(kClasses), name) != std::end(kClasses);
    if (name != "None" && !is_class && name.find('.') == std::string_view::npos) return false;
  }
  return true;
}

/// Returns the kind of a field's memory; nothing if it is unknown.
std::optional<int32_t> KindOf(const TainFieldInfo& info, std::string_view type) {
  switch (info.field_static_type_index) {
    case kTainInt:
    case kTainBool:
    case kTainFloat:
    case kTainDataType:
    case kTainDevice:
    case kTainOpaquePtr:  // zeros are a value of each
      return info.size <= 8 ? std::optional<int32_t>(kTainFieldInt64) : std::nullopt;
    case kTainDLTensorPtr:
      return info.size == 8 && type == "Tensor" ? std::optional<int32_t>(kTainFieldObject)
                                                : std::nullopt;
    case kTainAny:
      if (info.size == 8) {
        return IsObjectOrNone(type) ? std::optional<int32_t>(kTainFieldObject) : std::nullopt;
      }
      if (info.size != sizeof(TainAny)) return std::nullopt;
      if (type == "str") return kTainFieldString;
      if (type == "Any" || type == "bytes" || type == "str | None" || type == "bytes | None") {
        return kTainFieldAny;
      }
      return std::nullopt;
    default:
      return info.field_static_type_index >= kTainStaticObjectBegin && info.size == 8
                 ? std::optional<int32_t>(kTainFieldObject)
                 : std::nullopt;
  }
}

int64_t RoundedUp(int64_t value, int64_t alignment) {
  return alignment <= 1 ? value : (value + alignment - 1) / alignment * alignment;
}

}  // namespace

bool IsForeignChain(const TainTypeRecord& record) {
  const TainTypeRecord* at = &record;
  while (at != nullptr && at->info->type_index != kTainObject) {
    if (at->info->type_index < kTainDynObjectBegin || (at->def.flags & kTainTypeDefined) != 0) {
      return false;
    }
    at = TainGetTypeRecord(at->request.parent);
  }
  return at != nullptr;
}

int64_t AddForeignParent(const TainTypeRecord& record, std::string_view child,
                         DynamicLayout* layout) {
  const auto refuse = [&](const std::string& reason) {
    TAIN_THROW(TypeError) << child << ": its parent " << View(record.info->type_key)
                          << " cannot be extended: " << reason
                          << ", so only its C++ constructor can make it";
  };
  const TainTypeMetadata* metadata = record.info->metadata;
  if (metadata == nullptr || metadata->total_size == 0) refuse("its size is unknown");
  std::vector<const TainFieldDef*> fields = AllFieldsOf(record);
  std::sort(fields.begin(), fields.end(), [](const TainFieldDef* a, const TainFieldDef* b) {
    return a->info.offset < b->info.offset;
  });
  int64_t end = sizeof(TainObject);
  for (const TainFieldDef* field : fields) {
    const TainFieldInfo& info = field->info;
    const std::optional<int32_t> kind = KindOf(info, TypeFromMetadata(info.metadata));
    if (!kind) {
      refuse("it is not known how its field " + std::string(View(info.name)) + " is stored");
    }
    if (info.setter == nullptr)
      refuse("its field " + std::string(View(info.name)) + " has no setter");
    if (info.offset != RoundedUp(end, info.alignment)) {
      refuse("bytes before its field " + std::string(View(info.name)) + " belong to no field");
    }
    layout->slots.push_back({info.offset, *kind});
    end = info.offset + info.size;
  }
  const int64_t size = metadata->total_size;
  if (RoundedUp(end, 8) != size) {
    refuse(std::to_string(size - end) + " of its " + std::to_string(size) +
           " bytes belong to no field");
  }
  return size;
}

}  // namespace tain::internal
