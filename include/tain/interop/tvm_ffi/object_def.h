// SPDX-License-Identifier: Apache-2.0
// ObjectDef, GlobalDef and TypeAttrDef with the options that sources for tvm::ffi give.
//
//   refl::ObjectDef<IntPairObj>()
//       .def(refl::init<int64_t, int64_t>())
//       .def_rw("a", &IntPairObj::a, "the first field", refl::kw_only(true))
//       .def("sum", &IntPairObj::Sum);
// As there, a class that can be default-constructed and registers no constructor gets one that takes
// the fields; ObjectDef<T>(refl::init(false)) leaves it out. Options of tain may be given too.
#pragma once

#include <initializer_list>
#include <string_view>
#include <tuple>
#include <utility>

#include "tain/interop/tvm_ffi/base.h"
#include "tain/reflection/object_def.h"

namespace tain::interop::ffi {

/// The constructor with the parameters A, as an argument of ObjectDef::def.
template <class... A>
struct init {};

/// A flag of a field that is known at run time.
struct FieldOption {
  int64_t flags = 0;  ///< TainFieldFlag
};

/// The default constructor; as an option, whether the constructor from fields takes the field.
template <>
struct init<> : FieldOption {
  constexpr init() noexcept = default;
  explicit constexpr init(bool include) noexcept : FieldOption{include ? 0 : kTainFieldNoInit} {}
};
init(bool) -> init<>;

/// Whether repr shows the field.
struct repr : FieldOption {
  explicit constexpr repr(bool show) noexcept : FieldOption{show ? 0 : kTainFieldNoRepr} {}
};
/// Whether equality and order include the field.
struct compare : FieldOption {
  explicit constexpr compare(bool include) noexcept
      : FieldOption{include ? 0 : kTainFieldNoCompare} {}
};
/// Whether the hash includes the field.
struct hash : FieldOption {
  explicit constexpr hash(bool include) noexcept : FieldOption{include ? 0 : kTainFieldNoHash} {}
};
/// Whether the constructor from fields takes the field by keyword only.
struct kw_only : FieldOption {
  explicit constexpr kw_only(bool only) noexcept : FieldOption{only ? kTainFieldKwOnly : 0} {}
};
/// How structural comparison treats the field.
struct AttachFieldFlag : FieldOption {
  explicit constexpr AttachFieldFlag(int64_t flag) noexcept : FieldOption{flag} {}
  static constexpr AttachFieldFlag SEqHashDefPattern() noexcept {
    return AttachFieldFlag(kTainFieldDefPattern);
  }
  static constexpr AttachFieldFlag SEqHashDefSimple() noexcept {
    return AttachFieldFlag(kTainFieldSimpleDef);
  }
  static constexpr AttachFieldFlag SEqHashIgnore() noexcept {
    return AttachFieldFlag(kTainFieldNoStructuralEq);
  }
};
/// Notes about a member for other programs, which tain does not keep.
struct Metadata {
  Metadata(std::initializer_list<std::pair<String, Any>>) {}
};

namespace detail {

/// Collects documentation and flags, and returns the other options as a tuple.
template <class Option>
auto Sort(internal::FinishedSpec& spec, Option&& option) {
  using Given = std::decay_t<Option>;
  if constexpr (std::is_base_of_v<FieldOption, Given>) {
    spec.flags |= option.flags;
    return std::tuple<>();
  } else if constexpr (std::is_convertible_v<Given, const char*>) {
    spec.doc = option;
    return std::tuple<>();
  } else if constexpr (std::is_same_v<Given, Metadata>) {
    return std::tuple<>();
  } else {
    return std::tuple<Given>(std::forward<Option>(option));
  }
}
/// Calls `take(options...)` with the options of a function that tain knows.
template <class Take, class... Option>
void WithOptions(const Take& take, Option&&... options) {
  internal::FinishedSpec spec;
  auto others = std::tuple_cat(Sort(spec, std::forward<Option>(options))...);
  std::apply(
      [&](auto&... other) {
        if (*spec.doc == '\0') {
          take(std::move(other)...);
        } else {
          take(spec.doc, std::move(other)...);
        }
      },
      others);
}
/// The same for those of a field or a type.
template <class Take, class... Option>
void WithFlags(const Take& take, Option&&... options) {
  internal::FinishedSpec spec;
  auto others = std::tuple_cat(Sort(spec, std::forward<Option>(options))...);
  std::apply([&](auto&... other) { take(spec, std::move(other)...); }, others);
}

/// An option of a type in the form that tain knows.
template <class Option>
auto ForType(Option&& option) {
  using Given = std::decay_t<Option>;
  if constexpr (std::is_same_v<Given, init<>> || std::is_same_v<Given, Metadata>) {
    return internal::TypeFlag<0>();
  } else {
    return Given(std::forward<Option>(option));
  }
}
/// Whether an option of a type leaves out the constructor from fields.
template <class Option>
constexpr bool LeavesOut(const Option& option) noexcept {
  if constexpr (std::is_same_v<Option, init<>>) return option.flags != 0;
  return false;
}
/// The structural kind that a class states as `_type_s_eq_hash_kind`.
template <class T>
auto KindOf() noexcept {
  if constexpr (requires { T::_type_s_eq_hash_kind; }) {
    return structural(static_cast<StructuralKind>(T::_type_s_eq_hash_kind));
  } else {
    return internal::TypeFlag<0>();
  }
}

/// Sets an attribute of a type to a value, or to the Function of a callable.
template <class V>
void SetTypeAttr(int32_t type_index, const char* name, V&& value) {
  Any held;
  if constexpr (std::is_constructible_v<Any, V>) {
    held = Any(std::forward<V>(value));
  } else {
    held = Function::FromTyped(std::forward<V>(value));
  }
  const TainByteArray key = internal::Bytes(name);
  internal::ThrowIfFailed(TainTypeRegisterAttr(type_index, &key, &held.data()));
}

/// A function that converts a value to a handle, for `__ffi_convert__`.
template <class TRef>
TRef ConvertTo(const AnyView& value) {
  return value.cast<TRef>();
}

}  // namespace detail

/// Describes a type. The description ends with the full expression.
template <class T>
class ObjectDef : private reflection::ObjectDef<T> {
  using Base = reflection::ObjectDef<T>;

