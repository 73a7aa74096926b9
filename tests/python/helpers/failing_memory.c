// SPDX-License-Identifier: Apache-2.0
// Makes the n-th allocation fail: those of the libraries whose names contain given words, by the
// addresses in their global offset tables, and those of Python. Works with and without sanitizers.
#define _GNU_SOURCE
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kOne, kAllFrom };

static _Thread_local struct {
  int armed;
  int mode;     // kOne: the n-th allocation alone fails; kAllFrom: those behind it too
  long left;    // allocations that succeed yet
  long failed;  // how many failed since it was armed
} state;

static int Fails(void) {
  if (!state.armed) return 0;
  if (state.left > 0) {
    --state.left;
    return 0;
  }
  if (state.mode == kOne && state.failed > 0) return 0;
  ++state.failed;
  return 1;
}

void fail_from(long n, int mode) {
  state.left = n;
  state.mode = mode;
  state.failed = 0;
  state.armed = 1;
}

long stop_failing(void) {
  state.armed = 0;
  return state.failed;
}

// ---------------------------------------------------------------- the libraries' functions

/// Throws std::bad_alloc; of libstdc++.
extern void ThrowBadAlloc(void) __asm__("_ZSt17__throw_bad_allocv");

static void* (*real_malloc)(size_t);
static void* (*real_calloc)(size_t, size_t);
static void* (*real_realloc)(void*, size_t);
static void* (*real_aligned_alloc)(size_t, size_t);
static void* (*real_new)(size_t);
static void* (*real_new_array)(size_t);
static void* (*real_new_nothrow)(size_t, const void*);
static void* (*real_new_aligned)(size_t, size_t);

static void* Malloc(size_t n) { return Fails() ? NULL : real_malloc(n); }
static void* Calloc(size_t n, size_t m) { return Fails() ? NULL : real_calloc(n, m); }
static void* Realloc(void* p, size_t n) { return Fails() ? NULL : real_realloc(p, n); }
static void* AlignedAlloc(size_t a, size_t n) { return Fails() ? NULL : real_aligned_alloc(a, n); }
static void* New(size_t n) {
  if (Fails()) ThrowBadAlloc();
  return real_new(n);
}
static void* NewArray(size_t n) {
  if (Fails()) ThrowBadAlloc();
  return real_new_array(n);
}
static void* NewNothrow(size_t n, const void* tag) {
  return Fails() ? NULL : real_new_nothrow(n, tag);
}
static void* NewAligned(size_t n, size_t a) {
  if (Fails()) ThrowBadAlloc();
  return real_new_aligned(n, a);
}

static const struct {
  const char* name;
  void** real;
  void* ours;
} kFunctions[] = {
    {"malloc", (void**)&real_malloc, (void*)&Malloc},
    {"calloc", (void**)&real_calloc, (void*)&Calloc},
    {"realloc", (void**)&real_realloc, (void*)&Realloc},
    {"aligned_alloc", (void**)&real_aligned_alloc, (void*)&AlignedAlloc},
    {"_Znwm", (void**)&real_new, (void*)&New},
    {"_Znam", (void**)&real_new_array, (void*)&NewArray},
    {"_ZnwmRKSt9nothrow_t", (void**)&real_new_nothrow, (void*)&NewNothrow},
    {"_ZnwmSt11align_val_t", (void**)&real_new_aligned, (void*)&NewAligned},
};

/// Puts our function where the library finds the other one; the place may be read-only by now.
static int Replace(void** place, const char* name) {
  for (size_t i = 0; i < sizeof(kFunctions) / sizeof(kFunctions[0]); ++i) {
    if (strcmp(name, kFunctions[i].name) != 0) continue;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void* start = (void*)((uintptr_t)place / page * page);
    if (mprotect(start, page, PROT_READ | PROT_WRITE) != 0) return 0;
    *kFunctions[i].real = dlsym(RTLD_DEFAULT, name);
    *place = kFunctions[i].ours;
    return 1;
  }
  return 0;
}

