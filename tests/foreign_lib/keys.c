// SPDX-License-Identifier: Apache-2.0
// Types in C that say what their keys are, and functions that return objects without an address.
#include "abi.h"

typedef struct {
  Header header;
  int64_t x;
} Key;

static int32_t key_index, equal_index;

static void DeleteKey(void* self, int flags) {
  if (flags & kWeak) free(self);
}

static int New(int32_t type_index, const Value* args, int32_t num_args, Value* result) {
  if (num_args != 1 || args[0].type_index != kInt) return Raise("TypeError", "an int is needed");
  Key* made = (Key*)calloc(1, sizeof *made);
  if (made == NULL) return Raise("MemoryError", "no memory");
  made->header.counts = ((uint64_t)1 << 32) | 1;
  made->header.type_index = type_index;
  made->header.deleter = &DeleteKey;
  made->x = args[0].i;
  *result = ObjectValue(&made->header);
  return 0;
}

static int NewKey(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self;
  return New(key_index, args, num_args, result);
}
static int NewEqual(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self;
  return New(equal_index, args, num_args, result);
}

/// Keys are equal if their last digits are.
static int64_t DigitOf(const Value* value) { return ((const Key*)value->object)->x % 10; }

static int Hash(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)num_args;
  if (((const Key*)args[0].object)->x < 0) return Raise("ValueError", "a negative key");
  *result = IntValue(DigitOf(&args[0]));
  return 0;
}
static int Equal(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)num_args;
  if (((const Key*)args[0].object)->x < 0) return Raise("ValueError", "a negative key");
  *result = IntValue(DigitOf(&args[0]) == DigitOf(&args[1]));
  result->type_index = kBool;
  return 0;
}

static int NullObject(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)args, (void)num_args;
  memset(result, 0, sizeof *result);
  result->type_index = key_index;
  return 0;
}

int __tvm_ffi_null_object(void* self, const Value* args, int32_t num_args, Value* result) {
  return NullObject(self, args, num_args, result);
}

__attribute__((constructor)) static void Load(void) {
  const Field x = IntField("x", offsetof(Key, x), kWritable);
  key_index = NewType("foreign_keys.Key");
  MustBeZero(TainTypeRegisterField(key_index, &x));
  SetMethod(key_index, "__ffi_init__", &NewKey, kStatic, "");
  SetAttr(key_index, "__any_hash__", &Hash);
  SetAttr(key_index, "__any_equal__", &Equal);
  equal_index = NewType("foreign_keys.OnlyEqual");
  MustBeZero(TainTypeRegisterField(equal_index, &x));
  SetMethod(equal_index, "__ffi_init__", &NewEqual, kStatic, "");
  SetAttr(equal_index, "__any_equal__", &Equal);
  SetGlobal("foreign_keys.null_object", &NullObject);
}
