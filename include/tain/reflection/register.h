// SPDX-License-Identifier: Apache-2.0
// TAIN_REGISTER: a block of registrations that runs when the library is loaded.
//
//   TAIN_REGISTER {
//     tain::reflection::ObjectDef<PointObj>().def_rw("x", &PointObj::x);
//   }
// An exception of the block is a fault of the load, which raises all faults together.
#pragma once

#include "tain/base.h"

namespace tain::internal {

/// Runs registration code of a unit. An exception of the code becomes a fault of the unit.
TAIN_DLL bool RunRegistration(const TainUnit* unit, void (*body)()) noexcept;
/// The same for code whose place the fault names. `file` must stay valid.
TAIN_DLL bool RunRegistrationAt(const TainUnit* unit, void (*body)(), const char* file,
                                int line) noexcept;

}  // namespace tain::internal

#define TAIN_INTERNAL_REGISTER_AS(id)                                                            \
  TAIN_COLD static void tain_register_##id();                                                    \
  [[maybe_unused]] static const bool tain_registered_##id = ::tain::internal::RunRegistrationAt( \
      ::tain::internal::ThisUnit(), &tain_register_##id, __FILE__, __LINE__);                    \
  static void tain_register_##id()
#define TAIN_INTERNAL_REGISTER(id) TAIN_INTERNAL_REGISTER_AS(id)

/// Begins a block of registrations that runs when the library is loaded:
/// `TAIN_REGISTER { ObjectDef<T>()...; }`
#define TAIN_REGISTER TAIN_INTERNAL_REGISTER(__COUNTER__)
/// TAIN_REGISTER under the name that code in the two-class form uses.
#define TAIN_STATIC_INIT_BLOCK() TAIN_REGISTER
