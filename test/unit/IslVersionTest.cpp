//===- IslVersionTest.cpp - the right isl is linked -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libLLVM exports the isl that Polly carries. If the link order ever lets that
// one in, the headers and the library disagree without any warning. This
// executable is linked as clopt is, and uses LLVM so that the linker does not
// leave it out.
//
//===----------------------------------------------------------------------===//

#include "Support/Version.h"

#include <gtest/gtest.h>
#include <isl/ctx.h>
#include <isl/version.h>
#include <llvm/TargetParser/Host.h>

#include <dlfcn.h>

using namespace clopt;

TEST(IslVersionTest, IsTheOneWithGmp) {
  std::string version = isl_version();
  EXPECT_NE(version.find("GMP"), std::string::npos) << version;
  EXPECT_EQ(version.find("IMath"), std::string::npos) << version;
  EXPECT_EQ(version.rfind("isl-0.25", 0), 0u) << version;
}

TEST(IslVersionTest, IsNotTheOneOfLibLLVM) {
  EXPECT_FALSE(llvm::sys::getDefaultTargetTriple().empty());
  // libLLVM's isl is what the dynamic linker offers; ours is hidden and is
  // called.
  void *exported = dlsym(RTLD_DEFAULT, "isl_ctx_alloc");
  EXPECT_NE(exported, nullptr) << "libLLVM is not loaded";
  EXPECT_NE(exported, reinterpret_cast<void *>(&isl_ctx_alloc));
}

TEST(VersionTest, NamesEveryLibrary) {
  std::string text = fullVersionString();
  EXPECT_EQ(text.rfind(std::string("clopt ") + versionString(), 0), 0u);
  EXPECT_NE(text.find(islVersionString() + ", PPL "), std::string::npos);
  EXPECT_NE(text.find(std::string("LLVM ") + llvmVersionString()),
            std::string::npos);
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST(VersionTest, PplAnswersWithItsNumber) {
  EXPECT_EQ(pplVersionString().rfind("1.", 0), 0u) << pplVersionString();
}
