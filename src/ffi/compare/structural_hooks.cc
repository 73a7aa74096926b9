// SPDX-License-Identifier: Apache-2.0
// Hooks of structural operations; see structural_hooks.h.
#include "compare/structural_hooks.h"

#include <cstring>

#include "base/stack_bound.h"
#include "compare/structural_equal.h"
#include "tain/internal/container_api.h"
#include "tain/internal/value_ops.h"
#include "tain/virtual.h"

namespace tain::internal {

struct HookFunction::Shared {
  const char* where;
  std::function<Any(Args)> body;  ///< empty after the hook has returned
  std::thread::id thread = std::this_thread::get_id();
};

HookFunction::HookFunction(const char* where, std::function<Any(Args)> body)
    : shared_(std::make_shared<Shared>(Shared{where, std::move(body)})),
      function_(Function::FromPacked([shared = shared_](Args args) -> Any {
        const bool is_ours = shared->thread == std::this_thread::get_id();
        if (!is_ours || !shared->body) {
          TAIN_THROW(RuntimeError) << shared->where
                                   << (is_ours ? " has returned: its function ended with it"
                                               : " got its function for its own thread only");
        }
        const std::function<Any(Args)> run = shared->body;  // the hook may return meanwhile
        return run(args);
      })) {}

HookFunction::~HookFunction() {
  if (shared_->thread == std::this_thread::get_id()) shared_->body = nullptr;
}

bool CallStructuralHook(const char* name, const TainAny* type_hook, bool may_have_host_hook,
                        const AnyView* args, int32_t num_args, Any* result) {
  if (StackIsLow()) ThrowStackIsLow(name);
  const Object* self = ObjectAccess::FromHeader(args[0].data().v_obj);
  if (may_have_host_hook && CallOverride(self, name, args + 1, num_args - 1, result)) return true;
  if (type_hook == nullptr) return false;
  if (type_hook->type_index != kTainFunction) {
    TAIN_THROW(TypeError) << TypeNameOf(args[0].data()) << "." << name
                          << ": expected a function, got " << TypeNameOf(*type_hook);
  }
  TainAny made{};
  // An AnyView has the layout of a TainAny.
  ThrowIfFailed(
      TainFunctionCall(type_hook->v_obj, reinterpret_cast<const TainAny*>(args), num_args, &made));
  *result = Any::Steal(made);
  return true;
}

void ThrowHookResult(TainObject* object, const char* name, const char* expected, const Any& got) {
  TAIN_THROW(TypeError) << TypeNameOf(ObjectView(object)) << "." << name << ": expected "
                        << expected << ", got " << TypeAndValue(got.data());
}

bool HookFlag(Args args, int32_t index, const char* where, const char* name) {
  if (args.size() <= index) return false;
  const TainAny value = args[index].data();
  if (value.type_index == kTainBool || value.type_index == kTainInt) return value.v_int64 != 0;
  TAIN_THROW(TypeError) << where << ": expected bool for " << name << ", got "
                        << TypeAndValue(value);
}

uint64_t HookInt(TainObject* object, const Any& value) {
  if (value.type_index() == kTainInt) return value.data().v_uint64;
  if (value.type_index() != kTainBigInt) ThrowHookResult(object, kHashHook, "int", value);
  uint64_t word = 0;
  std::memcpy(&word, TainBigIntGetContentByteArray(&value.data()).data, sizeof(word));
  return word;
}

// ---------------------------------------------------------------- __s_equal__

/// Opens a pair of which the type or the host classes may have hooks.
StructuralComparison::Verdict StructuralComparison::OpenWithHook(TainObject* a, TainObject* b,
                                                                 const KnownType& type,
                                                                 Region region) {
  HoldAll();  // classes of the host are asked
  const Any held_a{AnyView(ObjectView(a))};
  const Any held_b{AnyView(ObjectView(b))};
  const StructuralPlan& plan = *type.plan;
  const bool has_hook = plan.equal_hook != nullptr || HasHostHook(a, type, kHostStructuralEqual) ||
                        HasHostHook(b, type, kHostStructuralEqual);
  const bool has_partner =
      plan.kind == StructuralKind::kVariable || plan.kind == StructuralKind::kDag;
  if (!has_partner && IsKnownPair(a, b)) return Verdict::kEqual;
  if (has_hook) hook_names_.emplace_back();
  Open(a, b, &plan, has_hook ? Form::kHook : Form::kFields, region);
  HoldTop();
  return Verdict::kOpened;
}

/// Compares the last pair by the hook of one of its objects: of the first one, if it has one.
StructuralComparison::Verdict StructuralComparison::RunHook() {
  HoldAll();
  const Frame frame = frames_.back();
  const KnownType type = plans_.Of(frame.a->type_index);
  const Any a{AnyView(ObjectView(frame.a))};
  const Any b{AnyView(ObjectView(frame.b))};
  const bool swapped =
      type.plan->equal_hook == nullptr && !HasHostHook(frame.a, type, kHostStructuralEqual);
  std::optional<FoundMismatch> before = std::exchange(mismatch_, std::nullopt);
  bool handled = false;
  Any result;
  const HookTurns::Turn turn(turns_);
  {
    const auto run = [self = shared_from_this(), turn = turn.number(), swapped](Args args) {
      self->turns_.Check(turn, kEqualHook);
      if (args.size() < 2 || args.size() > 4) {
        TAIN_THROW(TypeError) << kEqualHook << ": expected 2 to 4 arguments for its function, got "
                              << args.size();
      }
      const bool defines = HookFlag(args, 2, kEqualHook, "def_region");
      const Any name = args.size() > 3 ? Any(args[3]) : Any();
      return Any(
          self->Nested(Any(args[swapped ? 1 : 0]), Any(args[swapped ? 0 : 1]), defines, name));
    };
    const HookFunction compare(kEqualHook, run);
    const AnyView args[3] = {AnyView((swapped ? b : a).data()), AnyView((swapped ? a : b).data()),
                             AnyView(compare.function())};
    handled =
        CallStructuralHook(kEqualHook, type.plan->equal_hook,
                           MayHaveHostHook(swapped ? frame.b : frame.a, type), args, 3, &result);
  }
  turns_.Check(turn.number(), kEqualHook);
  std::optional<FoundMismatch> found = std::exchange(mismatch_, std::move(before));
  if (!handled) {  // the class had a hook when it was asked, and has none now; or only the other one
    hook_names_.pop_back();
    frames_.back().form = Form::kFields;
    return Verdict::kOpened;
  }
  if (result.type_index() != kTainBool) {
    ThrowHookResult(swapped ? frame.b : frame.a, kEqualHook, "bool", result);
  }
  if (result.data().v_int64 != 0) return Verdict::kEqual;
  if (found) {
    mismatch_ = std::move(found);
    return Verdict::kDifferent;
  }
  hook_names_.back() = Any();
  return DifferAt(a.data(), b.data(), "__s_equal__ returned False");
}

/// Compares two values for the hook that runs. What a comparison that fails has assumed is undone.
bool StructuralComparison::Nested(const Any& a, const Any& b, bool defines, Any name) {
  if (StackIsLow()) ThrowStackIsLow(kEqualHook);
  const size_t base = frames_.size();
  const size_t pairs = pairs_.size();
  const size_t partners = partner_of_a_.size();
  hook_names_.back() = std::move(name);
  const HookTurns::Turn turn(turns_);
  const auto undo = [&] {
    HoldAll();
    PopTo(base);
    pairs_.ShrinkTo(pairs);
    partner_of_a_.ShrinkTo(partners);
    partner_of_b_.ShrinkTo(partners);
  };
  try {
    const Region region = defines ? Region::kDef : Inside(frames_.back().region, true);
    const Verdict verdict = Values(a.data(), b.data(), region);
    if (verdict == Verdict::kOpened) HoldTop();
    const bool equal = verdict == Verdict::kOpened ? RunTo(base) : verdict == Verdict::kEqual;
    turns_.Check(turn.number(), kEqualHook);
    if (!equal) undo();
    return equal;
  } catch (...) {
    if (turns_.IsTurnOf(turn.number())) undo();
    throw;
  }
}

}  // namespace tain::internal
