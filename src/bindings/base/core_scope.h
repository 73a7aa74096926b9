// SPDX-License-Identifier: Apache-2.0
// Who in the process sees libtain's names.
#pragma once

namespace tain::bindings {

/// Lets libraries find libtain's names that were linked without naming it (`-L` and no `-l`): they
/// are loaded after tain is imported, by `ctypes.CDLL` for example. Does nothing where the system
/// looks through all libraries of a process anyway.
void ShareCoreNames();

}  // namespace tain::bindings
