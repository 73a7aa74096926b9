// SPDX-License-Identifier: Apache-2.0
// ObjectDef: what it registers of a type: fields, flags, methods, properties, constants, operators,
// and the constructors that def_init and __create__ make.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "helpers/registration.h"

using namespace tain_test;
using tain::Any;
using tain::arg;
using tain::Function;
using tain::reflection::ObjectDef;

namespace {

struct PointObj : tain::Object {
  double x = 0, y = 0;
  PointObj(double x, double y) : x(x), y(y) {
    if (x < 0) TAIN_THROW(ValueError) << "x must not be negative";
    if (x == 42) throw 42;
  }
  double Norm() const { return std::hypot(x, y); }
  TAIN_OBJECT("cpp_test.def.Point", PointObj, tain::Object);
};

/// Fields of other kinds; words before the header, so that offsets are not trivial.
struct Mixin {
  int64_t mixed = 77;
  virtual ~Mixin() = default;
};
struct KindsObj : Mixin, tain::Object {
  bool flag = true;
  int8_t i8 = -1;
  uint32_t u32 = 32;
  float f32 = 0.5f;
  tain::String text = "a text of some length";
  std::string std_text = "std";
  Any any;
  tain::Ptr<PointObj> maybe;
  tain::ObjectRef object;
  const int64_t constant = 5;
  TAIN_OBJECT("cpp_test.def.Kinds", KindsObj, tain::Object);
};

struct MembersObj : tain::Object {
  int64_t value = 1;
  static constexpr bool _type_mutable = true;
  TAIN_OBJECT("cpp_test.def.Members", MembersObj, tain::Object);
};

struct alignas(64) AlignedObj : tain::Object {
  alignas(64) char data[64] = {};
  int64_t value;
  explicit AlignedObj(int64_t value) : value(value) {}
  TAIN_OBJECT("cpp_test.def.Aligned", AlignedObj, tain::Object);
};

struct AbstractObj : tain::Object {
  virtual int64_t Get() const = 0;
  virtual ~AbstractObj() = default;
  TAIN_OBJECT("cpp_test.def.Abstract", AbstractObj, tain::Object);
};

struct UncopyableObj : tain::Object {
  UncopyableObj() = default;
  UncopyableObj(const UncopyableObj&) = delete;
  TAIN_OBJECT("cpp_test.def.Uncopyable", UncopyableObj, tain::Object);
};

struct CreatedObj : tain::Object {
  int64_t value = 0;
  TAIN_OBJECT("cpp_test.def.Created", CreatedObj, tain::Object);
};

template <class T>
const TainTypeRecord& Record() {
  return *TainGetTypeRecord(T::RuntimeTypeIndex());
}

}  // namespace

TAIN_REGISTER {
  ObjectDef<PointObj>("A point.")
      .def_rw("x", &PointObj::x, "abscissa")
      .def_rw("y", &PointObj::y, tain::doc("ordinate"))
      .def_init<double, double>(arg("x"), arg("y") = 0.0)
      .def("norm", &PointObj::Norm, "length")
      .def("__add__", [](const PointObj& a, const PointObj& b) {
        return tain::Ref<PointObj>(tain::make_object<PointObj>(a.x + b.x, a.y + b.y));
      });
  ObjectDef<KindsObj>()
      .def_rw("mixed", &KindsObj::mixed)
      .def_rw("flag", &KindsObj::flag)
      .def_rw("i8", &KindsObj::i8)
      .def_rw("u32", &KindsObj::u32)
      .def_rw("f32", &KindsObj::f32)
      .def_rw("text", &KindsObj::text)
      .def_rw("std_text", &KindsObj::std_text)
      .def_rw("any", &KindsObj::any)
      .def_rw("maybe", &KindsObj::maybe)
      .def_rw("object", &KindsObj::object)
      .def_ro("constant", &KindsObj::constant)
      .def_init<>();
  ObjectDef<MembersObj>(tain::order(), tain::value_hash(), "Members.")
      .def_ro("value", &MembersObj::value, tain::no_repr(), tain::kw_only(), tain::default_(4))
      .def_property(
          "twice", [](const MembersObj& self) { return 2 * self.value; }, "twice the value")
      .def_property(
          "assigned", [](const MembersObj& self) { return self.value; },
          [](MembersObj& self, int64_t v) { self.value = v; })
      .def_attr("LIMIT", 100, "the limit")
      .def_type_attr("__cpp_test_note__", "noted")
      .def_static("make", [](int64_t) { return 1; }, arg("n"));
  ObjectDef<AlignedObj>().def_ro("value", &AlignedObj::value).def_init<int64_t>();
  ObjectDef<AbstractObj>().def("get", &AbstractObj::Get);
  ObjectDef<UncopyableObj>(tain::final_(), tain::frozen());
  ObjectDef<CreatedObj>()
      .def_ro("value", &CreatedObj::value)
      .def_static("__create__", [](int64_t v) {
        auto made = tain::make_object<CreatedObj>();
        made->value = v;
        return made;
      });
}

