//===- Placement.cpp - every array in the memory that suits it ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference: Chen Gang, Wu Baifeng: GPU performance optimization targeting the
// OpenCL model, section 3.5, Algorithm 3. Its order is corrected: an array that
// is read through data is reused and read-only, too, so that must be asked
// first; images are read-only; and "the same start address" has to hold for
// every address, or constant memory serves work-items one after the other
// (Fang, 2017, section 3.3).
//
// Tested by test/unit/PlacementTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/cost/Placement.h"

#include "Analysis/access/Attributes.h"
#include "Analysis/access/CellPart.h"
#include "Analysis/access/IndirectReads.h"
#include "Analysis/ranges/PplPolyhedron.h"
#include "Planning/cost/Traffic.h"
#include "Transform/Apply.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace clopt {

/// A memory has to take at most this part of the time of global memory.
static constexpr double worthwhile = 0.75;
/// What OpenCL 1.2 guarantees for devices of the full profile: images as
/// arguments and their sides, and arguments in constant memory.
static constexpr int64_t maxImages = 128, imageSide = 8192;
static constexpr int64_t maxConstants = 8;
/// Requests of a work-item for its part of the copy of a buffer to an image:
/// one to read and one to write an element, where there are as many elements
/// as work-items.
static constexpr double copyRequests = 2;
/// Arrays with a choice that one program decides together. A kernel with more
/// is decided in parts, each with what the earlier ones leave.
static constexpr unsigned maxTogether = 6;
/// Clocks are compared in parts of this.
static constexpr double costScale = 16;

const char *memoryName(MemoryKind memory) {
  switch (memory) {
  case MemoryKind::Private:
    return "private";
  case MemoryKind::Constant:
    return "constant";
  case MemoryKind::Local:
    return "local";
  case MemoryKind::Image:
    return "image";
  case MemoryKind::Global:
    break;
  }
  return "global";
}

const ArrayPlacement *Placement::find(unsigned array) const {
  for (const ArrayPlacement &placement : arrays)
    if (placement.array == array)
      return &placement;
  return nullptr;
}

static std::string clocks(double value) {
  return std::to_string(std::llround(value));
}

