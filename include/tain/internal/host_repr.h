// SPDX-License-Identifier: Apache-2.0
// The repr of objects whose class in the host language has a repr of its own.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tain/c_api.h"

namespace tain::internal {

/// Which elements of a container.
enum class ElementRole { kItem, kKey, kValue };

/// The form in which a value is written, as its declared type says.
struct DeclaredForm {
  enum class Kind {
    kPlain,   ///< as any value
    kMember,  ///< as the member of an enum
    kTuple,   ///< in parentheses
    kText     ///< as the host's text
  };
  Kind kind = Kind::kPlain;
  TainByteArray enum_key{};     ///< of kMember
  const void* tuple = nullptr;  ///< of kTuple: what tuple_part takes
  TainAny text{};               ///< of kText: an owned string value
};

/// The host's functions for repr. They are called from any thread, with no lock held.
struct HostRepr {
  /// Writes the text of an object as an owned string value if the host has a class of its own for
  /// it, else None. Returns 0 or -1.
  int (*object)(TainObject* object, TainAny* out);
  /// Writes `name(parameters)` of a host callable as an owned string value. Returns 0 or -1.
  int (*callable)(TainObject* function, TainAny* out);
  /// Writes the name of a host callable as an owned string value. Returns 0 or -1.
  int (*name)(const TainObject* function, TainAny* out);
  // A declared type is a pointer that stays valid; it is null if values say all.
  /// Returns what a type expression says.
  const void* (*declared_type)(TainByteArray type);
  /// Returns what a container remembers of its elements (container_declared.h).
  const void* (*element_type)(const TainObject* container, ElementRole role);
  /// Returns how a value of a declared type is written. A container remembers its type from then on.
  DeclaredForm (*form)(const void* type, const TainAny& value);
  /// Returns the declared type of a part of a tuple.
  const void* (*tuple_part)(const void* tuple, size_t index);
};

/// Installs the host's functions, which must stay valid until the process ends.
TAIN_DLL void SetHostRepr(const HostRepr* host) noexcept;
/// Returns the host's functions; null without a host.
const HostRepr* GetHostRepr() noexcept;
/// Returns the repr that libtain gives to an object by its type, without asking the host for it.
/// `name` stands for the key of the type, unless it is empty. Throws any error of the parts.
TAIN_DLL std::string ReprOfObject(TainObject* object, std::string_view name);

}  // namespace tain::internal
