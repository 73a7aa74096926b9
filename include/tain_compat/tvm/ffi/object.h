// SPDX-License-Identifier: Apache-2.0
// Objects, handles and the macros of the two-class form, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/interop/tvm_ffi/object.h"
#include "tain/object_ref_macros.h"
#include "tvm/ffi/base_detail.h"
#include "tvm/ffi/c_api.h"
#include "tvm/ffi/error.h"

namespace tvm::ffi {
using ::tain::GetObjectPtr;
using ::tain::GetRef;
using ::tain::make_object;
using ::tain::Object;
using ::tain::ObjectPtr;
using ::tain::ObjectPtrEqual;
using ::tain::ObjectPtrHash;
using ::tain::ObjectRef;
using ::tain::UnsafeInit;
using ::tain::WeakObjectPtr;
using ::tain::interop::ffi::Arc;
using ::tain::interop::ffi::StaticTypeKey;
using ::tain::interop::ffi::TypeIndex;
using ::tain::interop::ffi::TypeIndexToTypeKey;
using ::tain::interop::ffi::TypeInfo;
}  // namespace tvm::ffi

#define TVM_FFI_DECLARE_OBJECT_INFO TAIN_DECLARE_OBJECT_INFO
#define TVM_FFI_DECLARE_OBJECT_INFO_FINAL TAIN_DECLARE_OBJECT_INFO_FINAL
#define TVM_FFI_DECLARE_OBJECT_INFO_PREDEFINED_TYPE_KEY TAIN_DECLARE_BASE_OBJECT_INFO
#define TVM_FFI_DECLARE_BASE_OBJECT_INFO TAIN_DECLARE_BASE_OBJECT_INFO
#define TVM_FFI_DECLARE_FINAL_OBJECT_INFO TAIN_DECLARE_FINAL_OBJECT_INFO
#define TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE TAIN_DEFINE_OBJECT_REF_METHODS_NULLABLE
#define TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE TAIN_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE
#define TVM_FFI_DEFINE_MUTABLE_OBJECT_REF_METHODS_NULLABLE \
  TAIN_DEFINE_MUTABLE_OBJECT_REF_METHODS_NULLABLE
#define TVM_FFI_DEFINE_MUTABLE_OBJECT_REF_METHODS_NOTNULLABLE \
  TAIN_DEFINE_MUTABLE_OBJECT_REF_METHODS_NOTNULLABLE
#define TVM_FFI_DEFINE_OBJECT_REF_COW_METHOD TAIN_DEFINE_OBJECT_REF_COW_METHOD
