//===- Recorder.cpp - launches as launch specifications -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeLayerTest.cpp and test/layer.
//
//===----------------------------------------------------------------------===//

#include "Layer/Recorder.h"

#include "Layer/BuildOptions.h"
#include "Layer/Dispatch.h"
#include "Layer/Includes.h"
#include "Layer/Log.h"
#include "Layer/Settings.h"
#include "Layer/Shadow.h"
#include "Layer/TextCache.h"
#include "Runtime/ElementType.h"

#include <nlohmann/json.hpp>

#include <cctype>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace clopt::layer {

namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<char>;
namespace fs = std::filesystem;

/// One kernel's launches should not fill a disk.
constexpr unsigned mostOfAKernel = 20;
constexpr std::size_t mostBytes = std::size_t(256) << 20;

struct Argument {
  Bytes value; ///< of local memory: none
  std::size_t size = 0;
};

/// As clGetKernelArgInfo has it.
struct Parameter {
  std::string name, type;
  cl_kernel_arg_address_qualifier space = 0;

  bool isBuffer() const {
    return space == CL_KERNEL_ARG_ADDRESS_GLOBAL ||
           space == CL_KERNEL_ARG_ADDRESS_CONSTANT;
  }
  bool isLocal() const { return space == CL_KERNEL_ARG_ADDRESS_LOCAL; }
  /// Of an object that only this process has.
  bool isHandle() const { return type == "sampler_t" || type == "queue_t"; }
};

constexpr const char *otherArgument =
    "an argument is no buffer, number or local memory";

struct RecordedKernel {
  std::shared_ptr<ProgramRecord> program;
  std::string name;
  std::mutex mutex; ///< of what follows
  std::map<cl_uint, Argument> arguments;
  bool isDescribable = true;
};

/// Why a launch is not recorded.
struct NotRecorded {
  std::string reason;
};

HandleTable<cl_kernel, RecordedKernel> &recordedKernels() {
  static auto &table = *new HandleTable<cl_kernel, RecordedKernel>();
  return table;
}

/// Whether a launch is a new one of its kernel, and one of the first.
bool isNew(const std::string &kernel, const std::string &key) {
  static std::mutex mutex;
  static auto &seen = *new std::map<std::string, std::set<std::string>>();
  const std::lock_guard lock(mutex);
  std::set<std::string> &keys = seen[kernel];
  return keys.size() < mostOfAKernel && keys.insert(key).second;
}

std::vector<Parameter> parametersOf(cl_kernel kernel) {
  const cl_uint count = queryValue<cl_uint>(0, target().clGetKernelInfo, kernel,
                                            cl_kernel_info(CL_KERNEL_NUM_ARGS));
  std::vector<Parameter> result;
  for (cl_uint i = 0; i < count; ++i) {
    const auto ask = [&](cl_kernel_arg_info what) {
      return queryText(target().clGetKernelArgInfo, kernel, i, what);
    };
    Parameter parameter;
    parameter.name = ask(CL_KERNEL_ARG_NAME);
    parameter.type = ask(CL_KERNEL_ARG_TYPE_NAME);
    parameter.space = queryValue<cl_kernel_arg_address_qualifier>(
        0, target().clGetKernelArgInfo, kernel, i,
        cl_kernel_arg_info(CL_KERNEL_ARG_ADDRESS_QUALIFIER));
    if (parameter.name.empty() || parameter.type.empty() ||
        parameter.space == 0)
      throw NotRecorded{"the driver does not tell what its arguments are"};
    result.push_back(std::move(parameter));
  }
  return result;
}

/// Drivers only tell it of programs that are built for it.
std::vector<Parameter> askParameters(cl_command_queue queue,
                                     const std::string &source,
                                     const std::string &options,
                                     const std::string &kernel) {
  const auto context =
      queryValue<cl_context>(nullptr, target().clGetCommandQueueInfo, queue,
                             cl_command_queue_info(CL_QUEUE_CONTEXT));
  const auto device =
      queryValue<cl_device_id>(nullptr, target().clGetCommandQueueInfo, queue,
                               cl_command_queue_info(CL_QUEUE_DEVICE));
  const char *begin = source.data();
  const std::size_t length = source.size();
  cl_int status = CL_SUCCESS;
  const std::string flags = options + " -w -cl-kernel-arg-info";
  // Owners that release.
  const ProgramShadow program(
      target().clCreateProgramWithSource(context, 1, &begin, &length, &status),
      {});
  if (target().clBuildProgram(program.program, 1, &device, flags.c_str(),
                              nullptr, nullptr) != CL_SUCCESS)
    throw NotRecorded{"its program does not build once more"};
  const KernelShadow described(
      target().clCreateKernel(program.program, kernel.c_str(), &status), 0);
  return parametersOf(described.kernel);
}

