// SPDX-License-Identifier: Apache-2.0
// The traits of objects: handles (Ref, Ptr and other handle classes) and raw pointers.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "tain/any.h"

namespace tain {
namespace internal {

template <class T>
inline std::string KeyOf() {
  if constexpr (requires { TypeOf<T>::Key(); }) return TypeOf<T>::Key();
  return std::is_same_v<T, Object> ? "Object" : TypeOf<T>::kKey;
}

/// Throws TypeError because an object of the class, or of a derived class, was not made by
/// make_object, so it has no type index and no deleter. The message begins with `where`.
[[noreturn]] TAIN_DLL void ThrowNotMade(const char* key, std::string_view where = {});

/// Whether an object was not made by make_object or its constructor is still running.
inline bool IsNotMade(const TainObject* header) noexcept {
  return TAIN_UNLIKELY(header->type_index < kTainStaticObjectBegin);
}

/// Returns a borrowed value of an object, or None for a null pointer.
template <class C>
inline void ViewHeader(TainObject* header, TainAny* out) {
  *out = TainAny{};
  if (header != nullptr) {
    if (IsNotMade(header)) ThrowNotMade(TypeOf<C>::kKey);
    out->type_index = header->type_index;  // not ViewOfObject: the zeros are written already
    out->v_obj = header;
  }
}

/// Stores an object, which is not null.
inline void ObjectToAny(ObjectPtr<Object> object, TainAny* out) noexcept {
  *out = ViewOfObject(RefAccess::Release(object));
}

/// Returns the mismatch of a value that is not of the class with index `wanted`, whose text is
/// `expected`. For an object of another build of the class the text has both builds:
/// `expected geometry.Point (build 1), got geometry.Point (build 2)`.
TAIN_DLL Mismatch ClassMismatch(const TainAny* a, int32_t wanted, std::string expected);
TAIN_DLL Mismatch ClassMismatch(const TainAny* a, int32_t wanted, TypeText expected);

/// Returns the object of an rvalue reference without moving it, for parameters that only read the
/// object; None for other values.
inline TainAny PeekRValue(const TainAny& a) noexcept {
  if (a.type_index != kTainRValueRef) return TainAny{};
  return ViewOfObjectOrNone(*static_cast<TainObject**>(a.v_ptr));
}

/// Returns an object of tain's class that stands for a module of another library; null if nothing
/// is known of such modules, or without memory.
TAIN_DLL ObjectPtr<Object> AdaptModule(TainObject* module) noexcept;
/// Whether objects of other libraries can be adapted.
TAIN_DLL bool AdaptsModules() noexcept;
/// Returns the object for which one that AdaptModule made stands; any other as it is. May be null.
TAIN_DLL TainObject* RestoredModule(TainObject* module) noexcept;

/// Whether an object is one of another library that stands where tain's class is asked for.
template <class C>
inline bool MayBeAdapted(const TainAny& a) noexcept {
  if constexpr (OnlyOfTain<C>) {
    return a.type_index == TypeOf<C>::Index() &&
           (TainObjectWordOf(a.v_obj) & kTainHeaderHasPrefix) == 0 && AdaptsModules();
  } else {
    return false;
  }
}

/// The traits of handles of class T to objects of class C.
template <class T, class C, bool kMayBeNull>
struct HandleTraits : TypeTraitsBase {
  static constexpr int32_t kFieldKind =
      sizeof(T) == sizeof(void*) ? kTainFieldObject : kTainFieldOpaque;
  static constexpr bool kDirectWrite = true;
  static constexpr bool kNullable = kMayBeNull;
  using Container = C;
  static int32_t ClassIndex() { return TypeOf<C>::Index(); }
  static void CopyToAnyView(const T& v, TainAny* out) {
    TainObject* header = RefAccess::Header(v);
    if constexpr (OnlyOfTain<C>) header = RestoredModule(header);
    ViewHeader<C>(header, out);
  }
  static void MoveToAny(T v, TainAny* out) {
    CopyToAnyView(v, out);
    if constexpr (OnlyOfTain<C>) {
      if (out->type_index != kTainNone && out->v_obj != RefAccess::Header(v)) {
        IncRef(out->v_obj);
        return;
      }
    }
    RefAccess::Release(v);
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    if (a->type_index < kTainStaticObjectBegin) {
      return kMayBeNull && a->type_index == kTainNone;
    }
    return IsInstanceOf<C>(a->type_index, a->v_obj) || MayBeAdapted<C>(*a);
  }
  static T CopyFromAnyViewAfterCheck(const TainAny* a) noexcept {
    TainObject* header = a->type_index == kTainNone ? nullptr : a->v_obj;
    if constexpr (OnlyOfTain<C>) {
      if (header != nullptr && MayBeAdapted<C>(*a)) {
        ObjectPtr<Object> adapted = AdaptModule(header);
        if constexpr (IsObjectRef<T>) {
          return RefAccess::Make<T>(std::move(adapted));
        } else {
          return RefAccess::Steal<C>(RefAccess::Release(adapted));
        }
      }
    }
    if constexpr (IsObjectRef<T>) {
      return RefAccess::Make<T>(RefAccess::Share<Object>(header));
    } else {
      return RefAccess::Share<C>(header);
    }
  }
  static std::optional<T> TryCastFromAnyView(const TainAny* a) noexcept {
    if (CheckAnyStrict(a)) return CopyFromAnyViewAfterCheck(a);
    if (a->type_index == kTainRValueRef) {
      const TainAny view = PeekRValue(*a);
      if (CheckAnyStrict(&view)) {
        auto moved =
            RefAccess::Steal<Object>(std::exchange(*static_cast<TainObject**>(a->v_ptr), nullptr));
        if (MayBeAdapted<C>(view)) moved = AdaptModule(view.v_obj);
        if constexpr (IsObjectRef<T>) {
          return RefAccess::Make<T>(std::move(moved));
        } else {
          return RefAccess::Steal<C>(RefAccess::Release(moved));
        }
      }
    }
    return std::nullopt;
  }
  static std::string TypeStr() { return KeyOf<C>() + (kMayBeNull ? " | None" : ""); }
  static Mismatch ExplainMismatch(const TainAny* a) {
    return ClassMismatch(a, TypeOf<C>::Index(), &TypeTraits<T>::TypeStr);
  }
};

}  // namespace internal

template <class C>
struct TypeTraits<ObjectPtr<C>> : internal::HandleTraits<ObjectPtr<C>, C, true> {};

template <class T>
  requires(internal::IsObjectRef<T> && requires { typename T::ContainerType; })
struct TypeTraits<T> : internal::HandleTraits<T, typename T::ContainerType, T::_type_is_nullable> {
};

/// The traits of raw pointers to objects, for parameters and results; null is None.
template <class C>
  requires internal::IsObject<C>
struct TypeTraits<C*> : TypeTraitsBase {
  using Bare = std::remove_const_t<C>;
  static constexpr bool kNullable = true;
  static constexpr bool kStorable = false;
  static int32_t ClassIndex() { return TypeOf<Bare>::Index(); }
  static void CopyToAnyView(C* v, TainAny* out) {
    internal::ViewHeader<Bare>(v == nullptr ? nullptr : internal::ObjectAccess::Header(v), out);
  }
  static void MoveToAny(C* v, TainAny* out) {
    CopyToAnyView(v, out);
    if (v != nullptr) internal::IncRef(out->v_obj);
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return a->type_index == kTainNone || (a->type_index >= kTainStaticObjectBegin &&
                                          internal::IsInstanceOf<Bare>(a->type_index, a->v_obj));
  }
  static C* CopyFromAnyViewAfterCheck(const TainAny* a) noexcept {
    if (a->type_index == kTainNone) return nullptr;
    return static_cast<Bare*>(internal::ObjectAccess::FromHeader(a->v_obj));
  }
  static std::optional<C*> TryCastFromAnyView(const TainAny* a) noexcept {
    if (CheckAnyStrict(a)) return CopyFromAnyViewAfterCheck(a);
    const TainAny moved = internal::PeekRValue(*a);
    if (moved.type_index != kTainNone && CheckAnyStrict(&moved)) {
      return CopyFromAnyViewAfterCheck(&moved);
    }
    return std::nullopt;
  }
  static std::string TypeStr() { return internal::KeyOf<Bare>() + " | None"; }
  static Mismatch ExplainMismatch(const TainAny* a) {
    return internal::ClassMismatch(a, TypeOf<Bare>::Index(), &TypeStr);
  }
};

}  // namespace tain
