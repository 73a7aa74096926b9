// SPDX-License-Identifier: Apache-2.0
// Objects in C, without anything before their header: made, copied and described by the ABI alone.
#include "abi.h"

typedef struct {
  Header header;
  int64_t x, y;
  Header* next;    ///< any object, or null
  int64_t hidden;  ///< no field: only a copy by the library has it
} Point;

static int32_t point_index, bare_index, auto_index, written_index, copied_index, unmade_index;
static int32_t loose_index, sealed_index;
static int64_t alive;

static void DeletePoint(void* self, int flags) {
  Point* point = (Point*)self;
  if (flags & kStrong) {
    if (point->next != NULL) TainObjectDecRef(point->next);
    __atomic_sub_fetch(&alive, 1, __ATOMIC_SEQ_CST);
  }
  if (flags & kWeak) free(self);
}

static Point* MakePoint(int32_t type_index) {
  Point* made = (Point*)malloc(sizeof(Point));
  memset(made, 0, sizeof *made);
  made->header.counts = ((uint64_t)1 << 32) | 1;
  made->header.type_index = type_index;
  made->header.deleter = &DeletePoint;
  __atomic_add_fetch(&alive, 1, __ATOMIC_SEQ_CST);
  return made;
}

static int CreatePoint(Header** out) {
  *out = &MakePoint(point_index)->header;
  return 0;
}
static int CreateBare(Header** out) {
  *out = &MakePoint(bare_index)->header;
  return 0;
}
static int CreateAuto(Header** out) {
  *out = &MakePoint(auto_index)->header;
  return 0;
}
static int CreateSealed(Header** out) {
  *out = &MakePoint(sealed_index)->header;
  return 0;
}

static Header* kwargs_marker;

/// x and y by position or by name, where y is 7 if nobody says it.
static int Init(int32_t type_index, const Value* args, int32_t num_args, Value* result) {
  int64_t x = 0, y = 7;
  int32_t i = 0;
  for (; i < num_args && !(args[i].type_index == kObject && args[i].object == kwargs_marker); ++i) {
    if (args[i].type_index != kInt) return Raise("TypeError", "a coordinate is an int");
    *(i == 0 ? &x : &y) = args[i].i;
  }
  for (++i; i + 1 < num_args; i += 2) {
    if (args[i + 1].type_index != kInt) return Raise("TypeError", "a coordinate is an int");
    *(args[i].bytes[0] == 'x' ? &x : &y) = args[i + 1].i;
  }
  Point* made = MakePoint(type_index);
  made->x = x;
  made->y = y;
  made->hidden = 99;
  *result = ObjectValue(&made->header);
  return 0;
}
static int InitPoint(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self;
  return Init(point_index, args, num_args, result);
}
static int InitLoose(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self;
  return Init(loose_index, args, num_args, result);
}

static int CopyPoint(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)num_args;
  const Point* from = (const Point*)args[0].object;
  Point* made = MakePoint(from->header.type_index);
  made->x = from->x;
  made->y = from->y;
  made->hidden = from->hidden;
  made->next = from->next;
  if (made->next != NULL) TainObjectIncRef(made->next);
  *result = ObjectValue(&made->header);
  return 0;
}

static int MakeCopied(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)num_args;
  Point* made = MakePoint(copied_index);
  made->x = args[0].i;
  made->hidden = 5;
  *result = ObjectValue(&made->header);
  return 0;
}

/// An `__ffi_init__` of which the metadata tells the parameters.
static int InitWritten(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self;
  if (num_args != 2) return Raise("TypeError", "two numbers are needed");
  Point* made = MakePoint(written_index);
  made->x = args[0].i;
  made->y = args[1].i;
  *result = ObjectValue(&made->header);
  return 0;
}
static int InitNothing(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)args, (void)num_args, (void)result;
  return Raise("RuntimeError", "this one was replaced");
}

static int Hidden(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)num_args;
  *result = IntValue(((const Point*)args[0].object)->hidden);
  return 0;
}
static int First(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)args, (void)num_args;
  *result = IntValue(1);
  return 0;
}
static int Second(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)args, (void)num_args;
  *result = IntValue(2);
  return 0;
}
static int Alive(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)args, (void)num_args;
  *result = IntValue(__atomic_load_n(&alive, __ATOMIC_SEQ_CST));
  return 0;
}

// ---------------------------------------------------------------- what the library holds

static Header* kept;

