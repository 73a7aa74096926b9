// SPDX-License-Identifier: Apache-2.0
// Files that are mapped; see mapped_file.h.
#include "load/mapped_file.h"

#if !defined(_WIN32)
#include <sys/mman.h>
#endif

namespace tain::internal {

MappedFile* MappedFile::Of([[maybe_unused]] const OpenFile& file) {
#if defined(_WIN32)
  return nullptr;
#else
  if (!file.IsRegular()) return nullptr;
  const auto size = static_cast<size_t>(file.Size());
  if (size == 0) return nullptr;  // also files of the system whose size is not known
  void* data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file.descriptor(), 0);
  return data == MAP_FAILED ? nullptr : new MappedFile(static_cast<char*>(data), size);
#endif
}

void MappedFile::DropUser() noexcept {
  if (users_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

MappedFile::~MappedFile() {
#if !defined(_WIN32)
  ::munmap(data_, size_);
#endif
}

}  // namespace tain::internal
