// SPDX-License-Identifier: Apache-2.0
// The objects that a thread destroys when it ends.
//
// C++ registers the destructor of a `thread_local` with the loader, which takes the loader's lock.
// A thread that loads a library holds that lock while static initializers take the locks of libtain.
// So no thread_local of libtain has a destructor: one that is first used while a lock is held, as
// the text of an error is, could wait for the loading thread for ever.
#pragma once

#include <utility>

namespace tain::internal {

/// A function that runs when the thread ends; a constinit thread_local, listed once.
struct ThreadEnd {
  void (*run)() noexcept;
  ThreadEnd* next = nullptr;
  bool is_listed = false;
};

/// Runs a function when this thread ends, before those that were listed earlier and after the
/// destructors of C++'s thread_locals. Not for the main thread, whose memory the system frees. Takes
/// no lock, allocates no memory of C++.
void AtThreadEnd(ThreadEnd* end) noexcept;

/// One T for each thread, made when it is first used and destroyed when the thread ends. T is a type
/// of its own for each use.
template <class T>
class ThreadOwn {
 public:
  /// May throw std::bad_alloc when it is first called.
  static T& Get() {
    if (mine_ == nullptr) {
      mine_ = new T();
      AtThreadEnd(&end_);
    }
    return *mine_;
  }

 private:
  static void End() noexcept { delete std::exchange(mine_, nullptr); }

  static inline constinit thread_local T* mine_ = nullptr;
  static inline constinit thread_local ThreadEnd end_{&End};
};

}  // namespace tain::internal
