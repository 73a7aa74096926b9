// SPDX-License-Identifier: Apache-2.0
// Type expressions as the JSON schemas that the ecosystem's metadata carries.
//
//   Array[geometry.Point] | None
//   {"type":"Optional","args":[{"type":"ffi.Array","args":[{"type":"geometry.Point"}]}]}
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "registry/member_writer.h"

namespace tain::internal {
namespace {

/// The schema's names for the names of expressions. A name that is not in the list is a type key.
constexpr std::array<std::pair<std::string_view, std::string_view>, 18> kNames = {{
    {"str", "ffi.String"},
    {"bytes", "ffi.Bytes"},
    {"Array", "ffi.Array"},
    {"List", "ffi.List"},
    {"Map", "ffi.Map"},
    {"Dict", "ffi.Dict"},
    {"tuple", "Tuple"},
    {"Callable", "ffi.Function"},
    {"Function", "ffi.Function"},
    {"Device", "Device"},
    {"dtype", "DataType"},
    {"Object", "ffi.Object"},
    {"Error", "ffi.Error"},
    {"Tensor", "ffi.Tensor"},
    {"ArrayLike", "ffi.Tensor"},
    {"numpy.ndarray", "ffi.Tensor"},
    {"Shape", "ffi.Shape"},
    {"Module", "ffi.Module"},
}};

bool NeedsEscape(char c) noexcept {
  return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
}

void AppendEscaped(std::string_view text, std::string& out) {
  static constexpr char kHex[] = "0123456789abcdef";
  while (!text.empty()) {
    const auto special = std::find_if(text.begin(), text.end(), NeedsEscape);
    const auto plain = static_cast<size_t>(special - text.begin());
    out.append(text.data(), plain);
    if (special == text.end()) return;
    const auto byte = static_cast<unsigned char>(*special);
    if (byte < 0x20) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += '\\';
      out += *special;
    }
    text.remove_prefix(plain + 1);
  }
}

/// Reads an expression and writes its schema; stops at the first part that it cannot read.
class SchemaParser {
 public:
  SchemaParser(std::string_view text, std::string& out) : text_(text), out_(out) {}

  /// Whether the whole text is an expression.
  bool Run() { return Union() && (SkipBlanks(), at_ == text_.size()); }

 private:
  static constexpr int kMaxDepth = 64;

  void SkipBlanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool Take(std::string_view token) {
    SkipBlanks();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  /// A | B | None
  bool Union() {
    if (++depth_ > kMaxDepth) return false;
    std::vector<std::string> parts;
    bool has_none = false;
    do {
      std::string part;
      part.swap(out_);
      const bool good = Single();
      part.swap(out_);
      if (!good) return false;
      if (part == R"({"type":"None"})") {
        has_none = true;
      } else {
        parts.push_back(std::move(part));
      }
    } while (Take("|"));
    --depth_;
    if (parts.empty()) {
      out_ += R"({"type":"None"})";
      return true;
    }
    if (has_none) out_ += R"({"type":"Optional","args":[)";
    if (parts.size() > 1) out_ += R"({"type":"Union","args":[)";
    for (size_t i = 0; i < parts.size(); ++i) {
      if (i != 0) out_ += ',';
      out_ += parts[i];
    }
    if (parts.size() > 1) out_ += "]}";
    if (has_none) out_ += "]}";
    return true;
  }

  /// name or name[...]
  bool Single() {
    SkipBlanks();
    const size_t begin = at_;
    while (at_ < text_.size() &&
           std::string_view(" [],|").find(text_[at_]) == std::string_view::npos) {
      ++at_;
    }
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name.empty()) return false;
    const auto known = std::find_if(kNames.begin(), kNames.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    out_ += R"({"type":")";
    AppendEscaped(known == kNames.end() ? name : known->second, out_);
    out_ += '"';
    if (name == "Tensor" || name == "ArrayLike") {  // what an array must be is not in the schema
      if (Take("[")) at_ = std::min(text_.find(']', at_), text_.size() - 1) + 1;
    } else if (Take("[") && !(name == "Callable" ? CallableArgs() : Args()))
      return false;
    out_ += '}';
    return true;
  }

  /// A, B] after the opening bracket
  bool Args() {
    out_ += R"(,"args":[)";
    if (!List()) return false;
    out_ += ']';
    return true;
  }

  bool List() {
    bool first = true;
    while (!Take("]")) {
      if (!first && !Take(",")) return false;
      if (!first) out_ += ',';
      first = false;
      if (Take("()")) continue;  // the empty tuple
      if (!Union()) return false;
    }
    return true;
  }

  /// [A, B], R] or ..., R] after the opening bracket. The schema has the result first.
  bool CallableArgs() {
    std::string before;
    before.swap(out_);
    const bool any_args = Take("...");
    if (!any_args && (!Take("[") || !List())) return false;
    std::string params;
    params.swap(out_);
    if (!Take(",") || !Union() || !Take("]")) return false;
    std::string result;
    result.swap(out_);
    out_.swap(before);
    if (any_args) return true;  // no parameters: any function
    out_ += R"(,"args":[)" + result;
    if (!params.empty()) out_ += ',' + params;
    out_ += ']';
    return true;
  }

  std::string_view text_;
  std::string& out_;
  size_t at_ = 0;
  int depth_ = 0;
};

constexpr std::string_view kBefore = R"({"type_schema":")";
constexpr std::string_view kAfter = "\"}";
constexpr std::string_view kMethodBefore = R"({"type_schema":"{\"type\":\"ffi.Function\")";
constexpr std::string_view kMethodArgs = R"(,\"args\":[)";

}  // namespace

std::string FieldMetadata(std::string_view type) {
  std::string schema;
  if (!SchemaParser(type, schema).Run()) schema = R"({"type":"Any"})";
  std::string text(kBefore);
  AppendEscaped(schema, text);
  text += kAfter;
  return text;
}

std::string_view SchemaInMetadata(std::string_view metadata) noexcept {
  return metadata.substr(kBefore.size(), metadata.size() - kBefore.size() - kAfter.size());
}

std::string BeginMethodMetadata() { return std::string(kMethodBefore); }

void AddToMethodMetadata(std::string_view schema, std::string& text) {
  text += text.size() == kMethodBefore.size() ? kMethodArgs : std::string_view(",");
  text += schema;
}

void AddKeyToMethodMetadata(std::string_view type_key, std::string& text) {
  AddToMethodMetadata(R"({\"type\":\")", text);
  if (std::none_of(type_key.begin(), type_key.end(), NeedsEscape)) {
    text += type_key;
  } else {
    std::string escaped;  // escaped once for the schema, and once for the text that contains it
    AppendEscaped(type_key, escaped);
    AppendEscaped(escaped, text);
  }
  text += R"(\"})";
}

std::string MetadataOf(const TainFunctionInfo& info) {
  std::string text = BeginMethodMetadata();
  if ((info.flags & kTainCallPacked) == 0) {
    const auto add = [&](const TainByteArray& type) {
      const std::string metadata = FieldMetadata(
          type.size == 0 ? std::string_view("Any") : std::string_view(type.data, type.size));
      AddToMethodMetadata(SchemaInMetadata(metadata), text);
    };
    add(info.return_type);
    for (int32_t i = 0; i < info.num_args; ++i) add(info.args[i].type);
  }
  EndMethodMetadata(text);
  return text;
}

void EndMethodMetadata(std::string& text) {
  if (text.size() != kMethodBefore.size()) text += ']';
  text += '}';
  text += kAfter;
}

}  // namespace tain::internal
