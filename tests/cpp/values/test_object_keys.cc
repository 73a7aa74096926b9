// SPDX-License-Identifier: Apache-2.0
// Registered objects as keys of maps, without a host: by fields, by methods of the type, by
// address.
#include <doctest/doctest.h>

#include <limits>

#include "helpers/c_helpers.h"
#include "tain/container/array.h"
#include "tain/container/dict.h"
#include "tain/container/list.h"
#include "tain/container/map.h"
#include "tain/internal/value_ops.h"
#include "tain/tain.h"

using namespace tain;
using namespace tain_test;

namespace {

struct SpotObj : Object {
  int64_t x;
  double y;
  Any rest;
  SpotObj(int64_t x, double y, Any rest) : x(x), y(y), rest(std::move(rest)) {}
  TAIN_OBJECT("test_object_keys.Spot", SpotObj, Object);
};
/// Inherits what SpotObj says, though its index is asked for before SpotObj is described.
struct DeepSpotObj : SpotObj {
  int64_t z;
  DeepSpotObj(int64_t x, int64_t z) : SpotObj(x, 0, nullptr), z(z) {}
  TAIN_OBJECT("test_object_keys.DeepSpot", DeepSpotObj, SpotObj);
};
struct NotedObj : Object {
  int64_t value;
  explicit NotedObj(int64_t value) : value(value) {}
  TAIN_OBJECT("test_object_keys.Noted", NotedObj, Object);
};
struct HourObj : Object {
  int64_t value;
  explicit HourObj(int64_t value) : value(value) {}
  TAIN_OBJECT("test_object_keys.Hour", HourObj, Object);
};
/// A type whose author set the columns before or after tain did.
struct ModuloObj : Object {
  int64_t value;
  explicit ModuloObj(int64_t value) : value(value) {}
  TAIN_OBJECT("test_object_keys.Modulo", ModuloObj, Object);
};

Any Spot(int64_t x, double y = 0, Any rest = nullptr) {
  return Ref<SpotObj>(make_object<SpotObj>(x, y, std::move(rest)));
}
Any DeepSpot(int64_t x, int64_t z) { return Ref<DeepSpotObj>(make_object<DeepSpotObj>(x, z)); }
template <class T>
Any Make(int64_t value) {
  return Ref<T>(make_object<T>(value));
}
int64_t ModuloOf(const Any& value) { return value.as<ModuloObj>()->value % 3; }

const TainAny* ColumnOf(const char* name, int32_t type_index) {
  const TainByteArray text = Text(name);
  const TainTypeAttrColumn* column = TainGetTypeAttrColumn(&text);
  const int32_t offset = type_index - column->begin_index;
  if (offset >= column->size || column->data[offset].type_index == kTainNone) return nullptr;
  return &column->data[offset];
}

void RegisterAll() {
  namespace refl = tain::reflection;
  static const bool once = [] {
    DeepSpotObj::RuntimeTypeIndex();
    refl::ObjectDef<SpotObj>(value_hash())
        .def_rw("x", &SpotObj::x)
        .def_rw("y", &SpotObj::y)
        .def_rw("rest", &SpotObj::rest);
    refl::ObjectDef<DeepSpotObj>().def_rw("z", &DeepSpotObj::z);
    refl::ObjectDef<NotedObj>(eq()).def_rw("value", &NotedObj::value);
    refl::ObjectDef<HourObj>()
        .def("__eq__",
             [](const HourObj& a, const HourObj& b) { return a.value % 12 == b.value % 12; })
        .def("__hash__", [](const HourObj& a) { return a.value % 12; });
    refl::ObjectDef<ModuloObj>(value_hash()).def_rw("value", &ModuloObj::value);
    TainAny hash{}, equal{};
    hash.type_index = equal.type_index = kTainOpaquePtr;
    hash.v_ptr = reinterpret_cast<void*>(+[](const Any& a) noexcept -> TainAny {
      if (a.as<ModuloObj>()->value < 0) return Any(Error("ValueError", "below zero")).Release();
      return Any(ModuloOf(a)).Release();
    });
    equal.v_ptr = reinterpret_cast<void*>(+[](const Any& a, const Any& b) noexcept -> TainAny {
      return Any(ModuloOf(a) == ModuloOf(b)).Release();
    });
    const TainByteArray hash_name = Text("__any_hash__"), equal_name = Text("__any_equal__");
    return TainTypeRegisterAttr(ModuloObj::RuntimeTypeIndex(), &hash_name, &hash) == 0 &&
           TainTypeRegisterAttr(ModuloObj::RuntimeTypeIndex(), &equal_name, &equal) == 0;
  }();
  REQUIRE(once);
}

/// Whether `b` finds the entry of `a` in both forms of a map, and a map says so of their hashes.
bool IsSameKey(const Any& a, const Any& b) {
  Dict<Any, int64_t> small{{a, 1}};
  Dict<Any, int64_t> dense{{a, 1}};
  for (int64_t i = 0; i < 20; ++i) dense.Set(i, i);
  CHECK(small.count(b) == dense.count(b));
  const bool equal = TainAnyEqual(&a.data(), &b.data()) == 1;
  CHECK(equal == (dense.count(b) == 1));
  if (equal) CHECK(TainAnyHash(&a.data()) == TainAnyHash(&b.data()));
  return equal;
}

}  // namespace

