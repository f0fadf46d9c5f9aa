//===- PlacementTest.cpp - every array in the memory that suits it --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/cost/Placement.h"

#include "KernelTesting.h"
#include "Support/Files.h"

using namespace clopt;

namespace {

DeviceProfile device(const std::string &name) {
  return llvm::cantFail(loadProfile(name));
}

struct Placed {
  TestedKernel tested;
  Placement placement;
  Placed(const std::string &source, const DeviceProfile &profile)
      : tested(source),
        placement(placeArrays(tested.kernel, profile, AliasMode::Check)) {}
  const ArrayPlacement &of(const std::string &name) const {
    return *placement.find(tested.array(name));
  }
  std::string chosen(const std::string &name) const {
    return memoryName(of(name).chosen);
  }
  std::string dropIn(const std::string &name) const {
    return memoryName(of(name).dropIn);
  }
  std::string reason(const std::string &name, MemoryKind memory) const {
    return of(name).in(memory).reason;
  }
};

Placed example(const std::string &name, const std::string &target) {
  std::string path =
      std::string(CLOPT_SOURCE_DIR "/examples/") + name + "/" + name + ".cl";
  return Placed(llvm::cantFail(readTextFile(path)), device(target));
}

const char *const tables =
    "__kernel void f(__global const int *s, __global const int *t,\n"
    "                __global const int *c, __global int *b, int n) {\n"
    "  int x = get_global_id(0); int v = 0;\n"
    "  for (int i = 0; i < 20; i++)\n"
    "    v += s[i] * t[x + i] + t[x + 20 - i] + s[i + 1];\n"
    "  b[x] = v + c[b[x]]; }\n";

} // namespace

/// N-body: small arrays in registers, positions in local memory.
TEST(PlacementTest, F16Nbody) {
  for (const char *target :
       {"generic-gpu", "nvidia-hopper", "amd-cypress", "amd-cdna"}) {
    Placed nbody = example("nbody", target);
    EXPECT_EQ(nbody.chosen("acc"), "private") << target;
    EXPECT_EQ(nbody.chosen("dist"), "private") << target;
    EXPECT_EQ(nbody.chosen("pos"), "local") << target;
    EXPECT_EQ(nbody.of("pos").in(MemoryKind::Local).bytes, 256 * 3 * 4)
        << target;
    EXPECT_EQ(nbody.of("acc").in(MemoryKind::Private).bytes, 12) << target;
    EXPECT_EQ(nbody.chosen("vel"), "global") << target;
  }
  for (const char *target : {"cpu", "mali-midgard"}) {
    Placed nbody = example("nbody", target);
    EXPECT_EQ(nbody.chosen("acc"), "private") << target;
    EXPECT_EQ(nbody.chosen("pos"), "global") << target;
    EXPECT_EQ(nbody.reason("pos", MemoryKind::Local),
              "local memory is ordinary memory on this device");
  }
}

/// What groups share on a GPU stays in global memory where local memory is
/// ordinary memory.
TEST(PlacementTest, F35NothingIsStagedInOrdinaryMemory) {
  const std::pair<const char *, const char *> shared[] = {
      {"laplace", "src"}, {"nbody", "pos"}, {"sad", "search_img"}};
  for (const auto &[name, array] : shared) {
    SCOPED_TRACE(name);
    EXPECT_EQ(example(name, "amd-cypress").dropIn(array), "local");
    EXPECT_EQ(example(name, "mali-midgard").dropIn(array), "global");
  }
  EXPECT_FALSE(device("mali-midgard").divergenceCosts);
}

