// SPDX-License-Identifier: Apache-2.0
// The registered facts about fields, methods, properties, constants, functions, arguments and
// members of enums, as nanobind classes. Each object holds a record that is never freed.
#pragma once

#include <cstdint>

#include "base/bridge_lock.h"
#include "base/py.h"

namespace tain::bindings {

struct FieldInfo {
  const TainFieldDef* def;
};
struct MethodInfo {
  const TainMethodDef* def;
};
struct PropertyInfo {
  const TainPropertyDef* def;
};
struct ConstantInfo {
  const TainConstantDef* def;
};
struct FunctionInfo {
  const TainFunctionInfo* info;  ///< null if the function was registered without one
};
struct ArgInfo {
  const TainArgInfo* arg;
};
struct EnumMemberInfo {
  const TainEnumMember* member;
  const TainEnumInfo* info;
};

/// Returns the tuple of what `make` returns for each number below `count`.
template <class T, class F>
nb::typed<nb::tuple, T, nb::ellipsis> TupleOfEach(int32_t count, F&& make) {
  nb::list all = NewList();
  for (int32_t i = 0; i < count; ++i) all.append(make(i));
  return nb::borrow<nb::typed<nb::tuple, T, nb::ellipsis>>(nb::tuple(all));
}

/// Return what holds the name and the documentation of a record.
inline const TainFieldInfo& NamesOf(const TainFieldDef& def) noexcept { return def.info; }
inline const TainMethodInfo& NamesOf(const TainMethodDef& def) noexcept { return def.info; }
template <class Record>
const Record& NamesOf(const Record& record) noexcept {
  return record;
}

/// Defines equality and hash by the address of the record.
template <class T, class Record>
void AddIdentity(CoreClass<T>& cls, Record T::* record) {
  cls.def(
         "__eq__",
         [record](const T& self, nb::handle other) -> nb::object {
           if (!nb::isinstance<T>(other)) return nb::borrow(Py_NotImplemented);
           return nb::bool_(self.*record == nb::inst_ptr<T>(other)->*record);
         },
         nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [record](const T& self) {
        return static_cast<int64_t>(reinterpret_cast<uintptr_t>(self.*record) >> 3);
      });
}

void InitMemberInfo(CoreModule& m);

}  // namespace tain::bindings
