// SPDX-License-Identifier: Apache-2.0
// What Python gave where a value of the core stands: for messages, which speak the user's words.
//
// A callable, an exception or an opaque value knows its Python object. A container that was made of
// a list, tuple or dict for one call does not: what it was made of is remembered here as long as
// the call lasts, and an element's origin is found by walking both side by side. Nothing of it is
// looked at unless a message is written.
#pragma once

#include "base/state.h"

namespace tain::bindings {

/// Remembers what an object was made of for a call, until ForgetSource. Borrows both.
void RememberSourceSlow(TainObject* made, PyObject* source) noexcept;
void ForgetSourceSlow(const TainObject* made) noexcept;

/// Whether an object made for a call may be one that needs to be remembered.
inline bool IsMadeContainer(const TainObject* made) noexcept {
  return made->type_index == kTainArray || made->type_index == kTainMap;
}
inline void RememberSource(TainObject* made, PyObject* source) noexcept {
  if (IsMadeContainer(made)) RememberSourceSlow(made, source);
}
inline void ForgetSource(const TainObject* made) noexcept {
  if (IsMadeContainer(made)) ForgetSourceSlow(made);
}

/// Host hook: name of the class and a short repr of what Python gave for `object`.
int DescribeGiven(TainObject* object, TainAny* type, TainAny* text, int* handled) noexcept;

/// While it lives, messages about an operand give its class only: they are mostly thrown away, when
/// Python tries the other operand.
class QuietOperand {
 public:
  /// `operand` is held by the caller.
  explicit QuietOperand(PyObject* operand) noexcept;
  QuietOperand(const QuietOperand&) = delete;
  QuietOperand& operator=(const QuietOperand&) = delete;
  ~QuietOperand();

 private:
  const PyObject* operand_;  ///< null if there was no memory to remember it
};

}  // namespace tain::bindings
