// SPDX-License-Identifier: Apache-2.0
// Cycles of C++ objects that no mirror answers for: found by trial deletion at full collections.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Notes an object that lost its mirror, or now owns it, while others hold it: it may be kept by a
/// cycle alone.
void NoteCandidate(TainObject* object) noexcept;
/// Frees the closed cycles among the candidates; the number of objects freed.
int64_t CollectCandidates() noexcept;
void InitCandidates(nb::module_& m);

}  // namespace tain::bindings
