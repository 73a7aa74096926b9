// SPDX-License-Identifier: Apache-2.0
// Types of each structural kind, with regions of definitions and hooks.
#include "tain/stl.h"

#include "testing_types.h"

namespace tain_testing {

/// A variable of a small language.
struct SVarObj : tain::Object {
  tain::String name;
  tain::Any type;
  TAIN_OBJECT("testing.SVar", SVarObj, tain::Object);
};

/// A function: it defines its parameters, also those that their types mention.
struct SFuncObj : tain::Object {
  tain::Array<tain::Any> params;
  tain::Any body;
  tain::String comment;
  TAIN_OBJECT("testing.SFunc", SFuncObj, tain::Object);
};

/// A binding, whose variable is defined without what its type mentions.
struct SLetObj : tain::Object {
  tain::Any value;
  tain::Any var;
  tain::Any body;
  TAIN_OBJECT("testing.SLet", SLetObj, tain::Object);
};

struct SNodeObj : tain::Object {
  tain::Any left;
  tain::Any right;
  int8_t tiny = 0;
  uint64_t large = 0;
  float single = 0;
  std::vector<int64_t> items;
  TAIN_OBJECT("testing.SNode", SNodeObj, tain::Object);
};
struct SDagObj : SNodeObj {
  TAIN_OBJECT("testing.SDag", SDagObj, SNodeObj);
};
struct SConstObj : SNodeObj {
  TAIN_OBJECT("testing.SConst", SConstObj, SNodeObj);
};
struct SUniqueObj : SNodeObj {
  TAIN_OBJECT("testing.SUnique", SUniqueObj, SNodeObj);
};

/// A set of two values, which C++ hooks compare without their order.
struct SPairObj : tain::Object {
  tain::Any first;
  tain::Any second;
  TAIN_OBJECT("testing.SPair", SPairObj, tain::Object);
};

bool PairsEqual(tain::Ref<SPairObj> self, tain::Ref<SPairObj> other, tain::Function compare) {
  const auto same = [&](const tain::Any& a, const tain::Any& b, const char* name) {
    return compare(a, b, false, name).cast<bool>();
  };
  return (same(self->first, other->first, "first") &&
          same(self->second, other->second, "second")) ||
         (same(self->first, other->second, "first") && same(self->second, other->first, "second"));
}

int64_t PairHash(tain::Ref<SPairObj> self, int64_t init, tain::Function hash) {
  const auto of = [&](const tain::Any& value) {
    return static_cast<uint64_t>(hash(value, int64_t{0}, false).cast<int64_t>());
  };
  return init ^ static_cast<int64_t>(of(self->first) + of(self->second));
}

}  // namespace tain_testing

TAIN_REGISTER {
  using namespace tain_testing;
  namespace refl = tain::reflection;
  using tain::StructuralKind;
  refl::ObjectDef<SVarObj>(tain::structural(StructuralKind::kVariable))
      .def_rw("name", &SVarObj::name, tain::structural_ignore())
      .def_rw("type", &SVarObj::type)
      .def_init_fields();
  refl::ObjectDef<SFuncObj>()
      .def_rw("params", &SFuncObj::params, tain::def_region())
      .def_rw("body", &SFuncObj::body)
      .def_rw("comment", &SFuncObj::comment, tain::structural_ignore())
      .def_init_fields();
  refl::ObjectDef<SLetObj>()
      .def_rw("value", &SLetObj::value)
      .def_rw("var", &SLetObj::var, tain::simple_def())
      .def_rw("body", &SLetObj::body)
      .def_init_fields();
  refl::ObjectDef<SNodeObj>()
      .def_rw("left", &SNodeObj::left)
      .def_rw("right", &SNodeObj::right)
      .def_rw("tiny", &SNodeObj::tiny)
      .def_rw("large", &SNodeObj::large)
      .def_rw("single", &SNodeObj::single)
      .def_rw("items", &SNodeObj::items)
      .def_init_fields();
  refl::ObjectDef<SDagObj>(tain::structural(StructuralKind::kDag)).def_init_fields();
  refl::ObjectDef<SConstObj>(tain::structural(StructuralKind::kConstTree)).def_init_fields();
  refl::ObjectDef<SUniqueObj>(tain::structural(StructuralKind::kUnique)).def_init_fields();
  refl::ObjectDef<SPairObj>()
      .def_rw("first", &SPairObj::first)
      .def_rw("second", &SPairObj::second)
      .def_init_fields()
      .def_type_attr("__s_equal__", tain::Function::FromTyped(&PairsEqual))
      .def_type_attr("__s_hash__", tain::Function::FromTyped(&PairHash));
}
