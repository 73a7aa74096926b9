// SPDX-License-Identifier: Apache-2.0
// Boxed classes that share objects by std::shared_ptr, and constructors of the author's own, for
// copies, pickles and saved data.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tain/boxed.h"
#include "tain/stl.h"
#include "tain/tain.h"

namespace testing {
namespace {

/// Refers to others in all ways that a std::shared_ptr may be held.
struct Part {
  int64_t number = 0;
  std::shared_ptr<Part> next;
  std::vector<std::shared_ptr<Part>> all;
  std::map<std::string, std::shared_ptr<Part>> named;
  std::optional<std::shared_ptr<Part>> maybe;
  std::pair<int64_t, std::shared_ptr<const Part>> rated;
};

/// Contains objects that share others.
struct Assembly {
  Part main;
  std::vector<Part> parts;
  std::vector<tain::Any> values;
  std::shared_ptr<Assembly> whole;
};

/// Contains an Assembly, which contains a Part.
struct Machine {
  Assembly assembly;
  std::shared_ptr<Machine> twin;
};

/// Trees whose nodes contain each other, and share.
struct Tree {
  std::shared_ptr<Part> part;
  std::vector<Tree> children;
};
struct Branch;
struct Root {
  std::vector<Branch> branches;
  std::shared_ptr<Part> part;
};
struct Branch {
  std::vector<Root> roots;
};

/// Contains objects that share nothing.
struct Grain {
  int64_t number = 0;
};
struct Heap {
  std::vector<Grain> grains;
  Grain top;
};

/// An object of tain that shares a boxed one.
struct ShelfObj : tain::Object {
  std::shared_ptr<Part> part;
  std::vector<std::shared_ptr<Part>> parts;
  TAIN_OBJECT("testing.copied.Shelf", ShelfObj, tain::Object);
};

/// What cannot be copied.
struct Sealed {
  int64_t number = 1;
  Sealed() = default;
  Sealed(const Sealed&) = delete;
};
struct Vault {
  std::shared_ptr<Sealed> sealed;
};

/// Points to what others own.
struct Pointer {
  int64_t number = 1;
  Part* part = nullptr;
  std::vector<Part*> parts;
  std::shared_ptr<Part> own;
  void point_to(Part& other) {
    part = &other;
    parts.push_back(&other);
  }
};

/// All fields of the child are those of its parent.
struct Shape {
  int64_t width = 1;
  int64_t height = 2;
  virtual ~Shape() = default;
};
struct Square : Shape {};

/// Constructors that do not ask the conditions of the fields.
struct OvenObj : tain::Object {
  int64_t degrees;
  int64_t minutes = 1;
  explicit OvenObj(int64_t d) : degrees(d) {}
  TAIN_OBJECT("testing.copied.Oven", OvenObj, tain::Object);
};
struct Stove {
  int64_t degrees;
  explicit Stove(int64_t d) : degrees(d) {}
};

}  // namespace

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::arg, tain::Boxed, tain::range;
  refl::ObjectDef<Boxed<Part>>("testing.copied.Part")
      .def_init<>()
      .def_rw("number", &Part::number)
      .def_rw("next", &Part::next)
      .def_rw("all", &Part::all)
      .def_rw("named", &Part::named)
      .def_rw("maybe", &Part::maybe)
      .def_rw("rated", &Part::rated);
  refl::ObjectDef<Boxed<Assembly>>("testing.copied.Assembly")
      .def_init<>()
      .def_rw("main", &Assembly::main)
      .def_rw("parts", &Assembly::parts)
      .def_rw("values", &Assembly::values)
      .def_rw("whole", &Assembly::whole);
  refl::ObjectDef<Boxed<Machine>>("testing.copied.Machine")
      .def_init<>()
      .def_rw("assembly", &Machine::assembly)
      .def_rw("twin", &Machine::twin);
  refl::ObjectDef<Boxed<Tree>>("testing.copied.Tree")
      .def_init<>()
      .def_rw("part", &Tree::part)
      .def_rw("children", &Tree::children);
  tain::declare_boxed<Branch>("testing.copied.Branch");
  refl::ObjectDef<Boxed<Root>>("testing.copied.Root")
      .def_init<>()
      .def_rw("branches", &Root::branches)
      .def_rw("part", &Root::part);
  refl::ObjectDef<Boxed<Branch>>("testing.copied.Branch")
      .def_init<>()
      .def_rw("roots", &Branch::roots);
  refl::ObjectDef<Boxed<Grain>>("testing.copied.Grain")
      .def_init<>()
      .def_rw("number", &Grain::number);
  refl::ObjectDef<Boxed<Heap>>("testing.copied.Heap")
      .def_init<>()
      .def_rw("grains", &Heap::grains)
      .def_rw("top", &Heap::top);
  refl::ObjectDef<ShelfObj>()
      .def_init<>()
      .def_rw("part", &ShelfObj::part)
      .def_rw("parts", &ShelfObj::parts);
  refl::ObjectDef<Boxed<Sealed>>("testing.copied.Sealed")
      .def_init<>()
      .def_rw("number", &Sealed::number);
  refl::ObjectDef<Boxed<Vault>>("testing.copied.Vault")
      .def_init<>()
      .def_rw("sealed", &Vault::sealed);
  refl::ObjectDef<Boxed<Pointer>>("testing.copied.Pointer")
      .def_init<>()
      .def_rw("number", &Pointer::number)
      .def_ro("part", &Pointer::part)
      .def_ro("parts", &Pointer::parts)
      .def_rw("own", &Pointer::own)
      .def("point_to", &Pointer::point_to);
  refl::ObjectDef<Boxed<Shape>>("testing.copied.Shape")
      .def_init<>()
      .def_rw("width", &Shape::width)
      .def_rw("height", &Shape::height);
  refl::ObjectDef<Boxed<Square>>("testing.copied.Square", tain::boxed_base<Shape>()).def_init<>();
  refl::ObjectDef<OvenObj>()
      .def_init<int64_t>(arg("degrees"))
      .def_ro("degrees", &OvenObj::degrees, range(0, 250))
      .def_rw("minutes", &OvenObj::minutes, range(0, 60));
  refl::ObjectDef<Boxed<Stove>>("testing.copied.Stove")
      .def_init<int64_t>(arg("degrees"))
      .def_ro("degrees", &Stove::degrees, range(0, 250));
}

TAIN_REGISTER {
  using tain::arg;
  tain::reflection::GlobalDef()
      .def(
          "testing.copied.shared_number",
          [](const std::shared_ptr<Part>& part) { return part->number; }, arg("part").none(false))
      .def(
          "testing.copied.owned_number", [](std::unique_ptr<Part> part) { return part->number; },
          arg("part").none(false))
      .def(
          "testing.copied.pointed_number", [](const Part* part) { return part->number; },
          arg("part").none(false))
      .def(
          "testing.copied.minutes", [](const tain::Ptr<OvenObj>& oven) { return oven->minutes; },
          arg("oven").none(false))
      .def(
          "testing.copied.minutes_at", [](OvenObj* oven) { return oven->minutes; },
          arg("oven").none(false))
      .def(
          "testing.copied.twice", [](std::optional<int64_t> number) { return 2 * *number; },
          arg("number").none(false))
      .def(
          "testing.copied.any_number",
          [](const std::shared_ptr<Part>& part) { return part == nullptr ? -1 : part->number; },
          arg("part").none(false).none());
}

}  // namespace testing
