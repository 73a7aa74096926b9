// SPDX-License-Identifier: Apache-2.0
// Equality of values; see value_ops.h.
//
// The pairs that are still being compared are in a list, so nesting uses memory instead of the C
// stack. Each pair keeps both sides alive, because classes of the host may change the graph during
// the comparison. After some steps the opened pairs are recorded. A recorded pair is not compared
// again, so that shared parts are compared once and cycles end.
#include <utility>
#include <vector>

#include "base/key_level.h"
#include "tain/container/shape.h"
#include "tain/internal/host_value.h"
#include "tain/internal/pair_table.h"
#include "tain/signals.h"
#include "values/container_detail.h"
#include "values/number.h"
#include "values/value_plan.h"

namespace tain::internal {
namespace {

bool IsSequence(int32_t type_index) noexcept {
  return IsSeq(type_index) || type_index == kTainShape;
}

int64_t SizeOf(const TainObject* seq) noexcept {
  if (seq->type_index != kTainShape) return SeqSize(seq);
  return static_cast<int64_t>(reinterpret_cast<const TainShapeCell*>(seq + 1)->size);
}

/// Returns a view of an element; the index must be valid.
TainAny ElementOf(const TainObject* seq, int64_t index) noexcept {
  if (seq->type_index != kTainShape) return SeqData(seq)[index];
  TainAny view{};
  view.type_index = kTainInt;
  view.v_int64 = reinterpret_cast<const TainShapeCell*>(seq + 1)->data[index];
  return view;
}

/// Whether the name of a data type is `name`.
bool IsTypeName(const TainAny& type, std::string_view name) {
  TainAny made{};
  if (TainDataTypeToString(&type.v_dtype, &made) != 0) throw Error::MoveFromRaised();
  const Any owned = Any::Steal(made);
  std::string_view text;
  return TextOf(&owned.data(), &text) && text == name;
}

class Comparison {
 public:
  bool Run(const TainAny& a, const TainAny& b) {
    const bool* known = FindKnown(a, b);
    if (known != nullptr) return *known;
    const Verdict verdict = Compare(a, b);
    if (verdict != Verdict::kOpened) return verdict == Verdict::kEqual;
    const bool equal = Finish();
    NoteKnown(a, b, equal);
    return equal;
  }

  bool RunFields(TainObject* a, TainObject* b) {
    if (a == b) return true;
    const TainAny x = ViewOfObject(a);
    const TainAny y = ViewOfObject(b);
    const bool* known = FindKnown(x, y);
    if (known != nullptr) return *known;
    const bool equal = OpenFields(a, b) == Verdict::kEqual || Finish();
    NoteKnown(x, y, equal);
    return equal;
  }

 private:
  enum class Verdict { kEqual, kDifferent, kOpened };

  /// Two objects whose parts are compared.
  struct Open {
    Any a, b;
    const ValuePlan* plan;  ///< null for containers
    MapPlace place;         ///< for maps: the next entry of `a`
    int64_t next;           ///< the next part

    TainObject* left() const noexcept { return a.data().v_obj; }
    TainObject* right() const noexcept { return b.data().v_obj; }
  };
  enum class Part { kThere, kNoMore, kDifferent };

  bool Finish() {
    while (!open_.empty()) {
      if (++steps_ % kStepsPerCheck == 0) check_signals();
      Any owned_x, owned_y;
      TainAny x, y;
      const Part part = Next(open_.back(), &owned_x, &owned_y, &x, &y);
      if (part == Part::kDifferent) return false;
      if (part == Part::kNoMore) {
        open_.pop_back();
        continue;
      }
      if (Compare(x, y) == Verdict::kDifferent) return false;
    }
    return true;
  }

