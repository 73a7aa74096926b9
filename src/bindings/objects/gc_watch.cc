// SPDX-License-Identifier: Apache-2.0
// Detects when CPython's garbage collector runs; see gc_watch.h.
#include "objects/gc_watch.h"

#include <string_view>
#include <utility>

#include "base/bridge_lock.h"
#include "base/gil.h"
#include "base/given_text.h"
#include "base/hooks.h"
#include "base/release_queue.h"
#include "base/state.h"
#include "objects/gc_state.h"
#include "objects/instance.h"

namespace tain::bindings {
namespace {

/// A collection visits a living object twice, or a little more; more visits belong to another
/// collection.
constexpr int kMostVisits = 4;

bool IsWatching() noexcept {
  if (GetGc().gc_callbacks == nullptr || GetGc().gc_probe == nullptr) return false;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(GetGc().gc_callbacks); ++i) {
    if (PyList_GET_ITEM(GetGc().gc_callbacks, i) == GetGc().gc_callback) return true;
  }
  return false;
}

/// Finds gc.callbacks and makes the bridge's callback, once. Throws if gc.callbacks is not a list.
void FindCallbacks() {
  if (GetGc().gc_callbacks != nullptr) return;
  const nb::object ours = nb::module_::import_("tain._core").attr("_on_collection");
  const nb::object list = nb::module_::import_("gc").attr("callbacks");
  if (!PyList_Check(list.ptr())) {
    ThrowGiven("gc.callbacks: expected list", list);
  }
  if (GetGc().gc_callbacks != nullptr) return;             // an import above ran this function
  GetGc().gc_callback = nb::object(ours).release().ptr();  // both are never freed
  GetGc().gc_callbacks = nb::object(list).release().ptr();
}

/// Makes an empty tain.Function, which the collector traverses by InstanceTraverse.
void MakeProbe() {
  State& state = GetState();
  if (GetGc().gc_probe == nullptr) GetGc().gc_probe = NewEmpty(state.function_type);
  if (GetGc().gc_probe == nullptr) throw nb::python_error();
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
  return nb::cast<int>(info["generation"]) == 2 ||
         GetGc().partial_collections >= kPartial + GetGc().trial_size / kObjects;
#endif
}

/// The callback in gc.callbacks, called as (phase, info).
void OnCollection(const char* phase, nb::dict info) {
  if (std::string_view(phase) == "start") {
    GetGc().full_collection = IsFull(std::move(info));
    GetGc().probe_visits = 0;
    return;
  }
  GetGc().probe_visits = -1;
  if (std::exchange(GetGc().full_collection, true)) {
    GetGc().partial_collections = 0;
    GetHooks().collect_candidates();
  } else {
    ++GetGc().partial_collections;
  }
}

/// Handles a collection that gc.callbacks did not report: checks the candidates after it.
void AfterUnannounced(void*) {
  GetGc().will_watch = false;
  WatchCollections();
  GetHooks().collect_candidates();
}

}  // namespace

void WatchCollections() noexcept {
  if (TAIN_LIKELY(IsWatching()) || Finalizing()) return;
  const nb::error_scope pending;  // objects are also dropped while an exception propagates
  try {
    MakeProbe();  // this works without gc.callbacks too
    FindCallbacks();
    if (IsWatching()) return;
    GetGc().probe_visits = -1;
    GetGc().full_collection = true;
    if (PyList_Append(GetGc().gc_callbacks, GetGc().gc_callback) != 0) throw nb::python_error();
  } catch (nb::python_error& e) {
    if (!std::exchange(GetGc().told_of_failure, true))
      e.discard_as_unraisable("tain: watching for cycles");
  } catch (const std::exception&) {
    // If there is no memory, cycles are not found.
  }
}

void WatchCollectionsSoon() noexcept {
  if (IsWatching() || GetGc().will_watch) return;
  const auto watch = [](void*) {
    const BridgeLock lock;
    GetGc().will_watch = false;
    WatchCollections();
    return 0;
  };
  GetGc().will_watch = Py_AddPendingCall(watch, nullptr) == 0;
}

void NoteTraversal() noexcept {
  if (GetGc().probe_visits >= 0 && ++GetGc().probe_visits < kMostVisits) return;
  if (GetGc().will_watch) return;
  GetGc().will_watch = true;
  GetGc().probe_visits = -1;
  Later(&AfterUnannounced, nullptr);
}

void InitGcWatch(CoreModule& m) {
  m.def("_on_collection", &OnCollection, nb::arg("phase"), nb::arg("info"));
}

}  // namespace tain::bindings
