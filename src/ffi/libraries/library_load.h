// SPDX-License-Identifier: Apache-2.0
// Loads a library as a transaction: all of its registrations take effect, or none.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace tain::internal {

/// Takes the lock of all loads; recursive, because a load may load again. Modules are found
/// under it too, so there is no second lock that could be taken in another order. A thread
/// that has the host's lock gives it up while it waits, because a load may run code of the host.
[[nodiscard]] std::unique_lock<std::recursive_mutex> HoldLoads();
/// Whether the thread that forks holds that lock. Asked by the steps of fork() only.
bool ForkHasLoadLock() noexcept;

/// A library that is loaded.
struct LoadedLibrary {
  std::string opened;       ///< the path that the loader got: the file itself or a copy
  void* handle = nullptr;   ///< the loader's
  bool registered = false;  ///< its load registered types, functions or enums
  uint64_t hash = 0;        ///< HashFile of the content that was loaded
};

/// Loads the library of a file, or returns the one that was loaded from the present content of the
/// file. Throws FileNotFoundError, or ImportError with all faults.
LoadedLibrary LoadLibraryFile(std::string_view path);

}  // namespace tain::internal
