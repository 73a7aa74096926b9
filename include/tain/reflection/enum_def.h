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
// before the types that use it.
#pragma once

#include "tain/internal/type_builder.h"
#include "tain/reflection/register.h"

namespace tain::reflection {

/// The Python base class: enum.IntEnum, enum.Flag or enum.StrEnum.
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
                            static_cast<int32_t>(kind_), static_cast<int32_t>(members_.size()),
                            members_.data()};
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
