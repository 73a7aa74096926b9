// SPDX-License-Identifier: Apache-2.0
// The types of the binary contract: their indices and keys.
#include "registry/registry.h"

namespace tain::internal {
namespace {

struct BuiltinType {
  int32_t index;
  const char* key;
};

/// Types of plain values: an index with a name, and no object.
constexpr BuiltinType kPlain[] = {
    {kTainNone, "None"},
    {kTainInt, "int"},
    {kTainBool, "bool"},
    {kTainFloat, "float"},
    {kTainOpaquePtr, "void*"},
    {kTainDataType, "DataType"},
    {kTainDevice, "Device"},
    {kTainDLTensorPtr, "DLTensor*"},
    {kTainRawStr, "const char*"},
    {kTainByteArrayPtr, "TVMFFIByteArray*"},
    {kTainRValueRef, "ObjectRValueRef"},
    {kTainSmallStr, "ffi.SmallStr"},
    {kTainSmallBytes, "ffi.SmallBytes"},
};

/// Children of ffi.Object.
constexpr BuiltinType kObjects[] = {
    {kTainStr, "ffi.String"},
    {kTainBytes, "ffi.Bytes"},
    {kTainError, "ffi.Error"},
    {kTainFunction, "ffi.Function"},
    {kTainShape, "ffi.Shape"},
    {kTainTensor, "ffi.Tensor"},
    {kTainArray, "ffi.Array"},
    {kTainMap, "ffi.Map"},
    {kTainModule, "ffi.Module"},
    {kTainOpaquePyObject, "ffi.OpaquePyObject"},
    {kTainList, "ffi.List"},
    {kTainDict, "ffi.Dict"},
    {kTainVisitInterrupt, "ffi.VisitInterrupt"},
    {kTainBigInt, "ffi.BigInt"},
};

void AddObject(Registry& registry, int32_t index, std::string_view key, int32_t parent) {
  TainTypeRequest request{};
  request.key = {key.data(), key.size()};
  request.static_index = index;
  request.parent = parent;
  request.depth = parent == -1 ? 0 : 1;
  request.child_slots_can_overflow = 1;
  registry.RequestType(request, nullptr);
}

}  // namespace

void AddBuiltinTypes(Registry& registry) {
  for (const BuiltinType& type : kPlain) registry.types.AddPlain(type.index, type.key);
  AddObject(registry, kTainObject, "ffi.Object", -1);
  for (const BuiltinType& type : kObjects) {
    AddObject(registry, type.index, type.key, kTainObject);
  }
}

}  // namespace tain::internal
