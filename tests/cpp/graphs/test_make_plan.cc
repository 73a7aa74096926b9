// SPDX-License-Identifier: Apache-2.0
// What constructors take of the fields of their type.
#include <doctest/doctest.h>

#include <string>

#include "helpers/registration.h"
#include "tain/arguments.h"
#include "tain/internal/make_plan.h"
#include "tain/reflection/object_def.h"

using namespace tain;
using namespace tain::internal;
using namespace tain_test;

namespace {

struct PlanPartsObj : Object {
  Any note;
  const int64_t id;
  int64_t size;
  explicit PlanPartsObj(int64_t size, int64_t id = 0) : id(id), size(size) {}
  PlanPartsObj(const PlanPartsObj&) = delete;
};
struct PlanOneObj : PlanPartsObj {
  PlanOneObj(int64_t size, int64_t id, bool) : PlanPartsObj(size, id) {}
  TAIN_OBJECT("test_make_plan.One", PlanOneObj, Object);
};
/// Takes what is no field.
struct PlanSeedObj : PlanPartsObj {
  using PlanPartsObj::PlanPartsObj;
  TAIN_OBJECT("test_make_plan.Seed", PlanSeedObj, Object);
};
/// Has overloads, of which the last takes fields.
struct PlanManyObj : PlanPartsObj {
  explicit PlanManyObj(const String& seed) : PlanPartsObj(static_cast<int64_t>(seed.size())) {}
  explicit PlanManyObj(int64_t size) : PlanPartsObj(size) {}
  TAIN_OBJECT("test_make_plan.Many", PlanManyObj, Object);
};
/// Has overloads that all take what is no field.
struct PlanFewObj : PlanPartsObj {
  explicit PlanFewObj(const String& seed) : PlanPartsObj(static_cast<int64_t>(seed.size())) {}
  explicit PlanFewObj(int64_t number) : PlanPartsObj(number) {}
  TAIN_OBJECT("test_make_plan.Few", PlanFewObj, Object);
};
struct PlanRestObj : PlanPartsObj {
  PlanRestObj(int64_t size, const Args&) : PlanPartsObj(size) {}
  TAIN_OBJECT("test_make_plan.Rest", PlanRestObj, Object);
};
/// Has no constructor.
struct PlanNoneObj : PlanPartsObj {
  using PlanPartsObj::PlanPartsObj;
  TAIN_OBJECT("test_make_plan.None", PlanNoneObj, Object);
};

template <class T>
reflection::ObjectDef<T>& WithFields(reflection::ObjectDef<T>&& def) {
  return def.def_rw("note", &T::note).def_ro("id", &T::id).def_rw("size", &T::size);
}

template <class T>
const TainTypeRecord& RecordOf() {
  return *TainGetTypeRecord(T::RuntimeTypeIndex());
}
template <class T>
const MakePlans& PlansOf() {
  return MakePlansOf(RecordOf<T>());
}

/// The fields of a plan: the name, its parameter, `!` if it is required, `<` if it comes first.
std::string FieldsText(const MakePlan& plan) {
  std::string text;
  for (const MakePlan::Field& field : plan.fields) {
    text += Str(field.def->info.name) + std::to_string(field.param) +
            (field.is_required ? "!" : "") + (field.is_first ? "<" : "") + " ";
  }
  return text;
}
std::string MissingIn(const MakePlan& plan) {
  return plan.missing == nullptr ? "" : Str(plan.missing->name);
}

}  // namespace

TAIN_REGISTER {
  namespace refl = tain::reflection;
  WithFields(refl::ObjectDef<PlanOneObj>())
      .def_init<int64_t, int64_t, bool>(arg("size"), arg("id") = 0, arg("fast") = false);
  WithFields(refl::ObjectDef<PlanSeedObj>()).def_init<int64_t>(arg("seed"));
  WithFields(refl::ObjectDef<PlanManyObj>())
      .def_init<const String&>(arg("seed"))
      .def_init<int64_t>(arg("size"));
  WithFields(refl::ObjectDef<PlanFewObj>())
      .def_init<const String&>(arg("seed"))
      .def_init<int64_t>(arg("number"));
  WithFields(refl::ObjectDef<PlanRestObj>()).def_init<int64_t, Args>(arg("size"));
  WithFields(refl::ObjectDef<PlanNoneObj>());
}

TEST_CASE("a constructor gets what it needs, and what cannot be set later") {
  const MakePlan* plan = PlansOf<PlanOneObj>().single();
  REQUIRE(plan != nullptr);
  CHECK(FieldsText(*plan) == "note-1 id1< size0!< ");
  CHECK(plan->field_of_param == std::vector<int32_t>{2, 1, -1});
  CHECK(plan->missing == nullptr);
  CHECK(plan->takes_fields);
  CHECK(PlansOf<PlanOneObj>().taking_fields() == plan);
  CHECK(PlansOf<PlanOneObj>().of_host() == plan);
}

TEST_CASE("a parameter that is no field is missing") {
  const MakePlans& plans = PlansOf<PlanSeedObj>();
  CHECK(MissingIn(*plans.of_host()) == "seed");
  CHECK(plans.taking_fields() == nullptr);
  CHECK(FieldsText(*plans.single()) == "note-1 id-1 size-1 ");
}

TEST_CASE("of overloads the first one that takes fields counts") {
  const MakePlans& plans = PlansOf<PlanManyObj>();
  REQUIRE(plans.all.size() == 2);
  CHECK(plans.single() == nullptr);
  CHECK(plans.taking_fields() == &plans.all[1]);
  CHECK(plans.of_host() == &plans.all[1]);
  const MakePlans& few = PlansOf<PlanFewObj>();
  CHECK(few.taking_fields() == nullptr);
  CHECK(few.of_host() == &few.all[0]);
  CHECK(MissingIn(*few.of_host()) == "seed");
}

TEST_CASE("a parameter that takes the rest may get nothing, but it is not known what it got") {
  const MakePlan* plan = PlansOf<PlanRestObj>().single();
  REQUIRE(plan != nullptr);
  CHECK(MissingIn(*plan) == "args");
  CHECK(PlansOf<PlanRestObj>().taking_fields() == plan);
}

TEST_CASE("a type without a constructor has its fields, and the plan of what stands for it") {
  const MakePlans& plans = PlansOf<PlanNoneObj>();
  CHECK(plans.single() == nullptr);
  CHECK(plans.taking_fields() == nullptr);
  CHECK(plans.of_host() == nullptr);
  const auto& record = RecordOf<PlanNoneObj>();
  const TainFunctionInfo* other = TainFunctionGetInfo(RecordOf<PlanOneObj>().constructor);
  const MakePlans& instead = MakePlansOf(record, other);
  CHECK(instead.single()->info == other);
  CHECK(instead.single()->fields.size() == 3);
  CHECK(&MakePlansOf(record, other) == &instead);
  CHECK(&MakePlansOf(record) == &plans);
  CHECK(&MakePlansOf(record, nullptr) == &plans);
}
