// SPDX-License-Identifier: Apache-2.0
// The modules of libraries that were saved; module_loaders.cc makes them for module_tree.cc.
#pragma once

#include <functional>

#include "tain/module.h"

namespace tain::internal {

/// Returns a module of a library's content for which `fits` is true: one that is alive, or a new
/// one without imports, whose code and variables no other module has.
Module LibraryForTree(const tain::Bytes& bytes, const std::function<bool(ModuleObj&)>& fits);

}  // namespace tain::internal
