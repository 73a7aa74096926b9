// SPDX-License-Identifier: Apache-2.0
// String and Bytes: immutable, counted, 16 bytes; up to 7 bytes are stored inline.
//
// String is UTF-8 text, Bytes is any bytes. Both may contain NULs and end with a NUL that is not
// counted.
#pragma once

#include <compare>
#include <cstring>
#include <iosfwd>
#include <new>
#include <string>
#include <string_view>

#include "tain/ref.h"

namespace tain {
namespace internal {

/// Makes an owned value: of index `small` with inline bytes if they fit, else an object of type
/// `large`. Throws std::bad_alloc.
TAIN_DLL void MakeText(std::string_view text, int32_t small_index, int32_t large_index,
                       TainAny* out);

/// Writes text as operator<< of std::string does.
TAIN_DLL std::ostream& WriteText(std::ostream& out, std::string_view text);

/// Returns the cell of an object of text or bytes, which follows its header.
inline const TainByteArray* TextCellOf(const TainObject* object) noexcept {
  return reinterpret_cast<const TainByteArray*>(object + 1);
}

/// The common base of String and Bytes: a value of index `kSmall` or `kLarge`.
template <int32_t kSmall, int32_t kLarge, class Self>
class BytesCell {
 public:
  BytesCell() noexcept : cell_{} { cell_.type_index = kSmall; }
  BytesCell(const BytesCell& other) noexcept : cell_(other.cell_) {
    if (cell_.type_index == kLarge) IncRef(cell_.v_obj);
  }
  BytesCell(BytesCell&& other) noexcept : cell_(other.cell_) { other.Clear(); }
  BytesCell& operator=(BytesCell other) noexcept {
    std::swap(cell_, other.cell_);
    return *this;
  }
  ~BytesCell() {
    if (cell_.type_index == kLarge) DecRef(cell_.v_obj);
  }

  /// Returns a pointer to the first byte. The byte after the last one is NUL.
  const char* data() const noexcept {
    return cell_.type_index == kSmall ? cell_.v_bytes : Large()->data;
  }
  /// Returns the number of bytes.
  size_t size() const noexcept {
    return cell_.type_index == kSmall ? cell_.small_str_len : Large()->size;
  }
  /// The same as `size()`.
  size_t length() const noexcept { return size(); }
  /// Whether there are no bytes.
  bool empty() const noexcept { return size() == 0; }
  /// The first byte, for `for (char c : text)`.
  const char* begin() const noexcept { return data(); }
  /// The place after the last byte.
  const char* end() const noexcept { return data() + size(); }
  /// Returns byte i, which is not checked.
  char operator[](size_t i) const noexcept { return data()[i]; }
  /// Converts to a view, implicitly; it is valid as long as this value.
  operator std::string_view() const noexcept { return {data(), size()}; }  // NOLINT: as std::string
  /// Converts to a std::string, which is a copy: `std::string(text)`. A std::string converts back
  /// implicitly: `tain::String text = name;`.
  explicit operator std::string() const { return std::string(data(), size()); }

  /// Whether both have the same bytes.
  friend bool operator==(const Self& a, const Self& b) noexcept {
    return std::string_view(a) == std::string_view(b);
  }
  /// Compares byte by byte.
  friend auto operator<=>(const Self& a, const Self& b) noexcept {
    return std::string_view(a) <=> std::string_view(b);
  }

 protected:
  friend struct CellAccess;
  void Assign(std::string_view text) {
    if (text.size() > 7) return MakeText(text, kSmall, kLarge, &cell_);
    cell_.small_str_len = static_cast<uint32_t>(text.size());
    if (!text.empty()) std::memcpy(cell_.v_bytes, text.data(), text.size());
  }
  void Clear() noexcept {
    cell_ = TainAny{};
    cell_.type_index = kSmall;
  }
  const TainByteArray* Large() const noexcept { return TextCellOf(cell_.v_obj); }
  TainAny cell_;
};

/// Gives the conversion traits access to the cell.
struct CellAccess {
  template <class T>
  static TainAny& Get(T& value) noexcept {
    return value.cell_;
  }
  template <class T>
  static const TainAny& Get(const T& value) noexcept {
    return value.cell_;
  }
};

}  // namespace internal

/// UTF-8 text.
class String : public internal::BytesCell<kTainSmallStr, kTainStr, String> {
 public:
  /// An empty text; or a copy of text in UTF-8, from a std::string too.
  String() noexcept = default;
  String(const char* text) { Assign(text); }  // NOLINT: as std::string
  String(const char* text, size_t size) { Assign({text, size}); }
  String(std::string_view text) { Assign(text); }    // NOLINT: as std::string
  String(const std::string& text) { Assign(text); }  // NOLINT: as std::string
  String(std::nullptr_t) = delete;

  /// Returns the text with a NUL after it.
  const char* c_str() const noexcept { return data(); }
  /// Compares with text of any kind.
  friend bool operator==(const String& a, const char* b) noexcept {
    return std::string_view(a) == b;
  }
  friend bool operator==(const String& a, std::string_view b) noexcept {
    return std::string_view(a) == b;
  }
  friend bool operator==(const String& a, const std::string& b) noexcept {
    return std::string_view(a) == b;
  }
  /// Returns both texts, one after the other.
  friend String operator+(const String& a, std::string_view b) {
    std::string sum(a);
    sum.append(b);
    return String(sum);
  }
  /// Writes the text.
  friend std::ostream& operator<<(std::ostream& out, const String& text) {
    return internal::WriteText(out, text);
  }
};

/// Any bytes.
class Bytes : public internal::BytesCell<kTainSmallBytes, kTainBytes, Bytes> {
 public:
  /// No bytes; or a copy of bytes.
  Bytes() noexcept = default;
  Bytes(const char* data, size_t size) { Assign({data, size}); }
  explicit Bytes(std::string_view data) { Assign(data); }
};

static_assert(sizeof(String) == 16 && sizeof(Bytes) == 16);

}  // namespace tain

template <>
struct std::hash<tain::String> {
  size_t operator()(const tain::String& text) const noexcept {
    return std::hash<std::string_view>{}(text);
  }
};
template <>
struct std::hash<tain::Bytes> {
  size_t operator()(const tain::Bytes& data) const noexcept {
    return std::hash<std::string_view>{}(data);
  }
};
