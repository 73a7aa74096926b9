// SPDX-License-Identifier: Apache-2.0
// LibraryDef: what holds for all that a library registers.
//
//   TAIN_REGISTER {
//     tain::reflection::LibraryDef().set(tain::as_numpy());
//   }
#pragma once

#include "tain/reflection/arg.h"
#include "tain/reflection/register.h"

namespace tain::internal {

/// Makes tensors in all results, properties and fields of a unit arrays of numpy. What the unit has
/// registered before is included.
TAIN_DLL void SetLibraryAsNumpy(const TainUnit* unit) noexcept;

/// Makes all functions, methods and properties of a unit that say nothing about threads
/// thread-safe. What the unit has registered before is included.
TAIN_DLL void SetLibraryThreadSafe(const TainUnit* unit) noexcept;

}  // namespace tain::internal

namespace tain::reflection {

/// Sets options of the whole library, in any TAIN_REGISTER of it.
class LibraryDef {
 public:
  /// Tensors that Python gets from the library are arrays of numpy.
  LibraryDef& set(as_numpy) noexcept {
    internal::SetLibraryAsNumpy(internal::ThisUnit());
    return *this;
  }
  /// Threads may call the library's functions, methods and properties at the same time, unless they
  /// or their types say something else.
  LibraryDef& set(thread_safe) noexcept {
    internal::SetLibraryThreadSafe(internal::ThisUnit());
    return *this;
  }
};

}  // namespace tain::reflection
