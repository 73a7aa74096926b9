// SPDX-License-Identifier: Apache-2.0
// Reads and writes access paths; see access_path_text.h.
#include "graphs/access_path_text.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/text_repr.h"
#include "base/utf8.h"
#include "tain/container/shape.h"
#include "tain/internal/container_api.h"

namespace tain::internal {
namespace {

bool IsNameByte(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
         (byte >= '0' && byte <= '9') || byte >= 0x80;
}

bool IsDigit(char c) noexcept { return c >= '0' && c <= '9'; }

bool IsName(std::string_view text) noexcept {
  if (text.empty() || IsDigit(text[0])) return false;
  for (const char c : text) {
    if (!IsNameByte(c)) return false;
  }
  return true;
}

/// Sequences within keys are read and written recursively, so deep.
constexpr int kMaxKeyNesting = 20;

class PathReader {
 public:
  explicit PathReader(std::string_view text) noexcept : text_(text) {}

  Array<AccessStep> Run() {
    constexpr std::string_view kRoot = "<root>";
    if (text_.starts_with(kRoot)) at_ = kRoot.size();
    Array<AccessStep> steps;
    while (at_ < text_.size()) steps.push_back(Step());
    return steps;
  }

 private:
  char Now() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool Ended() const noexcept { return at_ >= text_.size(); }

  /// Throws an error that shows the text around the position, which counts characters from 0.
  [[noreturn]] void Fail(std::string_view expected, size_t at) const {
    size_t position = 0;
    for (size_t i = 0; i < at && i < text_.size(); ++i) {
      if ((static_cast<unsigned char>(text_[i]) & 0xc0) != 0x80) ++position;
    }
    std::string got;
    if (at >= text_.size()) {
      got = "the end";
    } else {
      AppendStrRepr(Utf8Prefix(text_.substr(at), 20), &got);
    }
    TAIN_THROW(ValueError) << "AccessPath.parse: expected " << expected << " at position "
                           << position << ", got " << got;
  }
  [[noreturn]] void Fail(std::string_view expected) const { Fail(expected, at_); }

  AccessStep Step() {
    if (Now() == '.') {
      ++at_;
      return Make("attr", Any(String(Name())));
    }
    if (Now() != '[') Fail("'.' or '['");
    ++at_;
    Any key = Key();
    if (Now() != ']') Fail("']'");
    ++at_;
    return Make("key", std::move(key));
  }

  static AccessStep Make(std::string_view kind, Any value) {
    return AccessStep(make_object<AccessStepObj>(String(kind), std::move(value)));
  }

  std::string Name() {
    const size_t start = at_;
    if (Now() == '"' || Now() == '\'') {
      std::string name = Quoted(false);
      if (name.empty()) Fail("the name of an attribute", start);
      return name;
    }
    while (!Ended() && IsNameByte(Now())) ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    if (!IsName(name)) Fail("the name of an attribute", start);
    return std::string(name);
  }

  Any Key() { return Key(0); }

  Any Key(int depth) {
    if (Now() == '[' || Now() == '(') return Sequence(depth);
    if (Now() == '"' || Now() == '\'') return Any(String(Quoted(false)));
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("b\"") || rest.starts_with("b'")) {
      ++at_;
      return Any(::tain::Bytes(Quoted(true)));
    }
    const std::string_view word = rest.substr(0, rest.find_first_of(depth == 0 ? "]" : ",])"));
    Any value;
    if (!Word(word, &value)) {
      Fail("an int, a float, a quoted text, b'...', True, False, None or a sequence of these");
    }
    at_ += word.size();
    return value;
  }

  /// Reads `[1, "a"]`, an Array, or `(1, 2)`, a Shape if all are ints.
  Any Sequence(int depth) {
    if (depth >= kMaxKeyNesting) Fail("a sequence that is nested less deeply");
    const char end = text_[at_] == '[' ? ']' : ')';
    ++at_;
    Array<Any> items;
    bool are_ints = end == ')';
    while (Now() != end || !items.empty()) {
      Any item = Key(depth + 1);
      are_ints = are_ints && item.type_index() == kTainInt;
      items.push_back(std::move(item));
      if (!text_.substr(at_).starts_with(", ")) break;
      at_ += 2;
    }
    if (items.size() == 1 && end == ')' && Now() == ',') ++at_;
    if (Now() != end) Fail(end == ']' ? "', ' or ']'" : "', ' or ')'");
    ++at_;
    if (!are_ints) return Any(std::move(items));
    std::vector<int64_t> extents;
    for (const Any& item : items) extents.push_back(item.data().v_int64);
    return Any(::tain::Shape(extents));
  }

