// SPDX-License-Identifier: Apache-2.0
// What must hold before the bridge may be used; see single_interpreter.h.
#include "single_interpreter.h"

#include <string>

#include "py.h"

namespace tain::bindings {

void CheckProcess() {
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    throw nb::import_error(
        "tain cannot be imported in a subinterpreter: its C++ objects belong to one interpreter");
  }
  CheckSingleCopy();
}

void CheckSingleCopy() {
  TainAny text{};
  if (TainCheckSingleCopy(&text) != 0) return;
  const Any files = Any::Steal(text);
  if (const auto named = files.try_cast<std::string>()) {
    throw nb::import_error(("two copies of libtain are in this process: " + *named +
                            "; link extensions against the libtain of the installed tain")
                               .c_str());
  }
}

}  // namespace tain::bindings
