// SPDX-License-Identifier: Apache-2.0
// Object, the base class of all reference-counted objects, and TAIN_OBJECT, which names a class.
//
// A class derives from Object or from another registered class and states its key in one line:
//   struct PointObj : tain::Object { ...; TAIN_OBJECT("geometry.Point", PointObj, tain::Object); };
// The header holds the counts, the dynamic type and the deleter. The handles that own references
// are in ref.h.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <type_traits>

#include "tain/type_of.h"

namespace tain {

namespace internal {

/// Returns the text of a byte array that tain itself made.
inline std::string_view View(const TainByteArray& bytes) noexcept {
  return {bytes.data, bytes.size};
}

/// The combined count of a new object: one strong and one weak reference.
inline constexpr uint64_t kBothOne = (uint64_t{1} << 32) | 1;
inline constexpr uint64_t kWeakOne = uint64_t{1} << 32;
inline constexpr uint64_t kStrongMask = 0xffffffffu;

inline void IncRef(TainObject* header) noexcept {
  std::atomic_ref<uint64_t>(header->combined_ref_count).fetch_add(1, std::memory_order_relaxed);
}
/// Takes a reference to an object, for whoever has a weak one. Returns false if it is dead.
inline bool IncRefIfAlive(TainObject* header) noexcept {
  std::atomic_ref<uint64_t> count(header->combined_ref_count);
  uint64_t seen = count.load(std::memory_order_relaxed);
  while ((seen & kStrongMask) != 0) {
    if (count.compare_exchange_weak(seen, seen + 1, std::memory_order_acq_rel)) return true;
  }
  return false;
}

inline void DecWeak(TainObject* header) noexcept {
  std::atomic_ref<uint64_t> count(header->combined_ref_count);
  if ((count.fetch_sub(kWeakOne, std::memory_order_release) >> 32) == 1) {
    (void)count.load(
        std::memory_order_acquire);  // serves as a fence; ThreadSanitizer does not know fences
    header->deleter(header, kTainDeleteWeak);
  }
}

inline void DecRef(TainObject* header) noexcept {
  std::atomic_ref<uint64_t> count(header->combined_ref_count);
  const uint64_t before = count.fetch_sub(1, std::memory_order_release);
  if (TAIN_UNLIKELY((before & kStrongMask) == 1)) {
    (void)count.load(std::memory_order_acquire);
    if (before == kBothOne) {
      header->deleter(header, kTainDeleteBoth);
    } else {
      header->deleter(header, kTainDeleteStrong);
      DecWeak(header);
    }
  }
}

/// Returns a borrowed value of an object.
inline TainAny ViewOfObject(const TainObject* object) noexcept {
  TainAny view{};
  view.type_index = object->type_index;
  view.v_obj = const_cast<TainObject*>(object);
  return view;
}
/// Returns a borrowed value of an object, or None for a null pointer.
inline TainAny ViewOfObjectOrNone(const TainObject* object) noexcept {
  TainAny view{};
  view.type_index = object == nullptr ? kTainNone : object->type_index;
  view.v_obj = const_cast<TainObject*>(object);
  return view;
}

/// Gives access to the header of an object; the only friend class of Object.
struct ObjectAccess;

/// A value that stands for a class in overload resolution.
template <class T>
struct ClassTag {
  using Type = T;
};
/// A parameter that accepts the tag of any class except T.
template <class T>
struct ClassOtherThan {
  template <class Other>
    requires(!std::is_same_v<Other, T>)
  constexpr ClassOtherThan(ClassTag<Other>) noexcept {}  // NOLINT: a parameter
};

}  // namespace internal

/// Base class of all reference-counted objects. Copying an object never copies its header.
class Object {
 public:
  Object() noexcept : header_{internal::kBothOne, 0, 0, nullptr} {}
  Object(const Object&) noexcept : Object() {}
  Object& operator=(const Object&) noexcept { return *this; }

