// SPDX-License-Identifier: Apache-2.0
// Structural comparison of objects, fields and containers; see structural_equal.h.
#include "compare/structural_equal.h"

#include "compare/structural_leaf.h"
#include "graphs/access_path_text.h"
#include "values/any_equal.h"
#include "values/container_detail.h"
#include "values/value_plan.h"

namespace tain::internal {
namespace {

template <class T>
bool SameFloats(const TainObject* a, const TainObject* b, const StructuralField& field) noexcept {
  return FloatsSame(ReadNumber(FieldAt<T>(a, field.offset)),
                    ReadNumber(FieldAt<T>(b, field.offset)));
}

bool SameInts(const TainObject* a, const TainObject* b, const StructuralField& field) noexcept {
  return WithTypeOfKind(field.kind, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_integral_v<T>) {
      return ReadNumber(FieldAt<T>(a, field.offset)) == ReadNumber(FieldAt<T>(b, field.offset));
    }
    return false;
  });
}

}  // namespace

// ---------------------------------------------------------------- the loop

StructuralComparison::~StructuralComparison() {
  while (!frames_.empty()) Pop();
}

bool StructuralComparison::Run(const TainAny& a, const TainAny& b, Region region) {
  const Verdict verdict = Values(a, b, region);
  return verdict == Verdict::kOpened ? RunTo(0) : verdict == Verdict::kEqual;
}

/// Compares until only `base` pairs are left. If it returns false, the pairs that led to the
/// difference are left too.
bool StructuralComparison::RunTo(size_t base) {
  while (frames_.size() > base) {
    CountStep();
    switch (Step()) {
      case Verdict::kDifferent: return false;
      case Verdict::kEqual: Pop(); break;
      case Verdict::kOpened: break;
    }
  }
  return true;
}

/// Compares parts of the last pair until one opens another pair, differs, or none is left.
StructuralComparison::Verdict StructuralComparison::Step() {
  Frame& frame = frames_.back();
  switch (frame.form) {
    case Form::kFields: return Fields(frame);
    case Form::kSequence: return Elements(frame);
    case Form::kMap: return MapParts(frame);
    default: return RunHook();
  }
}

StructuralComparison::Verdict StructuralComparison::Fields(Frame& frame) {
  const std::vector<StructuralField>& fields = frame.plan->fields;
  TainObject* const a = frame.a;
  TainObject* const b = frame.b;
  while (static_cast<size_t>(frame.next) < fields.size()) {
    const StructuralField& field = fields[static_cast<size_t>(frame.next++)];
    Verdict verdict = Verdict::kEqual;
    switch (field.kind) {
      case kTainFieldOpaque: verdict = OpaqueField(frame, field); break;
      case kTainFieldFloat32:
        if (!SameFloats<float>(a, b, field)) return DifferIn(frame, field);
        break;
      case kTainFieldFloat64:
        if (!SameFloats<double>(a, b, field)) return DifferIn(frame, field);
        break;
      case kTainFieldString:
      case kTainFieldAny:
        verdict = Values(FieldAt<TainAny>(a, field.offset), FieldAt<TainAny>(b, field.offset),
                         RegionOf(field, frame.region));
        break;
      case kTainFieldObject: {
        TainObject* const x = FieldAt<TainObject*>(a, field.offset);
        TainObject* const y = FieldAt<TainObject*>(b, field.offset);
        if (x == nullptr || y == nullptr) {
          if (x != y) return DifferIn(frame, field);
        } else if (HasParts(x->type_index)) {
          verdict = Objects(x, y, RegionOf(field, frame.region));
        } else {
          verdict = Values(ObjectView(x), ObjectView(y), Region::kUse);
        }
        break;
      }
      default:
        if (!SameInts(a, b, field)) return DifferIn(frame, field);
    }
    if (verdict != Verdict::kEqual) return verdict;  // the frame may have moved
  }
  return Verdict::kEqual;
}

/// Compares a field that only a getter can read. What the getter made is held by the new frame.
StructuralComparison::Verdict StructuralComparison::OpaqueField(Frame& frame,
                                                                const StructuralField& field) {
  const Region region = RegionOf(field, frame.region);
  TainObject* const a = frame.a;
  TainObject* const b = frame.b;
  HoldAll();  // a getter may run foreign code, and so may the end of what it made
  const GetterValue x(a, field);
  const GetterValue y(b, field);
  const Verdict verdict = Values(x.data(), y.data(), region);
  if (verdict == Verdict::kOpened) HoldTop();
  return verdict;
}

