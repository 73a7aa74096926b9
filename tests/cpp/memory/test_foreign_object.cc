// SPDX-License-Identifier: Apache-2.0
// Objects of others: ties beside them, the deleter in front of their own, their count.
#include <doctest/doctest.h>

#include <cstdlib>
#include <thread>
#include <vector>

#include "helpers/c_helpers.h"
#include "helpers/shared_host.h"
#include "tain/function.h"

using namespace tain_test;

namespace {

int destroyed = 0;
int freed = 0;

void DeleteOwn(void* self, int flags) {
  if ((flags & kTainDeleteStrong) != 0) ++destroyed;
  if ((flags & kTainDeleteWeak) != 0) {
    ++freed;
    std::free(self);
  }
}

int32_t Index() {
  static const int32_t index = [] {
    static const std::string key = "test_foreign.Object";
    const TainTypeRequest request = Request(key);
    return TainTypeRequestIndex(&request);
  }();
  return index;
}

TainObject* MakeOwn() {
  auto* made = static_cast<TainObject*>(std::malloc(sizeof(TainObject)));
  *made = {tain::internal::kBothOne, Index(), 0, &DeleteOwn};
  return made;
}

struct Reset {
  Reset() { destroyed = freed = 0; }
};

}  // namespace

TEST_CASE("an object of others has a tie when somebody makes one, and is counted until it dies") {
  const Reset reset;
  TainObject* object = MakeOwn();
  CHECK(TainForeignTie(object, 0) == nullptr);
  CHECK((object->deleter == &DeleteOwn));
  CHECK(Live(Index()) == 0);
  uintptr_t* tie = TainForeignTie(object, 1);
  REQUIRE(tie != nullptr);
  CHECK(*tie == 0);
  CHECK((object->deleter != &DeleteOwn));
  CHECK(Live(Index()) == 1);
  CHECK(TainForeignTie(object, 0) == tie);
  CHECK(TainForeignTie(object, 1) == tie);
  TainObjectIncRef(object);
  TainObjectDecRef(object);
  CHECK(destroyed == 0);
  TainObjectDecRef(object);
  CHECK((destroyed == 1 && freed == 1));
  CHECK(Live(Index()) == 0);
}

TEST_CASE("weak references see the death, and the memory goes with the last of them") {
  const Reset reset;
  TainObject* object = MakeOwn();
  REQUIRE(TainForeignTie(object, 1) != nullptr);
  object->combined_ref_count += tain::internal::kWeakOne;
  TainObjectDecRef(object);
  CHECK((destroyed == 1 && freed == 0));
  CHECK((object->deleter == &DeleteOwn));  // its own again
  CHECK(Live(Index()) == 0);
  tain::internal::DecWeak(object);
  CHECK(freed == 1);
}

TEST_CASE("objects with a prefix have no tie beside them") {
  const tain::Function function = [] { return 1; };
  CHECK(TainForeignTie(tain::internal::RefAccess::Header(function), 1) == nullptr);
  CHECK(TainForeignTie(nullptr, 1) == nullptr);
}

TEST_CASE("objects of others die in any thread while others are tied") {
  const Reset reset;
  std::vector<TainObject*> objects(4000);
  for (auto& object : objects) object = MakeOwn();
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = t; i < objects.size(); i += 4) {
        TainObjectIncRef(objects[i]);
        if (uintptr_t* tie = TainForeignTie(objects[i], 1)) *tie = 0;
        TainObjectDecRef(objects[i]);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(Live(Index()) == 4000);
  for (TainObject* object : objects) TainObjectDecRef(object);
  CHECK((destroyed == 4000 && freed == 4000));
  CHECK(Live(Index()) == 0);
}

TEST_CASE("each object keeps its own tie while others come and go, and a new one begins without") {
  const Reset reset;
  constexpr size_t kObjects = 1000;  // many more than are expected at places of their own
  std::vector<TainObject*> objects(kObjects);
  std::vector<uintptr_t*> ties(kObjects);
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < kObjects; ++i) {
      if (objects[i] != nullptr) continue;
      objects[i] = MakeOwn();
      ties[i] = TainForeignTie(objects[i], 1);
      REQUIRE(ties[i] != nullptr);
      CHECK(*ties[i] == 0);
      *ties[i] = i << 4;  // no bit that says who owns a wrapper
    }
    for (size_t i = 0; i < kObjects; ++i) {
      REQUIRE(TainForeignTie(objects[i], 0) == ties[i]);
      CHECK(*ties[i] == i << 4);
    }
    for (size_t i = round; i < kObjects; i += 2) {
      TainObjectDecRef(objects[i]);
      objects[i] = nullptr;
    }
    for (size_t i = 0; i < kObjects; ++i) {
      if (objects[i] != nullptr) CHECK(TainForeignTie(objects[i], 0) == ties[i]);
    }
  }
  for (TainObject* object : objects) {
    if (object != nullptr) TainObjectDecRef(object);
  }
  CHECK(Live(Index()) == 0);
}
