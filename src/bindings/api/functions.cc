// SPDX-License-Identifier: Apache-2.0
// The functions of tain._core: the registry, loading, classes by key.
#include "api/init.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "base/error_kinds.h"
#include "base/gil.h"
#include "base/given_text.h"
#include "base/single_interpreter.h"
#include "base/type_keys.h"
#include "classes/class_parts.h"
#include "classes/register_class.h"
#include "classes/visible_class.h"
#include "objects/class_table.h"
#include "objects/found_names.h"
#include "objects/gc_state.h"
#include "objects/instance.h"
#include "tain/internal/skipped_functions.h"
#include "tain/interop/nanobind.h"
#include "values/from_python.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

void CheckCore(int code) {
  if (code != 0) ThrowFromCore();
}

std::vector<std::string> ListNames() {
  RaisePendingFaults();
  std::vector<std::string> names = GlobalFunctionNames();
  std::sort(names.begin(), names.end());
  return names;
}

[[noreturn]] void ThrowNoFunction(std::string_view name) {
  ThrowValue("Cannot find global function " + std::string(name) + "." +
             NearMatches(name, ListNames()));
}

nb::object GetGlobalFunc(nb::handle text, bool allow_missing) {
  const std::string name = TextFrom(text, "get_global_func");
  RaisePendingFaults();
  TainObject* found = FindGlobalFunction(name);
  if (found == nullptr) {
    AskForMissing("function", name);
    found = FindGlobalFunction(name);
  }
  if (found != nullptr) return Checked(Wrap(found));
  if (allow_missing) return nb::none();
  ThrowNoFunction(name);
}

void SetGlobalFunc(nb::handle text, nb::object function, bool override_) {
  const std::string name = NameFrom(text, "register_global_func");
  if (!PyCallable_Check(function.ptr())) {
    ThrowGiven("register_global_func: expected a callable", function);
  }
  const Any value = AnyFrom(function);
  if (value.type_index() != kTainFunction) {
    ThrowError(PyExc_TypeError, "register_global_func: a %s crosses as a value, not a function",
               TypeName(function.ptr()));
  }
  const TainByteArray bytes = BytesOf(name);
  CheckCore(TainFunctionSetGlobal(&bytes, value.data().v_obj, override_ ? 1 : 0));
  ForgetNames();
}

void RemoveGlobalFunc(nb::handle text) {
  const std::string name = TextFrom(text, "remove_global_func");
  const TainByteArray bytes = BytesOf(name);
  int removed = 0;
  CheckCore(TainFunctionRemoveGlobal(&bytes, &removed));
  if (removed == 0) ThrowNoFunction(name);
  ForgetNames();
}

/// Returns a path as the system has it: bytes; a part that is not UTF-8 is surrogates in its str.
std::string SystemPath(nb::handle path) {
  const nb::object bytes = Checked(PyUnicode_EncodeFSDefault(path.ptr()));
  return std::string(View(BytesIn(bytes.ptr())));
}

std::vector<std::string> ListDefinitions(nb::handle symbol) {
  std::vector<std::string> files;
  const std::string name = TextFrom(symbol, "list_definitions");
  const TainByteArray bytes = BytesOf(name);
  CheckCore(TainListDefinitions(
      &bytes,
      [](const TainByteArray* file, void* context) {
        static_cast<std::vector<std::string>*>(context)->emplace_back(file->data, file->size);
      },
      &files));
  return files;
}

nb::object LoadLibraryFile(nb::str text) {
  RaisePendingFaults();
  const std::string path = SystemPath(text);
  const TainByteArray bytes = BytesOf(path);
  TainAny opened{};
  int code;
  {
    ReleaseGil unlocked;
    code = TainLibraryLoad(&bytes, &opened);
  }
  CheckCore(code);
  const Any owned = Any::Steal(opened);
  ForgetNames();
  UpdateNestedClasses();
  CheckSingleCopy();  // the library may contain a libtain
  const auto file = owned.cast<std::string>();
  return Checked(
      PyUnicode_DecodeFSDefaultAndSize(file.data(), static_cast<Py_ssize_t>(file.size())));
}

nb::dict LiveObjects() {
  nb::dict counts = NewDict();
  TainLiveObjects(
      [](int32_t index, int64_t count, void* data) {
        std::string key(KeyOfIndex(index));
        if (key.empty()) key = "type " + std::to_string(index);
        auto& out = *static_cast<nb::dict*>(data);
        const int64_t before = out.contains(key.c_str()) ? nb::cast<int64_t>(out[key.c_str()]) : 0;
        out[key.c_str()] = before + count;
      },
      &counts);
  return counts;
}

