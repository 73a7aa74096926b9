// SPDX-License-Identifier: Apache-2.0
// def_init_fields: the constructor that takes the fields by name.
#include <doctest/doctest.h>

#include <string>

#include "helpers/registration.h"
#include "tain/container/list.h"

using namespace tain_test;
using tain::Any;
using tain::Function;
using tain::reflection::ObjectDef;

namespace {

struct BaseObj : tain::Object {
  int64_t a = 1;
  tain::String b = "b";
  double hidden = 0.5;
  TAIN_OBJECT("cpp_test.init.Base", BaseObj, tain::Object);
};
struct ConfigObj : BaseObj {
  tain::List<int64_t> items{1, 2};
  int64_t keyword = 3;
  int64_t given = 0;
  tain::List<int64_t> made;
  tain::Ptr<BaseObj> base;
  const int64_t constant = 9;
  TAIN_OBJECT("cpp_test.init.Config", ConfigObj, BaseObj);
};
struct LateBaseObj : tain::Object {
  int64_t a = 1;
  TAIN_OBJECT("cpp_test.init.LateBase", LateBaseObj, tain::Object);
};
struct EarlyChildObj : LateBaseObj {
  int64_t b = 1;
  TAIN_OBJECT("cpp_test.init.EarlyChild", EarlyChildObj, LateBaseObj);
};
struct ThrowingObj : tain::Object {
  int64_t a = 1;
  ThrowingObj() { TAIN_THROW(ValueError) << "cannot be made"; }
  TAIN_OBJECT("cpp_test.init.Throwing", ThrowingObj, tain::Object);
};
struct SharedDefaultObj : tain::Object {
  tain::List<int64_t> items;
  TAIN_OBJECT("cpp_test.init.SharedDefault", SharedDefaultObj, tain::Object);
};

using Config = tain::Ref<ConfigObj>;

const TainFunctionInfo* Info() {
  return TainFunctionGetInfo(TainGetTypeRecord(ConfigObj::RuntimeTypeIndex())->constructor);
}

/// The marker for "as the default constructor made it".
tain::AnyView Unchanged() {
  TainAny marker{};
  marker.type_index = kTainUnchanged;
  return tain::AnyView(marker);
}

}  // namespace

TAIN_REGISTER {
  ObjectDef<BaseObj>()
      .def_rw("a", &BaseObj::a)
      .def_ro("b", &BaseObj::b)
      .def_rw("hidden", &BaseObj::hidden, tain::no_init());
  ObjectDef<ConfigObj>()
      .def_rw("keyword", &ConfigObj::keyword, tain::kw_only())
      .def_rw("items", &ConfigObj::items)
      .def_rw("given", &ConfigObj::given, tain::default_(7))
      .def_rw("made", &ConfigObj::made,
              tain::default_factory([] { return tain::List<int64_t>{5}; }))
      .def_rw("base", &ConfigObj::base)
      .def_ro("constant", &ConfigObj::constant)
      .def_init_fields();
}

TEST_CASE("the parameters are the fields, parents first and keyword-only ones last") {
  const TainFunctionInfo* info = Info();
  REQUIRE(info != nullptr);
  std::string names;
  for (int32_t i = 0; i < info->num_args; ++i) names += Str(info->args[i].name) + " ";
  CHECK(names == "a b items given made base keyword ");
  CHECK(Str(info->name) == "cpp_test.init.Config");
  CHECK(info->args[0].flags == (kTainArgNamed | kTainArgHasDefault | kTainArgUnchanged));
  CHECK(info->args[0].default_value.v_int64 == 1);
  CHECK(info->args[3].flags == (kTainArgNamed | kTainArgHasDefault));
  CHECK(info->args[3].default_value.v_int64 == 7);
  CHECK(info->args[4].flags == (kTainArgNamed | kTainArgHasDefault | kTainArgFactory));
  CHECK((info->args[6].flags & kTainArgKwOnly) != 0);
  const TainTypeRecord* record = TainGetTypeRecord(ConfigObj::RuntimeTypeIndex());
  CHECK((record->def.flags & kTainTypeFieldInit) != 0);
}

