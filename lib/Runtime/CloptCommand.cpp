//===- CloptCommand.cpp - having a kernel file optimized ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/CloptCommand.h"

#include "Runtime/Error.h"
#include "Runtime/Launch.h"

namespace clopt::runtime {

std::vector<std::string> cloptCommand(const VerifyOptions &options,
                                      const std::vector<std::string> &arguments,
                                      const std::vector<std::string> &flags) {
  std::vector<std::string> command{
      options.cloptPath.empty() ? findSibling("clopt") : options.cloptPath,
      options.kernelFile};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.insert(command.end(), options.cloptArguments.begin(),
                 options.cloptArguments.end());
  command.emplace_back("--");
  command.insert(command.end(), flags.begin(), flags.end());
  return command;
}

ProcessResult runClopt(const VerifyOptions &options,
                       const std::vector<std::string> &arguments,
                       const std::vector<std::string> &flags) {
  const std::vector<std::string> command =
      cloptCommand(options, arguments, flags);
  ProcessResult result = runProcess(command);
  if (!result.succeeded())
    throw Error("'" + command[0] + "' failed with " + result.status() +
                " on '" + options.kernelFile + "'\n" + result.output);
  return result;
}

std::vector<std::string> flagsAt(const KernelSpec &spec, const SizePoint &point,
                                 const VerifyOptions &options) {
  return launchFlags(options, spec, bindNames(spec, point));
}

} // namespace clopt::runtime
