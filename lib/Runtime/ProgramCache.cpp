//===- ProgramCache.cpp - original and optimized programs -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/ProgramCache.h"

#include "Runtime/CloptCommand.h"
#include "Runtime/JsonDocument.h"
#include "Runtime/Process.h"
#include "Runtime/SourceTokens.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace clopt::runtime {

static constexpr const char *conditionsOnly =
    "the conditions of the optimized form";

static std::string withArgumentNames(const std::string &flags) {
  return flags + (flags.empty() ? "" : " ") + "-cl-kernel-arg-info";
}

ProgramCache::ProgramCache(const Device &where, const VerifyOptions &what,
                           std::string optimizedName, const std::string &text,
                           VerifyObserver &listener)
    : device(where), options(what), optimizedFile(std::move(optimizedName)),
      observer(listener), source(text) {
  // A program made from a string has no folder, so a quoted #include needs
  // help.
  if (source.find("#include") != std::string::npos) {
    const auto folder =
        std::filesystem::absolute(options.kernelFile).parent_path();
    includeFlag = "-I " + folder.string();
  }
}

ProgramCache::OptimizedTexts
ProgramCache::runClopt(const std::vector<std::string> &flags) {
  const TemporaryFolder folder;
  const std::string output = folder.file("optimized.cl");
  const std::string plan = folder.file("plan.json");
  std::vector<std::string> arguments{"-o", output};
  if (options.isPlanned)
    arguments.push_back("--plan=" + plan);
  const ProcessResult result = runtime::runClopt(options, arguments, flags);
  if (!result.output.empty())
    observer.cloptSaid(result.output);
  return {readFile(output), options.isPlanned ? readFile(plan) : ""};
}

const ProgramCache::OptimizedTexts &
ProgramCache::optimizedTexts(const std::vector<std::string> &flags) {
  const auto known = optimized.find(flags);
  if (known != optimized.end())
    return known->second;
  OptimizedTexts texts;
  if (optimizedFile.empty())
    texts = runClopt(flags);
  else
    texts.source = readFile(optimizedFile);
  if (!options.planFile.empty())
    texts.plan = readFile(options.planFile);
  return optimized[flags] = std::move(texts);
}

std::string ProgramCache::optionLine(const std::vector<std::string> &flags,
                                     BuildPurpose purpose) const {
  std::string line = includeFlag;
  for (const std::string &flag : flags)
    line += (line.empty() ? "" : " ") + flag;
  if (purpose == BuildPurpose::CompareValues && !options.compareFlags.empty())
    line += (line.empty() ? "" : " ") + options.compareFlags;
  return line;
}

ProgramCache::ProgramPair &
ProgramCache::programs(const std::vector<std::string> &flags,
                       BuildPurpose purpose) {
  const std::string line = optionLine(flags, purpose);
  const auto known = built.find(line);
  if (known != built.end())
    return known->second;
  ProgramPair pair;
  // So that the kernels' arguments can be asked for.
  pair.original =
      buildProgram(device, source, withArgumentNames(line), options.kernelFile);
  const std::string what = optimizedFile.empty()
                               ? "the optimized form of " + options.kernelFile
                               : optimizedFile;
  pair.optimized =
      buildProgram(device, optimizedTexts(flags).source, line, what);
  return built[line] = std::move(pair);
}

/// The probe's entries by the names that its kernels have in the program, those
/// that macros make too. A device without kernel-arg-info has those of the
/// text.
static std::map<std::string, KernelEntry>
entriesByName(const EntryProbe &probe, const ProgramHandle &program) {
  std::map<std::string, KernelEntry> result = probe.kernels;
  std::istringstream names(
      queryText(clGetProgramInfo, program.get(), CL_PROGRAM_KERNEL_NAMES));
  for (std::string name; std::getline(names, name, ';');) {
    const KernelHandle kernel = makeKernel(program, name);
    const auto arguments = askCL<cl_uint>("clGetKernelInfo", clGetKernelInfo,
                                          kernel.get(), CL_KERNEL_NUM_ARGS);
    const std::string last = queryText(clGetKernelArgInfo, kernel.get(),
                                       arguments - 1, CL_KERNEL_ARG_NAME);
    for (const KernelEntry &entry : probe.definitions)
      if (entry.mark == last)
        result[name] = entry;
  }
  return result;
}

ProgramCache::ProbeProgram &
ProgramCache::probeProgram(const std::vector<std::string> &flags) {
  const std::string line = optionLine(flags, BuildPurpose::CompareValues);
  const auto known = probes.find(line);
  if (known != probes.end())
    return known->second;
  ProbeProgram result;
  const EntryProbe probe = makeEntryProbe(source, optimizedTexts(flags).source);
  result.kernels = probe.kernels;
  try {
    if (!probe.source.empty()) {
      const SilencedErrors silence; // what some compilers print is in the log
      result.program = buildProgram(device, probe.source,
                                    withArgumentNames(line), conditionsOnly);
      result.kernels = entriesByName(probe, result.program);
    }
  } catch (const OpenCLError &error) {
    // Only the count is lost.
    result.program = {};
    observer.entriesUnknown(std::string("which launches run a new body is not "
                                        "known, because ") +
                                conditionsOnly + " do not build as a program",
                            error.what());
  }
  return probes[line] = std::move(result);
}

KernelEntry ProgramCache::entry(const std::string &name,
                                const std::vector<std::string> &flags) {
  const std::map<std::string, KernelEntry> &kernels =
      probeProgram(flags).kernels;
  const auto known = kernels.find(name);
  return known == kernels.end() ? KernelEntry() : known->second;
}

KernelHandle ProgramCache::probe(const std::string &name,
                                 const std::vector<std::string> &flags) {
  const ProbeProgram &program = probeProgram(flags);
  if (!program.program || entry(name, flags).body != KernelEntry::Body::New)
    return {};
  return makeKernel(program.program, name);
}

PlanExecutor &ProgramCache::executor(const std::vector<std::string> &flags,
                                     BuildPurpose purpose) {
  const std::string line = optionLine(flags, purpose);
  const auto known = executors.find(line);
  if (known != executors.end())
    return known->second;
  const OptimizedTexts &texts = optimizedTexts(flags);
  const PlanTexts forPlan{texts.plan, texts.source, source, line};
  return executors.try_emplace(line, device.context(), device.id(), forPlan)
      .first->second;
}

std::size_t
ProgramCache::expectedAlignment(const std::vector<std::string> &flags) {
  std::size_t result =
      std::max(runtime::expectedAlignment(source),
               runtime::expectedAlignment(optimizedTexts(flags).source));
  for (const std::string &flag : flags)
    result = std::max(result, runtime::expectedAlignment(flag));
  return result;
}

KernelPair ProgramCache::kernels(const std::string &name,
                                 const std::vector<std::string> &flags,
                                 BuildPurpose purpose) {
  ProgramPair &pair = programs(flags, purpose);
  return {makeKernel(pair.original, name), makeKernel(pair.optimized, name)};
}

} // namespace clopt::runtime
