//===- Workers.h - pieces of work in processes of their own -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files are worked on side by side. Not in threads: PPL keeps a pool of numbers
// and its budget in global variables. A process also keeps to itself what goes
// wrong in it, so a file that ends one hides nothing about the others.
//
// Tested by test/lit/check/jobs.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TOOLS_CLOPT_WORKERS_H
#define CLOPT_TOOLS_CLOPT_WORKERS_H

#include <llvm/Support/Error.h>

#include <functional>
#include <string>

namespace clopt {

struct WorkerTasks {
  size_t count = 0;
  unsigned jobs = 1; ///< processes at a time
  /// Task number i; runs in a process of its own, gives back bytes.
  std::function<std::string(size_t)> work;
  /// Runs here, for one task after the other, with what `work` gave back or why
  /// it did not.
  std::function<void(size_t, llvm::Expected<std::string>)> deliver;
  /// Runs here whenever a task is finished: how many are.
  std::function<void(size_t)> progress;
};

/// Carries out all tasks; each is delivered as soon as it and all before it
/// are finished.
void runWorkers(const WorkerTasks &tasks);

} // namespace clopt

#endif // CLOPT_TOOLS_CLOPT_WORKERS_H
