// SPDX-License-Identifier: Apache-2.0
// TypeTraits<T>: how a C++ type crosses the language border. This file has the protocol, convert.h
// the traits of the built-in types.
//
// A specialization derives from TypeTraitsBase and defines
//   CopyToAnyView(v, out)             writes a borrowed value; not needed if kViewable is false
//   MoveToAny(v, out)                 writes an owned value
//   CheckAnyStrict(a)                 whether the value is stored exactly as MoveToAny writes it
//   CopyFromAnyViewAfterCheck(a)      returns the T after CheckAnyStrict has returned true
//   TryCastFromAnyView(a)             returns the T, with the conversions that a parameter allows;
//                                     std::nullopt if the value cannot be converted
//   TypeStr()                         returns the Python type expression: `float`,
//                                     `Array[geometry.Point]`
//   ExplainMismatch(a)                returns the Mismatch of a value that TryCastFromAnyView
//                                     refused; optional
//   FitOf(a)                          returns a Fit (below), if CheckAnyStrict accepts values that
//                                     fit other types better; optional
//   ReadInto(a, out)                  as TryCastFromAnyView, into a T made by T(); returns false if
//                                     the value cannot be converted. Optional: where it exists, no
//                                     std::optional<T> is compiled
// kFieldKind is the memory layout of a T for direct field access; kStorable is false for views.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include "tain/error.h"

// The end of compile errors for a type.
#define TAIN_INTERNAL_NOT_CROSSING                                      \
  " does not cross the border: give it a tain::TypeTraits, or include " \
  "tain/stl.h for standard containers"

namespace tain {

namespace internal {
/// The traits of a type that has no TypeTraits of its own. boxed.h lets foreign classes cross.
template <class T>
struct OtherTraits {
  static constexpr bool kCrosses = false;
};
}  // namespace internal

template <class T, class Enable = void>
struct TypeTraits : internal::OtherTraits<T> {};

namespace internal {
/// Whether the traits of T have ReadInto.
template <class T>
concept ReadsInto = std::is_default_constructible_v<T> &&
                    requires(const TainAny* a, T* out) { TypeTraits<T>::ReadInto(a, out); };
}  // namespace internal

/// Defaults for specializations.
struct TypeTraitsBase {
  static constexpr bool kCrosses = true;
  static constexpr bool kStorable = true;  ///< may be a field or an element
  static constexpr int32_t kFieldKind = kTainFieldOpaque;
  static constexpr bool kIsEnum = false;
  static constexpr bool kHoldsEdges = false;  ///< has VisitEdges and ClearEdges; internal/edges.h
  /// Whether a field may be overwritten by any value of its class.
  static constexpr bool kDirectWrite = false;
  static constexpr bool kNullable = false;  ///< None is a value of it: a null pointer, nullopt
  static constexpr bool kViewable = true;   ///< a view of a T needs no temporary value
  /// Whether TryCastFromAnyView alone is called, because checking takes as long as reading.
  static constexpr bool kReadOnce = false;
  /// Whether only reading a value tells if it fits, so that checking it first would read it twice.
  static constexpr bool kFitsIfRead = false;
  /// Whether a T crosses in a box, an object that holds it or refers to it; see boxed.h.
  static constexpr bool kInBox = false;
  /// Whether a T refers to boxed objects that others own: a pointer, or a container of pointers.
  static constexpr bool kRefers = false;
  /// Whether StoreBorrowed makes a result of a T& or a pointer, which keeps the arguments alive.
  static constexpr bool kBorrows = false;
  /// Whether values of a T hold text that may also be given as bytes. False for containers that are
  /// shared with whoever made them.
  static constexpr bool kHoldsText = false;
};

namespace internal {
/// The base of specializations with ReadInto. std::optional<T> is compiled where TryCastFromAnyView
/// is called, and not by all who include the specialization.
template <class T, class Base = TypeTraitsBase>
struct ReadingTraits : Base {
  static std::optional<T> TryCastFromAnyView(const TainAny* a) {
    std::optional<T> read(std::in_place);
    if (!TypeTraits<T>::ReadInto(a, &*read)) read.reset();
    return read;
  }
};
/// The base of specializations that convert nothing: what CheckAnyStrict refuses does not fit.
template <class T, class Base = TypeTraitsBase>
struct StrictTraits : Base {
  static std::optional<T> TryCastFromAnyView(const TainAny* a) {
    if (!TypeTraits<T>::CheckAnyStrict(a)) return std::nullopt;
    return std::optional<T>(TypeTraits<T>::CopyFromAnyViewAfterCheck(a));
  }
};
}  // namespace internal

/// Why a value was refused, as data for the message `where: expected X, got Y`. The functions are
/// compiled in libtain to keep the code of each type's traits small.
class TAIN_DLL Mismatch {
 public:
  /// The Python type `type` was expected.
  Mismatch(std::string type) noexcept;  // NOLINT: mostly the type says it all
  Mismatch(Mismatch&& other) noexcept;
  Mismatch& operator=(Mismatch&& other) noexcept;
  ~Mismatch();
  /// `text` was expected, which describes the type better than its name.
  static Mismatch Because(std::string text);
  /// A number in `range` was expected, and the number is outside of it: an OverflowError.
  static Mismatch OutOfRange(std::string range);
  /// The type is right, but C++ cannot use this value of it: a ValueError.
  static Mismatch Unusable(std::string expected);
  /// Sets the text that describes the given value. By default it is made from the value itself.
  Mismatch&& Got(std::string text) &&;
  /// Makes the mismatch of an element one of its container. `place` is `[2]` or `key`, `element` is
  /// the value at that place.
  Mismatch&& At(std::string_view place, const TainAny& element) &&;