const std::vector<Parameter> &knownParameters(cl_command_queue queue,
                                              const RecordedKernel &recorded) {
  static std::mutex mutex;
  static auto &known = *new std::map<std::string, std::vector<Parameter>>();
  const std::string options = recorded.program->options();
  const std::string key =
      cacheKey({recorded.program->source, options, recorded.name});
  {
    const std::lock_guard lock(mutex);
    const auto found = known.find(key);
    if (found != known.end())
      return found->second;
  }
  std::vector<Parameter> parameters =
      askParameters(queue, recorded.program->source, options, recorded.name);
  const std::lock_guard lock(mutex);
  return known.emplace(key, std::move(parameters)).first->second;
}

Json sizesOf(const std::vector<std::size_t> &sizes) {
  static const char *const names[] = {"X", "Y", "Z"};
  Json result;
  for (std::size_t i = 0; i < sizes.size() && i < 3; ++i)
    result[names[i]] = sizes[i];
  return result;
}

/// The numbers of an integer, or of a vector of them; none for other types.
Json integersOf(const runtime::ElementType &type, const Bytes &bytes) {
  Json numbers;
  for (const runtime::Component &part : type.components) {
    if (runtime::isFloating(part.kind))
      return nullptr;
    std::int64_t value = 0;
    std::memcpy(&value, bytes.data() + part.offset,
                runtime::sizeOf(part.kind)); // the low byte comes first
    const unsigned unused =
        64 - 8 * static_cast<unsigned>(runtime::sizeOf(part.kind));
    if (runtime::isSigned(part.kind))
      value = static_cast<std::int64_t>(static_cast<std::uint64_t>(value)
                                        << unused) >>
              unused;
    else if (value < 0)
      return nullptr; // specifications have 64 bits with a sign
    numbers.push_back(value);
  }
  return numbers.size() == 1 ? numbers[0] : numbers;
}

/// Writes what a launch needs into a folder of its own.
class LaunchWriter {
public:
  LaunchWriter(cl_command_queue where, const RecordedKernel &what)
      : queue(where), recorded(what), text(what.program->options()),
        options(readBuildOptions(text)) {
    if (!recorded.isDescribable)
      throw NotRecorded{otherArgument};
    for (const std::string &problem :
         {problemOfSource(recorded.program->source), options.problem})
      if (!problem.empty())
        throw NotRecorded{problem};
    if (mayInclude(recorded.program->source))
      throw NotRecorded{"a text that includes others"};
    for (const std::string &word : options.words)
      if (word.find(' ') != std::string::npos)
        throw NotRecorded{"an option with a blank"};
    parameters = knownParameters(queue, recorded);
    if (parameters.size() != recorded.arguments.size())
      throw NotRecorded{"an argument is missing"};
    std::size_t all = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (parameters[i].isBuffer())
        all += bytesOf(bufferAt(i));
      else if (parameters[i].isHandle())
        throw NotRecorded{otherArgument};
    if (all > mostBytes)
      throw NotRecorded{"its buffers have more than 256 MiB"};
  }

  /// Differs for launches that differ.
  std::string key(const RecordedRange &range) const {
    std::vector<std::string> parts = {
        recorded.program->source, text, sizesOf(range.global).dump(),
        sizesOf(range.local).dump(), sizesOf(range.offset).dump()};
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Argument &argument = recorded.arguments.at(i);
      if (parameters[i].isBuffer())
        parts.push_back(std::to_string(bytesOf(bufferAt(i))));
      else
        parts.emplace_back(argument.value.begin(), argument.value.end());
      parts.push_back(std::to_string(argument.size));
    }
    return cacheKey(parts);
  }

  void write(const RecordedRange &range) {
    makeFolder();
    Json spec;
    spec["Language"] = "OpenCL";
    spec["KernelName"] = recorded.name;
    spec["KernelFile"] = "kernel.cl";
    if (!options.words.empty())
      spec["CompilerOptions"] = options.words;
    spec["GlobalSize"] = sizesOf(range.global);
    if (!range.local.empty())
      spec["LocalSize"] = sizesOf(range.local);
    if (!range.offset.empty())
      spec["GlobalOffset"] = sizesOf(range.offset);
    spec["Arguments"] = Json::array();
    for (std::size_t i = 0; i < parameters.size(); ++i)
      spec["Arguments"].push_back(describe(i));
    const std::string &source = recorded.program->source;
    save("kernel.cl", source.data(), source.size());
    Json document;
    document["KernelSpecification"] = spec;
    const std::string all = document.dump(2) + "\n";
    save("launch.json", all.data(), all.size());
    log("launch of '" + recorded.name + "' recorded in " + folder);
  }

