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

/// A link of a chain. Both fields are read-only, so no cycle can arise and the garbage collector
/// need not know of it.
typedef struct {
  PyObject_HEAD int64_t value;
  PyObject* next;  // NULL is None
} Node;

typedef struct {
  PyObject_HEAD PyObject* text;
} Text;

typedef struct {
  PyObject_HEAD int64_t v;
} Level;

typedef struct {
  PyObject_HEAD int64_t i64;
  int i32;
  char flag;
  double f64;
  PyObject* text;
  PyObject* child;
  PyObject* held;
} Fields;

static PyTypeObject* pair_type;
static PyTypeObject* fields_type;
static PyTypeObject* node_type;
static PyObject* kept;  // what fetch() returns

int AddArrays(PyObject* m);  // arrays_c.c

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
  (void)args, (void)kwargs;  // tp_init reads them; this is for subclasses alone
  return type->tp_alloc(type, 0);
}

static int PairInit(PyObject* self, PyObject* args, PyObject* kwargs) {
  static char* names[] = {"a", "b", NULL};
  long long a = 0, b = 0;
  if (kwargs == NULL && PyTuple_GET_SIZE(args) == 2) {
    a = AsInt(PyTuple_GET_ITEM(args, 0));
    b = AsInt(PyTuple_GET_ITEM(args, 1));
    if (PyErr_Occurred()) return -1;
  } else if (!PyArg_ParseTupleAndKeywords(args, kwargs, "LL", names, &a, &b)) {
    return -1;
  }
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
  Py_XDECREF(((Fields*)self)->held);
  type->tp_free(self);
  Py_DECREF(type);
}

static PyObject* NodeVectorcall(PyObject* type, PyObject* const* args, size_t nargsf,
                                PyObject* kwnames) {
  if (PyVectorcall_NARGS(nargsf) != 2 || kwnames != NULL ||
      (args[1] != Py_None && !PyObject_TypeCheck(args[1], node_type))) {
    return PyErr_Format(PyExc_TypeError, "Node(value, next)");
  }
  const int64_t value = AsInt(args[0]);
  if (value == -1 && PyErr_Occurred()) return NULL;
  Node* self = PyObject_New(Node, (PyTypeObject*)type);
  if (self == NULL) return NULL;
  self->value = value;
  self->next = args[1] == Py_None ? NULL : Py_NewRef(args[1]);
  return (PyObject*)self;
}

/// Takes a chain apart in a loop, without which a long one overflows the stack.
static void NodeDealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject* next = ((Node*)self)->next;
  type->tp_free(self);
  Py_DECREF(type);
  while (next != NULL && Py_REFCNT(next) == 1) {
    PyObject* following = ((Node*)next)->next;
    ((Node*)next)->next = NULL;
    Py_DECREF(next);
    next = following;
  }
  Py_XDECREF(next);
}

static PyObject* TextVectorcall(PyObject* type, PyObject* const* args, size_t nargsf,
                                PyObject* kwnames) {
  if (PyVectorcall_NARGS(nargsf) != 1 || kwnames != NULL || !PyUnicode_Check(args[0])) {
    return PyErr_Format(PyExc_TypeError, "Text(text)");
  }
  Text* self = PyObject_New(Text, (PyTypeObject*)type);
  if (self != NULL) self->text = Py_NewRef(args[0]);
  return (PyObject*)self;
}

static void TextDealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  Py_XDECREF(((Text*)self)->text);
  type->tp_free(self);
  Py_DECREF(type);
}

static PyObject* LevelNew(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  (void)args, (void)kwargs;
  Level* self = (Level*)type->tp_alloc(type, 0);
  if (self != NULL) self->v = 1;
  return (PyObject*)self;
}

static PyObject* LevelGet(PyObject* self, PyObject* unused) {
  (void)unused;
  return PyLong_FromLongLong(((Level*)self)->v);
}

static PyMemberDef pair_members[] = {{"a", T_LONGLONG, offsetof(Pair, a), 0, NULL},
                                     {"b", T_LONGLONG, offsetof(Pair, b), 0, NULL},
                                     {NULL, 0, 0, 0, NULL}};
static PyObject* PairPlus(PyObject* self, PyObject* x) {
  const int64_t value = AsInt(x);
  if (value == -1 && PyErr_Occurred()) return NULL;
  return PyLong_FromLongLong(((Pair*)self)->a + value);
}
static PyMethodDef pair_methods[] = {{"sum", PairSum, METH_NOARGS, NULL},
                                     {"plus", PairPlus, METH_O, NULL},
                                     {NULL, NULL, 0, NULL}};
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
                                       {"held", T_OBJECT, offsetof(Fields, held), 0, NULL},
                                       {NULL, 0, 0, 0, NULL}};
