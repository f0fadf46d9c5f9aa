//===- RuntimeSpecFilesTest.cpp - launch specifications of a command ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/SpecFiles.h"

#include "Runtime/Error.h"

#include <gtest/gtest.h>

using namespace clopt::runtime;

namespace {

VerifyOptions ofProducts() {
  const std::string folder = std::string(CLOPT_SOURCE_DIR) + "/examples/mm/";
  VerifyOptions options;
  options.specFiles = {folder + "mm.launch.json",
                       folder + "mm_sum.launch.json"};
  return options;
}

TEST(RuntimeSpecFilesTest, AllFilesInTheirOrder) {
  const std::vector<KernelSpec> specs = loadSpecs(ofProducts());
  ASSERT_EQ(specs.size(), 2u);
  EXPECT_EQ(specs[0].kernelName, "mm");
  EXPECT_EQ(specs[1].kernelName, "mm_sum");
}

TEST(RuntimeSpecFilesTest, OneKernelAlone) {
  VerifyOptions options = ofProducts();
  options.onlyKernel = "mm_sum";
  ASSERT_EQ(loadSpecs(options).size(), 1u);
  EXPECT_EQ(loadSpecs(options)[0].kernelName, "mm_sum");
  options.onlyKernel = "nn";
  EXPECT_THROW(loadSpecs(options), Error);
}

TEST(RuntimeSpecFilesTest, SizesThatNobodyHasAreErrors) {
  VerifyOptions options = ofProducts();
  options.sizes["n"] = {4};
  EXPECT_EQ(loadSpecs(options).size(), 2u);
  options.sizes["q"] = {4};
  EXPECT_THROW(loadSpecs(options), Error);
}

TEST(RuntimeSpecFilesTest, NamedFilesStay) {
  std::vector<std::string> files{"a.json", "b.json"};
  keepStandardInput(files, "kept.json");
  EXPECT_EQ(files, (std::vector<std::string>{"a.json", "b.json"}));
}

} // namespace
