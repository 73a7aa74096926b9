// SPDX-License-Identifier: Apache-2.0
// overload(f, g, ...): several functions under one name.
//
//   GlobalDef().def("geometry.area", tain::overload(area_of_circle, area_of_polygon));
// This equals one `def` for each function, except that separate `def`s allow different names,
// defaults and documentation. A call tries the functions in order: first those whose parameter
// types are exactly the types of the arguments, then the others with conversions. Options next to
// overload() apply to each function.
#pragma once

#include <tuple>
#include <utility>

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

/// Combines functions that are to be registered under one name.
template <class... F>
internal::Overloads<std::decay_t<F>...> overload(F&&... functions) {
  return {{std::forward<F>(functions)...}};
}

}  // namespace tain
