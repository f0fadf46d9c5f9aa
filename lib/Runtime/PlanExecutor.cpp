//===- PlanExecutor.cpp - carries out launch plans ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One lock is held while a launch is enqueued: arguments of kernel objects are
// not thread-safe, and nothing here waits for the device.
//
//===----------------------------------------------------------------------===//

#include "Runtime/PlanPrepared.h"

#include "Plan/PlanDigest.h"

#include <algorithm>
#include <cstring>

namespace clopt::runtime {

//===-- Programs --------------------------------------------------------===//

static PlanNames deviceFacts(cl_device_id device) {
  PlanNames facts;
  auto add = [&](const char *name, std::uint64_t value) {
    facts[name] = PlanValue::ofULong(value);
  };
  add("CL_DEVICE_MAX_COMPUTE_UNITS",
      deviceInfo<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS));
  add("CL_DEVICE_LOCAL_MEM_SIZE",
      deviceInfo<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE));
  add("CL_DEVICE_MAX_WORK_GROUP_SIZE",
      deviceInfo<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  add("CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE",
      deviceInfo<cl_ulong>(device, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE));
  add("CL_DEVICE_MAX_MEM_ALLOC_SIZE",
      deviceInfo<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE));
  bool hasImages = deviceInfo<cl_bool>(device, CL_DEVICE_IMAGE_SUPPORT);
  add("CL_DEVICE_IMAGE_SUPPORT", hasImages);
  add("CL_DEVICE_IMAGE2D_MAX_WIDTH",
      hasImages ? deviceInfo<std::size_t>(device, CL_DEVICE_IMAGE2D_MAX_WIDTH)
                : 0);
  add("CL_DEVICE_IMAGE2D_MAX_HEIGHT",
      hasImages ? deviceInfo<std::size_t>(device, CL_DEVICE_IMAGE2D_MAX_HEIGHT)
                : 0);
  return facts;
}

static LaunchPlan readPlan(const std::string &text) {
  LaunchPlan plan;
  LaunchPlanError error;
  if (!parseLaunchPlan(text, plan, error))
    throw Error("the launch plan is wrong: " +
                (error.line ? "line " + std::to_string(error.line) + ": "
                            : std::string()) +
                error.message);
  return plan;
}

static void checkText(const std::string &text, const PlanFile &file,
                      const char *what) {
  if (!file.sha256.empty() && planDigest(text) != file.sha256)
    throw WrongSourceError(std::string("the ") + what +
                           " text is not that of '" + file.name +
                           "' for which the launch plan was written");
}

/// As one string of options; those with blanks in quotes.
static std::string joinFlags(const std::vector<std::string> &flags) {
  std::string line;
  for (const std::string &flag : flags) {
    bool hasBlank = flag.find(' ') != std::string::npos;
    line += (line.empty() ? "" : " ") + (hasBlank ? "\"" + flag + "\"" : flag);
  }
  return line;
}

PlanExecutor::PlanExecutor(cl_context forContext, cl_device_id forDevice,
                           const PlanTexts &given)
    : compiled(readPlan(given.plan)), texts(given), device(forDevice),
      fixedNames(deviceFacts(forDevice)) {
  checkText(texts.optimized, compiled.plan().optimized, "optimized");
  if (!texts.original.empty())
    checkText(texts.original, compiled.plan().original, "original");
  std::vector<std::string> all = compiled.plan().buildFlags;
  for (const std::string &flag : splitOptions(texts.options))
    all.push_back(flag);
  flags = joinFlags(all);
  for (const auto &[name, value] : integerMacros(all))
    fixedNames[name] = value;
  checkCL(clRetainContext(forContext), "clRetainContext");
  context = ContextHandle(forContext);
  if (given.optimizedProgram == nullptr) {
    optimized = build(texts.optimized, compiled.plan().optimized);
    return;
  }
  checkCL(clRetainProgram(given.optimizedProgram), "clRetainProgram");
  optimized = ProgramHandle(given.optimizedProgram);
}

PlanExecutor::~PlanExecutor() {
  for (const auto &[buffer, version] : versions)
    clReleaseMemObject(buffer);
}

