// SPDX-License-Identifier: Apache-2.0
// Iterates over the parts of one value; see parts.h.
#include "graphs/parts.h"

#include "values/value_plan.h"

namespace tain::internal {

bool Parts::Next(Part* part) {
  switch (form_) {
    case PartsOf::kFields: {
      const auto index = static_cast<size_t>(next_);
      if (index >= type_->fields.size()) return false;
      part->kind = PartKind::kField;
      part->index = next_++;
      part->field = type_->fields[index];
      part->view = FieldView(object_, *part->field, &part->owner);
      return true;
    }
    case PartsOf::kSequence:
      if (next_ >= SeqSize(object_)) return false;
      part->kind = PartKind::kElement;
      part->index = next_;
      part->view = SeqData(object_)[next_++];
      return true;
    case PartsOf::kMap: return NextOfMap(part);
    default: return false;
  }
}

bool Parts::NextOfMap(Part* part) {
  const MapItem* item = NextItem(object_, &next_, &at_);
  if (item == nullptr) return false;
  part->kind = at_.at_value ? PartKind::kKey : PartKind::kValue;
  part->index = next_ - 1;
  if (!at_.at_value) part->key = Any(AnyView(item->key));
  part->view = at_.at_value ? item->key : item->value;
  return true;
}

}  // namespace tain::internal
