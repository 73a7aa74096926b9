// SPDX-License-Identifier: Apache-2.0
// Type expressions as the JSON schemas that the ecosystem's metadata carries, and back.
//
//   Array[geometry.Point] | None
//   {"type":"Optional","args":[{"type":"ffi.Array","args":[{"type":"geometry.Point"}]}]}
// In metadata the schema is a text itself: {"type_schema":"{\"type\":\"int\"}"}. A schema that cannot
// be read is `Any`: the text comes from other people's libraries.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "json/json_reader.h"
#include "json/json_text.h"
#include "registry/foreign_type.h"
#include "registry/member_writer.h"
#include "tain/error.h"
#include "tain/internal/builtin_types.h"
#include "tain/internal/type_expr.h"

namespace tain::internal {
namespace {

// ---------------------------------------------------------------- writing

void BeginSchema(std::string_view type, std::string* out) {
  out->append(R"({"type":)");
  WriteJsonString(type, out);
}

bool WriteSchema(const TypeExpr& expr, std::string* out);

/// Writes `,"args":[...]` with the schemas of the parts. Returns false if one has none.
template <class Parts>
bool WriteArgs(const Parts& parts, std::string* out) {
  out->append(R"(,"args":[)");
  bool is_first = true;
  for (const TypeExpr* part : parts) {
    if (part->name == "()") continue;  // the empty tuple
    if (!std::exchange(is_first, false)) out->push_back(',');
    if (!WriteSchema(*part, out)) return false;
  }
  out->push_back(']');
  return true;
}

std::vector<const TypeExpr*> PartsOf(const TypeExpr& expr) {
  std::vector<const TypeExpr*> parts;
  for (const TypeExpr& part : expr.parts) parts.push_back(&part);
  return parts;
}

bool IsNone(const TypeExpr* expr) noexcept { return expr->name == "None"; }

/// Writes `A | B | None`. Alternatives are a Union, and None makes it Optional.
bool WriteUnion(const TypeExpr& expr, std::string* out) {
  std::vector<const TypeExpr*> parts = PartsOf(expr);
  const auto end = std::remove_if(parts.begin(), parts.end(), &IsNone);
  if (end == parts.begin()) return WriteSchema(expr.parts[0], out);  // None | None
  const bool is_optional = end != parts.end();
  parts.erase(end, parts.end());
  if (is_optional) out->append(R"({"type":"Optional","args":[)");
  if (parts.size() == 1) {
    if (!WriteSchema(*parts[0], out)) return false;
  } else {
    BeginSchema("Union", out);
    if (!WriteArgs(parts, out)) return false;
    out->push_back('}');
  }
  if (is_optional) out->append("]}");
  return true;
}

/// Writes the parts of `Callable[[A, B], R]`, with the result first, as schemas have them. Nothing
/// is written for `Callable[..., R]`, which is any function.
bool WriteCallable(const TypeExpr& expr, std::string* out) {
  if (expr.parts.size() != 2) return false;
  const TypeExpr& given = expr.parts[0];
  if (given.name == "...") return true;
  if (given.kind != TypeExpr::Kind::kList) return false;
  std::vector<const TypeExpr*> parts = PartsOf(given);
  parts.insert(parts.begin(), &expr.parts[1]);
  return WriteArgs(parts, out);
}

/// Returns false if the expression has no schema.
bool WriteSchema(const TypeExpr& expr, std::string* out) {
  if (expr.kind == TypeExpr::Kind::kUnion) return WriteUnion(expr, out);
  if (expr.name.empty() || expr.name.find(' ') != std::string_view::npos) return false;
  const BuiltinType* builtin = FindBuiltin(expr.name);
  BeginSchema(builtin != nullptr ? builtin->schema : expr.name, out);
  const BuiltinForm form = builtin != nullptr ? builtin->form : BuiltinForm::kLeaf;
  // What an array must be is not in the schema.
  if (expr.has_brackets && form != BuiltinForm::kArray) {
    const bool is_callable = form == BuiltinForm::kCallable;
    if (!(is_callable ? WriteCallable(expr, out) : WriteArgs(PartsOf(expr), out))) return false;
  }
  out->push_back('}');
  return true;
}

constexpr std::string_view kBefore = R"({"type_schema":")";
constexpr std::string_view kAfter = "\"}";

/// Returns metadata with a schema.
std::string AsMetadata(std::string_view schema) {
  std::string text(kBefore);
  text.pop_back();
  WriteJsonString(schema, &text);
  text += '}';
  return text;
}

// ---------------------------------------------------------------- reading

/// One node of a schema.
struct Schema {
  std::string type;
  std::vector<Schema> args;
};

constexpr int kMaxDepth = 32;

Schema ReadSchema(JsonReader& in, int depth);

/// Reads `[schema, ...]` to the end of a list.
void ReadSchemas(JsonReader& in, int depth, std::vector<Schema>* out) {
  in.Expect('[');
  if (in.Take(']')) return;
  do out->push_back(ReadSchema(in, depth));
  while (in.Take(','));
  in.Expect(']');
}

/// Reads `{"return": [...], "params": [...]}`, as which functions list their types from 0.1.15 on: the
/// result, which may be missing, and the parameters.
std::vector<Schema> ReadNamedSchemas(JsonReader& in, int depth) {
  std::vector<Schema> results, parameters;
  in.Expect('{');
  do {
    const std::string name(in.Name());
    if (name != "return" && name != "params") in.Fail("no member of a function's schema");
    ReadSchemas(in, depth, name == "return" ? &results : &parameters);
  } while (in.Take(','));
  in.Expect('}');
  results.resize(1);
  results.insert(results.end(), parameters.begin(), parameters.end());
  return results;
}

/// Reads `{"type": "...", "args": [...]}`; other members are skipped if they are no containers.
Schema ReadSchema(JsonReader& in, int depth) {
  if (depth == kMaxDepth) in.Fail("a schema of too many levels");
  Schema schema;
  in.Expect('{');
  do {
    const std::string name(in.Name());
    if (name == "args") {
      ReadSchemas(in, depth + 1, &schema.args);
    } else if (name == "named_args") {
      schema.args = ReadNamedSchemas(in, depth + 1);
    } else if (in.Peek() == '"') {
      const std::string_view text = in.String();
      if (name == "type") schema.type = text;
    } else {
      TainAny value{};
      in.Scalar(&value);
      const Any owned = Any::Steal(value);
    }
  } while (in.Take(','));
  in.Expect('}');
  return schema;
}

/// The text of the schema in metadata.
std::string ReadMetadata(JsonReader& in) {
  in.Expect('{');
  do {
    const bool is_schema = in.Name() == "type_schema";
    const std::string_view text = in.String();
    if (is_schema) return std::string(text);
  } while (in.Take(','));
  in.Fail("no type_schema");
}

std::optional<Schema> SchemaOf(const TainByteArray& metadata) {
  try {
    ByteSource bytes(View(metadata));
    JsonReader outer("metadata", &bytes);
    const std::string text = ReadMetadata(outer);
    ByteSource schema(text);
    JsonReader inner("a schema", &schema);
    return ReadSchema(inner, 0);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Names of types in schemas beside those of the table.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"std::string", "str"},
    {"list", "Array"},
    {"dict", "Map"},
    {"void*", "Any"},
    {"DLTensor*", "Any"},
    {"ffi.OpaquePyObject", "Any"},
    {"", "Any"},
};

/// Returns the name in type expressions. A name that is in no list is a type key.
std::string_view NameOf(std::string_view type) noexcept {
  for (const auto& [theirs, ours] : kOtherNames) {
    if (type == theirs) return ours;
  }
  for (const BuiltinType& builtin : BuiltinTypes()) {
    if ((builtin.schema == type || builtin.key == type) && !builtin.name.empty()) {
      return builtin.name;
    }
  }
  return type;
}

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
  const std::string name(NameOf(schema.type));
  if (name.find_first_of(" []|,") != std::string::npos || name == "Optional" || name == "Union") {
    return "Any";
  }
  if (HasForm(name, BuiltinForm::kCallable)) {
    if (schema.args.empty()) return "Callable[..., Any]";
    return "Callable[[" + Join(schema.args, 1, ", ") + "], " + Express(schema.args[0]) + "]";
  }
  return schema.args.empty() || name == "Any" ? name
                                              : name + "[" + Join(schema.args, 0, ", ") + "]";
}

}  // namespace

