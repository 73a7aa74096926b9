// SPDX-License-Identifier: Apache-2.0
// Finds the Python object from which a value of the core was made; see given.h.
#include "values/given.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "base/error.h"
#include "base/opaque.h"
#include "base/with_gil.h"
#include "objects/instance.h"
#include "tain/internal/container_api.h"
#include "values/state.h"

namespace tain::bindings {
namespace {

constexpr int kMaxWalk = 200;            // levels of containers in containers
constexpr size_t kEnough = 80;           // bytes of text, more than the core shows
constexpr Py_ssize_t kMaxItems = 24;     // more items than fit into kEnough
constexpr size_t kMaxIntBits = 64 << 6;  // beyond this, writing the digits takes long

// ---------------------------------------------------------------- where it came from

/// A search for the Python object from which a container was made. Shared parts are looked into
/// once.
struct SourceSearch {
  const TainObject* wanted;
  std::unordered_set<const TainObject*> seen;
};

Own SourceWithin(const TainObject* made, PyObject* source, SourceSearch* search, int depth);

Own SourceOfElement(const TainAny& element, PyObject* source, SourceSearch* search, int depth) {
  if (element.type_index != kTainArray && element.type_index != kTainMap) return Own();
  return SourceWithin(element.v_obj, source, search, depth + 1);
}

/// Returns the part of `source` from which the wanted object was made, if it is inside `made`; else
/// null. The source may have changed, so parts that do not match are skipped.
Own SourceWithin(const TainObject* made, PyObject* source, SourceSearch* search, int depth) {
  const bool is_seq = made->type_index == kTainArray;
  const bool fits = is_seq ? PyList_Check(source) || PyTuple_Check(source) : PyDict_Check(source);
  if (!fits || depth > kMaxWalk) return Own();
  if (made == search->wanted) return Own::Share(source);
  if (!search->seen.insert(made).second) return Own();
  const nb::object readable = Checked(Readable(source).release());
  source = readable.ptr();
  if (is_seq) {
    const int64_t size = internal::SeqSize(made);
    for (int64_t i = 0; i < size && i < PySequence_Fast_GET_SIZE(source); ++i) {
      PyObject* item = PySequence_Fast_GET_ITEM(source, i);
      if (Own found = SourceOfElement(internal::SeqData(made)[i], item, search, depth))
        return found;
    }
    return Own();
  }
  if (static_cast<Py_ssize_t>(internal::MapSize(made)) != PyDict_GET_SIZE(source)) return Own();
  uint64_t position = internal::MapFirst(made);
  PyObject *key, *value;
  for (Py_ssize_t at = 0; PyDict_Next(source, &at, &key, &value);) {
    const internal::MapItem* item = internal::MapStep(made, &position);
    if (item == nullptr) return Own();
    Own found = SourceOfElement(item->key, key, search, depth);
    if (!found) found = SourceOfElement(item->value, value, search, depth);
    if (found) return found;
  }
  return Own();
}

/// Returns the Python source of an object; null, without an error, if it is unknown.
Own SourceOf(TainObject* object) {
  if (PyObject** slot = PythonSlotOf(object)) return Own::Share(*slot);
  if (PyObject* array = ArrayBehind(object)) return Own::Share(array);
  if (object->type_index == kTainError) return Own(ExceptionOf(object));
  return SourceOfContainer(object);
}

// ---------------------------------------------------------------- a short repr

/// Clears the Python error that is set, if any. Throws it if it asks the program to stop.
void ForgetOrdinary() {
  if (!PyErr_Occurred()) return;
  if (!PyErr_ExceptionMatches(PyExc_Exception)) throw nb::python_error();
  PyErr_Clear();
}

/// Writes the beginning of a repr. It writes containers itself, and calls repr only for the
/// elements that are shown. If a repr raises an Exception, the text mentions it and continues.
class ShortRepr {
 public:
  std::string Run(PyObject* object) {
    Value(object);
    return std::move(out_);
  }

 private:
  bool Full() const noexcept { return out_.size() > kEnough; }

  void Value(PyObject* object) {
    if (Full()) return;
    if (PyList_CheckExact(object)) return Items(object, "[", "]");
    if (PyTuple_CheckExact(object)) {
      return Items(object, "(", PyTuple_GET_SIZE(object) == 1 ? ",)" : ")");
    }
    if (PyDict_CheckExact(object)) return Entries(object);
    if (PySet_CheckExact(object) && PySet_GET_SIZE(object) > 0) return Items(object, "{", "}");
    if (PyUnicode_CheckExact(object) && PyUnicode_GET_LENGTH(object) > Py_ssize_t{kEnough}) {
      const Own head(PyUnicode_Substring(object, 0, kEnough));
      return head ? Repr(head.get()) : Unprintable(object);
    }
    if (PyLong_CheckExact(object)) {
      const auto bits = static_cast<size_t>(_PyLong_NumBits(object));  // signed from 3.14 on
      if (bits > kMaxIntBits) {
        out_ += "<int of " + std::to_string(bits) + " bits>";
        return;
      }
    }
    Repr(object);
  }

  void Items(PyObject* container, const char* open, const char* close) {
    out_ += open;
    const Own iterator(PyObject_GetIter(container));
    for (Py_ssize_t i = 0; iterator && i < kMaxItems && !Full(); ++i) {
      const Own item(PyIter_Next(iterator.get()));
      if (!item) break;
      if (i > 0) out_ += ", ";
      Value(item.get());
    }
    ForgetOrdinary();  // the container changed during the repr
    out_ += close;
  }

