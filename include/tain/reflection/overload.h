// SPDX-License-Identifier: Apache-2.0
// overload(f, g, ...): several functions under one name.
//
//   GlobalDef().def("geometry.area", tain::overload(area_of_circle, area_of_polygon));
// The same as a `def` for each of them, which lets each have names, defaults and documentation of
// its own. A call tries them in order: first those whose parameter types are exactly those of the
// arguments, then the others with conversions. What is said beside overload() is said of each.
#pragma once

#include <tuple>
#include <utility>

#include "tain/reflection/info.h"

namespace tain {
namespace internal {

/// The functions given to overload().
template <class... F>
struct Overloads {
  static_assert(sizeof...(F) >= 2, "overload: two or more functions");
  std::tuple<F...> functions;

  template <class Visit>
  void ForEach(Visit&& visit) {
    std::apply([&](F&... each) { (visit(each), ...); }, functions);
  }
};

template <class T>
inline constexpr bool kIsOverloads = false;
template <class... F>
inline constexpr bool kIsOverloads<Overloads<F...>> = true;
template <class F>
concept IsOverloads = kIsOverloads<std::decay_t<F>>;

}  // namespace internal

/// Functions that are registered under one name.
template <class... F>
internal::Overloads<std::decay_t<F>...> overload(F&&... functions) {
  return {{std::forward<F>(functions)...}};
}

}  // namespace tain
