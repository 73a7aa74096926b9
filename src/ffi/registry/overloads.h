// SPDX-License-Identifier: Apache-2.0
// Combines functions of the same name into an overloaded function (calls/overload.cc).
#pragma once

#include <string_view>
#include <vector>

#include "tain/internal/type_builder.h"

namespace tain::internal {

/// A function that will be one of several with the same name.
struct Overload {
  TainObject* function;          ///< borrowed
  InPlaceConstructor construct;  ///< builds in place; null if this is no such constructor
};
/// Returns a function that calls the first function that takes the arguments: one of `known`, or
/// `known` itself, or `next`. Throws ValueError if they cannot be overloads of each other.
Function MakeOverloaded(const Overload& known, const Overload& next);
/// Returns the in-place constructor of an overloaded constructor; null if one of its functions has
/// none.
InPlaceConstructor OverloadedConstructor(const Function& function);
/// Copies the info of an overloaded function to memory that is never freed, and attaches it.
void SetOverloadInfo(TainObject* function, const TainFunctionInfo& info,
                     const std::vector<TainOverload>& overloads);
/// Attaches an info that is never freed to a function, unless it has one.
void SetSharedInfo(TainObject* function, const TainFunctionInfo* info) noexcept;
/// Returns the global function of a name if this definition registered it, else null.
Function KnownOfDefinition(std::string_view name, uint64_t definition);
/// Registers a global function; replaces a function of the same definition.
int SetGlobalOfDefinition(std::string_view name, const Function& function,
                          uint64_t definition) noexcept;
/// Replaces the type's method of that name by an overloaded function.
int ReplaceMethod(int32_t type_index, const TainMethodDef& def) noexcept;
/// Replaces the type's constructor by an overloaded function.
int ReplaceConstructor(int32_t type_index, const Function& function,
                       InPlaceConstructor construct) noexcept;

}  // namespace tain::internal
