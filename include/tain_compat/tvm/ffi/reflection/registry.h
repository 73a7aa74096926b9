// SPDX-License-Identifier: Apache-2.0
// ObjectDef, GlobalDef and what registers a type, under the names of tvm::ffi.
#pragma once

#include "tvm/tain_compat.h"

#include "tain/interop/tvm_ffi/object_def.h"
#include "tain/reflection/arg.h"
#include "tain/reflection/overload.h"
#include "tvm/ffi/any.h"
#include "tvm/ffi/container/map.h"
#include "tvm/ffi/container/variant.h"
#include "tvm/ffi/function.h"
#include "tvm/ffi/object.h"
#include "tvm/ffi/optional.h"
#include "tvm/ffi/reflection/accessor.h"
#include "tvm/ffi/string.h"
#include "tvm/ffi/type_traits.h"

namespace tvm::ffi::reflection {
using ::tain::const_;
using ::tain::default_;
using ::tain::default_factory;
using default_value = ::tain::default_;
using ::tain::overload;
using ::tain::overload_cast;
using ::tain::interop::ffi::AttachFieldFlag;
using ::tain::interop::ffi::compare;
using ::tain::interop::ffi::EnsureTypeAttrColumn;
using ::tain::interop::ffi::GlobalDef;
using ::tain::interop::ffi::hash;
using ::tain::interop::ffi::init;
using ::tain::interop::ffi::kw_only;
using ::tain::interop::ffi::Metadata;
using ::tain::interop::ffi::ObjectDef;
using ::tain::interop::ffi::repr;
using ::tain::interop::ffi::TypeAttrDef;
}  // namespace tvm::ffi::reflection
