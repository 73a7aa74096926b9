// SPDX-License-Identifier: Apache-2.0
// Types that a registration uses before another block of the library describes them: the fault says
// which file must be listed first.
#pragma once

#include <string>

#include "tain/base.h"

namespace tain::internal {

/// A block of registrations, while it runs on a thread.
class RegistrationBlock : NotCopied {
 public:
  /// `file` is null if the place is unknown; else it must stay valid.
  RegistrationBlock(const char* file, int line) noexcept;
  ~RegistrationBlock();

  /// Returns `TAIN_REGISTER (geometry.cc:12)`; empty if the place is unknown, or without memory.
  std::string Where() const noexcept;

 private:
  const char* file_;
  int line_;
  const char* outer_;
};

/// Remembers the fault of the open unit that a type is not described, and how to ask whether it is.
void NoteUndescribed(const std::string& fault, bool (*is_described)());
/// Notes which of these types the open unit has described by now.
void NoteDescribed() noexcept;

}  // namespace tain::internal
