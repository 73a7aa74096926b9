// SPDX-License-Identifier: Apache-2.0
// Map: values, order, memory of both forms byte for byte, random operations, conversion of entries.
#include "tain/container/map.h"

#include <algorithm>
#include <random>
#include <unordered_map>

#include "helpers/map_memory.h"
#include "tain/container/array.h"
#include "tain/container/dict.h"
#include "tain/function.h"

using namespace tain;
using namespace tain_test;

namespace {

uint64_t Hash(const AnyView& value) { return TainAnyHash(&value.data()); }

/// An object whose type says which of its kind are equal.
struct LabelObj : Object {
  int label;
  explicit LabelObj(int label) : label(label) {}
  TAIN_OBJECT("test_values.Label", LabelObj, Object);
};
using Label = Ref<LabelObj>;
Label MakeLabel(int label) { return Label(make_object<LabelObj>(label)); }
int LabelOf(const Any& value) { return value.as<LabelObj>()->label; }

void RegisterLabel() {
  static const bool once = [] {
    TainAny hash{}, equal{};
    hash.type_index = equal.type_index = kTainOpaquePtr;
    hash.v_ptr = reinterpret_cast<void*>(
        +[](const Any& a) noexcept -> TainAny { return Any(LabelOf(a) % 3).Release(); });
    equal.v_ptr = reinterpret_cast<void*>(+[](const Any& a, const Any& b) noexcept -> TainAny {
      return Any(LabelOf(a) == LabelOf(b)).Release();
    });
    const TainByteArray hash_name = Text("__any_hash__"), equal_name = Text("__any_equal__");
    return TainTypeRegisterAttr(LabelObj::RuntimeTypeIndex(), &hash_name, &hash) == 0 &&
           TainTypeRegisterAttr(LabelObj::RuntimeTypeIndex(), &equal_name, &equal) == 0;
  }();
  REQUIRE(once);
}

/// Checks the dense form against the reader that knows only the binary contract.
void CheckDense(const MapMemory& memory, const std::vector<int64_t>& keys) {
  REQUIRE(!memory.small());
  REQUIRE(memory.has_deleter());
  REQUIRE(memory.size() == keys.size());
  REQUIRE((uint64_t{1} << (64 - memory.fib_shift())) == memory.slots());
  REQUIRE(memory.IntKeys() == keys);
  uint64_t used = 0;
  for (uint64_t slot = 0; slot < memory.slots(); ++slot) {
    REQUIRE(memory.meta(slot) != 0xfe);
    used += memory.meta(slot) != 0xff ? 1 : 0;
  }
  REQUIRE(used == keys.size());
  for (const int64_t key : keys) {
    const uint64_t slot = memory.FindInt(key);
    REQUIRE(slot != MapMemory::kNone);
    // A head is at home, a later member is not.
    REQUIRE(((memory.meta(slot) & 0x80) == 0) == (slot == memory.Home(MapMemory::HashInt(key))));
  }
}

}  // namespace

TEST_CASE("hashes are those of the binary contract") {
  CHECK(Hash(1) == 0x9e3779fb);
  CHECK(Hash(nullptr) == 0x9e3779b9);
  CHECK(Hash(true) == (2 ^ (1 + 0x9e3779b9ull + 128)));
  const uint64_t base = 0x9e3779b9ull + (65 << 6) + (65 >> 2);
  CHECK(Hash("") == (65 ^ base));
  CHECK(Hash("abc") == (65 ^ (0x636261 + base)));
  // Two words: ((w0 % M) * 1099511628211 + w1) % M, with w1 = 'i'.
  const uint64_t w0 = 0x6867666564636261;
  const uint64_t two = ((w0 % 2147483647) * 1099511628211ull + 0x69) % 2147483647;
  CHECK(Hash("abcdefghi") == (65 ^ (two + base)));
  const uint64_t bytes_base = 0x9e3779b9ull + (66 << 6) + (66 >> 2);
  CHECK(Hash(tain::Bytes("abc", 3)) == (66 ^ (0x636261 + bytes_base)));
  const String text("seven77");
  const TainAny small = internal::CellAccess::Get(text);
  CHECK(small.type_index == kTainSmallStr);
  CHECK(Hash("seven77") == TainAnyHash(&small));
}

