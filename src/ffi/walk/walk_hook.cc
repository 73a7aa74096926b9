// SPDX-License-Identifier: Apache-2.0
// The first argument of `__s_visit__` and `__s_mutate__` functions; see walk_hook.h.
#include "walk/walk_hook.h"

#include "tain/reflection/object_def.h"

namespace tain::internal {

Any WalkHookObj::Run(Ask ask, const char* name, const Any& child) const {
  if (walk == nullptr) {
    TAIN_THROW(RuntimeError) << name << ": the walk that made this object has ended";
  }
  if (ask == nullptr) TAIN_THROW(TypeError) << name << ": the walk does something else";
  return ask(walk, child);
}

Any CallWalkHook(const TainAny& function, void* walk, WalkHookObj::Ask visit,
                 WalkHookObj::Ask mutate, TainObject* object) {
  const ObjectPtr<WalkHookObj> hook = make_object<WalkHookObj>();
  hook->walk = walk;
  hook->visit = visit;
  hook->mutate = mutate;
  struct End {
    WalkHookObj& hook;
    ~End() { hook.walk = nullptr; }
  } const end{*hook};
  const Function call(RefAccess::Share<FunctionObj>(function.v_obj));
  return call(hook, AnyView(ViewOfObject(object)));
}

}  // namespace tain::internal

TAIN_REGISTER {
  using tain::arg;
  using tain::internal::WalkHookObj;
  // Not thread_safe: it belongs to a walk, which one thread goes.
  tain::reflection::ObjectDef<WalkHookObj>(
      "The first argument of `__s_visit__` and `__s_mutate__` functions of a type.")
      .def("visit", &WalkHookObj::Visit, arg("child"), "Visits a child after the function returns.")
      .def("mutate", &WalkHookObj::Mutate, arg("child"), "Returns what takes the child's place.");
}
