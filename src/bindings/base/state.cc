// SPDX-License-Identifier: Apache-2.0
// Makes what of the state is there before all else; see state.h.
#include "base/state.h"

namespace tain::bindings {

void InitNames() {
  constexpr std::pair<PyObject * Names::*, const char*> kTexts[] = {
      {&Names::asobject, "asobject"},
      {&Names::convert, "__tain_convert__"},
      {&Names::dlpack, "__dlpack__"},
      {&Names::exchange_api, "__dlpack_c_exchange_api__"},
      {&Names::dataclass_params, "__dataclass_params__"},
      {&Names::eq, "__eq__"},
      {&Names::hash, "__hash__"},
      {&Names::init, "__init__"},
      {&Names::post_init, "__post_init__"},
      {&Names::replaced, "_replaced_object"},
      {&Names::s_equal, "__s_equal__"},
      {&Names::s_hash, "__s_hash__"}};
  for (const auto& [name, text] : kTexts) {
    GetState().names.*name = Checked(PyUnicode_InternFromString(text)).release().ptr();
  }
}

const std::string* AdoptedModule(std::string_view space) {
  const auto& adopted = GetState().adopted;
  const auto found = adopted.find(std::string(space));
  return found == adopted.end() ? nullptr : &found->second;
}

void DefineRestOfModule() { nb::getattr(nb::handle(GetState().module), "ErrorInfo"); }

}  // namespace tain::bindings
