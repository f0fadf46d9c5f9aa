//===- DeviceProbe.cpp - measures a device --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/DeviceProbe.h"
#include "Runtime/memory/HostedBuffer.h"

#include "Runtime/ProbeKernels.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <random>

namespace clopt::runtime {

namespace {

using Words = std::vector<cl_uint>;

constexpr std::size_t kibi = 1024;
constexpr std::size_t mebi = 1024 * kibi;

/// A launch in one dimension.
struct ProbeRange {
  std::size_t items = 1;
  std::size_t group = 1;
};

/// A cycle through `blocks` blocks of `stride` words in a random order. With
/// `second` words, each visit of a block reads its first word and then the one
/// that far behind.
Words randomCycle(std::size_t blocks, std::size_t stride, std::size_t second) {
  std::vector<cl_uint> order(blocks);
  std::iota(order.begin(), order.end(), 0u);
  std::mt19937 random(1);
  // Not std::shuffle: it gives other orders with other libraries.
  for (std::size_t i = blocks; i > 1; --i)
    std::swap(order[i - 1], order[random() % i]);
  Words words(blocks * stride);
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::size_t from = order[i] * stride;
    const auto to = static_cast<cl_uint>(order[(i + 1) % blocks] * stride);
    words[from + second] = to;
    if (second)
      words[from] = static_cast<cl_uint>(from + second);
  }
  return words;
}

Words identity(std::size_t count) {
  Words words(count);
  std::iota(words.begin(), words.end(), 0u);
  return words;
}

class DeviceProber {
public:
  DeviceProber(const ProbeOptions &what, ProbeObserver &listener)
      : options(what), observer(listener),
        device(Device::selectNative(what.platform, what.device)) {}

  ProbeData run() {
    observer.deviceChosen(device);
    describe();
    warmUp();
    // A quick probe leaves out what only fills tables.
    struct Test {
      const char *name;
      void (DeviceProber::*run)();
      bool isQuick = true;
    };
    static constexpr Test tests[] = {
        {"launches", &DeviceProber::probeLaunches},
        {"chains", &DeviceProber::probeChains},
        {"pairs", &DeviceProber::probePairs},
        {"broadcast", &DeviceProber::probeBroadcast, false},
        {"banks", &DeviceProber::probeBanks},
        {"copies", &DeviceProber::probeCopies},
        {"gathers", &DeviceProber::probeGathers, false},
        {"items", &DeviceProber::probeItems},
        {"operations", &DeviceProber::probeOperations},
        {"registers", &DeviceProber::probeRegisters, false},
        {"divergence", &DeviceProber::probeDivergence},
        {"spread", &DeviceProber::probeSpread},
        {"barriers", &DeviceProber::probeBarriers, false},
        {"transfers", &DeviceProber::probeTransfers, false},
    };
    std::size_t done = 0;
    for (const Test &test : tests) {
      if (options.isQuick && !test.isQuick)
        continue;
      observer.testBegins(test.name, done++, std::size(tests));
      try {
        (this->*test.run)();
      } catch (const OpenCLError &error) {
        observer.testFailed(test.name, error.what());
      }
    }
    return std::move(data);
  }

private:
  //===-- What the driver says --------------------------------------------===//

  void describe() {
    ProbedDevice &told = data.device;
    told.identity = device.identity();
    told.platform = device.platformName();
    told.driver = device.driver();
    const cl_device_id id = device.id();
    told.clockMHz = deviceInfo<cl_uint>(id, CL_DEVICE_MAX_CLOCK_FREQUENCY);
    told.computeUnits = deviceInfo<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS);
    told.maxGroupSize =
        deviceInfo<std::size_t>(id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    told.lineBytes =
        deviceInfo<cl_uint>(id, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE);
    told.localBytes = deviceInfo<cl_ulong>(id, CL_DEVICE_LOCAL_MEM_SIZE);
    told.localIsDedicated = deviceInfo<cl_device_local_mem_type>(
                                id, CL_DEVICE_LOCAL_MEM_TYPE) == CL_LOCAL;
    told.constantBytes =
        deviceInfo<cl_ulong>(id, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE);
    isProcessor = told.identity.isProcessor;
    group = std::min<std::size_t>(told.maxGroupSize, 256);
    limit = static_cast<std::size_t>(std::min<std::uint64_t>(
        device.maxAllocation(), isProcessor ? 128 * mebi : 512 * mebi));
    units = std::max<std::size_t>(told.computeUnits, 1);
  }

