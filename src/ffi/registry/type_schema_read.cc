// SPDX-License-Identifier: Apache-2.0
// Type expressions from the JSON schemas of the ABI's metadata: the other way of type_schema.cc.
//
//   {"type_schema":"{\"type\":\"ffi.Array\",\"args\":[{\"type\":\"int\"}]}"}  gives  Array[int]
// A schema that cannot be read is `Any`: the text comes from other people's libraries.
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "registry/foreign_type.h"

namespace tain::internal {
namespace {

/// One node of a schema.
struct Schema {
  std::string type;
  std::vector<Schema> args;
  bool has_args = false;
};

/// Reads the subset of JSON that schemas use.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool ReadText(std::string& out) {
    if (!Take('"')) return false;
    for (; at_ < text_.size(); ++at_) {
      char c = text_[at_];
      if (c == '"') return ++at_, true;
      if (c == '\\') {
        if (++at_ == text_.size() || text_[at_] == 'u') return false;  // no name has \u
        c = text_[at_] == 'n' ? '\n' : text_[at_] == 't' ? '\t' : text_[at_];
      }
      out += c;
    }
    return false;
  }

  /// {"type": "...", "args": [...]}; other members are skipped if they are text.
  bool ReadSchema(Schema& out) {
    if (++depth_ > kMaxDepth || !Take('{')) return false;
    do {
      std::string name;
      if (!ReadText(name) || !Take(':')) return false;
      std::string text;
      if (name == "args") {
        if (!ReadArgs(out)) return false;
      } else if (!ReadText(name == "type" ? out.type : text)) {
        return false;
      }
    } while (Take(','));
    --depth_;
    return Take('}');
  }

  /// Returns the text of one member of an object whose members are texts.
  std::optional<std::string> Member(std::string_view wanted) {
    if (!Take('{')) return std::nullopt;
    do {
      std::string name, text;
      if (!ReadText(name) || !Take(':') || !ReadText(text)) return std::nullopt;
      if (name == wanted) return text;
    } while (Take(','));
    return std::nullopt;
  }

 private:
  static constexpr int kMaxDepth = 32;

  bool Take(char token) {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    if (at_ == text_.size() || text_[at_] != token) return false;
    ++at_;
    return true;
  }

  bool ReadArgs(Schema& out) {
    out.has_args = true;
    if (!Take('[')) return false;
    if (Take(']')) return true;
    do {
      if (!ReadSchema(out.args.emplace_back())) return false;
    } while (Take(','));
    return Take(']');
  }

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
};

/// The expressions' names for the names of schemas. A name that is not in the list is a type key.
constexpr std::array<std::pair<std::string_view, std::string_view>, 24> kTypeNames = {{
    {"ffi.String", "str"},
    {"std::string", "str"},
    {"const char*", "str"},
    {"ffi.SmallStr", "str"},
    {"ffi.Bytes", "bytes"},
    {"ffi.SmallBytes", "bytes"},
    {"ffi.Array", "Array"},
    {"ffi.List", "List"},
    {"ffi.Map", "Map"},
    {"ffi.Dict", "Dict"},
    {"list", "Array"},
    {"dict", "Map"},
    {"Tuple", "tuple"},
    {"ffi.Function", "Callable"},
    {"DataType", "dtype"},
    {"ffi.Object", "Object"},
    {"ffi.Error", "Error"},
    {"ffi.Tensor", "Tensor"},
    {"ffi.Shape", "Shape"},
    {"ffi.Module", "Module"},
    {"void*", "Any"},
    {"DLTensor*", "Any"},
    {"ffi.OpaquePyObject", "Any"},
    {"", "Any"},
}};

std::string Express(const Schema& schema);

std::string Join(const std::vector<Schema>& parts, size_t from, const char* between) {
  std::string text;
  for (size_t i = from; i < parts.size(); ++i)
    text += (i == from ? "" : between) + Express(parts[i]);
  return text;
}

std::string Express(const Schema& schema) {
  if (schema.type == "Optional" && schema.args.size() == 1) {
    return Express(schema.args[0]) + " | None";
  }
  if ((schema.type == "Union" || schema.type == "Variant") && !schema.args.empty()) {
    return Join(schema.args, 0, " | ");
  }
  std::string name = schema.type;
  for (const auto& [theirs, ours] : kTypeNames) {
    if (schema.type == theirs) name = ours;
  }
  if (name.find_first_of(" []|,") != std::string::npos || name == "Optional" || name == "Union") {
    return "Any";
  }
  if (name == "Callable") {
    if (schema.args.empty()) return "Callable[..., Any]";
    return "Callable[[" + Join(schema.args, 1, ", ") + "], " + Express(schema.args[0]) + "]";
  }
  return schema.args.empty() || name == "Any" ? name
                                              : name + "[" + Join(schema.args, 0, ", ") + "]";
}

std::optional<Schema> SchemaOf(const TainByteArray& metadata) {
  const std::optional<std::string> text =
      Reader({metadata.data, metadata.size}).Member("type_schema");
  Schema schema;
  if (!text || !Reader(*text).ReadSchema(schema)) return std::nullopt;
  return schema;
}

}  // namespace

std::string TypeFromMetadata(const TainByteArray& metadata) {
  const std::optional<Schema> schema = SchemaOf(metadata);
  return schema ? Express(*schema) : std::string("Any");
}

std::optional<std::vector<std::string>> ParametersFromMetadata(const TainByteArray& metadata) {
  const std::optional<Schema> schema = SchemaOf(metadata);
  if (!schema || schema->type != "ffi.Function" || schema->args.empty()) return std::nullopt;
  std::vector<std::string> types;
  for (size_t i = 1; i < schema->args.size(); ++i) types.push_back(Express(schema->args[i]));
  return types;
}

}  // namespace tain::internal
