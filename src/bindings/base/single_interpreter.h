// SPDX-License-Identifier: Apache-2.0
// What must hold before the bridge may be used: one libtain in the process, the main interpreter, a
// matching library.
#pragma once

namespace tain::bindings {

/// Throws nb::import_error, naming what is wrong and the fix.
void CheckProcess();
/// The part of it that a loaded library can break: one libtain in the process.
void CheckSingleCopy();

}  // namespace tain::bindings
