// SPDX-License-Identifier: Apache-2.0
// Structural comparison and hash of graphs of objects, and their free variables.
//
//   tain::StructuralEqual::Equal(a, b);           // whether two graphs have the same structure
//   std::unordered_map<tain::Any, int, tain::StructuralHash, tain::StructuralEqual> by_structure;
//   if (auto found = tain::FirstMismatch(a, b)) std::cerr << found->message;
// How objects are compared is part of the registration of their types and fields: see
// tain::structural, structural_ignore, def_region and simple_def in tain/reflection/arg.h. A type
// has hooks as attributes:
//   __s_equal__: bool(self, other, compare(lhs, rhs, def_region, field_name))
//   __s_hash__: int64(self, init_hash, hash(value, init_hash, def_region))
// Graphs may be of any depth and have cycles. All functions throw what hooks throw, and TypeError
// for a tensor that the processor cannot read.
#pragma once

#include <optional>

#include "tain/graph/access_path.h"

namespace tain {

/// Whether two graphs have the same structure.
struct TAIN_DLL StructuralEqual {
  /// If `map_free_vars` is set, variables that no field defines may stand for each other too: each
  /// for exactly one. If `skip_tensor_content` is set, tensors are equal if shape and type are, wherever
  /// their memory is; keys of maps are compared whole.
  static bool Equal(const Any& a, const Any& b, bool map_free_vars = false,
                    bool skip_tensor_content = false);
  bool operator()(const Any& a, const Any& b) const { return Equal(a, b); }
};

/// The hash of a graph's structure: equal graphs have equal hashes. It is the same in all processes
/// for graphs without functions, opaque values, unique instances and free variables; with
/// `map_free_vars` also for those with free variables.
struct TAIN_DLL StructuralHash {
  static uint64_t Hash(const Any& value, bool map_free_vars = false,
                       bool skip_tensor_content = false);
  size_t operator()(const Any& value) const { return Hash(value); }
};

/// The first difference of two graphs.
struct StructuralMismatch {
  AccessPath path_a;     ///< the place in the first graph
  AccessPath path_b;     ///< the place in the second graph
  std::optional<Any> a;  ///< the value there; nothing if the graph has no such place
  std::optional<Any> b;
  String message;  ///< `<root>.body[3].value: 1 != 2`, and excerpts of what is around
};

/// Returns the first difference of two graphs; nothing if they are equal.
TAIN_DLL std::optional<StructuralMismatch> FirstMismatch(const Any& a, const Any& b,
                                                         bool map_free_vars = false,
                                                         bool skip_tensor_content = false);

/// Returns the variables of a graph that no field defines before they are used, each once, in
/// post-order.
TAIN_DLL Array<Any> FreeVars(const Any& root);

}  // namespace tain
