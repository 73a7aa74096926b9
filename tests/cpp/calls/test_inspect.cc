// SPDX-License-Identifier: Apache-2.0
// What a program learns of types, enums, functions and libraries without Python.
#include "tain/reflection/inspect.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "helpers/error_of.h"
#include "tain/internal/type_builder.h"
#include "tain/reflection/access.h"
#include "tain/reflection/enum_def.h"
#include "tain/reflection/global_def.h"
#include "tain/reflection/object_def.h"

using namespace tain;
using tain_test::ErrorOf;
using Strings = std::vector<std::string>;

namespace {

enum class Color { kRed = 1, kBlue = 4 };

struct FigureObj : Object {
  String name;
  int64_t corners = 0;
  double area() const { return size * 2; }
  double size = 1.0;
  void set_size(double value) { size = value; }
  TAIN_OBJECT("inspect.Shape", FigureObj, Object);
};
struct RoundFigureObj : FigureObj {
  TAIN_OBJECT("inspect.Round", RoundFigureObj, FigureObj);
};

TAIN_REGISTER {
  reflection::EnumDef<Color>("inspect.Color", "Colors.")
      .value("RED", Color::kRed, "Like blood.")
      .value("BLUE", Color::kBlue);
  reflection::ObjectDef<FigureObj>("Something with corners.")
      .def_ro("name", &FigureObj::name, "What it is called.")
      .def_rw("corners", &FigureObj::corners)
      .def_property(
          "area", [](FigureObj& self) { return self.area(); }, "Twice the size.")
      .def_property(
          "size", [](FigureObj& self) { return self.size; },
          [](FigureObj& self, double value) { self.set_size(value); })
      .def_attr("SIDES", 4)
      .def(
          "grow", [](FigureObj& self, double by) { self.size += by; }, arg("by") = 0.5, "Grows.")
      .def_static("unit", [] { return make_object<FigureObj>(); });
  reflection::ObjectDef<RoundFigureObj>().def_init<>();
  reflection::GlobalDef()
      .def(
          "inspect.join",
          [](const String& text, const String& end, Args rest, Kwargs options) {
            return String(std::string(text) + std::string(end) +
                          std::to_string(rest.size() + options.size()));
          },
          arg("text", "The beginning."), arg("end") = "!", "Joins texts.")
      .def_packed("inspect.any", [](Args args, Any* result) { *result = args.size(); })
      .def(
          "inspect.grown", [](double x, double by) { return x + by; }, arg("x"),
          arg("by").kw_only())
      .def(
          "inspect.twice", [](int64_t x) { return 2 * x; }, arg("x"))
      .def("inspect.twice", [](const String& x) { return x; }, arg("x"));
}

template <class Infos>
Strings NamesOf(const Infos& infos) {
  Strings names;
  for (const auto& one : infos) names.emplace_back(one.name());
  return names;
}

}  // namespace

TEST_CASE("types are listed with their members") {
  const std::vector<reflection::TypeInfo> types = Types("inspect.");
  REQUIRE(types.size() == 2);
  CHECK(types[0].key() == "inspect.Round");
  const reflection::TypeInfo shape = types[1];
  CHECK(shape.key() == "inspect.Shape");
  CHECK(shape.doc() == "Something with corners.");
  CHECK(shape.index() == FigureObj::RuntimeTypeIndex());
  CHECK(types[0].parent()->key() == "inspect.Shape");
  CHECK(shape.parent()->key() == "ffi.Object");
  CHECK_FALSE(shape.parent()->parent());
  CHECK((types[0].is_a(shape) && !shape.is_a(types[0])));
  CHECK(std::filesystem::path(shape.library()).filename() == "tain_cpp_tests");

  CHECK(NamesOf(shape.fields()) == Strings{"name", "corners"});
  const reflection::FieldInfo name = shape.fields()[0];
  CHECK(std::string(name.type()) == "str");
  CHECK((name.doc() == "What it is called." && !name.is_writable()));
  CHECK(shape.fields()[1].is_writable());
  CHECK(NamesOf(shape.properties()) == Strings{"area", "size"});
  CHECK((!shape.properties()[0].is_writable() && shape.properties()[1].is_writable()));
  CHECK(shape.constants()[0].first == "SIDES");
  CHECK(shape.constants()[0].second.cast<int>() == 4);
  CHECK(types[0].fields().empty());  // its own only
}

TEST_CASE("methods and constructors have signatures and can be called") {
  const reflection::TypeInfo shape = TypeOfKey("inspect.Shape");
  CHECK(NamesOf(shape.methods()) == Strings{"grow", "unit"});
  const reflection::MethodInfo grow = shape.methods()[0], unit = shape.methods()[1];
  CHECK(grow.info().signature() == "grow(by: float = 0.5) -> None");
  CHECK(grow.info().name() == "inspect.Shape.grow");
  CHECK((!grow.is_static() && unit.is_static()));
  const auto object = unit.function()().cast<ObjectRef>();
  grow.function()(object, 2);
  CHECK(reflection::GetField(object, "size").cast<double>() == 3.0);
  CHECK_FALSE(shape.constructor().defined());
  const Function make = TypeOfKey("inspect.Round").constructor();
  CHECK(reflection::FunctionInfo(make).is_constructor());
  CHECK(make().cast<ObjectRef>()->IsInstance<RoundFigureObj>());
}

