// SPDX-License-Identifier: Apache-2.0
// Destructors that join a thread which calls Python, and scopes that release and take the GIL.
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

#include "tain/boxed.h"
#include "tain/stl.h"
#include "tain/tain.h"

namespace tain_testing {

/// A thread that calls a function when it is told to stop.
class Joiner {
 public:
  explicit Joiner(std::function<void()> done) : done_(std::move(done)) {
    if (!done_) throw std::invalid_argument("the thread needs a function");
    thread_ = std::thread([this] {
      while (!stop_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      try {
        done_();
      } catch (const tain::Error&) {  // nobody waits for the answer
      }
    });
  }
  ~Joiner() {
    stop_ = true;
    thread_.join();
  }
  Joiner(const Joiner&) = delete;
  Joiner& operator=(const Joiner&) = delete;

 private:
  std::function<void()> done_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

struct WorkerObj : tain::Object {
  Joiner joiner;
  tain::Any next;
  explicit WorkerObj(std::function<void()> done) : joiner(std::move(done)) {}
  static constexpr int32_t _type_child_slots = 4;
  TAIN_OBJECT("testing.Worker", WorkerObj, tain::Object);
};

/// A child whose own description says nothing of the GIL.
struct ChildWorkerObj : WorkerObj {
  using WorkerObj::WorkerObj;
  TAIN_OBJECT("testing.ChildWorker", ChildWorkerObj, WorkerObj);
};

/// Calls a function in a thread and waits for it, with the GIL released by a scope.
int64_t CallInScopedThread(const std::function<int64_t(int64_t)>& f, int64_t x) {
  const tain::WithoutGil unlocked;
  return std::async(std::launch::async,
                    [&] {
                      const tain::WithGil locked;
                      const tain::WithGil again;
                      return f(x);
                    })
      .get();
}

/// Scopes within each other, in a thread that holds the GIL and one that does not.
int64_t NestScopes(const std::function<int64_t(int64_t)>& f, int64_t x) {
  const tain::WithoutGil unlocked;
  const tain::WithoutGil again;
  x = f(x);
  {
    const tain::WithGil locked;
    x = f(x);
    const tain::WithoutGil inner;
    x = f(x);
  }
  return f(x);
}

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::arg;
  refl::ObjectDef<WorkerObj>("Joins a thread in its destructor.", tain::destroy_without_gil())
      .def_rw("next", &WorkerObj::next)
      .def_init<std::function<void()>>(arg("done"));
  refl::ObjectDef<ChildWorkerObj>().def_init<std::function<void()>>(arg("done"));
  refl::ObjectDef<tain::Boxed<Joiner>>("testing.boxed.Joiner", tain::destroy_without_gil())
      .def_init<std::function<void()>>(arg("done"));
  refl::GlobalDef()
      .def("testing.call_in_scoped_thread", CallInScopedThread, arg("f"), arg("x"))
      .def("testing.nest_scopes", NestScopes, arg("f"), arg("x"));
}

}  // namespace tain_testing
