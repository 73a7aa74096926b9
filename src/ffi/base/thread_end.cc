// SPDX-License-Identifier: Apache-2.0
// Runs what threads leave to be done; see thread_end.h.
#include "base/thread_end.h"

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#define TAIN_HAS_THREAD_KEYS 1
#endif

namespace tain::internal {
namespace {

constinit thread_local ThreadEnd* ends = nullptr;

void RunEnds() noexcept {
  while (ThreadEnd* end = ends) {
    ends = std::exchange(end->next, nullptr);
    end->is_listed = false;
    end->run();
  }
}

#ifdef TAIN_HAS_THREAD_KEYS
struct Key {
  pthread_key_t key{};
  bool exists = false;
};
/// The key of all threads; its destructor runs again for a thread that lists more meanwhile.
const Key key = [] {
  Key made;
  made.exists = pthread_key_create(&made.key, [](void*) { RunEnds(); }) == 0;
  return made;
}();

void ListThread() noexcept {
  if (key.exists) pthread_setspecific(key.key, &ends);  // without memory, it is a leak
}
#else
/// Other systems register destructors without a lock that is held while libraries are loaded.
struct ListedThread {
  ~ListedThread() { RunEnds(); }
};
void ListThread() noexcept {
  static thread_local ListedThread listed;
  (void)&listed;
}
#endif

}  // namespace

void AtThreadEnd(ThreadEnd* end) noexcept {
  if (end->is_listed) return;
  if (ends == nullptr) ListThread();
  end->is_listed = true;
  end->next = std::exchange(ends, end);
}

}  // namespace tain::internal
