// SPDX-License-Identifier: Apache-2.0
// Tensors for parameters that take more than a Tensor as it is: those with tain::Convert, and those
// whose elements are structs. numpy converts: python/tain/_array_like.py.
#include <string>

#include "base/error.h"
#include "base/given_text.h"
#include "base/hooks.h"
#include "objects/instance.h"
#include "tain/convert.h"
#include "tain/tensor.h"
#include "tensors/init.h"
#include "tensors/numpy_array.h"
#include "values/device_dtype.h"
#include "values/from_python.h"

namespace tain::bindings {
namespace {

using internal::TensorRules;

nb::object ArrayLikeHelper(const char* name) {
  return nb::module_::import_("tain._array_like").attr(name);
}

/// Returns an array of numpy that follows the rules, or a text why there is none.
nb::object ConvertedArray(PyObject* object, const TensorRules& rules) {
  const nb::object dtype =
      rules.dtype.bits == 0 ? nb::object(nb::none()) : DTypeObject(rules.dtype);
  const char order[] = {static_cast<char>(rules.order == 0 ? 'K' : rules.order), '\0'};
  return ArrayLikeHelper("converted")(nb::handle(object), dtype, rules.ndim, order);
}

/// Returns the array if its elements are the structs, else a text why not.
nb::object ArrayOfStructs(PyObject* object, const TensorRules& rules) {
  const StructLayout& layout = *rules.layout;
  const nb::object fields = Checked(PyTuple_New(layout.num_fields));
  for (int32_t i = 0; i < layout.num_fields; ++i) {
    const StructField& field = layout.fields[i];
    nb::object one =
        nb::make_tuple(field.name, DTypeObject(field.dtype), field.count, field.offset);
    PyTuple_SET_ITEM(fields.ptr(), i, one.release().ptr());
  }
  return ArrayLikeHelper("structs")(nb::handle(object), fields, layout.size, layout.alignment,
                                    rules.ndim, rules.writable);
}

/// Says what the array is, which is well but for extents or order.
std::string TextOfArray(nb::handle array) {
  return TextFrom(ArrayLikeHelper("described")(array), "description");
}

int TensorForRules(PyObject* object, const void* given, bool explain, TainAny* out) noexcept {
  return Guarded(-1, [&] {
    const auto& rules = *static_cast<const TensorRules*>(given);
    const nb::object made =
        rules.layout != nullptr ? ArrayOfStructs(object, rules) : ConvertedArray(object, rules);
    const bool is_text = PyUnicode_Check(made.ptr());
    if (explain) {
      internal::TextToAny(is_text ? TextFrom(made, "reason") : TextOfArray(made), out);
      return 1;
    }
    if (is_text) return 0;
    TainObject* tensor = nullptr;
    if (rules.layout != nullptr) {
      tensor = TensorFromStructs(made.ptr(), rules.layout->size);
    } else if (IsNumpyArray(made.ptr())) {
      tensor = TensorFromNumpy(made.ptr(), nullptr);
    }
    if (tensor == nullptr) return 0;
    SetObject(tensor, out);
    return 1;
  });
}

}  // namespace

void InitRuledImport() { GetHooks().tensor_for_rules = &TensorForRules; }

}  // namespace tain::bindings