TEST_CASE("the registrations of this file are without fault") {
  CHECK(TainRaisePendingFaults() == 0);
  CHECK(TakeError() == "");
}

TEST_CASE("a type's record says what it is") {
  const TainTypeRecord& point = Record<PointObj>();
  CHECK(Str(point.def.doc) == "A point.");
  CHECK(point.request.size == sizeof(PointObj));
  CHECK((point.def.flags & kTainTypeDefined) != 0);
  CHECK(point.def.header_offset == 0);
  CHECK((point.def.copy != nullptr));
  CHECK((point.def.construct != nullptr));
  CHECK((point.def.construct_default == nullptr));
  CHECK(Record<KindsObj>().def.header_offset == 16);
  CHECK((Record<KindsObj>().def.construct_default != nullptr));
  CHECK((Record<MembersObj>().def.flags & 7) == (kTainTypeEq | kTainTypeOrder | kTainTypeHash));
  CHECK((Record<AbstractObj>().def.flags & kTainTypeAbstract) != 0);
  CHECK((Record<UncopyableObj>().def.flags & kTainTypeFinal) != 0);
  CHECK((Record<UncopyableObj>().def.flags & kTainTypeFrozen) != 0);
  CHECK((Record<UncopyableObj>().def.copy == nullptr));
}

TEST_CASE("fields have their kind, type, flags and documentation") {
  const TainFieldDef* x = FieldOf<PointObj>("x");
  REQUIRE(x != nullptr);
  CHECK(x->kind == kTainFieldFloat64);
  CHECK(Str(x->type) == "float");
  CHECK(Str(x->info.doc) == "abscissa");
  CHECK(x->info.flags == kTainFieldWritable);
  CHECK(x->info.offset == sizeof(TainObject));
  CHECK(x->info.field_static_type_index == kTainFloat);
  CHECK(x->declaring_type == PointObj::RuntimeTypeIndex());
  const TainFieldDef* maybe = FieldOf<KindsObj>("maybe");
  CHECK(maybe->kind == kTainFieldObject);
  CHECK(maybe->object_type_index == PointObj::RuntimeTypeIndex());
  CHECK(maybe->access == (kTainFieldDirectWrite | kTainFieldNullable));
  CHECK(Str(maybe->type) == "cpp_test.def.Point | None");
  CHECK(FieldOf<KindsObj>("std_text")->kind == kTainFieldOpaque);
  const TainFieldDef* value = FieldOf<MembersObj>("value");
  CHECK(value->info.flags == (kTainFieldNoRepr | kTainFieldKwOnly | kTainFieldHasDefault));
  CHECK(value->info.default_value_or_factory.v_int64 == 4);
}

TEST_CASE("fields are read and assigned where they are") {
  const auto kinds = tain::make_object<KindsObj>();
  CHECK(GetField(*kinds, "mixed").cast<int64_t>() == 77);
  CHECK(GetField(*kinds, "flag").cast<bool>());
  CHECK(GetField(*kinds, "i8").cast<int64_t>() == -1);
  CHECK(GetField(*kinds, "f32").cast<double>() == 0.5);
  CHECK(GetField(*kinds, "std_text").cast<std::string>() == "std");
  CHECK(GetField(*kinds, "maybe") == nullptr);
  SetField(*kinds, "mixed", 3);
  CHECK(kinds->mixed == 3);
  SetField(*kinds, "text", "short");
  CHECK(kinds->text == "short");
  const auto point = tain::make_object<PointObj>(1, 2);
  SetField(*kinds, "maybe", point);
  SetField(*kinds, "any", point);
  CHECK(point.use_count() == 3);
  CHECK(ErrorOf([&] { SetField(*kinds, "maybe", 3); }) ==
        "TypeError: expected cpp_test.def.Point | None, got int (3)");
  CHECK(ErrorOf([&] { SetField(*kinds, "i8", 300); }) ==
        "OverflowError: expected int in -128..127, got 300");
  CHECK(ErrorOf([&] { SetField(*kinds, "constant", 3); }) == "AttributeError: the field is const");
}

