// SPDX-License-Identifier: Apache-2.0
// Turns the exception that a handler has caught into the thread's raised error.
//
// Only the C++ runtime that a library was linked with knows the exceptions that its handlers have
// caught, and a library may have a runtime of its own (-static-libstdc++). So this file is compiled
// into each library: one function, out of line, tells libtain what was caught.
#pragma once

#include <cxxabi.h>

#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>
#include <type_traits>
#include <typeinfo>

#include "tain/error.h"

#if defined(_LIBCPP_VERSION)
// libc++abi has this function of the Itanium C++ ABI, but its header does not declare it.
namespace __cxxabiv1 {
struct __cxa_eh_globals;
extern "C" __cxa_eh_globals* __cxa_get_globals() noexcept;
}  // namespace __cxxabiv1
#endif

namespace tain::internal {

/// The base of ErrorOrigin, the part of an exception that remembers the error from which it was made.
class TAIN_DLL ErrorOriginBase {
 public:
  ErrorOriginBase() noexcept = default;
  ErrorOriginBase(const ErrorOriginBase&) noexcept = default;
  ErrorOriginBase& operator=(const ErrorOriginBase&) noexcept = default;
  virtual ~ErrorOriginBase();
};

/// The C++ standard library that a file is compiled with. Objects of its classes have the same
/// layout in all libraries with the same value.
#if defined(_LIBCPP_VERSION)
inline constexpr int32_t kStandardLibrary = 2;
#else
inline constexpr int32_t kStandardLibrary = 1;
#endif

/// Returns what identifies the C++ runtime of the calling library, in the calling thread.
TAIN_HIDDEN inline const void* ThisRuntime() noexcept { return abi::__cxa_get_globals(); }

/// Whether the class of an exception was compiled with RTTI, without which dynamic_cast crashes.
inline bool HasTypeInfo(const std::exception& exception) noexcept {
  // In the Itanium C++ ABI the pointer to the type_info stands before the virtual functions.
  return (*reinterpret_cast<const void* const* const*>(&exception))[-1] != nullptr;
}

/// The report of a handler to libtain about the exception that it has caught; valid while it runs.
struct CaughtException {
  const void* runtime;              ///< ThisRuntime() of the handler
  int32_t standard_library;         ///< kStandardLibrary of the handler
  int32_t error_number;             ///< errno, if has_number
  bool has_number;                  ///< a std::system_error whose numbers are those of errno
  const char* kind;                 ///< the kind of error that its standard class is; may be null
  const char* text;                 ///< what(); may be null
  const std::type_info* type;       ///< null if it is not known
  const std::exception* base;       ///< its part of this class; null if it has none
  const std::system_error* system;  ///< likewise
  const Error* error;               ///< likewise
  const ErrorOriginBase* origin;    ///< likewise
};

/// Makes a caught exception the thread's raised error.
TAIN_DLL void RaiseCaught(const CaughtException& caught) noexcept;
/// Raises what no handler of this runtime can name: an exception of another runtime, or the end of
/// the thread. `again` throws it once more; null if no exception is being handled.
TAIN_DLL void RaiseUnknown(void (*again)()) noexcept;
/// Takes the raised error, makes it the cause of `error`, and raises that one. Takes a reference.
TAIN_DLL void RaiseWithCause(TainObject* error) noexcept;
/// If the raised error has no backtrace, its backtrace becomes the function of `info`, which may be
/// null.
TAIN_DLL void NameRaised(const TainFunctionInfo* info) noexcept;

/// How many exceptions nested by std::throw_with_nested are read: more than people do.
inline constexpr int kMaxNested = 200;

// The classes of the standard library that have an error of their own in Python; the first that fits
// counts. What std::system_error becomes depends on its number, all others are a RuntimeError.
#define TAIN_STANDARD_EXCEPTIONS(ROW)       \
  ROW(std::bad_alloc, "MemoryError")        \
  ROW(std::out_of_range, "IndexError")      \
  ROW(std::invalid_argument, "ValueError")  \
  ROW(std::domain_error, "ValueError")      \
  ROW(std::length_error, "ValueError")      \
  ROW(std::overflow_error, "OverflowError") \
  ROW(std::range_error, "OverflowError")    \
  ROW(std::bad_cast, "TypeError")

/// Returns the kind of error that exceptions of class E are, if nothing is registered for E.
template <class E>
constexpr const char* StandardErrorKind() noexcept {
#define TAIN_KIND_OF(type, name) \
  if (std::is_base_of_v<type, E>) return name;
  TAIN_STANDARD_EXCEPTIONS(TAIN_KIND_OF)
#undef TAIN_KIND_OF
  return "RuntimeError";
}

/// Describes the exception that the caller's handler has caught.
TAIN_HIDDEN TAIN_COLD inline void DescribeCaught(CaughtException& caught) noexcept {
  const auto is = [&caught](const char* kind, const std::exception& exception) {
    caught.kind = kind;
    caught.base = &exception;
    caught.text = exception.what();
  };
  caught.runtime = ThisRuntime();
  caught.standard_library = kStandardLibrary;
  caught.type = abi::__cxa_current_exception_type();
  try {
    throw;
  } catch (const ErrorOriginBase& origin) {
    caught.origin = &origin;
  } catch (const Error& error) {
    caught.error = &error;
    is(nullptr, error);
    // clang-format off
#define TAIN_CATCH(type, name) } catch (const type& exception) { is(name, exception);
    TAIN_STANDARD_EXCEPTIONS(TAIN_CATCH)
#undef TAIN_CATCH
    // clang-format on
  } catch (const std::system_error& exception) {
    is("RuntimeError", exception);
    caught.system = &exception;
    // The categories of two runtimes have two addresses.
    const std::error_code& code = exception.code();
    const bool generic = code.category() == std::generic_category();
    if (generic || code.category() == std::system_category()) {
      const std::error_condition condition = code.default_error_condition();
      const bool named = condition.category() == std::generic_category();
      caught.has_number = true;
      caught.error_number = named ? condition.value() : code.value();
    }
  } catch (const std::exception& exception) {
    is("RuntimeError", exception);
  } catch (...) {
    // Its type has a name.
  }
}
#undef TAIN_STANDARD_EXCEPTIONS

/// Throws the exception that is being handled once more.
[[noreturn]] TAIN_HIDDEN TAIN_COLD inline void ThrowAgain() { throw; }

/// Called in a handler: makes what it has caught the thread's raised error, and returns -1. `depth`
/// counts nested exceptions.
TAIN_HIDDEN TAIN_COLD inline int RaiseHandled(int depth = 0) noexcept {
  struct Globals {  // as in the Itanium C++ ABI
    const void* caught_exceptions;
    unsigned int uncaught_exceptions;
  };
  if (std::current_exception() == nullptr) {
    const auto* globals = static_cast<const Globals*>(ThisRuntime());
    RaiseUnknown(globals->caught_exceptions == nullptr ? nullptr : &ThrowAgain);
    return -1;
  }
  CaughtException caught{};
  DescribeCaught(caught);
  RaiseCaught(caught);
  if (caught.origin != nullptr || caught.error != nullptr || depth == kMaxNested) return -1;
  try {
    throw;
  } catch (const std::nested_exception& outer) {
    if (outer.nested_ptr() == nullptr) return -1;
    TainObject* error = nullptr;
    TainErrorMoveFromRaised(&error);
    try {
      outer.rethrow_nested();
    } catch (...) {
      RaiseHandled(depth + 1);
    }
    RaiseWithCause(error);
  } catch (...) {
    // No exception is nested.
  }
  return -1;
}

/// RaiseHandled for the call of a function. Exceptions of the standard library do not say where they
/// were thrown: then the error's backtrace names the function of `info`, which may be null.
TAIN_HIDDEN TAIN_COLD inline int FailedIn(const TainFunctionInfo* info) noexcept {
  RaiseHandled();
  NameRaised(info);
  return -1;
}

}  // namespace tain::internal
