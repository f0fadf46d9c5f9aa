//===- OptionTable.h - declarations of the options --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options as llvm::cl knows them: names, help texts, categories. Names
// that libLLVM registers itself (stats, color, time-passes, pass-remarks, ...)
// would end the program at its start.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TOOLS_CLOPT_OPTIONTABLE_H
#define CLOPT_TOOLS_CLOPT_OPTIONTABLE_H

#include <llvm/Support/CommandLine.h>

#include <string>

namespace clopt::option {

namespace cl = llvm::cl;

/// Options of both `clopt` and `clopt check`, of one, and of the other.
extern cl::OptionCategory commonCategory, messageCategory, outputCategory,
    checkCategory, skeletonCategory;

extern cl::list<std::string> inputs;

/// An option of `Base` that has a name, a value and a help text.
template <typename Base> struct Valued : Base {
  template <typename... Mods>
  Valued(llvm::StringRef name, const char *value, const char *help,
         const Mods &...others)
      : Base(name, cl::value_desc(value), cl::desc(help), others...) {}
};
using Text = Valued<cl::opt<std::string>>;
using Texts = Valued<cl::list<std::string>>;

struct Flag : cl::opt<bool> {
  template <typename... Mods>
  Flag(llvm::StringRef name, const char *help, const Mods &...others)
      : opt(name, cl::desc(help), others...) {}
};

// Common.
extern Text target, alias, localSize, operationBudget, timeBudget, jobs;
extern Flag listDevices;
extern Text configFile, buildFolder;
extern Flag dumpConfig, verifyConfig;
/// For --help only: build flags are taken off the arguments before.
extern Texts define, includeFolder;

// Messages and reports.
extern Text passed, missed, analysis;
extern Text saveRecord, recordFile, recordPasses;
extern Text report, measurements, sarif;
extern Text color;
extern Flag verbose;

// Output.
extern Text output, recipe, emitRecipe, plan, emitLauncher;
extern Text emitNeighbours, batch, emitBatch, tuningDatabase, planGroup;
extern Text validate, reproducer;
extern Flag verifyEach, skipRefused, everyLaunch, inlineIncludes;
extern Text explain;
extern Flag inPlace, dryRun, diff, dumpModel, dumpPlacement;
extern Flag dumpTree, dumpAst, printAfterAll;
extern Texts printAfter;
extern Flag writeDependencies, phonyDependencies;
extern Text dependencyFile, dependencyTarget;

// Check.
extern Texts errorOn;
extern Text errorExitCode, baseline, writeBaseline;
extern Flag updateBaseline, listChecks, quiet;
extern Text checks, explainCheck, format;
extern Flag fix;
extern Texts fixes;

// Skeleton.
extern Text kernel;

/// Descriptions of the program and of two commands for --help: "name: what it
/// does", an empty line, and more.
extern const char *const overview;
extern const char *const checkOverview;
extern const char *const skeletonOverview;

} // namespace clopt::option

#endif // CLOPT_TOOLS_CLOPT_OPTIONTABLE_H
