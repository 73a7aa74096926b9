// SPDX-License-Identifier: Apache-2.0
// Functions that keep one object of a call alive as long as another one; see keep_alive.h.
//
// The call comes first, so that a call that is refused keeps nothing. One that throws later may have
// stored a pointer already, so its arguments are kept. Meanwhile the call holds the arguments.
#include "registry/keep_alive.h"

#include <array>
#include <unordered_set>
#include <vector>

#include "base/guard.h"
#include "base/refusal.h"
#include "memory/box_kept.h"
#include "memory/kept_list.h"
#include "registry/overloads.h"
#include "registry/registration.h"
#include "tain/internal/box.h"
#include "tain/internal/container_api.h"

namespace tain::internal {
namespace {

constexpr int kMostKept = 4;

std::string TextOf(const KeptNumbers& kept) {
  return "keep_alive<" + std::to_string(kept.nurse) + ", " + std::to_string(kept.patient) + ">";
}

/// Calls `act` for an object, or for each object in a container, at any depth, once.
template <class Act>
void ForEachObject(TainObject* object, const Act& act) {
  std::vector<TainObject*> open = {object};
  std::unordered_set<const TainObject*> containers;
  const auto add = [](TainObject* child, void* list) {
    static_cast<std::vector<TainObject*>*>(list)->push_back(child);
    return 0;
  };
  while (!open.empty()) {
    TainObject* at = open.back();
    open.pop_back();
    if (!IsSeq(at->type_index) && !IsMap(at->type_index)) {
      act(at);
    } else if (containers.insert(at).second) {
      ThrowIfFailed(TainObjectVisitEdges(at, add, &open));
    }
  }
}

/// Whether objects of a type can keep others alive. Of the host's objects C++ has only a cell.
bool CanKeep(int32_t type_index) noexcept {
  return type_index >= kTainDynObjectBegin || type_index == kTainTensor ||
         type_index == kTainFunction || type_index == kTainModule;
}

Mismatch LentMismatch(const TainAny* a) {
  return Mismatch(TypeNameOf(*a))
      .Got("one that C++ lent for the length of a call, so nothing can keep it alive: give a copy");
}
Mismatch UnkeptMismatch(const TainAny* a) {
  return Mismatch(TypeNameOf(*a))
      .Got("one that is not lent, but what shall keep it alive is, for the length of a call");
}
Mismatch KeepsNothingMismatch(const TainAny*) {
  return Mismatch("an object of C++, which can keep another one alive");
}

/// The objects that keep_alive names in one call, held until it has returned.
class KeptOfCall {
 public:
  KeptOfCall(const TainFunctionInfo* info, const TainAny* args, int32_t num_args)
      : info_(info), args_(args) {
    ForEachPair(info->keeps, [&](const KeptNumbers& numbers) {
      Pair& pair = pairs_[num_pairs_++];
      pair.numbers = numbers;
      if (numbers.nurse > num_args || numbers.patient > num_args) return;  // omitted, so not stored
      if (numbers.nurse != 0) pair.nurse = Hold(args_[numbers.nurse - 1], numbers);
      if (numbers.patient != 0) pair.patient = Hold(args_[numbers.patient - 1], numbers);
      if (!pair.IsOfArguments()) return;
      if (const Explain why = WhyUnkept(pair)) {
        const int at = why == &KeepsNothingMismatch ? numbers.nurse : numbers.patient;
        ThrowArgument(info, at - 1, why, args[at - 1]);
      }
    });
  }

  /// Keeps alive what concerns arguments alone.
  void KeepArguments() {
    for (int i = 0; i < num_pairs_; ++i) {
      if (pairs_[i].IsOfArguments()) Keep(pairs_[i]);
    }
  }
  /// Keeps alive what concerns the result.
  void KeepResult(const TainAny& result) {
    for (int i = 0; i < num_pairs_; ++i) {
      Pair& pair = pairs_[i];
      if (pair.IsOfArguments()) continue;
      (pair.numbers.nurse == 0 ? pair.nurse : pair.patient) = Hold(result, pair.numbers);
      if (const Explain why = WhyUnkept(pair)) {
        const int at = why == &KeepsNothingMismatch ? pair.numbers.nurse : pair.numbers.patient;
        ThrowCast(why, at == 0 ? result : args_[at - 1],
                  std::string(View(info_->name)) + ": " + TextOf(pair.numbers));
      }
      Keep(pair);
    }
  }

