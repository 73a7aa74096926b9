// SPDX-License-Identifier: Apache-2.0
// Reading type expressions; see type_expr.h.
#include "tain/internal/type_expr.h"

#include <utility>

namespace tain::internal {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::optional<TypeExpr> Run() {
    TypeExpr expr;
    if (!ReadUnion(expr)) return std::nullopt;
    SkipBlanks();
    if (at_ != text_.size()) return std::nullopt;
    return expr;
  }

 private:
  static constexpr int kMaxDepth = 64;

  void SkipBlanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool Take(char token) {
    SkipBlanks();
    if (at_ == text_.size() || text_[at_] != token) return false;
    ++at_;
    return true;
  }

  bool ReadUnion(TypeExpr& out) {
    if (depth_ == kMaxDepth) return false;
    ++depth_;
    const bool good = ReadItem(out) && ReadAlternatives(out);
    --depth_;
    return good;
  }

  bool ReadAlternatives(TypeExpr& out) {
    if (!Take('|')) return true;
    TypeExpr first = std::move(out);
    out = TypeExpr{};
    out.kind = TypeExpr::Kind::kUnion;
    out.parts.push_back(std::move(first));
    do {
      if (!ReadItem(out.parts.emplace_back())) return false;
    } while (Take('|'));
    return true;
  }

  bool ReadItem(TypeExpr& out) {
    if (Take('[')) {
      out.kind = TypeExpr::Kind::kList;
      return ReadParts(out);
    }
    SkipBlanks();
    size_t end = text_.find_first_of("[],|", at_);
    if (end == std::string_view::npos) end = text_.size();
    std::string_view name = text_.substr(at_, end - at_);
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
    if (name.empty()) return false;
    at_ = end;
    out.name = name;
    out.has_brackets = Take('[');
    return !out.has_brackets || ReadParts(out);
  }

  /// Reads the parts in brackets, and the closing bracket.
  bool ReadParts(TypeExpr& out) {
    if (Take(']')) return true;
    do {
      if (!ReadUnion(out.parts.emplace_back())) return false;
    } while (Take(','));
    return Take(']');
  }

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<TypeExpr> ParseTypeExpr(std::string_view text) { return Parser(text).Run(); }

std::string WriteTypeExpr(const TypeExpr& expr, std::string (*write_name)(std::string_view name)) {
  const bool is_union = expr.kind == TypeExpr::Kind::kUnion;
  const bool brackets = expr.kind == TypeExpr::Kind::kList || expr.has_brackets;
  std::string text = write_name != nullptr && expr.kind == TypeExpr::Kind::kName
                         ? write_name(expr.name)
                         : std::string(expr.name);
  if (brackets) text += '[';
  for (size_t i = 0; i < expr.parts.size(); ++i) {
    if (i != 0) text += is_union ? " | " : ", ";
    text += WriteTypeExpr(expr.parts[i], write_name);
  }
  if (brackets) text += ']';
  return text;
}

}  // namespace tain::internal
