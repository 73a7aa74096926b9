// SPDX-License-Identifier: Apache-2.0
// The two-class form: macros for handle classes (Foo : ObjectRef) beside object classes (FooObj :
// Object).
//
// New code does not need these macros: `using Foo = tain::Ref<FooObj>`. They let existing code with
// its own handle classes compile unchanged.
#pragma once

#include "tain/function.h"

namespace tain::internal {

/// Returns the object of a handle for writing. If others can reach the object, the handle first
/// gets a copy of it.
template <class T>
T* CopyOnWrite(ObjectPtr<Object>& data) {
  if (data.unique()) return static_cast<T*>(data.get());
  TainObject* copy = nullptr;
  if (TainObjectCopy(RefAccess::Header(data), &copy) != 0) throw Error::MoveFromRaised();
  data = RefAccess::Steal<Object>(copy);
  return static_cast<T*>(data.get());
}

}  // namespace tain::internal

#define TAIN_INTERNAL_OBJECT_REF_COMMON(TypeName, ParentType, ObjectName)                   \
  explicit TypeName(::tain::UnsafeInit tag) : ParentType(tag) {}                            \
  explicit TypeName(::tain::ObjectPtr<ObjectName> ptr) : ParentType(::tain::UnsafeInit{}) { \
    this->data_ = std::move(ptr);                                                           \
  }                                                                                         \
  TypeName(const TypeName&) = default;                                                      \
  TypeName(TypeName&&) = default;                                                           \
  TypeName& operator=(const TypeName&) = default;                                           \
  TypeName& operator=(TypeName&&) = default;                                                \
  using ContainerType = ObjectName

#define TAIN_INTERNAL_OBJECT_REF_ACCESS(ObjectName, quals)                           \
  quals ObjectName* operator->() const { return ::tain::internal::Accessed(get()); } \
  quals ObjectName* get() const { return static_cast<quals ObjectName*>(this->data_.get()); }

/// The methods of a handle class that may be null.
#define TAIN_DEFINE_OBJECT_REF_METHODS_NULLABLE(TypeName, ParentType, ObjectName) \
  TypeName() = default;                                                           \
  TAIN_INTERNAL_OBJECT_REF_ACCESS(ObjectName, const)                              \
  [[maybe_unused]] static constexpr bool _type_is_nullable = true;                \
  TAIN_INTERNAL_OBJECT_REF_COMMON(TypeName, ParentType, ObjectName)

/// The methods of a handle class that is never null.
#define TAIN_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(TypeName, ParentType, ObjectName) \
  TAIN_INTERNAL_OBJECT_REF_ACCESS(ObjectName, const)                                 \
  [[maybe_unused]] static constexpr bool _type_is_nullable = false;                  \
  TAIN_INTERNAL_OBJECT_REF_COMMON(TypeName, ParentType, ObjectName)

/// The methods of a handle class that may be null and gives access for writing.
#define TAIN_DEFINE_MUTABLE_OBJECT_REF_METHODS_NULLABLE(TypeName, ParentType, ObjectName) \
  TypeName() = default;                                                                   \
  TAIN_INTERNAL_OBJECT_REF_ACCESS(ObjectName, )                                           \
  [[maybe_unused]] static constexpr bool _type_is_nullable = true;                        \
  TAIN_INTERNAL_OBJECT_REF_COMMON(TypeName, ParentType, ObjectName)

#define TAIN_DEFINE_MUTABLE_OBJECT_REF_METHODS_NOTNULLABLE(TypeName, ParentType, ObjectName) \
  TAIN_INTERNAL_OBJECT_REF_ACCESS(ObjectName, )                                              \
  [[maybe_unused]] static constexpr bool _type_is_nullable = false;                          \
  TAIN_INTERNAL_OBJECT_REF_COMMON(TypeName, ParentType, ObjectName)

/// Defines `CopyOnWrite()`, which returns the object for writing and copies it first if it is
/// shared.
#define TAIN_DEFINE_OBJECT_REF_COW_METHOD(ObjectName) \
  ObjectName* CopyOnWrite() { return ::tain::internal::CopyOnWrite<ObjectName>(this->data_); }
