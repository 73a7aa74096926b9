// SPDX-License-Identifier: Apache-2.0
// The global functions that make objects by their fields, and those by which the package `tvm_ffi`
// reads and writes what it needs of a type.
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "exception.h"
#include "fields.h"
#include "tain/reflection/inspect.h"
#include "tain/tain.h"

namespace tain::compat {

void SetValue(const TainFieldInfo& field, TainObject* object, const TainAny& value) {
  void* place = reinterpret_cast<char*>(object) + field.offset;
  if ((field.flags & kTainFieldSetterIsFunction) == 0) {
    const auto set = reinterpret_cast<TainFieldSetter>(field.setter);
    internal::ThrowIfFailed(set(place, &value));
    return;
  }
  const Any setter(AnyView(internal::ViewOfObject(static_cast<TainObject*>(field.setter))));
  setter.cast<Function>()(place, AnyView(value));
}

Any TypeAttr(int32_t type_index, std::string_view name) {
  const TainByteArray bytes{name.data(), name.size()};
  const TainTypeAttrColumn* column = TainGetTypeAttrColumn(&bytes);
  if (column == nullptr) return {};
  const int32_t place = type_index - column->begin_index;
  if (place < 0 || place >= column->size) return {};
  return Any(AnyView(column->data[place]));
}

namespace {

int32_t IndexOf(const AnyView& key) {
  if (key.type_index() == kTainInt) return key.cast<int32_t>();
  const auto text = key.cast<String>();
  const TainByteArray bytes{text.data(), text.size()};
  int32_t index = -1;
  internal::ThrowIfFailed(TainTypeKeyToIndex(&bytes, &index));
  return index;
}

/// Makes an object without a constructor, by the function of the type for it.
Any Empty(int32_t index) {
  const TainTypeMetadata* metadata = TainGetTypeInfo(index)->metadata;
  if (metadata != nullptr && metadata->creator != nullptr) {
    TainObject* made = nullptr;
    internal::ThrowIfFailed(metadata->creator(&made));
    return Any::Steal(internal::ViewOfObject(made));
  }
  if (const Any make = TypeAttr(index, "__ffi_new__"); make.type_index() == kTainFunction) {
    return make.cast<Function>()();
  }
  TainObject* made = nullptr;
  internal::ThrowIfFailed(TainTypeConstructDefault(index, &made));
  return Any::Steal(internal::ViewOfObject(made));
}

/// Makes an object of type args[0] from names and values of fields in turn.
Any FromFields(Args args) {
  if (args.size() % 2 != 1) {
    TAIN_THROW(TypeError) << "expected a type and names and values of fields in turn, got "
                          << args.size() << " arguments";
  }
  const int32_t index = IndexOf(args[0]);
  Any made = Empty(index);
  std::vector<String> names;
  for (int32_t i = 1; i < args.size(); i += 2) names.push_back(args[i].cast<String>());
  std::vector<bool> used(names.size(), false);
  ForEachField(index, [&](const TainFieldInfo& field) {
    const std::string_view name = TextOf(field.name);
    for (size_t i = 0; i < names.size(); ++i) {
      if (used[i] || std::string_view(names[i].data(), names[i].size()) != name) continue;
      used[i] = true;
      SetValue(field, made.data().v_obj, args[static_cast<int32_t>(2 * i + 2)].data());
      return;
    }
    if ((field.flags & kTainFieldHasDefault) == 0) {
      if ((field.flags & kTainFieldNoInit) != 0) return;  // set later
      TAIN_THROW(TypeError) << "Required field `" << name << "` not set in type `" << KeyOf(index)
                            << "`";
    }
    const AnyView given(field.default_value_or_factory);
    const bool is_factory = (field.flags & kTainFieldDefaultFactory) != 0;
    const Any value = is_factory ? given.cast<Function>()() : Any(given);
    SetValue(field, made.data().v_obj, value.data());
  });
  for (size_t i = 0; i < names.size(); ++i) {
    if (used[i]) continue;
    TAIN_THROW(TypeError) << "Type `" << KeyOf(index) << "` does not have field `" << names[i]
                          << "`";
  }
  return made;
}

/// Describes a field: what the package shows of it.
Map<String, Any> Described(const TainFieldInfo& field) {
  Map<String, Any> made;
  made.Set("name", String(std::string(TextOf(field.name))));
  made.Set("doc", String(std::string(TextOf(field.doc))));
  made.Set("metadata", String(std::string(TextOf(field.metadata))));
  made.Set("flags", field.flags);
  made.Set("size", field.size);
  made.Set("alignment", field.alignment);
  made.Set("offset", field.offset);
  made.Set("type_index", static_cast<int64_t>(field.field_static_type_index));
  if ((field.flags & kTainFieldHasDefault) != 0) {
    made.Set("default", Any(AnyView(field.default_value_or_factory)));
  }
  return made;
}

Map<String, Any> Described(const TainMethodInfo& method) {
  Map<String, Any> made;
  made.Set("name", String(std::string(TextOf(method.name))));
  made.Set("doc", String(std::string(TextOf(method.doc))));
  made.Set("metadata", String(std::string(TextOf(method.metadata))));
  made.Set("is_static", (method.flags & kTainMethodStatic) != 0);
  made.Set("func", Any(AnyView(method.method)));
  return made;
}

/// Describes a type: its own fields and methods, its ancestors and its size.
Map<String, Any> DescribedType(int32_t index) {
  const TainTypeInfo* info = TainGetTypeInfo(index);
  if (info == nullptr) TAIN_THROW(ValueError) << "no type has the index " << index;
  List<Any> fields;
  for (int32_t i = 0; i < info->num_fields; ++i) fields.push_back(Described(info->fields[i]));
  List<Any> methods;
  for (int32_t i = 0; i < info->num_methods; ++i) methods.push_back(Described(info->methods[i]));
  List<Any> ancestors;
  for (int32_t i = 0; i < info->type_depth; ++i) {
    ancestors.push_back(info->type_ancestors[i]->type_index);
  }
  Map<String, Any> made;
  made.Set("key", String(std::string(TextOf(info->type_key))));
  made.Set("fields", fields);
  made.Set("methods", methods);
  made.Set("ancestors", ancestors);
  made.Set("size", info->metadata == nullptr ? -1 : info->metadata->total_size);
  made.Set("has_metadata", info->metadata != nullptr);
  return made;
}

void SetField(const Any& object, const String& name, const Any& value) {
  bool found = false;
  if (object.type_index() < kTainStaticObjectBegin) TAIN_THROW(TypeError) << "expected an object";
  ForEachField(object.type_index(), [&](const TainFieldInfo& field) {
    if (TextOf(field.name) != std::string_view(name.data(), name.size())) return;
    found = true;
    SetValue(field, object.data().v_obj, value.data());
  });
  if (!found) {
    TAIN_THROW(AttributeError) << KeyOf(object.type_index()) << " has no field " << name;
  }
}

/// The metadata of global functions, by name.
struct KnownMetadata {
  std::mutex mutex;
  std::map<std::string, std::string, std::less<>> by_name;
};
KnownMetadata& Metadata() {
  static auto& known = *new KnownMetadata;
  return known;
}

/// Returns the metadata with which a global function was registered; of another one, the empty text.
String MetadataOf(const String& name) {
  Function::GetGlobalRequired(std::string_view(name.data(), name.size()));
  const std::lock_guard lock(Metadata().mutex);
  const auto found = Metadata().by_name.find(std::string_view(name.data(), name.size()));
  return found == Metadata().by_name.end() ? String() : String(found->second);
}

void SetTypeAttr(int32_t index, const String& name, const Any& value) {
  const TainByteArray bytes{name.data(), name.size()};
  internal::ThrowIfFailed(TainTypeRegisterAttr(index, &bytes, &value.data()));
}

}  // namespace
}  // namespace tain::compat

