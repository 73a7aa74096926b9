// SPDX-License-Identifier: Apache-2.0
// with_defaults(f, shorter...): registers a function together with its C++ default arguments.
//
//   Point scaled(const Point& p, double by = 2);
//   def("scaled", tain::with_defaults(scaled, [](const Point& p) { return scaled(p); }),
//       tain::arg("by").optional())
// A function pointer does not carry default arguments. So each shorter call is written as a
// function that takes only the first parameters; these functions may be in any order. A call with
// fewer arguments reaches the function with that number of parameters. The signature is that of the
// first function and shows `...` for the defaults. A packed function does not need with_defaults,
// because it sees the number of its arguments.
#pragma once

#include <utility>

#include "tain/internal/with_defaults.h"

namespace tain {

/// Combines a callable with the forms that take fewer arguments.
template <class F, class... Shorter>
auto with_defaults(F&& full, Shorter&&... shorter) {
  using Made =
      internal::WithDefaults<typename internal::FunctionCall<std::decay_t<F>>::Type,
                             typename internal::FunctionCall<std::decay_t<Shorter>>::Type...>;
  static_assert(Made::kAreShorter,
                "with_defaults: a shorter form takes the first parameters of the function, and "
                "not all of them");
  static_assert(!Made::kAreShorter || sizeof...(Shorter) == Made::kNumOptional,
                "with_defaults: there is one shorter form for each number of arguments, down to "
                "the smallest");
  return Made{{std::forward<F>(full)}, {{std::forward<Shorter>(shorter)}...}};
}

}  // namespace tain