  /// Gets the next part of both sides. Closes the pair before its last part is compared, so that a
  /// linked list of any length needs only one open pair. `owned_x` and `owned_y` keep the parts
  /// alive.
  Part Next(Open& open, Any* owned_x, Any* owned_y, TainAny* x, TainAny* y) {
    bool is_last = false;
    if (open.plan != nullptr) {
      const auto& fields = open.plan->compared;
      const auto index = static_cast<size_t>(open.next++);
      if (index >= fields.size()) return Part::kNoMore;
      *x = FieldView(open.left(), *fields[index], owned_x);
      *y = FieldView(open.right(), *fields[index], owned_y);
      is_last = index + 1 == fields.size();
    } else if (IsMap(open.left()->type_index)) {
      const Part part = NextEntry(open, owned_x, owned_y);
      if (part != Part::kThere) return part;
      *x = owned_x->data();
      *y = owned_y->data();
    } else {
      const int64_t size = SizeOf(open.left());
      if (size != SizeOf(open.right())) return Part::kDifferent;
      if (open.next >= size) return Part::kNoMore;
      *x = ElementOf(open.left(), open.next);
      *y = ElementOf(open.right(), open.next);
      is_last = ++open.next == size;
    }
    Keep(*x, owned_x);
    Keep(*y, owned_y);
    if (is_last) open_.pop_back();
    return Part::kThere;
  }

  static void Keep(const TainAny& view, Any* owner) {
    const bool is_object = view.type_index >= kTainStaticObjectBegin;
    if (is_object && owner->data().v_obj != view.v_obj) *owner = Any(AnyView(view));
  }

  Part NextEntry(Open& open, Any* x, Any* y) {
    const TainObject* map = open.left();
    open.place = NextPlace(map, open.next++ == 0, open.place);
    const MapItem* item = MapItemOf(map, open.place);
    if (item == nullptr) return Part::kNoMore;
    const Any key{AnyView(item->key)};
    *x = Any(AnyView(item->value));
    // Looking up the key may compare other keys, and their classes may open more pairs. So `open`
    // must not be used afterwards.
    const Any other = open.b;
    const Nested nested("a key of a map", "maps are nested in keys of maps");
    const MapItem* theirs = MapFindSame(other.data().v_obj, key.data());
    if (theirs == nullptr) return Part::kDifferent;
    *y = Any(AnyView(theirs->value));
    return Part::kThere;
  }

  /// The results of comparisons that keys of maps need.
  struct Known : PairTable<bool> {};
  using Nested = KeyLevel<Known>;

  static bool AreObjects(const TainAny& a, const TainAny& b) noexcept {
    return a.type_index >= kTainStaticObjectBegin && b.type_index >= kTainStaticObjectBegin;
  }
  /// Returns the recorded result; null if there is none.
  static const bool* FindKnown(const TainAny& a, const TainAny& b) {
    Known* known = Nested::notes();
    if (TAIN_LIKELY(known == nullptr) || !AreObjects(a, b)) return nullptr;
    return known->Find(a.v_obj, b.v_obj);
  }
  /// Records a result if this comparison is a nested one.
  static void NoteKnown(const TainAny& a, const TainAny& b, bool equal) {
    if (TAIN_LIKELY(Nested::depth() == 0) || !AreObjects(a, b)) return;
    Nested::MakeNotes().FindOrAdd(a.v_obj, b.v_obj, equal);
  }

  Verdict Compare(const TainAny& given_a, const TainAny& given_b) {
    const TainAny a = PlainValue(given_a);
    const TainAny b = PlainValue(given_b);
    if (IsNumber(a) && IsNumber(b)) return Of(NumbersEqual(a, b));
    std::string_view text;
    if (TextOf(&a, &text)) return CompareText(text, b);
    if (TextOf(&b, &text)) return CompareText(text, a);
    std::string_view bytes;
    if (BytesOf(&a, &bytes)) return Of(BytesOf(&b, &text) && text == bytes);
    if (a.type_index < kTainStaticObjectBegin || b.type_index < kTainStaticObjectBegin) {
      if (IsHostValue(a) || IsHostValue(b)) return CompareHostValues(a, b);
      return Of(a.type_index == b.type_index && a.v_uint64 == b.v_uint64);
    }
    return CompareObjects(a, b);
  }

