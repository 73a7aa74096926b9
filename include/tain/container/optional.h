// SPDX-License-Identifier: Apache-2.0
// Optional<T>: a T or nothing, with the interface of std::optional; nothing is None in Python.
//
// An Optional of a handle class is stored as one pointer, null if it is empty. An Optional of
// String, Bytes or Any is stored in 16 bytes, None if it is empty. All others are stored as a
// std::optional. `opt == nullptr` and `opt == std::nullopt` mean the same.
#pragma once

#include <optional>

#include "tain/convert.h"
#include "tain/internal/container_api.h"
#include "tain/internal/declared_arguments.h"
#include "tain/internal/edges.h"

namespace tain {
namespace internal {

/// A type that can be null itself, so that a null pointer means an empty Optional.
template <class T>
inline constexpr bool kHandleLike = false;
template <class T>
  requires(IsObjectRef<T> && sizeof(T) == sizeof(void*))
inline constexpr bool kHandleLike<T> = true;
template <class C>
inline constexpr bool kHandleLike<ObjectPtr<C>> = true;

/// A type that is stored as one value of 16 bytes, so that None means an empty Optional.
template <class T>
inline constexpr bool kCellLike =
    std::is_same_v<T, String> || std::is_same_v<T, tain::Bytes> || std::is_same_v<T, Any>;

/// The storage of a handle: null if the Optional is empty.
template <class T>
class HandleSlot {
 public:
  HandleSlot() noexcept : value_(Nothing()) {}
  explicit HandleSlot(T value) noexcept : value_(std::move(value)) {}
  bool has() const noexcept { return RefAccess::Header(value_) != nullptr; }
  T& get() noexcept { return value_; }
  const T& get() const noexcept { return value_; }
  void clear() noexcept { value_ = Nothing(); }

 private:
  static T Nothing() noexcept {
    if constexpr (IsObjectRef<T>) {
      return T(UnsafeInit{});
    } else {
      return T();
    }
  }
  T value_;
};

/// The storage of a 16-byte value: None if the Optional is empty.
template <class T>
class CellSlot {
 public:
  CellSlot() noexcept { clear(); }
  explicit CellSlot(T value) noexcept : value_(std::move(value)) {}
  bool has() const noexcept { return Cell().type_index != kTainNone; }
  T& get() noexcept { return value_; }
  const T& get() const noexcept { return value_; }
  void clear() noexcept {
    if constexpr (std::is_same_v<T, Any>) {
      value_.reset();
    } else {
      value_ = T();
      CellAccess::Get(value_) = TainAny{};
    }
  }

 private:
  const TainAny& Cell() const noexcept {
    if constexpr (std::is_same_v<T, Any>) {
      return value_.data();
    } else {
      return CellAccess::Get(value_);
    }
  }
  T value_;
};

/// The storage of all other types.
template <class T>
class PlainSlot {
 public:
  PlainSlot() noexcept = default;
  explicit PlainSlot(T value) : value_(std::move(value)) {}
  bool has() const noexcept { return value_.has_value(); }
  T& get() noexcept { return *value_; }
  const T& get() const noexcept { return *value_; }
  void clear() noexcept { value_.reset(); }

 private:
  std::optional<T> value_;
};

template <class T>
using OptionalSlot =
    std::conditional_t<kHandleLike<T>, HandleSlot<T>,
                       std::conditional_t<kCellLike<T>, CellSlot<T>, PlainSlot<T>>>;

/// Throws ValueError because the Optional is empty.
[[noreturn]] TAIN_DLL void ThrowEmptyOptional(const std::string& type);

/// The common traits of Optional and std::optional: O may have a T.
template <class O, class T, class Base = TypeTraitsBase>
struct OptionalTraits : Base {
  using Inner = TypeTraits<T>;
  static constexpr bool kStorable = Inner::kStorable;
  static constexpr bool kNullable = true;
  static constexpr bool kIsEnum = Inner::kIsEnum;
  static constexpr bool kIsTuple = IsDeclaredTuple<T>;
  static constexpr bool kViewable = Inner::kViewable;
  static constexpr bool kFitsIfRead = FitsIfRead<T>;

  static int VisitEdges(const O& v, const EdgeVisit& visit) {
    return v ? VisitEdgesOf<T>(*v, visit) : 0;
  }
  static void CopyToAnyView(const O& v, TainAny* out)
    requires kViewable
  {
    *out = TainAny{};
    if (v) Inner::CopyToAnyView(*v, out);
  }
  static void MoveToAny(O v, TainAny* out) {
    *out = TainAny{};
    if (v) Inner::MoveToAny(*std::move(v), out);
  }
  static void MoveToMember(const O& v, TainAny* out)
    requires CrossesAsMember<T>
  {
    *out = TainAny{};
    if (v) Inner::MoveToMember(*v, out);
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return a->type_index == kTainNone || Inner::CheckAnyStrict(a);
  }
  static int FitOf(const TainAny* a) noexcept
    requires HasFit<T>
  {
    return a->type_index == kTainNone ? kFitExact : internal::FitOf<T>(a);
  }
  static O CopyFromAnyViewAfterCheck(const TainAny* a) {
    if (a->type_index == kTainNone) return O();
    return O(Inner::CopyFromAnyViewAfterCheck(a));
  }
  static std::string TypeStr() { return OptionalStr(&Inner::TypeStr); }
  static Mismatch ExplainMismatch(const TainAny* a) { return OptionalMismatch(a, &MismatchOf<T>); }
};

}  // namespace internal

/// A T or nothing.
template <class T>
class Optional {
 public:
  using value_type = T;

