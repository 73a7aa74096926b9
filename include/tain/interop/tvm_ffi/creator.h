// SPDX-License-Identifier: Apache-2.0
// ObjectCreator: makes an object from the values of its fields, for sources for tvm::ffi.
#pragma once

#include <string_view>

#include "tain/container/map.h"
#include "tain/interop/tvm_ffi/accessor.h"

namespace tain::interop::ffi {

/// Makes objects of a type that has a default constructor.
class ObjectCreator {
 public:
  /// Throws RuntimeError if the type has no default constructor.
  explicit ObjectCreator(std::string_view type_key)
      : ObjectCreator(TainGetTypeInfo(TypeKeyToIndex(type_key))) {}
  explicit ObjectCreator(const TainTypeInfo* type) : type_(type) {
    if (TainTypeHasDefault(type->type_index) == 0) {
      TAIN_THROW(RuntimeError) << "Type `" << internal::View(type->type_key)
                               << "` does not support default constructor";
    }
  }
  /// Makes an object with these fields; others have their defaults. Throws TypeError for a field
  /// that is missing or that the type does not have.
  Any operator()(const Map<String, Any>& fields) const {
    TainObject* made = nullptr;
    internal::ThrowIfFailed(TainTypeConstructDefault(type_->type_index, &made));
    const ObjectPtr<Object> object = internal::RefAccess::Steal<Object>(made);
    size_t set = 0;
    ForEachFieldInfo(type_, [&](const TainFieldInfo* field) {
      const FieldSetter set_field(field);
      const String name(internal::View(field->name));
      if (const auto value = fields.Get(name); value) {
        set_field(object, AnyView(*value));
        ++set;
        return;
      }
      if ((field->flags & kTainFieldHasDefault) == 0) {
        TAIN_THROW(TypeError) << "Required field `" << name << "` not set in type `"
                              << internal::View(type_->type_key) << "`";
      }
      const AnyView given(field->default_value_or_factory);
      if ((field->flags & kTainFieldDefaultFactory) != 0) {
        set_field(object, given.cast<Function>()());
      } else {
        set_field(object, given);
      }
    });
    if (set != fields.size()) {
      TAIN_THROW(TypeError) << "Type `" << internal::View(type_->type_key)
                            << "` does not have all of the given fields";
    }
    return Any(object);
  }

 private:
  const TainTypeInfo* type_;
};

}  // namespace tain::interop::ffi
