// SPDX-License-Identifier: Apache-2.0
// The public functions of structural comparison, and the text of a difference.
#include "tain/graph/structural.h"

#include "base/guard.h"
#include "base/text_repr.h"
#include "compare/structural_equal.h"
#include "compare/structural_hash.h"
#include "compare/structural_leaf.h"
#include "graphs/access_path_text.h"
#include "graphs/parts.h"
#include "tain/internal/container_api.h"

namespace tain {
namespace internal {
namespace {

Region RootRegion(bool map_free_vars) noexcept {
  return map_free_vars ? Region::kDef : Region::kUse;
}

TensorContent ContentOf(bool skip_tensor_content) noexcept {
  return skip_tensor_content ? TensorContent::kSkipped : TensorContent::kCounts;
}

/// Writes a short text of a value: at most three levels, without code of users.
class Excerpt {
 public:
  static std::string Of(const TainAny& value, int levels, size_t size) {
    Excerpt excerpt(size);
    excerpt.Value(value, levels);
    if (excerpt.out_.size() <= size) return std::move(excerpt.out_);
    return std::string(Utf8Prefix(excerpt.out_, size)) + "...";
  }

 private:
  explicit Excerpt(size_t size) noexcept : size_(size) {}
  bool IsFull() const noexcept { return out_.size() > size_; }

  void Value(const TainAny& value, int levels) {
    constexpr size_t kMaxTextBytes = 60;
    std::string_view text;
    const bool is_text = TextOf(&value, &text);
    if (is_text || BytesOf(&value, &text)) {
      const std::string_view shown = Utf8Prefix(text, kMaxTextBytes);
      is_text ? AppendStrRepr(shown, &out_) : AppendBytesRepr(shown, &out_);
      out_ += shown.size() < text.size() ? "..." : "";
    } else if (value.type_index >= kTainDynObjectBegin || IsContainer(value.type_index)) {
      Whole(value, levels);
    } else if (value.type_index == kTainOpaquePyObject) {
      out_ += "<" + TypeNameOf(value) + ">";
    } else {
      TainAny made{};
      if (TainAnyRepr(&value, &made) != 0) throw Error::MoveFromRaised();
      out_ += Any::Steal(made).cast<std::string>();
    }
  }

  void Whole(const TainAny& value, int levels) {
    const PartsOf form = PartsOfType(value.type_index);
    const bool is_object = form == PartsOf::kFields;
    const char* brackets = is_object ? "()" : form == PartsOf::kMap ? "{}" : "[]";
    if (is_object) out_ += TypeNameOf(value);
    out_ += brackets[0];
    if (levels == 0) {
      out_ += "...";
    } else {
      AllParts(value, levels);
    }
    out_ += brackets[1];
  }

  void AllParts(const TainAny& value, int levels) {
    Parts parts(value.v_obj);
    Part part;
    for (bool is_first = true; !IsFull() && parts.Next(&part); is_first = false) {
      if (!is_first) out_ += part.kind == PartKind::kValue ? ": " : ", ";
      if (part.kind == PartKind::kField) out_ += std::string(View(part.field->info.name)) + "=";
      Value(part.view, levels - 1);
    }
  }

  std::string out_;
  size_t size_;
};

/// Returns a value with its type where the types of both sides differ.
std::string SideText(const std::optional<Any>& value, bool with_type) {
  if (!value) return "nothing";
  const std::string text = Excerpt::Of(value->data(), 1, 120);
  const int32_t type_index = value->type_index();
  const bool names_type = type_index >= kTainDynObjectBegin || type_index == kTainNone;
  return with_type && !names_type ? TypeNameOf(value->data()) + " " + text : text;
}

/// Returns the value around a place: what has it as a part; nothing for the root.
std::optional<Any> Around(const Any& root, const Array<AccessStep>& steps) {
  if (steps.empty()) return std::nullopt;
  try {
    return AccessPath(Array<AccessStep>(steps.begin(), steps.end() - 1)).Get(root);
  } catch (const Error&) {
    return std::nullopt;  // names that a hook gave need not be fields
  }
}

std::string MessageOf(const FoundMismatch& found, const Any& a, const Any& b) {
  const auto size_a = static_cast<int64_t>(found.path_a.size());
  std::string text = ShortPath(found.path_a, size_a) + ": ";
  const bool types_differ =
      found.a && found.b && TypeNameOf(found.a->data()) != TypeNameOf(found.b->data());
  text += SideText(found.a, types_differ) + " != " + SideText(found.b, types_differ);
  if (found.reason[0] != '\0') text += std::string(" (") + found.reason + ")";
  const std::optional<Any> around_a = Around(a, found.path_a);
  const std::optional<Any> around_b = Around(b, found.path_b);
  if (around_a) text += "\n  in " + Excerpt::Of(around_a->data(), 2, 300);
  if (around_b) text += "\n  and " + Excerpt::Of(around_b->data(), 2, 300);
  return text;
}

}  // namespace
}  // namespace internal

bool StructuralEqual::Equal(const Any& a, const Any& b, bool map_free_vars,
                            bool skip_tensor_content) {
  const auto comparison = std::make_shared<internal::StructuralComparison>(
      false, internal::ContentOf(skip_tensor_content));
  return comparison->Run(a.data(), b.data(), internal::RootRegion(map_free_vars));
}

uint64_t StructuralHash::Hash(const Any& value, bool map_free_vars, bool skip_tensor_content) {
  const auto hashing =
      std::make_shared<internal::StructuralHashing>(internal::ContentOf(skip_tensor_content));
  return hashing->Run(value.data(), internal::RootRegion(map_free_vars));
}

std::optional<StructuralMismatch> FirstMismatch(const Any& a, const Any& b, bool map_free_vars,
                                                bool skip_tensor_content) {
  const auto comparison = std::make_shared<internal::StructuralComparison>(
      true, internal::ContentOf(skip_tensor_content));
  if (comparison->Run(a.data(), b.data(), internal::RootRegion(map_free_vars))) return std::nullopt;
  const internal::FoundMismatch& found = *comparison->mismatch();
  return StructuralMismatch{AccessPath(found.path_a), AccessPath(found.path_b), found.a, found.b,
                            String(internal::MessageOf(found, a, b))};
}

}  // namespace tain
