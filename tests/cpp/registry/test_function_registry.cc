// SPDX-License-Identifier: Apache-2.0
// Global functions, functions made from C callbacks, handles made once.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "helpers/c_helpers.h"
#include "tain/function.h"

using namespace tain_test;

namespace {

TainObject* Global(std::string_view name) {
  const TainByteArray text = Text(name);
  TainObject* function = nullptr;
  CHECK(TainFunctionGetGlobal(&text, &function) == 0);
  return function;
}

bool Remove(std::string_view name) {
  const TainByteArray text = Text(name);
  int removed = -1;
  CHECK(TainFunctionRemoveGlobal(&text, &removed) == 0);
  return removed == 1;
}

bool Listed(std::string_view name) {
  struct Query {
    std::string_view name;
    bool found;
  } query{name, false};
  auto visit = [](const TainByteArray* text, void* context) {
    auto* q = static_cast<Query*>(context);
    q->found = q->found || Str(*text) == q->name;
    return 0;
  };
  CHECK(TainListGlobalNames(visit, &query) == 0);
  return query.found;
}

}  // namespace

TEST_CASE("a function made from a callback calls it and releases its data once") {
  struct Data {
    int factor = 3;
    int released = 0;
  } data;
  TainObject* function = nullptr;
  auto call = [](void* self, const TainAny* args, int32_t num_args, TainAny* result) {
    if (num_args != 1) {
      TainErrorSetRaisedFromCStr("TypeError", "one argument");
      return -1;
    }
    result->type_index = kTainInt;
    result->v_int64 = args[0].v_int64 * static_cast<Data*>(self)->factor;
    return 0;
  };
  auto release = [](void* self) { ++static_cast<Data*>(self)->released; };
  REQUIRE(TainFunctionCreate(&data, call, release, &function) == 0);
  const TainAny two = IntValue(2);
  TainAny result{};
  result.type_index = kTainStr;  // garbage is not taken for a value
  CHECK(TainFunctionCall(function, &two, 1, &result) == 0);
  CHECK(result.v_int64 == 6);
  CHECK(TainFunctionCall(function, nullptr, 0, &result) == -1);
  CHECK(TakeError() == "TypeError: one argument");
  TainObjectDecRef(function);
  CHECK(data.released == 1);
}

TEST_CASE("hosts release their lock around functions of others, unless it was set") {
  TainObject* others = nullptr;
  auto call = [](void*, const TainAny*, int32_t, TainAny*) { return 0; };
  REQUIRE(TainFunctionCreate(nullptr, call, nullptr, &others) == 0);
  const tain::Function ours = [] { return 1; };
  const tain::Function packed = tain::Function::FromPacked([](tain::Args) { return tain::Any(); });
  for (TainObject* function : {tain::internal::RefAccess::Header(ours),
                               tain::internal::RefAccess::Header(packed), others}) {
    const int rule = function == others ? 1 : 0;
    CHECK(TainFunctionReleasesGil(function) == rule);
    for (const int said : {1, 0, 0, 1}) {
      CHECK(TainFunctionSetReleasesGil(function, said) == 0);
      CHECK(TainFunctionReleasesGil(function) == said);
    }
  }
  CHECK(TainFunctionReleasesGil(nullptr) == 0);
  CHECK(TainFunctionSetReleasesGil(nullptr, 1) == -1);
  CHECK(TakeError() == "TypeError: TainFunctionSetReleasesGil: expected a function, got null");
  TainObjectDecRef(others);
}

TEST_CASE("what a callback throws becomes an error") {
  TainObject* function = nullptr;
  auto call = [](void*, const TainAny*, int32_t, TainAny*) -> int { throw 42; };
  REQUIRE(TainFunctionCreate(nullptr, call, nullptr, &function) == 0);
  TainAny result{};
  CHECK(TainFunctionCall(function, nullptr, 0, &result) == -1);
  CHECK(TakeError() != "");
  TainObjectDecRef(function);
}

TEST_CASE("making and calling functions checks its arguments") {
  TainObject* function = MakeCounter();
  TainAny result{};
  CHECK(TainFunctionCreate(nullptr, nullptr, nullptr, &function) == -1);
  CHECK(TakeError() == "TypeError: TainFunctionCreate: expected a function to call, got null");
  CHECK(TainFunctionCall(nullptr, nullptr, 0, &result) == -1);
  CHECK(TakeError() == "TypeError: TainFunctionCall: expected a function, got null");
  CHECK(TainFunctionCall(function, nullptr, 1, &result) == -1);
  CHECK(TakeError() == "ValueError: TainFunctionCall: 1 arguments, but no list of them");
  CHECK(TainFunctionCall(function, &result, -1, &result) == -1);
  CHECK(TainFunctionCall(function, nullptr, 0, nullptr) == -1);
  TainAny text{};
  const TainByteArray bytes = Text("a string that is not a function");
  REQUIRE(TainStringFromByteArray(&bytes, &text) == 0);
  CHECK(TainFunctionCall(text.v_obj, nullptr, 0, &result) == -1);
  CHECK(TakeError() ==
        "TypeError: TainFunctionCall: expected a function (a Function), got ffi.String");
  TainObjectDecRef(text.v_obj);
  TainObjectDecRef(function);
}

