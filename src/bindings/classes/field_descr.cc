// SPDX-License-Identifier: Apache-2.0
// Fields as getset descriptors; see field_descr.h.
#include "classes/field_descr.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <string>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "classes/dataclass_init.h"
#include "classes/state.h"
#include "objects/enums.h"
#include "objects/instance.h"
#include "tain/internal/container_api.h"
#include "tain/internal/dotted_name.h"
#include "tain/internal/field_kinds.h"
#include "tain/internal/field_target.h"
#include "values/declared.h"
#include "values/from_python.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

const TainFieldDef* AsField(void* closure) noexcept {
  return static_cast<const TainFieldDef*>(closure);  // the closure is the record
}

/// Returns `Point.x` for messages.
std::string PlaceOf(const TainFieldDef* field) {
  return MemberPlace(field->declaring_type, View(field->info.name));
}

void SetReceiverError(const TainFieldDef* field, const TainObject* object) {
  const TainTypeRecord* want = TainGetTypeRecord(field->declaring_type);
  const TainTypeRecord* have = TainGetTypeRecord(object->type_index);
  const auto key_of = [](const TainTypeRecord* record) {
    return record == nullptr ? std::string_view("?") : View(record->info->type_key);
  };
  const bool other_build = want != nullptr && have != nullptr && key_of(want) == key_of(have);
  const auto name_of = [&](const TainTypeRecord* record) {
    std::string name(key_of(record));
    if (other_build) name += " (build " + std::to_string(record->build) + ")";
    return name;
  };
  PyErr_Format(PyExc_TypeError, "%s: expected %s as self, got %s", PlaceOf(field).c_str(),
               name_of(want).c_str(), name_of(have).c_str());
}

/// Whether an object has a field, by its type index.
inline bool HasField(const TainObject* object, const TainFieldDef* field) noexcept {
  return TAIN_LIKELY(object->type_index == field->declaring_type) ||
         TainTypeIsInstance(object->type_index, field->declaring_type) != 0;
}

/// Returns the object of a receiver after a check of the object's type index; null with an error
/// set.
inline TainObject* ReceiverOf(PyObject* self, const TainFieldDef* field) noexcept {
  TainObject* object = ObjectOf(self);  // the descriptor has checked the Python class
  if (TAIN_UNLIKELY(object == nullptr)) return nullptr;
  if (TAIN_UNLIKELY(!HasField(object, field))) {
    SetReceiverError(field, object);
    return nullptr;
  }
  return object;
}

inline char* AddressOf(TainObject* object, const TainFieldDef* field) noexcept {
  return reinterpret_cast<char*>(object) + field->info.offset;
}

template <class T>
inline T& ValueAt(char* address) noexcept {
  return *reinterpret_cast<T*>(address);  // the kind in the record says that this is a T
}

/// Raises the error of a getter or setter, with the name of the field in front.
TAIN_COLD void SetAccessError(const TainFieldDef* field) noexcept {
  Guarded(0, [&]() -> int { internal::ThrowPlaced(PlaceOf(field), Error::MoveFromRaised()); });
}

/// Sets TypeError: the object in the field was not made by make_object.
TAIN_COLD PyObject* SetNotMadeError(const TainFieldDef* field) noexcept {
  return Guarded(static_cast<PyObject*>(nullptr), [&]() -> PyObject* {
    const TainTypeInfo* info = TainGetTypeInfo(field->object_type_index);
    const std::string key(info == nullptr ? std::string_view("object") : View(info->type_key));
    internal::ThrowNotMade(key.c_str(), PlaceOf(field));
  });
}

PyObject* ReadOpaque(TainObject* object, const TainFieldDef* field) noexcept {
  TainAny value{};
  if (internal::GetField(*field, object, &value) != 0) {
    SetAccessError(field);
    return nullptr;
  }
  if (field->is_enum == 0) {
    const std::string_view type = View(field->type);
    return MayDeclareMore(type, value) ? DeclaredToPython(type, value) : ToPython(value);
  }
  PyObject* made = ToPython(value);
  return made == nullptr ? nullptr : EnumMember(View(field->type), made);
}