TEST_CASE("equality is that of the binary contract") {
  const auto equal = [](const AnyView& a, const AnyView& b) {
    return TainAnyEqual(&a.data(), &b.data()) == 1;
  };
  CHECK(equal(1, 1));
  CHECK(!equal(1, 1.0));
  CHECK(!equal(1, true));
  CHECK(!equal(0.0, -0.0));
  CHECK(equal("abc", String("abc")));
  CHECK(equal("a text that is long", String("a text that is long")));
  CHECK(!equal("abc", tain::Bytes("abc", 3)));
  const Point p = MakePoint(1);
  CHECK(equal(p, p));
  CHECK(!equal(p, MakePoint(1)));
  RegisterLabel();
  CHECK(equal(MakeLabel(4), MakeLabel(4)));
  CHECK(!equal(MakeLabel(4), MakeLabel(7)));
  CHECK(Hash(MakeLabel(4)) == Hash(MakeLabel(7)));
}

TEST_CASE("a Map keeps the order of insertion, also of overwritten keys") {
  const NothingLeft check;
  Map<String, int> m = {{"x", 1}, {"y", 2}, {"a key that is long", 3}};
  m.Set("x", 10);
  CHECK(Repr(m) == "{'x': 10, 'y': 2, 'a key that is long': 3}");
  CHECK(m.at("y") == 2);
  CHECK(m["a key that is long"] == 3);
  CHECK(m.count("z") == 0);
  CHECK(m.contains("x"));
  CHECK(m.Get("z") == std::nullopt);
  CHECK(m.Get("x") == 10);
  CHECK((*m.find("y")).second == 2);
  CHECK(m.find("z") == m.end());
  CHECK(ThrownBy([&] { m.at("it's"); }) == "KeyError: \"it's\"");
  std::string keys;
  for (const auto& [key, value] : m) keys += std::string(key) + "=" + std::to_string(value) + ";";
  CHECK(keys == "x=10;y=2;a key that is long=3;");
  CHECK(m.erase("x"));
  CHECK(!m.erase("x"));
  CHECK(m.begin()->first == "y");
  CHECK((--m.end())->second == 3);
}

TEST_CASE("changing a Map that others see copies it first") {
  const NothingLeft check;
  for (const int size : {2, 50}) {
    Map<int, String> a;
    for (int i = 0; i < size; ++i) a.Set(i, "a text that is long");
    Map<int, String> b = a;
    CHECK(a.same_as(b));
    b.Set(-1, "new");
    CHECK(!a.same_as(b));
    CHECK(a.size() == static_cast<size_t>(size));
    CHECK(b.size() == static_cast<size_t>(size) + 1);
    CHECK(!a.contains(-1));
    Map<int, String> c = b;
    c.clear();
    CHECK(c.empty());
    CHECK(b.contains(0));
  }
  CHECK(Map<int, int>().defined());
}

TEST_CASE("the small form is an array of pairs in the object's block") {
  const NothingLeft check;
  Map<int, int> m = {{7, 70}, {5, 50}};
  const MapMemory memory(m);
  CHECK(memory.small());
  CHECK(memory.slots() == 2);
  CHECK(memory.size() == 2);
  CHECK(!memory.has_deleter());
  CHECK(memory.data() == reinterpret_cast<const char*>(internal::RefAccess::Header(m)) + 56);
  const unsigned char pair[32] = {1, 0, 0, 0, 0, 0, 0, 0, 7,  0, 0, 0, 0, 0, 0, 0,
                                  1, 0, 0, 0, 0, 0, 0, 0, 70, 0, 0, 0, 0, 0, 0, 0};
  CHECK(std::memcmp(memory.data(), pair, 32) == 0);
  m.Set(1, 10);
  CHECK(memory.small());
  CHECK(memory.slots() == 4);
  CHECK(memory.has_deleter());
  m.Set(2, 20);
  CHECK(memory.IntKeys() == std::vector<int64_t>{7, 5, 1, 2});
  m.Set(3, 30);
  CheckDense(memory, {7, 5, 1, 2, 3});
}

