// SPDX-License-Identifier: Apache-2.0
// Comparison, arithmetic and reductions of tain.Tensor; see tensor_math.h.
#include "tensors/tensor_math.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "objects/class_table.h"

namespace tain::bindings {
namespace {

/// Calls a function of tain._tensor_math.
template <class... Args>
PyObject* CallMath(const char* name, Args... args) noexcept {
  return GuardedObject([&]() -> nb::object {
    return nb::module_::import_("tain._tensor_math").attr(name)(args...);
  });
}

/// Applies a function of the module operator, or divmod, to two operands, of which one is a Tensor.
PyObject* Operate(const char* name, PyObject* left, PyObject* right) noexcept {
  return CallMath("operate", name, nb::handle(left), nb::handle(right));
}

// The names are those of the module operator.
#define TAIN_TENSOR_BINARY(Name, text)                                                   \
  PyObject* Name(PyObject* left, PyObject* right) { return Operate(text, left, right); } \
  PyObject* Name##In(PyObject* tensor, PyObject* right) {                                \
    return CallMath("change", "i" text, nb::handle(tensor), nb::handle(right));          \
  }
TAIN_TENSOR_BINARY(Add, "add")
TAIN_TENSOR_BINARY(Subtract, "sub")
TAIN_TENSOR_BINARY(Multiply, "mul")
TAIN_TENSOR_BINARY(Divide, "truediv")
TAIN_TENSOR_BINARY(FloorDivide, "floordiv")
TAIN_TENSOR_BINARY(Modulo, "mod")
TAIN_TENSOR_BINARY(MatrixMultiply, "matmul")
TAIN_TENSOR_BINARY(ShiftLeft, "lshift")
TAIN_TENSOR_BINARY(ShiftRight, "rshift")
TAIN_TENSOR_BINARY(And, "and")
TAIN_TENSOR_BINARY(Or, "or")
TAIN_TENSOR_BINARY(Xor, "xor")
TAIN_TENSOR_BINARY(PowerOfTwo, "pow")
#undef TAIN_TENSOR_BINARY

PyObject* DivMod(PyObject* left, PyObject* right) { return Operate("divmod", left, right); }

PyObject* Power(PyObject* left, PyObject* right, PyObject* modulus) {
  if (modulus != Py_None) return Py_NewRef(Py_NotImplemented);
  return PowerOfTwo(left, right);
}
PyObject* PowerIn(PyObject* left, PyObject* right, PyObject* modulus) {
  if (modulus != Py_None) return Py_NewRef(Py_NotImplemented);
  return PowerOfTwoIn(left, right);
}

#define TAIN_TENSOR_UNARY(Name, text) \
  PyObject* Name(PyObject* tensor) { return CallMath("apply", text, nb::handle(tensor)); }
TAIN_TENSOR_UNARY(Negative, "neg")
TAIN_TENSOR_UNARY(Positive, "pos")
TAIN_TENSOR_UNARY(Absolute, "abs")
TAIN_TENSOR_UNARY(Invert, "invert")
#undef TAIN_TENSOR_UNARY

PyObject* Compare(PyObject* left, PyObject* right, int operation) {
  static constexpr const char* kNames[] = {"lt", "le", "eq", "ne", "gt", "ge"};
  return Operate(kNames[operation], left, right);
}

int Contains(PyObject* tensor, PyObject* value) {
  const Own found(CallMath("contains", nb::handle(tensor), nb::handle(value)));
  return found ? PyObject_IsTrue(found.get()) : -1;
}

/// Methods of numpy's arrays that tensors have too. The stub of tain.Tensor lists them.
constexpr const char* kMethods[] = {
    "all",     "any",     "argmax",       "argmin", "argsort",  "astype",    "clip",
    "conj",    "copy",    "cumprod",      "cumsum", "diagonal", "dot",       "fill",
    "flatten", "max",     "mean",         "min",    "nonzero",  "prod",      "ravel",
    "repeat",  "reshape", "searchsorted", "sort",   "squeeze",  "std",       "sum",
    "round",   "take",    "tobytes",      "trace",  "swapaxes", "transpose", "var"};

template <size_t kIndex>
PyObject* Method(PyObject* tensor, PyObject* args, PyObject* kwargs) {
  return GuardedObject([&]() -> nb::object {
    const nb::object keywords = kwargs == nullptr ? nb::object(NewDict()) : nb::borrow(kwargs);
    return nb::module_::import_("tain._tensor_math")
        .attr("call")(kMethods[kIndex], nb::handle(tensor), *nb::handle(args),
                      **nb::borrow<nb::dict>(keywords));
  });
}

/// Returns the documentation of a method, which begins with its signature.
template <size_t kIndex>
constexpr auto MakeMathDoc() noexcept {
  constexpr std::string_view kName = kMethods[kIndex];
  constexpr std::string_view kRest =
      "($self, /, *args, **kwargs)\n--\n\nAs the method of numpy.ndarray.";
  std::array<char, kName.size() + kRest.size() + 1> doc{};
  std::copy(kRest.begin(), kRest.end(), std::copy(kName.begin(), kName.end(), doc.begin()));
  return doc;
}
template <size_t kIndex>
constexpr auto kMathDoc = MakeMathDoc<kIndex>();

template <size_t... kIndex>
void AddMethods(std::vector<PyMethodDef>* methods, std::index_sequence<kIndex...>) {
  (methods->push_back({kMethods[kIndex], MethodPointer(&Method<kIndex>),
                       METH_VARARGS | METH_KEYWORDS, kMathDoc<kIndex>.data()}),
   ...);
}

}  // namespace