private:
  cl_mem bufferAt(std::size_t index) const {
    const Argument &argument = recorded.arguments.at(index);
    cl_mem buffer = nullptr;
    if (argument.value.size() == sizeof buffer)
      std::memcpy(&buffer, argument.value.data(), sizeof buffer);
    if (buffer == nullptr)
      throw NotRecorded{"a buffer is NULL"};
    // Images and pipes are in the space of buffers.
    if (queryValue<cl_mem_object_type>(0, target().clGetMemObjectInfo, buffer,
                                       cl_mem_info(CL_MEM_TYPE)) !=
        CL_MEM_OBJECT_BUFFER)
      throw NotRecorded{otherArgument};
    return buffer;
  }

  static std::size_t bytesOf(cl_mem buffer) {
    return queryValue<std::size_t>(0, target().clGetMemObjectInfo, buffer,
                                   cl_mem_info(CL_MEM_SIZE));
  }

  void makeFolder() {
    std::error_code code;
    fs::create_directories(settings().recordFolder, code);
    for (unsigned i = 1; !code && i < 10000; ++i) {
      folder = settings().recordFolder + "/" + recorded.name + "-" +
               std::to_string(i);
      if (fs::create_directory(folder, code))
        return;
    }
    throw NotRecorded{"cannot make the folder '" + folder + "'"};
  }

  void save(const std::string &name, const char *data, std::size_t size) const {
    std::ofstream file(folder + "/" + name, std::ios::binary);
    if (!file.write(data, static_cast<std::streamsize>(size)).flush())
      throw NotRecorded{"cannot write '" + folder + "/" + name + "'"};
  }

  /// Type, and the number of elements in `bytes`. What the program defines
  /// itself, or what is no multiple of its type, is bytes.
  void describeType(Json &json, const std::string &parameterType,
                    std::size_t bytes, bool hasSize) const {
    const std::string name = specTypeName(parameterType);
    const auto type = runtime::parseElementType(name);
    const bool isKnown = type && bytes % type->size == 0;
    json["Type"] = isKnown ? name : "bytes";
    if (!isKnown)
      json["TypeSize"] = hasSize ? 1 : bytes;
    if (hasSize)
      json["Size"] = bytes / (isKnown ? type->size : 1);
  }

  Json describe(std::size_t index) {
    const Parameter &parameter = parameters[index];
    const Argument &argument = recorded.arguments.at(index);
    Json json;
    json["Name"] = parameter.name;
    json["MemoryType"] = parameter.isBuffer()  ? "Vector"
                         : parameter.isLocal() ? "Local"
                                               : "Scalar";
    if (parameter.isBuffer())
      return describeBuffer(json, parameter, bufferAt(index));
    describeType(json, parameter.type, argument.size, parameter.isLocal());
    if (parameter.isLocal())
      return json;
    if (argument.value.size() != argument.size)
      throw NotRecorded{otherArgument};
    const auto type =
        runtime::parseElementType(json["Type"].get<std::string>());
    const Json integers = type && type->size == argument.size
                              ? integersOf(*type, argument.value)
                              : Json();
    if (!integers.is_null())
      json["FillValue"] = integers;
    else
      addContent(json, parameter.name, argument.value);
    return json;
  }

  void addContent(Json &json, const std::string &name, const Bytes &bytes) {
    json["FillType"] = "BinaryRaw";
    json["DataSource"] = name + ".bin";
    save(name + ".bin", bytes.data(), bytes.size());
  }

  Json describeBuffer(Json json, const Parameter &parameter, cl_mem buffer) {
    const std::size_t bytes = bytesOf(buffer);
    describeType(json, parameter.type, bytes, true);
    const auto known = names.find(buffer);
    if (known != names.end()) {
      json["SameBufferAs"] = known->second;
      return json;
    }
    names[buffer] = parameter.name;
    Bytes content(bytes);
    if (target().clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes,
                                     content.data(), 0, nullptr,
                                     nullptr) != CL_SUCCESS)
      throw NotRecorded{"the buffer '" + parameter.name + "' cannot be read"};
    addContent(json, parameter.name, content);
    return json;
  }

  cl_command_queue queue;
  const RecordedKernel &recorded;
  const std::string text; ///< the options of the build
  const BuildOptions options;
  std::vector<Parameter> parameters;
  std::string folder;
  std::map<cl_mem, std::string> names;
};

