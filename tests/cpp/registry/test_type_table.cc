// SPDX-License-Identifier: Apache-2.0
// Type indices and what types consist of: requests, agreement, child ranges, members, mistakes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <thread>
#include <vector>

#include "helpers/c_helpers.h"

using namespace tain_test;

namespace {

int GetZero(void*, TainAny* result) {
  result->type_index = kTainInt;
  return 0;
}
int SetNothing(void*, const TainAny*) { return 0; }

TainFieldDef IntField(const char* name) {
  TainFieldDef def{};
  def.info.name = Text(name);
  def.info.doc = Text("a number");
  def.info.flags = kTainFieldWritable;
  def.info.size = 8;
  def.info.alignment = 8;
  def.info.offset = 24;
  def.info.getter = &GetZero;
  def.info.setter = reinterpret_cast<void*>(&SetNothing);
  def.info.field_static_type_index = kTainInt;
  def.kind = kTainFieldInt64;
  def.object_type_index = -1;
  def.type = Text("int");
  return def;
}

TainMethodDef Method(const char* name, TainObject* function) {
  TainMethodDef def{};
  def.info.name = Text(name);
  def.info.method = FunctionValue(function);
  return def;
}

int32_t NewType(std::string_view key) {
  const TainTypeRequest request = Request(key);
  return TainTypeRequestIndex(&request);
}

int32_t Index(const TainTypeRequest& request) { return TainTypeRequestIndex(&request); }

/// The fault that a request causes; empty if it gets an index.
std::string Fault(const TainTypeRequest& request) {
  const TainTypeRecord* record = TainGetTypeRecord(Index(request));
  if ((record->def.flags & kTainTypeDead) == 0) return "";
  CHECK(TainRaisePendingFaults() == -1);
  std::string error = TakeError();
  constexpr std::string_view kBullet = "\n  - ";
  return error.erase(0, error.find(kBullet) + kBullet.size());
}

}  // namespace

TEST_CASE("the types of the binary contract are there") {
  struct Row {
    int32_t index;
    const char* key;
  };
  for (const Row& row : {Row{64, "ffi.Object"},
                         {65, "ffi.String"},
                         {68, "ffi.Function"},
                         {71, "ffi.Array"},
                         {78, "ffi.BigInt"}}) {
    CAPTURE(row.key);
    const TainTypeInfo* info = TainGetTypeInfo(row.index);
    REQUIRE(info != nullptr);
    CHECK(Str(info->type_key) == row.key);
    CHECK(info->type_index == row.index);
    CHECK(info->type_depth == (row.index == 64 ? 0 : 1));
    int32_t found = 0;
    const TainByteArray key = Text(row.key);
    CHECK(TainTypeKeyToIndex(&key, &found) == 0);
    CHECK(found == row.index);
  }
  CHECK(Str(TainGetTypeInfo(kTainInt)->type_key) == "int");
  CHECK(TainGetTypeInfo(-1) == nullptr);
  CHECK(TainGetTypeInfo(79) == nullptr);
  CHECK(TainGetTypeInfo(1 << 30) == nullptr);
  CHECK(TainGetTypeRecord(1 << 30) == nullptr);
  const TainByteArray missing = Text("nobody.Knows");
  int32_t index = 0;
  CHECK(TainTypeKeyToIndex(&missing, &index) == -1);
  CHECK(TakeError() == "ValueError: no type is registered as nobody.Knows");
  CHECK(TainTypeKeyToIndex(nullptr, &index) == -1);
  CHECK(TakeError() == "TypeError: TainTypeKeyToIndex: expected a key, got null");
  CHECK(TainTypeKeyToIndex(&missing, nullptr) == -1);
  TakeError();
}

TEST_CASE("the same key gets the same index, and what is unknown agrees") {
  TainTypeRequest unknown = Request("agree.T");
  unknown.size = 0;
  unknown.alignment = 0;
  const int32_t index = Index(unknown);
  CHECK(Index(Request("agree.T")) == index);
  CHECK(TainGetTypeRecord(index)->request.size == 40);
  CHECK(Index(unknown) == index);
}