TEST_CASE("what is not given stays as the default constructor made it") {
  const Function create = ConstructorOf<ConfigObj>();
  const Config config = create().cast<Config>();
  CHECK(config->a == 1);
  CHECK(config->b == "b");
  CHECK(config->keyword == 3);
  CHECK(config->given == 7);
  CHECK(config->made.size() == 1);
  CHECK(config->items.size() == 2);
  CHECK(config.use_count() == 1);
}

TEST_CASE("no two objects share a default that can change") {
  const Function create = ConstructorOf<ConfigObj>();
  const Config one = create().cast<Config>();
  const Config two = create().cast<Config>();
  CHECK(!one->items.same_as(two->items));
  CHECK(!one->made.same_as(two->made));
  one->items.push_back(3);
  CHECK(create().cast<Config>()->items.size() == 2);
}

TEST_CASE("given fields are set, the marker leaves one alone") {
  const Function create = ConstructorOf<ConfigObj>();
  const auto base = tain::make_object<BaseObj>();
  const Config config =
      create(5, Unchanged(), tain::List<int64_t>{}, 1, tain::List<int64_t>{}, base, 8)
          .cast<Config>();
  CHECK(config->a == 5);
  CHECK(config->b == "b");
  CHECK(config->items.empty());
  CHECK(config->given == 1);
  CHECK(config->base == base);
  CHECK(config->keyword == 8);
  CHECK(base.use_count() == 2);
}

TEST_CASE("a wrong field names the class and the argument, and leaves nothing") {
  const Function create = ConstructorOf<ConfigObj>();
  const int64_t live = Live(ConfigObj::RuntimeTypeIndex());
  CHECK(ErrorOf([&] { create("x"); }) ==
        "TypeError: cpp_test.init.Config: argument a: expected int, got str ('x')");
  CHECK(ErrorOf([&] { create(1, 2); }) ==
        "TypeError: cpp_test.init.Config: argument b: expected str, got int (2)");
  CHECK(ErrorOf([&] { create(1, 2, 3, 4, 5, 6, 7, 8); }) ==
        "TypeError: cpp_test.init.Config() takes 0 to 6 positional arguments but 8 were given");
  CHECK(Live(ConfigObj::RuntimeTypeIndex()) == live);
}

TEST_CASE("it builds in place too") {
  const TainTypeRecord* record = TainGetTypeRecord(ConfigObj::RuntimeTypeIndex());
  alignas(ConfigObj) char memory[sizeof(ConfigObj)];
  const Any five = 5;
  REQUIRE(record->def.construct(memory, Info(), &five.data(), 1) == 0);
  CHECK(reinterpret_cast<ConfigObj*>(memory)->a == 5);
  record->def.destroy(memory, record);
  const Any wrong = "five";
  CHECK(record->def.construct(memory, Info(), &wrong.data(), 1) == -1);
  CHECK(TakeError() ==
        "TypeError: cpp_test.init.Config: argument a: expected int, got str ('five')");
}

TEST_CASE("a parent that is described after its child is a fault") {
  CHECK(FaultsOf([] {
          ObjectDef<EarlyChildObj>().def_rw("b", &EarlyChildObj::b).def_init_fields();
          ObjectDef<LateBaseObj>().def_rw("a", &LateBaseObj::a);
        }) ==
        "cpp_test.init.LateBase: described after its child cpp_test.init.EarlyChild, whose "
        "def_init_fields needs its fields: put the parent first");
}

TEST_CASE("a default constructor that throws is a fault") {
  CHECK(FaultsOf([] { ObjectDef<ThrowingObj>().def_rw("a", &ThrowingObj::a).def_init_fields(); }) ==
        "cpp_test.init.Throwing: cannot be made");
}

TEST_CASE("a default that objects would share is a fault") {
  CHECK(FaultsOf([] {
          ObjectDef<SharedDefaultObj>()
              .def_rw("items", &SharedDefaultObj::items, tain::default_(tain::List<int64_t>{}))
              .def_init_fields();
        }) ==
        "cpp_test.init.SharedDefault.items: the default can change and would be shared by all "
        "objects: use default_factory");
}