  /// Whether the value is of the expected type, but its range, its size or a part of it is wrong.
  bool specific() const noexcept {
    return out_of_range_ || unusable_ || !place_.empty() || !got_.empty();
  }
  bool out_of_range() const noexcept { return out_of_range_; }
  bool unusable() const noexcept { return unusable_; }
  const std::string& expected() const noexcept { return expected_; }
  /// Returns the place of the mismatch inside the value; empty for the value itself.
  const std::string& place() const noexcept { return place_; }
  /// Returns the text that describes the given value; empty if it is to be made from the value.
  const std::string& got() const noexcept { return got_; }

 private:
  std::string expected_, place_, got_;
  bool out_of_range_ = false;
  bool unusable_ = false;
};

namespace internal {

/// How well a value fits a type, for the choice among overloads and alternatives. The numbers are
/// those of TainFunctionInfo::exact.
enum Fit : int {
  kFitMember = -3,    ///< a number or a text that may be that of an enum's member
  kFitAnything = -2,  ///< the parameter takes any value
  kFitQuantity = -1,  ///< a number that may be in the unit of the type
  kFitConverted = 0,
  kFitExact = 1,
  kFitNear = 2,    ///< of the same Python type, but C++ has a type that fits better
  kFitIfRead = 3,  ///< exact if TryCastFromAnyView takes it, which alone can tell
  kFitDerived = 4  ///< an object whose class derives from the type's; 5 if there is a class between
                   ///< them, and so on up to kFitFarthest
};
inline constexpr int kFitFarthest = 127;
/// Orders fits: the exact one has the highest rank.
constexpr int RankOfFit(int fit) noexcept {
  return fit == kFitExact || fit >= kFitIfRead ? 2 : fit == kFitNear ? 1 : fit;
}
inline constexpr int kHighestRank = 2;
inline constexpr int kLowestRank = kFitMember;
/// Returns how many classes an object's class is below that of the type.
constexpr int StepsOfFit(int fit) noexcept { return fit < kFitDerived ? 0 : fit - kFitIfRead; }
/// Whether a value fits better by the first fit than by the second.
constexpr bool FitsBetter(int fit, int other) noexcept {
  const int rank = RankOfFit(fit), other_rank = RankOfFit(other);
  return rank != other_rank ? rank > other_rank : StepsOfFit(fit) < StepsOfFit(other);
}
/// Returns the fit of a value that is null or an object of the class or of a derived one.
TAIN_DLL int FitOfClass(const TainAny* a, int32_t type_index) noexcept;

/// Whether values of a T are objects of a class, whose index its traits give.
template <class T>
concept HasClass = requires {
  { TypeTraits<T>::ClassIndex() } -> std::same_as<int32_t>;
};
/// Whether the fit of a value for a T may be another one than kFitExact and kFitConverted.
template <class T>
concept HasFit = HasClass<T> || requires(const TainAny* a) {
  { TypeTraits<T>::FitOf(a) } -> std::same_as<int>;
};
template <class T>
int FitOf(const TainAny* a) noexcept {
  if constexpr (HasClass<T>) {
    if (!TypeTraits<T>::CheckAnyStrict(a)) return kFitConverted;
    return FitOfClass(a, TypeTraits<T>::ClassIndex());
  } else if constexpr (HasFit<T>) {
    return TypeTraits<T>::FitOf(a);
  } else {
    return TypeTraits<T>::CheckAnyStrict(a) ? kFitExact : kFitConverted;
  }
}

/// Whether FitOf may return kFitIfRead.
template <class T>
concept FitsIfRead = requires { requires TypeTraits<T>::kFitsIfRead; };
/// Whether a value is exactly a T as far as can be told without reading it.
template <class T>
bool MayBeExact(const TainAny* a) noexcept {
  if constexpr (FitsIfRead<T>) {
    return RankOfFit(FitOf<T>(a)) == kHighestRank;
  } else {
    return TypeTraits<T>::CheckAnyStrict(a);
  }
}
/// Returns the value if it is exactly a T.
template <class T>
std::optional<T> ReadExact(const TainAny* a) {
  if constexpr (FitsIfRead<T>) {
    if (FitOf<T>(a) == kFitIfRead) {
      try {
        return TypeTraits<T>::TryCastFromAnyView(a);
      } catch (...) {
        return std::nullopt;
      }
    }
  }
  if (!TypeTraits<T>::CheckAnyStrict(a)) return std::nullopt;
  return TypeTraits<T>::CopyFromAnyViewAfterCheck(a);
}

template <class T>
concept HasMismatch = requires(const TainAny* a) {
  { TypeTraits<T>::ExplainMismatch(a) } -> std::convertible_to<Mismatch>;
};
/// A function that explains why a value is not a T.
using Explain = Mismatch (*)(const TainAny* a);
/// A function that returns a type expression, such as TypeTraits<T>::TypeStr.
using TypeText = std::string (*)();
/// Returns the mismatch that says no more than the expected type.
TAIN_DLL Mismatch MismatchOfType(TypeText type);

/// A type that may be used for parameters, results, fields or elements.
template <class T>
concept Crosses = TypeTraits<std::decay_t<T>>::kCrosses;
/// A type that may be used for elements and fields, which must own their values.
template <class T>
concept Storable = Crosses<T> && TypeTraits<std::decay_t<T>>::kStorable;
/// Whether a T refers to boxed objects, see TypeTraitsBase::kRefers.
template <class T>
inline constexpr bool RefersTo = requires { requires TypeTraits<std::decay_t<T>>::kRefers; };
/// TypeTraitsBase::kHoldsText
template <class T>
inline constexpr bool HoldsText = requires { requires TypeTraits<T>::kHoldsText; };
/// A type of elements of a container of the standard library. One of pointers crosses, but cannot be
/// stored.
template <class T>
concept CrossesAsElement = Storable<T> || (Crosses<T> && RefersTo<T>);

/// A type that can only be viewed through a temporary value, which must be owned.
template <class T>
concept NeedsOwnedCopy = Crosses<T> && !TypeTraits<std::decay_t<T>>::kViewable;

/// Returns the name of the type of a value as users know it: int, str, geometry.Point.
TAIN_DLL std::string TypeNameOf(const TainAny& value);
/// Makes an owned copy of a view. Throws std::bad_alloc.
TAIN_DLL void CopyToOwnedSlow(const TainAny& view, TainAny* out);
inline void CopyToOwned(const TainAny& view, TainAny* out) {
  if (TAIN_LIKELY(view.type_index < kTainDLTensorPtr ||
                  (view.type_index > kTainRValueRef && view.type_index < kTainStaticObjectBegin))) {
    *out = view;
  } else if (view.type_index >= kTainStaticObjectBegin) {
    IncRef(view.v_obj);
    *out = view;
  } else {
    CopyToOwnedSlow(view, out);
  }
}
/// Throws `where: expected X, got Y (value)`: OverflowError if a number was out of range, ValueError
/// if a value was unusable, TypeError otherwise.
[[noreturn]] TAIN_DLL void ThrowMismatch(std::string_view where, const Mismatch& mismatch,
                                         const TainAny& got);
/// Calls `explain` and throws the mismatch that it returns.
[[noreturn]] TAIN_DLL void ThrowCast(Explain explain, const TainAny& got, std::string_view where);

template <class T>
TAIN_COLD inline Mismatch MismatchOf(const TainAny* a) {
  if constexpr (HasMismatch<T>) {
    return TypeTraits<T>::ExplainMismatch(a);
  } else {
    return MismatchOfType(&TypeTraits<T>::TypeStr);
  }
}

/// TryCastFromAnyView. If code of T's author threw, calls `rethrow`, which throws the same with the
/// place of the value.
template <class T, class Rethrow>
std::optional<T> ReadOr(const TainAny* a, [[maybe_unused]] const Rethrow& rethrow) {
  if constexpr (FitsIfRead<T>) {
    try {
      return TypeTraits<T>::TryCastFromAnyView(a);
    } catch (...) {
      rethrow();
      throw;  // not reached
    }
  } else {
    return TypeTraits<T>::TryCastFromAnyView(a);
  }
}

/// Returns the value as a T. Throws TypeError or OverflowError if it does not fit; the message
/// begins with `where`.
template <class T>
inline T CastOrThrow(const TainAny& a, const char* where = "") {
  static_assert(TypeTraits<std::decay_t<T>>::kCrosses, "cast<T>(): T" TAIN_INTERNAL_NOT_CROSSING);
  constexpr bool kMoves = !Crosses<T> || std::is_move_constructible_v<T>;
  static_assert(kMoves, "cast<T>(): a T can be neither copied nor moved: cast to T*");
  if constexpr (Crosses<T> && kMoves) {
    if constexpr (!TypeTraits<T>::kReadOnce) {
      if (TAIN_LIKELY(TypeTraits<T>::CheckAnyStrict(&a))) {
        return TypeTraits<T>::CopyFromAnyViewAfterCheck(&a);
      }
    }
    if constexpr (ReadsInto<T>) {
      T value{};
      if (!TypeTraits<T>::ReadInto(&a, &value)) ThrowCast(&MismatchOf<T>, a, where);
      return value;
    } else {
      std::optional<T> value = TypeTraits<T>::TryCastFromAnyView(&a);
      if (TAIN_UNLIKELY(!value)) ThrowCast(&MismatchOf<T>, a, where);
      return *std::move(value);
    }
  } else {
    throw 0;  // never compiled: keeps the compiler's output short
  }
}

template <class T>
inline auto As(const TainAny& a) {
  if constexpr (IsObject<T>) {
    return a.type_index >= kTainStaticObjectBegin && IsInstanceOf<T>(a.type_index, a.v_obj)
               ? static_cast<const T*>(ObjectAccess::FromHeader(a.v_obj))
               : nullptr;
  } else {
    return ReadExact<T>(&a);
  }
}

}  // namespace internal
}  // namespace tain