TEST_CASE("requests that contradict each other or themselves are errors") {
  const std::string index = std::to_string(Index(Request("clash.T")));
  TainTypeRequest final_request = Request("clash.Final");
  final_request.flags = kTainTypeFinal;
  const int32_t final_type = Index(final_request);
  struct Row {
    void (*change)(TainTypeRequest& request, int32_t final_type);
    const char* error;
  };
  const Row rows[] = {
      {[](TainTypeRequest& r, int32_t) { r.size = 48; },
       "clash.T: already registered by another library with size 40, here it has 48; "
       "both libraries must be compiled from the same declaration"},
      {[](TainTypeRequest& r, int32_t) { r.alignment = 16; },
       "clash.T: already registered by another library with alignment 8, here it has "
       "16; both libraries must be compiled from the same declaration"},
      {[](TainTypeRequest& r, int32_t) { r.parent = kTainModule, r.depth = 2; },
       "clash.T: already registered by another library with parent ffi.Object, here it "
       "has ffi.Module; both libraries must be compiled from the same declaration"},
      {[](TainTypeRequest& r, int32_t) { r.child_slots = 3; },
       "clash.T: already registered by another library with child slots 0, here it has "
       "3; both libraries must be compiled from the same declaration"},
      {[](TainTypeRequest& r, int32_t) { r.key = Text(""); }, "type key: the name is empty"},
      {[](TainTypeRequest& r, int32_t) { r.key = Text("bad\xff.T"); },
       "type key: the name is not UTF-8 text"},
      {[](TainTypeRequest& r, int32_t) { r.key = {nullptr, 3}; },
       "type index request: expected a key, got null"},
      {[](TainTypeRequest& r, int32_t) { r.parent = 900000; },
       "clash.T: its parent's type index 900000 is not that of a registered type"},
      {[](TainTypeRequest& r, int32_t) { r.parent = kTainInt; },
       "clash.T: its parent's type index 1 is not that of a registered type"},
      {[](TainTypeRequest& r, int32_t) { r.depth = 3; },
       "clash.T: depth 3, but its parent ffi.Object has depth 0"},
      {[](TainTypeRequest& r, int32_t) { r.child_slots = -1; }, "clash.T: -1 child slots"},
      {[](TainTypeRequest& r, int32_t) { r.size = 8; },
       "clash.T: size 8 and alignment 8 are not those of an object"},
      {[](TainTypeRequest& r, int32_t) { r.alignment = 12; },
       "clash.T: size 40 and alignment 12 are not those of an object"},
      {[](TainTypeRequest& r, int32_t) { r.static_index = 500; },
       "clash.T: 500 is no static type index (64 to 127)"},
      {[](TainTypeRequest& r, int32_t) { r.static_index = 100; },
       "clash.T: asked for the static index 100, but it has the index ?"},
      {[](TainTypeRequest& r, int32_t) { r.key = Text("clash.New"), r.static_index = 71; },
       "clash.New: the static index 71 belongs to ffi.Array"},
      {[](TainTypeRequest& r, int32_t f) { r.key = Text("clash.C"), r.parent = f, r.depth = 2; },
       "clash.C: its parent clash.Final is final and cannot have children"},
  };
  for (const Row& row : rows) {
    TainTypeRequest request = Request("clash.T");
    row.change(request, final_type);
    std::string expected = row.error;
    if (expected.ends_with("index ?")) expected.replace(expected.size() - 1, 1, index);
    CHECK(Fault(request) == expected);
  }
}