inline PyObject* ReadObject(TainObject* child, const TainFieldDef* field) noexcept {
  if (child == nullptr) return Py_NewRef(Py_None);
  if (TAIN_LIKELY(child->type_index >= kTainDynObjectBegin)) return WrapBorrowed(child);
  if (internal::IsNotMade(child)) return SetNotMadeError(field);
  internal::IncRef(child);
  return ToPython(internal::ViewOfObject(child));
}

/// Makes the Python value of a field that is a number or a bool.
template <class T>
inline PyObject* NumberToPython(T value) noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    return Py_NewRef(value ? Py_True : Py_False);
  } else if constexpr (std::is_floating_point_v<T>) {
    return PyFloat_FromDouble(static_cast<double>(value));
  } else if constexpr (std::is_signed_v<T> || sizeof(T) < 4) {
    return PyLong_FromLongLong(value);
  } else {
    return PyLong_FromUnsignedLongLong(value);
  }
}

template <int32_t kKind>
inline PyObject* ReadField(TainObject* object, const TainFieldDef* field) noexcept {
  using T = internal::TypeOfKind<kKind>;
  if constexpr (std::is_void_v<T>) {
    return ReadOpaque(object, field);
  } else {
    const T& value = ValueAt<T>(AddressOf(object, field));
    if constexpr (std::is_arithmetic_v<T>) {
      return NumberToPython(value);
    } else if constexpr (std::is_same_v<T, TainAny>) {
      return ViewToPython(&value);
    } else {
      return ReadObject(value, field);
    }
  }
}

template <int32_t kKind>
PyObject* FieldGetter(PyObject* self, void* closure) {
  const TainFieldDef* field = AsField(closure);
  TainObject* object = ReceiverOf(self, field);
  if (TAIN_UNLIKELY(object == nullptr)) return nullptr;
  return ReadField<kKind>(object, field);
}

/// Assigns by the setter of C++.
int StoreValue(TainObject* object, const TainFieldDef* field, const TainAny& value) noexcept {
  internal::FieldTarget target(object, *field);
  void* address = target.get();
  int code;
  if ((field->info.flags & kTainFieldSetterIsFunction) != 0) {
    TainAny args[2] = {{}, value};
    args[0].type_index = kTainOpaquePtr;
    args[0].v_ptr = address;
    TainAny nothing{};
    code = TainFunctionCall(static_cast<TainObject*>(field->info.setter), args, 2, &nothing);
  } else {
    code = reinterpret_cast<TainFieldSetter>(field->info.setter)(address, &value);
  }
  if (code != 0) SetAccessError(field);
  return code == 0 ? 0 : -1;
}

/// The same with the lock of the wrapper, which those hold who read without that of the bridge.
int StoreLocked(PyObject* self, TainObject* object, const TainFieldDef* field,
                const TainAny& value) noexcept {
  const WordLock lock(self);
  return StoreValue(object, field, value);
}

/// Assigns values that need no setter; false if the general way must be taken.
template <int32_t kKind>
inline bool StoreFast(PyObject* self, TainObject* object, const TainFieldDef* field,
                      const TainAny& value) noexcept {
  char* address = AddressOf(object, field);
  using T = internal::TypeOfKind<kKind>;
  if constexpr (std::is_arithmetic_v<T>) {
    if (!TypeTraits<T>::CheckAnyStrict(&value)) return false;
    ValueAt<T>(address) = TypeTraits<T>::CopyFromAnyViewAfterCheck(&value);
    return true;
  }
  if constexpr (kKind == kTainFieldObject) {
    if ((field->access & kTainFieldDirectWrite) == 0 || value.type_index < kTainStaticObjectBegin ||
        (value.type_index != field->object_type_index &&
         TainTypeIsInstance(value.type_index, field->object_type_index) == 0)) {
      return false;
    }
    internal::IncRef(value.v_obj);
    TainObject* old;
    {
      const WordLock lock(self);  // FreeGetter
      old = std::exchange(ValueAt<TainObject*>(address), value.v_obj);
    }
    if (old != nullptr) internal::DecRef(old);
    return true;
  }
  return false;
}

