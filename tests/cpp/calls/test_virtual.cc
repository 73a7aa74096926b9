// SPDX-License-Identifier: Apache-2.0
// TAIN_VIRTUAL: C++ calls reach the override of a host language, here one made of C++.
#include "tain/virtual.h"

#include <doctest/doctest.h>

#include <string>

#include "helpers/registration.h"
#include "helpers/shared_host.h"

using namespace tain_test;
using tain::Any;
using tain::arg;

namespace {

struct SquareObj : tain::Object {
  double side = 2;
  TAIN_VIRTUAL(area)
  virtual double area_impl() const { return side * side; }
  TAIN_VIRTUAL(label)
  virtual std::string label_impl(const std::string& prefix, int64_t n) const {
    return prefix + std::to_string(n);
  }
  TAIN_VIRTUAL(grow)
  virtual void grow_impl(double by) { side += by; }
  TAIN_VIRTUAL(meet)
  virtual double meet_impl(SquareObj& other, const SquareObj* third) const {
    return side + other.side + (third == nullptr ? 0 : third->side);
  }
  /// Overloads, one of which only objects that are not const have.
  TAIN_VIRTUAL(pick)
  virtual int64_t pick_impl() const { return 0; }
  virtual int64_t pick_impl(int64_t x) const { return x; }
  virtual int64_t pick_impl(const std::string& text, int64_t) {
    return static_cast<int64_t>(text.size());
  }
  TAIN_VIRTUAL_AS(plus, "__add__")
  virtual double plus_impl(double x) const { return side + x; }
  TAIN_VIRTUAL(missing)
  virtual double missing_impl() const { TAIN_ABSTRACT(missing); }
  virtual ~SquareObj() = default;
  TAIN_OBJECT("cpp_test.virtual.Shape", SquareObj, tain::Object);
};
struct RoundedObj : SquareObj {
  double area_impl() const override { return 3 * side; }
  TAIN_OBJECT("cpp_test.virtual.Round", RoundedObj, SquareObj);
};

/// What the host's override does with a call.
struct Override {
  std::string name;  // of the method it overrides
  Any result;
  bool fails = false;
  int32_t num_args = 0;
  int calls = 0;
} host_override;

int CallHostOverride(TainObject*, const TainByteArray* name, const TainAny*, int32_t num_args,
                     TainAny* result, int* handled) {
  ++host_override.calls;
  *handled = Str(*name) == host_override.name;
  if (*handled == 0) return 0;
  host_override.num_args = num_args;
  if (host_override.fails) {
    TainErrorSetRaisedFromCStr("KeyError", "from the override");
    return -1;
  }
  Any copy = host_override.result;
  *result = copy.Release();
  return 0;
}

/// Says which set of overrides the object's class has.
void SetOverrideSet(tain::Object& object, uint32_t index) {
  uint32_t& word = tain::internal::ObjectAccess::Header(&object)->reserved;
  word &= ~(uint32_t{kTainOverrideSetCount - 1} << kTainHeaderSetShift);
  word |= index << kTainHeaderSetShift;
}

/// Marks an object as one whose class overrides.
void Mark(tain::Object& object) {
  SharedHost().call_override = &CallHostOverride;
  REQUIRE(TainSetHost(&SharedHost()) == 0);
  SetOverrideSet(object, kTainOverrideSetAsk);
}

void Unmark(tain::Object& object) { SetOverrideSet(object, 0); }

/// An object whose class overrides one method.
struct Overridden {
  explicit Overridden(const char* name, Any result) : shape(tain::make_object<RoundedObj>()) {
    host_override = {name, std::move(result)};
    Mark(*shape);
  }
  ~Overridden() { Unmark(*shape); }
  tain::Ref<SquareObj> shape;
};

}  // namespace

TAIN_REGISTER {
  tain::reflection::ObjectDef<SquareObj>()
      .def_virtual("area", &SquareObj::area_impl)
      .def_virtual("label", &SquareObj::label_impl, arg("prefix"), arg("n") = 1)
      .def_virtual("grow", &SquareObj::grow_impl, arg("by"), tain::final_())
      .def_virtual("meet", &SquareObj::meet_impl)
      .def_virtual("pick", static_cast<int64_t (SquareObj::*)() const>(&SquareObj::pick_impl))
      .def_virtual("__add__", &SquareObj::plus_impl)
      .def_virtual("missing", &SquareObj::missing_impl, tain::abstract());
  tain::reflection::ObjectDef<RoundedObj>().def_init<>();
}

TEST_CASE("without an override the C++ method runs") {
  const tain::Ref<SquareObj> shape = tain::make_object<RoundedObj>();
  CHECK(shape->area() == 6.0);
  CHECK(shape->label("n", 4) == "n4");
  shape->grow(1);
  CHECK(shape->side == 3.0);
}

TEST_CASE("an override is called and its result converted") {
  const Overridden made("area", 7);
  CHECK(made.shape->area() == 7.0);
  CHECK(host_override.num_args == 0);
  const SquareObj& constant = *made.shape;
  CHECK(constant.area() == 7.0);
}

