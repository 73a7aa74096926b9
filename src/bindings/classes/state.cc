// SPDX-License-Identifier: Apache-2.0
#include "classes/state.h"

namespace tain::bindings {

Eternal<ClassesState> classes_state;

}  // namespace tain::bindings
