// SPDX-License-Identifier: Apache-2.0
// Calls the dynamic loader, on POSIX and (not tested) Windows. No other file does.
#include "base/shared_file.h"

#include <filesystem>

#include "base/elf_file.h"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace tain::internal {

std::string StemOf(const std::string& file) {
  std::string stem = std::filesystem::path(file).filename().string();
  if (const size_t dot = stem.find('.', 1); dot != std::string::npos) stem.resize(dot);
  if (stem.size() > 3 && stem.starts_with("lib")) stem.erase(0, 3);
  return stem;
}

#if defined(_WIN32)

std::string FileOfAddress(const void* address) {
  HMODULE module = nullptr;
  char path[MAX_PATH];
  const DWORD flags =
      GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  if (!GetModuleHandleExA(flags, static_cast<const char*>(address), &module)) return "";
  const DWORD size = GetModuleFileNameA(module, path, MAX_PATH);
  return std::string(path, size);
}

void KeepLoaded(const void* address) noexcept {
  HMODULE module = nullptr;
  GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                     static_cast<const char*>(address), &module);
}

bool OpenSharedFile(const std::string& path, std::string& error) {
  if (LoadLibraryA(path.c_str()) != nullptr) return true;
  error = path + ": error " + std::to_string(GetLastError()) + " of LoadLibrary";
  return false;
}

#else

std::string FileOfAddress(const void* address) {
  Dl_info info{};
  if (address == nullptr || dladdr(address, &info) == 0 || info.dli_fname == nullptr) return "";
  std::error_code error;
  const auto absolute = std::filesystem::absolute(info.dli_fname, error);
  return error ? std::string(info.dli_fname) : absolute.lexically_normal().string();
}

void KeepLoaded(const void* address) noexcept {
  Dl_info info{};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return;
  // The program itself cannot be opened by its name; it is never unloaded either.
  dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

bool OpenSharedFile(const std::string& path, std::string& error) {
  if (const std::string missing = MissingEndOf(path); !missing.empty()) {
    error = "file cut short: " + missing;
    return false;
  }
  if (dlopen(path.c_str(), RTLD_LOCAL | RTLD_NOW) != nullptr) return true;
  const char* text = dlerror();
  error = text == nullptr ? path + ": cannot be opened" : text;
  return false;
}

#endif

}  // namespace tain::internal
