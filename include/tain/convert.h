// SPDX-License-Identifier: Apache-2.0
// How the built-in types cross: numbers, enums, text, devices, data types, object handles and
// pointers.
//
// An integer parameter takes int and bool values within its range. A floating-point parameter takes
// float, int and bool. A bool parameter takes only bool. Host objects that are numbers by protocol
// are converted by the host (host_value.h). Text parameters take str; std::string_view and
// const char* are views that are valid until the call ends.
#pragma once

#include <limits>
#include <string>
#include <string_view>

#include "tain/any.h"
#include "tain/internal/field_kinds.h"
#include "tain/internal/host_value.h"
#include "tain/internal/object_traits.h"
#include "tain/string.h"

namespace tain {
namespace internal {

/// Gets the text of a value that is text in one of its three forms. Returns false for other values.
inline bool TextOf(const TainAny* a, std::string_view* out) noexcept {
  switch (a->type_index) {
    case kTainSmallStr: *out = {a->v_bytes, a->small_str_len}; return true;
    case kTainRawStr: *out = a->v_c_str; return true;
    case kTainStr: *out = View(*TextCellOf(a->v_obj)); return true;
    default: return false;
  }
}

/// Gets the bytes of a value that is bytes in one of its three forms. Returns false for other
/// values.
inline bool BytesOf(const TainAny* a, std::string_view* out) noexcept {
  switch (a->type_index) {
    case kTainSmallBytes: *out = {a->v_bytes, a->small_str_len}; return true;
    case kTainByteArrayPtr: *out = View(*static_cast<const TainByteArray*>(a->v_ptr)); return true;
    case kTainBytes: *out = View(*TextCellOf(a->v_obj)); return true;
    default: return false;
  }
}

/// Converts a BigInt to the nearest double; returns false if it is too large.
TAIN_DLL bool BigIntToDouble(const TainAny* a, double* out) noexcept;
/// Converts a BigInt or a number of the host; false for other values. Throws the host's errors.
TAIN_DLL bool RareDouble(const TainAny* a, double* out);
/// Converts a BigInt to uint64_t; returns false if it is not in 0..2**64-1.
TAIN_DLL bool BigIntToUInt64(const TainAny* a, uint64_t* out) noexcept;
/// Stores an unsigned number that does not fit int64 as a BigInt.
TAIN_DLL void UInt64ToAny(uint64_t value, TainAny* out);
/// The mismatch of a refused float: `float in -most..most` out of range if the value is a number,
/// else `float`.
TAIN_DLL Mismatch FloatMismatch(const TainAny* a,
                                double most = (std::numeric_limits<double>::max)());
/// The mismatch of a refused integer: `int in lo..hi` out of range if the value is an integer, else
/// `int`.
TAIN_DLL Mismatch IntMismatch(const TainAny* a, int64_t lo, uint64_t hi);

template <class T>
struct IntTraits : ReadingTraits<T> {
  using Value = T;
  static constexpr int32_t kFieldKind = KindOfInt<T>();

