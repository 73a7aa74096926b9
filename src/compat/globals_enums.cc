// SPDX-License-Identifier: Apache-2.0
// The types of enums of the ecosystem: their members are objects, which a type attribute collects.
#include "tain/reflection/inspect.h"
#include "tain/tain.h"

namespace tain::compat {
namespace {

struct EnumStateObj : Object {
  List<ObjectRef> entries;
  Dict<Any, ObjectRef> indexes;
  Dict<String, Dict<ObjectRef, Any>> attrs;
  TAIN_OBJECT("ffi.EnumState", EnumStateObj, Object);
};

struct EnumObj : Object {
  int64_t int_index = 0;
  String str_index;
  TAIN_OBJECT("ffi.Enum", EnumObj, Object);
};

struct IntEnumObj : EnumObj {
  TAIN_OBJECT("ffi.IntEnum", IntEnumObj, EnumObj);
};

struct StrEnumObj : EnumObj {
  TAIN_OBJECT("ffi.StrEnum", StrEnumObj, EnumObj);
};

}  // namespace
}  // namespace tain::compat

TAIN_REGISTER {
  using namespace tain::compat;      // NOLINT(google-build-using-namespace)
  using namespace tain::reflection;  // NOLINT(google-build-using-namespace)
  ObjectDef<EnumStateObj>()
      .def_init<>()
      .def_ro("entries", &EnumStateObj::entries)
      .def_ro("indexes", &EnumStateObj::indexes)
      .def_ro("attrs", &EnumStateObj::attrs);
  ObjectDef<EnumObj>()
      .def_ro("_int_index", &EnumObj::int_index)
      .def_ro("_str_index", &EnumObj::str_index);
  ObjectDef<IntEnumObj>().def_ro("value", &EnumObj::int_index);
  ObjectDef<StrEnumObj>().def_ro("value", &EnumObj::str_index);
}
