// SPDX-License-Identifier: Apache-2.0
// The statements of a reduction, and of operations on buffers.
#pragma once

#include <functional>
#include <vector>

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

/// Returns the statement of an operation with buffers, and their parts, in the places of its placeholders:
/// one for each input and for each result.
Stmt ExternBody(const ExternOpNode& op, const std::vector<Buffer>& ins,
                const std::vector<Buffer>& outs);

}  // namespace tensorexpr