  static void CopyToAnyView(const T& v, TainAny* out) noexcept {
    out->type_index = kTainInt;
    out->zero_padding = 0;
    out->v_int64 = static_cast<int64_t>(v);
  }
  static void MoveToAny(T v, TainAny* out) {
    if constexpr (std::is_unsigned_v<T> && sizeof(T) == 8) {
      if (TAIN_UNLIKELY(v > static_cast<T>((std::numeric_limits<int64_t>::max)()))) {
        return UInt64ToAny(v, out);
      }
    }
    CopyToAnyView(v, out);
  }
  static bool InRange(int64_t v) noexcept {
    if constexpr (std::is_unsigned_v<T> && sizeof(T) == 8) {
      return v >= 0;
    } else {
      return v >= static_cast<int64_t>((std::numeric_limits<T>::min)()) &&
             v <= static_cast<int64_t>((std::numeric_limits<T>::max)());
    }
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return a->type_index == kTainInt && InRange(a->v_int64);
  }
  static T CopyFromAnyViewAfterCheck(const TainAny* a) noexcept {
    return static_cast<T>(a->v_int64);
  }
  static bool ReadInto(const TainAny* a, T* out) {
    if (a->type_index == kTainInt || a->type_index == kTainBool) {
      *out = static_cast<T>(a->v_int64);
      return InRange(a->v_int64);
    } else if (Any number; FromHost(*a, kTainHostInt, &number)) {
      return ReadInto(&number.data(), out);
    } else if constexpr (std::is_unsigned_v<T> && sizeof(T) == 8) {
      uint64_t big = 0;
      const bool fits = a->type_index == kTainBigInt && BigIntToUInt64(a, &big);
      *out = static_cast<T>(big);
      return fits;
    }
    return false;
  }
  static std::string TypeStr() { return "int"; }
  static Mismatch ExplainMismatch(const TainAny* a) {
    return IntMismatch(a, static_cast<int64_t>((std::numeric_limits<T>::min)()),
                       static_cast<uint64_t>((std::numeric_limits<T>::max)()));
  }
};

}  // namespace internal

template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, char16_t> &&
           !std::is_same_v<T, char32_t> && !std::is_same_v<T, wchar_t>)
struct TypeTraits<T> : internal::IntTraits<T> {};

template <>
struct TypeTraits<bool> : internal::ReadingTraits<bool> {
  static constexpr int32_t kFieldKind = kTainFieldBool;
  static void CopyToAnyView(const bool& v, TainAny* out) noexcept {
    out->type_index = kTainBool;
    out->zero_padding = 0;
    out->v_int64 = v ? 1 : 0;
  }
  static void MoveToAny(bool v, TainAny* out) noexcept { CopyToAnyView(v, out); }
  static bool CheckAnyStrict(const TainAny* a) noexcept { return a->type_index == kTainBool; }
  static bool CopyFromAnyViewAfterCheck(const TainAny* a) noexcept { return a->v_int64 != 0; }
  static bool ReadInto(const TainAny* a, bool* out) noexcept {
    *out = a->v_int64 != 0;
    return a->type_index == kTainBool;
  }
  static std::string TypeStr() { return "bool"; }
};

template <class T>
  requires std::is_floating_point_v<T>
struct TypeTraits<T> : internal::ReadingTraits<T> {
  static constexpr int32_t kFieldKind = sizeof(T) == 4   ? kTainFieldFloat32
                                        : sizeof(T) == 8 ? kTainFieldFloat64
                                                         : kTainFieldOpaque;
  static void CopyToAnyView(const T& v, TainAny* out) noexcept {
    out->type_index = kTainFloat;
    out->zero_padding = 0;
    out->v_float64 = static_cast<double>(v);
  }
  static void MoveToAny(T v, TainAny* out) noexcept { CopyToAnyView(v, out); }
  /// Whether the number is infinite, is NaN or rounds to a finite T.
  static bool InRange(double v) noexcept {
    if constexpr (sizeof(T) < sizeof(double)) {
      using Limits = std::numeric_limits<T>;
      constexpr auto kEpsilon = static_cast<double>(Limits::epsilon());
      constexpr double kBeyond =
          static_cast<double>((Limits::max)()) / (2 - kEpsilon) * (2 - kEpsilon / 2);
      constexpr double kInfinity = std::numeric_limits<double>::infinity();
      return !(v >= kBeyond || v <= -kBeyond) || v == kInfinity || v == -kInfinity;
    }
    return true;
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return a->type_index == kTainFloat && InRange(a->v_float64);
  }
  static int FitOf(const TainAny* a) noexcept
    requires(sizeof(T) != sizeof(double))
  {
    return CheckAnyStrict(a) ? internal::kFitNear : internal::kFitConverted;
  }
  static T CopyFromAnyViewAfterCheck(const TainAny* a) noexcept {
    return static_cast<T>(a->v_float64);
  }
  static bool ReadInto(const TainAny* a, T* out) {
    if (CheckAnyStrict(a)) {
      *out = static_cast<T>(a->v_float64);
      return true;
    }
    if (a->type_index == kTainInt || a->type_index == kTainBool) {
      *out = static_cast<T>(a->v_int64);
      return true;
    }
    double value = 0;
    if (!internal::RareDouble(a, &value) || !InRange(value)) return false;
    *out = static_cast<T>(value);
    return true;
  }
  static std::string TypeStr() { return "float"; }
  static Mismatch ExplainMismatch(const TainAny* a) {
    if constexpr (sizeof(T) >= sizeof(double)) return internal::FloatMismatch(a);
    return internal::FloatMismatch(a, static_cast<double>((std::numeric_limits<T>::max)()));
  }
};

