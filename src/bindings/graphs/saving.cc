// SPDX-License-Identifier: Apache-2.0
// Saving and loading for Python. python/tain/_saving.py checks arguments.
#include "graphs/init.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/bridge_lock.h"
#include "base/error.h"
#include "tain/graph/binary.h"
#include "tain/graph/json.h"
#include "tain/internal/replace_file.h"
#include "tain/interop/nanobind.h"
#include "values/from_python.h"
#include "values/to_python.h"

namespace tain::bindings {
namespace {

using Allowed = std::optional<std::vector<std::string>>;

Any ValueOf(nb::handle value) {
  TainAny made{};
  if (!OwnedFromPythonForAny(value.ptr(), &made)) throw nb::python_error();
  return Any::Steal(made);
}

nb::object ResultOf(Any value) { return Checked(ToPython(value.Release())); }

/// Returns the function that passes parts on to a callable of Python.
WriteBytes WriterTo(nb::handle write) {
  return [write](std::string_view part) { write(nb::bytes(part.data(), part.size())); };
}

/// Returns the function that reads from a callable of Python, which returns at most as many bytes
/// as it is asked for.
ReadBytes ReaderOf(nb::handle read) {
  return [read](char* out, size_t size) -> size_t {
    const nb::object part = read(size);
    if (!PyBytes_Check(part.ptr())) ThrowType("read(): expected bytes");
    const auto got = static_cast<size_t>(PyBytes_GET_SIZE(part.ptr()));
    if (got > size) ThrowType("read(): got more bytes than it was asked for");
    std::memcpy(out, PyBytes_AS_STRING(part.ptr()), got);
    return got;
  };
}

/// A view of a bytes-like object.
class BytesView : internal::NotCopied {
 public:
  explicit BytesView(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_SIMPLE) != 0) throw nb::python_error();
  }
  ~BytesView() { PyBuffer_Release(&buffer_); }
  std::string_view bytes() const noexcept {
    return {static_cast<const char*>(buffer_.buf), static_cast<size_t>(buffer_.len)};
  }

 private:
  Py_buffer buffer_;
};

/// Returns the object of a wrapper that is ready; else none, and the lock is needed to convert the value.
/// None, too, if the thread has the lock, which it cannot share then.
Any HeldObject([[maybe_unused]] nb::handle value) noexcept {
#ifdef Py_GIL_DISABLED
  if (InnermostSection() == nullptr && IsWrapper(value.ptr())) {
    if (TainObject* object = HoldReady(value.ptr())) {
      return Any::Steal(internal::ViewOfObject(object));
    }
  }
#endif
  return Any();
}

/// Saves a value in memory. Threads that save objects do so at the same time: nothing changes meanwhile.
std::string Saved(nb::handle value, const std::function<std::string(const Any&)>& save) {
  if (const Any object = HeldObject(value); object != nullptr) {
    const BridgeReading reading;
    return save(object);
  }
  const BridgeLock lock;
  return save(ValueOf(value));
}

nb::object SaveJsonText(nb::handle value, nb::handle write, int indent, bool as_parent) {
  if (write.is_none()) {
    return Text(Saved(value, [&](const Any& held) { return SaveJson(held, indent, {as_parent}); }));
  }
  const BridgeLock lock;
  SaveJson(ValueOf(value), WriterTo(write), indent, {as_parent});
  return nb::none();
}

/// Returns a path that Python has encoded.
std::string PathOf(const nb::bytes& path) { return std::string(path.c_str(), path.size()); }

void SaveJsonPath(nb::handle value, const nb::bytes& path, int indent, bool as_parent) {
  SaveJsonFile(ValueOf(value), PathOf(path), indent, {as_parent});
}

void SaveBinaryPath(nb::handle value, const nb::bytes& path, bool as_parent) {
  SaveBinaryFile(ValueOf(value), PathOf(path), {as_parent});
}

void ReplaceFileAt(const nb::bytes& path, nb::handle content, const std::string& where) {
  const BytesView view(content);
  internal::ReplaceFile(PathOf(path), view.bytes(), where.c_str());
}

nb::object SaveBinaryBytes(nb::handle value, nb::handle write, bool as_parent) {
  if (write.is_none()) {
    const std::string made =
        Saved(value, [&](const Any& held) { return SaveBinary(held, {as_parent}); });
    return nb::bytes(made.data(), made.size());
  }
  const BridgeLock lock;
  SaveBinary(ValueOf(value), WriterTo(write), {as_parent});
  return nb::none();
}

