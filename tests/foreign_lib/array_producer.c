// SPDX-License-Identifier: Apache-2.0
// A Python extension whose arrays offer DLPack's table of C functions, as the DLPack 1.3
// specification declares it, and no `__dlpack__`. The module records what its table is asked for,
// and fails where a test says.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdatomic.h>
#include <stdint.h>

typedef struct {
  int32_t type;
  int32_t id;
} Device;

typedef struct {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} DataType;

typedef struct {
  void* data;
  Device device;
  int32_t ndim;
  DataType dtype;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
} View;

typedef struct Managed {
  uint32_t major, minor;
  void* context;
  void (*deleter)(struct Managed* self);
  uint64_t flags;
  View view;
} Managed;

typedef struct Table {
  uint32_t major, minor;
  struct Table* older;
  int (*allocate)(View* prototype, Managed** out, void* context,
                  void (*set_error)(void* context, const char* kind, const char* message));
  int (*export_array)(void* array, Managed** out);
  int (*import_array)(Managed* managed, void** out);
  int (*view_array)(void* array, View* out);
  int (*stream)(int32_t device_type, int32_t device_id, void** out);
} Table;

// The memory of an array: freed when neither the array nor an export needs it.
typedef struct {
  atomic_int owners;
  int64_t shape[1];
  float values[];
} Memory;

typedef struct {
  PyObject_HEAD
  Memory* memory;
  Device device;
  int64_t shape[1];  // what the table says, and a test may change
} Array;

enum { kExport, kView, kStream, kAllocate, kNumFunctions };
enum { kNone, kRaise, kSilent, kEmpty };

static atomic_int exports, deletions, deletions_with_gil, views, allocations;
static int faults[kNumFunctions];
static void* work_stream;
static int stream_requests, stream_type, stream_id;

static void DropMemory(Memory* memory) {
  if (atomic_fetch_sub(&memory->owners, 1) == 1) free(memory);
}

// Fails as the test said; returns 1 if the function is to go on.
static int Go(int function) {
  if (faults[function] == kRaise) PyErr_SetString(PyExc_ValueError, "the producer failed");
  return faults[function] != kRaise && faults[function] != kSilent;
}

static void FillView(const Array* array, Memory* memory, int64_t* shape, View* out) {
  static int64_t strides[1] = {1};
  const View view = {memory->values, array->device, 1, {2, 32, 1}, shape, strides, 0};
  *out = view;
}

static void Delete(Managed* managed) {
  DropMemory(managed->context);
  free(managed);
  atomic_fetch_add(&deletions, 1);
  if (PyGILState_Check()) atomic_fetch_add(&deletions_with_gil, 1);
}

static int Export(void* object, Managed** out) {
  Array* array = object;
  if (!Go(kExport)) return -1;
  *out = NULL;
  if (faults[kExport] == kEmpty) return 0;
  Managed* made = calloc(1, sizeof(Managed));
  if (made == NULL) {
    PyErr_NoMemory();
    return -1;
  }
  made->major = 1;
  made->minor = 3;
  made->context = array->memory;
  made->deleter = &Delete;
  atomic_fetch_add(&array->memory->owners, 1);
  FillView(array, array->memory, array->memory->shape, &made->view);
  atomic_fetch_add(&exports, 1);
  *out = made;
  return 0;
}

static int Import(Managed* managed, void** out) {
  (void)managed, (void)out;
  PyErr_SetString(PyExc_BufferError, "arrays of this module are made by Array()");
  return -1;
}

static int ShowView(void* object, View* out) {
  Array* array = object;
  if (!Go(kView)) return -1;
  atomic_fetch_add(&views, 1);
  FillView(array, array->memory, array->shape, out);
  return 0;
}

static int Stream(int32_t device_type, int32_t device_id, void** out) {
  if (!Go(kStream)) return -1;
  ++stream_requests;
  stream_type = device_type;
  stream_id = device_id;
  *out = work_stream;
  return 0;
}

static int Allocate(View* prototype, Managed** out, void* context,
                    void (*set_error)(void* context, const char* kind, const char* message)) {
  if (faults[kAllocate] == kRaise) set_error(context, "MemoryError", "the device is full");
  if (faults[kAllocate] != kNone) return -1;
  const int64_t size = prototype->ndim == 0 ? 1 : prototype->shape[0];
  Memory* memory = calloc(1, sizeof(Memory) + (size_t)size * sizeof(float));
  Managed* made = calloc(1, sizeof(Managed));
  if (memory == NULL || made == NULL) return free(memory), free(made), -1;
  atomic_init(&memory->owners, 1);
  memory->shape[0] = size;
  const Array like = {.device = prototype->device};
  made->major = 1;
  made->minor = 3;
  made->context = memory;
  made->deleter = &Delete;
  FillView(&like, memory, memory->shape, &made->view);
  atomic_fetch_add(&allocations, 1);
  *out = made;
  return 0;
}

