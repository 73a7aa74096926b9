// SPDX-License-Identifier: Apache-2.0
// Loads a library as a transaction: all of its registrations take effect, or none.
#pragma once

#include <string>
#include <string_view>

namespace tain::internal {

/// A library that is loaded.
struct LoadedLibrary {
  std::string opened;  ///< the path that the loader got: the file itself or a copy
  void* handle;        ///< the loader's
  bool registered;     ///< its load registered types, functions or enums
};

/// Loads the library of a file, or returns the one that was loaded from the present content of the
/// file. Throws FileNotFoundError, or ImportError with all faults.
LoadedLibrary LoadLibraryFile(std::string_view path);

/// Unloads a library that LoadLibraryFile returned, unless the loader must keep it.
void UnloadLibrary(const LoadedLibrary& library) noexcept;

}  // namespace tain::internal
