// SPDX-License-Identifier: Apache-2.0
// Types as parents of others: their fields cover all of their bytes, or they do not.
#include "abi.h"

enum { kAny = -1 };

typedef struct {
  Header header;
  int64_t x;
  int32_t flags;
  Header* next;
  Value any, text;
} Whole;

int TainAnyViewToOwnedAny(const Value* view, Value* out);

static int GetInt32(void* field, Value* out) {
  *out = IntValue(*(int32_t*)field);
  return 0;
}
static int SetInt32(void* field, const Value* value) {
  if (value->type_index != kInt) return Raise("TypeError", "an int is needed");
  *(int32_t*)field = (int32_t)value->i;
  return 0;
}
static int GetValue(void* field, Value* out) { return TainAnyViewToOwnedAny(field, out); }
static int SetValue(void* field, const Value* value) {
  Value before = *(Value*)field, after;
  if (TainAnyViewToOwnedAny(value, &after) != 0) return -1;
  *(Value*)field = after;
  if (before.type_index >= kObject) TainObjectDecRef(before.object);
  return 0;
}

static Field ValueField(const char* name, size_t offset, const char* type, int64_t size) {
  Field field = IntField(name, offset, kWritable);
  field.metadata = TextOf(type);
  field.size = size;
  field.getter = &GetValue;
  field.setter = (void*)&SetValue;
  field.static_type_index = kAny;
  return field;
}
static Field SmallField(const char* name, size_t offset) {
  Field field = IntField(name, offset, kWritable);
  field.size = field.alignment = 4;
  field.getter = &GetInt32;
  field.setter = (void*)&SetInt32;
  return field;
}

#define TYPE(name) "{\"type_schema\":\"{\\\"type\\\":\\\"" name "\\\"}\"}"
#define INT_OR_NONE                                                                       \
  "{\"type_schema\":\"{\\\"type\\\":\\\"Optional\\\",\\\"args\\\":[{\\\"type\\\":\\\"int" \
  "\\\"}]}\"}"

static int32_t NewParent(const char* key, int32_t parent, int32_t depth, int32_t size) {
  const Text text = TextOf(key);
  const int32_t index = TainTypeGetOrAllocIndex(&text, -1, depth, 0, 1, parent);
  const Metadata metadata = {TextOf(""), NULL, size, 0};
  if (size != 0) MustBeZero(TainTypeRegisterMetadata(index, &metadata));
  return index;
}

static void Add(int32_t index, Field field) { MustBeZero(TainTypeRegisterField(index, &field)); }

/// What the library reads of an object, wherever it was made.
static int Sum(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)num_args;
  const Whole* whole = (const Whole*)args[0].object;
  *result = IntValue(whole->x + whole->flags);
  return 0;
}

__attribute__((constructor)) static void Define(void) {
  const int32_t whole = NewParent("theirs.Whole", kObject, 1, sizeof(Whole));
  Add(whole, IntField("x", offsetof(Whole, x), kWritable));
  Add(whole, SmallField("flags", offsetof(Whole, flags)));
  Add(whole, ObjectField("next", offsetof(Whole, next), kWritable));
  Add(whole, ValueField("any", offsetof(Whole, any), TYPE("Any"), 16));
  Add(whole, ValueField("text", offsetof(Whole, text), TYPE("ffi.String"), 16));
  SetMethod(whole, "sum", &Sum, 0, "");

  const int32_t more = NewParent("theirs.More", whole, 2, sizeof(Whole) + 8);
  Field y = IntField("y", sizeof(Whole), kWritable | kHasDefault);
  y.default_value = IntValue(7);
  Add(more, y);

  const int32_t hole = NewParent("theirs.Hole", kObject, 1, 48);
  Add(hole, IntField("x", 24, kWritable));
  const int32_t gap = NewParent("theirs.Gap", kObject, 1, 48);
  Add(gap, IntField("x", 40, kWritable));
  const int32_t maybe = NewParent("theirs.Maybe", kObject, 1, 40);
  Add(maybe, ValueField("x", 24, INT_OR_NONE, 16));
  const int32_t small = NewParent("theirs.MaybeSmall", kObject, 1, 32);
  Add(small, ValueField("x", 24, INT_OR_NONE, 8));
  const int32_t sizeless = NewParent("theirs.Sizeless", kObject, 1, 0);
  Add(sizeless, IntField("x", 24, kWritable));
  const int32_t mute = NewParent("theirs.Mute", kObject, 1, 32);
  Field field = IntField("x", 24, 0);
  field.setter = NULL;
  Add(mute, field);
}