TEST_CASE("a global function is found, listed, replaced on demand and removed") {
  const TainByteArray name = Text("test_registry.count");
  CHECK(Global("test_registry.count") == nullptr);
  TainObject* first = MakeCounter();
  TainObject* second = MakeCounter();
  const uint64_t generation = TainRegistryGeneration();
  REQUIRE(TainFunctionSetGlobal(&name, first, 0) == 0);
  CHECK(TainRegistryGeneration() > generation);
  TainObject* found = Global("test_registry.count");
  CHECK(found == first);
  TainObjectDecRef(found);
  CHECK(Listed("test_registry.count"));

  CHECK(TainFunctionSetGlobal(&name, second, 0) == -1);
  CHECK(TakeError() ==
        "ValueError: global function test_registry.count is already registered: choose another "
        "name, or pass override=True to replace it");
  CHECK(TainFunctionSetGlobal(&name, second, 1) == 0);
  found = Global("test_registry.count");
  CHECK(found == second);
  TainObjectDecRef(found);
  const int64_t live = Live(kTainFunction);
  TainObjectDecRef(first);
  CHECK(Live(kTainFunction) == live - 1);  // the registry let it go
  TainObjectDecRef(second);
  CHECK(Remove("test_registry.count"));
  CHECK(Live(kTainFunction) == live - 2);
  CHECK_FALSE(Remove("test_registry.count"));
  CHECK_FALSE(Listed("test_registry.count"));
}

TEST_CASE("a function may be removed by its own destructor's neighbour: no lock is held") {
  static bool seen;
  seen = false;
  TainObject* function = nullptr;
  auto call = [](void*, const TainAny*, int32_t, TainAny*) { return 0; };
  auto release = [](void*) { seen = !Listed("test_registry.dies"); };
  REQUIRE(TainFunctionCreate(nullptr, call, release, &function) == 0);
  const TainByteArray name = Text("test_registry.dies");
  REQUIRE(TainFunctionSetGlobal(&name, function, 0) == 0);
  TainObjectDecRef(function);
  CHECK(Remove("test_registry.dies"));
  CHECK(seen);
}

TEST_CASE("the ABI's way of registering keeps the documentation") {
  TainObject* function = MakeCounter();
  TainMethodInfo info{};
  info.name = Text("test_registry.documented");
  info.doc = Text("Counts.");
  info.method = FunctionValue(function);
  REQUIRE(TainFunctionSetGlobalFromMethodInfo(&info, 0) == 0);
  const TainFunctionInfo* described = TainFunctionGetInfo(function);
  REQUIRE(described != nullptr);
  CHECK(Str(described->doc) == "Counts.");
  info.method = IntValue(1);
  CHECK(TainFunctionSetGlobalFromMethodInfo(&info, 1) == -1);
  CHECK(TakeError() ==
        "TypeError: global function test_registry.documented: expected a Function, got int");
  CHECK(TainFunctionSetGlobalFromMethodInfo(nullptr, 0) == -1);
  TakeError();
  CHECK(Remove("test_registry.documented"));
  TainObjectDecRef(function);
}

TEST_CASE("null and wrong arguments of the registry are errors") {
  const TainByteArray name = Text("test_registry.null");
  const TainByteArray empty = Text("");
  const TainByteArray bad{nullptr, 4};
  TainObject* function = MakeCounter();
  int removed = 0;
  CHECK(TainFunctionGetGlobal(nullptr, &function) == -1);
  CHECK(TainFunctionGetGlobal(&name, nullptr) == -1);
  CHECK(TainFunctionGetGlobal(&bad, &function) == -1);
  CHECK(TainFunctionSetGlobal(nullptr, function, 0) == -1);
  CHECK(TainFunctionSetGlobal(&name, nullptr, 0) == -1);
  CHECK(TakeError() == "TypeError: test_registry.null: expected a function, got null");
  CHECK(TainFunctionSetGlobal(&empty, function, 0) == -1);
  CHECK(TakeError() == "ValueError: global function: the name is empty");
  CHECK(TainFunctionRemoveGlobal(nullptr, &removed) == -1);
  CHECK(TainFunctionRemoveGlobal(&name, nullptr) == -1);
  CHECK(TainListGlobalNames(nullptr, nullptr) == -1);
  TakeError();
  TainObjectDecRef(function);
}

