// SPDX-License-Identifier: Apache-2.0
// What all sources for tvm::ffi may use: attributes, checks with a kind, the frame of a C function.
#pragma once

#include "tain/convert.h"
#include "tain/function.h"
#include "tain/internal/caught.h"
#include "tain/interop/tvm_ffi/c_api.h"

#if defined(__GNUC__) || defined(__clang__)
#define TVM_FFI_INLINE [[gnu::always_inline]] inline
#define TVM_FFI_NO_INLINE [[gnu::noinline]]
#define TVM_FFI_COLD_CODE [[gnu::cold]]
#define TVM_FFI_UNREACHABLE() __builtin_unreachable()
#else
#define TVM_FFI_INLINE inline
#define TVM_FFI_NO_INLINE
#define TVM_FFI_COLD_CODE
#define TVM_FFI_UNREACHABLE() __assume(false)
#endif
#define TVM_FFI_PREDICT_TRUE(cond) TAIN_LIKELY(static_cast<bool>(cond))
#define TVM_FFI_PREDICT_FALSE(cond) TAIN_UNLIKELY(static_cast<bool>(cond))
#define TVM_FFI_FUNC_SIG TAIN_FUNC
#define TVM_FFI_STR_CONCAT TAIN_CONCAT
#define TVM_FFI_EXTRA_CXX_API TAIN_DLL
#define TVM_FFI_EXTRA_CXX_API_EXPORT TAIN_DLL_EXPORT
#define TVM_FFI_DEFINE_DEFAULT_COPY_MOVE_AND_ASSIGN(TypeName) \
  TypeName(const TypeName& other) = default;                  \
  TypeName(TypeName&& other) = default;                       \
  TypeName& operator=(const TypeName& other) = default;       \
  TypeName& operator=(TypeName&& other) = default

// ---------------------------------------------------------------- checks

#define TVM_FFI_CHECK_EQ(a, b, Kind) TAIN_INTERNAL_CHECK_BINARY(EQ, ==, a, b, Kind)
#define TVM_FFI_CHECK_NE(a, b, Kind) TAIN_INTERNAL_CHECK_BINARY(NE, !=, a, b, Kind)
#define TVM_FFI_CHECK_LT(a, b, Kind) TAIN_INTERNAL_CHECK_BINARY(LT, <, a, b, Kind)
#define TVM_FFI_CHECK_LE(a, b, Kind) TAIN_INTERNAL_CHECK_BINARY(LE, <=, a, b, Kind)
#define TVM_FFI_CHECK_GT(a, b, Kind) TAIN_INTERNAL_CHECK_BINARY(GT, >, a, b, Kind)
#define TVM_FFI_CHECK_GE(a, b, Kind) TAIN_INTERNAL_CHECK_BINARY(GE, >=, a, b, Kind)
#define TVM_FFI_CHECK_NOTNULL(x, Kind)                                \
  ((x) == nullptr ? throw ::tain::Error(#Kind, "Check not null: " #x) \
                  : (x))  // NOLINT: the value of the expression
#define TVM_FFI_ICHECK_NOTNULL(x) TVM_FFI_CHECK_NOTNULL(x, InternalError)
/// TVM_FFI_THROW that also writes the message to stderr, for errors that nobody may see.
#define TVM_FFI_LOG_AND_THROW TAIN_THROW

#ifdef NDEBUG
#define TAIN_INTERNAL_DCHECK(...) \
  while (false) __VA_ARGS__
#else
#define TAIN_INTERNAL_DCHECK(...) __VA_ARGS__
#endif
#define TVM_FFI_DCHECK(x) TAIN_INTERNAL_DCHECK(TAIN_ICHECK(x))
#define TVM_FFI_DCHECK_EQ(a, b) TAIN_INTERNAL_DCHECK(TAIN_ICHECK_EQ(a, b))
#define TVM_FFI_DCHECK_NE(a, b) TAIN_INTERNAL_DCHECK(TAIN_ICHECK_NE(a, b))
#define TVM_FFI_DCHECK_LT(a, b) TAIN_INTERNAL_DCHECK(TAIN_ICHECK_LT(a, b))
#define TVM_FFI_DCHECK_LE(a, b) TAIN_INTERNAL_DCHECK(TAIN_ICHECK_LE(a, b))
#define TVM_FFI_DCHECK_GT(a, b) TAIN_INTERNAL_DCHECK(TAIN_ICHECK_GT(a, b))
#define TVM_FFI_DCHECK_GE(a, b) TAIN_INTERNAL_DCHECK(TAIN_ICHECK_GE(a, b))
#define TVM_FFI_DCHECK_NOTNULL(x) TVM_FFI_ICHECK_NOTNULL(x)

// ---------------------------------------------------------------- C functions

/// Throws this thread's raised error unless the code is 0.
#define TVM_FFI_CHECK_SAFE_CALL(code) ::tain::internal::ThrowIfFailed(code)
/// Begin and end the body of a C function: an exception becomes the raised error and the result -1.
#define TVM_FFI_SAFE_CALL_BEGIN() try {
#define TVM_FFI_SAFE_CALL_END()                 \
  return 0;                                     \
  }                                             \
  catch (...) {                                 \
    return ::tain::internal::FailedIn(nullptr); \
  }                                             \
  TVM_FFI_UNREACHABLE()