  //===-- Means -----------------------------------------------------------===//

  const KernelHandle &build(const ProbeKernel &kernel) {
    KernelHandle &known = kernels[kernel.name];
    if (!known)
      known = makeKernel(buildProgram(device, kernel.source, "", kernel.name),
                         kernel.name);
    return known;
  }

  BufferHandle upload(const Words &words) {
    BufferHandle buffer = makeBuffer(device, words.size() * sizeof(cl_uint));
    device.write(buffer, words.data(), words.size() * sizeof(cl_uint));
    return buffer;
  }

  BufferHandle filled(std::size_t bytes, cl_uint word) {
    BufferHandle buffer = makeBuffer(device, bytes);
    checkCL(clEnqueueFillBuffer(device.queue(), buffer.get(), &word,
                                sizeof word, 0, bytes, 0, nullptr, nullptr),
            "clEnqueueFillBuffer");
    device.finish();
    return buffer;
  }

  static void setBytes(const KernelHandle &kernel, cl_uint index,
                       std::size_t size, const void *value) {
    checkCL(clSetKernelArg(kernel.get(), index, size, value), "clSetKernelArg");
  }
  template <typename T>
  static void set(const KernelHandle &kernel, cl_uint index, const T &value) {
    setBytes(kernel, index, sizeof value, &value);
  }
  static void set(const KernelHandle &kernel, cl_uint index,
                  const BufferHandle &buffer) {
    set(kernel, index, buffer.get());
  }

  double timeOnce(const KernelHandle &kernel, const ProbeRange &range) {
    cl_event event = nullptr;
    checkCL(clEnqueueNDRangeKernel(device.queue(), kernel.get(), 1, nullptr,
                                   &range.items, &range.group, 0, nullptr,
                                   &event),
            "clEnqueueNDRangeKernel");
    const EventHandle owner(event);
    checkCL(clWaitForEvents(1, &event), "clWaitForEvents");
    return eventMilliseconds(event) * 1e6;
  }

  /// Nanoseconds of several runs, less `off`; the first warms up.
  std::vector<double> timeRuns(const KernelHandle &kernel,
                               const ProbeRange &range, double off = 0) {
    timeOnce(kernel, range);
    std::vector<double> times;
    for (unsigned i = 0; i < repeats(); ++i)
      times.push_back(std::max(timeOnce(kernel, range) - off, 1e-3));
    return times;
  }

  /// Sets the argument `index` so that a run takes about as long as is wanted.
  /// Never more than `most`.
  cl_uint chooseRounds(const KernelHandle &kernel, cl_uint index,
                       const ProbeRange &range, cl_uint most = 1u << 20) {
    cl_uint rounds = 4;
    for (;;) {
      set(kernel, index, rounds);
      timeOnce(kernel, range); // builds it for the group's size
      const double time = timeOnce(kernel, range);
      if (time > wanted() / 2 || rounds == most)
        return rounds;
      const double more = time > empty * 2 ? wanted() / (time - empty) : 8.0;
      rounds = static_cast<cl_uint>(
          std::min<double>(std::min(more, 64.0) * rounds + 1, most));
    }
  }

  /// Nanoseconds of one of `perRound` steps in a kernel whose argument `index`
  /// counts rounds.
  ProbeSample timeRounds(const KernelHandle &kernel, cl_uint index,
                         const ProbeRange &range, double perRound) {
    const cl_uint rounds = chooseRounds(kernel, index, range);
    return each(timeRuns(kernel, range, empty), rounds * perRound);
  }

  /// Nanoseconds of one of so many.
  static ProbeSample each(std::vector<double> times, double count) {
    for (double &time : times)
      time /= count;
    return summarize(std::move(times));
  }

  static ProbeSample perSecond(std::vector<double> times, double amount) {
    for (double &time : times)
      time = amount / time; // per nanosecond: 10^9 per second
    return summarize(std::move(times));
  }

  /// Nanoseconds of the host; the first run warms up.
  template <typename Action>
  std::vector<double> timeHost(const Action &action) {
    std::vector<double> times;
    for (unsigned i = 0; i <= repeats(); ++i) {
      const Stopwatch watch;
      action();
      times.push_back(watch.milliseconds() * 1e6);
    }
    times.erase(times.begin());
    return times;
  }

