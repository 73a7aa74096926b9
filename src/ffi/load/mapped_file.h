// SPDX-License-Identifier: Apache-2.0
// Files that are mapped to memory, for as long as somebody uses the mapping.
#pragma once

#include <atomic>
#include <string_view>

#include "base/open_file.h"

namespace tain::internal {

/// The bytes of a regular file, mapped privately: what is written to them does not reach the file.
class MappedFile {
 public:
  /// Maps an open file. Returns null if it cannot be mapped: a pipe, a device, an empty file. The
  /// caller is the first user.
  static MappedFile* Of(const OpenFile& file);

  std::string_view bytes() const noexcept { return {data_, size_}; }
  void AddUser() noexcept { users_.fetch_add(1, std::memory_order_relaxed); }
  void DropUser() noexcept;

 private:
  MappedFile(char* data, size_t size) noexcept : data_(data), size_(size) {}
  ~MappedFile();

  char* data_;
  size_t size_;
  std::atomic<int64_t> users_{1};
};

struct DropMappedFile {
  void operator()(MappedFile* file) const noexcept { file->DropUser(); }
};

}  // namespace tain::internal