static PyType_Slot fields_slots[] = {{Py_tp_new, FieldsNew},
                                     {Py_tp_dealloc, FieldsDealloc},
                                     {Py_tp_members, fields_members},
                                     {0, NULL}};
static PyType_Spec fields_spec = {"bench_c.Fields", sizeof(Fields), 0, Py_TPFLAGS_DEFAULT,
                                  fields_slots};

static PyMemberDef node_members[] = {{"value", T_LONGLONG, offsetof(Node, value), READONLY, NULL},
                                     {"next", T_OBJECT, offsetof(Node, next), READONLY, NULL},
                                     {NULL, 0, 0, 0, NULL}};
static PyType_Slot node_slots[] = {
    {Py_tp_dealloc, NodeDealloc}, {Py_tp_members, node_members}, {0, NULL}};
static PyType_Spec node_spec = {"bench_c.Node", sizeof(Node), 0, Py_TPFLAGS_DEFAULT, node_slots};

static PyMemberDef text_members[] = {{"text", T_OBJECT_EX, offsetof(Text, text), 0, NULL},
                                     {NULL, 0, 0, 0, NULL}};
static PyType_Slot text_slots[] = {
    {Py_tp_dealloc, TextDealloc}, {Py_tp_members, text_members}, {0, NULL}};
static PyType_Spec text_spec = {"bench_c.Text", sizeof(Text), 0, Py_TPFLAGS_DEFAULT, text_slots};

static PyMemberDef level_members[] = {{"v", T_LONGLONG, offsetof(Level, v), 0, NULL},
                                      {NULL, 0, 0, 0, NULL}};
static PyMethodDef level_methods[] = {{"get", LevelGet, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};
static PyType_Slot level_slots[] = {{Py_tp_new, LevelNew},
                                    {Py_tp_dealloc, PairDealloc},
                                    {Py_tp_members, level_members},
                                    {Py_tp_methods, level_methods},
                                    {0, NULL}};
static PyType_Slot no_slots[] = {{0, NULL}};

static PyObject* Nop(PyObject* m, PyObject* const* args, Py_ssize_t n) {
  (void)m, (void)args, (void)n;
  Py_RETURN_NONE;
}

/// The sum of n arguments.
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

#define ARITY(count)                                                                        \
  static PyObject* Arity##count(PyObject* m, PyObject* const* args, Py_ssize_t n) {         \
    if (n != (count)) return PyErr_Format(PyExc_TypeError, "expected %d arguments", count); \
    return Sum(m, args, n);                                                                 \
  }
ARITY(0)
ARITY(1)
ARITY(2)
ARITY(3) ARITY(4) ARITY(5) ARITY(6) ARITY(7) ARITY(8) ARITY(12) ARITY(16)

    /// The sum of the arguments a, b, c and so on, given in any way; those from `required` on are 2
    /// by default.
    static PyObject* SumByName(PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames,
                               int count, int required) {
  int64_t values[8];
  unsigned given = (1u << nargs) - 1;
  const Py_ssize_t nkw = kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames);
  if (nargs + nkw > count) return PyErr_Format(PyExc_TypeError, "too many arguments");
  for (int i = required; i < count; ++i) values[i] = 2;
  for (Py_ssize_t i = 0; i < nargs + nkw; ++i) {
    Py_ssize_t at = i;
    if (i >= nargs) {
      PyObject* name = PyTuple_GET_ITEM(kwnames, i - nargs);
      at = (Py_ssize_t)PyUnicode_READ_CHAR(name, 0) - 'a';
      if (PyUnicode_GET_LENGTH(name) != 1 || at < 0 || at >= count || (given & (1u << at)) != 0) {
        return PyErr_Format(PyExc_TypeError, "unexpected argument %U", name);
      }
      given |= 1u << at;
    }
    values[at] = AsInt(args[i]);
    if (values[at] == -1 && PyErr_Occurred()) return NULL;
  }
  const unsigned needed = (1u << required) - 1;
  if ((given & needed) != needed) return PyErr_Format(PyExc_TypeError, "missing argument");
  int64_t sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i];
  return PyLong_FromLongLong(sum);
}

#define BY_NAME(name, count, required)                                                    \
  static PyObject* name(PyObject* m, PyObject* const* args, Py_ssize_t n, PyObject* kw) { \
    (void)m;                                                                              \
    return SumByName(args, n, kw, count, required);                                       \
  }
