// SPDX-License-Identifier: Apache-2.0
// Finds the function that makes objects of a type: its constructor, or the global function whose
// name is the key.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// A function that makes objects. It is held while it is used, because a global function can be
/// replaced meanwhile.
class TypeConstructor {
 public:
  TypeConstructor() noexcept = default;
  /// Takes over a new reference; null stands for no function.
  explicit TypeConstructor(TainObject* function) noexcept
      : function_(internal::RefAccess::Steal<Object>(function)) {}

  explicit operator bool() const noexcept { return get() != nullptr; }
  TainObject* get() const noexcept { return internal::RefAccess::Header(function_); }
  /// Returns the record of the function, which is never freed; null if it has none.
  const TainFunctionInfo* info() const noexcept { return TainFunctionGetInfo(get()); }

 private:
  ObjectPtr<Object> function_;
};

/// Returns the constructor of a type. If the type has none, returns the global function whose name
/// is the key. That function is looked up each time, because it can be replaced or removed.
TypeConstructor ConstructorOf(const TainTypeRecord* record) noexcept;
/// Returns the global function whose name is the type's key, else the constructor.
TypeConstructor NamedConstructorOf(const TainTypeRecord* record) noexcept;

}  // namespace tain::bindings