PyObject* TensorPick(PyObject* tensor, PyObject* key) noexcept {
  return CallMath("pick", nb::handle(tensor), nb::handle(key));
}

void AddMathMethods(std::vector<PyMethodDef>* methods) {
  AddMethods(methods, std::make_index_sequence<std::size(kMethods)>());
}

void AddMathSlots(std::vector<PyType_Slot>* slots) {
  const auto set = [slots](int slot, auto* function) {
    SetSlot(slots, {slot, reinterpret_cast<void*>(function)});
  };
  set(Py_tp_richcompare, &Compare);
  set(Py_tp_hash, &PyObject_HashNotImplemented);  // as for numpy's arrays: == compares elements
  set(Py_sq_contains, &Contains);
  set(Py_nb_add, &Add);
  set(Py_nb_subtract, &Subtract);
  set(Py_nb_multiply, &Multiply);
  set(Py_nb_true_divide, &Divide);
  set(Py_nb_floor_divide, &FloorDivide);
  set(Py_nb_remainder, &Modulo);
  set(Py_nb_matrix_multiply, &MatrixMultiply);
  set(Py_nb_lshift, &ShiftLeft);
  set(Py_nb_rshift, &ShiftRight);
  set(Py_nb_and, &And);
  set(Py_nb_or, &Or);
  set(Py_nb_xor, &Xor);
  set(Py_nb_divmod, &DivMod);
  set(Py_nb_power, &Power);
  set(Py_nb_inplace_add, &AddIn);
  set(Py_nb_inplace_subtract, &SubtractIn);
  set(Py_nb_inplace_multiply, &MultiplyIn);
  set(Py_nb_inplace_true_divide, &DivideIn);
  set(Py_nb_inplace_floor_divide, &FloorDivideIn);
  set(Py_nb_inplace_remainder, &ModuloIn);
  set(Py_nb_inplace_matrix_multiply, &MatrixMultiplyIn);
  set(Py_nb_inplace_lshift, &ShiftLeftIn);
  set(Py_nb_inplace_rshift, &ShiftRightIn);
  set(Py_nb_inplace_and, &AndIn);
  set(Py_nb_inplace_or, &OrIn);
  set(Py_nb_inplace_xor, &XorIn);
  set(Py_nb_inplace_power, &PowerIn);
  set(Py_nb_negative, &Negative);
  set(Py_nb_positive, &Positive);
  set(Py_nb_absolute, &Absolute);
  set(Py_nb_invert, &Invert);
}

}  // namespace tain::bindings
