//===- GroupTilesOracleTest.cpp - tiles of groups, by enumeration ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose groups share tiles are written, parsed again and interpreted
// for many small launches: every logical work-item must be done exactly once,
// whatever the sizes of the range, of the groups and of the tiles are. And for
// sections in local memory: every access, in every tile, must find its cell in
// the box, at the place that is printed for it.
//
//===----------------------------------------------------------------------===//

#include "../unit/KernelTesting.h"
#include "KernelInterpreter.h"

#include "Emit/body/ArrayTiles.h"
#include "Emit/frame/KernelWriter.h"

#include <isl/map.h>
#include <isl/set.h>

#include <set>

using namespace clopt;
using namespace clopt::test;

//===-- Which work-item does what
//--------------------------------------------===//

namespace {

/// A kernel in which every work-item adds one to a cell of its own, if `guard`
/// lets it, and what clopt writes for it.
class Tiled {
public:
  Tiled(unsigned dims, const std::string &guard, const std::string &steps,
        unsigned computeUnits)
      : rank(dims) {
    static const char *const heads[] = {
        "", "int x = get_global_id(0);\n",
        "int x = get_global_id(0), y = get_global_id(1);\n",
        ("int x = get_global_id(0), y = get_global_id(1),\n"
         "  z = get_global_id(2);\n")};
    static const char *const cells[] = {"", "x", "y * w + x",
                                        "(z * h + y) * w + x"};
    std::string head = "__kernel void f(__global int *hits, int w, int h) ";
    std::string source = head + "{\n" + heads[rank] + guard + "hits[" +
                         cells[rank] + "] += 1;\n}\n";
    TestedKernel tested(source);
    EXPECT_EQ(tested.apply(steps).message, "") << steps;
    EmitOptions options;
    options.computeUnits = computeUnits;
    LoweringError error;
    std::optional<EmittedKernel> emitted =
        emitKernel(tested.kernel, options, error);
    EXPECT_TRUE(emitted) << steps << guard << error.message;
    text = emitted ? head + emitted->body : source;
    parsed = parseOpenCL("emitted.cl", text, {});
  }

  /// How often each work-item was done, by its id.
  std::map<std::array<int64_t, 3>, unsigned> done(const Launch &launch) const {
    int64_t w = launch.arguments.at("w"), h = launch.arguments.at("h");
    std::map<std::array<int64_t, 3>, unsigned> counts;
    for (const Event &event : interpret(*parsed.unit->functions[0], launch)) {
      if (event.kind != Event::Kind::Write || !event.isPointee)
        continue;
      for (int64_t cell = event.offset / 4;
           cell < (event.offset + event.size) / 4; ++cell)
        ++counts[{rank > 1 ? cell % w : cell,
                  rank > 2   ? cell / w % h
                  : rank > 1 ? cell / w
                             : 0,
                  rank > 2 ? cell / w / h : 0}];
    }
    return counts;
  }

  ParseResult parsed;
  std::string text;

private:
  unsigned rank;
};

struct Shape {
  std::array<int64_t, 3> groups, local, offset;
};

} // namespace

/// Everybody whose `runs` holds is done once, everybody else never.
static void expectOnce(unsigned rank, const std::string &guard,
                       const std::string &steps,
                       const std::vector<Shape> &shapes,
                       bool (*runs)(const std::array<int64_t, 3> &),
                       unsigned computeUnits = 1) {
  Tiled tiled(rank, guard, steps, computeUnits);
  ASSERT_TRUE(tiled.parsed.unit) << tiled.text;
  for (const Shape &shape : shapes) {
    Launch launch;
    launch.localSize = shape.local;
    launch.globalOffset = shape.offset;
    for (unsigned d = 0; d < 3; ++d)
      launch.globalSize[d] = shape.groups[d] * shape.local[d];
    launch.arguments["w"] = launch.globalSize[0] + shape.offset[0];
    launch.arguments["h"] = launch.globalSize[1] + shape.offset[1];
    std::map<std::array<int64_t, 3>, unsigned> expected;
    for (int64_t z = 0; z < launch.globalSize[2]; ++z)
      for (int64_t y = 0; y < launch.globalSize[1]; ++y)
        for (int64_t x = 0; x < launch.globalSize[0]; ++x) {
          std::array<int64_t, 3> id{x + shape.offset[0], y + shape.offset[1],
                                    z + shape.offset[2]};
          if (runs(id))
            expected[id] = 1;
        }
    EXPECT_EQ(tiled.done(launch), expected)
        << steps << " groups " << shape.groups[0] << "x" << shape.groups[1]
        << " of " << shape.local[0] << "x" << shape.local[1] << "\n"
        << tiled.text;
    if (::testing::Test::HasFailure())
      return;
  }
}

static bool everybody(const std::array<int64_t, 3> &) { return true; }

