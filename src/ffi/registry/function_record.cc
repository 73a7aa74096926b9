// SPDX-License-Identifier: Apache-2.0
// Makes the record of a function from its signature and its registration: names, types, defaults.
//
// Only the spelling of a parameter's type is known here. So a default is refused only if the
// spelling excludes it (int, float, bool, str, bytes, object classes and unions of them).
#include <algorithm>

#include "base/guard.h"
#include "registry/function_record.h"
#include "registry/registry.h"
#include "tain/internal/invoke.h"
#include "tain/internal/type_expr.h"

namespace tain::internal {
namespace {

bool IsText(int32_t index) {
  return index == kTainSmallStr || index == kTainStr || index == kTainRawStr;
}

bool IsInteger(int32_t index) {
  return index == kTainInt || index == kTainBool || index == kTainBigInt;
}

/// Returns the index of a registered class; 0 for an unknown name.
int32_t ClassIndex(std::string_view key) {
  if (key == "Object") return kTainObject;
  const int32_t index = KnownIndex(key, 0);
  return index < kTainDynObjectBegin ? 0 : index;
}

/// Whether a parameter of a type may take the value; true if that is uncertain.
bool MayTake(const TypeExpr& expr, const TainAny& value) {
  if (expr.kind == TypeExpr::Kind::kUnion) {
    return std::any_of(expr.parts.begin(), expr.parts.end(),
                       [&](const TypeExpr& part) { return MayTake(part, value); });
  }
  const int32_t index = value.type_index;
  const std::string type = WriteTypeExpr(expr);
  if (type == "None") return index == kTainNone;
  if (type == "bool") return index == kTainBool;
  if (type == "int") return IsInteger(index);
  if (type == "float") return index == kTainFloat || IsInteger(index);
  if (type == "str") return IsText(index);
  if (const int32_t wanted = ClassIndex(type)) {
    return index >= kTainStaticObjectBegin && TainTypeIsInstance(index, wanted) != 0;
  }
  return true;
}

/// Throws if a parameter with the spelling `type` can certainly not take the value.
void CheckArgDefault(const std::string& where, const TainArgInfo& a) {
  if ((a.flags & kTainArgFactory) != 0) {
    if (a.default_value.type_index == kTainFunction) return;
    TAIN_THROW(ValueError) << where << ": the function that makes it is null";
  }
  if (IsMutableContainer(a.default_value.type_index)) {
    TAIN_THROW(ValueError) << where << " can change and would be shared by all calls: give a "
                           << "function that makes it to arg(...).factory";
  }
  const std::string_view type(a.type.data, a.type.size);
  // What cannot be read is a key.
  const TypeExpr expr =
      ParseTypeExpr(type).value_or(TypeExpr{TypeExpr::Kind::kName, type, false, {}});
  if (MayTake(expr, a.default_value)) return;
  ThrowMismatch(where, std::string(type), a.default_value);
}

/// Returns the number of parameters before tain::Args and tain::Kwargs.
int32_t FixedParams(const CallShape& shape) noexcept {
  return shape.num_params - (shape.takes_rest ? 1 : 0) - (shape.takes_keywords ? 1 : 0);
}

}  // namespace

CallSpec::~CallSpec() = default;

void CallSpec::Add(arg a) { args.push_back(std::move(a)); }

void CallSpec::Add(const call_spec& spec) {
  if (*spec.doc != '\0') doc = spec.doc;
  flags |= spec.flags;
  for (uint64_t pairs = spec.keeps; pairs != 0; pairs >>= 16) {
    keeps = WithKept(keeps, pairs & 0xFFFF);
  }
  for (int32_t i = 0; i < spec.num_params; ++i) args.emplace_back(spec.params[i]);
}

const CallSpec& SpecOf(const CallSpec* said) noexcept {
  static const CallSpec nothing;
  return said == nullptr ? nothing : *said;
}

TainByteArray FunctionRecord::Keep(std::string text) {
  const std::string& kept = texts_.emplace_back(std::move(text));
  return {kept.data(), kept.size()};
}

FunctionRecord::FunctionRecord(std::string name, const CallShape* shape, const CallSpec& spec,
                               bool has_receiver) {
  info_.name = Keep(std::move(name));
  info_.doc = Bytes(spec.doc);
  info_.flags = spec.flags | (has_receiver ? kTainCallMethod : 0);
  info_.keeps = spec.keeps;
  if (shape == nullptr) {
    CheckKept(spec.keeps, texts_.front(), INT32_MAX);
    info_.flags |= kTainCallPacked;
    info_.return_type = Bytes("Any");
    if (!spec.args.empty()) {
      TAIN_THROW(ValueError) << texts_.front()
                             << ": a packed function takes any arguments, so they cannot be named";
    }
    return;
  }
  if (shape->returns_enum) info_.flags |= kTainCallReturnsEnum;
  if (shape->takes_away) info_.flags |= kTainCallTakesAway;
  info_.return_type = Keep(SpellType(shape->result, texts_.front() + ": result"));
  // If the first parameter of a method is tain::Args, the receiver is in it.
  const bool takes_receiver = has_receiver && !(shape->takes_rest && FixedParams(*shape) == 0);
  info_.exact = takes_receiver || !has_receiver ? shape->exact : nullptr;
  AddArgs(*shape, spec, takes_receiver ? 1 : 0);
  if (!spec.args.empty()) CheckArgs();
  CheckKept(spec.keeps, texts_.front(), shape->takes_rest ? INT32_MAX : shape->num_params);
  info_.args = args_.data();
  info_.num_args = static_cast<int32_t>(args_.size());
}

void FunctionRecord::AddArgs(const CallShape& shape, const CallSpec& spec, int32_t first) {
  const auto count = static_cast<size_t>(shape.num_params - first);
  const auto required = static_cast<size_t>(FixedParams(shape) - first);  // the rest may be unnamed
  const size_t given = spec.args.size();
  if (given != 0 && given != count && given != required) {
    TAIN_THROW(ValueError) << texts_.front() << ": " << given << " tain::arg for " << count
                           << (count == 1 ? " parameter" : " parameters")
                           << ": name all of them or none";
  }
  int32_t keyword_only = 0;  // all parameters after a keyword-only one are keyword-only
  for (size_t i = 0; i < count; ++i) {
    TainArgInfo out{};
    const std::string place = texts_.front() + ": argument " +
                              (i < given ? std::string(spec.args[i].name()) : std::to_string(i));
    out.type = Keep(SpellType(shape.params[first + static_cast<int32_t>(i)], place));
    const bool is_keywords = shape.takes_keywords && i + 1 == count;
    const bool is_rest = i >= required && !is_keywords;
    if (i < given) {
      const arg& said = spec.args[i];
      out.name = Bytes(said.name());
      out.doc = Bytes(said.doc());
      out.default_value = said.default_value().data();
      keyword_only |= said.flags() & kTainArgKwOnly;
      out.flags = said.flags() | keyword_only | (is_rest || is_keywords ? 0 : kTainArgNamed);
    } else {
      out.name = is_rest       ? Bytes("args")
                 : is_keywords ? Bytes("kwargs")
                               : Keep("arg" + std::to_string(i));
    }
    const bool has_short_form =
        i < required && i + static_cast<size_t>(shape.num_optional) >= required;
    if (has_short_form && (out.flags & kTainArgHasDefault) == 0) out.flags |= kTainArgOptional;
    if ((out.flags & kTainArgOptional) != 0 && !has_short_form) {
      TAIN_THROW(ValueError) << place << ": is optional, but no form of the function can be called "
                             << "without it: give them to tain::with_defaults";
    }
    const bool lenient = ((out.flags & kTainArgLenient) | (info_.flags & kTainCallLenient)) != 0;
    if (lenient && View(out.type) == "str") out.type = Bytes("str | bytes");
    if (lenient && View(out.type) == "str | None") out.type = Bytes("str | bytes | None");
    if ((out.flags & kTainArgNotNone) != 0) {
      const size_t at = i + static_cast<size_t>(first);
      if (at >= 64 || (shape.nullable >> at & 1) == 0) {
        TAIN_THROW(ValueError) << place << ": none(false) is for a parameter that can be null (a "
                               << "pointer, a smart pointer, an optional); the type is "
                               << View(out.type);
      }
      out.type = Keep(WithoutNone(std::string(View(out.type))));
    }
    if (is_rest) out.flags |= kTainArgVarPositional;
    if (is_keywords) out.flags |= kTainArgVarKeyword | keyword_only;
    args_.push_back(out);
  }
}

void FunctionRecord::CheckArgs() const {
  bool defaults_began = false;
  bool optional_began = false;
  bool keywords_began = false;
  for (size_t i = 0; i < args_.size(); ++i) {
    const TainArgInfo& a = args_[i];
    const std::string name(a.name.data, a.name.size);
    const std::string where = texts_.front() + ": argument " + name;
    if (name.empty()) TAIN_THROW(ValueError) << where << i << ": the name is empty";
    for (size_t k = 0; k < i; ++k) {
      if (std::string_view(args_[k].name.data, args_[k].name.size) == name) {
        TAIN_THROW(ValueError) << where << ": the name stands twice";
      }
    }
    const bool has_default = (a.flags & kTainArgHasDefault) != 0;
    const bool is_optional = (a.flags & kTainArgOptional) != 0;
    if ((a.flags & kTainArgVarKeyword) != 0) {
      if (has_default) {
        TAIN_THROW(ValueError) << where << ": takes all further keywords: it has no default";
      }
      continue;
    }
    if ((a.flags & kTainArgVarPositional) != 0) {
      if (has_default || keywords_began) {
        TAIN_THROW(ValueError) << where << ": takes all further arguments: it has no default, and "
                               << "no parameter before it can be keyword only";
      }
      continue;
    }
    keywords_began = keywords_began || (a.flags & kTainArgKwOnly) != 0;
    if (is_optional && has_default) {
      TAIN_THROW(ValueError) << where << ": has a default, so it is not one that only the function "
                             << "knows";
    }
    if (has_default && optional_began) {
      TAIN_THROW(ValueError) << where << ": has a default, but the one of a parameter before it is "
                             << "known to the function alone";
    }
    optional_began = optional_began || is_optional;
    if (is_optional) continue;
    if (!has_default && (optional_began || (defaults_began && !keywords_began))) {
      TAIN_THROW(ValueError) << where << ": has no default, but a parameter before it has one";
    }
    defaults_began = defaults_began || has_default;
    if (!has_default) continue;
    CheckArgDefault(texts_.front() + ": the default of argument " + name, a);
  }
}

}  // namespace tain::internal
