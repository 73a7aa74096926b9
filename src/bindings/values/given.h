// SPDX-License-Identifier: Apache-2.0
// Finds the Python object from which a value of the core was made, so that error messages can show
// it.
//
// A callable, an exception or an opaque value holds its Python object. A container that was made of
// a list, tuple or dict for one call does not, nor do the copied bytes of a bytearray or memoryview. So the source of such a container is remembered here
// while the call runs, and the source of an element is found by walking both in parallel. This is
// done only when a message is written. The functions that remember and forget need no lock.
#pragma once

#include "base/py.h"
#include "tain/internal/fast_tls.h"

namespace tain::bindings {

/// Remembers the source of a container for a call, until ForgetSource. Borrows both.
void RememberSourceSlow(TainObject* made, PyObject* source) noexcept;
void ForgetSourceSlow(const TainObject* made) noexcept;

/// Whether an object that was made for a call may be a container whose source must be remembered, or
/// the copy of a bytearray or memoryview.
inline bool NeedsSource(const TainObject* made) noexcept {
  return made->type_index == kTainArray || made->type_index == kTainMap ||
         made->type_index == kTainBytes;
}

#ifdef Py_GIL_DISABLED
/// The sources of a thread that need no lock: those that find a place here, null if it is free.
struct OwnSource {
  const TainObject* made;
  PyObject* source;
};
inline constinit TAIN_FAST_THREAD_LOCAL OwnSource own_sources[2] = {};

/// Writes `now` to this thread's place of `made`; false if there is none.
inline bool SetOwnSource(const TainObject* made, const OwnSource& now) noexcept {
  for (OwnSource& place : own_sources) {
    if (place.made != made) continue;
    place = now;
    return true;
  }
  return false;
}
#endif

inline void RememberSource(TainObject* made, PyObject* source) noexcept {
  if (!NeedsSource(made)) return;
#ifdef Py_GIL_DISABLED
  if (TAIN_LIKELY(SetOwnSource(nullptr, {made, source}))) return;
#endif
  RememberSourceSlow(made, source);
}
inline void ForgetSource(const TainObject* made) noexcept {
  if (!NeedsSource(made)) return;
#ifdef Py_GIL_DISABLED
  if (TAIN_LIKELY(SetOwnSource(made, {nullptr, nullptr}))) return;
#endif
  ForgetSourceSlow(made);
}

/// Returns the list, tuple or dict from which a container was made for a call under way; null,
/// without an error, if there is none.
Own SourceOfContainer(TainObject* container);
/// A hook of the host: returns the name of the class and a short repr of the Python source of
/// `object`.
int DescribeGiven(TainObject* object, TainAny* type, TainAny* text, int* handled) noexcept;

/// While it lives, messages about an operand give its class only. Such messages are mostly
/// discarded, when Python tries the other operand.
class QuietOperand : internal::NotCopied {
 public:
  /// The caller holds `operand`.
  explicit QuietOperand(PyObject* operand) noexcept;
  ~QuietOperand();

 private:
  const PyObject* operand_;  ///< null if there was no memory to remember it
};

}  // namespace tain::bindings