/// SAD: the template in constant memory, the image of a group in local memory.
TEST(PlacementTest, F11Sad) {
  for (const char *target : {"generic-gpu", "amd-cypress"}) {
    Placed sad = example("sad", target);
    EXPECT_EQ(sad.chosen("template_img"), "constant") << target;
    EXPECT_EQ(sad.dropIn("template_img"), "local") << target;
    EXPECT_EQ(sad.of("template_img").in(MemoryKind::Constant).bytes, 256);
    EXPECT_EQ(sad.chosen("search_img"), "local") << target;
    EXPECT_EQ(sad.of("search_img").in(MemoryKind::Local).bytes, 31 * 31);
    EXPECT_EQ(sad.chosen("sad"), "private") << target;
  }
  for (const char *target : {"cpu", "mali-midgard", "nvidia-hopper"})
    EXPECT_EQ(example("sad", target).chosen("search_img"), "global") << target;
}

/// A device whose local memory holds no group's part of the image.
TEST(PlacementTest, F15SadWithLittleLocalMemory) {
  DeviceProfile profile = device("amd-cypress");
  profile.localMemoryBytes = 1024;
  std::string source =
      llvm::cantFail(readTextFile(CLOPT_SOURCE_DIR "/examples/sad/sad.cl"));
  Placed sad(source, profile);
  EXPECT_EQ(sad.chosen("search_img"), "image");
  EXPECT_EQ(sad.dropIn("search_img"), "global");
  EXPECT_EQ(sad.reason("search_img", MemoryKind::Local),
            "needs 961 bytes of 512 per group of 256");
}

/// SpMV: the vector that is read through indices goes to an image where images
/// have a cache that buffers have not.
TEST(PlacementTest, F15Spmv) {
  Placed spmv = example("spmv", "amd-cypress");
  EXPECT_EQ(spmv.chosen("p"), "image");
  EXPECT_EQ(spmv.dropIn("p"), "global");
  EXPECT_EQ(spmv.reason("p", MemoryKind::Local),
            "its subscripts depend on data");
  // Nothing says of an unknown device that its images are faster.
  EXPECT_EQ(example("spmv", "generic-gpu").chosen("p"), "global");
  Placed hopper = example("spmv", "nvidia-hopper");
  EXPECT_EQ(hopper.chosen("p"), "global");
  EXPECT_EQ(hopper.reason("p", MemoryKind::Image),
            "would take 77916 clocks of 77312 in global memory");
  for (const char *target : {"cpu", "mali-midgard"})
    EXPECT_EQ(example("spmv", target).reason("p", MemoryKind::Image),
              "images are ordinary memory on this device");
}

/// Laplace: the mask in constant memory, a tile of the image in local memory.
TEST(PlacementTest, F12Laplace) {
  for (const char *target : {"generic-gpu", "amd-cypress"}) {
    Placed laplace = example("laplace", target);
    EXPECT_EQ(laplace.chosen("mask"), "constant") << target;
    EXPECT_EQ(laplace.of("mask").in(MemoryKind::Constant).bytes, 36);
    EXPECT_EQ(laplace.chosen("src"), "local") << target;
    EXPECT_EQ(laplace.chosen("dst"), "global") << target;
  }
  // Where a cache has the neighbours' cells, nothing is to be gained.
  Placed hopper = example("laplace", "nvidia-hopper");
  EXPECT_EQ(hopper.chosen("src"), "global");
  EXPECT_EQ(hopper.chosen("mask"), "global");
}

TEST(PlacementTest, TheProductSharesBothOperands) {
  Placed mm = example("mm", "nvidia-hopper");
  EXPECT_EQ(mm.chosen("A"), "local");
  EXPECT_EQ(mm.chosen("B"), "local");
  EXPECT_EQ(mm.chosen("C"), "private");
}

TEST(PlacementTest, EveryNoHasAReason) {
  for (const std::string &target : builtinProfileNames()) {
    Placed placed(tables, device(target));
    for (const ArrayPlacement &array : placed.placement.arrays)
      for (const MemoryChoice &choice : array.choices)
        EXPECT_EQ(choice.reason.empty(), choice.memory == array.chosen)
            << target << " " << array.name << " " << memoryName(choice.memory);
  }
}

