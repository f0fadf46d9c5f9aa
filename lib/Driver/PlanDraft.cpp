//===- PlanDraft.cpp - the launch plan while it is made -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/PlanDraftTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Driver/PlanDraft.h"

#include "Support/Sha256.h"
#include "Support/Version.h"

#include <llvm/ADT/STLExtras.h>

#include <cctype>

namespace clopt {

/// The arguments as the application gives them.
static std::vector<PlanArgument> ownArguments(const PlanKernel &kernel) {
  std::vector<PlanArgument> result;
  for (const PlanParameter &parameter : kernel.parameters) {
    PlanArgument argument;
    argument.name = parameter.name;
    result.push_back(std::move(argument));
  }
  return result;
}

static PlanVariant originalVariant(const PlanKernel &kernel) {
  PlanVariant variant;
  variant.name = "original";
  variant.launch.program = PlanProgram::Original;
  variant.launch.kernel = kernel.name;
  variant.launch.sameRange = true;
  variant.launch.arguments = ownArguments(kernel);
  return variant;
}

PlanDraft::PlanDraft(const Options &options) {
  plan.toolVersion = versionString();
  plan.target = options.target;
  plan.buildFlags = options.buildFlags;
}

PlanKernel *PlanDraft::find(const std::string &kernel) {
  for (PlanKernel &candidate : plan.kernels)
    if (candidate.name == kernel)
      return &candidate;
  return nullptr;
}

void PlanDraft::addKernel(PlanKernel kernel) {
  plan.kernels.push_back(std::move(kernel));
}

/// What the reader of plans does not take is not written.
bool PlanDraft::isReadable(const PlanKernel &kernel,
                           const PlanVariant &variant) const {
  LaunchPlan alone = plan;
  alone.kernels = {kernel};
  alone.kernels.front().variants = {variant, originalVariant(kernel)};
  LaunchPlan read;
  LaunchPlanError error;
  return parseLaunchPlan(printLaunchPlan(alone), read, error);
}

void PlanDraft::addSameLaunch(const std::string &kernel, PlanVariant variant) {
  PlanKernel *owner = find(kernel);
  if (!owner)
    return;
  variant.name = "same launch";
  variant.launch.kernel = kernel;
  variant.launch.sameRange = true;
  variant.launch.arguments = ownArguments(*owner);
  for (PlanCondition &condition : variant.conditions) {
    if (condition.isAdvice)
      paying.insert(condition.expression);
    condition.isAdvice = false;
  }
  if (!isReadable(*owner, variant)) {
    variant.definitions.clear();
    variant.conditions.clear();
  }
  owner->variants.push_back(std::move(variant));
}

bool PlanDraft::addOwnRange(const std::string &kernel,
                            const PlanVariant &variant) {
  PlanKernel *owner = find(kernel);
  if (!owner || !isReadable(*owner, variant))
    return false;
  owner->variants.insert(owner->variants.begin(), variant);
  return true;
}

/// The expression with another name for a definition.
static void rename(std::string &expression, const std::string &name,
                   const std::string &by) {
  auto isWord = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (size_t at = expression.find(name); at != std::string::npos;
       at = expression.find(name, at)) {
    const size_t end = at + name.size();
    bool isWhole = (at == 0 || !isWord(expression[at - 1])) &&
                   (end == expression.size() || !isWord(expression[end]));
    if (isWhole)
      expression.replace(at, name.size(), by);
    at += isWhole ? by.size() : name.size();
  }
}

static void rename(PlanVariant &variant, const std::string &name,
                   const std::string &by) {
  for (PlanDefinition &definition : variant.definitions) {
    rename(definition.name, name, by);
    rename(definition.value, name, by);
  }
  for (PlanCondition &condition : variant.conditions)
    rename(condition.expression, name, by);
  for (std::vector<std::string> *sizes :
       {&variant.launch.global, &variant.launch.local, &variant.launch.offset})
    for (std::string &size : *sizes)
      rename(size, name, by);
  for (PlanArgument &argument : variant.launch.arguments)
    if (argument.kind == PlanArgument::Kind::Value)
      rename(argument.value, name, by);
}

/// A name with two values, that of the conversions and its own, becomes two.
static void separate(const std::vector<PlanDefinition> &definitions,
                     PlanVariant &variant) {
  std::set<std::string> taken;
  for (const PlanDefinition &definition : definitions)
    taken.insert(definition.name);
  std::set<std::string> clashes;
  for (const PlanDefinition &definition : variant.definitions)
    for (const PlanDefinition &other : definitions)
      if (other.name == definition.name && other.value != definition.value)
        clashes.insert(definition.name);
  for (const PlanDefinition &definition : variant.definitions)
    taken.insert(definition.name);
  for (const std::string &name : clashes) {
    std::string by;
    for (unsigned number = 2; by.empty() || !taken.insert(by).second; ++number)
      by = name + "_" + std::to_string(number);
    rename(variant, name, by);
  }
}

/// Puts conversions and their conditions around a variant.
static void surround(const RelaidKernel &relaid, PlanVariant &variant) {
  for (PlanArgument &argument : variant.launch.arguments) {
    auto own = relaid.arguments.find(argument.name);
    if (argument.kind == PlanArgument::Kind::Parameter &&
        own != relaid.arguments.end())
      argument = own->second;
  }
  std::vector<PlanDefinition> definitions = relaid.changes.definitions;
  // Parameters that the application's kernel does not have get names.
  for (const auto &[name, argument] : relaid.arguments)
    if (argument.kind == PlanArgument::Kind::Value && argument.value != name)
      definitions.push_back({name, "(int)(" + argument.value + ")"});
  separate(definitions, variant);
  for (const PlanDefinition &definition : variant.definitions)
    if (llvm::none_of(definitions, [&](const PlanDefinition &other) {
          return other.name == definition.name;
        }))
      definitions.push_back(definition);
  variant.definitions = definitions;
  const auto &conditions = relaid.changes.conditions;
  variant.conditions.insert(variant.conditions.begin(), conditions.begin(),
                            conditions.end());
  variant.buffers = relaid.changes.buffers;
  variant.before = relaid.changes.before;
  variant.after = relaid.changes.after;
  std::string what;
  for (const PlanBuffer &buffer : variant.buffers)
    what += (what.empty() ? "" : ", ") + buffer.name;
  variant.images = relaid.changes.images;
  for (const PlanImage &image : variant.images)
    what += (what.empty() ? "" : ", ") + image.name;
  for (const auto &[name, argument] : relaid.arguments)
    if (argument.kind == PlanArgument::Kind::Parameter)
      what += (what.empty() ? "" : ", ") + name;
  variant.name += " with " + what;
}

void PlanDraft::adopt(const std::string &kernel, const RelaidKernel &relaid) {
  auto isRelaid = [&](const PlanKernel &candidate) {
    return candidate.name == relaid.name;
  };
  auto found = llvm::find_if(plan.kernels, isRelaid);
  if (found == plan.kernels.end())
    return;
  std::vector<PlanVariant> variants = found->variants;
  if (variants.empty()) {
    variants = {originalVariant(*found)};
    variants.front().name = "same launch";
    variants.front().launch.program = PlanProgram::Optimized;
  }
  plan.kernels.erase(found);
  PlanKernel *owner = find(kernel);
  if (!owner)
    return;
  size_t at = 0;
  for (PlanVariant &variant : variants) {
    surround(relaid, variant);
    if (isReadable(*owner, variant))
      owner->variants.insert(owner->variants.begin() + static_cast<long>(at++),
                             variant);
  }
}

std::set<std::string> PlanDraft::kernelNames() const {
  std::set<std::string> names;
  for (const PlanKernel &kernel : plan.kernels)
    for (const PlanVariant &variant : kernel.variants)
      names.insert(variant.launch.kernel);
  return names;
}

void PlanDraft::removeLaunchesOf(const std::string &name) {
  for (PlanKernel &kernel : plan.kernels) {
    auto launchesIt = [&](const PlanVariant &variant) {
      return variant.launch.kernel == name;
    };
    auto &variants = kernel.variants;
    llvm::erase_if(variants, launchesIt);
  }
}

void PlanDraft::remove(const std::string &kernel, const std::string &variant) {
  PlanKernel *owner = find(kernel);
  if (!owner)
    return;
  auto isThis = [&](const PlanVariant &other) { return other.name == variant; };
  auto &variants = owner->variants;
  llvm::erase_if(variants, isThis);
}

LaunchPlan PlanDraft::withAdvice() const {
  LaunchPlan result = finish("", "");
  for (PlanKernel &kernel : result.kernels)
    for (PlanVariant &variant : kernel.variants)
      for (PlanCondition &condition : variant.conditions)
        condition.isAdvice |= paying.count(condition.expression) != 0;
  return result;
}

LaunchPlan PlanDraft::finish(const std::string &original,
                             const std::string &optimized) const {
  LaunchPlan result = plan;
  result.original.sha256 = sha256Hex(original);
  result.optimized.sha256 = sha256Hex(optimized);
  for (PlanKernel &kernel : result.kernels)
    kernel.variants.push_back(originalVariant(kernel));
  return result;
}

} // namespace clopt
