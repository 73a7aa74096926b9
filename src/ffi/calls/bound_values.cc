// SPDX-License-Identifier: Apache-2.0
// The values of one call in the order of its parameters; see bound_values.h.
#include "calls/bound_values.h"

#include <utility>

namespace tain::internal {

KeywordArguments::KeywordArguments(const TainAny* args, int32_t num_args,
                                   const Map<String, Any>& keywords)
    : num_positional_(num_args), values_(args, args + num_args) {
  keys_.reserve(keywords.size());
  for (const auto& [name, value] : keywords) {
    keys_.push_back(name);
    names_.push_back(keys_.back());
    values_.push_back(value.data());
  }
}

void FillDefault(const TainArgInfo& parameter, TainAny* out, Any* made) {
  if ((parameter.flags & kTainArgUnchanged) != 0) {
    out->type_index = kTainUnchanged;
    return;
  }
  if ((parameter.flags & kTainArgFactory) == 0) {
    *out = parameter.default_value;
    return;
  }
  TainAny value{};
  ThrowIfFailed(TainFunctionCall(parameter.default_value.v_obj, nullptr, 0, &value));
  *made = Any::Steal(value);
  *out = value;
}

void BoundValues::AddDefault(const TainArgInfo& parameter) {
  TainAny value{};
  Any made;
  FillDefault(parameter, &value, &made);
  values_.push_back(value);
  if (made.type_index() != kTainNone) made_.push_back(std::move(made));
}

void BoundValues::Fill(const ArgumentOrder& order, const GivenArguments& given, bool complete) {
  const int32_t count = complete ? order.num_known() : order.size();
  for (int32_t i = 0; i < count; ++i) {
    const int32_t source = i < order.size() ? order[i] : ArgumentOrder::kDefault;
    if (source == ArgumentOrder::kDefault) {
      AddDefault(*order.Parameter(i));
    } else {
      values_.push_back(given.values[source]);
    }
  }
  AddPositional(given.values + order.first_rest(), given.num_positional - order.first_rest());
  if (order.rest_keywords().empty()) return;
  std::vector<std::pair<String, Any>> entries;
  for (const int32_t k : order.rest_keywords()) {
    const TainAny& value = given.values[given.num_positional + k];
    entries.emplace_back(String(given.names[k]), Any(AnyView(value)));
  }
  AddKeywords(Map<String, Any>(entries.begin(), entries.end()));
}

void BoundValues::AddPositional(const TainAny* args, int32_t num_args) {
  values_.insert(values_.end(), args, args + num_args);
}

void BoundValues::AddKeywords(const Map<String, Any>& keywords) {
  if (keywords.empty()) return;
  made_.emplace_back(keywords);
  values_.push_back(KeywordsMarker());
  values_.push_back(made_.back().data());
}

}  // namespace tain::internal
