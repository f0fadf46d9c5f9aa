//===- Launch.cpp - one launch, with sizes as numbers ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeLaunchTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Launch.h"

#include "Runtime/Fill.h"

namespace clopt::runtime {

namespace {

/// Gives the scalars their values. A scalar may use another one, whichever
/// comes first, so this goes round until nothing new is found; what is left
/// then is an error.
void bindScalars(const KernelSpec &spec, Bindings &bindings) {
  std::vector<const ArgumentSpec *> pending;
  for (const ArgumentSpec &argument : spec.arguments)
    if (argument.memory == MemoryKind::Scalar &&
        argument.fill == FillKind::Constant && argument.fillValue.size() == 1 &&
        !argument.fillValue[0].real && argument.type.components.size() == 1 &&
        bindings.count(argument.name) == 0)
      pending.push_back(&argument);
  while (!pending.empty()) {
    std::vector<const ArgumentSpec *> left;
    for (const ArgumentSpec *argument : pending) {
      const Expression &value = argument->fillValue[0].expression.value;
      bool known = true;
      for (const std::string &name : value.names())
        known &= bindings.count(name) != 0 || name == "ProblemSize";
      if (known)
        bindings[argument->name] =
            evaluate(argument->fillValue[0].expression, bindings, spec.file);
      else
        left.push_back(argument);
    }
    if (left.size() == pending.size())
      return; // evaluating one of them reports the name
    pending = std::move(left);
  }
}

std::size_t bindCount(const KernelSpec &spec, const ArgumentSpec &argument,
                      const Bindings &bindings, const LaunchLimits &limits) {
  const std::int64_t count = evaluate(*argument.size, bindings, spec.file);
  const std::string what = "size of '" + argument.name + "' is ";
  if (count < 0)
    throw Error(what + std::to_string(count), spec.file, argument.size->where);
  if (static_cast<std::uint64_t>(count) >
      limits.bufferBytes / argument.type.size)
    throw Error(what + std::to_string(count) + " elements of " +
                    std::to_string(argument.type.size) +
                    " bytes, more than the device can allocate",
                spec.file, argument.size->where);
  // OpenCL has no empty buffers; nobody may look at the one element anyway.
  return count == 0 ? 1 : static_cast<std::size_t>(count);
}

/// Some drivers end the process when a launch has more than the device.
std::size_t bindLocal(const KernelSpec &spec, const ArgumentSpec &argument,
                      const LaunchLimits &limits, const Launch &launch) {
  std::uint64_t bytes =
      argument.type.size * bindCount(spec, argument, launch.bindings, limits);
  const std::size_t own = bytes;
  for (const LaunchArgument &earlier : launch.arguments)
    bytes += earlier.localBytes;
  if (bytes > limits.localBytes)
    throw Error("with '" + argument.name + "' a group has " +
                    std::to_string(bytes) +
                    " bytes of local memory, more than the device",
                spec.file, argument.size->where);
  return own;
}

/// As with buffers, one that would be empty has one texel.
ImageShape bindImage(const KernelSpec &spec, const ArgumentSpec &argument,
                     const Bindings &bindings, const LaunchLimits &limits) {
  ImageShape shape;
  shape.kind = argument.imageKind;
  shape.format = argument.format;
  std::uint64_t texels = limits.bufferBytes / argument.type.size;
  for (std::size_t i = 0; i < argument.extents.size(); ++i) {
    const LocatedExpression &extent = argument.extents[i];
    const std::int64_t value = evaluate(extent, bindings, spec.file);
    const std::string what = "'" + std::string(shape.kind->extents[i]) +
                             "' of '" + argument.name + "' is " +
                             std::to_string(value);
    if (value < 0)
      throw Error(what, spec.file, extent.where);
    if (static_cast<std::uint64_t>(value) > texels)
      throw Error(what + ", more than the device can allocate", spec.file,
                  extent.where);
    shape.extents[i] = value == 0 ? 1 : static_cast<std::size_t>(value);
    texels /= shape.extents[i];
  }
  return shape;
}

void bindAlias(const KernelSpec &spec, const ArgumentSpec &argument,
               const Bindings &bindings, const Launch &launch,
               LaunchArgument &bound) {
  for (const LaunchArgument &earlier : launch.arguments)
    if (earlier.name == argument.sameBufferAs)
      bound.buffer = earlier.buffer;
  const LaunchBuffer &buffer = launch.buffers[bound.buffer];
  const std::int64_t shift =
      argument.shift ? evaluate(*argument.shift, bindings, spec.file) : 0;
  if (shift < 0 || static_cast<std::uint64_t>(shift) >=
                       buffer.contents.size() / argument.type.size)
    throw Error("offset " + std::to_string(shift) + " of '" + argument.name +
                    "' is outside '" + argument.sameBufferAs + "'",
                spec.file,
                argument.shift ? argument.shift->where : argument.where);
  bound.shiftBytes = static_cast<std::size_t>(shift) * argument.type.size;
}

/// The index of the buffer with this name, or how many there are.
std::size_t findBuffer(const Launch &launch, const std::string &name) {
  std::size_t index = 0;
  while (index < launch.buffers.size() && launch.buffers[index].name != name)
    ++index;
  return index;
}

LaunchArgument bindArgument(const KernelSpec &spec,
                            const ArgumentSpec &argument, std::uint64_t seed,
                            const LaunchLimits &limits, Launch &launch) {
  LaunchArgument bound;
  bound.name = argument.name;
  bound.memory = argument.memory;
  if (argument.memory == MemoryKind::Scalar) {
    bound.scalar = makeContents(spec, argument, 1, launch.bindings, seed);
    return bound;
  }
  if (argument.memory == MemoryKind::Sampler) {
    bound.sampler = argument.sampler;
    return bound;
  }
  if (argument.memory == MemoryKind::Image) {
    const ImageShape shape = bindImage(spec, argument, launch.bindings, limits);
    const std::size_t texels =
        shape.extents[0] * shape.extents[1] * shape.extents[2];
    bound.buffer = launch.buffers.size();
    launch.buffers.push_back(
        {argument.name, argument.type,
         makeContents(spec, argument, texels, launch.bindings, seed), shape});
    return bound;
  }
  if (!argument.sameBufferAs.empty()) {
    bindAlias(spec, argument, launch.bindings, launch, bound);
    return bound;
  }
  if (argument.memory == MemoryKind::Local) {
    bound.localBytes = bindLocal(spec, argument, limits, launch);
    return bound;
  }
  const std::size_t count = bindCount(spec, argument, launch.bindings, limits);
  const std::string &name =
      argument.buffer.empty() ? argument.name : argument.buffer;
  bound.buffer = findBuffer(launch, name);
  if (bound.buffer != launch.buffers.size()) {
    if (launch.buffers[bound.buffer].image ||
        launch.buffers[bound.buffer].contents.size() !=
            count * argument.type.size)
      throw Error("'" + argument.name + "' has another size than the buffer '" +
                      name + "'",
                  spec.file, argument.where);
    return bound;
  }
  launch.buffers.push_back(
      {name, argument.type,
       makeContents(spec, argument, count, launch.bindings, seed),
       std::nullopt});
  return bound;
}

std::array<std::size_t, 3>
bindShape(const KernelSpec &spec, const std::vector<LocatedExpression> &shape,
          const char *what, std::int64_t least, const Bindings &bindings) {
  std::array<std::size_t, 3> result{1, 1, 1};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::int64_t value = evaluate(shape[i], bindings, spec.file);
    if (value < least || value > (std::int64_t(1) << 40))
      throw Error(std::string(what) + " is " + std::to_string(value), spec.file,
                  shape[i].where);
    result[i] = static_cast<std::size_t>(value);
  }
  return result;
}

void checkDivides(const KernelSpec &spec, const NDRangeSpec &from,
                  const NDRange &range) {
  for (unsigned i = 0; range.local && i < range.dimensions; ++i)
    if (range.global[i] % (*range.local)[i] != 0)
      throw Error("local size " + std::to_string((*range.local)[i]) +
                      " does not divide global size " +
                      std::to_string(range.global[i]),
                  spec.file, from.local[i].where);
}

/// Overflow is no concern: bindShape bounds both sizes.
void roundUp(NDRange &range) {
  for (unsigned i = 0; i < range.dimensions; ++i) {
    const std::size_t local = (*range.local)[i];
    range.global[i] = (range.global[i] + local - 1) / local * local;
  }
}

NDRange bindRange(const KernelSpec &spec, const NDRangeSpec &from,
                  const Bindings &bindings) {
  NDRange range;
  range.dimensions = static_cast<unsigned>(from.global.size());
  range.global = bindShape(spec, from.global, "global size", 1, bindings);
  if (!from.local.empty())
    range.local = bindShape(spec, from.local, "local size", 1, bindings);
  if (!from.offset.empty()) {
    range.offset = bindShape(spec, from.offset, "global offset", 0, bindings);
    for (unsigned i = range.dimensions; i < 3; ++i)
      (*range.offset)[i] = 0;
  }
  if (spec.globalCountsGroups && !range.local)
    throw Error("GlobalSizeType counts groups, but there is no local size",
                spec.file, from.where);
  for (unsigned i = 0; spec.globalCountsGroups && i < range.dimensions; ++i)
    range.global[i] *= (*range.local)[i];
  if (from.roundUp && range.local)
    roundUp(range);
  checkDivides(spec, from, range);
  return range;
}

std::string joinShape(const std::array<std::size_t, 3> &shape,
                      unsigned dimensions) {
  std::string text = std::to_string(shape[0]);
  for (unsigned i = 1; i < dimensions; ++i)
    text += "x" + std::to_string(shape[i]);
  return text;
}

} // namespace

