// SPDX-License-Identifier: Apache-2.0
// Values whose declared type says more than the value: an Array that C++ declares as a tuple, the
// number or text of a member of an enum, a Tensor that Python gets as an array of numpy
// (tain::as_numpy), and containers of these.
//
// A container does not know the C++ type of its elements. When one crosses where C++ declares
// `Array[Color]`, its object remembers that (internal/container_declared.h), and its elements become
// members when they are read.
#pragma once

#include <string>
#include <string_view>

#include "base/py.h"
#include "tain/internal/host_repr.h"

namespace tain::bindings {

using internal::ElementRole;

/// Whether a type expression says more than some of its values. Without memory it may.
bool DeclaresMore(std::string_view type) noexcept;
/// Whether a type expression, which is no enum alone, may say more than a value of this kind; quick.
inline bool MayDeclareMore(std::string_view type, const TainAny& value) noexcept {
  switch (value.type_index) {
    case kTainArray:
    case kTainList:
    case kTainMap:
    case kTainDict: return type.find('[') != std::string_view::npos;
    case kTainInt:
    case kTainBigInt:
    case kTainRawStr:
    case kTainSmallStr:
    case kTainStr: return type.find('|') != std::string_view::npos;
    case kTainTensor: return type.find("numpy.ndarray") != std::string_view::npos;
    default: return false;
  }
}
/// Converts an owned value of a declared type and takes over its reference; null with an error set.
PyObject* DeclaredToPython(std::string_view type, const TainAny& value) noexcept;
/// Converts an element of a container that may have a declared type.
PyObject* DeclaredElement(const TainObject* container, ElementRole role,
                          const TainAny& element) noexcept;
/// Whether a List or a Dict has no declared type that restricts what it takes.
bool TakesAnything(const TainObject* container) noexcept;
/// The number that SetDeclaredNumber gets for a new container of the same elements.
uint32_t NumberOfCopies(const TainObject* container) noexcept;
/// Converts a value that Python adds to a List or a Dict to the type that is declared. `place` is
/// that of the value in what Python gives: `[2]`. Throws tain::Error, of any class if Python code of
/// the conversion raises. The container must be held.
void StoreAsDeclared(const TainObject* container, ElementRole role, const std::string& place,
                     Any* value);
/// The same for an entry that Python adds to a Dict.
void StoreEntryAsDeclared(const TainObject* dict, Any* key, Any* value);
/// The meaning of a type expression; see declared.cc. Never freed.
struct DeclaredType;
/// Returns what a type expression says beyond its values; null if nothing, or without memory.
const DeclaredType* FindDeclaredType(std::string_view type) noexcept;
/// The same of the elements of a container that remembers its type.
const DeclaredType* TypeOfElements(const TainObject* container, ElementRole role) noexcept;
/// See HostRepr::form; the text of kText is not made.
internal::DeclaredForm FormOfDeclared(const DeclaredType* type, const TainAny& value) noexcept;
/// See HostRepr::tuple_part.
const void* PartOfTuple(const void* tuple, size_t index) noexcept;

}  // namespace tain::bindings
