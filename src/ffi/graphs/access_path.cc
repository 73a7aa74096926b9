// SPDX-License-Identifier: Apache-2.0
// Access paths as values: steps, prefixes, text, and their registration; see access_path.h.
#include "tain/graph/access_path.h"

#include "graphs/access_path_text.h"
#include "tain/internal/value_ops.h"
#include "tain/reflection/object_def.h"
#include "values/value_plan.h"

namespace tain {
namespace {

constexpr std::string_view kAttr = "attr";
constexpr std::string_view kIndex = "index";
constexpr std::string_view kKey = "key";

AccessStep MakeStep(std::string_view kind, Any value) {
  return AccessStep(make_object<AccessStepObj>(String(kind), std::move(value)));
}

/// Returns the path with one more step.
AccessPath Extended(const AccessPath& path, AccessStep step) {
  Array<AccessStep> steps;
  steps.reserve(static_cast<int64_t>(path.size()) + 1);
  for (const AccessStep& one : path->steps) steps.push_back(one);
  steps.push_back(std::move(step));
  return AccessPath(std::move(steps));
}

bool SameStep(const AccessStep& a, const AccessStep& b) {
  return a.same_as(b) ||
         (a->kind == b->kind && internal::ValueEqual(a->value.data(), b->value.data()));
}

}  // namespace

AccessStepObj::AccessStepObj(String k, Any v) : kind(std::move(k)), value(std::move(v)) {
  const std::string_view text = kind;
  // A member of a registered enum is stored in a map as its value.
  if (text == kKey) value = Any(AnyView(internal::PlainValue(Any(value).data())));
  const TainAny& data = value.data();
  if (text == kKey) {
    if (data.type_index == kTainInt) kind = String(kIndex);
    return;
  }
  if (text == kIndex) {
    if (data.type_index == kTainInt) return;
    TAIN_THROW(TypeError) << "AccessStep.value: expected int for an index, got "
                          << internal::TypeAndValue(data);
  }
  if (text != kAttr) {
    TAIN_THROW(ValueError) << "AccessStep.kind: expected 'attr', 'index' or 'key', got "
                           << internal::TypeAndValue(Any(kind).data());
  }
  std::string_view name;
  if (!internal::TextOf(&data, &name)) {
    TAIN_THROW(TypeError) << "AccessStep.value: expected str for an attribute, got "
                          << internal::TypeAndValue(data);
  }
  if (name.empty()) TAIN_THROW(ValueError) << "AccessStep.value: the name of an attribute is empty";
}

String AccessStepObj::ToString() const {
  std::string text;
  internal::AppendStep(*this, &text);
  return String(text);
}

AccessPath::AccessPath() : ObjectRef(ObjectPtr<Object>(make_object<AccessPathObj>())) {}

AccessPath::AccessPath(Array<AccessStep> steps)
    : ObjectRef(ObjectPtr<Object>(make_object<AccessPathObj>(std::move(steps)))) {}

AccessPath AccessPath::Parse(std::string_view text) {
  return AccessPath(internal::ParseSteps(text));
}

AccessPath AccessPath::Attr(std::string_view name) const {
  return Extended(*this, MakeStep(kAttr, Any(String(name))));
}

AccessPath AccessPath::Item(int64_t index) const {
  return Extended(*this, MakeStep(kIndex, Any(index)));
}

AccessPath AccessPath::Key(const Any& key) const { return Extended(*this, MakeStep(kKey, key)); }

Optional<AccessPath> AccessPath::Parent() const {
  const Array<AccessStep>& all = get()->steps;
  if (all.empty()) return std::nullopt;
  return AccessPath(Array<AccessStep>(all.begin(), all.end() - 1));
}

bool AccessPath::IsPrefixOf(const AccessPath& other) const {
  const Array<AccessStep>& mine = get()->steps;
  const Array<AccessStep>& theirs = other->steps;
  if (mine.size() > theirs.size()) return false;
  for (int64_t i = 0; i < static_cast<int64_t>(mine.size()); ++i) {
    if (!SameStep(mine[i], theirs[i])) return false;
  }
  return true;
}

String AccessPath::ToString() const {
  std::string text = "<root>";
  for (const AccessStep& step : get()->steps) internal::AppendStep(*step, &text);
  return String(text);
}

namespace {

AccessPath PathOf(const AccessPathObj& self) {
  return AccessPath(Ref<AccessPathObj>(GetObjectPtr(const_cast<AccessPathObj*>(&self))));
}

AccessStep StepAt(const AccessPathObj& self, int64_t index) {
  const auto size = static_cast<int64_t>(self.steps.size());
  const int64_t at = index < 0 ? index + size : index;
  if (at < 0 || at >= size) {
    TAIN_THROW(IndexError) << "AccessPath index " << index << " out of range for size " << size;
  }
  return self.steps[at];
}

void RegisterAccessPath() {
  namespace refl = reflection;
  // Paths never change. What says nothing of threads reads a graph, a container that is given, or
  // keys, which may be any objects.
  refl::ObjectDef<AccessStepObj>("One step of an access path.", value_hash(), frozen())
      .def_ro("kind", &AccessStepObj::kind, "`attr`, `index` or `key`")
      .def_ro("value", &AccessStepObj::value, "the name, the index, or the key")
      .def_init<String, Any>(arg("kind"), arg("value"))
      .def("__str__", &AccessStepObj::ToString);
  refl::ObjectDef<AccessPathObj>(
      "A place in a graph of objects: attributes, indices and keys, from a root.\n\n"
      "`AccessPath()` is the root. A path prints as `<root>.body[3].value[\"k\"]`; paths are "
      "values,\nwhich can be compared and hashed. An int in brackets is an index or a key, "
      "whichever the\nobject that it meets has.",
      value_hash(), frozen())
      .def_ro("steps", &AccessPathObj::steps, "The steps, from the root to the place.")
      .def_init<Array<AccessStep>>(arg("steps") = Array<AccessStep>())
      .def_property(
          "parent", [](const AccessPathObj& self) { return PathOf(self).Parent(); },
          "The path without its last step; None for the root.", thread_safe())
      .def_static(
          "parse", [](const String& text) { return AccessPath::Parse(text); }, arg("text"),
          "Reads a path, with or without `<root>` before it.\n\nRaises\n------\nValueError\n"
          "    The text is no path. The message shows the position.",
          thread_safe())
      .def(
          "attr",
          [](const AccessPathObj& self, const String& name) { return PathOf(self).Attr(name); },
          arg("name"), "Returns the path of an attribute of this place.", thread_safe())
      .def(
          "item", [](const AccessPathObj& self, int64_t index) { return PathOf(self).Item(index); },
          arg("index"), "Returns the path of an element of this place.", thread_safe())
      .def(
          "key", [](const AccessPathObj& self, const Any& key) { return PathOf(self).Key(key); },
          arg("key"), "Returns the path of an entry of this place.")
      .def(
          "get", [](const AccessPathObj& self, const Any& obj) { return PathOf(self).Get(obj); },
          arg("obj"),
          "Returns the value at the place in a graph.\n\nRaises\n------\nAttributeError, "
          "IndexError, KeyError\n    The graph has no such place. The message has the path of the "
          "step that failed.\nTypeError\n    A value on the way has no parts of this kind.")
      .def(
          "set_copy",
          [](const AccessPathObj& self, const Any& obj, const Any& value) {
            return PathOf(self).SetCopy(obj, value);
          },
          arg("obj"), arg("value"),
          "Returns a copy of a graph in which the place has another value.\n\nWhat leads to the "
          "place is copied, with its Python class and state; all else is shared with the "
          "original.\n\nRaises\n------\nAttributeError, IndexError, KeyError\n    The graph has no "
          "such place.\nTypeError\n    A value on the way has no parts of this kind or cannot be "
          "rebuilt, or the field does not\n    take the value.")
      .def(
          "is_prefix_of",
          [](const AccessPathObj& self, const AccessPath& other) {
            return PathOf(self).IsPrefixOf(other);
          },
          arg("other"), "Returns whether the other path is this place or inside of it.")
      .def("__str__", [](const AccessPathObj& self) { return PathOf(self).ToString(); })
      .def(
          "__len__",
          [](const AccessPathObj& self) { return static_cast<int64_t>(self.steps.size()); },
          thread_safe())
      .def(
          "__iter__", [](const AccessPathObj& path) { return path.steps; }, thread_safe())
      .def("__getitem__", &StepAt, arg("index"), thread_safe());
}

}  // namespace
}  // namespace tain

TAIN_REGISTER { tain::RegisterAccessPath(); }
