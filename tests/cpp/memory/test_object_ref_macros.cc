// SPDX-License-Identifier: Apache-2.0
// The two-class form: handle classes made by macros, nullable or not, and copy-on-write.
#include "tain/object_ref_macros.h"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

#include "helpers/registration.h"
#include "tain/tain.h"

using namespace tain_test;

namespace {

class PairObj : public tain::Object {
 public:
  int64_t a = 0;
  int64_t b = 0;
  PairObj() = default;
  PairObj(int64_t a, int64_t b) : a(a), b(b) {}
  TAIN_DECLARE_OBJECT_INFO("cpp_test.macros.Pair", PairObj, tain::Object);
};
class Pair : public tain::ObjectRef {
 public:
  Pair(int64_t a, int64_t b) { data_ = tain::make_object<PairObj>(a, b); }
  TAIN_DEFINE_OBJECT_REF_METHODS_NULLABLE(Pair, tain::ObjectRef, PairObj);
  TAIN_DEFINE_OBJECT_REF_COW_METHOD(PairObj);
};

class TripleObj : public PairObj {
 public:
  int64_t c = 0;
  TAIN_DECLARE_OBJECT_INFO_FINAL("cpp_test.macros.Triple", TripleObj, PairObj);
};
class Triple : public Pair {
 public:
  Triple() : Pair(tain::UnsafeInit{}) { data_ = tain::make_object<TripleObj>(); }
  TAIN_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Triple, Pair, TripleObj);
};

class Mutable : public tain::ObjectRef {
 public:
  TAIN_DEFINE_MUTABLE_OBJECT_REF_METHODS_NULLABLE(Mutable, tain::ObjectRef, PairObj);
};
class MutableTriple : public Mutable {
 public:
  TAIN_DEFINE_MUTABLE_OBJECT_REF_METHODS_NOTNULLABLE(MutableTriple, Mutable, TripleObj);
};

}  // namespace

TAIN_REGISTER {
  tain::reflection::ObjectDef<PairObj>()
      .def_ro("a", &PairObj::a)
      .def_static("__create__", [](int64_t a, int64_t b) -> Pair { return Pair(a, b); });
  tain::reflection::ObjectDef<TripleObj>();
}

TEST_CASE("a nullable handle may be empty") {
  const Pair empty;
  CHECK(!empty.defined());
  CHECK(empty.get() == nullptr);
  CHECK(Pair::_type_is_nullable);
  const Pair pair(1, 2);
  CHECK(pair->b == 2);
  CHECK(pair.use_count() == 1);
  static_assert(std::is_same_v<decltype(pair.get()), const PairObj*>);
}

TEST_CASE("a handle that is never null has no default, and refuses None") {
  static_assert(!Triple::_type_is_nullable);
  CHECK(TripleObj::_type_final);
  CHECK(ErrorOf([] { tain::Any(nullptr).cast<Triple>(); }) ==
        "TypeError: expected cpp_test.macros.Triple, got None");
  CHECK(tain::Any(nullptr).cast<Pair>().get() == nullptr);
  CHECK(tain::TypeTraits<Pair>::TypeStr() == "cpp_test.macros.Pair | None");
  CHECK(tain::TypeTraits<Triple>::TypeStr() == "cpp_test.macros.Triple");
}

TEST_CASE("a child's handle is a parent's handle, and comes back by Downcast") {
  const Triple triple;
  const Pair pair = triple;
  CHECK(pair.same_as(triple));
  CHECK(tain::Downcast<Triple>(pair).same_as(triple));
  CHECK(pair.as<TripleObj>() == triple.get());
  CHECK(ErrorOf([] { tain::Downcast<Triple>(Pair(1, 2)); }) ==
        "TypeError: expected cpp_test.macros.Triple, got cpp_test.macros.Pair");
}

TEST_CASE("a mutable handle gives access for writing") {
  static_assert(std::is_same_v<decltype(std::declval<const Mutable&>().operator->()), PairObj*>);
  const Mutable handle(tain::make_object<PairObj>(1, 2));
  handle->a = 5;
  CHECK(handle->a == 5);
  const MutableTriple triple(tain::make_object<TripleObj>());
  triple->c = 7;
  CHECK(triple.get()->c == 7);
}

TEST_CASE("copy-on-write writes in place while nobody else sees the object") {
  Pair pair(1, 2);
  const PairObj* before = pair.get();
  pair.CopyOnWrite()->a = 9;
  CHECK(pair.get() == before);
  CHECK(pair->a == 9);
}

TEST_CASE("copy-on-write copies an object that others hold") {
  Pair one(1, 2);
  const Pair other = one;
  one.CopyOnWrite()->a = 9;
  CHECK(one->a == 9);
  CHECK(other->a == 1);
  CHECK(!one.same_as(other));
  CHECK(one.use_count() == 1);
  CHECK(other.use_count() == 1);
}

TEST_CASE("handles cross as their objects") {
  const Pair pair(3, 4);
  const tain::Any any = pair;
  CHECK(any.as<PairObj>() == pair.get());
  CHECK(any.cast<Pair>().same_as(pair));
  CHECK(ConstructorOf<PairObj>()(1, 2).cast<Pair>()->b == 2);
  CHECK(tain::GetRef<Pair>(pair.get()).same_as(pair));
}

TEST_CASE("a copy of a container has the same elements and is one of its own") {
  const auto copy_of = [](const tain::ObjectRef& source) {
    TainObject* copy = nullptr;
    REQUIRE(TainObjectCopy(tain::internal::RefAccess::Header(source), &copy) == 0);
    REQUIRE(copy != tain::internal::RefAccess::Header(source));
    return tain::Any(tain::ObjectRef(tain::internal::RefAccess::Steal<tain::Object>(copy)));
  };
  const tain::Array<int64_t> array = {1, 2};
  const auto copied = copy_of(array).cast<tain::Array<int64_t>>();
  CHECK((copied.size() == 2 && copied[0] == 1 && copied[1] == 2));
  tain::List<tain::Any> list = {1, "two"};
  const auto copied_list = copy_of(list).cast<tain::List<tain::Any>>();
  list.push_back(3);
  CHECK(copied_list.size() == 2);
  tain::Dict<tain::String, int64_t> dict = {{"a", 1}, {"b", 2}};
  const auto copied_dict = copy_of(dict).cast<tain::Dict<tain::String, int64_t>>();
  dict.Set("a", 5);
  CHECK((copied_dict.size() == 2 && copied_dict.at("a") == 1));
  const tain::Map<tain::String, int64_t> map = {{"a", 1}};
  CHECK((copy_of(map).cast<tain::Map<tain::String, int64_t>>().at("a") == 1));
  const tain::Shape shape = {2, 3};
  CHECK((copy_of(shape).cast<tain::Shape>()[1] == 3));
}
