// SPDX-License-Identifier: Apache-2.0
// Opaque objects: they hold a handle of the host or of a library.
#include <new>

#include "base/guard.h"
#include "tain/object.h"

namespace tain::internal {
namespace {

/// An object that holds a handle of the host or of a library.
struct OpaqueObject {
  TainObject header;
  TainOpaqueCell cell;
  void (*release)(void* handle);  ///< or null
};

void DeleteOpaque(void* self, int flags) {
  TainObjectDelete(self, flags, [](void* header) {
    auto* opaque = static_cast<OpaqueObject*>(header);
    if (opaque->release != nullptr) opaque->release(opaque->cell.handle);
  });
}

void CheckOpaqueType(int32_t type_index) {
  const TainTypeRecord* record = TainGetTypeRecord(type_index);
  const bool fits = type_index == kTainOpaquePyObject ||
                    (record != nullptr && type_index >= kTainDynObjectBegin &&
                     record->request.size == 0 && record->info->num_fields == 0);
  if (!fits) {
    TAIN_THROW(TypeError) << "TainObjectCreateOpaque: type index " << type_index
                          << " is not a type of opaque objects";
  }
}

}  // namespace
}  // namespace tain::internal

using namespace tain::internal;

extern "C" int TainObjectCreateOpaque(void* handle, int32_t type_index,
                                      void (*deleter)(void* handle), TainObject** out) noexcept {
  return Guard([&] {
    TainObject*& result = NotNull(out, "TainObjectCreateOpaque", "a place for the result");
    CheckOpaqueType(type_index);
    void* body = TainObjectAlloc(sizeof(OpaqueObject), alignof(OpaqueObject), type_index);
    if (body == nullptr) throw std::bad_alloc();
    auto* opaque = ::new (body) OpaqueObject{
        {kBothOne, type_index, kTainHeaderHasPrefix, &DeleteOpaque}, {handle}, deleter};
    result = &opaque->header;
  });
}
