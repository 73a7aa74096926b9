// SPDX-License-Identifier: Apache-2.0
// Files that are opened, read and written; see open_file.h.
#include "base/open_file.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/unlocked_call.h"

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace tain::internal {
namespace {

#if defined(_WIN32)
using FileStatus = struct _stat64;
int StatusOf(int descriptor, FileStatus* status) { return ::_fstat64(descriptor, status); }
bool HasRegularMode(const FileStatus& status) { return (status.st_mode & _S_IFREG) != 0; }
constexpr int kRead = _O_RDONLY | _O_BINARY;
int OpenCall(const char* path, int flags, unsigned mode) {
  return ::_open(path, flags | _O_BINARY, static_cast<int>(mode));
}
int64_t ReadCall(int descriptor, char* out, size_t size) {
  return ::_read(descriptor, out, static_cast<unsigned>(size));
}
int64_t WriteCall(int descriptor, const char* data, size_t size) {
  return ::_write(descriptor, data, static_cast<unsigned>(size));
}
int CloseCall(int descriptor) { return ::_close(descriptor); }
#else
using FileStatus = struct stat;
int StatusOf(int descriptor, FileStatus* status) { return ::fstat(descriptor, status); }
bool HasRegularMode(const FileStatus& status) { return S_ISREG(status.st_mode); }
constexpr int kRead = O_RDONLY;
int OpenCall(const char* path, int flags, unsigned mode) {
  return ::open(path, flags | O_CLOEXEC | O_NOCTTY, static_cast<mode_t>(mode));
}
int64_t ReadCall(int descriptor, char* out, size_t size) { return ::read(descriptor, out, size); }
int64_t WriteCall(int descriptor, const char* data, size_t size) {
  return ::write(descriptor, data, size);
}
int CloseCall(int descriptor) { return ::close(descriptor); }
#endif

/// Makes a system call until no signal interrupts it. Returns its result, or throws OSError.
template <class F>
int64_t Waiting(const char* what, const std::string& path, F call) {
  for (;;) {
    int64_t result = -1;
    int code = 0;
    RunUnlocked([&] {
      result = call();
      code = errno;  // taking the lock again may change it
    });
    if (result >= 0) return result;
    errno = code;
    if (code != EINTR) ThrowFileError(what, path);
    CheckSignalsNow();
  }
}

FileStatus CheckedStatus(const OpenFile& file) {
  FileStatus status{};
  if (StatusOf(file.descriptor(), &status) != 0) ThrowFileError("cannot read", file.path());
  return status;
}

/// System calls take no more at once.
constexpr size_t kMaxPart = size_t{1} << 30;

}  // namespace

void ThrowFileError(const char* what, const std::string& path) {
  // The error of a file becomes an OSError that knows the file.
  throw std::filesystem::filesystem_error(what, path,
                                          std::error_code(errno, std::generic_category()));
}

OpenFile::OpenFile(std::string path, int flags, unsigned mode)
    : path_(std::move(path)),
      descriptor_(static_cast<int>(
          Waiting("cannot open", path_, [&] { return OpenCall(path_.c_str(), flags, mode); }))) {}

OpenFile::OpenFile(std::string path) : OpenFile(std::move(path), kRead) {}

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) CloseCall(descriptor_);
}

size_t OpenFile::Read(char* out, size_t size) {
  return static_cast<size_t>(Waiting(
      "cannot read", path_, [&] { return ReadCall(descriptor_, out, std::min(size, kMaxPart)); }));
}

void OpenFile::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = static_cast<size_t>(Waiting("cannot write", path_, [&] {
      return WriteCall(descriptor_, bytes.data(), std::min(bytes.size(), kMaxPart));
    }));
    bytes.remove_prefix(written);
  }
}

void OpenFile::Close() {
  int code = 0;
  // Not repeated: after EINTR the descriptor is closed too.
  RunUnlocked([&] { code = CloseCall(std::exchange(descriptor_, -1)) == 0 ? 0 : errno; });
  errno = code;
  if (code != 0 && code != EINTR) ThrowFileError("cannot write", path_);
}

bool OpenFile::IsRegular() const { return HasRegularMode(CheckedStatus(*this)); }

uint64_t OpenFile::Size() const { return static_cast<uint64_t>(CheckedStatus(*this).st_size); }

std::string ReadRegularFile(const std::string& path) {
  OpenFile file(path);
  if (!file.IsRegular()) {
    errno = EINVAL;
    ThrowFileError("cannot read", path);
  }
  std::string content(static_cast<size_t>(file.Size()), '\0');
  size_t size = 0;
  while (size < content.size()) {
    const size_t got = file.Read(content.data() + size, content.size() - size);
    if (got == 0) break;
    size += got;
  }
  content.resize(size);
  return content;
}

}  // namespace tain::internal
