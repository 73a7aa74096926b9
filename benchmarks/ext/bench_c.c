// SPDX-License-Identifier: Apache-2.0
// The benchmark's types and functions written by hand against CPython: the practical floor.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <structmember.h>

typedef struct {
  PyObject_HEAD int64_t a;
  int64_t b;
} Pair;

typedef struct {
  PyObject_HEAD int64_t i64;
  int i32;
  char flag;
  double f64;
  PyObject* text;
  PyObject* child;
} Fields;

static PyTypeObject* pair_type;
static PyTypeObject* fields_type;

static int64_t AsInt(PyObject* object) { return PyLong_AsLongLong(object); }

static PyObject* NewPair(PyTypeObject* type, int64_t a, int64_t b) {
  Pair* self = PyObject_New(Pair, type);
  if (self == NULL) return NULL;
  self->a = a;
  self->b = b;
  return (PyObject*)self;
}

static PyObject* PairVectorcall(PyObject* type, PyObject* const* args, size_t nargsf,
                                PyObject* kwnames) {
  int64_t values[2] = {0, 0};
  const Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
  const Py_ssize_t nkw = kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames);
  if (nargs + nkw != 2) return PyErr_Format(PyExc_TypeError, "Pair(a, b)");
  for (Py_ssize_t i = 0; i < nargs; ++i) values[i] = AsInt(args[i]);
  for (Py_ssize_t i = 0; i < nkw; ++i) {
    const int second = PyUnicode_READ_CHAR(PyTuple_GET_ITEM(kwnames, i), 0) == 'b';
    values[second] = AsInt(args[nargs + i]);
  }
  if (PyErr_Occurred()) return NULL;
  return NewPair((PyTypeObject*)type, values[0], values[1]);
}

static PyObject* PairNew(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static char* names[] = {"a", "b", NULL};
  long long a = 0, b = 0;
  if (PyTuple_GET_SIZE(args) == 0 && kwargs == NULL) return NewPair(type, 0, 0);
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|LL", names, &a, &b)) return NULL;
  Pair* self = (Pair*)type->tp_alloc(type, 0);
  if (self == NULL) return NULL;
  self->a = a;
  self->b = b;
  return (PyObject*)self;
}

static int PairInit(PyObject* self, PyObject* args, PyObject* kwargs) {
  static char* names[] = {"a", "b", NULL};
  long long a = 0, b = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "LL", names, &a, &b)) return -1;
  ((Pair*)self)->a = a;
  ((Pair*)self)->b = b;
  return 0;
}

static PyObject* PairSum(PyObject* self, PyObject* unused) {
  (void)unused;
  return PyLong_FromLongLong(((Pair*)self)->a + ((Pair*)self)->b);
}

static void PairDealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

static PyObject* FieldsNew(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  (void)args, (void)kwargs;
  Fields* self = (Fields*)type->tp_alloc(type, 0);
  if (self == NULL) return NULL;
  self->i64 = 2, self->i32 = 1, self->flag = 1, self->f64 = 1.5;
  self->text = PyUnicode_FromString("text");
  self->child = NewPair(pair_type, 1, 2);
  return (PyObject*)self;
}

static void FieldsDealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  Py_XDECREF(((Fields*)self)->text);
  Py_XDECREF(((Fields*)self)->child);
  type->tp_free(self);
  Py_DECREF(type);
}

static PyMemberDef pair_members[] = {{"a", T_LONGLONG, offsetof(Pair, a), 0, NULL},
                                     {"b", T_LONGLONG, offsetof(Pair, b), 0, NULL},
                                     {NULL, 0, 0, 0, NULL}};
