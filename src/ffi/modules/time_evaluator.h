// SPDX-License-Identifier: Apache-2.0
// Measures how long a function of a module takes.
#pragma once

#include "tain/container/array.h"
#include "tain/module.h"

namespace tain::internal {

/// The seconds that calls of a function took.
struct TimeResultObj : Object {
  double mean;            ///< of a call, over all rounds
  Array<double> results;  ///< the mean of each round

  TimeResultObj(double mean_, Array<double> results_) : mean(mean_), results(std::move(results_)) {}
  TAIN_OBJECT("ffi.TimeResult", TimeResultObj, Object);
};

/// Returns a function that takes the arguments of the function `name` of the module, calls it
/// `number` times in each of `repeat` rounds, and returns a TimeResult. `number` grows until a
/// round takes `min_repeat_ms` milliseconds. `dev` says where the function runs and is not
/// needed for functions that return when they are done. Throws ValueError for numbers below 1.
Function TimeEvaluator(ModuleObj& module, const String& name, const Any& dev, int64_t number,
                       int64_t repeat, double min_repeat_ms);

}  // namespace tain::internal
