// SPDX-License-Identifier: Apache-2.0
// Getters and setters of fields, and the compile errors for members that cannot be fields.
#pragma once

#include "tain/internal/caught.h"
#include "tain/internal/edges.h"
#include "tain/internal/field_kinds.h"
#include "tain/internal/signature_checks.h"

namespace tain::internal {

/// Reads the value that a field gets.
template <class M>
std::optional<M> ReadForField(const TainAny* value) {
  return ReadOr<M>(value, [] { RethrowInside(""); });  // callers of the setter know the field
}

/// The getter and setter of a field of type M, which take the address of the field.
template <class M>
struct FieldAccess {
  static int Get(void* field, TainAny* result) noexcept {
    try {
      if constexpr (kIsReadAsNumber<M>) {
        TypeTraits<M>::MoveToAny(ReadNumber(*static_cast<const M*>(field)), result);
      } else {
        TypeTraits<M>::MoveToAny(*static_cast<const M*>(field), result);
      }
      return 0;
    } catch (...) {
      return RaiseHandled();
    }
  }
  static int Set(void* field, const TainAny* value) noexcept {
    try {
      if constexpr (ReadsInto<M>) {
        M read{};
        if (!TypeTraits<M>::ReadInto(value, &read)) ThrowCast(&MismatchOf<M>, *value, "");
        *static_cast<M*>(field) = std::move(read);
      } else {
        std::optional<M> read = ReadForField<M>(value);
        if (!read) ThrowCast(&MismatchOf<M>, *value, "");
        *static_cast<M*>(field) = *std::move(read);
      }
      return 0;
    } catch (...) {
      return RaiseHandled();
    }
  }
};
template <class M>
struct FieldAccess<const M> : FieldAccess<M> {
  static int Set(void*, const TainAny*) noexcept {
    TainErrorSetRaisedFromCStr("AttributeError", "the field is const");
    return -1;
  }
};

/// Throws TypeError: an object of the class with this index was not made by tain.
[[noreturn]] TAIN_DLL void ThrowForeignObject(const TainObject* object);

/// The accessors of a field of a class that is OnlyOfTain; they take a TainFieldPlace.
template <class M>
struct CheckedField {
  using V = std::remove_const_t<M>;

  static void* At(void* place) noexcept {
    const auto& [object, offset] = *static_cast<const TainFieldPlace*>(place);
    if ((TainObjectWordOf(object) & kTainHeaderHasPrefix) == 0) return nullptr;
    return reinterpret_cast<char*>(object) + offset;
  }
  static int Get(void* place, TainAny* result) noexcept {
    if (void* field = At(place)) return FieldAccess<M>::Get(field, result);
    return Refuse(place);
  }
  static int Set(void* place, const TainAny* value) noexcept {
    if (void* field = At(place)) return FieldAccess<M>::Set(field, value);
    return Refuse(place);
  }
  static int VisitEdges(void* place, int (*visit)(TainObject* child, void* context),
                        void* context) {
    const void* field = At(place);
    if (field == nullptr) return 0;
    return VisitEdgesOf<V>(*static_cast<const V*>(field), EdgeVisit{visit, context});
  }
  static void ClearEdges(void* place) {
    if (void* field = At(place)) ClearEdgesOf<V>(*static_cast<V*>(field));
  }

 private:
  static int Refuse(void* place) noexcept {
    try {
      ThrowForeignObject(static_cast<const TainFieldPlace*>(place)->object);
    } catch (...) {
      return RaiseHandled();
    }
  }
};

/// The getter and setter of a field that take a TainFieldPlace; in box_fields.h.
template <class M, bool kBoxed>
struct PlacedField;

/// Whether a field that takes a TainFieldPlace can be assigned. What a pointer points to belongs to
/// others, so it cannot.
template <class M>
inline constexpr bool kPlacedAssignable =
    TypeTraits<M>::kStorable && std::is_copy_constructible_v<M> && std::is_move_assignable_v<M>;

/// Whether def_rw may have a field of the type M, or explains elsewhere why it cannot be one.
template <class M>
consteval bool FieldMayBeAssigned() {
  if constexpr (std::is_function_v<M> || !Crosses<M>) {
    return true;
  } else if constexpr (TypeTraits<M>::kBorrows || RefersTo<M>) {
    return kPlacedAssignable<M>;
  } else {
    return true;
  }
}

/// Fails to compile with the reason why W cannot be a field.
template <class W>
struct FieldErrors {
  static constexpr bool kData = std::is_pointer_v<W> && !kIsPlainFunction<W>;
  static_assert(!kData,
                "def_ro/def_rw: a static member belongs to no object: use def_attr for a constant, "
                "def_static for a function that reads it");
  static_assert(kData,
                "def_ro/def_rw: this is no data member: use def_property for what a function "
                "computes, def_attr for a constant");
};

}  // namespace tain::internal