namespace internal {

/// The traits of a type whose only value is None.
template <class T>
struct NoneTraits : ReadingTraits<T> {
  static void CopyToAnyView(T, TainAny* out) noexcept { *out = TainAny{}; }
  static void MoveToAny(T, TainAny* out) noexcept { *out = TainAny{}; }
  static bool CheckAnyStrict(const TainAny* a) noexcept { return a->type_index == kTainNone; }
  static T CopyFromAnyViewAfterCheck(const TainAny*) noexcept { return {}; }
  static bool ReadInto(const TainAny* a, T*) noexcept { return CheckAnyStrict(a); }
  static std::string TypeStr() { return "None"; }
};

}  // namespace internal

template <>
struct TypeTraits<std::nullptr_t> : internal::NoneTraits<std::nullptr_t> {
  static constexpr bool kStorable = false;
};

/// Whether an enum without EnumDef may be used in registered members. Specialize it as true for E:
/// then E crosses as its number, and any number is accepted.
template <class E>
inline constexpr bool enum_as_int = false;

namespace internal {

/// Returns the C++ name of a type, taken from the compiler's name of this function.
template <class E>
constexpr std::string_view NameInCpp() noexcept {
  const std::string_view function = TAIN_FUNC;  // `... NameInCpp() [with E = Color; ...]`
  const size_t begin = function.find("E = ");
  if (begin == std::string_view::npos) return "?";
  const std::string_view name = function.substr(begin + 4);
  return name.substr(0, name.find_first_of(";]"));
}
/// Returns `int`. Throws TypeError while a member is being registered, because the enum has no
/// EnumDef; `is_described` is asked later whether it has got one since.
TAIN_DLL std::string SpellPlainEnum(std::string_view name, bool (*is_described)());

/// Holds the record of an enum for this library; EnumDef sets it.
template <class E>
struct EnumSlot {
  TAIN_HIDDEN inline static const TainEnumInfo* info = nullptr;
};
/// The integers that the C++ type of an enum can hold.
struct EnumRange {
  int64_t lowest;
  uint64_t highest;
  bool is_unsigned() const noexcept { return lowest == 0; }
};
/// Returns the range of a registered enum.
TAIN_DLL EnumRange EnumRangeOf(const TainEnumInfo* info) noexcept;
/// Gets the C++ value of a member from an int, a bool or, for string enums, a text. Returns false
/// if there is no such member. A flag may be any integer that its C++ type can hold.
TAIN_DLL bool EnumFromAny(const TainEnumInfo* info, const TainAny* a, int64_t* out) noexcept;
/// Gets the C++ value of a member that crossed as a host object. Returns false if `a` is not a
/// member of this enum.
TAIN_DLL bool EnumFromMember(const TainEnumInfo* info, const TainAny* a, int64_t* out) noexcept;
/// Returns the Fit of a value for a parameter of an enum.
TAIN_DLL int FitOfEnum(const TainEnumInfo* info, const TainAny* a) noexcept;
/// Stores a member as the host's member, where its value could be taken for that of another type;
/// without a host as a value.
TAIN_DLL void EnumToMember(const TainEnumInfo* info, int64_t value, TainAny* out);
/// Stores a member as a value: an int, or the text of a string enum.
TAIN_DLL void EnumToAny(const TainEnumInfo* info, int64_t value, TainAny* out);
/// Returns the enum with its members for messages: `geometry.Color (RED, GREEN)`.
TAIN_DLL std::string EnumMemberText(const TainEnumInfo* info);

}  // namespace internal

