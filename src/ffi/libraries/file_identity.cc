// SPDX-License-Identifier: Apache-2.0
// Identifies files by attributes and content, and copies them.
#include "libraries/file_identity.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/guard.h"
#include "tain/internal/replace_file.h"

#if defined(_WIN32)
#include <process.h>
#else
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace tain::internal {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kWholeFileLimit = uint64_t{256} << 20;  ///< larger files are hashed in part
constexpr size_t kPartSize = size_t{4} << 20;
constexpr uint64_t kReadSize = uint64_t{64} << 10;  ///< divides kPartSize
constexpr uint64_t kHashBegin = 1469598103934665603ULL;

int ProcessId() noexcept {
#if defined(_WIN32)
  return _getpid();
#else
  return getpid();
#endif
}

uint64_t HashBytes(uint64_t hash, const char* data, size_t size) noexcept {
  size_t at = 0;
  for (; at + 8 <= size; at += 8) {
    uint64_t word;
    std::memcpy(&word, data + at, 8);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
  }
  for (; at < size; ++at) {
    hash = (hash ^ static_cast<unsigned char>(data[at])) * 0x100000001b3ULL;
  }
  return hash;
}

/// The folder for copies. The process that made it removes it; forked children do not.
class CopyFolder {
 public:
  CopyFolder() : process_(ProcessId()) {
    std::error_code error;
    fs::path base = fs::absolute(fs::temp_directory_path(error), error);
    if (error) base = fs::current_path(error);
#if defined(_WIN32)
    path_ = base / ("tain-" + std::to_string(process_));
    fs::create_directories(path_, error);
#else
    std::string pattern = (base / "tain-XXXXXX").string();  // mkdtemp: for this user only
    if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
#endif
  }
  ~CopyFolder() {
    if (path_.empty() || process_ != ProcessId()) return;
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const noexcept { return path_; }

 private:
  int process_;
  fs::path path_;
};

const fs::path& FolderForCopies() {
  static CopyFolder folder;
  return folder.path();
}

/// Writes a file with this content into the folder, as a whole: no other thread reads a part of it.
void WriteForLoading(const std::string& file, std::string_view content) {
  if (FolderForCopies().empty()) {
    TAIN_THROW(OSError) << "load_module: cannot write the library to a temporary file";
  }
  ReplaceFile(file, content, "load_module");
}

/// Returns the path of a file for this content, without its extension.
std::string StemForLoading(std::string_view content) {
  char name[48];
  std::snprintf(
      name, sizeof(name), "module-%016llx",
      static_cast<unsigned long long>(HashBytes(content.size(), content.data(), content.size())));
  return (FolderForCopies() / name).string();
}

}  // namespace

FileIdentity IdentifyFile(const std::string& path) {
  FileIdentity identity;
#if defined(_WIN32)
  std::error_code error;
  identity.size = fs::file_size(path, error);
  identity.modified = fs::last_write_time(path, error).time_since_epoch().count();
  const bool found = !error;
#else
  struct stat status{};
  const bool found = stat(path.c_str(), &status) == 0;
  if (found && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    TAIN_THROW(ImportError) << "cannot load " << path << ": expected a regular file";  // may block
  }
  identity.device = static_cast<uint64_t>(status.st_dev);
  identity.inode = static_cast<uint64_t>(status.st_ino);
  identity.size = static_cast<uint64_t>(status.st_size);
#if defined(__APPLE__)
  const timespec& modified = status.st_mtimespec;
#else
  const timespec& modified = status.st_mtim;
#endif
  identity.modified = static_cast<int64_t>(modified.tv_sec) * 1000000000 + modified.tv_nsec;
#endif
  if (!found) TAIN_THROW(FileNotFoundError) << "there is no file " << path;
  return identity;
}

uint64_t HashFile(const std::string& path, uint64_t size) {
  std::ifstream file(path, std::ios::binary);
  if (!file) TAIN_THROW(PermissionError) << path << " cannot be read";
  std::vector<char> buffer(std::clamp<uint64_t>(size, 1, kReadSize));
  uint64_t hash = kHashBegin ^ size;
  const bool in_part = size > kWholeFileLimit;
  while (file) {
    file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    hash = HashBytes(hash, buffer.data(), static_cast<size_t>(file.gcount()));
    if (in_part && static_cast<uint64_t>(file.tellg()) == kPartSize) {
      file.seekg(-static_cast<std::streamoff>(kPartSize), std::ios::end);
    }
  }
  return hash;
}

uint64_t HashContent(std::string_view content) noexcept {
  const uint64_t hash = kHashBegin ^ content.size();
  if (content.size() <= kWholeFileLimit) return HashBytes(hash, content.data(), content.size());
  const std::string_view end = content.substr(content.size() - kPartSize);
  return HashBytes(HashBytes(hash, content.data(), kPartSize), end.data(), end.size());
}

std::string FileForLoading(std::string_view content) {
  const std::string file = StemForLoading(content) + ".so";
  std::error_code error;
  if (!FolderForCopies().empty() && fs::file_size(file, error) == content.size()) return file;
  WriteForLoading(file, content);
  return file;
}

std::string NewFileForLoading(std::string_view content) {
  static std::atomic<int> count{0};
  const std::string file =
      StemForLoading(content) + "-" + std::to_string(count.fetch_add(1) + 1) + ".so";
  WriteForLoading(file, content);
  return file;
}

std::string CopyForLoading(const std::string& path, uint64_t hash) {
  static std::atomic<int> count{0};
  const fs::path source(path);
  char suffix[48];
  std::snprintf(suffix, sizeof(suffix), "-%016llx-%d", static_cast<unsigned long long>(hash),
                count.fetch_add(1) + 1);
  const fs::path copy =
      FolderForCopies() / (source.stem().string() + suffix + source.extension().string());
  std::error_code error;
  if (FolderForCopies().empty() || !fs::copy_file(source, copy, error)) {
    TAIN_THROW(OSError) << path << " has changed since it was loaded, and no "
                        << "copy of it could be made to load it anew"
                        << (error ? ": " + error.message() : std::string());
  }
  return copy.string();
}

}  // namespace tain::internal
