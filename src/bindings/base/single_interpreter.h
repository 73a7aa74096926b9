// SPDX-License-Identifier: Apache-2.0
// Checks the conditions for using the bridge: one libtain in the process, the main interpreter, and
// a libtain of the same version.
#pragma once

namespace tain::bindings {

/// Checks all conditions. Throws nb::import_error with the violated condition and the remedy.
void CheckProcess();
/// Checks that the process has one libtain only, after a library was loaded.
void CheckSingleCopy();

}  // namespace tain::bindings
