// SPDX-License-Identifier: Apache-2.0
// Checks members: their names; and the flags, place, accessors and default of fields.
#include <algorithm>
#include <iterator>
#include <limits>
#include <string>

#include "base/guard.h"
#include "registry/member_writer.h"
#include "tain/internal/builtin_types.h"
#include "tain/internal/field_kinds.h"
#include "tain/reflection/arg.h"

namespace tain::internal {
namespace {

bool HasUnknownFlags(int64_t flags) noexcept {
  for (const FlagNames& flag : kFieldFlags) flags &= ~flag.bit;
  return flags != 0;
}

/// Names that Python stores in a class, or uses to make a class. A member of this name would break
/// the class.
constexpr std::string_view kNamesOfPython[] = {"__abstractmethods__",
                                               "__annotations__",
                                               "__base__",
                                               "__bases__",
                                               "__basicsize__",
                                               "__class__",
                                               "__dict__",
                                               "__dictoffset__",
                                               "__doc__",
                                               "__flags__",
                                               "__init_subclass__",
                                               "__itemsize__",
                                               "__module__",
                                               "__mro__",
                                               "__name__",
                                               "__new__",
                                               "__qualname__",
                                               "__slots__",
                                               "__text_signature__",
                                               "__type_params__",
                                               "__weaklistoffset__",
                                               "__weakref__",
                                               "__weakrefoffset__"};

/// Returns the size of a field of a kind; 0 for any size.
int64_t SizeOfKind(int32_t kind) noexcept {
  return WithTypeOfKind(kind, []<class T>(std::type_identity<T>) -> int64_t {
    if constexpr (std::is_void_v<T>) {
      return 0;
    } else {
      return sizeof(T);
    }
  });
}

void CheckPlace(const TypeEntry& entry, const TainFieldDef& def, const MemberPath& where) {
  const TainFieldInfo& info = def.info;
  const int64_t alignment = info.alignment;
  if (info.size <= 0 || alignment <= 0 || (alignment & (alignment - 1)) != 0) {
    TAIN_THROW(ValueError) << where.Text() << ": size " << info.size << " and alignment "
                           << alignment << " are not those of a field";
  }
  const int64_t kind_size = SizeOfKind(def.kind);
  if (kind_size != 0 && kind_size != info.size) {
    TAIN_THROW(ValueError) << where.Text() << ": size " << info.size << ", but its kind has size "
                           << kind_size;
  }
  const int64_t size = entry.record.request.size;
  const int64_t before = entry.record.def.header_offset;
  if ((def.access & kTainFieldPlaced) != 0) return;  // it may be outside of the object
  if (info.offset < -before || (size != 0 && info.offset > size - before - info.size)) {
    const std::string known = size == 0 ? "" : ", which has " + std::to_string(size) + " bytes";
    TAIN_THROW(ValueError) << where.Text() << ": offset " << info.offset << " and size "
                           << info.size << " reach outside of the object" << known;
  }
}

struct IntRange {
  int64_t low, high;
  std::string name;
};

/// Returns the range of an integer kind, cut at the ends of int64. A default for uint64 that exceeds
/// int64 is a BigInt, which is accepted by its type.
IntRange RangeOfKind(int32_t kind) {
  return WithTypeOfKind(kind, []<class T>(std::type_identity<T>) -> IntRange {
    if constexpr (std::is_integral_v<T>) {
      constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
      constexpr auto kHigh = static_cast<uint64_t>(std::numeric_limits<T>::max());
      const std::string prefix = std::is_signed_v<T> ? "int" : "uint";
      return {static_cast<int64_t>(std::numeric_limits<T>::min()),
              static_cast<int64_t>(std::min(kHigh, kMost)), prefix + std::to_string(sizeof(T) * 8)};
    }
    return {};
  });
}

}  // namespace

std::string NameOfValueType(const Registry& registry, const TainAny& value) {
  if (value.type_index == kTainFunction && value.v_obj == nullptr) return "null";
  const BuiltinType* builtin = BuiltinOfIndex(value.type_index);
  if (builtin != nullptr && !builtin->name.empty()) return std::string(builtin->name);
  const TypeEntry* entry = registry.types.Find(value.type_index);
  return entry == nullptr ? "a value of unknown type" : entry->Name();
}

TainObject* CheckFunction(TainObject* object, std::string_view where, const char* what) {
  if (object == nullptr) {
    TAIN_THROW(TypeError) << where << ": expected " << what << ", got null";
  }
  if (object->type_index != kTainFunction) {
    const TainTypeInfo* info = TainGetTypeInfo(object->type_index);
    TAIN_THROW(TypeError) << where << ": expected " << what << " (a Function), got "
                          << (info == nullptr ? std::string_view("an object of unknown type")
                                              : View(info->type_key));
  }
  return object;
}

void CheckMemberName(const MemberPath& where, std::string_view name) {
  if (std::find(std::begin(kNamesOfPython), std::end(kNamesOfPython), name) !=
      std::end(kNamesOfPython)) {
    TAIN_THROW(ValueError) << where.Text()
                           << ": the name belongs to Python, which keeps it for classes";
  }
}

void CheckField(const TypeEntry& entry, const TainFieldDef& def, const MemberPath& where) {
  const TainFieldInfo& info = def.info;
  if (HasUnknownFlags(info.flags)) {
    TAIN_THROW(ValueError) << where.Text() << ": flags " << info.flags
                           << " are not those of a field";
  }
  if (def.kind < kTainFieldOpaque || def.kind > kTainFieldObject) {
    TAIN_THROW(ValueError) << where.Text() << ": " << def.kind << " is no kind of field";
  }
  if ((info.flags & kTainFieldDefaultFactory) != 0 && (info.flags & kTainFieldHasDefault) == 0) {
    TAIN_THROW(ValueError) << where.Text()
                           << ": flagged as having a default factory, but no default";
  }
  CheckPlace(entry, def, where);
  if (info.getter == nullptr)
    TAIN_THROW(ValueError) << where.Text() << ": expected a getter, got null";
  const bool writable = (info.flags & kTainFieldWritable) != 0;
  if (writable && info.setter == nullptr) {
    TAIN_THROW(ValueError) << where.Text() << ": writable, but its setter is null";
  }
  if (writable && (entry.record.def.flags & kTainTypeFrozen) != 0) {
    TAIN_THROW(TypeError) << where.Text() << ": writable, but the type is frozen: use def_ro";
  }
  if ((info.flags & kTainFieldSetterIsFunction) != 0) {
    // The flag says that the word is a pointer to an object.
    CheckFunction(static_cast<TainObject*>(info.setter), where.Text(), "a setter");
  }
}

void CheckFieldDefault(const Registry& registry, const TainFieldDef& def, const TainAny& value,
                       const MemberPath& where) {
  auto reject = [&](std::string_view expected) {
    TAIN_THROW(TypeError) << where.Text() << ": expected a default of type " << expected << ", got "
                          << NameOfValueType(registry, value);
  };
  const int32_t type = value.type_index;
  if ((def.info.flags & kTainFieldDefaultFactory) != 0) {
    if (type != kTainFunction) reject("Function (the factory)");
    return;
  }
  if (IsMutableContainer(type)) {
    TAIN_THROW(ValueError) << where.Text()
                           << ": the default can change and would be shared by all objects: use "
                              "default_factory";
  }
  if (IsIntKind(def.kind)) {
    const IntRange range = RangeOfKind(def.kind);
    if (type == kTainBigInt && def.kind == kTainFieldUInt64) return;
    if (type != kTainInt && type != kTainBool) reject("int");
    if (value.v_int64 < range.low || value.v_int64 > range.high) {
      TAIN_THROW(OverflowError) << where.Text() << ": the default " << value.v_int64
                                << " is out of range for " << range.name;
    }
    return;
  }
  switch (def.kind) {
    case kTainFieldBool:
      if (type != kTainBool) reject("bool");
      return;
    case kTainFieldFloat32:
    case kTainFieldFloat64:
      if (type != kTainFloat && type != kTainInt) reject("float");
      return;
    case kTainFieldString:
      if (type != kTainSmallStr && type != kTainStr) reject("str");
      return;
    case kTainFieldObject: {
      if (type == kTainNone && (def.access & kTainFieldNullable) != 0) return;
      const TypeEntry* wanted = registry.types.Find(def.object_type_index);
      if (type < kTainStaticObjectBegin ||
          !registry.types.IsInstance(type, def.object_type_index)) {
        // A container may be given as another container that converts to it; the setter decides.
        const bool container = type >= kTainArray && type <= kTainDict;
        if (!container) reject(wanted == nullptr ? "object" : std::string_view(wanted->Name()));
      }
      return;
    }
    default: return;  // any value, or a value that only the setter can check
  }
}

}  // namespace tain::internal
