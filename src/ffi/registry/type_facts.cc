// SPDX-License-Identifier: Apache-2.0
// What operations know of a type; see type_facts.h.
#include "registry/type_facts.h"

#include "base/guard.h"
#include "registry/registry.h"
#include "tain/internal/type_members.h"

namespace tain::internal {
namespace {

uint64_t SumOfRevisions(const std::vector<const TypeEntry*>& entries) noexcept {
  uint64_t sum = 0;
  for (const TypeEntry* entry : entries) sum += entry->Revision();
  return sum;
}

/// Makes the facts anew, unless another thread has done so.
TAIN_COLD void RenewFacts(std::atomic_ref<const TypeFacts*> place, const TypeEntry& entry,
                          const TypeFacts* known) {
  auto made = std::make_unique<TypeFacts>(entry, known);
  if (place.compare_exchange_strong(known, made.get())) made.release();
}

}  // namespace

TypeFacts::TypeFacts(const TypeEntry& entry, const TypeFacts* previous)
    : chain(ChainOf(entry.info.type_index)), previous_(previous) {
  for (const TainTypeRecord* record : chain) {
    entries_.push_back(Registry::Default().types.Find(record->info->type_index));
  }
  revision_ = SumOfRevisions(entries_);
  fields = AllFieldsOf(record());
}

bool TypeFacts::IsCurrent() const noexcept { return SumOfRevisions(entries_) == revision_; }

const TypeFacts& FactsOf(int32_t type_index) {
  const TypeTable& types = Registry::Default().types;
  TypeEntry* entry = types.Find(type_index);
  if (TAIN_UNLIKELY(entry == nullptr)) entry = types.Find(kTainObject);
  const std::atomic_ref<const TypeFacts*> place(entry->facts);
  while (true) {
    const TypeFacts* known = place.load(std::memory_order_acquire);
    if (TAIN_LIKELY(known != nullptr && known->IsCurrent())) return *known;
    RenewFacts(place, *entry, known);
  }
}

const TainFieldDef* FieldNamed(const TypeFacts& type, std::string_view name) noexcept {
  // A field that a child registers again comes later and hides that of its parent.
  for (auto field = type.fields.rbegin(); field != type.fields.rend(); ++field) {
    if (View((*field)->info.name) == name) return *field;
  }
  return nullptr;
}

std::string FieldPlace(int32_t type_index, const TainFieldDef& field) {
  const TainTypeInfo* info = TainGetTypeInfo(type_index);
  return std::string(info == nullptr ? std::string_view("?") : View(info->type_key)) + "." +
         std::string(View(field.info.name));
}

}  // namespace tain::internal
