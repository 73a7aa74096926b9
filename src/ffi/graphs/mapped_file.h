// SPDX-License-Identifier: Apache-2.0
// Files that are read: in parts, or mapped to memory for as long as somebody uses the mapping.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

namespace tain::internal {

/// A file that is open for reading. Throws OSError.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  /// Stores at most `size` bytes and returns how many.
  size_t Read(char* out, size_t size);
  /// Maps the file privately, or returns null if that is impossible. `*size` receives its size.
  char* Map(size_t* size) const noexcept;
  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  int descriptor_;
};

/// The bytes of a file, mapped privately: what is written to them does not reach the file. A file
/// that cannot be mapped is read.
class MappedFile {
 public:
  /// Throws OSError. The caller is the first user.
  static MappedFile* Open(const std::string& path);

  std::string_view bytes() const noexcept { return {data_, size_}; }
  void AddUser() noexcept { users_.fetch_add(1, std::memory_order_relaxed); }
  void DropUser() noexcept;

 private:
  MappedFile() = default;
  ~MappedFile();

  char* data_ = nullptr;
  size_t size_ = 0;
  bool is_mapped_ = false;
  std::string content_;  ///< of a file that is not mapped
  std::atomic<int64_t> users_{1};
};

struct DropMappedFile {
  void operator()(MappedFile* file) const noexcept { file->DropUser(); }
};

}  // namespace tain::internal
