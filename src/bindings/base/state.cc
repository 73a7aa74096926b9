// SPDX-License-Identifier: Apache-2.0
// Makes what of the state is there before all else; see state.h.
#include "base/state.h"

namespace tain::bindings {

void InitNames() {
  const auto make = [](const char* text) {
    PyObject* made = PyUnicode_InternFromString(text);
    if (made == nullptr) throw nb::python_error();
    return made;
  };
  Names& names = GetState().names;
  names.asobject = make("asobject");
  names.convert = make("__tain_convert__");
  names.dlpack = make("__dlpack__");
  names.exchange_api = make("__dlpack_c_exchange_api__");
  names.dataclass_params = make("__dataclass_params__");
  names.eq = make("__eq__");
  names.s_equal = make("__s_equal__");
  names.s_hash = make("__s_hash__");
  names.hash = make("__hash__");
  names.init = make("__init__");
  names.post_init = make("__post_init__");
  names.replaced = make("_replaced_object");
}

void DefineRestOfModule() { nb::getattr(nb::handle(GetState().module), "ErrorInfo"); }

}  // namespace tain::bindings