TEST_CASE("children take their parent's range, overflow if they may, and are instances") {
  TainTypeRequest base = Request("range.Base");
  base.child_slots = 2;
  const int32_t parent = Index(base);
  const int32_t other = Index(Request("range.Other"));
  CHECK(other == parent + 3);
  int32_t children[3];
  for (int i = 0; i < 3; ++i) {
    const std::string key = "range.C" + std::to_string(i);
    TainTypeRequest child = Request(key);
    child.parent = parent;
    child.depth = 2;
    children[i] = Index(child);
    CHECK(TainTypeIsInstance(children[i], parent) == 1);
    CHECK(TainTypeIsInstance(children[i], kTainObject) == 1);
    CHECK(TainTypeIsInstance(parent, children[i]) == 0);
    CHECK(TainTypeIsInstance(children[i], other) == 0);
  }
  CHECK(children[0] == parent + 1);
  CHECK(children[1] == parent + 2);
  CHECK(children[2] > other);
  const TainTypeInfo& info = *TainGetTypeInfo(children[2]);
  CHECK(info.type_depth == 2);
  CHECK(info.type_ancestors[0] == TainGetTypeInfo(kTainObject));
  CHECK(info.type_ancestors[1] == TainGetTypeInfo(parent));
  CHECK(TainGetTypeRecord(parent)->child_slots_end == parent + 3);

  TainTypeRequest strict = Request("range.Strict");
  strict.child_slots_can_overflow = 0;
  const int32_t no_room = Index(strict);
  TainTypeRequest child = Request("range.TooMany");
  child.parent = no_room;
  child.depth = 2;
  CHECK(Fault(child) ==
        "range.TooMany: its parent range.Strict has no child slot left (it reserves "
        "0); 1 needed: raise _type_child_slots or let them overflow");
  CHECK(TainTypeIsInstance(kTainInt, kTainObject) == 0);
  CHECK(TainTypeIsInstance(-1, kTainObject) == 0);
  CHECK(TainTypeIsInstance(kTainStr, 1 << 20) == 0);
}

TEST_CASE("entries keep their address while the table grows, and are read without a lock") {
  const int32_t first = Index(Request("grow.First"));
  const TainTypeInfo* info = TainGetTypeInfo(first);
  std::thread reader([&] {
    for (int i = 0; i < 20000; ++i) {
      if (const TainTypeInfo* found = TainGetTypeInfo(first + i % 5000)) {
        if (found->type_index < first) std::abort();
      }
    }
  });
  for (int i = 0; i < 5000; ++i) {
    const std::string key = "grow.T" + std::to_string(i);
    Index(Request(key));
  }
  reader.join();
  CHECK(TainGetTypeInfo(first) == info);
}

TEST_CASE("fields, methods, properties and constants are copied, in both forms of the record") {
  const int32_t index = NewType("members.T");
  TainTypeDef type{};
  type.doc = Text("A type.");
  REQUIRE(TainTypeDefine(index, &type) == 0);
  TainObject* function = MakeCounter();
  {
    std::string name = "x0";  // copied: the text may go
    for (int i = 0; i < 20; ++i) {
      name = "x" + std::to_string(i);
      const TainFieldDef field = IntField(name.c_str());
      REQUIRE(TainTypeDefField(index, &field) == 0);
      name.assign(name.size(), '?');
    }
  }
  TainArgInfo arg{};
  arg.name = Text("n");
  arg.type = Text("Array[int] | None");
  arg.default_value = IntValue(3);
  arg.flags = kTainArgNamed | kTainArgHasDefault;
  TainFunctionInfo call{};
  call.name = Text("members.T.count");
  call.return_type = Text("int");
  call.args = &arg;
  call.num_args = 1;
  call.flags = kTainCallMethod;
  REQUIRE(TainFunctionSetInfo(function, &call) == 0);
  const TainMethodDef method = Method("count", function);
  REQUIRE(TainTypeDefMethod(index, &method) == 0);
  TainPropertyDef property{};
  property.name = Text("p");
  property.type = Text("int");
  property.getter = function;
  REQUIRE(TainTypeDefProperty(index, &property) == 0);
  TainConstantDef constant{};
  constant.name = Text("LIMIT");
  constant.value = IntValue(5);
  REQUIRE(TainTypeDefConstant(index, &constant) == 0);
  REQUIRE(TainTypeDefConstructor(index, function, nullptr) == 0);
  CHECK(TainObjectDecRef(function) == 0);  // the table keeps its own reference

  const TainTypeRecord* record = TainGetTypeRecord(index);
  REQUIRE(record->num_fields == 20);
  CHECK(record->info->num_fields == 20);
  for (int i = 0; i < 20; ++i) {
    const std::string name = "x" + std::to_string(i);
    CHECK(Str(record->fields[i]->info.name) == name);
    CHECK(Str(record->info->fields[i].name) == name);
    CHECK(record->fields[i]->declaring_type == index);
  }
  CHECK(Str(record->fields[0]->info.metadata) == R"({"type_schema":"{\"type\":\"int\"}"})");
  CHECK(record->fields[0]->kind == kTainFieldInt64);
  REQUIRE(record->num_methods == 1);
  CHECK(record->methods[0]->call->args[0].default_value.v_int64 == 3);
  CHECK(record->info->methods[0].method.v_obj == record->constructor);
  CHECK(Str(record->info->methods[0].metadata) ==
        R"({"type_schema":"{\"type\":\"ffi.Function\",\"args\":[{\"type\":\"int\"},)"
        R"({\"type\":\"members.T\"},{\"type\":\"Optional\",\"args\":[{\"type\":\"ffi.Array\",)"
        R"(\"args\":[{\"type\":\"int\"}]}]}]}"})");
  CHECK(record->num_properties == 1);
  CHECK(record->constants[0]->value.v_int64 == 5);
  CHECK(Str(record->def.doc) == "A type.");
  CHECK((record->def.flags & kTainTypeDefined) != 0);
  CHECK(record->info->metadata->total_size == 40);
}

