//===- IslCoalesceTest.cpp - sets stay the same when coalesced ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <isl/cpp.h>

#include <isl/map.h>
#include <isl/union_map.h>

#include <gtest/gtest.h>

#include <memory>

namespace {

struct Context {
  std::unique_ptr<isl_ctx, decltype(&isl_ctx_free)> owner{isl_ctx_alloc(),
                                                          isl_ctx_free};
  isl::ctx ctx{owner.get()};
};

// { [p] -> A[t + 2] } of rows that begin and end with v and have every third
// t; bounds are loose once v is gone.
isl::map cells(isl::ctx ctx) {
  isl::map all(ctx, "[n] -> { S[p, v, t] -> A[2 + t] : t mod 3 = 0 and 0 <= p "
                    "< n and 0 < v <= 2 and 0 <= t <= 3; S[p, v = 3, t] -> "
                    "A[2 + t] : (t - 1) mod 3 = 0 and 0 <= p < n and 0 < t <= "
                    "3; S[p, v = 0, t] -> A[2 + t] : t mod 3 = 0 and 0 <= p < "
                    "n and 0 <= t <= 2 }");
  return isl::manage(isl_map_project_out(all.release(), isl_dim_in, 1, 2));
}

} // namespace

TEST(IslCoalesceTest, PiecesWithQuotientsStayTheSameMap) {
  Context context;
  const isl::map all = cells(context.ctx);
  const isl::map coalesced =
      isl::manage(isl_map_coalesce(isl_map_copy(all.get())));
  EXPECT_TRUE(coalesced.is_equal(all));
  const isl::map six(context.ctx, "[n] -> { [p] -> A[6] }");
  EXPECT_TRUE(coalesced.intersect(six).is_empty());
}

TEST(IslCoalesceTest, SoDoSetsAndUnions) {
  Context context;
  const isl::map all = cells(context.ctx);
  EXPECT_TRUE(all.range().coalesce().is_equal(all.range()));
  EXPECT_TRUE(all.wrap().coalesce().is_equal(all.wrap()));
  const isl::union_map any = all.to_union_map();
  EXPECT_TRUE(any.coalesce().is_equal(any));
}

TEST(IslCoalesceTest, OthersBecomeFewer) {
  Context context;
  auto pieces = [&](const char *text) {
    return isl::set(context.ctx, text).coalesce().n_basic_set();
  };
  EXPECT_EQ(pieces("{ [x] : 0 <= x <= 3; [x] : 4 <= x <= 9 }"), 1u);
  EXPECT_EQ(pieces("{ [x] : x mod 2 = 0 and 0 <= x <= 4; "
                   "[x] : x mod 2 = 0 and 6 <= x <= 9 }"),
            1u);
}
