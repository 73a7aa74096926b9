// SPDX-License-Identifier: Apache-2.0
// EnumDef: C++ enums as members of a named enum, in fields, parameters and results.
#include <doctest/doctest.h>

#include <string>

#include "helpers/registration.h"
#include "tain/container/optional.h"
#include "tain/internal/enum_key.h"
#include "tain/reflection/enum_def.h"

using namespace tain_test;
using tain::arg;
using tain::Function;
using tain::reflection::EnumDef;
using tain::reflection::EnumKind;

namespace {

enum class Color : int32_t { kRed = 1, kGreen = 2 };
enum Access : uint8_t { kRead = 1, kWrite = 2, kExecute = 4 };
enum class Mode : uint8_t { kFast, kSafe };
enum class Unregistered : int8_t { kOne = 1 };
enum class Signed : int64_t { kMinus = -5 };

struct PaintObj : tain::Object {
  Color color = Color::kRed;
  Mode mode = Mode::kSafe;
  TAIN_OBJECT("cpp_test.enum.Paint", PaintObj, tain::Object);
};

const TainEnumInfo* Enum(std::string_view key) {
  const TainByteArray text = Text(key);
  return TainGetEnum(&text);
}

}  // namespace

TAIN_REGISTER {
  EnumDef<Color>("cpp_test.enum.Color", "Colors.")
      .value("RED", Color::kRed, "like a rose")
      .value("GREEN", Color::kGreen);
  EnumDef<Access>("cpp_test.enum.Access", "", EnumKind::kFlag)
      .value("READ", kRead)
      .value("WRITE", kWrite)
      .value("EXECUTE", kExecute);
  EnumDef<Mode>("cpp_test.enum.Mode", "", EnumKind::kStr)
      .value("FAST", Mode::kFast, "fast", "quickly")
      .value("SAFE", Mode::kSafe);
  EnumDef<Signed>("cpp_test.enum.Signed").value("MINUS", Signed::kMinus);
  tain::reflection::ObjectDef<PaintObj>()
      .def_rw("color", &PaintObj::color)
      .def_rw("mode", &PaintObj::mode)
      .def_init_fields();
  tain::reflection::GlobalDef().def(
      "cpp_test.enum.flip", [](Color c) { return c == Color::kRed ? Color::kGreen : Color::kRed; },
      arg("color") = Color::kGreen);
}

TEST_CASE("an enum's record holds its members") {
  const TainEnumInfo* color = Enum("cpp_test.enum.Color");
  REQUIRE(color != nullptr);
  CHECK(Str(color->doc) == "Colors.");
  CHECK(color->kind == kTainEnumInt);
  REQUIRE(color->num_members == 2);
  CHECK(Str(color->members[0].name) == "RED");
  CHECK(Str(color->members[0].doc) == "like a rose");
  CHECK(color->members[1].value == 2);
  const TainEnumInfo* mode = Enum("cpp_test.enum.Mode");
  CHECK(mode->kind == kTainEnumStr);
  CHECK(Str(mode->members[0].text) == "fast");
  CHECK(Str(mode->members[0].doc) == "quickly");
  CHECK(Str(mode->members[1].text) == "SAFE");
  CHECK(Enum("cpp_test.enum.None") == nullptr);
}

TEST_CASE("members cross as numbers, those of string enums as text") {
  CHECK(tain::Any(Color::kGreen).cast<int>() == 2);
  CHECK(tain::Any(Color::kGreen).cast<Color>() == Color::kGreen);
  CHECK(tain::Any(Mode::kFast).cast<std::string>() == "fast");
  CHECK(tain::Any("SAFE").cast<Mode>() == Mode::kSafe);
  CHECK(tain::Any(Signed::kMinus).cast<Signed>() == Signed::kMinus);
  CHECK(tain::Any(1).cast<Unregistered>() == Unregistered::kOne);
}