TEST_CASE("objects of a type with value_hash() are keys by their fields") {
  RegisterAll();
  CHECK(IsSameKey(Spot(1, 2, "a"), Spot(1, 2, "a")));
  CHECK(!IsSameKey(Spot(1, 2, "a"), Spot(1, 2, "b")));
  CHECK(IsSameKey(Spot(1, 0.0), Spot(1, -0.0)));
  CHECK(IsSameKey(Spot(1, 0, 1), Spot(1, 0, 1.0)));
  CHECK(IsSameKey(Spot(1, 0, Array<Any>{Spot(3), 2}), Spot(1, 0, Array<Any>{Spot(3), 2.0})));
  const Any nan = Spot(1, std::numeric_limits<double>::quiet_NaN());
  CHECK(IsSameKey(nan, nan));
  CHECK(!IsSameKey(nan, Spot(1, std::numeric_limits<double>::quiet_NaN())));
}

TEST_CASE("a derived type has entries of its own in the columns") {
  RegisterAll();
  for (const char* name : {"__any_hash__", "__any_equal__"}) {
    CAPTURE(name);
    for (const int32_t index : {SpotObj::RuntimeTypeIndex(), DeepSpotObj::RuntimeTypeIndex()}) {
      REQUIRE(ColumnOf(name, index) != nullptr);
      CHECK(ColumnOf(name, index)->type_index == kTainFunction);
    }
    CHECK(ColumnOf(name, NotedObj::RuntimeTypeIndex()) == nullptr);
  }
  CHECK(IsSameKey(DeepSpot(1, 2), DeepSpot(1, 2)));
  CHECK(!IsSameKey(DeepSpot(1, 2), DeepSpot(1, 3)));
  CHECK(!IsSameKey(DeepSpot(1, 2), Spot(1)));
}

TEST_CASE("equality without a hash leaves keys to their addresses") {
  RegisterAll();
  const Any noted = Make<NotedObj>(1);
  CHECK(IsSameKey(noted, noted));
  CHECK(!IsSameKey(noted, Make<NotedObj>(1)));
  CHECK(tain::internal::ValueEqual(noted.data(), Make<NotedObj>(1).data()));
}

TEST_CASE("columns that are filled later change no hash of an object without equality") {
  RegisterAll();
  const Any noted = Make<NotedObj>(1);
  const uint64_t before = TainAnyHash(&noted.data());
  tain::internal::FillKeyColumns(NotedObj::RuntimeTypeIndex(), false);
  CHECK(ColumnOf("__any_hash__", NotedObj::RuntimeTypeIndex()) != nullptr);
  CHECK(TainAnyHash(&noted.data()) == before);
  CHECK(!IsSameKey(noted, Make<NotedObj>(1)));
}

TEST_CASE("methods __eq__ and __hash__ of a type decide") {
  RegisterAll();
  CHECK(IsSameKey(Make<HourObj>(3), Make<HourObj>(15)));
  CHECK(!IsSameKey(Make<HourObj>(3), Make<HourObj>(4)));
}

TEST_CASE("what an author puts into the columns comes first") {
  RegisterAll();
  CHECK(ColumnOf("__any_hash__", ModuloObj::RuntimeTypeIndex())->type_index == kTainOpaquePtr);
  CHECK(IsSameKey(Make<ModuloObj>(1), Make<ModuloObj>(4)));
  CHECK(!IsSameKey(Make<ModuloObj>(1), Make<ModuloObj>(2)));
  Dict<Any, int64_t> dict;
  CHECK_THROWS_WITH_AS(dict.Set(Make<ModuloObj>(-1), 1), doctest::Contains("below zero"), Error);
  CHECK(dict.empty());
}

TEST_CASE("a field without a hash makes the key an error") {
  RegisterAll();
  Dict<Any, int64_t> dict;
  for (const auto& [rest, text] :
       {std::pair<Any, std::string>{List<Any>{1}, "unhashable type: 'List'"},
        {Make<NotedObj>(1), "unhashable type: 'test_object_keys.Noted'"}}) {
    try {
      dict.Set(Spot(1, 0, rest), 1);
      FAIL("accepted");
    } catch (const Error& error) {
      CHECK(error.kind() == "TypeError");
      CHECK(error.message() == text);
    }
  }
  CHECK(dict.empty());
}

TEST_CASE("the functions in the columns refuse what is no object") {
  RegisterAll();
  for (const char* name : {"__any_hash__", "__any_equal__"}) {
    const TainAny* function = ColumnOf(name, SpotObj::RuntimeTypeIndex());
    TainAny args[3]{}, result{};
    for (const int32_t count : {0, 1, 2, 3}) {
      CHECK(TainFunctionCall(function->v_obj, args, count, &result) != 0);
      CHECK(Error::MoveFromRaised().kind() == "TypeError");
    }
  }
}
