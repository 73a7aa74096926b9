// SPDX-License-Identifier: Apache-2.0
// Functions in C that wait for threads of their own, which call Python or drop objects.
#include <pthread.h>

#include "abi.h"

typedef struct {
  Header* function;
  Value args[1];
  int32_t num_args;
  Value result;
  int code;
} Call;

static void* Run(void* data) {
  Call* call = (Call*)data;
  call->code = TainFunctionCall(call->function, call->args, call->num_args, &call->result);
  return NULL;
}

/// join(f, *args): calls f(*args[:1]) in a thread and waits for it.
static int Join(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self;
  Call call;
  pthread_t thread;
  memset(&call, 0, sizeof call);
  call.function = args[0].object;
  call.num_args = num_args > 1 ? 1 : 0;
  if (num_args > 1) call.args[0] = args[1];
  if (pthread_create(&thread, NULL, &Run, &call) != 0) return Raise("RuntimeError", "no thread");
  pthread_join(thread, NULL);
  if (call.code != 0) return Raise("RuntimeError", "the thread failed");
  *result = call.result;
  return 0;
}

static int JoinBound(void* self, const Value* args, int32_t num_args, Value* result) {
  return Join(self, args + 1, num_args - 1, result);
}

/// call(f, ...): here and now.
static int CallHere(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self;
  return TainFunctionCall(args[0].object, args + 1, num_args - 1, result);
}

static int GiveTensor(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)num_args;
  double data[2] = {1.5, 2.5};
  int64_t shape[1] = {2};
  // The layout of DLPack: data, device, dimensions and type, shape, strides, offset.
  struct {
    double* data;
    int32_t device_type, device_id, ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t* shape;
    int64_t* strides;
    uint64_t byte_offset;
  } tensor = {data, 1, 0, 1, 2, 64, 1, shape, NULL, 0};
  Value value = IntValue(0);
  value.type_index = kDLTensor;
  value.p = &tensor;
  return TainFunctionCall(args[0].object, &value, 1, result);
}

static void* Drop(void* data) {
  TainObjectDecRef((Header*)data);
  return NULL;
}

/// drop(pair of address and nothing): drops a reference in a thread, and waits for it.
static int DropInThread(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)num_args, (void)result;
  pthread_t thread;
  if (pthread_create(&thread, NULL, &Drop, (void*)(intptr_t)args[0].i) != 0) {
    return Raise("RuntimeError", "no thread");
  }
  pthread_join(thread, NULL);
  return 0;
}

/// A Function in memory of our own, as headers of others make them.
typedef struct {
  Header header;
  SafeCall call;
  void* fast_call;
} OwnFunction;

static void DeleteOwn(void* self, int flags) {
  if (flags & kWeak) free(self);
}

static int32_t methods_index;

static int CreateMethods(Header** out) {
  *out = (Header*)malloc(sizeof(Header));
  memset(*out, 0, sizeof **out);
  (*out)->counts = ((uint64_t)1 << 32) | 1;
  (*out)->type_index = methods_index;
  (*out)->deleter = &DeleteOwn;
  return 0;
}

__attribute__((constructor)) static void Load(void) {
  SetGlobal("foreign_threads.join", &Join);
  SetGlobal("foreign_threads.call", &CallHere);
  SetGlobal("foreign_threads.give_tensor", &GiveTensor);
  SetGlobal("foreign_threads.drop_in_thread", &DropInThread);
  methods_index = NewType("foreign_threads.Methods");
  Describe(methods_index, "Only methods.", &CreateMethods);
  SetMethod(methods_index, "join", &Join, kStatic, "");
  SetMethod(methods_index, "join_bound", &JoinBound, 0, "");

  OwnFunction* own = (OwnFunction*)malloc(sizeof *own);
  memset(own, 0, sizeof *own);
  own->header.counts = ((uint64_t)1 << 32) | 1;
  own->header.type_index = kFunction;
  own->header.deleter = &DeleteOwn;
  own->call = &Join;
  const Text name = TextOf("foreign_threads.own_join");
  MustBeZero(TainFunctionSetGlobal(&name, &own->header, 0));
  TainObjectDecRef(&own->header);
}
