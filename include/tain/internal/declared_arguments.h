// SPDX-License-Identifier: Apache-2.0
// The declared types of the arguments of a call under way. A TypedFunction knows them. The host
// needs them, because a tuple crosses as an Array, and Python gets a tuple only where C++ declares
// one.
#pragma once

#include <string>
#include <string_view>

#include "tain/traits.h"

namespace tain::internal {

/// Whether a value of type T is a tuple in Python. Such TypeTraits have `kIsTuple`.
template <class T>
concept IsDeclaredTuple = requires { requires TypeTraits<T>::kIsTuple; };

/// The type expression of a T that is a tuple in Python; empty for other types.
template <class T>
std::string_view TupleTypeOf() {
  if constexpr (IsDeclaredTuple<T>) {
    static const std::string text = TypeTraits<T>::TypeStr();
    return text;
  } else {
    return {};
  }
}

/// Throws the error of a result of a function that does not fit, with the name of the function.
[[noreturn]] TAIN_DLL void ThrowCallbackResult(const TainObject* function, Explain explain,
                                               const TainAny& got);

/// Tells the callee the types of an array of arguments, as long as the object lives.
class DeclaredArguments {
 public:
  /// `types` has the type expression of each argument; both arrays must outlive the object.
  TAIN_DLL DeclaredArguments(const TainAny* args, const std::string_view* types) noexcept;
  TAIN_DLL ~DeclaredArguments();
  DeclaredArguments(const DeclaredArguments&) = delete;
  DeclaredArguments& operator=(const DeclaredArguments&) = delete;

  /// Returns the type expression of an argument; empty if it is unknown.
  TAIN_DLL static std::string_view TypeOf(const TainAny* args, int32_t index) noexcept;

 private:
  const TainAny* args_;
  const std::string_view* types_;
  const DeclaredArguments* outer_;
};

}  // namespace tain::internal
