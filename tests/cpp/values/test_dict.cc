// SPDX-License-Identifier: Apache-2.0
// Dict: shared changes, changes while it is walked or searched, keys whose own code interferes.
#include "tain/container/dict.h"

#include <memory>

#include "helpers/map_memory.h"
#include "tain/container/list.h"
#include "tain/function.h"

using namespace tain;
using namespace tain_test;

namespace {

/// A key whose equality runs a function.
struct NosyObj : Object {
  TAIN_OBJECT("test_values.Nosy", NosyObj, Object);
};
using Nosy = Ref<NosyObj>;
Nosy MakeNosy() { return Nosy(make_object<NosyObj>()); }

/// What the hash and equality of Nosy do just now; they may put another in their place.
Function nosy_hash, nosy_equal;

void RegisterNosy() {
  static const bool once = [] {
    const Any hash = Function([](const Any& a) -> int64_t {
      const Function now = nosy_hash;
      return now.defined() ? now(a).cast<int64_t>() : 1;
    });
    const Any equal = Function([](const Any& a, const Any& b) -> bool {
      const Function now = nosy_equal;
      return now.defined() ? now(a, b).cast<bool>() : a.same_as(b);
    });
    const TainByteArray hash_name = Text("__any_hash__"), equal_name = Text("__any_equal__");
    return TainTypeRegisterAttr(NosyObj::RuntimeTypeIndex(), &hash_name, &hash.data()) == 0 &&
           TainTypeRegisterAttr(NosyObj::RuntimeTypeIndex(), &equal_name, &equal.data()) == 0;
  }();
  REQUIRE(once);
  nosy_hash = nullptr;
  nosy_equal = nullptr;
}

}  // namespace

TEST_CASE("all handles to a Dict see its changes") {
  const NothingLeft check;
  Dict<String, Any> a = {{"x", 1}};
  Dict<String, Any> b = a;
  b.Set("y", List<int>{1});
  CHECK(a.same_as(b));
  CHECK(Repr(a) == "{'x': 1, 'y': [1]}");
  a.erase("x");
  CHECK(b.size() == 1);
  b.clear();
  CHECK(a.empty());
}

TEST_CASE("a Dict can hold itself") {
  Dict<String, Any> a;
  a.Set("me", a);
  CHECK(Repr(a) == "{'me': ...}");
  a.clear();
}

TEST_CASE("a Dict that grows while it is walked throws RuntimeError") {
  const NothingLeft check;
  for (const int size : {2, 40}) {
    Dict<int, int> d;
    for (int i = 0; i < size; ++i) d.Set(i, i);
    CHECK(ThrownBy([&] {
            for (const auto& [key, value] : d) d.Set(key + 1000, value);
          }) == "RuntimeError: the Map or Dict changed while it was being read");
    for (const auto& [key, value] : d) d.Set(key, value + 1);  // sizes stay: allowed
    CHECK(d.at(1) == 2);
  }
}

TEST_CASE("a Dict whose keys change while it is walked at constant size throws RuntimeError") {
  const NothingLeft check;
  for (const int size : {2, 5, 40}) {
    for (const int offset : {0, 1000}) {
      Dict<int, int> d;
      for (int i = 0; i < size; ++i) d.Set(i, i);
      CHECK(ThrownBy([&] {
              for (const auto& [key, value] : d) {
                d.erase(key);
                d.Set(key + offset, value);
              }
            }) == "RuntimeError: the Map or Dict changed while it was being read");
      auto at = d.begin();
      const int first = at->first;
      d.erase(first);
      d.Set(5000, 1);
      CHECK(ThrownBy([&] { *at; }) ==
            "RuntimeError: the Map or Dict changed while it was being read");
    }
    Dict<int, int> d;
    for (int i = 0; i < size; ++i) d.Set(i, i);
    auto last = d.end();
    --last;
    CHECK(last->first == size - 1);
    CHECK(ThrownBy([&] {
            d.erase(last->first);
            d.Set(7000, 1);
            --last;
          }) == "RuntimeError: the Map or Dict changed while it was being read");
  }
}

TEST_CASE("an error of a key's own code comes out and changes nothing") {
  RegisterNosy();
  Dict<Any, int> d;
  for (int i = 0; i < 10; ++i) d.Set(i, i);
  nosy_hash = Function([](const Any&) -> int64_t {
    TAIN_THROW(TypeError) << "unhashable";
    return 0;
  });
  CHECK(ThrownBy([&] { d.Set(MakeNosy(), 1); }) == "TypeError: unhashable");
  CHECK(ThrownBy([&] { d.contains(MakeNosy()); }) == "TypeError: unhashable");
  CHECK(d.size() == 10);
  nosy_hash = nullptr;
  d.Set(MakeNosy(), 1);
  nosy_equal = Function([](const Any&, const Any&) -> bool {
    TAIN_THROW(ValueError) << "no idea";
    return false;
  });
  CHECK(ThrownBy([&] { d.Set(MakeNosy(), 1); }) == "ValueError: no idea");
  CHECK(d.size() == 11);
  RegisterNosy();
}

