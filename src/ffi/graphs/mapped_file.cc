// SPDX-License-Identifier: Apache-2.0
// Files that are read or mapped; see mapped_file.h.
#include "graphs/mapped_file.h"

#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#else
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace tain::internal {
namespace {

[[noreturn]] void ThrowFileError(const std::string& path) {
  // The error of a file becomes an OSError that knows the file.
  throw std::filesystem::filesystem_error("cannot read", path,
                                          std::error_code(errno, std::generic_category()));
}

int OpenForReading(const std::string& path) noexcept {
#if defined(_WIN32)
  return ::_open(path.c_str(), _O_RDONLY | _O_BINARY);
#else
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
#endif
}

}  // namespace

OpenFile::OpenFile(const std::string& path) : path_(path), descriptor_(OpenForReading(path)) {
  if (descriptor_ < 0) ThrowFileError(path_);
}

OpenFile::~OpenFile() {
#if defined(_WIN32)
  ::_close(descriptor_);
#else
  ::close(descriptor_);
#endif
}

size_t OpenFile::Read(char* out, size_t size) {
  for (;;) {
#if defined(_WIN32)
    const auto got = ::_read(descriptor_, out, static_cast<unsigned>(size));
#else
    const auto got = ::read(descriptor_, out, size);
#endif
    if (got >= 0) return static_cast<size_t>(got);
    if (errno != EINTR) ThrowFileError(path_);
  }
}

char* OpenFile::Map(size_t* size) const noexcept {
#if defined(_WIN32)
  *size = 0;
  return nullptr;
#else
  struct stat status{};
  if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0) {
    return nullptr;
  }
  *size = static_cast<size_t>(status.st_size);
  void* data = ::mmap(nullptr, *size, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor_, 0);
  return data == MAP_FAILED ? nullptr : static_cast<char*>(data);
#endif
}

MappedFile* MappedFile::Open(const std::string& path) {
  OpenFile file(path);
  struct Drop {
    void operator()(MappedFile* made) const noexcept { made->DropUser(); }
  };
  std::unique_ptr<MappedFile, Drop> made(new MappedFile());
  made->data_ = file.Map(&made->size_);
  made->is_mapped_ = made->data_ != nullptr;
  if (made->is_mapped_) return made.release();
  std::string part(size_t{1} << 16, '\0');
  while (const size_t got = file.Read(part.data(), part.size())) {
    made->content_.append(part.data(), got);
  }
  made->data_ = made->content_.data();
  made->size_ = made->content_.size();
  return made.release();
}

void MappedFile::DropUser() noexcept {
  if (users_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

MappedFile::~MappedFile() {
#if !defined(_WIN32)
  if (is_mapped_) ::munmap(data_, size_);
#endif
}

}  // namespace tain::internal
