// SPDX-License-Identifier: Apache-2.0
// The state of tensors and the arrays of other libraries. See base/state.h for its lifetime and its lock.
#pragma once

#include <vector>

#include "base/state.h"

namespace tain::bindings {

struct ExchangeApi;

/// A class of arrays that are exchanged by DLPack's functions in C.
struct ArrayClass {
  PyTypeObject* type;      ///< owned
  const ExchangeApi* api;  ///< lives for ever; null if the class has none
  bool is_torch;           ///< torch.Tensor or a class derived from it
};

/// Tensors and arrays.
struct TensorsState {
  void** numpy_functions = nullptr;       ///< the table of numpy's C API (numpy_make.cc)
  bool knows_ndarray = false;             ///< whether the layout was checked
  std::vector<ArrayClass> array_classes;  ///< classes of arrays; few, and never removed
};
inline TAIN_HIDDEN Eternal<TensorsState> tensors_state;

inline TensorsState& GetTensorsState() noexcept { return tensors_state.value; }

}  // namespace tain::bindings
