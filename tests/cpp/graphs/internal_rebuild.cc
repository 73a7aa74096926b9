// SPDX-License-Identifier: Apache-2.0
// What graph operations know of a type, the parts of values, and copies by fields.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "compare/structural_plan.h"
#include "graphs/parts.h"
#include "graphs/rebuild.h"
#include "helpers/error_of.h"
#include "helpers/registration.h"
#include "tain/container/array.h"
#include "tain/container/dict.h"
#include "tain/container/list.h"
#include "tain/reflection/object_def.h"

using namespace tain;
using namespace tain::internal;
using namespace tain_test;

namespace {

struct PartBaseObj : Object {
  int64_t first = 1;
  Any second;
  TAIN_OBJECT("internal_rebuild.Base", PartBaseObj, Object);
};
/// Registers a field of its parent again.
struct PartChildObj : PartBaseObj {
  String third = "t";
  TAIN_OBJECT("internal_rebuild.Child", PartChildObj, PartBaseObj);
};
struct PartVarObj : PartChildObj {
  TAIN_OBJECT("internal_rebuild.Var", PartVarObj, PartChildObj);
};
/// Without constructors, with a const member.
struct PartPinObj : Object {
  const int64_t value;
  explicit PartPinObj(int64_t value) : value(value) {}
  PartPinObj(const PartPinObj&) = delete;
  TAIN_OBJECT("internal_rebuild.Pin", PartPinObj, Object);
};
/// Can be copied, but nothing sets its const member.
struct PartFixedObj : Object {
  const int64_t value = 2;
  int64_t other = 3;
  TAIN_OBJECT("internal_rebuild.Fixed", PartFixedObj, Object);
};
struct PartNarrowObj : Object {
  int8_t small = 0;
  TAIN_OBJECT("internal_rebuild.Narrow", PartNarrowObj, Object);
};

template <class T>
TainObject* HeaderOfRef(const Ref<T>& ref) {
  return RefAccess::Header(ref);
}

std::string NamesOf(const TypeFacts& type) {
  std::string names;
  for (const TainFieldDef* field : type.fields) names += Str(field->info.name) + " ";
  return names;
}

std::string PartsOfValue(TainObject* object) {
  std::string text;
  Parts parts(object);
  Part part;
  while (parts.Next(&part)) {
    text += std::to_string(static_cast<int>(part.kind)) + ":" + std::to_string(part.index) + " ";
  }
  return text;
}

}  // namespace

TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::ObjectDef<PartBaseObj>(structural(StructuralKind::kDag))
      .def_rw("first", &PartBaseObj::first)
      .def_rw("second", &PartBaseObj::second);
  refl::ObjectDef<PartChildObj>()
      .def_ro("first", &PartBaseObj::first)
      .def_rw("third", &PartChildObj::third);
  refl::ObjectDef<PartVarObj>(structural(StructuralKind::kVariable));
  refl::ObjectDef<PartPinObj>().def_ro("value", &PartPinObj::value).def_init<int64_t>(arg("value"));
  refl::ObjectDef<PartFixedObj>()
      .def_ro("value", &PartFixedObj::value)
      .def_rw("other", &PartFixedObj::other);
  refl::ObjectDef<PartNarrowObj>().def_rw("small", &PartNarrowObj::small);
}

template <class T>
StructuralKind KindOf() {
  return StructuralPlans().Of(T::RuntimeTypeIndex()).plan->kind;
}

TEST_CASE("a type has the fields of its parents, and each name once") {
  const TypeFacts& type = FactsOf(PartVarObj::RuntimeTypeIndex());
  CHECK(NamesOf(type) == "first second third ");
  const TainFieldDef* first = FieldNamed(type, "first");
  REQUIRE(first != nullptr);
  CHECK(first->declaring_type == PartChildObj::RuntimeTypeIndex());
  CHECK((first->info.flags & kTainFieldWritable) == 0);
  CHECK(FieldNamed(type, "fourth") == nullptr);
  CHECK(FieldPlace(PartVarObj::RuntimeTypeIndex(), *first) == "internal_rebuild.Var.first");
}