 public:
  template <class... Extra>
  explicit ObjectDef(Extra&&... extra) noexcept
      : Base(detail::KindOf<T>(), detail::ForType(std::forward<Extra>(extra))...),
        has_init_((detail::LeavesOut(extra) || ...)) {}
  ObjectDef(const ObjectDef&) = delete;
  ObjectDef& operator=(const ObjectDef&) = delete;
  ~ObjectDef() {
    if constexpr (std::is_default_constructible_v<T> && !std::is_abstract_v<T>) {
      if (!has_init_) Base::def_init_fields();
    }
  }

  template <class M, class C, class... Extra>
  ObjectDef& def_ro(const char* name, M C::* member, Extra&&... extra) {
    Base& base = *this;
    detail::WithFlags([&](auto&&... said) { base.def_ro(name, member, std::move(said)...); },
                      std::forward<Extra>(extra)...);
    return *this;
  }
  template <class M, class C, class... Extra>
  ObjectDef& def_rw(const char* name, M C::* member, Extra&&... extra) {
    Base& base = *this;
    detail::WithFlags([&](auto&&... said) { base.def_rw(name, member, std::move(said)...); },
                      std::forward<Extra>(extra)...);
    return *this;
  }
  /// Adds a method, or an overload of it.
  template <class F, class... Extra>
  ObjectDef& def(const char* name, F&& f, Extra&&... extra) {
    Base& base = *this;
    detail::WithOptions(
        [&](auto&&... said) { base.def(name, std::forward<F>(f), std::move(said)...); },
        std::forward<Extra>(extra)...);
    return *this;
  }
  /// Adds a constructor, or an overload of it.
  template <class... A, class... Extra>
  ObjectDef& def(init<A...>, Extra&&... extra) {
    has_init_ = true;
    Base& base = *this;
    detail::WithOptions([&](auto&&... said) { base.template def_init<A...>(std::move(said)...); },
                        std::forward<Extra>(extra)...);
    return *this;
  }
  template <class F, class... Extra>
  ObjectDef& def_static(const char* name, F&& f, Extra&&... extra) {
    const std::string_view text(name);
    has_init_ = has_init_ || text == "__create__" || text == "__ffi_init__";
    Base& base = *this;
    detail::WithOptions(
        [&](auto&&... said) { base.def_static(name, std::forward<F>(f), std::move(said)...); },
        std::forward<Extra>(extra)...);
    return *this;
  }
  /// Sets an attribute of the type, such as `__ffi_repr__`, to a value or a function.
  template <class V>
  ObjectDef& def_type_attr(const char* name, V&& value) {
    detail::SetTypeAttr(TypeOf<T>::Index(), name, std::forward<V>(value));
    return *this;
  }
  template <class TRef>
  ObjectDef& def_convert() {
    return def_type_attr("__ffi_convert__", &detail::ConvertTo<TRef>);
  }
  // What tain adds.
  template <class... Extra>
  ObjectDef& def_property(const char* name, Extra&&... extra) {
    Base::def_property(name, std::forward<Extra>(extra)...);
    return *this;
  }
  template <class... A, class... Extra>
  ObjectDef& def_init(Extra&&... extra) {
    return def(init<A...>(), std::forward<Extra>(extra)...);
  }
  ObjectDef& def_init_fields() {
    has_init_ = true;
    Base::def_init_fields();
    return *this;
  }
  template <class V>
  ObjectDef& def_attr(const char* name, V&& value, const char* doc = "") {
    Base::def_attr(name, std::forward<V>(value), doc);
    return *this;
  }

