//===- LaunchNames.h - what is asked of the launch, in the text -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes and offsets of the application's launch are asked of OpenCL, unless the
// kernel is for an NDRange of its own and takes them as arguments.
//
// Tested by test/unit/PlannedKernelTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_LAUNCHNAMES_H
#define CLOPT_EMIT_LAUNCHNAMES_H

#include "Model/ExprPrinter.h"

#include <map>
#include <string>
#include <utility>

namespace clopt {

struct LaunchNames {
  /// What arguments say.
  std::map<std::pair<WorkItemQuery, unsigned>, std::string> arguments;
  /// Variables that hold parameters of the model which are quotients, by the
  /// names of these.
  std::map<std::string, std::string> quotients;

  std::string text(WorkItemQuery query, unsigned dim) const {
    auto argument = arguments.find({query, dim});
    return argument == arguments.end() ? printWorkItem(query, dim)
                                       : argument->second;
  }
};

} // namespace clopt

#endif // CLOPT_EMIT_LAUNCHNAMES_H