static int ReplaceIn(const ElfW(Rela) * relocations, size_t size, const ElfW(Sym) * symbols,
                     const char* names, uintptr_t base) {
  int replaced = 0;
  for (size_t i = 0; i < size / sizeof(ElfW(Rela)); ++i) {
    const unsigned long kind = ELF64_R_TYPE(relocations[i].r_info);
    if (kind != R_X86_64_JUMP_SLOT && kind != R_X86_64_GLOB_DAT && kind != R_X86_64_64) continue;
    const char* name = names + symbols[ELF64_R_SYM(relocations[i].r_info)].st_name;
    replaced += Replace((void**)(base + relocations[i].r_offset), name);
  }
  return replaced;
}

struct Search {
  const char* word;
  int replaced;
};

static int ReplaceInLibrary(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  struct Search* search = data;
  const char* file = strrchr(info->dlpi_name, '/');
  if (file == NULL || strstr(file, search->word) == NULL) return 0;
  const ElfW(Dyn)* dynamic = NULL;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) {
      dynamic = (const void*)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    }
  }
  const ElfW(Rela)*jumps = NULL, *others = NULL;
  const ElfW(Sym)* symbols = NULL;
  const char* names = NULL;
  size_t jumps_size = 0, others_size = 0;
  for (; dynamic != NULL && dynamic->d_tag != DT_NULL; ++dynamic) {
    switch (dynamic->d_tag) {
      case DT_JMPREL: jumps = (const void*)dynamic->d_un.d_ptr; break;
      case DT_PLTRELSZ: jumps_size = dynamic->d_un.d_val; break;
      case DT_RELA: others = (const void*)dynamic->d_un.d_ptr; break;
      case DT_RELASZ: others_size = dynamic->d_un.d_val; break;
      case DT_SYMTAB: symbols = (const void*)dynamic->d_un.d_ptr; break;
      case DT_STRTAB: names = (const void*)dynamic->d_un.d_ptr; break;
      default: break;
    }
  }
  if (symbols == NULL || names == NULL) return 0;
  search->replaced += ReplaceIn(jumps, jumps_size, symbols, names, info->dlpi_addr);
  search->replaced += ReplaceIn(others, others_size, symbols, names, info->dlpi_addr);
  return 0;
}

/// Lets allocations of every library whose file name contains the word fail; how many calls that
/// concerns.
int watch_library(const char* word) {
  struct Search search = {word, 0};
  dl_iterate_phdr(&ReplaceInLibrary, &search);
  return search.replaced;
}

// ---------------------------------------------------------------- Python's allocator

static PyMemAllocatorEx python_memory[3];

static void* PythonMalloc(void* c, size_t n) {
  PyMemAllocatorEx* real = c;
  return Fails() ? NULL : real->malloc(real->ctx, n);
}
static void* PythonCalloc(void* c, size_t n, size_t m) {
  PyMemAllocatorEx* real = c;
  return Fails() ? NULL : real->calloc(real->ctx, n, m);
}
static void* PythonRealloc(void* c, void* p, size_t n) {
  PyMemAllocatorEx* real = c;
  return Fails() ? NULL : real->realloc(real->ctx, p, n);
}
static void PythonFree(void* c, void* p) {
  PyMemAllocatorEx* real = c;
  real->free(real->ctx, p);
}

void watch_python(void) {
  for (int domain = PYMEM_DOMAIN_RAW; domain <= PYMEM_DOMAIN_OBJ; ++domain) {
    PyMemAllocatorEx* real = &python_memory[domain];
    PyMem_GetAllocator((PyMemAllocatorDomain)domain, real);
    PyMemAllocatorEx ours = {real, &PythonMalloc, &PythonCalloc, &PythonRealloc, &PythonFree};
    PyMem_SetAllocator((PyMemAllocatorDomain)domain, &ours);
  }
}
