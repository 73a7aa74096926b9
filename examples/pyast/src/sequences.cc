// SPDX-License-Identifier: Apache-2.0
// Operations on text, bytes and tuples; see sequences.h.
#include "sequences.h"

#include <string>
#include <string_view>

namespace pyast {
namespace {

using tain::Bytes;
using Items = Array<Any>;

constexpr int64_t kMaxText = 4096;   // MAX_STR_SIZE of CPython's ast_opt.c
constexpr int64_t kMaxItems = 256;   // MAX_COLLECTION_SIZE
constexpr int64_t kMaxTotal = 1024;  // MAX_TOTAL_ITEMS

bool StartsCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

int64_t Characters(std::string_view text) {
  int64_t count = 0;
  for (const char byte : text) count += StartsCharacter(byte);
  return count;
}

/// Character `index`, which exists.
std::string_view Character(std::string_view text, int64_t index) {
  size_t begin = 0;
  for (; index > 0 || !StartsCharacter(text[begin]); ++begin) index -= StartsCharacter(text[begin]);
  size_t end = begin + 1;
  while (end < text.size() && !StartsCharacter(text[end])) ++end;
  return text.substr(begin, end - begin);
}

std::string Repeated(std::string_view text, int64_t count) {
  std::string result;
  for (int64_t i = 0; i < count && !text.empty(); ++i) result.append(text);
  return result;
}

/// What is left of a limit on items, nested ones too; below zero if they are more.
int64_t LeftOf(const Items& items, int64_t limit) {
  limit -= static_cast<int64_t>(items.size());
  for (size_t i = 0; i < items.size() && limit >= 0; ++i) {
    if (const auto nested = items[static_cast<int64_t>(i)].as<Items>()) {
      limit = LeftOf(*nested, limit);
    }
  }
  return limit;
}

}  // namespace

std::optional<int64_t> Length(const Any& sequence) {
  if (const auto text = sequence.as<String>()) return Characters(*text);
  if (const auto bytes = sequence.as<Bytes>()) return static_cast<int64_t>(bytes->size());
  if (const auto items = sequence.as<Items>()) return static_cast<int64_t>(items->size());
  return std::nullopt;
}

std::optional<Any> Concatenate(const Any& left, const Any& right) {
  if (const auto a = left.as<String>(), b = right.as<String>(); a && b) {
    return Any(*a + std::string_view(*b));
  }
  if (const auto a = left.as<Bytes>(), b = right.as<Bytes>(); a && b) {
    return Any(Bytes(std::string(*a) + std::string(*b)));
  }
  if (const auto a = left.as<Items>(), b = right.as<Items>(); a && b) {
    Items sum = *a;
    for (const Any& item : *b) sum.push_back(item);
    return Any(sum);
  }
  return std::nullopt;
}

std::optional<Any> Repeat(const Any& sequence, int64_t count) {
  const std::optional<int64_t> length = Length(sequence);
  if (!length) return std::nullopt;
  const auto items = sequence.as<Items>();
  if (*length > 0) {
    if (count < 0 || count > (items ? kMaxItems : kMaxText) / *length) return std::nullopt;
    if (items && count > 0 && LeftOf(*items, kMaxTotal / count) < 0) return std::nullopt;
  } else {
    count = 0;
  }
  if (const auto text = sequence.as<String>()) return Any(String(Repeated(*text, count)));
  if (const auto bytes = sequence.as<Bytes>()) return Any(Bytes(Repeated(*bytes, count)));
  Items repeated;
  for (int64_t i = 0; i < count; ++i) {
    for (const Any& item : *items) repeated.push_back(item);
  }
  return Any(repeated);
}

std::optional<Any> Item(const Any& sequence, int64_t index) {
  const std::optional<int64_t> length = Length(sequence);
  if (!length) return std::nullopt;
  if (index < 0) index += *length;
  if (index < 0 || index >= *length) return std::nullopt;
  if (const auto text = sequence.as<String>()) return Any(String(Character(*text, index)));
  if (const auto bytes = sequence.as<Bytes>()) {
    return Any(
        static_cast<int64_t>(static_cast<unsigned char>((*bytes)[static_cast<size_t>(index)])));
  }
  return (*sequence.as<Items>())[index];
}

std::optional<bool> ContainsText(const Any& text, const Any& part) {
  const auto found = [](std::string_view all, std::string_view some) {
    return all.find(some) != std::string_view::npos;
  };
  if (const auto a = text.as<String>(), b = part.as<String>(); a && b) return found(*a, *b);
  if (const auto a = text.as<Bytes>(), b = part.as<Bytes>(); a && b) return found(*a, *b);
  return std::nullopt;
}

}  // namespace pyast
