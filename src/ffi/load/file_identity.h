// SPDX-License-Identifier: Apache-2.0
// Files by identity and content, and private copies of them.
#pragma once

#include <cstdint>
#include <string>

namespace tain::internal {

/// What tells a file from its later versions.
struct FileIdentity {
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t modified = 0;  ///< nanoseconds
  uint64_t size = 0;     ///< bytes
  uint64_t hash = 0;     ///< of the content; filled by HashFile

  /// Whether the file has not been touched.
  bool SameStat(const FileIdentity& other) const noexcept {
    return device == other.device && inode == other.inode && modified == other.modified &&
           size == other.size;
  }
};

/// Identity without the hash; throws FileNotFoundError.
FileIdentity IdentifyFile(const std::string& path);

/// Hash of the content. Of a very large file only the ends and its size count; a rebuilt library
/// differs there too.
uint64_t HashFile(const std::string& path, uint64_t size);

/// A copy in a folder of this process, named after the file and the hash; each call makes another.
/// The folder is removed when the process ends.
std::string CopyForLoading(const std::string& path, uint64_t hash);

}  // namespace tain::internal
