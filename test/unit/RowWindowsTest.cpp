//===- RowWindowsTest.cpp - cells that aligned vectors share --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/print/RowWindows.h"
#include "Emit/frame/KernelWriter.h"

#include "KernelTesting.h"

#include <set>

using namespace clopt;

namespace {

/// Loads that note themselves: `r<first>x<count>`.
struct Loads {
  std::vector<std::pair<int64_t, unsigned>> made;
  std::string operator()(int64_t first, unsigned count) {
    made.emplace_back(first, count);
    return "r" + std::to_string(first) + "x" + std::to_string(count);
  }
};

} // namespace

static std::string joined(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

TEST(RowWindowsTest, AVectorAloneIsNotShared) {
  RowWindows windows(8);
  Polynomial row;
  windows.add(0, row, -1);
  windows.add(1, row, 0);
  windows.add(0, row, 16);
  EXPECT_FALSE(windows.isShared(0, row, -1));
  EXPECT_FALSE(windows.isShared(1, row, 0));
  EXPECT_FALSE(windows.isShared(2, row, 0));
  windows.add(0, row, 0);
  EXPECT_TRUE(windows.isShared(0, row, -1));
  EXPECT_TRUE(windows.isShared(0, row, 0));
  EXPECT_FALSE(windows.isShared(0, row, 16));
}

TEST(RowWindowsTest, NeighboursShareTheVectorBetweenThem) {
  RowWindows windows(8);
  Polynomial row;
  windows.add(0, row, -1);
  windows.add(0, row, 1);
  Loads loads;
  auto load = [&](int64_t first, unsigned count) {
    return loads(first, count);
  };
  EXPECT_EQ(joined(windows.vectorOf(0, row, -1, load)),
            "r-1x1, r0x8.s0123, r0x8.s456");
  EXPECT_EQ(joined(windows.vectorOf(0, row, 1, load)),
            "r0x8.s1234, r0x8.s567, r8x1");
  EXPECT_EQ(loads.made, (std::vector<std::pair<int64_t, unsigned>>{
                            {-1, 1}, {0, 8}, {8, 1}}));
}

/// Cells of an operand `first:count` or `first:count.s012`.
static std::vector<int64_t> cellsOf(const std::string &part) {
  size_t colon = part.find(':'), dot = part.find(".s");
  int64_t first = std::stoll(part);
  std::vector<int64_t> cells;
  if (dot == std::string::npos) {
    for (int64_t i = 0; i < std::stoll(part.substr(colon + 1)); ++i)
      cells.push_back(first + i);
    return cells;
  }
  for (char digit : part.substr(dot + 2))
    cells.push_back(first + static_cast<int64_t>(
                                std::string("0123456789abcdef").find(digit)));
  return cells;
}

/// Every cell that is read is loaded once, no other is, in aligned pieces; and
/// every vector gets its own cells, in order.
TEST(RowWindowsTest, AllPairsOfShifts) {
  for (unsigned lanes : {2u, 4u, 8u, 16u})
    for (int64_t first = -5; first <= 5; ++first)
      for (int64_t second = -20; second <= 20; ++second) {
        RowWindows windows(lanes);
        Polynomial row;
        windows.add(0, row, first);
        windows.add(0, row, second);
        std::map<int64_t, unsigned> loaded;
        auto load = [&](int64_t cell, unsigned count) {
          EXPECT_EQ(cell % count, 0);
          for (unsigned i = 0; i < count; ++i)
            ++loaded[cell + i];
          return std::to_string(cell) + ":" + std::to_string(count);
        };
        std::set<int64_t> read;
        for (int64_t begin : {first, second}) {
          std::vector<int64_t> cells, wanted;
          for (const std::string &part : windows.vectorOf(0, row, begin, load))
            for (int64_t cell : cellsOf(part))
              cells.push_back(cell);
          for (unsigned lane = 0; lane < lanes; ++lane)
            wanted.push_back(begin + lane);
          EXPECT_EQ(cells, wanted);
          read.insert(wanted.begin(), wanted.end());
        }
        EXPECT_EQ(loaded.size(), read.size());
        for (const auto &[cell, count] : loaded)
          EXPECT_TRUE(count == 1 && read.count(cell)) << cell;
      }
}

static std::string emitted(const std::string &body) {
  TestedKernel tested("__kernel void f(__global const uchar *a, __global uchar "
                      "*b, int w, int h) {\nint x = get_global_id(0), y = "
                      "get_global_id(1);\n" +
                      body + "\n}");
  Refusal refusal = tested.apply("vectorize x:8 aligned");
  EXPECT_EQ(refusal.message, "");
  LoweringError error;
  std::optional<EmittedKernel> kernel =
      emitKernel(tested.kernel, EmitOptions(), error);
  std::string text = kernel ? kernel->body : error.message;
  return text.substr(0, text.find("else"));
}

static unsigned countOf(const std::string &text, const std::string &part) {
  unsigned count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at)
    ++count;
  return count;
}

/// Declarations in a line share what they read, whatever their variables are
/// called by then.
TEST(RowWindowsTest, StatementsInALineShare) {
  std::string text =
      emitted("int c = y * w + x; uchar l = a[c - 1]; c += 1; uchar r = a[c];\n"
              "b[y * w + x] = l + r;");
  EXPECT_EQ(countOf(text, "a["), 3u) << text;
  EXPECT_EQ(countOf(text, "*(__global const uchar8 *)&a["), 1u) << text;
}

/// A store may change what was loaded.
TEST(RowWindowsTest, StoresEndALine) {
  std::string text = emitted("b[y * w + x] = a[y * w + x];\n"
                             "b[y * w + x] += a[y * w + x];");
  EXPECT_EQ(countOf(text, "*(__global const uchar8 *)&a["), 2u) << text;
}

/// What only some work-items read is not read for others.
TEST(RowWindowsTest, ReadsUnderAConditionStay) {
  std::string text = emitted("uchar l = a[y * w + x];\n"
                             "b[y * w + x] = l > 3 ? a[y * w + x + 1] : l;");
  EXPECT_EQ(countOf(text, "_r0"), 0u) << text;
}