TEST_CASE("a function's info is copied, checked, and the first one wins") {
  TainObject* function = MakeCounter();
  TainArgInfo args[2] = {};
  std::string first_name = "a";
  args[0].name = Text(first_name);
  args[0].default_value = IntValue(1);
  args[0].flags = kTainArgHasDefault;
  args[1].name = Text("b");
  TainFunctionInfo info{};
  info.name = Text("f");
  info.args = args;
  info.num_args = 2;
  CHECK(TainFunctionSetInfo(function, &info) == -1);
  CHECK(TakeError() == "ValueError: f: argument b has no default, but a before it has one");
  args[1].name = Text("a");
  args[1].flags = kTainArgKwOnly;
  CHECK(TainFunctionSetInfo(function, &info) == -1);
  CHECK(TakeError() == "ValueError: f: two arguments are named a");
  info.num_args = -1;
  CHECK(TainFunctionSetInfo(function, &info) == -1);
  CHECK(TakeError() == "ValueError: f: -1 arguments, but no list of them");
  CHECK(TainFunctionGetInfo(function) == nullptr);
  info.num_args = 2;
  args[1].name = Text("b");
  REQUIRE(TainFunctionSetInfo(function, &info) == 0);
  first_name = "?";
  const TainFunctionInfo* kept = TainFunctionGetInfo(function);
  CHECK(Str(kept->args[0].name) == "a");
  info.name = Text("g");
  CHECK(TainFunctionSetInfo(function, &info) == 0);
  CHECK(TainFunctionGetInfo(function) == kept);
  TainObjectDecRef(function);
}

TEST_CASE("the registry may be used from many threads") {
  std::vector<std::thread> threads;
  std::atomic<int> found{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        const std::string key = "test_threads.f" + std::to_string(i % 20);
        const TainByteArray name = Text(key);
        TainObject* function = MakeCounter();
        TainFunctionSetGlobal(&name, function, 1);
        TainObjectDecRef(function);
        TainObject* other = nullptr;
        TainFunctionGetGlobal(&name, &other);
        TainAny result{};
        if (other != nullptr && TainFunctionCall(other, nullptr, 0, &result) == 0) ++found;
        if (other != nullptr) TainObjectDecRef(other);
        const std::string type_key = "test_threads.T" + std::to_string((t * 200 + i) % 300);
        const TainTypeRequest request = Request(type_key);
        const int32_t index = TainTypeRequestIndex(&request);
        if (TainTypeIsInstance(index, kTainObject) == 0) found = -1000000;
        int removed = 0;
        if (i % 7 == 0) TainFunctionRemoveGlobal(&name, &removed);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(found.load() > 0);
  for (int i = 0; i < 20; ++i) Remove("test_threads.f" + std::to_string(i));
}

TEST_CASE("a handle is made once, by one of many") {
  static std::atomic<int> made;
  static int thing;
  made = 0;
  void* handle = nullptr;
  auto init = [](void** result) {
    ++made;
    std::this_thread::yield();
    *result = &thing;
    return 0;
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] { CHECK(TainHandleInitOnce(&handle, init) == 0); });
  }
  for (auto& thread : threads) thread.join();
  CHECK(made == 1);
  CHECK(handle == &thing);
  auto deinit = [](void* ended) { return ended == &thing ? 0 : -1; };
  CHECK(TainHandleDeinitOnce(&handle, deinit) == 0);
  CHECK(handle == nullptr);
  CHECK(TainHandleDeinitOnce(&handle, deinit) == 0);
}

TEST_CASE("a handle that cannot be made is an error and may be tried again") {
  static void* handle;
  handle = nullptr;
  auto fails = [](void**) {
    TainErrorSetRaisedFromCStr("OSError", "no");
    return -1;
  };
  CHECK(TainHandleInitOnce(&handle, fails) == -1);
  CHECK(TakeError() == "OSError: no");
  CHECK(TainHandleInitOnce(&handle, [](void**) { return 0; }) == -1);
  CHECK(TakeError() == "RuntimeError: TainHandleInitOnce: the handle's init gave null");
  auto recursive = [](void** result) {
    return TainHandleInitOnce(&handle, [](void**) { return 0; }) + (*result == nullptr ? 0 : 1);
  };
  CHECK(TainHandleInitOnce(&handle, recursive) == -1);
  CHECK(TakeError() == "RuntimeError: TainHandleInitOnce: the handle's init asks for the handle");
  CHECK(TainHandleInitOnce(nullptr, fails) == -1);
  CHECK(TainHandleInitOnce(&handle, nullptr) == -1);
  CHECK(TainHandleDeinitOnce(nullptr, nullptr) == -1);
  CHECK(TainHandleDeinitOnce(&handle, nullptr) == -1);
  TakeError();
}
