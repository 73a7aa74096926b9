// SPDX-License-Identifier: Apache-2.0
// How the objects of a type are copied deeply: in which way they are made, and which fields are
// written afterwards.
#pragma once

#include <vector>

#include "registry/type_facts.h"

namespace tain::internal {

enum class CopyWay : uint8_t {
  kCopy,      ///< by the copy constructor; then the fields that hold objects are written
  kDefault,   ///< by the default constructor; then all fields are written
  kConstruct  ///< by a constructor that takes fields, whose values are copied before
};

struct CopyPlan {
  CopyWay way = CopyWay::kCopy;
  std::vector<const TainFieldDef*> first;  ///< for kConstruct: what the constructor takes
  std::vector<const TainFieldDef*> later;  ///< fields that are written when the object exists
  /// Fields that contain boxed objects: writing one copies them, so they are complete before.
  std::vector<const TainFieldDef*> contain;
};

/// Returns the plan for the type of an object. Makes a copy of the object in order to find out
/// whether its fields can be written. Unlike the parts of TypeFacts it is made for each copy of a
/// graph: it depends on that trial, and on which types of the values of fields are boxes.
CopyPlan CopyPlanOf(TainObject* sample);

}  // namespace tain::internal
