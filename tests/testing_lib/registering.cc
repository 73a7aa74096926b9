// SPDX-License-Identifier: Apache-2.0
// Threads that take the locks of libtain all the time, without the host's lock.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "testing_types.h"

namespace tain_testing {
namespace {

using tain::Function;

std::atomic<bool> stop{false};
std::vector<std::thread>& Threads() {
  static auto* threads = new std::vector<std::thread>;  // never destroyed: a fork leaves them
  return *threads;
}

TainByteArray Bytes(const std::string& text) { return {text.data(), text.size()}; }

/// The index of a type without members, registered if it is new.
int32_t RegisterType(const std::string& key) {
  TainTypeRequest request{};
  request.key = Bytes(key);
  request.static_index = -1;
  request.parent = kTainObject;
  request.depth = 1;
  request.size = sizeof(TainObject);
  request.alignment = alignof(TainObject);
  return TainTypeRequestIndex(&request);
}

void RegisterMuch(int64_t number) {
  const std::string key = "testing.hammer.T" + std::to_string(number);
  const std::string name = "testing.hammer.f" + std::to_string(number);
  const Function function = [number] { return number; };
  while (!stop.load()) {
    const int32_t index = RegisterType(key);
    TainTypeCanReach(index);
    TainTypeCanReach(NodeObj::RuntimeTypeIndex());
    Function::SetGlobal(name, function, true);
    const TainByteArray bytes = Bytes(name);
    int removed = 0;
    TainFunctionRemoveGlobal(&bytes, &removed);
    static void* handle = nullptr;
    TainHandleInitOnce(&handle, [](void** out) {
      static int made;
      *out = &made;
      return 0;
    });
    TainHandleDeinitOnce(&handle, [](void*) { return 0; });
    TainLiveObjects([](int32_t, int64_t, void*) {}, nullptr);
    // A thread that counts for the first time, and one that ends.
    std::thread([] { tain::make_object<PointObj>(1, 2); }).join();
  }
}

}  // namespace

TAIN_REGISTER {
  using tain::arg;
  tain::reflection::GlobalDef()
      .def(
          "testing.hammer_start",
          [](int64_t threads) {
            stop = false;
            for (int64_t i = 0; i < threads; ++i) Threads().emplace_back(RegisterMuch, i);
          },
          arg("threads"), "Starts threads that register types and functions.")
      .def(
          "testing.hammer_stop",
          [] {
            stop = true;
            for (std::thread& thread : Threads()) thread.join();
            Threads().clear();
          },
          "Ends them.", tain::release_gil())
      .def("testing.register_type", RegisterType, arg("key"));
}

}  // namespace tain_testing