  void add(const std::string &test,
           const std::map<std::string, std::string> &variant,
           const std::map<std::string, std::int64_t> &numbers,
           const std::string &unit, const ProbeSample &sample) {
    data.measurements.push_back({test, variant, numbers, unit, sample});
  }

  unsigned repeats() const { return options.isQuick ? 3 : 7; }
  /// Nanoseconds that a run should take.
  double wanted() const { return options.isQuick ? 3e5 : 1e6; }

  /// Clocks that rest while nothing runs take a while to rise.
  void warmUp() {
    const ProbedOperation &operation = probedOperations()[0];
    const KernelHandle &kernel = build(operationKernel(operation, 4));
    const std::size_t items = units * group;
    const BufferHandle values = filled(items * 16, 0x3f800000u);
    set(kernel, 0, values);
    set(kernel, 1, cl_uint(1000));
    setOperands(kernel, operation.type);
    const Stopwatch watch;
    while (watch.milliseconds() < (isProcessor ? 20 : 300))
      timeOnce(kernel, {items, group});
  }

  //===-- Launches --------------------------------------------------------===//

  void probeLaunches() {
    const KernelHandle &kernel = build(emptyKernel());
    set(kernel, 0, cl_uint(0));
    for (std::size_t groups : {1, 64, 4096, 65536}) {
      if (groups > 4096 && (options.isQuick || isProcessor))
        break;
      const ProbeSample sample = summarize(timeRuns(kernel, {groups * 64, 64}));
      if (groups == 1)
        empty = sample.value;
      add("empty", {}, {{"groups", std::int64_t(groups)}}, "ns", sample);
    }
    // What a host waits for one launch, and for one of many.
    const std::size_t one = 1;
    for (std::int64_t launches : {1, 100}) {
      const std::vector<double> times = timeHost([&] {
        for (std::int64_t j = 0; j < launches; ++j)
          checkCL(clEnqueueNDRangeKernel(device.queue(), kernel.get(), 1,
                                         nullptr, &one, &one, 0, nullptr,
                                         nullptr),
                  "clEnqueueNDRangeKernel");
        device.finish();
      });
      add("launch", {}, {{"launches", launches}}, "ns",
          each(times, static_cast<double>(launches)));
    }
  }

  //===-- Chains ----------------------------------------------------------===//

  /// Follows the chain of `words` in `memory`, checks where it ends, and never
  /// begins anew: a second run over the same cells would find them in a cache
  /// that is smaller than the array.
  ProbeSample followChain(const KernelHandle &kernel, cl_mem next,
                          const Words &words, std::size_t cells) {
    const BufferHandle at = upload({0});
    set(kernel, 0, at);
    set(kernel, 1, next);
    set(kernel, 3, static_cast<cl_uint>(words.size()));
    const cl_uint rounds = chooseRounds(kernel, 2, {1, 1});
    // Once through all cells, where caches may hold them.
    if (cells <= mostWarmed()) {
      set(kernel, 2, static_cast<cl_uint>(cells / chaseUnroll + 1));
      timeOnce(kernel, {1, 1});
      set(kernel, 2, rounds);
    }
    cl_uint expected = readWord(at);
    const std::vector<double> times = timeRuns(kernel, {1, 1}, empty);
    const std::uint64_t steps =
        std::uint64_t(rounds) * chaseUnroll * (repeats() + 1);
    for (std::uint64_t i = 0; i < steps; ++i)
      expected = words[expected];
    if (const cl_uint found = readWord(at); found != expected)
      throw Error("the device computes wrong values: a chain of " +
                  std::to_string(steps) + " reads ends at " +
                  std::to_string(found) + ", not at " +
                  std::to_string(expected));
    return each(times, double(rounds) * chaseUnroll);
  }

  std::size_t mostWarmed() const {
    return options.isQuick ? 1u << 16 : 1u << 18;
  }

  cl_uint readWord(const BufferHandle &buffer) {
    cl_uint word = 0;
    device.read(buffer, &word, sizeof word);
    return word;
  }

