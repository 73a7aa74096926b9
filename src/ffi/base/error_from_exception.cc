// SPDX-License-Identifier: Apache-2.0
// TainErrorSetFromException: translates C++ exceptions to kinds of errors.
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <typeinfo>
#include <utility>

#include "base/defined_errors.h"
#include "base/guard.h"
#include "tain/internal/invoke.h"
#include "tain/stl/path.h"

#if defined(__has_include)
#if __has_include(<cxxabi.h>)
#define TAIN_HAS_CXXABI 1
#include <cxxabi.h>
#endif
#endif

namespace tain::internal {
namespace {

void Raise(const char* kind, const std::exception& error) noexcept {
  SetRaisedText(kind, error.what() == nullptr ? "" : error.what());
}

/// Returns the errno of an error code; nothing if its category has other numbers.
std::optional<int> ErrnoOf(const std::error_code& code) {
  const bool generic = code.category() == std::generic_category();
  if (!generic && code.category() != std::system_category()) return std::nullopt;
  const std::error_condition condition = code.default_error_condition();
  return condition.category() == std::generic_category() ? condition.value() : code.value();
}

/// Returns a path as the text that Python gets.
std::string TextOfPath(const std::filesystem::path& path) {
  const Any crossing = path;
  return crossing.cast<std::string>();
}

/// Raises an error whose category has errno's numbers, or one that has only a text.
void RaiseSystem(const std::system_error& error) {
  const std::optional<int> number = ErrnoOf(error.code());
  const auto* of_files = dynamic_cast<const std::filesystem::filesystem_error*>(&error);
  if (!number) return Raise(of_files != nullptr ? "OSError" : "RuntimeError", error);
  if (of_files == nullptr) return SetRaisedSystemError({*number, error.what(), {}, {}});
  SetRaisedSystemError({*number, error.code().message(), TextOfPath(of_files->path1()),
                        TextOfPath(of_files->path2())});
}

/// Returns the name of the type of the exception that is being handled.
std::string CurrentTypeName() {
#ifdef TAIN_HAS_CXXABI
  if (const std::type_info* type = abi::__cxa_current_exception_type()) {
    int status = 0;
    char* readable = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    std::string name(status == 0 && readable != nullptr ? readable : type->name());
    std::free(readable);
    return name;
  }
#endif
  return "unknown";
}

/// Raises the kind of an exception of the standard library. Derived classes come before their
/// bases.
void RaiseStandard() {
  try {
    throw;
  } catch (const std::out_of_range& error) {
    Raise("IndexError", error);
  } catch (const std::invalid_argument& error) {
    Raise("ValueError", error);
  } catch (const std::domain_error& error) {
    Raise("ValueError", error);
  } catch (const std::length_error& error) {
    Raise("ValueError", error);
  } catch (const std::overflow_error& error) {
    Raise("OverflowError", error);
  } catch (const std::range_error& error) {
    Raise("OverflowError", error);
  } catch (const std::bad_cast& error) {
    Raise("TypeError", error);
  } catch (const std::system_error& error) {
    RaiseSystem(error);
  } catch (const std::exception& error) {
    Raise("RuntimeError", error);
  } catch (...) {
    SetRaisedText("RuntimeError", "C++ exception of type " + CurrentTypeName());
  }
}

/// Takes the thread's raised error.
Error TakeRaised() { return TakeRaisedError(); }

constexpr int kMaxNested = 200;  // longer than any chain that people read

/// If std::throw_with_nested nested an exception in the one being handled, makes it the cause of
/// the raised error.
void AddNested() {
  static thread_local int depth = 0;
  try {
    throw;
  } catch (const std::nested_exception& outer) {
    if (outer.nested_ptr() == nullptr || depth == kMaxNested) return;
    struct Level {
      Level() { ++depth; }
      ~Level() { --depth; }
    } const level;
    const Error error = TakeRaised();
    TainErrorCell* cell = ErrorCellOf(RefAccess::Header(error));
    try {
      outer.rethrow_nested();
    } catch (...) {
      TainErrorSetFromException();
    }
    Error cause = TakeRaised();
    if (TainObject* stated = std::exchange(cell->cause_chain, RefAccess::Release(cause))) {
      DecRef(stated);
    }
    if (TainObject* implied = std::exchange(cell->extra_context, nullptr)) DecRef(implied);
    TainErrorSetRaised(RefAccess::Header(error));
  } catch (...) {
    // No exception is nested.
  }
}

/// RaiseDefined for a handler that must not throw.
bool RaiseIfDefined() noexcept {
  try {
    return RaiseDefined();
  } catch (...) {
    return false;
  }
}

/// Whether the running handler caught a forced unwind, which ends a thread, and not a C++
/// exception. A handler must not swallow it.
bool CaughtForcedUnwind() noexcept {
#if defined(TAIN_HAS_CXXABI) && defined(__GLIBCXX__)
  struct Globals {  // as in the Itanium C++ ABI
    void* caught_exceptions;
    unsigned int uncaught_exceptions;
  };
  return reinterpret_cast<const Globals*>(abi::__cxa_get_globals())->caught_exceptions != nullptr;
#else
  return false;
#endif
}

}  // namespace
}  // namespace tain::internal

extern "C" int TainErrorSetFromException() noexcept {
  using namespace tain::internal;
  if (std::current_exception() == nullptr) {
    if (CaughtForcedUnwind()) std::terminate();  // a host may park the thread
    SetRaisedText("InternalError", "TainErrorSetFromException: no exception is being handled");
    return -1;
  }
  try {
    throw;
  } catch (const ErrorOrigin& origin) {
    RaiseAgain(origin);
  } catch (const tain::Error& error) {
    if (typeid(error) != typeid(tain::Error) && RaiseIfDefined()) return -1;
    TainObject* header = RefAccess::Header(error);
    if (header != nullptr) {
      TainErrorSetRaised(header);
    } else {
      SetRaisedText("InternalError", "an Error that was moved away has been thrown");
    }
  } catch (const std::bad_alloc& error) {
    if (typeid(error) == typeid(std::bad_alloc) || !RaiseIfDefined()) SetRaisedMemoryError();
  } catch (...) {
    try {
      if (!RaiseDefined()) RaiseStandard();
      AddNested();
    } catch (...) {
      SetRaisedMemoryError();
    }
  }
  return -1;
}

int tain::internal::FailedIn(const TainFunctionInfo* info) noexcept {
  TainErrorSetFromException();
  const bool is_named = info != nullptr && info->name.size != 0;
  SetRaisedFunction(is_named ? View(info->name) : std::string_view("<unnamed function>"));
  return -1;
}
