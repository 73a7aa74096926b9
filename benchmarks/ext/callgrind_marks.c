// SPDX-License-Identifier: Apache-2.0
// Marks for callgrind: zero() before a loop, dump(name) after it. Needs valgrind's headers.
#include <Python.h>
#include <valgrind/callgrind.h>

static PyObject* Zero(PyObject* m, PyObject* unused) {
  (void)m, (void)unused;
  CALLGRIND_ZERO_STATS;
  Py_RETURN_NONE;
}

static PyObject* Dump(PyObject* m, PyObject* name) {
  (void)m;
  const char* text = PyUnicode_AsUTF8(name);
  if (text == NULL) return NULL;
  CALLGRIND_DUMP_STATS_AT(text);
  Py_RETURN_NONE;
}

static PyObject* Start(PyObject* m, PyObject* unused) {
  (void)m, (void)unused;
  CALLGRIND_START_INSTRUMENTATION;
  Py_RETURN_NONE;
}

static PyMethodDef functions[] = {{"zero", Zero, METH_NOARGS, NULL},
                                  {"dump", Dump, METH_O, NULL},
                                  {"start", Start, METH_NOARGS, NULL},
                                  {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "callgrind_marks", NULL, -1, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_callgrind_marks(void) {
  PyObject* m = PyModule_Create(&module);
#ifdef Py_GIL_DISABLED
  if (m != NULL) PyUnstable_Module_SetGIL(m, Py_MOD_GIL_NOT_USED);
#endif
  return m;
}
