// SPDX-License-Identifier: Apache-2.0
// The methods of Dict that change it, as those of Python's dict.
//
// The core compares the keys: C++ may add 1, True and 1.0 as three keys, and nan equals itself.
// From Python, a number finds the key of its own type first, then a key of the same value.
#include "base/bridge_lock.h"
#include "containers/class_parts.h"
#include "containers/taken.h"
#include "tain/internal/value_ops.h"
#include "values/container_convert.h"
#include "values/container_lookup.h"
#include "values/declared.h"

namespace tain::bindings {
namespace {

/// Removes the entry of a key from the receiver: 1 if there was one, 0 if not, -1 with an error
/// set.
int TakeEntry(PyObject* self, PyObject* key, Any* value) noexcept {
  LookupKey wanted;
  if (!wanted.Read(key)) return -1;
  TainObject* dict = DictReceiver(self);
  if (dict == nullptr) return -1;
  const Held held = Hold(dict);
  return Guarded(-1, [&] { return internal::MapTakeSame(dict, wanted.view(), value) ? 1 : 0; });
}

int AssignSubscript(PyObject* self, PyObject* key, PyObject* value) {
  if (value != nullptr) {
    TainObject* dict = DictReceiver(self);
    return dict != nullptr && SetEntry(dict, key, value) ? 0 : -1;
  }
  Any removed;
  const int found = TakeEntry(self, key, &removed);
  if (found == 0) SetKeyError(key);
  return found > 0 ? 0 : -1;
}

PyObject* Pop(PyObject* self, PyObject* const* args, Py_ssize_t nargs) {
  if (!CheckCount("pop", nargs, 1, 2)) return nullptr;
  Any value;
  const int found = TakeEntry(self, args[0], &value);
  if (found > 0) {
    return TakenToPython(self, ElementRole::kValue, std::move(value), [&](Any taken) {
      Any key;
      TainObject* dict = DictReceiver(self);
      if (dict != nullptr && AnyFromPython(args[0], &key)) {
        internal::MapSet(dict, std::move(key), std::move(taken));
      }
    });
  }
  if (found == 0 && nargs == 2) return Py_NewRef(args[1]);
  if (found == 0) SetKeyError(args[0]);
  return nullptr;
}

PyObject* PopItem(PyObject* self, PyObject*) {
  TainObject* dict = DictReceiver(self);
  if (dict == nullptr) return nullptr;
  Any key, value;
  if (!internal::MapTakeLast(dict, &key, &value)) {
    return PyErr_Format(PyExc_KeyError, "popitem(): Dict is empty");
  }
  const Held held = Hold(dict);
  const auto put_back = [&](const Any&) { internal::MapSet(dict, key, value); };
  const Own first(TakenToPython(self, ElementRole::kKey, key, put_back));
  const Own second(first ? TakenToPython(self, ElementRole::kValue, value, put_back) : nullptr);
  return second ? PyTuple_Pack(2, first.get(), second.get()) : nullptr;
}

PyObject* SetDefault(PyObject* self, PyObject* const* args, Py_ssize_t nargs) {
  if (!CheckCount("setdefault", nargs, 1, 2)) return nullptr;
  LookupKey wanted;
  if (!wanted.Read(args[0])) return nullptr;
  TainObject* dict = DictReceiver(self);
  if (dict == nullptr) return nullptr;
  const Held held = Hold(dict);
  Any value;
  const int found = FindValue(dict, wanted.view(), &value);
  if (found > 0) return TakenToPython(self, ElementRole::kValue, std::move(value));
  Any key, fallback;
  if (found < 0 || !AnyFromPython(args[0], &key)) return nullptr;
  if (!AnyFromPython(nargs == 2 ? args[1] : Py_None, &fallback)) return nullptr;
  // The look-up and the change are one step, so a value that was set meanwhile is kept.
  const bool good = Succeeds([&] {
    StoreEntryAsDeclared(dict, &key, &fallback);
    value = internal::MapGetOrSet(dict, std::move(key), std::move(fallback));
  });
  return good ? TakenToPython(self, ElementRole::kValue, std::move(value)) : nullptr;
}

PyObject* Update(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  if (!CheckCount("update", nargs, 0, 1)) return nullptr;
  TainObject* dict = DictReceiver(self);
  if (dict == nullptr) return nullptr;
  const Held held = Hold(dict);
  if (nargs == 1 && !UpdateMap(dict, args[0])) return nullptr;
  const Py_ssize_t count = kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames);
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (!SetEntry(dict, PyTuple_GET_ITEM(kwnames, i), args[nargs + i])) return nullptr;
  }
  Py_RETURN_NONE;
}

