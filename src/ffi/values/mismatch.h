// SPDX-License-Identifier: Apache-2.0
// Words for what was given, private to libtain.
#pragma once

#include <string>

#include "tain/error.h"

namespace tain::internal {

/// The class of what the user gave, in the user's words: `list`, `function`, `geometry.Point`.
std::string GotTypeName(const TainAny& got);
/// The class of an object as its user knows it: a subclass written in the host language, or the
/// type key.
std::string ClassNameOf(TainObject* object);
/// Whether an error asks the program to stop (KeyboardInterrupt, SystemExit), so that no other one
/// may take its place.
bool AsksToStop(const Error& error);
/// Forgets the raised error, which came up while a value was put into words; throws one that asks
/// to stop.
void ForgetUnlessStop();

}  // namespace tain::internal
