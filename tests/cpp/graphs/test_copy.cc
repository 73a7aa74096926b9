// SPDX-License-Identifier: Apache-2.0
// Deep copies and copies with other values in some fields, whatever constructor a type has.
#include <doctest/doctest.h>

#include <vector>

#include "helpers/error_of.h"
#include "tain/container/array.h"
#include "tain/container/dict.h"
#include "tain/container/list.h"
#include "tain/graph/copy.h"
#include "tain/reflection/object_def.h"
#include "tain/stl/sequence.h"
#include "tain/tensor.h"

using namespace tain;
using namespace tain_test;

namespace {

/// Has a copy constructor.
struct LinkObj : Object {
  int64_t value = 0;
  Any next;
  int64_t hidden = 0;  // no field
  TAIN_OBJECT("test_copy.Link", LinkObj, Object);
};
/// Has a default constructor and no copy constructor.
struct LoneObj : Object {
  int64_t value = 0;
  Any next;
  LoneObj() = default;
  LoneObj(const LoneObj&) = delete;
  TAIN_OBJECT("test_copy.Lone", LoneObj, Object);
};
/// Is made by its constructor alone.
struct PinObj : Object {
  const int64_t value;
  const Any next;
  int64_t mark = 1;
  PinObj(int64_t value, Any next) : value(value), next(std::move(next)) {}
  PinObj(const PinObj&) = delete;
  TAIN_OBJECT("test_copy.Pin", PinObj, Object);
};
/// Can be copied, but a member that holds objects is const.
struct EtchedObj : Object {
  const Any next;
  int64_t value = 1;
  explicit EtchedObj(Any next) : next(std::move(next)) {}
  TAIN_OBJECT("test_copy.Etched", EtchedObj, Object);
};
/// Holds objects in a standard container.
struct CrowdObj : Object {
  std::vector<Ref<LinkObj>> links;
  TAIN_OBJECT("test_copy.Crowd", CrowdObj, Object);
};
/// Takes what is no field.
struct StuckObj : Object {
  int64_t value;
  explicit StuckObj(int64_t seed) : value(seed) {}
  StuckObj(const StuckObj&) = delete;
  TAIN_OBJECT("test_copy.Stuck", StuckObj, Object);
};
/// Makes its deep copies itself.
struct SharedObj : Object {
  int64_t value = 1;
  SharedObj() = default;
  SharedObj(const SharedObj&) = delete;
  TAIN_OBJECT("test_copy.Shared", SharedObj, Object);
};
struct SharedChildObj : SharedObj {
  TAIN_OBJECT("test_copy.SharedChild", SharedChildObj, SharedObj);
};
/// A key that is compared by its fields.
struct KeyObj : Object {
  Any part;
  TAIN_OBJECT("test_copy.Key", KeyObj, Object);
};

template <class T>
const T* As(const Any& value) {
  return value.cast<Ref<T>>().get();
}

}  // namespace

TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::ObjectDef<LinkObj>().def_rw("value", &LinkObj::value).def_rw("next", &LinkObj::next);
  refl::ObjectDef<LoneObj>().def_ro("value", &LoneObj::value).def_ro("next", &LoneObj::next);
  refl::ObjectDef<PinObj>()
      .def_ro("value", &PinObj::value)
      .def_ro("next", &PinObj::next)
      .def_rw("mark", &PinObj::mark)
      .def_init<int64_t, Any>(arg("value"), arg("next"));
  refl::ObjectDef<EtchedObj>()
      .def_ro("next", &EtchedObj::next)
      .def_rw("value", &EtchedObj::value)
      .def_init<Any>(arg("next"));
  refl::ObjectDef<CrowdObj>().def_rw("links", &CrowdObj::links);
  refl::ObjectDef<StuckObj>().def_ro("value", &StuckObj::value).def_init<int64_t>(arg("seed"));
  refl::ObjectDef<SharedObj>()
      .def_rw("value", &SharedObj::value)
      .def("__deepcopy__", [](const Ref<SharedObj>& self, const Any&) { return self; });
  refl::ObjectDef<SharedChildObj>();
  refl::ObjectDef<KeyObj>(value_hash()).def_rw("part", &KeyObj::part);
}

namespace {

Ref<LinkObj> NewLink(int64_t value, Any next = nullptr) {
  auto made = make_object<LinkObj>();
  made->value = value;
  made->next = std::move(next);
  made->hidden = 10 * value;
  return made;
}

}  // namespace

