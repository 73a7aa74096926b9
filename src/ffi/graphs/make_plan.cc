// SPDX-License-Identifier: Apache-2.0
// Compares the parameters of constructors with fields; see internal/make_plan.h.
#include "tain/internal/make_plan.h"

#include "base/guard.h"
#include "registry/type_facts.h"
#include "tain/traits.h"

namespace tain::internal {
namespace {

/// The plans of a type: one for each function that has made its objects, of which there are few.
struct MakersOfType {
  static constexpr auto kPart = TypePart::kMake;
  struct Plans : MakePlans {
    const TainFunctionInfo* info = nullptr;
    const Plans* next = nullptr;
  };
  mutable std::atomic<const Plans*> first{nullptr};
};

MakePlan PlanWith(const TainFunctionInfo& info, const std::vector<const TainFieldDef*>& fields) {
  constexpr int32_t kLeftOut = kTainArgHasDefault | kTainArgOptional;
  constexpr int32_t kRest = kTainArgVarPositional | kTainArgVarKeyword;
  MakePlan plan;
  plan.info = &info;
  plan.takes_fields = (info.flags & kTainCallPacked) == 0;
  for (const TainFieldDef* field : fields) plan.fields.push_back({field});
  for (int32_t i = 0; i < info.num_args; ++i) {
    const TainArgInfo& param = info.args[i];
    const auto field = std::find_if(plan.fields.begin(), plan.fields.end(), [&](const auto& one) {
      return View(one.def->info.name) == View(param.name);
    });
    const bool is_field = field != plan.fields.end();
    const bool is_needed = (param.flags & kLeftOut) == 0;
    plan.field_of_param.push_back(is_field ? static_cast<int32_t>(field - plan.fields.begin())
                                           : -1);
    if (is_field) {
      field->param = i;
      field->is_required = is_needed && (param.flags & kRest) == 0;
      field->is_first = is_needed || (field->def->info.flags & kTainFieldWritable) == 0;
    }
    if (!is_needed || (is_field && (param.flags & kTainArgNamed) != 0)) continue;
    if (plan.missing == nullptr) plan.missing = &param;
    plan.takes_fields = plan.takes_fields && (param.flags & kRest) != 0;
  }
  return plan;
}

}  // namespace

const MakePlans& MakePlansOf(const TainTypeRecord& record) {
  return MakePlansOf(record, TainFunctionGetInfo(record.constructor));
}

const MakePlans& MakePlansOf(const TainTypeRecord& record, const TainFunctionInfo* constructor) {
  const TypeFacts& facts = FactsOf(record.info->type_index);
  const MakersOfType& made = facts.Get<MakersOfType>([](const TypeFacts&, MakersOfType&) {});
  const MakersOfType::Plans* first = made.first.load(std::memory_order_acquire);
  for (const MakersOfType::Plans* known = first; known != nullptr; known = known->next) {
    if (known->info == constructor) return *known;
  }
  auto plans = std::make_unique<MakersOfType::Plans>();
  plans->info = constructor;
  plans->next = first;
  if (constructor != nullptr) {
    plans->is_overloaded = constructor->num_overloads != 0;
    if (!plans->is_overloaded) plans->all.push_back(PlanWith(*constructor, facts.fields));
    for (int32_t i = 0; i < constructor->num_overloads; ++i) {
      const TainFunctionInfo* one = constructor->overloads[i].info;
      if (one != nullptr) plans->all.push_back(PlanWith(*one, facts.fields));
    }
  }
  while (!made.first.compare_exchange_weak(plans->next, plans.get())) {
  }
  return *plans.release();
}

void CheckFieldsAreState(int32_t type_index, StateUse use) {
  if (UnregisteredBytes(type_index) == 0) return;
  TAIN_THROW(TypeError) << UnregisteredStateText(type_index, use);
}

void CheckMade(const TainTypeRecord& record, const TainAny& value) {
  if (value.type_index >= kTainStaticObjectBegin &&
      TainTypeIsInstance(value.type_index, record.info->type_index) != 0) {
    return;
  }
  TAIN_THROW(TypeError) << View(record.info->type_key) << ": the constructor returned "
                        << TypeNameOf(value) << ", expected " << View(record.info->type_key);
}

}  // namespace tain::internal