static int Keep(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)num_args, (void)result;
  Header* before = kept;
  kept = args[0].type_index == kNone ? NULL : args[0].object;
  if (kept != NULL) TainObjectIncRef(kept);
  if (before != NULL) TainObjectDecRef(before);
  return 0;
}
static int Kept(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)args, (void)num_args;
  if (kept == NULL) return 0;
  TainObjectIncRef(kept);
  *result = ObjectValue(kept);
  return 0;
}

static void AddFields(int32_t type_index) {
  Field x = IntField("x", offsetof(Point, x), kWritable);
  Field y = IntField("y", offsetof(Point, y), kWritable | kHasDefault);
  Field next = ObjectField("next", offsetof(Point, next), kWritable | kHasDefault | kKwOnly);
  y.default_value = IntValue(7);
  memset(&next.default_value, 0, sizeof(Value));
  MustBeZero(TainTypeRegisterField(type_index, &y));  // the one with a default first
  MustBeZero(TainTypeRegisterField(type_index, &x));
  MustBeZero(TainTypeRegisterField(type_index, &next));
}

static void Define(void) {
  Value result;
  Header* function = NULL;
  Text name = TextOf("ffi.GetKwargsObject");
  MustBeZero(TainFunctionGetGlobal(&name, &function));
  memset(&result, 0, sizeof result);
  MustBeZero(TainFunctionCall(function, NULL, 0, &result));
  kwargs_marker = result.object;
  TainObjectDecRef(function);

  point_index = NewType("foreign_c.Point");
  AddFields(point_index);
  Describe(point_index, "A point in C.", &CreatePoint);
  SetAttr(point_index, "__ffi_init__", &InitPoint);
  SetAttr(point_index, "__ffi_shallow_copy__", &CopyPoint);
  SetMethod(point_index, "hidden", &Hidden, 0, "");
  SetMethod(point_index, "which", &First, kStatic, "");
  SetMethod(point_index, "which", &Second, kStatic, "");

  bare_index = NewType("foreign_c.Bare");  // a creator and fields
  AddFields(bare_index);
  Describe(bare_index, "Only a creator.", &CreateBare);

  auto_index = NewType("foreign_c.Auto");  // the same, asked for as libraries do
  AddFields(auto_index);
  Describe(auto_index, "A creator and an init that was asked for.", &CreateAuto);
  name = TextOf("ffi._RegisterFFIInit");
  MustBeZero(TainFunctionGetGlobal(&name, &function));
  const Value index = IntValue(auto_index);
  MustBeZero(TainFunctionCall(function, &index, 1, &result));
  MustBeZero(TainFunctionCall(function, &index, 1, &result));  // the second one is too many
  TainObjectDecRef(function);

  written_index = NewType("foreign_c.Written");
  AddFields(written_index);
  const char* schema =
      "{\"type_schema\":\"{\\\"type\\\":\\\"ffi.Function\\\",\\\"args\\\":[{\\\"type\\\":"
      "\\\"foreign_c.Written\\\"},{\\\"type\\\":\\\"int\\\"},{\\\"type\\\":\\\"int\\\"}]}\"}";
  SetMethod(written_index, "__ffi_init__", &InitNothing, kStatic, schema);
  SetMethod(written_index, "__ffi_init__", &InitWritten, kStatic, schema);

  copied_index = NewType("foreign_c.Copied");  // no constructor, but a copy
  AddFields(copied_index);
  SetAttr(copied_index, "__ffi_shallow_copy__", &CopyPoint);
  SetMethod(copied_index, "hidden", &Hidden, 0, "");
  SetMethod(copied_index, "make", &MakeCopied, kStatic, "");

  unmade_index = NewType("foreign_c.Unmade");
  AddFields(unmade_index);

  loose_index = NewType("foreign_c.Loose");  // an init of which nothing is known
  AddFields(loose_index);
  SetMethod(loose_index, "__ffi_init__", &InitLoose, kStatic, "");

  sealed_index = NewType("foreign_c.Sealed");  // a field that nothing sets
  Field sealed = IntField("x", offsetof(Point, x), 0);
  sealed.setter = NULL;
  MustBeZero(TainTypeRegisterField(sealed_index, &sealed));
  Describe(sealed_index, "A creator and a field without a setter.", &CreateSealed);

  SetGlobal("foreign_c.alive", &Alive);
  SetGlobal("foreign_c.keep", &Keep);
  SetGlobal("foreign_c.kept", &Kept);
}

__attribute__((constructor)) static void Load(void) { Define(); }
