// SPDX-License-Identifier: Apache-2.0
// Shared libraries as files: finds the one that contains an address, and opens libraries.
#pragma once

#include <string>

#if defined(__GNUC__) || defined(__clang__)
#define TAIN_CALLER() __builtin_return_address(0)
#else
#define TAIN_CALLER() nullptr
#endif

namespace tain::internal {

/// Returns the absolute path of the library or program that contains an address; empty if unknown.
/// Takes the loader's lock, so never call it while holding the registry's lock.
std::string FileOfAddress(const void* address);

/// Returns what the library or program that contains an address begins with; null if that is not known.
/// It takes longer the more libraries there are, and takes the loader's lock too.
const void* LibraryOf(const void* address) noexcept;

/// Returns the file of the library whose static initializer, whose caller cannot catch an error, is
/// running on this stack. Empty if there is none, or if the platform cannot tell. Walks the stack;
/// static_initializer.cc defines it.
std::string LibraryInInitialization();
/// Keeps the library that contains an address loaded for ever, even if it is closed, because the
/// registry refers to its code. Takes the loader's lock too.
void KeepLoaded(const void* address) noexcept;

/// Returns the file's name without the folder, a leading `lib`, and everything from the first dot
/// on.
std::string StemOf(const std::string& file);

/// Opens a library with immediate binding and local symbols, for as long as the process lives: its
/// objects, deleters and records may point into it. Returns the loader's handle; if the library
/// cannot be opened it is null, and `error` receives the loader's text.
void* OpenSharedFile(const std::string& path, std::string& error);
/// Returns the address of a symbol that the library defines; null if there is none.
void* FindSymbol(void* handle, const char* name) noexcept;

}  // namespace tain::internal
