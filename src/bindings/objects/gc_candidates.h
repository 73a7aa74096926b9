// SPDX-License-Identifier: Apache-2.0
// Finds unreachable cycles of C++ objects that no wrapper owns, by trial deletion in full
// collections.
#pragma once

#include "base/bridge_lock.h"
#include "base/py.h"

namespace tain::bindings {

/// Records an object as a candidate: C++ holds it, and it has lost its wrapper or now owns it, so
/// perhaps only a cycle keeps it alive.
void NoteCandidate(TainObject* object) noexcept;
/// Frees the unreachable cycles among the candidates; returns the number of freed objects.
int64_t CollectCandidates() noexcept;
void InitCandidates(CoreModule& m);

}  // namespace tain::bindings
