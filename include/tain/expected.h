// SPDX-License-Identifier: Apache-2.0
// Expected<T>, a value or the Error why there is none, for functions that report errors without
// throwing.
//
//   tain::Expected<double> Root(double x) {
//     if (x < 0) return TAIN_UNEXPECTED(ValueError) << "got " << x;
//     return std::sqrt(x);
//   }
//   Root(2).value();                                          // throws the Error if there is one
//   tain::CallExpected<double>(function, 2.0).value_or(0.0);  // errors of the callee become values
// A registered function that returns an Expected raises its error: Python sees the value or the
// exception. An Any made of an Expected holds the value or the Error.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "tain/function.h"

namespace tain {

/// An Error that becomes that of an Expected: `return tain::Unexpected(error);`
template <class E = Error>
class Unexpected {
  static_assert(std::is_base_of_v<Error, E>, "Unexpected<E>: E must be tain::Error or a subclass");

 public:
  explicit Unexpected(E error) noexcept : error_(std::move(error)) {}
  const E& error() const& noexcept { return error_; }
  E& error() & noexcept { return error_; }
  E&& error() && noexcept { return std::move(error_); }

 private:
  E error_;
};

template <class T>
class Expected;

namespace internal {

template <class T>
inline constexpr bool kIsExpected = false;
template <class T>
inline constexpr bool kIsExpected<Expected<T>> = true;
template <class T>
inline constexpr bool kIsUnexpected = false;
template <class E>
inline constexpr bool kIsUnexpected<Unexpected<E>> = true;

/// A type whose values become those of an Expected<T>: neither an error nor an Expected.
template <class U, class T>
concept ExpectedValue = !kIsExpected<std::decay_t<U>> && !kIsUnexpected<std::decay_t<U>> &&
                        !std::is_base_of_v<Error, std::decay_t<U>> && std::is_convertible_v<U, T>;

/// What all Expected share: an Any that holds a value or an Error.
class ExpectedBase {
 public:
  /// Whether there is a value.
  bool is_ok() const noexcept { return !is_err(); }
  bool has_value() const noexcept { return is_ok(); }
  explicit operator bool() const noexcept { return is_ok(); }
  /// Whether there is an error.
  bool is_err() const noexcept { return held_.type_index() == kTainError; }
  /// Returns the error. Throws RuntimeError if there is a value.
  Error error() const {
    if (TAIN_UNLIKELY(is_ok())) {
      TAIN_INTERNAL_THROW(RuntimeError) << "Expected.error: there is a value, not an error";
    }
    return RefAccess::Make<Error>(RefAccess::Share<Object>(held_.data().v_obj));
  }
  /// Returns the type index of the value, or that of Error.
  int32_t type_index() const noexcept { return held_.type_index(); }

 protected:
  friend struct ExpectedAccess;
  explicit ExpectedBase(Any held) noexcept : held_(std::move(held)) {}
  void ThrowIfError() const {
    if (TAIN_UNLIKELY(is_err())) throw error();
  }
  Any held_;
};

/// Gives the traits access to what an Expected holds.
struct ExpectedAccess {
  static Any& Held(ExpectedBase& expected) noexcept { return expected.held_; }
  static const Any& Held(const ExpectedBase& expected) noexcept { return expected.held_; }
};

}  // namespace internal

/// A T or an Error.
template <class T>
class Expected : public internal::ExpectedBase {
  static_assert(!std::is_void_v<T>, "Expected: a const void has no value: use Expected<void>");
  static_assert(!std::is_base_of_v<Error, T>, "Expected<Error>: use tain::Error itself");

 public:
  using value_type = T;

  template <internal::ExpectedValue<T> U = T>
  Expected(U&& value) : ExpectedBase(Any(T(std::forward<U>(value)))) {}  // NOLINT: a value
  Expected(Error error) : ExpectedBase(Any(std::move(error))) {}         // NOLINT: an error
  template <class E>
  Expected(Unexpected<E> error)  // NOLINT: an error
      : ExpectedBase(Any(Error(std::move(error).error()))) {}
  /// Converts the value; an error stays as it is.
  template <class U>
    requires(!std::is_same_v<U, T> && !std::is_void_v<U> && std::is_convertible_v<U, T>)
  Expected(const Expected<U>& other)  // NOLINT: the values convert
      : ExpectedBase(other.is_err() ? Any(other.error()) : Any(T(other.value()))) {}