TEST_CASE("mistakes in members are errors that name the member") {
  const int32_t index = NewType("wrong.T");
  TainTypeDef type{};
  type.flags = kTainTypeFrozen;
  REQUIRE(TainTypeDefine(index, &type) == 0);
  CHECK(TainTypeDefine(index, &type) == -1);
  CHECK(TakeError() == "ValueError: wrong.T: described twice (a second ObjectDef)");
  struct Row {
    void (*change)(TainFieldDef& field);
    const char* error;
  };
  const Row rows[] = {
      {[](TainFieldDef&) {}, "ValueError: wrong.T.x: the name is already that of a field"},
      {[](TainFieldDef& f) { f.info.name = Text("m"); },
       "ValueError: wrong.T.m: the name is already that of a method"},
      {[](TainFieldDef& f) { f.info.name = Text(""); }, "ValueError: wrong.T: the name is empty"},
      {[](TainFieldDef& f) { f.info.flags = kTainFieldWritable; },
       "TypeError: wrong.T.y: writable, but the type is frozen: use def_ro"},
      {[](TainFieldDef& f) { f.info.flags = 1 << 20; },
       "ValueError: wrong.T.y: flags 1048576 are not those of a field"},
      {[](TainFieldDef& f) { f.kind = 99; }, "ValueError: wrong.T.y: 99 is no kind of field"},
      {[](TainFieldDef& f) { f.info.getter = nullptr; },
       "ValueError: wrong.T.y: expected a getter, got null"},
      {[](TainFieldDef& f) { f.info.offset = 40; },
       "ValueError: wrong.T.y: offset 40 and size 8 reach outside of the object, which has 40 "
       "bytes"},
      {[](TainFieldDef& f) { f.info.offset = -8; },
       "ValueError: wrong.T.y: offset -8 and size 8 reach outside of the object, which has 40 "
       "bytes"},
      {[](TainFieldDef& f) { f.info.size = 4; },
       "ValueError: wrong.T.y: size 4, but its kind has size 8"},
      {[](TainFieldDef& f) { f.info.flags = kTainFieldHasDefault; },
       "TypeError: wrong.T.y: expected a default of type int, got None"},
      {[](TainFieldDef& f) {
         f.info.flags = kTainFieldHasDefault;
         f.kind = kTainFieldInt8;
         f.info.size = 1;
         f.info.default_value_or_factory = IntValue(300);
       },
       "OverflowError: wrong.T.y: the default 300 is out of range for int8"},
      {[](TainFieldDef& f) {
         f.info.flags = kTainFieldHasDefault | kTainFieldDefaultFactory;
         f.info.default_value_or_factory = IntValue(1);
       },
       "TypeError: wrong.T.y: expected a default of type Function (the factory), got int"},
  };
  TainObject* function = MakeCounter();
  const TainMethodDef method = Method("m", function);
  TainFieldDef first = IntField("x");
  first.info.flags = 0;
  REQUIRE(TainTypeDefField(index, &first) == 0);
  REQUIRE(TainTypeDefMethod(index, &method) == 0);
  for (const Row& row : rows) {
    TainFieldDef field = IntField("y");
    field.info.flags = 0;
    if (std::string_view(row.error).find("of a field") != std::string_view::npos) {
      field.info.name = Text("x");
    }
    row.change(field);
    if (std::string_view(row.error).find(".y") != std::string_view::npos) {
      field.info.name = Text("y");
    }
    CHECK(TainTypeDefField(index, &field) == -1);
    CHECK(TakeError() == row.error);
  }
  CHECK(TainGetTypeRecord(index)->num_fields == 1);

  CHECK(TainTypeDefMethod(index, &method) == -1);
  CHECK(TakeError() == "ValueError: wrong.T.m: the name is already that of a method");
  TainMethodDef no_function = Method("n", function);
  no_function.info.method = IntValue(1);
  CHECK(TainTypeDefMethod(index, &no_function) == -1);
  CHECK(TakeError() == "TypeError: wrong.T.n: expected a Function, got int");
  TainMethodDef bad_flags = Method("n", function);
  bad_flags.info.flags = 1;
  CHECK(TainTypeDefMethod(index, &bad_flags) == -1);
  TakeError();
  REQUIRE(TainTypeDefConstructor(index, function, nullptr) == 0);
  CHECK(TainTypeDefConstructor(index, function, nullptr) == -1);
  CHECK(TakeError() == "ValueError: wrong.T: has two constructors");
  TainObjectDecRef(function);
}

