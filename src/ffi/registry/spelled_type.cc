// SPDX-License-Identifier: Apache-2.0
// The spelling of types in registrations. A type with an enum that no EnumDef describes is a
// mistake.
#include <string>
#include <utility>

#include "registry/function_record.h"
#include "registry/undescribed.h"
#include "tain/internal/box_type.h"

namespace tain::internal {
namespace {

/// The place of the type that a registration on this thread spells; null if there is none.
thread_local const std::string_view* spelled_at = nullptr;

struct SpellingAt : NotCopied {
  explicit SpellingAt(const std::string_view* where) noexcept
      : outer(std::exchange(spelled_at, where)) {}
  ~SpellingAt() { spelled_at = outer; }
  const std::string_view* outer;
};

/// Throws because a registration spells a type that is not described yet.
[[noreturn]] void ThrowUndescribed(const std::string& text, bool (*is_described)()) {
  const std::string fault = std::string(*spelled_at) + ": " + text;
  NoteUndescribed(fault, is_described);
  TAIN_THROW(TypeError) << fault;
}

}  // namespace

std::string SpellType(std::string (*type)(), std::string_view where) {
  const SpellingAt at(&where);
  return type();
}

std::string SpellPlainEnum(std::string_view name, bool (*is_described)()) {
  if (spelled_at == nullptr) return "int";
  const std::string text(name);
  ThrowUndescribed("expected an enum that is registered, got " + text +
                       ": describe it with EnumDef<" + text +
                       "> before, declare that of another library with tain::declare_enum<" + text +
                       ">(key), or set tain::enum_as_int<" + text + "> to true to pass its number",
                   is_described);
}

std::string SpellUnknownBox(std::string_view shown_name, bool (*is_described)()) {
  const std::string text(shown_name);
  if (spelled_at == nullptr) return text;
  ThrowUndescribed("expected a class that is registered, got " + text +
                       ": describe it with ObjectDef<tain::Boxed<" + text +
                       ">>(key), or declare it with tain::declare_boxed<" + text + ">(key), before",
                   is_described);
}

}  // namespace tain::internal