 private:
  struct Pair {
    KeptNumbers numbers{};
    ObjectPtr<Object> nurse;
    ObjectPtr<Object> patient;
    bool IsOfArguments() const noexcept { return numbers.nurse != 0 && numbers.patient != 0; }
  };

  static TainObject* HeaderOf(const ObjectPtr<Object>& object) noexcept {
    return ObjectAccess::Header(object.get());
  }
  /// Why the nurse of a pair cannot keep the patient as long as it lives; null if it can.
  static Explain WhyUnkept(const Pair& pair) {
    if (pair.nurse == nullptr || pair.patient == nullptr) return nullptr;
    bool is_lent = false, has_lent = false, all_boxes = true, keeps = true;
    ForEachObject(HeaderOf(pair.patient), [&](TainObject* at) { has_lent |= IsLent(at); });
    ForEachObject(HeaderOf(pair.nurse), [&](TainObject* at) {
      is_lent |= IsLentForCall(at);
      all_boxes &= IsBoxType(at->type_index);
      keeps &= CanKeep(at->type_index) || at != HeaderOf(pair.nurse) || IsCopied(at->type_index);
    });
    if (!keeps) return &KeepsNothingMismatch;
    if (is_lent) return has_lent ? nullptr : &UnkeptMismatch;
    // A box that the call has made ends with the loan.
    const bool may_end = pair.numbers.nurse == 0 && all_boxes;
    return has_lent && !may_end ? &LentMismatch : nullptr;
  }
  /// Whether a value is its own, so that nothing needs to be kept for it.
  static bool IsCopied(int32_t type_index) noexcept {
    return type_index == kTainStr || type_index == kTainBytes || type_index == kTainShape ||
           type_index == kTainBigInt;
  }
  static void Keep(const Pair& pair) {
    if (pair.nurse == nullptr || pair.patient == nullptr) return;
    ForEachObject(HeaderOf(pair.nurse), [&](TainObject* nurse) {
      if (CanKeep(nurse->type_index)) KeepForObject(nurse, HeaderOf(pair.patient));
    });
  }
  /// Returns the object of a value, or null: None, or a number or text, which is copied.
  ObjectPtr<Object> Hold(const TainAny& value, const KeptNumbers& numbers) const {
    TainObject* object = HeaderOfArgument(value);
    if (object == nullptr && value.type_index == kTainDLTensorPtr) {
      TAIN_THROW(TypeError) << View(info_->name) << ": " << TextOf(numbers)
                            << ": expected an object"
                            << " that owns its memory, got a view of a tensor for the length of the"
                            << " call: declare the parameter as tain::Tensor";
    }
    return object == nullptr ? ObjectPtr<Object>() : RefAccess::Share<Object>(object);
  }

  const TainFunctionInfo* info_;
  const TainAny* args_;
  std::array<Pair, kMostKept> pairs_;
  int num_pairs_ = 0;
};

/// The values that a call must have before its defaults are known: not those that it may omit.
ParamCount RequiredOf(const TainFunctionInfo& info) noexcept {
  ParamCount params{(info.flags & kTainCallMethod) != 0 ? 1 : 0, false};
  for (int32_t i = 0; i < info.num_args; ++i) {
    const int32_t flags = info.args[i].flags;
    params.keywords |= (flags & kTainArgVarKeyword) != 0;
    if ((flags & (kTainArgVarKeyword | kTainArgVarPositional | kTainArgOptional)) == 0) {
      ++params.count;
    }
  }
  return params;
}

class KeepingFunction : public FunctionObj {
 public:
  explicit KeepingFunction(Function function) : inner(std::move(function)) {
    body.cell.safe_call = &SafeCall;
  }
  Function inner;

