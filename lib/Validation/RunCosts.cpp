//===- RunCosts.cpp - what a kernel asks of a device ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cache of a compute unit is one of segments, each of which stays until as
// many bytes as it has were brought in since it was touched last; groups that
// run at once share it. Loads of a block wait together, and iterations of the
// innermost loops overlap as far as compilers unroll them.
//
// Tested by test/unit/RunCostsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/RunCosts.h"

#include "Analysis/memory/BankConflict.h"
#include "Validation/ControlSlice.h"
#include "Validation/Machine.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace clopt {

namespace {

class CostCounter final : public RunObserver {
public:
  CostCounter(const Code &kernel, const DeviceProfile &device, uint64_t budget,
              RunCosts &output);

  void beginGroup(uint64_t spent) override;
  void enter(const Block &block, const Items &active) override;
  void leave(const Block &block) override;
  void access(const Instr &instr, const Items &active, const int64_t *addresses,
              Memory &memory) override;
  void compute(const int32_t *counts, const Items &active) override;
  void finish();

private:
  /// What compilers make of a loop.
  struct LoopBody {
    bool isInnermost = false;
    bool isUnrolled = false; ///< as often as a constant says
  };
  struct Frame {
    double wait = 0;
    LoopBody loop;
    bool isStored = false;
  };

  double warps(const Items &active) const;
  void accessGlobal(const Instr &instr, const Items &active,
                    const int64_t *addresses);
  void accessLocal(const Instr &instr, const Items &active,
                   const int64_t *addresses);
  double touchSegment(int64_t segment, bool isStore);
  void endGroup();

  const DeviceProfile &profile;
  const uint64_t steps;
  RunCosts &costs;
  const BankShape banks;
  double cacheShare = 0;                     ///< bytes for a group
  double broughtIn = 0;                      ///< bytes, by the group
  llvm::DenseMap<int64_t, double> lastTouch; ///< of the group
  llvm::DenseMap<int64_t, char> everTouched;
  llvm::DenseMap<int64_t, std::pair<int64_t, int64_t>> extents; ///< by object
  llvm::DenseMap<const Block *, LoopBody> bodies;
  /// Instructions of conditions and addresses, by block.
  llvm::DenseMap<const Block *, double> controls;
  std::vector<Frame> frames;
  double control = 0; ///< of the group
  bool isBusy = false;
  bool isProbing = false; ///< whether a group is busy, and no more
};

} // namespace

/// Iterations that compilers put one after the other.
constexpr int64_t mostUnrolled = 64;

/// Whether the loop ends at a small number.
static bool hasConstantEnd(const Code &kernel, const Instr &loop) {
  if (loop.other < 0)
    return false;
  auto isConstant = [&](int32_t number) {
    return std::any_of(kernel.constants.begin(), kernel.constants.end(),
                       [&](const CodeConstant &known) {
                         return known.dst == number &&
                                known.integer <= mostUnrolled;
                       });
  };
  for (const Instr &instr : kernel.blocks[static_cast<size_t>(loop.other)])
    if (instr.dst == loop.a && instr.op >= Opcode::Lt && instr.op <= Opcode::Ne)
      return isConstant(instr.a) || isConstant(instr.b);
  return false;
}

/// Instructions of 32 bits that devices make of one that decides a condition or
/// an address.
static double instructionsOf(const Instr &instr) {
  const bool isWide = sizeOf(instr.kind) == 8;
  switch (instr.op) {
  case Opcode::Mul:
    return isWide ? 4 : 1;
  case Opcode::Div:
  case Opcode::Rem:
    return isWide ? 64 : 16;
  case Opcode::Add:
  case Opcode::Sub:
  case Opcode::Shl:
  case Opcode::Shr:
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Xor:
  case Opcode::Lt:
  case Opcode::Le:
  case Opcode::Gt:
  case Opcode::Ge:
  case Opcode::Eq:
  case Opcode::Ne:
  case Opcode::Select:
    return isWide ? 2 : 1;
  case Opcode::Advance:
  case Opcode::Offset:
    return 2;
  case Opcode::Function:
  case Opcode::If:
  case Opcode::Loop:
    return 1;
  default:
    return 0;
  }
}

