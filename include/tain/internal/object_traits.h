// SPDX-License-Identifier: Apache-2.0
// How objects cross: handles (Ref, Ptr and classes around them) and bare pointers.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "tain/any.h"

namespace tain {
namespace internal {

template <class T>
inline std::string KeyOf() {
  return std::is_same_v<T, Object> ? "Object" : T::_type_key;
}

/// Throws TypeError: an object of the class, or of one derived from it, was not made by
/// make_object, so it has no type and nobody could delete it; `where` is the first part of the
/// message.
[[noreturn]] TAIN_DLL void ThrowNotMade(const char* key, std::string_view where = {});

/// Whether an object has not been made by make_object, or not yet: its constructor runs.
inline bool IsNotMade(const TainObject* header) noexcept {
  return TAIN_UNLIKELY(header->type_index < kTainStaticObjectBegin);
}

/// A value that is the object of a header, or None; nothing is counted.
template <class C>
inline void ViewHeader(TainObject* header, TainAny* out) {
  *out = TainAny{};
  if (header != nullptr) {
    if (IsNotMade(header)) ThrowNotMade(C::_type_key);
    out->type_index = header->type_index;
    out->v_obj = header;
  }
}

/// What was expected of the class with index `wanted`. `expected` is that in words; for an object
/// of another build of the same class the answer names both builds: `geometry.Point (build 1), got
/// geometry.Point (build 2)`.
TAIN_DLL std::string ClassMismatch(const TainAny* a, int32_t wanted, std::string expected);

/// Handles of class T around objects of class C.
template <class T, class C, bool kMayBeNull>
struct HandleTraits : TypeTraitsBase {
  static constexpr bool kCrosses = true;
  static constexpr int32_t kFieldKind =
      sizeof(T) == sizeof(void*) ? kTainFieldObject : kTainFieldOpaque;
  static constexpr bool kDirectWrite = true;
  static constexpr bool kNullable = kMayBeNull;
  using Container = C;
  static void CopyToAnyView(const T& v, TainAny* out) { ViewHeader<C>(RefAccess::Header(v), out); }
  static void MoveToAny(T v, TainAny* out) {
    ViewHeader<C>(RefAccess::Header(v), out);
    RefAccess::Release(v);
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    if (a->type_index < kTainStaticObjectBegin) {
      return kMayBeNull && a->type_index == kTainNone;
    }
    return IndexIsInstance<C>(a->type_index);
  }
  static T CopyFromAnyViewAfterCheck(const TainAny* a) noexcept {
    TainObject* header = a->type_index == kTainNone ? nullptr : a->v_obj;
    if constexpr (IsObjectRef<T>) {
      return RefAccess::Make<T>(RefAccess::Share<Object>(header));
    } else {
      return RefAccess::Share<C>(header);
    }
  }
  static std::optional<T> TryCastFromAnyView(const TainAny* a) noexcept {
    if (CheckAnyStrict(a)) return CopyFromAnyViewAfterCheck(a);
    if (a->type_index == kTainRValueRef) {
      TainAny view{};
      view.v_obj = *static_cast<TainObject**>(a->v_ptr);
      view.type_index = view.v_obj == nullptr ? kTainNone : view.v_obj->type_index;
      if (CheckAnyStrict(&view)) {
        auto moved =
            RefAccess::Steal<Object>(std::exchange(*static_cast<TainObject**>(a->v_ptr), nullptr));
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
  static std::string Mismatch(const TainAny* a, std::string&) {
    return ClassMismatch(a, C::RuntimeTypeIndex(), TypeTraits<T>::TypeStr());
  }
};

}  // namespace internal

template <class C>
struct TypeTraits<ObjectPtr<C>> : internal::HandleTraits<ObjectPtr<C>, C, true> {};

template <class T>
  requires(internal::IsObjectRef<T> && requires { typename T::ContainerType; })
struct TypeTraits<T> : internal::HandleTraits<T, typename T::ContainerType, T::_type_is_nullable> {
};

namespace internal {

/// What an rvalue reference holds, left where it is, for parameters that only look at the object;
/// None for any other value.
inline TainAny PeekRValue(const TainAny& a) noexcept {
  TainAny view{};
  if (a.type_index != kTainRValueRef) return view;
  view.v_obj = *static_cast<TainObject**>(a.v_ptr);
  if (view.v_obj != nullptr) view.type_index = view.v_obj->type_index;
  return view;
}

}  // namespace internal

/// Bare pointers to objects: parameters and results; None is null.
template <class C>
  requires internal::IsObject<C>
struct TypeTraits<C*> : TypeTraitsBase {
  using Bare = std::remove_const_t<C>;
  static constexpr bool kCrosses = true;
  static constexpr bool kStorable = false;
  static void CopyToAnyView(C* v, TainAny* out) {
    internal::ViewHeader<Bare>(v == nullptr ? nullptr : internal::ObjectAccess::Header(v), out);
  }
  static void MoveToAny(C* v, TainAny* out) {
    CopyToAnyView(v, out);
    if (v != nullptr) internal::IncRef(out->v_obj);
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return a->type_index == kTainNone || (a->type_index >= kTainStaticObjectBegin &&
                                          internal::IndexIsInstance<Bare>(a->type_index));
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
  static std::string Mismatch(const TainAny* a, std::string&) {
    return internal::ClassMismatch(a, Bare::RuntimeTypeIndex(), TypeStr());
  }
};

}  // namespace tain
