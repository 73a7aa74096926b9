// SPDX-License-Identifier: Apache-2.0
// Comparison, arithmetic and reductions of tain.Tensor, which numpy or the library of the other
// operand computes: python/tain/_tensor_math.py.
#include "tensors/class_parts.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "objects/class_table.h"

namespace tain::bindings {
namespace {

/// Calls a function of tain._tensor_math.
template <class... Args>
PyObject* CallMath(const char* name, Args... args) noexcept {
  return CallPackage("tain._tensor_math", name, args...);
}

/// Applies a function of the module operator, or divmod, to two operands, of which one is a Tensor.
PyObject* Operate(const char* name, PyObject* left, PyObject* right) noexcept {
  return CallMath("operate", name, nb::handle(left), nb::handle(right));
}

/// An operator: its name in the module operator, and its slot.
struct UnaryOperator {
  const char* name;
  int slot;
};
/// The same for two operands. The name is that of the operator that changes its left operand; after
/// its first letter it is that of the one that does not.
struct BinaryOperator {
  const char* changing_name;
  int slot;
  int changing_slot;
};

constexpr UnaryOperator kUnary[] = {{"neg", Py_nb_negative},
                                    {"pos", Py_nb_positive},
                                    {"abs", Py_nb_absolute},
                                    {"invert", Py_nb_invert}};
constexpr BinaryOperator kBinary[] = {
    {"iadd", Py_nb_add, Py_nb_inplace_add},
    {"isub", Py_nb_subtract, Py_nb_inplace_subtract},
    {"imul", Py_nb_multiply, Py_nb_inplace_multiply},
    {"itruediv", Py_nb_true_divide, Py_nb_inplace_true_divide},
    {"ifloordiv", Py_nb_floor_divide, Py_nb_inplace_floor_divide},
    {"imod", Py_nb_remainder, Py_nb_inplace_remainder},
    {"imatmul", Py_nb_matrix_multiply, Py_nb_inplace_matrix_multiply},
    {"ilshift", Py_nb_lshift, Py_nb_inplace_lshift},
    {"irshift", Py_nb_rshift, Py_nb_inplace_rshift},
    {"iand", Py_nb_and, Py_nb_inplace_and},
    {"ior", Py_nb_or, Py_nb_inplace_or},
    {"ixor", Py_nb_xor, Py_nb_inplace_xor}};

template <size_t kIndex>
PyObject* Unary(PyObject* tensor) {
  return CallMath("apply", kUnary[kIndex].name, nb::handle(tensor));
}
template <size_t kIndex>
PyObject* Binary(PyObject* left, PyObject* right) {
  return Operate(kBinary[kIndex].changing_name + 1, left, right);
}
template <size_t kIndex>
PyObject* BinaryIn(PyObject* tensor, PyObject* right) {
  return CallMath("change", kBinary[kIndex].changing_name, nb::handle(tensor), nb::handle(right));
}

template <size_t... kIndex>
void AddUnary(std::vector<PyType_Slot>* slots, std::index_sequence<kIndex...>) {
  SetSlots(slots, {Slot(kUnary[kIndex].slot, kLocked<&Unary<kIndex>>)...});
}
template <size_t... kIndex>
void AddBinary(std::vector<PyType_Slot>* slots, std::index_sequence<kIndex...>) {
  SetSlots(slots, {Slot(kBinary[kIndex].slot, kLocked<&Binary<kIndex>>)...});
  SetSlots(slots, {Slot(kBinary[kIndex].changing_slot, kLocked<&BinaryIn<kIndex>>)...});
}

PyObject* DivMod(PyObject* left, PyObject* right) { return Operate("divmod", left, right); }

PyObject* Power(PyObject* left, PyObject* right, PyObject* modulus) {
  if (modulus != Py_None) return Py_NewRef(Py_NotImplemented);
  return Operate("pow", left, right);
}
PyObject* PowerIn(PyObject* tensor, PyObject* right, PyObject* modulus) {
  if (modulus != Py_None) return Py_NewRef(Py_NotImplemented);
  return CallMath("change", "ipow", nb::handle(tensor), nb::handle(right));
}

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
  return CallPackageWith(args, kwargs, "tain._tensor_math", "call", kMethods[kIndex],
                         nb::handle(tensor));
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
  (methods->push_back({kMethods[kIndex], MethodPointer(kLocked<&Method<kIndex>>),
                       METH_VARARGS | METH_KEYWORDS, kMathDoc<kIndex>.data()}),
   ...);
}

}  // namespace

PyObject* TensorPick(PyObject* tensor, PyObject* key) noexcept {
  return CallMath("pick", nb::handle(tensor), nb::handle(key));
}

void AddMathMembers(std::vector<PyType_Slot>* slots, std::vector<PyMethodDef>* methods) {
  SetSlots(slots,
           {Slot(Py_tp_richcompare, kLocked<&Compare>),
            // As for numpy's arrays: == compares elements.
            Slot(Py_tp_hash, &PyObject_HashNotImplemented),
            Slot(Py_sq_contains, kLocked<&Contains>), Slot(Py_nb_divmod, kLocked<&DivMod>),
            Slot(Py_nb_power, kLocked<&Power>), Slot(Py_nb_inplace_power, kLocked<&PowerIn>)});
  AddMethods(methods, std::make_index_sequence<std::size(kMethods)>());
  AddUnary(slots, std::make_index_sequence<std::size(kUnary)>());
  AddBinary(slots, std::make_index_sequence<std::size(kBinary)>());
}

}  // namespace tain::bindings
