// SPDX-License-Identifier: Apache-2.0
// Names of data types.
#include <string>

#include "helpers/value_helpers.h"

using namespace tain;
using namespace tain_test;

namespace {

struct Row {
  const char* name;
  DLDataType type;
};

std::string NameOf(DLDataType type) {
  TainAny out{};
  if (TainDataTypeToString(&type, &out) != 0) return TakeError();
  return Any::Steal(out).cast<std::string>();
}

}  // namespace

TEST_CASE("every data type has one name") {
  const Row rows[] = {{"int8", {kDLInt, 8, 1}},
                      {"int4", {kDLInt, 4, 1}},
                      {"int64", {kDLInt, 64, 1}},
                      {"uint1", {kDLUInt, 1, 1}},
                      {"uint8", {kDLUInt, 8, 1}},
                      {"float16", {kDLFloat, 16, 1}},
                      {"float32x4", {kDLFloat, 32, 4}},
                      {"float64", {kDLFloat, 64, 1}},
                      {"bfloat16", {kDLBfloat, 16, 1}},
                      {"complex64", {kDLComplex, 64, 1}},
                      {"complex128", {kDLComplex, 128, 1}},
                      {"bool", {kDLBool, 8, 1}},
                      {"boolx8", {kDLBool, 8, 8}},
                      {"handle", {kDLOpaqueHandle, 64, 1}},
                      {"void", {kDLOpaqueHandle, 0, 0}},
                      {"float8_e3m4", {kDLFloat8_e3m4, 8, 1}},
                      {"float8_e4m3", {kDLFloat8_e4m3, 8, 1}},
                      {"float8_e4m3b11fnuz", {kDLFloat8_e4m3b11fnuz, 8, 1}},
                      {"float8_e4m3fn", {kDLFloat8_e4m3fn, 8, 1}},
                      {"float8_e4m3fnuz", {kDLFloat8_e4m3fnuz, 8, 1}},
                      {"float8_e5m2", {kDLFloat8_e5m2, 8, 1}},
                      {"float8_e5m2fnuz", {kDLFloat8_e5m2fnuz, 8, 1}},
                      {"float8_e8m0fnu", {kDLFloat8_e8m0fnu, 8, 1}},
                      {"float6_e2m3fn", {kDLFloat6_e2m3fn, 6, 1}},
                      {"float6_e3m2fnx2", {kDLFloat6_e3m2fn, 6, 2}},
                      {"float4_e2m1fnx2", {kDLFloat4_e2m1fn, 4, 2}},
                      {"int32xvscalex4", {kDLInt, 32, static_cast<uint16_t>(-4)}}};
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const TainByteArray text = Text(row.name);
    DLDataType parsed{};
    REQUIRE(TainDataTypeFromString(&text, &parsed) == 0);
    CHECK(parsed.code == row.type.code);
    CHECK(parsed.bits == row.type.bits);
    CHECK(parsed.lanes == row.type.lanes);
    CHECK(NameOf(row.type) == row.name);
  }
  CHECK(Any("float").cast<DLDataType>().bits == 32);
  CHECK(Any("int").cast<DLDataType>().bits == 32);
}

TEST_CASE("what is no data type is refused with what is accepted") {
  for (const char* name :
       {"", "float8", "float8_e9m9", "floaty", "int0", "int999", "int8x", "int8x0", "int8x99999",
        "int8x4y", "int8 ", "Int8", "bool_", "x4", "uint-8", "float32x4x2", "99"}) {
    CAPTURE(name);
    const TainByteArray text = Text(name);
    DLDataType parsed{};
    CHECK(TainDataTypeFromString(&text, &parsed) == -1);
    const std::string error = TakeError();
    CHECK(error.find("ValueError: dtype: expected int8..int64, uint8..uint64, float16") == 0);
    CHECK(error.find(std::string(", got '") + name + "'") != std::string::npos);
  }
  CHECK(NameOf({77, 8, 1}) ==
        "ValueError: dtype: expected a type code of DLPack (0..17), got 77 with 8 bits");
  DLDataType parsed{};
  CHECK(TainDataTypeFromString(nullptr, &parsed) == -1);
  CHECK(TakeError() == "TypeError: TainDataTypeFromString: expected a name, got null");
  const TainByteArray text = Text("int8");
  CHECK(TainDataTypeFromString(&text, nullptr) == -1);
  CHECK(TakeError() ==
        "TypeError: TainDataTypeFromString: expected a place for the result, got null");
  TainAny out{};
  CHECK(TainDataTypeToString(nullptr, &out) == -1);
  CHECK(TakeError() == "TypeError: TainDataTypeToString: expected a data type, got null");
}

TEST_CASE("data types cross as themselves and as text") {
  const DLDataType type{kDLFloat, 32, 4};
  CHECK(Any(type).cast<DLDataType>().lanes == 4);
  CHECK(CastError<DLDataType>("floaty", "f: t") ==
        "TypeError: f: t: expected dtype (a name such as float32 or int8x4), got str "
        "('floaty')");
  CHECK(TakeError() == "");
  CHECK(Repr(type) == "dtype('float32x4')");
}