BY_NAME(Add, 2, 1)
BY_NAME(Kw1, 1, 1)
BY_NAME(Kw2, 2, 2)
BY_NAME(Kw4, 4, 4) BY_NAME(Kw8, 8, 8)

    static PyObject* EchoInt(PyObject* m, PyObject* x) {
  (void)m;
  const int64_t value = AsInt(x);
  if (value == -1 && PyErr_Occurred()) return NULL;
  return PyLong_FromLongLong(value);
}

static PyObject* Fetch(PyObject* m, PyObject* unused) {
  (void)m, (void)unused;
  return Py_NewRef(kept);
}

static PyObject* Walk(PyObject* m, PyObject* node) {
  (void)m;
  if (!PyObject_TypeCheck(node, node_type)) return PyErr_Format(PyExc_TypeError, "Node");
  int64_t sum = 0;
  for (; node != NULL; node = ((Node*)node)->next) sum += ((Node*)node)->value;
  return PyLong_FromLongLong(sum);
}

// An extension without a container of its own returns a list or a dict: the floor of those rows.

static PyObject* MakeArray(PyObject* m, PyObject* n) {
  (void)m;
  const Py_ssize_t size = PyLong_AsSsize_t(n);
  PyObject* list = size < 0 ? NULL : PyList_New(size);
  for (Py_ssize_t i = 0; list != NULL && i < size; ++i) {
    PyList_SET_ITEM(list, i, PyLong_FromSsize_t(i));
  }
  return list;
}

static PyObject* MakeMap(PyObject* m, PyObject* n) {
  (void)m;
  const Py_ssize_t size = PyLong_AsSsize_t(n);
  PyObject* dict = PyDict_New();
  for (Py_ssize_t i = 0; dict != NULL && i < size; ++i) {
    PyObject* key = PyUnicode_FromFormat("key%zd", i);
    PyObject* value = PyLong_FromSsize_t(i);
    if (key == NULL || value == NULL || PyDict_SetItem(dict, key, value) != 0) Py_CLEAR(dict);
    Py_XDECREF(key);
    Py_XDECREF(value);
  }
  return dict;
}

/// Copies the ints of a list into an array.
static PyObject* TakeInts(PyObject* m, PyObject* list) {
  (void)m;
  if (!PyList_Check(list)) return PyErr_Format(PyExc_TypeError, "list");
  const Py_ssize_t size = PyList_GET_SIZE(list);
  int64_t* values = PyMem_Malloc((size + 1) * sizeof(int64_t));
  if (values == NULL) return PyErr_NoMemory();
  for (Py_ssize_t i = 0; i < size; ++i) values[i] = AsInt(PyList_GET_ITEM(list, i));
  PyMem_Free(values);
  return PyErr_Occurred() ? NULL : PyLong_FromSsize_t(size);
}

/// Copies a list of dicts: building the same in Python's objects.
static PyObject* TakeDicts(PyObject* m, PyObject* list) {
  (void)m;
  if (!PyList_Check(list)) return PyErr_Format(PyExc_TypeError, "list");
  const Py_ssize_t size = PyList_GET_SIZE(list);
  PyObject* copies = PyList_New(size);
  if (copies == NULL) return NULL;
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject* copy = PyDict_Copy(PyList_GET_ITEM(list, i));
    if (copy == NULL) {
      Py_DECREF(copies);
      return NULL;
    }
    PyList_SET_ITEM(copies, i, copy);
  }
  Py_DECREF(copies);
  return PyLong_FromSsize_t(size);
}

