// SPDX-License-Identifier: Apache-2.0
// Copies of objects with other values in some fields, whatever constructor the type has.
//
// A copy is made by the copy constructor, or by the Python class of the object, which keeps its
// state. The changed fields are then written through their records, read-only ones too. A type
// without a copy constructor is made by its default constructor, or by a constructor whose
// parameters are fields.
#pragma once

#include <vector>

#include "registry/type_facts.h"
#include "tain/any.h"
#include "tain/internal/type_state.h"

namespace tain::internal {

/// A new value of a field.
struct FieldChange {
  const TainFieldDef* field;
  Any value;
};

/// Returns a copy of an object with these fields changed. Throws TypeError if the type cannot be
/// rebuilt or a value does not fit its field, OverflowError if it is out of range.
Any CopyWithFields(TainObject* source, const std::vector<FieldChange>& changes);

/// Writes a field of an object that nobody else uses, even if it is read-only. Throws as
/// CopyWithFields.
void WriteField(TainObject* object, const TainFieldDef& field, const TainAny& value);

/// Writes a field as WriteField, and returns false if it cannot be set: it has no setter, or its
/// member is const.
bool TryWriteField(TainObject* object, const TainFieldDef& field, const TainAny& value);

/// Throws TypeError if an object that is made anew from the fields of another would not be a copy:
/// the type has state besides, or must not be copied.
void CheckFieldsAreAll(const TainTypeRecord& record, StateUse use);
/// Throws TypeError: the type has nothing to rebuild its objects with.
[[noreturn]] void ThrowCannotRebuild(const TainTypeRecord& record);

/// Makes an object by a constructor whose parameters are fields, and sets the other fields.
Any MakeByConstructor(const TainTypeRecord& record, const std::vector<FieldChange>& fields);

/// Makes an object of a type with these values in its fields, without a copy of another: by the
/// default constructor and the fields' setters, or by a constructor whose parameters are fields.
/// Fields that `fields` does not name keep what the constructor gives them.
Any MakeFromFields(const TainTypeRecord& record, const std::vector<FieldChange>& fields);

}  // namespace tain::internal
