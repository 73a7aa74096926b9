// SPDX-License-Identifier: Apache-2.0
// What the module initializes of this folder; the file of each name defines it.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// `parts`, which tain.show and tain.diff read: parts_view.cc.
void DefinePartsView(nb::module_& m);
/// structural_equal, structural_hash, first_mismatch, free_vars: structural.cc.
void DefineStructural(nb::module_& m);
/// Gives objects and containers the core's deep copy: deep_copy.cc.
void InitDeepCopy(nb::module_& m);
/// `copy_with`: rebuild_object.cc.
void DefineRebuildObject(nb::module_& m);
/// save_json, load_json, save_binary, load_binary, register_upgrade: saving.cc.
void DefineSaving(nb::module_& m);
/// Gives the core the functions that ask Python classes about saving: saving_hooks.cc.
void InitSavingHooks();

}  // namespace tain::bindings