  void probeChains() {
    const std::size_t line = std::max<std::size_t>(data.device.lineBytes, 64);
    const std::size_t largest = options.isQuick ? 16 * mebi
                                : isProcessor   ? 64 * mebi
                                                : 256 * mebi;
    const std::size_t factor = options.isQuick ? 4 : 2;
    for (std::size_t bytes = 4 * kibi; bytes <= std::min(largest, limit);
         bytes *= factor)
      chase(ProbedMemory::Global, bytes, line);
    for (std::size_t bytes : {4 * kibi, 16 * kibi, 64 * kibi})
      if (bytes <= data.device.constantBytes)
        chase(ProbedMemory::Constant, bytes, 4);
    for (std::size_t bytes : {4 * kibi, 16 * kibi})
      if (chaseLocalCells * 4 <= data.device.localBytes)
        chase(ProbedMemory::Local, bytes, 4);
    probeImages(line);
  }

  /// Through cells of so many bytes each.
  void chase(ProbedMemory memory, std::size_t bytes, std::size_t cell) {
    const Words words = randomCycle(bytes / cell, cell / 4, 0);
    const BufferHandle next = upload(words);
    addChain(nameOf(memory), bytes,
             followChain(build(chaseKernel(memory)), next.get(), words,
                         bytes / cell));
  }

  void probeImages(std::size_t line) {
    if (!deviceInfo<cl_bool>(device.id(), CL_DEVICE_IMAGE_SUPPORT))
      return;
    const KernelHandle &kernel = build(chaseKernel(ProbedMemory::Image));
    for (std::size_t bytes : {4 * kibi, 4 * mebi}) {
      const Words words = randomCycle(bytes / line, line / 4, 0);
      cl_image_format format{CL_R, CL_UNSIGNED_INT32};
      cl_image_desc shape{};
      shape.image_type = CL_MEM_OBJECT_IMAGE2D;
      shape.image_width = chaseImageWidth;
      shape.image_height = words.size() / chaseImageWidth;
      cl_int status = CL_SUCCESS;
      Words copy = words;
      const BufferHandle image(clCreateImage(
          device.context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format,
          &shape, copy.data(), &status));
      checkCL(status, "clCreateImage");
      addChain("image", bytes,
               followChain(kernel, image.get(), words, bytes / line));
    }
  }

  void addChain(const char *memory, std::size_t bytes,
                const ProbeSample &sample) {
    add("chase", {{"memory", memory}}, {{"bytes", std::int64_t(bytes)}}, "ns",
        sample);
  }

  /// Every second access lies `offset` bytes behind the one before it: in what
  /// that one has brought, or not. In an array that only the caches behind the
  /// first one hold.
  void probePairs() {
    const std::size_t bytes = isProcessor ? 512 * kibi : 16 * mebi;
    // No power of two: else the blocks share a few sets of a cache.
    constexpr std::size_t block = 1280;
    const KernelHandle &kernel = build(chaseKernel(ProbedMemory::Global));
    for (std::size_t offset = 4; offset <= 512; offset *= 2) {
      const Words words = randomCycle(bytes / block, block / 4, offset / 4);
      const BufferHandle next = upload(words);
      add("pair", {}, {{"offset", std::int64_t(offset)}}, "ns",
          followChain(kernel, next.get(), words, 2 * bytes / block));
    }
  }

  //===-- Many chains beside each other ----------------------------------===//

  /// Each work-item reads the cell where it starts, again and again.
  ProbeSample followFixed(const KernelHandle &kernel, const BufferHandle &next,
                          const Words &begin, std::size_t cells) {
    const BufferHandle at = upload(begin);
    set(kernel, 0, at);
    set(kernel, 1, next);
    set(kernel, 3, static_cast<cl_uint>(cells));
    return timeRounds(kernel, 2, {begin.size(), group}, chaseUnroll);
  }

  template <typename Cell>
  Words starts(std::size_t items, const Cell &cellOf) const {
    Words begin(items);
    for (std::size_t i = 0; i < items; ++i)
      begin[i] = static_cast<cl_uint>(cellOf(i));
    return begin;
  }

  void probeBroadcast() {
    const std::size_t cells = 1024;
    const BufferHandle next = upload(identity(cells));
    for (ProbedMemory memory :
         {ProbedMemory::Global, ProbedMemory::Constant, ProbedMemory::Local}) {
      const KernelHandle &kernel = build(chaseKernel(memory));
      for (std::size_t step : {1, 2, 4, 8, 16, 32}) {
        add("broadcast", {{"memory", nameOf(memory)}},
            {{"together", std::int64_t(step)}}, "ns",
            followFixed(
                kernel, next,
                starts(group, [&](std::size_t i) { return i / step * step; }),
                cells));
      }
    }
  }