/// F25.
TEST(GroupTilesOracleTest, EveryWorkItemOfALineIsDoneOnce) {
  std::vector<Shape> shapes;
  for (int64_t local : {1, 2, 3, 4, 7, 8, 16, 19})
    for (int64_t groups : {1, 2, 5})
      for (int64_t offset : {0, 3})
        shapes.push_back({{groups, 1, 1}, {local, 1, 1}, {offset, 0, 0}});
  for (const char *steps :
       {"tile x:8", "tile x:3", "coarsen x:2\ntile x:8",
        "coarsen x:3 stride\ntile x:12", "vectorize x:4\ntile x:16",
        "vectorize x:2\ncoarsen x:2 stride\ntile x:12",
        "coarsen x:8\ntile x:8"}) {
    expectOnce(1, "", steps, shapes, everybody);
    expectOnce(1, "if (x >= 2 && x < 11) ", steps, shapes,
               [](const std::array<int64_t, 3> &id) {
                 return id[0] >= 2 && id[0] < 11;
               });
  }
}

TEST(GroupTilesOracleTest, EveryWorkItemOfAPlaneIsDoneOnce) {
  std::vector<Shape> shapes;
  for (auto [x, y] : std::vector<std::pair<int64_t, int64_t>>{
           {1, 1}, {1, 4}, {6, 5}, {8, 1}, {4, 4}, {3, 2}, {11, 1}})
    for (auto [m, n] :
         std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {3, 2}, {1, 5}})
      shapes.push_back({{m, n, 1}, {x, y, 1}, {m == 3 ? 2 : 0, n - 1, 0}});
  for (const char *steps :
       {"tile x:4 y:4", "tile x:4", "tile y:3", "coarsen y:2\ntile x:4 y:4",
        "coarsen x:2 stride\ntile x:8 y:2",
        "coarsen x:2 y:2 stride\ntile x:4 y:6", "vectorize x:4\ntile x:8 y:2",
        "coarsen x:2\ntile y:4", "coarsen y:4\ntile x:3 y:4"}) {
    expectOnce(2, "", steps, shapes, everybody);
    expectOnce(2, "if (x + y < 12 && y > 0) ", steps, shapes,
               [](const std::array<int64_t, 3> &id) {
                 return id[0] + id[1] < 12 && id[1] > 0;
               });
  }
}

TEST(GroupTilesOracleTest, EveryWorkItemOfAVolumeIsDoneOnce) {
  std::vector<Shape> shapes;
  for (const std::array<int64_t, 3> &local :
       {std::array<int64_t, 3>{2, 2, 2}, {5, 1, 1}, {1, 2, 3}, {4, 3, 1}})
    for (const std::array<int64_t, 3> &groups :
         {std::array<int64_t, 3>{1, 1, 1}, {2, 1, 3}, {1, 2, 1}})
      shapes.push_back({groups, local, {0, 1, 0}});
  for (const char *steps :
       {"tile x:2 y:2 z:2", "tile x:4 z:3", "coarsen z:2\ntile x:2 y:2 z:4",
        "coarsen y:2\ntile x:3"})
    expectOnce(3, "", steps, shapes, everybody);
}

TEST(GroupTilesOracleTest, SmallerTilesForMoreComputeUnits) {
  std::vector<Shape> shapes;
  for (int64_t local : {64, 130})
    for (int64_t groups : {1, 3})
      shapes.push_back({{groups, 1, 1}, {local, 1, 1}, {0, 0, 0}});
  for (unsigned units : {2u, 5u, 16u})
    for (const char *steps :
         {"tile x:256", "tile x:200", "coarsen x:2\ntile x:512"})
      expectOnce(1, "", steps, shapes, everybody, units);
}

//===-- Where cells lie within sections
//--------------------------------------===//

namespace {

using Values = std::map<SymbolId, int64_t>;

int64_t evaluate(const Polynomial &poly, const Values &values) {
  int64_t result = 0;
  for (const auto &[monomial, factor] : poly.terms) {
    int64_t product = factor;
    for (SymbolId symbol : monomial)
      product *= values.at(symbol);
    result += product;
  }
  return result;
}

/// One tile of a group and of a loop, for one section.
class SectionCheck {
public:
  SectionCheck(const TestedKernel &kernel, const ArrayTile &section,
               const Values &parameters)
      : tested(kernel), model(*kernel.model), tile(section),
        values(parameters) {}

