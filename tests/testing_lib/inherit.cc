// SPDX-License-Identifier: Apache-2.0
// Inheritance: eight levels deep, abstract bases with virtual methods, mixins, private members.
#include <string>

#include "testing_types.h"

namespace tain_testing {

#define TAIN_TESTING_DEPTH(n, Parent, field)                \
  struct Depth##n##Obj : Parent {                           \
    int64_t field = n;                                      \
    TAIN_OBJECT("testing.Depth" #n, Depth##n##Obj, Parent); \
  }
TAIN_TESTING_DEPTH(1, tain::Object, a);
TAIN_TESTING_DEPTH(2, Depth1Obj, b);
TAIN_TESTING_DEPTH(3, Depth2Obj, c);
TAIN_TESTING_DEPTH(4, Depth3Obj, d);
TAIN_TESTING_DEPTH(5, Depth4Obj, e);
TAIN_TESTING_DEPTH(6, Depth5Obj, f);
TAIN_TESTING_DEPTH(7, Depth6Obj, g);
TAIN_TESTING_DEPTH(8, Depth7Obj, h);
#undef TAIN_TESTING_DEPTH

/// Abstract: area_impl has no body, label_impl has one.
struct ShapeObj : tain::Object {
  tain::String name = "shape";
  TAIN_VIRTUAL(area)
  virtual double area_impl() const = 0;
  TAIN_VIRTUAL(label)
  virtual std::string label_impl(const std::string& prefix) const {
    return prefix + std::string(name);
  }
  TAIN_VIRTUAL(grow)
  virtual void grow_impl(double factor) = 0;
  /// C++ that calls the virtual methods.
  std::string Describe() const { return label("a ") + " of area " + std::to_string(area()); }
  virtual ~ShapeObj() = default;
  static constexpr int32_t _type_child_slots = 4;
  TAIN_OBJECT("testing.Shape", ShapeObj, tain::Object);
};

struct SquareObj : ShapeObj {
  double side;
  explicit SquareObj(double side) : side(side) { name = "square"; }
  double area_impl() const override { return side * side; }
  void grow_impl(double factor) override { side *= factor; }
  TAIN_OBJECT("testing.Square", SquareObj, ShapeObj);
};

/// Words before the header: a mixin with state comes first.
struct Tagged {
  int64_t tag = 99;
  virtual int64_t Tag() const { return tag; }
  virtual ~Tagged() = default;
};
struct MixedObj : Tagged, tain::Object {
  double value;
  explicit MixedObj(double value) : value(value) {}
  TAIN_OBJECT("testing.Mixed", MixedObj, tain::Object);
};

/// Private and protected members, registered by the class itself.
class PrivateObj : public tain::Object {
 public:
  explicit PrivateObj(int64_t secret) : secret_(secret) {}
  static void Register();
  TAIN_OBJECT("testing.Private", PrivateObj, tain::Object);

 protected:
  int64_t guarded_ = 5;

 private:
  int64_t Double() const { return 2 * secret_; }
  int64_t secret_;
};

void PrivateObj::Register() {
  tain::reflection::ObjectDef<PrivateObj>()
      .def_rw("secret", &PrivateObj::secret_)
      .def_ro("guarded", &PrivateObj::guarded_)
      .def("double", &PrivateObj::Double)
      .def_init<int64_t>(tain::arg("secret"));
}

struct alignas(64) AlignedObj : tain::Object {
  double value;
  alignas(64) double lane[8] = {};
  explicit AlignedObj(double value) : value(value) {}
  bool IsAligned() const { return reinterpret_cast<uintptr_t>(this) % 64 == 0; }
  TAIN_OBJECT("testing.Aligned", AlignedObj, tain::Object);
};

/// A key that is no class of its own: nothing but its parent's members.
struct BareObj : PointObj {
  BareObj() : PointObj(3, 4) {}
  TAIN_OBJECT("testing.Bare", BareObj, PointObj);
};

namespace {

void RegisterDepths() {
  namespace refl = tain::reflection;
  refl::ObjectDef<Depth1Obj>().def_rw("a", &Depth1Obj::a).def("name", [](const Depth1Obj& self) {
    return self.GetTypeKey();
  });
  refl::ObjectDef<Depth2Obj>().def_rw("b", &Depth2Obj::b).def_init<>();
  refl::ObjectDef<Depth3Obj>().def_rw("c", &Depth3Obj::c).def_init<>();
  refl::ObjectDef<Depth4Obj>().def_rw("d", &Depth4Obj::d).def_init<>();
  refl::ObjectDef<Depth5Obj>().def_rw("e", &Depth5Obj::e).def_init<>();
  refl::ObjectDef<Depth6Obj>().def_rw("f", &Depth6Obj::f).def_init<>();
  refl::ObjectDef<Depth7Obj>().def_rw("g", &Depth7Obj::g).def_init<>();
  refl::ObjectDef<Depth8Obj>().def_rw("h", &Depth8Obj::h).def_init<>();
}

void RegisterShapes() {
  namespace refl = tain::reflection;
  using tain::arg;
  refl::ObjectDef<ShapeObj>("A shape with an area.")
      .def_rw("name", &ShapeObj::name)
      .def_virtual("area", &ShapeObj::area_impl, "Its area.")
      .def_virtual("label", &ShapeObj::label_impl, arg("prefix"))
      .def_virtual("grow", &ShapeObj::grow_impl, arg("factor"))
      .def("describe", &ShapeObj::Describe, "What C++ says of it.");
  refl::ObjectDef<SquareObj>("A square.")
      .def_rw("side", &SquareObj::side)
      .def_init<double>(arg("side") = 1.0);
}

}  // namespace

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::arg;
  RegisterDepths();
  RegisterShapes();
  refl::ObjectDef<MixedObj>()
      .def_rw("value", &MixedObj::value)
      .def_rw("tag", &MixedObj::tag)
      .def("get_tag", &MixedObj::Tag)
      .def_init<double>(arg("value"));
  PrivateObj::Register();
  refl::ObjectDef<AlignedObj>(tain::transient())
      .def_rw("value", &AlignedObj::value)
      .def("is_aligned", &AlignedObj::IsAligned)
      .def_init<double>(arg("value"));
  refl::ObjectDef<BareObj>().def_init<>();
  refl::GlobalDef()
      .def(
          "testing.shape_area", [](const ShapeObj& shape) { return shape.area(); }, arg("shape"),
          "The area as C++ sees it.")
      .def(
          "testing.shape_grow", [](ShapeObj& shape, double by) { shape.grow(by); }, arg("shape"),
          arg("factor"))
      .def(
          "testing.make_depth8", [] { return tain::make_object<Depth8Obj>(); }, tain::thread_safe())
      .def("testing.depth1_a", [](const Depth1Obj& x) { return x.a; }, arg("x"));
}

}  // namespace tain_testing
