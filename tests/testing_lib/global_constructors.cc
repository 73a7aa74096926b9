// SPDX-License-Identifier: Apache-2.0
// Types whose keys are names of global functions too: those make the objects.
#include "testing_types.h"

namespace tain_testing {

/// No constructor but the function of that name.
struct TuningOptionsObj : tain::Object {
  int64_t trials;
  tain::String runner;
  TuningOptionsObj(int64_t trials, tain::String runner)
      : trials(trials), runner(std::move(runner)) {}
  TAIN_OBJECT("testing.TuningOptions", TuningOptionsObj, tain::Object);
};
struct QuickTuningOptionsObj : TuningOptionsObj {
  QuickTuningOptionsObj() : TuningOptionsObj(1, "quick") {}
  TAIN_OBJECT("testing.QuickTuningOptions", QuickTuningOptionsObj, TuningOptionsObj);
};

/// A constructor, and a function of that name.
struct MadeInTwoWaysObj : tain::Object {
  tain::String way;
  explicit MadeInTwoWaysObj(tain::String way) : way(std::move(way)) {}
  TAIN_OBJECT("testing.MadeInTwoWays", MadeInTwoWaysObj, tain::Object);
};

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::arg;
  refl::ObjectDef<TuningOptionsObj>("How a search goes on.", tain::thread_safe())
      .def_ro("trials", &TuningOptionsObj::trials)
      .def_ro("runner", &TuningOptionsObj::runner);
  refl::ObjectDef<QuickTuningOptionsObj>();
  refl::ObjectDef<MadeInTwoWaysObj>(tain::thread_safe())
      .def_ro("way", &MadeInTwoWaysObj::way)
      .def_init<tain::String>(arg("way") = tain::String("constructor"));
  refl::GlobalDef()
      .def(
          "testing.TuningOptions",
          [](int64_t trials, tain::String runner) {
            TAIN_CHECK(trials >= 0) << "trials must not be negative, got " << trials;
            return tain::make_object<TuningOptionsObj>(trials, std::move(runner));
          },
          arg("trials"), arg("runner") = tain::String("local"), tain::thread_safe())
      .def(
          "testing.make_quick_tuning_options",
          [] { return tain::make_object<QuickTuningOptionsObj>(); }, tain::thread_safe())
      .def(
          "testing.MadeInTwoWays", [] { return tain::make_object<MadeInTwoWaysObj>("function"); },
          tain::thread_safe());
}

}  // namespace tain_testing
