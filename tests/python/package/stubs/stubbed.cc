// SPDX-License-Identifier: Apache-2.0
// Every construct that a stub has, under names that make it hard. test_stubgen.py compiles it and
// compares its stub with stubbed.pyi.
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include <tain/reflection/error_def.h>
#include <tain/stl.h>
#include <tain/tain.h>

namespace stubbed {
namespace {

enum class Unit { kMetre = 1, kFoot = 2 };
enum class Right { kRead = 1, kWrite = 2 };
enum class Mode { kFast, kSafe };

struct CycleError : std::runtime_error {
  using std::runtime_error::runtime_error;
  std::string cell;
};
struct LongCycleError : CycleError {
  using CycleError::CycleError;
  int64_t length = 0;
};

/// Fields, properties, constants, constructors.
struct ShapeObj : tain::Object {
  int64_t count = 0;
  double size = 1;
  tain::String name = "shape";
  std::vector<double> weights;
  tain::Map<tain::String, tain::Array<int64_t>> table;
  std::pair<int64_t, std::string> pair;
  std::variant<int64_t, std::string> either;
  tain::Optional<tain::Tensor> pixels;
  tain::Ptr<ShapeObj> next;
  Unit unit = Unit::kMetre;
  tain::TypedFunction<double(double)> scale;
  tain::Any any;
  ShapeObj() = default;
  explicit ShapeObj(double size) : size(size) {}
  explicit ShapeObj(const std::string& name) : name(name) {}

