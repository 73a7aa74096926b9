// SPDX-License-Identifier: Apache-2.0
// Modules without Python: kinds written in C++, imports, saving, libraries.
#include "tain/module.h"

#include <doctest/doctest.h>

#include <string>

#include "helpers/error_of.h"
#include "tain/reflection/export.h"
#include "tain/reflection/global_def.h"
#include "tain/reflection/object_def.h"

using namespace tain;
using tain_test::ErrorOf;

namespace {

class AdderObj : public ModuleObj {
 public:
  explicit AdderObj(int64_t by) : by_(by) {}
  String kind_impl() const override { return "cpp_adder"; }
  Function get_function_impl(const String& name) override {
    if (name != "add") return nullptr;
    return Function([by = by_](int64_t x) { return x + by; });
  }
  Bytes save_to_bytes_impl() const override {
    const std::string text = std::to_string(by_);
    return Bytes(text.data(), text.size());
  }
  TAIN_OBJECT("cpp.Adder", AdderObj, ModuleObj);

 private:
  int64_t by_;
};

Module MakeAdder(int64_t by) { return Module(ObjectPtr<ModuleObj>(make_object<AdderObj>(by))); }

TAIN_REGISTER {
  reflection::ObjectDef<AdderObj>();
  reflection::GlobalDef().def("ffi.Module.load_from_bytes.cpp_adder", [](const Bytes& bytes) {
    return MakeAdder(std::stoll(std::string(std::string_view(bytes))));
  });
}

Module LoadTree(const Bytes& bytes) {
  return Function::GetGlobalRequired("ffi.ModuleLoadFromTree")(bytes).cast<Module>();
}
Bytes SaveTree(const Module& module) {
  return Function::GetGlobalRequired("ffi.ModuleSaveTree")(module).cast<Bytes>();
}

}  // namespace

TEST_CASE("a module gives its functions by name") {
  const Module module = MakeAdder(3);
  CHECK(module["add"](4).cast<int64_t>() == 7);
  CHECK(module->kind() == "cpp_adder");
  CHECK(module->implements_function("add"));
  CHECK(module->get_property_mask() == ModuleObj::kBinarySerializable + ModuleObj::kRunnable);
  CHECK(make_object<ModuleObj>()->get_property_mask() == ModuleObj::kRunnable);  // has no loader
  CHECK_FALSE(module->get_function("other").defined());
  CHECK(ErrorOf([&] { module["other"]; }) ==
        "AttributeError: module of kind 'cpp_adder' has no function 'other'.");
  CHECK(ErrorOf([] { Module()["other"]; }) != "");
}

TEST_CASE("imports are asked after the module itself, and are never a circle") {
  const Module root = MakeAdder(1), child = MakeAdder(2);
  const Module plain(make_object<ModuleObj>());
  plain->import_module(root);
  root->import_module(child);
  CHECK(plain["add"](1).cast<int64_t>() == 2);
  CHECK(child->num_importers() == 1);
  CHECK(
      ErrorOf([&] { child->import_module(plain); }) ==
      "ValueError: import_module: a module cannot import itself, but the given module imports it");
  root->clear_imports();
  CHECK(child->num_importers() == 0);
}

TEST_CASE("a module and its imports are saved and loaded") {
  const Module root = MakeAdder(1);
  root->import_module(MakeAdder(2));
  const Module loaded = LoadTree(SaveTree(root));
  CHECK(loaded["add"](1).cast<int64_t>() == 2);
  CHECK(loaded->imports().size() == 1);
  CHECK(loaded->imports()[0]->get_function("add")(1).cast<int64_t>() == 3);
  CHECK(ErrorOf([] { LoadTree(Bytes("12345678", 8)); }) ==
        "ValueError: load_module: the bytes of the modules are cut short");
  CHECK(ErrorOf([] { Module::LoadFromBytes("no_such_kind", Bytes()); }) ==
        "ValueError: no loader for modules of the kind 'no_such_kind' is registered: load "
        "the library that defines them, or register a loader as the global function "
        "ffi.Module.load_from_bytes.no_such_kind");
  CHECK(ErrorOf([] {
          Module::LoadFromFile("x.no_such_format");
        }).starts_with("ValueError: no loader for modules of the format 'no_such_format'"));
  CHECK(ErrorOf([] { Module::LoadFromFile("/no/such/file.so"); }) ==
        "FileNotFoundError: there is no file /no/such/file.so");
}

namespace {
int AddOne(int x) { return x + 1; }
}  // namespace
TAIN_EXPORT(test_add_one, AddOne, arg("x") = 1, "Adds one.");

TEST_CASE("the C symbol of an exported function can be called without tain's classes") {
  TainAny argument{}, result{};
  argument.type_index = kTainInt;
  argument.v_int64 = 41;
  CHECK(__tvm_ffi_test_add_one(nullptr, &argument, 1, &result) == 0);
  CHECK(result.v_int64 == 42);
  CHECK(__tvm_ffi_test_add_one(nullptr, &argument, 2, &result) != 0);
  CHECK(ErrorOf([] { throw Error::MoveFromRaised(); }).starts_with("TypeError: "));
}

TEST_CASE("a program registers the symbols that are linked into it") {
  auto* symbol = reinterpret_cast<void*>(&__tvm_ffi_test_add_one);
  CHECK(TainEnvModRegisterSystemLibSymbol("__tvm_ffi_cpptest_add_one", symbol) == 0);
  const Module module = Module::SystemLib("cpptest_");
  CHECK(module["add_one"](1).cast<int>() == 2);
  CHECK(module.same_as(Module::SystemLib("cpptest_")));
  CHECK(TainEnvModRegisterSystemLibSymbol("__tvm_ffi_cpptest_add_one",
                                          const_cast<Module*>(&module)) != 0);
  CHECK(ErrorOf([] { throw Error::MoveFromRaised(); }) ==
        "ValueError: the symbol __tvm_ffi_cpptest_add_one is already registered with another "
        "address");
  CHECK(TainEnvModRegisterContextSymbol("__cpptest_context", symbol) == 0);
  CHECK(TainEnvModRegisterContextSymbol("__cpptest_context", symbol) == 0);
  CHECK(TainEnvModRegisterContextSymbol("__TVMFFIFunctionCall", symbol) != 0);
  CHECK(ErrorOf([] {
          throw Error::MoveFromRaised();
        }).starts_with("ValueError: the context symbol __TVMFFIFunctionCall is already"));
}
