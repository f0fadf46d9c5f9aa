//===- LaunchComparison.cpp - what two kernels made of buffers ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A difference is followed by a second run of the original, because a kernel
// whose own result varies proves nothing.
//
//===----------------------------------------------------------------------===//

#include "Runtime/LaunchComparison.h"

#include <algorithm>
#include <set>

namespace clopt::runtime {

namespace {

std::string describe(std::size_t distance, bool before,
                     const std::string &buffer) {
  return std::to_string(distance) + (distance == 1 ? " byte " : " bytes ") +
         (before ? "before the begin" : "past the end") + " of '" + buffer +
         "'";
}

std::string describe(const OutsideAccess &access, const std::string &buffer) {
  const char *verb = !access.isWrite   ? "touches "
                     : *access.isWrite ? "writes "
                                       : "reads ";
  return verb + describe(access.distance, access.before, buffer);
}

void noteDamage(const char *side, const std::string &what,
                LaunchResult &result) {
  result.status = LaunchStatus::GuardOverwritten;
  result.message = std::string("the ") + side + " kernel writes " + what;
}

bool hasPage(const std::vector<OutsideAccess> &accesses, std::uintptr_t page) {
  return std::any_of(
      accesses.begin(), accesses.end(),
      [page](const OutsideAccess &access) { return access.page == page; });
}

bool anyOutside(const Outcome &outcome) {
  return std::any_of(outcome.outside.begin(), outcome.outside.end(),
                     [](const auto &accesses) { return !accesses.empty(); });
}

} // namespace

void LaunchComparison::compare(const KernelRun &original,
                               const KernelRun &optimized,
                               std::optional<Outcome> &expected,
                               LaunchResult &result) const {
  LaunchResult found = result;
  const char *side = "original";
  try {
    const bool isFirst = !expected;
    if (isFirst) {
      expected = original();
      found.changesNothing = changesNothing(*expected);
    }
    side = "optimized";
    const Outcome actual = optimized();
    judge(*expected, actual, found);
    if (!isFirst && (!isGood(found.status) || anyOutside(actual))) {
      // The original may do the same here.
      side = "original";
      const Outcome here = original();
      found = result;
      judge(here, actual, found);
    }
    if (found.status == LaunchStatus::Differs)
      checkStable(*expected, original(), found);
  } catch (const OpenCLError &error) {
    found.status = LaunchStatus::Failed;
    found.message = std::string(side) + " kernel: " + error.what();
  }
  result = std::move(found);
}

bool LaunchComparison::changesNothing(const Outcome &outcome) const {
  for (std::size_t i = 0; i < launch.buffers.size(); ++i)
    if (outcome.buffers[i] != launch.buffers[i].contents)
      return false;
  return true;
}

/// Looks at the values, then at the guards, then at the pages.
void LaunchComparison::judge(const Outcome &expected, const Outcome &actual,
                             LaunchResult &result) const {
  std::size_t intolerable = 0;
  std::vector<BufferResult> differences;
  for (std::size_t i = 0; i < launch.buffers.size(); ++i) {
    const LaunchBuffer &buffer = launch.buffers[i];
    BufferDifference difference = compareBuffers(
        buffer.type, expected.buffers[i], actual.buffers[i], tolerance);
    intolerable += difference.intolerable;
    if (!difference.equal())
      differences.push_back({buffer.name, std::move(difference)});
  }
  // What is tolerated does not make up for an earlier place of the buffers.
  if (!differences.empty() &&
      (intolerable != 0 || result.status != LaunchStatus::NotComparable)) {
    result.status = intolerable == 0 ? LaunchStatus::WithinTolerance
                                     : LaunchStatus::Differs;
    result.differences = std::move(differences);
  }
  for (std::size_t i = launch.buffers.size(); i-- > 0;) {
    const std::string &name = launch.buffers[i].name;
    for (const auto &[side, outcome] :
         {std::pair{"original", &expected}, std::pair{"optimized", &actual}})
      if (const std::optional<GuardDamage> &damage = outcome->damage[i]) {
        noteDamage(side, describe(damage->distance, damage->before, name),
                   result);
        break;
      }
  }
  judgeAccesses(expected, actual, result);
}

void LaunchComparison::judgeAccesses(const Outcome &expected,
                                     const Outcome &actual,
                                     LaunchResult &result) const {
  for (std::size_t i = launch.buffers.size(); i-- > 0;) {
    const std::string &name = launch.buffers[i].name;
    std::set<bool> noted; // one access before and one behind say it
    for (const OutsideAccess &access : expected.outside[i]) {
      if (access.isWrite.value_or(false))
        noteDamage("original", describe(access.distance, access.before, name),
                   result);
      else if (noted.insert(access.before).second)
        addOnce(result.notes,
                "the original kernel itself " + describe(access, name));
    }
    for (const OutsideAccess &access : actual.outside[i]) {
      if (hasPage(expected.outside[i], access.page))
        continue;
      result.status = LaunchStatus::OutsideAccess;
      result.message = "the optimized kernel " + describe(access, name);
    }
  }
}

Tolerance toleranceFor(const VerifyOptions &options,
                       const std::vector<std::string> &flags) {
  Tolerance result;
  result.ulp = options.toleratedUlp;
  result.relative = options.toleratedRelative.value_or(0);
  for (const std::string &flag : flags)
    if (flag == "-cl-unsafe-math-optimizations" ||
        flag == "-cl-fast-relaxed-math")
      result.isReassociated = !options.toleratedRelative;
  return result;
}

/// A difference proves nothing in a buffer that the original itself fills in
/// another way each time; one in another buffer does.
void LaunchComparison::checkStable(const Outcome &first, const Outcome &second,
                                   LaunchResult &result) const {
  bool isEvidence = false;
  for (std::size_t i = 0; i < launch.buffers.size(); ++i) {
    const LaunchBuffer &buffer = launch.buffers[i];
    const bool varies =
        !compareBuffers(buffer.type, first.buffers[i], second.buffers[i])
             .equal();
    if (varies)
      result.message = "the original's own result in '" + buffer.name +
                       "' varies from run to run";
    for (const BufferResult &found : result.differences)
      isEvidence |= found.name == buffer.name && !varies &&
                    found.difference.intolerable != 0;
  }
  if (!isEvidence)
    result.status = LaunchStatus::NotComparable;
}

} // namespace clopt::runtime