TEST_CASE("a search whose equality or hash changes the Dict begins anew") {
  RegisterNosy();
  for (const int others : {0, 30}) {
    Dict<Any, int> d;
    for (int i = 0; i < others; ++i) d.Set(i, i);
    d.Set(MakeNosy(), 1);
    nosy_equal = Function([&d](const Any&, const Any&) -> bool {
      d.clear();
      return false;
    });
    d.Set(MakeNosy(), 2);
    CHECK(d.size() == 1);
    CHECK((*d.begin()).second == 2);
    nosy_equal = nullptr;
    d.clear();
    // A hash that changes the Dict while the table is rebuilt.
    for (int i = 0; i < 4; ++i) d.Set(MakeNosy(), i);
    int calls = 0;
    nosy_hash = Function([&](const Any&) -> int64_t {
      if (++calls == 3) d.clear();
      return calls;
    });
    d.Set(MakeNosy(), 9);
    CHECK(d.size() == 1);
    CHECK((*d.begin()).second == 9);
    nosy_hash = nullptr;
  }
  RegisterNosy();
}

TEST_CASE("a search in a Dict that does not count its changes begins anew too") {
  RegisterNosy();
  for (const int others : {0, 2, 30}) {
    const NothingLeft check;
    // Made by a header: the object ends with its cell.
    const auto made = make_object<DictObj>();
    Dict<Any, int> d = Any(GetRef<ObjectRef>(made.get())).cast<Dict<Any, int>>();
    std::vector<Nosy> keys;
    for (int i = 0; i < others; ++i) d.Set(i, i);
    for (int i = 0; i < 3; ++i) d.Set(keys.emplace_back(MakeNosy()), 100 + i);
    const Nosy late = MakeNosy();
    const size_t size = d.size();
    int calls = 0;
    nosy_equal = Function([&](const Any& a, const Any& b) -> bool {
      if (++calls == 1) {
        nosy_equal = nullptr;
        d.erase(keys[2]);
        d.Set(late, 7);
      }
      return a.same_as(b);
    });
    d.Set(late, 8);
    CHECK(d.size() == size);
    CHECK(d.at(late) == 8);
    CHECK(!d.contains(keys[2]));
    CHECK(d.at(keys[1]) == 101);
    size_t walked = 0;
    for (const auto& [key, value] : d) walked += value >= 0 ? 1 : 0;
    CHECK(walked == size);
    d.clear();
    keys.clear();
  }
  RegisterNosy();
}

TEST_CASE("equality that changes the Dict for ever is an error") {
  RegisterNosy();
  Dict<Any, int> d;
  d.Set(MakeNosy(), 1);
  bool inside = false;
  nosy_equal = Function([&](const Any&, const Any&) -> bool {
    if (inside) return false;
    inside = true;
    d.clear();
    d.Set(MakeNosy(), 1);
    inside = false;
    return false;
  });
  CHECK(ThrownBy([&] { d.Set(MakeNosy(), 2); }) ==
        "RuntimeError: a key's __eq__ or __hash__ changed the Map or Dict 1000 times while it was "
        "used");
  RegisterNosy();
}

TEST_CASE("the last entry is taken without asking its key") {
  RegisterNosy();
  Dict<Any, int> d;
  for (int i = 0; i < 40; ++i) d.Set(MakeNosy(), i);  // one chain
  nosy_equal = Function([](const Any&, const Any&) -> bool {
    TAIN_THROW(ValueError) << "asked";
    return false;
  });
  TainObject* header = internal::RefAccess::Header(d);
  for (int i = 39; i >= 0; --i) {
    Any key, value;
    REQUIRE(internal::MapTakeLast(header, &key, &value));
    CHECK(value.cast<int>() == i);
    CHECK(d.size() == static_cast<size_t>(i));
  }
  Any key, value;
  CHECK(!internal::MapTakeLast(header, &key, &value));
  RegisterNosy();
}

TEST_CASE("a Dict that its own key's code drops is noticed") {
  RegisterNosy();
  auto d = std::make_unique<Dict<Any, int>>();
  d->Set(MakeNosy(), 1);
  TainObject* header = internal::RefAccess::Header(*d);
  nosy_equal = Function([&d](const Any&, const Any&) -> bool {
    d.reset();
    return false;
  });
  CHECK(ThrownBy([&] { internal::MapFind(header, Any(MakeNosy()).data()); }) ==
        "RuntimeError: the Map or Dict changed while it was being read");
  RegisterNosy();
}

TEST_CASE("keys whose hash changes do no harm") {
  RegisterNosy();
  int64_t counter = 0;
  nosy_hash = Function([&](const Any&) -> int64_t { return ++counter * 7919; });
  Dict<Any, int> d;
  std::vector<Nosy> keys;
  for (int i = 0; i < 200; ++i) {
    keys.push_back(MakeNosy());
    d.Set(keys.back(), i);
    d.Set(i, i);
    if (i % 3 == 0) d.erase(keys[static_cast<size_t>(i) / 2]);
  }
  for (int i = 0; i < 200; ++i) CHECK(d.at(i) == i);
  d.clear();
  RegisterNosy();
}

TEST_CASE("a value that fills the Dict again while it is cleared is safe") {
  const NothingLeft check;
  struct Refill : Object {
    Dict<Any, Any>* dict;
    explicit Refill(Dict<Any, Any>* dict) : dict(dict) {}
    ~Refill() {
      for (int i = 0; i < 6; ++i) dict->Set(i, "a text that is long");
    }
    static int32_t RuntimeTypeIndex() { return PointObj::RuntimeTypeIndex(); }
  };
  Dict<Any, Any> d;
  d.Set("x", ObjectRef(ObjectPtr<Object>(make_object<Refill>(&d))));
  d.Set("y", "another text that is long");
  d.clear();
  CHECK(d.size() == 6);
}
