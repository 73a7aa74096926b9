// SPDX-License-Identifier: Apache-2.0
// Compares the parameters of constructors with fields; see internal/make_plan.h.
#include "tain/internal/make_plan.h"

#include "base/guard.h"
#include "registry/type_chain.h"
#include "tain/internal/all_fields.h"
#include "tain/traits.h"

namespace tain::internal {
namespace {

struct CachedPlans : MakePlans {
  TypeChain chain;
  uint64_t stamp = 0;
};

constinit PlanCache<CachedPlans> own_plans;    // for the constructors of types
constinit PlanCache<CachedPlans> other_plans;  // for what stands for the constructor

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

const MakePlans& PlansIn(PlanCache<CachedPlans>& cache, const TainTypeRecord& record,
                         const TainFunctionInfo* info) {
  const auto fill = [&](CachedPlans& plans) {
    plans.fields = AllFieldsOf(record);
    if (info == nullptr) return;
    plans.is_overloaded = info->num_overloads != 0;
    if (!plans.is_overloaded) plans.all.push_back(PlanWith(*info, plans.fields));
    for (int32_t i = 0; i < info->num_overloads; ++i) {
      const TainFunctionInfo* one = info->overloads[i].info;
      if (one != nullptr) plans.all.push_back(PlanWith(*one, plans.fields));
    }
  };
  return cache.Get(record.info->type_index, fill, reinterpret_cast<uintptr_t>(info));
}

}  // namespace

const MakePlans& MakePlansOf(const TainTypeRecord& record) {
  return PlansIn(own_plans, record, TainFunctionGetInfo(record.constructor));
}

const MakePlans& MakePlansOf(const TainTypeRecord& record, const TainFunctionInfo* constructor) {
  const bool is_own = constructor == TainFunctionGetInfo(record.constructor);
  return PlansIn(is_own ? own_plans : other_plans, record, constructor);
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
