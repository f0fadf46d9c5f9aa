//===- LocalLayoutTest.cpp - local arrays laid out anew -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/memory/BankConflict.h"
#include "Planning/search/LocalKernels.h"
#include "Transform/Steps.h"

#include "KernelTesting.h"

#include <llvm/Support/Error.h>

#include <map>
#include <set>

using namespace clopt;

static std::string inGroup(const std::string &body) {
  return "__kernel __attribute__((reqd_work_group_size(64, 1, 1)))\n"
         "void f(__global int *a, __global float4 *v, int n) {\n"
         "  int l = get_local_id(0);\n" +
         body + "\n}\n";
}

static const char *const planes = "layout t planes local";
static const char *const turned = "layout t transpose local";

static Refusal refusedIn(const std::string &body, const std::string &steps,
                         const std::string &rule, const std::string &part) {
  return expectRefused(inGroup(body), steps, rule, part);
}

TEST(LocalLayoutTest, NoMoreBytesAreNeeded) {
  TestedKernel tested(
      inGroup("__local float4 t[64]; t[l] = v[l]; v[l] = t[63 - l];"));
  const uint64_t bytes = declaredLocalBytes(tested.kernel);
  ASSERT_EQ(tested.apply(planes).message, "");
  ASSERT_EQ(tested.kernel.localLayouts.size(), 1u);
  EXPECT_EQ(tested.kernel.localLayouts[0].kind, LocalLayout::Kind::Planes);
  EXPECT_EQ(declaredLocalBytes(tested.kernel), bytes);
}

TEST(LocalLayoutTest, AnySubscriptWillDo) {
  for (const char *body :
       {"__local float4 t[64]; t[a[l] & 63] = v[l];",
        "__local float4 t[64]; t[l].x = 1; t[l].y += t[63 - l].z;",
        "__local float4 t[64]; for (int s = 32; s > 0; s >>= 1) {\n"
        "  if (l < s) t[l] += t[l + s]; barrier(CLK_LOCAL_MEM_FENCE); }",
        "__local float3 t[64]; t[l] = v[l].xyz;",
        "__local uchar2 t[8][8]; t[l >> 3][l & 7].y++;"})
    expectTaken(inGroup(body), planes);
  for (const char *body :
       {"__local uchar t[64][32]; t[l][a[l] & 31] += 1;",
        "__local int t[32][64]; atomic_add(&t[a[l] & 31][l], 1);"})
    expectTaken(inGroup(body), turned);
}

TEST(LocalLayoutTest, StoresOfWholeCellsAreStatements) {
  const std::string array = "__local float4 t[64]; ";
  refusedIn(array + "float4 x = t[l] = v[l]; v[l] = x;", planes,
            "clopt-opaque-code", "within an expression");
  refusedIn("__local int4 t[64]; t[l]++;", planes, "clopt-opaque-code",
            "within an expression");
  refusedIn(array + "t[l].xy = v[l].zw;", planes, "clopt-opaque-code",
            "several components");
}

TEST(LocalLayoutTest, SubscriptsAreEvaluatedSeveralTimes) {
  refusedIn("__local float4 t[64]; int k = l; t[k = k + 1] = v[l];", planes,
            "clopt-opaque-code", "side effects");
  refusedIn("__local int4 t[64]; t[t[l].x & 63] = (int4)(1);", planes,
            "clopt-opaque-code", "comes from the array itself");
}

TEST(LocalLayoutTest, PointersIntoTheArray) {
  refusedIn("__local float4 t[64]; __local float4 *q = t; q[l] = v[l];", planes,
            "clopt-opaque-code", "as a whole");
  refusedIn("__local float4 t[64]; __local float4 *q = &t[l]; *q = v[l];",
            planes, "clopt-opaque-code", "address of a cell");
  refusedIn("__local uchar t[64][8]; __local uchar *q = t[l]; q[0] = 1;",
            turned, "clopt-opaque-code", "as a whole");
}

TEST(LocalLayoutTest, ShapesThatHaveNoSuchLayout) {
  refusedIn("__local float t[64]; t[l] = 0;", planes, "clopt-not-profitable",
            "no vectors");
  refusedIn("__local float t[64]; t[l] = 0;", turned, "",
            "which is not what the layout is for");
  refusedIn("__local float t[8][8][8]; t[0][0][l & 7] = 0;", turned,
            "clopt-not-profitable", "no rows and columns");
  refusedIn("__local float t[64][64]; t[l][0] = 0;", "layout t reverse local",
            "clopt-not-profitable", "nothing else");
  refusedIn("__local float t[64]; t[l] = 0;", "layout a planes local",
            "clopt-not-profitable", "'a' is not in local memory");
  refusedIn("__local float t[64]; t[l] = 0;", "layout a planes", "",
            "'planes' is for vectors in local memory");
}