StructuralComparison::Verdict StructuralComparison::Elements(Frame& frame) {
  TainObject* const a = frame.a;
  TainObject* const b = frame.b;
  while (true) {
    const int64_t at = frame.next;
    const int64_t size_a = SeqSize(a);
    const int64_t size_b = SeqSize(b);
    if (size_a != size_b && (!explain_ || at >= size_a || at >= size_b)) {
      ++frame.next;
      const auto element = [at](TainObject* seq, int64_t size) {
        return at < size ? std::optional<Any>(Any(AnyView(SeqData(seq)[at]))) : std::nullopt;
      };
      return Differ(element(a, size_a), element(b, size_b));
    }
    if (at >= size_a) return Verdict::kEqual;
    ++frame.next;
    const Verdict verdict = Values(SeqData(a)[at], SeqData(b)[at], frame.region);
    if (verdict != Verdict::kEqual) return verdict;
  }
}

/// Compares keys that are objects, then all values. Keys define no variables.
StructuralComparison::Verdict StructuralComparison::MapParts(Frame& frame) {
  const Entries& entries = entries_.back();
  const size_t num_keys = entries.num_keys();
  while (static_cast<size_t>(frame.next) < num_keys + entries.a.size()) {
    const auto at = static_cast<size_t>(frame.next++);
    const bool is_key = at < num_keys;
    const size_t i = is_key ? entries.num_plain + at : at - num_keys;
    const MapEntry& x = entries.a[i];
    const MapEntry& y = entries.b[i];
    const Verdict verdict = is_key ? Values(x.key.data(), y.key.data(), Region::kUse)
                                   : Values(x.value.data(), y.value.data(), frame.region);
    if (verdict != Verdict::kEqual) return verdict;
  }
  return Verdict::kEqual;
}

// ---------------------------------------------------------------- values

StructuralComparison::Verdict StructuralComparison::Values(const TainAny& a, const TainAny& b,
                                                           Region region) {
  if (HasParts(a.type_index) && HasParts(b.type_index)) {
    return Objects(a.v_obj, b.v_obj, region);
  }
  return LeavesEqual(a, b, content_) ? Verdict::kEqual : DifferAt(a, b);
}

StructuralComparison::Verdict StructuralComparison::Objects(TainObject* a, TainObject* b,
                                                            Region region) {
  const int32_t type_index = a->type_index;
  if (type_index != b->type_index) return DifferAt(ObjectView(a), ObjectView(b));
  if (type_index < kTainDynObjectBegin) {
    if (HasParts(type_index)) return Containers(a, b, region);
    return Values(ObjectView(a), ObjectView(b), region);
  }
  const KnownType type = plans_.Of(type_index);  // a copy: another type may take its place
  const StructuralPlan& plan = *type.plan;
  switch (plan.kind) {
    case StructuralKind::kTree: break;
    case StructuralKind::kConstTree:
      if (a == b) return Verdict::kEqual;
      break;
    case StructuralKind::kUnique:
      return a == b ? Verdict::kEqual
                    : DifferAt(ObjectView(a), ObjectView(b), "they are two instances");
    case StructuralKind::kVariable:
    case StructuralKind::kDag: {
      const Verdict verdict = Partners(a, b, plan.kind, region);
      if (verdict != Verdict::kOpened) return verdict;
      break;
    }
  }
  const bool may_have_hook =
      plan.equal_hook != nullptr || MayHaveHostHook(a, type) || MayHaveHostHook(b, type);
  if (TAIN_UNLIKELY(may_have_hook)) return OpenWithHook(a, b, type, region);
  if (plan.fields.empty()) return Verdict::kEqual;
  if (plan.is_flat && !explain_) {
    Frame flat{a, b, &plan, 0, Form::kFields, region, false};
    return Fields(flat);
  }
  const bool has_partner =
      plan.kind == StructuralKind::kVariable || plan.kind == StructuralKind::kDag;
  if (!has_partner && IsKnownPair(a, b)) return Verdict::kEqual;
  return Open(a, b, &plan, Form::kFields, region);
}

