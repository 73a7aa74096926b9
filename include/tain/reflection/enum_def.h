// SPDX-License-Identifier: Apache-2.0
// EnumDef<E>: describes a C++ enum, from which Python gets an enum class.
//
//   EnumDef<Color>("geometry.Color", "Colors of a shape.")
//       .value("RED", Color::kRed)
//       .value("GREEN", Color::kGreen);
//   EnumDef<Access>("demo.Access", "", EnumKind::kFlag)
//       .value("READ", kRead)
//       .value("WRITE", kWrite);
//   EnumDef<Mode>("demo.Mode", "", EnumKind::kStr).value("FAST", Mode::kFast, "fast");
// Fields and parameters of type E take and return members of the Python enum. Register the enum
// before the types that use it. A library that uses the enum of another one declares it:
//   tain::declare_enum<Color>("geometry.Color");
// or includes the same EnumDef: two libraries that define the same members share the enum.
#pragma once

#include <limits>

#include "tain/internal/type_builder.h"
#include "tain/reflection/register.h"

namespace tain::internal {

/// The integers of an enum's C++ type, as TainEnumInfo::kind has them.
template <class E>
inline constexpr int32_t kEnumIntegers = [] {
  using Limits = std::numeric_limits<std::underlying_type_t<E>>;
  return (Limits::digits + (Limits::is_signed ? 1 : 0)) << kTainEnumBitsShift |
         (Limits::is_signed ? 0 : kTainEnumUnsigned);
}();

}  // namespace tain::internal

namespace tain::reflection {

/// The Python base class: enum.IntEnum, enum.IntFlag or enum.StrEnum.
enum class EnumKind { kInt = kTainEnumInt, kFlag = kTainEnumFlag, kStr = kTainEnumStr };

/// Describes E. The destructor, at the end of the full expression, registers the enum.
template <class E>
class EnumDef {
  static_assert(std::is_enum_v<E>, "EnumDef<E>: E must be an enum");

 public:
  explicit EnumDef(const char* key, const char* doc = "", EnumKind kind = EnumKind::kInt)
      : key_(key), doc_(doc), kind_(kind) {}
  EnumDef(const EnumDef&) = delete;
  ~EnumDef() {
    const TainEnumInfo info{internal::Bytes(key_), internal::Bytes(doc_),
                            static_cast<int32_t>(kind_) | internal::kEnumIntegers<E>,
                            static_cast<int32_t>(members_.size()), members_.data()};
    internal::EnumSlot<E>::info = internal::DefineEnum(internal::ThisUnit(), info);
  }
  /// Adds a member. In a string enum `text_or_doc` is the member's value, by default its name, and
  /// `doc` its documentation; in other enums `text_or_doc` is the documentation.
  EnumDef& value(const char* name, E value, const char* text_or_doc = "", const char* doc = "") {
    const bool is_text = kind_ == EnumKind::kStr;
    TainEnumMember member{};
    member.name = internal::Bytes(name);
    member.value = static_cast<int64_t>(value);
    member.doc = internal::Bytes(is_text ? doc : text_or_doc);
    if (is_text) member.text = internal::Bytes(*text_or_doc == '\0' ? name : text_or_doc);
    members_.push_back(member);
    return *this;
  }

 private:
  const char* key_;
  const char* doc_;
  EnumKind kind_;
  std::vector<TainEnumMember> members_;
};

}  // namespace tain::reflection

namespace tain {

/// Declares that E is the enum that another library registers under the key. That library must be
/// loaded before. For an enum whose EnumDef two libraries share, no declaration is needed.
template <class E>
void declare_enum(const char* key) noexcept {
  static_assert(std::is_enum_v<E>, "declare_enum<E>: E must be an enum");
  internal::EnumSlot<E>::info = internal::DeclareEnum(
      internal::ThisUnit(), key, internal::kEnumIntegers<E>, internal::NameInCpp<E>());
}

}  // namespace tain
