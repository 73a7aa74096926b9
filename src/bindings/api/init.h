// SPDX-License-Identifier: Apache-2.0
// What the module initializes of this folder; the file of each name defines it.
#pragma once

#include "base/bridge_lock.h"
#include "base/py.h"

namespace tain::bindings {

/// The functions that each program needs that loads a library, and the rest: functions.cc.
void DefineFunctions(CoreModule& m);
void DefineProcessInfo(CoreModule& m);
/// The one function of type_info.cc that each load of a library calls.
void DefineStrictTypes(CoreModule& m);
/// type_info(cls_or_key) and its classes: type_info.cc.
void DefineTypeInfo(CoreModule& m);
/// Lets exceptions convert their fields: error_info.cc.
void InitErrorFields();
/// ErrorInfo and ErrorFieldInfo: error_info.cc.
void DefineErrorInfo(CoreModule& m);
/// Installs the hooks that the core calls; throws nb::python_error: host.cc.
void InitHost();
/// The look-up of attributes of the modules below tain.types: namespaces.cc.
void InitNamespaces(CoreModule& m);

}  // namespace tain::bindings
