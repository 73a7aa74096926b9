// SPDX-License-Identifier: Apache-2.0
// A callable with shorter forms, which take calls with fewer arguments.
#pragma once

#include <tuple>
#include <utility>

#include "tain/internal/closure.h"

namespace tain::internal {

/// Whether Short takes the first parameters of Full, but not all of them.
template <class Short, class Full>
inline constexpr bool kIsShorter = false;
template <class R, class... P, class S, class... Q>
  requires(sizeof...(P) < sizeof...(Q))
inline constexpr bool kIsShorter<Signature<R, P...>, Signature<S, Q...>> =
    []<size_t... I>(std::index_sequence<I...>) {
      using Given = std::tuple<std::decay_t<P>...>;
      using Wanted = std::tuple<std::decay_t<Q>...>;
      return (std::is_same_v<std::tuple_element_t<I, Given>, std::tuple_element_t<I, Wanted>> &&
              ...);
    }(std::index_sequence_for<P...>{});

/// The callable that tain::with_defaults makes: `full` takes all parameters, each of `shorter` only
/// the first ones.
template <class F, class... Shorter>
struct WithDefaults {
  F full;
  std::tuple<Shorter...> shorter;

  static constexpr bool kAreShorter = sizeof...(Shorter) > 0 &&
                                      (kIsShorter<SignatureOf<Shorter>, SignatureOf<F>> && ...);
  static constexpr int32_t kNumOptional = [] {
    int32_t least = SignatureOf<F>::kNumParams;
    ((least = SignatureOf<Shorter>::kNumParams < least ? SignatureOf<Shorter>::kNumParams : least),
     ...);
    return SignatureOf<F>::kNumParams - least;
  }();

  /// Calls the form with this number of parameters. Returns false if there is none.
  bool CallShorter(const TainFunctionInfo* info, const TainAny* args, int32_t num_args,
                   TainAny* result) {
    return std::apply(
        [&](Shorter&... each) {
          return (SignatureTools<SignatureOf<Shorter>>::Invoke::Call(each, info, args, num_args,
                                                                     result) ||
                  ...);
        },
        shorter);
  }
};

template <class F, class... Shorter>
struct CallableSignature<WithDefaults<F, Shorter...>> : CallableSignature<F> {};

template <class F, class... Shorter, class... A>
inline decltype(auto) CallWith(WithDefaults<F, Shorter...>& f, A&&... args) {
  return CallWith(f.full, std::forward<A>(args)...);
}

}  // namespace tain::internal
