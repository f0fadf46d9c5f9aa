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

cl::opt<std::string> target(
    "target", cl::value_desc("name"), cl::init("generic-gpu"),
    cl::desc("Device to optimize for: a name of --list-devices, a profile in "
             "JSON, or native for this machine's (default: generic-gpu)"),
    cl::cat(commonCategory));
cl::opt<bool> listDevices("list-devices",
                          cl::desc("List the built-in devices and stop"),
                          cl::cat(commonCategory));
cl::opt<std::string>
    alias("alias", cl::value_desc("check|none|strict"), cl::init("check"),
          cl::desc("Buffers that might overlap: check at run time (default), "
                   "promise that none do, or assume nothing"),
          cl::cat(commonCategory));
cl::opt<std::string>
    localSize("local-size", cl::value_desc("X,Y,Z"),
              cl::desc("Promise this local size for every launch"),
              cl::cat(commonCategory));
cl::opt<std::string>
    operationBudget("operation-budget", cl::value_desc("N"),
                    cl::desc("Most operations of the analysis per kernel; 0 "
                             "means no limit (default: 2000000)"),
                    cl::cat(commonCategory));
cl::opt<std::string>
    timeBudget("time-budget", cl::value_desc("seconds"),
               cl::desc("Most work for a file, counted as what takes about so "
                        "long; 0 means no limit (default: 10)"),
               cl::cat(commonCategory));
cl::opt<std::string> jobs(
    "jobs", cl::value_desc("N"),
    cl::desc(
        "Work on N files at a time, also -jN (default: one per processor)"),
    cl::cat(commonCategory));
cl::opt<std::string> configFile(
    "config-file", cl::value_desc("file"),
    cl::desc("Options of this file (default: the .clopt.yaml nearest to each "
             "source)"),
    cl::cat(commonCategory));
cl::opt<std::string> buildFolder(
    "p", cl::value_desc("folder"),
    cl::desc("Take flags from compile_commands.json in this build folder"),
    cl::cat(commonCategory));
cl::opt<bool> dumpConfig(
    "dump-config",
    cl::desc("Print the options that hold for a file as a configuration"),
    cl::cat(commonCategory));
cl::opt<bool> verifyConfig("verify-config",
                           cl::desc("Say what is wrong with configurations"),
                           cl::cat(commonCategory));
cl::opt<bool>
    verifyEach("verify-each",
               cl::desc("Like --validate=full; what is found is an error"),
               cl::cat(commonCategory));
cl::list<std::string> define("D", cl::Prefix, cl::value_desc("name[=value]"),
                             cl::desc("Define a macro"),
                             cl::cat(commonCategory),
                             cl::cat(skeletonCategory));
cl::list<std::string> includeFolder("I", cl::Prefix, cl::value_desc("folder"),
                                    cl::desc("Search a folder for includes"),
                                    cl::cat(commonCategory),
                                    cl::cat(skeletonCategory));

cl::opt<std::string> passed("Rpass", cl::value_desc("regex"),
                            cl::desc("Show what was done by matching passes"),
                            cl::cat(messageCategory));
cl::opt<std::string>
    missed("Rpass-missed", cl::value_desc("regex"),
           cl::desc("Show what matching passes could not do, and why"),
           cl::cat(messageCategory));
cl::opt<std::string> analysis("Rpass-analysis", cl::value_desc("regex"),
                              cl::desc("Show what matching passes found out"),
                              cl::cat(messageCategory));
cl::opt<std::string>
    saveRecord("fsave-optimization-record", cl::ValueOptional,
               cl::value_desc("yaml|bitstream"),
               cl::desc("Write remarks for opt-viewer and llvm-remarkutil"),
               cl::cat(messageCategory));
cl::opt<std::string>
    recordFile("foptimization-record-file", cl::value_desc("file"),
               cl::desc("Where to write them (default: after the output)"),
               cl::cat(messageCategory));
cl::opt<std::string> recordPasses("foptimization-record-passes",
                                  cl::value_desc("regex"),
                                  cl::desc("Only those of matching passes"),
                                  cl::cat(messageCategory));
cl::opt<std::string> report(
    "report", cl::value_desc("file"),
    cl::desc("Write a report in JSON, or in HTML if the name ends in .html"),
    cl::cat(messageCategory));