TEST(LocalLayoutTest, OneLayoutPerArray) {
  const std::string bytes = "__local uchar t[64][32]; t[l][0] = 1;";
  const std::string cells = "__local float4 t[64]; t[l] = v[l];";
  refusedIn(bytes, std::string(turned) + "\npad t:4", "clopt-not-profitable",
            "lie in another order than its rows");
  refusedIn(bytes, std::string("pad t:4\n") + turned, "clopt-not-profitable",
            "the rows of 't' are longer than they are declared");
  refusedIn(cells, std::string(planes) + "\n" + planes, "clopt-not-profitable",
            "the components of 't' lie in planes");
}

TEST(LocalLayoutTest, LanesAndRegistersGoWithIt) {
  const std::string rows = inGroup("__local int t[32][32];\n"
                                   "for (int k = 0; k < 32; k++) t[0][k] = k;");
  expectTaken(rows, std::string(turned) + "\nvectorize k:4");
  expectTaken(rows, std::string("vectorize k:4\n") + turned);
  const std::string cell = inGroup("__local int t[64][32];\n"
                                   "for (int k = 0; k < n; k++) t[l][1] += k;");
  expectTaken(cell, std::string(turned) + "\nprivatize t");
  expectTaken(cell, std::string("privatize t\n") + turned);
  const std::string whole =
      inGroup("__local float4 t[64];\n"
              "for (int k = 0; k < n; k++) t[l] += v[k];");
  for (const char *steps : {"layout t planes local\nprivatize t",
                            "privatize t\nlayout t planes local"})
    expectRefused(whole, steps, "clopt-not-profitable",
                  "whose components lie in planes");
}

//===-- Turns -------------------------------------------------------------===//

/// Turns of the lanes 0 to 31 for accesses of `words` words each, by sets.
static unsigned turnsOfWords(const std::vector<int64_t> &first, unsigned words,
                             bool wordByWord) {
  unsigned turns = 0;
  auto serve = [&](size_t begin, size_t end, int64_t from, int64_t to) {
    std::map<int64_t, std::set<int64_t>> banks;
    size_t most = 0;
    for (size_t lane = begin; lane < end; ++lane)
      for (int64_t word = first[lane] + from; word < first[lane] + to; ++word)
        banks[word % 32].insert(word);
    for (const auto &[bank, wanted] : banks)
      most = std::max(most, wanted.size());
    turns += static_cast<unsigned>(most);
  };
  if (wordByWord)
    for (int64_t word = 0; word < words; ++word)
      serve(0, 32, word, word + 1);
  else
    for (size_t begin = 0; begin < 32; begin += 32 / words)
      serve(begin, begin + 32 / words, 0, words);
  return turns;
}

TEST(LocalLayoutTest, WideAccessesWordByWordOrInParts) {
  for (bool wordByWord : {false, true})
    for (unsigned words : {1u, 2u, 4u})
      for (int64_t stride : {1, 2, 3, 4, 5, 8, 12, 16, 17}) {
        std::vector<int64_t> first, addresses;
        for (int64_t lane = 0; lane < 32; ++lane) {
          first.push_back(lane * stride);
          addresses.push_back(lane * stride * 4);
        }
        BankShape shape;
        shape.wordByWord = wordByWord;
        EXPECT_EQ(sumTurns(addresses, words * 4, shape),
                  turnsOfWords(first, words, wordByWord))
            << wordByWord << " " << words << " " << stride;
      }
}

/// The first access to a local array, of 64 work-items side by side.
static BankConflict conflictOf(const std::string &body, const BankShape &shape,
                               const CellView &view) {
  TestedKernel tested(inGroup(body));
  for (const Access &access : tested.model->accesses)
    if (tested.model->arrays[access.array].space == AddressSpace::Local)
      return analyzeBanks(*tested.model, access, shape, view);
  return {};
}

