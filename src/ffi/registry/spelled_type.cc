// SPDX-License-Identifier: Apache-2.0
// The spelling of types in registrations. A type with an enum that no EnumDef describes is a
// mistake.
#include <string>
#include <utility>

#include "registry/function_record.h"
#include "tain/internal/box_type.h"

namespace tain::internal {
namespace {

/// The place of the type that a registration on this thread spells; null if there is none.
thread_local const std::string_view* spelled_at = nullptr;

struct SpellingAt {
  explicit SpellingAt(const std::string_view* where) noexcept
      : outer(std::exchange(spelled_at, where)) {}
  ~SpellingAt() { spelled_at = outer; }
  SpellingAt(const SpellingAt&) = delete;
  SpellingAt& operator=(const SpellingAt&) = delete;
  const std::string_view* outer;
};

}  // namespace

std::string SpellType(std::string (*type)(), std::string_view where) {
  const SpellingAt at(&where);
  return type();
}

std::string SpellPlainEnum(std::string_view name) {
  if (spelled_at == nullptr) return "int";
  TAIN_THROW(TypeError) << *spelled_at << ": expected an enum that is registered, got " << name
                        << ": describe it with EnumDef<" << name
                        << "> before, declare that of another library with tain::declare_enum<"
                        << name << ">(key), or set tain::enum_as_int<" << name
                        << "> to true to pass its number";
}

std::string SpellUnknownBox(std::string_view shown_name) {
  if (spelled_at == nullptr) return std::string(shown_name);
  TAIN_THROW(TypeError) << *spelled_at << ": expected a class that is registered, got "
                        << shown_name << ": describe it with ObjectDef<tain::Boxed<" << shown_name
                        << ">>(key), or declare it with tain::declare_boxed<" << shown_name
                        << ">(key), before";
}

}  // namespace tain::internal
