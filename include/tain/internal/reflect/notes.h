// SPDX-License-Identifier: Apache-2.0
// The annotations of a declaration as data, and the names of declarations in Python.
#pragma once

// clang-format 19 takes annotations and splices for other syntax.
// clang-format off

#if defined(__cpp_impl_reflection)
#include <meta>
#include <string>
#include <string_view>
#include <vector>

#include "tain/internal/member_specs.h"
#include "tain/reflection/annotations.h"

namespace tain::internal::reflect {

using std::meta::info;

/// The access of all queries: to what any code may use.
inline constexpr std::meta::access_context kPublic = std::meta::access_context::unprivileged();

template <int64_t kBits>
consteval int64_t FieldBits(const FieldFlag<kBits>*) {
  return kBits;
}
consteval int64_t FieldBits(const void*) { return 0; }
template <int64_t kBits>
consteval int64_t TypeBits(const TypeFlag<kBits>*) {
  return kBits;
}
consteval int64_t TypeBits(const void*) { return 0; }
template <int32_t kBits>
consteval int32_t CallBits(const CallFlag<kBits>*) {
  return kBits;
}
consteval int32_t CallBits(const void*) { return 0; }
template <uint64_t kPair>
consteval uint64_t KeptPairOf(const KeepsAlive<kPair>*) {
  return kPair;
}
consteval uint64_t KeptPairOf(const void*) { return 0; }

/// The flags that an annotation of type A sets.
struct FlagBits {
  int64_t field;
  int64_t type;
  int32_t call;
  uint64_t keeps;
};
template <class A>
inline constexpr FlagBits kFlagBits = {FieldBits(static_cast<const A*>(nullptr)),
                                       TypeBits(static_cast<const A*>(nullptr)),
                                       CallBits(static_cast<const A*>(nullptr)),
                                       KeptPairOf(static_cast<const A*>(nullptr))};

/// No text. A template argument cannot point to a string literal.
inline constexpr char kNoText[] = "";

/// The annotations of a declaration.
struct Notes {
  const char* doc = kNoText;
  const char* name = nullptr;
  FlagBits flags{};
  bool is_property = false;
  bool is_hidden = false;
  bool is_read_only = false;
  bool is_overridable = false;
  bool is_iterable = false;
  int32_t enum_kind = 0;
  info default_value{};  ///< the default_is or default_made_by
};

/// Returns a template's value for a type.
consteval bool IsTrue(info variable_template, info type) {
  return extract<bool>(substitute(variable_template, {type}));
}

/// Whether a type is a specialization of a class template.
consteval bool IsMadeFrom(info type, info class_template) {
  return has_template_arguments(type) && template_of(type) == class_template;
}

consteval void AddNote(Notes& notes, info note) {
  const info type = remove_cv(type_of(note));
  const info value = constant_of(note);
  if (type == ^^doc) {
    notes.doc = extract<doc>(value).text;
  } else if (type == ^^named) {
    notes.name = extract<named>(value).text;
  } else if (type == ^^PropertyNote) {
    notes.is_property = true;
  } else if (type == ^^HiddenNote) {
    notes.is_hidden = true;
  } else if (type == ^^ReadOnlyNote) {
    notes.is_read_only = true;
  } else if (type == ^^OverridableNote) {
    notes.is_overridable = true;
  } else if (type == ^^IterableNote) {
    notes.is_iterable = true;
  } else if (type == ^^struct enum_kind) {
    notes.enum_kind = extract<struct enum_kind>(value).kind;
  } else if (type == ^^structural) {
    const auto kind = static_cast<int64_t>(extract<structural>(value).kind);
    notes.flags.type |= kind << kTainTypeStructuralShift;
  } else if (IsMadeFrom(type, ^^default_is) || IsMadeFrom(type, ^^default_made_by)) {
    notes.default_value = value;
  } else if (is_class_type(type)) {
    const auto bits = extract<FlagBits>(substitute(^^kFlagBits, {type}));
    notes.flags.field |= bits.field;
    notes.flags.type |= bits.type;
    notes.flags.call |= bits.call;
    notes.flags.keeps = WithKept(notes.flags.keeps, bits.keeps);
  }
}

/// Returns the annotations of a declaration; templates and namespaces have none.
consteval Notes NotesOf(info declaration) {
  Notes notes;
  if (is_template(declaration) || is_namespace(declaration)) return notes;
  for (const info note : annotations_of(declaration)) AddNote(notes, note);
  return notes;
}

/// Whether Python reserves a word, so that it cannot be a name there. The words are those of each
/// length in turn, because a compiler computes slowly.
consteval bool IsPythonKeyword(std::string_view word) {
  constexpr std::string_view kWords[] = {
      "",         "",
      "as in is or",
      "and def del not",
      "None True elif exec from pass with",
      "False async await raise yield",
      "assert except global import lambda",
      "finally",
      "nonlocal"};
  if (word.size() >= std::size(kWords)) return false;
  const std::string_view words = kWords[word.size()];
  for (size_t at = 0; at < words.size(); at += word.size() + 1) {
    if (words[at] == word[0] && words.substr(at, word.size()) == word) return true;
  }
  return false;
}

/// Returns an identifier as Python can write it: `from_` for `from`. The text is no template
/// argument; StaticNameOf returns one.
consteval const char* PythonName(std::string_view identifier) {
  if (!IsPythonKeyword(identifier)) return identifier.data();
  return std::define_static_string(std::string(identifier) + '_');
}

/// Returns the name of a declaration in Python: that of its annotation, else its own.
consteval const char* NameOf(info declaration, const Notes& notes) {
  return notes.name != nullptr ? notes.name : PythonName(identifier_of(declaration));
}
consteval const char* StaticNameOf(info declaration, const Notes& notes) {
  return std::define_static_string(std::string_view(NameOf(declaration, notes)));
}

}  // namespace tain::internal::reflect
#endif
