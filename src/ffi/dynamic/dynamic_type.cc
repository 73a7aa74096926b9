// SPDX-License-Identifier: Apache-2.0
// The definition of a type that is laid out at run time; see dynamic_type.h.
#include "dynamic/dynamic_type.h"

#include <algorithm>
#include <memory>
#include <shared_mutex>
#include <string>

#include "base/guard.h"
#include "dynamic/foreign_parent.h"
#include "dynamic/value_type.h"
#include "registry/field_init.h"
#include "registry/member_writer.h"
#include "registry/registry.h"
#include "registry/type_chain.h"
#include "registry/unit.h"
#include "tain/reflection/object_def.h"

namespace tain::internal {
namespace {

// ---------------------------------------------------------------- accessors

int GetObject(void* field, TainAny* result) noexcept {
  TainObject* child = *static_cast<TainObject**>(field);
  if (child != nullptr) IncRef(child);
  *result = ViewOfObjectOrNone(child);
  return 0;
}

/// The setter of a field whose type is known at run time.
struct Setter {
  std::shared_ptr<const ValueType> type;
  bool is_pointer;

  Any operator()(Args args) const {
    TAIN_CHECK(args.size() == 2 && args[0].type_index() == kTainOpaquePtr)
        << "a field's setter takes its address and a value";
    void* address = args[0].data().v_ptr;
    const TainAny value = args[1].data();
    Any converted;
    if (!type->Convert(value, &converted)) ThrowMismatch("", type->Explain(value), value);
    if (!is_pointer) {
      static_cast<Any*>(address)->swap(converted);  // a TainAny has an Any's layout
      return Any();
    }
    const TainAny made = converted.Release();
    TainObject* child = made.type_index == kTainNone ? nullptr : made.v_obj;
    TainObject* old = std::exchange(*static_cast<TainObject**>(address), child);
    if (old != nullptr) DecRef(old);
    return Any();
  }
};

// ---------------------------------------------------------------- layout

/// The memory layout of a field of a type.
struct Storage {
  int32_t kind = kTainFieldAny;
  int64_t size = sizeof(TainAny);
  int32_t access = 0;
  int32_t object_type_index = -1;
  bool is_enum = false;
};

Storage PointerTo(const ValueType& type, int32_t access) {
  const bool direct = type.holds_anything();
  return {kTainFieldObject, sizeof(TainObject*),
          access | (direct ? int32_t{kTainFieldDirectWrite} : 0), type.index(), false};
}

Storage StorageOf(const ValueType& type) {
  using Kind = ValueType::Kind;
  if (const ValueType* only = type.OrNone()) {
    const Storage storage = StorageOf(*only);
    if (storage.kind == kTainFieldObject) return PointerTo(*only, kTainFieldNullable);
    return {kTainFieldAny, sizeof(TainAny), 0, -1, storage.is_enum};
  }
  switch (type.kind()) {
    case Kind::kLeaf: break;
    case Kind::kClass:
    case Kind::kSequence:
    case Kind::kMapping:
    case Kind::kTuple: return PointerTo(type, 0);
    case Kind::kEnum: return {kTainFieldAny, sizeof(TainAny), 0, -1, true};
    case Kind::kUnknown:
    case Kind::kUnion: return {};
  }
  switch (type.index()) {
    case kTainInt: return {kTainFieldInt64, sizeof(int64_t), 0, -1, false};
    case kTainFloat: return {kTainFieldFloat64, sizeof(double), 0, -1, false};
    case kTainBool: return {kTainFieldBool, sizeof(bool), 0, -1, false};
    case kTainStr: return {kTainFieldString, sizeof(TainAny), 0, -1, false};
    default:
      return type.index() >= kTainStaticObjectBegin && type.index() != kTainBytes
                 ? PointerTo(type, 0)
                 : Storage{};
  }
}

template <class T>
void SetAccess(TainFieldDef& def) {
  def.info.getter = &FieldAccess<T>::Get;
  def.info.setter = reinterpret_cast<void*>(&FieldAccess<T>::Set);
}

/// Reads the description of a type and makes the type.
class DynamicBuilder {
 public:
  DynamicBuilder(const TainDynamicType& type, Unit* unit)
      : type_(type), unit_(unit), key_(TextOf(type.key, kWhere, "a key")) {}

  int32_t Run() {
    CheckList(type_.fields, type_.num_fields, key_, "fields");
    FindParent();
    ReadFields();
    RequestIndex();
    Define();
    const std::string key(key_);
    DefineFieldConstructor(index_, key.c_str());
    return index_;
  }

 private:
  static constexpr const char* kWhere = "TainTypeDefineDynamic";
  /// Stands for the type's own index until it has one.
  static constexpr int32_t kOwnIndex = kTainObject;