  TAIN_VIRTUAL(area)
  virtual double area_impl() const { TAIN_ABSTRACT(area); }
  TAIN_VIRTUAL(label)
  virtual std::string label_impl(Unit unit, const tain::Array<int64_t>& marks) const {
    return std::to_string(static_cast<int>(unit)) + std::to_string(marks.size());
  }
  TAIN_VIRTUAL(mood)
  virtual std::string mood_impl() const { return "calm"; }
  TAIN_VIRTUAL_AS(plus, "__add__")
  virtual double plus_impl(double x) const { return size + x; }
  std::string describe() const {
    return label(unit, tain::Array<int64_t>()) + mood() + std::to_string(area() + plus(1));
  }
  virtual ~ShapeObj() = default;
  TAIN_OBJECT("stubbed.Shape", ShapeObj, tain::Object);
};
using Shape = tain::Ref<ShapeObj>;

struct SquareObj : ShapeObj {
  double area_impl() const override { return size * size; }
  TAIN_OBJECT("stubbed.Square", SquareObj, ShapeObj);
};

/// No constructor; iterates; compares by fields.
struct ScaleObj : tain::Object {
  tain::Array<int64_t> marks{1, 2};
  TAIN_OBJECT("stubbed.Scale", ScaleObj, tain::Object);
};

/// Members whose names are those of types, of modules, of its own class, and keywords.
struct HostileObj : tain::Object {
  int64_t number = 1;
  std::vector<std::string> texts;
  TAIN_OBJECT("stubbed.Hostile", HostileObj, tain::Object);
};
/// A type named like a module that the stub imports.
struct TypingObj : tain::Object {
  TAIN_OBJECT("stubbed.typing", TypingObj, tain::Object);
};
/// A type that is a namespace too, and the type in it.
struct TreeObj : tain::Object {
  TAIN_OBJECT("stubbed.Tree", TreeObj, tain::Object);
};
struct LeafObj : tain::Object {
  tain::Ptr<TreeObj> tree;
  TAIN_OBJECT("stubbed.Tree.Leaf", LeafObj, tain::Object);
};
/// A type that no import statement reaches.
struct DashedObj : ShapeObj {
  TAIN_OBJECT("stubbed.a-b", DashedObj, ShapeObj);
};

void RegisterEnums() {
  namespace refl = tain::reflection;
  refl::EnumDef<Unit>("stubbed.Unit", "Units.")
      .value("METRE", Unit::kMetre, "a metre")
      .value("FOOT", Unit::kFoot);
  refl::EnumDef<Right>("stubbed.Right", "Rights.", refl::EnumKind::kFlag)
      .value("READ", Right::kRead)
      .value("WRITE", Right::kWrite);
  refl::EnumDef<Mode>("stubbed.Mode", "", refl::EnumKind::kStr)
      .value("FAST", Mode::kFast, "fast", "quickly")
      .value("SAFE", Mode::kSafe, "safe");
}

void RegisterShapes() {
  using tain::arg;
  namespace refl = tain::reflection;
  refl::ObjectDef<ShapeObj>("A shape.\n\nIts \"area\" is a \\ path; äöü. \"\"\"quoted\"\"\"")
      .def_rw("count", &ShapeObj::count, "How many.")
      .def_rw("size", &ShapeObj::size, "ends in a \"quote\"")
      .def_ro("name", &ShapeObj::name, "a bell: \a")
      .def_rw("weights", &ShapeObj::weights)
      .def_ro("table", &ShapeObj::table)
      .def_ro("pair", &ShapeObj::pair)
      .def_rw("either", &ShapeObj::either)
      .def_rw("pixels", &ShapeObj::pixels, "An image.")
      .def_rw("next", &ShapeObj::next)
      .def_rw("unit", &ShapeObj::unit)
      .def_rw("scale", &ShapeObj::scale)
      .def_rw("any", &ShapeObj::any)
      .def_attr("LIMIT", 100, "The largest size.")
      .def_attr("UNIT", "cm")
      .def_init<>("A shape of size 1.")
      .def_init<double>(arg("size"))
      .def_init<const std::string&>(arg("name"), "By name.")
      .def_virtual("area", &ShapeObj::area_impl, tain::abstract(), "Its area.")
      .def_virtual("label", &ShapeObj::label_impl, arg("unit"), arg("marks"))
      .def_virtual("__add__", &ShapeObj::plus_impl, arg("x"))
      .def_virtual_property("mood", &ShapeObj::mood_impl)
      .def_property(
          "twice", [](const ShapeObj& self) { return 2 * self.size; }, "Twice the size.")
      .def("describe", &ShapeObj::describe, tain::final_())
      .def_static("parse", [](const std::string& text) { return int64_t(text.size()); })
      .def(
          "grow", [](ShapeObj& self, double by) { return self.size *= by; }, arg("by") = 2)
      .def("grow", [](ShapeObj& self, int64_t by) { return self.count += by; }, arg("by"));
  refl::ObjectDef<SquareObj>("A square.", tain::final_())
      .def_init<>()
      .def("label", [](const SquareObj& self) { return self.size; })
      .def("parent", [](const SquareObj& self) { return self.next; })
      .def("dashed", [](const SquareObj&) { return tain::make_object<DashedObj>(); });
  refl::ObjectDef<DashedObj>();
}

void RegisterOthers() {
  using tain::arg;
  namespace refl = tain::reflection;
  refl::ObjectDef<ScaleObj>("A scale.", tain::order(), tain::value_hash())
      .def_ro("marks", &ScaleObj::marks)
      .def("__iter__", [](const ScaleObj& self) { return self.marks; })
      .def("__len__", [](const ScaleObj& self) { return self.marks.size(); })
      .def("__getitem__", [](const ScaleObj& self, int64_t i) { return self.marks[i]; })
      .def("steps", [](ScaleObj& self) {
        return tain::make_iterator(self.marks.begin(), self.marks.end(), self);
      });
  refl::ObjectDef<HostileObj>("Its members have the names of other things.")
      .def_init_fields()
      .def_rw("class", &HostileObj::number)
      .def_rw("int", &HostileObj::number)
      .def_rw("list", &HostileObj::texts)
      .def_ro("str", &HostileObj::texts)
      .def("property", [](const HostileObj&) { return 1; })
      .def("builtins", [](const HostileObj&) { return true; })
      .def("tain", [](tain::Ref<HostileObj> self) { return self; })
      .def("Hostile", [](tain::Ref<HostileObj> self) { return self; })
      .def("import", [](const HostileObj&) { return 1; })
      .def("_private", [](const HostileObj&) { return 1; });
  refl::ObjectDef<TypingObj>().def_init<>().def("any",
                                                [](const TypingObj&) { return tain::Any(1); });
  refl::ObjectDef<TreeObj>().def_init<>();
  refl::ObjectDef<LeafObj>().def_init<>().def_rw("tree", &LeafObj::tree);
}

void RegisterFunctions() {
  using tain::arg;
  namespace refl = tain::reflection;
  using Texts = std::vector<std::string>;
  refl::GlobalDef()
      .def(
          "stubbed.defaults",
          [](double inf, double x, bool b, const std::string& s, Unit unit, Mode mode,
             std::optional<int64_t> none, const Texts& texts, int64_t last) {
            return s +
                   std::to_string(inf + x + b + none.value_or(0) + double(texts.size() + last)) +
                   std::to_string(static_cast<int>(unit) + static_cast<int>(mode));
          },
          arg("inf") = std::numeric_limits<double>::infinity(), arg("x") = 0.5, arg("b") = true,
          arg("s") = "it's \"quoted\" \\ \n", arg("unit") = Unit::kFoot, arg("mode") = Mode::kSafe,
          arg("none") = nullptr, arg("texts") = Texts{"a"}, (arg("last") = -1).kw_only(),
          "Defaults of all kinds.")
      .def(
          "stubbed.keywords", [](int64_t x, int64_t y) { return x + y; }, arg("from"), arg("in"))
      .def(
          "stubbed.more", [](int64_t first, tain::Args, tain::Kwargs) { return first; },
          arg("first"), arg("args"), arg("kwargs"))
      .def("stubbed.unnamed", [](const tain::Any& x, int64_t) { return x; })
      .def(
          "stubbed.by_width", [](int8_t) { return std::string("small"); }, arg("x"))
      .def(
          "stubbed.by_width", [](int64_t x) { return x; }, arg("x"))
      .def(
          "stubbed.image", [](const tain::Tensor& x) { return x; }, arg("x"))
      .def(
          "stubbed.apply",
          [](const tain::TypedFunction<int64_t(std::string)>& f) { return f("a"); }, arg("f"))
      .def(
          "stubbed.data", [](const tain::Bytes& x) { return x; }, arg("x"))
      .def("stubbed.Tree", [] { return 1; })
      .def("stubbed.dashed", [] { return tain::make_object<DashedObj>(); })
      .def("stubbed.fail", [] { throw CycleError("a cycle"); });
  refl::ErrorDef<CycleError>("stubbed.CycleError", "ValueError", "A cell needs itself.")
      .def_ro("cell", &CycleError::cell, "The cell.");
  refl::ErrorDef<LongCycleError>("stubbed.LongCycleError", "stubbed.CycleError")
      .def_ro("length", &LongCycleError::length);
}

}  // namespace
}  // namespace stubbed

TAIN_REGISTER {
  stubbed::RegisterEnums();
  stubbed::RegisterFunctions();
  stubbed::RegisterShapes();
  stubbed::RegisterOthers();
}
