// SPDX-License-Identifier: Apache-2.0
// Errors that are exceptions of the classes that ErrorDef describes.
#pragma once

#include "base/error_object.h"
#include "tain/internal/error_record.h"

namespace tain::internal {

/// How many parents of an exception class are followed.
inline constexpr int kMaxErrorDepth = 64;

/// Called in a handler. If the exception is of a class that an ErrorDef describes, makes it the
/// thread's raised error and returns true. May throw.
bool RaiseDefined();
/// Throws the C++ exception of an error whose kind has an ErrorDef; returns if it has none.
void ThrowDefined(const Error& error);

}  // namespace tain::internal
