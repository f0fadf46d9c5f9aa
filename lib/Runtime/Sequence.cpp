//===- Sequence.cpp - launches in order, on common buffers ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeSequenceTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Sequence.h"

#include "Runtime/SpecFields.h"

#include <algorithm>
#include <cstring>

namespace clopt::runtime {

namespace {

/// Loops are written out; so many launches fit into memory.
constexpr std::size_t mostCalls = 1000000;

class SequenceReader {
public:
  explicit SequenceReader(const JsonDocument &from) : document(from) {}

  SequenceSpec read() {
    const Fields root(document, document.root(), "");
    const Json &steps = root.require("Sequence");
    spec.kernels = readLaunchSpec(document);
    for (const KernelSpec &kernel : spec.kernels)
      checkKernel(kernel);
    spec.steps = readSteps(steps, "/Sequence");
    if (const Json *names = root.find("Temporary"))
      readTemporaries(root, *names);
    return std::move(spec);
  }

private:
  void checkKernel(const KernelSpec &kernel) const {
    for (const ArgumentSpec &argument : kernel.arguments)
      if (argument.memory == MemoryKind::Image ||
          argument.memory == MemoryKind::Sampler)
        throw Error("'" + argument.name +
                        "' is an image or a sampler, which sequences have not",
                    kernel.file, argument.where);
    const KernelSpec &first = spec.kernels.front();
    if (kernel.sizePoints() != first.sizePoints())
      throw Error("kernels of a sequence have the same sizes: write 'Sizes' "
                  "beside 'KernelSpecification'",
                  kernel.file, kernel.where);
  }

  void readTemporaries(const Fields &root, const Json &names) {
    if (!names.is_array())
      root.fail("Temporary", "'Temporary' is a list of buffers");
    for (const Json &name : names) {
      if (!name.is_string() || !isBuffer(name.get<std::string>()))
        root.fail("Temporary", "no kernel has a buffer " + name.dump());
      spec.temporaries.push_back(name.get<std::string>());
    }
  }

  std::vector<SequenceStep> readSteps(const Json &list,
                                      const std::string &pointer) {
    if (!list.is_array())
      throw document.error(pointer, "steps must be a list");
    std::vector<SequenceStep> steps;
    for (std::size_t i = 0; i < list.size(); ++i)
      steps.push_back(readStep(
          Fields(document, list[i], pointer + "/" + std::to_string(i))));
    return steps;
  }

  SequenceStep readStep(const Fields &fields) {
    SequenceStep step;
    if (!fields.find("Loop")) {
      step.launch = readCall(fields);
      return step;
    }
    step.counter = fields.requireString("Loop");
    if (step.counter.empty() || spec.kernels.front().hasSize(step.counter))
      fields.fail("Loop", "'" + step.counter + "' is no name for a counter");
    fields.require("Count");
    step.count = *fields.expression("Count");
    step.body = readSteps(fields.require("Steps"), fields.path("Steps"));
    return step;
  }

  KernelSpec readCall(const Fields &fields) {
    const std::string name = fields.requireString("Launch");
    const auto found = std::find_if(
        spec.kernels.begin(), spec.kernels.end(),
        [&](const KernelSpec &kernel) { return kernel.kernelName == name; });
    if (found == spec.kernels.end())
      fields.fail("Launch", "no kernel of the specification is '" + name + "'");
    KernelSpec kernel = *found;
    if (const Json *given = fields.find("Arguments")) {
      const Fields arguments(document, *given, fields.path("Arguments"));
      for (const auto &[parameter, value] : given->items())
        replaceArgument(arguments, parameter, value, kernel);
    }
    return kernel;
  }

  void replaceArgument(const Fields &fields, const std::string &name,
                       const Json &value, KernelSpec &kernel) {
    for (ArgumentSpec &argument : kernel.arguments) {
      if (argument.name != name)
        continue;
      const bool isNumber = argument.memory == MemoryKind::Scalar &&
                            argument.type.components.size() == 1;
      if (isNumber) {
        argument.fill = FillKind::Constant;
        argument.fillValue = {
            fields.makeNumber(value, fields.path(name), "'" + name + "'")};
      } else if (argument.memory == MemoryKind::Vector) {
        argument.buffer = fields.requireString(name);
        if (!isBuffer(argument.buffer))
          fields.fail(name, "no kernel has a buffer '" + argument.buffer + "'");
      } else {
        fields.fail(name, "a launch gives numbers and buffers only");
      }
      return;
    }
    fields.fail(name,
                "'" + kernel.kernelName + "' has no argument '" + name + "'");
  }

  bool isBuffer(const std::string &name) const {
    for (const KernelSpec &kernel : spec.kernels)
      for (const ArgumentSpec &argument : kernel.arguments)
        if (argument.name == name && argument.memory == MemoryKind::Vector &&
            argument.sameBufferAs.empty())
          return true;
    return false;
  }

  const JsonDocument &document;
  SequenceSpec spec;
};

class SequenceBinder {
public:
  SequenceBinder(const SequenceSpec &what, std::uint64_t startingSeed,
                 const LaunchLimits &most)
      : spec(what), seed(startingSeed), limits(most) {}