template <class T>
  requires std::is_enum_v<T>
struct TypeTraits<T> : internal::ReadingTraits<T> {
  using Under = std::underlying_type_t<T>;
  using Int = TypeTraits<std::conditional_t<std::is_same_v<Under, bool>, uint8_t, Under>>;
  static constexpr bool kIsEnum = true;
  static const TainEnumInfo* Info() noexcept { return internal::EnumSlot<T>::info; }
  static void CopyToAnyView(const T& v, TainAny* out) { MoveToAny(v, out); }
  static void MoveToAny(T v, TainAny* out) {
    internal::EnumToAny(Info(), static_cast<int64_t>(v), out);
  }
  static void MoveToMember(T v, TainAny* out) {
    internal::EnumToMember(Info(), static_cast<int64_t>(v), out);
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    int64_t value;
    if (Info() == nullptr) return Int::CheckAnyStrict(a);
    return internal::EnumFromAny(Info(), a, &value) || internal::EnumFromMember(Info(), a, &value);
  }
  static int FitOf(const TainAny* a) noexcept {
    if (Info() == nullptr) return internal::FitOf<typename Int::Value>(a);
    return internal::FitOfEnum(Info(), a);
  }
  static T CopyFromAnyViewAfterCheck(const TainAny* a) {
    T value{};
    ReadInto(a, &value);
    return value;
  }
  static bool ReadInto(const TainAny* a, T* out) {
    if (Info() != nullptr) {
      int64_t value = 0;
      const bool found =
          internal::EnumFromAny(Info(), a, &value) || internal::EnumFromMember(Info(), a, &value);
      *out = static_cast<T>(value);
      return found;
    }
    typename Int::Value number{};
    const bool fits = Int::ReadInto(a, &number);
    *out = static_cast<T>(number);
    return fits;
  }
  static std::string TypeStr() {
    if (Info() == nullptr) {
      if constexpr (enum_as_int<T>) return "int";
      return internal::SpellPlainEnum(internal::NameInCpp<T>(), [] { return Info() != nullptr; });
    }
    return std::string(Info()->key.data, Info()->key.size);
  }
  static Mismatch ExplainMismatch(const TainAny* a) {
    if (Info() == nullptr) return Int::ExplainMismatch(a);
    return Mismatch::Because(internal::EnumMemberText(Info()));
  }
};

namespace internal {

/// Stores an owned string value.
inline void TextToAny(std::string_view text, TainAny* out) {
  String owned(text);
  *out = CellAccess::Get(owned);
  CellAccess::Get(owned) = TainAny{};
}

/// The common traits of standard text types, such as std::string and std::string_view.
template <class T>
struct TextTraits : ReadingTraits<T> {
  static constexpr bool kHoldsText = true;
  static void MoveToAny(const T& v, TainAny* out) { TextToAny(std::string_view(v), out); }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return a->type_index == kTainSmallStr || a->type_index == kTainStr ||
           a->type_index == kTainRawStr;
  }
  static T CopyFromAnyViewAfterCheck(const TainAny* a) {
    std::string_view text;
    TextOf(a, &text);
    return T(text);
  }
  static bool ReadInto(const TainAny* a, T* out) {
    std::string_view text;
    if (!TextOf(a, &text) && !MemberText(*a, &text)) return false;
    *out = T(text);
    return true;
  }
  static std::string TypeStr() { return "str"; }
};