  /// Returns the value. Throws the error if there is one.
  T value() const {
    ThrowIfError();
    return held_.template cast<T>();
  }
  T operator*() const { return value(); }
  /// Returns the value, or `other` if there is an error.
  template <class U = T>
  T value_or(U&& other) const {
    return is_ok() ? held_.template cast<T>() : static_cast<T>(std::forward<U>(other));
  }
  /// Returns the value as a U without conversion. A value of another type becomes a TypeError.
  template <class U>
  Expected<U> as_or_error() const {
    if (is_err()) return error();
    if constexpr (std::is_same_v<U, Any>) {
      return held_;
    } else {
      if (TypeTraits<U>::CheckAnyStrict(&held_.data())) return held_.template cast<U>();
      return Error("TypeError", "Cannot treat type `" + held_.GetTypeKey() + "` as type `" +
                                    TypeTraits<U>::TypeStr() + "`");
    }
  }
};

/// Nothing or an Error.
template <>
class Expected<void> : public internal::ExpectedBase {
 public:
  using value_type = void;

  Expected() noexcept : ExpectedBase(Any()) {}
  Expected(Error error) : ExpectedBase(Any(std::move(error))) {}  // NOLINT: an error
  template <class E>
  Expected(Unexpected<E> error)  // NOLINT: an error
      : ExpectedBase(Any(Error(std::move(error).error()))) {}
  /// Throws the error if there is one.
  void value() const { ThrowIfError(); }
};

template <class T>
struct TypeTraits<Expected<T>> : TypeTraitsBase {
  using Value = std::conditional_t<std::is_void_v<T>, std::nullptr_t, T>;
  static constexpr bool kCrosses = TypeTraits<Value>::kCrosses;
  static constexpr bool kStorable = TypeTraits<Value>::kStorable;

  static void CopyToAnyView(const Expected<T>& v, TainAny* out) noexcept {
    *out = internal::ExpectedAccess::Held(v).data();
  }
  static void MoveToAny(Expected<T> v, TainAny* out) noexcept {
    *out = internal::ExpectedAccess::Held(v).Release();
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return a->type_index == kTainError || TypeTraits<Value>::CheckAnyStrict(a);
  }
  static Expected<T> CopyFromAnyViewAfterCheck(const TainAny* a) {
    if (a->type_index == kTainError) return TypeTraits<Error>::CopyFromAnyViewAfterCheck(a);
    return FromValue(a);
  }
  static std::optional<Expected<T>> TryCastFromAnyView(const TainAny* a) {
    if (a->type_index == kTainError || TypeTraits<Value>::CheckAnyStrict(a)) {
      return CopyFromAnyViewAfterCheck(a);
    }
    if constexpr (!std::is_void_v<T>) {
      if (auto value = TypeTraits<T>::TryCastFromAnyView(a)) {
        return Expected<T>(*std::move(value));
      }
    }
    return std::nullopt;
  }
  static std::string TypeStr() {
    if constexpr (std::is_void_v<T>) return "None";
    if constexpr (!std::is_void_v<T>) return TypeTraits<T>::TypeStr();
  }

 private:
  static Expected<T> FromValue(const TainAny* a) {
    if constexpr (std::is_void_v<T>) {
      return Expected<void>();
    } else {
      return TypeTraits<T>::CopyFromAnyViewAfterCheck(a);
    }
  }
};

/// Stores the result of a function that returns an Expected: throws the error if there is one. It is
/// found by the type of the value where functions store their results.
template <class R>
  requires internal::kIsExpected<std::decay_t<R>>
void StoreResult(const TainFunctionInfo*, R&& value, TainAny* result) {
  if (TAIN_UNLIKELY(value.is_err())) throw value.error();
  internal::CopyToOwned(internal::ExpectedAccess::Held(value).data(), result);
}

/// Calls a function; its error, and a result that is no T, become the error of the Expected.
template <class T = Any, class... A>
Expected<T> CallExpected(const Function& function, A&&... args) {
  try {
    const Any result = function(std::forward<A>(args)...);
    if (result.type_index() == kTainError) return result.cast<Error>();
    if constexpr (std::is_void_v<T>) {
      if (result == nullptr) return Expected<void>();
      return Error("TypeError",
                   "CallExpected: result type mismatch, expected None, got " + result.GetTypeKey());
    } else {
      return result.cast<T>();
    }
  } catch (const Error& error) {
    return error;
  }
}

namespace internal {

/// The call of a member function that returns an Expected.
template <class T>
struct ExpectedCall {
  template <class... A>
  static Expected<T> Of(const Function& function, A&&... args) {
    return CallExpected<T>(function, std::forward<A>(args)...);
  }
};

/// Collects the message of TAIN_UNEXPECTED and becomes an Unexpected or an Expected.
class UnexpectedBuilder : NotCopied {
 public:
  UnexpectedBuilder(const char* kind, const char* file, int line, const char* function)
      : kind_(kind), file_(file), line_(line), function_(function) {}
  /// Returns the object as an lvalue, so that a temporary can be streamed into.
  UnexpectedBuilder& self() noexcept { return *this; }
  template <class V>
  UnexpectedBuilder& operator<<(const V& value) {
    message_ << value;
    return *this;
  }
  UnexpectedBuilder& operator<<(const char* text) {
    message_ << text;
    return *this;
  }
  UnexpectedBuilder& operator<<(std::ostream& (*manipulator)(std::ostream&)) {
    message_ << manipulator;
    return *this;
  }
  operator Unexpected<Error>() const { return Unexpected<Error>(ToError()); }  // NOLINT: for return
  template <class T>
  operator Expected<T>() const {  // NOLINT: for return
    return ToError();
  }

