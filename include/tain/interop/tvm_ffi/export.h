// SPDX-License-Identifier: Apache-2.0
// The macros that export a function of a module; a semicolon may follow them or not.
//
//   TVM_FFI_DLL_EXPORT_TYPED_FUNC(add_one, AddOne)
//   TVM_FFI_DLL_EXPORT_TYPED_FUNC_DOC(add_one, "Adds one.")
#pragma once

#include <string_view>

#include "tain/interop/tvm_ffi/base.h"
#include "tain/reflection/export.h"

#define TVM_FFI_DLL_EXPORT_TYPED_FUNC(ExportName, ...) TAIN_EXPORT(ExportName, __VA_ARGS__);

/// Exports the documentation of a function.
#define TVM_FFI_DLL_EXPORT_TYPED_FUNC_DOC(ExportName, DocString)                             \
  extern "C" TAIN_DLL_EXPORT int __tvm_ffi__doc_##ExportName(void*, const TainAny*, int32_t, \
                                                             TainAny* result) noexcept {     \
    constexpr std::string_view text(DocString);                                              \
    const TainByteArray bytes{text.data(), text.size()};                                     \
    return TainStringFromByteArray(&bytes, result);                                          \
  }
