//===- OptionTable.cpp - declarations of the options ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/lit/cli/help.test.
//
//===----------------------------------------------------------------------===//

#include "OptionTable.h"

namespace clopt::option {

const char *const overview =
    "clopt: a source-to-source optimizing compiler for OpenCL C\n\n"
    "  clopt [optimize] [options] file.cl [-- <flags of clBuildProgram>]\n"
    "                                 optimize one file\n"
    "  clopt check [options] file.cl|folder...\n"
    "                                 list accesses that are not vectorized\n"
    "  clopt skeleton [options] file.cl\n"
    "                                 write a launch specification for it\n"
    "  clopt run [options] APPLICATION [arguments]\n"
    "                                 run it with its kernels optimized\n"
    "  clopt verify|bench|compare|ladder|tune|probe ...\n"
    "                                 work with an OpenCL device; see\n"
    "                                 'clopt verify --help'\n"
    "  clopt help [command|rule-id]   say more of either\n\n"
    "-cl-std=..., -cl-fast-relaxed-math and the other -cl-* flags are also\n"
    "taken before '--'.\n";

const char *const checkOverview =
    "clopt check: lists the global accesses that neighbouring work-items do\n"
    "not perform side by side, with the reason and what would help\n\n"
    "Folders are searched for *.cl. A comment '// clopt: off(rule-id)' "
    "silences a\n"
    "line.\n";

const char *const skeletonOverview =
    "clopt skeleton: writes a launch specification for every kernel of a "
    "file,\n"
    "with sizes and data that are derived from the kernel. Guesses have a\n"
    "\"Comment\". docs/launch-spec.md describes its form.\n\n"
    "  clopt skeleton [options] file.cl [-- <flags of clBuildProgram>]\n"
    "                                 one file of OpenCL C, or - for standard\n"
    "                                 input, and the flags that the host "
    "builds\n"
    "                                 it with\n"
    "  clopt verify|bench|compare|ladder file.cl --launch=FILE\n"
    "                                 run its kernels with what was written\n";

/// LLVM has options of these names, which mean nothing here, or less. Made
/// before the options below, and after those of the library that LLVM is.
static const bool areFree = [] {
  for (const char *name : {"print-after", "print-after-all", "color"})
    if (cl::Option *other = cl::getRegisteredOptions().lookup(name))
      other->removeArgument();
  return true;
}();

cl::OptionCategory commonCategory("Target and source");
cl::OptionCategory outputCategory("Output");
cl::OptionCategory messageCategory("Messages and reports");
cl::OptionCategory checkCategory("Check");
cl::OptionCategory skeletonCategory("Skeleton");

cl::list<std::string> inputs(cl::Positional, cl::desc("file.cl..."),
                             cl::cat(commonCategory));

static const cl::cat inCommon(commonCategory), inOutput(outputCategory),
    inMessages(messageCategory), inCheck(checkCategory),
    inSkeleton(skeletonCategory);

Text target("target", "name",
            "Device to optimize for: a name of --list-devices, a profile in "
            "JSON, or native for this machine's (default: generic-gpu)",
            inCommon, cl::init("generic-gpu"));
Flag listDevices("list-devices", "List the built-in devices and stop",
                 inCommon);
Text alias("alias", "check|none|strict",
           "Buffers that might overlap: check at run time (default), promise "
           "that none do, or assume nothing",
           inCommon, cl::init("check"));
Text localSize("local-size", "X,Y,Z",
               "Promise this local size for every launch", inCommon);
Text operationBudget("operation-budget", "N",
                     "Most operations of the analysis per kernel; 0 means no "
                     "limit (default: 2000000)",
                     inCommon);
Text timeBudget("time-budget", "seconds",
                "Most work for a file, counted as what takes about so long; 0 "
                "means no limit (default: 10)",
                inCommon);
Text jobs("jobs", "N",
          "Work on N files at a time, also -jN (default: one per processor)",
          inCommon);
Text configFile(
    "config-file", "file",
    "Options of this file (default: the .clopt.yaml nearest to each source)",
    inCommon);
Text buildFolder("p", "folder",
                 "Take flags from compile_commands.json in this build folder",
                 inCommon);
Flag dumpConfig("dump-config",
                "Print the options that hold for a file as a configuration",
                inCommon);
Flag verifyConfig("verify-config", "Say what is wrong with configurations",
                  inCommon);
Flag verifyEach("verify-each",
                "Like --validate=full; what is found is an error", inCommon);
Texts define("D", "name[=value]", "Define a macro", inCommon, inSkeleton,
             cl::Prefix);
Texts includeFolder("I", "folder", "Search a folder for includes", inCommon,
                    inSkeleton, cl::Prefix);

Text passed("Rpass", "regex", "Show what was done by matching passes",
            inMessages);
Text missed("Rpass-missed", "regex",
            "Show what matching passes could not do, and why", inMessages);
Text analysis("Rpass-analysis", "regex", "Show what matching passes found out",
              inMessages);
Text saveRecord("fsave-optimization-record", "yaml|bitstream",
                "Write remarks for opt-viewer and llvm-remarkutil", inMessages,
                cl::ValueOptional);
Text recordFile("foptimization-record-file", "file",
                "Where to write them (default: after the output)", inMessages);
Text recordPasses("foptimization-record-passes", "regex",
                  "Only those of matching passes", inMessages);
Text report("report", "file",
            "Write a report in JSON, or in HTML if the name ends in .html",
            inMessages);
Text measurements(
    "measurements", "file",
    "Show these results of 'clopt bench --json' in the report in HTML",
    inMessages);
Text sarif("sarif", "file", "Write findings in SARIF 2.1.0", inMessages);
Text color("color", "auto|always|never",
           "Colours of messages and diffs: on terminals (default), everywhere "
           "or nowhere",
           inMessages, inSkeleton, cl::init("auto"));
Flag verbose("v", "Say what is being done", inMessages);

Text output("o", "file",
            "Where to write the result; - is standard output (default), "
            "FOLDER/ keeps the names of files",
            inOutput, inSkeleton);
Flag inPlace("i", "Replace the input files", inOutput);
Flag dryRun("dry-run", "Do not write the optimized source", inOutput);
Flag diff("diff",
          "Print the changes as a unified diff; the exit code is that of diff",
          inOutput);
Flag dumpModel("dump-model", "Print the model of every kernel", inOutput);
Flag dumpPlacement("dump-placement",
                   "Print which memory suits each array, and why", inOutput);
Text explain("explain", "kernel",
             "Print what each step is predicted to gain, and recipes that were "
             "not taken",
             inOutput, cl::ValueOptional);
Flag dumpTree("dump-tree",
              "Print the order of every kernel's statements after all steps",
              inOutput);
Flag dumpAst("dump-ast", "Print the loops that are written of it", inOutput);
Texts printAfter("print-after", "step",
                 "Print the kernel after each of these steps of a recipe or "
                 "plan, to standard error",
                 inOutput, cl::CommaSeparated);
Flag printAfterAll("print-after-all", "Print the kernel after every step",
                   inOutput);
Text recipe("recipe", "file", "Take the steps in this recipe", inOutput);
Text validate(
    "validate", "fast|full|off",
    "Run what is written beside the original, symbolically: in some launches "
    "(default), in more and with a second check of every step, or not at all",
    inOutput, cl::init("fast"));
Text reproducer("reproducer", "folder",
                "Write what is needed to repeat a failed validation", inOutput);
Flag skipRefused("skip-refused",
                 "Leave out the steps of the recipe that are refused",
                 inOutput);
Flag everyLaunch("every-launch",
                 "Optimize launches that are too small to gain from it, too",
                 inOutput);
Flag inlineIncludes(
    "inline-includes",
    "Write headers in the place of the directives that include them", inOutput);
Text emitRecipe("emit-recipe", "file", "Write the steps taken as a recipe",
                inOutput);
Text emitNeighbours("emit-neighbours", "file",
                    "Write the legal recipes that are one change away from the "
                    "recipe (JSON), and nothing else",
                    inOutput);
Text batch("batch", "file", "Make these launches one (JSON), for --emit-batch",
           inOutput);
Text emitBatch("emit-batch", "file",
               "Write the kernel for --batch (JSON), and nothing else",
               inOutput);
Text
    tuningDatabase("tuning-db", "file",
                   "Take the recipes that 'clopt tune' found to be the fastest",
                   inOutput);
Text plan("plan", "file",
          "Write a launch plan (JSON), and kernels for NDRanges of their own",
          inOutput);
Text planGroup("plan-group", "X,Y",
               "Groups of a launch plan's own NDRanges, where any will do",
               inOutput);
Text emitLauncher("emit-launcher", "file",
                  "Write a C header that carries out the launch plan",
                  inOutput);
Flag writeDependencies("MD", "Write dependencies for make", inOutput);
Text dependencyFile("MF", "file", "Where to write them (default: output.d)",
                    inOutput);
Text dependencyTarget("MT", "name", "Target of the rule (default: the output)",
                      inOutput);
Flag phonyDependencies(
    "MP", "And a rule without commands for each, but for the source", inOutput);

Texts errorOn("error-on", "what[=N]",
              "Fail when there are more than N (default 0) findings; "
              "'unvectorized' means all, a rule id those of one rule, "
              "'unanalyzed' kernels whose analysis was given up",
              inCheck);
Text errorExitCode("error-exit-code", "N",
                   "Exit code of that failure (default: 1)", inCheck);
Text baseline("baseline", "file",
              "Allow the findings in this file, fail on others", inCheck);
Text writeBaseline("write-baseline", "file",
                   "Write the findings as a new baseline", inCheck);
Flag updateBaseline("update-baseline",
                    "Write --baseline again, with the findings of now",
                    inCheck);
Text checks("checks", "patterns",
            "Findings of these rules only, as in clang-tidy: -*,clopt-race is "
            "one of them, -clopt-unvectorized-* is all but some",
            inCheck);
Flag listChecks("list-checks", "List the rules that --checks selects", inCheck);
Text explainCheck("explain-check", "rule id",
                  "Say what a rule means and what helps", inCheck);
Text format("format", "text|gcc|github|json|sarif|html",
            "Form of the findings: with the source (default), in one line, for "
            "GitHub's workflows; or a report",
            inCheck, cl::init("text"));
Flag quiet("quiet", "Print findings and errors, and nothing else", inCheck);

Flag fix("fix",
         "Write into the files what the heads of their kernels could say: the "
         "kinds of --fixes",
         inCheck);
Texts fixes("fixes", "const,local-size,restrict",
            "Print that as a unified diff, or choose for --fix: const and "
            "reqd_work_group_size where they are proved (default), restrict as "
            "a promise",
            inCheck, cl::ValueOptional, cl::CommaSeparated);

Text kernel("kernel", "name", "This kernel only (default: all)", inSkeleton);

} // namespace clopt::option
