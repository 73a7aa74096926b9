// SPDX-License-Identifier: Apache-2.0
// Makes containers of Python objects: of iterables, mappings and pairs.
#pragma once

#include "values/container_access.h"

namespace tain::bindings {

/// One conversion of a Python value with all its parts. A list, tuple or dict that other parts share
/// is converted once, and they share its Array or Map: the work is linear in the graph of the value,
/// not in the paths through it. What other code changes in a part after its conversion is not seen.
class Conversion : internal::NotCopied {
 public:
  Conversion() noexcept = default;
  ~Conversion() {
    if (TAIN_UNLIKELY(known_ != nullptr)) Forget();
  }

  /// Converts a part, which the caller holds, to a value that owns its data; false with a Python
  /// error set.
  bool Part(PyObject* part, TainAny* out) noexcept {
    constexpr unsigned long kContainer =
        Py_TPFLAGS_LIST_SUBCLASS | Py_TPFLAGS_TUPLE_SUBCLASS | Py_TPFLAGS_DICT_SUBCLASS;
    const bool is_container = PyType_HasFeature(Py_TYPE(part), kContainer) != 0;
    return TAIN_UNLIKELY(is_container) ? Container(part, out) : OwnedFromPython(part, out);
  }
  /// Lets signal handlers run after many steps; false with the error set that one raised.
  bool CheckSignals() noexcept;

 private:
  struct Known;
  bool Container(PyObject* part, TainAny* out) noexcept;
  void Forget() noexcept;

  Known* known_ = nullptr;  ///< owned; null until a part may be met again
  uint32_t steps_ = 0;
};

/// Returns an Array of a list or tuple: a new strong reference, or null with an error set.
TainObject* SequenceFromPython(PyObject* object) noexcept;
#ifdef Py_GIL_DISABLED
/// The same without the lock of the bridge. Null, without an error, if that needs the lock: for more than
/// some thousand items, and for items that are neither numbers, text, None, bytes nor ready wrappers.
TainObject* FreeSequenceFromPython(PyObject* source) noexcept;
#endif
/// Returns a Map of a dict: a new strong reference, or null with an error set.
TainObject* MappingFromPython(PyObject* object) noexcept;
/// Returns an Array or List of any iterable: a new strong reference, or null with an error set.
TainObject* SeqFromIterable(PyObject* iterable, int32_t type_index) noexcept;
/// Appends the elements of any iterable to a List, or to a new sequence that no other code can see.
/// False with an error set; as with list.extend, elements before the error stay.
bool ExtendSeq(TainObject* seq, PyObject* iterable) noexcept;
/// Returns a new Array of what an iterable yields, converted to the declared type of a List's
/// elements; null with an error set.
TainObject* ElementsForList(const TainObject* list, PyObject* iterable) noexcept;
/// Returns a Shape of an iterable of ints: a new strong reference, or null with an error set.
TainObject* ShapeFromIterable(PyObject* iterable) noexcept;
/// Adds entries as dict.update does: those of a mapping (an object with keys()) or of an iterable
/// of pairs. False with an error set. `is_new`: the map is empty, and no other code can see it.
bool UpdateMap(TainObject* map, PyObject* source, bool is_new = false) noexcept;

/// Returns the object if its class is the generated class, so that no subclass overrides its
/// iteration; otherwise null.
template <bool (*kAccepts)(int32_t)>
inline TainObject* ExactContainerOf(PyObject* object) noexcept {
  return Py_TYPE(object)->tp_dealloc == &InstanceDealloc ? ContainerOf<kAccepts>(object) : nullptr;
}

}  // namespace tain::bindings