cl::opt<std::string>
    measurements("measurements", cl::value_desc("file"),
                 cl::desc("Show these results of 'clopt bench --json' in the "
                          "report in HTML"),
                 cl::cat(messageCategory));
cl::opt<std::string> sarif("sarif", cl::value_desc("file"),
                           cl::desc("Write findings in SARIF 2.1.0"),
                           cl::cat(messageCategory));
cl::opt<std::string>
    color("color", cl::value_desc("auto|always|never"), cl::init("auto"),
          cl::desc("Colours of messages and diffs: on terminals (default), "
                   "everywhere or nowhere"),
          cl::cat(messageCategory), cl::cat(skeletonCategory));
cl::opt<bool> verbose("v", cl::desc("Say what is being done"),
                      cl::cat(messageCategory));

cl::opt<std::string>
    output("o", cl::value_desc("file"),
           cl::desc("Where to write the result; - is standard output "
                    "(default), FOLDER/ keeps the names of files"),
           cl::cat(outputCategory), cl::cat(skeletonCategory));
cl::opt<bool> inPlace("i", cl::desc("Replace the input files"),
                      cl::cat(outputCategory));
cl::opt<bool> dryRun("dry-run", cl::desc("Do not write the optimized source"),
                     cl::cat(outputCategory));
cl::opt<bool> diff("diff",
                   cl::desc("Print the changes as a unified diff; the exit "
                            "code is that of diff"),
                   cl::cat(outputCategory));
cl::opt<bool> dumpModel("dump-model",
                        cl::desc("Print the model of every kernel"),
                        cl::cat(outputCategory));
cl::opt<bool>
    dumpPlacement("dump-placement",
                  cl::desc("Print which memory suits each array, and why"),
                  cl::cat(outputCategory));
cl::opt<std::string>
    explain("explain", cl::value_desc("kernel"), cl::ValueOptional,
            cl::desc("Print what each step is predicted to gain, and recipes "
                     "that were not taken"),
            cl::cat(outputCategory));
cl::opt<bool> dumpTree(
    "dump-tree",
    cl::desc("Print the order of every kernel's statements after all steps"),
    cl::cat(outputCategory));
cl::opt<bool> dumpAst("dump-ast",
                      cl::desc("Print the loops that are written of it"),
                      cl::cat(outputCategory));
cl::list<std::string>
    printAfter("print-after", cl::CommaSeparated, cl::value_desc("step"),
               cl::desc("Print the kernel after each of these steps of a "
                        "recipe or plan, to standard error"),
               cl::cat(outputCategory));
cl::opt<bool> printAfterAll("print-after-all",
                            cl::desc("Print the kernel after every step"),
                            cl::cat(outputCategory));
cl::opt<std::string> recipe("recipe", cl::value_desc("file"),
                            cl::desc("Take the steps in this recipe"),
                            cl::cat(outputCategory));
cl::opt<std::string>
    validate("validate", cl::value_desc("fast|full|off"), cl::init("fast"),
             cl::desc("Run what is written beside the original, "
                      "symbolically: in some launches (default), in more and "
                      "with a second check of every step, or not at all"),
             cl::cat(outputCategory));
cl::opt<std::string>
    reproducer("reproducer", cl::value_desc("folder"),
               cl::desc("Write what is needed to repeat a failed validation"),
               cl::cat(outputCategory));
cl::opt<bool>
    skipRefused("skip-refused",
                cl::desc("Leave out the steps of the recipe that are refused"),
                cl::cat(outputCategory));
cl::opt<bool> everyLaunch(
    "every-launch",
    cl::desc("Optimize launches that are too small to gain from it, too"),
    cl::cat(outputCategory));
cl::opt<bool> inlineIncludes(
    "inline-includes",
    cl::desc("Write headers in the place of the directives that include them"),
    cl::cat(outputCategory));
cl::opt<std::string> emitRecipe("emit-recipe", cl::value_desc("file"),
                                cl::desc("Write the steps taken as a recipe"),
                                cl::cat(outputCategory));
cl::opt<std::string> emitNeighbours(
    "emit-neighbours", cl::value_desc("file"),
    cl::desc("Write the legal recipes that are one change away from the recipe "
             "(JSON), and nothing else"),
    cl::cat(outputCategory));
cl::opt<std::string>
    batch("batch", cl::value_desc("file"),
          cl::desc("Make these launches one (JSON), for --emit-batch"),
          cl::cat(outputCategory));