CostCounter::CostCounter(const Code &kernel, const DeviceProfile &device,
                         uint64_t budget, RunCosts &output)
    : profile(device), steps(budget), costs(output),
      banks{device.banks, device.bankBytes, device.bankLaneGroup,
            device.bankWordByWord} {
  auto holds = [&](const Block &block, auto &&self) -> bool {
    for (const Instr &instr : block) {
      if (instr.op == Opcode::Loop || instr.op == Opcode::Barrier)
        return true;
      for (int32_t part : {instr.body, instr.other, instr.step})
        if (instr.op == Opcode::If && part >= 0 &&
            self(kernel.blocks[static_cast<size_t>(part)], self))
          return true;
    }
    return false;
  };
  for (const Block &block : kernel.blocks)
    for (const Instr &instr : block)
      if (instr.op == Opcode::Loop && instr.body >= 0) {
        const Block &body = kernel.blocks[static_cast<size_t>(instr.body)];
        bodies[&body] = {!holds(body, holds), hasConstantEnd(kernel, instr)};
      }
  for (const Block &block : kernel.blocks)
    for (const Instr &instr : block)
      controls[&block] += instructionsOf(instr);
  for (const CodeObject &object : kernel.objects)
    (object.isGroups ? costs.localBytes : costs.privateBytes) += object.size;
  const int64_t resident =
      std::max<int64_t>(1, int64_t(profile.itemsPerComputeUnit) /
                               std::max<int64_t>(1, costs.items));
  cacheShare =
      std::max(profile.capacity.cacheBytes / 16,
               profile.capacity.cacheBytes / static_cast<double>(resident));
}

double CostCounter::warps(const Items &active) const {
  const auto lanes = static_cast<uint32_t>(profile.lanes);
  double count = 0;
  uint32_t last = UINT32_MAX;
  for (uint32_t item : active.list)
    if (item / lanes != last) {
      last = item / lanes;
      ++count;
    }
  return count;
}

/// What a group did that accessed no memory is what all of them do first.
void CostCounter::endGroup() {
  costs.counted += isBusy && !isProbing;
  costs.idleControl += isBusy ? 0 : control;
}

void CostCounter::beginGroup(uint64_t spent) {
  if (costs.seen > 0)
    endGroup();
  ++costs.seen;
  isBusy = false;
  control = 0;
  isProbing = spent >= steps && costs.counted >= 2;
  broughtIn = 0;
  lastTouch.clear();
  frames.clear();
}

void CostCounter::enter(const Block &block, const Items &active) {
  Frame frame;
  if (!isBusy)
    control += warps(active) * controls.lookup(&block);
  if (isProbing)
    return frames.push_back(frame);
  if (auto loop = bodies.find(&block); loop != bodies.end()) {
    frame.loop = loop->second;
    costs.branches += frame.loop.isUnrolled ? 0 : warps(active);
  }
  for (const Instr &instr : block)
    if (instr.op == Opcode::If)
      costs.branches += warps(active);
    else if (instr.op == Opcode::Barrier)
      costs.barriers += warps(active);
  frames.push_back(frame);
}

void CostCounter::leave(const Block &) {
  const Frame &frame = frames.back();
  // What is stored may be what the next iteration loads.
  double together = 1;
  if (frame.loop.isInnermost && frame.loop.isUnrolled)
    together = mostUnrolled / 2;
  else if (frame.loop.isInnermost && !frame.isStored)
    together = profile.rates.overlap;
  if (!isProbing)
    costs.alone += frame.wait / together;
  frames.pop_back();
}