static PyMethodDef pair_methods[] = {{"sum", PairSum, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};
static PyType_Slot pair_slots[] = {{Py_tp_new, PairNew},          {Py_tp_init, PairInit},
                                   {Py_tp_dealloc, PairDealloc},  {Py_tp_members, pair_members},
                                   {Py_tp_methods, pair_methods}, {0, NULL}};
static PyType_Spec pair_spec = {"bench_c.Pair", sizeof(Pair), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, pair_slots};

static PyMemberDef fields_members[] = {{"flag", T_BOOL, offsetof(Fields, flag), 0, NULL},
                                       {"i32", T_INT, offsetof(Fields, i32), 0, NULL},
                                       {"i64", T_LONGLONG, offsetof(Fields, i64), 0, NULL},
                                       {"f64", T_DOUBLE, offsetof(Fields, f64), 0, NULL},
                                       {"text", T_OBJECT_EX, offsetof(Fields, text), 0, NULL},
                                       {"child", T_OBJECT_EX, offsetof(Fields, child), 0, NULL},
                                       {NULL, 0, 0, 0, NULL}};
static PyType_Slot fields_slots[] = {{Py_tp_new, FieldsNew},
                                     {Py_tp_dealloc, FieldsDealloc},
                                     {Py_tp_members, fields_members},
                                     {0, NULL}};
static PyType_Spec fields_spec = {"bench_c.Fields", sizeof(Fields), 0, Py_TPFLAGS_DEFAULT,
                                  fields_slots};

static PyObject* Nop(PyObject* m, PyObject* const* args, Py_ssize_t n) {
  (void)m, (void)args, (void)n;
  Py_RETURN_NONE;
}

/// The sum of n arguments; every arity uses it.
static PyObject* Sum(PyObject* m, PyObject* const* args, Py_ssize_t n) {
  (void)m;
  int64_t sum = 0;
  for (Py_ssize_t i = 0; i < n; ++i) {
    const int64_t value = AsInt(args[i]);
    if (value == -1 && PyErr_Occurred()) return NULL;
    sum += value;
  }
  return PyLong_FromLongLong(sum);
}

static PyObject* AddOne(PyObject* m, PyObject* x) {
  (void)m;
  const int64_t value = AsInt(x);
  if (value == -1 && PyErr_Occurred()) return NULL;
  return PyLong_FromLongLong(value + 1);
}

static PyObject* EchoFloat(PyObject* m, PyObject* x) {
  (void)m;
  const double value = PyFloat_AsDouble(x);
  if (value == -1.0 && PyErr_Occurred()) return NULL;
  return PyFloat_FromDouble(value);
}

static PyObject* EchoStr(PyObject* m, PyObject* x) {
  (void)m;
  Py_ssize_t size;
  const char* text = PyUnicode_AsUTF8AndSize(x, &size);
  return text == NULL ? NULL : PyUnicode_FromStringAndSize(text, size);
}

static PyObject* EchoBytes(PyObject* m, PyObject* x) {
  (void)m;
  if (!PyBytes_Check(x)) return PyErr_Format(PyExc_TypeError, "bytes");
  return PyBytes_FromStringAndSize(PyBytes_AS_STRING(x), PyBytes_GET_SIZE(x));
}

static PyObject* EchoObj(PyObject* m, PyObject* x) {
  (void)m;
  if (!PyObject_TypeCheck(x, pair_type)) return PyErr_Format(PyExc_TypeError, "Pair");
  return Py_NewRef(x);
}

static PyObject* CallN(PyObject* m, PyObject* const* args, Py_ssize_t n) {
  (void)m, (void)n;
  const int64_t count = AsInt(args[1]);
  int64_t sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    PyObject* number = PyLong_FromLongLong(i);
    PyObject* result = number == NULL ? NULL : PyObject_CallOneArg(args[0], number);
    Py_XDECREF(number);
    if (result == NULL) return NULL;
    sum += AsInt(result);
    Py_DECREF(result);
  }
  return PyLong_FromLongLong(sum);
}

#define FASTCALL(f) ((PyCFunction)(void (*)(void))(f))
static PyMethodDef functions[] = {{"nop", FASTCALL(Nop), METH_FASTCALL, NULL},
                                  {"add_one", AddOne, METH_O, NULL},
                                  {"echo_int", FASTCALL(Sum), METH_FASTCALL, NULL},
                                  {"echo_float", EchoFloat, METH_O, NULL},
                                  {"echo_str", EchoStr, METH_O, NULL},
                                  {"echo_bytes", EchoBytes, METH_O, NULL},
                                  {"echo_obj", EchoObj, METH_O, NULL},
                                  {"arity0", FASTCALL(Sum), METH_FASTCALL, NULL},
                                  {"arity1", FASTCALL(Sum), METH_FASTCALL, NULL},
                                  {"arity2", FASTCALL(Sum), METH_FASTCALL, NULL},
                                  {"arity3", FASTCALL(Sum), METH_FASTCALL, NULL},
                                  {"arity4", FASTCALL(Sum), METH_FASTCALL, NULL},
                                  {"arity5", FASTCALL(Sum), METH_FASTCALL, NULL},
                                  {"arity6", FASTCALL(Sum), METH_FASTCALL, NULL},
                                  {"arity7", FASTCALL(Sum), METH_FASTCALL, NULL},
                                  {"arity8", FASTCALL(Sum), METH_FASTCALL, NULL},
                                  {"call_n", FASTCALL(CallN), METH_FASTCALL, NULL},
                                  {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "bench_c", NULL, -1, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_bench_c(void) {
  PyObject* m = PyModule_Create(&module);
  if (m == NULL) return NULL;
  pair_type = (PyTypeObject*)PyType_FromSpec(&pair_spec);
  fields_type = (PyTypeObject*)PyType_FromSpec(&fields_spec);
  if (pair_type == NULL || fields_type == NULL) return NULL;
  pair_type->tp_vectorcall = PairVectorcall;
  PyModule_AddObject(m, "Pair", Py_NewRef((PyObject*)pair_type));
  PyModule_AddObject(m, "Fields", Py_NewRef((PyObject*)fields_type));
  return m;
}