  /// First ids of the group's tile, how many it has, the first iteration.
  void check(const Values &firstIds, const std::map<unsigned, int64_t> &counts,
             int64_t firstIteration) {
    first = firstIds;
    if (tile.loop)
      first[model.loops[*tile.loop].iterator] = firstIteration;
    extents.clear();
    total = 1;
    for (unsigned d = 0; d < tile.extents.size(); ++d) {
      int64_t cells = tile.extents[d].constant;
      for (const auto &[dim, count] : counts)
        cells += tile.extents[d].perId[dim] * count;
      EXPECT_LE(cells, tile.largest(tested.kernel, d));
      extents.push_back(cells);
      total *= cells;
    }
    used.clear();
    for (unsigned id : tile.accesses)
      checkAccess(model.accesses[id], counts);
    int64_t low = 0, high = 0;
    for (unsigned d = 0; d < extents.size(); ++d) {
      low = low * extents[d] + tile.skipFirst[d];
      high = high * extents[d] + tile.skipLast[d];
    }
    ASSERT_FALSE(used.empty());
    EXPECT_EQ(*used.begin(), low) << "the first cell that is copied";
    EXPECT_EQ(*used.rbegin(), total - 1 - high) << "the last one";
    if (tile.copyOut) {
      EXPECT_EQ(static_cast<int64_t>(used.size()), total)
          << "cells that are copied out but not written";
    }
  }

  unsigned compared = 0;

private:
  void checkAccess(const Access &access,
                   const std::map<unsigned, int64_t> &counts) {
    const Statement &statement = model.statements[access.statement];
    isl_set *set = statement.domain.copy();
    for (const auto &[symbol, value] : values) {
      std::string name = model.symbols.name(symbol);
      int at = isl_set_find_dim_by_name(set, isl_dim_param, name.c_str());
      if (at >= 0)
        set = isl_set_fix_si(set, isl_dim_param, at, static_cast<int>(value));
    }
    Values point;
    walk(access, statement, 0, isl::manage(set), counts, point);
  }

  /// All instances that belong to the tile.
  void walk(const Access &access, const Statement &statement, unsigned position,
            const isl::set &set, const std::map<unsigned, int64_t> &counts,
            Values &point) {
    if (set.is_empty())
      return;
    if (position == statement.coordinates.size())
      return compare(access, point, set);
    SymbolId symbol = statement.coordinates[position];
    int64_t low = -3, high = 20;
    if (model.symbols[symbol].kind == SymbolKind::GlobalId) {
      low = first.at(symbol);
      high = low + counts.at(model.symbols[symbol].dim) - 1;
    } else if (tile.loop && model.loops[*tile.loop].iterator == symbol) {
      const Loop &loop = model.loops[*tile.loop];
      low = first.at(symbol);
      high = low +
             (findLoop(tested.kernel.tree, *tile.loop)->tile - 1) * loop.step;
    }
    for (int64_t value = low; value <= high; ++value) {
      point[symbol] = value;
      isl::set part = isl::manage(isl_set_fix_si(set.copy(), isl_dim_set,
                                                 static_cast<int>(position),
                                                 static_cast<int>(value)));
      walk(access, statement, position + 1, part, counts, point);
    }
    point.erase(symbol);
  }

  void compare(const Access &access, const Values &point,
               const isl::set &instance) {
    Values real = values, base = values, relative = values;
    for (const auto &[symbol, value] : point) {
      auto it = first.find(symbol);
      real[symbol] = value;
      base[symbol] = it == first.end() ? value : it->second;
      relative[symbol] = it == first.end() ? value : value - it->second;
    }
    isl::set cell = instance.apply(access.relation);
    int64_t flat = 0;
    for (unsigned d = 0; d < extents.size(); ++d) {
      int64_t subscript = evaluate(access.subscripts[d], real);
      int64_t place =
          evaluate(relativeSubscript(model, tile, access, d), relative);
      EXPECT_EQ(place, subscript - evaluate(tile.base[d], base));
      EXPECT_GE(place, 0);
      EXPECT_LT(place, extents[d]);
      cell = isl::manage(isl_set_fix_si(cell.release(), isl_dim_set,
                                        static_cast<int>(d),
                                        static_cast<int>(subscript)));
      flat = flat * extents[d] + place;
    }
    EXPECT_FALSE(cell.is_empty()) << "not the cell of the model";
    used.insert(flat);
    ++compared;
  }

  const TestedKernel &tested;
  const KernelModel &model;
  const ArrayTile &tile;
  Values values, first;
  std::vector<int64_t> extents;
  int64_t total = 1;
  std::set<int64_t> used;
};

} // namespace

