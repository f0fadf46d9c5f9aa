//===- IslCoalesce.cpp - what isl coalesces is checked --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isl 0.25 coalesces
//   { [x] : x mod 3 = 2 and 2 <= x <= 5 } and { [x] : x mod 3 = 2 and x = 2 }
//   and { [x] : x mod 3 = 0 and 3 <= x <= 5 }, if the last two have loose
//   bounds (x <= 4, x <= 5),
// to a set with 6 in it. The linker leads all calls of isl_map_coalesce and
// isl_set_coalesce here, those within isl as well (--wrap in
// tools/cmake/CloptPolyhedral.cmake): where pieces with quotients become fewer,
// they are kept unless the result is the same set.
//
// Tested by test/unit/IslCoalesceTest.cpp.
//
//===----------------------------------------------------------------------===//

#include <isl/map.h>
#include <isl/set.h>

// The names that the linker gives them.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
isl_map *__real_isl_map_coalesce(isl_map *map);
isl_set *__real_isl_set_coalesce(isl_set *set);
isl_map *__wrap_isl_map_coalesce(isl_map *map);
isl_set *__wrap_isl_set_coalesce(isl_set *set);
}

/// Comparing sets does not ask for further comparisons.
static thread_local bool isChecking = false;

static bool hasQuotients(isl_set *set) {
  return isl_set_involves_locals(set) == isl_bool_true;
}

static bool hasQuotients(isl_map *map) {
  isl_set *pairs = isl_map_wrap(isl_map_copy(map));
  const bool has = hasQuotients(pairs);
  isl_set_free(pairs);
  return has;
}

isl_map *__wrap_isl_map_coalesce(isl_map *map) {
  if (isChecking || !map || isl_map_n_basic_map(map) < 2 || !hasQuotients(map))
    return __real_isl_map_coalesce(map);
  isl_map *result = __real_isl_map_coalesce(isl_map_copy(map));
  if (isl_map_n_basic_map(result) < isl_map_n_basic_map(map)) {
    isChecking = true;
    if (isl_map_is_equal(map, result) != isl_bool_true) {
      isl_map_free(result);
      result = isl_map_copy(map);
    }
    isChecking = false;
  }
  isl_map_free(map);
  return result;
}

isl_set *__wrap_isl_set_coalesce(isl_set *set) {
  if (isChecking || !set || isl_set_n_basic_set(set) < 2 || !hasQuotients(set))
    return __real_isl_set_coalesce(set);
  isl_set *result = __real_isl_set_coalesce(isl_set_copy(set));
  if (isl_set_n_basic_set(result) < isl_set_n_basic_set(set)) {
    isChecking = true;
    if (isl_set_is_equal(set, result) != isl_bool_true) {
      isl_set_free(result);
      result = isl_set_copy(set);
    }
    isChecking = false;
  }
  isl_set_free(set);
  return result;
}
// NOLINTEND(bugprone-reserved-identifier)
