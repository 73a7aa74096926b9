// SPDX-License-Identifier: Apache-2.0
// Members by name: what C++ can do with a type that it does not know; a type whose constructor and
// destructor can be seen.
#include <string>
#include <vector>

#include "tain/reflection/access.h"
#include "tain/reflection/object_def.h"

namespace tain_testing {
namespace {

using tain::Any;
using tain::ObjectRef;

Any CallMethod(tain::Args args) {
  const auto name = args[1].cast<std::string>();
  const tain::Function method = tain::reflection::GetMethod(args[0].cast<ObjectRef>(), name);
  std::vector<TainAny> passed{args[0].data()};
  for (int32_t i = 2; i < args.size(); ++i) passed.push_back(args[i].data());
  return method.CallPacked(tain::Args(passed.data(), static_cast<int32_t>(passed.size())));
}

Any Construct(tain::Args args) {
  const tain::Function made = tain::reflection::ConstructorOf(args[0].cast<std::string>());
  return made.CallPacked(tain::Args(args.data() + 1, args.size() - 1));
}

}  // namespace

/// Counts its objects; polymorphic, so that words stand before the header.
struct CountedObj : tain::Object {
  static inline int64_t alive = 0;
  int64_t start;
  explicit CountedObj(int64_t start) : start(start) {
    TAIN_CHECK_GE(start, 0);
    ++alive;
  }
  CountedObj(const CountedObj& other) : tain::Object(other), start(other.start) { ++alive; }
  virtual ~CountedObj() { --alive; }
  virtual int64_t Next() { return start + 1; }
  TAIN_OBJECT("testing.Counted", CountedObj, tain::Object);
};

}  // namespace tain_testing

TAIN_REGISTER {
  using namespace tain_testing;  // NOLINT: registered where they are defined
  using tain::arg;
  tain::reflection::ObjectDef<CountedObj>()
      .def_rw("start", &CountedObj::start)
      .def_init<int64_t>(arg("start"))
      .def("next", &CountedObj::Next)
      .def_static("alive", [] { return CountedObj::alive; });
  tain::reflection::GlobalDef()
      .def("testing.get_field", &tain::reflection::GetField, arg("object"), arg("name"))
      .def("testing.set_field", &tain::reflection::SetField, arg("object"), arg("name"),
           arg("value"))
      .def_packed("testing.call_method", &CallMethod)
      .def_packed("testing.construct", &Construct);
}
