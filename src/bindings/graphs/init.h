// SPDX-License-Identifier: Apache-2.0
// What the module initializes of this folder; the file of each name defines it.
#pragma once

#include "base/bridge_lock.h"
#include "base/py.h"

namespace tain::bindings {

/// `parts`, which tain.show and tain.diff read: parts_view.cc.
void DefinePartsView(CoreModule& m);
/// structural_equal, structural_hash, first_mismatch, free_vars: structural.cc.
void DefineStructural(CoreModule& m);
/// Gives objects and containers the core's deep copy: deep_copy.cc.
void InitDeepCopy(CoreModule& m);
/// `copy_with`: rebuild_object.cc.
void DefineRebuildObject(CoreModule& m);
/// save_json, load_json, save_binary, load_binary, register_upgrade: saving.cc.
void DefineSaving(CoreModule& m);
/// Gives the core the functions that ask Python classes about saving: saving_hooks.cc.
void InitSavingHooks();

}  // namespace tain::bindings