TEST(LocalLayoutTest, F13TurnsOfVectors) {
  const std::string store = "__local float4 t[64]; t[l] = v[l];";
  BankShape parts, words;
  words.wordByWord = true;
  CellView view;
  EXPECT_EQ(conflictOf(store, parts, view).degree, 1u);
  EXPECT_EQ(conflictOf(store, parts, view).turns, 4u);
  EXPECT_EQ(conflictOf(store, words, view).degree, 4u);
  EXPECT_EQ(conflictOf(store, words, view).turns, 16u);
  view.component = 2;
  EXPECT_EQ(conflictOf(store, parts, view).turns, 4u);
  LocalLayout planes;
  planes.kind = LocalLayout::Kind::Planes;
  view.layout = &planes;
  EXPECT_EQ(conflictOf(store, parts, view).turns, 1u);
  EXPECT_EQ(conflictOf(store, words, view).turns, 1u);
}

TEST(LocalLayoutTest, F14TurnsOfRows) {
  const std::string store = "__local uchar t[64][48]; t[l][3] = 1;";
  CellView view;
  // 12 words per row: eight of them are as far as a turn around the banks.
  EXPECT_EQ(conflictOf(store, BankShape(), view).turns, 4u);
  LocalLayout turned;
  view.layout = &turned;
  EXPECT_EQ(conflictOf(store, BankShape(), view).turns, 1u);
}

static std::string chosen(const std::string &body, bool wordByWord,
                          const std::string &device = "nvidia-hopper") {
  DeviceProfile profile = llvm::cantFail(loadProfile(device));
  profile.bankWordByWord |= wordByWord;
  TestedKernel tested(inGroup(body));
  return printSteps(localLayoutSteps(tested.kernel, profile));
}

static const char *const planesChosen = "layout     t planes local\n";

/// Whole vectors side by side: no conflicts where they are served in parts,
/// four turns per word where all work-items get a word at a time.
TEST(LocalLayoutTest, F13WholeVectors) {
  const char *body = "__local float4 t[64]; t[l] = v[l];\n"
                     "barrier(CLK_LOCAL_MEM_FENCE); v[l] = t[63 - l];";
  EXPECT_EQ(chosen(body, false), "");
  EXPECT_EQ(chosen(body, true), planesChosen);
  EXPECT_EQ(chosen(body, false, "amd-cypress"), planesChosen);
  EXPECT_EQ(chosen(body, true, "cpu"), "");
}

/// One component of every vector: four words apart on all devices.
TEST(LocalLayoutTest, F13SingleComponents) {
  EXPECT_EQ(chosen("__local float4 t[64]; t[l] = v[l];\n"
                   "barrier(CLK_LOCAL_MEM_FENCE); float s = 0;\n"
                   "for (int k = 0; k < 8; k++) s += t[l ^ k].x;\n"
                   "a[l] = s;",
                   false),
            "");
  EXPECT_EQ(chosen("__local float4 t[64]; t[l] = v[l];\n"
                   "barrier(CLK_LOCAL_MEM_FENCE); float s = 0;\n"
                   "for (int k = 0; k < 8; k++) s += t[63 - l].x * a[k];\n"
                   "a[l] = s;",
                   false),
            planesChosen);
  // All work-items read the same: no turns to gain.
  EXPECT_EQ(chosen("__local float4 t[64]; t[l] = v[l];\n"
                   "barrier(CLK_LOCAL_MEM_FENCE); float s = 0;\n"
                   "for (int k = 0; k < 8; k++) s += t[k].x;\n"
                   "a[l] = s;",
                   false),
            "");
}

/// A row of bytes per work-item: 16 words apart, or side by side when turned.
TEST(LocalLayoutTest, F14RowsOfBytesAreTurned) {
  EXPECT_EQ(chosen("__local uchar t[64][64]; for (int k = 0; k < 64; k++) "
                   "t[l][k] = a[k];\n"
                   "a[l] = t[l][n & 63];",
                   false),
            "layout     t transpose local\n");
  // Words: padding does as well, unless its bytes cost a group.
  for (const auto &[cells, steps] : std::vector<std::pair<int, std::string>>{
           {8, ""}, {16, "layout     t transpose local\n"}}) {
    const std::string count = std::to_string(cells);
    EXPECT_EQ(chosen("__local int t[64][" + count + "]; for (int k = 0; k < " +
                         count + "; k++) t[l][k] = a[k];\n a[l] = t[l][n & 7];",
                     false),
              steps);
  }
  // A column here, a row there: turning changes nothing.
  EXPECT_EQ(chosen("__local uchar t[64][64]; for (int k = 0; k < 64; k++) "
                   "t[k][l] = a[k];\n barrier(CLK_LOCAL_MEM_FENCE);\n"
                   "for (int k = 0; k < 64; k++) a[k] += t[l][k];",
                   false),
            "");
}
