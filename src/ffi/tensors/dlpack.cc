// SPDX-License-Identifier: Apache-2.0
// The exchange of tensors in both forms of DLPack.

#include "base/guard.h"
#include "tain/internal/tensor_loans.h"
#include "tensors/tensor_layout.h"
#include "tensors/tensor_text.h"

namespace tain::internal {
namespace {

constexpr uint32_t kDLPackMajor = 1;
constexpr uint32_t kDLPackMinor = 1;

/// Frees a DLPack tensor that a Tensor owns.
template <class Managed>
void DeleteManaged(TainTensorTail* tail) noexcept {
  auto* managed = static_cast<Managed*>(tail->owner);
  if (managed->deleter != nullptr) managed->deleter(managed);
}

/// A DLPack tensor that tain made; it keeps the Tensor alive.
template <class Managed>
struct Export {
  Managed managed{};
  TainObject* tensor;

  explicit Export(TainObject* source) : tensor(source) {
    managed.dl_tensor = *DLTensorOf(source);
    managed.manager_ctx = this;
    managed.deleter = &Delete;
    IncRef(source);
  }
  static void Delete(Managed* self) {
    auto* made = static_cast<Export*>(self->manager_ctx);
    DecRef(made->tensor);
    delete made;
  }
};

template <class Managed>
ObjectPtr<TensorObj> ImportManaged(Managed* from, uint64_t flags, int32_t alignment,
                                   bool contiguous) {
  const DLTensor& tensor = from->dl_tensor;
  ObjectPtr<TensorObj> made = MakeTensor(tensor, {});
  if (made->data == nullptr && NumElements(*made) != 0) {
    TAIN_THROW(ValueError) << "Tensor: expected the memory of " << NumElements(*made)
                           << " elements, got null";
  }
  RequireMemory(*made, alignment, contiguous);
  made->tail.flags = flags;
  if (from->deleter == &Export<Managed>::Delete) {
    JoinLoan(made.get(), static_cast<Export<Managed>*>(from->manager_ctx)->tensor);
  }
  made->tail.owner = from;  // from here on nothing throws
  made->tail.release = &DeleteManaged<Managed>;
  return made;
}

TainObject* CheckTensor(TainObject* object, const char* where) {
  NotNull(object, where, "a Tensor");
  if (object->type_index != kTainTensor) {
    TAIN_THROW(TypeError) << where << ": expected Tensor, got " << TypeNameOf(ViewOfObject(object));
  }
  return object;
}

}  // namespace

void RequireMemory(const DLTensor& tensor, int32_t alignment, bool contiguous) {
  const auto address = reinterpret_cast<uintptr_t>(tensor.data) + tensor.byte_offset;
  const bool is_aligned = alignment <= 0 || address % static_cast<uintptr_t>(alignment) == 0;
  if (!is_aligned && NumElements(tensor) != 0) {
    TAIN_THROW(ValueError) << "Tensor: expected memory at a multiple of " << alignment
                           << " bytes, got " << tensor.data;
  }
  if (contiguous && !IsDense(tensor, true)) {
    TAIN_THROW(ValueError) << "Tensor: expected a row-major tensor, got strides "
                           << ShapeText({tensor.strides, static_cast<size_t>(tensor.ndim)});
  }
}

}  // namespace tain::internal

using namespace tain::internal;

extern "C" int TainTensorFromDLPack(DLManagedTensor* from, int32_t require_alignment,
                                    int32_t require_contiguous, TainObject** out) noexcept {
  return Guard([&] {
    TainObject*& result = NotNull(out, "TainTensorFromDLPack", "a place for the result");
    auto made = ImportManaged(&NotNull(from, "TainTensorFromDLPack", "a DLPack tensor"), 0,
                              require_alignment, require_contiguous != 0);
    result = RefAccess::Release(made);
  });
}

extern "C" int TainTensorFromDLPackVersioned(DLManagedTensorVersioned* from,
                                             int32_t require_alignment, int32_t require_contiguous,
                                             TainObject** out) noexcept {
  return Guard([&] {
    const char* where = "TainTensorFromDLPackVersioned";
    TainObject*& result = NotNull(out, where, "a place for the result");
    NotNull(from, where, "a DLPack tensor");
    if (from->version.major != kDLPackMajor) {
      TAIN_THROW(BufferError) << "Tensor: expected DLPack " << kDLPackMajor << ", got version "
                              << from->version.major << "." << from->version.minor;
    }
    if ((from->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) != 0) {
      TAIN_THROW(BufferError) << "Tensor: elements of less than a byte, each in a byte of its own, "
                                 "are not supported";
    }
    constexpr uint64_t kKept = DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED;
    auto made =
        ImportManaged(from, from->flags & kKept, require_alignment, require_contiguous != 0);
    result = RefAccess::Release(made);
  });
}

extern "C" int TainTensorToDLPack(TainObject* from, DLManagedTensor** out) noexcept {
  return Guard([&] {
    const char* where = "TainTensorToDLPack";
    DLManagedTensor*& result = NotNull(out, where, "a place for the result");
    if (IsReadOnly(CheckTensor(from, where))) {
      TAIN_THROW(BufferError)
          << "a read-only tensor cannot be passed in the form before DLPack 1.0:"
             " ask for max_version=(1, 0)";
    }
    result = &(new Export<DLManagedTensor>(from))->managed;
  });
}

extern "C" int TainTensorToDLPackVersioned(TainObject* from,
                                           DLManagedTensorVersioned** out) noexcept {
  return Guard([&] {
    const char* where = "TainTensorToDLPackVersioned";
    DLManagedTensorVersioned*& result = NotNull(out, where, "a place for the result");
    CheckTensor(from, where);
    auto* made = new Export<DLManagedTensorVersioned>(from);
    made->managed.version = {kDLPackMajor, kDLPackMinor};
    const TainTensorTail* tail = TensorTailOf(from);
    made->managed.flags = tail == nullptr ? 0 : tail->flags & DLPACK_FLAG_BITMASK_READ_ONLY;
    result = &made->managed;
  });
}

extern "C" int TainTensorCreateUnsafeView(TainObject* source, const DLTensor* prototype,
                                          TainObject** out) noexcept {
  return Guard([&] {
    const char* where = "TainTensorCreateUnsafeView";
    TainObject*& result = NotNull(out, where, "a place for the result");
    CheckTensor(source, where);
    auto made = MakeView(NotNull(prototype, where, "a prototype"), source);
    result = RefAccess::Release(made);
  });
}
