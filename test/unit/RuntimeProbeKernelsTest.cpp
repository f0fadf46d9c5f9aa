//===- RuntimeProbeKernelsTest.cpp - the kernels of a probe ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/ProbeKernels.h"

#include <gtest/gtest.h>

#include <set>

using namespace clopt::runtime;

namespace {

std::vector<ProbeKernel> allKernels() {
  std::vector<ProbeKernel> all{sumKernel(),    divergenceKernel(),
                               spreadKernel(), barrierKernel(),
                               emptyKernel(),  liveKernel(8)};
  for (ProbedMemory memory : {ProbedMemory::Global, ProbedMemory::Constant,
                              ProbedMemory::Local, ProbedMemory::Image})
    all.push_back(chaseKernel(memory));
  for (unsigned width : {1, 4})
    all.push_back(copyKernel("uint", width, 0));
  all.push_back(copyKernel("uint", 4, 1));
  for (const char *pattern :
       {"contiguous", "reversed", "shuffled", "scattered"})
    all.push_back(gatherKernel(pattern));
  for (const ProbedOperation &operation : probedOperations())
    for (unsigned chains : {1, 4})
      all.push_back(operationKernel(operation, chains));
  return all;
}

TEST(RuntimeProbeKernelsTest, EveryPlaceOfATemplateIsFilled) {
  std::set<std::string> names;
  for (const ProbeKernel &kernel : allKernels()) {
    EXPECT_EQ(kernel.source.find('$'), std::string::npos) << kernel.source;
    EXPECT_NE(kernel.source.find("__kernel void " + kernel.name + "("),
              std::string::npos)
        << kernel.source;
    EXPECT_TRUE(names.insert(kernel.name).second) << kernel.name;
  }
}

TEST(RuntimeProbeKernelsTest, CopiesAreOneStatement) {
  EXPECT_EQ(copyKernel("uchar", 4, 0).source,
            "__kernel void copy_uchar4(__global uchar4 *to, __global const "
            "uchar4 *from) {\n"
            "  const size_t i = get_global_id(0);\n"
            "  to[i] = from[i];\n"
            "}\n");
  EXPECT_NE(
      copyKernel("uint", 4, 1)
          .source.find("to[i] = vload4(i, (__global const uint *)from + 1);"),
      std::string::npos);
}

TEST(RuntimeProbeKernelsTest, ChainsHaveValuesOfTheirOwn) {
  const ProbedOperation exp{"exp", "float", "exp(x) + x"};
  const std::string text = operationKernel(exp, 2).source;
  EXPECT_NE(text.find(" x0 = exp(x0) + x0; x1 = exp(x1) + x1;"),
            std::string::npos)
      << text;
}

} // namespace
