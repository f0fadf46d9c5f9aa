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

#include "Planning/Placement.h"

#include "Analysis/Attributes.h"
#include "Analysis/PplPolyhedron.h"
#include "Planning/Traffic.h"
#include "Transform/Apply.h"

#include <algorithm>
#include <cmath>

namespace clopt {

/// A memory has to take at most this part of the time of global memory.
static constexpr double worthwhile = 0.75;
/// What OpenCL 1.2 guarantees for devices of the full profile: images as
/// arguments and their sides, and arguments in constant memory.
static constexpr int64_t mostImages = 128, imageSide = 8192;
static constexpr int64_t mostConstants = 8;
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
        attributes(arrayAttributes(*start.model)) {}
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
  LinearConstraint exactlyOne(size_t index) const;
  LinearConstraint capacity(MemoryKind memory, int64_t most, bool counts) const;
  bool solve(bool hostHelps, std::vector<MemoryKind> &chosen) const;
  void explainOthers(ArrayPlacement &placement) const;
  int64_t taken(MemoryKind memory) const;

  const TransformedKernel &kernel;
  const KernelModel &model;
  const DeviceProfile &profile;
  AliasMode alias;
  TrafficModel traffic;
  std::vector<ArrayAttributes> attributes;
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
  for (const PrivateCopy &copy : trial.privates) {
    if (copy.array != array)
      continue;
    double times = 0, time = 0;
    for (unsigned access : copy.accesses) {
      isKept[access] = true;
      times += traffic.runs(model.accesses[access]);
      time += traffic.inGlobalMemory(model.accesses[access]);
    }
    cells += copy.cells();
    if (times > 0)
      choice.clocks += static_cast<double>(copy.cells()) *
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
  if (!model.arrays[array].elementType.isScalar())
    return "its elements are not scalars";
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
  else if (figure.launchCells.value_or(0) > imageSide * imageSide)
    choice.reason = "needs " + std::to_string(*figure.launchCells) +
                    " elements of " + std::to_string(imageSide * imageSide);
  if (!choice.reason.empty())
    return;
  choice.clocks = figure.image;
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

LinearConstraint Placer::exactlyOne(size_t index) const {
  LinearConstraint constraint;
  constraint.isEquality = true;
  constraint.constant = -1;
  constraint.coefficients.assign(result.arrays.size() * memoryCount, 0);
  for (unsigned memory = 0; memory < memoryCount; ++memory)
    constraint.coefficients[index * memoryCount + memory] = 1;
  return constraint;
}

/// What arrays take of one memory: their number, their bytes or registers.
LinearConstraint Placer::capacity(MemoryKind memory, int64_t most,
                                  bool counts) const {
  LinearConstraint constraint;
  constraint.constant = most;
  constraint.coefficients.assign(result.arrays.size() * memoryCount, 0);
  for (size_t i = 0; i < result.arrays.size(); ++i) {
    const ArrayPlacement &placement = result.arrays[i];
    if (model.arrays[placement.array].space != AddressSpace::Global)
      continue; // counted when the limits were measured
    int64_t bytes = placement.in(memory).bytes;
    if (memory == MemoryKind::Private)
      bytes = (bytes + 3) / 4;
    constraint.coefficients[i * memoryCount + static_cast<unsigned>(memory)] =
        counts ? -1 : -bytes;
  }
  return constraint;
}

/// False when the search was given up: everything stays where it is.
bool Placer::solve(bool hostHelps, std::vector<MemoryKind> &chosen) const {
  BinaryProgram program;
  const size_t count = result.arrays.size();
  LinearConstraint impossible;
  impossible.isEquality = true;
  impossible.coefficients.assign(count * memoryCount, 0);
  for (size_t i = 0; i < count; ++i)
    for (const MemoryChoice &choice : result.arrays[i].choices) {
      // What all work-items read alike is for constant memory, and only goes
      // to local memory where that is out of reach.
      bool isBetter = hostHelps && choice.memory == MemoryKind::Local &&
                      result.arrays[i].in(MemoryKind::Constant).isPossible;
      bool isOpen =
          choice.isPossible && (hostHelps || !choice.needsHost) && !isBetter;
      impossible.coefficients[program.costs.size()] = isOpen ? 0 : 1;
      program.costs.push_back(std::llround(choice.clocks * costScale));
    }
  program.constraints.push_back(impossible);
  for (size_t i = 0; i < count; ++i)
    program.constraints.push_back(exactlyOne(i));
  const int64_t constantBytes = static_cast<int64_t>(profile.constantBytes);
  program.constraints.push_back(
      capacity(MemoryKind::Private, registers, false));
  program.constraints.push_back(
      capacity(MemoryKind::Local, result.localCapacity, false));
  program.constraints.push_back(
      capacity(MemoryKind::Constant, constantBytes, false));
  program.constraints.push_back(
      capacity(MemoryKind::Constant, mostConstants, true));
  program.constraints.push_back(capacity(MemoryKind::Image, mostImages, true));
  std::optional<std::vector<bool>> best = minimizeBinary(program);
  if (!best)
    return false;
  for (size_t i = 0; i < count; ++i)
    for (unsigned memory = 0; memory < memoryCount; ++memory)
      if ((*best)[i * memoryCount + memory])
        chosen[i] = static_cast<MemoryKind>(memory);
  return true;
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
