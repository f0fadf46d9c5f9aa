//===- RemarksTest.cpp - tests of the names and the text of remarks -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Remarks.h"
#include "ReportSamples.h"

#include <gtest/gtest.h>

using namespace clopt;

TEST(Remarks, clangsForm) {
  SourceTexts sources;
  sources.add("dir/copy.cl", samples::source);
  EXPECT_EQ(renderRemark(samples::remark(RemarkKind::Passed), sources, {}),
            "dir/copy.cl:2:3: remark: 4 work-items run as one vector "
            "[-Rpass=clopt-vectorize]\n"
            "    2 |   int i = get_global_id(0);\n"
            "      |   ^~~\n");
}

TEST(Remarks, theHintIsANote) {
  SourceTexts none;
  EXPECT_EQ(renderRemark(samples::remark(RemarkKind::Missed), none, {}),
            "dir/copy.cl:2:3: remark: 'a' may overlap 'b' "
            "[-Rpass-missed=clopt-vectorize] [clopt-may-alias]\n"
            "dir/copy.cl:2:3: note: add 'restrict' to 'a'\n");
}

TEST(Remarks, names) {
  EXPECT_EQ(remarkName(samples::remark(RemarkKind::Missed)), "MayAlias")
      << "from Refusals.def";
  EXPECT_EQ(remarkName(samples::remark(RemarkKind::Analysis)), "AccessPattern")
      << "made from the id";
  Remark remark;
  remark.pass = "loop-split";
  EXPECT_EQ(remarkName(remark), "LoopSplit") << "made from the pass";
  EXPECT_EQ(remarkPassName(remark), "clopt-loop-split");
  EXPECT_EQ(remarkName(Remark()), "Optimize");
  EXPECT_STREQ(remarkOption(RemarkKind::Analysis), "-Rpass-analysis");
  EXPECT_STREQ(remarkKindName(RemarkKind::Passed), "Passed");
}

TEST(Remarks, sortedByPlaceWithoutRepetitions) {
  Remark first = samples::remark(RemarkKind::Passed);
  Remark later = samples::remark(RemarkKind::Missed);
  later.location.line = 4;
  Remark other = first;
  other.message = "something else at the same place";
  std::vector<Remark> remarks = {later, first, other, first, later};
  sortRemarks(remarks);
  ASSERT_EQ(remarks.size(), 3u);
  EXPECT_EQ(remarks[0].message, first.message);
  EXPECT_EQ(remarks[1].message, other.message);
  EXPECT_EQ(remarks[2].message, later.message);
}
