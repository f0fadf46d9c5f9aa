//===- TuningStore.h - the fastest recipes, kept in a file -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One JSON file with an entry for every source, set of flags, kernel, target,
// device, driver and size class. Several processes may change it at a time;
// clopt reads it (Report/TuningDatabase.h). docs/tune.md describes the form.
// Tested by test/unit/RuntimeTuningStoreTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_TUNE_TUNINGSTORE_H
#define CLOPT_RUNTIME_TUNE_TUNINGSTORE_H

#include "Runtime/tune/TuneResults.h"

#include <optional>
#include <string>

namespace clopt::runtime {

/// The recorded steps for the subject's size class. A file that is not there
/// has none; one that is no database is an Error.
std::optional<Steps> findStored(const std::string &path,
                                const TuneSubject &subject);

/// Puts the result in the place of what there was for the same.
void store(const std::string &path, const TuneSubject &subject,
           const TuneResult &best);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_TUNE_TUNINGSTORE_H
