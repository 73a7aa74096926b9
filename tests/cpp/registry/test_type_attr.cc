// SPDX-License-Identifier: Apache-2.0
// Attribute columns: there from the start, at one address for ever.
#include <doctest/doctest.h>

#include "helpers/c_helpers.h"

using namespace tain_test;

namespace {

const TainTypeAttrColumn* Column(std::string_view name) {
  const TainByteArray text = Text(name);
  return TainGetTypeAttrColumn(&text);
}

}  // namespace

TEST_CASE("the columns that others cache exist before anything is registered") {
  for (const char* name : {"__ffi_new__",
                           "__ffi_init__",
                           "__ffi_convert__",
                           "__ffi_shallow_copy__",
                           "__ffi_repr__",
                           "__ffi_hash__",
                           "__ffi_eq__",
                           "__ffi_compare__",
                           "__any_hash__",
                           "__any_equal__",
                           "__s_equal__",
                           "__s_hash__",
                           "__s_visit__",
                           "__s_mutate__",
                           "__s_maybe_inplace_mutate__",
                           "__data_to_json__",
                           "__data_from_json__",
                           "__ffi_enum__",
                           "__ffi_type_final__",
                           "__ffi_convert_type_schema__"}) {
    CAPTURE(name);
    CHECK(Column(name) != nullptr);
  }
  CHECK(Column("__nobody_asked__") == nullptr);
  CHECK(TainGetTypeAttrColumn(nullptr) == nullptr);
}

TEST_CASE("a column keeps its address while it grows, and its own values only") {
  const TainByteArray name = Text("__test_attr__");
  REQUIRE(TainTypeRegisterAttr(0, &name, nullptr) == 0);
  const TainTypeAttrColumn* column = Column("__test_attr__");
  REQUIRE(column != nullptr);
  CHECK(column->size == 0);

  int32_t last = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::string key = "attr.T" + std::to_string(i);
    const TainTypeRequest request = Request(key);
    last = TainTypeRequestIndex(&request);
    if (i % 2 == 1) continue;
    const TainAny value = IntValue(i);
    REQUIRE(TainTypeRegisterAttr(last, &name, &value) == 0);
  }
  CHECK(Column("__test_attr__") == column);
  const TainAny* at = column->data - column->begin_index;
  CHECK(at[last].type_index == kTainNone);
  CHECK(at[last - 1].type_index == kTainInt);
  CHECK(at[last - 1].v_int64 == 998);
  CHECK(at[kTainObject].type_index == kTainNone);  // nothing is inherited
}

TEST_CASE("an attribute is set once, for a type that exists, to a value") {
  const TainByteArray name = Text("__test_once__");
  const TainTypeRequest request = Request("attr.Once");
  const int32_t index = TainTypeRequestIndex(&request);
  const TainAny value = IntValue(1);
  REQUIRE(TainTypeRegisterAttr(index, &name, &value) == 0);
  CHECK(TainTypeRegisterAttr(index, &name, &value) == 0);  // it is that already
  const TainAny other = IntValue(2);
  CHECK(TainTypeRegisterAttr(index, &name, &other) == -1);
  CHECK(TakeError() == "ValueError: attr.Once: the attribute __test_once__ is already set");
  CHECK(TainTypeRegisterAttr(900000, &name, &value) == -1);
  CHECK(TakeError() == "ValueError: type index 900000 is not that of a registered type");
  CHECK(TainTypeRegisterAttr(index, nullptr, &value) == -1);
  CHECK(TakeError() == "TypeError: TainTypeRegisterAttr: expected a name, got null");
  CHECK(TainTypeRegisterAttr(index, &name, nullptr) == -1);
  CHECK(TakeError() == "TypeError: TainTypeRegisterAttr: expected a value, got null");
  const TainByteArray empty = Text("");
  CHECK(TainTypeRegisterAttr(index, &empty, &value) == -1);
  CHECK(TakeError() == "ValueError: type attribute: the name is empty");
}

TEST_CASE("a column owns its values") {
  const TainByteArray name = Text("__test_owned__");
  const TainTypeRequest request = Request("attr.Owner");
  const int32_t index = TainTypeRequestIndex(&request);
  TainObject* function = MakeCounter();
  const TainAny value = FunctionValue(function);
  REQUIRE(TainTypeRegisterAttr(index, &name, &value) == 0);
  TainObjectDecRef(function);
  const TainTypeAttrColumn* column = Column("__test_owned__");
  const TainAny& stored = column->data[index - column->begin_index];
  REQUIRE(stored.type_index == kTainFunction);
  TainAny result{};
  CHECK(TainFunctionCall(stored.v_obj, &value, 1, &result) == 0);
  CHECK(result.v_int64 == 1);
}
