// SPDX-License-Identifier: Apache-2.0
// Detects when CPython's garbage collector runs, and whether the collection is a full one.
//
// A function in gc.callbacks is told of each collection. Users may remove it
// (`gc.callbacks.clear()`), so there is also an empty wrapper that is never freed; its tp_traverse
// detects collections that gc.callbacks did not report.
#pragma once

#include "base/bridge_lock.h"
#include "base/py.h"

namespace tain::bindings {

/// Starts to watch collections, unless that was done before. Runs Python code.
void WatchCollections() noexcept;
/// The same as a pending call, for places where no Python code may run.
void WatchCollectionsSoon() noexcept;
/// Records that the empty wrapper was traversed. Called during a collection.
void NoteTraversal() noexcept;
void InitGcWatch(CoreModule& m);

}  // namespace tain::bindings