/// Whether a pair was met before. Records it if it may be met again.
bool StructuralComparison::IsKnownPair(TainObject* a, TainObject* b) {
  if (TAIN_LIKELY(!IsShared(a) && !IsShared(b))) return false;
  if (pairs_.Find(a, b) != nullptr) return true;
  pairs_.Add(a, b, 0);
  return false;
}

/// Decides by the partners of two variables or DAG nodes. Returns kOpened if they have become
/// partners now, so that their fields are to be compared.
StructuralComparison::Verdict StructuralComparison::Partners(TainObject* a, TainObject* b,
                                                             StructuralKind kind, Region region) {
  const bool is_variable = kind == StructuralKind::kVariable;
  if (TainObject** partner = partner_of_a_.Find(a)) {
    if (*partner == b) return Verdict::kEqual;
    return DifferAt(ObjectView(a), ObjectView(b),
                    is_variable ? "the first variable stands for another one"
                                : "the first object is shared with another one");
  }
  if (partner_of_b_.Find(b) != nullptr) {
    return DifferAt(ObjectView(a), ObjectView(b),
                    is_variable ? "another variable stands for the second one"
                                : "the second object is shared with another one");
  }
  const bool is_free = is_variable && region == Region::kUse;
  if (is_free && a != b) {
    return DifferAt(ObjectView(a), ObjectView(b), "they are two free variables");
  }
  partner_of_a_.Add(a, nullptr, b);
  partner_of_b_.Add(b, nullptr, a);
  return is_free ? Verdict::kEqual : Verdict::kOpened;
}

StructuralComparison::Verdict StructuralComparison::Containers(TainObject* a, TainObject* b,
                                                               Region region) {
  if (IsMap(a->type_index)) return OpenMaps(a, b, region);
  if (SeqSize(a) == 0 && SeqSize(b) == 0) return Verdict::kEqual;
  if (SeqSize(a) != SeqSize(b) && !explain_) return Verdict::kDifferent;
  if (IsKnownPair(a, b)) return Verdict::kEqual;
  return Open(a, b, nullptr, Form::kSequence, region);
}

/// Finds the entry of `b` for each key of `a`, by the key's partner if it has one.
StructuralComparison::Verdict StructuralComparison::OpenMaps(TainObject* a, TainObject* b,
                                                             Region region) {
  if (MapSize(a) != MapSize(b) && !explain_) return Verdict::kDifferent;
  if (MapSize(a) == 0 && MapSize(b) == 0) return Verdict::kEqual;
  if (IsKnownPair(a, b)) return Verdict::kEqual;
  SortedEntries sorted = SortedEntriesOf(a);
  entries_.push_back({std::move(sorted.entries), {}, sorted.num_plain});
  frames_.push_back({a, b, nullptr, 0, Form::kMap, region, false});
  HoldTop();
  const size_t num_entries = entries_.back().a.size();
  for (size_t i = 0; i < num_entries; ++i) {
    const Any key = entries_.back().a[i].key;
    TainAny wanted = key.data();
    const bool is_object = wanted.type_index >= kTainDynObjectBegin;
    if (TainObject** partner = is_object ? partner_of_a_.Find(wanted.v_obj) : nullptr) {
      wanted = ObjectView(*partner);
    }
    if (RunsCodeAsKey(wanted)) HoldAll();
    const MapItem* item = FindKey(b, wanted, i);
    if (item == nullptr) {
      Entries& all = entries_.back();
      frames_.back().next = static_cast<int64_t>(all.num_keys() + i) + 1;
      all.b.push_back({key, Any()});
      const Verdict verdict = Differ(all.a[i].value, std::nullopt);
      return verdict;
    }
    entries_.back().b.push_back({Any(AnyView(item->key)), Any(AnyView(item->value))});
  }
  if (MapSize(b) == num_entries) return Verdict::kOpened;
  // All keys of `a` are in `b`, which has more: show one of those.
  for (MapEntry& extra : SortedEntriesOf(b).entries) {
    if (MapFind(a, extra.key.data()) != nullptr) continue;
    Entries& all = entries_.back();
    frames_.back().next = static_cast<int64_t>(all.num_keys() + all.a.size()) + 1;
    all.a.push_back({extra.key, Any()});
    all.b.push_back({extra.key, extra.value});
    all.num_plain = all.num_plain + 1;  // num_keys() stays as it was
    return Differ(std::nullopt, extra.value);
  }
  return Differ(Any(AnyView(ObjectView(a))), Any(AnyView(ObjectView(b))), "their keys differ");
}

