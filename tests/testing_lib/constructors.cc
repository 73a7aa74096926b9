// SPDX-License-Identifier: Apache-2.0
// Types that are made in odd ways, or not at all, and members that throw.
#include <stdexcept>
#include <string>

#include "testing_types.h"

namespace tain_testing {

/// One struct for each way to be made; `value` tells which.
#define TAIN_TESTING_TYPE(Name)                             \
  struct Name##Obj : tain::Object {                         \
    int64_t value = 0;                                      \
    Name##Obj() = default;                                  \
    explicit Name##Obj(int64_t value) : value(value) {}     \
    TAIN_OBJECT("testing." #Name, Name##Obj, tain::Object); \
  }
TAIN_TESTING_TYPE(NoConstructor);
TAIN_TESTING_TYPE(CreatesNull);
TAIN_TESTING_TYPE(CreatesOther);
TAIN_TESTING_TYPE(CreatesText);
TAIN_TESTING_TYPE(CreatesShared);
TAIN_TESTING_TYPE(CreatesCounted);
#undef TAIN_TESTING_TYPE

/// A parent with a constructor that its child does not inherit.
struct ChildWithoutConstructorObj : PointObj {
  ChildWithoutConstructorObj() : PointObj(1, 1) {}
  TAIN_OBJECT("testing.ChildWithoutConstructor", ChildWithoutConstructorObj, PointObj);
};

struct ThrowsObj : tain::Object {
  int64_t value;
  explicit ThrowsObj(int64_t value) : value(value) {
    if (value == 42) throw 42;
    if (value == 1) throw std::runtime_error("a constructor that throws");
    if (value < 0) TAIN_THROW(ValueError) << "value must not be negative, got " << value;
  }
  int64_t Get() const {
    if (value == 7) throw 7;
    if (value > 100) TAIN_THROW(KeyError) << "no such value";
    return value;
  }
  void Set(int64_t v) {
    TAIN_CHECK(v >= 0) << "not negative";
    value = v;
  }
  TAIN_OBJECT("testing.Throws", ThrowsObj, tain::Object);
};

/// Constants, properties, static methods, documentation.
struct GadgetObj : tain::Object {
  int64_t size = 3;
  tain::String name = "gadget";
  TAIN_OBJECT("testing.Gadget", GadgetObj, tain::Object);
};

/// A type that says it cannot change, and one that cannot be copied.
struct FrozenObj : tain::Object {
  int64_t value;
  explicit FrozenObj(int64_t value) : value(value) {}
  TAIN_OBJECT("testing.Frozen", FrozenObj, tain::Object);
};
struct UncopyableObj : tain::Object {
  int64_t value = 0;
  UncopyableObj() = default;
  UncopyableObj(const UncopyableObj&) = delete;
  TAIN_OBJECT("testing.Uncopyable", UncopyableObj, tain::Object);
};

namespace {

int64_t counted = 0;  // objects that testing.CreatesCounted has made

/// The one object that testing.CreatesShared returns each time.
tain::Ref<CreatesSharedObj> SharedOne() {
  static auto* one = new tain::Ref<CreatesSharedObj>(tain::make_object<CreatesSharedObj>(1));
  return *one;
}

void RegisterOddlyMade() {
  namespace refl = tain::reflection;
  using tain::arg;
  refl::ObjectDef<NoConstructorObj>("Cannot be made from Python.")
      .def_ro("value", &NoConstructorObj::value);
  refl::ObjectDef<CreatesNullObj>()
      .def_ro("value", &CreatesNullObj::value)
      .def_static("__create__", [] { return tain::Ptr<CreatesNullObj>(); });
  refl::ObjectDef<CreatesOtherObj>()
      .def_ro("value", &CreatesOtherObj::value)
      .def_static("__create__",
                  [] { return tain::ObjectRef(Point(tain::make_object<PointObj>(0, 0))); });
  refl::ObjectDef<CreatesTextObj>()
      .def_ro("value", &CreatesTextObj::value)
      .def_static("__create__", [] { return tain::Any("no object"); });
  refl::ObjectDef<CreatesSharedObj>()
      .def_rw("value", &CreatesSharedObj::value)
      .def_static("__create__", &SharedOne);
  refl::ObjectDef<CreatesCountedObj>()
      .def_ro("value", &CreatesCountedObj::value)
      .def_static(
          "__create__",
          [](int64_t start, tain::Any) {
            return tain::Ref<CreatesCountedObj>(
                tain::make_object<CreatesCountedObj>(start + ++counted));
          },
          arg("start") = 0, (arg("note") = nullptr).kw_only());
  refl::ObjectDef<ChildWithoutConstructorObj>();
}

}  // namespace

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::arg;
  RegisterOddlyMade();
  refl::ObjectDef<ThrowsObj>()
      .def_property("checked", &ThrowsObj::Get, &ThrowsObj::Set, "Throws for 7 and above 100.")
      .def_rw("value", &ThrowsObj::value)
      .def("get", &ThrowsObj::Get)
      .def_init<int64_t>(arg("value"));
  refl::ObjectDef<GadgetObj>("A gadget.\n\nWith a longer text.")
      .def_rw("size", &GadgetObj::size, tain::doc("How large it is."))
      .def_ro("name", &GadgetObj::name)
      .def_property(
          "twice", [](const GadgetObj& self) { return 2 * self.size; }, "Twice the size.")
      .def_property(
          "half", [](const GadgetObj& self) { return static_cast<double>(self.size) / 2; },
          [](GadgetObj& self, double v) { self.size = static_cast<int64_t>(2 * v); },
          "Half the size.")
      .def_attr("MAX_SIZE", 100, "The largest size.")
      .def_attr("UNIT", "cm")
      .def_static("biggest", [] { return int64_t{100}; })
      .def_type_attr("__testing_note__", "of the gadget")
      .def_init<>();
  refl::ObjectDef<FrozenObj>(tain::frozen(), tain::eq(), tain::value_hash(), tain::thread_safe())
      .def_ro("value", &FrozenObj::value)
      .def_init<int64_t>(arg("value"));
  refl::ObjectDef<UncopyableObj>(tain::final_())
      .def_rw("value", &UncopyableObj::value)
      .def_init<>();
  refl::GlobalDef().def(
      "testing.make_no_constructor",
      [](int64_t value) { return tain::make_object<NoConstructorObj>(value); }, arg("value"),
      tain::thread_safe());
}

}  // namespace tain_testing
