// SPDX-License-Identifier: Apache-2.0
// Decides when cycles of C++ objects are searched for between the collections of CPython.
//
// CPython counts Python objects alone, so a loop that makes rings of C++ objects would never start
// a collection. As CPython collects after a number of new containers, the bridge does after a
// number of new C++ objects: as many as the first two thresholds of the module gc multiplied, and
// at least as many as the last search visited in vain. So the time of all searches is proportional
// to the number of objects made. gc.disable() and a first threshold of 0 are respected.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// Counts a new candidate; now and then looks whether a search is due.
void PaceCandidate() noexcept;
/// Records that a search has ended, which visited `kept` objects that live on.
void PaceSearched(size_t kept) noexcept;
/// Searches for cycles if a search is due. It may run Python code, so a wrapper calls it when its
/// object has been dropped.
void CollectIfDue() noexcept;

}  // namespace tain::bindings
