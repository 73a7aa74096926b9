// SPDX-License-Identifier: Apache-2.0
// What makes the objects of a type: its own constructor, or the global function that bears its key.
#pragma once

#include "base/py.h"

namespace tain::bindings {

/// A function that makes objects, held while it is used: a global one can be replaced meanwhile.
class TypeConstructor {
 public:
  TypeConstructor() noexcept = default;
  /// A new reference, or null for none.
  explicit TypeConstructor(TainObject* function) noexcept
      : function_(internal::RefAccess::Steal<Object>(function)) {}

  explicit operator bool() const noexcept { return get() != nullptr; }
  TainObject* get() const noexcept { return internal::RefAccess::Header(function_); }
  /// What is known of it, for ever; null if nothing is.
  const TainFunctionInfo* info() const noexcept { return TainFunctionGetInfo(get()); }

 private:
  ObjectPtr<Object> function_;
};

/// The constructor of a type; for a type that was registered without one, the global function whose
/// name is the type's key. That is looked up each time, since it may come and go.
TypeConstructor ConstructorOf(const TainTypeRecord* record) noexcept;
/// The global function whose name is the type's key; else the constructor.
TypeConstructor NamedConstructorOf(const TainTypeRecord* record) noexcept;

}  // namespace tain::bindings
