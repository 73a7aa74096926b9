// SPDX-License-Identifier: Apache-2.0
// The registered types of boxed classes: which classes can be boxed, and under which type index.
#pragma once

#include <atomic>
#include <string>

#include "tain/any.h"
#include "tain/callable.h"
#include "tain/convert.h"
#include "tain/internal/type_name.h"

namespace tain::internal {

class BoxObj;
class OverrideLink;

/// The description of a boxed class. Never freed.
struct BoxType {
  const char* key;
  int32_t type_index;
  /// The bytes from the target of a box to its object of this class. All boxes of a hierarchy point
  /// to the part of the first registered base.
  int64_t shift;
  /// Returns what an object knows of its box. Null for a class whose objects know nothing; see
  /// box_override.h.
  OverrideLink* (*link_of)(const void* whole) noexcept;
};

/// A class that is declared as boxed.
/// Moves the value of a kValue box to the heap; returns the target that a box of it would have. Throws
/// what the constructor throws.
using BoxMoveOut = void* (*)(BoxObj* box);
struct BoxRequest {
  const char* key;
  const char* cpp_name;               ///< MangledNameOf<T>
  std::string_view shown_name;        ///< for messages
  const BoxType* base;                ///< null if it has no base
  std::string_view base_name;         ///< for messages; empty if it has no base
  int64_t base_offset;                ///< from an object of the class to its base
  int64_t size, alignment;            ///< of the box
  void (*end)(BoxObj* box) noexcept;  ///< destroys the value of a kValue box; may be null
  BoxMoveOut move_out;                ///< null if it cannot be moved
  int32_t flags;                      ///< TainTypeFlag
  const TainUnit* unit;
};

/// Returns the newest type of a class; null if no library has registered it.
TAIN_DLL const BoxType* FindBoxType(const char* cpp_name) noexcept;
/// Whether the objects of a type are boxes: it is that of a boxed class, or derived from one.
TAIN_DLL bool IsBoxType(int32_t type_index) noexcept;
/// Returns how the values of a type's boxes are moved; null if they are not, or if the type is not
/// itself that of a boxed class.
TAIN_DLL BoxMoveOut FindBoxMoveOut(int32_t type_index) noexcept;
/// Registers the type of a class, or returns it if the unit has done so. A mistake becomes a fault
/// of the unit.
TAIN_DLL const BoxType* DeclareBoxType(const BoxRequest& request) noexcept;
/// Declares a class whose objects are those of a boxed class, which is its base at `base_offset`.
TAIN_DLL void DeclareOverridingClass(const BoxType& base, int64_t base_offset, const char* cpp_name,
                                     OverrideLink* (*link_of)(const void* whole) noexcept,
                                     const TainUnit* unit) noexcept;
/// Returns the name of a class that is not registered. Throws TypeError while a member is being
/// registered; `is_described` is asked later whether the class has been described since.
TAIN_DLL std::string SpellUnknownBox(std::string_view shown_name, bool (*is_described)());
[[noreturn]] TAIN_DLL void ThrowUnknownBox(std::string_view shown_name);

constexpr bool StartsWith(std::string_view text, std::string_view start) noexcept {
  return text.substr(0, start.size()) == start;
}
/// Whether the name in C++ is that of a class which a library may offer: neither a class of the
/// standard library, of tain or of the ABI, which have TypeTraits or shall have none, nor a lambda.
template <class F>
constexpr bool HasForeignName() noexcept {
  const std::string_view name = NameInCpp<F>();
  return !StartsWith(name, "std::") && !StartsWith(name, "tain::") && !StartsWith(name, "Tain") &&
         !StartsWith(name, "DL") && name.find("<lambda") == name.npos &&
         name.find("(lambda") == name.npos;
}
/// A class that can be boxed.
template <class F>
concept Boxable =
    (std::is_class_v<F> || std::is_union_v<F>) && std::is_same_v<F, std::decay_t<F>> &&
    !IsObject<F> && !IsObjectRef<F> && HasForeignName<F>();
/// A class that crosses in a box: it has no TypeTraits of its own.
template <class F>
concept InBox = Boxable<F> && requires { requires TypeTraits<F>::kInBox; };

/// Holds the type of a boxed class for this library; declare_boxed and ObjectDef set it.
template <class F>
struct BoxSlot {
  TAIN_HIDDEN inline static std::atomic<const BoxType*> type{nullptr};
};
template <class F>
TAIN_COLD const BoxType* LookUpBoxType() noexcept {
  const BoxType* found = FindBoxType(MangledNameOf<F>());
  if (found != nullptr) BoxSlot<F>::type.store(found, std::memory_order_release);
  return found;
}
/// Returns the type of a boxed class, or null if it is not registered.
template <class F>
inline const BoxType* FindBoxTypeOf() noexcept {
  const BoxType* type = BoxSlot<F>::type.load(std::memory_order_acquire);
  return TAIN_LIKELY(type != nullptr) ? type : LookUpBoxType<F>();
}
/// The same; throws TypeError if the class is not registered.
template <class F>
inline const BoxType& BoxTypeOf() {
  const BoxType* type = FindBoxTypeOf<F>();
  if (TAIN_UNLIKELY(type == nullptr)) ThrowUnknownBox(NameInCpp<F>());
  return *type;
}
template <class F>
std::string BoxKeyOf() {
  const BoxType* type = FindBoxTypeOf<F>();
  if (type != nullptr) return std::string(type->key);
  return SpellUnknownBox(NameInCpp<F>(), [] { return FindBoxTypeOf<F>() != nullptr; });
}
/// Whether an object of type `index` is a box of an F or of a registered class derived from F.
template <class F>
inline bool IsBoxIndex(int32_t index) noexcept {
  const BoxType* type = FindBoxTypeOf<F>();
  if (TAIN_UNLIKELY(type == nullptr)) return false;
  return TAIN_LIKELY(index == type->type_index) ||
         (index > type->type_index && TainTypeIsInstance(index, type->type_index) != 0);
}

}  // namespace tain::internal