  struct Field {
    const TainDynamicField* described;
    std::shared_ptr<const ValueType> type;
    Storage storage;
    int64_t offset = 0;
    Any default_value;
  };

  std::string Where(const TainDynamicField& field) const {
    return std::string(key_) + "." + std::string(View(field.name));
  }

  void FindParent() {
    parent_ = TainGetTypeRecord(type_.parent);
    if (parent_ == nullptr || (type_.parent != kTainObject && type_.parent < kTainDynObjectBegin)) {
      TAIN_THROW(TypeError) << key_ << ": "
                            << (parent_ == nullptr ? std::string_view("its parent")
                                                   : View(parent_->info->type_key))
                            << " cannot be extended: it is no registered type with fields";
    }
    parent_size_ = parent_->request.size;
    if (const DynamicLayout* layout = LayoutOf(*parent_)) {
      layout_ = std::make_unique<DynamicLayout>(*layout);
      return;
    }
    layout_ = std::make_unique<DynamicLayout>();
    if (type_.parent == kTainObject) {
      parent_size_ = sizeof(TainObject);
      return;
    }
    if (IsForeignChain(*parent_)) {
      parent_size_ = AddForeignParent(*parent_, key_, layout_.get());
      return;
    }
    const std::string_view name = View(parent_->info->type_key);
    if ((parent_->def.flags & kTainTypeDefined) == 0 || parent_->request.size == 0) {
      TAIN_THROW(TypeError) << key_ << ": its parent " << name
                            << " cannot be extended: no ObjectDef describes it";
    }
    if ((parent_->def.flags & kTainTypeAbstract) != 0) {
      TAIN_THROW(TypeError) << key_ << ": its parent " << name
                            << " cannot be extended: the C++ class has pure virtual methods";
    }
    if (parent_->def.construct == nullptr && parent_->def.construct_default == nullptr) {
      TAIN_THROW(TypeError) << key_ << ": its parent " << name
                            << " cannot be extended: it is only made by __create__, or by a "
                               "constructor with keep_alive; register one with def_init or "
                               "def_init_fields";
    }
    layout_->base = parent_;
    layout_->base_size = parent_->request.size;
  }

  /// Returns the parent's field that a description repeats, or null.
  const TainFieldDef* Inherited(std::string_view name) const {
    for (const TainTypeRecord* at = parent_; at->info->type_index != kTainObject;
         at = TainGetTypeRecord(at->request.parent)) {
      if (const auto* field = FindNamed(at->fields, at->num_fields, name)) return field;
    }
    return nullptr;
  }

  void ReadFields() {
    int64_t end = parent_size_;
    const int64_t header = parent_->def.header_offset;
    for (int32_t i = 0; i < type_.num_fields; ++i) {
      const TainDynamicField& described = type_.fields[i];
      CheckName(TextOf(described.name, kWhere, "a field's name"), key_);
      Field field{&described, nullptr, {}, 0, {}};
      field.type = ReadType(described);
      field.storage = StorageOf(*field.type);
      const TainFieldDef* inherited = Inherited(View(described.name));
      if (inherited != nullptr) {
        CheckRepeats(described, *inherited);
        field.offset = inherited->info.offset;
      } else {
        const int64_t size = field.storage.size;
        const int64_t alignment = size < 8 ? size : 8;
        end = (end + alignment - 1) / alignment * alignment;
        field.offset = end - header;
        end += size;
        layout_->slots.push_back({field.offset, field.storage.kind});
      }
      fields_.push_back(std::move(field));
    }
    size_ = (end + 7) / 8 * 8;
  }

  std::shared_ptr<const ValueType> ReadType(const TainDynamicField& field,
                                            int32_t own = kOwnIndex) {
    try {
      return ValueType::Parse(TextOf(field.type, kWhere, "a type expression"), key_, own);
    } catch (const Error& error) {
      throw Error(error.kind(), Where(field) + ": " + error.message(), error.backtrace());
    }
  }

  void CheckRepeats(const TainDynamicField& field, const TainFieldDef& inherited) const {
    const TainTypeRecord* owner = TainGetTypeRecord(inherited.declaring_type);
    if (owner != nullptr && LayoutOf(*owner) == nullptr) {
      TAIN_THROW(TypeError) << Where(field) << ": the name is already that of a field of "
                            << View(owner->info->type_key);
    }
    if (View(inherited.type) != View(field.type)) {
      TAIN_THROW(TypeError) << Where(field) << ": " << View(owner->info->type_key)
                            << " has the field as " << View(inherited.type) << ", so it cannot be "
                            << View(field.type);
    }
  }

