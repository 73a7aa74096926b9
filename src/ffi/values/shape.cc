// SPDX-License-Identifier: Apache-2.0
// The memory of Shape: the extents follow the object in the same block.
#include "tain/container/shape.h"

#include <cstring>

namespace tain::internal {

TainObject* ShapeNew(const int64_t* data, size_t size) {
  if (size > (SIZE_MAX - 4096) / sizeof(int64_t)) throw std::bad_alloc();
  const size_t bytes = size * sizeof(int64_t);
  void* body = TainObjectAlloc(sizeof(ShapeObj) + bytes, alignof(ShapeObj), kTainShape);
  if (body == nullptr) throw std::bad_alloc();
  auto* shape = ::new (body) ShapeObj();
  auto* extents = reinterpret_cast<int64_t*>(static_cast<char*>(body) + sizeof(ShapeObj));
  if (data != nullptr) {
    std::memcpy(extents, data, bytes);
  } else {
    std::memset(extents, 0, bytes);
  }
  shape->cell = {extents, size};
  FinishObject(shape, kTainShape, &DeleteObject<ShapeObj>);
  return ObjectAccess::Header(shape);
}

}  // namespace tain::internal
