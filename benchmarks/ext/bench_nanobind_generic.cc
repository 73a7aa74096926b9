// SPDX-License-Identifier: Apache-2.0
// The bridge's job done by nanobind: classes, functions, methods, fields and an iterator for the
// types and functions of bench_tain.cc, which are known by their records only.
//
// Everything is made twice. `args` uses the public interface: closures that take nb::args and
// nb::kwargs. `record` fills nanobind's own records (nb_func_new) with the names and defaults of
// each function, so that nanobind binds keywords and makes no tuple: the least that it can cost.
// Classes come from nb_type_new, because class_<T> needs a C++ type for each.
#include <nanobind/make_iterator.h>
#include <nanobind/nanobind.h>
#include <tain/tain.h>

#include <deque>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <unordered_map>
#include <vector>

namespace nb = nanobind;

namespace {

std::string_view View(const TainByteArray& bytes) { return {bytes.data, bytes.size}; }

/// What an instance holds: one reference.
struct Handle {
  TainObject* object;
};

/// The identity of a class that is made at run time.
struct RuntimeType : std::type_info {
  explicit RuntimeType(const char* name) : std::type_info(name) {}
};

/// How functions are made.
enum Style { kArgs, kRecord };
constexpr int kStyles = 2;

/// The classes of one style by type index. An object is Python's through one style only: its tie
/// leads to the one instance.
struct Classes {
  PyObject* root = nullptr;
  std::unordered_map<int32_t, PyObject*> by_index;
};
Classes classes[kStyles];

std::atomic_ref<uintptr_t> TieOf(TainObject* object) {
  return std::atomic_ref<uintptr_t>(TainObjectPrefixOf(object)->tie);
}

[[noreturn]] void ThrowRaised() { throw std::runtime_error(tain::Error::MoveFromRaised().what()); }

bool IsOurs(PyObject* object, PyObject* root) {
  return PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject*>(root));
}

PyObject* ClassOf(Style style, int32_t type_index);

/// The instance of an object, whose reference is taken over.
PyObject* Wrap(Style style, TainObject* object) {
  if (const uintptr_t tie = TieOf(object).load(std::memory_order_acquire)) {
    auto* known = reinterpret_cast<PyObject*>(tie);
    Py_INCREF(known);
    tain::internal::DecRef(object);
    return known;
  }
  PyObject* made = nb::inst_alloc(ClassOf(style, object->type_index)).release().ptr();
  nb::inst_ptr<Handle>(made)->object = object;
  nb::inst_mark_ready(made);
  TieOf(object).store(reinterpret_cast<uintptr_t>(made), std::memory_order_release);
  return made;
}

/// A result, which is taken over.
PyObject* ToPython(Style style, const TainAny& value) {
  switch (value.type_index) {
    case kTainNone: Py_RETURN_NONE;
    case kTainInt: return PyLong_FromLongLong(value.v_int64);
    case kTainBool: return PyBool_FromLong(value.v_int64 != 0);
    case kTainFloat: return PyFloat_FromDouble(value.v_float64);
    default: break;
  }
  std::string_view text;
  if (tain::internal::TextOf(&value, &text)) {
    PyObject* str = PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
    if (value.type_index == kTainStr) tain::internal::DecRef(value.v_obj);
    return str;
  }
  if (value.type_index >= kTainStaticObjectBegin) return Wrap(style, value.v_obj);
  throw std::runtime_error("a value that the benchmark does not use");
}

PyObject* ViewToPython(Style style, const TainAny& value) {
  if (value.type_index >= kTainStaticObjectBegin) tain::internal::IncRef(value.v_obj);
  return ToPython(style, value);
}

TainAny FromPython(Style style, PyObject* object) {
  TainAny out{};
  PyTypeObject* type = Py_TYPE(object);
  if (type == &PyLong_Type) {
    out.type_index = kTainInt;
    out.v_int64 = PyLong_AsLongLong(object);
    if (out.v_int64 == -1 && PyErr_Occurred()) throw nb::python_error();
  } else if (type == &PyFloat_Type) {
    out.type_index = kTainFloat;
    out.v_float64 = PyFloat_AS_DOUBLE(object);
  } else if (IsOurs(object, classes[style].root)) {
    out.v_obj = nb::inst_ptr<Handle>(object)->object;
    out.type_index = out.v_obj->type_index;
  } else if (type == &PyUnicode_Type) {
    out.type_index = kTainRawStr;
    out.v_c_str = PyUnicode_AsUTF8(object);
    if (out.v_c_str == nullptr) throw nb::python_error();
  } else if (type == &PyBool_Type) {
    out.type_index = kTainBool;
    out.v_int64 = object == Py_True;
  } else if (object != Py_None) {
    throw nb::type_error("a value that the benchmark does not use");
  }
  return out;
}

