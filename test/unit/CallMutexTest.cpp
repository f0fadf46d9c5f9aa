//===- CallMutexTest.cpp - calls of the library from several threads ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clopt/Clopt.h"

#include <gtest/gtest.h>

#include <thread>

using namespace clopt;

namespace {

std::string kernelOf(unsigned step) {
  return "__kernel void k(__global float *restrict a, __global const float "
         "*restrict b, int n) {\n"
         "  int i = get_global_id(0);\n"
         "  float sum = 0.0f;\n"
         "  for (int j = 0; j < n; j += " +
         std::to_string(step) +
         ")\n"
         "    sum += b[j * n + i];\n"
         "  a[i] = sum;\n"
         "}\n";
}

TEST(CallMutex, threadsTakeTurns) {
  Options options;
  options.target = "cpu";
  std::vector<std::string> sources, expected;
  for (unsigned step = 1; step <= 4; ++step) {
    sources.push_back(kernelOf(step));
    expected.push_back(optimize("k.cl", sources.back(), options).output);
    EXPECT_NE(expected.back(), sources.back()) << "nothing is done";
  }
  std::vector<std::string> outputs(sources.size());
  std::vector<size_t> skeletons(sources.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < sources.size(); ++i)
    threads.emplace_back([&, i] {
      outputs[i] = optimize("k.cl", sources[i], options).output;
      skeletons[i] =
          sketchLaunches("k.cl", sources[i], "", options).skeletons.size();
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(outputs, expected);
  EXPECT_EQ(skeletons, std::vector<size_t>(sources.size(), 1));
}

} // namespace