/// Assigns a value whose conversion may run Python code, which must leave the object in its place.
template <int32_t kKind>
TAIN_COLD int SetSlow(PyObject* self, TainObject* object, const TainFieldDef* field,
                      PyObject* value) noexcept {
  const ObjectInUse in_use(object);
  TainAny view;
  ArgExtra extra;
  int code = -1;
  if (FromPythonUntouched(View(field->type), value, &view, &extra)) {
    if (StoreFast<kKind>(self, object, field, view)) {
      code = 0;
    } else {
      if (extra.owned != nullptr) RememberSource(extra.owned, value);
      code = StoreLocked(self, object, field, view);
      if (extra.owned != nullptr) ForgetSource(extra.owned);
    }
  }
  if (extra.owned != nullptr) internal::DecRef(extra.owned);
  return code;
}

/// Whether a field takes any Python object as it is, which the quick conversions would take apart.
template <int32_t kKind>
inline bool TakesObject(const TainFieldDef* field) noexcept {
  if constexpr (kKind == kTainFieldObject) return field->object_type_index == kTainOpaquePyObject;
  return kKind == kTainFieldOpaque && View(field->type).starts_with("object");
}

template <int32_t kKind>
int FieldSetter(PyObject* self, PyObject* value, void* closure) {
  const TainFieldDef* field = AsField(closure);
  if (TAIN_UNLIKELY(value == nullptr)) {
    PyErr_Format(PyExc_AttributeError, "%s cannot be deleted: it is a field of a C++ object",
                 PlaceOf(field).c_str());
    return -1;
  }
  TainObject* object = ReceiverOf(self, field);
  if (TAIN_UNLIKELY(object == nullptr)) {
    if (BeginDataclass(self) == nullptr) return -1;
    object = ReceiverOf(self, field);  // the field may belong to another type
    if (object == nullptr) return -1;
  }
  TainAny view;
  TainByteArray bytes;
  if (TAIN_UNLIKELY(!FromPythonFast(value, &view, &bytes))) {
    return SetSlow<kKind>(self, object, field, value);
  }
  if (TAIN_LIKELY(StoreFast<kKind>(self, object, field, view))) return 0;
  if (TAIN_UNLIKELY(TakesObject<kKind>(field))) return SetSlow<kKind>(self, object, field, value);
  const ObjectInUse in_use(object);  // the setter may run code of the user's
  return StoreLocked(self, object, field, view);
}

/// Whether the __init__ of a dataclass sets a read-only field for the first time: the constructor
/// of the instance's type takes the fields.
bool IsInitialization(PyObject* self, PyObject* value, const TainFieldDef* field) noexcept {
  if (value == nullptr || !Initializing::Has(self)) return false;
  const TainObject* object = ObjectOrNull(self);
  if (object == nullptr) return false;
  const TainTypeRecord* record = TainGetTypeRecord(object->type_index);
  return (record->def.flags & kTainTypeFieldInit) != 0 && field->info.setter != nullptr &&
         (field->info.flags & kTainFieldNoInit) == 0;
}

/// Returns the class that dataclasses raises for a frozen field, a subclass of AttributeError.
Own FrozenError() noexcept {
  const Own module(PyImport_ImportModule("dataclasses"));
  return Own(module ? PyObject_GetAttrString(module.get(), "FrozenInstanceError") : nullptr);
}

template <bool kFrozen>
int RefuseAssignment(PyObject* self, PyObject* value, void* closure) {
  const TainFieldDef* field = AsField(closure);
  if (IsInitialization(self, value, field)) {
    TainObject* object = ReceiverOf(self, field);
    if (object == nullptr) return -1;
    const ObjectInUse in_use(object);
    return SetFieldValue(object, field, value);
  }
  const std::string where = PlaceOf(field);
  const Own error(kFrozen ? FrozenError() : Own::Share(PyExc_AttributeError));
  if (!error) return -1;
  const char* text = value == nullptr ? "%s cannot be deleted: it is a field of a C++ object"
                     : kFrozen        ? "%s is read-only: its type is frozen"
                               : "%s is read-only: register it with def_rw to make it assignable";
  PyErr_Format(error.get(), text, where.c_str());
  return -1;
}

struct Accessors {
  getter get;
  setter set;
};

#ifdef Py_GIL_DISABLED
// Fields of types that say tain::thread_safe() or tain::lock_receiver() are read without the lock of
// the bridge. Numbers are atomic; others are read and written with the lock of the wrapper.