TAIN_REGISTER {
  using namespace tain::compat;  // NOLINT(google-build-using-namespace)
  tain::reflection::GlobalDef()
      .def("ffi.GetGlobalFuncMetadata", &MetadataOf)
      .def("tain_tvm_ffi.make_empty", &Empty)
      .def_packed("ffi.MakeObjectFromPackedArgs", &FromFields)
      .def("tain_tvm_ffi.describe_type", &DescribedType)
      .def("tain_tvm_ffi.set_field", &SetField)
      .def("tain_tvm_ffi.type_attr",
           [](int32_t index, const tain::String& name) {
             return TypeAttr(index, std::string_view(name.data(), name.size()));
           })
      .def("tain_tvm_ffi.set_type_attr", &SetTypeAttr);
}

extern "C" TAIN_DLL_EXPORT int TVMFFIFunctionSetGlobalFromMethodInfo(const TainMethodInfo* info,
                                                                     int allow_override) noexcept {
  if (const int code = TainFunctionSetGlobalFromMethodInfo(info, allow_override); code != 0) {
    return code;
  }
  return tain::compat::Guard([&] {
    using tain::compat::TextOf;
    const std::lock_guard lock(tain::compat::Metadata().mutex);
    tain::compat::Metadata().by_name[std::string(TextOf(info->name))] = TextOf(info->metadata);
  });
}
