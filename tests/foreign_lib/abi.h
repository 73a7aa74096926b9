// SPDX-License-Identifier: Apache-2.0
// The binary contract as somebody else declares it: by hand, in C, with none of tain's headers.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { kNone = 0, kInt = 1, kBool = 2, kFloat = 3, kPointer = 4, kDLTensor = 7, kSmallStr = 11 };
enum { kObject = 64, kFunction = 68 };
enum { kStrong = 1, kWeak = 2 };
enum { kWritable = 1, kHasDefault = 2, kStatic = 4, kFactory = 32, kNoInit = 512, kKwOnly = 1024 };

typedef struct {
  uint64_t counts;
  int32_t type_index;
  uint32_t zero;
  void (*deleter)(void* self, int flags);
} Header;

typedef struct {
  int32_t type_index;
  uint32_t small_len;
  union {
    int64_t i;
    double f;
    void* p;
    Header* object;
    char bytes[8];
  };
} Value;

typedef struct {
  const char* data;
  size_t size;
} Text;

typedef int (*SafeCall)(void* self, const Value* args, int32_t num_args, Value* result);

typedef struct {
  Text name, doc, metadata;
  int64_t flags, size, alignment, offset;
  int (*getter)(void* field, Value* out);
  void* setter;
  Value default_value;
  int32_t static_type_index;
} Field;

typedef struct {
  Text name, doc, metadata;
  int64_t flags;
  Value method;
} Method;

typedef struct {
  Text doc;
  int (*creator)(Header** out);
  int32_t total_size, structural_kind;
} Metadata;

int TainObjectIncRef(Header* object);
int TainObjectDecRef(Header* object);
int32_t TainTypeGetOrAllocIndex(const Text* key, int32_t static_index, int32_t depth,
                                int32_t child_slots, int32_t can_overflow, int32_t parent);
int TainTypeRegisterField(int32_t type_index, const Field* field);
int TainTypeRegisterMethod(int32_t type_index, const Method* method);
int TainTypeRegisterMetadata(int32_t type_index, const Metadata* metadata);
int TainTypeRegisterAttr(int32_t type_index, const Text* name, const Value* value);
int TainFunctionCreate(void* self, SafeCall call, void (*deleter)(void*), Header** out);
int TainFunctionCall(Header* function, const Value* args, int32_t num_args, Value* result);
int TainFunctionGetGlobal(const Text* name, Header** out);
int TainFunctionSetGlobal(const Text* name, Header* function, int allow_override);
void TainErrorSetRaisedFromCStr(const char* kind, const char* message);

#ifdef __cplusplus
}
#endif

static inline Text TextOf(const char* text) {
  const Text made = {text, strlen(text)};
  return made;
}

static inline Value ObjectValue(Header* object) {
  Value value;
  memset(&value, 0, sizeof value);
  value.type_index = object->type_index;
  value.object = object;
  return value;
}

static inline Value IntValue(int64_t number) {
  Value value;
  memset(&value, 0, sizeof value);
  value.type_index = kInt;
  value.i = number;
  return value;
}

/// Fails as the C function of a library does that cannot be loaded: nobody catches an error here.
static inline void MustBeZero(int code) {
  if (code != 0) abort();
}

static inline int Raise(const char* kind, const char* message) {
  TainErrorSetRaisedFromCStr(kind, message);
  return -1;
}

static inline Header* NewFunction(SafeCall call) {
  Header* made = NULL;
  MustBeZero(TainFunctionCreate(NULL, call, NULL, &made));
  return made;
}

static inline void SetGlobal(const char* name, SafeCall call) {
  const Text text = TextOf(name);
  Header* function = NewFunction(call);
  MustBeZero(TainFunctionSetGlobal(&text, function, 0));
  TainObjectDecRef(function);
}

static inline void SetAttr(int32_t type_index, const char* name, SafeCall call) {
  const Text text = TextOf(name);
  Header* function = NewFunction(call);
  const Value value = ObjectValue(function);
  MustBeZero(TainTypeRegisterAttr(type_index, &text, &value));
  TainObjectDecRef(function);
}

static inline void SetMethod(int32_t type_index, const char* name, SafeCall call, int64_t flags,
                             const char* metadata) {
  Method method;
  memset(&method, 0, sizeof method);
  method.name = TextOf(name);
  method.doc = TextOf("");
  method.metadata = TextOf(metadata);
  method.flags = flags;
  Header* function = NewFunction(call);
  method.method = ObjectValue(function);
  MustBeZero(TainTypeRegisterMethod(type_index, &method));
  TainObjectDecRef(function);
}

static inline int GetInt(void* field, Value* out) {
  *out = IntValue(*(int64_t*)field);
  return 0;
}
static inline int SetInt(void* field, const Value* value) {
  if (value->type_index != kInt) return Raise("TypeError", "an int is needed");
  *(int64_t*)field = value->i;
  return 0;
}
static inline int GetObject(void* field, Value* out) {
  Header* held = *(Header**)field;
  memset(out, 0, sizeof *out);
  if (held == NULL) return 0;
  *out = ObjectValue(held);
  return TainObjectIncRef(held);
}
static inline int SetObject(void* field, const Value* value) {
  Header* before = *(Header**)field;
  if (value->type_index != kNone && value->type_index < kObject) {
    return Raise("TypeError", "an object is needed");
  }
  Header* after = value->type_index == kNone ? NULL : value->object;
  if (after != NULL) TainObjectIncRef(after);
  *(Header**)field = after;
  if (before != NULL) TainObjectDecRef(before);
  return 0;
}

/// The record of a field with an int, or with an object or None.
static inline Field IntField(const char* name, size_t offset, int64_t flags) {
  Field field;
  memset(&field, 0, sizeof field);
  field.name = TextOf(name);
  field.doc = TextOf("");
  field.metadata = TextOf("{\"type_schema\":\"{\\\"type\\\":\\\"int\\\"}\"}");
  field.flags = flags;
  field.size = field.alignment = 8;
  field.offset = (int64_t)offset;
  field.getter = &GetInt;
  field.setter = (void*)&SetInt;
  field.static_type_index = kInt;
  return field;
}
static inline Field ObjectField(const char* name, size_t offset, int64_t flags) {
  Field field = IntField(name, offset, flags);
  field.metadata = TextOf(
      "{\"type_schema\":\"{\\\"type\\\":\\\"Optional\\\",\\\"args\\\":[{\\\"type\\\":"
      "\\\"ffi.Object\\\"}]}\"}");
  field.getter = &GetObject;
  field.setter = (void*)&SetObject;
  field.static_type_index = kObject;
  return field;
}

static inline int32_t NewType(const char* key) {
  const Text text = TextOf(key);
  return TainTypeGetOrAllocIndex(&text, -1, 1, 0, 1, kObject);
}

static inline void Describe(int32_t type_index, const char* doc, int (*creator)(Header**)) {
  const Metadata metadata = {TextOf(doc), creator, 0, 0};
  MustBeZero(TainTypeRegisterMetadata(type_index, &metadata));
}
