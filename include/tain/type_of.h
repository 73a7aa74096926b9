// SPDX-License-Identifier: Apache-2.0
// TypeOf<T>: the key, parent, depth and index of a class as a registered type.
//
//   tain::TypeOf<PointObj>::kKey     // "geometry.Point"
//   tain::TypeOf<PointObj>::Index()  // the type index in this process, made by the first call
// TAIN_OBJECT states them in the class. All other headers ask TypeOf, so a specialization can state
// them for a class without TAIN_OBJECT.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tain/base.h"

namespace tain {
namespace internal {

template <class T>
struct StatedParent {
  using Type = void;
};
template <class T>
  requires requires { typename T::_type_parent; }
struct StatedParent<T> {
  using Type = typename T::_type_parent;
};

/// Whether T itself has a TAIN_OBJECT, rather than only one of its bases.
template <class T>
concept StatesType = requires { requires std::is_same_v<typename T::_type_self, T>; };

}  // namespace internal

/// The properties of a class as a registered type.
template <class T>
struct TypeOf {
  /// The parent type; void if the class has no TAIN_OBJECT.
  using Parent = typename internal::StatedParent<T>::Type;
  /// Whether T has its own TAIN_OBJECT. If not, all other members describe a base class of T.
  static constexpr bool kOwn = internal::StatesType<T>;
  /// The key under which the type is registered.
  static constexpr const char* kKey = T::_type_key;
  /// The number of ancestors.
  static constexpr int32_t kDepth = T::_type_depth;
  /// Whether the type has no derived C++ classes.
  static constexpr bool kFinal = T::_type_final;
  /// The number of indices after the type's own that are reserved for children, and whether further
  /// children may get other indices.
  static constexpr int32_t kChildSlots = T::_type_child_slots;
  static constexpr bool kChildSlotsCanOverflow = T::_type_child_slots_can_overflow;
  /// Returns the type index. The first call requests it from the type table.
  static int32_t Index() noexcept { return T::RuntimeTypeIndex(); }
};

}  // namespace tain
