// SPDX-License-Identifier: Apache-2.0
// repr of values: as Python writes them, bounded in depth and size, safe on cycles.
#include <cmath>
#include <limits>

#include "helpers/value_helpers.h"
#include "tain/big_int.h"
#include "tain/container/array.h"
#include "tain/container/dict.h"
#include "tain/container/list.h"
#include "tain/container/map.h"
#include "tain/reflection/enum_def.h"
#include "tain/reflection/object_def.h"

using namespace tain;
using namespace tain_test;
namespace refl = tain::reflection;

namespace {

enum class Color { kRed = 1, kBlue = 2 };

struct BaseObj : Object {
  int id = 1;
  String secret = "hidden";
  TAIN_OBJECT("test_repr.Base", BaseObj, Object);
};
struct NodeObj : BaseObj {
  ObjectPtr<NodeObj> next;
  double weight = 1.0;
  Color color = Color::kBlue;
  TAIN_OBJECT("test_repr.Node", NodeObj, BaseObj);
};
struct CustomObj : Object {
  Any inner;
  TAIN_OBJECT("test_repr.Custom", CustomObj, Object);
};
struct BrokenObj : Object {
  int Value() const {
    TAIN_THROW(ValueError) << "no value";
    return 0;
  }
  TAIN_OBJECT("test_repr.Broken", BrokenObj, Object);
};

void SetRepr(int32_t type_index, const Function& function) {
  const TainByteArray name = Text("__ffi_repr__");
  const Any value = function;
  TainTypeRegisterAttr(type_index, &name, &value.data());
}

}  // namespace

TAIN_REGISTER {
  refl::EnumDef<Color>("test_repr.Color").value("RED", Color::kRed).value("BLUE", Color::kBlue);
  refl::ObjectDef<BaseObj>()
      .def_rw("id", &BaseObj::id)
      .def_rw("secret", &BaseObj::secret, tain::no_repr());
  refl::ObjectDef<NodeObj>()
      .def_rw("next", &NodeObj::next)
      .def_rw("weight", &NodeObj::weight)
      .def_rw("color", &NodeObj::color);
  SetRepr(CustomObj::RuntimeTypeIndex(), Function([](const CustomObj& self, Function repr) {
            return "<custom " + repr(self.inner).cast<std::string>() + ">";
          }));
  SetRepr(BrokenObj::RuntimeTypeIndex(), Function([](const BrokenObj& self, const Function&) {
            return std::to_string(self.Value());
          }));
}

TEST_CASE("plain values are written as Python does") {
  struct Row {
    Any value;
    const char* text;
  };
  const double inf = std::numeric_limits<double>::infinity();
  const Row rows[] = {
      {nullptr, "None"},
      {true, "True"},
      {false, "False"},
      {-5, "-5"},
      {1.0, "1.0"},
      {-0.0, "-0.0"},
      {0.1, "0.1"},
      {1e15, "1000000000000000.0"},
      {1e16, "1e+16"},
      {123456789012345680.0, "1.2345678901234568e+17"},
      {0.0001, "0.0001"},
      {0.00001234, "1.234e-05"},
      {1e-7, "1e-07"},
      {1e100, "1e+100"},
      {5e-324, "5e-324"},
      {123.456, "123.456"},
      {inf, "inf"},
      {-inf, "-inf"},
      {std::nan(""), "nan"},
      {"it is", "'it is'"},
      {"it's", "\"it's\""},
      {"it's \"so\"", "'it\\'s \"so\"'"},
      {"a\\b\n\r\t\x01\x7f", "'a\\\\b\\n\\r\\t\\x01\\x7f'"},
      {"äöü €", "'äöü €'"},
      {"\u00a0\u200b\u2028", "'\\xa0\\u200b\\u2028'"},
      {"\xed\xa0\x80 \xff \xf0\x9f\x98\x80", "'\\ud800 \\xff 😀'"},
      {tain::Bytes("a'\x00\xff\n", 5), "b\"a'\\x00\\xff\\n\""},
      {BigInt("-100000000000000000000"), "-100000000000000000000"},
      {DLDevice{kDLCUDA, 7}, "device('cuda:7')"},
      {DLDataType{kDLFloat, 16, 1}, "dtype('float16')"},
  };
  for (const Row& row : rows) CHECK(Repr(row.value) == row.text);
  int target = 0;
  CHECK(Repr(static_cast<void*>(&target)).find("<ctypes.c_void_p 0x") == 0);
}

