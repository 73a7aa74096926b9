// SPDX-License-Identifier: Apache-2.0
// Functions of one name that become one overloaded function (calls/overload.cc).
#pragma once

#include <string_view>
#include <vector>

#include "tain/reflection/info.h"

namespace tain::internal {

/// A function that is to be one of several of its name.
struct Overload {
  TainObject* function;          ///< borrowed
  InPlaceConstructor construct;  ///< of a constructor that builds in place, or null
};
/// The function that calls the first of those of `known`, or `known` itself, and `next` that takes
/// the arguments. Throws ValueError if they cannot be overloads of each other.
Function MakeOverloaded(const Overload& known, const Overload& next);
/// In-place construction by an overloaded constructor; null if one of its functions has none.
InPlaceConstructor OverloadedConstructor(const Function& function);
/// Copies the info of an overloaded function to process-lifetime memory and hangs it on.
void SetOverloadInfo(TainObject* function, const TainFunctionInfo& info,
                     const std::vector<TainOverload>& overloads);
/// The global function of a name if this definition registered it, else null.
Function KnownOfDefinition(std::string_view name, uint64_t definition);
/// Makes a function global; one of the same definition is replaced.
int SetGlobalOfDefinition(std::string_view name, const Function& function,
                          uint64_t definition) noexcept;
/// Puts an overloaded function in the place of the type's method of that name.
int ReplaceMethod(int32_t type_index, const TainMethodDef& def) noexcept;
/// Puts an overloaded function in the place of the type's constructor.
int ReplaceConstructor(int32_t type_index, const Function& function,
                       InPlaceConstructor construct) noexcept;

}  // namespace tain::internal