  /// Reads a number or a constant.
  bool Word(std::string_view word, Any* value) const {
    if (word == "None") return true;
    if (word == "True" || word == "False") {
      *value = Any(word == "True");
      return true;
    }
    const char* const end = word.data() + word.size();
    int64_t number = 0;
    auto [stop, code] = std::from_chars(word.data(), end, number);
    if (stop == end && !word.empty()) {
      if (code == std::errc::result_out_of_range) Fail("an int of 64 bits");
      *value = Any(number);
      return code == std::errc();
    }
    const bool begins =
        !word.empty() && (IsDigit(word[0]) || word[0] == '-' || word == "inf" || word == "nan");
    if (!begins) return false;
    double real = 0;
    const auto read = std::from_chars(word.data(), end, real);
    if (read.ptr != end || read.ec != std::errc()) return false;
    *value = Any(real);
    return true;
  }

  /// Reads a string in quotes.
  std::string Quoted(bool bytes) {
    const char quote = text_[at_];
    const size_t start = at_++;
    std::string out;
    while (Now() != quote || Ended()) {
      if (Ended()) Fail("a closing quote", start);
      if (Now() == '\\') {
        Escape(bytes, &out);
      } else {
        out.push_back(text_[at_++]);
      }
    }
    ++at_;
    return out;
  }

  void Escape(bool bytes, std::string* out) {
    constexpr std::string_view kLetters = "\\'\"abfnrtv";
    constexpr std::string_view kMeaning = "\\'\"\a\b\f\n\r\t\v";
    const size_t start = at_++;
    const char letter = Now();
    const size_t known = Ended() ? std::string_view::npos : kLetters.find(letter);
    if (known != std::string_view::npos) {
      out->push_back(kMeaning[known]);
      ++at_;
      return;
    }
    const size_t digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
    if (digits == 0 || (bytes && digits != 2)) Fail("an escape of Python", start);
    const std::string_view hex = text_.substr(std::min(at_ + 1, text_.size()), digits);
    uint32_t code = 0;
    const auto read = std::from_chars(hex.data(), hex.data() + hex.size(), code, 16);
    const bool complete = hex.size() == digits && read.ptr == hex.data() + hex.size();
    const bool is_character = code < 0x110000 && (code < 0xd800 || code > 0xdfff);
    if (!complete || read.ec != std::errc() || !is_character) Fail("an escape of Python", start);
    at_ += 1 + digits;
    if (bytes) {
      out->push_back(static_cast<char>(code));
    } else {
      AppendCharacter(code, out);
    }
  }

  std::string_view text_;
  size_t at_ = 0;
};

/// Writes a key as it is read again, if it can be. What a sequence shares is written each time, so
/// there are bounds, beyond which it writes `...`.
class KeyWriter {
 public:
  explicit KeyWriter(std::string* out) : out_(*out), end_(out->size() + kMaxSize) {}

  void Write(const TainAny& key, int depth = 0) {
    std::string_view text;
    if (key.type_index == kTainArray) return Sequence(key.v_obj, depth);
    if (TextOf(&key, &text)) return AppendKeyRepr(text, &out_);
    if (BytesOf(&key, &text)) return AppendBytesRepr(text, &out_);
    const bool is_object = key.type_index >= kTainStaticObjectBegin;
    if (is_object && ++num_objects_ > kMaxObjects) {
      out_.append("...");
      return;
    }
    TainAny made{};
    if (TainAnyRepr(&key, &made) != 0) throw Error::MoveFromRaised();
    const Any owned = Any::Steal(made);
    TextOf(&owned.data(), &text);
    const std::string_view shown = Utf8Prefix(text, kMaxRepr);
    out_.append(shown).append(shown.size() < text.size() ? "..." : "");
  }

 private:
  void Sequence(const TainObject* seq, int depth) {
    out_.push_back('[');
    for (int64_t i = 0; i < SeqSize(seq); ++i) {
      if (i > 0) out_.append(", ");
      if (out_.size() >= end_ || depth >= kMaxKeyNesting) {
        out_.append("...");
        break;
      }
      Write(SeqData(seq)[i], depth + 1);
    }
    out_.push_back(']');
  }

  static constexpr size_t kMaxSize = size_t{1} << 16;
  static constexpr size_t kMaxRepr = 80;
  static constexpr int kMaxObjects = 20;  // the repr of each may be long before it is cut
  std::string& out_;
  const size_t end_;
  int num_objects_ = 0;
};

}  // namespace

void AppendStep(const AccessStepObj& step, std::string* out) {
  if (std::string_view(step.kind) != "attr") {
    out->push_back('[');
    KeyWriter(out).Write(step.value.data());
    out->push_back(']');
    return;
  }
  std::string_view name;
  TextOf(&step.value.data(), &name);
  out->push_back('.');
  if (IsName(name)) {
    out->append(name);
  } else {
    AppendKeyRepr(name, out);
  }
}

std::string ShortPath(const Array<AccessStep>& steps, int64_t count) {
  constexpr int64_t kShownAtEnds = 20;
  std::string text = "<root>";
  for (int64_t i = 0; i < count; ++i) {
    if (i == kShownAtEnds && count > 2 * kShownAtEnds) {
      text += "...";
      i = count - kShownAtEnds;
    }
    AppendStep(*steps[i], &text);
  }
  return text;
}

Array<AccessStep> ParseSteps(std::string_view text) { return PathReader(text).Run(); }

}  // namespace tain::internal