TEST_CASE("through the ABI's function a second method of one name replaces the first") {
  const int32_t index = NewType("replaced.T");
  TainObject* first = MakeCounter();
  TainObject* second = MakeCounter();
  const TainByteArray name = Text("__ffi_init__");
  TainMethodInfo info = Method("__ffi_init__", first).info;
  info.flags = kTainMethodStatic;
  REQUIRE(TainTypeRegisterMethod(index, &info) == 0);
  REQUIRE(TainTypeRegisterAttr(index, &name, &info.method) == 0);
  info.method = FunctionValue(second);
  REQUIRE(TainTypeRegisterMethod(index, &info) == 0);
  const TainTypeInfo* type = TainGetTypeInfo(index);
  REQUIRE(type->num_methods == 1);
  CHECK(type->methods[0].method.v_obj == second);
  CHECK(TainGetTypeRecord(index)->methods[0]->info.method.v_obj == second);
  // The attribute went with it, so setting it as libraries do is to set it to what it is.
  const TainTypeAttrColumn* column = TainGetTypeAttrColumn(&name);
  CHECK(column->data[index - column->begin_index].v_obj == second);
  CHECK(TainTypeRegisterAttr(index, &name, &type->methods[0].method) == 0);
  info.method = IntValue(1);
  CHECK(TainTypeRegisterMethod(index, &info) == -1);
  CHECK(TakeError() == "TypeError: replaced.T.__ffi_init__: expected a Function, got int");
  TainObjectDecRef(first);
  TainObjectDecRef(second);
}

