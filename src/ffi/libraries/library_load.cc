// SPDX-License-Identifier: Apache-2.0
// Loads a library as a transaction, and loads it again if its file has changed.
//
// For a known path the loader returns the library that it has, even if the file has changed. So a
// changed file is loaded from a copy in a private folder, whose name contains the hash of the
// content. No library is ever closed, because objects, deleters and records may point into it.
#include "libraries/library_load.h"

#include <filesystem>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "base/file_path.h"
#include "base/fork.h"
#include "base/guard.h"
#include "base/shared_file.h"
#include "base/unlocked_call.h"
#include "libraries/file_identity.h"
#include "libraries/other_runtime.h"
#include "registry/registry.h"
#include "registry/unit.h"
#include "tain/c_api_host.h"
#include "tain/internal/load_wait.h"

namespace tain::internal {
namespace {

namespace fs = std::filesystem;

/// A file that was loaded, or whose load failed.
struct LoadedFile : LoadedLibrary {
  FileIdentity identity;
  bool mapped = false;  ///< the loader knows the path, so loading it again needs a copy
  bool failed = true;   ///< it could not be opened, or its registrations were withdrawn
};

/// The loads of the process. The lock is recursive, because a static initializer
/// may load another library; the dynamic loader's lock orders everything else.
struct Loads {
  std::recursive_mutex mutex;
  std::unordered_map<std::string, LoadedFile> files;  ///< by absolute path
};

Loads& State() { return NeverDestroyed<Loads>(); }

/// Whether the forking thread holds the lock. It does not wait for the lock, because a load takes
/// long and may wait for a lock that the forking thread holds.
thread_local bool fork_has_lock = false;

/// Returns the absolute path of an existing file with links resolved; throws if there is none.
std::string ResolvePath(std::string_view text) {
  CheckFilePath(text, "load_library");
  std::error_code error;
  const fs::path path = fs::canonical(fs::path(std::string(text)), error);
  if (error == std::errc::permission_denied) {
    TAIN_THROW(PermissionError) << text << ": permission denied";
  }
  if (error) TAIN_THROW(FileNotFoundError) << "there is no file " << text;
  if (fs::is_directory(path, error)) {
    TAIN_THROW(IsADirectoryError) << text << " is a folder, not a library";
  }
  return path.string();
}

bool Contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

/// Explains an error of the loader to users. The loader gives nothing but its text.
const char* LoadAdvice(const std::string& error) {
  if (Contains(error, "undefined symbol: Tain") || Contains(error, "4tain8internal")) {
    return "it was compiled for another version of tain; rebuild it against the installed one";
  }
  if (Contains(error, "undefined symbol")) {
    return "a function that it calls is in none of the libraries it is linked with";
  }
  if (Contains(error, "cannot open shared object file")) {
    return "a library that it needs was not found";
  }
  return nullptr;
}

[[noreturn]] void ThrowOpenError(const std::string& path, const std::string& error) {
  const char* advice = LoadAdvice(error);
  TAIN_THROW(ImportError) << "cannot load " << path << ": "
                          << (advice == nullptr ? error : advice + (" (" + error + ")"));
}

/// Loads a file that the process has not loaded yet, or has loaded in another version. Throws one
/// ImportError for all faults.
void LoadAsTransaction(const std::string& path, LoadedFile& file) {
  file.failed = true;
  file.opened = file.mapped ? CopyForLoading(path, file.identity.hash) : path;
  RefuseOtherRuntime(file.opened, path);
  LoadScope scope(path, file.opened);
  std::string error;
  scope.DeferRegistrations();
  file.handle = OpenSharedFile(file.opened, error);
  if (file.handle != nullptr) scope.RunDeferred();
  file.mapped = file.mapped || file.handle != nullptr;
  const std::string faults = scope.Finish();
  if (!faults.empty()) TAIN_THROW(ImportError) << faults;
  if (file.handle == nullptr) ThrowOpenError(path, error);
  file.registered = scope.registered();
  file.failed = false;
}

}  // namespace

std::unique_lock<std::recursive_mutex> HoldLoads() {
  std::unique_lock lock(State().mutex, std::try_to_lock);
  if (lock.owns_lock()) return lock;
  RunUnlocked([&] { lock.lock(); });
  return lock;
}

bool ForkHasLoadLock() noexcept { return fork_has_lock; }

LoadedLibrary LoadLibraryFile(std::string_view text) {
  RaisePendingFaults();
  const std::string path = ResolvePath(text);
  Loads& state = State();
  const auto lock = HoldLoads();
  LoadedFile& file = state.files[path];  // its address stays while nested loads add others
  FileIdentity now = IdentifyFile(path);
  if (!file.failed && now.SameStat(file.identity)) return file;
  now.hash = HashFile(path, now.size);
  const bool same_content = now.hash == file.identity.hash && now.size == file.identity.size;
  file.identity = now;
  file.hash = now.hash;
  if (file.failed || !same_content) LoadAsTransaction(path, file);
  return file;
}

void AwaitLoadOf(int32_t type_index) {
  {
    const Registry& registry = Registry::Default();
    const std::shared_lock lock(registry.mutex);
    const TypeEntry* entry = registry.types.Find(type_index);
    if (entry == nullptr || entry->provisional == nullptr) return;
  }
  const auto loads = HoldLoads();
}

constinit const ForkSteps library_load_fork = {
    [] { fork_has_lock = State().mutex.try_lock(); },
    [] {
      if (fork_has_lock) State().mutex.unlock();
    },
    [] {
      Loads& state = State();
      ::new (&state.mutex) std::recursive_mutex;  // never destroyed
      // If another thread was loading, its data may be inconsistent, so it is dropped. Loading a
      // file that the loader has already does nothing, also if tain has no record of it.
      if (!fork_has_lock) ::new (&state.files) std::unordered_map<std::string, LoadedFile>;
    }};

}  // namespace tain::internal

using namespace tain::internal;

extern "C" int TainLibraryLoad(const TainByteArray* path, TainAny* out) noexcept {
  return Guard([&] {
    const std::string_view text = TextOf(path, "TainLibraryLoad", "a path");
    TainAny& result = NotNull(out, "TainLibraryLoad", "a place for the result");
    result = TainAny{};
    const std::string opened = LoadLibraryFile(text).opened;
    const TainByteArray bytes{opened.data(), opened.size()};
    return TainStringFromByteArray(&bytes, &result);
  });
}
