// SPDX-License-Identifier: Apache-2.0
// The global functions "ffi.*" of the ecosystem that libtain does not have itself: other languages and
// the ecosystem's own Python package work with containers, modules and the registry through them.
#include <cstring>

#include "module_abi.h"
#include "tain/graph/copy.h"
#include "tain/graph/structural.h"
#include "tain/reflection/inspect.h"
#include "tain/tain.h"

namespace tain::compat {
namespace {

namespace refl = reflection;

// ---------------------------------------------------------------- containers

template <class Container>
Any FromElements(Args args) {
  Container made;
  for (int32_t i = 0; i < args.size(); ++i) made.push_back(args[i].template cast<Any>());
  return made;
}

template <class Container>
Any FromPairs(Args args) {
  if (args.size() % 2 != 0) {
    TAIN_THROW(TypeError) << "expected keys and values in turn, got " << args.size()
                          << " arguments";
  }
  Container made;
  for (int32_t i = 0; i < args.size(); i += 2) {
    made.Set(args[i].template cast<Any>(), args[i + 1].template cast<Any>());
  }
  return made;
}

template <class Container>
bool Contains(const Container& elements, const Any& wanted) {
  for (const Any& one : elements) {
    if (TainAnyEqual(&one.data(), &wanted.data()) != 0) return true;
  }
  return false;
}

/// Returns a function of one number that goes over the entries of a map: 0 asks for the key, 1 for the
/// value, and 2 goes to the next entry and tells whether there is one.
template <class Container>
Function Iteration(const Container& map) {
  return Function::FromTyped([map, place = map.begin()](int command) mutable -> Any {
    switch (command) {
      case 0: return (*place).first;
      case 1: return (*place).second;
      default: ++place; return place != map.end();
    }
  });
}

Any Missing() {
  static const Function& missing =
      *new Function(Function::GetGlobalRequired("ffi.GetInvalidObject"));
  return missing();
}

template <class Container>
Any GetOrMissing(const Container& map, const Any& key) {
  const std::optional<Any> found = map.Get(key);
  return found.has_value() ? *found : Missing();
}

/// Checks a place of a list; `end` may be one too.
void CheckPlace(const List<Any>& list, int64_t place, bool end = false) {
  const auto size = static_cast<int64_t>(list.size());
  if (place >= 0 && place < size + (end ? 1 : 0)) return;
  TAIN_THROW(IndexError) << "index " << place << " is out of range for a list of " << size
                         << " elements";
}

void EraseRange(List<Any> list, int64_t first, int64_t last) {
  CheckPlace(list, first, true);
  CheckPlace(list, last, true);
  if (first < last) list.erase(list.begin() + first, list.begin() + last);
}

void RegisterContainers() {
  refl::GlobalDef()
      .def_packed("ffi.Array", &FromElements<Array<Any>>)
      .def("ffi.ArrayGetItem", [](const Array<Any>& self, int64_t i) { return self.at(i); })
      .def("ffi.ArraySize", [](const Array<Any>& self) { return self.size(); })
      .def("ffi.ArrayContains", &Contains<Array<Any>>)
      .def_packed("ffi.List", &FromElements<List<Any>>)
      .def("ffi.ListGetItem", [](const List<Any>& self, int64_t i) { return self.at(i); })
      .def("ffi.ListSetItem",
           [](List<Any> self, int64_t i, const Any& value) {
             CheckPlace(self, i);
             self.Set(i, value);
           })
      .def("ffi.ListSize", [](const List<Any>& self) { return self.size(); })
      .def("ffi.ListContains", &Contains<List<Any>>)
      .def("ffi.ListAppend", [](List<Any> self, const Any& value) { self.push_back(value); })
      .def("ffi.ListInsert",
           [](List<Any> self, int64_t i, const Any& value) {
             CheckPlace(self, i, true);
             self.insert(self.begin() + i, value);
           })
      .def("ffi.ListPop",
           [](List<Any> self, int64_t i) {
             Any taken = self.at(i);
             self.erase(self.begin() + i);
             return taken;
           })
      .def("ffi.ListErase",
           [](List<Any> self, int64_t i) {
             CheckPlace(self, i);
             self.erase(self.begin() + i);
           })
      .def("ffi.ListEraseRange", &EraseRange)
      .def("ffi.ListReplaceSlice",
           [](List<Any> self, int64_t first, int64_t last, const List<Any>& elements) {
             const std::vector<Any> copied(elements.begin(), elements.end());
             EraseRange(self, first, last);
             self.insert(self.begin() + first, copied.begin(), copied.end());
           })
      .def("ffi.ListReverse",
           [](List<Any> self) {
             const std::vector<Any> turned(self.rbegin(), self.rend());
             for (size_t i = 0; i < turned.size(); ++i)
               self.Set(static_cast<int64_t>(i), turned[i]);
           })
      .def("ffi.ListReserve", [](List<Any> self, int64_t capacity) { self.reserve(capacity); })
      .def("ffi.ListClear", [](List<Any> self) { self.clear(); })
      .def_packed("ffi.Map", &FromPairs<Map<Any, Any>>)
      .def("ffi.MapSize", [](const Map<Any, Any>& self) { return self.size(); })
      .def("ffi.MapCount",
           [](const Map<Any, Any>& self, const Any& key) { return self.count(key); })
      .def("ffi.MapGetItem", [](const Map<Any, Any>& self, const Any& key) { return self.at(key); })
      .def("ffi.MapGetItemOrMissing", &GetOrMissing<Map<Any, Any>>)
      .def("ffi.MapForwardIterFunctor", &Iteration<Map<Any, Any>>)
      .def_packed("ffi.Dict", &FromPairs<Dict<Any, Any>>)
      .def("ffi.DictSize", [](const Dict<Any, Any>& self) { return self.size(); })
      .def("ffi.DictCount",
           [](const Dict<Any, Any>& self, const Any& key) { return self.count(key); })
      .def("ffi.DictGetItem",
           [](const Dict<Any, Any>& self, const Any& key) { return self.at(key); })
      .def("ffi.DictGetItemOrMissing", &GetOrMissing<Dict<Any, Any>>)
      .def("ffi.DictSetItem",
           [](Dict<Any, Any> self, const Any& key, const Any& value) { self.Set(key, value); })
      .def("ffi.DictErase", [](Dict<Any, Any> self, const Any& key) { self.erase(key); })
      .def("ffi.DictClear", [](Dict<Any, Any> self) { self.clear(); })
      .def("ffi.DictForwardIterFunctor", &Iteration<Dict<Any, Any>>)
      .def_packed("ffi.Shape",
                  [](Args args) -> Any {
                    std::vector<int64_t> extents;
                    for (int32_t i = 0; i < args.size(); ++i) {
                      extents.push_back(args[i].cast<int64_t>());
                    }
                    return Shape(extents);
                  })
      .def("ffi.String", [](const String& text) { return text; })
      .def("ffi.Bytes", [](const tain::Bytes& bytes) { return bytes; });
}

// ---------------------------------------------------------------- registry, comparison

Array<String> Texts(const std::vector<std::string>& texts) {
  Array<String> made;
  for (const std::string& one : texts) made.push_back(String(one));
  return made;
}

Array<String> TypeKeys() {
  std::vector<std::string> keys;
  TainListTypeKeys(
      [](const TainByteArray* key, int32_t index, void* context) {
        if (index >= 0) {
          static_cast<std::vector<std::string>*>(context)->emplace_back(key->data, key->size);
        }
        return 0;
      },
      &keys);
  return Texts(keys);
}

Function FromExternC(void* self, void* call, void* deleter) {
  TainObject* made = nullptr;
  internal::ThrowIfFailed(TainFunctionCreate(self, reinterpret_cast<TainSafeCall>(call),
                                             reinterpret_cast<void (*)(void*)>(deleter), &made));
  return Any::Steal(internal::ViewOfObject(made)).cast<Function>();
}

void RegisterRegistry() {
  refl::GlobalDef()
      .def("ffi.FunctionRemoveGlobal",
           [](const String& name) {
             const TainByteArray bytes{name.data(), name.size()};
             int removed = 0;
             internal::ThrowIfFailed(TainFunctionRemoveGlobal(&bytes, &removed));
             return removed != 0;
           })
      .def("ffi.FunctionListGlobalNamesFunctor",
           [] {
             const Array<String> names = Texts(GlobalFunctionNames());
             return Function::FromTyped([names](int64_t i) -> Any {
               if (i < 0) return names.size();
               return names.at(i);
             });
           })
      .def("ffi.GetRegisteredTypeKeys", &TypeKeys)
      .def("ffi.FunctionFromExternC", &FromExternC)
      .def("ffi.ReprPrint", [](const Any& value) { return String(Repr(value)); })
      .def("ffi.StructuralEqual",
           [](const Any& a, const Any& b, bool map_free_vars, bool skip_tensor_content) {
             return StructuralEqual::Equal(a, b, map_free_vars, skip_tensor_content);
           })
      .def("ffi.StructuralHash",
           [](const Any& value, bool map_free_vars, bool skip_tensor_content) {
             return static_cast<int64_t>(
                 StructuralHash::Hash(value, map_free_vars, skip_tensor_content));
           });
}

// ---------------------------------------------------------------- modules

struct KeptModules {
  std::mutex mutex;
  std::vector<Module> modules;
};
KeptModules& Kept() {
  static auto& kept = *new KeptModules;
  return kept;
}

Any OrNone(const Function& function) { return function.defined() ? Any(function) : Any(); }

/// Returns the first answer of a module and, if wanted, of its imports that is not None.
template <class F>
Any AnswerOf(const Module& module, bool query_imports, const F& ask) {
  if (Any own = ask(module); own.type_index() != kTainNone) return own;
  if (query_imports) {
    for (const Ref<ModuleObj>& one : module->imports()) {
      Any found = AnswerOf(Module(one), true, ask);
      if (found.type_index() != kTainNone) return found;
    }
  }
  return {};
}

void RegisterModules() {
  refl::GlobalDef()
      .def("ffi.ModuleGetKind", [](const Module& module) { return module->kind(); })
      .def("ffi.ModuleGetPropertyMask",
           [](const Module& module) { return module->get_property_mask(); })
      .def(
          "ffi.ModuleGetFunction",
          [](const Module& module, const String& name, bool query_imports) {
            return OrNone(query_imports ? module->find_function(name) : module->get_function(name));
          })
      .def("ffi.ModuleImplementsFunction",
           [](const Module& module, const String& name, bool query_imports) {
             const auto ask = [&](const Module& one) {
               return one->implements_function(name) ? Any(true) : Any();
             };
             return AnswerOf(module, query_imports, ask).type_index() != kTainNone;
           })
      .def("ffi.ModuleGetFunctionMetadata",
           [](const Module& module, const String& name, bool query_imports) {
             return AnswerOf(module, query_imports, [&](const Module& one) {
               return Any(one->get_function_metadata(name));
             });
           })
      .def("ffi.ModuleGetFunctionDoc",
           [](const Module& module, const String& name, bool query_imports) {
             return AnswerOf(module, query_imports,
                             [&](const Module& one) { return Any(one->get_function_doc(name)); });
           })
      .def("ffi.ModuleInspectSource",
           [](const Module& module, const String& format) { return module->get_source(format); })
      .def("ffi.ModuleGetWriteFormats",
           [](const Module& module) { return module->get_write_formats(); })
      .def("ffi.ModuleWriteToFile",
           [](const Module& module, const String& file, const String& format) {
             module->write_to_file(file, format);
           })
      .def("ffi.ModuleImportModule",
           [](const Module& module, const Module& other) { module->import_module(other); })
      .def("ffi.ModuleClearImports", [](const Module& module) { module->clear_imports(); })
      .def("ffi.ModuleGlobalsAdd",
           [](const Module& module) {
             const std::lock_guard lock(Kept().mutex);
             Kept().modules.push_back(module);
           })
      .def("ffi.ModuleGlobalsRemove", [](const Module& module) {
        const Any wanted(module);
        const std::lock_guard lock(Kept().mutex);
        std::erase_if(Kept().modules, [&](const Module& one) {
          return Any(one).data().v_obj == wanted.data().v_obj;
        });
      });
}

}  // namespace
}  // namespace tain::compat

TAIN_REGISTER {
  tain::compat::RegisterContainers();
  tain::compat::RegisterRegistry();
  tain::compat::RegisterModules();
}