  /// Nothing; or a value, also of a std::optional.
  Optional() noexcept = default;
  Optional(std::nullopt_t) noexcept {}  // NOLINT: nothing
  Optional(std::nullptr_t) noexcept {}  // NOLINT: nothing
  template <class U = T>
    requires(!std::is_same_v<std::remove_cvref_t<U>, Optional> &&
             !std::is_same_v<std::remove_cvref_t<U>, std::nullptr_t> &&
             std::is_convertible_v<U &&, T>)
  Optional(U&& value) : slot_(T(std::forward<U>(value))) {}  // NOLINT: a value
  Optional(std::optional<T> value) {                         // NOLINT: same meaning
    if (value) slot_ = internal::OptionalSlot<T>(*std::move(value));
  }
  template <class U>
    requires(!std::is_same_v<T, U> && std::is_convertible_v<const U&, T>)
  Optional(const Optional<U>& other) {  // NOLINT: the values convert
    if (other) slot_ = internal::OptionalSlot<T>(T(*other));
  }
  /// Drops the value.
  Optional& operator=(std::nullopt_t) noexcept {
    reset();
    return *this;
  }
  Optional& operator=(std::nullptr_t) noexcept {
    reset();
    return *this;
  }

  /// Whether there is a value.
  bool has_value() const noexcept { return slot_.has(); }
  /// The same as `has_value()`.
  bool defined() const noexcept { return has_value(); }
  /// Whether there is a value.
  explicit operator bool() const noexcept { return has_value(); }
  /// Returns the value. Throws ValueError if there is none.
  T& value() & {
    Require();
    return slot_.get();
  }
  const T& value() const& {
    Require();
    return slot_.get();
  }
  T value() && {
    Require();
    return std::move(slot_.get());
  }
  /// Returns the value, or `other` if there is none.
  template <class U>
  T value_or(U&& other) const {
    return has_value() ? slot_.get() : static_cast<T>(std::forward<U>(other));
  }
  /// The same as `value()`.
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T operator*() && { return std::move(*this).value(); }
  /// Accesses a member of the value. Throws ValueError if there is none.
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  /// Drops the value.
  void reset() noexcept { slot_.clear(); }
  /// Replaces the value by T(args...).
  template <class... A>
  T& emplace(A&&... args) {
    slot_ = internal::OptionalSlot<T>(T(std::forward<A>(args)...));
    return slot_.get();
  }
  /// Returns the value as a std::optional.
  std::optional<T> std() const {
    return has_value() ? std::optional<T>(slot_.get()) : std::nullopt;
  }

  /// Compares with nothing, an Optional or a value.
  bool operator==(std::nullopt_t) const noexcept { return !has_value(); }
  bool operator==(std::nullptr_t) const noexcept { return !has_value(); }
  bool operator==(const Optional& other) const {
    if (has_value() != other.has_value()) return false;
    return !has_value() || Same(slot_.get(), other.slot_.get());
  }
  template <class U>
    requires(!std::is_same_v<U, Optional> && !std::is_same_v<U, std::nullptr_t> &&
             std::is_convertible_v<const U&, T>)
  bool operator==(const U& other) const {
    return has_value() && Same(slot_.get(), static_cast<const T&>(other));
  }

 private:
  static bool Same(const T& a, const T& b) {
    if constexpr (std::is_same_v<T, Any>) {
      return internal::AnyEqual(a.data(), b.data());
    } else {
      return a == b;
    }
  }
  void Require() const {
    if (TAIN_UNLIKELY(!has_value())) internal::ThrowEmptyOptional(TypeTraits<T>::TypeStr());
  }
  internal::OptionalSlot<T> slot_;
};

template <class T>
struct TypeTraits<Optional<T>> : internal::OptionalTraits<Optional<T>, T> {
  using Inner = TypeTraits<T>;
  static constexpr bool kCrosses = Inner::kCrosses;
  static constexpr int32_t kFieldKind =
      internal::kHandleLike<T> ? kTainFieldObject : kTainFieldOpaque;
  static constexpr bool kHoldsEdges = !internal::kHandleLike<T> && internal::HoldsEdges<T>();
  static constexpr bool kDirectWrite = Inner::kDirectWrite;
  static constexpr bool kReadOnce = internal::FitsIfRead<T>;
  static constexpr bool kHoldsText = internal::HoldsText<T>;
  /// Returns a null pointer to the object class of T, or to Object if T is not a handle.
  static auto ContainerOf() {
    if constexpr (requires { typename Inner::Container; }) {
      return static_cast<typename Inner::Container*>(nullptr);
    } else {
      return static_cast<Object*>(nullptr);
    }
  }
  using Container = std::remove_pointer_t<decltype(ContainerOf())>;

  static void ClearEdges(Optional<T>& v) { v.reset(); }
  static std::optional<Optional<T>> TryCastFromAnyView(const TainAny* a) {
    if (a->type_index == kTainNone) return Optional<T>();
    std::optional<T> value = Inner::TryCastFromAnyView(a);
    if (!value) return std::nullopt;
    return std::optional<Optional<T>>(std::in_place, *std::move(value));
  }
};

}  // namespace tain
