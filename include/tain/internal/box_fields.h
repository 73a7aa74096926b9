// SPDX-License-Identifier: Apache-2.0
// Fields of boxed classes, and fields whose value is a boxed class. Python gets a reference to such
// a value, which keeps the object with the field alive.
#pragma once

#include "tain/internal/box_traits.h"
#include "tain/internal/member_specs.h"

namespace tain::internal {

template <class M, bool kBoxed>
struct PlacedField {
  using V = std::remove_const_t<M>;

  static M* At(const TainFieldPlace& place, bool change, bool* read_only) {
    char* base = reinterpret_cast<char*>(place.object);
    if constexpr (kBoxed) {
      const auto* box = static_cast<const BoxObj*>(ObjectAccess::FromHeader(place.object));
      if (TAIN_UNLIKELY(box->target == nullptr)) ThrowNoTarget(box);
      if (TAIN_UNLIKELY(change && box->read_only)) ThrowReadOnlyBox(box->type_index());
      *read_only = box->read_only;
      base = static_cast<char*>(box->target);
    }
    return reinterpret_cast<M*>(base + place.offset);  // the field's record says so
  }
  static int Get(void* target, TainAny* result) noexcept {
    try {
      const auto& place = *static_cast<const TainFieldPlace*>(target);
      bool read_only = false;
      M* field = At(place, false, &read_only);
      if constexpr (CrossesInBox<V>) {
        ObjectToAny(
            ReferenceTo<V>(const_cast<V*>(field), read_only || std::is_const_v<M>, place.object),
            result);
      } else if constexpr (TypeTraits<V>::kBorrows) {
        const TainAny owner = ViewOfObject(place.object);
        TypeTraits<V>::StoreBorrowed(*field, &owner, 1, result);
      } else {
        TypeTraits<V>::MoveToAny(*static_cast<const V*>(field), result);
        if constexpr (RefersTo<V>) {
          const TainAny owner = ViewOfObject(place.object);
          KeepInResult(nullptr, *result, &owner, 1, KeptBits{0, 0});
        }
      }
      return 0;
    } catch (...) {
      return RaiseHandled();
    }
  }
  static int Set(void* target, const TainAny* value) noexcept {
    if constexpr (std::is_const_v<M>) {
      return FieldAccess<M>::Set(target, value);  // raises AttributeError
    } else if constexpr (kPlacedAssignable<M>) {
      try {
        std::optional<V> read = ReadForField<V>(value);
        if (!read) ThrowCast(&MismatchOf<V>, *value, "");
        bool read_only = false;
        const auto& place = *static_cast<const TainFieldPlace*>(target);
        M* field = At(place, true, &read_only);
        if constexpr (kHandsOver<V>) KeepInField(place.object, *value);
        *field = *std::move(read);
        return 0;
      } catch (...) {
        return RaiseHandled();
      }
    } else {
      TainErrorSetRaisedFromCStr("AttributeError", "the field cannot be assigned");
      return -1;
    }
  }
  static int VisitEdges(void* target, int (*visit)(TainObject* child, void* context),
                        void* context) {
    const V* field = Owned(*static_cast<const TainFieldPlace*>(target));
    return field == nullptr ? 0 : VisitEdgesOf<V>(*field, EdgeVisit{visit, context});
  }
  static void ClearEdges(void* target) {
    if (V* field = Owned(*static_cast<const TainFieldPlace*>(target))) ClearEdgesOf<V>(*field);
  }

 private:
  /// Returns a field of an object that its box alone owns; otherwise null, because the references in
  /// it are not the box's.
  static V* Owned(const TainFieldPlace& place) noexcept {
    const auto* box = static_cast<const BoxObj*>(ObjectAccess::FromHeader(place.object));
    const bool is_owner = box->kind == BoxKind::kValue || box->kind == BoxKind::kUnique ||
                          box->kind == BoxKind::kOverridden;
    if (!is_owner || box->target == nullptr) return nullptr;
    return reinterpret_cast<V*>(static_cast<char*>(box->target) + place.offset);
  }
};

}  // namespace tain::internal