/// What the segment waits for: clocks until it is there. What is stored goes on
/// to the cache of the device.
double CostCounter::touchSegment(int64_t segment, bool isStore) {
  const double bytes = profile.segmentBytes;
  auto [last, isNew] = lastTouch.try_emplace(segment, broughtIn);
  const bool isCached = !isNew && broughtIn - last->second <= cacheShare;
  const auto fetched =
      static_cast<int64_t>(std::max(1.0, profile.rates.fetchBytes / bytes));
  const bool isFirst = everTouched.try_emplace(segment / fetched, 1).second;
  if (!isCached)
    broughtIn += bytes;
  last->second = broughtIn;
  if (!isCached || isStore)
    costs.missedBytes += bytes;
  if (isFirst)
    costs.newBytes += bytes * static_cast<double>(fetched);
  return isCached  ? profile.latency.cached
         : isFirst ? profile.latency.memory
                   : profile.latency.global;
}

void CostCounter::accessGlobal(const Instr &instr, const Items &active,
                               const int64_t *addresses) {
  const int64_t bytes = instr.count * sizeOf(instr.kind);
  const int64_t segmentBytes = profile.segmentBytes,
                lineBytes = profile.lineBytes;
  const bool isStore =
      instr.op == Opcode::Store || (instr.op == Opcode::Touch && instr.flag);
  double wait = 0;
  llvm::SmallVector<int64_t, 64> segments;
  for (size_t first = 0; first < active.list.size();) {
    const uint32_t warp = active.list[first] / profile.lanes;
    segments.clear();
    size_t end = first;
    for (; end < active.list.size() && active.list[end] / profile.lanes == warp;
         ++end) {
      const int64_t begin = addresses[active.list[end]] + instr.imm;
      for (int64_t at = begin / segmentBytes;
           at <= (begin + bytes - 1) / segmentBytes; ++at)
        if (segments.empty() || segments.back() != at)
          segments.push_back(at);
    }
    std::sort(segments.begin(), segments.end());
    segments.erase(std::unique(segments.begin(), segments.end()),
                   segments.end());
    int64_t line = INT64_MIN;
    double lines = 0;
    for (int64_t segment : segments) {
      wait = std::max(wait, touchSegment(segment, isStore));
      const int64_t own =
          segment / std::max<int64_t>(1, lineBytes / segmentBytes);
      lines += own != line;
      line = own;
    }
    costs.lines += std::max(1.0, profile.rates.scattered * lines);
    // Wide requests are served in parts.
    costs.lines += std::max(0.0, static_cast<double>(segments.size()) *
                                         profile.segmentBytes / lineBytes -
                                     lines);
    ++costs.accesses;
    first = end;
  }
  if (frames.empty())
    return;
  frames.back().isStored |= isStore;
  if (!isStore)
    frames.back().wait = std::max(frames.back().wait, wait);
}

void CostCounter::accessLocal(const Instr &instr, const Items &active,
                              const int64_t *addresses) {
  const int64_t bytes = instr.count * sizeOf(instr.kind);
  const auto word = static_cast<int64_t>(banks.bytes);
  std::vector<int64_t> words;
  for (size_t first = 0; first < active.list.size();) {
    const uint32_t warp = active.list[first] / banks.laneGroup;
    words.clear();
    for (; first < active.list.size() &&
           active.list[first] / banks.laneGroup == warp;
         ++first)
      for (int64_t at =
               (addresses[active.list[first]] + instr.imm) / word * word;
           at < addresses[active.list[first]] + instr.imm + bytes; at += word)
        words.push_back(at);
    BankShape together = banks;
    together.laneGroup = static_cast<unsigned>(words.size());
    costs.localTurns += countTurns(words, banks.bytes, together);
    ++costs.accesses;
  }
  if (instr.op != Opcode::Store && !(instr.op == Opcode::Touch && instr.flag) &&
      !frames.empty())
    frames.back().wait = std::max(frames.back().wait, profile.latency.local);
}

