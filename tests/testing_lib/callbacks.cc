// SPDX-License-Identifier: Apache-2.0
// Functions that call back: at once, later, from another thread, and without the host's lock.
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "tain/container/dict.h"
#include "tain/reflection/global_def.h"
#include "tain/stl.h"

namespace tain_testing {
namespace {

using tain::Any;
using tain::Args;
using tain::Function;

/// f() n times; the last result.
Any CallN(const Function& f, int64_t n) {
  Any result;
  for (int64_t i = 0; i < n; ++i) result = f();
  return result;
}

/// A callback that outlives the call, and the program: never destroyed on purpose.
Function& Stored() {
  static auto* stored = new Function;
  return *stored;
}

Any CallStored(Args args) {
  TAIN_CHECK(Stored().defined()) << "no callback is stored";
  return Stored().CallPacked(args);
}

/// A callback in an ordinary static, which is destroyed when the process ends.
Function static_callback;

/// f(*args) from a thread of its own; what it throws is thrown here.
Any CallInThread(const Function& f, Args args) {
  std::vector<Any> owned;
  for (int32_t i = 0; i < args.size(); ++i) owned.emplace_back(args[i]);
  return std::async(std::launch::async,
                    [&] {
                      std::vector<tain::AnyView> views(owned.begin(), owned.end());
                      return f.CallPacked(views.data(), static_cast<int32_t>(views.size()));
                    })
      .get();
}

/// f(key) for each entry; the number of entries.
int64_t WalkDict(const tain::Dict<>& dict, const Function& f) {
  int64_t entries = 0;
  for (const auto& [key, value] : dict) {
    f(key);
    ++entries;
  }
  return entries;
}

/// f(i) from `threads` threads, `n` times each; the number of calls. The first error is thrown here.
int64_t CallFromThreads(const Function& f, int64_t threads, int64_t n) {
  std::atomic<int64_t> calls{0};
  std::vector<std::future<void>> all;
  for (int64_t t = 0; t < threads; ++t) {
    all.push_back(std::async(std::launch::async, [&, t] {
      for (int64_t i = 0; i < n; ++i) {
        f(t);
        calls.fetch_add(1);
      }
    }));
  }
  for (std::future<void>& thread : all) thread.wait();
  for (std::future<void>& thread : all) thread.get();
  return calls.load();
}

/// A daemon thread that calls f until f returns false, also while the process ends.
void CallForever(Function f) {
  std::thread([f = std::move(f)] {
    try {
      while (f().cast<bool>()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } catch (...) {
      // Nobody is left to be told.
    }
  }).detach();
}

/// Results of callbacks whose types are known.
int64_t SumOfResults(const std::vector<std::function<int8_t(int64_t)>>& functions) {
  int64_t sum = 0;
  for (const auto& function : functions) sum += function(1);
  return sum;
}

/// A loop that keeps a processor busy.
int64_t Spin(int64_t n) {
  volatile int64_t sum = 0;
  for (int64_t i = 0; i < n; ++i) sum = sum + (i & 1);
  return sum;
}

void Sleep(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

/// Drops an object from a thread that does not hold the host's lock.
void DropInThread(tain::ObjectRef object) {
  std::thread([object = std::move(object)]() mutable { object = tain::ObjectRef(); }).join();
}

}  // namespace

TAIN_REGISTER {
  using tain::arg;
  using tain::release_gil;
  tain::reflection::GlobalDef()
      .def("testing.call_n", CallN, arg("f"), arg("n"), "Calls f() n times.")
      .def(
          "testing.store_callback", [](Function f) { Stored() = std::move(f); }, arg("f"))
      .def("testing.walk_dict", WalkDict, arg("dict"), arg("f"))
      .def("testing.call_stored", CallStored)
      .def("testing.sum_of_results", SumOfResults, arg("functions"))
      .def(
          "testing.float_result", [](const tain::TypedFunction<float()>& f) { return f(); },
          arg("f"))
      .def(
          "testing.vector_result",
          [](const std::function<std::vector<int8_t>()>& f) { return f(); }, arg("f"))
      .def(
          "testing.map_result",
          [](const tain::TypedFunction<tain::Map<tain::String, int64_t>()>& f) { return f(); },
          arg("f"))
      .def("testing.drop_callback", [] { Stored() = Function(); })
      .def(
          "testing.keep_until_exit", [](Function f) { static_callback = std::move(f); }, arg("f"))
      .def("testing.call_in_thread", CallInThread, arg("f"), arg("args"), release_gil())
      .def("testing.call_from_threads", CallFromThreads, arg("f"), arg("threads"), arg("n"),
           release_gil())
      .def("testing.call_forever", CallForever, arg("f"))
      .def("testing.spin", Spin, arg("n"), release_gil())
      .def("testing.spin_locked", Spin, arg("n"))
      .def("testing.sleep", Sleep, arg("seconds"), release_gil())
      .def("testing.drop_in_thread", DropInThread, arg("object"), release_gil())
      .def(
          "testing.take_count", [](tain::Ref<tain::Object> x) { return x.use_count(); }, arg("x"),
          "Takes the object by value: one more reference, unless it was moved in.")
      .def(
          "testing.take_rvalue", [](tain::ObjectRef&& x) { return std::move(x); }, arg("x"),
          "Moves the object through.")
      .def(
          "testing.is_same", [](const tain::Object* a, const tain::Object* b) { return a == b; },
          arg("a"), arg("b"), tain::thread_safe());
}

}  // namespace tain_testing
