// SPDX-License-Identifier: Apache-2.0
// Types that are laid out at run time, and members by name.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "helpers/registration.h"
#include "tain/container/list.h"
#include "tain/reflection/access.h"

using namespace tain_test;
using tain::Any;
using tain::ObjectRef;
namespace reflection = tain::reflection;

namespace {

/// Polymorphic, so that its header is not where its body begins; counts its objects.
struct EngineObj : tain::Object {
  static inline int alive = 0;
  int64_t power;
  char letter = 'x';
  explicit EngineObj(int64_t power) : power(power) {
    TAIN_CHECK_GE(power, 0);
    ++alive;
  }
  EngineObj(const EngineObj& other) : tain::Object(other), power(other.power) { ++alive; }
  virtual ~EngineObj() { --alive; }
  virtual int64_t Twice() const { return 2 * power; }
  TAIN_OBJECT("cpp_test.dynamic.Engine", EngineObj, tain::Object);
};
struct CreatedObj : tain::Object {
  explicit CreatedObj(int) {}
  TAIN_OBJECT("cpp_test.dynamic.Created", CreatedObj, tain::Object);
};
struct UndescribedObj : tain::Object {
  TAIN_OBJECT("cpp_test.dynamic.Undescribed", UndescribedObj, tain::Object);
};

struct Field {
  const char* name;
  const char* type;
  int64_t flags = kTainFieldWritable;
  Any default_value;
};

/// Defines a type; its index, or -1 with the error raised.
int32_t Define(const char* key, int32_t parent, const std::vector<Field>& fields,
               int64_t flags = 0) {
  std::vector<TainDynamicField> described;
  for (const Field& field : fields) {
    described.push_back(
        {Text(field.name), Text(""), Text(field.type), field.flags, field.default_value.data()});
  }
  TainDynamicType type{};
  type.key = Text(key);
  type.doc = Text("A test.");
  type.unit_name = Text("cpp_test");
  type.unit_file = Text("test_dynamic_type.cc");
  type.parent = parent;
  type.flags = flags;
  type.fields = described.data();
  type.num_fields = static_cast<int32_t>(described.size());
  int32_t index = -1;
  return TainTypeDefineDynamic(&type, &index) == 0 ? index : -1;
}

constexpr int64_t kDefaulted = kTainFieldWritable | kTainFieldHasDefault;

ObjectRef Make(const char* key, auto... args) {
  return reflection::ConstructorOf(key)(args...).template cast<ObjectRef>();
}
template <class T>
T Get(const ObjectRef& object, const char* name) {
  return reflection::GetField(object, name).cast<T>();
}

}  // namespace

TAIN_REGISTER {
  using tain::arg;
  reflection::ObjectDef<EngineObj>()
      .def_ro("power", &EngineObj::power)
      .def_init<int64_t>(arg("power"))
      .def("twice", &EngineObj::Twice);
  reflection::ObjectDef<CreatedObj>().def_static("__create__", [](int64_t) {
    return tain::Ref<CreatedObj>(tain::make_object<CreatedObj>(1));
  });
}

