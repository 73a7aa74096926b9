// SPDX-License-Identifier: Apache-2.0
// Stores the result of a function: text in the form that the caller offers, objects only if
// make_object made them, all other values by their TypeTraits.
#pragma once

#include <string>
#include <string_view>

#include "tain/convert.h"

namespace tain::internal {

/// Stores characters as a result: as a string of the host if the caller offers that, else as a
/// String.
inline void StoreText(std::string_view text, TainAny* result) {
  if (result->zero_padding == kTainTextOffer && result->type_index == kTainNone) {
    const auto take = reinterpret_cast<TainTakeText>(result->v_ptr);
    *result = TainAny{};
    result->v_ptr = take(text.data(), text.size());
    result->type_index = kTainTakenText;
  } else {
    TextToAny(text, result);
  }
}

/// Throws TypeError, with the name of the function, because make_object did not make the result.
[[noreturn]] TAIN_DLL void ThrowResultNotMade(const TainFunctionInfo* info, const char* key);

/// Returns the header of a result that is an object, a pointer or a handle; null for other results.
template <class T>
inline const TainObject* HeaderOfResult(const T& value) noexcept {
  if constexpr (IsObject<T>) return ObjectAccess::Header(&value);
  if constexpr (std::is_pointer_v<T> && IsObject<std::remove_pointer_t<T>>) {
    return value == nullptr ? nullptr : ObjectAccess::Header(value);
  }
  if constexpr (requires {
                  typename TypeTraits<T>::Container;
                  RefAccess::Header(value);
                }) {
    return RefAccess::Header(value);
  }
  return nullptr;
}
/// Returns the key of the class of a result that is an object, for messages.
template <class T>
constexpr const char* KeyOfResult() noexcept {
  if constexpr (IsObject<std::remove_pointer_t<T>>) return TypeOf<std::remove_pointer_t<T>>::kKey;
  if constexpr (requires { typename TypeTraits<T>::Container; }) {
    return TypeOf<typename TypeTraits<T>::Container>::kKey;
  }
  return "";
}

/// Whether a result refers to memory that the arguments may own; StoreBorrowed keeps them alive.
template <class R>
concept BorrowsFromArguments = (std::is_lvalue_reference_v<R> || std::is_pointer_v<R>) &&
                               requires { requires TypeTraits<std::decay_t<R>>::kBorrows; };

template <class R>
inline void StoreResult(const TainFunctionInfo* info, R&& value, TainAny* result) {
  using T = std::decay_t<R>;
  if constexpr (!IsObject<T> || std::is_lvalue_reference_v<R>) {
    if (const TainObject* header = HeaderOfResult<T>(value);
        header != nullptr && IsNotMade(header)) {
      ThrowResultNotMade(info, KeyOfResult<T>());
    }
  }
  if constexpr (IsObject<T> && !std::is_lvalue_reference_v<R>) {
    TypeTraits<ObjectPtr<T>>::MoveToAny(make_object<T>(std::forward<R>(value)), result);
  } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>) {
    StoreText(value, result);
  } else if constexpr (std::is_same_v<T, const char*>) {
    const char* text = value;
    if (text != nullptr) return StoreText(text, result);
    *result = TainAny{};
  } else if constexpr (IsObject<T>) {
    TypeTraits<const T*>::MoveToAny(&value, result);
  } else {
    TypeTraits<T>::MoveToAny(std::forward<R>(value), result);
  }
}

}  // namespace tain::internal
