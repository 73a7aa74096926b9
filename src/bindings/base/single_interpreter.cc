// SPDX-License-Identifier: Apache-2.0
// Checks the conditions for using the bridge; see single_interpreter.h.
#include "base/single_interpreter.h"

#include <string>

#include "base/py.h"

namespace tain::bindings {
namespace {

/// Whether the interpreter that imported tain has been finalized. What C++ knows of it, classes above
/// all, is gone, and cannot be made a second time.
bool has_ended = false;

}  // namespace

void CheckProcess() {
  static const bool is_watched = Py_AtExit([] { has_ended = true; }) == 0;
  (void)is_watched;  // CPython has room for 32 functions
  if (has_ended) {
    throw nb::import_error(
        "tain cannot be imported again after Python was finalized: its classes belong to the "
        "interpreter that has ended. Initialize Python once in a process");
  }
  // nanobind has just made its own state for this interpreter the present one.
  static auto* of_main = nb::detail::internals;
  if (PyInterpreterState_Get() == PyInterpreterState_Main()) {
    of_main = nb::detail::internals;
  } else {
    nb::detail::internals = of_main;
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
