// SPDX-License-Identifier: Apache-2.0
// Detects when CPython's garbage collector runs; see gc_watch.h.
#include "objects/gc_watch.h"

#include <string_view>
#include <utility>

#include "base/given_text.h"
#include "base/release_queue.h"
#include "base/state.h"
#include "objects/instance.h"

namespace tain::bindings {
namespace {

/// A collection visits a living object twice, or a little more; more visits belong to another
/// collection.
constexpr int kMostVisits = 4;

bool IsWatching() noexcept {
  const State& state = GetState();
  if (state.gc_callbacks == nullptr || state.gc_probe == nullptr) return false;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(state.gc_callbacks); ++i) {
    if (PyList_GET_ITEM(state.gc_callbacks, i) == state.gc_callback) return true;
  }
  return false;
}

/// Finds gc.callbacks and makes the bridge's callback, once. Throws if gc.callbacks is not a list.
void FindCallbacks() {
  State& state = GetState();
  if (state.gc_callbacks != nullptr) return;
  const nb::object ours = nb::module_::import_("tain._core").attr("_on_collection");
  const nb::object list = nb::module_::import_("gc").attr("callbacks");
  if (!PyList_Check(list.ptr())) {
    ThrowGiven("gc.callbacks: expected list", list);
  }
  if (state.gc_callbacks != nullptr) return;             // an import above ran this function
  state.gc_callback = nb::object(ours).release().ptr();  // both are never freed
  state.gc_callbacks = nb::object(list).release().ptr();
}

/// Makes an empty tain.Function, which the collector traverses by InstanceTraverse.
void MakeProbe() {
  State& state = GetState();
  if (state.gc_probe == nullptr) state.gc_probe = NewEmpty(state.function_type);
  if (state.gc_probe == nullptr) throw nb::python_error();
}

/// Whether the collection that begins is to be treated as a full one. In a free-threaded CPython
/// each one is. Elsewhere collections of the oldest generation are; but some releases collect that
/// generation only on request, and a part of it otherwise. So after a number of partial
/// collections, which grows with the number of objects to visit, the next one counts as full.
bool IsFull(nb::dict info) {
#ifdef Py_GIL_DISABLED
  (void)info;
  return true;
#else
  constexpr size_t kPartial = 100;  // corresponds to CPython's thresholds
  constexpr size_t kObjects = 512;  // visited in one collection, on average
  const State& state = GetState();
  return nb::cast<int>(info["generation"]) == 2 ||
         state.partial_collections >= kPartial + state.trial_size / kObjects;
#endif
}

/// The callback in gc.callbacks, called as (phase, info).
void OnCollection(const char* phase, nb::dict info) {
  State& state = GetState();
  if (std::string_view(phase) == "start") {
    state.full_collection = IsFull(std::move(info));
    state.probe_visits = 0;
    return;
  }
  state.probe_visits = -1;
  if (std::exchange(state.full_collection, true)) {
    state.partial_collections = 0;
    state.collect_candidates();
  } else {
    ++state.partial_collections;
  }
}

/// Handles a collection that gc.callbacks did not report: checks the candidates after it.
void AfterUnannounced(void*) {
  GetState().will_watch = false;
  WatchCollections();
  GetState().collect_candidates();
}

}  // namespace

void WatchCollections() noexcept {
  if (TAIN_LIKELY(IsWatching())) return;
  State& state = GetState();
  const nb::error_scope pending;  // objects are also dropped while an exception propagates
  try {
    MakeProbe();  // this works without gc.callbacks too
    FindCallbacks();
    if (IsWatching()) return;
    state.probe_visits = -1;
    state.full_collection = true;
    if (PyList_Append(state.gc_callbacks, state.gc_callback) != 0) throw nb::python_error();
  } catch (nb::python_error& e) {
    if (!std::exchange(state.told_of_failure, true))
      e.discard_as_unraisable("tain: watching for cycles");
  } catch (const std::exception&) {
    // If there is no memory, cycles are not found.
  }
}

void WatchCollectionsSoon() noexcept {
  State& state = GetState();
  if (IsWatching() || state.will_watch) return;
  const auto watch = [](void*) {
    GetState().will_watch = false;
    WatchCollections();
    return 0;
  };
  state.will_watch = Py_AddPendingCall(watch, nullptr) == 0;
}

void NoteTraversal() noexcept {
  State& state = GetState();
  if (state.probe_visits >= 0 && ++state.probe_visits < kMostVisits) return;
  if (state.will_watch) return;
  state.will_watch = true;
  state.probe_visits = -1;
  Later(&AfterUnannounced, nullptr);
}

void InitGcWatch(nb::module_& m) {
  m.def("_on_collection", &OnCollection, nb::arg("phase"), nb::arg("info"));
}

}  // namespace tain::bindings