/// A class with a field and a constructor, as one of many.
static PyObject* MakeType(PyObject* m, PyObject* name) {
  (void)m;
  const char* text = PyUnicode_AsUTF8(name);
  if (text == NULL) return NULL;
  Py_INCREF(name);  // for ever: CPython 3.10 keeps the pointer
  PyType_Spec spec = {text, sizeof(Level), 0, Py_TPFLAGS_DEFAULT, level_slots};
  return PyType_FromSpec(&spec);
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

static PyObject* EchoAny(PyObject* m, PyObject* x) {
  (void)m;
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
#define BY_KEYWORD (METH_FASTCALL | METH_KEYWORDS)
static PyMethodDef functions[] = {{"nop", FASTCALL(Nop), METH_FASTCALL, NULL},
                                  {"add_one", AddOne, METH_O, NULL},
                                  {"echo_int", EchoInt, METH_O, NULL},
                                  {"arity0", FASTCALL(Arity0), METH_FASTCALL, NULL},
                                  {"arity1", FASTCALL(Arity1), METH_FASTCALL, NULL},
                                  {"arity2", FASTCALL(Arity2), METH_FASTCALL, NULL},
                                  {"arity3", FASTCALL(Arity3), METH_FASTCALL, NULL},
                                  {"arity4", FASTCALL(Arity4), METH_FASTCALL, NULL},
                                  {"arity5", FASTCALL(Arity5), METH_FASTCALL, NULL},
                                  {"arity6", FASTCALL(Arity6), METH_FASTCALL, NULL},
                                  {"arity7", FASTCALL(Arity7), METH_FASTCALL, NULL},
                                  {"arity8", FASTCALL(Arity8), METH_FASTCALL, NULL},
                                  {"arity12", FASTCALL(Arity12), METH_FASTCALL, NULL},
                                  {"arity16", FASTCALL(Arity16), METH_FASTCALL, NULL},
                                  {"add", FASTCALL(Add), BY_KEYWORD, NULL},
                                  {"kw1", FASTCALL(Kw1), BY_KEYWORD, NULL},
                                  {"kw2", FASTCALL(Kw2), BY_KEYWORD, NULL},
                                  {"kw4", FASTCALL(Kw4), BY_KEYWORD, NULL},
                                  {"kw8", FASTCALL(Kw8), BY_KEYWORD, NULL},
                                  {"fetch", Fetch, METH_NOARGS, NULL},
                                  {"walk", Walk, METH_O, NULL},
                                  {"make_array", MakeArray, METH_O, NULL},
                                  {"make_map", MakeMap, METH_O, NULL},
                                  {"take_ints", TakeInts, METH_O, NULL},
                                  {"copy_ints", TakeInts, METH_O, NULL},
                                  {"take_dicts", TakeDicts, METH_O, NULL},
                                  {"make_type", MakeType, METH_O, NULL},
                                  {"echo_float", EchoFloat, METH_O, NULL},
                                  {"echo_str", EchoStr, METH_O, NULL},
                                  {"echo_bytes", EchoBytes, METH_O, NULL},
                                  {"echo_obj", EchoObj, METH_O, NULL},
                                  {"echo_any", EchoAny, METH_O, NULL},
                                  {"call_n", FASTCALL(CallN), METH_FASTCALL, NULL},
                                  {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "bench_c", NULL, -1, functions, NULL, NULL, NULL, NULL};

/// Level0 with everything, and eight classes below it that add nothing.
static int AddLevels(PyObject* m) {
  static char names[9][16] = {"bench_c.Level0"};
  PyObject* base = NULL;
  for (int i = 0; i < 9; ++i) {
    PyOS_snprintf(names[i], sizeof(names[i]), "bench_c.Level%d", i);
    PyType_Spec spec = {names[i], sizeof(Level), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                        i == 0 ? level_slots : no_slots};
    base = PyType_FromSpecWithBases(&spec, base);
    if (base == NULL || PyModule_AddObject(m, names[i] + sizeof("bench_c"), base) != 0) return -1;
  }
  return 0;
}

PyMODINIT_FUNC PyInit_bench_c(void) {
  PyObject* m = PyModule_Create(&module);
  if (m == NULL) return NULL;
#ifdef Py_GIL_DISABLED
  PyUnstable_Module_SetGIL(m, Py_MOD_GIL_NOT_USED);
#endif
  pair_type = (PyTypeObject*)PyType_FromSpec(&pair_spec);
  fields_type = (PyTypeObject*)PyType_FromSpec(&fields_spec);
  node_type = (PyTypeObject*)PyType_FromSpec(&node_spec);
  PyObject* text_type = PyType_FromSpec(&text_spec);
  if (pair_type == NULL || fields_type == NULL || node_type == NULL || text_type == NULL ||
      AddLevels(m) != 0 || AddArrays(m) != 0) {
    return NULL;
  }
  kept = NewPair(pair_type, 1, 2);
  node_type->tp_vectorcall = NodeVectorcall;
  ((PyTypeObject*)text_type)->tp_vectorcall = TextVectorcall;
  PyModule_AddObject(m, "Node", Py_NewRef((PyObject*)node_type));
  PyModule_AddObject(m, "Text", text_type);
  pair_type->tp_vectorcall = PairVectorcall;
  PyModule_AddObject(m, "Pair", Py_NewRef((PyObject*)pair_type));
  PyModule_AddObject(m, "Fields", Py_NewRef((PyObject*)fields_type));
  return m;
}
