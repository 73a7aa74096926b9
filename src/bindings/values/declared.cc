// SPDX-License-Identifier: Apache-2.0
// Values of declared types; see declared.h.
#include "values/declared.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/hooks.h"
#include "base/type_keys.h"
#include "objects/enums.h"
#include "tain/any.h"
#include "tain/convert.h"
#include "tain/internal/builtin_types.h"
#include "tain/internal/container_api.h"
#include "tain/internal/container_declared.h"
#include "tain/internal/type_expr.h"
#include "values/state.h"
#include "values/to_python.h"

namespace tain::bindings {

/// The types of the values that a List or a Dict takes.
struct MutableParts {
  std::string text;         ///< `List[float]`; empty if there is no such alternative, or several
  uint64_t generation = 0;  ///< of the registry when the types were read
  std::shared_ptr<const internal::ValueType> element, key, value;  ///< null for any value
};

/// The meaning of a type expression beyond its values; never freed.
struct DeclaredType {
  using Part = std::unique_ptr<DeclaredType>;  ///< null if the values say all

  std::vector<std::string> enums;         ///< the keys of the alternatives that are enums
  std::vector<std::vector<Part>> tuples;  ///< the parts of the alternatives that are tuples
  Part element, key, value;               ///< of the alternatives that are containers
  mutable MutableParts mutable_parts;     ///< of the only alternative that is a List or a Dict
  uint32_t number = 0;                    ///< which containers remember, if a part is not null
  bool is_strict = false;                 ///< only one enum, or None: any other number is a mistake
  bool has_int = false;                   ///< an int may be just that
  bool has_text = false;                  ///< the same for a str
  bool has_numpy = false;                 ///< a Tensor is an array of numpy
};

namespace {

using internal::BuiltinForm;
using internal::BuiltinType;
using internal::TypeExpr;
using Part = DeclaredType::Part;

DeclaredTable& DeclaredTypes() noexcept { return GetValuesState().declared; }

Part TypeOf(const TypeExpr& expr);

/// Notes what a List or a Dict takes. Of two alternatives it is unknown which one a container is.
void AddMutable(const TypeExpr& expr, int32_t* count, DeclaredType* type) {
  std::string& text = type->mutable_parts.text;
  text.clear();
  if (++*count > 1 || std::all_of(expr.parts.begin(), expr.parts.end(), internal::TakesAnyValue)) {
    return;
  }
  text = internal::WriteTypeExpr(expr);
}

/// Reads the types again after anything was registered: a key may have become known, or may have a
/// second class, after which both are taken.
void RefreshParts(MutableParts* parts) {
  const uint64_t generation = TainRegistryGeneration();
  if (parts->generation == generation) return;
  const std::optional<TypeExpr> expr = internal::ParseTypeExpr(parts->text);
  const bool is_list = expr->parts.size() == 1;
  const auto of = [&](size_t i) { return internal::TypeOfPart(expr->parts[i]); };
  parts->element = is_list ? of(0) : nullptr;
  parts->key = is_list ? nullptr : of(0);
  parts->value = is_list ? nullptr : of(1);
  parts->generation = generation;
}

/// Adds an alternative. Expressions are at most 64 levels deep.
void AddAlternative(const TypeExpr& expr, int32_t* num_mutable, DeclaredType* type) {
  if (expr.kind == TypeExpr::Kind::kUnion) {
    for (const TypeExpr& part : expr.parts) AddAlternative(part, num_mutable, type);
    return;
  }
  if (expr.kind != TypeExpr::Kind::kName) return;
  const std::string_view name = expr.name;
  const BuiltinType* builtin = internal::FindBuiltin(name);
  const BuiltinForm form = builtin == nullptr ? BuiltinForm::kLeaf : builtin->form;
  const bool has_parts = expr.parts.size() == internal::NumParts(form);
  if (form == BuiltinForm::kTuple && expr.has_brackets) {
    std::vector<Part>& parts = type->tuples.emplace_back();
    if (expr.parts.size() == 1 && expr.parts[0].name == "()") return;
    for (const TypeExpr& part : expr.parts) parts.push_back(TypeOf(part));
  } else if (has_parts && form == BuiltinForm::kSequence) {
    type->element = TypeOf(expr.parts[0]);
    if (internal::IsMutableContainer(builtin->index)) AddMutable(expr, num_mutable, type);
  } else if (has_parts && form == BuiltinForm::kMapping) {
    type->key = TypeOf(expr.parts[0]);
    type->value = TypeOf(expr.parts[1]);
    if (internal::IsMutableContainer(builtin->index)) AddMutable(expr, num_mutable, type);
  } else if (name == "numpy.ndarray") {
    type->has_numpy = true;
  } else if (name == "int") {
    type->has_int = true;
  } else if (name == "str") {
    type->has_text = true;
  } else if (!expr.has_brackets && FindEnum(name) != nullptr) {
    type->enums.emplace_back(name);
  }
}

/// Returns what an expression says; null if its values say all.
Part TypeOf(const TypeExpr& expr) {
  auto type = std::make_unique<DeclaredType>();
  int32_t num_mutable = 0;
  AddAlternative(expr, &num_mutable, type.get());
  const bool restricts = !type->mutable_parts.text.empty();
  if (type->element || type->key || type->value || restricts) {
    const bool says_more = type->element || type->key || type->value;
    std::vector<NumberedType>& numbered = DeclaredTypes().numbered;
    type->number = static_cast<uint32_t>(numbered.size()) + 1;
    // A copy that Python makes of a List or a Dict is its own, and takes anything.
    const uint32_t of_copies = !says_more ? 0 : type->number + (restricts ? 1 : 0);
    numbered.push_back({type.get(), of_copies});
    if (restricts && says_more) numbered.push_back({type.get(), of_copies});
    if (says_more) {
      std::atomic_ref<bool>(DeclaredTypes().is_used).store(true, std::memory_order_relaxed);
    }
  }
  size_t others = expr.kind == TypeExpr::Kind::kUnion ? expr.parts.size() : 1;
  for (const TypeExpr& part : expr.parts) others -= part.name == "None" ? 1 : 0;
  type->is_strict = type->enums.size() == 1 && others == 1;
  if (type->enums.empty() && type->tuples.empty() && type->number == 0 && !type->has_numpy) {
    return nullptr;
  }
  return type;
}

/// Returns what a text says; null if its values say all, or if it is no type expression.
const DeclaredType* FindType(std::string_view text) {
  DeclaredCacheEntry& entry =
      DeclaredTypes().cache[(reinterpret_cast<uintptr_t>(text.data()) >> 3) & 63];
  const uint64_t generation = TainRegistryGeneration();
  if (TAIN_LIKELY(entry.generation == generation && entry.text != nullptr && *entry.text == text)) {
    return entry.type;
  }
  const auto known = DeclaredTypes().types.try_emplace(std::string(text)).first;
  if (known->second == nullptr) {  // an enum may have been registered since the last time
    const std::optional<TypeExpr> parsed = internal::ParseTypeExpr(text);
    known->second = parsed ? TypeOf(*parsed).release() : nullptr;
  }
  entry = {&known->first, generation, known->second};
  return known->second;
}

/// Returns the key of the enum that has a member of this value; null if there is none. `may_raise`:
/// whether a value that no member has is a mistake, for which the key is returned too.
const std::string* EnumThatHas(const DeclaredType& type, const TainAny& value, bool may_raise) {
  std::string_view text;
  const bool is_text = internal::TextOf(&value, &text);
  if (is_text ? type.has_text : type.has_int) return nullptr;
  for (const std::string& key : type.enums) {
    const TainEnumInfo* info = FindEnum(key);
    int64_t number = 0;
    const bool is_value = internal::EnumFromAny(info, &value, &number);
    if (is_value || (may_raise && type.is_strict)) return &key;
  }
  return nullptr;
}

/// Converts a number or a text to the member that it is the value of.
nb::object MemberOf(const DeclaredType& type, const TainAny& value, bool may_raise) {
  const std::string* key = EnumThatHas(type, value, may_raise);
  return key == nullptr ? BorrowedToPython(value)
                        : Checked(EnumMember(*key, BorrowedToPython(value).release().ptr()));
}

nb::object NumpyOf(const TainAny& tensor) {
  internal::IncRef(tensor.v_obj);
  return Checked(GetHooks().tensor_to_numpy(tensor.v_obj));
}

nb::object ConvertDeclared(const DeclaredType* type, const TainAny& value, bool may_raise);

nb::object TupleOf(const std::vector<Part>& parts, TainObject* array) {
  const nb::object made = Checked(PyTuple_New(static_cast<Py_ssize_t>(parts.size())));
  auto* elements = static_cast<TainAny*>(internal::SeqCellOf(array)->data);  // never changes
  const bool is_own = StrongCount(array) == 1;  // the elements can be moved out
  for (size_t i = 0; i < parts.size(); ++i) {
    nb::object item = is_own && parts[i] == nullptr
                          ? Checked(ToPython(std::exchange(elements[i], TainAny{})))
                          : ConvertDeclared(parts[i].get(), elements[i], false);
    PyTuple_SET_ITEM(made.ptr(), static_cast<Py_ssize_t>(i), item.release().ptr());
  }
  return made;
}

/// Returns the parts of the tuple that an Array is by its type; null if it is none.
const std::vector<Part>* TupleThatIs(const DeclaredType& type, const TainAny& value) noexcept {
  if (value.type_index != kTainArray) return nullptr;
  const auto size = static_cast<size_t>(internal::SeqSize(value.v_obj));
  for (const std::vector<Part>& parts : type.tuples) {
    if (parts.size() == size) return &parts;
  }
  return nullptr;
}

/// Converts a value that the caller owns.
nb::object ConvertDeclared(const DeclaredType* type, const TainAny& value, bool may_raise) {
  if (type == nullptr) return BorrowedToPython(value);
  switch (value.type_index) {
    case kTainArray:
      if (const std::vector<Part>* parts = TupleThatIs(*type, value)) {
        return TupleOf(*parts, value.v_obj);
      }
      [[fallthrough]];
    case kTainList:
    case kTainMap:
    case kTainDict:
      if (type->number != 0) internal::SetDeclaredNumber(value.v_obj, type->number);
      return BorrowedToPython(value);
    case kTainInt:
    case kTainBigInt:
    case kTainRawStr:
    case kTainSmallStr:
    case kTainStr:
      return type->enums.empty() ? BorrowedToPython(value) : MemberOf(*type, value, may_raise);
    case kTainTensor: return type->has_numpy ? NumpyOf(value) : BorrowedToPython(value);
    default: return BorrowedToPython(value);
  }
}

/// Returns what a container remembers; null if its values say all.
const NumberedType* TypeOfContainer(const TainObject* container) noexcept {
  const uint32_t number = internal::DeclaredNumberOf(container);
  const auto& numbered = DeclaredTypes().numbered;
  return number == 0 || number > numbered.size() ? nullptr : &numbered[number - 1];
}

}  // namespace

bool DeclaresMore(std::string_view type) noexcept {
  try {
    return FindType(type) != nullptr;
  } catch (const std::exception&) {  // without memory, who converts a value finds it out
    return true;
  }
}

PyObject* DeclaredToPython(std::string_view type, const TainAny& value) noexcept {
  return GuardedObject([&]() -> nb::object {
    const DeclaredType* declared = FindType(type);
    if (declared == nullptr) return Checked(ToPython(value));
    if (value.type_index == kTainTensor && declared->has_numpy) {
      return Checked(GetHooks().tensor_to_numpy(value.v_obj));
    }
    const Any held = Any::Steal(value);
    return ConvertDeclared(declared, held.data(), true);
  });
}

const DeclaredType* TypeOfElements(const TainObject* container, ElementRole role) noexcept {
  const NumberedType* found = TypeOfContainer(container);
  if (found == nullptr) return nullptr;
  const Part& part = role == ElementRole::kItem  ? found->type->element
                     : role == ElementRole::kKey ? found->type->key
                                                 : found->type->value;
  return part.get();
}

PyObject* DeclaredElement(const TainObject* container, ElementRole role,
                          const TainAny& element) noexcept {
  const DeclaredType* type = TypeOfElements(container, role);
  if (type == nullptr) return ViewToPython(&element);
  return GuardedObject([&] {
    const Any held{AnyView(element)};  // finding a member may run code that changes the container
    return ConvertDeclared(type, held.data(), false);
  });
}

bool TakesAnything(const TainObject* container) noexcept {
  const NumberedType* found = TypeOfContainer(container);
  return found == nullptr || found->of_copies == internal::DeclaredNumberOf(container);
}

uint32_t NumberOfCopies(const TainObject* container) noexcept {
  const NumberedType* found = TypeOfContainer(container);
  return found == nullptr ? 0 : found->of_copies;
}

void StoreAsDeclared(const TainObject* container, ElementRole role, const std::string& place,
                     Any* value) {
  if (TakesAnything(container)) return;
  MutableParts& parts = TypeOfContainer(container)->type->mutable_parts;
  RefreshParts(&parts);
  // Held: the conversion may run code that registers something.
  const std::shared_ptr<const internal::ValueType> part = role == ElementRole::kItem ? parts.element
                                                          : role == ElementRole::kKey ? parts.key
                                                                                      : parts.value;
  if (part != nullptr) *value = internal::StoredPart(*part, *value, parts.text + place);
}

void StoreEntryAsDeclared(const TainObject* dict, Any* key, Any* value) {
  const std::string place = internal::KeyPlace(key->data());
  StoreAsDeclared(dict, ElementRole::kKey, ": key", key);
  StoreAsDeclared(dict, ElementRole::kValue, place, value);
}

const DeclaredType* FindDeclaredType(std::string_view type) noexcept {
  try {
    return FindType(type);
  } catch (const std::exception&) {
    return nullptr;
  }
}

internal::DeclaredForm FormOfDeclared(const DeclaredType* type, const TainAny& value) noexcept {
  using Form = internal::DeclaredForm;
  if (value.type_index == kTainTensor) {
    return {type->has_numpy ? Form::Kind::kText : Form::Kind::kPlain};
  }
  if (internal::IsSeq(value.type_index) || internal::IsMap(value.type_index)) {
    if (const std::vector<Part>* parts = TupleThatIs(*type, value)) {
      return {Form::Kind::kTuple, {}, parts};
    }
    if (type->number != 0) internal::SetDeclaredNumber(value.v_obj, type->number);
    return {};
  }
  const std::string* key = EnumThatHas(*type, value, false);
  if (key == nullptr) return {};
  return {Form::Kind::kMember, {key->data(), key->size()}};
}

const void* PartOfTuple(const void* tuple, size_t index) noexcept {
  return (*static_cast<const std::vector<Part>*>(tuple))[index].get();
}

}  // namespace tain::bindings
