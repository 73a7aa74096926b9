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

/// Keeps the library that contains an address loaded for ever, even if it is closed, because the
/// registry refers to its code. Takes the loader's lock too.
void KeepLoaded(const void* address) noexcept;

/// Returns the file's name without the folder, a leading `lib`, and everything from the first dot
/// on.
std::string StemOf(const std::string& file);

/// Opens a library with immediate binding and local symbols. Returns whether it is open; if not,
/// `error` receives the loader's text. Libraries are never closed.
bool OpenSharedFile(const std::string& path, std::string& error);

}  // namespace tain::internal