 private:
  static int SafeCall(void* self, const TainAny* args, int32_t num_args, TainAny* result) noexcept {
    const auto* keeping =
        static_cast<KeepingFunction*>(ObjectAccess::FromHeader(static_cast<TainObject*>(self)));
    const TainFunctionInfo* info = keeping->body.info;
    if (info == nullptr) return keeping->CallInner(args, num_args, result);
    if ((info->flags & kTainCallPacked) == 0) {
      const ParamCount params = RequiredOf(*info);
      const bool keywords = params.keywords && HasKeywords(args, num_args);
      if (num_args - (keywords ? 2 : 0) < params.count) {
        return CallCompleted(&SafeCall, self, info, params, args, num_args, result);
      }
    }
    try {
      return keeping->Call(info, args, num_args, result);
    } catch (...) {
      return FailedIn(info);
    }
  }

  int CallInner(const TainAny* args, int32_t num_args, TainAny* result) const noexcept {
    TainObject* function = RefAccess::Header(inner);
    if ((TainObjectWordOf(function) & kTainHeaderHasPrefix) == 0) {
      return TainFunctionCall(function, args, num_args, result);
    }
    // As it is, because an offer or a request may stand in the result.
    return reinterpret_cast<const TainFunctionCell*>(function + 1)
        ->safe_call(function, args, num_args, result);
  }

  int Call(const TainFunctionInfo* info, const TainAny* args, int32_t num_args,
           TainAny* result) const {
    KeptOfCall kept(info, args, num_args);
    const int code = CallInner(args, num_args, result);
    if (code != 0) {
      const Refusal* refusal = RaisedRefusal();
      if (refusal == nullptr || refusal->info != info) kept.KeepArguments();
      return code;
    }
    try {
      kept.KeepArguments();
      kept.KeepResult(*result);
    } catch (...) {
      const TainAny made = std::exchange(*result, TainAny{});
      if (made.type_index >= 0) const Any dropped = Any::Steal(made);
      throw;
    }
    return 0;
  }
};

}  // namespace

void CheckKept(uint64_t keeps, const std::string& where, int32_t num_values) {
  ForEachPair(keeps, [&](const KeptNumbers& kept) {
    if (kept.nurse > kLastKept || kept.patient > kLastKept || kept.nurse == kept.patient) {
      TAIN_THROW(ValueError) << where << ": keep_alive: expected at most " << kMostKept
                             << " of them, each of two numbers from 0 to " << kLastKept;
    }
    if (kept.nurse > num_values || kept.patient > num_values) {
      TAIN_THROW(ValueError) << where << ": " << TextOf(kept) << ", but it has " << num_values
                             << (num_values == 1 ? " argument" : " arguments");
    }
  });
}

uint64_t KeptOfProperty(uint64_t keeps, const std::string& where, int32_t num_values,
                        bool has_setter) {
  CheckKept(keeps, where, has_setter ? 2 : 1);
  uint64_t own = 0;
  ForEachPair(keeps, [&](const KeptNumbers& kept) {
    const bool is_setters = kept.nurse == 2 || kept.patient == 2;
    if (is_setters == (num_values == 2)) own = WithKept(own, KeptPair(kept.nurse, kept.patient));
  });
  return own;
}

Function WithInfo(const Function& function, const TainFunctionInfo& info) {
  if (info.keeps == 0) {
    ThrowIfFailed(TainFunctionSetInfo(RefAccess::Header(function), &info));
    return function;
  }
  const auto keeping = make_object<KeepingFunction>(function);
  ThrowIfFailed(TainFunctionSetInfo(RefAccess::Header(keeping), &info));
  SetSharedInfo(RefAccess::Header(function), keeping->body.info);
  return Function(ObjectPtr<FunctionObj>(keeping));
}

}  // namespace tain::internal