nb::object LoadJsonText(nb::handle text, nb::handle read, const Allowed& allow) {
  if (!read.is_none()) return ResultOf(LoadJson(ReaderOf(read), {allow}));
  if (PyUnicode_Check(text.ptr())) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (data == nullptr) throw nb::python_error();
    return ResultOf(LoadJson(std::string_view(data, static_cast<size_t>(size)), {allow}));
  }
  const BytesView view(text);
  return ResultOf(LoadJson(view.bytes(), {allow}));
}

nb::object LoadBinaryBytes(nb::handle bytes, nb::handle read, const Allowed& allow) {
  if (!read.is_none()) return ResultOf(LoadBinary(ReaderOf(read), {allow}));
  const BytesView view(bytes);
  return ResultOf(LoadBinary(view.bytes(), {allow}));
}

nb::object LoadJsonPath(const nb::bytes& path, const Allowed& allow) {
  return ResultOf(LoadJsonFile(PathOf(path), {allow}));
}

nb::object LoadBinaryPath(const nb::bytes& path, bool map, const Allowed& allow) {
  return ResultOf(LoadBinaryFile(PathOf(path), map, {allow}));
}

void RegisterUpgradeFunction(const std::string& key, nb::handle function, int64_t version) {
  const Any upgrade = ValueOf(function);
  internal::SetUpgrade(key, upgrade.cast<Function>(), version);
}

}  // namespace

void DefineSaving(CoreModule& m) {
  m.def_unlocked(
      "save_json", Translating(&SaveJsonText), nb::arg("value").none(), nb::arg("write").none(),
      nb::arg("indent"), nb::arg("as_parent"),
      nb::sig("def save_json(value: object, write: object, indent: int, as_parent: bool) -> "
              "str | None"));
  m.def("load_json", Translating(&LoadJsonText), nb::arg("text").none(), nb::arg("read").none(),
        nb::arg("allow").none(),
        nb::sig("def load_json(text: object, read: object, allow: list[str] | None) -> object"));
  m.def_unlocked(
      "save_binary", Translating(&SaveBinaryBytes), nb::arg("value").none(),
      nb::arg("write").none(), nb::arg("as_parent"),
      nb::sig("def save_binary(value: object, write: object, as_parent: bool) -> bytes | None"));
  m.def("load_binary", Translating(&LoadBinaryBytes), nb::arg("data").none(),
        nb::arg("read").none(), nb::arg("allow").none(),
        nb::sig("def load_binary(data: object, read: object, allow: list[str] | None) -> object"));
  m.def("save_json_file", Translating(&SaveJsonPath), nb::arg("value").none(), nb::arg("path"),
        nb::arg("indent"), nb::arg("as_parent"),
        nb::sig("def save_json_file(value: object, path: bytes, indent: int, as_parent: bool) -> "
                "None"));
  m.def("load_json_file", Translating(&LoadJsonPath), nb::arg("path"), nb::arg("allow").none(),
        nb::sig("def load_json_file(path: bytes, allow: list[str] | None) -> object"));
  m.def("save_binary_file", Translating(&SaveBinaryPath), nb::arg("value").none(), nb::arg("path"),
        nb::arg("as_parent"),
        nb::sig("def save_binary_file(value: object, path: bytes, as_parent: bool) -> None"));
  m.def("replace_file", Translating(&ReplaceFileAt), nb::arg("path"), nb::arg("content"),
        nb::arg("where"),
        nb::sig("def replace_file(path: bytes, content: object, where: str) -> None"),
        "Makes the content of a file as a whole; a link stays, and a device is written to.");
  m.def("load_binary_file", Translating(&LoadBinaryPath), nb::arg("path"), nb::arg("map"),
        nb::arg("allow").none(),
        nb::sig("def load_binary_file(path: bytes, map: bool, allow: list[str] | None) -> object"));
  m.def("register_upgrade", Translating(&RegisterUpgradeFunction), nb::arg("key"),
        nb::arg("function"), nb::arg("version"),
        nb::sig("def register_upgrade(key: str, function: object, version: int) -> None"));
}

}  // namespace tain::bindings
