// SPDX-License-Identifier: Apache-2.0
// Finds the field that holds a container, for messages about the container's elements.
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "tain/internal/container_api.h"
#include "tain/internal/dotted_name.h"
#include "values/mismatch.h"

namespace tain::internal {
namespace {

/// Searches for the field that holds a container, starting at the objects in use.
struct FieldSearch {
  const TainObject* container;
  std::string found;                 ///< `Sheet.cells`
  std::vector<TainObject*> waiting;  ///< objects to search; held by the objects that refer to them
  std::unordered_set<const TainObject*> seen;
};

constexpr size_t kMaxObjects = 1000;  // a message is not worth more

std::string FieldName(const TainFieldDef& field) {
  const TainTypeInfo* info = TainGetTypeInfo(field.declaring_type);
  const std::string_view key(info->type_key.data, info->type_key.size);
  return std::string(internal::LastPart(key)) + "." +
         std::string(field.info.name.data, field.info.name.size);
}

/// Whether a field's own memory refers to the container.
bool FieldHolds(const TainObject* object, const TainFieldDef& field, const TainObject* container) {
  const char* address = reinterpret_cast<const char*>(object) + field.info.offset;
  if (field.kind == kTainFieldObject) {
    return *reinterpret_cast<TainObject* const*>(address) == container;
  }
  if (field.kind != kTainFieldAny) return false;
  const auto* value = reinterpret_cast<const TainAny*>(address);  // the kind says so
  return value->type_index >= kTainStaticObjectBegin && value->v_obj == container;
}

bool LookAtFields(const TainObject* object, FieldSearch& search) {
  const TainTypeRecord* record = TainGetTypeRecord(object->type_index);
  for (; record != nullptr; record = TainGetTypeRecord(record->request.parent)) {
    for (int32_t i = 0; i < record->num_fields; ++i) {
      if (!FieldHolds(object, *record->fields[i], search.container)) continue;
      search.found = FieldName(*record->fields[i]);
      return true;
    }
    if (record->info->type_index == kTainObject) break;
  }
  return false;
}

int AddWaiting(TainObject* object, void* context) noexcept {
  auto& search = *static_cast<FieldSearch*>(context);
  try {
    if (search.seen.size() < kMaxObjects && search.seen.insert(object).second) {
      search.waiting.push_back(object);
    }
    return 0;
  } catch (const std::bad_alloc&) {
    return 1;
  }
}

/// Searches an object in use, and the objects that it refers to.
int SearchFrom(TainObject* object, void* context) noexcept {
  auto& search = *static_cast<FieldSearch*>(context);
  try {
    AddWaiting(object, context);
    for (size_t i = 0; i < search.waiting.size(); ++i) {
      TainObject* at = search.waiting[i];
      if (at->type_index >= kTainDynObjectBegin && LookAtFields(at, search)) return 1;
      const int code = TainObjectVisitEdges(at, &AddWaiting, context);
      if (code < 0) ForgetUnlessStop();
      if (code != 0) return 1;
    }
    search.waiting.clear();
    return 0;
  } catch (const std::exception&) {  // the message does not name the field
    return 1;
  }
}

}  // namespace

std::string ContainerPlace(const TainObject* container) {
  FieldSearch search{container, {}, {}, {}};
  const TainHost* host = TainGetHost();
  if (host != nullptr && host->visit_in_use != nullptr) {
    host->visit_in_use(&SearchFrom, &search);
  }
  if (!search.found.empty()) return search.found;
  return TypeNameOf(ViewOfObject(container));
}

}  // namespace tain::internal
