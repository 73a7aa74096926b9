// SPDX-License-Identifier: Apache-2.0
// The table of the built-in types, see builtin_types.h.
#include "tain/internal/builtin_types.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "registry/registry.h"
#include "tain/container/array.h"
#include "tain/container/dict.h"
#include "tain/container/list.h"
#include "tain/container/map.h"
#include "tain/container/shape.h"
#include "tain/convert.h"
#include "tain/error.h"
#include "tain/function.h"
#include "tain/internal/type_expr.h"
#include "tain/module.h"
#include "tain/tensor.h"

namespace tain::internal {
namespace {

template <class T>
bool LeafIsExact(const TainAny* value) {
  return TypeTraits<T>::CheckAnyStrict(value);
}
template <class T>
bool LeafConvert(const TainAny* value, Any* out) {
  std::optional<T> made = TypeTraits<T>::TryCastFromAnyView(value);
  if (made) *out = Any(*std::move(made));
  return made.has_value();
}
template <class T>
constexpr ValueLeaf kLeafOf = {&LeafIsExact<T>, &LeafConvert<T>, &MismatchOf<T>};

using enum BuiltinForm;
using enum BuiltinRefs;
constexpr std::string_view kAbc = "collections.abc";

// clang-format off
constexpr BuiltinType kBuiltin[] = {
    {kTainAny, "", "Any", "Any", "typing", "Any", kLeaf, kAny, &kLeafOf<Any>},
    {kTainAny, "", "object", "object", "builtins", "object", kLeaf, kAny, &kLeafOf<Any>},
    // Values.
    {kTainNone, "None", "None", "None", "", "", kLeaf, kNone, &kLeafOf<std::nullptr_t>},
    {kTainInt, "int", "int", "int", "builtins", "int", kLeaf, kNone, &kLeafOf<int64_t>},
    {kTainBool, "bool", "bool", "bool", "builtins", "bool", kLeaf, kNone, &kLeafOf<bool>},
    {kTainFloat, "float", "float", "float", "builtins", "float", kLeaf, kNone, &kLeafOf<double>},
    {kTainOpaquePtr, "void*", "ctypes.c_void_p", "ctypes.c_void_p", "ctypes", "c_void_p"},
    {kTainDataType, "DataType", "dtype", "DataType", "tain", "dtype", kLeaf, kNone, &kLeafOf<DLDataType>},
    {kTainDevice, "Device", "Device", "Device", "tain", "Device", kLeaf, kNone, &kLeafOf<DLDevice>},
    // Objects.
    {kTainObject, "ffi.Object", "Object", "ffi.Object", "tain", "Object", kLeaf, kAny, &kLeafOf<ObjectRef>},
    {kTainStr, "ffi.String", "str", "ffi.String", "builtins", "str", kLeaf, kNone, &kLeafOf<String>},
    {kTainBytes, "ffi.Bytes", "bytes", "ffi.Bytes", "builtins", "bytes", kLeaf, kNone, &kLeafOf<tain::Bytes>},
    {kTainError, "ffi.Error", "Error", "ffi.Error", "tain", "Error", kLeaf, kAny, &kLeafOf<Error>},
    {kTainFunction, "", "Callable", "ffi.Function", kAbc, "Callable", kCallable, kAny, &kLeafOf<Function>},
    {kTainFunction, "ffi.Function", "Function", "ffi.Function", "tain", "Function", kCallable, kAny, &kLeafOf<Function>},
    {kTainShape, "ffi.Shape", "Shape", "ffi.Shape", "tain", "Shape", kLeaf, kNone, &kLeafOf<Shape>},
    {kTainTensor, "ffi.Tensor", "Tensor", "ffi.Tensor", "tain", "Tensor", kArray, kAny, &kLeafOf<Tensor>},
    {kTainTensor, "", "ArrayLike", "ffi.Tensor", "typing", "Any", kArray},
    {kTainTensor, "", "numpy.ndarray", "ffi.Tensor", "numpy", "ndarray", kPython},
    {kTainArray, "ffi.Array", "Array", "ffi.Array", "tain", "Array", kSequence, kOfParts, &kLeafOf<Array<Any>>},
    {kTainArray, "", "tuple", "Tuple", "builtins", "tuple", kTuple},
    {kTainMap, "ffi.Map", "Map", "ffi.Map", "tain", "Map", kMapping, kAny, &kLeafOf<Map<Any, Any>>},
    {kTainModule, "ffi.Module", "Module", "ffi.Module", "tain", "Module", kLeaf, kAny, &kLeafOf<Module>},
    {kTainOpaquePyObject, "ffi.OpaquePyObject", "object"},
    {kTainList, "ffi.List", "List", "ffi.List", "tain", "List", kSequence, kAny, &kLeafOf<List<Any>>},
    {kTainDict, "ffi.Dict", "Dict", "ffi.Dict", "tain", "Dict", kMapping, kAny, &kLeafOf<Dict<Any, Any>>},
    {kTainVisitInterrupt, "ffi.VisitInterrupt"},
    {kTainBigInt, "ffi.BigInt", "int"},
    // Other forms of the values and objects above.
    {kTainDLTensorPtr, "DLTensor*", "Tensor"},
    {kTainRawStr, "const char*", "str"},
    {kTainByteArrayPtr, "TVMFFIByteArray*", "bytes"},
    {kTainRValueRef, "ObjectRValueRef"},
    {kTainSmallStr, "ffi.SmallStr", "str"},
    {kTainSmallBytes, "ffi.SmallBytes", "bytes"},
    // Classes of Python that signatures name, and no value is converted to.
    {kTainAny, "", "complex", "complex", "builtins", "complex", kPython},
    {kTainAny, "", "list", "list", "builtins", "list", kPython},
    {kTainAny, "", "dict", "dict", "builtins", "dict", kPython},
    {kTainAny, "", "set", "set", "builtins", "set", kPython},
    {kTainAny, "", "type", "type", "builtins", "type", kPython},
    {kTainAny, "", "Sequence", "Sequence", kAbc, "Sequence", kPython},
    {kTainAny, "", "Mapping", "Mapping", kAbc, "Mapping", kPython},
    {kTainAny, "", "Iterable", "Iterable", kAbc, "Iterable", kPython},
    {kTainAny, "", "Iterator", "Iterator", kAbc, "Iterator", kPython},
};
// clang-format on

/// The rows, and room for those that tests add.
struct Rows {
  constexpr Rows() noexcept { std::copy(std::begin(kBuiltin), std::end(kBuiltin), types.begin()); }
  std::array<BuiltinType, std::size(kBuiltin) + 8> types{};
  size_t size = std::size(kBuiltin);
};
constinit Rows builtin_rows;

template <class Matches>
const BuiltinType* FirstRow(const Matches& matches) noexcept {
  const BuiltinRows all = BuiltinTypes();
  const BuiltinType* found = std::find_if(all.begin(), all.end(), matches);
  return found == all.end() ? nullptr : found;
}

bool LeadsNowhere(const TypeExpr& expr) {
  const auto parts_do = [&] {
    return std::all_of(expr.parts.begin(), expr.parts.end(),
                       [](const TypeExpr& part) { return LeadsNowhere(part); });
  };
  if (expr.kind == TypeExpr::Kind::kUnion) return parts_do();
  const BuiltinType* type = expr.kind == TypeExpr::Kind::kName ? FindBuiltin(expr.name) : nullptr;
  if (type == nullptr || type->refs == kAny) return false;
  return type->refs == kNone || (!expr.parts.empty() && parts_do());
}

void AddObject(Registry& registry, const BuiltinType& type) {
  TainTypeRequest request{};
  request.key = {type.key.data(), type.key.size()};
  request.static_index = type.index;
  request.parent = type.index == kTainObject ? -1 : static_cast<int32_t>(kTainObject);
  request.depth = type.index == kTainObject ? 0 : 1;
  request.child_slots_can_overflow = 1;
  registry.RequestType(request, nullptr);
}

}  // namespace

BuiltinRows BuiltinTypes() noexcept {
  return {builtin_rows.types.data(), builtin_rows.types.data() + builtin_rows.size};
}

const BuiltinType* FindBuiltin(std::string_view name) noexcept {
  return name.empty() ? nullptr
                      : FirstRow([&](const BuiltinType& type) { return type.name == name; });
}

const BuiltinType* BuiltinOfIndex(int32_t index) noexcept {
  return FirstRow([&](const BuiltinType& type) {
    return type.index == index && (!type.key.empty() || index == kTainAny);
  });
}

bool LeadsNowhere(std::string_view type) {
  const std::optional<TypeExpr> expr = ParseTypeExpr(type);
  return expr && LeadsNowhere(*expr);
}

bool AddBuiltinType(const BuiltinType& type) noexcept {
  if (builtin_rows.size == builtin_rows.types.size()) return false;
  builtin_rows.types[builtin_rows.size++] = type;
  return true;
}

void AddBuiltinTypes(Registry& registry) {
  for (const BuiltinType& type : BuiltinTypes()) {
    if (type.key.empty()) continue;
    if (type.index < kTainStaticObjectBegin) {
      registry.types.AddPlain(type.index, type.key);
    } else {
      AddObject(registry, type);
    }
  }
}

}  // namespace tain::internal
