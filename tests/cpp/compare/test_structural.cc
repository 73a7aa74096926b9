// SPDX-License-Identifier: Apache-2.0
// Structural comparison, hash, first difference, free variables and access paths from C++.
#include <doctest/doctest.h>

#include <string>
#include <unordered_map>

#include "tain/container/map.h"
#include "tain/graph/structural.h"
#include "tain/reflection/object_def.h"
#include "tain/tensor.h"

using tain::AccessPath;
using tain::Any;
using tain::Array;
using tain::Map;
using tain::Ref;
using tain::String;
using tain::StructuralEqual;
using tain::StructuralHash;

namespace {

struct VarObj : tain::Object {
  String name;
  explicit VarObj(String name) : name(std::move(name)) {}
  TAIN_OBJECT("cpp_test.structural.Var", VarObj, tain::Object);
};
struct LambdaObj : tain::Object {
  Ref<VarObj> var;
  Any body;
  LambdaObj(Ref<VarObj> var, Any body) : var(std::move(var)), body(std::move(body)) {}
  TAIN_OBJECT("cpp_test.structural.Lambda", LambdaObj, tain::Object);
};

struct LateObj : tain::Object {
  int64_t value;
  explicit LateObj(int64_t value) : value(value) {}
  TAIN_OBJECT("cpp_test.structural.Late", LateObj, tain::Object);
};

TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::ObjectDef<VarObj>(tain::structural(tain::StructuralKind::kVariable))
      .def_ro("name", &VarObj::name, tain::structural_ignore());
  refl::ObjectDef<LambdaObj>()
      .def_ro("var", &LambdaObj::var, tain::def_region())
      .def_ro("body", &LambdaObj::body);
  refl::ObjectDef<LateObj>().def_ro("value", &LateObj::value);
}

Ref<VarObj> Var(const char* name) { return tain::make_object<VarObj>(String(name)); }
Any Lambda(const Ref<VarObj>& var, Any body) {
  return Any(Ref<LambdaObj>(tain::make_object<LambdaObj>(var, std::move(body))));
}

}  // namespace

TEST_CASE("the names of bound variables do not matter") {
  const Ref<VarObj> x = Var("x");
  const Ref<VarObj> y = Var("y");
  CHECK(StructuralEqual::Equal(Lambda(x, Any(x)), Lambda(y, Any(y))));
  CHECK(StructuralHash::Hash(Lambda(x, Any(x))) == StructuralHash::Hash(Lambda(y, Any(y))));
  CHECK_FALSE(StructuralEqual::Equal(Any(x), Any(y)));
  CHECK(StructuralEqual::Equal(Any(x), Any(y), true));
  CHECK(StructuralHash::Hash(Any(x), true) == StructuralHash::Hash(Any(y), true));
}

TEST_CASE("a hook that is registered later counts from then on") {
  const Any one(Ref<LateObj>(tain::make_object<LateObj>(1)));
  const Any two(Ref<LateObj>(tain::make_object<LateObj>(2)));
  CHECK_FALSE(StructuralEqual::Equal(one, two));
  const auto always = [](Ref<LateObj>, Ref<LateObj>, tain::Function) { return true; };
  const Any hook(tain::Function::FromTyped(always));
  const TainByteArray name{"__s_equal__", 11};
  REQUIRE(TainTypeRegisterAttr(LateObj::RuntimeTypeIndex(), &name, &hook.data()) == 0);
  CHECK(StructuralEqual::Equal(one, two));
}

TEST_CASE("graphs are keys") {
  std::unordered_map<Any, int, StructuralHash, StructuralEqual> known;
  known[Any(Array<Any>{Any(1), Any(2)})] = 3;
  CHECK(known.at(Any(Array<Any>{Any(1), Any(2)})) == 3);
  CHECK(known.count(Any(Array<Any>{Any(2), Any(1)})) == 0);
}

TEST_CASE("the first difference has a path and a message") {
  const Map<String, Any> a{{"k", Any(Array<Any>{Any(1), Any(2)})}};
  const Map<String, Any> b{{"k", Any(Array<Any>{Any(1), Any(3)})}};
  const auto found = tain::FirstMismatch(Any(a), Any(b));
  REQUIRE(found);
  CHECK(std::string(found->path_a.ToString()) == "<root>[\"k\"][1]");
  CHECK(found->a->cast<int>() == 2);
  CHECK(std::string(found->message).starts_with("<root>[\"k\"][1]: 2 != 3\n"));
  CHECK_FALSE(tain::FirstMismatch(Any(a), Any(a)));
}

TEST_CASE("free variables come in post-order") {
  const Ref<VarObj> x = Var("x");
  const Ref<VarObj> y = Var("y");
  const Array<Any> free = tain::FreeVars(Any(Array<Any>{Lambda(x, Any(y)), Any(x), Any(y)}));
  REQUIRE(free.size() == 1);
  CHECK(free[0].cast<Ref<VarObj>>().get() == y.get());
}

TEST_CASE("a path is followed, and set in a copy") {
  const Any root(Map<String, Any>{{"k", Any(Array<Any>{Any(1), Any(2)})}});
  const AccessPath path = AccessPath::Parse("[\"k\"][1]");
  CHECK(path.Get(root).cast<int>() == 2);
  CHECK(path.Get(path.SetCopy(root, Any(7))).cast<int>() == 7);
  CHECK(path.Get(root).cast<int>() == 2);
  CHECK(AccessPath().Key(Any("k")).IsPrefixOf(path));
  CHECK(std::string((*path.Parent()).ToString()) == "<root>[\"k\"]");
  CHECK_THROWS_AS(path.Get(Any(1)), tain::Error);
}

TEST_CASE("a tensor that the processor cannot read is refused") {
  const auto make = [] {
    int64_t shape[1] = {2};
    DLTensor layout{};
    layout.device = {kDLCUDA, 0};
    layout.ndim = 1;
    layout.dtype = {kDLFloat, 32, 1};
    layout.shape = shape;
    return Any(tain::Tensor(tain::internal::MakeTensor(layout, TainTensorTail{})));
  };
  const Any a = make();
  const char* const text =
      "structural comparison of a Tensor in the memory of cuda:0, which the processor cannot read: "
      "copy it to the processor";
  CHECK(StructuralEqual::Equal(a, a));
  try {
    StructuralEqual::Equal(a, make());
    FAIL("it was compared");
  } catch (const tain::Error& error) {
    CHECK(error.kind() == "TypeError");
    CHECK(std::string(error.message()) == text);
  }
  CHECK_THROWS_AS(StructuralHash::Hash(a), tain::Error);
}
