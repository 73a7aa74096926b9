// SPDX-License-Identifier: Apache-2.0
// Answers of Python classes about saving: `__data_to_json__`, `__data_from_json__`, state, enums.
#pragma once

namespace tain::bindings {

/// Gives the core the functions that ask Python classes.
void InitSavingHooks();

}  // namespace tain::bindings
