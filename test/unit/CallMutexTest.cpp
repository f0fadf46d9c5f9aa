//===- CallMutexTest.cpp - calls of the library from several threads ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/CallMutex.h"

#include "clopt/Clopt.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>

using namespace clopt;

namespace {

const char *const kernel = "__kernel void k(__global float *a) {\n"
                           "  a[get_global_id(0)] = 1.0f;\n"
                           "}\n";

/// What a call gives, which must not end while another one is at work.
Result callDuringAnother(const std::function<Result()> &call) {
  std::unique_lock<std::mutex> other(callMutex());
  std::future<Result> result = std::async(std::launch::async, call);
  // Many times as long as it takes.
  EXPECT_EQ(result.wait_for(std::chrono::seconds(1)),
            std::future_status::timeout);
  other.unlock();
  return result.get();
}

TEST(CallMutex, optimizing) {
  EXPECT_TRUE(
      callDuringAnother([] { return optimize("k.cl", kernel, {}); }).ok);
}

TEST(CallMutex, sketching) {
  EXPECT_TRUE(callDuringAnother([] {
                return sketchLaunches("k.cl", kernel, "", {});
              }).ok);
}

} // namespace