namespace tain::interop::ffi {

using TypeIndex = TVMFFITypeIndex;
using TypeInfo = TVMFFITypeInfo;

/// The keys of the types whose index the binary contract fixes.
struct StaticTypeKey {
  static constexpr const char* kTVMFFIAny = "Any";
  static constexpr const char* kTVMFFINone = "None";
  static constexpr const char* kTVMFFIBool = "bool";
  static constexpr const char* kTVMFFIInt = "int";
  static constexpr const char* kTVMFFIFloat = "float";
  static constexpr const char* kTVMFFIOpaquePtr = "void*";
  static constexpr const char* kTVMFFIDataType = "DataType";
  static constexpr const char* kTVMFFIDevice = "Device";
  static constexpr const char* kTVMFFIRawStr = "const char*";
  static constexpr const char* kTVMFFIDLTensorPtr = "DLTensor*";
  static constexpr const char* kTVMFFIObject = "ffi.Object";
  static constexpr const char* kTVMFFIStr = "ffi.String";
  static constexpr const char* kTVMFFIBytes = "ffi.Bytes";
  static constexpr const char* kTVMFFIError = "ffi.Error";
  static constexpr const char* kTVMFFIFunction = "ffi.Function";
  static constexpr const char* kTVMFFIShape = "ffi.Shape";
  static constexpr const char* kTVMFFITensor = "ffi.Tensor";
  static constexpr const char* kTVMFFIArray = "ffi.Array";
  static constexpr const char* kTVMFFIMap = "ffi.Map";
  static constexpr const char* kTVMFFIModule = "ffi.Module";
  static constexpr const char* kTVMFFIOpaquePyObject = "ffi.OpaquePyObject";
  static constexpr const char* kTVMFFIList = "ffi.List";
  static constexpr const char* kTVMFFIDict = "ffi.Dict";
};

/// Returns the index of a key. Throws ValueError if no type has it.
inline int32_t TypeKeyToIndex(std::string_view type_key) {
  const TainByteArray key{type_key.data(), type_key.size()};
  int32_t index = 0;
  internal::ThrowIfFailed(TainTypeKeyToIndex(&key, &index));
  return index;
}
/// Returns the key of an index. Throws InternalError if no type has it.
inline std::string TypeIndexToTypeKey(int32_t type_index) {
  const TainTypeInfo* info = TainGetTypeInfo(type_index);
  TAIN_ICHECK(info != nullptr) << "no type has the index " << type_index;
  return std::string(internal::View(info->type_key));
}
/// The error of a callee that says that the host language has an error set.
inline Error EnvErrorAlreadySet() { return Error("EnvErrorAlreadySet", ""); }

}  // namespace tain::interop::ffi