  void probeBanks() {
    // Only memory of its own has banks.
    if (!data.device.localIsDedicated ||
        chaseLocalCells * 4 > data.device.localBytes)
      return;
    const BufferHandle next = upload(identity(chaseLocalCells));
    const KernelHandle &kernel = build(chaseKernel(ProbedMemory::Local));
    // So many that requests wait for the memory, not for their answers.
    const std::size_t items = units * 8 * group;
    const auto follow = [&](const auto &cellOf) {
      return followFixed(kernel, next,
                         starts(items,
                                [&](std::size_t i) {
                                  return cellOf(i % group) % chaseLocalCells;
                                }),
                         chaseLocalCells);
    };
    for (std::size_t stride = 1; stride <= 64; stride *= 2)
      for (std::size_t odd : {0, 1})
        if (odd == 0 || stride > 1) // next to a power of two
          add("bank-stride", {{"kind", odd ? "odd" : "even"}},
              {{"words", std::int64_t(stride + odd)}}, "ns",
              follow([&](std::size_t i) { return i * (stride + odd); }));
    // Work-items that are `apart` from each other want the same bank.
    for (std::size_t apart = 1; apart <= std::min<std::size_t>(64, group);
         apart *= 2)
      add("bank-lanes", {}, {{"apart", std::int64_t(apart)}}, "ns",
          follow([&](std::size_t i) { return i % apart + i / apart * 64; }));
  }

  //===-- Bandwidth -------------------------------------------------------===//

  void probeCopies() {
    const std::size_t bytes = std::min(limit / 2, options.isQuick ? 16 * mebi
                                                  : isProcessor   ? 32 * mebi
                                                                  : 256 * mebi);
    const BufferHandle from = filled(bytes + 256, 0);
    const BufferHandle to = filled(bytes + 256, 0);
    static constexpr std::pair<const char *, unsigned> types[] = {
        {"uchar", 1}, {"ushort", 2}, {"uint", 4}, {"ulong", 8}};
    for (const auto &[type, size] : types)
      for (unsigned width : {1, 2, 4, 8, 16}) {
        if (options.isQuick &&
            (size == 2 || size == 8 || width == 2 || width == 8))
          continue;
        copyOne(from, to, bytes, type, size, width, 0);
      }
    copyOne(from, to, bytes, "uint", 4, 4, 1);
    if (!options.isQuick)
      copyOne(from, to, bytes, "uchar", 1, 4, 1);
    std::vector<double> times;
    for (unsigned i = 0; i <= repeats(); ++i)
      times.push_back(std::max(device.copy(from, to, bytes) * 1e6, 1.0));
    times.erase(times.begin());
    add("copy-buffer", {}, {}, "GB/s", perSecond(times, 2.0 * double(bytes)));
  }

  void copyOne(const BufferHandle &from, const BufferHandle &to,
               std::size_t bytes, const char *type, unsigned size,
               unsigned width, unsigned shift) {
    const KernelHandle &kernel = build(copyKernel(type, width, shift));
    set(kernel, 0, to);
    set(kernel, 1, from);
    const std::size_t items = bytes / (size * width) / group * group;
    add(shift ? "copy-shifted" : "copy", {},
        {{"elementBytes", size}, {"width", width}}, "GB/s",
        perSecond(timeRuns(kernel, {items, group}, empty),
                  2.0 * double(items) * size * width));
  }

  void probeGathers() {
    // A power of two of work-items, for the orders.
    std::size_t items = 1u << 20;
    std::size_t largest = 64;
    while (items * largest * 4 > limit)
      items /= 2;
    const BufferHandle in = filled(items * largest * 4, 0);
    const BufferHandle out = filled(64, 0);
    for (const char *pattern :
         {"contiguous", "reversed", "shuffled", "scattered"}) {
      const KernelHandle &kernel = build(gatherKernel(pattern));
      set(kernel, 0, out);
      set(kernel, 1, in);
      for (cl_uint step = 1; step <= largest; step *= 2) {
        if (step > 1 && std::strcmp(pattern, "contiguous") != 0)
          break;
        set(kernel, 2, step);
        const ProbeRange range = {items, std::min<std::size_t>(group, 64)};
        add("gather", {{"pattern", pattern}}, {{"stepBytes", step * 4}}, "ns",
            each(timeRuns(kernel, range, empty), double(items)));
      }
    }
  }