/// A cell type whose value is a TainAny: of index `kSmall`, or `kLarge` with an object.
template <class T, int32_t kKind, int32_t kSmall, int32_t kLarge>
struct CellTraits : ReadingTraits<T> {
  static constexpr int32_t kFieldKind = kKind;
  static void CopyToAnyView(const T& v, TainAny* out) noexcept { *out = CellAccess::Get(v); }
  static void MoveToAny(T v, TainAny* out) noexcept {
    *out = CellAccess::Get(v);
    CellAccess::Get(v) = TainAny{};
  }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    return a->type_index == kSmall || a->type_index == kLarge;
  }
  static T CopyFromAnyViewAfterCheck(const TainAny* a) {
    T copy;
    if (a->type_index == kLarge) IncRef(a->v_obj);
    CellAccess::Get(copy) = *a;
    return copy;
  }
};

}  // namespace internal

template <>
struct TypeTraits<String>
    : internal::CellTraits<String, kTainFieldString, kTainSmallStr, kTainStr> {
  static constexpr bool kHoldsText = true;
  static bool ReadInto(const TainAny* a, String* out) {
    if (CheckAnyStrict(a)) {
      *out = CopyFromAnyViewAfterCheck(a);
    } else if (a->type_index == kTainRawStr) {
      *out = String(a->v_c_str);
    } else if (std::string_view text; internal::MemberText(*a, &text)) {
      *out = String(text);
    } else {
      return false;
    }
    return true;
  }
  static std::string TypeStr() { return "str"; }
};

template <>
struct TypeTraits<Bytes>
    : internal::CellTraits<Bytes, kTainFieldOpaque, kTainSmallBytes, kTainBytes> {
  static bool ReadInto(const TainAny* a, Bytes* out) {
    if (CheckAnyStrict(a)) {
      *out = CopyFromAnyViewAfterCheck(a);
    } else if (std::string_view data; internal::BytesOf(a, &data)) {
      *out = Bytes(data);
    } else {
      return false;
    }
    return true;
  }
  static std::string TypeStr() { return "bytes"; }
};

// A raw string value ends at the first NUL, so std::string and std::string_view are copied when
// they are passed.
template <>
struct TypeTraits<std::string> : internal::TextTraits<std::string> {
  static constexpr bool kViewable = false;
};

template <>
struct TypeTraits<std::string_view> : internal::TextTraits<std::string_view> {
  static constexpr bool kStorable = false;
  static constexpr bool kViewable = false;
};

template <>
struct TypeTraits<const char*> : internal::ReadingTraits<const char*> {
  static constexpr bool kStorable = false;
  static void CopyToAnyView(const char* v, TainAny* out) noexcept {
    *out = TainAny{};
    out->type_index = v == nullptr ? kTainNone : kTainRawStr;
    out->v_c_str = v;
  }
  static void MoveToAny(const char* v, TainAny* out) {
    if (v == nullptr) {
      *out = TainAny{};
    } else {
      internal::TextToAny(v, out);
    }
  }
  /// Refuses a text that contains a NUL, because a C string would end there.
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    std::string_view text;
    return a->type_index == kTainRawStr ||
           (internal::TextOf(a, &text) && text.find('\0') == std::string_view::npos);
  }
  static const char* CopyFromAnyViewAfterCheck(const TainAny* a) noexcept {
    std::string_view text;
    internal::TextOf(a, &text);
    return text.data();
  }
  static bool ReadInto(const TainAny* a, const char** out) noexcept {
    if (CheckAnyStrict(a)) {
      *out = CopyFromAnyViewAfterCheck(a);
    } else if (std::string_view text; internal::MemberText(*a, &text)) {
      *out = text.data();
    } else {
      return false;
    }
    return true;
  }
  static std::string TypeStr() { return "str"; }
  static Mismatch ExplainMismatch(const TainAny* a) {
    std::string_view text;
    if (internal::TextOf(a, &text)) return Mismatch::Because("str without NUL");
    return std::string("str");
  }
};
template <>
struct TypeTraits<char*> : TypeTraits<const char*> {};