 private:
  bool has_init_;
};

/// ObjectDef, whose second `def` of a name is an overload.
template <class T>
using OverloadObjectDef = ObjectDef<T>;

/// Registers global functions. Functions with the same name in one GlobalDef are overloads.
class GlobalDef {
 public:
  template <class F, class... Extra>
  GlobalDef& def(const char* name, F&& f, Extra&&... extra) {
    detail::WithOptions(
        [&](auto&&... said) { def_.def(name, std::forward<F>(f), std::move(said)...); },
        std::forward<Extra>(extra)...);
    return *this;
  }
  /// Registers a method as a function whose first parameter takes the object.
  template <class F, class... Extra>
  GlobalDef& def_method(const char* name, F&& f, Extra&&... extra) {
    return def(name, std::forward<F>(f), std::forward<Extra>(extra)...);
  }
  template <class F, class... Extra>
  GlobalDef& def_packed(const char* name, F&& f, Extra&&... extra) {
    detail::WithOptions(
        [&](auto&&... said) { def_.def_packed(name, std::forward<F>(f), std::move(said)...); },
        std::forward<Extra>(extra)...);
    return *this;
  }

 private:
  reflection::GlobalDef def_;
};

/// Sets attributes of a type without describing it.
template <class T>
class TypeAttrDef {
 public:
  template <class... Extra>
  explicit TypeAttrDef(Extra&&...) noexcept {}
  template <class V>
  TypeAttrDef& def(const char* name, V&& value) {
    detail::SetTypeAttr(TypeOf<T>::Index(), name, std::forward<V>(value));
    return *this;
  }
  template <class V>
  TypeAttrDef& attr(const char* name, V&& value) {
    return def(name, std::forward<V>(value));
  }
  template <class TRef>
  TypeAttrDef& def_convert() {
    return def("__ffi_convert__", &detail::ConvertTo<TRef>);
  }
};

/// Makes the column of an attribute, so that code that was compiled elsewhere can keep its address.
inline void EnsureTypeAttrColumn(std::string_view name) {
  const TainByteArray key{name.data(), name.size()};
  const TainAny none{};
  internal::ThrowIfFailed(TainTypeRegisterAttr(kTainNone, &key, &none));
}

}  // namespace tain::interop::ffi