/// A function of the core.
struct Callee {
  TainObject* function;
  const TainFunctionInfo* info;
  Style style;
};

constexpr size_t kMaxArgs = 17;

void CallValues(const Callee& callee, const TainAny* args, size_t count, TainAny* result) {
  auto* cell = reinterpret_cast<TainFunctionCell*>(callee.function + 1);
  if (cell->safe_call(callee.function, args, static_cast<int32_t>(count), result) != 0) {
    ThrowRaised();
  }
}

/// Positional arguments of which `given` are there, then keywords and defaults.
size_t BindKeywords(const Callee& callee, size_t first, size_t given, PyObject* kwargs,
                    TainAny* values) {
  const auto num_params = static_cast<size_t>(callee.info->num_args) + first;
  if (given > num_params) throw nb::type_error("too many arguments");
  size_t used = 0;
  for (size_t i = given; i < num_params; ++i) {
    const TainArgInfo& arg = callee.info->args[i - first];
    PyObject* value = kwargs == nullptr ? nullptr : PyDict_GetItemString(kwargs, arg.name.data);
    if (value != nullptr) {
      values[i] = FromPython(callee.style, value);
      ++used;
    } else if ((arg.flags & kTainArgHasDefault) != 0) {
      values[i] = arg.default_value;
    } else {
      throw nb::type_error("an argument is missing");
    }
  }
  if (kwargs != nullptr && used != static_cast<size_t>(PyDict_GET_SIZE(kwargs))) {
    throw nb::type_error("unexpected keyword");
  }
  return num_params;
}

/// The call with a tuple and a dict, which nanobind has made.
void CallWithTuple(const Callee& callee, PyObject* self, PyObject* args, PyObject* kwargs,
                   TainAny* result) {
  TainAny values[kMaxArgs];
  const size_t first = self != nullptr ? 1 : 0;
  auto given = static_cast<size_t>(PyTuple_GET_SIZE(args));
  if (given + first > kMaxArgs) throw nb::type_error("too many arguments");
  if (self != nullptr) values[0] = FromPython(callee.style, self);
  for (size_t i = 0; i < given; ++i) {
    values[first + i] =
        FromPython(callee.style, PyTuple_GET_ITEM(args, static_cast<Py_ssize_t>(i)));
  }
  given += first;
  PyObject* keywords = PyDict_GET_SIZE(kwargs) == 0 ? nullptr : kwargs;
  CallValues(callee, values, BindKeywords(callee, first, given, keywords, values), result);
}

