//===- PlanMemory.cpp - converted copies and images of buffers ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy is kept when every buffer it is made from is tracked and nothing
// writes to the copy itself. It is found again by everything that its
// conversion depends on: numbers, buffers, and their versions.
//
// Tested by test/unit/RuntimePlanExecutorTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/PlanPrepared.h"

#include <algorithm>
#include <set>

namespace clopt::runtime {

/// Copies that are kept at most; the one that was not used for longest goes.
static constexpr std::size_t maxCached = 64;

//===-- Tracking --------------------------------------------------------===//

void PlanExecutor::track(cl_mem buffer) {
  const std::lock_guard<std::mutex> lock(mutex);
  cl_mem root = rootOf(buffer, nullptr);
  if (versions.count(root))
    return;
  checkCL(clRetainMemObject(root), "clRetainMemObject");
  versions[root] = 0;
}

void PlanExecutor::changed(cl_mem buffer) {
  const std::lock_guard<std::mutex> lock(mutex);
  auto tracked = versions.find(rootOf(buffer, nullptr));
  if (tracked != versions.end())
    ++tracked->second;
}

void PlanExecutor::untrack(cl_mem buffer) {
  const std::lock_guard<std::mutex> lock(mutex);
  cl_mem root = rootOf(buffer, nullptr);
  cache.remove_if([&](const CachedMemory &entry) {
    return std::count(entry.roots.begin(), entry.roots.end(), root) != 0;
  });
  if (versions.erase(root) == 0)
    return;
  checkCL(clReleaseMemObject(root), "clReleaseMemObject");
}

//===-- The cache -------------------------------------------------------===//

static void addNumber(std::string &key, std::uint64_t number) {
  key += std::to_string(number) + ",";
}

std::optional<std::uint64_t> PlanExecutor::versionOf(const Prepared &prepared,
                                                     cl_mem root) const {
  if (prepared.choice->versionOf)
    return prepared.choice->versionOf(root);
  const auto tracked = versions.find(root);
  if (tracked == versions.end())
    return std::nullopt;
  return tracked->second;
}

/// The version of a tracked buffer, and which part of it; false when it is not
/// tracked.
bool PlanExecutor::describeSource(const Prepared &prepared,
                                  std::size_t position, std::string &key,
                                  std::vector<cl_mem> &roots) const {
  const Source &source = prepared.sources[position];
  const std::optional<std::uint64_t> version = versionOf(prepared, source.root);
  if (!version)
    return false;
  roots.push_back(source.root);
  for (std::uint64_t number :
       {static_cast<std::uint64_t>(
            reinterpret_cast<std::uintptr_t>(source.root)),
        source.origin, static_cast<std::uint64_t>(source.bytes), *version})
    addNumber(key, number);
  return true;
}

/// Everything that a conversion depends on as text, and the tracked buffers
/// that it reads; false when one of them is not tracked.
bool PlanExecutor::describe(const Prepared &prepared,
                            const ResolvedLaunch &launch, std::string &key,
                            std::vector<cl_mem> &roots) const {
  key += launch.plan->kernel + ":";
  for (unsigned d = 0; d < 3; ++d)
    addNumber(key, launch.range.global[d]);
  for (std::size_t i = 0; i < launch.plan->arguments.size(); ++i) {
    const PlanArgument &argument = launch.plan->arguments[i];
    for (std::uint8_t byte : launch.values[i])
      addNumber(key, byte);
    key += ";";
    if (argument.kind != PlanArgument::Kind::Parameter)
      continue;
    const std::size_t position = prepared.positionOf(argument.name);
    if (prepared.kernel->parameters[position].kind ==
        PlanParameter::Kind::Buffer) {
      if (!describeSource(prepared, position, key, roots))
        return false;
      continue;
    }
    for (std::uint8_t byte : prepared.arguments[position].bytes)
      addNumber(key, byte);
  }
  return true;
}

/// Buffers that the kernel writes, to be converted back.
static bool isConvertedBack(const ResolvedVariant &variant,
                            const std::string &buffer) {
  for (const PlanConversion &conversion : variant.plan->after)
    if (conversion.source == buffer)
      return true;
  return false;
}

std::optional<PlanExecutor::CacheKey>
PlanExecutor::keyOf(const Prepared &prepared, const std::string &buffer) const {
  const ResolvedVariant &variant = prepared.variant;
  CacheKey key;
  if (isConvertedBack(variant, buffer))
    return std::nullopt;
  key.slot = prepared.kernel->name + "/" + variant.plan->name + "/" + buffer;
  for (std::size_t i = 0; i < variant.before.size(); ++i) {
    const PlanConversion &conversion = variant.plan->before[i];
    if (conversion.destination != buffer)
      continue;
    if (!describe(prepared, variant.before[i], key.text, key.roots))
      return std::nullopt;
    // Copies of copies are as good as what they are made of.
    for (const PlanArgument &argument : conversion.launch.arguments) {
      if (argument.kind != PlanArgument::Kind::Buffer ||
          argument.name == buffer)
        continue;
      std::optional<CacheKey> inner = keyOf(prepared, argument.name);
      if (!inner)
        return std::nullopt;
      key.text += "(" + inner->text + ")";
      key.roots.insert(key.roots.end(), inner->roots.begin(),
                       inner->roots.end());
    }
  }
  if (key.roots.empty())
    return std::nullopt;
  return key;
}

const PlanExecutor::CachedMemory *
PlanExecutor::findCached(const CacheKey &key) {
  for (auto it = cache.begin(); it != cache.end(); ++it) {
    if (it->slot != key.slot || it->text != key.text)
      continue;
    // What was to make it may have been given up.
    if (askCL<cl_int>("clGetEventInfo", clGetEventInfo, it->ready->get(),
                      CL_EVENT_COMMAND_EXECUTION_STATUS) < 0) {
      cache.erase(it);
      return nullptr;
    }
    cache.splice(cache.begin(), cache, it);
    return &cache.front();
  }
  return nullptr;
}

/// Takes the place of what was kept for the same buffers before.
void PlanExecutor::keep(CachedMemory entry) {
  cache.remove_if([&](const CachedMemory &old) {
    return old.slot == entry.slot && old.roots == entry.roots;
  });
  cache.push_front(std::move(entry));
  if (cache.size() > maxCached)
    cache.pop_back();
}

//===-- Buffers ---------------------------------------------------------===//

std::shared_ptr<BufferHandle> PlanExecutor::allocate(std::size_t bytes,
                                                     const std::string &name) {
  cl_int status = CL_SUCCESS;
  auto memory = std::make_shared<BufferHandle>(
      clCreateBuffer(context.get(), CL_MEM_READ_WRITE,
                     std::max<std::size_t>(bytes, 1), nullptr, &status));
  if (status != CL_SUCCESS)
    throw OpenCLError("clCreateBuffer", status,
                      " for " + std::to_string(bytes) + " bytes of '" + name +
                          "'");
  return memory;
}

/// Makes all buffers, from the cache where possible, and fills the others.
void PlanExecutor::makeBuffers(Prepared &prepared) {
  const ResolvedVariant &variant = prepared.variant;
  std::map<std::string, CacheKey> wanted; ///< to be kept
  std::set<std::string> filled;
  for (std::size_t i = 0; i < variant.plan->buffers.size(); ++i) {
    const std::string &name = variant.plan->buffers[i].name;
    std::optional<CacheKey> key = keyOf(prepared, name);
    if (key) {
      addNumber(key->text, variant.bufferBytes[i]);
      if (const CachedMemory *known = findCached(*key)) {
        prepared.memory[name] = known->memory;
        prepared.ready.push_back(known->ready);
        filled.insert(name);
        continue;
      }
      wanted[name] = *key;
    }
    prepared.memory[name] = allocate(variant.bufferBytes[i], name);
  }
  for (std::size_t i = 0; i < variant.before.size(); ++i) {
    const std::string &name = variant.plan->before[i].destination;
    if (filled.count(name))
      continue;
    convert(prepared, variant.before[i], prepared.allEvents());
    auto key = wanted.find(name);
    if (key == wanted.end())
      continue;
    keep({key->second, prepared.memory[name], prepared.ready.back()});
    // Another queue may wait for it.
    checkCL(clFlush(prepared.queue), "clFlush");
  }
  for (std::size_t i = 0; i < variant.images.size(); ++i)
    makeImage(prepared, i);
}

//===-- Images ----------------------------------------------------------===//

static cl_channel_order channelOrder(const std::string &name) {
  return name == "CL_RGBA" ? CL_RGBA : name == "CL_RG" ? CL_RG : CL_R;
}

static std::pair<cl_channel_type, std::size_t>
channelType(const std::string &name) {
  struct Known {
    const char *name;
    cl_channel_type type;
    std::size_t bytes;
  };
  static const Known known[] = {{"CL_FLOAT", CL_FLOAT, 4},
                                {"CL_HALF_FLOAT", CL_HALF_FLOAT, 2},
                                {"CL_SIGNED_INT8", CL_SIGNED_INT8, 1},
                                {"CL_SIGNED_INT16", CL_SIGNED_INT16, 2},
                                {"CL_SIGNED_INT32", CL_SIGNED_INT32, 4},
                                {"CL_UNSIGNED_INT8", CL_UNSIGNED_INT8, 1},
                                {"CL_UNSIGNED_INT16", CL_UNSIGNED_INT16, 2},
                                {"CL_UNSIGNED_INT32", CL_UNSIGNED_INT32, 4}};
  for (const Known &one : known)
    if (name == one.name)
      return {one.type, one.bytes};
  throw Error("the launch plan has an unknown channel type '" + name + "'");
}

/// Copies `height` rows from byte `from` on to the rows of the image from `row`
/// on.
void PlanExecutor::copyRows(Prepared &prepared, const ImageCopy &copy) {
  const std::size_t origin[3] = {0, copy.row, 0};
  const std::size_t region[3] = {copy.width, copy.height, 1};
  std::vector<cl_event> waitList = prepared.allEvents();
  cl_event event = nullptr;
  const cl_int status = clEnqueueCopyBufferToImage(
      prepared.queue, copy.buffer, copy.image, copy.from, origin, region,
      static_cast<cl_uint>(waitList.size()),
      waitList.empty() ? nullptr : waitList.data(), &event);
  if (status != CL_SUCCESS)
    throw OpenCLError("clEnqueueCopyBufferToImage", status,
                      " for kernel '" + prepared.kernel->name + "'");
  prepared.ready.push_back(shareEvent(
      prepared.result, EnqueuedCommand::Kind::Image, EventHandle(event)));
}

/// Rows beyond the end of the buffer are left out; the last may be shorter.
/// Parts of a buffer are copied from the whole: PoCL 3.1 crashes otherwise.
void PlanExecutor::fillImage(Prepared &prepared, const ResolvedImage &image,
                             std::size_t texel, ImageCopy copy) {
  const auto bytes = memoryInfo<std::size_t>(copy.buffer, CL_MEM_SIZE);
  std::uint64_t origin = 0;
  copy.buffer = rootOf(copy.buffer, &origin);
  const std::size_t dense = image.width * texel;
  const std::size_t pitch = image.rowBytes ? image.rowBytes : dense;
  std::size_t whole = 0;
  while (whole < image.height && whole * pitch + dense <= bytes)
    ++whole;
  copy.width = image.width;
  copy.height = pitch == dense ? whole : 1;
  for (std::size_t row = 0; row < whole; row += copy.height) {
    copy.row = row;
    copy.from = origin + row * pitch;
    copyRows(prepared, copy);
  }
  const std::size_t rest = whole < image.height && whole * pitch < bytes
                               ? (bytes - whole * pitch) / texel
                               : 0;
  if (rest == 0)
    return;
  copy.row = whole;
  copy.from = origin + whole * pitch;
  copy.width = std::min(rest, image.width);
  copy.height = 1;
  copyRows(prepared, copy);
}

static cl_image_format formatOf(const PlanImage &plan) {
  return {channelOrder(plan.channelOrder), channelType(plan.channelType).first};
}

static std::size_t texelBytes(const PlanImage &plan) {
  const std::size_t channels = plan.channelOrder == "CL_RGBA" ? 4
                               : plan.channelOrder == "CL_RG" ? 2
                                                              : 1;
  return channels * channelType(plan.channelType).second;
}

/// Devices need not have the formats of one and two channels.
bool PlanExecutor::hasFormat(const PlanImage &plan) {
  if (!formats) {
    cl_uint count = 0;
    checkCL(clGetSupportedImageFormats(context.get(), CL_MEM_READ_ONLY,
                                       CL_MEM_OBJECT_IMAGE2D, 0, nullptr,
                                       &count),
            "clGetSupportedImageFormats");
    formats.emplace(count);
    if (count > 0)
      checkCL(clGetSupportedImageFormats(context.get(), CL_MEM_READ_ONLY,
                                         CL_MEM_OBJECT_IMAGE2D, count,
                                         formats->data(), nullptr),
              "clGetSupportedImageFormats");
  }
  const cl_image_format wanted = formatOf(plan);
  return std::any_of(
      formats->begin(), formats->end(), [&](const cl_image_format &format) {
        return format.image_channel_order == wanted.image_channel_order &&
               format.image_channel_data_type == wanted.image_channel_data_type;
      });
}

/// Texels between whose multiples rows have to begin when an image is made of
/// a buffer (OpenCL 2.0, cl_khr_image2d_from_buffer); 0 where that is not
/// possible. What knows no such query has no such images.
static std::size_t pitchAlignment(cl_device_id device) {
  // CL_DEVICE_IMAGE_PITCH_ALIGNMENT, which headers for OpenCL 1.2 lack.
  constexpr cl_device_info query = 0x104A;
  return queryValue<cl_uint>(0, clGetDeviceInfo, device, query);
}

/// The image whose texels are the buffer itself, or nothing: rows of another
/// alignment, a last row that the buffer does not have whole, memory of the
/// host, which may begin anywhere, a part of another buffer, or a device that
/// does not do it.
std::shared_ptr<BufferHandle>
PlanExecutor::shareImage(cl_mem buffer, const PlanImage &plan,
                         const ResolvedImage &image) const {
  const std::size_t texel = texelBytes(plan);
  const std::size_t pitch =
      image.rowBytes ? image.rowBytes : image.width * texel;
  const std::size_t alignment = pitchAlignment(device) * texel;
  if (alignment == 0 || pitch == 0 || pitch % alignment != 0)
    return nullptr;
  const auto bytes = memoryInfo<std::size_t>(buffer, CL_MEM_SIZE);
  const auto flags = memoryInfo<cl_mem_flags>(buffer, CL_MEM_FLAGS);
  if (image.height > bytes / pitch || (flags & CL_MEM_USE_HOST_PTR) ||
      rootOf(buffer, nullptr) != buffer)
    return nullptr;
  const cl_image_format format = formatOf(plan);
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = image.width;
  description.image_height = image.height;
  description.image_row_pitch = pitch;
  description.buffer = buffer;
  cl_int status = CL_SUCCESS;
  cl_mem shared = clCreateImage(context.get(), CL_MEM_READ_ONLY, &format,
                                &description, nullptr, &status);
  return status == CL_SUCCESS ? std::make_shared<BufferHandle>(shared)
                              : nullptr;
}

void PlanExecutor::makeImage(Prepared &prepared, std::size_t index) {
  const PlanImage &plan = prepared.variant.plan->images[index];
  const ResolvedImage &image = prepared.variant.images[index];
  const cl_mem source = prepared.bufferOf(plan.source);
  if (auto shared = shareImage(source, plan, image)) {
    prepared.memory[plan.name] = shared;
    return;
  }
  const cl_image_format format = formatOf(plan);
  std::optional<CacheKey> key = imageKey(prepared, index);
  if (key)
    if (const CachedMemory *known = findCached(*key)) {
      prepared.memory[plan.name] = known->memory;
      prepared.ready.push_back(known->ready);
      return;
    }
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = image.width;
  description.image_height = image.height;
  cl_int status = CL_SUCCESS;
  auto memory = std::make_shared<BufferHandle>(
      clCreateImage(context.get(), CL_MEM_READ_ONLY, &format, &description,
                    nullptr, &status));
  if (status != CL_SUCCESS)
    throw OpenCLError("clCreateImage", status,
                      " for " + std::to_string(image.width) + " x " +
                          std::to_string(image.height) + " texels of '" +
                          plan.name + "'");
  prepared.memory[plan.name] = memory;
  ImageCopy copy;
  copy.image = memory->get();
  copy.buffer = source;
  fillImage(prepared, image, texelBytes(plan), copy);
  if (!key || prepared.ready.empty())
    return;
  // Rows are copied one after the other: the last one is ready last.
  keep({*key, memory, prepared.ready.back()});
  checkCL(clFlush(prepared.queue), "clFlush");
}

/// An image of a parameter depends on its version, one of a copy on what the
/// copy depends on.
std::optional<PlanExecutor::CacheKey>
PlanExecutor::imageKey(const Prepared &prepared, std::size_t index) const {
  const PlanImage &plan = prepared.variant.plan->images[index];
  const ResolvedImage &image = prepared.variant.images[index];
  CacheKey key;
  std::size_t position = prepared.positionOf(plan.source);
  if (position == prepared.arguments.size()) {
    std::optional<CacheKey> inner = keyOf(prepared, plan.source);
    if (!inner)
      return std::nullopt;
    key = *inner;
  } else {
    if (!describeSource(prepared, position, key.text, key.roots))
      return std::nullopt;
  }
  key.slot = prepared.kernel->name + "/" + prepared.variant.plan->name +
             "/image " + plan.name;
  for (std::size_t number : {image.width, image.height, image.rowBytes})
    addNumber(key.text, number);
  return key;
}

} // namespace clopt::runtime
