// SPDX-License-Identifier: Apache-2.0
// overload(f, g, ...): several functions under one name. overload_cast<Args...>(&T::f) selects one
// of a C++ name.
//
//   GlobalDef().def("geometry.area", tain::overload(area_of_circle, area_of_polygon));
// This equals one `def` for each function, except that separate `def`s allow different names,
// defaults and documentation. A call tries the functions in order: first those whose parameter
// types are exactly the types of the arguments, then the others with conversions. Options next to
// overload() apply to each function.
//
//   .def("at", tain::overload_cast<int>(&T::at))                  // of T::at(int), T::at(Key) ...
//   .def("at", tain::overload_cast<int>(&T::at, tain::const_))    // T::at(int) const
#pragma once

#include <tuple>
#include <type_traits>
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

/// Selects the function that takes exactly A... from a set of overloads.
template <class... A>
struct OverloadCast {
  template <class R>
  constexpr auto operator()(R (*function)(A...)) const noexcept {
    return function;
  }
  template <class R, class C>
  constexpr auto operator()(R (C::*function)(A...)) const noexcept {
    return function;
  }
  template <class R, class C>
  constexpr auto operator()(R (C::*function)(A...) const, std::true_type) const noexcept {
    return function;
  }
};

}  // namespace internal

/// Selects the overload with the parameters A...: `overload_cast<int, double>(&T::f)`, for a const
/// member function `overload_cast<int>(&T::f, tain::const_)`.
template <class... A>
inline constexpr internal::OverloadCast<A...> overload_cast{};
/// Says to overload_cast that the member function is const.
inline constexpr std::true_type const_{};

/// Combines functions that are to be registered under one name.
template <class... F>
internal::Overloads<std::decay_t<F>...> overload(F&&... functions) {
  return {{std::forward<F>(functions)...}};
}

}  // namespace tain