  void probeItems() {
    if (isProcessor)
      return; // one work-item keeps a compute unit busy
    const std::size_t bytes =
        std::min(limit, options.isQuick ? 16 * mebi : 256 * mebi);
    const KernelHandle &kernel = build(sumKernel());
    const BufferHandle in = filled(bytes, 0);
    const BufferHandle out = filled(64, 0);
    set(kernel, 0, out);
    set(kernel, 1, in);
    set(kernel, 2, static_cast<cl_uint>(bytes / 4));
    for (std::size_t items = 16; items <= 2048; items *= 2) {
      if (options.isQuick && items != 16 && items != 128 && items != 1024)
        continue;
      const std::size_t inGroup = std::min(items, std::min(group, items));
      add("items", {}, {{"perUnit", std::int64_t(items)}}, "GB/s",
          perSecond(timeRuns(kernel, {units * items, inGroup}, empty),
                    double(bytes)));
    }
  }

  //===-- Arithmetic ------------------------------------------------------===//

  void setOperands(const KernelHandle &kernel, const std::string &type) {
    cl_float floats[2][4] = {{0.999f, 0.999f, 0.999f, 0.999f},
                             {0.5f, 0.5f, 0.5f, 0.5f}};
    cl_int integers[2] = {5, 12345};
    for (cl_uint i : {0u, 1u})
      if (type == "int")
        set(kernel, 2 + i, integers[i]);
      else
        setBytes(kernel, 2 + i, type == "float" ? 4 : 16, floats[i]);
  }

  void probeOperations() {
    const std::vector<ProbedOperation> &all = probedOperations();
    const std::size_t count = options.isQuick ? quickOperations : all.size();
    const std::size_t items = units * (isProcessor ? group : 2048);
    const BufferHandle values = filled(items * 16, 0x3f800000u);
    for (std::size_t i = 0; i < count; ++i) {
      const ProbedOperation &operation = all[i];
      const KernelHandle &kernel = build(operationKernel(operation, 4));
      set(kernel, 0, values);
      setOperands(kernel, operation.type);
      const double perRound =
          4.0 * operationUnroll * operation.perItem * operation.perStep;
      const cl_uint rounds = chooseRounds(kernel, 1, {items, group});
      add("throughput", {{"operation", operation.name}}, {}, "Gop/s",
          perSecond(timeRuns(kernel, {items, group}, empty),
                    perRound * rounds * double(items)));
      if (i > 0 && options.isQuick)
        continue;
      const KernelHandle &chain = build(operationKernel(operation, 1));
      set(chain, 0, values);
      setOperands(chain, operation.type);
      add("latency", {{"operation", operation.name}}, {}, "ns",
          timeRounds(chain, 1, {1, 1}, operationUnroll * operation.perStep));
    }
  }

  void probeRegisters() {
    const std::size_t items = units * group;
    const BufferHandle values = filled(items * 4, 0x3f800000u);
    for (unsigned live : {8, 16, 32, 64, 96, 128, 160, 192, 224, 256}) {
      const KernelHandle &kernel = build(liveKernel(live));
      set(kernel, 0, values);
      set(kernel, 2, cl_float(0.5f));
      const std::size_t inGroup =
          std::min(isProcessor ? std::size_t(16) : group, largestGroup(kernel));
      const ProbeRange range{items / inGroup * inGroup, inGroup};
      const cl_uint rounds = chooseRounds(kernel, 1, range);
      add("live", {}, {{"values", live}}, "Gop/s",
          perSecond(timeRuns(kernel, range, empty),
                    double(live) * rounds * double(range.items)));
      cl_ulong spilled = 0;
      if (clGetKernelWorkGroupInfo(kernel.get(), device.id(),
                                   CL_KERNEL_PRIVATE_MEM_SIZE, sizeof spilled,
                                   &spilled, nullptr) == CL_SUCCESS)
        add("private-memory", {}, {{"values", live}}, "bytes",
            {double(spilled), 0});
    }
  }

  std::size_t largestGroup(const KernelHandle &kernel) const {
    return std::max<std::size_t>(
        groupInfo<std::size_t>(kernel.get(), device.id(),
                               CL_KERNEL_WORK_GROUP_SIZE),
        1);
  }

