// SPDX-License-Identifier: Apache-2.0
// Error, the exception of tain, and the macros that throw it.
//
//   TAIN_THROW(ValueError) << "radius must be positive, got " << r;
//   TAIN_CHECK(i < n) << "index " << i;      // ValueError
//   TAIN_ICHECK(p != nullptr);               // InternalError: a mistake of the library itself
//   TAIN_CHECK_EQ(a.size(), b.size());       // prints both operands
// The kind is the name of the class that Python raises. An Error remembers where it was thrown; set
// the environment variable TAIN_BACKTRACE=1 to record the whole C++ stack.
#pragma once

#include <exception>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "tain/ref.h"

namespace tain {

/// The object behind Error.
class ErrorObj : public Object {
 public:
  TainErrorCell cell{};

  TAIN_INTERNAL_BUILTIN_TYPE("ffi.Error", kTainError, false);
};

/// An exception with a kind (the Python class), a message and the place of the throw.
class TAIN_DLL Error : public ObjectRef, public std::exception {
 public:
  using ContainerType = ErrorObj;
  static constexpr bool _type_is_nullable = false;

  explicit Error(UnsafeInit tag) noexcept : ObjectRef(tag) {}
  /// `backtrace` holds one line per frame, most recent call last: `  File "a.cc", line 3, in f`.
  TAIN_HIDDEN Error(std::string_view kind, std::string_view message,
                    std::string_view backtrace = {});
  Error(const Error&) noexcept = default;
  Error& operator=(const Error&) noexcept = default;
  ~Error() override;

  std::string kind() const;
  std::string message() const;
  /// Returns the frames as the constructor takes them, most recent call last.
  std::string backtrace() const;
  /// Returns the error that this one was raised from, or std::nullopt.
  std::optional<Error> cause() const;
  /// Returns the message.
  const char* what() const noexcept override;

  /// Takes the calling thread's raised error. Returns an InternalError if there is none.
  static Error MoveFromRaised();
};

namespace internal {

/// Returns the error that a handler of this library is handling, borrowed; null if there is none.
/// It is compiled into each library, because only its own C++ runtime knows.
TAIN_HIDDEN TAIN_COLD inline TainObject* HandledError() noexcept {
  if (std::current_exception() == nullptr) return nullptr;
  try {
    throw;
  } catch (const Error& handled) {
    return RefAccess::Header(handled);
  } catch (...) {
    return nullptr;  // there is no Error object to name
  }
}
/// Makes the object of an Error; `backtrace` is that of its constructor. An error that is being
/// handled becomes its context; null if there is none.
TAIN_DLL ObjectPtr<Object> MakeErrorObject(std::string_view kind, std::string_view message,
                                           std::string_view backtrace, TainObject* handled);

}  // namespace internal

inline Error::Error(std::string_view kind, std::string_view message, std::string_view backtrace)
    : ObjectRef(internal::MakeErrorObject(kind, message, backtrace, internal::HandledError())) {}

namespace internal {

/// Collects a message without including <ostream>. Numbers, texts and pointers are written as a
/// stream writes them; all other types by their own operator<<.
class TAIN_DLL MessageStream : NotCopied {
 public:
  MessageStream();
  ~MessageStream();