void CostCounter::access(const Instr &given, const Items &active,
                         const int64_t *addresses, Memory &memory) {
  Instr instr = given;
  if (instr.op == Opcode::Atomic) { // one scalar; imm says what is done
    instr.imm = 0;
    instr.count = 1;
  }
  int64_t offset = 0;
  const MemoryObject *object =
      memory.at(addresses[active.list.front()] + instr.imm, offset);
  if (!object || object->scope == MemoryObject::Scope::Item)
    return;
  costs.busy += !isBusy;
  isBusy = true;
  if (isProbing)
    throw Enough();
  if (object->scope == MemoryObject::Scope::Group)
    return accessLocal(instr, active, addresses);
  accessGlobal(instr, active, addresses);
  auto &[least, most] =
      extents.try_emplace(object->address, INT64_MAX, INT64_MIN).first->second;
  for (uint32_t item : {active.list.front(), active.list.back()}) {
    least = std::min(least, addresses[item] + instr.imm);
    most = std::max(most, addresses[item] + instr.imm);
  }
}

void CostCounter::compute(const int32_t *counts, const Items &active) {
  if (isProbing)
    return;
  const double many = warps(active);
  auto of = [&](Work kind) { return counts[static_cast<size_t>(kind)]; };
  costs.operations += many * of(Work::Float);
  costs.doubles += many * of(Work::Double);
  costs.specials += many * of(Work::Special);
  costs.integers += many * of(Work::Integer);
  costs.alone += of(Work::Chain) * profile.latency.alu;
}

void CostCounter::finish() {
  endGroup();
  for (const auto &entry : extents)
    costs.extent +=
        static_cast<double>(entry.second.second - entry.second.first);
}

/// Numbers of groups all over the launch, each once, as the golden section
/// spreads them; the first two groups first.
static std::vector<int64_t> spreadGroups(int64_t count) {
  constexpr int64_t most = 512;
  std::vector<int64_t> result;
  if (count <= most) {
    // A stride that shares no factor with the count visits all.
    int64_t stride = std::max<int64_t>(
        1, static_cast<int64_t>(static_cast<double>(count) * 0.6180339887));
    while (std::gcd(stride, count) != 1)
      ++stride;
    for (int64_t i = 0, at = 0; i < count; ++i, at = (at + stride) % count)
      result.push_back(at);
    return result;
  }
  for (int64_t i = 0; i < most; ++i)
    result.push_back(static_cast<int64_t>(
        std::fmod(static_cast<double>(i) * 0.6180339887498949, 1.0) *
        static_cast<double>(count)));
  return result;
}

/// Of a run, whatever its budget: two groups end.
constexpr uint64_t mostSteps = 500000000;

std::optional<RunCosts> countCosts(const TranslationUnit &unit,
                                   const Function &kernel,
                                   const SmallLaunch &launch,
                                   const DeviceProfile &profile,
                                   uint64_t budget, std::string &why) {
  std::unique_ptr<Code> code = compileKernel(unit, kernel, false);
  cutToCosts(*code);
  RunCosts costs;
  costs.launched = costs.items = 1;
  for (unsigned d = 0; d < 3; ++d) {
    costs.items *= launch.local[d];
    costs.launched *= launch.global[d] / launch.local[d];
  }
  TermStore terms(launch.data);
  RunResult result(terms);
  CostCounter counter(*code, profile, budget, costs);
  Machine machine(*code, launch, terms, std::max(64 * budget, mostSteps),
                  result);
  machine.observe(counter, spreadGroups(costs.launched));
  try {
    machine.run();
  } catch (const GiveUp &end) {
    why = end.reason;
  } catch (const RunFault &fault) {
    why = fault.what;
  }
  machine.finish();
  counter.finish();
  if (costs.counted == 0)
    return std::nullopt;
  return costs;
}

} // namespace clopt
