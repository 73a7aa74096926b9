// SPDX-License-Identifier: Apache-2.0
// Accesses members of objects by name; see access.h.
#include "tain/reflection/access.h"

#include <string>

#include "base/error_object.h"
#include "base/guard.h"
#include "base/text_repr.h"
#include "dynamic/dynamic_type.h"
#include "registry/registry.h"
#include "registry/type_chain.h"
#include "tain/internal/container_api.h"
#include "tain/internal/field_target.h"

namespace tain {
namespace internal {
namespace {

TainObject* HeaderOf(const ObjectRef& object, const char* what, std::string_view name) {
  TainObject* header = RefAccess::Header(object);
  if (header == nullptr) {
    TAIN_THROW(TypeError) << "the " << what << " '" << ShortName(name) << "' of null was asked for";
  }
  return header;
}

/// Returns the result of `find(record)` for the object's type or its nearest parent that has the
/// member; AttributeError if none has it.
template <class F>
auto MemberOf(const TainObject* header, const char* what, std::string_view name, F&& find) {
  const TainTypeRecord* type = TainGetTypeRecord(header->type_index);
  for (const TainTypeRecord* at = type; at != nullptr; at = TainGetTypeRecord(at->request.parent)) {
    if (const auto found = find(*at)) return found;
    if (at->request.parent < kTainStaticObjectBegin) break;
  }
  TAIN_THROW(AttributeError) << (type == nullptr ? std::string_view("an unknown type")
                                                 : View(type->info->type_key))
                             << " has no " << what << " '" << ShortName(name) << "'";
}

/// The member that GetField and SetField find: one of the two.
struct FieldOrProperty {
  const TainFieldDef* field = nullptr;
  const TainPropertyDef* property = nullptr;

  explicit operator bool() const noexcept { return field != nullptr || property != nullptr; }
  std::string Where() const {
    const TainTypeInfo* info =
        TainGetTypeInfo(field != nullptr ? field->declaring_type : property->declaring_type);
    return std::string(info == nullptr ? std::string_view("?") : View(info->type_key)) + "." +
           std::string(View(field != nullptr ? field->info.name : property->name));
  }
};

FieldOrProperty FieldOf(const TainObject* header, std::string_view name) {
  return MemberOf(header, "field", name, [&](const TainTypeRecord& type) -> FieldOrProperty {
    const auto* field = FindNamed(type.fields, type.num_fields, name);
    if (field != nullptr) return {field, nullptr};
    return {nullptr, FindNamed(type.properties, type.num_properties, name)};
  });
}

/// Calls the getter or setter of a property.
Any CallAccessor(TainObject* function, const ObjectRef& object, const Any* value) {
  const Function accessor(RefAccess::Share<FunctionObj>(function));
  return value == nullptr ? accessor(object) : accessor(object, *value);
}

}  // namespace
}  // namespace internal

namespace reflection {

using internal::FieldOf;
using internal::HeaderOf;
using internal::MemberOf;
using internal::RefAccess;
using internal::View;

Any GetField(const ObjectRef& object, std::string_view name) {
  TainObject* header = HeaderOf(object, "field", name);
  const internal::FieldOrProperty found = FieldOf(header, name);
  if (found.property != nullptr) {
    return internal::CallAccessor(found.property->getter, object, nullptr);
  }
  TainAny value{};
  if (internal::GetField(*found.field, header, &value) != 0) throw Error::MoveFromRaised();
  return Any::Steal(value);
}

void SetField(const ObjectRef& object, std::string_view name, const Any& value) {
  TainObject* header = HeaderOf(object, "field", name);
  const internal::FieldOrProperty found = FieldOf(header, name);
  bool writable = found.property != nullptr && found.property->setter != nullptr;
  if (found.field != nullptr) {
    const TainTypeRecord* owner = TainGetTypeRecord(found.field->declaring_type);
    const bool frozen = owner != nullptr && (owner->def.flags & kTainTypeFrozen) != 0;
    writable = !frozen && (found.field->info.flags & kTainFieldWritable) != 0;
  }
  if (!writable) TAIN_THROW(AttributeError) << found.Where() << " is read-only";
  if (found.property != nullptr) {
    internal::CallAccessor(found.property->setter, object, &value);
  } else if (internal::SetField(*found.field, header, value.data()) != 0) {
    internal::ThrowPlaced(found.Where(), internal::TakeRaisedError());
  }
}

Function GetMethod(const ObjectRef& object, std::string_view name) {
  const TainObject* header = HeaderOf(object, "method", name);
  const auto* method = MemberOf(header, "method", name, [&](const TainTypeRecord& type) {
    return internal::OwnMethod(type, name);
  });
  return AnyView(method->info.method).cast<Function>();
}

Function ConstructorOf(std::string_view key) {
  const TainByteArray bytes{key.data(), key.size()};
  int32_t index = 0;
  if (TainTypeKeyToIndex(&bytes, &index) != 0) throw Error::MoveFromRaised();
  const TainTypeRecord* type = TainGetTypeRecord(index);
  if (type == nullptr || type->constructor == nullptr) {
    TAIN_THROW(TypeError) << key << " has no constructor";
  }
  return Function(RefAccess::Share<FunctionObj>(type->constructor));
}

}  // namespace reflection
}  // namespace tain
