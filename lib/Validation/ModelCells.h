//===- ModelCells.h - what a run wrote, by the model ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_MODELCELLS_H
#define CLOPT_VALIDATION_MODELCELLS_H

#include "Model/KernelModel.h"
#include "Validation/KernelRun.h"
#include "Validation/ParametricSet.h"

namespace clopt {

/// The elements that the writes of a model have, ready for many launches. The
/// model has to stay.
class WrittenCells {
public:
  explicit WrittenCells(const KernelModel &model);

  /// Compares the cells of global arrays that `run` wrote in `launch` with the
  /// write accesses of the model, parameters fixed: the cells of exact accesses
  /// have to be written, others only where some access may. Nothing when they
  /// agree or cannot be compared; at most `limit` cells are looked at. May
  /// throw isl::exception.
  std::optional<RunFault> check(const SmallLaunch &launch, RunResult &run,
                                size_t limit) const;

private:
  struct Write {
    const Access *access = nullptr;
    ParametricSet elements; ///< { A[s...] }
  };

  const KernelModel &model;
  std::vector<Write> writes;
};

} // namespace clopt

#endif // CLOPT_VALIDATION_MODELCELLS_H