TEST_CASE("the host is asked for what its set of overrides names, while the set holds") {
  const Overridden made("area", 7);
  SetOverrideSet(*made.shape, 5);
  TainOverrideSet& set = TainOverrideSets[5];
  uint32_t version = 40;
  const uint32_t bit = tain::internal::OverrideBit("area");
  const auto calls = [&] {
    host_override.calls = 0;
    made.shape->area();
    made.shape->label("x", 3);
    return host_override.calls;
  };
  CHECK(calls() == 2);  // an empty set names all
  set.version = &version;
  set.expected = 40;
  CHECK(calls() == 0);
  set.names[bit >> 6] = uint64_t{1} << (bit & 63);
  CHECK(calls() == 1);
  CHECK(made.shape->area() == 7.0);
  CHECK(made.shape->label("x", 3) == "x3");
  version = 41;  // the class has changed
  CHECK(calls() == 2);
  set = {};
}

TEST_CASE("hashes of names") {  // FNV-1a, as c_api_host.h says
  CHECK(tain::internal::OverrideBit("") == 0xC5);
  CHECK(tain::internal::OverrideBit("a") == 0x2C);
  CHECK(tain::internal::OverrideBit("foobar") == 0x68);
}

TEST_CASE("arguments reach the override") {
  const Overridden made("label", "from the host");
  CHECK(made.shape->label("x", 3) == "from the host");
  CHECK(host_override.num_args == 2);
}

TEST_CASE("objects are passed by reference and by pointer") {
  const tain::Ref<SquareObj> other = tain::make_object<RoundedObj>();
  {
    const Overridden made("meet", 9);
    CHECK(made.shape->meet(*other, other.get()) == 9.0);
    CHECK(host_override.num_args == 2);
  }
  const tain::Function pass = [](const SquareObj& shape) { return shape.side; };
  CHECK(pass(*other).cast<double>() == 2.0);
  CHECK(other->meet(*other, nullptr) == 4.0);
}

TEST_CASE("a method that the class does not override runs in C++") {
  const Overridden made("other", 7);
  CHECK(made.shape->area() == 6.0);
  CHECK(host_override.calls == 1);
}

TEST_CASE("a result that does not fit says whose it is") {
  const Overridden made("area", "text");
  CHECK(ErrorOf([&] { made.shape->area(); }) ==
        "TypeError: cpp_test.virtual.Round.area: result of the override: expected float, got str "
        "('text')");
}

TEST_CASE("what an override of no result returns is dropped") {
  const Overridden made("grow", "text");
  made.shape->grow(1);
  CHECK(made.shape->side == 2.0);
}

TEST_CASE("what an override throws arrives at the C++ caller") {
  const Overridden made("area", 7);
  host_override.fails = true;
  CHECK(ErrorOf([&] { made.shape->area(); }) == "KeyError: from the override");
}

TEST_CASE("all overloads reach one override") {
  const tain::Ref<SquareObj> shape = tain::make_object<RoundedObj>();
  const SquareObj& constant = *shape;
  CHECK(constant.pick() == 0);
  CHECK(constant.pick(3) == 3);
  CHECK(shape->pick("four", 1) == 4);
  const Overridden made("pick", 9);
  CHECK(made.shape->pick() == 9);
  CHECK(host_override.num_args == 0);
  CHECK(made.shape->pick("four", 1) == 9);
  CHECK(host_override.num_args == 2);
}

TEST_CASE("a method may have another name in the host language") {
  const Overridden made("__add__", 9.5);
  CHECK(made.shape->plus(1) == 9.5);
  CHECK(tain::make_object<RoundedObj>()->plus(1) == 3.0);
}

TEST_CASE("an abstract method has no code of its own") {
  const tain::Ref<SquareObj> shape = tain::make_object<RoundedObj>();
  CHECK(ErrorOf([&] { shape->missing(); }) ==
        "NotImplementedError: cpp_test.virtual.Round.missing is abstract and was not overridden");
  const Overridden made("missing", 4);
  CHECK(made.shape->missing() == 4.0);
}

TEST_CASE("abstract and final methods are told by their flags") {
  const TainTypeRecord* record = TainGetTypeRecord(SquareObj::RuntimeTypeIndex());
  CHECK((record->methods[2]->call->flags & kTainCallFinal) != 0);
  CHECK((record->methods[6]->call->flags & kTainCallAbstract) != 0);
  CHECK((record->methods[0]->call->flags & (kTainCallFinal | kTainCallAbstract)) == 0);
}

TEST_CASE("the registered method is the C++ one, so that an override can call it") {
  const Overridden made("area", 7);
  CHECK(MethodOf<SquareObj>("area")(made.shape).cast<double>() == 6.0);
  const TainTypeRecord* record = TainGetTypeRecord(SquareObj::RuntimeTypeIndex());
  CHECK((record->methods[0]->call->flags & kTainCallVirtual) != 0);
}