  /// Returns the index of the dynamic type.
  int32_t type_index() const noexcept { return header_.type_index; }
  /// Returns the key of the dynamic type, such as `geometry.Point`.
  std::string GetTypeKey() const {
    const TainTypeInfo* info = TainGetTypeInfo(header_.type_index);
    return std::string(info == nullptr ? "?" : internal::View(info->type_key));
  }
  /// Whether the object is a T or of a class derived from T.
  template <class T>
  bool IsInstance() const noexcept;
  /// Returns the number of strong references.
  int32_t use_count() const noexcept {
    return static_cast<int32_t>(
        std::atomic_ref<uint64_t>(const_cast<uint64_t&>(header_.combined_ref_count))
            .load(std::memory_order_relaxed) &
        internal::kStrongMask);
  }
  /// Whether nothing else can reach the object: it has one strong reference and no wrapper that is
  /// in use in Python.
  bool unique() const noexcept;

  static constexpr const char* _type_key = "ffi.Object";
  static constexpr bool _type_final = false;
  static constexpr int32_t _type_child_slots = 0;
  static constexpr bool _type_child_slots_can_overflow = true;
  static constexpr int32_t _type_depth = 0;
  static int32_t RuntimeTypeIndex() noexcept { return kTainObject; }

  static void TainVirtualOf(...);

 private:
  friend struct internal::ObjectAccess;
  [[maybe_unused]] friend constexpr internal::ClassTag<Object> TainNearestClass(
      const Object*, internal::ClassOtherThan<Object>) noexcept {
    return {};
  }
  TainObject header_;
};

static_assert(sizeof(Object) == sizeof(TainObject));

namespace internal {

struct ObjectAccess {
  static TainObject* Header(const Object* object) noexcept {
    return const_cast<TainObject*>(&object->header_);
  }
  // The header is the first and only member of Object, a standard-layout class.
  static Object* FromHeader(TainObject* header) noexcept {
    return reinterpret_cast<Object*>(header);
  }
};

/// Returns the bytes from the start of a T to its base class B. They are the same for all objects
/// of one class and are computed without an instance.
template <class T, class B>
inline int64_t BaseOffset() noexcept {
  alignas(T) static constexpr char probe[1] = {};
  T* body = reinterpret_cast<T*>(const_cast<char*>(probe));  // only the address is used
  return reinterpret_cast<char*>(static_cast<B*>(body)) - reinterpret_cast<char*>(body);
}
/// The same for its header.
template <class T>
inline int64_t HeaderOffset() noexcept {
  return BaseOffset<T, Object>();
}

/// Whether a class between Self and Parent has a TAIN_OBJECT. Each class with TAIN_OBJECT has a
/// friend function TainNearestClass that takes a pointer to it. For a Self*, overload resolution
/// selects the function of the nearest base class, because ClassOtherThan excludes that of Self.
template <class Self, class Parent>
constexpr bool SkipsParent() noexcept {
  if constexpr (requires {
                  TainNearestClass(static_cast<const Self*>(nullptr), ClassTag<Self>{});
                }) {
    using Tag = decltype(TainNearestClass(static_cast<const Self*>(nullptr), ClassTag<Self>{}));
    return std::is_base_of_v<Parent, typename Tag::Type> &&
           !std::is_same_v<Parent, typename Tag::Type>;
  }
  return false;
}

/// Whether `index` is the type index of T or of a class derived from T.
template <class T>
inline bool IndexIsInstance(int32_t index) noexcept {
  if constexpr (std::is_same_v<T, Object>) {
    return index >= kTainStaticObjectBegin;
  } else {
    const int32_t target = TypeOf<T>::Index();
    if (TAIN_LIKELY(index == target)) return true;
    if constexpr (TypeOf<T>::kFinal) return false;
    if constexpr (TypeOf<T>::kChildSlots > 0) {
      if (index > target && index <= target + TypeOf<T>::kChildSlots) return true;
      if constexpr (!TypeOf<T>::kChildSlotsCanOverflow) return false;
    }
    if (index < target) return false;
    return TainTypeIsInstance(index, target) != 0;
  }
}

/// A class whose objects must be made by tain. Other libraries make objects with the same index whose
/// C++ class is another: `_type_only_of_tain` names the class for which the contract fixes the index
/// alone.
template <class T>
concept OnlyOfTain = requires { typename T::_type_only_of_tain; };

/// Whether an object, whose type index is `index`, is a T or of a class derived from T.
template <class T>
inline bool IsInstanceOf(int32_t index, [[maybe_unused]] const TainObject* object) noexcept {
  if (!IndexIsInstance<T>(index)) return false;
  if constexpr (OnlyOfTain<T>) return (TainObjectWordOf(object) & kTainHeaderHasPrefix) != 0;
  return true;
}

template <class Self, class Parent>
TAIN_COLD inline int32_t RequestTypeIndex(int32_t static_index) noexcept {
  TainTypeRequest request{};
  if constexpr (std::is_convertible_v<Self*, Parent*>) {  // else ObjectDef reports the error
    request.key = Bytes(TypeOf<Self>::kKey);
    request.static_index = static_index;
    request.parent = TypeOf<Parent>::Index();
    request.depth = TypeOf<Self>::kDepth;
    request.child_slots = TypeOf<Self>::kChildSlots;
    request.child_slots_can_overflow = TypeOf<Self>::kChildSlotsCanOverflow;
    request.flags = TypeOf<Self>::kFinal ? kTainTypeFinal : 0;
  }
  request.size = sizeof(Self);
  request.alignment = alignof(Self);
  request.unit = ThisUnit();
  return TainTypeRequestIndex(&request);
}

}  // namespace internal

template <class T>
bool Object::IsInstance() const noexcept {
  return internal::IsInstanceOf<T>(header_.type_index, &header_);
}

inline bool Object::unique() const noexcept {
  if (use_count() != 1) return false;
  if ((TainObjectWordOf(&header_) & kTainHeaderHasPrefix) == 0) return true;
  const uintptr_t tie =
      std::atomic_ref<uintptr_t>(TainObjectPrefixOf(&header_)->tie).load(std::memory_order_acquire);
  return (tie & ~uintptr_t{kTainTieMask}) == 0 || (tie & kTainTieOwnsWrapper) != 0;
}

}  // namespace tain

