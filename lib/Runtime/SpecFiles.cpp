//===- SpecFiles.cpp - the launch specifications of a command -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeSpecFilesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/SpecFiles.h"

#include "Runtime/JsonDocument.h"
#include "Runtime/TextFiles.h"

#include <algorithm>

namespace clopt::runtime {

std::vector<KernelSpec> loadSpecs(const VerifyOptions &options) {
  std::vector<KernelSpec> specs;
  for (const std::string &file : options.specFiles)
    for (KernelSpec &spec :
         readLaunchSpec(JsonDocument::load(file, options.inputName)))
      if (options.onlyKernel.empty() || spec.kernelName == options.onlyKernel)
        specs.push_back(std::move(spec));
  if (specs.empty() && !options.onlyKernel.empty())
    throw Error("no launch specification is of the kernel '" +
                options.onlyKernel + "'");
  for (const auto &[name, values] : options.sizes)
    if (std::none_of(specs.begin(), specs.end(),
                     [&wanted = name](const KernelSpec &spec) {
                       return spec.hasSize(wanted);
                     }))
      throw Error("no launch specification has a size '" + name + "'");
  return specs;
}

void keepStandardInput(std::vector<std::string> &specFiles,
                       const std::string &file) {
  for (std::string &name : specFiles)
    if (name == "-") {
      writeFile(file, JsonDocument::load(name).root().dump());
      name = file;
    }
}

} // namespace clopt::runtime
