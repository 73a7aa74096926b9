// SPDX-License-Identifier: Apache-2.0
// The classes of yaml-cpp in Python. The library knows nothing of tain; its own members are listed.
#include <yaml-cpp/yaml.h>

#include "tain/boxed.h"
#include "tain/stl.h"
#include "tain/tain.h"

namespace {

/// An error of the library, which Python can make too: those of yaml-cpp need a place.
struct Error : YAML::Exception {
  explicit Error(const std::string& text) : Exception(YAML::Mark::null_mark(), text) {}
  explicit Error(const YAML::Exception& error) : Exception(error) {}
};

using Item = YAML::detail::iterator_value;  // what iterators point to: a node, or a key and a value

double Number(const YAML::Node& node) { return node.as<double>(); }

/// Returns the value of a key or the element of an index, as `node["a"]` and `node[0]` do in C++,
/// where a missing one is an invalid node.
template <class Key>
YAML::Node Child(const YAML::Node& node, const Key& key) {
  const YAML::Node found = node[key];
  if (!found) throw Error(YAML::KeyNotFound(node.Mark(), key));
  return found;
}

YAML::Node Load(const std::string& text) {
  try {
    return YAML::Load(text);
  } catch (const YAML::Exception& error) {
    throw Error(error);
  }
}

std::string Text(const YAML::Node& node) { return YAML::Dump(node); }

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::arg;
  using tain::Boxed;

  // Not tain::thread_safe(): nodes share their memory, and yaml-cpp changes it without a lock.
  refl::EnumDef<YAML::NodeType::value>("yaml.NodeType")
      .value("Undefined", YAML::NodeType::Undefined)
      .value("Null", YAML::NodeType::Null)
      .value("Scalar", YAML::NodeType::Scalar)
      .value("Sequence", YAML::NodeType::Sequence)
      .value("Map", YAML::NodeType::Map);

  refl::ObjectDef<Boxed<YAML::Mark>>("yaml.Mark", "A place in a text, counted from 0.")
      .def_init<>()
      .def_ro("pos", &YAML::Mark::pos)
      .def_ro("line", &YAML::Mark::line)
      .def_ro("column", &YAML::Mark::column)
      .def("is_null", &YAML::Mark::is_null);

  refl::ErrorDef<Error>("yaml.Error", "ValueError", "A text that is no YAML.")
      .def_ro("mark", &Error::mark)
      .def_ro("msg", &Error::msg);

  tain::declare_boxed<YAML::Node>("yaml.Node");  // Node and Item mention each other
  tain::declare_boxed<Item>("yaml.Item", tain::boxed_base<YAML::Node>());
  refl::ObjectDef<Boxed<YAML::Node>>("yaml.Node", "A node of a document; copies refer to the same.")
      .def_init<>()
      .def_init<const std::string&>(arg("text"))
      .def("type", &YAML::Node::Type)
      .def("mark", &YAML::Node::Mark, "Where it begins in the text.")
      .def("scalar", &YAML::Node::Scalar)
      .def("number", Number)
      .def("tag", &YAML::Node::Tag)
      .def("set_tag", &YAML::Node::SetTag, arg("tag"))
      .def("is_same", &YAML::Node::is, arg("other"), "Whether both are one node.")
      .def(
          "append", [](YAML::Node& node, const YAML::Node& value) { node.push_back(value); },
          arg("value"))
      .def("__bool__", [](const YAML::Node& node) { return static_cast<bool>(node); })
      .def("__len__", &YAML::Node::size)
      .def("__getitem__", Child<std::string>, arg("key"))
      .def("__getitem__", Child<size_t>, arg("index"))
      .def("__setitem__", [](YAML::Node& node, const std::string& key,
                             const YAML::Node& value) { node[key] = value; })
      .def("__str__", Text)
      .def_iter();

  refl::ObjectDef<Boxed<Item>>("yaml.Item", tain::boxed_base<YAML::Node>(),
                               "An element of a sequence, or a pair of a map.")
      .def_ro("first", &Item::first, "the key")
      .def_ro("second", &Item::second, "the value");

  refl::GlobalDef()
      .def("yaml.load", Load, arg("text"), "The document in a text.")
      .def("yaml.clone", YAML::Clone, arg("node"), "A copy of a node and all below it.");
}

}  // namespace
