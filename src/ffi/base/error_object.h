// SPDX-License-Identifier: Apache-2.0
// ErrorStore, the object that stores the texts of an Error, and the thread's raised error.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/refusal.h"
#include "tain/any.h"
#include "tain/error.h"

namespace tain::internal {

/// The operating system's error of which an error was made.
struct SystemError {
  int number = 0;
  std::string reason, file, file2;
};

/// Stores the texts to which the views in the cell refer. The binary contract defines the order of
/// the backtrace: the most recent call first, so that each caller can append its frame.
class ErrorStore : public ErrorObj {
 public:
  ErrorStore(std::string_view kind, std::string_view message, std::string_view backtrace);
  ~ErrorStore();
  ErrorStore(const ErrorStore&) = delete;
  ErrorStore& operator=(const ErrorStore&) = delete;

  /// Replaces the backtrace or appends to it (mode: TainBacktraceUpdateMode).
  void UpdateBacktrace(std::string_view text, int32_t mode);

  Refusal refusal;  ///< the facts about the value, if the error refuses one
  /// Whether libtain threw it, and no function of an author that asked for it has been named yet.
  bool thrown_inside = false;
  std::unique_ptr<const SystemError> system;  ///< null for most errors
  std::optional<Any> missing_key;             ///< of a KeyError whose message is the key's repr
  Any fields;          ///< a Map, if the error is an exception of an ErrorDef
  Any changed_fields;  ///< a Map of those that C++ changed after a host had raised the exception

 private:
  std::string kind_;
  std::string message_;
  std::string backtrace_;
};

/// Names the C++ function that the thread's raised error has left, if that is not known. An error
/// without a backtrace that was made just now, so that nobody else can see it, gets a frame of the
/// function; one that libtain threw becomes a copy with that frame after its own. `info`, which may
/// be null, is that of the function: an error that refuses its arguments was thrown before it ran.
void NameRaisedFunction(const TainFunctionInfo* info, std::string_view function) noexcept;

/// Takes the thread's raised error. An InternalError if there is none.
TAIN_DLL Error TakeRaisedError();

/// Returns the cell of an Error object.
inline TainErrorCell* ErrorCellOf(TainObject* error) noexcept {
  return reinterpret_cast<TainErrorCell*>(error + 1);  // the cell follows the header
}

/// Makes an error that is being handled, which may be null, the context of a new error: the cell has
/// it both as cause and as extra context, by which a host knows that it is not an explicit cause.
void AddContext(TainObject* error, TainObject* handled) noexcept;

/// Whether TAIN_BACKTRACE=1: errors record the whole C++ stack.
bool WholeStackWanted() noexcept;

/// How many locks the thread has under which it must not ask the loader for anything: a thread that
/// loads a library holds the loader's lock while static initializers take these.
extern constinit thread_local int loader_is_forbidden;

/// Returns the frames of a backtrace in the opposite order. The lines of a frame stay together.
std::string ReverseFrames(std::string_view backtrace);

/// Returns the name of a symbol or a type for people; `unknown` for null.
std::string ReadableName(const char* symbol, const char* unknown);

/// Makes `kind: message` this thread's raised error; a MemoryError if there is no memory.
void SetRaisedText(std::string_view kind, std::string_view message,
                   std::string_view backtrace = {}) noexcept;
/// Makes an OSError the raised error; its message has Python's form.
void SetRaisedSystemError(SystemError error) noexcept;
/// Makes MemoryError the raised error. Allocates nothing.
void SetRaisedMemoryError() noexcept;

}  // namespace tain::internal