TEST(PlacementTest, F11ConstantMemoryIsForWhatAllReadAlike) {
  Placed placed(tables, device("generic-gpu"));
  EXPECT_EQ(placed.chosen("s"), "constant");
  EXPECT_EQ(placed.of("s").in(MemoryKind::Constant).bytes, 84);
  EXPECT_TRUE(placed.of("s").in(MemoryKind::Constant).needsHost);
  EXPECT_EQ(placed.reason("t", MemoryKind::Constant),
            "work-items read different cells at once, which constant memory "
            "serves one after the other");
  EXPECT_EQ(placed.reason("b", MemoryKind::Constant), "the kernel writes it");
  EXPECT_EQ(placed.reason("c", MemoryKind::Constant),
            "its subscripts depend on data");
}

TEST(PlacementTest, F11ConstantMemoryHasALimit) {
  DeviceProfile profile = device("generic-gpu");
  profile.constantBytes = 83;
  Placed placed(tables, profile);
  EXPECT_EQ(placed.chosen("s"), "local");
  EXPECT_EQ(placed.reason("s", MemoryKind::Constant), "needs 84 bytes of 83");
}

/// Two arrays of 1 KiB each, room for one: the one that gains more gets it.
TEST(PlacementTest, CapacityIsShared) {
  const char *source =
      "__kernel void f(__global const int *a, __global const int *b,\n"
      "                __global int *c) {\n"
      "  int x = get_global_id(0); int v = 0;\n"
      "  for (int i = 0; i < 10; i++) v += a[x + i];\n"
      "  for (int i = 0; i < 20; i++) v += b[x + i];\n"
      "  c[x] = v; }\n";
  DeviceProfile profile = device("generic-gpu");
  Placed roomy(source, profile);
  EXPECT_EQ(roomy.chosen("a"), "local");
  EXPECT_EQ(roomy.chosen("b"), "local");
  profile.localMemoryBytes = 2 * 1500;
  Placed narrow(source, profile);
  EXPECT_EQ(narrow.chosen("a"), "global");
  EXPECT_EQ(narrow.chosen("b"), "local");
  EXPECT_EQ(narrow.reason("a", MemoryKind::Local),
            "does not fit beside the others, which take 1100 bytes");
}

/// Many arrays are decided in parts, and still fit together.
TEST(PlacementTest, ManyArraysKeepWithinTheCapacity) {
  std::string head = "__kernel void f(", sum;
  for (int a = 0; a < 40; ++a) {
    std::string name = "a" + std::to_string(a);
    head += "__global const int *restrict " + name + ", ";
    sum += " + " + name + "[x + i]";
  }
  Placed placed(head +
                    "__global int *restrict r) {\n"
                    "  int x = get_global_id(0); int v = 0;\n"
                    "  for (int i = 0; i < 9; i++) v += 1" +
                    sum + ";\n  r[x] = v; }\n",
                device("generic-gpu"));
  int64_t bytes = 0;
  for (const ArrayPlacement &array : placed.placement.arrays)
    if (array.chosen == MemoryKind::Local)
      bytes += array.in(MemoryKind::Local).bytes;
  EXPECT_LE(bytes, placed.placement.localCapacity);
  EXPECT_GT(bytes, placed.placement.localCapacity - 1056);
  EXPECT_EQ(placed.chosen("a0"), "local");
  EXPECT_EQ(placed.chosen("a39"), "global");
}

/// What gains the same goes to the first.
TEST(PlacementTest, TiesGoToTheFirst) {
  const char *source =
      "__kernel void f(__global const int *a, __global const int *b,\n"
      "                __global int *c) {\n"
      "  int x = get_global_id(0); int v = 0;\n"
      "  for (int i = 0; i < 20; i++) v += b[x + i] + a[x + i];\n"
      "  c[x] = v; }\n";
  DeviceProfile profile = device("generic-gpu");
  profile.localMemoryBytes = 2 * 1500;
  Placed placed(source, profile);
  EXPECT_EQ(placed.chosen("a"), "local");
  EXPECT_EQ(placed.chosen("b"), "global");
}

