// SPDX-License-Identifier: Apache-2.0
// Converts values to types that are known only at run time; see value_type.h. Rules and error texts
// are those of TypeTraits in the headers.
#include "dynamic/value_type.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/error_object.h"
#include "tain/convert.h"
#include "tain/internal/builtin_types.h"
#include "tain/internal/container_api.h"
#include "tain/internal/container_declared.h"
#include "tain/internal/type_expr.h"

namespace tain::internal {
namespace {

/// An owned handle to an object of a value.
Any Shared(const TainAny& value) { return Any(AnyView(value)); }

}  // namespace

// ---------------------------------------------------------------- reading

std::shared_ptr<const ValueType> ValueType::Parse(std::string_view expression,
                                                  std::string_view own_key, int32_t own_index) {
  const auto expr = ParseTypeExpr(expression);
  if (!expr) TAIN_THROW(ValueError) << "'" << expression << "' is no type expression";
  return Make(*expr, own_key, own_index);
}

std::shared_ptr<const ValueType> ValueType::Make(const TypeExpr& expr, std::string_view own_key,
                                                 int32_t own_index) {
  const std::shared_ptr<ValueType> made(new ValueType);
  made->text_ = WriteTypeExpr(expr);
  if (expr.kind == TypeExpr::Kind::kList) {
    TAIN_THROW(ValueError) << "'" << made->text_ << "' is no type";
  }
  const bool callable = HasForm(expr.name, BuiltinForm::kCallable);
  if (!callable || expr.kind == TypeExpr::Kind::kUnion) {
    for (const TypeExpr& part : expr.parts) {
      if (part.kind == TypeExpr::Kind::kName && (part.name == "()" || part.name == "...")) continue;
      made->parts_.push_back(Make(part, own_key, own_index));
    }
  }
  if (expr.kind == TypeExpr::Kind::kUnion) {
    made->kind_ = Kind::kUnion;
  } else {
    made->SetName(expr, own_key, own_index);
  }
  return made;
}

bool ValueType::IsKnown() const noexcept {
  if (kind_ == Kind::kUnknown) return false;
  const TainTypeRecord* record = kind_ == Kind::kClass ? TainGetTypeRecord(index_) : nullptr;
  if (record != nullptr && record->build > 1) return false;
  return std::all_of(parts_.begin(), parts_.end(),
                     [](const auto& part) { return part->IsKnown(); });
}

bool TakesAnyValue(const TypeExpr& expr) noexcept {
  const BuiltinType* builtin =
      expr.kind == TypeExpr::Kind::kName ? FindBuiltin(expr.name) : nullptr;
  return builtin != nullptr && builtin->index == kTainAny && builtin->leaf != nullptr;
}

std::shared_ptr<const ValueType> TypeOfPart(const TypeExpr& expr) {
  if (TakesAnyValue(expr)) return nullptr;
  std::shared_ptr<const ValueType> type = ValueType::Of(expr);
  return type->IsKnown() ? type : nullptr;
}

Any StoredPart(const ValueType& type, const Any& value, const std::string& where) {
  Any stored;
  if (!type.Convert(value.data(), &stored)) {
    ThrowMismatch(where, type.Explain(value.data()), value.data());
  }
  return stored;
}

bool ValueType::SetContainer(const TypeExpr& expr, const BuiltinType* builtin) {
  if (builtin == nullptr) return false;
  if (builtin->form == BuiltinForm::kTuple) {
    const bool any_length = expr.parts.size() == 2 && expr.parts[1].name == "...";
    kind_ = expr.has_brackets && !any_length ? Kind::kTuple : Kind::kSequence;
    index_ = builtin->index;
    if (!expr.has_brackets) return SetBuiltin(BuiltinOfIndex(index_));
    holds_anything_ = false;
    return true;
  }
  const size_t num_parts = NumParts(builtin->form);
  if (!expr.has_brackets || num_parts == 0) return false;
  const bool sequence = num_parts == 1;
  if (parts_.size() != num_parts) {
    TAIN_THROW(ValueError) << "'" << text_ << "': " << expr.name << " takes "
                           << (sequence ? "one type" : "two types");
  }
  const bool anything = std::all_of(parts_.begin(), parts_.end(), [](const auto& part) {
    return part->kind_ == Kind::kLeaf && part->index_ == kTainAny;
  });
  SetBuiltin(builtin);
  if (anything) return true;  // `Array[Any]` is an Array
  kind_ = sequence ? Kind::kSequence : Kind::kMapping;
  holds_anything_ = false;
  return true;
}

bool ValueType::SetBuiltin(const BuiltinType* builtin) {
  if (builtin == nullptr || builtin->leaf == nullptr) return false;
  kind_ = Kind::kLeaf;
  leaf_ = builtin->leaf;
  index_ = builtin->index;
  return true;
}

void ValueType::SetName(const TypeExpr& expr, std::string_view own_key, int32_t own_index) {
  const BuiltinType* builtin = FindBuiltin(expr.name);
  if (SetContainer(expr, builtin)) return;
  const bool callable = builtin != nullptr && builtin->form == BuiltinForm::kCallable;
  if (expr.has_brackets && !callable) TAIN_THROW(ValueError) << "'" << text_ << "' is no type";
  if (SetBuiltin(builtin)) return;
  const TainByteArray key{text_.data(), text_.size()};
  if (expr.name == own_key) {
    kind_ = Kind::kClass;
    index_ = own_index;
  } else if ((enum_info_ = TainGetEnum(&key)) != nullptr) {
    kind_ = Kind::kEnum;
  } else if (TainTypeKeyToIndex(&key, &index_) == 0) {
    kind_ = Kind::kClass;
  } else {
    TakeRaisedError();  // nothing has the key yet
    index_ = kTainAny;
    kind_ = Kind::kUnknown;
  }
}

const ValueType* ValueType::OrNone() const noexcept {
  if (kind_ != Kind::kUnion || parts_.size() != 2) return nullptr;
  for (size_t i = 0; i < 2; ++i) {
    const ValueType& part = *parts_[i];
    if (part.kind_ == Kind::kLeaf && part.index_ == kTainNone) return parts_[1 - i].get();
  }
  return nullptr;
}

std::shared_ptr<const ValueType> ValueType::Resolved() const {
  auto now = Make({TypeExpr::Kind::kName, text_, false, {}}, "", -1);
  return now->kind_ == Kind::kUnknown ? nullptr : now;
}

// ---------------------------------------------------------------- converting

bool ValueType::IsExact(const TainAny& value) const {
  const auto is_part = [&](size_t part, const TainAny& element) {
    return parts_[part]->IsExact(element);
  };
  switch (kind_) {
    case Kind::kLeaf:
      return leaf_->is_exact(&value) &&
             (value.type_index != kTainNone || index_ < kTainStaticObjectBegin);
    case Kind::kClass:
      return value.type_index >= kTainStaticObjectBegin &&
             TainTypeIsInstance(value.type_index, index_) != 0;
    case Kind::kEnum: {
      int64_t number;
      return EnumFromAny(enum_info_, &value, &number);
    }
    case Kind::kUnknown: return false;
    case Kind::kUnion:
      return std::any_of(parts_.begin(), parts_.end(),
                         [&](const auto& part) { return part->IsExact(value); });
    case Kind::kSequence:
    case Kind::kTuple: {
      if (value.type_index != index_) return false;
      const int64_t size = SeqSize(value.v_obj);
      const bool tuple = kind_ == Kind::kTuple;
      if (tuple && size != static_cast<int64_t>(parts_.size())) return false;
      for (int64_t i = 0; i < size; ++i) {
        if (!is_part(tuple ? static_cast<size_t>(i) : 0, SeqData(value.v_obj)[i])) return false;
      }
      return true;
    }
    case Kind::kMapping: {
      if (value.type_index != index_) return false;
      for (uint64_t at = MapFirst(value.v_obj); at != kMapEnd; at = MapNext(value.v_obj, at)) {
        const MapItem* item = MapItemAt(value.v_obj, at);
        if (!is_part(0, item->key) || !is_part(1, item->value)) return false;
      }
      return true;
    }
  }
  return false;
}

bool ValueType::Convert(const TainAny& value, Any* out) const {
  if (kind_ == Kind::kLeaf) {
    // A null handle is not a value of the type.
    if (value.type_index == kTainNone && index_ >= kTainStaticObjectBegin) return false;
    return leaf_->convert(&value, out);
  }
  if (kind_ == Kind::kUnknown) {
    const auto now = Resolved();
    if (now == nullptr) {
      TAIN_THROW(TypeError) << "its type " << text_ << " is not registered";
    }
    return now->Convert(value, out);
  }
  const TainAny view = Referred(value);
  if (IsExact(view)) {
    *out = Shared(view);
    return true;
  }
  switch (kind_) {
    case Kind::kUnion:
      return std::any_of(parts_.begin(), parts_.end(),
                         [&](const auto& part) { return part->Convert(view, out); });
    case Kind::kSequence:
    case Kind::kTuple: {
      if (Any made; FromHost(view, kTainHostSequence, &made)) return Convert(made.data(), out);
      if (!IsSeq(view.type_index)) return false;
      return ConvertSequence(view, out);
    }
    case Kind::kMapping: {
      if (Any made; FromHost(view, kTainHostMapping, &made)) return Convert(made.data(), out);
      return IsMap(view.type_index) && ConvertMapping(view, out);
    }
    case Kind::kEnum: {
      int64_t number;
      if (!EnumFromMember(enum_info_, &view, &number)) return false;
      TainAny plain;
      EnumToAny(enum_info_, number, &plain);
      *out = Any::Steal(plain);
      return true;
    }
    default: return false;
  }
}

bool ValueType::ConvertSequence(const TainAny& view, Any* out) const {
  const int64_t most = MostElements();
  const auto fits = [&](const TainObject* sequence) {
    return kind_ != Kind::kTuple || SeqSize(sequence) == most;
  };
  if (!fits(view.v_obj)) return false;
  const Any holder = Shared(view);  // converting may run users' code, which may change the sequence
  auto made = RefAccess::Steal<Object>(SeqNew(index_, SeqSize(view.v_obj)));
  for (int64_t i = 0; i < std::min(most, SeqSize(view.v_obj)); ++i) {
    const Any item(AnyView(SeqData(view.v_obj)[i]));
    Any element;
    if (!ElementType(i).Convert(item.data(), &element)) return false;
    SeqPush(RefAccess::Header(made), std::move(element));
  }
  if (!fits(RefAccess::Header(made))) return false;
  *out = Any(RefAccess::Make<ObjectRef>(std::move(made)));
  return true;
}

bool ValueType::ConvertMapping(const TainAny& view, Any* out) const {
  // Iterates over a copy, because converting may run users' code.
  const auto source = RefAccess::Steal<Object>(MapCopy(view.v_obj, kTainMap));
  auto made = RefAccess::Steal<Object>(MapNew(index_, MapSize(view.v_obj)));
  const TainObject* from = RefAccess::Header(source);
  for (uint64_t at = MapFirst(from); at != kMapEnd; at = MapNext(from, at)) {
    const MapItem* item = MapItemAt(from, at);
    Any key, value;
    if (!parts_[0]->Convert(item->key, &key) || !parts_[1]->Convert(item->value, &value)) {
      return false;
    }
    MapSet(RefAccess::Header(made), std::move(key), std::move(value));
  }
  *out = Any(RefAccess::Make<ObjectRef>(std::move(made)));
  return true;
}

// ---------------------------------------------------------------- words

Mismatch ValueType::Explain(const TainAny& value) const {
  const TainAny view = Referred(value);
  switch (kind_) {
    case Kind::kLeaf:
      // A null function is one for C++; here None must be allowed by name.
      return index_ == kTainFunction ? Mismatch(text_) : leaf_->explain(&value);
    case Kind::kClass: return ClassMismatch(&value, index_, text_);
    case Kind::kEnum: return Mismatch::Because(EnumMemberText(enum_info_));
    case Kind::kUnknown: {
      const auto now = Resolved();
      return now == nullptr ? Mismatch(text_) : now->Explain(value);
    }
    case Kind::kUnion: {
      const ValueType* only = OrNone();
      if (only == nullptr) return text_;
      Mismatch inside = only->Explain(value);
      return inside.specific() ? std::move(inside) : UnionStr(inside.expected(), "None");
    }
    case Kind::kSequence:
    case Kind::kTuple: {
      if (Any made; FromHost(view, kTainHostSequence, &made)) return Explain(made.data());
      if (!IsSeq(view.type_index)) return text_;
      return ExplainElement(view);
    }
    case Kind::kMapping: {
      if (Any made; FromHost(view, kTainHostMapping, &made)) return Explain(made.data());
      return IsMap(view.type_index) ? ExplainEntry(view) : Mismatch(text_);
    }
  }
  return text_;
}

Mismatch ValueType::ExplainElement(const TainAny& view) const {
  const Any holder = Shared(view);
  const int64_t most = MostElements();
  const int64_t size = SeqSize(view.v_obj);
  if (kind_ == Kind::kTuple && size != most) return SizeMismatch(text_, most, size);
  for (int64_t i = 0; i < std::min(most, SeqSize(view.v_obj)); ++i) {
    const Any element(AnyView(SeqData(view.v_obj)[i]));
    const ValueType& type = ElementType(i);
    Any converted;
    if (type.Convert(element.data(), &converted)) continue;
    return type.Explain(element.data()).At(IndexPlace(i), element.data());
  }
  return text_;
}

Mismatch ValueType::ExplainEntry(const TainAny& view) const {
  const auto source = RefAccess::Steal<Object>(MapCopy(view.v_obj, kTainMap));
  const TainObject* from = RefAccess::Header(source);
  for (uint64_t at = MapFirst(from); at != kMapEnd; at = MapNext(from, at)) {
    const MapItem* item = MapItemAt(from, at);
    Any converted;
    if (!parts_[0]->Convert(item->key, &converted)) {
      return parts_[0]->Explain(item->key).At("key", item->key);
    }
    if (!parts_[1]->Convert(item->value, &converted)) {
      return parts_[1]->Explain(item->value).At(KeyPlace(item->key), item->value);
    }
  }
  return text_;
}

}  // namespace tain::internal
