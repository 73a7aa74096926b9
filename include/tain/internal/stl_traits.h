// SPDX-License-Identifier: Apache-2.0
// What the traits of the standard library's collections, maps and tuples have in common.
#pragma once

#include <utility>

#include "tain/internal/edges.h"
#include "tain/internal/object_traits.h"

namespace tain::internal {

/// The traits of a class C with elements of the types E, which crosses as Same, a container of
/// tain. TypeTraits<C> has Store(v, out), which copies the elements of a const C and moves those of
/// another.
template <class C, class Same, class... E>
struct StlTraits : ReadingTraits<C> {
  static constexpr bool kCrosses = (CrossesAsElement<E> && ...);
  static constexpr bool kRefers = (RefersTo<E> || ...);
  static constexpr bool kStorable = !kRefers;
  static constexpr bool kViewable = false;
  static constexpr bool kReadOnce = true;
  static constexpr bool kFitsIfRead = (FitsIfRead<E> || ...);
  static constexpr bool kHoldsEdges = (HoldsEdges<E>() || ...);
  static constexpr bool kHoldsText = (HoldsText<E> || ...);

  static void MoveToAny(const C& v, TainAny* out) { TypeTraits<C>::Store(v, out); }
  static void MoveToAny(C&& v, TainAny* out) { TypeTraits<C>::Store(v, out); }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return TypeTraits<Same>::CheckAnyStrict(a);
  }
  static int FitOf(const TainAny* a) noexcept
    requires kFitsIfRead
  {
    return TypeTraits<Same>::FitOf(a);
  }
  static C CopyFromAnyViewAfterCheck(const TainAny* a) {
    C read;
    TypeTraits<C>::ReadInto(a, &read);
    return read;
  }
};

}  // namespace tain::internal
