// SPDX-License-Identifier: Apache-2.0
// Access to fields and methods by their records, as sources for tvm::ffi do it. In tain's own names:
// tain/reflection/access.h.
#pragma once

#include <string_view>
#include <type_traits>

#include "tain/interop/tvm_ffi/base.h"
#include "tain/string.h"

namespace tain::interop::ffi {

/// Calls `visit(const TainFieldInfo*)` for each field of a type, those of its parents first.
template <class Visit>
void ForEachFieldInfo(const TainTypeInfo* type, const Visit& visit) {
  for (int32_t depth = 1; depth <= type->type_depth; ++depth) {
    const TainTypeInfo* at = depth == type->type_depth ? type : type->type_ancestors[depth];
    for (int32_t i = 0; i < at->num_fields; ++i) visit(at->fields + i);
  }
}
/// The same until `visit` returns true; returns whether it did.
template <class Visit>
bool ForEachFieldInfoWithEarlyStop(const TainTypeInfo* type, const Visit& visit) {
  bool stopped = false;
  ForEachFieldInfo(type, [&](const TainFieldInfo* field) { stopped = stopped || visit(field); });
  return stopped;
}

/// Returns the record of a field of a type itself. Throws RuntimeError if there is none.
inline const TainFieldInfo* GetFieldInfo(std::string_view type_key, const char* name) {
  const TainTypeInfo* type = TainGetTypeInfo(TypeKeyToIndex(type_key));
  for (int32_t i = 0; i < type->num_fields; ++i) {
    if (internal::View(type->fields[i].name) == name) return type->fields + i;
  }
  TAIN_THROW(RuntimeError) << "Cannot find field  " << name << " in " << type_key;
}
/// Returns the record of a method of a type itself. Throws RuntimeError if there is none.
inline const TainMethodInfo* GetMethodInfo(std::string_view type_key, const char* name) {
  const TainTypeInfo* type = TainGetTypeInfo(TypeKeyToIndex(type_key));
  for (int32_t i = 0; i < type->num_methods; ++i) {
    if (internal::View(type->methods[i].name) == name) return type->methods + i;
  }
  TAIN_THROW(RuntimeError) << "Cannot find method " << name << " in " << type_key;
}
/// Returns the function of a method of a type itself. Throws RuntimeError if there is none.
inline Function GetMethod(std::string_view type_key, const char* name) {
  return AnyView(GetMethodInfo(type_key, name)->method).cast<Function>();
}

/// Reads a field of objects of a type.
class FieldGetter {
 public:
  explicit FieldGetter(const TainFieldInfo* field) noexcept : field_(field) {}
  FieldGetter(std::string_view type_key, const char* name)
      : FieldGetter(GetFieldInfo(type_key, name)) {}
  Any operator()(const Object* object) const {
    char* header = reinterpret_cast<char*>(internal::ObjectAccess::Header(object));
    TainAny value{};
    internal::ThrowIfFailed(field_->getter(header + field_->offset, &value));
    return Any::Steal(value);
  }
  Any operator()(const ObjectRef& object) const { return (*this)(object.get()); }
  template <class T>
  Any operator()(const ObjectPtr<T>& object) const {
    return (*this)(object.get());
  }

 private:
  const TainFieldInfo* field_;
};

/// Writes a field of objects of a type, also one that is read-only.
class FieldSetter {
 public:
  explicit FieldSetter(const TainFieldInfo* field) noexcept : field_(field) {}
  FieldSetter(std::string_view type_key, const char* name)
      : FieldSetter(GetFieldInfo(type_key, name)) {}
  void operator()(const Object* object, const AnyView& value) const {
    void* place = reinterpret_cast<char*>(internal::ObjectAccess::Header(object)) + field_->offset;
    if ((field_->flags & kTainFieldSetterIsFunction) != 0) {
      const TainAny set = internal::ViewOfObject(static_cast<TainObject*>(field_->setter));
      AnyView(set).cast<Function>()(place, value);
      return;
    }
    const auto set = reinterpret_cast<TainFieldSetter>(field_->setter);
    internal::ThrowIfFailed(set(place, &value.data()));
  }
  void operator()(const ObjectRef& object, const AnyView& value) const {
    (*this)(object.get(), value);
  }
  template <class T>
  void operator()(const ObjectPtr<T>& object, const AnyView& value) const {
    (*this)(object.get(), value);
  }

 private:
  const TainFieldInfo* field_;
};

/// The values of an attribute of all types.
class TypeAttrColumn {
 public:
  /// Throws RuntimeError if there is no such attribute.
  explicit TypeAttrColumn(std::string_view name) {
    const TainByteArray key{name.data(), name.size()};
    column_ = TainGetTypeAttrColumn(&key);
    if (column_ == nullptr) TAIN_THROW(RuntimeError) << "Cannot find type attribute " << name;
  }
  /// Returns the attribute of a type; None if it has none.
  AnyView operator[](int32_t type_index) const noexcept {
    const int32_t at = type_index - column_->begin_index;
    return at < 0 || at >= column_->size ? AnyView() : AnyView(column_->data[at]);
  }

 private:
  const TainTypeAttrColumn* column_;
};

}  // namespace tain::interop::ffi