PyObject* ClearAll(PyObject* self, PyObject*) {
  TainObject* dict = DictReceiver(self);
  if (dict == nullptr) return nullptr;
  internal::MapClear(dict);
  Py_RETURN_NONE;
}

PyObject* Copy(PyObject* self, PyObject*) { return CopyMutable(DictReceiver(self)); }

PyObject* InplaceOr(PyObject* self, PyObject* other) {
  TainObject* dict = DictReceiver(self);
  return dict != nullptr && UpdateMap(dict, other) ? Py_NewRef(self) : nullptr;
}

/// Dict.fromkeys(iterable, value=None).
PyObject* FromKeys(PyObject* cls, PyObject* const* args, Py_ssize_t nargs) {
  if (!CheckCount("fromkeys", nargs, 1, 2)) return nullptr;
  PyObject* value = nargs == 2 ? args[1] : Py_None;
  Own made(PyObject_CallNoArgs(cls));
  const Own iterator(made ? PyObject_GetIter(args[0]) : nullptr);
  if (!iterator) return nullptr;
  while (true) {
    const Own key(PyIter_Next(iterator.get()));
    if (!key) return PyErr_Occurred() ? nullptr : made.release();
    if (PyObject_SetItem(made.get(), key.get(), value) != 0) return nullptr;
  }
}

}  // namespace

void AddDictMembers(std::vector<PyType_Slot>* slots, std::vector<PyMethodDef>* methods) {
  SetSlots(slots, {Slot(Py_mp_ass_subscript, kLocked<&AssignSubscript>),
                   Slot(Py_nb_inplace_or, kLocked<&InplaceOr>),
                   Slot(Py_tp_hash, &PyObject_HashNotImplemented)});
  methods->insert(
      methods->end(),
      {{"pop", MethodPointer(kLocked<&Pop>), METH_FASTCALL,
        "pop($self, key, /, *default)\n--\n\n"
        "Removes a key and returns its value, or a default if one is given.\n\n"
        "Raises\n------\nKeyError\n    If the key is missing and there is no default."},
       {"popitem", kLocked<&PopItem>, METH_NOARGS,
        "popitem($self, /)\n--\n\nRemoves and returns the pair that was added last.\n\n"
        "Raises\n------\nKeyError\n    If the Dict is empty."},
       {"setdefault", MethodPointer(kLocked<&SetDefault>), METH_FASTCALL,
        "setdefault($self, key, default=None, /)\n--\n\nThe value of a key, set to a default first "
        "if it is missing."},
       {"update", MethodPointer(kLocked<&Update>), METH_FASTCALL | METH_KEYWORDS,
        "update($self, other=(), /, **kwargs)\n--\n\n"
        "Adds the entries of a mapping or of an iterable of pairs, and those given by keyword."},
       {"clear", kLocked<&ClearAll>, METH_NOARGS, "clear($self, /)\n--\n\nRemoves all entries."},
       {"copy", kLocked<&Copy>, METH_NOARGS,
        "copy($self, /)\n--\n\nA new Dict of the same entries."},
       {"fromkeys", MethodPointer(kLocked<&FromKeys>), METH_FASTCALL | METH_CLASS,
        "fromkeys($type, iterable, value=None, /)\n--\n\nA Dict of keys that all have one "
        "value."}});
}

}  // namespace tain::bindings