TEST_CASE("a field lies in the memory of its kind") {
  const int32_t index = Define("cpp_test.dynamic.Kinds", kTainObject,
                               {{"flag", "bool", kTainFieldWritable, {}},
                                {"number", "int", kTainFieldWritable, {}},
                                {"text", "str", kDefaulted, Any(tain::String("t"))},
                                {"next", "cpp_test.dynamic.Kinds | None", kDefaulted, Any()},
                                {"items", "List[int]", kTainFieldWritable | kTainFieldKwOnly, {}},
                                {"other", "int | str", kDefaulted, Any(1)}});
  REQUIRE(index > 0);
  const TainTypeRecord* record = TainGetTypeRecord(index);
  REQUIRE(record->num_fields == 6);
  const int32_t kinds[] = {kTainFieldBool,   kTainFieldInt64,  kTainFieldString,
                           kTainFieldObject, kTainFieldObject, kTainFieldAny};
  int64_t end = sizeof(TainObject);
  for (int32_t i = 0; i < 6; ++i) {
    const TainFieldDef& field = *record->fields[i];
    CHECK(field.kind == kinds[i]);
    CHECK(field.info.offset >= end);
    CHECK(field.info.offset % field.info.alignment == 0);
    end = field.info.offset + field.info.size;
  }
  CHECK(record->request.size == (end + 7) / 8 * 8);
  CHECK(record->fields[3]->object_type_index == index);
  CHECK(record->fields[3]->access == (kTainFieldDirectWrite | kTainFieldNullable));

  const int64_t before = Live(index);
  {
    const tain::List<int64_t> items{1, 2};
    // Parameters by keyword only come last.
    const ObjectRef made = Make("cpp_test.dynamic.Kinds", true, 5, "abc", nullptr, "o", items);
    CHECK(Get<bool>(made, "flag"));
    CHECK(Get<std::string>(made, "text") == "abc");
    CHECK(Get<std::string>(made, "other") == "o");
    CHECK(Get<tain::List<int64_t>>(made, "items").same_as(items));
    reflection::SetField(made, "next", made);
    CHECK(Get<ObjectRef>(made, "next").same_as(made));
    reflection::SetField(made, "next", nullptr);
    CHECK(ErrorOf([&] { Make("cpp_test.dynamic.Kinds", true, 5, "abc", nullptr, 1.5, items); }) ==
          "TypeError: cpp_test.dynamic.Kinds: argument other: expected int | str, got float "
          "(1.5)");
  }
  CHECK(Live(index) == before);
}

TEST_CASE("members by name") {
  REQUIRE(Define("cpp_test.dynamic.Named", kTainObject,
                 {{"number", "int", kTainFieldWritable, {}},
                  {"fixed", "int", kTainFieldHasDefault, Any(3)},
                  {"items", "List[int]", kDefaulted | kTainFieldDefaultFactory,
                   Any(tain::Function([] { return tain::List<int64_t>{7}; }))}}) > 0);
  const ObjectRef made = Make("cpp_test.dynamic.Named", 5);
  CHECK(Get<int64_t>(made, "number") == 5);
  CHECK(Get<tain::List<int64_t>>(made, "items")[0] == 7);
  reflection::SetField(made, "number", 6);
  CHECK(Get<int64_t>(made, "number") == 6);
  CHECK(ErrorOf([&] { reflection::SetField(made, "number", "x"); }) ==
        "TypeError: cpp_test.dynamic.Named.number: expected int, got str ('x')");
  CHECK(ErrorOf([&] { reflection::SetField(made, "items", tain::List<Any>{1, "x"}); }) ==
        "TypeError: cpp_test.dynamic.Named.items[1]: expected int, got str ('x')");
  CHECK(ErrorOf([&] { reflection::SetField(made, "fixed", 1); }) ==
        "AttributeError: cpp_test.dynamic.Named.fixed is read-only");
  CHECK(ErrorOf([&] { reflection::GetField(made, "weight"); }) ==
        "AttributeError: cpp_test.dynamic.Named has no field 'weight'");
  CHECK(ErrorOf([&] { reflection::CallMethod(made, "run"); }) ==
        "AttributeError: cpp_test.dynamic.Named has no method 'run'");
  CHECK(ErrorOf([] { reflection::GetField(ObjectRef(tain::UnsafeInit()), "a"); }) ==
        "TypeError: the field 'a' of null was asked for");
  CHECK(ErrorOf([] { reflection::ConstructorOf("cpp_test.dynamic.Missing"); }) != "");
  CHECK(ErrorOf([&] { Make("cpp_test.dynamic.Named"); }) ==
        "TypeError: cpp_test.dynamic.Named() missing argument 'number'");
}

