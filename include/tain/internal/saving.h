// SPDX-License-Identifier: Apache-2.0
// The host's part in saving and loading: hooks of its classes, state of its own, enum members.
#pragma once

#include "tain/any.h"

namespace tain::internal {

/// How the host wants an object to be saved.
enum HostSavingAnswer {
  kHostSavesFields = 0,  ///< the object is saved by its fields
  kHostSavesData = 1,    ///< the class has a hook, whose result is saved
  kHostCannotSave = 2  ///< the object has a class or state of the host; the value says why, a text
};

/// The host's functions. They are called from any thread, with no lock held, and return 0 or -1.
struct HostSaving {
  /// Writes whether the class of new objects of a type has the hook `__data_to_json__`.
  int (*has_hook)(int32_t type_index, int* out);
  /// Writes how an object is saved, and the value that goes with the answer.
  int (*data_of)(TainObject* object, TainAny* out, int* answer);
  /// Makes an object by `__data_from_json__` of the type's class; *handled is 0 if it has none.
  int (*object_of)(int32_t type_index, const TainAny* data, TainAny* out, int* handled);
  /// Writes whether the class of new objects has the hook `__data_from_json__`.
  int (*has_from_hook)(int32_t type_index, int* out);
  /// Makes the member of an enum that has an int or a text as its value.
  int (*member_of)(const TainEnumInfo* info, const TainAny* value, TainAny* out);
  /// Called with an object of a cycle that was loaded, or that a failed load leaves behind because hooks
  /// may have kept it. The host's collector frees the cycle when nobody else can reach it.
  void (*left_behind)(TainObject* object);
};

/// Installs the host's functions, which must stay valid until the process ends.
TAIN_DLL void SetHostSaving(const HostSaving* host) noexcept;

}  // namespace tain::internal