nb::list ListUnits() {
  nb::list units = NewList();
  TainListUnits(
      [](const TainByteArray* file, const TainByteArray* name, int32_t build, void* data) {
        static_cast<nb::list*>(data)->append(
            nb::make_tuple(Checked(ToStr(*file)), Checked(ToStr(*name)), build));
      },
      &units);
  return units;
}

nb::tuple ListRegistered(nb::str file) {
  const std::string path = SystemPath(file);
  const TainByteArray bytes = BytesOf(path);
  std::vector<std::string> names[5];  // by TainRegisteredKind
  const auto add = [](int32_t kind, const TainByteArray* name, void* data) {
    static_cast<std::vector<std::string>*>(data)[kind].emplace_back(View(*name));
    return 0;
  };
  CheckCore(TainListRegistered(&bytes, add, names));
  return nb::make_tuple(nb::tuple(nb::cast(names[kTainRegisteredType])),
                        nb::tuple(nb::cast(names[kTainRegisteredFunction])),
                        nb::tuple(nb::cast(names[kTainRegisteredEnum])),
                        nb::tuple(nb::cast(names[kTainRegisteredError])),
                        nb::tuple(nb::cast(names[kTainRegisteredConstant])));
}

/// Returns (name, reason, whether the load warns of it) of the functions that a library left out.
nb::list ListSkipped(nb::str file) {
  nb::list all = NewList();
  for (const auto& one : internal::SkippedFunctionsOf(SystemPath(file))) {
    all.append(nb::make_tuple(Text(one.name), Text(one.why), one.is_strict));
  }
  return all;
}

std::string NearMatchesAmong(nb::handle name, nb::handle known) {
  std::vector<std::string> names;
  for (nb::handle one : known) names.push_back(TextFrom(one, "near_matches"));
  return NearMatches(TextFrom(name, "near_matches"), names);
}

void SetOnMissing(nb::object hook) {
  Py_XSETREF(GetState().on_missing, hook.is_none() ? nullptr : hook.release().ptr());
}

void DefineRegistry(CoreModule& m) {
  m.def(
      "get_class",
      [](nb::handle key) {
        UpdateNestedClasses();
        return Checked(ClassOfKey(TextFrom(key, "get_class")));
      },
      nb::arg("key").none(), nb::sig("def get_class(key: str) -> type"),
      "Returns the class or enum of a type key.\n\nRaises\n------\nValueError\n    Nothing is "
      "registered under the key. The text suggests similar keys.");
  m.def(
      "find_class",
      [](nb::handle key, bool load) {
        UpdateNestedClasses();
        PyObject* found = FindClassOfKey(TextFrom(key, "find_class"), load);
        return found == nullptr ? nb::none() : nb::steal(found);
      },
      nb::arg("key"), nb::arg("load") = true,
      nb::sig("def find_class(key: str, load: bool = True) -> type | None"),
      "Returns the class of a type key, or None. With `load`, what may define the key is loaded.");
  m.def(
      "type_keys",
      [](nb::handle prefix) {
        const std::string text = TextFrom(prefix, "type_keys");
        RaisePendingFaults();
        return TypeKeys(text);
      },
      nb::arg("prefix").none() = "", nb::sig("def type_keys(prefix: str = '') -> list[str]"),
      "Returns all type keys that start with a prefix, sorted.");
  m.def("get_global_func", &GetGlobalFunc, nb::arg("name").none(), nb::arg("allow_missing") = false,
        nb::sig("def get_global_func(name: str, allow_missing: bool = False) -> typing.Any"),
        "Returns the global function of a name.\n\nRaises\n------\nValueError\n    There is none, "
        "and "
        "`allow_missing` is false.");
  m.def("set_global_func", &SetGlobalFunc, nb::arg("name").none(), nb::arg("function"),
        nb::arg("override") = false,
        nb::sig("def set_global_func(name: str, function: object, override: bool = False) -> None"),
        "Registers a callable as a global function.");
  m.def("remove_global_func", &RemoveGlobalFunc, nb::arg("name").none(),
        nb::sig("def remove_global_func(name: str) -> None"),
        "Removes a global function; ValueError if there is none.");
  m.def("list_global_func_names", &ListNames, "Returns the names of all global functions, sorted.");
  m.def(
      "register_class",
      [](nb::handle key, nb::object cls) {
        return RegisterClass(TextFrom(key, "register_object"), std::move(cls));
      },
      nb::arg("key"), nb::arg("cls"), nb::sig("def register_class(key: str, cls: type) -> type"),
      "Registers a Python class for a type key.");
  m.def(
      "adopt_namespace",
      [](nb::handle name, nb::handle module) {
        AdoptNamespace(TextFrom(name, "init_ffi_api"), TextFrom(module, "init_ffi_api"));
      },
      nb::arg("namespace"), nb::arg("module"),
      nb::sig("def adopt_namespace(namespace: str, module: str) -> None"),
      "Makes a module the __module__ of the classes of a namespace.");
  m.def(
      "given_text", [](nb::handle value) { return Text(GivenText(value)); },
      nb::arg("value").none(), nb::sig("def given_text(value: object) -> str"),
      "Returns the words for a value that was given: `int (3)`, `None`.");
  m.def(
      "register_error_class",
      [](nb::handle kind, nb::handle cls) {
        if (!PyExceptionClass_Check(cls.ptr())) {
          ThrowGiven("register_error: expected an exception class", cls);
        }
        RegisterErrorClass(NameFrom(kind, "register_error"), cls.ptr());
        ForgetNames();
      },
      nb::arg("kind"), nb::arg("cls"),
      nb::sig("def register_error_class(kind: str, cls: type) -> None"),
      "Registers an exception class for a kind of errors.");
}

