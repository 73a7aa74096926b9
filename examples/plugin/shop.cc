// SPDX-License-Identifier: Apache-2.0
// The program: it loads a plugin with libtain, shows what is in it, and uses it. No Python.
//
// It includes no header of the plugin. It knows names of functions, types and fields, and libtain
// converts and checks all values that are passed.
#include <tain/reflection/inspect.h>
#include <tain/tain.h>

#include <iostream>

namespace {

using tain::reflection::FunctionInfo;

void ListFunctions(const tain::Module& plugin) {
  for (const tain::String& name : plugin->get_function_list()) {
    const FunctionInfo info(plugin[name]);
    std::cout << "function " << info.signature() << "\n    " << info.doc() << '\n';
  }
}

/// Prints the types that the plugin registered.
void ListTypes(const tain::Module& plugin) {
  for (const auto& type : tain::LibraryInfo(plugin).types()) {
    std::cout << "type " << type.key() << "\n    " << type.doc() << '\n';
    for (const auto& field : type.fields()) {
      std::cout << "    field " << field.name() << ": " << field.type()
                << (field.is_writable() ? "" : ", read-only") << '\n';
    }
    for (const auto& method : type.methods()) {
      if (method.info().is_constructor()) continue;  // shown below
      std::cout << "    method " << method.info().signature() << '\n';
    }
    if (const tain::Function make = type.constructor(); make.defined()) {
      std::cout << "    constructor " << FunctionInfo(make).signature() << '\n';
    }
  }
}

void UseFunctionsAndObjects(const tain::Module& plugin) {
  using namespace tain::reflection;
  std::cout << "add_tax(80) = " << plugin["add_tax"](80).cast<double>() << '\n';

  const tain::Function make = ConstructorOf("pricing.Discount");
  const auto regular = make("regular", 5).cast<tain::ObjectRef>();
  const auto weekend = make("weekend", 20, 50).cast<tain::ObjectRef>();
  SetField(regular, "percent", 10);
  std::cout << "regular.percent = " << GetField(regular, "percent").cast<double>() << '\n'
            << "weekend.apply(80) = " << CallMethod(weekend, "apply", 80).cast<double>() << '\n';

  const tain::Array<tain::ObjectRef> discounts{regular, weekend};
  for (const int price : {40, 80}) {
    std::cout << "best_of(discounts, " << price
              << ") = " << tain::Repr(plugin["best_of"](discounts, price)) << '\n';
  }
}

/// Prints the error that an action throws. The kind of an error is the name of its Python class,
/// which a program without Python tests as text.
template <class F>
void ShowError(F&& action) {
  try {
    action();
  } catch (const tain::Error& error) {
    std::cout << "error " << error.kind() << ": " << error.message() << '\n';
  }
}

void ShowErrors(const tain::Module& plugin) {
  ShowError([&] { plugin["add_tax"](-1); });                // the plugin throws
  ShowError([&] { plugin["add_tax"]("many"); });            // libtain refuses the argument
  ShowError([&] { static_cast<void>(plugin["refund"]); });  // no such function
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: shop PLUGIN\n";
    return 2;
  }
  try {
    const auto plugin = tain::Module::LoadFromFile(argv[1]);
    ListFunctions(plugin);
    ListTypes(plugin);
    UseFunctionsAndObjects(plugin);
    ShowErrors(plugin);
  } catch (const tain::Error& error) {
    std::cerr << "shop: " << error.kind() << ": " << error.message() << '\n';
    return 1;
  }
}
