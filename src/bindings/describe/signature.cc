// SPDX-License-Identifier: Apache-2.0
// Signatures of functions and classes; see signature.h.
#include "describe/signature.h"

#include <vector>

#include "base/error.h"
#include "base/protocols.h"
#include "describe/state.h"
#include "objects/class_table.h"
#include "objects/state.h"
#include "objects/type_constructor.h"
#include "tain/internal/argument_order.h"

namespace tain::bindings {
namespace {

/// The kinds of parameters, in the order of inspect.
enum class ParamKind { kPositionalOnly, kOrdinary, kVarPositional, kKeywordOnly, kVarKeyword };
constexpr const char* kKindNames[] = {"POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL",
                                      "KEYWORD_ONLY", "VAR_KEYWORD"};

/// A parameter of a signature.
struct Param {
  std::string name;
  ParamKind kind;
  const TainArgInfo* arg;  ///< null for the receiver and for (*args)
};

/// In a signature, represents a default that is made again for each call.
struct FactoryMark {};

bool HasName(const std::vector<Param>& params, const std::string& name) {
  for (const Param& param : params) {
    if (param.name == name) return true;
  }
  return false;
}

ParamKind KindOf(const TainArgInfo& arg, bool after_keyword_only, bool before_unnamed) {
  if ((arg.flags & kTainArgVarKeyword) != 0) return ParamKind::kVarKeyword;
  if ((arg.flags & kTainArgVarPositional) != 0) return ParamKind::kVarPositional;
  if (after_keyword_only) return ParamKind::kKeywordOnly;
  return before_unnamed ? ParamKind::kPositionalOnly : ParamKind::kOrdinary;
}

/// The number of leading parameters that are positional-only: those without a name, and those
/// before one without a name.
int32_t CountPositionalOnly(const TainFunctionInfo* info) {
  constexpr int32_t kNot =
      kTainArgNamed | kTainArgKwOnly | kTainArgVarPositional | kTainArgVarKeyword;
  int32_t count = 0;
  for (int32_t i = 0; i < info->num_args; ++i) {
    if ((info->args[i].flags & kNot) == 0) count = i + 1;
  }
  return count;
}

void AddDeclared(const TainFunctionInfo* info, std::vector<Param>& params) {
  const int32_t positional_only = CountPositionalOnly(info);
  bool keyword_only = false;
  for (int32_t i = 0; i < info->num_args; ++i) {
    const TainArgInfo& arg = info->args[i];
    keyword_only = keyword_only || (arg.flags & kTainArgKwOnly) != 0;
    std::string name(View(arg.name));
    if (name.empty()) name = "arg" + std::to_string(i);
    if (internal::IsPythonKeyword(name)) name += '_';  // callers may spell it so
    while (HasName(params, name)) name += '_';
    const ParamKind kind = KindOf(arg, keyword_only, i < positional_only);
    keyword_only = keyword_only || kind == ParamKind::kVarPositional;
    params.push_back({std::move(name), kind, &arg});
  }
}

/// Returns all parameters in order.
std::vector<Param> ParamsOf(const TainFunctionInfo* info, bool with_self) {
  std::vector<Param> params;
  const bool any = info == nullptr || (info->flags & kTainCallPacked) != 0;
  if (with_self) {
    const bool before_positional_only = !any && CountPositionalOnly(info) > 0;
    params.push_back({"self",
                      before_positional_only ? ParamKind::kPositionalOnly : ParamKind::kOrdinary,
                      nullptr});
  }
  if (any) {
    params.push_back({"args", ParamKind::kVarPositional, nullptr});
    if (info != nullptr && (info->flags & kTainCallOverloaded) != 0) {
      params.push_back({"kwargs", ParamKind::kVarKeyword, nullptr});
    }
  } else {
    AddDeclared(info, params);
  }
  return params;
}

bool HasDefault(const Param& param) {
  if (param.arg == nullptr || param.kind == ParamKind::kVarPositional ||
      param.kind == ParamKind::kVarKeyword) {
    return false;
  }
  return (param.arg->flags & (kTainArgHasDefault | kTainArgUnchanged | kTainArgOptional)) != 0;
}

nb::object DefaultOf(const TainArgInfo& arg) {
  if ((arg.flags & kTainArgFactory) != 0) return nb::cast(FactoryMark());
  if ((arg.flags & kTainArgOptional) != 0) return nb::borrow(Py_Ellipsis);
  if (arg.default_value.type_index == kTainUnchanged) return nb::borrow(Py_Ellipsis);
  return ValueOfExpression(arg.default_value, View(arg.type));
}

nb::object MakeParameter(nb::handle parameter_class, const Param& param) {
  const nb::object kind =
      parameter_class.attr(kKindNames[static_cast<size_t>(param.kind)]);  // by position in the enum
  const nb::object empty = parameter_class.attr("empty");
  const bool has_type = param.arg != nullptr && param.arg->type.size != 0;
  return parameter_class(
      Text(param.name), kind,
      nb::arg("default") = HasDefault(param) ? DefaultOf(*param.arg) : empty,
      nb::arg("annotation") = has_type ? TypeFromExpression(View(param.arg->type)) : empty);
}

std::string DefaultText(const TainArgInfo& arg) {
  if ((arg.flags & kTainArgFactory) != 0) return "<factory>";
  if ((arg.flags & kTainArgOptional) != 0) return "...";
  return TextOfExpression(arg.default_value, View(arg.type));
}

std::string ParamText(const Param& param) {
  std::string text = param.kind == ParamKind::kVarPositional ? "*"
                     : param.kind == ParamKind::kVarKeyword  ? "**"
                                                             : "";
  text += param.name;
  const bool has_type = param.arg != nullptr && param.arg->type.size != 0;
  if (has_type) text += ": " + std::string(View(param.arg->type));
  if (HasDefault(param)) text += (has_type ? " = " : "=") + DefaultText(*param.arg);
  return text;
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
        reinterpret_cast<PyObject*>(found->second->generated) == base.ptr()) {
      return ConstructorOf(found->second->record).info();
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
  for (const Param& param : ParamsOf(info, with_self)) {
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
  PyErr_Format(PyExc_AttributeError, "%R has no attribute '__signature__'", owner.ptr());
  throw nb::python_error();
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

std::string SignatureText(const TainFunctionInfo* info, std::string_view name, bool with_self) {
  std::string text(name);
  text += '(';
  const std::vector<Param> params = ParamsOf(info, with_self);
  ParamKind before = ParamKind::kOrdinary;
  for (size_t i = 0; i < params.size(); ++i) {
    const ParamKind kind = params[i].kind;
    if (i != 0) text += ", ";
    if (before == ParamKind::kPositionalOnly && kind != before) text += "/, ";
    if (kind == ParamKind::kKeywordOnly && before < ParamKind::kVarPositional) text += "*, ";
    text += ParamText(params[i]);
    before = kind;
  }
  text += before == ParamKind::kPositionalOnly ? ", /)" : ")";
  if (info != nullptr && info->return_type.size != 0) {
    text += " -> " + std::string(View(info->return_type));
  }
  return text;
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
  for (const Param& param : ParamsOf(info, false)) {
    if (param.arg == nullptr || param.arg->type.size == 0) continue;
    annotations[Text(param.name)] = HintFromExpression(View(param.arg->type));
  }
  if (info->return_type.size != 0) {
    annotations["return"] = HintFromExpression(View(info->return_type));
  }
  return annotations;
}

nb::object ClassSignatureDescriptor() {
  static PyMethodDef get = {"__get__", MethodPointer(&GetClassSignature), METH_FASTCALL,
                            "The signature of the constructor."};
  return nb::borrow(
      MakeClassAttribute("_ClassSignature", &get, &GetDescribeState().class_signature));
}

void InitSignature(nb::module_& m) {
  nb::class_<FactoryMark>(m, "_Factory", nb::is_final(),
                          "In a signature: a default that is made anew for each call.")
      .def("__repr__", [](const FactoryMark&) { return "<factory>"; });
}

}  // namespace tain::bindings