  BoundSequence run(const SizePoint &point) {
    bind(spec.steps, point);
    if (result.calls.empty())
      throw Error("the sequence has no launch", spec.kernels.front().file, {});
    return std::move(result);
  }

private:
  void bind(const std::vector<SequenceStep> &steps, const SizePoint &point) {
    for (const SequenceStep &step : steps)
      if (step.counter.empty())
        bindCall(step.launch, point);
      else
        bindLoop(step, point);
  }

  void bindLoop(const SequenceStep &loop, const SizePoint &point) {
    const KernelSpec &any = spec.kernels.front();
    Bindings names = any.constants;
    for (const auto &[name, value] : point)
      names[name] = value;
    const std::int64_t count = evaluate(loop.count, names, any.file);
    SizePoint inside = point;
    inside.emplace_back(loop.counter, 0);
    for (; inside.back().second < count; ++inside.back().second)
      bind(loop.body, inside);
  }

  void bindCall(const KernelSpec &kernel, const SizePoint &point) {
    if (result.calls.size() == mostCalls)
      throw Error("the sequence has more than a million launches", kernel.file,
                  kernel.where);
    bindNext(kernel, point, seed, limits, result.memory);
    result.calls.push_back(
        {kernel.kernelName, bindOptions(kernel, result.memory.bindings),
         result.memory.arguments, result.memory.ranges.front()});
  }

  const SequenceSpec &spec;
  const std::uint64_t seed;
  const LaunchLimits &limits;
  BoundSequence result;
};

} // namespace

SequenceSpec readSequence(const JsonDocument &document) {
  return SequenceReader(document).read();
}

BoundSequence bindSequence(const SequenceSpec &spec, const SizePoint &point,
                           std::uint64_t seed, const LaunchLimits &limits) {
  return SequenceBinder(spec, seed, limits).run(point);
}

//===-- Runs ------------------------------------------------------------===//

static const KernelSpec &kernelOf(const SequenceSpec &spec,
                                  const BoundCall &call) {
  return *std::find_if(spec.kernels.begin(), spec.kernels.end(),
                       [&](const KernelSpec &kernel) {
                         return kernel.kernelName == call.kernel;
                       });
}

std::optional<std::int64_t> integerOf(const SequenceSpec &spec,
                                      const BoundCall &call,
                                      std::size_t argument) {
  const ElementType &type = kernelOf(spec, call).arguments[argument].type;
  const std::vector<std::uint8_t> &bytes = call.arguments[argument].scalar;
  if (call.arguments[argument].memory != MemoryKind::Scalar ||
      type.components.size() != 1 || isFloating(type.components[0].kind))
    return std::nullopt;
  const ScalarKind kind = type.components[0].kind;
  // Sign or zeros above the value's own bytes; OpenCL devices and hosts that
  // there are have the least byte first.
  std::int64_t value =
      isSigned(kind) && (bytes[sizeOf(kind) - 1] & 0x80) != 0 ? -1 : 0;
  std::memcpy(&value, bytes.data(), sizeOf(kind));
  if (kind == ScalarKind::UInt64 && value < 0)
    return std::nullopt;
  return value;
}

bool isSameRange(const NDRange &a, const NDRange &b) {
  return a.dimensions == b.dimensions && a.global == b.global &&
         a.local == b.local && a.offset == b.offset;
}

std::optional<std::vector<std::int64_t>> stepsBetween(const SequenceSpec &spec,
                                                      const BoundCall &from,
                                                      const BoundCall &to) {
  if (from.kernel != to.kernel || from.options != to.options ||
      !isSameRange(from.range, to.range))
    return std::nullopt;
  std::vector<std::int64_t> steps;
  for (std::size_t i = 0; i < from.arguments.size(); ++i) {
    const LaunchArgument &a = from.arguments[i], &b = to.arguments[i];
    steps.push_back(0);
    if (a.buffer != b.buffer || a.shiftBytes != b.shiftBytes ||
        a.localBytes != b.localBytes)
      return std::nullopt;
    if (a.scalar == b.scalar)
      continue;
    const auto before = integerOf(spec, from, i),
               after = integerOf(spec, to, i);
    if (!before || !after ||
        __builtin_sub_overflow(*after, *before, &steps.back()))
      return std::nullopt;
  }
  return steps;
}

std::vector<CallRun> findRuns(const SequenceSpec &spec,
                              const BoundSequence &sequence) {
  std::vector<CallRun> runs;
  const std::vector<BoundCall> &calls = sequence.calls;
  for (std::size_t at = 0; at < calls.size(); at += runs.back().count) {
    runs.push_back(
        {at, 1, std::vector<std::int64_t>(calls[at].arguments.size(), 0)});
    CallRun &run = runs.back();
    for (; at + run.count < calls.size(); ++run.count) {
      const auto steps =
          stepsBetween(spec, calls[at + run.count - 1], calls[at + run.count]);
      if (!steps || (run.count > 1 && *steps != run.steps))
        break;
      run.steps = *steps;
    }
  }
  return runs;
}

} // namespace clopt::runtime