TEST_CASE("every function about types takes null and unknown indices") {
  const TainFieldDef field = IntField("x");
  CHECK(TainTypeDefField(900000, &field) == -1);
  CHECK(TakeError() == "ValueError: type index 900000 is not that of a registered type");
  const int32_t index = NewType("nulls.T");
  CHECK(TainTypeRegisterField(index, nullptr) == -1);
  CHECK(TakeError() == "TypeError: TainTypeRegisterField: expected a field, got null");
  CHECK(TainTypeRegisterMethod(index, nullptr) == -1);
  CHECK(TainTypeRegisterMetadata(index, nullptr) == -1);
  CHECK(TainTypeDefine(index, nullptr) == -1);
  CHECK(TainTypeDefField(index, nullptr) == -1);
  CHECK(TainTypeDefMethod(index, nullptr) == -1);
  CHECK(TainTypeDefProperty(index, nullptr) == -1);
  CHECK(TainTypeDefConstant(index, nullptr) == -1);
  CHECK(TainTypeDefConstructor(index, nullptr, nullptr) == -1);
  CHECK(TainEnumDefine(nullptr) == -1);
  CHECK(TainGetEnum(nullptr) == nullptr);
  CHECK(TainFunctionSetInfo(nullptr, nullptr) == -1);
  CHECK(TainFunctionGetInfo(nullptr) == nullptr);
  CHECK(TainListTypeKeys(nullptr, nullptr) == -1);
  TakeError();

  TainFieldInfo abi = field.info;
  REQUIRE(TainTypeRegisterField(index, &abi) == 0);
  CHECK(TainGetTypeRecord(index)->fields[0]->kind == kTainFieldOpaque);
  TainTypeMetadata metadata{};
  metadata.total_size = 40;
  CHECK(TainTypeRegisterMetadata(index, &metadata) == 0);
  CHECK(TainTypeRegisterMetadata(index, &metadata) == -1);
  CHECK(TakeError() == "ValueError: nulls.T: its metadata is registered twice");

  const int32_t other = NewType("wrong_metadata.T");
  metadata.total_size = -3;
  CHECK(TainTypeRegisterMetadata(other, &metadata) == -1);
  CHECK(TakeError() == "ValueError: wrong_metadata.T: a size of -3 bytes");
  metadata = {};
  metadata.structural_eq_hash_kind = 99;
  CHECK(TainTypeRegisterMetadata(other, &metadata) == -1);
  CHECK(TakeError() == "ValueError: wrong_metadata.T: unknown structural kind 99");
  TainTypeDef def{};
  def.flags = int64_t{7} << kTainTypeStructuralShift;
  CHECK(TainTypeDefine(other, &def) == -1);
  CHECK(TakeError() == "ValueError: wrong_metadata.T: unknown structural kind 7");
  CHECK((TainGetTypeRecord(other)->def.flags & kTainTypeDefined) == 0);
}

TEST_CASE("enums are copied and checked") {
  std::string name = "RED";
  TainEnumMember members[2] = {{Text(name), Text(""), 1, Text("")},
                               {Text("BLUE"), Text(""), 2, Text("")}};
  TainEnumInfo info{Text("enums.Color"), Text("Colors."), kTainEnumInt, 2, members};
  const uint64_t generation = TainRegistryGeneration();
  REQUIRE(TainEnumDefine(&info) == 0);
  CHECK(TainRegistryGeneration() > generation);
  name = "???";
  const TainEnumInfo* found = TainGetEnum(&info.key);
  REQUIRE(found != nullptr);
  CHECK(Str(found->members[0].name) == "RED");
  CHECK(found->members[1].value == 2);

  CHECK(TainEnumDefine(&info) == -1);
  CHECK(TakeError() ==
        "ValueError: enums.Color: the enum is already defined by another library; this "
        "definition has another member ???");
  info.key = Text("enums.Twice");
  members[0].name = Text("BLUE");
  CHECK(TainEnumDefine(&info) == -1);
  CHECK(TakeError() == "ValueError: enums.Twice.BLUE: the member is defined twice");
  info.kind = 9;
  CHECK(TainEnumDefine(&info) == -1);
  CHECK(TakeError() == "ValueError: enums.Twice: 9 is no kind of enum");
  info.kind = kTainEnumInt;
  info.key = Text("ffi.Array");
  members[0].name = Text("GREEN");
  CHECK(TainEnumDefine(&info) == -1);
  CHECK(TakeError() == "ValueError: ffi.Array: the key belongs to a type");
}

TEST_CASE("keys are listed in order, enums with -1, and a visitor may stop") {
  NewType("list.T");
  struct Seen {
    std::vector<std::string> keys;
    bool enum_seen = false;
  } seen;
  auto visit = [](const TainByteArray* key, int32_t index, void* context) {
    auto* s = static_cast<Seen*>(context);
    s->keys.push_back(Str(*key));
    s->enum_seen = s->enum_seen || index == -1;
    return s->keys.size() == 3 && s->enum_seen ? 1 : 0;
  };
  CHECK(TainListTypeKeys(visit, &seen) == 0);
  CHECK(seen.keys[0] == "ffi.Object");
  CHECK(std::find(seen.keys.begin(), seen.keys.end(), "list.T") != seen.keys.end());
  CHECK(std::find(seen.keys.begin(), seen.keys.end(), "int") == seen.keys.end());
  auto stop = [](const TainByteArray*, int32_t, void* context) {
    ++*static_cast<int*>(context);
    return 1;
  };
  int visited = 0;
  CHECK(TainListTypeKeys(stop, &visited) == 0);
  CHECK(visited == 1);
}
