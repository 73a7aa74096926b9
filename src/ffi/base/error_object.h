// SPDX-License-Identifier: Apache-2.0
// ErrorStore, the object that keeps the texts of an Error, and the thread's raised error.
#pragma once

#include <string>
#include <string_view>

#include "tain/error.h"

namespace tain::internal {

/// The texts behind the views of the cell. The backtrace is kept as the binary contract wants it:
/// most recent call first, so that a border can append the callers.
class ErrorStore : public ErrorObj {
 public:
  ErrorStore(std::string_view kind, std::string_view message, std::string_view backtrace);
  ~ErrorStore();
  ErrorStore(const ErrorStore&) = delete;
  ErrorStore& operator=(const ErrorStore&) = delete;

  /// Replaces or appends to the backtrace (mode: TainBacktraceUpdateMode).
  void UpdateBacktrace(std::string_view text, int32_t mode);

 private:
  std::string kind_;
  std::string message_;
  std::string backtrace_;
};

/// The cell of an Error object.
inline TainErrorCell* ErrorCellOf(TainObject* error) noexcept {
  return reinterpret_cast<TainErrorCell*>(error + 1);  // the cell follows the header
}

/// Gives an error that is new the error that is being handled, if there is one, as its context: its
/// cell names it twice, as cause and as extra context, which tells a host that nobody stated it.
void AddHandledContext(TainObject* error) noexcept;

/// The frames of a backtrace in the opposite order; the lines of one frame stay together.
std::string ReverseFrames(std::string_view backtrace);

/// Makes `kind: message` this thread's raised error; without memory it becomes a MemoryError.
void SetRaisedText(std::string_view kind, std::string_view message,
                   std::string_view backtrace = {}) noexcept;
/// Makes MemoryError the raised error without allocating.
void SetRaisedMemoryError() noexcept;

}  // namespace tain::internal
