// SPDX-License-Identifier: Apache-2.0
// Modules as another library makes them: index 73, its own virtual table, none of tain's headers.
#include "abi.h"

enum { kModule = 73 };

typedef struct {
  void** virtuals;
  Header header;
  void* imports;
  void* cache;
} TheirModule;

static int child_index;

/// Whatever is called through the table ends the process: nobody but its library may do so.
static void Called(void) { abort(); }
static void* virtuals[] = {&Called, &Called, &Called, &Called, &Called, &Called,
                           &Called, &Called, &Called, &Called, &Called, &Called};

static void Delete(void* self, int flags) {
  if ((flags & kWeak) != 0) free((char*)self - sizeof(void**));
}

static int Make(Value* result, int32_t type_index) {
  TheirModule* made = calloc(1, sizeof *made);
  made->virtuals = virtuals;
  made->header.counts = ((uint64_t)1 << 32) | 1;
  made->header.type_index = type_index;
  made->header.deleter = &Delete;
  made->imports = (void*)16;  // no pointer to an Array of tain's: who follows it crashes
  *result = ObjectValue(&made->header);
  return 0;
}

static int MakeModule(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)args, (void)num_args;
  return Make(result, kModule);
}
/// A module of a class that only the other library knows.
static int MakeChild(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)args, (void)num_args;
  return Make(result, child_index);
}

__attribute__((constructor)) static void Load(void) {
  const Text key = TextOf("theirs.Module");
  child_index = TainTypeGetOrAllocIndex(&key, -1, 2, 0, 1, kModule);
  SetGlobal("theirs.make_module", &MakeModule);
  SetGlobal("theirs.make_child", &MakeChild);
}
