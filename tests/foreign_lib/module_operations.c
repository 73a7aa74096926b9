// SPDX-License-Identifier: Apache-2.0
// Modules as another library makes them, and the table by which tain asks them.
#include "abi.h"

enum { kModule = 73 };
enum { kAskKind, kAskMask, kAskFunction, kAskImplements, kAskDoc, kAskMetadata };
enum { kAskSource = 9, kAskImports, kAskImport, kAskClear, kAskLookUp };

typedef struct {
  int (*call)(Header* module, int32_t operation, const Value* args, int32_t num_args,
              Value* result);
  int (*dress)(Header* module, Header** out);
  Header* (*undress)(Header* module);
} Operations;
int TainSetModuleOperations(const Operations* operations);

typedef struct {
  const void* virtuals;  ///< tells the two kinds apart
  Header header;
  Header* inner;  ///< tain's module in a dressed one; else the module that was imported, or null
} TheirModule;

static const char own_kind, dressed_kind;
static int living;

static TheirModule* FromHeader(Header* header) {
  return (TheirModule*)((char*)header - offsetof(TheirModule, header));
}

static void Delete(void* self, int flags) {
  TheirModule* module = FromHeader(self);
  if ((flags & kStrong) != 0 && module->inner != NULL) TainObjectDecRef(module->inner);
  if ((flags & kWeak) != 0) {
    --living;
    free(module);
  }
}

static Header* Make(const void* kind, Header* inner) {
  TheirModule* made = calloc(1, sizeof *made);
  made->virtuals = kind;
  made->header.counts = ((uint64_t)1 << 32) | 1;
  made->header.type_index = kModule;
  made->header.deleter = &Delete;
  made->inner = inner;
  if (inner != NULL) TainObjectIncRef(inner);
  ++living;
  return &made->header;
}

static int Twice(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self;
  if (num_args != 1 || args[0].type_index != kInt) return Raise("TypeError", "twice: an integer");
  *result = IntValue(2 * args[0].i);
  return 0;
}

static Value ShortText(const char* text) {
  Value value;
  memset(&value, 0, sizeof value);
  value.type_index = kSmallStr;
  value.small_len = (uint32_t)strlen(text);
  memcpy(value.bytes, text, value.small_len);
  return value;
}

static int Ask(Header* header, int32_t operation, const Value* args, int32_t num_args,
               Value* result) {
  TheirModule* module = FromHeader(header);
  (void)num_args;
  switch (operation) {
    case kAskKind: *result = ShortText("theirs"); return 0;
    case kAskMask: *result = IntValue(2); return 0;
    case kAskFunction:
    case kAskImplements: {
      const int has = args[0].type_index == kSmallStr && strcmp(args[0].bytes, "twice") == 0;
      if (operation == kAskImplements) {
        *result = IntValue(has);
        result->type_index = kBool;
      } else if (has) {
        *result = ObjectValue(NewFunction(&Twice));
      }
      return 0;
    }
    case kAskDoc: *result = ShortText("a text"); return 0;
    case kAskMetadata:
    case kAskImports: return 0;  // None
    case kAskSource: return Raise("NotImplementedError", "theirs has no source");
    case kAskImport:
      if (module->inner != NULL) TainObjectDecRef(module->inner);
      module->inner = args[0].object;
      TainObjectIncRef(module->inner);
      return 0;
    case kAskClear:
      if (module->inner != NULL) TainObjectDecRef(module->inner);
      module->inner = NULL;
      return 0;
    default: return Raise("RuntimeError", "not in this library");
  }
}

static int Dress(Header* module, Header** out) {
  *out = Make(&dressed_kind, module);
  return 0;
}

static Header* Undress(Header* header) {
  TheirModule* module = FromHeader(header);
  return module->virtuals == &dressed_kind ? module->inner : NULL;
}

static const Operations operations = {&Ask, &Dress, &Undress};

static int MakeModule(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)args, (void)num_args;
  *result = ObjectValue(Make(&own_kind, NULL));
  return 0;
}
/// Whether an argument is an object of this library's layout that stands for a module of tain's.
static int IsDressed(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)num_args;
  *result = IntValue(args[0].type_index == kModule && args[0].object->zero == 0 &&
                     FromHeader(args[0].object)->virtuals == &dressed_kind);
  result->type_index = kBool;
  return 0;
}
static int Echo(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)num_args;
  *result = args[0];
  return TainObjectIncRef(args[0].object);
}
static int Living(void* self, const Value* args, int32_t num_args, Value* result) {
  (void)self, (void)args, (void)num_args;
  *result = IntValue(living);
  return 0;
}

__attribute__((constructor)) static void Load(void) {
  MustBeZero(TainSetModuleOperations(&operations));
  SetGlobal("theirs.make_module", &MakeModule);
  SetGlobal("theirs.is_dressed", &IsDressed);
  SetGlobal("theirs.echo", &Echo);
  SetGlobal("theirs.living", &Living);
}