TEST_CASE("the structural kind is that of the nearest type that states one") {
  CHECK(KindOf<PartBaseObj>() == StructuralKind::kDag);
  CHECK(KindOf<PartChildObj>() == StructuralKind::kDag);
  CHECK(KindOf<PartVarObj>() == StructuralKind::kVariable);
  CHECK(KindOf<PartPinObj>() == StructuralKind::kTree);
  CHECK(FactsOf(100'000).fields.empty());
}

TEST_CASE("the parts of a value come in order") {
  const Ref<PartChildObj> child = make_object<PartChildObj>();
  CHECK(PartsOfValue(HeaderOfRef(child)) == "0:0 0:1 0:2 ");
  const Array<Any> array({1, 2});
  CHECK(PartsOfValue(RefAccess::Header(array)) == "1:0 1:1 ");
  const Dict<Any, Any> dict({{"a", 1}, {"b", 2}});
  CHECK(PartsOfValue(RefAccess::Header(dict)) == "2:0 3:0 2:1 3:1 ");
  CHECK(PartsOfValue(RefAccess::Header(List<Any>())) == "");
}

TEST_CASE("a map that changes between two parts raises an error, a list ends") {
  Dict<Any, Any> dict({{"a", 1}, {"b", 2}});
  Parts entries(RefAccess::Header(dict));
  Part part;
  CHECK(entries.Next(&part));
  dict.clear();
  CHECK(ErrorOf([&] { entries.Next(&part); }).find("RuntimeError: ") == 0);
  List<Any> list({1, 2});
  Parts elements(RefAccess::Header(list));
  CHECK(elements.Next(&part));
  list.clear();
  CHECK_FALSE(elements.Next(&part));
}

TEST_CASE("a held part survives the change of its object") {
  List<Any> list({Any(make_object<PartBaseObj>())});
  Parts elements(RefAccess::Header(list));
  Part part;
  CHECK(elements.Next(&part));
  part.Hold();
  list.clear();
  CHECK(part.owner.cast<Ref<PartBaseObj>>()->first == 1);
}

TEST_CASE("read-only fields are written by their record") {
  const Ref<PartChildObj> child = make_object<PartChildObj>();
  const TypeFacts& type = FactsOf(PartChildObj::RuntimeTypeIndex());
  WriteField(HeaderOfRef(child), *FieldNamed(type, "first"), Any(5).data());
  CHECK(child->first == 5);
  const Any copy = CopyWithFields(HeaderOfRef(child), {{FieldNamed(type, "first"), 6}});
  CHECK(copy.cast<Ref<PartChildObj>>()->first == 6);
  CHECK(child->first == 5);
}

TEST_CASE("a field without a setter is not written") {
  TainFieldDef bare = *FieldNamed(FactsOf(PartBaseObj::RuntimeTypeIndex()), "first");
  bare.info.setter = nullptr;
  const Ref<PartBaseObj> base = make_object<PartBaseObj>();
  CHECK_FALSE(TryWriteField(HeaderOfRef(base), bare, Any(2).data()));
  CHECK(ErrorOf([&] { WriteField(HeaderOfRef(base), bare, Any(2).data()); }) ==
        "TypeError: internal_rebuild.Base.first cannot be set: the member is const");
}

TEST_CASE(
    "a const member gets its value from a constructor, or the error says that none takes it") {
  const Ref<PartPinObj> pin = make_object<PartPinObj>(1);
  const TypeFacts& type = FactsOf(PartPinObj::RuntimeTypeIndex());
  const Any copy = CopyWithFields(HeaderOfRef(pin), {{FieldNamed(type, "value"), 4}});
  CHECK(copy.cast<Ref<PartPinObj>>()->value == 4);
  const Ref<PartFixedObj> fixed = make_object<PartFixedObj>();
  const TypeFacts& closed = FactsOf(PartFixedObj::RuntimeTypeIndex());
  CHECK(ErrorOf([&] { CopyWithFields(HeaderOfRef(fixed), {{FieldNamed(closed, "value"), 4}}); }) ==
        "TypeError: internal_rebuild.Fixed.value cannot be set: the member is const");
  const Any other = CopyWithFields(HeaderOfRef(fixed), {{FieldNamed(closed, "other"), 4}});
  CHECK(other.cast<Ref<PartFixedObj>>()->other == 4);
}

TEST_CASE("a value that a setter refuses is named with its place") {
  const Ref<PartNarrowObj> narrow = make_object<PartNarrowObj>();
  const TainFieldDef* small = FieldNamed(FactsOf(PartNarrowObj::RuntimeTypeIndex()), "small");
  CHECK(ErrorOf([&] { CopyWithFields(HeaderOfRef(narrow), {{small, 300}}); }) ==
        "OverflowError: internal_rebuild.Narrow.small: expected int in -128..127, got 300");
  CHECK(narrow->small == 0);
}

TEST_CASE("an object is made from its fields") {
  const TypeFacts& type = FactsOf(PartChildObj::RuntimeTypeIndex());
  const TainTypeRecord& record = *TainGetTypeRecord(PartChildObj::RuntimeTypeIndex());
  const Any made = MakeFromFields(record, {{FieldNamed(type, "third"), String("x")}});
  CHECK(made.cast<Ref<PartChildObj>>()->third == "x");
  CHECK(made.cast<Ref<PartChildObj>>()->first == 1);
  const TainTypeRecord& pin = *TainGetTypeRecord(PartPinObj::RuntimeTypeIndex());
  CHECK(ErrorOf([&] { MakeFromFields(pin, {}); }) ==
        "TypeError: internal_rebuild.Pin cannot be rebuilt: its class has no copy constructor, no "
        "default constructor and no constructor whose parameters are its fields");
}