  MessageStream& operator<<(const char* text);
  MessageStream& operator<<(std::string_view text);
  MessageStream& operator<<(const std::string& text) { return *this << std::string_view(text); }
  MessageStream& operator<<(char c) { return *this << std::string_view(&c, 1); }
  MessageStream& operator<<(bool value);
  MessageStream& operator<<(long long value);
  MessageStream& operator<<(unsigned long long value);
  MessageStream& operator<<(int value) { return *this << static_cast<long long>(value); }
  MessageStream& operator<<(long value) { return *this << static_cast<long long>(value); }
  MessageStream& operator<<(unsigned value) {
    return *this << static_cast<unsigned long long>(value);
  }
  MessageStream& operator<<(unsigned long value) {
    return *this << static_cast<unsigned long long>(value);
  }
  MessageStream& operator<<(double value);
  MessageStream& operator<<(const void* value);
  MessageStream& operator<<(std::ostream& (*manipulator)(std::ostream&));
  template <class T>
  MessageStream& operator<<(const T& value) {
    if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      return *this << std::string_view(value);
    } else if constexpr (std::is_same_v<T, signed char> || std::is_same_v<T, unsigned char>) {
      return *this << static_cast<char>(value);
    } else if constexpr (std::is_same_v<T, short> || std::is_enum_v<T>) {
      return *this << static_cast<long long>(value);
    } else if constexpr (std::is_same_v<T, unsigned short>) {
      return *this << static_cast<unsigned long long>(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      return *this << static_cast<double>(value);
    } else if constexpr (std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>) {
      return *this << static_cast<const void*>(value);
    } else {
      Stream() << value;
      return *this;
    }
  }
  std::ostream& Stream();
  std::string str() const;
  /// Returns the object as an lvalue, so that a temporary can be streamed into.
  MessageStream& self() noexcept { return *this; }

 private:
  std::ostream* stream_;
};

struct ErrorThrower;
/// Makes the error that a thrower throws. `handled` becomes its context; null if there is none.
TAIN_DLL Error ErrorThrownBy(const ErrorThrower& thrower, const MessageStream& message,
                             TainObject* handled);

/// ErrorThrownBy for code of tain's own, which did what another function asked for: the traceback
/// also names the function that it leaves first.
TAIN_DLL Error ErrorThrownInside(const ErrorThrower& thrower, const MessageStream& message,
                                 TainObject* handled);

/// Throws the streamed message: `thrower & (stream << ...)`. The operator binds weaker than <<, so
/// the message is complete first. An exception of an expression in the message passes unchanged.
/// The library that throws does so itself, because its handlers ask its own C++ runtime.
struct ErrorThrower {
  const char* kind;
  const char* file;
  int line;
  const char* function;
  [[noreturn]] TAIN_HIDDEN TAIN_COLD void operator&(const MessageStream& message) const {
#ifdef TAIN_EXPORTS  // libtain itself
    throw ErrorThrownInside(*this, message, HandledError());
#else
    throw ErrorThrownBy(*this, message, HandledError());
#endif
  }
};

/// The ErrorThrower of tain's headers.
struct InsideThrower : ErrorThrower {
  [[noreturn]] TAIN_HIDDEN TAIN_COLD void operator&(const MessageStream& message) const {
    throw ErrorThrownInside(*this, message, HandledError());
  }
};

/// Throws this thread's raised error unless `code` is 0.
inline void ThrowIfFailed(int code) {
  if (TAIN_UNLIKELY(code != 0)) throw Error::MoveFromRaised();
}

/// Returns the text of a failed comparison: `Check failed: a op b (va vs. vb) `.
template <class A, class B>
TAIN_COLD std::string CheckText(const A& a, const B& b, const char* text) {
  MessageStream out;
  out << "Check failed: " << text << " (" << a << " vs. " << b << ") ";
  return out.str();
}

#define TAIN_INTERNAL_CHECK_OP(name, op)                                                    \
  template <class A, class B>                                                               \
  inline std::optional<std::string> Check##name(const A& a, const B& b, const char* text) { \
    if (TAIN_LIKELY(a op b)) return std::nullopt;                                           \
    return CheckText(a, b, text);                                                           \
  }
TAIN_INTERNAL_CHECK_OP(EQ, ==)
TAIN_INTERNAL_CHECK_OP(NE, !=)
TAIN_INTERNAL_CHECK_OP(LT, <)
TAIN_INTERNAL_CHECK_OP(LE, <=)
TAIN_INTERNAL_CHECK_OP(GT, >)
TAIN_INTERNAL_CHECK_OP(GE, >=)
#undef TAIN_INTERNAL_CHECK_OP

}  // namespace internal
}  // namespace tain

