// SPDX-License-Identifier: Apache-2.0
// The compiler's checks of keep_alive: its numbers must be those of objects of the signature.
#pragma once

#include <string_view>

#include "tain/internal/signature_checks.h"
#include "tain/reflection/arg.h"

namespace tain::internal {

/// The pairs of TainFunctionInfo::keeps.
struct KeptNumbers {
  int nurse;
  int patient;
};
template <class Act>
void ForEachPair(uint64_t keeps, const Act& act) {
  for (; keeps != 0; keeps >>= 16) {
    act(KeptNumbers{static_cast<int>(keeps & 255), static_cast<int>(keeps >> 8 & 255)});
  }
}

/// Whether a result or a parameter of type T may be an object. Numbers and texts are copied.
template <class T>
inline constexpr bool kMayBeObject =
    !std::is_void_v<T> && !std::is_arithmetic_v<std::decay_t<T>> &&
    !std::is_enum_v<std::decay_t<T>> && !std::is_convertible_v<std::decay_t<T>, std::string_view>;

/// Bit i is set if the result (0) or parameter i may be an object. After tain::Args all are.
template <class Sig>
inline constexpr uint64_t kObjectsOf = 0;
template <class R, class... P>
inline constexpr uint64_t kObjectsOf<Signature<R, P...>> = [] {
  uint64_t bits = kMayBeObject<R> ? 1 : 0, bit = 1;
  ((bit <<= 1, bits |= ParamType<P>::kRest                           ? ~(bit - 1)
                       : kMayBeObject<P> && !ParamType<P>::kKeywords ? bit
                                                                     : 0),
   ...);
  return bits;
}();

/// Whether an option, if it is a keep_alive, names objects of the signature.
template <class Sig, uint64_t kPair>
constexpr bool KeptFits(const KeepsAlive<kPair>*) noexcept {
  constexpr uint64_t kNurse = kPair & 255, kPatient = kPair >> 8 & 255;
  if constexpr (kPair == kWrongPair) return false;
  return (kObjectsOf<Sig> >> (kNurse & 63) & kObjectsOf<Sig> >> (kPatient & 63) & 1) != 0;
}

/// Fails to compile if a keep_alive does not fit the signature.
template <bool kFit>
struct KeepErrors {
  static_assert(kFit,
                "keep_alive<N, P>: N and P are the numbers of two objects: 0 the result, or what a "
                "constructor makes, 1 and later the arguments, for a method the object is 1; "
                "numbers and texts are copied");
};

/// The result of a constructor of T, for CheckKeeps.
template <class T, class Sig>
struct MadeBy;
template <class T, class R, class... P>
struct MadeBy<T, Signature<R, P...>> {
  using Type = Signature<T&, P...>;
};

/// The same for a keep_alive of a property: it is the setter's if it names the value.
template <class Getter, class Setter, uint64_t kPair>
constexpr bool KeptFitsProperty(const KeepsAlive<kPair>* kept) noexcept {
  constexpr bool kNamesValue = (kPair & 255) == 2 || (kPair >> 8 & 255) == 2;
  return KeptFits<std::conditional_t<kNamesValue, Setter, Getter>>(kept);
}
template <class Getter, class Setter>
constexpr bool KeptFitsProperty(const void*) noexcept {
  return true;
}
template <class Getter, class Setter, class... Extra>
inline constexpr bool kKeepsFitProperty =
    (KeptFitsProperty<Getter, Setter>(static_cast<const std::decay_t<Extra>*>(nullptr)) && ...);
template <class Sig, class... Extra>
inline constexpr bool kKeepsFit = kKeepsFitProperty<Sig, Sig, Extra...>;

}  // namespace tain::internal
