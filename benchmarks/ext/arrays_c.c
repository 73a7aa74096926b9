// SPDX-License-Identifier: Apache-2.0
// The benchmark's functions of arrays by hand: by the buffer protocol, results by numpy's C API.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <numpy/arrayobject.h>
#include <string.h>

static Py_buffer kept;  // what keep_array() holds

/// Takes a vector of floats; false with an error set.
static int TakeVector(PyObject* x, int flags, Py_buffer* out) {
  if (PyObject_GetBuffer(x, out, flags | PyBUF_FORMAT | PyBUF_STRIDES) != 0) return 0;
  if (out->ndim == 1 && strcmp(out->format, "f") == 0) return 1;
  PyBuffer_Release(out);
  PyErr_SetString(PyExc_TypeError, "expected a vector of float32");
  return 0;
}

static PyObject* SizeOf(PyObject* x, int flags) {
  Py_buffer buffer;
  if (!TakeVector(x, flags, &buffer)) return NULL;
  const Py_ssize_t size = buffer.shape[0];
  PyBuffer_Release(&buffer);
  return PyLong_FromSsize_t(size);
}

static PyObject* ArrayView(PyObject* m, PyObject* x) {
  (void)m;
  return SizeOf(x, PyBUF_WRITABLE);
}

static PyObject* ArrayRef(PyObject* m, PyObject* x) {
  (void)m;
  return SizeOf(x, 0);
}

static PyObject* KeepArray(PyObject* m, PyObject* x) {
  (void)m;
  Py_buffer buffer;
  if (PyObject_GetBuffer(x, &buffer, PyBUF_FULL) != 0) return NULL;
  if (kept.obj != NULL) PyBuffer_Release(&kept);
  kept = buffer;
  return PyLong_FromSsize_t(kept.shape[0]);
}

/// Numpy is imported by the first call, so that the import of the extension does not measure it.
static PyObject* NewArray(PyObject* m, PyObject* unused) {
  (void)m, (void)unused;
  if (PyArray_API == NULL && _import_array() != 0) return NULL;
  npy_intp size = 3;
  PyObject* made = PyArray_SimpleNew(1, &size, NPY_FLOAT32);
  if (made == NULL) return NULL;
  float* data = PyArray_DATA((PyArrayObject*)made);
  for (int i = 0; i < 3; ++i) data[i] = (float)i;
  return made;
}

static PyObject* EchoArray(PyObject* m, PyObject* x) {
  (void)m;
  Py_buffer buffer;
  if (PyObject_GetBuffer(x, &buffer, PyBUF_FULL) != 0) return NULL;
  PyBuffer_Release(&buffer);
  return Py_NewRef(x);
}

static PyObject* EightArrays(PyObject* m, PyObject* const* args, Py_ssize_t n) {
  (void)m;
  if (n != 8) return PyErr_Format(PyExc_TypeError, "expected 8 arguments");
  Py_buffer buffers[8];
  Py_ssize_t sum = 0;
  int taken = 0;
  while (taken < 8 && TakeVector(args[taken], PyBUF_WRITABLE, &buffers[taken])) {
    sum += buffers[taken++].shape[0];
  }
  for (int i = 0; i < taken; ++i) PyBuffer_Release(&buffers[i]);
  return taken < 8 ? NULL : PyLong_FromSsize_t(sum);
}

static PyMethodDef functions[] = {
    {"array_view", ArrayView, METH_O, NULL},
    {"array_ref", ArrayRef, METH_O, NULL},
    {"keep_array", KeepArray, METH_O, NULL},
    {"echo_array", EchoArray, METH_O, NULL},
    {"new_array", NewArray, METH_NOARGS, NULL},
    {"eight_arrays", (PyCFunction)(void (*)(void))EightArrays, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL}};

int AddArrays(PyObject* m);
int AddArrays(PyObject* m) { return PyModule_AddFunctions(m, functions); }
