// SPDX-License-Identifier: Apache-2.0
// When CPython's garbage collector runs, and over which generation.
//
// An entry of gc.callbacks tells. Users may take it out, as `gc.callbacks.clear()` does; so there
// is also an empty instance that lives for ever, and its tp_traverse tells of collections that
// gc.callbacks did not announce.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Sees to it that collections are told of; nothing happens before the first call. Runs Python.
void WatchCollections() noexcept;
/// The same from where no Python may run.
void WatchCollectionsSoon() noexcept;
/// The instance that lives for ever was traversed. Called within a collection.
void NoteTraversal() noexcept;
void InitGcWatch(nb::module_& m);

}  // namespace tain::bindings
