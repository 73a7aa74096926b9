// SPDX-License-Identifier: Apache-2.0
// std::filesystem::path crosses as str: a parameter takes str, bytes and paths of the host
// (os.PathLike); a result is a str.
//
// A path with a NUL is refused: C++ would see an extension after it, and the system another file.
// On systems whose paths are bytes, a byte that is not UTF-8 becomes a lone surrogate
// U+DC80..U+DCFF in the str, as in os.fsdecode.
#pragma once

#include <filesystem>

#include "tain/convert.h"

namespace tain {
namespace internal {

/// Returns the bytes of a path from its text: surrogates that represent bytes become these bytes.
/// Throws UnicodeEncodeError for other surrogates.
TAIN_DLL std::string PathBytes(std::string_view text);
/// Returns the text of a path from its bytes: bytes that are not UTF-8 become surrogates.
TAIN_DLL std::string PathText(std::string_view bytes);

/// Whether a path has a NUL. Systems see only the part before it, but std::filesystem sees all.
inline bool HasNul(std::string_view path) noexcept {
  return path.find('\0') != std::string_view::npos;
}
/// Returns the mismatch of a value that is no path, or a path with a NUL.
TAIN_DLL Mismatch PathMismatch(const TainAny* a);

/// Writes the text of a path. It is a template because only one of its halves compiles on a system.
template <typename Path>
void PathToAny(const Path& path, TainAny* out) {
  if constexpr (std::is_same_v<typename Path::value_type, char>) {
    TextToAny(PathText(path.native()), out);
  } else {
    const std::u8string text = path.u8string();
    TextToAny({reinterpret_cast<const char*>(text.data()), text.size()}, out);
  }
}

}  // namespace internal

template <>
struct TypeTraits<std::filesystem::path> : TypeTraitsBase {
  using Path = std::filesystem::path;
  static constexpr bool kViewable = false;

  static void MoveToAny(const Path& v, TainAny* out) { internal::PathToAny(v, out); }
  static bool CheckAnyStrict(const TainAny* a) noexcept {
    std::string_view text;
    return internal::TextOf(a, &text) && !internal::HasNul(text);
  }
  static Path CopyFromAnyViewAfterCheck(const TainAny* a) { return *TryCastFromAnyView(a); }
  static std::optional<Path> TryCastFromAnyView(const TainAny* a) {
    std::string_view text;
    if (Any path; internal::FromHost(*a, kTainHostPath, &path)) {
      return TryCastFromAnyView(&path.data());
    }
    if (internal::BytesOf(a, &text)) {
      if (internal::HasNul(text)) return std::nullopt;
      return Path(text);
    }
    if (!internal::TextOf(a, &text) && !internal::MemberText(*a, &text)) return std::nullopt;
    if (internal::HasNul(text)) return std::nullopt;
    if constexpr (std::is_same_v<Path::value_type, char>) return Path(internal::PathBytes(text));
    return Path(std::u8string(text.begin(), text.end()));
  }
  static std::string TypeStr() { return "str"; }
  static Mismatch ExplainMismatch(const TainAny* a) { return internal::PathMismatch(a); }
};

}  // namespace tain