  void Entries(PyObject* dict) {
    out_ += '{';
    const Own iterator(PyObject_GetIter(dict));
    for (Py_ssize_t i = 0; iterator && i < kMaxItems && !Full(); ++i) {
      const Own key(PyIter_Next(iterator.get()));
      if (!key) break;
      const Own value(DictValue(dict, key.get()));
      if (!value) break;
      if (i > 0) out_ += ", ";
      Value(key.get());
      out_ += ": ";
      Value(value.get());
    }
    ForgetOrdinary();
    out_ += '}';
  }

  void Repr(PyObject* object) {
    const Own text(PyObject_Repr(object));
    const Own head(text ? PyUnicode_Substring(text.get(), 0, kEnough) : nullptr);
    const Own bytes(head ? PyUnicode_AsEncodedString(head.get(), "utf-8", "backslashreplace")
                         : nullptr);
    if (!bytes) return Unprintable(object);
    // The text has one line: line breaks, as in reprs of arrays, become blanks.
    bool blank = false;
    for (const char* at = PyBytes_AS_STRING(bytes.get()); *at != '\0'; ++at) {
      if (*at != '\n' && !(blank && *at == ' ')) out_ += *at;
      if (*at == '\n' && !blank) out_ += ' ';
      blank = *at == '\n' || (blank && *at == ' ');
    }
  }

  void Unprintable(PyObject* object) {
    ForgetOrdinary();
    out_ += std::string("<unprintable ") + ClassName(object) + " object>";
  }

  std::string out_;
};

#ifdef Py_GIL_DISABLED
/// Returns the sources of this thread's calls, which live while it looks at them.
std::vector<GivenSource> SourcesOfThread() {
  const uintptr_t thread = _Py_ThreadId();
  std::vector<GivenSource> found;
  for (const OwnSource& one : own_sources) {
    if (one.made != nullptr) found.push_back({one.made, one.source, thread});
  }
  const std::lock_guard lock(GetValuesState().sources_lock);
  for (const GivenSource& one : GetValuesState().sources) {
    if (one.thread == thread) found.push_back(one);
  }
  return found;
}
#endif

bool IsQuiet(const PyObject* operand) noexcept {
  const auto& quiet = GetValuesState().quiet;
  return std::find(quiet.begin(), quiet.end(), operand) != quiet.end();
}

/// Writes both texts.
void WriteGiven(PyObject* source, TainAny* type, TainAny* text) {
  internal::TextToAny(source == Py_None ? "None" : ClassName(source), type);
  if (source == Py_None || IsQuiet(source)) return;
  internal::TextToAny(ShortRepr().Run(source), text);
}

}  // namespace

Own SourceOfContainer(TainObject* container) {
  if (!NeedsSource(container)) return Own();
#ifdef Py_GIL_DISABLED
  const std::vector<GivenSource> sources = SourcesOfThread();
#else
  const auto& sources = GetValuesState().sources;
#endif
  for (auto at = sources.rbegin(); at != sources.rend(); ++at) {
    if (at->made == container) return Own::Share(at->source);
    SourceSearch search{container, {}};
    if (Own found = SourceWithin(at->made, at->source, &search, 0)) return found;
  }
  return Own();
}

QuietOperand::QuietOperand(PyObject* operand) noexcept : operand_(nullptr) {
  try {
    GetValuesState().quiet.push_back(operand);
    operand_ = operand;
  } catch (const std::bad_alloc&) {
    // The message will be longer.
  }
}

QuietOperand::~QuietOperand() {
  if (operand_ == nullptr) return;
  auto& quiet = GetValuesState().quiet;  // a coroutine may have added others after it
  quiet.erase(std::find(quiet.rbegin(), quiet.rend(), operand_).base() - 1);
}

void RememberSourceSlow(TainObject* made, PyObject* source) noexcept {
  try {
#ifdef Py_GIL_DISABLED
    const std::lock_guard lock(GetValuesState().sources_lock);
    GetValuesState().sources.push_back({made, source, _Py_ThreadId()});
#else
    GetValuesState().sources.push_back({made, source});
#endif
  } catch (const std::bad_alloc&) {
    // The message will be shorter.
  }
}

void ForgetSourceSlow(const TainObject* made) noexcept {
#ifdef Py_GIL_DISABLED
  const std::lock_guard lock(GetValuesState().sources_lock);
#endif
  auto& sources = GetValuesState().sources;
  for (size_t i = sources.size(); i-- > 0;) {
    if (sources[i].made != made) continue;
    sources.erase(sources.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

int DescribeGiven(TainObject* object, TainAny* type, TainAny* text, int* handled) noexcept {
  *handled = 0;
  if (!Py_IsInitialized()) return 0;
  return WithGil([&] {
    const nb::error_scope keep;
    const Own wrapper = HoldWrapper(object);  // another thread may drop it meanwhile
    if (wrapper && Py_TYPE(wrapper.get())->tp_dealloc == &SubclassDealloc) {
      *handled = 1;
      internal::TextToAny(ClassName(wrapper.get()), type);
      return 0;
    }
    const Own source = SourceOf(object);
    PyErr_Clear();
    if (!source) return 0;
    WriteGiven(source.get(), type, text);
    *handled = 1;
    return 0;
  });
}

}  // namespace tain::bindings
