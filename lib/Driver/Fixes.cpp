//===- Fixes.cpp - what the head of a kernel could say --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/FixesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "clopt/Fixes.h"

#include "Analysis/memory/ForcedLocalSize.h"
#include "Driver/TimeBudget.h"
#include "Frontend/clang/ClangParser.h"
#include "Frontend/clang/PointerFixes.h"

#include <llvm/ADT/STLExtras.h>

#include <set>

namespace clopt {

const char *fixName(FixKind kind) {
  // In the order of FixKind.
  static constexpr const char *names[] = {"const", "local-size", "restrict"};
  return names[static_cast<size_t>(kind)];
}

namespace {

class Fixer {
public:
  Fixer(const std::string &filePath, const std::string &text,
        const std::vector<FixKind> &wanted, const Options &userOptions)
      : path(filePath), source(text), kinds(wanted), options(userOptions) {
    result.text = source;
  }

  FixResult run() {
    ParseResult parsed = parseOpenCL(path, source, options.buildFlags);
    result.diagnostics = std::move(parsed.diagnostics);
    if (!parsed.unit)
      return std::move(result);
    result.ok = true;
    PointerFixes found = findPointerFixes(path, source, options.buildFlags,
                                          isWanted(FixKind::Restrict));
    for (Fix &fix : found.fixes)
      if (isWanted(fix.kind))
        result.fixes.push_back(std::move(fix));
    if (isWanted(FixKind::LocalSize))
      addLocalSizes(*parsed.unit, found.heads);
    llvm::stable_sort(result.fixes, [](const Fix &left, const Fix &right) {
      return left.location.begin < right.location.begin;
    });
    apply();
    return std::move(result);
  }

private:
  bool isWanted(FixKind kind) const { return llvm::is_contained(kinds, kind); }

  //===-- reqd_work_group_size --------------------------------------------===//

  void addLocalSizes(const TranslationUnit &unit,
                     const std::vector<KernelHead> &heads) {
    // A size that is promised for one program says nothing about the text.
    Options plain = options;
    plain.localSize.reset();
    TimeBudget time(unit, plain);
    for (const KernelHead &head : heads)
      for (const auto &function : unit.functions)
        if (function->name == head.kernel && function->isKernel) {
          time.begin(function->name);
          addLocalSize(head, *function, *time.build(unit, *function), time);
          time.finish();
        }
  }

  void addLocalSize(const KernelHead &head, const Function &function,
                    const KernelModel &model, TimeBudget &time) {
    std::optional<std::array<int64_t, 3>> size;
    try {
      time.limit(model);
      size = forcedLocalSize(model);
    } catch (const isl::exception &) {
      return; // nothing is known
    }
    if (!size)
      return;
    Fix fix;
    fix.kind = FixKind::LocalSize;
    fix.function = head.kernel;
    fix.location = head.location;
    std::string problem = head.problem;
    if (problem.empty() && function.isCalled)
      problem = "other kernels call it";
    std::string text;
    for (const int64_t extent : *size)
      text += (text.empty() ? "" : ", ") + written(head, extent);
    if (!problem.empty()) {
      fix.message = "'" + head.kernel + "' cannot have reqd_work_group_size(" +
                    text + "): " + problem;
    } else {
      fix.message = "the local arrays of '" + head.kernel +
                    "' fix its local size: reqd_work_group_size(" + text + ")";
      fix.insertions.push_back(
          {*head.attribute,
           "__attribute__((reqd_work_group_size(" + text + "))) "});
    }
    result.fixes.push_back(std::move(fix));
  }

  /// The macro that is an extent of the arrays, or the number.
  static std::string written(const KernelHead &head, int64_t size) {
    auto name = head.extents.find(static_cast<uint64_t>(size));
    return size == 1 || name == head.extents.end() || name->second.empty()
               ? std::to_string(size)
               : name->second;
  }

  //===-- The text --------------------------------------------------------===//

  void apply() {
    std::set<Insertion> all;
    for (const Fix &fix : result.fixes)
      all.insert(fix.insertions.begin(), fix.insertions.end());
    if (all.empty())
      return;
    std::string text;
    size_t done = 0;
    for (const Insertion &insertion : all) {
      const size_t at = static_cast<size_t>(insertion.at);
      text += source.substr(done, at - done) + insertion.text;
      done = at;
    }
    text += source.substr(done);
    if (std::string problem = problemOf(text); !problem.empty())
      withdraw(problem);
    else
      result.text = std::move(text);
  }

  /// What is wrong with the text that was not wrong with the author's.
  std::string problemOf(const std::string &text) const {
    const ParseResult parsed = parseOpenCL(path, text, options.buildFlags);
    if (parsed.diagnostics.size() <= result.diagnostics.size() && parsed.unit)
      return "";
    for (const Diagnostic &diagnostic : parsed.diagnostics) {
      const bool isOld =
          llvm::any_of(result.diagnostics, [&](const Diagnostic &old) {
            return old.message == diagnostic.message;
          });
      if (!isOld)
        return diagnostic.message;
    }
    return "a message more than before";
  }

  void withdraw(const std::string &problem) {
    for (Fix &fix : result.fixes)
      if (!fix.isRefused()) {
        fix.insertions.clear();
        fix.message += "; not done, because the file would not compile as "
                       "before: " +
                       problem;
      }
  }

  const std::string &path;
  const std::string &source;
  const std::vector<FixKind> &kinds;
  const Options &options;
  FixResult result;
};

} // namespace

FixResult fixSource(const std::string &path, const std::string &source,
                    const std::vector<FixKind> &kinds, const Options &options) {
  return Fixer(path, source, kinds, options).run();
}

} // namespace clopt
