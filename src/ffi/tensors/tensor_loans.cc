// SPDX-License-Identifier: Apache-2.0
// The loans of tensors; see tensor_loans.h.
//
// Only the memory that a loan lends is behind its views, so when it ends each of them is cut off:
// whoever kept one, in Python or in C++, finds a tensor without elements.
#include "tain/internal/tensor_loans.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/fork.h"

namespace tain::internal {
namespace {

/// The views of lent tensors. `mutex` guards both tables.
struct TensorLoans {
  std::mutex mutex;
  std::unordered_map<const TensorObj*, std::vector<TensorObj*>> views;
  std::unordered_map<const TensorObj*, const TensorObj*> lent_of_view;
};

TensorLoans& Loans() { return NeverDestroyed<TensorLoans>(); }

bool IsLent(const TensorObj& tensor) noexcept {
  return (tensor.tail.flags & kTainTensorIsView) != 0;
}

void CutOff(TensorObj* tensor) noexcept {
  tensor->tail.flags |= kTainTensorExpired;
  tensor->data = nullptr;
  tensor->byte_offset = 0;
  std::fill_n(tensor->shape, tensor->ndim, 0);
}

}  // namespace

constinit const ForkSteps loans_fork = StepsFor<&Loans>();

void JoinLoan(TensorObj* tensor, const TainObject* source) {
  const TainTensorTail* tail = TensorTailOf(source);
  if (TAIN_LIKELY(tail == nullptr || (tail->flags & kTainTensorIsView) == 0)) return;
  const auto* lent = static_cast<const TensorObj*>(
      ObjectAccess::FromHeader(const_cast<TainObject*>(source)));  // only compared
  TensorLoans& loans = Loans();
  const std::lock_guard lock(loans.mutex);
  tensor->tail.flags |= kTainTensorIsView;
  if ((tail->flags & kTainTensorExpired) != 0) return CutOff(tensor);
  if (const auto at = loans.lent_of_view.find(lent); at != loans.lent_of_view.end()) {
    lent = at->second;
  }
  std::vector<TensorObj*>& views = loans.views[lent];
  views.reserve(views.size() + 1);
  loans.lent_of_view.emplace(tensor, lent);
  views.push_back(tensor);
}

void EndLoan(TensorObj* lent) noexcept {
  TensorLoans& loans = Loans();
  const std::lock_guard lock(loans.mutex);
  CutOff(lent);
  const auto at = loans.views.find(lent);
  if (at == loans.views.end()) return;
  for (TensorObj* view : at->second) {
    CutOff(view);
    loans.lent_of_view.erase(view);
  }
  loans.views.erase(at);
}

void LeaveLoan(const TensorObj* tensor) noexcept {
  if (!IsLent(*tensor)) return;
  TensorLoans& loans = Loans();
  const std::lock_guard lock(loans.mutex);
  loans.views.erase(tensor);
  const auto at = loans.lent_of_view.find(tensor);
  if (at == loans.lent_of_view.end()) return;
  if (const auto views = loans.views.find(at->second); views != loans.views.end()) {
    std::erase(views->second, tensor);
  }
  loans.lent_of_view.erase(at);
}

}  // namespace tain::internal
