// SPDX-License-Identifier: Apache-2.0
// The tables by which functors find their methods.
#include <algorithm>

#include "base/guard.h"
#include "base/stack_bound.h"
#include "tain/internal/container_api.h"
#include "tain/internal/graph_walk.h"

namespace tain::internal {
int32_t TypeDispatch::Learn(int32_t type_index) {
  const TainTypeRecord* record = TainGetTypeRecord(type_index);
  if (record == nullptr) return 0;
  // The positions of the listed classes; asking for an index may register the class.
  int32_t slot = 0, depth = -1;
  for (int32_t i = 0; i < count_; ++i) {
    const int32_t listed = listed_[i]();
    if (TainTypeIsInstance(type_index, listed) == 0) continue;
    const TainTypeRecord* parent = TainGetTypeRecord(listed);
    const int32_t its_depth = parent == nullptr ? 0 : parent->info->type_depth;
    if (its_depth <= depth) continue;
    slot = i + 1;
    depth = its_depth;
  }
  const auto at = static_cast<uint32_t>(type_index);
  Table* table = table_.load(std::memory_order_acquire);
  while (table == nullptr || at >= table->size) {
    const uint32_t known = table == nullptr ? 0 : table->size;
    const uint32_t size = std::max(2 * known, at + 64);
    auto grown = std::make_unique<Table>(
        Table{size, std::make_unique<std::atomic<uint32_t>[]>(size), table});
    for (uint32_t i = 0; i < known; ++i) {
      grown->cells[i].store(table->cells[i].load(std::memory_order_relaxed),
                            std::memory_order_relaxed);
    }
    // A slot that another thread learns meanwhile may be lost, and is learned again.
    if (table_.compare_exchange_strong(table, grown.get(), std::memory_order_acq_rel)) {
      table = grown.release();  // never freed: others may read it
    }
  }
  table->cells[at].store(static_cast<uint32_t>(slot) + 1, std::memory_order_relaxed);
  return slot;
}

void ThrowNullVisit(const char* type_key) {
  TAIN_THROW(ValueError) << "visit: expected " << type_key << ", got an empty handle";
}

void ThrowNoMethod(const Object* op) {
  TAIN_THROW(TypeError) << "the functor has no VisitExpr_ for " << op->GetTypeKey();
}

void ThrowMutated(int32_t type_index, const char* expected, const Any& got) {
  const TainTypeInfo* info = TainGetTypeInfo(type_index);
  TAIN_THROW(TypeError) << "mutate: in the place of "
                        << (info == nullptr ? std::string_view("?") : View(info->type_key))
                        << ": expected " << expected << ", got " << TypeAndValue(got.data());
}

void CheckStackForVisit() {
  if (StackIsLow()) ThrowStackIsLow("visit");
}

}  // namespace tain::internal
