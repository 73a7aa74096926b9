// SPDX-License-Identifier: Apache-2.0
// A module and its imports as bytes, as they lie in the symbol __tvm_ffi__library_bin.
//
// The bytes are little-endian: a count of the bytes that follow (u64), the imports of each module
// as indices (two vectors of u64: where the list of each module begins, and the lists), then for
// each module its kind and its own bytes. A vector and a text begin with their size (u64). The kind
// "_lib", without bytes, stands for the library that contains the text. The first module is the
// root.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "tain/module.h"

namespace tain::internal {

/// Goes over a module and all that it imports: each module once, the nearest first.
class ImportWalk {
 public:
  explicit ImportWalk(ModuleObj* root) { Add(root); }
  /// Returns the next module, or null after the last. The imports of a module are read when the
  /// module after it is asked for. The walk keeps all modules alive.
  ModuleObj* Next();
  const std::vector<Ref<ModuleObj>>& modules() const noexcept { return modules_; }
  /// The imports of modules()[i] are children()[begins()[i]] to children()[begins()[i + 1]], as
  /// indices of modules().
  const std::vector<uint64_t>& begins() const noexcept { return begins_; }
  const std::vector<uint64_t>& children() const noexcept { return children_; }

 private:
  /// Returns the index of a module.
  uint64_t Add(ModuleObj* module);

  std::vector<Ref<ModuleObj>> modules_;
  std::unordered_map<const void*, uint64_t> indices_;  ///< by IdentityOf
  std::vector<uint64_t> begins_{0}, children_;
  size_t next_ = 0;
};

/// Returns a module of a library's content for which `fits` is true: one that is alive, or a new
/// one without imports, whose code and variables no other module has. module_loaders.cc makes it.
Module LibraryForTree(const tain::Bytes& bytes, const std::function<bool(ModuleObj&)>& fits);
/// Reads the eight bytes of a number.
uint64_t ReadNumber(const char* bytes) noexcept;

/// Returns the bytes of a module and of all that it imports. Throws NotImplementedError if one of
/// them cannot be saved.
tain::Bytes SaveTree(const Module& module);

/// Makes the modules. `library` stands for the kind "_lib"; it may be null. Throws ValueError for
/// bytes that are not those of a tree or that name an unknown kind.
Module LoadTree(const tain::Bytes& bytes, const Module& library);

}  // namespace tain::internal
