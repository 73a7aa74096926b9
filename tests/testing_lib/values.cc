// SPDX-License-Identifier: Apache-2.0
// Value types: a point, the three kinds of enums, and a type with a field of every kind.
#include <string>

#include "testing_types.h"

namespace tain_testing {

using tain::Any;
using tain::String;

struct AllKindsObj : tain::Object {
  bool flag = true;
  int8_t i8 = -8;
  int16_t i16 = -16;
  int32_t i32 = -32;
  int64_t i64 = -64;
  uint8_t u8 = 8;
  uint16_t u16 = 16;
  uint32_t u32 = 32;
  uint64_t u64 = 64;
  float f32 = 0.5f;
  double f64 = 0.25;
  String text = "a text that is not small";
  std::string std_text = "std";
  tain::Bytes data;
  Any any;
  Point point = tain::make_object<PointObj>(1, 2);
  tain::Ptr<PointObj> maybe_point;
  tain::ObjectRef object;
  tain::Array<int64_t> ints{1, 2, 3};
  tain::List<Any> list;
  tain::Map<String, Any> map;
  tain::Dict<String, int64_t> dict;
  tain::Optional<int64_t> maybe_int;
  tain::Function function;
  tain::TypedFunction<int64_t(int64_t)> typed_function;
  DLDevice device{kDLCPU, 0};
  DLDataType dtype{kDLFloat, 32, 1};
  void* pointer = nullptr;
  Color color = Color::kRed;
  Access access = kRead;
  Mode mode = Mode::kFast;
  const int64_t constant = 7;
  TAIN_OBJECT("testing.AllKinds", AllKindsObj, tain::Object);
};

namespace {

void RegisterEnums() {
  namespace refl = tain::reflection;
  refl::EnumDef<Color>("testing.Color", "Colors.")
      .value("RED", Color::kRed, "like a rose")
      .value("GREEN", Color::kGreen)
      .value("BLUE", Color::kBlue);
  refl::EnumDef<Access>("testing.Access", "Rights.", refl::EnumKind::kFlag)
      .value("READ", kRead)
      .value("WRITE", kWrite)
      .value("EXECUTE", kExecute);
  refl::EnumDef<Mode>("testing.Mode", "Ways to work.", refl::EnumKind::kStr)
      .value("FAST", Mode::kFast, "fast", "quickly")
      .value("SAFE", Mode::kSafe, "safe");
}

void RegisterAllKinds() {
  using K = AllKindsObj;
  tain::reflection::ObjectDef<K>("A field of every kind.")
      .def_rw("flag", &K::flag)
      .def_rw("i8", &K::i8)
      .def_rw("i16", &K::i16)
      .def_rw("i32", &K::i32)
      .def_rw("i64", &K::i64, "the widest")
      .def_rw("u8", &K::u8)
      .def_rw("u16", &K::u16)
      .def_rw("u32", &K::u32)
      .def_rw("u64", &K::u64)
      .def_rw("f32", &K::f32)
      .def_rw("f64", &K::f64)
      .def_rw("text", &K::text)
      .def_rw("std_text", &K::std_text)
      .def_rw("data", &K::data)
      .def_rw("any", &K::any)
      .def_rw("point", &K::point)
      .def_rw("maybe_point", &K::maybe_point)
      .def_rw("object", &K::object)
      .def_rw("ints", &K::ints)
      .def_rw("list", &K::list)
      .def_rw("map", &K::map)
      .def_rw("dict", &K::dict)
      .def_rw("maybe_int", &K::maybe_int)
      .def_rw("function", &K::function)
      .def_rw("typed_function", &K::typed_function)
      .def_rw("device", &K::device)
      .def_rw("dtype", &K::dtype)
      .def_rw("pointer", &K::pointer)
      .def_rw("color", &K::color)
      .def_rw("access", &K::access)
      .def_rw("mode", &K::mode)
      .def_ro("constant", &K::constant)
      .def_init<>();
}

void RegisterPalette() {
  using tain::arg;
  using P = PaletteObj;
  // Functions that are there already: one that was registered by itself, and plain ones.
  const tain::Function paint = [](P& p, Color color, bool keep) {
    if (!keep || !p.main.has_value()) p.main = color;
    return p.main;
  };
  const tain::Function count = [](const P& p, int64_t n) { return (p.main ? 1 : 0) + n; };
  const tain::Function twice = [](int64_t x) { return 2 * x; };
  tain::reflection::GlobalDef()
      .def("testing.ready_twice", twice, "Twice a number.")
      .def(
          "testing.paint", [paint](P& p, Color color, bool keep) { return paint(&p, color, keep); },
          arg("palette"), arg("color") = Color::kRed, arg("keep") = false, "Paints.")
      .def("testing.paint_again", tain::Function::GetGlobalRequired("testing.paint"));
  tain::reflection::ObjectDef<P>("Enums that may be missing.", tain::transient())
      .def_rw("main", &P::main)
      .def_rw("mode", &P::mode)
      .def_rw("access", &P::access)
      .def_property("second", &P::Second, &P::SetSecond)
      .def("best", &P::Best)
      .def("count", count)
      .def("paint", tain::Function::GetGlobalRequired("testing.paint"))
      .def_static("twice", twice)
      .def_init_fields();
  tain::reflection::GlobalDef()
      .def(
          "testing.echo_optional_color", [](tain::Optional<Color> c) { return c; },
          arg("color") = nullptr, tain::thread_safe())
      .def(
          "testing.echo_optional_mode", [](tain::Optional<Mode> m) { return m; }, arg("mode"),
          tain::thread_safe())
      .def(
          "testing.echo_optional_access", [](tain::Optional<Access> a) { return a; }, arg("access"),
          tain::thread_safe());
}

}  // namespace

TAIN_REGISTER {
  using tain::arg;
  RegisterEnums();
  RegisterPalette();
  tain::reflection::ObjectDef<PointObj>("A point in the plane.")
      .def_rw("x", &PointObj::x, "abscissa")
      .def_rw("y", &PointObj::y, "ordinate")
      .def_init<double, double>(arg("x"), arg("y") = 0.0)
      .def("norm", &PointObj::Norm, "Euclidean length")
      .def("scale", &PointObj::Scale, arg("factor"), "Multiplies both coordinates.")
      .def_static(
          "origin", [] { return Point(tain::make_object<PointObj>(0, 0)); }, "The point (0, 0).",
          tain::thread_safe());
  RegisterAllKinds();
  tain::reflection::GlobalDef()
      .def(
          "testing.echo_color", [](Color c) { return c; }, arg("color"), tain::thread_safe())
      .def(
          "testing.next_color",
          [](Color c) { return c == Color::kRed ? Color::kGreen : Color::kBlue; },
          arg("color") = Color::kRed, tain::thread_safe())
      .def(
          "testing.echo_access", [](Access a) { return a; }, arg("access"), tain::thread_safe())
      .def(
          "testing.echo_mode", [](Mode m) { return m; }, arg("mode") = Mode::kSafe,
          tain::thread_safe())
      .def(
          "testing.point_x", [](const PointObj& p) { return p.x; }, arg("point"))
      .def(
          "testing.move_point",
          [](PointObj& p, double dx) -> PointObj& {
            p.x += dx;
            return p;
          },
          arg("point"), arg("dx"), "Changes the point and returns it.")
      .def(
          "testing.maybe_x", [](const PointObj* p) { return p == nullptr ? -1.0 : p->x; },
          arg("point"))
      .def(
          "testing.centroid",
          [](const tain::Array<Point>& points) {
            double x = 0, y = 0;
            for (const Point& p : points) {
              x += p->x;
              y += p->y;
            }
            const double n = points.size() == 0 ? 1 : static_cast<double>(points.size());
            return Point(tain::make_object<PointObj>(x / n, y / n));
          },
          arg("points"));
}

}  // namespace tain_testing