/// Written by hand, because a caster would replace the error that describes the wrong value.
nb::object ConvertObject(nb::handle value) {
  TainAny converted{};
  if (!OwnedFromPythonForAny(value.ptr(), &converted)) throw nb::python_error();
  return Checked(ToPython(converted));
}

void DefineLoading(CoreModule& m) {
  m.def("load_library_file", &LoadLibraryFile, nb::arg("path"),
        nb::sig("def load_library_file(path: str) -> str"),
        "Loads a shared library as one transaction and returns the path that was opened.");
  m.def("raise_pending_faults", &RaisePendingFaults,
        "Raises the registration faults of libraries that load_library did not load.");
  m.def("registry_generation", &TainRegistryGeneration,
        "Returns a number that grows with every change of the registry.");
  m.def("list_registered", &ListRegistered, nb::arg("file"),
        nb::sig("def list_registered(file: str) -> tuple[tuple[str, ...], tuple[str, ...], "
                "tuple[str, ...], tuple[str, ...], tuple[str, ...]]"),
        "Returns the (types, functions, enums, exceptions, constants) that the library of a file "
        "registered.");
  m.def("list_skipped", &ListSkipped, nb::arg("file"),
        nb::sig("def list_skipped(file: str) -> list[tuple[str, str, bool]]"),
        "Returns (name, reason, whether the load warns) of the functions that TAIN_REFLECT left "
        "out of the library of a file.");
  m.def("list_definitions", &ListDefinitions, nb::arg("symbol"),
        nb::sig("def list_definitions(symbol: str) -> list[str]"),
        "Returns the files of the process that define a C symbol.");
  m.def("set_on_missing", &SetOnMissing, nb::arg("hook").none(),
        "Sets the function (kind, name) -> bool that is called for an unknown name.");
  m.def("version", [] { return std::string(TAIN_VERSION); }, "The version of the bridge.");
}

}  // namespace

void DefineFunctions(CoreModule& m) {
  DefineRegistry(m);
  DefineLoading(m);
}

void DefineProcessInfo(CoreModule& m) {
  m.def("convert", &ConvertObject, nb::arg("value").none(),
        nb::sig("def convert(value: object | None) -> object"),
        "Converts a value to C++ and back: a list becomes an Array, a dict becomes a Map.");
  m.def("live_objects", &LiveObjects, nb::sig("def live_objects() -> dict[str, int]"),
        "Returns the number of living C++ objects by type key.");
  m.def(
      "live_instances", [] { return GetGc().live_wrappers.Sum(); },
      "Returns the number of Python objects that are tied to a C++ object.");
  m.def("list_units", &ListUnits, nb::sig("def list_units() -> list[tuple[str, str, int]]"),
        "Returns (file, unit name, build) of every library that registered something.");
  m.def("near_matches", &NearMatchesAmong, nb::arg("name"), nb::arg("known"),
        nb::sig("def near_matches(name: str, known: collections.abc.Sequence[str]) -> str"),
        "Returns suggestions for an unknown name: ` Did you mean 'a', 'b'?`, or an empty text.");
  m.def(
      "abi_version",
      [] { return std::pair<int, int>(TAIN_ABI_VERSION_MAJOR, TAIN_ABI_VERSION_MINOR); },
      "The version of the binary contract: (major, minor).");
}

}  // namespace tain::bindings