/// Finds a key in the map of the second graph. RecursionError names the place of the key, which is
/// entry `index` of the first one.
const MapItem* StructuralComparison::FindKey(TainObject* map, const TainAny& key, size_t index) {
  try {
    return MapFind(map, key);
  } catch (const Error& error) {
    if (error.kind() != "RecursionError") throw;
    Entries& all = entries_.back();
    frames_.back().next = static_cast<int64_t>(all.num_keys() + index) + 1;
    all.b.push_back(all.a[index]);
    SetPaths(FoundMismatch{});
    const Array<AccessStep>& steps = mismatch_->path_a;
    TAIN_THROW(RecursionError) << ShortPath(steps, static_cast<int64_t>(steps.size())) << ": "
                               << error.message();
  }
}

// ---------------------------------------------------------------- open pairs

StructuralComparison::Verdict StructuralComparison::Open(TainObject* a, TainObject* b,
                                                         const StructuralPlan* plan, Form form,
                                                         Region region) {
  frames_.push_back({a, b, plan, 0, form, region, false});
  return Verdict::kOpened;
}

void StructuralComparison::Pop() {
  const Frame frame = TakeTop();
  if (frame.form == Form::kHook) hook_names_.pop_back();
  if (frame.form == Form::kMap) {
    HoldAll();  // the entries may be the last references to objects
    const Entries dropped = std::move(entries_.back());
    entries_.pop_back();
  }
  Drop(frame);
}

void StructuralComparison::PopTo(size_t size) {
  while (frames_.size() > size) Pop();
}

// ---------------------------------------------------------------- the first difference

StructuralComparison::Verdict StructuralComparison::Differ(std::optional<Any> a,
                                                           std::optional<Any> b,
                                                           const char* reason) {
  if (!explain_) return Verdict::kDifferent;
  SetPaths(FoundMismatch{{}, {}, std::move(a), std::move(b), reason});
  return Verdict::kDifferent;
}

/// Makes a difference the one that was found, with the paths to the parts that are compared now.
void StructuralComparison::SetPaths(FoundMismatch found) {
  mismatch_ = std::move(found);
  auto entries = entries_.begin();
  auto name = hook_names_.begin();
  for (const Frame& frame : frames_) {
    AppendPart(frame, frame.form == Form::kMap ? &*entries++ : nullptr,
               frame.form == Form::kHook ? &*name++ : nullptr);
  }
}

StructuralComparison::Verdict StructuralComparison::DifferAt(const TainAny& a, const TainAny& b,
                                                             const char* reason) {
  if (!explain_) return Verdict::kDifferent;
  return Differ(Any(AnyView(a)), Any(AnyView(b)), reason);
}

StructuralComparison::Verdict StructuralComparison::DifferIn(const Frame& frame,
                                                             const StructuralField& field) {
  if (!explain_) return Verdict::kDifferent;
  Any made_a, made_b;
  const TainAny a = FieldView(frame.a, *field.def, &made_a);
  return DifferAt(a, FieldView(frame.b, *field.def, &made_b));
}

/// Appends the current part of a frame to the paths of the difference.
void StructuralComparison::AppendPart(const Frame& frame, const Entries* entries, const Any* name) {
  const auto add = [this](const char* kind, const Any& a, const Any& b) {
    mismatch_->path_a.push_back(AccessStep(make_object<AccessStepObj>(String(kind), a)));
    mismatch_->path_b.push_back(AccessStep(make_object<AccessStepObj>(String(kind), b)));
  };
  const int64_t at = frame.next - 1;
  if (frame.form == Form::kFields) {
    const TainByteArray& field = frame.plan->fields[static_cast<size_t>(at)].def->info.name;
    const Any text(String(std::string_view(field.data, field.size)));
    add("attr", text, text);
  } else if (frame.form == Form::kSequence) {
    add("index", Any(at), Any(at));
  } else if (frame.form == Form::kMap) {
    const auto i = static_cast<size_t>(at);
    const size_t num_keys = entries->num_keys();
    const size_t entry = i < num_keys ? entries->num_plain + i : i - num_keys;
    add("key", entries->a[entry].key, entries->b[entry].key);
  } else {
    std::string_view text;
    if (TextOf(&name->data(), &text) && !text.empty()) add("attr", *name, *name);
  }
}

}  // namespace tain::internal
