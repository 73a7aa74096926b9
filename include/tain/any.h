// SPDX-License-Identifier: Apache-2.0
// Any, an owned value of any type that crosses, and AnyView, a borrowed one.
//
// Both are the 16 bytes of the binary contract. An Any owns what it holds; an AnyView must not
// outlive its source.
//   Any a = 1;  a.cast<int>();  a.try_cast<double>();  a.as<PointObj>();
// `cast` converts as a parameter does (int to double, the elements of a list ...) and throws
// TypeError if the value does not fit; `as` never converts.
#pragma once

#include <optional>
#include <utility>

#include "tain/traits.h"

namespace tain {

class Any;
class AnyView;
template <>
struct TypeTraits<Any>;
template <>
struct TypeTraits<AnyView>;

/// A value of any type that crosses: what Any and AnyView share.
class AnyValue {
 public:
  /// Returns the index of the value's type.
  int32_t type_index() const noexcept { return data_.type_index; }
  /// Returns the value as the binary contract has it.
  const TainAny& data() const noexcept { return data_; }
  /// Returns the value as a T, converted as for a parameter of type T. Throws TypeError or
  /// OverflowError if the value does not fit.
  template <class T>
  T cast() const {
    return internal::CastOrThrow<T>(data_);
  }
  /// Returns the value as a T, converted as by `cast`; std::nullopt if the value does not fit.
  template <class T>
  std::optional<T> try_cast() const {
    return TypeTraits<T>::TryCastFromAnyView(&data_);
  }
  /// Returns the value if it is exactly a T, without conversion: a pointer (null if it is no T) for
  /// object classes, a std::optional for other types.
  template <class T>
  auto as() const {
    return internal::As<T>(data_);
  }
  /// Whether the value is None.
  bool operator==(std::nullptr_t) const noexcept { return data_.type_index == kTainNone; }