/// All sections, for a few places of the tile and all its sizes along the
/// dimension that the launch decides on.
static void expectSections(const std::string &body, const std::string &steps,
                           unsigned sections) {
  TestedKernel tested(kernelOf(body));
  ASSERT_EQ(tested.apply(steps).message, "") << body;
  ASSERT_EQ(tested.kernel.tiles.size(), sections);
  const KernelModel &model = *tested.model;
  Values parameters;
  for (SymbolId id = 0; id < model.symbols.size(); ++id) {
    SymbolKind kind = model.symbols[id].kind;
    if (kind == SymbolKind::Param)
      parameters[id] = model.symbols.name(id) == "n" ? 40 : 37;
    else if (kind == SymbolKind::GlobalSize)
      parameters[id] = 64;
    else if (kind == SymbolKind::GlobalOffset)
      parameters[id] = 0;
  }
  for (const ArrayTile &tile : tested.kernel.tiles)
    for (int64_t start : {2, 9}) {
      std::optional<unsigned> adaptive = tested.kernel.adaptiveDimension();
      ASSERT_TRUE(adaptive);
      for (unsigned threads = 1;
           threads <= tested.kernel.work[*adaptive].threads(); ++threads) {
        Values ids;
        std::map<unsigned, int64_t> counts;
        for (unsigned d = 0; d < model.ndrange.rank; ++d) {
          const WorkDimension &work = tested.kernel.work[d];
          counts[d] = *adaptive == d  ? threads * work.total()
                      : work.groupIds ? work.groupIds
                                      : work.total();
          if (auto id = model.symbols.find(SymbolKind::GlobalId, d))
            ids[*id] = start + d;
        }
        SectionCheck check(tested, tile, parameters);
        check.check(ids, counts, tile.loop ? 4 : 0);
        EXPECT_GT(check.compared, 0u);
        if (::testing::Test::HasFailure()) {
          ADD_FAILURE() << body << "\n" << steps;
          return;
        }
      }
    }
}

static const char *const line = "int i = get_global_id(0);\n";
static const char *const plane =
    "int x = get_global_id(0), y = get_global_id(1);\n";

TEST(GroupTilesOracleTest, SectionsOfLinesHoldTheCellsOfAllAccesses) {
  expectSections(std::string(line) + "r[i] = s[i];", "tile i:5\nstage s", 1);
  expectSections(std::string(line) + "r[i] = s[3 * i + 1] + s[3 * i - 4];",
                 "tile i:5\nstage s", 1);
  expectSections(std::string(line) + "r[i] = s[i];",
                 "coarsen i:2 stride\ntile i:6\nstage s r", 2);
  expectSections(std::string(line) +
                     "float t = 0;\nfor (int d = -2; d <= 2; d++)\n"
                     "  t += s[2 * i - d];\nr[i] = t;",
                 "tile i:4\nstage s", 1);
}

TEST(GroupTilesOracleTest, SectionsOfTiledLoops) {
  const std::string sum = "float t = 0;\nfor (int k = 0; k < n; k++)\n  ";
  expectSections(std::string(line) + sum + "t += s[i * n + k];\nr[i] = t;",
                 "tile i:4\ntile k:4\nstage s", 1);
  expectSections(std::string(line) + sum + "t += s[i + n - k];\nr[i] = t;",
                 "tile i:4\ntile k:4\nstage s", 1);
  expectSections(std::string(line) +
                     "float t = 0;\nfor (int k = 0; k < n; k += 2)\n"
                     "  for (int d = 1; d < 4; d++) t += s[k + 2 * d] * "
                     "s[n - k - d];\nr[i] = t;",
                 "tile i:4\ntile k:3\nstage s", 2);
  expectSections(std::string(plane) + sum +
                     "t += s[y * n + k] * s[x * n + k];\nr[y * n + x] = t;",
                 "coarsen y:2\ntile x:3 y:4\ntile k:4\nstage s", 2);
  expectSections(std::string(line) +
                     "for (int k = 0; k < n; k++) r[i * n + k] = k;",
                 "tile i:4\ntile k:4\nstage r", 1);
}

/// F12.
TEST(GroupTilesOracleTest, SectionsOfStencils) {
  const std::string inside =
      "if (x > 1 && y > 1 && x < n - 2 && y < m - 2)\n  r[y * n + x] = ";
  expectSections(std::string(plane) + inside +
                     "s[y * n + x - 1] + s[y * n + x + 1] +\n"
                     "s[(y - 1) * n + x] + s[(y + 1) * n + x];",
                 "tile x:4 y:3\nstage s", 1);
  expectSections(std::string(plane) + inside +
                     "s[y * n + x - 2] + s[(y - 1) * n + x + 1] +\n"
                     "s[(y + 2) * n + x - 1];",
                 "coarsen y:2\ntile x:4 y:4\nstage s", 1);
  expectSections(std::string(plane) + inside +
                     "s[(y - 1) * n + x + 2] + s[y * n + x];",
                 "coarsen x:2 stride\ntile x:4 y:3\nstage s r", 2);
}

TEST(GroupTilesOracleTest, TransposedSectionsAreWrittenWhole) {
  expectSections(std::string(plane) + "r[x * m + y] = s[y * n + x];",
                 "coarsen y:2 stride\ntile x:4 y:6\nstage r pad=1\nstage s", 2);
}
