// SPDX-License-Identifier: Apache-2.0
// Calls the dynamic loader, on POSIX and (not tested) Windows. Besides it only shared_symbols.cc
// asks the loader for the tables of a library.
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

const void* LibraryOf(const void* address) noexcept {
  const DWORD flags =
      GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  HMODULE module = nullptr;
  return GetModuleHandleExA(flags, static_cast<const char*>(address), &module) ? module : nullptr;
}

void KeepLoaded(const void* address) noexcept {
  HMODULE module = nullptr;
  GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                     static_cast<const char*>(address), &module);
}

void* OpenSharedFile(const std::string& path, std::string& error) {
  if (HMODULE module = LoadLibraryA(path.c_str())) return reinterpret_cast<void*>(module);
  error = path + ": error " + std::to_string(GetLastError()) + " of LoadLibrary";
  return nullptr;
}

void* FindSymbol(void* handle, const char* name) noexcept {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(handle), name));
}

#else

std::string FileOfAddress(const void* address) {
  Dl_info info{};
  if (address == nullptr || dladdr(address, &info) == 0 || info.dli_fname == nullptr) return "";
  std::error_code error;
  const auto absolute = std::filesystem::absolute(info.dli_fname, error);
  return error ? std::string(info.dli_fname) : absolute.lexically_normal().string();
}

const void* LibraryOf(const void* address) noexcept {
  Dl_info info{};
  return address != nullptr && dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

void KeepLoaded(const void* address) noexcept {
  Dl_info info{};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return;
  // The program itself cannot be opened by its name; it is never unloaded either.
  dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

void* OpenSharedFile(const std::string& path, std::string& error) {
  error = FaultOfLibrary(path);
  if (!error.empty()) return nullptr;
  if (void* handle = dlopen(path.c_str(), RTLD_LOCAL | RTLD_NOW)) return handle;
  const char* text = dlerror();
  error = text == nullptr ? path + ": cannot be opened" : text;
  return nullptr;
}

void* FindSymbol(void* handle, const char* name) noexcept {
  void* found = dlsym(handle, name);
  dlerror();  // clears the text of a failed search
  return found;
}

#endif

}  // namespace tain::internal