TEST_CASE("the dense form is blocks of 16 slots with chains") {
  const NothingLeft check;
  // Three keys at home 4; slot 5 is the home of another key, which arrives last.
  const std::vector<int64_t> four = KeysWithHome(4, 3);
  const std::vector<int64_t> five = KeysWithHome(5, 1);
  const std::vector<int64_t> twelve = KeysWithHome(12, 2);
  std::vector<int64_t> order = {twelve[0], twelve[1], four[0], four[1], four[2]};
  Dict<int64_t, int64_t> d;
  for (const int64_t key : order) d.Set(key, key * 10);
  const MapMemory memory(d);
  CHECK(memory.slots() == 16);
  CHECK(memory.fib_shift() == 60);
  CheckDense(memory, order);
  CHECK(memory.meta(4) == 0x01);
  CHECK(memory.meta(5) == 0x81);
  CHECK(memory.meta(6) == 0x80);
  CHECK(memory.meta(12) == 0x01);
  CHECK(memory.meta(13) == 0x80);
  CHECK(memory.meta(0) == 0xff);
  CHECK(memory.head() == 12);
  CHECK(memory.tail() == 6);
  CHECK(memory.key(5).v_int64 == four[1]);
  CHECK(memory.value(5).v_int64 == four[1] * 10);
  CHECK(memory.previous(5) == 4);
  CHECK(memory.next(5) == 6);

  // The chain's members at 5 and 6 make way: 5 is the home of the new key.
  d.Set(five[0], 1);
  order.push_back(five[0]);
  CheckDense(memory, order);
  CHECK(memory.meta(5) == 0x00);
  CHECK(memory.key(5).v_int64 == five[0]);
  CHECK(memory.meta(4) == 0x03);
  CHECK(memory.key(7).v_int64 == four[1]);
  CHECK(memory.meta(7) == 0x81);
  CHECK(memory.key(8).v_int64 == four[2]);
  CHECK(memory.meta(6) == 0xff);

  // The last member of a chain fills the hole of a removed one.
  d.erase(four[0]);
  order = {twelve[0], twelve[1], four[1], four[2], five[0]};
  CheckDense(memory, order);
  CHECK(memory.key(4).v_int64 == four[2]);
  CHECK(memory.meta(8) == 0xff);
}

TEST_CASE("a table takes entries up to 99 percent") {
  Dict<int64_t, int64_t> d;
  std::vector<int64_t> order;
  for (int64_t i = 0; i < 127; ++i) {
    d.Set(i, i);
    order.push_back(i);
  }
  const MapMemory memory(d);
  CheckDense(memory, order);
  CHECK(memory.slots() >= 128);
  Dict<int64_t, int64_t> reserved;
  reserved.reserve(1000);
  const uint64_t slots = MapMemory(reserved).slots();
  CHECK(slots == 1024);
  for (int64_t i = 0; i < 1000; ++i) reserved.Set(i * 7, i);
  CHECK(MapMemory(reserved).slots() == slots);
}

TEST_CASE("100000 random operations agree with a plain map and a list") {
  const NothingLeft check;
  Dict<int64_t, int64_t> d;
  std::unordered_map<int64_t, int64_t> plain;
  std::vector<int64_t> order;
  std::mt19937_64 random(20240607);
  for (int step = 0; step < 100000; ++step) {
    const auto key = static_cast<int64_t>(random() % 700);
    const int64_t value = step;
    switch (random() % 5) {
      case 0:
      case 1:
      case 2:
        d.Set(key, value);
        if (plain.insert_or_assign(key, value).second) order.push_back(key);
        break;
      case 3: {
        const bool there = plain.erase(key) == 1;
        REQUIRE(d.erase(key) == there);
        if (there) order.erase(std::find(order.begin(), order.end(), key));
        break;
      }
      default: {
        const auto it = plain.find(key);
        const std::optional<int64_t> found = d.Get(key);
        REQUIRE(found.has_value() == (it != plain.end()));
        if (found) REQUIRE(*found == it->second);
      }
    }
    REQUIRE(d.size() == plain.size());
    if (step % 5000 == 0 && step > 0) {
      CheckDense(MapMemory(d), order);
      if (step % 20000 == 0) {
        d.clear();
        plain.clear();
        order.clear();
      }
    }
  }
}