TEST(PlacementTest, F17RegistersHaveALimit) {
  const char *source = "__kernel void f(__global int *restrict a, int n) {\n"
                       "  int x = get_global_id(0);\n"
                       "  for (int k = 0; k < n; k++)\n"
                       "    for (int i = 0; i < 8; i++) a[8 * x + i] += k; }\n";
  DeviceProfile profile = device("generic-gpu");
  EXPECT_EQ(Placed(source, profile).chosen("a"), "private");
  profile.registersPerWorkItem = 8;
  Placed narrow(source, profile);
  EXPECT_EQ(narrow.chosen("a"), "global");
  EXPECT_EQ(
      narrow.reason("a", MemoryKind::Private).rfind("needs 8 registers, ", 0),
      0u);
}

TEST(PlacementTest, F22OccupancyLimitsLocalMemory) {
  // Two groups of 256 hide latencies, so each has half of the memory.
  EXPECT_EQ(Placed(tables, device("generic-gpu")).placement.localCapacity,
            16384);
  DeviceProfile profile = device("generic-gpu");
  profile.itemsPerComputeUnit = 1024;
  EXPECT_EQ(Placed(tables, profile).placement.localCapacity, 8192);
}

TEST(PlacementTest, F22TheAuthorsArraysAreCounted) {
  const char *source =
      "__kernel __attribute__((reqd_work_group_size(256, 1, 1)))\n"
      "void f(__global const int *a, __global int *b) {\n"
      "  __local int t[1024]; int l = get_local_id(0);\n"
      "  t[l] = a[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  b[get_global_id(0)] = t[255 - l]; }\n";
  Placed placed(source, device("generic-gpu"));
  EXPECT_EQ(placed.placement.localCapacity, 16384 - 4096);
  EXPECT_EQ(placed.chosen("t"), "local");
  EXPECT_EQ(placed.reason("t", MemoryKind::Private),
            "it is declared in local memory");
}

TEST(PlacementTest, VolatileStaysWhereItIs) {
  Placed placed("__kernel void f(__global volatile int *a, __global int *b) {\n"
                "  int x = get_global_id(0); int v = 0;\n"
                "  for (int i = 0; i < 20; i++) v += a[i];\n"
                "  b[x] = v; }\n",
                device("generic-gpu"));
  EXPECT_EQ(placed.chosen("a"), "global");
  EXPECT_EQ(placed.reason("a", MemoryKind::Constant),
            "it is accessed in a fixed order");
}

TEST(PlacementTest, NamesDoNotMatter) {
  std::string other = tables;
  for (const char *pair : {"sq", "tz"})
    for (size_t at = 0; (at = other.find(std::string(1, pair[0]) + "[", at)) !=
                        std::string::npos;
         ++at)
      other[at] = pair[1];
  for (auto [from, to] : {std::pair{"*s,", "*q,"}, std::pair{"*t,", "*z,"}})
    other.replace(other.find(from), 3, to);
  Placed first(tables, device("generic-gpu"));
  Placed second(other, device("generic-gpu"));
  EXPECT_EQ(first.chosen("s"), second.chosen("q"));
  EXPECT_EQ(first.chosen("t"), second.chosen("z"));
}

TEST(PlacementTest, TheReportHasIt) {
  Placed placed(tables, device("generic-gpu"));
  std::vector<ArrayReport> reports = reportPlacement(placed.placement);
  ASSERT_EQ(reports.size(), 4u);
  EXPECT_EQ(reports[0].array, "s");
  EXPECT_EQ(reports[0].chosen, "constant");
  EXPECT_EQ(reports[0].dropIn, "local");
  ASSERT_EQ(reports[0].memories.size(), 5u);
  EXPECT_EQ(reports[0].memories[1].memory, "constant");
  EXPECT_TRUE(reports[0].memories[1].isPossible);
  EXPECT_LT(reports[0].chosenClocks, reports[0].clocks);
}
