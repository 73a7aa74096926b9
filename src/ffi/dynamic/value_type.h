// SPDX-License-Identifier: Apache-2.0
// Types of values that are known at run time only: what TypeTraits<T> does, from a type expression.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tain/any.h"

namespace tain::internal {

struct TypeExpr;

/// The conversions of a leaf: those of TypeTraits<T> for one T.
struct ValueLeaf {
  bool (*is_exact)(const TainAny* value);
  bool (*convert)(const TainAny* value, Any* out);
  std::string (*mismatch)(const TainAny* value, std::string& where);
  std::string (*type_str)();
};

/// A type expression that values are converted to, as a parameter of that type would. Never
/// changes; a key that meant nothing when the expression was read is looked up for each value,
/// because its type may be defined, and defined again, at any time.
class ValueType {
 public:
  enum class Kind {
    kLeaf,      ///< a value, or a built-in class
    kClass,     ///< an instance of a registered type
    kEnum,      ///< a member of a registered enum
    kUnknown,   ///< a key that nothing was registered under when the expression was read
    kSequence,  ///< Array[T] or List[T]
    kMapping,   ///< Map[K, V] or Dict[K, V]
    kTuple,     ///< tuple[A, B]
    kUnion      ///< A | B
  };

  /// Reads an expression. `own_key` is the key of the type being defined, `own_index` its index.
  /// ValueError if the text is no type expression.
  static std::shared_ptr<const ValueType> Parse(std::string_view expression,
                                                std::string_view own_key, int32_t own_index);

  /// The value as it is stored; false if it cannot be converted. Throws what the host raises.
  bool Convert(const TainAny& value, Any* out) const;
  /// What was expected of a value that Convert refused; may extend `where` by the place inside it.
  std::string Mismatch(const TainAny& value, std::string& where) const;
  std::string TypeStr() const;

  Kind kind() const noexcept { return kind_; }
  /// The built-in type index of a leaf, sequence or mapping, kTainAny for one without; the index of
  /// a class.
  int32_t index() const noexcept { return index_; }
  /// The one alternative beside None; null for other unions and types.
  const ValueType* OrNone() const noexcept;
  /// Whether the type says nothing about what a container of it holds.
  bool holds_anything() const noexcept { return holds_anything_; }

 private:
  ValueType() = default;
  static std::shared_ptr<const ValueType> Make(const TypeExpr& expr, std::string_view own_key,
                                               int32_t own_index);
  void SetName(const TypeExpr& expr, std::string_view own_key, int32_t own_index);
  bool SetBuiltin(const TypeExpr& expr);
  bool SetContainer(const TypeExpr& expr);

  bool IsExact(const TainAny& value) const;
  bool ConvertSequence(const TainAny& view, Any* out) const;
  bool ConvertMapping(const TainAny& view, Any* out) const;
  bool ConvertTuple(const TainAny& view, Any* out) const;
  std::string ElementMismatch(const TainAny& view, std::string& where) const;
  std::string EntryMismatch(const TainAny& view, std::string& where) const;
  std::string TupleMismatch(const TainAny& view, std::string& where) const;
  /// Mismatch of a part, with what it got.
  std::string MismatchInside(const TainAny& value, std::string& where) const;
  /// What the key of kUnknown means by now; null if still nothing.
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
