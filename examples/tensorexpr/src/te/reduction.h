// SPDX-License-Identifier: Apache-2.0
// The statements of a reduction, and of operations on buffers.
#pragma once

#include <functional>
#include <unordered_map>

#include "te/tensor.h"
#include "tir/substitute.h"

namespace tensorexpr {

struct ReductionSteps {
  Stmt init;    ///< writes what the reduction starts with
  Stmt update;  ///< takes one more source into the results
};

/// Returns the statements of a reduction into elements of buffers. `convert` is applied to what the
/// reduction reads.
ReductionSteps MakeSteps(const ReduceNode& reduce, const tain::Array<Buffer>& results,
                         const Exprs& indices,
                         const std::function<PrimExpr(const PrimExpr&)>& convert);

/// Puts buffers in the places of others, and expressions in those of variables.
Stmt ReplaceBuffers(const Stmt& s, const std::unordered_map<const tain::Object*, Buffer>& buffers,
                    const VarMap& vars);

}  // namespace tensorexpr
