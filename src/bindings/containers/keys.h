// SPDX-License-Identifier: Apache-2.0
// Python objects as keys of Map and Dict: the core calls Python for their hash and equality.
#pragma once

namespace tain::bindings {

/// Registers the hash and equality of opaque values and callbacks with the core; throws
/// nb::python_error.
void InitKeys();

}  // namespace tain::bindings
