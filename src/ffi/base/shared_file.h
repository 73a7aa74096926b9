// SPDX-License-Identifier: Apache-2.0
// Shared libraries as files: which one holds an address, and opening one.
#pragma once

#include <string>

#if defined(__GNUC__) || defined(__clang__)
#define TAIN_CALLER() __builtin_return_address(0)
#else
#define TAIN_CALLER() nullptr
#endif

namespace tain::internal {

/// Absolute path of the library or program that holds an address; empty if unknown. Takes the
/// loader's lock: never call it while holding the registry's.
std::string FileOfAddress(const void* address);

/// Keeps the library that holds an address in the process for good, also when whoever opened it
/// closes it: its code is called by name. Takes the loader's lock too.
void KeepLoaded(const void* address) noexcept;

/// The file's name without folder, a leading `lib` and what follows the first dot.
std::string StemOf(const std::string& file);

/// Opens a library with all of its symbols bound and none of them given to others. Returns whether
/// it is open; `error` receives the loader's text if not. Libraries are never closed.
bool OpenSharedFile(const std::string& path, std::string& error);

}  // namespace tain::internal
