// SPDX-License-Identifier: Apache-2.0
// TypeOf<T> for classes without TAIN_OBJECT: key and parent from the declaration.
//
// The key is the path of namespaces and classes with dots: geometry.Point. Unnamed and inline
// namespaces are no part of it.
#pragma once

// clang-format 19 takes annotations and splices for other syntax.
// clang-format off

#if defined(__cpp_impl_reflection)
#include <array>
#include <atomic>
#include <string>

#include "tain/internal/reflect/notes.h"
#include "tain/internal/virtual_names.h"

namespace tain::internal::reflect {

consteval bool IsGlobal(info scope) { return scope == ^^::; }

/// Whether a declaration stands in a namespace, or in a class in one, that is not tain's own.
consteval bool HasPath(info declaration) {
  info scope = declaration;
  while (!IsGlobal(scope)) {
    if (scope == ^^::tain) return false;
    if (!is_namespace(scope) && !is_type(scope)) return false;  // in a function
    if (is_type(scope) && !has_identifier(scope)) return false;
    scope = parent_of(scope);
  }
  return true;
}

/// Returns the key of a namespace, a class or an enum: its path with dots.
consteval std::string PathOf(info declaration) {
  if (IsGlobal(declaration)) return "";
  std::string path = PathOf(parent_of(declaration));
  if (!has_identifier(declaration)) return path;
  if (!path.empty()) path += '.';
  return path + NameOf(declaration, NotesOf(declaration));
}
consteval const char* KeyOfDeclaration(info declaration) {
  return std::define_static_string(PathOf(declaration));
}

/// Whether T is registered by reflection: a named class of objects, without TAIN_OBJECT, that is
/// not hidden.
template <class T>
consteval bool IsReflected() {
  if constexpr (std::is_class_v<T> && !StatesType<T> && requires { sizeof(T); }) {
    if constexpr (std::is_base_of_v<Object, T> && !std::is_same_v<Object, T>) {
      return HasPath(^^T) && !NotesOf(^^T).is_hidden;
    }
  }
  return false;
}
template <class T>
inline constexpr bool kIsReflected = IsReflected<T>();

/// Whether T itself, rather than only one of its bases, is a registered type.
template <class T>
inline constexpr bool kIsRegistered = std::is_same_v<T, Object> || TypeOf<T>::kOwn;
template <class T>
inline constexpr bool kIsObjectClass = std::is_base_of_v<Object, T>;

/// Returns the nearest registered base class.
consteval info ParentOf(info type) {
  for (const info base : bases_of(type, kPublic)) {
    const info parent = dealias(type_of(base));
    if (!IsTrue(^^kIsObjectClass, parent)) continue;
    return IsTrue(^^kIsRegistered, parent) ? parent : ParentOf(parent);
  }
  return ^^Object;
}

}  // namespace tain::internal::reflect

namespace tain {

template <class T>
  requires internal::reflect::kIsReflected<T>
struct TypeOf<T> {
  using Parent = [:internal::reflect::ParentOf(^^T):];
  static constexpr bool kOwn = true;
  static constexpr const char* kKey = internal::reflect::KeyOfDeclaration(^^T);
  static constexpr int32_t kDepth = TypeOf<Parent>::kDepth + 1;
  static constexpr bool kFinal = std::is_final_v<T>;
  static constexpr int32_t kChildSlots = T::_type_child_slots;
  static constexpr bool kChildSlotsCanOverflow = T::_type_child_slots_can_overflow;
  // Each library has its own hidden variable, as for TAIN_OBJECT.
  TAIN_INTERNAL_ATTRIBUTES_BEGIN
  TAIN_HIDDEN static int32_t Index() noexcept {
    static_assert(!TypeOf<Parent>::kFinal, "the parent of this class is final");
    static std::atomic<int32_t> cached{0};
    const int32_t index = cached.load(std::memory_order_relaxed);
    if (TAIN_LIKELY(index != 0)) return index;
    const int32_t fresh = internal::RequestTypeIndex<T, Parent>(-1);
    cached.store(fresh, std::memory_order_relaxed);
    return fresh;
  }
  TAIN_INTERNAL_ATTRIBUTES_END
};

namespace internal::reflect {

/// A method that TAIN_VIRTUAL declares: its name in C++ and in Python.
struct VirtualName {
  const char* cpp;
  const char* python;
};
template <class Tag>
inline constexpr VirtualName kVirtualName{};
template <LiteralText kName, LiteralText kPythonName>
inline constexpr VirtualName kVirtualName<VirtualTag<kName, kPythonName>>{
    std::define_static_string(kName.view()), std::define_static_string(kPythonName.view())};

/// Returns the methods that the body of a class declares with TAIN_VIRTUAL. Code before the first
/// access specifier of a `class` makes them private.
consteval std::vector<VirtualName> VirtualsOf(info type) {
  std::vector<VirtualName> names;
  for (const info member : members_of(type, std::meta::access_context::unchecked())) {
    if (!is_function(member) || !has_identifier(member)) continue;
    if (identifier_of(member) != "TainVirtualOf") continue;
    const std::vector<info> parameters = parameters_of(member);
    if (parameters.size() != 1) continue;
    names.push_back(extract<VirtualName>(substitute(^^kVirtualName, {type_of(parameters[0])})));
  }
  return names;
}

consteval std::string VirtualText(info type) {
  std::string text;
  for (const VirtualName& name : VirtualsOf(type)) {
    text += name.python;
    text += '\0';
  }
  return text;
}

}  // namespace internal::reflect

namespace internal {
/// The text that MakeVirtualText finds for classes with TAIN_OBJECT.
template <class T>
  requires reflect::kIsReflected<T>
inline constexpr std::string_view kVirtualText<T> =
    std::string_view(std::define_static_array(reflect::VirtualText(^^T)));
}  // namespace internal

}  // namespace tain
#endif