// gcc warns of the attribute in an anonymous namespace, where every type is hidden anyway.
#if defined(__GNUC__) && !defined(__clang__)
#define TAIN_INTERNAL_ATTRIBUTES_BEGIN \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wattributes\"")
#define TAIN_INTERNAL_ATTRIBUTES_END _Pragma("GCC diagnostic pop")
#else
#define TAIN_INTERNAL_ATTRIBUTES_BEGIN
#define TAIN_INTERNAL_ATTRIBUTES_END
#endif

// Each library has its own hidden variable for the cached index: builds of one unit must not share
// it.
#define TAIN_INTERNAL_TYPE_INDEX(Self, Parent, static_index)                                     \
  TAIN_INTERNAL_ATTRIBUTES_BEGIN                                                                 \
  TAIN_HIDDEN static int32_t RuntimeTypeIndex() noexcept {                                       \
    static_assert(std::is_base_of_v<Parent, Self>,                                               \
                  "TAIN_OBJECT(key, Self, Parent): Self must derive from Parent");               \
    static_assert(!::tain::TypeOf<Parent>::kFinal, "TAIN_OBJECT: the parent is declared final"); \
    static_assert(!::tain::internal::SkipsParent<Self, Parent>(),                                \
                  "TAIN_OBJECT(key, Self, Parent): Parent is not the nearest base class "        \
                  "that has a TAIN_OBJECT: name that one");                                      \
    static std::atomic<int32_t> cached{0};                                                       \
    const int32_t index = cached.load(std::memory_order_relaxed);                                \
    if (TAIN_LIKELY(index != 0)) return index;                                                   \
    const int32_t fresh = ::tain::internal::RequestTypeIndex<Self, Parent>(static_index);        \
    cached.store(fresh, std::memory_order_relaxed);                                              \
    return fresh;                                                                                \
  }                                                                                              \
  TAIN_INTERNAL_ATTRIBUTES_END

