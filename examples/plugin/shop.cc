// SPDX-License-Identifier: Apache-2.0
// The program: it loads a plugin with libtain, shows what is in it, and uses it. No Python.
//
// It includes no header of the plugin. It knows names of functions, types and fields, and libtain
// converts and checks all values that are passed.
#include <tain/c_api_host.h>
#include <tain/c_api_registry.h>
#include <tain/tain.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::string_view View(const TainByteArray& bytes) { return {bytes.data, bytes.size}; }

/// Returns the text of any value, as Python's repr would write it.
std::string Repr(const tain::Any& value) {
  TainAny text{};
  if (TainAnyRepr(&value.data(), &text) != 0) throw tain::Error::MoveFromRaised();
  return tain::Any::Steal(text).cast<std::string>();
}

/// Returns the parameters and the result of a function: `(price: float) -> float`.
std::string Signature(const TainFunctionInfo* info) {
  if (info == nullptr) return "(...)";  // a function without a record of its parameters
  std::string text = "(";
  for (int32_t i = 0; i < info->num_args; ++i) {
    const TainArgInfo& parameter = info->args[i];
    if (i > 0) text += ", ";
    text.append(View(parameter.name)).append(": ").append(View(parameter.type));
    if ((parameter.flags & kTainArgHasDefault) != 0) {
      text += " = " + Repr(tain::AnyView(parameter.default_value));
    }
  }
  return text.append(") -> ").append(View(info->return_type));
}

void ListFunctions(const tain::Module& plugin) {
  for (const tain::String& name : plugin->get_function_list()) {
    const tain::Any function = plugin[name];
    const tain::String doc = plugin->get_function_doc(name).value_or("");
    std::cout << "function " << std::string_view(name)
              << Signature(TainFunctionGetInfo(function.data().v_obj)) << "\n    "
              << std::string_view(doc) << '\n';
  }
}

/// Returns the types that a library registered, in order of their keys.
std::vector<const TainTypeRecord*> TypesOf(const fs::path& library) {
  struct Search {
    const fs::path& library;
    std::vector<const TainTypeRecord*> found;
  } search{library, {}};
  const auto visit = [](const TainByteArray*, int32_t type_index, void* context) -> int {
    auto& [file, found] = *static_cast<Search*>(context);
    const TainTypeRecord* type = TainGetTypeRecord(type_index);  // null for an enum
    std::error_code is_no_file;                                  // types of libtain have none
    if (type != nullptr && fs::equivalent(View(type->unit_file), file, is_no_file)) {
      found.push_back(type);
    }
    return 0;  // go on
  };
  if (TainListTypeKeys(visit, &search) != 0) throw tain::Error::MoveFromRaised();
  std::ranges::sort(search.found, {}, [](const auto* type) { return View(type->info->type_key); });
  return search.found;
}

bool IsConstructor(const TainMethodDef& method) {
  return method.call != nullptr && (method.call->flags & kTainCallConstructor) != 0;
}

void ListType(const TainTypeRecord& type) {
  std::cout << "type " << View(type.info->type_key) << "\n    " << View(type.def.doc) << '\n';
  for (int32_t i = 0; i < type.num_fields; ++i) {
    const TainFieldDef& field = *type.fields[i];
    const bool writable = (field.info.flags & kTainFieldWritable) != 0;
    std::cout << "    field " << View(field.info.name) << ": " << View(field.type)
              << (writable ? "" : ", read-only") << '\n';
  }
  for (int32_t i = 0; i < type.num_methods; ++i) {
    const TainMethodDef& method = *type.methods[i];
    if (IsConstructor(method)) continue;  // shown below, whether it has a name or not
    std::cout << "    method " << View(method.info.name) << Signature(method.call) << '\n';
  }
  if (type.constructor != nullptr) {
    std::cout << "    constructor " << Signature(TainFunctionGetInfo(type.constructor)) << '\n';
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
              << ") = " << Repr(plugin["best_of"](discounts, price)) << '\n';
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
    for (const TainTypeRecord* type : TypesOf(argv[1])) ListType(*type);
    UseFunctionsAndObjects(plugin);
    ShowErrors(plugin);
  } catch (const tain::Error& error) {
    std::cerr << "shop: " << error.kind() << ": " << error.message() << '\n';
    return 1;
  }
}
