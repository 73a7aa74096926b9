// SPDX-License-Identifier: Apache-2.0
// The declared types of the arguments of a call under way. A TypedFunction knows them. The host
// needs them, because a tuple crosses as an Array and an enum as its number or text, and Python gets
// a tuple or a member only where C++ declares one.
#pragma once

#include <string>
#include <string_view>

#include "tain/any.h"

namespace tain::internal {

/// Whether a value of type T is a tuple in Python. Such TypeTraits have `kIsTuple`.
template <class T>
concept IsDeclaredTuple = requires { requires TypeTraits<T>::kIsTuple; };

/// Whether a T is an enum, or a class template of one, such as a container.
template <class T>
inline constexpr bool kNamesEnum = std::is_enum_v<T>;
template <template <class...> class C, class... Ts>
inline constexpr bool kNamesEnum<C<Ts...>> = (kNamesEnum<Ts> || ...);
template <template <class, size_t> class C, class T, size_t kSize>
inline constexpr bool kNamesEnum<C<T, kSize>> = kNamesEnum<T>;

/// Whether the declared type of a T says more than its value.
template <class T>
inline constexpr bool kDeclaresMore = IsDeclaredTuple<T> || kNamesEnum<T>;

/// The type expression of a T whose declared type says more than its value; empty for other types.
template <class T>
std::string_view DeclaredTypeOf() {
  if constexpr (kDeclaresMore<T>) {
    static const std::string text = TypeTraits<T>::TypeStr();
    return text;
  } else {
    return {};
  }
}

/// Whether a T crosses as a member of an enum where it is declared: the enum itself, or None.
template <class T>
concept CrossesAsMember =
    requires(const T& v, TainAny* out) { TypeTraits<T>::MoveToMember(v, out); };

/// The view of an enum, which is a member for the host.
template <CrossesAsMember T>
struct MemberView {
  Any held;
  AnyView view;
  explicit MemberView(const T& value) {
    TainAny made{};
    TypeTraits<T>::MoveToMember(value, &made);
    held = Any::Steal(made);
    view = AnyView(held);
  }
};

/// The view of an argument of a function whose parameters are declared.
template <class P>
struct DeclaredAs {
  using View = PassedView<P>;
};
template <class P>
  requires CrossesAsMember<std::decay_t<P>>
struct DeclaredAs<P> {
  using View = MemberView<std::decay_t<P>>;
};
template <class P>
using DeclaredView = typename DeclaredAs<P>::View;

/// Throws the error of a result of a function that does not fit, with the name of the function.
[[noreturn]] TAIN_DLL void ThrowCallbackResult(const TainObject* function, Explain explain,
                                               const TainAny& got);
/// RethrowInside for what threw while the result of a callback was converted.
[[noreturn]] TAIN_DLL void RethrowCallbackResult(const TainObject* function);

/// Reads the result of a callback.
template <class T>
std::optional<T> ReadCallbackResult(const TainObject* function, const TainAny& result) {
  return ReadOr<T>(&result, [&] { RethrowCallbackResult(function); });
}

/// Tells the callee the types of an array of arguments, as long as the object lives.
class DeclaredArguments : NotCopied {
 public:
  /// `types` has the type expression of each argument; both arrays must outlive the object.
  TAIN_DLL DeclaredArguments(const TainAny* args, const std::string_view* types) noexcept;
  TAIN_DLL ~DeclaredArguments();

  /// Returns the type expression of an argument; empty if it is unknown.
  TAIN_DLL static std::string_view TypeOf(const TainAny* args, int32_t index) noexcept;

 private:
  const TainAny* args_;
  const std::string_view* types_;
  const DeclaredArguments* outer_;
};

/// Forgets the types of an array of arguments. The callee calls it before it runs foreign code: in
/// another coroutine, which moves the C stack away, other arguments may be at the same place.
TAIN_DLL void ForgetDeclared(const TainAny* args) noexcept;

}  // namespace tain::internal
