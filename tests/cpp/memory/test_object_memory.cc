// SPDX-License-Identifier: Apache-2.0
// Memory of objects: prefix, alignment, allocators, deletion of any depth, wrappers, live counts.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "helpers/c_helpers.h"
#include "helpers/shared_host.h"
#include "tain/ref.h"

#if defined(__unix__)
#include <pthread.h>
#endif

using namespace tain_test;
using tain::Ptr;
using tain::Weak;

namespace {

struct LinkObj : tain::Object {
  Ptr<LinkObj> next;
  TAIN_OBJECT("test_memory.Link", LinkObj, tain::Object);
};

struct Mixin {
  virtual ~Mixin() = default;
  int64_t mixed = 7;
};
struct PolyObj : Mixin, tain::Object {
  int64_t own = 8;
  TAIN_OBJECT("test_memory.Poly", PolyObj, tain::Object);
};

struct alignas(64) WideObj : tain::Object {
  double lanes[8] = {};
  TAIN_OBJECT("test_memory.Wide", WideObj, tain::Object);
};

struct ThrowingObj : tain::Object {
  ThrowingObj() { throw 42; }
  TAIN_OBJECT("test_memory.Throwing", ThrowingObj, tain::Object);
};

Ptr<LinkObj> MakeChain(int length) {
  Ptr<LinkObj> head;
  for (int i = 0; i < length; ++i) {
    Ptr<LinkObj> link = tain::make_object<LinkObj>();
    link->next = std::move(head);
    head = std::move(link);
  }
  return head;
}

/// Runs `body` on a thread with a stack of 128 KB.
template <class F>
void OnSmallStack(F body) {
#if defined(__unix__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 128 * 1024);
  pthread_t thread;
  auto run = [](void* arg) -> void* {
    (*static_cast<F*>(arg))();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, run, &body) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
#else
  std::thread(body).join();
#endif
}

/// A host whose wrappers only know their object: one that is handed back drops it.
struct alignas(8) Wrapper {
  TainObject* object;
};
std::atomic<int> handed_back{0};
void ReleaseWrapper(void* handed) {
  ++handed_back;
  const std::unique_ptr<Wrapper> wrapper(static_cast<Wrapper*>(handed));
  CHECK(TainObjectPrefixOf(wrapper->object)->tie == reinterpret_cast<uintptr_t>(handed));
  TainObjectPrefixOf(wrapper->object)->tie = 0;
  TainObjectDecRef(wrapper->object);
}
const TainHost& test_host = []() -> const TainHost& {
  tain_test::SharedHost().release_wrapper = &ReleaseWrapper;
  return tain_test::SharedHost();
}();

void GiveWrapper(TainObject* object) {
  TainObjectPrefixOf(object)->tie =
      reinterpret_cast<uintptr_t>(new Wrapper{object}) | kTainTieOwnsWrapper;
}

}  // namespace

TEST_CASE("a block has a zero tie word and any alignment") {
  const int64_t before = Live(kTainObject);
  for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
    CAPTURE(alignment);
    void* body = TainObjectAlloc(40, alignment, kTainObject);
    REQUIRE(body != nullptr);
    CHECK(reinterpret_cast<uintptr_t>(body) % (alignment < 16 ? 16 : alignment) == 0);
    const auto* prefix = static_cast<TainObjectPrefix*>(body) - 1;
    CHECK(prefix->tie == 0);
    CHECK((prefix->delete_space != nullptr));
    CHECK(Live(kTainObject) == before + 1);
    TainObjectAbandon(body, kTainObject);
    CHECK(Live(kTainObject) == before);
  }
}

TEST_CASE("impossible blocks are null") {
  CHECK(TainObjectAlloc(SIZE_MAX, 8, kTainObject) == nullptr);
  CHECK(TainObjectAlloc(SIZE_MAX - 20, 64, kTainObject) == nullptr);
  CHECK(TainObjectAlloc(40, 48, kTainObject) == nullptr);
  TainObjectAbandon(nullptr, kTainObject);
}

TEST_CASE("objects with words before the header and wide ones live and die") {
  const int32_t poly = PolyObj::RuntimeTypeIndex();
  const int32_t wide = WideObj::RuntimeTypeIndex();
  {
    Ptr<PolyObj> p = tain::make_object<PolyObj>();
    Ptr<WideObj> w = tain::make_object<WideObj>();
    CHECK(p->mixed == 7);
    CHECK(p->own == 8);
    CHECK(reinterpret_cast<uintptr_t>(w.get()) % 64 == 0);
    CHECK(Live(poly) == 1);
    CHECK(Live(wide) == 1);
  }
  CHECK(Live(poly) == 0);
  CHECK(Live(wide) == 0);
}

TEST_CASE("a constructor that throws leaves nothing behind") {
  CHECK_THROWS_AS(tain::make_object<ThrowingObj>(), int);
  CHECK(Live(ThrowingObj::RuntimeTypeIndex()) == 0);
}