std::string NDRange::str() const {
  std::string text = "global " + joinShape(global, dimensions) + ", local " +
                     (local ? joinShape(*local, dimensions) : "NULL");
  if (offset)
    text += ", offset " + joinShape(*offset, dimensions);
  return text;
}

std::size_t Launch::bytes() const {
  std::size_t total = 0;
  for (const LaunchBuffer &buffer : buffers)
    total += buffer.contents.size();
  return total;
}

Bindings bindNames(const KernelSpec &spec, const SizePoint &point) {
  Bindings bindings = spec.constants;
  for (const auto &[name, value] : point)
    bindings[name] = value;
  bindScalars(spec, bindings);
  return bindings;
}

std::vector<NDRange> bindRanges(const KernelSpec &spec,
                                const SizePoint &point) {
  const Bindings bindings = bindNames(spec, point);
  std::vector<NDRange> ranges;
  for (const NDRangeSpec &range : spec.ranges)
    ranges.push_back(bindRange(spec, range, bindings));
  return ranges;
}

void bindNext(const KernelSpec &spec, const SizePoint &point,
              std::uint64_t seed, const LaunchLimits &limits, Launch &launch) {
  launch.bindings = bindNames(spec, point);
  // Ranges first: they are cheap, and a wrong one is found before buffers are
  // filled.
  launch.ranges = bindRanges(spec, point);
  launch.arguments.clear();
  for (const ArgumentSpec &argument : spec.arguments)
    launch.arguments.push_back(bindArgument(
        spec, argument, seed + launch.arguments.size(), limits, launch));
}

Launch bindLaunch(const KernelSpec &spec, const SizePoint &point,
                  std::uint64_t seed, const LaunchLimits &limits) {
  Launch launch;
  bindNext(spec, point, seed, limits, launch);
  return launch;
}

std::vector<std::string> bindOptions(const KernelSpec &spec,
                                     const Bindings &bindings) {
  std::vector<std::string> result;
  for (std::string option : spec.options) {
    for (std::size_t at = option.find("${"); at != std::string::npos;
         at = option.find("${", at)) {
      const std::size_t end = option.find('}', at);
      if (end == std::string::npos)
        throw Error("'${' without '}' in \"" + option + "\"", spec.file,
                    spec.optionsWhere);
      try {
        const Expression value =
            Expression::parse(option.substr(at + 2, end - at - 2));
        option.replace(at, end - at + 1,
                       std::to_string(value.evaluate(bindings)));
      } catch (const ExpressionError &error) {
        throw Error(error.what() + std::string(" in \"") + option + "\"",
                    spec.file, spec.optionsWhere);
      }
    }
    result.push_back(std::move(option));
  }
  return result;
}

} // namespace clopt::runtime
