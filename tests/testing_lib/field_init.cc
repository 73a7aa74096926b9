// SPDX-License-Identifier: Apache-2.0
// Types whose constructor takes the fields by keyword.
#include "testing_types.h"

namespace tain_testing {

using tain::Any;
using tain::String;

struct ConfigObj : tain::Object {
  String name = "unnamed";
  int64_t size = 10;
  double rate = 0.5;
  tain::List<Any> items;
  tain::Array<int64_t> shape{1, 2};
  tain::Ptr<NodeObj> node;
  String secret = "secret";
  int64_t computed = 5;
  tain::List<int64_t> made;
  int64_t given = 0;
  TAIN_OBJECT("testing.Config", ConfigObj, tain::Object);
};

/// Fields of the parent come first.
struct ChildConfigObj : ConfigObj {
  bool verbose = false;
  const int64_t version = 3;
  TAIN_OBJECT("testing.ChildConfig", ChildConfigObj, ConfigObj);
};

/// Compared, ordered and hashed by value.
struct RecordObj : tain::Object {
  int64_t major = 0;
  String minor;
  int64_t note = 0;
  TAIN_OBJECT("testing.Record", RecordObj, tain::Object);
};

TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::ObjectDef<ConfigObj>("How something is done.")
      .def_rw("name", &ConfigObj::name, "its name")
      .def_rw("size", &ConfigObj::size)
      .def_rw("rate", &ConfigObj::rate, tain::kw_only())
      .def_rw("items", &ConfigObj::items, tain::doc("anything"))
      .def_ro("shape", &ConfigObj::shape)
      .def_rw("node", &ConfigObj::node)
      .def_rw("secret", &ConfigObj::secret, tain::no_repr(), tain::kw_only())
      .def_ro("computed", &ConfigObj::computed, tain::no_init())
      .def_rw("made", &ConfigObj::made,
              tain::default_factory([] { return tain::List<int64_t>{7, 8}; }))
      .def_rw("given", &ConfigObj::given, tain::default_(11))
      .def_init_fields();
  refl::ObjectDef<ChildConfigObj>("More of it.")
      .def_rw("verbose", &ChildConfigObj::verbose)
      .def_ro("version", &ChildConfigObj::version)
      .def_init_fields();
  refl::ObjectDef<RecordObj>("A version.", tain::order(), tain::value_hash())
      .def_ro("major", &RecordObj::major)
      .def_ro("minor", &RecordObj::minor)
      .def_rw("note", &RecordObj::note, tain::no_compare(), tain::no_hash())
      .def_init_fields();
}

}  // namespace tain_testing
