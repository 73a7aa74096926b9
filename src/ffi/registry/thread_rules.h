// SPDX-License-Identifier: Apache-2.0
// Which calls threads may make at the same time: what a function, its type and its library say
// (tain::thread_safe, tain::lock_receiver, tain::release_gil). The first of them that says something
// decides.
#pragma once

#include <string>

#include "registry/unit_table.h"
#include "tain/internal/call_flags.h"

namespace tain::internal {

/// Throws ValueError if what a function says contradicts itself.
void CheckThreadFlags(const TainFunctionInfo& info, const std::string& where);
/// The same for a type.
void CheckThreadFlags(int64_t type_flags, const std::string& where);
/// Adds what the type says to the flags of a member.
void AddThreadFlagsOfType(int32_t type_index, int32_t* flags) noexcept;
/// Adds what the unit, which may be null, says to stored flags of a function or type, now or when the
/// unit says it later. Needs the registry's lock.
void AddThreadFlagsOfUnit(Unit* unit, int32_t* call_flags);
void AddThreadFlagsOfUnit(Unit* unit, int64_t* type_flags);

}  // namespace tain::internal
