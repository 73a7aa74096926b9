// SPDX-License-Identifier: Apache-2.0
// The record of a function from its signature and what its author said: names, types, defaults.
//
// Only the spelling of a parameter's type is known here, so a default is refused where the spelling
// leaves no doubt (int, float, bool, str, bytes, object classes and unions of them).
#include <algorithm>
#include <mutex>
#include <shared_mutex>

#include "registry/function_record.h"
#include "registry/registry.h"

namespace tain::internal {
namespace {

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// The alternatives of `A | B[C | D] | None`.
std::vector<std::string_view> SplitUnion(std::string_view type) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i < type.size(); ++i) {
    if (type[i] == '[' || type[i] == '(') ++depth;
    if (type[i] == ']' || type[i] == ')') --depth;
    if (type[i] == '|' && depth == 0) {
      parts.push_back(Trim(type.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  parts.push_back(Trim(type.substr(begin)));
  return parts;
}

bool IsText(int32_t index) {
  return index == kTainSmallStr || index == kTainStr || index == kTainRawStr;
}

bool IsInteger(int32_t index) {
  return index == kTainInt || index == kTainBool || index == kTainBigInt;
}

/// The index of a registered class, or 0 for a name that is none.
int32_t ClassIndex(std::string_view key) {
  if (key == "Object") return kTainObject;
  Registry& registry = Registry::Default();
  std::shared_lock lock(registry.mutex);
  const TypeEntry* entry = registry.types.FindKey(key);
  return entry == nullptr || entry->info.type_index < kTainDynObjectBegin ? 0
                                                                          : entry->info.type_index;
}

/// Whether a parameter spelled `type` may take the value; true if in doubt.
bool MayTake(std::string_view type, const TainAny& value) {
  const int32_t index = value.type_index;
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

/// Throws if a parameter whose type is spelled `type` can certainly not take the value.
void CheckArgDefault(const std::string& where, const TainArgInfo& a) {
  if ((a.flags & kTainArgFactory) != 0) {
    if (a.default_value.type_index == kTainFunction) return;
    TAIN_THROW(ValueError) << where << ": the function that makes it is null";
  }
  const std::string_view type(a.type.data, a.type.size);
  for (std::string_view part : SplitUnion(type)) {
    if (MayTake(part, a.default_value)) return;
  }
  ThrowMismatch(where, std::string(type), a.default_value);
}

/// The number of parameters before tain::Args and tain::Kwargs.
int32_t FixedParams(const CallShape& shape) noexcept {
  return shape.num_params - (shape.takes_rest ? 1 : 0) - (shape.takes_keywords ? 1 : 0);
}

}  // namespace

TainByteArray FunctionRecord::Keep(std::string text) {
  const std::string& kept = texts_.emplace_back(std::move(text));
  return {kept.data(), kept.size()};
}

FunctionRecord::FunctionRecord(std::string name, const CallShape* shape, const CallSpec& spec,
                               bool has_receiver) {
  info_.name = Keep(std::move(name));
  info_.doc = Bytes(spec.doc);
  info_.flags = spec.flags | (has_receiver ? kTainCallMethod : 0);
  if (shape == nullptr) {
    info_.flags |= kTainCallPacked;
    info_.return_type = Bytes("Any");
    if (!spec.args.empty()) {
      TAIN_THROW(ValueError) << texts_.front()
                             << ": a packed function takes any arguments, so they cannot be named";
    }
    return;
  }
  if (shape->returns_enum) info_.flags |= kTainCallReturnsEnum;
  info_.return_type = Keep(SpellType(shape->result, texts_.front() + ": result"));
  // A method that takes tain::Args first finds its receiver there.
  const bool takes_receiver = has_receiver && !(shape->takes_rest && FixedParams(*shape) == 0);
  info_.exact = takes_receiver || !has_receiver ? shape->exact : nullptr;
  AddArgs(*shape, spec, takes_receiver ? 1 : 0);
  if (!spec.args.empty()) CheckArgs();
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
  int32_t keyword_only = 0;  // one parameter makes all after it so
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
    if (is_rest) out.flags |= kTainArgVarPositional;
    if (is_keywords) out.flags |= kTainArgVarKeyword | keyword_only;
    args_.push_back(out);
  }
}

void FunctionRecord::CheckArgs() const {
  bool defaults_began = false;
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
    if (!has_default && defaults_began && !keywords_began) {
      TAIN_THROW(ValueError) << where << ": has no default, but a parameter before it has one";
    }
    defaults_began = defaults_began || has_default;
    if (!has_default) continue;
    CheckArgDefault(texts_.front() + ": the default of argument " + name, a);
  }
}

}  // namespace tain::internal