TEST_CASE("objects show their fields, the parent's first") {
  const NothingLeft check;
  auto node = make_object<NodeObj>();
  node->next = make_object<NodeObj>();
  CHECK(Repr(node) ==
        "test_repr.Node(id=1, next=test_repr.Node(id=1, next=None, weight=1.0, "
        "color=Color.BLUE), weight=1.0, color=Color.BLUE)");
  CHECK(Repr(MakePoint(1)) == "test_values.Point()");
  CHECK(Repr(Error("ValueError", "it's")) == "ValueError(\"it's\")");
  CHECK(Repr(Function([] { return 1; })) == "<Function>");
}

TEST_CASE("a type's own repr is honoured, and its errors come out") {
  auto custom = make_object<CustomObj>();
  custom->inner = Array<Any>{1, "x"};
  CHECK(Repr(custom) == "<custom [1, 'x']>");
  custom->inner = custom;
  CHECK(Repr(custom) == "<custom ...>");
  custom->inner = nullptr;
  const std::string error = Repr(Array<Any>{make_object<BrokenObj>()});
  CHECK(error.rfind("ValueError: ", 0) == 0);
  CHECK(Repr(Array<Any>{1}) == "[1]");  // and leave no level behind
}

TEST_CASE("cycles end in dots") {
  auto node = make_object<NodeObj>();
  node->next = node;
  CHECK(Repr(node).find("next=...,") != std::string::npos);
  node->next = nullptr;
  List<Any> list;
  const Dict<String, Any> dict = {{"list", list}};
  list.push_back(dict);
  list.push_back(dict);
  CHECK(Repr(list) == "[{'list': ...}, {'list': ...}]");
  list.clear();
}

TEST_CASE("a million nodes in a chain are written as far as a hundred go") {
  ObjectPtr<NodeObj> chain;
  for (int i = 0; i < 1000000; ++i) {
    auto node = make_object<NodeObj>();
    node->next = std::move(chain);
    chain = std::move(node);
  }
  const std::string text = Repr(chain);
  size_t nodes = 0;
  for (size_t at = text.find("Node("); at != std::string::npos; at = text.find("Node(", at + 1)) {
    ++nodes;
  }
  CHECK(nodes == 100);
  CHECK(text.find("next=...") != std::string::npos);
}

TEST_CASE("the text is cut off after a megabyte") {
  List<Any> list;
  for (int i = 0; i < 200000; ++i) list.push_back("0123456789");
  const std::string text = Repr(list);
  CHECK(text.size() == (1 << 20) + 3);
  CHECK(text.substr(text.size() - 3) == "...");
  CHECK(Repr(String(std::string(3 << 20, 'x'))).size() == (1 << 20) + 3);
  // Each level twice the one before: 2**60 leaves.
  Array<Any> twice = {1};
  for (int i = 0; i < 60; ++i) twice = Array<Any>{twice, twice};
  CHECK(Repr(twice).size() == (1 << 20) + 3);
}

TEST_CASE("the C function checks what it is given") {
  TainAny out{};
  CHECK(TainAnyRepr(nullptr, &out) == -1);
  CHECK(TakeError() == "TypeError: TainAnyRepr: expected a value, got null");
  CHECK(TainAnyRepr(&out, nullptr) == -1);
  CHECK(TakeError() == "TypeError: TainAnyRepr: expected a place for the result, got null");
}
