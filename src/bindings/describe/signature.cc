// SPDX-License-Identifier: Apache-2.0
// Signatures of functions and classes; see signature.h.
#include "describe/signature.h"

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/protocols.h"
#include "objects/class_table.h"
#include "objects/state.h"
#include "objects/type_constructor.h"

namespace tain::bindings {

using internal::ShownParam;
using internal::ShownParams;

namespace {

/// The names that inspect has for the kinds of parameters.
constexpr const char* kKindNames[] = {"POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL",
                                      "KEYWORD_ONLY", "VAR_KEYWORD"};

/// In a signature, represents a default that is made again for each call.
struct FactoryMark {};

nb::object DefaultOf(const TainArgInfo& arg) {
  if ((arg.flags & kTainArgFactory) != 0) return nb::cast(FactoryMark());
  if ((arg.flags & kTainArgOptional) != 0) return nb::borrow(Py_Ellipsis);
  if (arg.default_value.type_index == kTainUnchanged) return nb::borrow(Py_Ellipsis);
  return ValueOfExpression(arg.default_value, View(arg.type));
}

nb::object MakeParameter(nb::handle parameter_class, const ShownParam& param) {
  const nb::object kind =
      parameter_class.attr(kKindNames[static_cast<size_t>(param.kind)]);  // by position in the enum
  const nb::object empty = parameter_class.attr("empty");
  return parameter_class(
      Text(param.name), kind,
      nb::arg("default") = param.has_default() ? DefaultOf(*param.arg) : empty,
      nb::arg("annotation") = param.type().empty() ? empty : TypeFromExpression(param.type()));
}

bool HasOwn(nb::handle cls, const char* name) {
  return nb::cast<bool>(cls.attr("__dict__").attr("__contains__")(name));
}

/// Returns the function whose parameters `cls(...)` takes; null if Python code defines them or
/// there is no constructor.
const TainFunctionInfo* ConstructorInfoOf(nb::handle cls) {
  const auto& known = GetObjectsState().class_of_type;
  if (!PyType_Check(cls.ptr())) return nullptr;
  const nb::object mro = nb::borrow(reinterpret_cast<PyTypeObject*>(cls.ptr())->tp_mro);
  for (nb::handle base : mro) {
    const auto found = known.find(reinterpret_cast<PyTypeObject*>(base.ptr()));
    if (found != known.end() &&
        reinterpret_cast<PyObject*>(found->second.load()->generated) == base.ptr()) {
      return ConstructorOf(found->second.load()->record).info();
    }
    if (HasOwn(base, "__init__") || HasOwn(base, "__new__")) return nullptr;
  }
  return nullptr;
}

nb::object MakeSignature(const TainFunctionInfo* info, bool with_self, bool with_result) {
  const nb::module_ inspect = nb::module_::import_("inspect");
  const nb::object parameter_class = inspect.attr("Parameter");
  const nb::object signature_class = inspect.attr("Signature");
  nb::list parameters = NewList();
  for (const ShownParam& param : ShownParams(info, with_self)) {
    parameters.append(MakeParameter(parameter_class, param));
  }
  if (!with_result || info == nullptr || info->return_type.size == 0) {
    return signature_class(parameters);
  }
  return signature_class(
      parameters, nb::arg("return_annotation") = TypeFromExpression(View(info->return_type)));
}

nb::object ClassSignature(nb::handle object, nb::handle cls) {
  const TainFunctionInfo* info =
      object.is_none() && PyType_Check(cls.ptr()) ? ConstructorInfoOf(cls) : nullptr;
  if (info != nullptr) return MakeSignature(info, false, false);
  // inspect then searches itself: it uses __init__, or __call__ of an instance, or reports that the
  // class has no constructor.
  const nb::handle owner = object.is_none() ? cls : nb::handle(Py_TYPE(object.ptr()));
  ThrowError(PyExc_AttributeError, "%R has no attribute '__signature__'", owner.ptr());
}

/// Calls `__get__(descriptor, object, cls)` of the descriptor.
PyObject* GetClassSignature(PyObject*, PyObject* const* args, Py_ssize_t num_args) noexcept {
  if (num_args < 2 || num_args > 3) {
    PyErr_SetString(PyExc_TypeError, "__get__() takes 1 or 2 arguments");
    return nullptr;
  }
  const nb::handle cls = num_args == 3 ? args[2] : Py_None;
  return GuardedObject([&] { return ClassSignature(args[1], cls); });
}

}  // namespace

nb::object SignatureOf(const TainFunctionInfo* info, bool with_self) {
  return MakeSignature(info, with_self, true);
}

std::string DocText(const TainFunctionInfo* info, std::string_view name, std::string_view doc,
                    bool with_self) {
  if (info == nullptr || info->num_overloads == 0) return std::string(doc);
  std::string text;
  for (int32_t i = 0; i < info->num_overloads; ++i) {
    const TainFunctionInfo* one = info->overloads[i].info;
    // A literal with a definition below, if the text is read as reStructuredText.
    text += i == 0 ? "``" : "\n\n``";
    text += SignatureText(one, name, with_self) + "``";
    if (one->doc.size == 0) continue;
    text += "\n    ";
    for (const char c : View(one->doc))
      text += c == '\n' ? std::string("\n    ") : std::string(1, c);
  }
  return text;
}

nb::object AnnotationsOf(const TainFunctionInfo* info) {
  nb::dict annotations = NewDict();
  if (info == nullptr) return annotations;
  for (const ShownParam& param : ShownParams(info, false)) {
    if (param.type().empty()) continue;
    annotations[Text(param.name)] = HintFromExpression(param.type());
  }
  if (info->return_type.size != 0) {
    annotations["return"] = HintFromExpression(View(info->return_type));
  }
  return annotations;
}

nb::object ClassSignatureDescriptor() {
  static PyMethodDef get = {"__get__", MethodPointer(kLocked<&GetClassSignature>), METH_FASTCALL,
                            "The signature of the constructor."};
  return nb::borrow(MakeClassAttribute("_ClassSignature", &get));
}

void InitSignature(CoreModule& m) {
  CoreClass<FactoryMark>(m, "_Factory", nb::is_final(),
                         "In a signature: a default that is made anew for each call.")
      .def("__repr__", [](const FactoryMark&) { return "<factory>"; });
}

}  // namespace tain::bindings
