// SPDX-License-Identifier: Apache-2.0
// A module and its imports as bytes, as they lie in the symbol __tvm_ffi__library_bin.
//
// The bytes are little-endian: a count of the bytes that follow (u64), the imports of each module
// as indices (two vectors of u64: where the list of each module begins, and the lists), then for
// each module its kind and its own bytes. A vector and a text begin with their size (u64). The kind
// "_lib", without bytes, stands for the library that contains the text. The first module is the
// root.
#pragma once

#include "tain/module.h"

namespace tain::internal {

/// Returns the bytes of a module and of all that it imports. Throws NotImplementedError if one of
/// them cannot be saved.
tain::Bytes SaveTree(const Module& module);

/// Makes the modules. `library` stands for the kind "_lib"; it may be null. Throws ValueError for
/// bytes that are not those of a tree or that name an unknown kind.
Module LoadTree(const tain::Bytes& bytes, const Module& library);

}  // namespace tain::internal
