// SPDX-License-Identifier: Apache-2.0
// The types of boxed classes by their C++ names, for libraries that did not register them and for
// the dynamic classes of polymorphic objects.
#include <mutex>
#include <string>

#include "base/guard.h"
#include "memory/box_kept.h"
#include "registry/box_target.h"
#include "registry/registration.h"
#include "registry/registry.h"
#include "registry/unit.h"
#include "tain/internal/box.h"

namespace tain::internal {
namespace {

bool IsDead(const BoxType& type) noexcept {
  const TainTypeRecord* record = TainGetTypeRecord(type.type_index);
  return record == nullptr || (record->def.flags & kTainTypeDead) != 0;
}

TainTypeRequest RequestOf(const BoxRequest& request) {
  TainTypeRequest type{};
  type.key = Bytes(request.key);
  type.static_index = -1;
  type.parent = request.base == nullptr ? int32_t{kTainObject} : request.base->type_index;
  const TainTypeRecord* parent = TainGetTypeRecord(type.parent);
  type.depth = parent == nullptr ? 1 : parent->info->type_depth + 1;
  type.child_slots_can_overflow = 1;
  type.flags = request.flags;
  type.size = request.size;
  type.alignment = request.alignment;
  type.unit = request.unit;
  return type;
}

BoxType* NewBoxType(Registry& registry, const BoxRequest& request, int32_t index) {
  auto* made = registry.arena.New<BoxType>();
  made->key = registry.arena.Copy(request.key == nullptr ? "?" : request.key).data;
  made->type_index = index;
  made->shift = request.base == nullptr ? 0 : request.base->shift - request.base_offset;
  made->link_of = nullptr;
  return made;
}

const BoxType* AddBoxType(const BoxRequest& request) {
  if (request.key == nullptr) {
    TAIN_THROW(ValueError) << request.shown_name << ": a boxed class needs a key";
  }
  if (!request.base_name.empty() && request.base == nullptr) {
    TAIN_THROW(TypeError) << request.key << ": expected a base class that is registered, got "
                          << request.base_name << ": describe or declare it before";
  }
  Registry& registry = Registry::Default();
  Unit* unit = CurrentUnit(request.unit);
  const int32_t before = KnownIndex(request.key, -1);  // the type that has the key already
  const TainTypeRequest type = RequestOf(request);
  const int32_t index = TainTypeRequestIndex(&type);

  std::unique_lock lock(registry.mutex);
  auto& types = registry.boxes[request.cpp_name];
  for (const BoxEntry& known : types) {
    if (known.type->type_index == index) return known.type;
    if (unit != nullptr && known.unit == unit && !IsDead(*known.type)) {
      TAIN_THROW(ValueError) << request.key << ": " << request.shown_name << " is already boxed as "
                             << known.type->key;
    }
  }
  if (const BoxClass* other = registry.types.FindBoxClass(index)) {
    TAIN_THROW(ValueError) << request.key << ": the key belongs to the boxed class " << other->name
                           << ", not to " << request.shown_name;
  }
  if (index == before) {
    TAIN_THROW(ValueError) << request.key << ": the key belongs to a class that is not boxed";
  }
  registry.box_classes.push_back({std::string(request.shown_name), request.end, request.move_out});
  registry.types.SetBoxClass(index, &registry.box_classes.back());
  types.push_back({NewBoxType(registry, request, index), unit});
  return types.back().type;
}

/// Returns the boxed class of a type, or from which it derives; null if there is none. Takes no lock:
/// it is asked for each argument and result.
const BoxClass* BoxClassOf(int32_t type_index) noexcept {
  const TypeTable& types = Registry::Default().types;
  while (type_index >= kTainDynObjectBegin) {
    if (const BoxClass* found = types.FindBoxClass(type_index)) return found;
    const TypeEntry* entry = types.Find(type_index);
    if (entry == nullptr) break;
    type_index = entry->record.request.parent;
  }
  return nullptr;
}

}  // namespace

const BoxType* FindBoxType(const char* cpp_name) noexcept {
  Registry& registry = Registry::Default();
  std::shared_lock lock(registry.mutex);
  const auto it = registry.boxes.find(std::string_view(cpp_name));
  if (it == registry.boxes.end()) return nullptr;
  for (auto entry = it->second.rbegin(); entry != it->second.rend(); ++entry) {
    if (!IsDead(*entry->type)) return entry->type;
  }
  return nullptr;
}

bool IsBoxType(int32_t type_index) noexcept { return BoxClassOf(type_index) != nullptr; }

BoxMoveOut FindBoxMoveOut(int32_t type_index) noexcept {
  const BoxClass* found = Registry::Default().types.FindBoxClass(type_index);
  return found == nullptr ? nullptr : found->move_out;
}

void EndBoxedObject(BoxObj* box) noexcept {
  const BoxClass* found = BoxClassOf(box->type_index());
  if (found != nullptr && found->end != nullptr) found->end(box);
}

const BoxType* DeclareBoxType(const BoxRequest& request) noexcept {
  const char* key = request.key == nullptr ? "" : request.key;
  const BoxType* type = nullptr;
  FaultsOf(request.unit, key, [&] { type = AddBoxType(request); });
  FaultsOf(request.unit, key, [&] {
    if (type != nullptr) return;
    Registry& registry = Registry::Default();
    const int32_t index = registry.AddDeadType(key);
    std::unique_lock lock(registry.mutex);
    type = NewBoxType(registry, request, index);
  });
  return type;
}

void DeclareOverridingClass(const BoxType& base, int64_t base_offset, const char* cpp_name,
                            OverrideLink* (*link_of)(const void* whole) noexcept,
                            const TainUnit* unit) noexcept {
  FaultsOf(unit, base.key, [&] {
    Registry& registry = Registry::Default();
    Unit* owner = CurrentUnit(unit);
    std::unique_lock lock(registry.mutex);
    auto& types = registry.boxes[cpp_name];
    for (const BoxEntry& known : types) {
      if (known.type->type_index == base.type_index) return;
      if (!IsDead(*known.type) && View(Bytes(known.type->key)) != View(Bytes(base.key))) {
        TAIN_THROW(ValueError) << base.key << ": the class of its overrides is that of "
                               << known.type->key << " already";
      }
    }
    auto* made = registry.arena.New<BoxType>();
    *made = base;
    made->shift -= base_offset;
    made->link_of = link_of;
    types.push_back({made, owner});
  });
}

void ThrowUnknownBox(std::string_view shown_name) {
  TAIN_THROW(TypeError) << shown_name << " is not registered: describe it with ObjectDef<"
                        << "tain::Boxed<" << shown_name << ">>, or give it a tain::TypeTraits";
}

NoTarget WhyNoTarget(const BoxObj* box) noexcept {
  const bool is_over = box->loan == BoxLoan::kOver;
  if (is_over && box->kind == BoxKind::kEnded && box->is_known) {
    return {false, "C++ has destroyed the object, which was given to it", "destroyed"};
  }
  if (is_over) {
    return {false,
            "C++ lent the object for the length of a call, which has returned: copy it during the "
            "call",
            "lent for a call that is over"};
  }
  if (box->kind == BoxKind::kReference || box->kind == BoxKind::kEnded) {
    return {true, "the garbage collector has cleared the object", "cleared"};
  }
  return {false, "the object was given away to a std::unique_ptr of C++", "given away"};
}

void ThrowNoTarget(const BoxObj* box) {
  const NoTarget why = WhyNoTarget(box);
  const std::string_view key = View(TainGetTypeInfo(box->type_index())->type_key);
  if (why.is_cleared) TAIN_THROW(ReferenceError) << key << ": " << why.what;
  TAIN_THROW(ValueError) << key << ": " << why.what;
}

void ThrowReadOnlyBox(int32_t type_index) {
  TAIN_THROW(TypeError) << View(TainGetTypeInfo(type_index)->type_key)
                        << ": the object is read-only, because C++ returned it as const: change "
                        << "a copy";
}

void ThrowNotCopyable(const char* key) {
  TAIN_THROW(TypeError) << key
                        << " cannot be copied: its class has no copy constructor, and defines no "
                           "__copy__ and __deepcopy__";
}

void ThrowSlicedCopy(const char* key) {
  TAIN_THROW(TypeError) << key << ": the object is of a derived class that is not registered, so "
                        << "it cannot be copied";
}

}  // namespace tain::internal