TEST_CASE("def_init makes objects, by position and with defaults") {
  const Function create = ConstructorOf<PointObj>();
  const auto point = create(3.0, 4.0).cast<tain::Ref<PointObj>>();
  CHECK(point->Norm() == 5.0);
  CHECK(point.use_count() == 1);
  CHECK(create(3).cast<tain::Ref<PointObj>>()->y == 0.0);
  CHECK(MethodOf<PointObj>("__create__").same_as(create));
  const auto kinds = ConstructorOf<KindsObj>()().cast<tain::Ref<KindsObj>>();
  CHECK(kinds->mixed == 77);
  const auto aligned = ConstructorOf<AlignedObj>()(5).cast<tain::Ref<AlignedObj>>();
  CHECK(reinterpret_cast<uintptr_t>(aligned.get()) % 64 == 0);
  CHECK(aligned->value == 5);
}

TEST_CASE("a constructor's errors name the class, and nothing is left of the object") {
  const Function create = ConstructorOf<PointObj>();
  const int64_t live = Live(PointObj::RuntimeTypeIndex());
  CHECK(ErrorOf([&] { create("a"); }) ==
        "TypeError: cpp_test.def.Point: argument x: expected float, got str ('a')");
  CHECK(ErrorOf([&] { create(); }) == "TypeError: cpp_test.def.Point() missing argument 'x'");
  CHECK(ErrorOf([&] { create(1, 2, 3); }) ==
        "TypeError: cpp_test.def.Point() takes 1 to 2 arguments but 3 were given");
  CHECK(ErrorOf([&] { create(-1); }) == "ValueError: x must not be negative");
  CHECK(ErrorOf([&] { create(42); }) != "");
  CHECK(Live(PointObj::RuntimeTypeIndex()) == live);
}

TEST_CASE("the constructor in place builds without a header's finish") {
  const TainTypeRecord& record = Record<PointObj>();
  alignas(PointObj) char memory[sizeof(PointObj)];
  const TainFunctionInfo* info = TainFunctionGetInfo(record.constructor);
  const Any args[] = {3.0, 4.0};
  REQUIRE(record.def.construct(memory, info, reinterpret_cast<const TainAny*>(args), 2) == 0);
  auto* point = reinterpret_cast<PointObj*>(memory);
  CHECK(point->Norm() == 5.0);
  record.def.destroy(memory, &record);
  CHECK(record.def.construct(memory, info, reinterpret_cast<const TainAny*>(args), 0) == -1);
  CHECK(TakeError() == "TypeError: cpp_test.def.Point() missing argument 'x'");
}

TEST_CASE("__create__ is the constructor too") {
  const Function create = ConstructorOf<CreatedObj>();
  CHECK(create(7).cast<tain::Ref<CreatedObj>>()->value == 7);
  CHECK((Record<CreatedObj>().def.construct == nullptr));
  CHECK(ErrorOf([&] { create("a"); }) ==
        "TypeError: cpp_test.def.Created: argument arg0: expected int, got str ('a')");
  const TainFunctionInfo* info = TainFunctionGetInfo(Record<CreatedObj>().constructor);
  CHECK(info->flags == kTainCallConstructor);
  CHECK(Str(info->return_type) == "cpp_test.def.Created");
}

TEST_CASE("methods are called with their object") {
  const auto point = tain::make_object<PointObj>(3, 4);
  CHECK(MethodOf<PointObj>("norm")(point).cast<double>() == 5.0);
  CHECK(MethodOf<PointObj>("__add__")(point, point).cast<tain::Ref<PointObj>>()->x == 6.0);
  CHECK(ErrorOf([&] { MethodOf<PointObj>("norm")(tain::make_object<KindsObj>()); }) ==
        "TypeError: cpp_test.def.Point.norm: expected cpp_test.def.Point as self, got "
        "cpp_test.def.Kinds");
  CHECK(ErrorOf([&] { MethodOf<PointObj>("norm")(); }) ==
        "TypeError: cpp_test.def.Point.norm() needs an object as its first argument");
  CHECK(ErrorOf([&] { MethodOf<PointObj>("norm")(point, 1); }) ==
        "TypeError: cpp_test.def.Point.norm() takes 0 arguments but 1 was given");
  CHECK(ErrorOf([&] { MethodOf<PointObj>("__add__")(point, 1); }) ==
        "TypeError: cpp_test.def.Point.__add__: argument arg0: expected cpp_test.def.Point, got "
        "int (1)");
}