nb::object Owned(PyObject* made) {
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

// ---------------------------------------------------------------- records of nanobind's

struct RecordCapture {
  const Callee* callee;
};

/// Converts what nanobind has put in order.
void CallArray(const Callee& callee, PyObject** args, size_t count, TainAny* result) {
  TainAny values[kMaxArgs];
  for (size_t i = 0; i < count; ++i) values[i] = FromPython(callee.style, args[i]);
  CallValues(callee, values, count, result);
}

size_t NumArgs(const Callee& callee) {
  const bool is_method = (callee.info->flags & kTainCallMethod) != 0;
  return static_cast<size_t>(callee.info->num_args) + (is_method ? 1 : 0);
}

PyObject* FunctionImpl(void* capture, PyObject** args, uint32_t, nb::detail::cleanup_list*) {
  const Callee& callee = *static_cast<RecordCapture*>(capture)->callee;
  TainAny result{};
  CallArray(callee, args, NumArgs(callee), &result);
  return ToPython(callee.style, result);
}

void Adopt(PyObject* self, TainObject* object) {
  nb::inst_ptr<Handle>(self)->object = object;
  TieOf(object).store(reinterpret_cast<uintptr_t>(self), std::memory_order_release);
}

PyObject* InitImpl(void* capture, PyObject** args, uint32_t, nb::detail::cleanup_list*) {
  const Callee& callee = *static_cast<RecordCapture*>(capture)->callee;
  TainAny result{};
  CallArray(callee, args + 1, NumArgs(callee), &result);
  Adopt(args[0], result.v_obj);
  Py_RETURN_NONE;
}

using Impl = PyObject* (*)(void*, PyObject**, uint32_t, nb::detail::cleanup_list*);

/// A function made from nanobind's record. `self_type`: the type of a first parameter that the
/// core's record does not list.
nb::object FromRecord(const Callee* callee, const char* name, PyObject* scope,
                      const std::type_info* self_type, Impl impl) {
  using nb::detail::func_flags;
  const TainFunctionInfo* info = callee->info;
  struct Record : nb::detail::func_data_init_base {
    nb::detail::arg_data_init args[kMaxArgs];
  } record{};
  static std::deque<std::string> kept;
  const auto num_args = static_cast<size_t>(info->num_args);
  const bool is_method = self_type != nullptr;
  std::string& text = kept.emplace_back(is_method ? "({%}" : "(");
  bool has_names = false;
  for (size_t i = 0; i < num_args; ++i) {
    const TainArgInfo& arg = info->args[i];
    text += i > 0 || is_method ? ", {object}" : "{object}";
    if ((arg.flags & kTainArgNamed) != 0) {
      has_names = true;
      record.args[i].name = kept.emplace_back(View(arg.name)).c_str();
    }
    if ((arg.flags & kTainArgHasDefault) != 0) {
      record.args[i].value = ViewToPython(callee->style, arg.default_value);
    }
    record.args[i].flag = static_cast<uint32_t>(nb::detail::cast_flags::accepts_none);
  }
  text += ") -> object";
  const std::type_info* types[] = {self_type, nullptr};
  record.capture[0] = const_cast<Callee*>(callee);
  record.impl = impl;
  record.descr = text.c_str();
  record.descr_types = types;
  record.nargs = static_cast<uint16_t>(num_args + (is_method ? 1 : 0));
  record.nargs_pos = record.nargs;
  record.name = name;
  record.scope = scope;
  record.flags = NB_ABI_MINOR_TAG | static_cast<uint32_t>(func_flags::return_ref) |
                 static_cast<uint32_t>(func_flags::has_name) |
                 (scope != nullptr ? static_cast<uint32_t>(func_flags::has_scope) : 0u) |
                 (has_names ? static_cast<uint32_t>(func_flags::has_args) : 0u) |
                 (is_method ? static_cast<uint32_t>(func_flags::is_method) : 0u);
  return nb::steal(NB_CALL(nb_func_new)(NB_CTX, &record));
}

// ---------------------------------------------------------------- functions, methods, constructors

const Callee* NewCallee(Style style, TainObject* function, const TainFunctionInfo* info) {
  static std::deque<Callee> kept;
  return &kept.emplace_back(Callee{function, info, style});
}

nb::object MakeFunction(const Callee* callee, const char* name) {
  if (callee->style == kRecord) {
    return FromRecord(callee, name, nullptr, nullptr, &FunctionImpl);
  }
  return nb::cpp_function(
      [callee](const nb::args& args, const nb::kwargs& kwargs) {
        TainAny result{};
        CallWithTuple(*callee, nullptr, args.ptr(), kwargs.ptr(), &result);
        return Owned(ToPython(callee->style, result));
      },
      nb::name(name));
}

void AddMethod(PyObject* cls, const std::type_info* type, const Callee* callee, const char* name) {
  if (callee->style == kRecord) {
    FromRecord(callee, name, cls, type, &FunctionImpl);
    return;
  }
  nb::cpp_function_def(
      [callee](nb::handle self, const nb::args& args, const nb::kwargs& kwargs) {
        TainAny result{};
        CallWithTuple(*callee, self.ptr(), args.ptr(), kwargs.ptr(), &result);
        return Owned(ToPython(callee->style, result));
      },
      nb::scope(cls), nb::name(name), nb::is_method());
}

void AddConstructor(PyObject* cls, const std::type_info* type, const Callee* callee) {
  if (callee->style == kRecord) {
    FromRecord(callee, "__init__", cls, type, &InitImpl);
    return;
  }
  nb::cpp_function_def(
      [callee](nb::handle self, const nb::args& args, const nb::kwargs& kwargs) {
        TainAny result{};
        CallWithTuple(*callee, nullptr, args.ptr(), kwargs.ptr(), &result);
        Adopt(self.ptr(), result.v_obj);
        nb::inst_mark_ready(self);
      },
      nb::scope(cls), nb::name("__init__"), nb::is_method());
}

// ---------------------------------------------------------------- fields

/// The address of a field in a receiver of the right type.
char* AddressIn(nb::handle self, const TainFieldDef* field, Style style) {
  if (!IsOurs(self.ptr(), classes[style].root)) throw nb::type_error("not an object");
  TainObject* object = nb::inst_ptr<Handle>(self)->object;
  if (object->type_index != field->declaring_type &&
      TainTypeIsInstance(object->type_index, field->declaring_type) == 0) {
    throw nb::type_error("an object of another type");
  }
  return reinterpret_cast<char*>(object) + field->info.offset;
}

PyObject* ReadField(nb::handle self, const TainFieldDef* field, Style style) {
  char* address = AddressIn(self, field, style);
  if (field->kind == kTainFieldInt64) {  // as direct as the bridge's own
    return PyLong_FromLongLong(*reinterpret_cast<int64_t*>(address));
  }
  TainAny value{};
  if (field->info.getter(address, &value) != 0) ThrowRaised();
  return ToPython(style, value);
}

void WriteField(nb::handle self, PyObject* object, const TainFieldDef* field, Style style) {
  char* address = AddressIn(self, field, style);
  const TainAny value = FromPython(style, object);
  if (field->kind == kTainFieldInt64 && value.type_index == kTainInt) {
    *reinterpret_cast<int64_t*>(address) = value.v_int64;
    return;
  }
  if (reinterpret_cast<TainFieldSetter>(field->info.setter)(address, &value) != 0) ThrowRaised();
}

void AddField(PyObject* cls, const TainFieldDef* field, Style style) {
  const nb::object getter = nb::cpp_function(
      [field, style](nb::handle self) { return Owned(ReadField(self, field, style)); },
      nb::is_method(), nb::is_getter());
  const nb::object setter = nb::cpp_function(
      [field, style](nb::handle self, nb::handle value) {
        WriteField(self, value.ptr(), field, style);
      },
      nb::is_method(), nb::arg().none());
  const std::string name(View(field->info.name));
  nb::setattr(cls, name.c_str(), nb::module_::import_("builtins").attr("property")(getter, setter));
}

// ---------------------------------------------------------------- an array and its iterator

/// An element of any type, with the style in which it becomes Python's.
struct Element {
  const TainAny* value;
  Style style;
};

/// Elements of an array, which it keeps.
struct Elements {
  tain::Ptr<tain::Object> array;
  int64_t at;
  Style style;
  Element operator*() const {
    const TainObject* header = tain::internal::RefAccess::Header(array);
    auto* cell = reinterpret_cast<const TainSeqCell*>(header + 1);
    return {static_cast<const TainAny*>(cell->data) + at, style};
  }
  Elements& operator++() {
    ++at;
    return *this;
  }
  bool operator==(const Elements& other) const { return at == other.at; }
};

}  // namespace