  //===-- Control flow ----------------------------------------------------===//

  void probeDivergence() {
    const std::size_t items = units * (isProcessor ? 256 : 2048);
    const BufferHandle values = filled(items * 4, 0x3f000000u);
    const KernelHandle &kernel = build(divergenceKernel());
    set(kernel, 0, values);
    set(kernel, 2, cl_uint(256));
    const cl_uint rounds = chooseRounds(kernel, 1, {items, group});
    for (cl_uint width = 1; width <= 256; width *= 2) {
      // Processors show whether there is a difference, not where it ends.
      if ((options.isQuick || isProcessor) && width != 1 && width != 256)
        continue;
      set(kernel, 2, width);
      add("divergence", {}, {{"width", width}}, "ns",
          each(timeRuns(kernel, {items, group}, empty), rounds));
    }
  }

  /// An eighth of the work-items works: what is left of a large launch.
  void probeSpread() {
    const std::size_t items = std::max<std::size_t>(64, units * 8) * group;
    const BufferHandle values = filled(items * 4, 0x3f000000u);
    const KernelHandle &kernel = build(spreadKernel());
    set(kernel, 0, values);
    set(kernel, 2, cl_uint(0));
    const cl_uint rounds = chooseRounds(kernel, 1, {items, group});
    for (cl_uint packed : {0u, 1u}) {
      set(kernel, 2, packed);
      add("spread", {{"where", packed ? "groups" : "items"}}, {}, "ns",
          each(timeRuns(kernel, {items, group}, empty), rounds));
    }
  }

  void probeBarriers() {
    const BufferHandle values = filled(kibi * 4, 0);
    const KernelHandle &kernel = build(barrierKernel());
    set(kernel, 0, values);
    for (std::size_t items : {32, 64, 128, 256, 512, 1024}) {
      if (items > largestGroup(kernel))
        continue;
      setBytes(kernel, 2, items * 4, nullptr);
      add("barrier", {}, {{"items", std::int64_t(items)}}, "ns",
          timeRounds(kernel, 1, {items, items}, 2));
    }
  }

  //===-- Transfers -------------------------------------------------------===//

  void probeTransfers() {
    const std::size_t largest = 64 * mebi;
    const BufferHandle buffer = filled(largest, 0);
    const BufferHandle pinned =
        makeBuffer(device, largest, CL_MEM_ALLOC_HOST_PTR);
    std::vector<char> pageable(largest, 1);
    void *locked = device.map(pinned, largest);
    std::memset(locked, 1, largest);
    for (std::size_t bytes = 4 * kibi; bytes <= largest; bytes *= 16) {
      transfer("pageable", buffer, pageable.data(), bytes);
      transfer("pinned", buffer, locked, bytes);
    }
    device.unmap(pinned, locked);
    for (std::size_t bytes = 4 * kibi; bytes <= largest; bytes *= 16)
      addTransfer("mapped", "both", bytes,
                  [&] { device.unmap(buffer, device.map(buffer, bytes)); });
    for (ProbeMeasurement &one : measureMemory(device, largest, repeats()))
      data.measurements.push_back(std::move(one));
  }

  void transfer(const char *host, const BufferHandle &buffer, void *memory,
                std::size_t bytes) {
    addTransfer(host, "write", bytes,
                [&] { device.write(buffer, memory, bytes); });
    addTransfer(host, "read", bytes,
                [&] { device.read(buffer, memory, bytes); });
  }

  /// As a host sees it: from the call to its end.
  template <typename Move>
  void addTransfer(const char *host, const char *way, std::size_t bytes,
                   const Move &move) {
    add("transfer", {{"host", host}, {"way", way}},
        {{"bytes", std::int64_t(bytes)}}, "ns", summarize(timeHost(move)));
  }

  const ProbeOptions &options;
  ProbeObserver &observer;
  const Device device;
  ProbeData data;
  std::map<std::string, KernelHandle> kernels; // by their names
  bool isProcessor = false;
  std::size_t group = 64; // work-items of the groups of most tests
  std::size_t limit = 0;  // bytes of the largest buffer
  std::size_t units = 1;
  double empty = 0; // nanoseconds of an empty kernel
};

} // namespace

ProbeData probeDevice(const ProbeOptions &options, ProbeObserver &observer) {
  return DeviceProber(options, observer).run();
}

} // namespace clopt::runtime
