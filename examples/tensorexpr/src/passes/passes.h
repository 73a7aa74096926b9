// SPDX-License-Identifier: Apache-2.0
// The steps from a program of blocks to one that code is made of.
#pragma once

#include <functional>

#include "../tir/stmt.h"

namespace tensorexpr {

/// Returns a program, which is an IRModule, a PrimFunc or a statement, with each body changed: what makes a
/// pass of a function of statements. Throws TypeError for anything else.
TAIN_DLL_EXPORT tain::Any ForEachBody(const tain::Any& program,
                                      const std::function<Stmt(const Stmt&)>& change);

/// Throws ValueError for a program in which a variable is bound again inside of what binds it, or in which
/// a variable has no value or a buffer no memory. Throws TypeError for a node whose
/// parts are of other types than it says.
TAIN_DLL_EXPORT void Verify(const PrimFunc& f);
/// Makes loops of blocks.
TAIN_DLL_EXPORT Stmt LowerBlocks(const Stmt& s);
/// Simplifies expressions by what is known of loop variables; drops loops of one step, conditions that
/// always hold, and statements that do nothing.
TAIN_DLL_EXPORT Stmt SimplifyStmt(const Stmt& s);
/// Writes the steps of unrolled loops one after the other, up to a number of steps.
TAIN_DLL_EXPORT Stmt UnrollLoops(const Stmt& s, int64_t max_steps);
/// Makes one step on vectors of each vectorized loop; a loop that has no such step becomes one that the
/// compiler of C may vectorize. If `is_on` is false, the loops run step by step.
TAIN_DLL_EXPORT Stmt VectorizeLoops(const Stmt& s, bool is_on);

/// Tests the indices that are not known to be in range before memory is read or written: an IndexError
/// says which. Simplifies the program, too.
TAIN_DLL_EXPORT Stmt CheckBounds(const Stmt& s);
/// Lets buffers that are allocated at one place, and are not used at the same time, share their memory.
TAIN_DLL_EXPORT Stmt ReuseMemory(const Stmt& s);
/// Binds equal parts of the value of a store to a variable, so that they are computed once.
TAIN_DLL_EXPORT Stmt ShareSubexpressions(const Stmt& s);
/// Puts the values of variables in their places, where they are variables, constants or not used.
TAIN_DLL_EXPORT Stmt InlineLets(const Stmt& s);

}  // namespace tensorexpr
