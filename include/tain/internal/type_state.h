// SPDX-License-Identifier: Apache-2.0
// Which bytes of an object hold state, and whether registered fields are all of it.
//
// The compiler knows the padding of a class, but says it only of a variable. A union with a member
// of the class is such a variable without an object of the class.
#pragma once

#include <cstring>
#include <string>

#include "tain/base.h"

#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
#define TAIN_HAS_CLEAR_PADDING 1
#endif
#endif
#ifndef TAIN_HAS_CLEAR_PADDING
#define TAIN_HAS_CLEAR_PADDING 0
#endif

namespace tain::internal {

template <class T>
union StateProbe {  // its object is never constructed
  StateProbe() noexcept {}
  ~StateProbe() {}
  T object;
};

/// Whether MarkState of a T tells padding from state. Large classes are not put on the stack.
template <class T>
inline constexpr bool kKnowsPadding = TAIN_HAS_CLEAR_PADDING && sizeof(T) <= 16384;

/// TainTypeState::mark of a T.
template <class T>
void MarkState(unsigned char* bytes) noexcept {
#if TAIN_HAS_CLEAR_PADDING
  if constexpr (kKnowsPadding<T>) {
    StateProbe<T> probe;
    std::memset(static_cast<void*>(&probe), 0xff, sizeof(T));
    __builtin_clear_padding(&probe);
    std::memcpy(bytes, static_cast<const void*>(&probe), sizeof(T));
    return;
  }
#endif
  std::memset(bytes, 0xff, sizeof(T));
}

/// Returns the description of the memory of a T, without its origin.
template <class T>
constexpr TainTypeState StateOf() noexcept {
  TainTypeState state{};
  state.size = sizeof(T);
  state.flags = (std::is_polymorphic_v<T> ? kTainStatePolymorphic : 0) |
                (kKnowsPadding<T> ? kTainStateNoPadding : 0);
  state.mark = &MarkState<T>;
  return state;
}

/// A type says by `static constexpr bool _type_transient = true` what tain::transient() says.
template <class T>
constexpr int64_t StateFlagsOf() noexcept {
  if constexpr (requires { T::_type_transient; }) {
    return T::_type_transient ? int64_t{kTainTypeTransient} : 0;
  } else {
    return 0;
  }
}

/// Returns how many bytes of an object hold state that is no registered field, unless the type says
/// that such state is transient.
TAIN_DLL int64_t UnregisteredBytes(int32_t type_index);
/// The uses of an object that would lose such state.
enum class StateUse : int32_t { kPickle, kSave, kReplace, kCopy };
/// Returns the text of the error.
TAIN_DLL std::string UnregisteredStateText(int32_t type_index, StateUse use);

}  // namespace tain::internal