template <>
struct nanobind::detail::type_caster<Element> {
  static constexpr auto Name = const_name("object");
  static handle from_cpp(const Element& element, rv_policy, cleanup_list*) noexcept {
    try {
      return ViewToPython(element.style, *element.value);
    } catch (const std::exception& error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
      return {};
    }
  }
};

namespace {

PyObject* module_object;

const TainSeqCell* CellOf(nb::handle self, Style style) {
  if (!IsOurs(self.ptr(), classes[style].root)) throw nb::type_error("not an object");
  return reinterpret_cast<TainSeqCell*>(nb::inst_ptr<Handle>(self)->object + 1);
}

void AddSequence(PyObject* cls, Style style) {
  nb::cpp_function_def(
      [style](nb::handle self) {
        const int64_t size = CellOf(self, style)->size;
        TainObject* object = nb::inst_ptr<Handle>(self)->object;
        const tain::Ptr<tain::Object> array(
            static_cast<tain::Object*>(tain::internal::ObjectAccess::FromHeader(object)));
        return nb::make_iterator(module_object, "Elements", Elements{array, 0, style},
                                 Elements{array, size, style});
      },
      nb::scope(cls), nb::name("__iter__"), nb::is_method());
  nb::cpp_function_def(
      [style](nb::handle self, int64_t index) {
        const TainSeqCell* cell = CellOf(self, style);
        if (index < 0) index += cell->size;
        if (index < 0 || index >= cell->size) throw nb::index_error();
        return Owned(ViewToPython(style, static_cast<const TainAny*>(cell->data)[index]));
      },
      nb::scope(cls), nb::name("__getitem__"), nb::is_method());
}

// ---------------------------------------------------------------- classes

void DestroyHandle(void* memory) {
  TainObject* object = static_cast<Handle*>(memory)->object;
  TieOf(object).store(0, std::memory_order_release);
  tain::internal::DecRef(object);
}

PyObject* NewClass(Style style, const std::type_info* type, const char* name, PyObject* base) {
  using nb::detail::type_flags;
  nb::detail::type_data_init init{};
  init.size_align = nb::detail::type_size_align(sizeof(Handle), alignof(Handle));
  init.flags = NB_ABI_MINOR_TAG | static_cast<uint32_t>(type_flags::is_destructible) |
               static_cast<uint32_t>(type_flags::has_destruct);
  init.name = name;
  init.type = type;
  init.destruct = &DestroyHandle;
  init.scope = nullptr;
  if (base != nullptr) {
    init.flags |= static_cast<uint32_t>(nb::detail::type_init_flags::has_base_py);
    init.base_py = reinterpret_cast<PyTypeObject*>(base);
  }
  return NB_CALL(nb_type_new)(NB_CTX, &init);
}

PyObject* ClassOf(Style style, int32_t type_index) {
  if (const auto found = classes[style].by_index.find(type_index);
      found != classes[style].by_index.end()) {
    return found->second;
  }
  const TainTypeRecord* record = TainGetTypeRecord(type_index);
  if (record == nullptr) throw nb::type_error("no such type");
  const int32_t parent = record->request.parent;
  PyObject* base = parent < 0 ? nullptr : ClassOf(style, parent);
  static std::deque<std::string> names;
  static std::deque<RuntimeType> types;
  const std::string& name = names.emplace_back(View(record->info->type_key));
  // type_info compares by address if the name begins so.
  const std::string& unique = names.emplace_back("*" + name + std::to_string(style));
  const std::type_info* type = &types.emplace_back(unique.c_str());
  PyObject* cls = NewClass(style, type, name.c_str(), base);
  classes[style].by_index[type_index] = cls;
  if (parent < 0) classes[style].root = cls;
  for (int32_t i = 0; i < record->num_fields; ++i) AddField(cls, record->fields[i], style);
  for (int32_t i = 0; i < record->num_methods; ++i) {
    const TainMethodDef* method = record->methods[i];
    const std::string& method_name = names.emplace_back(View(method->info.name));
    if ((method->info.flags & kTainMethodStatic) != 0 || method->call == nullptr) continue;
    AddMethod(cls, type, NewCallee(style, method->info.method.v_obj, method->call),
              method_name.c_str());
  }
  if (record->constructor != nullptr) {
    AddConstructor(cls, type,
                   NewCallee(style, record->constructor, TainFunctionGetInfo(record->constructor)));
  }
  if (type_index == kTainArray) AddSequence(cls, style);
  return cls;
}

nb::object GetClass(Style style, const std::string& key) {
  const TainByteArray bytes{key.data(), key.size()};
  int32_t index = 0;
  if (TainTypeKeyToIndex(&bytes, &index) != 0) ThrowRaised();
  return nb::borrow(ClassOf(style, index));
}

nb::object GetFunction(Style style, const std::string& name) {
  const TainByteArray bytes{name.data(), name.size()};
  TainObject* function = nullptr;
  if (TainFunctionGetGlobal(&bytes, &function) != 0) ThrowRaised();
  if (function == nullptr) throw nb::value_error("no such function");
  return MakeFunction(NewCallee(style, function, TainFunctionGetInfo(function)), name.c_str());
}

}  // namespace

NB_MODULE(bench_nanobind_generic, m) {
  nb::set_leak_warnings(false);
  module_object = m.ptr();
  for (const Style style : {kArgs, kRecord}) {
    nb::module_ made = m.def_submodule(style == kArgs ? "args" : "record");
    made.def("get_class", [style](const char* key) { return GetClass(style, key); });
    made.def("get_function", [style](const char* name) { return GetFunction(style, name); });
  }
}