// ---------------------------------------------------------------- metadata

std::string FieldMetadata(std::string_view type) {
  const std::optional<TypeExpr> expr = ParseTypeExpr(type);
  std::string schema;
  return AsMetadata(expr && WriteSchema(*expr, &schema) ? schema : R"({"type":"Any"})");
}

std::string KeyMetadata(std::string_view type_key) {
  std::string schema;
  BeginSchema(type_key, &schema);
  return AsMetadata(schema + "}");
}

std::string FunctionMetadata(const std::vector<std::string_view>& parts) {
  std::string text = R"({"type_schema":"{\"type\":\"ffi.Function\")";
  for (size_t i = 0; i < parts.size(); ++i) {
    text += i == 0 ? R"(,\"args\":[)" : ",";
    text += parts[i].substr(kBefore.size(), parts[i].size() - kBefore.size() - kAfter.size());
  }
  if (!parts.empty()) text += ']';
  text += '}';
  text += kAfter;
  return text;
}

std::string MetadataOf(const TainFunctionInfo& info) {
  std::vector<std::string> parts;
  if ((info.flags & kTainCallPacked) == 0) {
    const auto add = [&](const TainByteArray& type) {
      parts.push_back(FieldMetadata(type.size == 0 ? std::string_view("Any") : View(type)));
    };
    add(info.return_type);
    for (int32_t i = 0; i < info.num_args; ++i) add(info.args[i].type);
  }
  return FunctionMetadata({parts.begin(), parts.end()});
}

std::string TypeFromMetadata(const TainByteArray& metadata) {
  const std::optional<Schema> schema = SchemaOf(metadata);
  return schema ? Express(*schema) : std::string("Any");
}

std::optional<FunctionTypes> TypesFromMetadata(const TainByteArray& metadata) {
  const std::optional<Schema> schema = SchemaOf(metadata);
  if (!schema || schema->type != "ffi.Function" || schema->args.empty()) return std::nullopt;
  FunctionTypes types{Express(schema->args[0]), {}};
  for (size_t i = 1; i < schema->args.size(); ++i) {
    types.parameters.push_back(Express(schema->args[i]));
  }
  return types;
}

}  // namespace tain::internal
