// SPDX-License-Identifier: Apache-2.0
// The repr of objects whose class in the host language has a repr of its own.
#pragma once

#include <string>
#include <string_view>

#include "tain/c_api.h"

namespace tain::internal {

/// Which elements of a container.
enum class ElementRole { kItem, kKey, kValue };

/// The host's functions for repr. They are called from any thread, with no lock held.
struct HostRepr {
  /// Writes the text of an object as an owned string value if the host has a class of its own for
  /// it, else None. Returns 0 or -1.
  int (*object)(TainObject* object, TainAny* out);
  /// Writes `name(parameters)` of a host callable as an owned string value. Returns 0 or -1.
  int (*callable)(TainObject* function, TainAny* out);
  /// Writes the name of a host callable as an owned string value. Returns 0 or -1.
  int (*name)(const TainObject* function, TainAny* out);
  /// Lets a container remember the declared type of the field that has it.
  void (*declare)(TainByteArray type, TainObject* container);
  /// Returns the key of the enum of which an element of a container is a member, by the type that
  /// the container remembers (container_declared.h); empty if it is none. An element that is a
  /// container remembers its part of the type from then on.
  TainByteArray (*member)(const TainObject* container, ElementRole role, const TainAny& element);
};

/// Installs the host's functions, which must stay valid until the process ends.
TAIN_DLL void SetHostRepr(const HostRepr* host) noexcept;
/// Returns the host's functions; null without a host.
const HostRepr* GetHostRepr() noexcept;
/// Returns the repr that libtain gives to an object by its type, without asking the host for it.
/// `name` stands for the key of the type, unless it is empty. Throws any error of the parts.
TAIN_DLL std::string ReprOfObject(TainObject* object, std::string_view name);

}  // namespace tain::internal
