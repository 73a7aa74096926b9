// SPDX-License-Identifier: Apache-2.0
// How objects of a type are made from the values of their fields: what a constructor takes of them,
// what is set when the object exists, and what is missing.
//
// A type that has a default constructor (TainTypeHasDefault) needs none of this, unless a field
// cannot be set.
#pragma once

#include <algorithm>
#include <vector>

#include "tain/c_api_ext.h"
#include "tain/internal/type_state.h"

namespace tain::internal {

/// What a constructor, or one of its overloads, takes of the fields of its type.
struct MakePlan {
  struct Field {
    const TainFieldDef* def;
    int32_t param = -1;        ///< the parameter of its name, or -1
    bool is_required = false;  ///< a call without it is an error
    /// The constructor must get it, because nothing else sets it; the others can be set afterwards.
    bool is_first = false;
  };
  const TainFunctionInfo* info = nullptr;
  std::vector<Field> fields;            ///< those of the parents first
  std::vector<int32_t> field_of_param;  ///< the place of each parameter's field, or -1
  /// The first parameter without a default that no field gives by name, or null. A parameter that
  /// takes the rest counts: it is not known what it got.
  const TainArgInfo* missing = nullptr;
  bool takes_fields = false;  ///< it can be called with nothing but fields, by their names
};

/// The plans of a type for one function that makes its objects.
struct MakePlans {
  /// That of the function, or those of its overloads in their order; empty without a function.
  std::vector<MakePlan> all;
  bool is_overloaded = false;

  /// Returns the plan of a function that has no overloads; null if there is none.
  const MakePlan* single() const noexcept {
    return is_overloaded || all.empty() ? nullptr : &all.front();
  }
  /// Returns the first plan that takes nothing but fields, or null.
  const MakePlan* taking_fields() const noexcept {
    return Find([](const MakePlan& plan) { return plan.takes_fields; });
  }
  /// Returns the plan by which a host makes objects: of overloads the first one with parameters that
  /// misses nothing, else the first of all, which says what it misses. Null without a function.
  const MakePlan* of_host() const noexcept {
    if (const MakePlan* one = single()) return one;
    const MakePlan* found = Find(
        [](const MakePlan& plan) { return plan.info->num_args > 0 && plan.missing == nullptr; });
    return found != nullptr || all.empty() ? found : &all.front();
  }

 private:
  template <class F>
  const MakePlan* Find(F&& is_wanted) const noexcept {
    const auto found = std::find_if(all.begin(), all.end(), is_wanted);
    return found == all.end() ? nullptr : &*found;
  }
};

/// Returns the plans for the constructor of a type.
TAIN_DLL const MakePlans& MakePlansOf(const TainTypeRecord& record);
/// Returns the plans for a function that stands for the constructor of a type; null for none.
TAIN_DLL const MakePlans& MakePlansOf(const TainTypeRecord& record,
                                      const TainFunctionInfo* constructor);

/// Throws TypeError if an object that is made of the fields of another lacks some of its state.
TAIN_DLL void CheckFieldsAreState(int32_t type_index, StateUse use);
/// Throws TypeError unless a constructor of the type has returned an object of the type.
TAIN_DLL void CheckMade(const TainTypeRecord& record, const TainAny& value);

}  // namespace tain::internal