ProgramHandle PlanExecutor::build(const std::string &text,
                                  const PlanFile &file) {
  return buildProgram(context.get(), device, text, flags, file.name);
}

cl_program PlanExecutor::program(PlanProgram which) {
  if (which == PlanProgram::Optimized || texts.original.empty())
    return optimized.get();
  if (!original)
    original = build(texts.original, compiled.plan().original);
  return original.get();
}

cl_kernel PlanExecutor::kernel(const PlanLaunch &launch) {
  KernelHandle &known = kernels[{launch.program, launch.kernel}];
  if (known)
    return known.get();
  cl_int status = CL_SUCCESS;
  known = KernelHandle(
      clCreateKernel(program(launch.program), launch.kernel.c_str(), &status));
  if (status != CL_SUCCESS)
    throw OpenCLError("clCreateKernel", status,
                      " for kernel '" + launch.kernel + "'");
  return known.get();
}

//===-- The choice of a variant -----------------------------------------===//

/// The memory object that a sub-buffer is part of, or the buffer itself.
cl_mem PlanExecutor::rootOf(cl_mem buffer, std::uint64_t *origin) const {
  const auto parent = memoryInfo<cl_mem>(buffer, CL_MEM_ASSOCIATED_MEMOBJECT);
  if (origin)
    *origin = parent ? memoryInfo<std::size_t>(buffer, CL_MEM_OFFSET) : 0;
  return parent ? parent : buffer;
}

/// Fills in the addresses of buffer arguments.
std::vector<PlanExecutor::Source>
PlanExecutor::locate(const PlanKernel &kernel,
                     std::vector<GivenArgument> &arguments) const {
  std::vector<Source> sources(arguments.size());
  std::vector<BufferPlace> places(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    cl_mem buffer = nullptr;
    if (kernel.parameters[i].kind != PlanParameter::Kind::Buffer)
      continue;
    if (arguments[i].bytes.size() == sizeof buffer)
      std::memcpy(&buffer, arguments[i].bytes.data(), sizeof buffer);
    if (!buffer)
      continue;
    sources[i].root = rootOf(buffer, &sources[i].origin);
    sources[i].bytes = memoryInfo<std::size_t>(buffer, CL_MEM_SIZE);
    arguments[i].bufferBytes = sources[i].bytes;
    places[i] = {sources[i].root, sources[i].origin};
  }
  const std::vector<std::uint64_t> addresses = planAddresses(places);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    arguments[i].address = addresses[i];
  return sources;
}

/// False when the device has no groups of this size for the kernel.
bool PlanExecutor::canLaunch(const ResolvedLaunch &launch) {
  if (launch.plan->sameRange || launch.groupItems() == 0)
    return true;
  const auto most = groupInfo<std::size_t>(kernel(*launch.plan), device,
                                           CL_KERNEL_WORK_GROUP_SIZE);
  std::vector<std::size_t> sides(
      deviceInfo<cl_uint>(device, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS));
  checkCL(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES,
                          sides.size() * sizeof(std::size_t), sides.data(),
                          nullptr),
          "clGetDeviceInfo");
  for (unsigned d = 0; d < launch.range.dimensions; ++d)
    if (d >= sides.size() || (*launch.range.local)[d] > sides[d])
      return false;
  return launch.groupItems() <= most;
}

/// Null for what is no parameter, and for a buffer that is null.
static cl_mem bufferOf(const PlanKernel &kernel,
                       const std::vector<GivenArgument> &arguments,
                       const std::string &name) {
  cl_mem buffer = nullptr;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (kernel.parameters[i].name == name &&
        kernel.parameters[i].kind == PlanParameter::Kind::Buffer &&
        arguments[i].bytes.size() == sizeof buffer)
      std::memcpy(&buffer, arguments[i].bytes.data(), sizeof buffer);
  return buffer;
}

/// See VariantChoice::onlyOwnForms.
bool PlanExecutor::mayConvertBack(const PlanKernel &kernel,
                                  const PlanVariant &variant,
                                  const std::vector<GivenArgument> &arguments,
                                  const VariantChoice &choice) const {
  if (variant.after.size() != 1 || !choice.versionOf)
    return variant.after.empty();
  const cl_mem buffer =
      bufferOf(kernel, arguments, variant.after[0].destination);
  return buffer && choice.versionOf(rootOf(buffer, nullptr)).has_value();
}