/// Gives the place of a field to `use` with the lock of the wrapper. Returns false if the lock of the
/// bridge is needed.
template <class T, class Use>
inline bool UseField(PyObject* self, const TainFieldDef* field, Use&& use) noexcept {
  bool has_field = false;
  UseReady(self, [&](TainObject* object) {
    has_field = HasField(object, field);
    if (TAIN_LIKELY(has_field)) use(ValueAt<T>(AddressOf(object, field)));
  });
  return has_field;
}

/// Converts what was read, and takes over its reference.
PyObject* ReadToPython(const TainAny& value, const TainFieldDef* field) noexcept {
  PyObject* made;
  if (TAIN_LIKELY(FreeToPython(value, &made))) return made;
  const BridgeLock lock;
  const Any held = Any::Steal(value);
  return value.type_index >= kTainStaticObjectBegin ? ReadObject(value.v_obj, field)
                                                    : ViewToPython(&value);
}

/// Reads a field by the getter of C++. Returns false if the lock of the bridge is needed.
bool FreeReadOpaque(PyObject* self, const TainFieldDef* field, PyObject** out) noexcept {
  if (field->is_enum != 0 || DeclaresMore(View(field->type))) return false;
  TainAny value{};
  int code;
  {
    const WordLock lock(self);
    TainObject* object = ReadyObject(self);
    if (object == nullptr || !HasField(object, field)) return false;
    code = internal::GetField(*field, object, &value);
  }
  if (TAIN_LIKELY(code == 0)) {
    *out = ReadToPython(value, field);
  } else {
    const BridgeLock lock;
    SetAccessError(field);
    *out = nullptr;
  }
  return true;
}

template <int32_t kKind>
PyObject* FreeGetter(PyObject* self, void* closure) {
  using T = internal::TypeOfKind<kKind>;
  const TainFieldDef* field = AsField(closure);
  if constexpr (std::is_arithmetic_v<T>) {
    T value{};
    const auto load = [&](T& place) {
      value = std::atomic_ref<T>(place).load(std::memory_order_relaxed);
    };
    if (TAIN_LIKELY(UseField<T>(self, field, load))) return NumberToPython(value);
  } else if constexpr (std::is_void_v<T>) {
    PyObject* made;
    if (TAIN_LIKELY(FreeReadOpaque(self, field, &made))) return made;
  } else {
    TainAny value{};
    const auto hold = [&](const T& place) {
      if constexpr (std::is_same_v<T, TainAny>) {
        value = place;
      } else if (place != nullptr) {
        value = internal::ViewOfObject(place);
      }
      if (value.type_index >= kTainStaticObjectBegin) internal::IncRef(value.v_obj);
    };
    if (TAIN_LIKELY(UseField<T>(self, field, hold))) return ReadToPython(value, field);
  }
  return kLocked<&FieldGetter<kKind>>(self, closure);
}

template <int32_t kKind>
int FreeSetter(PyObject* self, PyObject* value, void* closure) {
  using T = internal::TypeOfKind<kKind>;
  if constexpr (std::is_arithmetic_v<T>) {
    TainAny view;
    TainByteArray bytes;
    if (TAIN_LIKELY(value != nullptr && !IsWrapper(value) && FromPythonFast(value, &view, &bytes) &&
                    TypeTraits<T>::CheckAnyStrict(&view))) {
      const auto store = [&](T& place) {
        std::atomic_ref<T>(place).store(TypeTraits<T>::CopyFromAnyViewAfterCheck(&view),
                                        std::memory_order_relaxed);
      };
      if (TAIN_LIKELY(UseField<T>(self, AsField(closure), store))) return 0;
    }
  }
  return kLocked<&FieldSetter<kKind>>(self, value, closure);
}

bool IsReadFreely(const TainFieldDef* field) noexcept {
  const TainTypeRecord* record = TainGetTypeRecord(field->declaring_type);
  constexpr int64_t kSafe = kTainTypeThreadSafe | kTainTypeLockReceiver;
  return record != nullptr && (record->def.flags & kSafe) != 0;
}
template <int32_t kKind>
constexpr Accessors kFreeAccessors = {&FreeGetter<kKind>, &FreeSetter<kKind>};
#else
constexpr bool IsReadFreely(const TainFieldDef*) noexcept { return false; }
template <int32_t kKind>
constexpr Accessors kFreeAccessors = {nullptr, nullptr};
#endif

