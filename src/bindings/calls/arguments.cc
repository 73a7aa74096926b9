// SPDX-License-Identifier: Apache-2.0
// Arguments in the order of the parameters; see arguments.h.
#include "calls/arguments.h"

#include <utility>

#include "base/error.h"
#include "base/given_text.h"
#include "calls/call_values.h"
#include "calls/state.h"
#include "tain/arguments.h"

namespace tain::bindings {
namespace {

using internal::ArgumentOrder;

/// Returns the order of the arguments for an info that is not null; else an empty one.
ArgumentOrder OrderOf(const TainFunctionInfo* info, Py_ssize_t num_args,
                      const KeywordNames& names) {
  ArgumentOrder order;
  if (info == nullptr) return order;
  const internal::GivenArguments given{nullptr, static_cast<int32_t>(num_args), names.data(),
                                       names.size()};
  if (!order.Bind(info, given)) order.Throw(nullptr);
  return order;
}

/// Returns the number of values for which a call needs room.
Py_ssize_t RoomFor(const TainFunctionInfo* info, const ArgumentOrder& order,
                   Py_ssize_t num_args) noexcept {
  if (info == nullptr) return num_args + 2;
  return order.size() + num_args - order.first_rest() + (order.rest_keywords().empty() ? 0 : 2);
}

/// Computes the order of a call. Returns false if a KeywordOrder cannot express it.
bool MakeOrder(const TainFunctionInfo* info, PyObject* names, Py_ssize_t num_args,
               KeywordOrder* out) {
  // A call with a KeywordOrder converts as CallPlain does.
  constexpr int32_t kOtherWay = kTainCallPacked | kTainCallTakesObject;
  if (info == nullptr || (info->flags & kOtherWay) != 0) return false;
  const KeywordNames keywords(names);
  const internal::GivenArguments given{nullptr, static_cast<int32_t>(num_args), keywords.data(),
                                       keywords.size()};
  ArgumentOrder order;
  if (!order.Bind(info, given) || order.num_known() > KeywordOrder::kMost || order.has_rest() ||
      !order.rest_keywords().empty()) {
    return false;
  }
  int32_t count = 0;
  for (; count < order.num_known(); ++count) {
    const bool is_default = count >= order.size() || order[count] == ArgumentOrder::kDefault;
    if (is_default && !IsConstantDefault(*order.Parameter(count))) break;
    out->source[count] = is_default ? KeywordOrder::kDefault : static_cast<uint8_t>(order[count]);
  }
  out->count = count;
  return count >= order.size();
}

}  // namespace

KeywordNames::KeywordNames(PyObject* names) {
  const Py_ssize_t count = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
  views_.reserve(static_cast<size_t>(count));
  with_surrogates_.reserve(static_cast<size_t>(count));  // so that the views stay valid
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* name = PyTuple_GET_ITEM(names, i);
    Py_ssize_t size = 0;
    const char* text = PyUnicode_AsUTF8AndSize(name, &size);
    if (text != nullptr) {
      views_.emplace_back(text, static_cast<size_t>(size));
      continue;
    }
    PyErr_Clear();
    views_.push_back(with_surrogates_.emplace_back(TextFrom(name, "keyword")));
  }
}

std::string_view TypeOfArgument(const TainFunctionInfo* info, Py_ssize_t place) noexcept {
  if (info == nullptr) return "Any";
  const Py_ssize_t at = place - ((info->flags & kTainCallMethod) != 0 ? 1 : 0);
  if (at < 0) return {};
  return at < info->num_args ? View(info->args[at].type) : "Any";
}

BoundArguments::BoundArguments(const TainFunctionInfo* info, PyObject* const* args,
                               Py_ssize_t num_args, PyObject* kwnames)
    : info_(info),
      args_(args),
      num_args_(num_args),
      kwnames_(kwnames),
      names_(kwnames),
      order_(OrderOf(info, num_args, names_)),
      frame_(RoomFor(info, order_, num_args)) {}

bool BoundArguments::Convert() {
  if (!frame_.ok() || !ConvertFixed()) return false;
  for (Py_ssize_t i = order_.first_rest(); i < num_args_; ++i) {
    if (!frame_.Add(args_[i], "Any")) return false;
  }
  if (info_ != nullptr) return AddKeywords(order_.rest_keywords());
  std::vector<int32_t> all(static_cast<size_t>(names_.size()));
  for (int32_t i = 0; i < names_.size(); ++i) all[static_cast<size_t>(i)] = i;
  return AddKeywords(all);
}

bool BoundArguments::ConvertFixed() {
  const bool takes_object = info_ != nullptr && (info_->flags & kTainCallTakesObject) != 0;
  for (int32_t i = 0; i < order_.size(); ++i) {
    const int32_t source = order_[i];
    const bool good = source == ArgumentOrder::kDefault ? AddDefault(*order_.Parameter(i))
                      : takes_object ? frame_.AddUntouched(args_[source], TypeOfArgument(info_, i))
                                     : frame_.Add(args_[source], TypeOfArgument(info_, i));
    if (!good) return false;
  }
  return true;
}

bool BoundArguments::AddDefault(const TainArgInfo& parameter) {
  if ((parameter.flags & kTainArgFactory) == 0) {
    frame_.AddView(DefaultOf(parameter));
    return true;
  }
  TainAny made{};
  if (CallWithValues(parameter.default_value.v_obj, nullptr, 0, &made) != 0) return false;
  frame_.AddOwned(made);
  return true;
}

/// Adds the marker and a Map of these keyword arguments.
bool BoundArguments::AddKeywords(const std::vector<int32_t>& which) {
  if (which.empty()) return true;
  std::vector<std::pair<String, Any>> entries;
  for (const int32_t i : which) {
    TainAny key{}, value{};
    if (!OwnedFromPython(PyTuple_GET_ITEM(kwnames_, i), &key)) return false;
    const Any key_owner = Any::Steal(key);
    if (!OwnedFromPythonForAny(args_[num_args_ + i], &value)) return false;
    entries.emplace_back(key_owner.cast<String>(), Any::Steal(value));
  }
  frame_.AddView(internal::KeywordsMarker());
  frame_.AddOwned(Any(Map<String, Any>(entries.begin(), entries.end())).Release());
  return true;
}

const KeywordOrder* FindKeywordOrder(const TainFunctionInfo* info, PyObject* names,
                                     Py_ssize_t num_args) noexcept {
  KeywordOrders& orders = GetCallsState().keyword_orders;
  if (const KeywordOrder* known = orders.Find(info, names, num_args)) {
    return TAIN_LIKELY(known->count >= 0) ? known : nullptr;
  }
  KeywordOrder made;
  try {
    if (!MakeOrder(info, names, num_args, &made)) made.count = KeywordOrder::kNone;
  } catch (...) {
    PyErr_Clear();  // the general call raises the error again
    return nullptr;
  }
  made.info = info;
  made.names = Own::Share(names);
  made.num_args = num_args;
  const bool is_order = made.count >= 0;
  const KeywordOrder* kept = orders.Enter(std::move(made));
  return is_order ? kept : nullptr;
}

}  // namespace tain::bindings
