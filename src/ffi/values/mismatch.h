// SPDX-License-Identifier: Apache-2.0
// Texts that describe a given value in error messages; private to libtain.
#pragma once

#include <string>
#include <string_view>

#include "tain/traits.h"

namespace tain::internal {

struct Refusal;

/// Returns the text of a mismatch that describes the given value.
std::string GotText(const Mismatch& mismatch, const TainAny& value);
/// Returns the text of a place inside a value, which has the name or place `where`: `points[2]`,
/// `points: key`.
std::string PlaceInside(std::string_view where, std::string_view place);
/// Throws `where: expected X, got Y`. The error remembers `refusal`, the refused argument.
[[noreturn]] void ThrowRefused(const std::string& where, const Mismatch& mismatch,
                               const std::string& got, const Refusal& refusal);
/// Returns the name of the class of a given value as users know it: `list`, `function`,
/// `geometry.Point`.
std::string GotTypeName(const TainAny& got);
/// Returns the name of an object's class as users know it: that of the subclass written in the host
/// language, or the type key.
std::string ClassNameOf(TainObject* object);
/// Appends a value of an enum type as the member prints itself: `Color.RED`. Returns false if the
/// type names no enum, or the value is no member.
bool AppendEnumMember(std::string_view type, const TainAny& value, std::string* out);
/// Whether an error asks the program to stop (KeyboardInterrupt, SystemExit). No other error may
/// replace such an error.
bool AsksToStop(const Error& error);
/// Drops the raised error, which occurred while a value was described. If it asks the program to
/// stop, throws it instead.
void ForgetUnlessStop();

}  // namespace tain::internal
