// SPDX-License-Identifier: Apache-2.0
// Makes libtain's symbols visible to libraries that were linked without libtain.
#pragma once

namespace tain::bindings {

/// Makes libtain's symbols visible to libraries that use them but were linked without libtain (`-L`
/// and no `-l`), if such a library is loaded after tain is imported, by `ctypes.CDLL` for example.
/// Does nothing on systems whose loader searches all libraries of a process anyway.
void ShareCoreNames();

}  // namespace tain::bindings
