// SPDX-License-Identifier: Apache-2.0
// tain._core: the module, built by calling the init functions in order.
#include <string>

#include "class_factory.h"
#include "containers.h"
#include "device_dtype.h"
#include "error.h"
#include "functions.h"
#include "host.h"
#include "moved.h"
#include "pickle.h"
#include "signature.h"
#include "single_interpreter.h"
#include "type_info.h"

NB_MODULE(_core, m) {
  using namespace tain::bindings;
  m.doc() = "The bridge between libtain and Python.";
  CheckProcess();
  InitErrors(m);
  InitHost();
  InitMoved(m);
  InitDeviceDType(m);
  InitSignature(m);
  InitClasses(m);
  InitContainers(m);
  InitTypeInfo(m);
  InitPickle(m);
  InitFunctions(m);
}
