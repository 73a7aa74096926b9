// SPDX-License-Identifier: Apache-2.0
// Types that are laid out at run time: the memory of a compiled type, followed by that of the
// described fields.
#pragma once

#include <vector>

#include "dynamic/dynamic_layout.h"
#include "tain/any.h"

namespace tain::internal {

/// Sets destruction, deletion, default construction and copying, if the compiled part has them.
void DescribeLife(const DynamicLayout& layout, TainTypeDef* def) noexcept;

/// Builds the compiled part in `body` and sets the slots to their empty values. Calls the
/// constructor with these arguments if `construct` is given, else the default constructor. Returns
/// 0, or -1 with the error raised.
int BuildBase(const TainTypeRecord& record, void* body, decltype(TainTypeDef::construct) construct,
              const TainFunctionInfo* info, const TainAny* args, int32_t num_args) noexcept;

/// Returns all fields that are no part of the compiled part, those of the parents first. A field that a
/// child describes again keeps its first place.
std::vector<const TainFieldDef*> DynamicFields(const TainTypeRecord& record);

/// Sets a field of an object by its setter. Returns 0, or -1 with the error raised.
int SetField(const TainFieldDef& field, void* header, const TainAny& value) noexcept;
/// Asks the conditions of a field, if it has any, whether a value fulfils them. Returns 0, or -1
/// with the error raised.
int AskConditions(const TainFieldDef& field, const TainAny& value) noexcept;
/// Returns the default of a field, or calls its factory. Passes on exceptions of the factory.
Any DefaultOf(const TainFieldDef& field);

}  // namespace tain::internal