 protected:
  AnyValue() noexcept : data_{} {}
  explicit AnyValue(const TainAny& data) noexcept : data_(data) {}
  TainAny data_;
};

/// A borrowed value.
class AnyView : public AnyValue {
 public:
  /// None; or a view of a value, which must outlive it.
  AnyView() noexcept {}
  AnyView(std::nullptr_t) noexcept {}  // NOLINT: None
  template <class T>
    requires(!std::is_same_v<T, Any> && !std::is_same_v<T, AnyView> &&
             TypeTraits<std::decay_t<T>>::kCrosses && TypeTraits<std::decay_t<T>>::kViewable)
  AnyView(const T& value) noexcept(noexcept(
      TypeTraits<std::decay_t<T>>::CopyToAnyView(value, nullptr))) {  // NOLINT: a view of anything
    TypeTraits<std::decay_t<T>>::CopyToAnyView(value, &data_);
  }
  /// Deleted: the view would outlive the temporary value that it needs. Make an Any instead.
  template <class T>
    requires(!std::is_same_v<T, Any> && !std::is_same_v<T, AnyView> && internal::NeedsOwnedCopy<T>)
  AnyView(const T& value) = delete;
  AnyView(const Any& value) noexcept;  // NOLINT: a view of the owned value
  explicit AnyView(const TainAny& data) noexcept : AnyValue(data) {}
};

/// An owned value.
class Any : public AnyValue {
 public:
  /// None; or a value of any type that crosses.
  Any() noexcept {}
  Any(std::nullptr_t) noexcept {}  // NOLINT: None
  Any(const Any& other) noexcept : AnyValue(other.data_) { IncRef(); }
  Any(Any&& other) noexcept : AnyValue(std::exchange(other.data_, TainAny{})) {}
  Any(const AnyView& view) {  // NOLINT: owns a copy of the viewed value
    internal::CopyToOwned(view.data(), &data_);
  }
  template <class T>
    requires(!std::is_same_v<std::decay_t<T>, Any> && !std::is_same_v<std::decay_t<T>, AnyView> &&
             TypeTraits<std::decay_t<T>>::kCrosses)
  Any(T&& value) {  // NOLINT: a value of any type
    TypeTraits<std::decay_t<T>>::MoveToAny(std::forward<T>(value), &data_);
  }
  Any& operator=(Any other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  ~Any() {
    if (data_.type_index >= kTainStaticObjectBegin) internal::DecRef(data_.v_obj);
  }

  /// Returns the name of the value's type: `int`, `str`, or the key of an object's type.
  std::string GetTypeKey() const { return internal::TypeNameOf(data_); }
  /// Sets the value to None.
  void reset() noexcept { Any().swap(*this); }
  /// Exchanges two values.
  void swap(Any& other) noexcept { std::swap(data_, other.data_); }
  /// Whether both have the same bytes: equal numbers of one type, equal inline text, or one object.
  bool same_as(const Any& other) const noexcept {
    return data_.type_index == other.data_.type_index &&
           data_.small_str_len == other.data_.small_str_len &&
           data_.v_uint64 == other.data_.v_uint64;
  }

  /// Takes the value out and leaves None; for code at the language border.
  TainAny Release() noexcept { return std::exchange(data_, TainAny{}); }
  /// Returns an Any that takes over the reference that `data` owns.
  static Any Steal(const TainAny& data) noexcept {
    Any any;
    any.data_ = data;
    return any;
  }

 private:
  void IncRef() noexcept {
    if (data_.type_index >= kTainStaticObjectBegin) internal::IncRef(data_.v_obj);
  }
};

inline AnyView::AnyView(const Any& value) noexcept : AnyValue(value.data()) {}

static_assert(sizeof(Any) == sizeof(TainAny) && sizeof(AnyView) == sizeof(TainAny));

template <>
struct TypeTraits<Any> : internal::ReadingTraits<Any> {
  static constexpr int32_t kFieldKind = kTainFieldAny;
  static void CopyToAnyView(const Any& v, TainAny* out) noexcept { *out = v.data(); }
  static void MoveToAny(Any&& v, TainAny* out) noexcept { *out = v.Release(); }
  static void MoveToAny(const Any& v, TainAny* out) { internal::CopyToOwned(v.data(), out); }
  static bool CheckAnyStrict(const TainAny*) noexcept { return true; }
  static Any CopyFromAnyViewAfterCheck(const TainAny* a) {
    TainAny owned;
    internal::CopyToOwned(*a, &owned);
    return Any::Steal(owned);
  }
  static bool ReadInto(const TainAny* a, Any* out) {
    *out = CopyFromAnyViewAfterCheck(a);
    return true;
  }
  static std::string TypeStr() { return "Any"; }
};

template <>
struct TypeTraits<AnyView> : internal::ReadingTraits<AnyView> {
  static constexpr bool kStorable = false;
  static void CopyToAnyView(const AnyView& v, TainAny* out) noexcept { *out = v.data(); }
  static void MoveToAny(const AnyView& v, TainAny* out) { internal::CopyToOwned(v.data(), out); }
  static bool CheckAnyStrict(const TainAny*) noexcept { return true; }
  static AnyView CopyFromAnyViewAfterCheck(const TainAny* a) noexcept { return AnyView(*a); }
  static bool ReadInto(const TainAny* a, AnyView* out) noexcept {
    *out = AnyView(*a);
    return true;
  }
  static std::string TypeStr() { return "Any"; }
};

namespace internal {

/// A view of an argument, together with the owned copy if the type needs one.
template <class T>
struct ArgumentView {
  AnyView view;
  explicit ArgumentView(const T& v) : view(v) {}
};
template <NeedsOwnedCopy T>
struct ArgumentView<T> {
  Any value;
  AnyView view;
  explicit ArgumentView(const T& v) : value(v), view(value) {}
};

/// The view of an argument that is passed as A&&. That of a boxed class by reference is lent.
template <class A>
struct PassedAs {
  using View = ArgumentView<std::decay_t<A>>;
};
template <class A>
using PassedView = typename PassedAs<A>::View;

}  // namespace internal
}  // namespace tain
