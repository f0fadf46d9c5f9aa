//===- Shadow.h - optimized objects behind the application's ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The application keeps what it has made: its program is built from its own
// text, and its kernels are those of that program, so all it asks of them is
// answered as without the layer. Beside them stand a program made of the
// optimized text, and kernels of that, which are given the same arguments and
// are launched instead. A launch that the shadow cannot take is the
// application's own.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_LAYER_SHADOW_H
#define CLOPT_LAYER_SHADOW_H

#include "Layer/HandleTable.h"
#include "Layer/ProgramOrigins.h"

#include <CL/cl.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clopt::layer {

struct PlannedProgram;

/// The launch plan of an optimized text.
struct TextPlan {
  std::string plan, text;
};

/// The optimized form of a program, built, compiled or linked. Owned by its
/// references.
struct ProgramShadow {
  ProgramShadow(cl_program made, std::set<std::string> names)
      : program(made), kept(std::move(names)) {}
  ~ProgramShadow();
  ProgramShadow(const ProgramShadow &) = delete;
  ProgramShadow &operator=(const ProgramShadow &) = delete;

  // Both are set before others see the shadow.
  /// Of the texts that it was made of, if it is to be linked.
  std::vector<TextPlan> plans;
  /// Of the same, if it can have kernels: each is in the plan of one text.
  std::vector<std::shared_ptr<PlannedProgram>> planned;
  const cl_program program;         ///< null: nothing changes in it
  const std::set<std::string> kept; ///< kernels without a new text
};

/// A program of the application that was made from source, linked of such, or
/// made from the binary of such.
class ProgramRecord {
public:
  explicit ProgramRecord(std::string text) : source(std::move(text)) {}
  explicit ProgramRecord(const ProgramOrigin &origin)
      : source(origin.source), restored(origin) {}

  const std::string source;                    ///< of linked ones: empty
  const std::optional<ProgramOrigin> restored; ///< of a binary

  bool isLinked() const { return source.empty(); }

  /// Of its last build.
  std::string options() const {
    const std::lock_guard lock(mutex);
    return currentOptions;
  }
  void setOptions(std::string options) {
    const std::lock_guard lock(mutex);
    currentOptions = std::move(options);
  }

  /// What the last build was made of, where all that it includes is known.
  std::optional<ProgramOrigin> origin() const {
    const std::lock_guard lock(mutex);
    return currentOrigin;
  }
  void setOrigin(std::optional<ProgramOrigin> origin) {
    const std::lock_guard lock(mutex);
    currentOrigin.swap(origin);
  }

  /// Of a program that can have kernels.
  std::shared_ptr<ProgramShadow> shadow() const {
    const std::lock_guard lock(mutex);
    return current;
  }
  /// Of one that can be linked; null: what it holds is not known.
  std::shared_ptr<ProgramShadow> linkable() const {
    const std::lock_guard lock(mutex);
    return currentLinkable;
  }
  void setShadow(std::shared_ptr<ProgramShadow> next,
                 std::shared_ptr<ProgramShadow> nextLinkable = nullptr) {
    const std::lock_guard lock(mutex);
    current.swap(next);
    currentLinkable.swap(nextLinkable);
  }

private:
  mutable std::mutex mutex;
  std::shared_ptr<ProgramShadow> current, currentLinkable;
  std::string currentOptions;
  std::optional<ProgramOrigin> currentOrigin;
};

/// The optimized form of a kernel.
struct KernelShadow {
  KernelShadow(cl_kernel made, std::size_t size)
      : kernel(made), maxGroup(size) {}
  ~KernelShadow();
  KernelShadow(const KernelShadow &) = delete;
  KernelShadow &operator=(const KernelShadow &) = delete;

  const cl_kernel kernel;
  const std::size_t maxGroup;       ///< work-items of a group that it can have
  std::atomic<bool> isUsable{true}; ///< it has the arguments of the original
};

HandleTable<cl_program, ProgramRecord> &programs();
HandleTable<cl_kernel, KernelShadow> &kernels();

/// From now on every launch is the application's own. For calls that change
/// kernels behind the layer's back.
void stopLaunchingShadows(const std::string &reason);
bool areShadowsLaunched();

} // namespace clopt::layer

#endif // CLOPT_LAYER_SHADOW_H
