//===- IslVersionTest.cpp - the right isl is linked -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libLLVM exports the isl that Polly carries. If the link order ever lets that one in,
// the headers and the library disagree without any warning. This executable is linked as
// clopt is, and uses LLVM so that the linker does not leave it out.
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
  std::string Version = isl_version();
  EXPECT_NE(Version.find("GMP"), std::string::npos) << Version;
  EXPECT_EQ(Version.find("IMath"), std::string::npos) << Version;
  EXPECT_EQ(Version.rfind("isl-0.25", 0), 0u) << Version;
}

TEST(IslVersionTest, IsNotTheOneOfLibLLVM) {
  EXPECT_FALSE(llvm::sys::getDefaultTargetTriple().empty());
  // libLLVM's isl is what the dynamic linker offers; ours is hidden and is called.
  void *Exported = dlsym(RTLD_DEFAULT, "isl_ctx_alloc");
  EXPECT_NE(Exported, nullptr) << "libLLVM is not loaded";
  EXPECT_NE(Exported, reinterpret_cast<void *>(&isl_ctx_alloc));
}

TEST(VersionTest, NamesEveryLibrary) {
  std::string Text = fullVersionString();
  EXPECT_EQ(Text.rfind(std::string("clopt ") + versionString(), 0), 0u);
  EXPECT_NE(Text.find(islVersionString() + ", PPL "), std::string::npos);
  EXPECT_NE(Text.find(std::string("LLVM ") + llvmVersionString()),
            std::string::npos);
  EXPECT_EQ(Text.find('\n'), std::string::npos);
}

TEST(VersionTest, PplAnswersWithItsNumber) {
  EXPECT_EQ(pplVersionString().rfind("1.", 0), 0u) << pplVersionString();
}