TEST_CASE("keys that hash alike are told apart") {
  const NothingLeft check;
  RegisterLabel();
  Dict<Label, int> d;
  for (int i = 0; i < 500; ++i) d.Set(MakeLabel(i), i);
  CHECK(d.size() == 500);
  for (int i = 0; i < 500; ++i) REQUIRE(d.at(MakeLabel(i)) == i);
  for (int i = 0; i < 500; i += 2) REQUIRE(d.erase(MakeLabel(i)));
  CHECK(d.size() == 250);
  CHECK(d.at(MakeLabel(499)) == 499);
}

TEST_CASE("a Dict cleared in the dense form starts again") {
  const NothingLeft check;
  Dict<int, String> d;
  for (int i = 0; i < 20; ++i) d.Set(i, "a text that is long");
  d.clear();
  CHECK(d.empty());
  CHECK(MapMemory(d).small());
  CHECK(d.begin() == d.end());
  for (int i = 0; i < 20; ++i) d.Set(i, "b");
  CHECK(d.size() == 20);
}

TEST_CASE("a small map in foreign memory turns dense in place") {
  const NothingLeft check;
  static int freed = 0;
  Dict<int, int> d = {{1, 1}, {2, 2}};
  auto* cell = internal::MapCellOf(internal::RefAccess::Header(d));
  auto* copy = new internal::MapItem[2];
  std::memcpy(static_cast<void*>(copy), cell->data, 64);
  cell->data = copy;
  cell->num_slots = 2 | (uint64_t{1} << 63);
  cell->data_deleter = [](void* block) {
    ++freed;
    delete[] static_cast<internal::MapItem*>(block);
  };
  for (int i = 3; i < 9; ++i) d.Set(i, i);
  CHECK(freed == 1);
  CheckDense(MapMemory(d), {1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("typed Maps check and convert their entries") {
  const NothingLeft check;
  const Any m = Map<String, int>{{"a", 1}};
  CHECK(m.cast<Map<String, int>>().same_as(m.cast<ObjectRef>()));
  CHECK(Repr(m.cast<Map<String, double>>()) == "{'a': 1.0}");
  CHECK(Repr(m.cast<Dict<Any, Any>>()) == "{'a': 1}");
  CHECK(Repr(Any(Dict<int, int>{{1, 2}}).cast<Map<int, int>>()) == "{1: 2}");
  using Table = Map<String, Array<int>>;
  CHECK(TypeTraits<Table>::TypeStr() == "Map[str, Array[int]]");
  const Map<Any, Any> bad = {{"key", Array<Any>{1, "x"}}};
  CHECK(CastError<Table>(bad, "Node.table") ==
        "TypeError: Node.table[\"key\"][1]: expected int, got str ('x')");
  CHECK(CastError<Table>(Map<Any, Any>{{1, 2}}, "Node.table") ==
        "TypeError: Node.table: key: expected str, got int (1)");
  CHECK(CastError<Map<int, int>>(Map<int, String>{{5, "x"}}, "f: m") ==
        "TypeError: f: m[5]: expected int, got str ('x')");
  CHECK(CastError<Table>(Array<int>()) == "TypeError: expected Map[str, Array[int]], got Array");
  const Map<Any, Any> same = Map<String, int>{{"a", 1}};
  CHECK(Repr(same) == "{'a': 1}");
}

TEST_CASE("a Map copies a Dict, and a Dict a Map") {
  const NothingLeft check;
  Dict<String, int> dict = {{"a", 1}};
  const Map<String, int> map(dict);
  dict.Set("b", 2);
  CHECK(Repr(map) == "{'a': 1}");
  CHECK(Repr(Map<Any, Any>(dict)) == "{'a': 1, 'b': 2}");
  CHECK(Repr(Map<String, double>(dict)) == "{'a': 1.0, 'b': 2.0}");
  Dict<String, int> copy(map);
  copy.Set("c", 3);
  CHECK(Repr(map) == "{'a': 1}");
}
