// SPDX-License-Identifier: Apache-2.0
// Growing Lists as the ecosystem's headers do, without tain's: the elements move to a block of
// operator new, the old block goes to the data_deleter, and the data_deleter stays.
#include <new>

#include "abi.h"

namespace {

struct List {
  Header header;
  Value* data;
  int64_t size, capacity;
  void (*data_deleter)(void*);
};

int Append(void*, const Value* args, int32_t, Value* result) {
  auto* list = reinterpret_cast<List*>(args[0].object);
  if (list->size == list->capacity) {
    const int64_t capacity = list->capacity * 2 + 64;
    auto* data = static_cast<Value*>(::operator new(sizeof(Value) * static_cast<size_t>(capacity)));
    for (int64_t i = 0; i < list->size; ++i) data[i] = list->data[i];
    list->data_deleter(list->data);
    list->data = data;
    list->capacity = capacity;
  }
  list->data[list->size++] = args[1];
  *result = IntValue(list->size);
  return 0;
}

const int loaded = [] {
  SetGlobal("foreign_lists.append", &Append);
  return 0;
}();

}  // namespace