TEST_CASE("functions tell their parameters") {
  const reflection::FunctionInfo join(Function::GetGlobalRequired("inspect.join"));
  REQUIRE(join);
  CHECK(join.name() == "inspect.join");
  CHECK(join.doc() == "Joins texts.");
  CHECK(join.return_type() == "str");
  const std::vector<reflection::ParameterInfo> parameters = join.parameters();
  REQUIRE(NamesOf(parameters).size() == 4);
  CHECK((parameters[0].name() == "text" && parameters[0].type() == "str"));
  CHECK((parameters[0].doc() == "The beginning." && !parameters[0].is_optional()));
  CHECK(parameters[0].default_value() == nullptr);
  CHECK((parameters[1].is_optional() && parameters[1].default_value().cast<String>() == "!"));
  CHECK((!parameters[1].takes_rest() && parameters[2].takes_rest() && parameters[3].takes_rest()));
  CHECK(join.signature() == "join(text: str, end: str = '!', *args: Any, **kwargs: Any) -> str");

  const auto grown =
      reflection::FunctionInfo(Function::GetGlobalRequired("inspect.grown")).parameters();
  CHECK((!grown[0].is_keyword_only() && grown[1].is_keyword_only()));

  const reflection::FunctionInfo twice(Function::GetGlobalRequired("inspect.twice"));
  CHECK(twice.takes_anything());
  REQUIRE(twice.overloads().size() == 2);
  CHECK(twice.overloads()[1].signature() == "twice(x: str) -> str");
  CHECK(reflection::FunctionInfo(Function::GetGlobalRequired("inspect.any")).takes_anything());

  const reflection::FunctionInfo unknown{Function()};
  CHECK_FALSE(unknown);
  CHECK((unknown.name().empty() && unknown.parameters().empty() && unknown.overloads().empty()));
  CHECK(unknown.signature() == "(*args)");
}

TEST_CASE("enums are listed with their members") {
  const std::vector<reflection::EnumInfo> enums = Enums("inspect.");
  REQUIRE(enums.size() == 1);
  CHECK((enums[0].key() == "inspect.Color" && enums[0].doc() == "Colors."));
  const auto members = enums[0].members();
  REQUIRE(members.size() == 2);
  CHECK((members[0].name == "RED" && members[0].value == 1 && members[0].doc == "Like blood."));
  CHECK((members[1].name == "BLUE" && members[1].value == 4));
}

TEST_CASE("names with a prefix") {
  CHECK(GlobalFunctionNames("inspect.") ==
        Strings{"inspect.any", "inspect.grown", "inspect.join", "inspect.twice"});
  const Strings all = GlobalFunctionNames();
  CHECK(std::is_sorted(all.begin(), all.end()));
  CHECK(Types("inspect.S").size() == 1);
  CHECK(Types().size() > Types("ffi.").size());
  CHECK(ErrorOf([] { TypeOfKey("inspect.Shap"); }) ==
        "ValueError: no type is registered as inspect.Shap. Did you mean 'inspect.Shape'?");
}

TEST_CASE("properties are read and written by name as fields are") {
  const auto object = ObjectRef(make_object<FigureObj>());
  reflection::SetField(object, "size", 5);
  CHECK(reflection::GetField(object, "area").cast<double>() == 10.0);
  CHECK(ErrorOf([&] { reflection::SetField(object, "area", 1); }) ==
        "AttributeError: inspect.Shape.area is read-only");
  const std::string longest(5000, 'x');
  CHECK(ErrorOf([&] { reflection::GetField(object, longest); }) ==
        "AttributeError: inspect.Shape has no field '" + longest.substr(0, 200) + "...'");
  CHECK(ErrorOf([&] { reflection::GetMethod(object, longest); }) ==
        "AttributeError: inspect.Shape has no method '" + longest.substr(0, 200) + "...'");
}

TEST_CASE("a value as text") {
  CHECK(Repr(1.5) == "1.5");
  CHECK(Repr(nullptr) == "None");
  CHECK(Repr(String("it's")) == "\"it's\"");
  CHECK(Repr(Array<Any>{1, "a"}) == "[1, 'a']");
}

TEST_CASE("a library tells what it registered") {
  const std::string path =
      std::filesystem::canonical(std::string(TAIN_TEST_LIBRARY_DIR) + "/libtain_testing.so");
  const LibraryInfo library = LoadLibrary(path);
  CHECK(library.path() == path);
  const auto has_key = [](const auto& infos, std::string_view key) {
    return std::any_of(infos.begin(), infos.end(), [&](auto one) { return one.key() == key; });
  };
  CHECK((has_key(library.types(), "testing.Point") && has_key(library.enums(), "testing.Color")));
  CHECK_FALSE(has_key(library.types(), "inspect.Shape"));
  CHECK(std::count(library.functions().begin(), library.functions().end(), "testing.echo") == 1);

  const LibraryInfo of_module(Module::LoadFromFile(path));
  CHECK(of_module.types().size() == library.types().size());
  CHECK(LibraryInfo(Module(ObjectPtr<ModuleObj>(make_object<ModuleObj>()))).types().empty());
  CHECK(LibraryInfo("no such library").types().empty());
  CHECK(ErrorOf([] { LibraryInfo{Module()}; }).starts_with("ValueError: "));
  CHECK(ErrorOf([] { LoadLibrary("no.so"); }) == "FileNotFoundError: there is no file no.so");
}
