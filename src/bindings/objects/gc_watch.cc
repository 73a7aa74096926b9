// SPDX-License-Identifier: Apache-2.0
// When CPython's garbage collector runs; see gc_watch.h.
#include "objects/gc_watch.h"

#include <string_view>
#include <utility>

#include "base/release_queue.h"
#include "base/state.h"
#include "objects/instance.h"

namespace tain::bindings {
namespace {

/// A collection traverses what lives twice; more visits belong to another one.
constexpr int kMostVisits = 4;

bool IsWatching() noexcept {
  const State& state = GetState();
  if (state.gc_callbacks == nullptr || state.gc_probe == nullptr) return false;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(state.gc_callbacks); ++i) {
    if (PyList_GET_ITEM(state.gc_callbacks, i) == state.gc_callback) return true;
  }
  return false;
}

/// The list of callbacks and ours, once; throws if somebody has put something else there.
void FindCallbacks() {
  State& state = GetState();
  if (state.gc_callbacks != nullptr) return;
  const nb::object ours = nb::module_::import_("tain._core").attr("_on_collection");
  const nb::object list = nb::module_::import_("gc").attr("callbacks");
  if (!PyList_Check(list.ptr())) {
    PyErr_Format(PyExc_TypeError, "gc.callbacks: expected list, got %s", TypeName(list.ptr()));
    throw nb::python_error();
  }
  if (state.gc_callbacks != nullptr) return;             // the import did it
  state.gc_callback = nb::object(ours).release().ptr();  // both for ever
  state.gc_callbacks = nb::object(list).release().ptr();
}

/// An empty tain.Function: the collector traverses it by InstanceTraverse.
void MakeProbe() {
  State& state = GetState();
  if (state.gc_probe == nullptr) state.gc_probe = NewEmpty(state.function_type);
  if (state.gc_probe == nullptr) throw nb::python_error();
}

/// Whether the collection that begins looks at everything. All do in a free-threaded CPython.
/// Elsewhere those of the oldest generation do; but some releases collect that one only when asked
/// to, and a part of it otherwise. So after many that did not, more of them the more there is to
/// look at, the next one does.
bool IsFull(nb::dict info) {
#ifdef Py_GIL_DISABLED
  (void)info;
  return true;
#else
  constexpr size_t kPartial = 100;  // what CPython's thresholds come to
  constexpr size_t kObjects = 512;  // looked at by one, as an average
  const State& state = GetState();
  return nb::cast<int>(info["generation"]) == 2 ||
         state.partial_collections >= kPartial + state.trial_size / kObjects;
#endif
}

/// gc.callbacks entry: (phase, info).
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

/// A collection was not announced: looks at the candidates after it.
void AfterUnannounced(void*) {
  GetState().will_watch = false;
  WatchCollections();
  GetState().collect_candidates();
}

}  // namespace

void WatchCollections() noexcept {
  if (TAIN_LIKELY(IsWatching())) return;
  State& state = GetState();
  const nb::error_scope pending;  // objects are dropped while an exception is on its way too
  try {
    MakeProbe();  // which suffices without gc.callbacks
    FindCallbacks();
    if (IsWatching()) return;
    state.probe_visits = -1;
    state.full_collection = true;
    if (PyList_Append(state.gc_callbacks, state.gc_callback) != 0) throw nb::python_error();
  } catch (nb::python_error& e) {
    static bool told = false;
    if (!std::exchange(told, true)) e.discard_as_unraisable("tain: watching for cycles");
  } catch (const std::exception&) {
    // without memory cycles are not found
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
