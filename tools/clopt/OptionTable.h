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

// Common.
extern cl::opt<std::string> target, alias, localSize, operationBudget,
    timeBudget, jobs;
extern cl::opt<bool> listDevices;
extern cl::opt<std::string> configFile, buildFolder;
extern cl::opt<bool> dumpConfig, verifyConfig;
/// For --help only: build flags are taken off the arguments before.
extern cl::list<std::string> define, includeFolder;

// Messages and reports.
extern cl::opt<std::string> passed, missed, analysis;
extern cl::opt<std::string> saveRecord, recordFile, recordPasses;
extern cl::opt<std::string> report, measurements, sarif;
extern cl::opt<std::string> color;
extern cl::opt<bool> verbose;

// Output.
extern cl::opt<std::string> output, recipe, emitRecipe, plan, emitLauncher;
extern cl::opt<std::string> emitNeighbours, batch, emitBatch, tuningDatabase,
    planGroup;
extern cl::opt<std::string> validate, reproducer;
extern cl::opt<bool> verifyEach, skipRefused, everyLaunch, inlineIncludes;
extern cl::opt<std::string> explain;
extern cl::opt<bool> inPlace, dryRun, diff, dumpModel, dumpPlacement;
extern cl::opt<bool> dumpTree, dumpAst, printAfterAll;
extern cl::list<std::string> printAfter;
extern cl::opt<bool> writeDependencies, phonyDependencies;
extern cl::opt<std::string> dependencyFile, dependencyTarget;

// Check.
extern cl::list<std::string> errorOn;
extern cl::opt<std::string> errorExitCode, baseline, writeBaseline;
extern cl::opt<bool> updateBaseline, listChecks, quiet;
extern cl::opt<std::string> checks, explainCheck, format;
extern cl::opt<bool> fix;
extern cl::list<std::string> fixes;

// Skeleton.
extern cl::opt<std::string> kernel;

/// Descriptions of the program and of two commands for --help: "name: what it
/// does", an empty line, and more.
extern const char *const overview;
extern const char *const checkOverview;
extern const char *const skeletonOverview;

} // namespace clopt::option

#endif // CLOPT_TOOLS_CLOPT_OPTIONTABLE_H