TEST_CASE("the constructor and the destructor of a compiled parent run") {
  const int32_t index = Define("cpp_test.dynamic.Car", EngineObj::RuntimeTypeIndex(),
                               {{"name", "str", kTainFieldWritable, {}},
                                {"spare", "cpp_test.dynamic.Engine | None", kDefaulted, Any()}});
  REQUIRE(index > 0);
  CHECK(TainGetTypeRecord(index)->def.header_offset ==
        TainGetTypeRecord(EngineObj::RuntimeTypeIndex())->def.header_offset);
  {
    const ObjectRef car = Make("cpp_test.dynamic.Car", 5, "a");
    CHECK(EngineObj::alive == 1);
    CHECK(car.as<EngineObj>()->power == 5);
    CHECK(reflection::CallMethod(car, "twice").cast<int64_t>() == 10);
    reflection::SetField(car, "spare", Make("cpp_test.dynamic.Engine", 1));
    TainObject* copied = nullptr;
    REQUIRE(TainObjectCopy(tain::internal::RefAccess::Header(car), &copied) == 0);
    CHECK(EngineObj::alive == 3);
    TainObjectDecRef(copied);
    CHECK(ErrorOf([] { Make("cpp_test.dynamic.Car", 5, 6); }) ==
          "TypeError: cpp_test.dynamic.Car: argument name: expected str, got int (6)");
    CHECK(ErrorOf([] { Make("cpp_test.dynamic.Car", -1, "a"); }).find("ValueError") == 0);
    CHECK(EngineObj::alive == 2);
  }
  CHECK(EngineObj::alive == 0);
  CHECK(Live(index) == 0);
  TainObject* made = nullptr;
  CHECK(TainTypeConstructDefault(index, &made) == -1);
  CHECK(TakeError() == "TypeError: cpp_test.dynamic.Car has no default constructor");
}

TEST_CASE("a child of a type that was laid out at run time") {
  const int32_t parent =
      Define("cpp_test.dynamic.Parent", kTainObject, {{"a", "int", kDefaulted, Any(1)}});
  const int32_t child =
      Define("cpp_test.dynamic.Child", parent,
             {{"b", "object", kDefaulted, Any(2)}, {"a", "int", kDefaulted, Any(9)}});
  REQUIRE(child > 0);
  const ObjectRef made = Make("cpp_test.dynamic.Child");
  CHECK(Get<int64_t>(made, "a") == 9);
  CHECK(Get<int64_t>(made, "b") == 2);
  CHECK(TainTypeIsInstance(child, parent) == 1);
  TainObject* other = nullptr;
  REQUIRE(TainTypeConstructDefault(child, &other) == 0);
  const ObjectRef owned = Any::Steal({child, {0}, {.v_obj = other}}).cast<ObjectRef>();
  CHECK(Get<int64_t>(owned, "a") == 9);
  CHECK(Define("cpp_test.dynamic.Wrong", parent, {{"a", "str"}}) == -1);
  CHECK(TakeError() ==
        "TypeError: cpp_test.dynamic.Wrong.a: cpp_test.dynamic.Parent has the field "
        "as int, so it cannot be str");
}

TEST_CASE("a later definition of the same unit replaces an earlier one") {
  const int32_t first = Define("cpp_test.dynamic.Again", kTainObject, {{"a", "int"}});
  const int32_t second = Define("cpp_test.dynamic.Again", kTainObject, {{"b", "int"}});
  CHECK(first != second);
  CHECK(Make("cpp_test.dynamic.Again", 1)->type_index() == second);
  CHECK(TainGetTypeRecord(second)->build == 2);
}