// The facts that the compiler can ask about a class: the nearest registered base of a derived class
// (TainNearestClass), and the names that TAIN_VIRTUAL declares (one overload of TainVirtualOf
// each).
#define TAIN_INTERNAL_CLASS_FACTS(Self, Parent)                                        \
  [[maybe_unused]] friend constexpr ::tain::internal::ClassTag<Self> TainNearestClass( \
      const Self*, ::tain::internal::ClassOtherThan<Self>) noexcept {                  \
    return {};                                                                         \
  }                                                                                    \
  static void TainVirtualOf(...);                                                      \
  template <class TainProbe>                                                           \
  static constexpr auto TainVirtualFor() noexcept {                                    \
    if constexpr (requires { TainVirtualOf(TainProbe{}); }) {                          \
      return ::tain::internal::ClassTag<decltype(TainVirtualOf(TainProbe{}))>{};       \
    } else {                                                                           \
      return ::tain::internal::ClassTag<TainProbe>{};                                  \
    }                                                                                  \
  }                                                                                    \
  static constexpr int32_t _type_depth = ::tain::TypeOf<Parent>::kDepth + 1;           \
  using _type_self = Self;                                                             \
  using _type_parent = Parent

// The facts of a class derived from Object whose index the binary contract fixes.
#define TAIN_INTERNAL_BUILTIN_TYPE(key, index, is_final)       \
  static constexpr const char* _type_key = key;                \
  static constexpr int32_t _type_depth = 1;                    \
  static constexpr bool _type_final = is_final;                \
  static int32_t RuntimeTypeIndex() noexcept { return index; } \
  static_assert(index < kTainDynObjectBegin)

/// Declares a class by its key, its name and its parent. It may be anywhere in the class body,
/// needs a semicolon, and makes the members after it public.
#define TAIN_OBJECT(key, Self, Parent)          \
 public:                                        \
  static constexpr const char* _type_key = key; \
  TAIN_INTERNAL_TYPE_INDEX(Self, Parent, -1)    \
  TAIN_INTERNAL_CLASS_FACTS(Self, Parent)

/// TAIN_OBJECT under the name that code in the two-class form uses; see object_ref_macros.h.
#define TAIN_DECLARE_OBJECT_INFO(TypeKey, TypeName, ParentType) \
  TAIN_OBJECT(TypeKey, TypeName, ParentType)

/// TAIN_DECLARE_OBJECT_INFO for a class without derived classes.
#define TAIN_DECLARE_OBJECT_INFO_FINAL(TypeKey, TypeName, ParentType) \
  TAIN_OBJECT(TypeKey, TypeName, ParentType);                         \
  static constexpr bool _type_final = true;                           \
  static constexpr int32_t _type_child_slots = 0

/// TAIN_OBJECT for a class that states its key itself: `static constexpr const char* _type_key`.
#define TAIN_DECLARE_BASE_OBJECT_INFO(TypeName, ParentType) \
 public:                                                    \
  TAIN_INTERNAL_TYPE_INDEX(TypeName, ParentType, -1)        \
  TAIN_INTERNAL_CLASS_FACTS(TypeName, ParentType)

/// TAIN_DECLARE_BASE_OBJECT_INFO for a class without derived classes.
#define TAIN_DECLARE_FINAL_OBJECT_INFO(TypeName, ParentType) \
  TAIN_DECLARE_BASE_OBJECT_INFO(TypeName, ParentType);       \
  static constexpr bool _type_final = true;                  \
  static constexpr int32_t _type_child_slots = 0