TEST_CASE("a deep copy shares nothing that can be changed") {
  const Any chain = NewLink(1, NewLink(2));
  const Any copy = DeepCopy(chain);
  const auto* first = As<LinkObj>(copy);
  CHECK(first != As<LinkObj>(chain));
  CHECK(first->value == 1);
  CHECK(first->hidden == 10);
  const auto* second = As<LinkObj>(first->next);
  CHECK(second->value == 2);
  CHECK(second != As<LinkObj>(As<LinkObj>(chain)->next));
}

TEST_CASE("a type with __deepcopy__ makes its copies itself") {
  const auto shared = make_object<SharedObj>();
  const auto child = make_object<SharedChildObj>();
  const auto copy = DeepCopy(List<Any>({shared, child, shared})).cast<List<Any>>();
  CHECK(As<SharedObj>(copy[0]) == shared.get());
  CHECK(As<SharedChildObj>(copy[1]) == child.get());
  CHECK(As<SharedObj>(copy[2]) == shared.get());
}

TEST_CASE("a deep copy keeps sharing and cycles") {
  const Ref<LinkObj> shared = NewLink(7);
  const List<Any> list({shared, shared});
  shared->next = list;
  const auto copy = DeepCopy(list).cast<List<Any>>();
  CHECK(As<LinkObj>(copy[0]) == As<LinkObj>(copy[1]));
  CHECK(As<LinkObj>(copy[0]) != shared.get());
  CHECK(As<LinkObj>(copy[0])->next.cast<List<Any>>().same_as(copy));
  shared->next = nullptr;
  copy[0].cast<Ref<LinkObj>>()->next = nullptr;
}

TEST_CASE("a deep copy goes through every way to make an object") {
  const Any pin = Any(make_object<PinObj>(3, NewLink(4)));
  pin.cast<Ref<PinObj>>()->mark = 9;
  auto lone = make_object<LoneObj>();
  lone->value = 2;
  lone->next = pin;
  const Any etched = Any(make_object<EtchedObj>(Any(lone)));
  etched.cast<Ref<EtchedObj>>()->value = 5;
  const Any held = DeepCopy(etched);
  const auto* copy = As<EtchedObj>(held);
  CHECK(copy->value == 5);
  const auto* lone_copy = As<LoneObj>(copy->next);
  CHECK(lone_copy != lone.get());
  CHECK(lone_copy->value == 2);
  const auto* pin_copy = As<PinObj>(lone_copy->next);
  CHECK(pin_copy != As<PinObj>(pin));
  CHECK(pin_copy->value == 3);
  CHECK(pin_copy->mark == 9);
  CHECK(As<LinkObj>(pin_copy->next)->value == 4);
  CHECK(As<LinkObj>(pin_copy->next) != As<LinkObj>(As<PinObj>(pin)->next));
}

TEST_CASE("a deep copy of immutable containers without objects is the container") {
  const Any array = Array<Any>({1, "text", Array<Any>({nullptr})});
  CHECK(DeepCopy(array).same_as(array));
  const Any map = Map<String, Any>({{"a", array}});
  CHECK(DeepCopy(map).same_as(map));
  const Any list = List<Any>({array});
  const Any copy = DeepCopy(list);
  CHECK_FALSE(copy.same_as(list));
  CHECK(copy.cast<List<Any>>()[0].same_as(array));
}

TEST_CASE("objects in standard containers are copied") {
  auto crowd = make_object<CrowdObj>();
  const Ref<LinkObj> link = NewLink(1);
  crowd->links = {link, link};
  const Any copy = DeepCopy(Any(crowd));
  const auto& links = As<CrowdObj>(copy)->links;
  CHECK(links.size() == 2);
  CHECK(links[0].get() == links[1].get());
  CHECK(links[0].get() != link.get());
}

TEST_CASE("keys are complete before they are entered") {
  auto key = make_object<KeyObj>();
  key->part = NewLink(3);
  const Dict<Any, Any> inner({{Any(key), 1}});
  const Map<Any, Any> map({{Any(key), Any(inner)}});
  const auto copy = DeepCopy(map).cast<Map<Any, Any>>();
  CHECK(copy.size() == 1);
  const Any first = (*copy.begin()).first;
  CHECK(As<KeyObj>(first) != key.get());
  CHECK(copy.count(first) == 1);
  CHECK((*copy.begin()).second.cast<Dict<Any, Any>>().count(first) == 1);
}

