// SPDX-License-Identifier: Apache-2.0
// A registry of its own, beside the default one: types, members, units and columns of keys.
#include <doctest/doctest.h>

#include <memory>
#include <mutex>
#include <string>

#include "helpers/c_helpers.h"
#include "helpers/error_of.h"
#include "registry/key_functions.h"
#include "registry/member_writer.h"
#include "registry/registry.h"
#include "registry/unit.h"
#include "tain/convert.h"
#include "tain/string.h"

using namespace tain;
using namespace tain::internal;
using namespace tain_test;

namespace {

TainFieldDef IntField(std::string_view name, int64_t offset) {
  TainFieldDef def{};
  def.info.name = Text(name);
  def.info.size = sizeof(int64_t);
  def.info.alignment = alignof(int64_t);
  def.info.offset = offset;
  def.info.flags = kTainFieldHasDefault;
  def.info.getter = [](void* field, TainAny* result) noexcept {
    result->type_index = kTainInt;
    result->v_int64 = *static_cast<int64_t*>(field);
    return 0;
  };
  def.kind = kTainFieldInt64;
  def.type = Text("int");
  return def;
}

Unit* AddUnit(Registry& registry) {
  const std::unique_lock lock(registry.mutex);
  return registry.units.Add(nullptr, "private", "private.so");
}

int32_t NumFields(const Registry& registry, int32_t index) {
  return registry.types.Find(index)->record.num_fields;
}

const TainAny* ValueIn(const Registry& registry, const char* column, int32_t index) {
  const TainTypeAttrColumn& values = *registry.attrs.find(column)->second;
  const int32_t at = index - values.begin_index;
  return at < values.size ? &values.data[at] : nullptr;
}

}  // namespace

TEST_CASE("two registries give the same index to different types") {
  auto one = std::make_unique<Registry>();
  auto other = std::make_unique<Registry>();
  const int32_t index = one->RequestType(Request("private.One"), nullptr);
  CHECK(index == kTainDynObjectBegin);
  CHECK(other->RequestType(Request("private.Other"), nullptr) == index);
  CHECK(one->types.Find(index)->key() == "private.One");
  CHECK(other->types.Find(index)->key() == "private.Other");
  CHECK(one->types.FindKey("private.Other") == nullptr);
  CHECK(Registry::Default().types.FindKey("private.One") == nullptr);
  CHECK(one->types.FindKey("ffi.Object")->info.type_index == kTainObject);
}

TEST_CASE("members belong to the type of one registry") {
  auto registry = std::make_unique<Registry>();
  auto other = std::make_unique<Registry>();
  const int32_t index = registry->RequestType(Request("private.Point"), nullptr);
  other->RequestType(Request("private.Point"), nullptr);
  MemberWriter(*registry, index, nullptr).AddField(IntField("x", 24), Any(7));
  CHECK(NumFields(*registry, index) == 1);
  CHECK(NumFields(*other, index) == 0);
  const TainFieldDef& field = *registry->types.Find(index)->record.fields[0];
  CHECK(Str(field.info.name) == "x");
  CHECK(ErrorOf([&] {
          MemberWriter(*registry, index, nullptr).AddField(IntField("x", 32), Any());
        }) == "ValueError: private.Point.x: the name is already that of a field");
  CHECK(ErrorOf([&] {
          MemberWriter(*registry, index, nullptr).AddField(IntField("y", 32), Any("text"));
        }) == "TypeError: private.Point.y: expected a default of type int, got str");
  CHECK(NumFields(*registry, index) == 1);
  CHECK(ErrorOf([&] { MemberWriter writer(*registry, index + 1, nullptr); }) ==
        "ValueError: type index " + std::to_string(index + 1) +
            " is not that of a registered type");
}

TEST_CASE("a unit is committed in its registry") {
  auto registry = std::make_unique<Registry>();
  Unit* unit = AddUnit(*registry);
  const int32_t index = registry->RequestType(Request("private.Kept"), unit);
  MemberWriter(*registry, index, unit).AddField(IntField("x", 24), Any(0));
  CHECK(registry->types.Find(index)->provisional == unit);
  CHECK(SettleUnits(*registry, {unit}).empty());
  CHECK(registry->types.Find(index)->provisional == nullptr);
  CHECK(registry->types.FindKey("private.Kept") != nullptr);
  CHECK(unit->journal.empty());
}

TEST_CASE("a unit with a fault is withdrawn from its registry") {
  auto registry = std::make_unique<Registry>();
  Unit* unit = AddUnit(*registry);
  const int32_t before = registry->RequestType(Request("private.Before"), nullptr);
  const int32_t index = registry->RequestType(Request("private.Gone"), unit);
  MemberWriter(*registry, before, unit).AddField(IntField("x", 24), Any(0));
  unit->called_methods.push_back({index, "area"});
  {
    const std::unique_lock lock(registry->mutex);
    FindUnlisted(*registry, unit);
  }
  const std::string text = SettleUnits(*registry, {unit});
  CHECK(text.find("private.Gone.area: expected def_virtual(\"area\", ...)") != std::string::npos);
  CHECK(registry->types.FindKey("private.Gone") == nullptr);
  CHECK(registry->types.Find(index)->dead());
  CHECK(NumFields(*registry, before) == 0);
  CHECK(unit->refused);
}

TEST_CASE("columns of keys are inherited in their registry") {
  auto registry = std::make_unique<Registry>();
  auto other = std::make_unique<Registry>();
  const int32_t parent = registry->RequestType(Request("private.Key"), nullptr);
  other->RequestType(Request("private.Key"), nullptr);
  {
    const std::unique_lock lock(registry->mutex);
    FillKeyColumns(*registry, parent, true);
  }
  TainTypeRequest request = Request("private.Child");
  request.parent = parent;
  request.depth = 2;
  const int32_t child = registry->RequestType(request, nullptr);
  for (const char* column : {"__any_hash__", "__any_equal__"}) {
    CAPTURE(column);
    CHECK(IsKeyFunction(*ValueIn(*registry, column, parent)));
    CHECK(IsKeyFunction(*ValueIn(*registry, column, child)));
    const TainAny* there = ValueIn(*other, column, parent);
    CHECK((there == nullptr || there->type_index == kTainNone));
  }
}