cl::opt<std::string>
    emitBatch("emit-batch", cl::value_desc("file"),
              cl::desc("Write the kernel for --batch (JSON), and nothing else"),
              cl::cat(outputCategory));
cl::opt<std::string> tuningDatabase(
    "tuning-db", cl::value_desc("file"),
    cl::desc("Take the recipes that 'clopt tune' found to be the fastest"),
    cl::cat(outputCategory));
cl::opt<std::string> plan("plan", cl::value_desc("file"),
                          cl::desc("Write a launch plan (JSON), and kernels "
                                   "for NDRanges of their own"),
                          cl::cat(outputCategory));
cl::opt<std::string> planGroup(
    "plan-group", cl::value_desc("X,Y"),
    cl::desc("Groups of a launch plan's own NDRanges, where any will do"),
    cl::cat(outputCategory));
cl::opt<std::string>
    emitLauncher("emit-launcher", cl::value_desc("file"),
                 cl::desc("Write a C header that carries out the launch plan"),
                 cl::cat(outputCategory));
cl::opt<bool> writeDependencies("MD", cl::desc("Write dependencies for make"),
                                cl::cat(outputCategory));
cl::opt<std::string>
    dependencyFile("MF", cl::value_desc("file"),
                   cl::desc("Where to write them (default: output.d)"),
                   cl::cat(outputCategory));
cl::opt<std::string>
    dependencyTarget("MT", cl::value_desc("name"),
                     cl::desc("Target of the rule (default: the output)"),
                     cl::cat(outputCategory));
cl::opt<bool> phonyDependencies(
    "MP", cl::desc("And a rule without commands for each, but for the source"),
    cl::cat(outputCategory));

cl::list<std::string>
    errorOn("error-on", cl::value_desc("what[=N]"),
            cl::desc("Fail when there are more than N (default 0) findings; "
                     "'unvectorized' means all, a rule id those of one rule"),
            cl::cat(checkCategory));
cl::opt<std::string>
    errorExitCode("error-exit-code", cl::value_desc("N"),
                  cl::desc("Exit code of that failure (default: 1)"),
                  cl::cat(checkCategory));
cl::opt<std::string>
    baseline("baseline", cl::value_desc("file"),
             cl::desc("Allow the findings in this file, fail on others"),
             cl::cat(checkCategory));
cl::opt<std::string>
    writeBaseline("write-baseline", cl::value_desc("file"),
                  cl::desc("Write the findings as a new baseline"),
                  cl::cat(checkCategory));
cl::opt<bool>
    updateBaseline("update-baseline",
                   cl::desc("Write --baseline again, with the findings of now"),
                   cl::cat(checkCategory));
cl::opt<std::string>
    checks("checks", cl::value_desc("patterns"),
           cl::desc("Findings of these rules only, as in clang-tidy: "
                    "-*,clopt-race is one of them, -clopt-unvectorized-* is "
                    "all but some"),
           cl::cat(checkCategory));
cl::opt<bool> listChecks("list-checks",
                         cl::desc("List the rules that --checks selects"),
                         cl::cat(checkCategory));
cl::opt<std::string>
    explainCheck("explain-check", cl::value_desc("rule id"),
                 cl::desc("Say what a rule means and what helps"),
                 cl::cat(checkCategory));
cl::opt<std::string>
    format("format", cl::value_desc("text|gcc|github|json|sarif|html"),
           cl::init("text"),
           cl::desc("Form of the findings: with the source (default), in one "
                    "line, for GitHub's workflows; or a report"),
           cl::cat(checkCategory));
cl::opt<bool> quiet("quiet",
                    cl::desc("Print findings and errors, and nothing else"),
                    cl::cat(checkCategory));

cl::opt<bool>
    fix("fix",
        cl::desc("Write into the files what the heads of their kernels could "
                 "say: the kinds of --fixes"),
        cl::cat(checkCategory));
cl::list<std::string>
    fixes("fixes", cl::ValueOptional, cl::CommaSeparated,
          cl::value_desc("const,local-size,restrict"),
          cl::desc("Print that as a unified diff, or choose for --fix: const "
                   "and reqd_work_group_size where they are proved (default), "
                   "restrict as a promise"),
          cl::cat(checkCategory));

cl::opt<std::string> kernel("kernel", cl::value_desc("name"),
                            cl::desc("This kernel only (default: all)"),
                            cl::cat(skeletonCategory));

} // namespace clopt::option