template <int32_t kKind>
constexpr Accessors kAccessors = {kLocked<&FieldGetter<kKind>>, kLocked<&FieldSetter<kKind>>};

template <bool kFree, size_t... kKinds>
constexpr auto AllAccessors(std::index_sequence<kKinds...>) {
  if constexpr (kFree) return std::array{kFreeAccessors<static_cast<int32_t>(kKinds)>...};
  return std::array{kAccessors<static_cast<int32_t>(kKinds)>...};
}

Accessors AccessorsOf(const TainFieldDef* field) noexcept {
  constexpr auto kNumKinds = std::tuple_size_v<internal::FieldTypes>;
  static constexpr auto locked = AllAccessors<false>(std::make_index_sequence<kNumKinds>());
  static constexpr auto free = AllAccessors<true>(std::make_index_sequence<kNumKinds>());
  const auto& table = IsReadFreely(field) ? free : locked;
  const bool through_getter = field->is_enum != 0 || DeclaresMore(View(field->type));
  const int32_t kind = through_getter ? int32_t{kTainFieldOpaque} : field->kind;
  Accessors found = table[static_cast<size_t>(kind >= 0 && kind <= kTainFieldObject ? kind : 0)];
  if ((field->access & kTainFieldChecked) != 0) found.set = table[kTainFieldOpaque].set;
  return found;
}

/// The setter of a frozen type that is defined in Python: __post_init__ may assign the fields.
int SetFrozen(PyObject* self, PyObject* value, void* closure) {
  const auto& unfinished = GetClassesState().unfinished;
  const bool open = TAIN_UNLIKELY(!unfinished.empty()) && value != nullptr &&
                    std::find(unfinished.begin(), unfinished.end(), self) != unfinished.end();
  const setter set = open ? AccessorsOf(AsField(closure)).set : &RefuseAssignment<true>;
  return set(self, value, closure);
}

/// Returns the documentation of a field; null if there is none.
const char* DocOf(const TainFieldDef* field) {
  std::string text(View(field->info.doc));
  if (const std::string_view check = CheckOf(*field); !check.empty()) {
    text.append(text.empty() ? "" : " ").append("Values: ").append(check).append(".");
  }
  return text.empty() ? nullptr : Forever(text);
}

}  // namespace

std::string MemberPlace(int32_t declaring_type, std::string_view member) {
  const TainTypeInfo* info = TainGetTypeInfo(declaring_type);
  const std::string_view key = info == nullptr ? std::string_view("?") : View(info->type_key);
  return std::string(internal::LastPart(key)) + "." + std::string(member);
}

std::string_view CheckOf(const TainFieldDef& field) noexcept {
  if ((field.access & kTainFieldChecked) == 0) return {};
  const TainFunctionInfo* info = TainFunctionGetInfo(static_cast<TainObject*>(field.info.setter));
  return info == nullptr ? std::string_view() : View(info->doc);
}

PyGetSetDef FieldDescriptor(const TainFieldDef* field, bool frozen) {
  const Accessors accessors = AccessorsOf(field);
  const bool writable = (field->info.flags & kTainFieldWritable) != 0;
  const bool in_python = TainGetTypeRecord(field->declaring_type)->layout != nullptr;
  const setter set = frozen     ? (in_python ? kLocked<&SetFrozen> : &RefuseAssignment<true>)
                     : writable ? accessors.set
                                : &RefuseAssignment<false>;
  return {Forever(View(field->info.name)), accessors.get, set, DocOf(field),
          const_cast<TainFieldDef*>(field)};
}

int SetFieldValue(TainObject* object, const TainFieldDef* field, PyObject* value) noexcept {
  if (TAIN_UNLIKELY(field->info.setter == nullptr)) {
    PyErr_Format(PyExc_AttributeError, "%s is read-only: its library gave it no setter",
                 PlaceOf(field).c_str());
    return -1;
  }
  ArgFrame<1> frame(1);
  if (!frame.AddUntouched(value, View(field->type))) return -1;
  return StoreValue(object, field, frame.values()[0]);
}

PyObject* GetFieldValue(TainObject* object, const TainFieldDef* field) noexcept {
  return ReadOpaque(object, field);
}

}  // namespace tain::bindings
