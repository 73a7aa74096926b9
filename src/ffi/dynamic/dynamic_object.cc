// SPDX-License-Identifier: Apache-2.0
// Constructs, copies and destroys objects whose type is laid out at run time.
#include <cstring>
#include <new>

#include "base/guard.h"
#include "dynamic/dynamic_type.h"
#include "memory/unlocked_end.h"
#include "tain/internal/field_target.h"
#include "tain/internal/type_members.h"

namespace tain::internal {
namespace {

TainObject* HeaderIn(void* body, const TainTypeRecord& record) noexcept {
  return reinterpret_cast<TainObject*>(static_cast<char*>(body) + record.def.header_offset);
}
char* AddressOf(TainObject* header, const DynamicSlot& slot) noexcept {
  return reinterpret_cast<char*>(header) + slot.offset;
}
bool HoldsValue(const DynamicSlot& slot) noexcept {
  return slot.kind == kTainFieldAny || slot.kind == kTainFieldString;
}

void Destroy(void* body, const TainTypeRecord* record) {
  const DynamicLayout& layout = *LayoutOf(*record);
  TainObject* header = HeaderIn(body, *record);
  for (auto slot = layout.slots.rbegin(); slot != layout.slots.rend(); ++slot) {
    char* address = AddressOf(header, *slot);
    if (HoldsValue(*slot)) {
      Any::Steal(std::exchange(*reinterpret_cast<TainAny*>(address), TainAny{}));
    } else if (slot->kind == kTainFieldObject) {
      TainObject* child = std::exchange(*reinterpret_cast<TainObject**>(address), nullptr);
      if (child != nullptr) DecRef(child);
    }
  }
  if (layout.base != nullptr) layout.base->def.destroy(body, layout.base);
}

void Delete(void* self, int flags) {
  TainObjectDelete(self, flags, [](void* header) {
    const auto* object = static_cast<TainObject*>(header);
    const TainTypeRecord* record = TainGetTypeRecord(object->type_index);
    Destroy(static_cast<char*>(header) - record->def.header_offset, record);
  });
}

int ConstructDefault(void* body, const TainTypeRecord* record) {
  if (BuildBase(*record, body, nullptr, nullptr, nullptr, 0) != 0) return -1;
  const int code = Guard([&] {
    for (const TainFieldDef* field : DynamicFields(*record)) {
      if ((field->info.flags & kTainFieldHasDefault) == 0) continue;
      const Any value = DefaultOf(*field);
      ThrowIfFailed(SetField(*field, HeaderIn(body, *record), value.data()));
    }
  });
  if (code != 0) DestroyUnfinished(body, record);
  return code;
}

int Copy(void* body, const void* source, const TainTypeRecord* record) {
  const DynamicLayout& layout = *LayoutOf(*record);
  if (layout.base == nullptr) {
    ::new (body) Object();
  } else if (layout.base->def.copy(body, source, layout.base) != 0) {
    return -1;
  }
  TainObject* from = HeaderIn(const_cast<void*>(source), *record);
  std::memcpy(static_cast<char*>(body) + layout.base_size,
              static_cast<const char*>(source) + layout.base_size,
              static_cast<size_t>(record->request.size - layout.base_size));
  for (const DynamicSlot& slot : layout.slots) {
    const char* address = AddressOf(from, slot);
    TainObject* child = nullptr;
    if (HoldsValue(slot)) {
      const auto& value = *reinterpret_cast<const TainAny*>(address);
      if (value.type_index >= kTainStaticObjectBegin) child = value.v_obj;
    } else if (slot.kind == kTainFieldObject) {
      child = *reinterpret_cast<TainObject* const*>(address);
    }
    if (child != nullptr) IncRef(child);
  }
  return 0;
}

/// Calls a setter that is a Function with the address that it takes.
int CallSetter(const TainFieldDef& field, void* address, const TainAny& value) noexcept {
  TainAny args[2] = {{}, value};
  args[0].type_index = kTainOpaquePtr;
  args[0].v_ptr = address;
  TainAny nothing{};
  return TainFunctionCall(static_cast<TainObject*>(field.info.setter), args, 2, &nothing);
}

}  // namespace

void DescribeLife(const DynamicLayout& layout, TainTypeDef* def) noexcept {
  const TainTypeRecord* base = layout.base;
  def->destroy = &Destroy;
  def->deleter = &Delete;
  if (base == nullptr || base->def.construct_default != nullptr) {
    def->construct_default = &ConstructDefault;
  }
  if (base == nullptr || base->def.copy != nullptr) def->copy = &Copy;
}

int BuildBase(const TainTypeRecord& record, void* body, decltype(TainTypeDef::construct) construct,
              const TainFunctionInfo* info, const TainAny* args, int32_t num_args) noexcept {
  const DynamicLayout& layout = *LayoutOf(record);
  int code = 0;
  if (layout.base == nullptr) {
    ::new (body) Object();
  } else if (construct != nullptr) {
    code = construct(body, info, args, num_args);
  } else {
    code = layout.base->def.construct_default(body, layout.base);
  }
  if (code != 0) return code;
  std::memset(static_cast<char*>(body) + layout.base_size, 0,
              static_cast<size_t>(record.request.size - layout.base_size));
  for (const DynamicSlot& slot : layout.slots) {
    if (slot.kind != kTainFieldString) continue;
    reinterpret_cast<TainAny*>(AddressOf(HeaderIn(body, record), slot))->type_index = kTainSmallStr;
  }
  return 0;
}

std::vector<const TainFieldDef*> DynamicFields(const TainTypeRecord& record) {
  std::vector<const TainFieldDef*> fields = AllFieldsOf(record);
  std::erase_if(fields, [](const TainFieldDef* field) {
    const TainTypeRecord& owner = *TainGetTypeRecord(field->declaring_type);
    return LayoutOf(owner) == nullptr && (owner.def.flags & kTainTypeDefined) != 0;
  });
  return fields;
}

int SetField(const TainFieldDef& field, void* header, const TainAny& value) noexcept {
  if (TAIN_UNLIKELY(field.info.setter == nullptr)) {  // a type of foreign code may have none
    TainErrorSetRaisedFromCStr("AttributeError", "the field has no setter");
    return -1;
  }
  FieldTarget target(header, field);
  void* address = target.get();
  if ((field.info.flags & kTainFieldSetterIsFunction) != 0) {
    return CallSetter(field, address, value);
  }
  return reinterpret_cast<TainFieldSetter>(field.info.setter)(address, &value);
}

int AskConditions(const TainFieldDef& field, const TainAny& value) noexcept {
  if ((field.access & kTainFieldChecked) == 0) return 0;
  return CallSetter(field, nullptr, value);  // with no address it only checks
}

Any DefaultOf(const TainFieldDef& field) {
  const TainAny& value = field.info.default_value_or_factory;
  if ((field.info.flags & kTainFieldDefaultFactory) == 0) return Any(AnyView(value));
  TainAny made{};
  if (TainFunctionCall(value.v_obj, nullptr, 0, &made) != 0) throw Error::MoveFromRaised();
  return Any::Steal(made);
}

}  // namespace tain::internal
