// SPDX-License-Identifier: Apache-2.0
// Keys of Map and Dict; see container_lookup.h.
#include "values/container_lookup.h"

#include <cstring>

#include "values/container_convert.h"
#include "values/declared.h"
#include "values/state.h"

namespace tain::bindings {
namespace {

/// Whether a stored key has the value of a Python object; also false if comparing them needs more
/// work.
bool IsKey(const TainAny& stored, PyObject* key) noexcept {
  if (stored.type_index == kTainInt) {
    int64_t number;
    return Py_TYPE(key) == &PyLong_Type && CompactInt(key, &number) && number == stored.v_int64;
  }
  std::string_view text;
  if (!internal::TextOf(&stored, &text) || Py_TYPE(key) != &PyUnicode_Type) return false;
  return PyUnicode_IS_COMPACT_ASCII(key) &&
         static_cast<size_t>(PyUnicode_GET_LENGTH(key)) == text.size() &&
         std::memcmp(PyUnicode_DATA(key), text.data(), text.size()) == 0;
}

}  // namespace

void ExpectInOrder(const TainObject* map) noexcept {
  GetValuesState().expected_entry = {map, internal::MapFirst(map)};
}

const internal::MapItem* FindExpected(const TainObject* map, PyObject* key) noexcept {
  ExpectedEntry& expected = GetValuesState().expected_entry;
  if (expected.map != map) return nullptr;
  const internal::MapItem* item = internal::MapStep(map, &expected.position);
  if (item != nullptr && IsKey(item->key, key)) return item;
  expected.map = nullptr;
  return nullptr;
}

bool CheckHashableSlow(PyObject* key) noexcept {
  return PyObject_Hash(key) != -1 || !PyErr_Occurred();
}

int FindValue(TainObject* map, const TainAny& key, Any* value) noexcept {
  // Hashing an object can run any code, which may drop the map.
  const Held held = key.type_index >= kTainStaticObjectBegin ? Hold(map) : Held();
  return Guarded(-1, [&] {
    const internal::MapItem* item = internal::MapFindSame(map, key);
    if (item == nullptr) return 0;
    *value = Any(AnyView(item->value));
    return 1;
  });
}

void SetKeyError(PyObject* key) noexcept {
  const Own error(PyObject_CallOneArg(PyExc_KeyError, key));  // a tuple must not be unpacked
  if (error) PyErr_SetObject(PyExc_KeyError, error.get());
}

bool SetEntry(TainObject* map, PyObject* key, PyObject* value) noexcept {
  const Held held = Hold(map);
  Conversion conversion;
  return SetEntryOfHeld(map, key, value, false, &conversion);
}

bool SetEntryOfHeld(TainObject* map, PyObject* key, PyObject* value, bool is_new,
                    Conversion* conversion) noexcept {
  TainAny raw_key{}, raw_value{};
  if (!CheckHashable(key) || !conversion->Part(key, &raw_key)) return false;
  Any new_key = Any::Steal(raw_key);
  if (!conversion->Part(value, &raw_value)) return false;
  Any new_value = Any::Steal(raw_value);
  return Succeeds([&] { StoreEntry(map, new_key, new_value, is_new, TakesAnything(map)); });
}

}  // namespace tain::bindings
