// SPDX-License-Identifier: Apache-2.0
// Objects, handles and the macros of the two-class form, under the names of tvm::runtime.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/reflection/object_def.h"
#include "tvm/ffi/cast.h"
#include "tvm/ffi/object.h"
#include "tvm/runtime/logging.h"

namespace tvm::runtime {
using ::tain::Downcast;
using ::tain::GetObjectPtr;
using ::tain::GetRef;
using ::tain::make_object;
using ::tain::Object;
using ::tain::ObjectPtr;
using ::tain::ObjectPtrEqual;
using ::tain::ObjectPtrHash;
using ::tain::ObjectRef;
using ::tain::UnsafeInit;
}  // namespace tvm::runtime

namespace tvm {
using ::tain::Downcast;
using ::tain::GetObjectPtr;
using ::tain::GetRef;
using ::tain::make_object;
using ::tain::Object;
using ::tain::ObjectPtr;
using ::tain::ObjectPtrEqual;
using ::tain::ObjectPtrHash;
using ::tain::ObjectRef;
using ::tain::UnsafeInit;
}  // namespace tvm

#define TVM_DECLARE_BASE_OBJECT_INFO TAIN_DECLARE_BASE_OBJECT_INFO
#define TVM_DECLARE_FINAL_OBJECT_INFO TAIN_DECLARE_FINAL_OBJECT_INFO
#define TVM_DEFINE_OBJECT_REF_METHODS TAIN_DEFINE_OBJECT_REF_METHODS_NULLABLE
#define TVM_DEFINE_NOTNULLABLE_OBJECT_REF_METHODS TAIN_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE
#define TVM_DEFINE_MUTABLE_OBJECT_REF_METHODS TAIN_DEFINE_MUTABLE_OBJECT_REF_METHODS_NULLABLE
#define TVM_DEFINE_MUTABLE_NOTNULLABLE_OBJECT_REF_METHODS \
  TAIN_DEFINE_MUTABLE_OBJECT_REF_METHODS_NOTNULLABLE
#define TVM_DEFINE_OBJECT_REF_COW_METHOD TAIN_DEFINE_OBJECT_REF_COW_METHOD
#define TVM_REGISTER_OBJECT_TYPE TAIN_REGISTER_OBJECT_TYPE
#define TVM_STR_CONCAT TAIN_CONCAT
#define TVM_ATTRIBUTE_UNUSED [[maybe_unused]]
