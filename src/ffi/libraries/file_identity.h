// SPDX-License-Identifier: Apache-2.0
// Identifies files by attributes and content, and copies them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tain::internal {

/// The properties that distinguish a file from its later versions.
struct FileIdentity {
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t modified = 0;  ///< nanoseconds
  uint64_t size = 0;     ///< bytes
  uint64_t hash = 0;     ///< of the content; HashFile computes it

  /// Whether the attributes of the file are unchanged.
  bool SameStat(const FileIdentity& other) const noexcept {
    return device == other.device && inode == other.inode && modified == other.modified &&
           size == other.size;
  }
};

/// Returns the identity without the hash; throws FileNotFoundError.
FileIdentity IdentifyFile(const std::string& path);

/// Returns the hash of the content. For a very large file it covers only both ends and the size,
/// which also differ in a rebuilt library.
uint64_t HashFile(const std::string& path, uint64_t size);
/// Returns the same hash of a content that was read.
uint64_t HashContent(std::string_view content) noexcept;

/// Makes a copy in a folder of this process, whose name contains the file's name and the hash. Each
/// call makes another copy. The folder is removed when the process ends.
std::string CopyForLoading(const std::string& path, uint64_t hash);

/// Returns a file with this content and the extension `so`, in the same folder. The same content
/// has one file.
std::string FileForLoading(std::string_view content);
/// The same, but another file for each call: the loader keeps the code of each apart.
std::string NewFileForLoading(std::string_view content);

}  // namespace tain::internal
