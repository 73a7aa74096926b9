// SPDX-License-Identifier: Apache-2.0
// A made-up built-in type, and all of libtain that reads the table of them.
#include "tain/internal/builtin_types.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "dynamic/value_type.h"
#include "registry/foreign_type.h"
#include "registry/member_writer.h"
#include "registry/registry.h"
#include "tain/convert.h"

using namespace tain;
using namespace tain::internal;

namespace {

constexpr int32_t kMade = 120, kRope = 121;
constexpr ValueLeaf kNever = {[](const TainAny*) { return false; },
                              [](const TainAny*, Any*) { return false; },
                              [](const TainAny*) { return Mismatch("Made"); }};

/// Adds the rows once for all tests of this program.
void AddMade() {
  static const bool added =
      AddBuiltinType({kMade, "test.Made", "Made", "Schema.Made", "decimal", "Decimal",
                      BuiltinForm::kLeaf, BuiltinRefs::kNone, &kNever}) &&
      AddBuiltinType({kRope, "test.Rope", "Rope", "Schema.Rope", "collections", "deque",
                      BuiltinForm::kSequence, BuiltinRefs::kOfParts, &kNever});
  REQUIRE(added);
}

TainAny ValueOf(int32_t type_index) {
  TainAny value{};
  value.type_index = type_index;
  return value;
}

std::string FieldType(const std::string& metadata) {
  return TypeFromMetadata({metadata.data(), metadata.size()});
}

}  // namespace

TEST_CASE("a new registry has the type, and messages its name") {
  AddMade();
  const auto own = std::make_unique<Registry>();
  REQUIRE(own->types.Find(kMade) != nullptr);
  CHECK(own->types.Find(kMade)->key() == "test.Made");
  CHECK(own->types.FindKey("test.Rope")->info.type_index == kRope);
  CHECK(NameOfValueType(*own, ValueOf(kMade)) == "Made");
  CHECK(TypeNameOf(ValueOf(kMade)) == "Made");
}

TEST_CASE("values are converted to it, alone and in brackets") {
  AddMade();
  const auto leaf = ValueType::Parse("Made", "", -1);
  CHECK(leaf->kind() == ValueType::Kind::kLeaf);
  CHECK(leaf->index() == kMade);
  const auto rope = ValueType::Parse("Rope[Made]", "", -1);
  CHECK(rope->kind() == ValueType::Kind::kSequence);
  CHECK(rope->index() == kRope);
  CHECK_THROWS_WITH(ValueType::Parse("Rope[Made, int]", "", -1),
                    "'Rope[Made, int]': Rope takes one type");
}

TEST_CASE("schemas have it both ways") {
  AddMade();
  const std::string metadata = FieldMetadata("Rope[Made] | None");
  CHECK(metadata ==
        R"({"type_schema":"{\"type\":\"Optional\",\"args\":[{\"type\":\"Schema.Rope\",\"args\":)"
        R"([{\"type\":\"Schema.Made\"}]}]}"})");
  CHECK(FieldType(metadata) == "Rope[Made] | None");
}

TEST_CASE("walks and edges know where its values lead") {
  AddMade();
  CHECK(LeadsNowhere("Made"));
  CHECK(LeadsNowhere("Rope[Made | int] | None"));
  CHECK_FALSE(LeadsNowhere("Rope"));
  CHECK_FALSE(LeadsNowhere("Rope[Object]"));
  CHECK_FALSE(LeadsNowhere("List[Made]"));
}

TEST_CASE("the table is bounded") {
  AddMade();
  const BuiltinType again = *FindBuiltin("Made");
  int added = 0;
  while (added < 100 && AddBuiltinType(again)) ++added;
  CHECK(added < 100);
  CHECK(FindBuiltin("Made")->index == kMade);
}
