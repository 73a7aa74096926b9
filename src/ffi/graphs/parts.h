// SPDX-License-Identifier: Apache-2.0
// Iterates over the parts of one value: fields, elements, keys and values.
//
//   Parts parts(object);
//   Part part;
//   while (parts.Next(&part)) Use(part.view);
// A caller that runs foreign code between two parts holds the object. A map that changes meanwhile
// raises RuntimeError; a sequence that becomes shorter ends.
#pragma once

#include "registry/type_facts.h"
#include "values/container_detail.h"

namespace tain::internal {

/// How the parts of a value are found.
enum class PartsOf : uint8_t {
  kNothing,   ///< a leaf: numbers, texts, shapes, tensors, functions, values of the host ...
  kFields,    ///< an object of a registered type
  kSequence,  ///< Array, List
  kMap        ///< Map, Dict
};

/// Returns how the parts of a value of a type are found.
inline PartsOf PartsOfType(int32_t type_index) noexcept {
  switch (type_index) {
    case kTainArray:
    case kTainList: return PartsOf::kSequence;
    case kTainMap:
    case kTainDict: return PartsOf::kMap;
    default: return type_index >= kTainDynObjectBegin ? PartsOf::kFields : PartsOf::kNothing;
  }
}

enum class PartKind : uint8_t { kField, kElement, kKey, kValue };

/// A part of a value.
struct Part {
  PartKind kind = PartKind::kField;
  int64_t index = 0;  ///< the position of the field, element or entry
  const TainFieldDef* field = nullptr;
  Any key;         ///< of the entry, for kValue
  TainAny view{};  ///< borrowed from the object, or from `owner`
  Any owner;       ///< holds a value that a getter made

  /// Makes `owner` hold the value, so that it survives changes of the object.
  void Hold() {
    const bool is_object = view.type_index >= kTainStaticObjectBegin;
    if (is_object && owner.data().v_obj != view.v_obj) owner = Any(AnyView(view));
  }
};

/// The parts of one object, in order: fields as registered, parents first; elements; for each entry
/// of a map its key, then its value.
class Parts {
 public:
  explicit Parts(TainObject* object)
      : object_(object),
        form_(PartsOfType(object->type_index)),
        type_(form_ == PartsOf::kFields ? &FactsOf(object->type_index) : nullptr) {}

  /// Gets the next part. Returns false if there is none.
  bool Next(Part* part);

 private:
  bool NextOfMap(Part* part);

  TainObject* object_;  ///< borrowed from the caller
  PartsOf form_;
  const TypeFacts* type_;
  int64_t next_ = 0;
  MapCursor at_;  ///< in a map
};

}  // namespace tain::internal
