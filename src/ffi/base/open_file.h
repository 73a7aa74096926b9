// SPDX-License-Identifier: Apache-2.0
// Files that are opened, read and written by system calls, which may wait: for the other end of a
// pipe, for a device. The host's lock is released meanwhile, and a signal that interrupts a call is
// handled before the call goes on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tain/base.h"

namespace tain::internal {

/// Throws the OSError of errno, with the path.
[[noreturn]] void ThrowFileError(const char* what, const std::string& path);

/// A file that is open. All functions throw OSError.
class OpenFile : NotCopied {
 public:
  /// Opens a file; `flags` are those of open(2), `mode` that of a file which is created.
  OpenFile(std::string path, int flags, unsigned mode = 0);
  /// Opens a file for reading.
  explicit OpenFile(std::string path);
  ~OpenFile();

  /// Stores at most `size` bytes and returns how many; 0 at the end.
  size_t Read(char* out, size_t size);
  /// Writes all bytes.
  void Write(std::string_view bytes);
  /// Closes the file, which may tell that something was not written.
  void Close();
  /// Whether it is a regular file: no device, pipe or folder.
  bool IsRegular() const;
  /// Returns the bytes of a regular file.
  uint64_t Size() const;
  int descriptor() const noexcept { return descriptor_; }
  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  int descriptor_;
};

/// Returns the content of a regular file; throws OSError if it is none.
std::string ReadRegularFile(const std::string& path);

}  // namespace tain::internal