TEST_CASE("properties, constants and attributes are registered") {
  const TainTypeRecord& record = Record<MembersObj>();
  REQUIRE(record.num_properties == 2);
  CHECK(Str(record.properties[0]->name) == "twice");
  CHECK(Str(record.properties[0]->doc) == "twice the value");
  CHECK(Str(record.properties[0]->type) == "int");
  CHECK(record.properties[0]->setter == nullptr);
  const auto object = tain::make_object<MembersObj>();
  const Function setter(
      tain::internal::RefAccess::Share<tain::FunctionObj>(record.properties[1]->setter));
  setter(object, 9);
  CHECK(object->value == 9);
  CHECK(ErrorOf([&] { setter(object, "a"); }) ==
        "TypeError: cpp_test.def.Members.assigned: expected int, got str ('a')");
  REQUIRE(record.num_constants == 1);
  CHECK(Str(record.constants[0]->name) == "LIMIT");
  CHECK(record.constants[0]->value.v_int64 == 100);
  const TainByteArray name = Text("__cpp_test_note__");
  const TainTypeAttrColumn* column = TainGetTypeAttrColumn(&name);
  REQUIRE(column != nullptr);
  const TainAny& note = column->data[MembersObj::RuntimeTypeIndex() - column->begin_index];
  CHECK(Any(tain::AnyView(note)).cast<std::string>() == "noted");
}

namespace {

struct ReadyObj : tain::Object {
  int64_t value = 10;
  TAIN_OBJECT("cpp_test.def.Ready", ReadyObj, tain::Object);
};

const Function& Sum() {
  static const Function* sum =
      new Function([](const ReadyObj& self, int64_t n) { return self.value + n; });
  return *sum;
}

TAIN_REGISTER {
  tain::reflection::GlobalDef()
      .def(
          "cpp_test.def.ready_named",
          [](const ReadyObj& self, int64_t n) { return self.value * n; }, arg("self"), arg("n") = 2,
          "Many times.")
      .def("cpp_test.def.ready_sum", Sum());
  ObjectDef<ReadyObj>()
      .def("sum", Function([](const ReadyObj& self, int64_t n) { return self.value + n; }),
           "A sum.")
      .def("times", Function::GetGlobalRequired("cpp_test.def.ready_named"))
      .def_static("twice", Function([](int64_t x) { return 2 * x; }))
      .def_static("sum_of", Sum())
      .def_init<>();
}

}  // namespace

TEST_CASE("a Function that is there already is registered itself") {
  const auto object = tain::make_object<ReadyObj>();
  CHECK(MethodOf<ReadyObj>("sum")(object, 1).cast<int64_t>() == 11);
  CHECK(MethodOf<ReadyObj>("times")(object, 3).cast<int64_t>() == 30);
  CHECK(MethodOf<ReadyObj>("times")(object).cast<int64_t>() == 20);
  CHECK(MethodOf<ReadyObj>("twice")(4).cast<int64_t>() == 8);
  CHECK(MethodOf<ReadyObj>("sum_of").get() == Sum().get());
  CHECK(Function::GetGlobalRequired("cpp_test.def.ready_sum").get() == Sum().get());
  const TainTypeRecord& record = Record<ReadyObj>();
  for (int32_t i = 0; i < record.num_methods; ++i) {
    if (Str(record.methods[i]->info.name) != "times") continue;
    CHECK(Str(record.methods[i]->info.doc) == "Many times.");
    CHECK(record.methods[i]->call->num_args == 1);
    CHECK(Str(record.methods[i]->call->args[0].name) == "n");
  }
  CHECK(ErrorOf([&] { MethodOf<ReadyObj>("sum")(5, 1); }) ==
        "TypeError: cpp_test.def.Ready.sum: expected cpp_test.def.Ready as self, got int");
}

TEST_CASE("a Function that is null is a fault") {
  CHECK(FaultsOf([] { tain::reflection::GlobalDef().def("cpp_test.def.null", Function()); }) ==
        "cpp_test.def.null: Check failed: (function.defined()) is false: the function is null");
  CHECK(FaultsOf([] {
          tain::reflection::GlobalDef().def("cpp_test.def.named", Function([] { return 1; }),
                                            arg("a"));
        }).find("cannot be named") != std::string::npos);
}
