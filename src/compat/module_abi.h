// SPDX-License-Identifier: Apache-2.0
// The class of modules of the ecosystem's C++ headers: its name, the order of its virtual functions
// and its members are what libraries are compiled for. Both directions cross here: a module of another
// library is asked by TainModuleOperations, and a module of tain's is dressed as one of this class.
#pragma once

#include "tain/container/array.h"
#include "tain/container/map.h"
#include "tain/function.h"
#include "tain/module.h"
#include "tain/string.h"

namespace tvm::ffi {

// Classes that stand in the names of functions. Each has the layout of tain's class of that name.
class String : public tain::String {
 public:
  explicit String(const tain::String& text) : tain::String(text) {}
};
template <class Signature>
class TypedFunction {
 public:
  tain::Function function;
};
class TAIN_DLL_EXPORT Module {
 public:
  tain::ObjectRef object;
  static Module LoadFromFile(const String& file);
  static void VisitContextSymbols(const TypedFunction<void(String, void*)>& visit);
};

/// The header of an object.
class Object {
 public:
  TainObject header;
};

/// A module: {virtual table, header, imports, functions that its code has looked up}. Results are
/// written by address, as in those headers: `Optional<Function>` is a Function, and `Optional<String>`
/// a value.
class TAIN_DLL_EXPORT ModuleObj : public Object {
 public:
  virtual const char* kind() const = 0;
  virtual int GetPropertyMask() const;
  virtual tain::Function GetFunction(const String& name) = 0;
  virtual bool ImplementsFunction(const String& name);
  virtual tain::Any GetFunctionDoc(const String& name);
  virtual tain::Any GetFunctionMetadata(const String& name);
  virtual void WriteToFile(const String& file, const String& format) const;
  virtual tain::Array<tain::String> GetWriteFormats() const;
  virtual tain::Bytes SaveToBytes() const;
  virtual tain::String InspectSource(const String& format) const;
  virtual void ImportModule(const Module& other);
  virtual void ClearImports();

  // The same with a question whether imports are asked, too.
  tain::Function GetFunction(const String& name, bool query_imports);
  bool ImplementsFunction(const String& name, bool query_imports);
  tain::Any GetFunctionDoc(const String& name, bool query_imports);
  tain::Any GetFunctionMetadata(const String& name, bool query_imports);

  tain::Array<tain::Any> imports;
  tain::Map<tain::String, tain::Function> looked_up;
};
static_assert(sizeof(ModuleObj) == 48 && sizeof(Module) == 8);

}  // namespace tvm::ffi

namespace tain::compat {

/// Returns the object of the class above to which a header belongs. Its index must be that of Module,
/// and it must have no prefix.
inline tvm::ffi::ModuleObj* TheirModule(TainObject* header) noexcept {
  constexpr size_t kVirtualTable = sizeof(void*);  // precedes the header
  return reinterpret_cast<tvm::ffi::ModuleObj*>(reinterpret_cast<char*>(header) - kVirtualTable);
}

/// Returns a module as other libraries know it: one of tain's is dressed.
ObjectRef ForTheirCode(const Module& module);

}  // namespace tain::compat
