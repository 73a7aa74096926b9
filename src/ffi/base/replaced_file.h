// SPDX-License-Identifier: Apache-2.0
// A file whose content is replaced as a whole, and never written into.
//
// The new content goes to a file of its own beside the old one, with a name that nobody knows
// before, made exclusively. It takes the old one's place at the end. So who reads or has mapped the
// old file keeps it, and if something fails, it stays. The place of a symbolic link is never taken,
// but that of the file to which it leads. Devices, pipes and whatever is no regular file are written
// to, never replaced.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/open_file.h"
#include "tain/base.h"

namespace tain::internal {

/// All functions throw OSError.
class ReplacedFile : NotCopied {
 public:
  explicit ReplacedFile(const std::string& path);
  /// Gives up what was written, unless Finish() has returned.
  ~ReplacedFile();

  void Write(std::string_view bytes) { file_->Write(bytes); }
  void Finish();

 private:
  void OpenBeside();

  std::string target_;  ///< the file that is replaced; empty for one that is written to
  std::optional<OpenFile> file_;
  std::string beside_;  ///< the new content, until it is in its place; else empty
};

}  // namespace tain::internal