  /// Throws if the key belongs to a type that this definition does not replace.
  void CheckIsOurs(const TypeEntry& entry) const {
    if (entry.provisional == unit_) return;
    const char* advice = ": give the class another key";
    if (entry.info.type_index < kTainDynObjectBegin) {
      TAIN_THROW(ValueError) << key_ << ": the key of a built-in type" << advice;
    }
    TAIN_THROW(ValueError) << key_ << ": already registered by " << FileOfUnit(entry.owner)
                           << advice;
  }

  void RequestIndex() {
    TainTypeRequest request{};
    request.key = type_.key;
    request.static_index = -1;
    request.parent = type_.parent;
    request.depth = parent_->info->type_depth + 1;
    request.child_slots_can_overflow = 1;
    request.size = size_;
    request.alignment = std::max<int64_t>(8, parent_->request.alignment);
    Registry& registry = Registry::Default();
    {
      const std::shared_lock lock(registry.mutex);
      const TypeEntry* known = registry.types.FindKey(key_);
      if (known != nullptr && !IsOtherBuild(known->owner, unit_)) CheckIsOurs(*known);
    }
    index_ = registry.RequestType(request, unit_);
    CheckIsOurs(*registry.types.Find(index_));
    // Types that refer to the type itself are read again, because it has an index now.
    for (Field& field : fields_) field.type = ReadType(*field.described, index_);
    for (Field& field : fields_) field.storage = StorageOf(*field.type);
  }

  void Define() {
    TainTypeDef def{};
    def.doc = type_.doc;
    def.flags = type_.flags;
    def.header_offset = parent_->def.header_offset;
    DescribeLife(*layout_, &def);
    for (Field& field : fields_) ConvertDefault(field);
    MemberWriter writer(Registry::Default(), index_, unit_);
    writer.Define(def);
    writer.SetLayout(layout_.release());
    for (Field& field : fields_) AddField(writer, field);
  }

  void ConvertDefault(Field& field) {
    const TainDynamicField& described = *field.described;
    if ((described.flags & kTainFieldHasDefault) == 0) return;
    const TainAny& given = described.default_value;
    field.default_value = Any(AnyView(given));
    if ((described.flags & kTainFieldDefaultFactory) != 0) return;
    if (field.type->kind() == ValueType::Kind::kUnknown) return;  // checked when it is used
    if (!field.type->Convert(given, &field.default_value)) {
      ThrowMismatch(Where(described) + ": the default", field.type->Explain(given), given);
    }
  }

  void AddField(MemberWriter& writer, Field& field) {
    const TainDynamicField& described = *field.described;
    const Storage& storage = field.storage;
    TainFieldDef def{};
    def.info.name = described.name;
    def.info.doc = described.doc;
    def.info.flags = described.flags;
    def.info.size = storage.size;
    def.info.alignment = storage.size < 8 ? storage.size : 8;
    def.info.offset = field.offset;
    def.kind = storage.kind;
    def.access = storage.access;
    def.object_type_index = storage.object_type_index;
    def.is_enum = storage.is_enum ? 1 : 0;
    def.type = described.type;
    def.info.field_static_type_index = StaticIndexOf(def);
    Function setter;
    switch (storage.kind) {
      case kTainFieldInt64: SetAccess<int64_t>(def); break;
      case kTainFieldFloat64: SetAccess<double>(def); break;
      case kTainFieldBool: SetAccess<bool>(def); break;
      case kTainFieldString: SetAccess<String>(def); break;
      default: {
        const bool is_pointer = storage.kind == kTainFieldObject;
        SetAccess<Any>(def);
        if (is_pointer) def.info.getter = &GetObject;
        if (is_pointer || field.type->kind() != ValueType::Kind::kLeaf ||
            field.type->index() != kTainAny) {
          setter = Function::FromPacked(Setter{field.type, is_pointer});
          def.info.setter = RefAccess::Header(setter);
          def.info.flags |= kTainFieldSetterIsFunction;
        }
      }
    }
    writer.AddField(def, std::move(field.default_value));
  }

  const TainDynamicType& type_;
  Unit* unit_;
  std::string_view key_;
  const TainTypeRecord* parent_ = nullptr;
  int64_t parent_size_ = 0;
  std::unique_ptr<DynamicLayout> layout_;
  std::vector<Field> fields_;
  int64_t size_ = 0;
  int32_t index_ = -1;
};

}  // namespace
}  // namespace tain::internal

using namespace tain::internal;

extern "C" int TainTypeDefineDynamic(const TainDynamicType* type, int32_t* out) noexcept {
  return Guard([&] {
    int32_t& result = NotNull(out, "TainTypeDefineDynamic", "a place for the index");
    const auto& described = NotNull(type, "TainTypeDefineDynamic", "a type");
    InOwnUnit(described.unit_name, described.unit_file,
              [&](Unit* unit) { result = DynamicBuilder(described, unit).Run(); });
  });
}
