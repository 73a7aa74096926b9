// SPDX-License-Identifier: Apache-2.0
// The ten thousand types of many_types.cc in apache-tvm-ffi, made of one class in a loop likewise:
// what its ObjectDef does for a type with one field and a constructor, through the C functions.
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/registry.h>

#include <string>
#include <utility>

namespace many {

namespace ffi = tvm::ffi;

class ThingObj : public ffi::Object {
 public:
  int64_t x = 1;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("many.Thing", ThingObj, ffi::Object);
};

TVMFFIByteArray Bytes(const std::string& text) { return {text.data(), text.size()}; }

/// Describes a key that has no class of its own as if it were ThingObj.
class Definition : private ffi::reflection::ReflectionDefBase {
 public:
  static void AddField(int32_t index) {
    static const std::string schema = R"({"type_schema":"{\"type\":\"int\"}"})";
    TVMFFIFieldInfo info{};
    info.name = {"x", 1};
    info.metadata = Bytes(schema);
    info.flags = kTVMFFIFieldFlagBitMaskWritable;
    info.size = sizeof(int64_t);
    info.alignment = alignof(int64_t);
    info.offset = sizeof(TVMFFIObject);
    info.getter = FieldGetter<int64_t>;
    info.setter = reinterpret_cast<void*>(FieldSetter<int64_t>);  // the ABI's word
    info.default_value_or_factory = ffi::AnyView(nullptr).CopyToTVMFFIAny();
    info.field_static_type_index = kTVMFFIInt;
    TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterField(index, &info));
  }

  static void AddInit(int32_t index, const std::string& key) {
    static const std::string schema = R"({"type_schema":"{\"type\":\"ffi.Function\"}"})";
    const auto construct = [index] {
      ffi::ObjectPtr<ThingObj> object = ffi::make_object<ThingObj>();
      ffi::details::ObjectUnsafe::GetHeader(object.get())->type_index = index;
      return ffi::ObjectRef(std::move(object));
    };
    const ffi::Function init = ffi::Function::FromTyped(construct, key + ".__ffi_init__");
    TVMFFIMethodInfo info{};
    info.name = {"__ffi_init__", 12};
    info.metadata = Bytes(schema);
    info.flags = kTVMFFIFieldFlagBitMaskIsStaticMethod;
    info.method = ffi::AnyView(init).CopyToTVMFFIAny();
    TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterMethod(index, &info));
    TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterAttr(index, &info.name, &info.method));
  }
};

TVM_FFI_STATIC_INIT_BLOCK() {
  for (int i = 0; i < 10000; ++i) {
    const std::string key = "many.T" + std::to_string(i);
    const TVMFFIByteArray bytes = Bytes(key);
    const int32_t index = TVMFFITypeGetOrAllocIndex(&bytes, -1, 1, 0, 1, kTVMFFIObject);
    TVMFFITypeMetadata metadata{};
    metadata.total_size = sizeof(ThingObj);
    TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterMetadata(index, &metadata));
    Definition::AddField(index);
    Definition::AddInit(index, key);
  }
}

}  // namespace many
