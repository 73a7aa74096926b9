// SPDX-License-Identifier: Apache-2.0
// Tensors whose memory C++ lends to the host for the length of a call, and the views of them.
#pragma once

#include "tain/tensor.h"

namespace tain::internal {

/// Notes that a tensor has the memory of `source`, if that is lent; it then ends with the loan.
/// Throws std::bad_alloc.
TAIN_DLL void JoinLoan(TensorObj* tensor, const TainObject* source);
/// Ends the loan of a tensor: it and all views of it have no elements and no memory any more.
TAIN_DLL void EndLoan(TensorObj* lent) noexcept;
/// Forgets a tensor that was lent, or a view of one; for its destructor.
void LeaveLoan(const TensorObj* tensor) noexcept;

/// Throws ValueError unless the first element is at a multiple of `alignment` bytes (0: anywhere), and
/// the tensor is row-major without gaps if it is to be `contiguous`.
TAIN_DLL void RequireMemory(const DLTensor& tensor, int32_t alignment, bool contiguous);

}  // namespace tain::internal