template <>
struct TypeTraits<void*> : internal::ReadingTraits<void*> {
  static constexpr bool kNullable = true;
  static void CopyToAnyView(void* v, TainAny* out) noexcept {
    *out = TainAny{};
    out->type_index = v == nullptr ? kTainNone : kTainOpaquePtr;
    out->v_ptr = v;
  }
  static void MoveToAny(void* v, TainAny* out) noexcept { CopyToAnyView(v, out); }
  static bool CheckAnyStrict(const TainAny* a) noexcept { return a->type_index == kTainOpaquePtr; }
  static void* CopyFromAnyViewAfterCheck(const TainAny* a) noexcept { return a->v_ptr; }
  static bool ReadInto(const TainAny* a, void** out) noexcept {
    *out = a->type_index == kTainOpaquePtr ? a->v_ptr : nullptr;
    return a->type_index == kTainOpaquePtr || a->type_index == kTainNone;
  }
  static std::string TypeStr() { return "ctypes.c_void_p | None"; }
};

namespace internal {

/// The traits of a plain struct that is stored in the payload of a value.
template <class T, int32_t kIndex, T TainAny::* kMember>
struct PayloadTraits : ReadingTraits<T> {
  static void CopyToAnyView(const T& v, TainAny* out) noexcept {
    *out = TainAny{};
    out->type_index = kIndex;
    out->*kMember = v;
  }
  static void MoveToAny(const T& v, TainAny* out) noexcept { CopyToAnyView(v, out); }
  static bool CheckAnyStrict(const TainAny* a) noexcept { return a->type_index == kIndex; }
  static T CopyFromAnyViewAfterCheck(const TainAny* a) noexcept { return a->*kMember; }
  static bool ReadInto(const TainAny* a, T* out) noexcept {
    *out = a->*kMember;
    return a->type_index == kIndex;
  }
};

}  // namespace internal

template <>
struct TypeTraits<DLDevice> : internal::PayloadTraits<DLDevice, kTainDevice, &TainAny::v_device> {
  static std::string TypeStr() { return "Device"; }
};

template <>
struct TypeTraits<DLDataType>
    : internal::PayloadTraits<DLDataType, kTainDataType, &TainAny::v_dtype> {
  static bool ReadInto(const TainAny* a, DLDataType* out) {
    if (a->type_index == kTainDataType) {
      *out = a->v_dtype;
      return true;
    }
    if (Any dtype; internal::FromHost(*a, kTainHostDataType, &dtype)) {
      *out = dtype.data().v_dtype;
      return true;
    }
    std::string_view text;
    if (!internal::TextOf(a, &text) && !internal::MemberText(*a, &text)) return false;
    const TainByteArray bytes{text.data(), text.size()};
    if (TainDataTypeFromString(&bytes, out) == 0) return true;
    TainObject* dropped = nullptr;
    TainErrorMoveFromRaised(&dropped);
    TainObjectDecRef(dropped);
    return false;
  }
  static std::string TypeStr() { return "dtype"; }
  static Mismatch ExplainMismatch(const TainAny* a) {
    std::string_view text;
    if (!internal::TextOf(a, &text)) return TypeStr();
    return Mismatch::Because("dtype (a name such as float32 or int8x4)");
  }
};

/// Returns a handle of class TRef to the same object. Throws TypeError if the object is of another
/// class.
template <class TRef>
TRef Downcast(const ObjectRef& ref) {
  TainAny view{};
  TypeTraits<ObjectRef>::CopyToAnyView(ref, &view);
  return internal::CastOrThrow<TRef>(view);
}

}  // namespace tain
