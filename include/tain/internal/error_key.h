// SPDX-License-Identifier: Apache-2.0
// The key that a KeyError did not find, so that a host raises it as its own containers do.
#pragma once

#include "tain/any.h"
#include "tain/error.h"

namespace tain::internal {

/// The key of which an error says that it is missing; null if it has none.
TAIN_DLL const Any* MissingKeyOf(const TainObject* error) noexcept;
/// Lets an error that was made just now know the key. Its message must be the repr of the key alone.
void SetMissingKey(const Error& error, Any key) noexcept;

}  // namespace tain::internal
