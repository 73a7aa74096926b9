// SPDX-License-Identifier: Apache-2.0
// Makes values that are no objects of registered types from saved data that may be hostile.
//
// A fault of the data is written to `*fault`, without a place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tain/any.h"

namespace tain::internal {

DLDataType DataTypeOfName(std::string_view name, std::string* fault);
/// Gets the kind of a device; false if the name is not known.
bool DeviceOfName(std::string_view name, DLDeviceType* out) noexcept;
Any MakeSavedShape(const std::vector<int64_t>& extents);
/// Makes a tensor with a copy of the elements.
Any MakeSavedTensor(DLDataType dtype, const std::vector<int64_t>& shape, std::string_view elements,
                    std::string* fault);
/// Returns the bytes that the elements of a tensor take; 0, with a fault, if it cannot exist.
uint64_t SavedTensorBytes(DLDataType dtype, const std::vector<int64_t>& shape, std::string* fault);
/// Makes a tensor of elements in memory that `owner` keeps alive: release(owner) runs at its end.
Any MakeTensorView(DLDataType dtype, const std::vector<int64_t>& shape, void* elements, void* owner,
                   void (*release)(void* owner));
/// Returns the member of an enum, or its plain value if the host has no enums.
Any MakeSavedMember(std::string_view key, const Any& value, std::string* fault);

}  // namespace tain::internal
