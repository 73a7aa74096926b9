// SPDX-License-Identifier: Apache-2.0
// Replaces the content of a file as a whole; see replaced_file.h.
#include "base/replaced_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <random>
#include <system_error>

#include "base/file_path.h"
#include "tain/internal/replace_file.h"

#if !defined(_WIN32)
#include <unistd.h>
#endif

namespace tain::internal {
namespace {

namespace fs = std::filesystem;

/// Symbolic links that lead to each other are followed no further, as by the system.
constexpr int kMaxLinks = 40;
constexpr int kMaxTries = 100;  // of a name that exists already

#if defined(_WIN32)
constexpr int kNoFollow = 0;
constexpr unsigned kMode = _S_IREAD | _S_IWRITE;
#else
constexpr int kNoFollow = O_NOFOLLOW;
constexpr unsigned kMode = 0666;  // less what the process masks
#endif
constexpr int kWriteTo = O_WRONLY;
constexpr int kCreate = O_WRONLY | O_CREAT | O_EXCL | kNoFollow;

[[noreturn]] void Throw(const char* what, const std::string& path, const std::error_code& error) {
  throw fs::filesystem_error(what, path, error);
}

/// Returns the kind of what is at a path, with links followed or not. Nothing there is no error.
fs::file_type KindAt(const std::string& path, bool follow) {
  std::error_code error;
  const fs::file_status found = follow ? fs::status(path, error) : fs::symlink_status(path, error);
  if (found.type() == fs::file_type::none) Throw("cannot write", path, error);
  return found.type();
}

/// Returns the path to which a symbolic link leads; a path that is no link as it is.
std::string WithoutLinks(const std::string& path) {
  fs::path at = path;
  for (int i = 0; i < kMaxLinks; ++i) {
    if (KindAt(at.string(), false) != fs::file_type::symlink) return at.string();
    std::error_code error;
    const fs::path to = fs::read_symlink(at, error);
    if (error) Throw("cannot write", at.string(), error);
    at = to.is_absolute() ? to : at.parent_path() / to;
  }
  Throw("cannot write", path, std::make_error_code(std::errc::too_many_symbolic_link_levels));
}

/// Returns a path beside another one that nobody can foretell.
std::string PathBeside(const std::string& path) {
  std::random_device random;
  const uint64_t number = uint64_t{random()} << 32 | random();
  char name[32];
  std::snprintf(name, sizeof(name), ".tain-%016llx", static_cast<unsigned long long>(number));
  return (fs::path(path).parent_path() / name).string();
}

/// Gives the new file the owner and the permissions of the one that it replaces.
void TakeOver([[maybe_unused]] int descriptor, [[maybe_unused]] const std::string& old) {
#if !defined(_WIN32)
  struct stat status{}, made{};
  if (::lstat(old.c_str(), &status) != 0 || ::fstat(descriptor, &made) != 0) return;
  if (status.st_uid != made.st_uid || status.st_gid != made.st_gid) {
    // Only root may give files away; for others the file becomes their own, as when they copy it.
    [[maybe_unused]] const int refused = ::fchown(descriptor, status.st_uid, status.st_gid);
  }
  if (::fchmod(descriptor, status.st_mode & 0777U) != 0) ThrowFileError("cannot write", old);
#endif
}

}  // namespace

ReplacedFile::ReplacedFile(const std::string& path) {
  const fs::file_type kind = KindAt(path, true);
  if (kind != fs::file_type::regular && kind != fs::file_type::not_found) {
    file_.emplace(path, kWriteTo);
    if (!file_->IsRegular()) return;
    // Somebody has put another file there meanwhile.
    Throw("cannot write", path, std::make_error_code(std::errc::file_exists));
  }
  target_ = WithoutLinks(path);
  OpenBeside();
}

void ReplacedFile::OpenBeside() {
  for (int tries = 0;; ++tries) {
    std::string name = PathBeside(target_);
    try {
      file_.emplace(name, kCreate, kMode);
    } catch (const fs::filesystem_error& error) {
      if (error.code() == std::errc::file_exists && tries < kMaxTries) continue;
      // The name means nothing to the user.
      if (error.code() == std::errc::no_such_file_or_directory) {
        Throw("cannot write", target_, error.code());
      }
      fs::path folder = fs::path(target_).parent_path();
      Throw("cannot make a file in", folder.empty() ? "." : folder.string(), error.code());
    }
    beside_ = std::move(name);
    return;
  }
}

ReplacedFile::~ReplacedFile() {
  std::error_code ignored;
  if (!beside_.empty()) fs::remove(beside_, ignored);
}

void ReplacedFile::Finish() {
  if (target_.empty()) return file_->Close();
  TakeOver(file_->descriptor(), target_);
  file_->Close();
  const fs::file_type kind = KindAt(target_, false);
  if (kind != fs::file_type::regular && kind != fs::file_type::not_found) {
    Throw("cannot replace what is no regular file", target_,
          std::make_error_code(std::errc::file_exists));
  }
  std::error_code error;
  fs::rename(beside_, target_, error);
  if (error) Throw("cannot write", target_, error);
  beside_.clear();
}

void ReplaceFile(const std::string& path, std::string_view content, const char* where) {
  CheckFilePath(path, where);
  ReplacedFile file(path);
  file.Write(content);
  file.Finish();
}

}  // namespace tain::internal
