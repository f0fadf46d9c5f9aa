//===- RuntimePlanDigestTest.cpp - SHA-256 without LLVM -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/PlanDigest.h"

#include <gtest/gtest.h>

using clopt::planDigest;

TEST(RuntimePlanDigestTest, KnownDigests) {
  EXPECT_EQ(planDigest(""), "e3b0c44298fc1c149afbf4c8996fb924"
                            "27ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(planDigest("abc"), "ba7816bf8f01cfea414140de5dae2223"
                               "b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(planDigest(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67"
            "f1809a48a497200e046d39ccc7112cd0");
  // One more block is needed from 56 bytes on.
  EXPECT_EQ(
      planDigest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
      "248d6a61d20638b8e5c026930c3e6039"
      "a33ce45964ff2167f6ecedd419db06c1");
}