static Table current = {1, 3, NULL, &Allocate, &Export, &Import, &ShowView, &Stream};
static Table future = {2, 0, &current, NULL, NULL, NULL, NULL, NULL};
static Table unknown = {2, 0, NULL, NULL, NULL, NULL, NULL, NULL};
static Table least = {1, 3, NULL, NULL, &Export, &Import, NULL, NULL};

static PyObject* NewArray(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static char* names[] = {"size", "device_type", "device_id", NULL};
  Py_ssize_t size;
  Device device = {1, 0};
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "n|ii", names, &size, &device.type, &device.id)) {
    return NULL;
  }
  Array* self = (Array*)type->tp_alloc(type, 0);
  if (self == NULL) return NULL;
  self->memory = calloc(1, sizeof(Memory) + (size_t)size * sizeof(float));
  if (self->memory == NULL) {
    Py_DECREF(self);
    return PyErr_NoMemory();
  }
  atomic_init(&self->memory->owners, 1);
  self->memory->shape[0] = self->shape[0] = size;
  self->device = device;
  for (Py_ssize_t i = 0; i < size; ++i) self->memory->values[i] = (float)i;
  return (PyObject*)self;
}

static void FreeArray(PyObject* object) {
  Array* self = (Array*)object;
  PyTypeObject* type = Py_TYPE(object);
  if (self->memory != NULL) DropMemory(self->memory);
  type->tp_free(object);
  Py_DECREF(type);
}

static PyObject* Shrink(PyObject* object, PyObject* unused) {
  (void)unused;
  --((Array*)object)->shape[0];
  Py_RETURN_NONE;
}

static PyMethodDef array_methods[] = {{"shrink", &Shrink, METH_NOARGS, NULL},
                                      {NULL, NULL, 0, NULL}};

// fail(function, how): by the numbers of the enums above.
static PyObject* Fail(PyObject* module, PyObject* args) {
  (void)module;
  int function, how;
  if (!PyArg_ParseTuple(args, "ii", &function, &how)) return NULL;
  faults[function] = how;
  Py_RETURN_NONE;
}

static PyObject* SetStream(PyObject* module, PyObject* value) {
  (void)module;
  work_stream = PyLong_AsVoidPtr(value);
  if (PyErr_Occurred()) return NULL;
  Py_RETURN_NONE;
}

static PyObject* Counts(PyObject* module, PyObject* unused) {
  (void)module, (void)unused;
  return Py_BuildValue("{s:i,s:i,s:i,s:i,s:i,s:i}", "exports", atomic_exchange(&exports, 0),
                       "deletions", atomic_exchange(&deletions, 0), "deletions_with_gil",
                       atomic_exchange(&deletions_with_gil, 0), "views",
                       atomic_exchange(&views, 0), "streams", stream_requests,
                       "allocations", atomic_exchange(&allocations, 0));
}

static PyObject* LastStream(PyObject* module, PyObject* unused) {
  (void)module, (void)unused;
  return Py_BuildValue("(ii)", stream_type, stream_id);
}

static PyMethodDef functions[] = {{"fail", &Fail, METH_VARARGS, NULL},
                                  {"set_stream", &SetStream, METH_O, NULL},
                                  {"counts", &Counts, METH_NOARGS, NULL},
                                  {"last_stream", &LastStream, METH_NOARGS, NULL},
                                  {NULL, NULL, 0, NULL}};

static int AddClass(PyObject* module, const char* name, Table* table) {
  PyType_Slot slots[] = {{Py_tp_new, &NewArray},
                         {Py_tp_dealloc, &FreeArray},
                         {Py_tp_methods, array_methods},
                         {0, NULL}};
  PyType_Spec spec = {name, sizeof(Array), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  PyObject* made = PyType_FromSpec(&spec);
  PyObject* capsule = PyCapsule_New(table, "dlpack_exchange_api", NULL);
  const int failed =
      made == NULL || capsule == NULL ||
      PyObject_SetAttrString(made, "__dlpack_c_exchange_api__", capsule) != 0 ||
      PyObject_SetAttrString(module, strchr(name, '.') + 1, made) != 0;
  Py_XDECREF(capsule);
  Py_XDECREF(made);
  return failed ? -1 : 0;
}

static int Exec(PyObject* module) {
  return AddClass(module, "array_producer.Array", &current) != 0 ||
                 AddClass(module, "array_producer.Newer", &future) != 0 ||
                 AddClass(module, "array_producer.Unknown", &unknown) != 0 ||
                 AddClass(module, "array_producer.Least", &least) != 0
             ? -1
             : 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, &Exec},
#ifdef Py_GIL_DISABLED
                                   {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
                                   {0, NULL}};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "array_producer", NULL, 0, functions, slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_array_producer(void) { return PyModuleDef_Init(&definition); }