static std::string bytesText(int64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

namespace {

class Placer {
public:
  Placer(const TransformedKernel &start, const DeviceProfile &deviceProfile,
         AliasMode aliasMode)
      : kernel(start), model(*start.model), profile(deviceProfile),
        alias(aliasMode), traffic(start, deviceProfile),
        attributes(arrayAttributes(*start.model)),
        isIndirect(indirectlyAccessed(*start.model)) {}
  Placement run();

private:
  void measureCapacities();
  ArrayPlacement candidates(unsigned array);
  void fixDeclared(ArrayPlacement &placement) const;
  std::string whyNeither(unsigned array) const;
  void offerPrivate(unsigned array, ArrayPlacement &placement) const;
  void offerConstant(unsigned array, ArrayPlacement &placement) const;
  void offerLocal(unsigned array, ArrayPlacement &placement) const;
  void offerImage(unsigned array, ArrayPlacement &placement) const;
  std::string whyNotShared(unsigned array) const;
  bool isTooLarge(unsigned array) const;
  void accept(MemoryChoice &choice, const ArrayPlacement &placement) const;
  std::vector<const MemoryChoice *> open(const ArrayPlacement &placement,
                                         bool hostHelps) const;
  void solve(bool hostHelps, std::vector<MemoryKind> &chosen) const;
  void explainOthers(ArrayPlacement &placement) const;
  int64_t taken(MemoryKind memory) const;

  const TransformedKernel &kernel;
  const KernelModel &model;
  const DeviceProfile &profile;
  AliasMode alias;
  TrafficModel traffic;
  std::vector<ArrayAttributes> attributes;
  std::vector<bool> isIndirect;      ///< per array
  std::vector<ArrayTraffic> figures; ///< per array
  Placement result;
  int64_t registers = 0; ///< 4-byte registers left for arrays
};

} // namespace

static MemoryChoice &in(ArrayPlacement &placement, MemoryKind memory) {
  return placement.choices[static_cast<unsigned>(memory)];
}

//===-- Limits ------------------------------------------------------------===//

/// Local memory per group such that enough groups to hide latencies fit a
/// compute unit, and the registers that declared variables leave.
void Placer::measureCapacities() {
  result.groupItems = traffic.group().items();
  int64_t groups = std::max<int64_t>(
      1, profile.itemsPerComputeUnit / std::max<int64_t>(1, result.groupItems));
  int64_t share = static_cast<int64_t>(profile.localMemoryBytes) / groups;
  result.localCapacity = std::max<int64_t>(
      0, share - static_cast<int64_t>(declaredLocalBytes(kernel)));
  registers = profile.registersPerWorkItem;
  for (const Array &array : model.arrays) {
    if (array.space != AddressSpace::Private)
      continue;
    int64_t cells = 1;
    for (const Polynomial &extent : array.extents)
      cells *= extent.asConstant().value_or(1);
    registers -= cells * ((array.elementBytes + 3) / 4);
  }
  registers = std::max<int64_t>(0, registers);
}

//===-- Candidates --------------------------------------------------------===//

/// Kept if it takes clearly less time than global memory.
void Placer::accept(MemoryChoice &choice,
                    const ArrayPlacement &placement) const {
  double now = placement.in(MemoryKind::Global).clocks;
  choice.isPossible = choice.clocks <= worthwhile * now;
  if (!choice.isPossible)
    choice.reason = "would take " + clocks(choice.clocks) + " clocks of " +
                    clocks(now) + " in global memory";
}

/// A reason that rules out every memory but global, or nothing.
std::string Placer::whyNeither(unsigned array) const {
  for (const Access &access : model.accesses)
    if (access.array == array && access.isOrdered)
      return "it is accessed in a fixed order";
  for (const Access &access : model.accesses)
    if (access.array == array && !access.expr)
      return "a function that is called may access it";
  if (attributes[array].references == 0)
    return "it is not used";
  return "";
}

/// The step itself knows best whether cells can stay in registers.
void Placer::offerPrivate(unsigned array, ArrayPlacement &placement) const {
  MemoryChoice &choice = in(placement, MemoryKind::Private);
  if (attributes[array].isUnpredictable) {
    choice.reason = "its subscripts depend on data";
    return;
  }
  TransformedKernel trial = kernel;
  Step step;
  step.name = "privatize";
  step.targets.push_back({model.arrays[array].name, std::nullopt});
  if (StepResult refusal = applyStep(trial, step, alias)) {
    choice.reason = refusal->message;
    return;
  }
  int64_t cells = 0;
  std::vector<bool> isKept(model.accesses.size());
  for (const ArrayTile &copy : trial.registers()) {
    if (copy.array != array)
      continue;
    double times = 0, time = 0;
    for (unsigned access : copy.accesses) {
      isKept[access] = true;
      times += traffic.runs(model.accesses[access]);
      time += traffic.inGlobalMemory(model.accesses[access]);
    }
    cells += copy.cells(trial);
    if (times > 0)
      choice.clocks += static_cast<double>(copy.cells(trial)) *
                       traffic.repetitions(copy.loop) *
                       (copy.copyIn + copy.copyOut) * time / times;
  }
  for (const Access &access : model.accesses)
    if (access.array == array && !isKept[access.id])
      choice.clocks += traffic.inGlobalMemory(access);
  choice.bytes = cells * model.arrays[array].elementBytes;
  if ((choice.bytes + 3) / 4 > registers)
    choice.reason = "needs " + std::to_string((choice.bytes + 3) / 4) +
                    " registers, and " + std::to_string(registers) + " of " +
                    std::to_string(profile.registersPerWorkItem) + " are left";
  else
    accept(choice, placement);
}

void Placer::offerConstant(unsigned array, ArrayPlacement &placement) const {
  MemoryChoice &choice = in(placement, MemoryKind::Constant);
  const ArrayAttributes &own = attributes[array];
  const ArrayTraffic &figure = figures[array];
  choice.needsHost = true;
  int64_t limit = static_cast<int64_t>(profile.constantBytes);
  if (figure.launchCells)
    choice.bytes = *figure.launchCells * model.arrays[array].elementBytes;
  if (own.isUnpredictable)
    choice.reason = "its subscripts depend on data";
  else if (!own.isReadOnly)
    choice.reason = "the kernel writes it";
  else if (!own.isReused)
    choice.reason = "no cell is read more than once";
  else if (!own.isUniform)
    choice.reason = "work-items read different cells at once, which constant "
                    "memory serves one after the other";
  else if (!figure.launchCells)
    choice.reason = "how much of it is read is not known before the launch";
  else if (choice.bytes > limit)
    choice.reason =
        "needs " + bytesText(choice.bytes) + " of " + std::to_string(limit);
  if (!choice.reason.empty())
    return;
  choice.clocks = figure.constant;
  accept(choice, placement);
}

/// Why a group cannot copy its cells.
std::string Placer::whyNotShared(unsigned array) const {
  const ArrayAttributes &own = attributes[array];
  if (!profile.localMemoryIsReal)
    return "local memory is ordinary memory on this device";
  if (own.isUnpredictable)
    return "its subscripts depend on data";
  if (!own.isReadOnly && !own.isWriteOnly)
    return "it is both read and written";
  if (!hasWholeCells(model.arrays[array]))
    return "it is not accessed as it is declared";
  for (unsigned d = 0; d < model.ndrange.rank; ++d)
    if (StepResult refusal = mergeableWorkItems(kernel, d))
      return refusal->message;
  if (!figures[array].groupCells)
    return "how many cells a group uses is not known before the launch";
  return "";
}

void Placer::offerLocal(unsigned array, ArrayPlacement &placement) const {
  MemoryChoice &choice = in(placement, MemoryKind::Local);
  const ArrayTraffic &figure = figures[array];
  if (figure.groupCells)
    choice.bytes = *figure.groupCells * model.arrays[array].elementBytes;
  choice.reason = whyNotShared(array);
  if (choice.reason.empty() && choice.bytes > result.localCapacity)
    choice.reason = "needs " + bytesText(choice.bytes) + " of " +
                    std::to_string(result.localCapacity) + " per group of " +
                    std::to_string(result.groupItems);
  if (!choice.reason.empty())
    return;
  choice.clocks = figure.local;
  accept(choice, placement);
}

void Placer::offerImage(unsigned array, ArrayPlacement &placement) const {
  MemoryChoice &choice = in(placement, MemoryKind::Image);
  const ArrayAttributes &own = attributes[array];
  const ArrayTraffic &figure = figures[array];
  const Array &info = model.arrays[array];
  choice.needsHost = true;
  if (figure.launchCells)
    choice.bytes = *figure.launchCells * info.elementBytes;
  if (!own.isReadOnly)
    choice.reason = "the kernel writes it";
  else if (!profile.localMemoryIsReal || profile.latency.image <= 0)
    choice.reason = "images are ordinary memory on this device";
  else if (!info.elementType.isScalar() || info.elementBytes > 4)
    choice.reason = "no image format has its elements";
  else if (!own.isUnpredictable && !isTooLarge(array))
    choice.reason = "its subscripts do not depend on data";
  else if (own.isUnpredictable && !isIndirect[array])
    choice.reason = "its cells follow each other, and each is read once";
  else if (figure.launchCells.value_or(0) > imageSide * imageSide)
    choice.reason = "needs " + std::to_string(*figure.launchCells) +
                    " elements of " + std::to_string(imageSide * imageSide);
  if (!choice.reason.empty())
    return;
  choice.clocks = figure.image + copyRequests * profile.latency.global;
  accept(choice, placement);
}

/// A group could copy its cells if local memory had the room.
bool Placer::isTooLarge(unsigned array) const {
  return whyNotShared(array).empty() &&
         *figures[array].groupCells * model.arrays[array].elementBytes >
             result.localCapacity;
}

/// Arrays that the author placed stay there.
void Placer::fixDeclared(ArrayPlacement &placement) const {
  const Array &info = model.arrays[placement.array];
  MemoryKind own = info.space == AddressSpace::Private ? MemoryKind::Private
                   : info.space == AddressSpace::Local ? MemoryKind::Local
                                                       : MemoryKind::Constant;
  int64_t cells = 1;
  for (const Polynomial &extent : info.extents)
    cells *= extent.asConstant().value_or(0);
  for (MemoryChoice &choice : placement.choices) {
    choice.isPossible = choice.memory == own;
    if (choice.isPossible)
      choice.bytes = cells * info.elementBytes;
    else
      choice.reason =
          std::string("it is declared in ") + memoryName(own) + " memory";
  }
}

ArrayPlacement Placer::candidates(unsigned array) {
  ArrayPlacement placement;
  placement.array = array;
  placement.name = model.arrays[array].name;
  placement.choices.resize(memoryCount);
  for (unsigned memory = 0; memory < memoryCount; ++memory)
    placement.choices[memory].memory = static_cast<MemoryKind>(memory);
  if (model.arrays[array].space != AddressSpace::Global) {
    fixDeclared(placement);
    return placement;
  }
  MemoryChoice &global = in(placement, MemoryKind::Global);
  global.isPossible = true;
  global.clocks = figures[array].global;
  std::string neither = whyNeither(array);
  for (MemoryChoice &choice : placement.choices)
    if (!choice.isPossible)
      choice.reason = neither;
  if (!neither.empty())
    return placement;
  offerPrivate(array, placement);
  offerConstant(array, placement);
  offerLocal(array, placement);
  offerImage(array, placement);
  return placement;
}

//===-- The integer program -----------------------------------------------===//

namespace {

/// What is left of the device's limits.
struct Capacities {
  int64_t registers = 0, localBytes = 0, constantBytes = 0;
  int64_t constants = maxConstants, images = maxImages;
};

/// One 0/1 variable: an array in a memory.
struct Variable01 {
  size_t place = 0; ///< index into Placement::arrays
  const MemoryChoice *choice = nullptr;
};

} // namespace

static int64_t demand(const Variable01 &variable, MemoryKind memory) {
  if (variable.choice->memory != memory)
    return 0;
  int64_t bytes = variable.choice->bytes;
  return memory == MemoryKind::Private ? (bytes + 3) / 4 : bytes;
}

/// What the variables take of one memory, their bytes (registers) or their
/// number, is at most this.
static LinearConstraint atMost(const std::vector<Variable01> &variables,
                               MemoryKind memory, int64_t most, bool counts) {
  LinearConstraint constraint;
  constraint.constant = most;
  for (const Variable01 &variable : variables)
    constraint.coefficients.push_back(counts
                                          ? -(variable.choice->memory == memory)
                                          : -demand(variable, memory));
  return constraint;
}

static LinearConstraint exactlyOne(const std::vector<Variable01> &variables,
                                   size_t place) {
  LinearConstraint constraint;
  constraint.isEquality = true;
  constraint.constant = -1;
  for (const Variable01 &variable : variables)
    constraint.coefficients.push_back(variable.place == place);
  return constraint;
}

static BinaryProgram programOf(const std::vector<Variable01> &variables,
                               const Capacities &left) {
  BinaryProgram program;
  std::set<size_t> places;
  for (const Variable01 &variable : variables) {
    program.costs.push_back(std::llround(variable.choice->clocks * costScale));
    places.insert(variable.place);
  }
  for (size_t place : places)
    program.constraints.push_back(exactlyOne(variables, place));
  auto limit = [&](MemoryKind memory, int64_t most, bool counts) {
    program.constraints.push_back(atMost(variables, memory, most, counts));
  };
  limit(MemoryKind::Private, left.registers, false);
  limit(MemoryKind::Local, left.localBytes, false);
  limit(MemoryKind::Constant, left.constantBytes, false);
  limit(MemoryKind::Constant, left.constants, true);
  limit(MemoryKind::Image, left.images, true);
  return program;
}

static void subtract(const Variable01 &variable, Capacities &left) {
  left.registers -= demand(variable, MemoryKind::Private);
  left.localBytes -= demand(variable, MemoryKind::Local);
  left.constantBytes -= demand(variable, MemoryKind::Constant);
  left.constants -= variable.choice->memory == MemoryKind::Constant;
  left.images -= variable.choice->memory == MemoryKind::Image;
}

/// The choices that are open for one array.
std::vector<const MemoryChoice *> Placer::open(const ArrayPlacement &placement,
                                               bool hostHelps) const {
  std::vector<const MemoryChoice *> result;
  for (const MemoryChoice &choice : placement.choices) {
    // What all work-items read alike is for constant memory, and only goes to
    // local memory where that is out of reach.
    bool isBetter = hostHelps && choice.memory == MemoryKind::Local &&
                    placement.in(MemoryKind::Constant).isPossible;
    if (choice.isPossible && (hostHelps || !choice.needsHost) && !isBetter)
      result.push_back(&choice);
  }
  return result;
}

/// Arrays that a search was given up for stay where they are.
void Placer::solve(bool hostHelps, std::vector<MemoryKind> &chosen) const {
  Capacities left;
  left.registers = registers;
  left.localBytes = result.localCapacity;
  left.constantBytes = static_cast<int64_t>(profile.constantBytes);
  std::vector<Variable01> variables;
  unsigned arrays = 0;
  auto decide = [&] {
    std::optional<std::vector<bool>> best =
        minimizeBinary(programOf(variables, left));
    for (size_t i = 0; best && i < variables.size(); ++i)
      if ((*best)[i]) {
        chosen[variables[i].place] = variables[i].choice->memory;
        subtract(variables[i], left);
      }
    variables.clear();
    arrays = 0;
  };
  for (size_t place = 0; place < result.arrays.size(); ++place) {
    std::vector<const MemoryChoice *> choices =
        open(result.arrays[place], hostHelps);
    if (choices.size() < 2)
      continue;
    for (const MemoryChoice *choice : choices)
      variables.push_back({place, choice});
    if (++arrays == maxTogether)
      decide();
  }
  if (arrays)
    decide();
}

//===-- Reasons -----------------------------------------------------------===//

/// Bytes, or registers, that chosen arrays take.
int64_t Placer::taken(MemoryKind memory) const {
  int64_t bytes = 0;
  for (const ArrayPlacement &placement : result.arrays)
    if (placement.chosen == memory &&
        model.arrays[placement.array].space == AddressSpace::Global)
      bytes += placement.in(memory).bytes;
  return bytes;
}

void Placer::explainOthers(ArrayPlacement &placement) const {
  const MemoryChoice &best = placement.in(placement.chosen);
  for (MemoryChoice &choice : placement.choices) {
    if (!choice.isPossible || choice.memory == placement.chosen)
      continue;
    const std::string name =
        placement.chosen == MemoryKind::Image
            ? "an image"
            : memoryName(placement.chosen) + std::string(" memory");
    if (choice.clocks >= best.clocks)
      choice.reason = "would take " + clocks(choice.clocks) + " clocks, " +
                      name + " takes " + clocks(best.clocks);
    else if (placement.chosen == MemoryKind::Constant &&
             choice.memory == MemoryKind::Local)
      choice.reason = "all work-items read the same cell at once, which "
                      "constant memory is for";
    else
      choice.reason = "does not fit beside the others, which take " +
                      bytesText(taken(choice.memory));
  }
}

Placement Placer::run() {
  measureCapacities();
  auto isBuffer = [&](const Array &array) {
    return array.space == AddressSpace::Global;
  };
  int64_t buffers =
      std::count_if(model.arrays.begin(), model.arrays.end(), isBuffer);
  int64_t room = result.localCapacity / std::max<int64_t>(2, buffers);
  for (unsigned array = 0; array < model.arrays.size(); ++array)
    figures.push_back(isBuffer(model.arrays[array])
                          ? traffic.traffic(array, room)
                          : ArrayTraffic());
  for (unsigned array = 0; array < model.arrays.size(); ++array)
    if (!model.arrays[array].isPrivateScalar() && model.arrays[array].var)
      result.arrays.push_back(candidates(array));
  std::vector<MemoryKind> best(result.arrays.size(), MemoryKind::Global);
  std::vector<MemoryKind> dropIn = best;
  for (size_t i = 0; i < result.arrays.size(); ++i)
    for (const MemoryChoice &choice : result.arrays[i].choices)
      if (choice.isPossible)
        best[i] = dropIn[i] = choice.memory; // global, or as declared
  solve(true, best);
  solve(false, dropIn);
  for (size_t i = 0; i < result.arrays.size(); ++i) {
    result.arrays[i].chosen = best[i];
    result.arrays[i].dropIn = dropIn[i];
  }
  for (ArrayPlacement &placement : result.arrays)
    explainOthers(placement);
  return std::move(result);
}

Placement placeArrays(const TransformedKernel &start,
                      const DeviceProfile &profile, AliasMode alias) {
  return Placer(start, profile, alias).run();
}

std::vector<ArrayReport> reportPlacement(const Placement &placement) {
  std::vector<ArrayReport> reports;
  for (const ArrayPlacement &array : placement.arrays) {
    ArrayReport report;
    report.array = array.name;
    report.chosen = memoryName(array.chosen);
    report.dropIn = memoryName(array.dropIn);
    report.clocks = std::llround(array.in(MemoryKind::Global).clocks);
    report.chosenClocks = std::llround(array.in(array.chosen).clocks);
    for (const MemoryChoice &choice : array.choices) {
      MemoryReport memory;
      memory.memory = memoryName(choice.memory);
      memory.isPossible = choice.isPossible;
      memory.needsHost = choice.needsHost;
      memory.bytes = choice.bytes;
      memory.clocks = std::llround(choice.clocks);
      memory.reason = choice.reason;
      report.memories.push_back(std::move(memory));
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

} // namespace clopt