/// Throws an Error of the given kind: `TAIN_THROW(TypeError) << "message"`.
#define TAIN_THROW(Kind)                                                 \
  ::tain::internal::ErrorThrower{#Kind, __FILE__, __LINE__, TAIN_FUNC} & \
      ::tain::internal::MessageStream().self()

/// TAIN_THROW of tain's own headers.
#define TAIN_INTERNAL_THROW(Kind)                                           \
  ::tain::internal::InsideThrower{{#Kind, __FILE__, __LINE__, TAIN_FUNC}} & \
      ::tain::internal::MessageStream().self()

// Lets the `else` of `if (x) TAIN_CHECK(...); else ...` belong to the `if` of the user.
#define TAIN_INTERNAL_NO_DANGLING_ELSE \
  switch (0)                           \
  case 0:                              \
  default:

// The condition is all arguments, because it may have commas inside braces.
#define TAIN_INTERNAL_CHECK(Kind, ...)               \
  TAIN_INTERNAL_NO_DANGLING_ELSE                     \
  if (TAIN_LIKELY((__VA_ARGS__))) {                  \
  } else /* NOLINT: the stream ends the statement */ \
    TAIN_THROW(Kind) << "Check failed: (" #__VA_ARGS__ ") is false: "

#define TAIN_INTERNAL_CHECK_BINARY(name, op, a, b, Kind)                                    \
  TAIN_INTERNAL_NO_DANGLING_ELSE                                                            \
  if (auto tain_internal_text = ::tain::internal::Check##name((a), (b), #a " " #op " " #b); \
      TAIN_LIKELY(!tain_internal_text)) {                                                   \
  } else /* NOLINT: the stream ends the statement */                                        \
    TAIN_THROW(Kind) << *tain_internal_text

/// Throws ValueError if the condition is false: for mistakes of the caller.
#define TAIN_CHECK(...) TAIN_INTERNAL_CHECK(ValueError, __VA_ARGS__)
/// Throws InternalError if the condition is false: for mistakes of the library itself.
#define TAIN_ICHECK(...) TAIN_INTERNAL_CHECK(InternalError, __VA_ARGS__)

/// Throw as TAIN_CHECK and TAIN_ICHECK do if a comparison is false. The message has both values.
#define TAIN_CHECK_EQ(a, b) TAIN_INTERNAL_CHECK_BINARY(EQ, ==, a, b, ValueError)
#define TAIN_CHECK_NE(a, b) TAIN_INTERNAL_CHECK_BINARY(NE, !=, a, b, ValueError)
#define TAIN_CHECK_LT(a, b) TAIN_INTERNAL_CHECK_BINARY(LT, <, a, b, ValueError)
#define TAIN_CHECK_LE(a, b) TAIN_INTERNAL_CHECK_BINARY(LE, <=, a, b, ValueError)
#define TAIN_CHECK_GT(a, b) TAIN_INTERNAL_CHECK_BINARY(GT, >, a, b, ValueError)
#define TAIN_CHECK_GE(a, b) TAIN_INTERNAL_CHECK_BINARY(GE, >=, a, b, ValueError)
#define TAIN_ICHECK_EQ(a, b) TAIN_INTERNAL_CHECK_BINARY(EQ, ==, a, b, InternalError)
#define TAIN_ICHECK_NE(a, b) TAIN_INTERNAL_CHECK_BINARY(NE, !=, a, b, InternalError)
#define TAIN_ICHECK_LT(a, b) TAIN_INTERNAL_CHECK_BINARY(LT, <, a, b, InternalError)
#define TAIN_ICHECK_LE(a, b) TAIN_INTERNAL_CHECK_BINARY(LE, <=, a, b, InternalError)
#define TAIN_ICHECK_GT(a, b) TAIN_INTERNAL_CHECK_BINARY(GT, >, a, b, InternalError)
#define TAIN_ICHECK_GE(a, b) TAIN_INTERNAL_CHECK_BINARY(GE, >=, a, b, InternalError)
