//===- ProgramCache.h - original and optimized programs --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_PROGRAMCACHE_H
#define CLOPT_RUNTIME_PROGRAMCACHE_H

#include "Runtime/EntryProbe.h"
#include "Runtime/OpenCL.h"
#include "Runtime/PlanExecutor.h"
#include "Runtime/Verify.h"

#include <map>
#include <string>
#include <vector>

namespace clopt::runtime {

/// The same kernel before and after.
struct KernelPair {
  KernelHandle original;
  KernelHandle optimized;
};

enum class BuildPurpose { CompareValues, TakeTimes };

/// Optimizes and builds a kernel file, once for each set of flags.
class ProgramCache {
public:
  /// `text` is the content of VerifyOptions::kernelFile, `optimizedName` the
  /// file to compare with; empty: run clopt. All are kept by reference, but for
  /// the name.
  ProgramCache(const Device &where, const VerifyOptions &what,
               std::string optimizedName, const std::string &text,
               VerifyObserver &listener);

  /// Kernels to launch; they are new objects at each call, without arguments
  /// set.
  KernelPair kernels(const std::string &name,
                     const std::vector<std::string> &flags,
                     BuildPurpose purpose);

  /// Another text with the same flags; `what` names it in messages.
  ProgramHandle build(const std::string &text,
                      const std::vector<std::string> &flags,
                      BuildPurpose purpose, const std::string &what) const {
    return buildProgram(device, text, optionLine(flags, purpose), what);
  }

  /// What became of a kernel, and the kernel that tells which launches take its
  /// new body. No handle if there is no such body, or if it cannot be told.
  KernelEntry entry(const std::string &name,
                    const std::vector<std::string> &flags);
  KernelHandle probe(const std::string &name,
                     const std::vector<std::string> &flags);

  /// Carries out the plan of the optimized file.
  PlanExecutor &executor(const std::vector<std::string> &flags,
                         BuildPurpose purpose);
  /// Of both texts; see SourceTokens.h.
  std::size_t expectedAlignment(const std::vector<std::string> &flags);

  bool isPlanned() const {
    return options.isPlanned || !options.planFile.empty();
  }

private:
  struct OptimizedTexts {
    std::string source, plan;
  };
  struct ProgramPair {
    ProgramHandle original;
    ProgramHandle optimized;
  };

  struct ProbeProgram {
    std::map<std::string, KernelEntry> kernels; // by name
    ProgramHandle program; // none if there is none, or if it does not build
  };

  ProbeProgram &probeProgram(const std::vector<std::string> &flags);
  const OptimizedTexts &optimizedTexts(const std::vector<std::string> &flags);
  OptimizedTexts runClopt(const std::vector<std::string> &flags);
  std::string optionLine(const std::vector<std::string> &flags,
                         BuildPurpose purpose) const;
  ProgramPair &programs(const std::vector<std::string> &flags,
                        BuildPurpose purpose);

  const Device &device;
  const VerifyOptions &options;
  const std::string optimizedFile;
  VerifyObserver &observer;
  const std::string &source;
  std::string includeFlag;
  std::map<std::vector<std::string>, OptimizedTexts> optimized;
  std::map<std::string, ProgramPair> built;      // by the whole option string
  std::map<std::string, PlanExecutor> executors; // likewise
  std::map<std::string, ProbeProgram> probes;    // likewise
};

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_PROGRAMCACHE_H