 private:
  Error ToError() const {
    MessageStream frame;
    frame << "  File \"" << file_ << "\", line " << line_ << ", in " << function_ << '\n';
    return Error(kind_, message_.str(), frame.str());
  }
  const char* kind_;
  const char* file_;
  int line_;
  const char* function_;
  MessageStream message_;
};

}  // namespace internal
}  // namespace tain

/// The error of an Expected: `return TAIN_UNEXPECTED(ValueError) << "message";`. It remembers the
/// place but records no backtrace.
#define TAIN_UNEXPECTED(Kind) \
  ::tain::internal::UnexpectedBuilder(#Kind, __FILE__, __LINE__, TAIN_FUNC).self()

/// Returns the error from a function that returns an Expected if the condition is false.
#define TAIN_RETURN_CHECK(cond, Kind) \
  while (TAIN_UNLIKELY(!(cond)))      \
  return TAIN_UNEXPECTED(Kind) << "Check failed: (" #cond ") is false: "

#define TAIN_INTERNAL_RETURN_CHECK(name, op, a, b, Kind)                                       \
  while (auto tain_internal_text = ::tain::internal::Check##name((a), (b), #a " " #op " " #b)) \
  return TAIN_UNEXPECTED(Kind) << *tain_internal_text

/// Return the error from the function if a comparison is false. The message has both values.
#define TAIN_RETURN_CHECK_EQ(a, b, Kind) TAIN_INTERNAL_RETURN_CHECK(EQ, ==, a, b, Kind)
#define TAIN_RETURN_CHECK_NE(a, b, Kind) TAIN_INTERNAL_RETURN_CHECK(NE, !=, a, b, Kind)
#define TAIN_RETURN_CHECK_LT(a, b, Kind) TAIN_INTERNAL_RETURN_CHECK(LT, <, a, b, Kind)
#define TAIN_RETURN_CHECK_LE(a, b, Kind) TAIN_INTERNAL_RETURN_CHECK(LE, <=, a, b, Kind)
#define TAIN_RETURN_CHECK_GT(a, b, Kind) TAIN_INTERNAL_RETURN_CHECK(GT, >, a, b, Kind)
#define TAIN_RETURN_CHECK_GE(a, b, Kind) TAIN_INTERNAL_RETURN_CHECK(GE, >=, a, b, Kind)

/// TAIN_RETURN_CHECK with InternalError: for mistakes of the library itself.
#define TAIN_RETURN_ICHECK(cond) TAIN_RETURN_CHECK(cond, InternalError)
#define TAIN_RETURN_ICHECK_EQ(a, b) TAIN_RETURN_CHECK_EQ(a, b, InternalError)
#define TAIN_RETURN_ICHECK_NE(a, b) TAIN_RETURN_CHECK_NE(a, b, InternalError)
#define TAIN_RETURN_ICHECK_LT(a, b) TAIN_RETURN_CHECK_LT(a, b, InternalError)
#define TAIN_RETURN_ICHECK_LE(a, b) TAIN_RETURN_CHECK_LE(a, b, InternalError)
#define TAIN_RETURN_ICHECK_GT(a, b) TAIN_RETURN_CHECK_GT(a, b, InternalError)
#define TAIN_RETURN_ICHECK_GE(a, b) TAIN_RETURN_CHECK_GE(a, b, InternalError)