/// Whether kernels may read what is converted ahead of the launch: a result of
/// which it leaves cells alone may be CL_MEM_WRITE_ONLY.
static bool mayConvert(const PlanKernel &kernel, const PlanVariant &variant,
                       const std::vector<GivenArgument> &arguments) {
  for (const PlanConversion &conversion : variant.before) {
    const cl_mem buffer = bufferOf(kernel, arguments, conversion.source);
    if (buffer &&
        (memoryInfo<cl_mem_flags>(buffer, CL_MEM_FLAGS) & CL_MEM_WRITE_ONLY))
      return false;
  }
  return true;
}

/// The first `most` variants that could be used.
std::vector<ResolvedVariant>
PlanExecutor::candidates(const PlanKernel &kernel,
                         const std::vector<GivenArgument> &arguments,
                         const RequestedRange &range,
                         const VariantChoice &choice, std::size_t most) {
  std::vector<ResolvedVariant> result;
  const PlanScope scope(kernel, range, arguments, fixedNames);
  for (const CompiledVariant &variant : *compiled.variants(kernel.name)) {
    if (result.size() == most)
      break;
    if (!choice.only.empty() && variant.plan->name != choice.only)
      continue;
    if (choice.onlyOwnForms &&
        !mayConvertBack(kernel, *variant.plan, arguments, choice))
      continue;
    std::optional<ResolvedVariant> resolved =
        scope.resolve(variant, choice.ignoreAdvice);
    bool isPossible = resolved && canLaunch(resolved->launch) &&
                      mayConvert(kernel, *variant.plan, arguments);
    for (const PlanImage &image : variant.plan->images)
      isPossible = isPossible && hasFormat(image);
    if (isPossible)
      for (const auto *list : {&resolved->before, &resolved->after})
        for (const ResolvedLaunch &launch : *list)
          isPossible = isPossible && canLaunch(launch);
    if (isPossible)
      result.push_back(std::move(*resolved));
  }
  return result;
}

std::vector<std::string>
PlanExecutor::applicable(const PlanKernel &kernel,
                         std::vector<GivenArgument> arguments,
                         const RequestedRange &range, bool ignoreAdvice) {
  const std::lock_guard<std::mutex> lock(mutex);
  locate(kernel, arguments);
  std::vector<std::string> names;
  for (const ResolvedVariant &variant : candidates(
           kernel, arguments, range, {"", ignoreAdvice}, std::size_t(-1)))
    names.push_back(variant.plan->name);
  return names;
}

//===-- Commands --------------------------------------------------------===//

void PlanExecutor::setArguments(cl_kernel target, const Prepared &prepared,
                                const ResolvedLaunch &launch) const {
  const std::vector<PlanArgument> &wanted = launch.plan->arguments;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const cl_uint index = static_cast<cl_uint>(i);
    cl_int status = CL_SUCCESS;
    if (wanted[i].kind == PlanArgument::Kind::Parameter) {
      const GivenArgument &given =
          prepared.arguments[prepared.positionOf(wanted[i].name)];
      status =
          clSetKernelArg(target, index, given.size,
                         given.bytes.empty() ? nullptr : given.bytes.data());
    } else if (wanted[i].kind == PlanArgument::Kind::Value) {
      status = clSetKernelArg(target, index, launch.values[i].size(),
                              launch.values[i].data());
    } else if (wanted[i].kind == PlanArgument::Kind::Local) {
      status = clSetKernelArg(target, index, launch.localBytes[i], nullptr);
    } else {
      cl_mem memory = prepared.memory.at(wanted[i].name)->get();
      status = clSetKernelArg(target, index, sizeof memory, &memory);
    }
    if (status != CL_SUCCESS)
      throw OpenCLError("clSetKernelArg", status,
                        " for argument " + std::to_string(i) + " of kernel '" +
                            launch.plan->kernel + "'");
  }
}