/// Nothing waits for an event that the application will set itself.
void waitFor(cl_command_queue queue, cl_uint count, const cl_event *events) {
  for (cl_uint i = 0; i < count; ++i)
    if (queryValue<cl_command_type>(0, target().clGetEventInfo, events[i],
                                    cl_event_info(CL_EVENT_COMMAND_TYPE)) ==
        CL_COMMAND_USER)
      throw NotRecorded{"it waits for the application"};
  if (target().clFinish(queue) != CL_SUCCESS ||
      (count != 0 && target().clWaitForEvents(count, events) != CL_SUCCESS))
    throw NotRecorded{"what was launched before has failed"};
}

/// Nothing that goes wrong here leaves it.
template <typename Action>
void guarded(cl_kernel kernel, const Action &action) noexcept {
  if (!isRecording())
    return;
  try {
    if (const auto recorded = recordedKernels().find(kernel)) {
      const std::lock_guard lock(recorded->mutex);
      action(*recorded);
    }
  } catch (...) {
    // The launch is not recorded.
  }
}

} // namespace

bool isRecording() {
  static const bool isAsked = !settings().recordFolder.empty();
  return isAsked;
}

void recordKernel(cl_kernel kernel, cl_program program,
                  const std::string &name) noexcept {
  if (!isRecording())
    return;
  try {
    std::shared_ptr<RecordedKernel> recorded;
    std::shared_ptr<ProgramRecord> source = programs().find(program);
    if (source != nullptr && !source->isLinked()) {
      recorded = std::make_shared<RecordedKernel>();
      recorded->program = std::move(source);
      recorded->name = name;
    }
    recordedKernels().add(kernel, std::move(recorded));
  } catch (...) {
    // Its launches are not recorded.
  }
}

void recordClone(cl_kernel kernel, cl_kernel copy) noexcept {
  guarded(kernel, [&](RecordedKernel &recorded) {
    auto other = std::make_shared<RecordedKernel>();
    other->program = recorded.program;
    other->name = recorded.name;
    other->arguments = recorded.arguments;
    other->isDescribable = recorded.isDescribable;
    recordedKernels().add(copy, std::move(other));
  });
}

void recordArgument(cl_kernel kernel, cl_uint index, std::size_t size,
                    const void *value) noexcept {
  guarded(kernel, [&](RecordedKernel &recorded) {
    const char *bytes = static_cast<const char *>(value);
    recorded.arguments[index] = {
        bytes != nullptr ? Bytes(bytes, bytes + size) : Bytes(), size};
  });
}

void recordOtherArgument(cl_kernel kernel) noexcept {
  guarded(kernel,
          [](RecordedKernel &recorded) { recorded.isDescribable = false; });
}

void recordRetain(cl_kernel kernel) noexcept {
  if (isRecording())
    recordedKernels().retain(kernel);
}

void recordRelease(cl_kernel kernel) noexcept {
  if (isRecording())
    recordedKernels().release(kernel);
}

void recordLaunch(cl_command_queue queue, cl_kernel kernel,
                  const RecordedRange &range, cl_uint count,
                  const cl_event *waitList) noexcept {
  guarded(kernel, [&](RecordedKernel &recorded) {
    try {
      LaunchWriter writer(queue, recorded);
      if (!isNew(recorded.name, writer.key(range)))
        return;
      waitFor(queue, count, waitList);
      writer.write(range);
    } catch (const NotRecorded &problem) {
      logOnce("launch of '" + recorded.name +
              "' is not recorded: " + problem.reason);
    }
  });
}

std::string specTypeName(const std::string &parameterType) {
  std::string name;
  std::string word;
  for (const char c : parameterType + " ") {
    const bool isPart =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (isPart) {
      word += c;
      continue;
    }
    for (const char *qualifier :
         {"const", "volatile", "restrict", "__global", "global", "__constant",
          "constant", "__local", "local", "__private", "private"})
      if (word == qualifier)
        word.clear();
    if (!word.empty())
      name += (name.empty() ? "" : " ") + word;
    word.clear();
  }
  for (const auto &[longer, shorter] : {std::pair("unsigned char", "uchar"),
                                        {"unsigned short", "ushort"},
                                        {"unsigned int", "uint"},
                                        {"unsigned long", "ulong"}})
    if (name == longer)
      return shorter;
  const std::size_t end = name.find_last_not_of("0123456789");
  // In specifications "int8" is a byte, "intx8" the vector.
  static const std::set<std::string> scalars = {
      "char", "uchar", "short", "ushort", "int",   "uint",
      "long", "ulong", "half",  "float",  "double"};
  if (end == std::string::npos || end + 1 == name.size() ||
      scalars.count(name.substr(0, end + 1)) == 0)
    return name;
  return name.substr(0, end + 1) + "x" + name.substr(end + 1);
}

} // namespace clopt::layer