namespace {

/// What the allocator of the test below saw.
struct Book {
  int allocated = 0;
  int freed = 0;
  int32_t type_index = 0;
};
Book* book = nullptr;

/// One word that says how the body goes back, then the body.
void* AllocateBody(size_t size, size_t alignment, int32_t type_index, void* context) {
  auto* b = static_cast<Book*>(context);
  ++b->allocated;
  b->type_index = type_index;
  const size_t head = alignment < 16 ? 16 : alignment;
  const size_t whole = (head + size + head - 1) / head * head;
  char* body = static_cast<char*>(std::aligned_alloc(head, whole)) + head;
  reinterpret_cast<size_t*>(body)[-2] = head;
  reinterpret_cast<void (**)(void*)>(body)[-1] = [](void* given) {
    ++book->freed;
    std::free(static_cast<char*>(given) - static_cast<size_t*>(given)[-2]);
  };
  return body;
}

}  // namespace

TEST_CASE("a custom allocator gives and takes bodies behind one word") {
  Book seen;
  book = &seen;
  TainCustomAllocator custom{&AllocateBody, &seen};
  TainCustomAllocator* before = TainGetCustomAllocator();
  REQUIRE(before != nullptr);
  REQUIRE(TainSetCustomAllocator(&custom) == 0);
  CHECK(TainGetCustomAllocator() == &custom);
  {
    Ptr<LinkObj> link = tain::make_object<LinkObj>();
    Ptr<WideObj> wide = tain::make_object<WideObj>();
    CHECK(reinterpret_cast<uintptr_t>(wide.get()) % 64 == 0);
    REQUIRE(TainSetCustomAllocator(nullptr) == 0);  // objects go back to where they came from
    CHECK(seen.allocated == 2);
    CHECK(seen.type_index == WideObj::RuntimeTypeIndex());
  }
  CHECK(seen.freed == 2);
  CHECK(TainGetCustomAllocator() == before);

  custom.allocate = nullptr;
  CHECK(TainSetCustomAllocator(&custom) == -1);
  CHECK(TakeError() ==
        "TypeError: TainSetCustomAllocator: expected a function that allocates, got null");
  CHECK(TainGetCustomAllocator() == before);
}

TEST_CASE("the first allocator gives bodies of any alignment behind one word") {
  TainCustomAllocator* first = TainGetCustomAllocator();
  for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
    CAPTURE(alignment);
    void* body = first->allocate(40, alignment, kTainObject, first->context);
    REQUIRE(body != nullptr);
    CHECK(reinterpret_cast<uintptr_t>(body) % alignment == 0);
    std::memset(body, 0, 40);
    static_cast<void (**)(void*)>(body)[-1](body);
  }
  CHECK(first->allocate(SIZE_MAX, 8, kTainObject, first->context) == nullptr);
}

TEST_CASE("a chain of a million objects is freed on a small stack") {
  OnSmallStack([] {
    Ptr<LinkObj> chain = MakeChain(1000000);
    CHECK(Live(LinkObj::RuntimeTypeIndex()) == 1000000);
    chain.reset();
  });
  CHECK(Live(LinkObj::RuntimeTypeIndex()) == 0);
}

TEST_CASE("a chain whose objects have weak references is freed, and they see it") {
  OnSmallStack([] {
    std::vector<Weak<LinkObj>> weak;
    Ptr<LinkObj> chain = MakeChain(20000);
    for (Ptr<LinkObj> at = chain; at; at = at->next) weak.emplace_back(at);
    CHECK(weak.back().lock() != nullptr);
    chain.reset();
    for (const auto& w : weak) CHECK(w.lock() == nullptr);
  });
  CHECK(Live(LinkObj::RuntimeTypeIndex()) == 0);
}

TEST_CASE("an object that owns its wrapper hands it back before it dies") {
  REQUIRE(TainSetHost(&test_host) == 0);
  CHECK(TainSetHost(&test_host) == 0);
  static const TainHost other{};
  CHECK(TainSetHost(&other) == -1);
  CHECK(TakeError() == "RuntimeError: TainSetHost: this process has another host already");
  CHECK(TainSetHost(nullptr) == -1);
  TakeError();
  CHECK(TainGetHost() == &test_host);

  handed_back = 0;
  Ptr<LinkObj> alone = tain::make_object<LinkObj>();
  GiveWrapper(tain::internal::RefAccess::Header(alone));
  alone.reset();
  CHECK(handed_back == 1);
  CHECK(Live(LinkObj::RuntimeTypeIndex()) == 0);

  Ptr<LinkObj> watched = tain::make_object<LinkObj>();
  GiveWrapper(tain::internal::RefAccess::Header(watched));
  Weak<LinkObj> weak(watched);
  watched.reset();
  CHECK(handed_back == 2);
  CHECK(weak.lock() == nullptr);
  CHECK(Live(LinkObj::RuntimeTypeIndex()) == 0);
}