  static Verdict Of(bool equal) noexcept { return equal ? Verdict::kEqual : Verdict::kDifferent; }

  /// Compares a text with a text or with a data type, which equals its name as in Python.
  static Verdict CompareText(std::string_view text, const TainAny& other) {
    std::string_view theirs;
    if (TextOf(&other, &theirs)) return Of(text == theirs);
    return Of(other.type_index == kTainDataType && IsTypeName(other, text));
  }

  /// Compares opaque host objects, which can be equal to each other and to numbers.
  static Verdict CompareHostValues(const TainAny& a, const TainAny& b) {
    if (a.type_index == b.type_index) return Of(AnyEqual(a, b));
    const bool fits = (IsHostValue(a) || IsNumber(a)) && (IsHostValue(b) || IsNumber(b));
    return Of(fits && HasHost() && HostEqual(a, b));
  }

  Verdict CompareObjects(const TainAny& a, const TainAny& b) {
    if (a.v_obj == b.v_obj) return Verdict::kEqual;
    if (IsHostValue(a) || IsHostValue(b)) return CompareHostValues(a, b);
    if (((TraitsOf(a.v_obj) | TraitsOf(b.v_obj)) & kHostEqual) != 0) return Of(HostEqual(a, b));
    if (IsSequence(a.type_index) && IsSequence(b.type_index)) {
      const int64_t size = SizeOf(a.v_obj);
      if (size != SizeOf(b.v_obj)) return Verdict::kDifferent;
      return size == 0 ? Verdict::kEqual : OpenPair(a, b, nullptr);
    }
    if (IsMap(a.type_index) && IsMap(b.type_index)) {
      if (MapSize(a.v_obj) != MapSize(b.v_obj)) return Verdict::kDifferent;
      return MapSize(a.v_obj) == 0 ? Verdict::kEqual : OpenPair(a, b, nullptr);
    }
    return CompareByType(a, b);
  }

  Verdict CompareByType(const TainAny& a, const TainAny& b) {
    const ValuePlan& plan = PlanOf(a.type_index);
    if (a.type_index != b.type_index) {
      const bool by_method =
          plan.equal == ValueRule::kMethod || PlanOf(b.type_index).equal == ValueRule::kMethod;
      return Of(by_method && HasHost() && HostEqual(a, b));
    }
    switch (plan.equal) {
      case ValueRule::kFields: return OpenFields(a.v_obj, b.v_obj);
      case ValueRule::kMethod: {
        const TainAny args[2] = {a, b};
        return Of(CallForInt(plan.equal_method, args, 2, "__eq__") != 0);
      }
      default: return Verdict::kDifferent;
    }
  }

  Verdict OpenFields(TainObject* a, TainObject* b) {
    const ValuePlan& plan = PlanOf(a->type_index);
    return plan.compared.empty() ? Verdict::kEqual
                                 : OpenPair(ViewOfObject(a), ViewOfObject(b), &plan);
  }

  Verdict OpenPair(const TainAny& a, const TainAny& b, const ValuePlan* plan) {
    if (++opened_ > kOpenedUnnoted) {
      if (seen_.Find(a.v_obj, b.v_obj) != nullptr) return Verdict::kEqual;
      seen_.Add(a.v_obj, b.v_obj, 0);
    }
    open_.push_back({Any(AnyView(a)), Any(AnyView(b)), plan, {}, 0});
    return Verdict::kOpened;
  }

  static constexpr int64_t kOpenedUnnoted = 64;
  static constexpr int64_t kStepsPerCheck = 4096;
  std::vector<Open> open_;
  int64_t opened_ = 0;
  int64_t steps_ = 0;
  PairTable<char> seen_;
};

}  // namespace

bool ValueEqual(const TainAny& a, const TainAny& b) { return Comparison().Run(a, b); }

bool FieldsEqual(TainObject* a, TainObject* b) { return Comparison().RunFields(a, b); }

}  // namespace tain::internal
