// SPDX-License-Identifier: Apache-2.0
// Raises what handlers have caught: C++ exceptions become kinds of errors.
#include <cxxabi.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>
#include <typeinfo>
#include <utility>

#include "base/defined_errors.h"
#include "base/guard.h"
#include "tain/internal/caught.h"
#include "tain/stl/path.h"

namespace tain::internal {
namespace {

/// Returns a path as the text that Python gets.
std::string TextOfPath(const std::filesystem::path& path) {
  const Any crossing = path;
  return crossing.cast<std::string>();
}

/// Raises an error whose category has errno's numbers, or one that has only a text.
void RaiseSystem(const CaughtException& caught) {
  // An exception that another standard library made has another layout.
  const bool is_readable = caught.standard_library == kStandardLibrary;
  const auto* of_files = is_readable && HasTypeInfo(*caught.system)
                             ? dynamic_cast<const std::filesystem::filesystem_error*>(caught.system)
                             : nullptr;
  const std::string text = caught.text == nullptr ? "" : caught.text;
  if (!caught.has_number) return SetRaisedText(of_files != nullptr ? "OSError" : caught.kind, text);
  if (of_files == nullptr) return SetRaisedSystemError({caught.error_number, text, {}, {}});
  SetRaisedSystemError({caught.error_number, of_files->code().message(),
                        TextOfPath(of_files->path1()), TextOfPath(of_files->path2())});
}

/// Raises the kind of an exception that no ErrorDef describes.
void RaiseStandard(const CaughtException& caught) {
  if (caught.kind == nullptr) {
    const char* name = caught.type == nullptr ? nullptr : caught.type->name();
    SetRaisedText("RuntimeError", "C++ exception of type " + ReadableName(name, "unknown"));
  } else if (caught.system != nullptr) {
    RaiseSystem(caught);
  } else {
    SetRaisedText(caught.kind, caught.text == nullptr ? "" : caught.text);
  }
}

/// RaiseDefined for exceptions that have a meaning without it.
bool RaiseIfDefined(const CaughtException& caught) noexcept {
  try {
    return RaiseDefined(caught);
  } catch (...) {
    return false;
  }
}

void RaiseError(const CaughtException& caught) noexcept {
  const bool is_derived = caught.type != nullptr && *caught.type != typeid(Error);
  if (is_derived && RaiseIfDefined(caught)) return;
  TainObject* header = RefAccess::Header(*caught.error);
  if (header != nullptr) return TainErrorSetRaised(header);
  SetRaisedText("InternalError", "an Error that was moved away has been thrown");
}

}  // namespace

std::string ReadableName(const char* symbol, const char* unknown) {
  if (symbol == nullptr) return unknown;
  int status = 0;
  char* readable = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string name(status == 0 && readable != nullptr ? readable : symbol);
  std::free(readable);
  return name;
}

void RaiseCaught(const CaughtException& caught) noexcept {
  if (caught.origin != nullptr) {
    return RaiseAgain(static_cast<const ErrorOrigin&>(*caught.origin), caught);
  }
  if (caught.error != nullptr) return RaiseError(caught);
  if (caught.kind != nullptr && std::string_view(caught.kind) == "MemoryError") {
    const bool is_derived = caught.type != nullptr && *caught.type != typeid(std::bad_alloc);
    if (!is_derived || !RaiseIfDefined(caught)) SetRaisedMemoryError();
    return;
  }
  try {
    if (!RaiseDefined(caught)) RaiseStandard(caught);
  } catch (...) {
    SetRaisedMemoryError();
  }
}

void RaiseUnknown(void (*again)()) noexcept {
  if (again == nullptr) {
    return SetRaisedText("InternalError",
                         "TainErrorSetFromException: no exception is being handled");
  }
  try {
    again();
#if defined(__GLIBCXX__)
  } catch (const abi::__forced_unwind&) {
    std::terminate();  // it ends the thread, and a handler must not swallow it: a host may park it
#endif
  } catch (...) {
    if (std::current_exception() != nullptr) {  // libtain itself threw it
      TainErrorSetFromException();
    } else {
      SetRaisedText("RuntimeError", "an exception of another language or C++ runtime");
    }
  }
}

void RaiseWithCause(TainObject* error) noexcept {
  const ObjectPtr<Object> owned = RefAccess::Steal<Object>(error);
  TainErrorCell* cell = ErrorCellOf(error);
  TainObject* cause = nullptr;
  TainErrorMoveFromRaised(&cause);
  if (TainObject* stated = std::exchange(cell->cause_chain, cause)) DecRef(stated);
  if (TainObject* implied = std::exchange(cell->extra_context, nullptr)) DecRef(implied);
  TainErrorSetRaised(error);
}

void NameRaised(const TainFunctionInfo* info) noexcept {
  const bool is_named = info != nullptr && info->name.size != 0;
  NameRaisedFunction(info, is_named ? View(info->name) : std::string_view("<unnamed function>"));
}

}  // namespace tain::internal

extern "C" int TainErrorSetFromException() noexcept { return tain::internal::RaiseHandled(); }