TEST_CASE("mistakes are raised and leave nothing behind") {
  struct Row {
    std::vector<Field> fields;
    int32_t parent;
    const char* error;
  };
  const int32_t engine = EngineObj::RuntimeTypeIndex();
  const Row rows[] = {
      {{{"a", "List[int"}}, kTainObject, "ValueError: cpp_test.dynamic.Bad.a: 'List[int' is no"},
      {{{"a", "List[int, int]"}}, kTainObject, "ValueError: cpp_test.dynamic.Bad.a: 'List[int"},
      {{{"a", "int[str]"}},
       kTainObject,
       "ValueError: cpp_test.dynamic.Bad.a: 'int[str]' is no type"},
      {{{"", "int"}}, kTainObject, "ValueError: cpp_test.dynamic.Bad: the name is empty"},
      {{{"a", "int"}, {"a", "int"}}, kTainObject, "ValueError: cpp_test.dynamic.Bad.a: the name"},
      {{{"a", "int", kDefaulted, Any("x")}},
       kTainObject,
       "TypeError: cpp_test.dynamic.Bad.a: the default: expected int, got str ('x')"},
      {{{"a", "int", kDefaulted, Any(1)}, {"b", "int"}},
       kTainObject,
       "TypeError: cpp_test.dynamic.Bad.b: a field without default follows 'a'"},
      {{{"power", "int"}},
       engine,
       "TypeError: cpp_test.dynamic.Bad.power: the name is already that of a field of"},
      {{},
       CreatedObj::RuntimeTypeIndex(),
       "TypeError: cpp_test.dynamic.Bad: its parent cpp_test.dynamic.Created cannot be extended"},
      {{},
       UndescribedObj::RuntimeTypeIndex(),
       "TypeError: cpp_test.dynamic.Bad: its parent cpp_test.dynamic.Undescribed cannot be"},
      {{}, kTainList, "TypeError: cpp_test.dynamic.Bad: ffi.List cannot be extended"},
      {{}, 1 << 30, "TypeError: cpp_test.dynamic.Bad: its parent cannot be extended"},
  };
  for (const Row& row : rows) {
    CHECK(Define("cpp_test.dynamic.Bad", row.parent, row.fields) == -1);
    const std::string error = TakeError();
    CAPTURE(row.error);
    CHECK(error.substr(0, std::string_view(row.error).size()) == row.error);
  }
  CHECK(TainRaisePendingFaults() == 0);
  CHECK(Define("cpp_test.dynamic.Engine", kTainObject, {}) == -1);
  CHECK(TakeError().find("ValueError: cpp_test.dynamic.Engine: already registered by") == 0);
  CHECK(Define("ffi.List", kTainObject, {{"a", "int"}}) == -1);
  CHECK(TakeError() != "");
}

TEST_CASE("null arguments") {
  int32_t index = 0;
  TainDynamicType type{};
  CHECK(TainTypeDefineDynamic(nullptr, &index) == -1);
  CHECK(TakeError() == "TypeError: TainTypeDefineDynamic: expected a type, got null");
  CHECK(TainTypeDefineDynamic(&type, nullptr) == -1);
  CHECK(TakeError() ==
        "TypeError: TainTypeDefineDynamic: expected a place for the index, got null");
  CHECK(TainTypeDefineDynamic(&type, &index) == -1);
  CHECK(TakeError() != "");
  type.num_fields = 2;
  type.key = Text("cpp_test.dynamic.Null");
  type.parent = kTainObject;
  CHECK(TainTypeDefineDynamic(&type, &index) == -1);
  CHECK(TakeError() == "ValueError: cpp_test.dynamic.Null: 2 fields, but no list of them");
  TainObject* made = nullptr;
  CHECK(TainTypeConstructDefault(-5, &made) == -1);
  CHECK(TakeError() == "ValueError: type index -5 is not that of a registered type");
  CHECK(TainTypeConstructDefault(index, nullptr) == -1);
  CHECK(TakeError() != "");
  CHECK(TainEnumDefineDynamic(nullptr, nullptr, nullptr) == -1);
  CHECK(TakeError() == "TypeError: TainEnumDefineDynamic: expected an enum, got null");
}
