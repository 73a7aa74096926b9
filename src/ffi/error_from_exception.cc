// SPDX-License-Identifier: Apache-2.0
// TainErrorSetFromException: the one table from C++ exceptions to kinds of errors.
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <utility>

#include "error_object.h"

#if defined(__has_include)
#if __has_include(<cxxabi.h>)
#define TAIN_HAS_CXXABI 1
#include <cxxabi.h>
#endif
#endif

namespace tain::internal {
namespace {

/// As Python writes it: `[Errno 2] No such file or directory: '/x'`.
std::string FileErrorText(const std::filesystem::filesystem_error& error) {
  std::string text =
      "[Errno " + std::to_string(error.code().value()) + "] " + error.code().message();
  if (!error.path1().empty()) text += ": '" + error.path1().string() + "'";
  if (!error.path2().empty()) text += " -> '" + error.path2().string() + "'";
  return text;
}

/// Name of the type of the exception being handled.
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

void Raise(const char* kind, const std::exception& error) noexcept {
  SetRaisedText(kind, error.what() == nullptr ? "" : error.what());
}

/// Exceptions that stand for a kind of their own, base classes after what derives from them.
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
  } catch (const std::filesystem::filesystem_error& error) {
    SetRaisedText("OSError", FileErrorText(error));
  } catch (const std::exception& error) {
    Raise("RuntimeError", error);
  } catch (...) {
    SetRaisedText("RuntimeError", "C++ exception of type " + CurrentTypeName());
  }
}

/// The thread's raised error, taken.
Error TakeRaised() { return Error::MoveFromRaised(); }

/// Gives the raised error what std::throw_with_nested put into the exception being handled as its
/// cause.
void AddNested() {
  try {
    throw;
  } catch (const std::nested_exception& outer) {
    if (outer.nested_ptr() == nullptr) return;
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
    // Nothing is nested in it.
  }
}

/// Whether the handler that runs caught what is no C++ exception: the forced unwind of a thread
/// that is ended. No handler may swallow that.
bool CaughtForcedUnwind() noexcept {
#if defined(TAIN_HAS_CXXABI) && defined(__GLIBCXX__)
  struct Globals {  // as the Itanium C++ ABI has it
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
    if (CaughtForcedUnwind()) std::terminate();  // which a host may end by parking the thread
    SetRaisedText("InternalError", "TainErrorSetFromException: no exception is being handled");
    return -1;
  }
  try {
    throw;
  } catch (const tain::Error& error) {
    TainObject* header = RefAccess::Header(error);
    if (header != nullptr) {
      TainErrorSetRaised(header);
    } else {
      SetRaisedText("InternalError", "an Error that was moved away has been thrown");
    }
  } catch (const std::bad_alloc&) {
    SetRaisedMemoryError();
  } catch (...) {
    try {
      RaiseStandard();
      AddNested();
    } catch (...) {
      SetRaisedMemoryError();
    }
  }
  return -1;
}
