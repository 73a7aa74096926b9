// SPDX-License-Identifier: Apache-2.0
// Handles: Ref, Ptr, Weak, ObjectRef, and the counts that they keep.
#include "tain/ref.h"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>
#include <utility>

#include "helpers/registration.h"

using namespace tain_test;
using tain::ObjectRef;
using tain::Ptr;
using tain::Ref;
using tain::Weak;

namespace {

int alive = 0;

struct BaseObj : tain::Object {
  int64_t value = 0;
  explicit BaseObj(int64_t value = 0) : value(value) { ++alive; }
  BaseObj(const BaseObj& other) : Object(other), value(other.value) { ++alive; }
  BaseObj& operator=(const BaseObj&) = default;
  ~BaseObj() { --alive; }
  TAIN_OBJECT("cpp_test.ref.Base", BaseObj, tain::Object);
};
struct ChildObj : BaseObj {
  Ptr<ChildObj> next;
  using BaseObj::BaseObj;
  TAIN_OBJECT("cpp_test.ref.Child", ChildObj, BaseObj);
};
struct RefusingObj : tain::Object {
  RefusingObj() { throw 1; }
  TAIN_OBJECT("cpp_test.ref.Throwing", RefusingObj, tain::Object);
};
struct SecondBase {
  int64_t word = 1;
  virtual ~SecondBase() = default;
};
struct MixedObj : SecondBase, BaseObj {
  TAIN_OBJECT("cpp_test.ref.Mixed", MixedObj, BaseObj);
};

}  // namespace

TEST_CASE("a new object has one reference and dies with it") {
  {
    const Ptr<BaseObj> p = tain::make_object<BaseObj>(3);
    CHECK(p.use_count() == 1);
    CHECK(p.unique());
    CHECK(p->value == 3);
    CHECK(p->GetTypeKey() == "cpp_test.ref.Base");
    CHECK(alive == 1);
    CHECK(Live(BaseObj::RuntimeTypeIndex()) == 1);
  }
  CHECK(alive == 0);
  CHECK(Live(BaseObj::RuntimeTypeIndex()) == 0);
}

TEST_CASE("copies count, moves do not") {
  Ptr<BaseObj> a = tain::make_object<BaseObj>();
  Ptr<BaseObj> b = a;
  CHECK(a.use_count() == 2);
  const Ptr<BaseObj> c = std::move(b);
  CHECK(a.use_count() == 2);
  CHECK(b == nullptr);
  a = c;
  CHECK(c.use_count() == 2);
  auto& same = a;
  a = same;
  CHECK(c.use_count() == 2);
  a.reset();
  CHECK(c.use_count() == 1);
}

TEST_CASE("a Ref is never null") {
  static_assert(!std::is_default_constructible_v<Ref<BaseObj>>);
  static_assert(!std::is_constructible_v<Ref<BaseObj>, std::nullptr_t>);
  CHECK(ErrorOf([] { Ref<BaseObj>{Ptr<BaseObj>()}; }).find("cpp_test.ref.Base") !=
        std::string::npos);
  Ref<BaseObj> ref = tain::make_object<BaseObj>(4);
  CHECK((*ref).value == 4);
  const Ref<BaseObj> moved = std::move(ref);
  CHECK(!ref.defined());  // NOLINT: that it is empty is the point
  CHECK(moved.use_count() == 1);
}

TEST_CASE("a child's handle converts to its parent's, not back") {
  const Ref<ChildObj> child = tain::make_object<ChildObj>(5);
  const Ref<BaseObj> base = child;
  const Ptr<BaseObj> ptr = child;
  CHECK(base.same_as(child));
  CHECK(ptr.get() == child.get());
  CHECK(child.use_count() == 3);
  static_assert(!std::is_constructible_v<Ref<ChildObj>, Ref<BaseObj>>);
  CHECK(base.as<ChildObj>() == child.get());
  CHECK(base->IsInstance<ChildObj>());
  CHECK(!tain::make_object<BaseObj>()->IsInstance<ChildObj>());
  CHECK(base->IsInstance<tain::Object>());
}

TEST_CASE("ObjectRef holds anything or nothing") {
  const ObjectRef nothing;
  CHECK(!nothing.defined());
  CHECK(nothing.type_index() == kTainNone);
  CHECK(nothing.as<BaseObj>() == nullptr);
  const ObjectRef some = Ref<BaseObj>(tain::make_object<BaseObj>());
  CHECK(some.as<BaseObj>() != nullptr);
  CHECK(some.as<ChildObj>() == nullptr);
}

TEST_CASE("a weak reference does not keep its object") {
  Ptr<BaseObj> p = tain::make_object<BaseObj>(6);
  const Weak<BaseObj> weak(p);
  const Weak<BaseObj> copy = weak;  // NOLINT: copied on purpose
  CHECK(p.use_count() == 1);
  CHECK(weak.lock()->value == 6);
  CHECK(!copy.expired());
  p.reset();
  CHECK(alive == 0);
  CHECK(weak.expired());
  CHECK(copy.lock() == nullptr);
  CHECK(Weak<BaseObj>().lock() == nullptr);
}

TEST_CASE("an object whose constructor throws leaves nothing behind") {
  CHECK_THROWS_AS(tain::make_object<RefusingObj>(), int);
  CHECK(Live(RefusingObj::RuntimeTypeIndex()) == 0);
}

TEST_CASE("a copied object has a header of its own") {
  const Ptr<BaseObj> one = tain::make_object<BaseObj>(7);
  const Ptr<BaseObj> alias = one;
  const Ptr<BaseObj> copy = tain::make_object<BaseObj>(*one);
  CHECK(copy->value == 7);
  CHECK(copy.use_count() == 1);
  *copy = *one;
  CHECK(copy.use_count() == 1);
  CHECK(one.use_count() == 2);
}

TEST_CASE("words before the header do no harm") {
  {
    const Ref<MixedObj> mixed = tain::make_object<MixedObj>();
    CHECK(mixed->word == 1);
    const Ref<BaseObj> base = mixed;
    CHECK(base.as<MixedObj>() == mixed.get());
    CHECK(tain::GetRef<Ref<MixedObj>>(mixed.get()).same_as(base));
  }
  CHECK(alive == 0);
}

TEST_CASE("a chain of a million is freed without exhausting the stack") {
  Ptr<ChildObj> head;
  for (int i = 0; i < 1000000; ++i) {
    auto node = tain::make_object<ChildObj>(i);
    node->next = std::move(head);
    head = std::move(node);
  }
  CHECK(alive == 1000000);
  head.reset();
  CHECK(alive == 0);
}
