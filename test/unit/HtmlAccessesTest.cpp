//===- HtmlAccessesTest.cpp - tests of pictures of requests --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/html/HtmlAccesses.h"

#include "ReportSamples.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

std::string accessesPage(const std::vector<AccessReport> &accesses,
                         bool onlyFindings = false) {
  KernelReport kernel;
  kernel.accesses = accesses;
  HtmlWriter html;
  writeAccesses(html, "f1", kernel, onlyFindings);
  return html.take();
}

size_t countOf(const std::string &part, const std::string &text) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1))
    ++count;
  return count;
}

AccessReport drawn(AccessReport access, int64_t stride, unsigned banks = 0) {
  access.request.emplace();
  access.request->lanes = 32;
  access.request->bytes = 4;
  access.request->unitBytes = banks ? 4 : 32;
  access.request->banks = banks;
  for (int64_t lane = 0; lane < 32; ++lane)
    access.request->addresses.push_back(lane * stride);
  return access;
}

} // namespace

TEST(HtmlAccesses, withoutRequestsThereIsNothing) {
  EXPECT_EQ(accessesPage({}), "");
  EXPECT_EQ(accessesPage({samples::forwardAccess()}), "");
}

TEST(HtmlAccesses, theWorstComesFirst) {
  std::string page = accessesPage(
      {drawn(samples::forwardAccess(), 4), drawn(samples::stridedAccess(), 8)});
  EXPECT_EQ(countOf("<svg", page), 2u);
  EXPECT_LT(page.find("a[2 * i]"), page.find("b[i]"));
  EXPECT_EQ(countOf("8 transactions of 32 bytes, 4 would do; 50 % of", page),
            1u);
  EXPECT_EQ(countOf("2 accesses, 1 that could be", page), 1u);
  EXPECT_EQ(countOf("href=\"#f1-L3\"", page), 2u);
}

TEST(HtmlAccesses, thoseThatLookAlikeShareAPicture) {
  const AccessReport one = drawn(samples::stridedAccess(), 8);
  std::string page = accessesPage({one, one});
  EXPECT_EQ(countOf("<svg", page), 1u);
  EXPECT_EQ(countOf("writes <code>a[2 * i]</code>", page), 2u);
}

TEST(HtmlAccesses, banks) {
  AccessReport access = drawn(samples::stridedAccess(), 8, 32);
  access.transactions = 2;
  access.idealTransactions = 1;
  std::string page = accessesPage({access});
  EXPECT_EQ(countOf("2 turns of 32 banks, one would do", page), 1u);
  // A box for every word, one for every bank.
  EXPECT_EQ(countOf("<rect", page), 64u);
}

TEST(HtmlAccesses, ofChecks) {
  std::string page = accessesPage(
      {drawn(samples::forwardAccess(), 4), drawn(samples::stridedAccess(), 8)},
      true);
  EXPECT_EQ(countOf("<svg", page), 1u);
  EXPECT_EQ(page.find("b[i]"), std::string::npos);
}

TEST(HtmlAccesses, partsThatTouchAreOneRectangle) {
  // 32 work-items, and of 4 segments the background, what is wanted, a frame.
  EXPECT_EQ(
      countOf("<rect", accessesPage({drawn(samples::forwardAccess(), 4)})),
      32u + 3 * 4);
  EXPECT_EQ(
      countOf("<path", accessesPage({drawn(samples::forwardAccess(), 4)})), 4u);
}
