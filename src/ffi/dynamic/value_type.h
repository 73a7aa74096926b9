// SPDX-License-Identifier: Apache-2.0
// Types of values that are known only at run time: does the work of TypeTraits<T> for a type
// expression.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tain/any.h"

namespace tain::internal {

struct BuiltinType;
struct TypeExpr;
struct ValueLeaf;

/// A type expression to which values are converted like parameters of that type. It never changes.
/// A key that is unknown when the expression is read is looked up for each value, because its type
/// may be defined, and defined again, at any time.
class ValueType {
 public:
  enum class Kind {
    kLeaf,      ///< a value, or a built-in class
    kClass,     ///< an instance of a registered type
    kEnum,      ///< a member of a registered enum
    kUnknown,   ///< a key that was not registered when the expression was read
    kSequence,  ///< Array[T] or List[T]
    kMapping,   ///< Map[K, V] or Dict[K, V]
    kTuple,     ///< tuple[A, B]
    kUnion      ///< A | B
  };

  /// Reads an expression. `own_key` and `own_index` are the key and the index of the type being
  /// defined. Throws ValueError if the text is not a type expression.
  static std::shared_ptr<const ValueType> Parse(std::string_view expression,
                                                std::string_view own_key, int32_t own_index);

  /// Converts a value to its stored form; false if it cannot be converted. Throws what the host
  /// raises.
  bool Convert(const TainAny& value, Any* out) const;
  /// Returns the reason why Convert refuses a value.
  Mismatch Explain(const TainAny& value) const;

  /// The type of a part of an expression that is being read.
  static std::shared_ptr<const ValueType> Of(const TypeExpr& expr) { return Make(expr, {}, 0); }
  /// Whether all keys in the expression were registered when it was read, each once.
  bool IsKnown() const noexcept;

  Kind kind() const noexcept { return kind_; }
  /// The built-in type index of a leaf, sequence or mapping, or kTainAny if it has none; the index
  /// of a class.
  int32_t index() const noexcept { return index_; }
  /// Returns the only alternative besides None; null for other unions and types.
  const ValueType* OrNone() const noexcept;
  /// Whether the type does not restrict the elements of a container.
  bool holds_anything() const noexcept { return holds_anything_; }

 private:
  ValueType() = default;
  static std::shared_ptr<const ValueType> Make(const TypeExpr& expr, std::string_view own_key,
                                               int32_t own_index);
  void SetName(const TypeExpr& expr, std::string_view own_key, int32_t own_index);
  bool SetBuiltin(const BuiltinType* builtin);
  bool SetContainer(const TypeExpr& expr, const BuiltinType* builtin);

  bool IsExact(const TainAny& value) const;
  bool ConvertSequence(const TainAny& view, Any* out) const;
  bool ConvertMapping(const TainAny& view, Any* out) const;
  Mismatch ExplainElement(const TainAny& view) const;
  Mismatch ExplainEntry(const TainAny& view) const;
  /// Returns the type of an element of a sequence or tuple.
  const ValueType& ElementType(int64_t i) const noexcept {
    return *parts_[kind_ == Kind::kTuple ? static_cast<size_t>(i) : 0];
  }
  /// Returns how many elements a sequence or tuple may have.
  int64_t MostElements() const noexcept {
    return kind_ == Kind::kTuple ? static_cast<int64_t>(parts_.size()) : INT64_MAX;
  }
  /// Returns the present type of the key of kUnknown; null if it is still unknown.
  std::shared_ptr<const ValueType> Resolved() const;

  Kind kind_ = Kind::kLeaf;
  const ValueLeaf* leaf_ = nullptr;
  int32_t index_ = kTainAny;
  bool holds_anything_ = true;
  std::string text_;  ///< the expression
  const TainEnumInfo* enum_info_ = nullptr;
  std::vector<std::shared_ptr<const ValueType>> parts_;
};

}  // namespace tain::internal