TEST_CASE("what is no member is refused") {
  CHECK(ErrorOf([] { tain::Any(3).cast<Color>(); }) ==
        "TypeError: expected cpp_test.enum.Color (RED, GREEN), got int (3)");
  CHECK(ErrorOf([] { tain::Any("slow").cast<Mode>(); }) ==
        "TypeError: expected cpp_test.enum.Mode (FAST, SAFE), got str ('slow')");
  CHECK(ErrorOf([] { tain::Any("RED").cast<Color>(); }) != "");
  CHECK(ErrorOf([] { tain::Any(300).cast<Unregistered>(); }) ==
        "OverflowError: expected int in -128..127, got 300");
}

TEST_CASE("flags combine") {
  CHECK(tain::Any(3).cast<Access>() == (kRead | kWrite));
  CHECK(tain::Any(0).cast<Access>() == 0);
  CHECK(tain::Any(8).cast<Access>() == 8);  // a bit that no member names
  CHECK(ErrorOf([] { tain::Any(int64_t{1} << 40).cast<Access>(); }) != "");
}

TEST_CASE("functions take and return members and say so") {
  const Function flip = Function::GetGlobalRequired("cpp_test.enum.flip");
  CHECK(flip(Color::kRed).cast<Color>() == Color::kGreen);
  CHECK(flip().cast<Color>() == Color::kRed);
  CHECK(ErrorOf([&] { flip(7); }) ==
        "TypeError: cpp_test.enum.flip: argument color: expected cpp_test.enum.Color (RED, "
        "GREEN), got int (7)");
  const TainFunctionInfo* info = TainFunctionGetInfo(tain::internal::RefAccess::Header(flip));
  CHECK((info->flags & kTainCallReturnsEnum) != 0);
  CHECK(Str(info->return_type) == "cpp_test.enum.Color");
  CHECK(Str(info->args[0].type) == "cpp_test.enum.Color");
}

TEST_CASE("fields hold members") {
  const TainFieldDef* field = FieldOf<PaintObj>("color");
  CHECK(field->is_enum != 0);
  CHECK(Str(field->type) == "cpp_test.enum.Color");
  const auto paint = tain::make_object<PaintObj>();
  SetField(*paint, "color", 2);
  CHECK(paint->color == Color::kGreen);
  CHECK(GetField(*paint, "mode").cast<std::string>() == "SAFE");
  const auto made = ConstructorOf<PaintObj>()(2, "fast").cast<tain::Ref<PaintObj>>();
  CHECK(made->mode == Mode::kFast);
}

TEST_CASE("an Optional of an enum is shown and spelled as one") {
  using tain::Optional;
  CHECK(tain::TypeTraits<Optional<Color>>::TypeStr() == "cpp_test.enum.Color | None");
  CHECK(Str(tain::internal::EnumKeyOf(Text("cpp_test.enum.Color | None"))) ==
        "cpp_test.enum.Color");
  CHECK(Str(tain::internal::EnumKeyOf(Text("cpp_test.enum.Color"))) == "cpp_test.enum.Color");
  CHECK(tain::internal::SignatureTools<tain::internal::Signature<Optional<Color>>>::ReturnsEnum());
  CHECK(!tain::internal::SignatureTools<tain::internal::Signature<Optional<int>>>::ReturnsEnum());
}

TEST_CASE("mistakes in an enum are faults") {
  CHECK(FaultsOf([] {
          EnumDef<Unregistered>("cpp_test.enum.Color").value("A", {});
        }).find("cpp_test.enum.Color") != std::string::npos);
  CHECK(FaultsOf([] {
          EnumDef<Unregistered>("cpp_test.enum.Twice")
              .value("A", Unregistered::kOne)
              .value("A", Unregistered::kOne);
        }).find("cpp_test.enum.Twice") != std::string::npos);
  CHECK(Enum("cpp_test.enum.Twice") == nullptr);
}