TEST_CASE("a long chain of objects that own wrappers is freed on a small stack") {
  REQUIRE(TainSetHost(&test_host) == 0);
  handed_back = 0;
  OnSmallStack([] {
    Ptr<LinkObj> chain = MakeChain(100000);
    for (Ptr<LinkObj> at = chain; at; at = at->next) {
      GiveWrapper(tain::internal::RefAccess::Header(at));
    }
    chain.reset();
  });
  CHECK(handed_back == 100000);
  CHECK(Live(LinkObj::RuntimeTypeIndex()) == 0);
}

TEST_CASE("a wrapper is handed back once, by the thread that drops the object or by the host") {
  REQUIRE(TainSetHost(&test_host) == 0);
  handed_back = 0;
  constexpr int kRounds = 20000;
  std::atomic<TainObject*> current{nullptr};
  std::atomic<int> ready{0};
  // What the host does when it meets the wrapper: one reference more, unless there is none, and
  // whoever clears the bit gives it to the wrapper and has the wrapper.
  std::thread host([&] {
    for (int i = 1; i <= kRounds; ++i) {
      while (ready.load() != 2 * i - 1) std::this_thread::yield();
      Ptr<LinkObj> given = tain::internal::RefAccess::Steal<LinkObj>(current.load());
      const Weak<LinkObj> watching(given);
      ready.store(2 * i);
      given.reset();
      for (int tries = 0; tries < 3; ++tries) {
        Ptr<LinkObj> found = watching.lock();
        if (!found) continue;
        TainObject* object = tain::internal::RefAccess::Header(found);
        const uintptr_t tie = std::atomic_ref<uintptr_t>(TainObjectPrefixOf(object)->tie)
                                  .fetch_and(~uintptr_t{kTainTieOwnsWrapper});
        if ((tie & kTainTieOwnsWrapper) == 0) continue;
        tain::internal::RefAccess::Release(found);  // the wrapper's now
        ReleaseWrapper(reinterpret_cast<void*>(tie & ~uintptr_t{kTainTieMask}));
        break;
      }
    }
  });
  for (int i = 1; i <= kRounds; ++i) {
    Ptr<LinkObj> made = tain::make_object<LinkObj>();
    TainObject* object = tain::internal::RefAccess::Header(made);
    GiveWrapper(object);
    tain::internal::IncRef(object);
    current.store(object);
    ready.store(2 * i - 1);
    while (ready.load() != 2 * i) std::this_thread::yield();
    made.reset();
  }
  host.join();
  CHECK(handed_back == kRounds);
  CHECK(Live(LinkObj::RuntimeTypeIndex()) == 0);
}

TEST_CASE("counts are exact when objects die on other threads") {
  const int32_t index = LinkObj::RuntimeTypeIndex();
  std::vector<Ptr<LinkObj>> made(1000);
  std::thread([&] {
    for (auto& link : made) link = tain::make_object<LinkObj>();
  }).join();
  CHECK(Live(index) == 1000);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = t; i < made.size(); i += 4) made[i].reset();
      for (int i = 0; i < 1000; ++i) tain::make_object<LinkObj>();
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(Live(index) == 0);
}

TEST_CASE("an opaque object releases what it holds once") {
  static int released;
  released = 0;
  int thing = 0;
  TainObject* object = nullptr;
  auto release = [](void* handle) { released += handle != nullptr ? 1 : 100; };
  REQUIRE(TainObjectCreateOpaque(&thing, kTainOpaquePyObject, release, &object) == 0);
  CHECK(object->type_index == kTainOpaquePyObject);
  CHECK(reinterpret_cast<TainOpaqueCell*>(object + 1)->handle == &thing);
  CHECK(TainObjectIncRef(object) == 0);
  CHECK(TainObjectDecRef(object) == 0);
  CHECK(released == 0);
  CHECK(TainObjectDecRef(object) == 0);
  CHECK(released == 1);

  CHECK(TainObjectCreateOpaque(&thing, kTainStr, release, &object) == -1);
  CHECK(TakeError() ==
        "TypeError: TainObjectCreateOpaque: type index 65 is not a type of opaque objects");
  CHECK(TainObjectCreateOpaque(&thing, 999999, nullptr, &object) == -1);
  CHECK(TainObjectCreateOpaque(&thing, kTainOpaquePyObject, nullptr, nullptr) == -1);
  TakeError();
}

TEST_CASE("counting references of null is an error") {
  CHECK(TainObjectIncRef(nullptr) == -1);
  CHECK(TakeError() == "TypeError: TainObjectIncRef: expected an object, got null");
  CHECK(TainObjectDecRef(nullptr) == -1);
  CHECK(TakeError() == "TypeError: TainObjectDecRef: expected an object, got null");
  TainObjectDelete(nullptr, kTainDeleteBoth, nullptr);
  TainLiveObjects(nullptr, nullptr);
}