/// A launch without work-items is a marker, so that there is an event.
EventHandle PlanExecutor::enqueueLaunch(Prepared &prepared,
                                        const ResolvedLaunch &launch,
                                        const std::vector<cl_event> &waitList) {
  cl_event event = nullptr;
  const cl_uint count = static_cast<cl_uint>(waitList.size());
  const cl_event *list = waitList.empty() ? nullptr : waitList.data();
  if (launch.isEmpty() && !launch.plan->sameRange) {
    checkCL(clEnqueueMarkerWithWaitList(prepared.queue, count, list, &event),
            "clEnqueueMarkerWithWaitList");
    return EventHandle(event);
  }
  const cl_kernel target = kernel(*launch.plan);
  setArguments(target, prepared, launch);
  const RequestedRange &range = launch.range;
  const bool hasOffset = range.offset != std::array<std::size_t, 3>{0, 0, 0};
  const auto group = groupOf(target, device, range.local);
  const cl_int status = clEnqueueNDRangeKernel(
      prepared.queue, target, range.dimensions,
      hasOffset ? range.offset.data() : nullptr, range.global.data(),
      group ? group->data() : nullptr, count, list, &event);
  if (status != CL_SUCCESS)
    throw OpenCLError("clEnqueueNDRangeKernel", status,
                      " for kernel '" + launch.plan->kernel + "'");
  return EventHandle(event);
}

void PlanExecutor::convert(Prepared &prepared, const ResolvedLaunch &launch,
                           std::vector<cl_event> waitList) {
  prepared.ready.push_back(
      shareEvent(prepared.result, EnqueuedCommand::Kind::Conversion,
                 enqueueLaunch(prepared, launch, waitList)));
}

void PlanExecutor::noteWrites(const Prepared &prepared) {
  for (std::size_t i = 0; i < prepared.sources.size(); ++i) {
    auto tracked = versions.find(prepared.sources[i].root);
    if (tracked != versions.end() && prepared.kernel->parameters[i].isWritten)
      ++tracked->second;
  }
}

bool hasOwnForm(const PlanVariant &variant) {
  return !variant.launch.sameRange || !variant.buffers.empty() ||
         !variant.images.empty();
}

EnqueueResult PlanExecutor::enqueue(cl_command_queue queue,
                                    const PlanKernel &kernelPlan,
                                    std::vector<GivenArgument> arguments,
                                    const RequestedRange &range,
                                    const std::vector<cl_event> &waitList,
                                    const VariantChoice &choice) {
  const std::lock_guard<std::mutex> lock(mutex);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (!arguments[i].isSet)
      throw OpenCLError("clEnqueueNDRangeKernel", CL_INVALID_KERNEL_ARGS,
                        " for kernel '" + kernelPlan.name + "': argument " +
                            std::to_string(i) + " is not set");
  Prepared prepared;
  prepared.queue = queue;
  prepared.kernel = &kernelPlan;
  prepared.sources = locate(kernelPlan, arguments);
  prepared.arguments = std::move(arguments);
  prepared.waitList = waitList;
  prepared.choice = &choice;
  std::vector<ResolvedVariant> chosen =
      candidates(kernelPlan, prepared.arguments, range, choice, 1);
  if (chosen.empty())
    throw Error("the launch plan has no variant for this launch of kernel '" +
                kernelPlan.name + "'");
  prepared.variant = std::move(chosen.front());
  prepared.result.variant = prepared.variant.plan->name;
  if (choice.onlyOwnForms && !hasOwnForm(*prepared.variant.plan))
    return std::move(prepared.result);
  makeBuffers(prepared);
  EventHandle done =
      enqueueLaunch(prepared, prepared.variant.launch, prepared.allEvents());
  if (prepared.variant.after.empty()) {
    prepared.result.commands.push_back(
        {EnqueuedCommand::Kind::Kernel, std::move(done)});
  } else {
    prepared.ready = {shareEvent(prepared.result, EnqueuedCommand::Kind::Kernel,
                                 std::move(done))};
    for (const ResolvedLaunch &launch : prepared.variant.after) {
      std::vector<cl_event> before = {prepared.ready.back()->get()};
      convert(prepared, launch, before);
    }
  }
  noteWrites(prepared);
  return std::move(prepared.result);
}

} // namespace clopt::runtime
