// SPDX-License-Identifier: Apache-2.0
// The state of the folder; see state.h.
#include "classes/state.h"

namespace tain::bindings {

Eternal<ClassesState> classes_state;

}  // namespace tain::bindings