TEST_CASE("the elements of a tensor are copied") {
  const Tensor tensor = Tensor::Empty({2}, {kDLInt, 64, 1});
  tensor.data_ptr<int64_t>()[0] = 5;
  tensor.data_ptr<int64_t>()[1] = 6;
  const Any pair = Array<Any>({tensor, tensor});
  const auto copy = DeepCopy(pair).cast<Array<Any>>();
  const auto made = copy[0].cast<Tensor>();
  CHECK(made.same_as(copy[1].cast<Tensor>()));
  CHECK(made.data_ptr<int64_t>() != tensor.data_ptr<int64_t>());
  CHECK(made.at<int64_t>(1) == 6);
}

TEST_CASE("a chain of a million objects is copied, whatever its constructor") {
  constexpr int64_t kLength = 1'000'000;
  Any link, pin, array;
  for (int64_t i = 0; i < kLength; ++i) {
    link = NewLink(i, std::move(link));
    pin = Any(make_object<PinObj>(i, std::move(pin)));
    array = Array<Any>({std::move(array), i == 0 ? Any(NewLink(0)) : Any(i)});
  }
  int64_t links = 0, pins = 0, arrays = 0;
  const Any link_copy = DeepCopy(link), pin_copy = DeepCopy(pin), array_copy = DeepCopy(array);
  for (Any at = link_copy; at != nullptr; at = Any(As<LinkObj>(at)->next)) ++links;
  for (Any at = pin_copy; at != nullptr; at = Any(As<PinObj>(at)->next)) ++pins;
  for (Any at = array_copy; at != nullptr; at = Any(at.cast<Array<Any>>()[0])) ++arrays;
  CHECK(links == kLength);
  CHECK(pins == kLength);
  CHECK(arrays == kLength);
}

TEST_CASE("what cannot be copied is named") {
  const Any stuck = Any(make_object<StuckObj>(1));
  const std::string text =
      "test_copy.Stuck cannot be rebuilt: its class has no copy constructor, no default "
      "constructor and no constructor whose parameters are its fields";
  CHECK(ErrorOf([&] { DeepCopy(Any(NewLink(1, stuck))); }) == "TypeError: " + text);
  List<Any> list;
  const Any pin = Any(make_object<PinObj>(1, Any(list)));
  list.push_back(pin);  // a cycle through a List is copied
  Any copy = DeepCopy(pin);
  CHECK(As<PinObj>(copy)->next.cast<List<Any>>()[0].same_as(copy));
  list.clear();
  As<PinObj>(copy)->next.cast<List<Any>>().clear();
}

TEST_CASE("a copy with other values writes read-only and const fields") {
  const Ref<PinObj> pin = make_object<PinObj>(3, Any(1));
  pin->mark = 8;
  const Any changed = CopyWith(pin, {{"value", 4}});
  CHECK(As<PinObj>(changed)->value == 4);
  CHECK(As<PinObj>(changed)->next.cast<int64_t>() == 1);
  CHECK(As<PinObj>(changed)->mark == 8);
  CHECK(pin->value == 3);
  const Ref<LinkObj> link = NewLink(2);
  const Any other = CopyWith(link, {{"value", 5}});
  CHECK(As<LinkObj>(other)->value == 5);
  CHECK(As<LinkObj>(other)->hidden == 20);
  auto lone = make_object<LoneObj>();
  lone->next = 6;
  CHECK(As<LoneObj>(CopyWith(Ref<LoneObj>(lone), {{"value", 1}}))->next.cast<int64_t>() == 6);
}

TEST_CASE("a copy with values that do not fit says where") {
  const Ref<LinkObj> link = NewLink(2);
  CHECK(ErrorOf([&] { CopyWith(link, {{"value", "x"}}); }) ==
        "TypeError: test_copy.Link.value: expected int, got str ('x')");
  CHECK(ErrorOf([&] { CopyWith(link, {{"size", 1}}); }) ==
        "AttributeError: test_copy.Link has no field 'size'");
  CHECK(ErrorOf([&] { CopyWith(ObjectRef(), {}); }) ==
        "TypeError: CopyWith(): expected an object, got None");
}
