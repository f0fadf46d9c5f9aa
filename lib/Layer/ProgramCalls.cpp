//===- ProgramCalls.cpp - programs that get an optimized form -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts come with clCreateProgramWithSource, the options with
// clBuildProgram. The application's own build is made first and as it asked for
// it; only behind a success is there something to do. What is compiled to be
// linked is compiled and linked a second time of optimized texts. Binaries that
// such programs give away are known again. Every other way to a program, and
// every odd case, goes through as it is.
//
// Tested by test/layer.
//
//===----------------------------------------------------------------------===//

#include "Layer/BuildOptions.h"
#include "Layer/DeviceTarget.h"
#include "Layer/Dispatch.h"
#include "Layer/Includes.h"
#include "Layer/Log.h"
#include "Layer/Optimizer.h"
#include "Layer/PlannedLaunch.h"
#include "Layer/ProgramVariables.h"
#include "Layer/Settings.h"
#include "Layer/Shadow.h"
#include "Layer/TextCache.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <vector>

namespace clopt::layer {

namespace {

using Clock = std::chrono::steady_clock;

std::string millisecondsSince(Clock::time_point begin) {
  char text[32];
  std::snprintf(
      text, sizeof text, "%.1f ms",
      std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
  return text;
}

std::string joined(cl_uint count, const char **strings,
                   const std::size_t *lengths) {
  std::string text;
  for (cl_uint i = 0; i < count; ++i) {
    // A length of zero says that the string ends with a zero.
    if (lengths != nullptr && lengths[i] != 0)
      text.append(strings[i], lengths[i]);
    else
      text.append(strings[i]);
  }
  return text;
}

std::vector<cl_device_id> devicesOf(cl_program program) {
  const cl_uint count =
      queryValue<cl_uint>(0, target().clGetProgramInfo, program,
                          cl_program_info(CL_PROGRAM_NUM_DEVICES));
  std::vector<cl_device_id> devices(count);
  if (count == 0 ||
      target().clGetProgramInfo(program, CL_PROGRAM_DEVICES,
                                count * sizeof(cl_device_id), devices.data(),
                                nullptr) != CL_SUCCESS)
    return {};
  return devices;
}

cl_context contextOf(cl_program program) {
  return queryValue<cl_context>(nullptr, target().clGetProgramInfo, program,
                                cl_program_info(CL_PROGRAM_CONTEXT));
}

bool mayHaveVariables(const std::string &source, cl_program program,
                      cl_device_id device) {
  return mayDeclareVariables(source) ||
         queryValue<std::size_t>(
             1, target().clGetProgramBuildInfo, program, device,
             cl_program_build_info(
                 CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE)) != 0;
}

/// Thrown for a program that is left alone.
struct LeftAlone {
  std::string reason;
};

std::string digestOf(const Surroundings &surroundings) {
  std::vector<std::string> parts;
  for (const auto *texts :
       {&surroundings.headers, &surroundings.includes.files})
    for (const NamedText &known : *texts)
      parts.insert(parts.end(), {known.name, known.text});
  return cacheKey(parts);
}

/// The headers of a compilation, as the application has given them.
struct HeaderPrograms {
  cl_uint count = 0;
  const cl_program *programs = nullptr;
  const char **names = nullptr;
};

enum class BuildKind { Whole, ToLink };

/// Builds the optimized text, or compiles it. What a driver does not take is
/// remembered, because it would not take it the next time either, and some say
/// so on the streams of the application.
class ShadowBuilder {
public:
  ShadowBuilder(cl_program program, const std::vector<cl_device_id> &where,
                const std::string &flags, const HeaderPrograms &with,
                const Surroundings &known)
      : original(program), devices(where), headers(with), surroundings(known),
        // The application has had its warnings.
        options(flags + (flags.empty() ? "-w" : " -w")),
        cache(settings().cacheFolder, settings().cacheBytes) {}

  cl_program build(const std::string &text, BuildKind kind) const {
    const std::string key = keyOf(text);
    if (const std::optional<std::string> known = cache.find(key))
      throw LeftAlone{*known + ", from the cache"};
    const char *begin = text.data();
    const std::size_t length = text.size();
    cl_int status = CL_SUCCESS;
    const cl_program program = target().clCreateProgramWithSource(
        contextOf(original), 1, &begin, &length, &status);
    if (program == nullptr || status != CL_SUCCESS)
      throw LeftAlone{"the driver refuses the optimized text (" +
                      std::to_string(status) + ")"};
    const auto count = static_cast<cl_uint>(devices.size());
    status = kind == BuildKind::Whole
                 ? target().clBuildProgram(program, count, devices.data(),
                                           options.c_str(), nullptr, nullptr)
                 : target().clCompileProgram(program, count, devices.data(),
                                             options.c_str(), headers.count,
                                             headers.programs, headers.names,
                                             nullptr, nullptr);
    if (status == CL_SUCCESS)
      return program;
    const std::string said =
        queryText(target().clGetProgramBuildInfo, program, devices[0],
                  cl_program_build_info(CL_PROGRAM_BUILD_LOG));
    target().clReleaseProgram(program);
    const std::string reason = "the optimized text does not build (" +
                               std::to_string(status) +
                               "): " + said.substr(0, 400);
    // Anything else may be for want of memory.
    if (status == CL_BUILD_PROGRAM_FAILURE ||
        status == CL_COMPILE_PROGRAM_FAILURE)
      cache.store(key, reason);
    throw LeftAlone{reason};
  }

private:
  std::string keyOf(const std::string &text) const {
    std::vector<std::string> parts = {"does not build", text, options};
    for (cl_device_id device : devices)
      for (cl_device_info what :
           {CL_DEVICE_NAME, CL_DEVICE_VERSION, CL_DRIVER_VERSION})
        parts.push_back(queryText(target().clGetDeviceInfo, device, what));
    parts.push_back(digestOf(surroundings));
    return cacheKey(parts);
  }

  cl_program original;
  const std::vector<cl_device_id> &devices;
  const HeaderPrograms &headers;
  const Surroundings &surroundings;
  std::string options;
  TextCache cache;
};

/// A name that stays in the folder of the headers.
bool isPlainName(const std::string &name) {
  const std::string path = "/" + name + "/";
  return !name.empty() && path.find("//") == std::string::npos &&
         path.find("/../") == std::string::npos &&
         path.find('\0') == std::string::npos;
}

/// All that the text is compiled with. Throws LeftAlone if it is not known.
Surroundings surroundingsOf(const std::string &source,
                            const BuildOptions &options,
                            const HeaderPrograms &headers) {
  Surroundings result;
  for (cl_uint i = 0; i < headers.count; ++i) {
    const std::shared_ptr<ProgramRecord> header =
        programs().find(headers.programs[i]);
    if (header == nullptr || header->isLinked() ||
        !isPlainName(headers.names[i]))
      throw LeftAlone{"a header whose text is not known"};
    result.headers.push_back({headers.names[i], header->source});
  }
  result.includes = findIncludes(source, options.folders, result.headers);
  if (!result.includes.problem.empty())
    throw LeftAlone{result.includes.problem};
  return result;
}

bool mayHaveVariables(const std::string &source, const Surroundings &more,
                      cl_program program, cl_device_id device) {
  bool result = mayHaveVariables(source, program, device);
  for (const auto *texts : {&more.headers, &more.includes.files})
    for (const NamedText &known : *texts)
      result = result || mayDeclareVariables(known.text);
  return result;
}

/// Returns what the log says of it.
std::string attachPlans(ProgramShadow &shadow, cl_program program,
                        const std::vector<cl_device_id> &devices,
                        const std::vector<TextPlan> &plans) {
  if (plans.empty())
    return "";
  if (devices.size() != 1)
    return ", without a plan: there are several devices";
  try {
    for (const TextPlan &known : plans) {
      runtime::PlanTexts texts;
      texts.plan = known.plan;
      texts.optimized = known.text;
      texts.optimizedProgram = shadow.program;
      shadow.planned.push_back(
          makePlannedProgram(contextOf(program), devices[0], texts));
    }
    return ", with a plan";
  } catch (const std::exception &error) {
    shadow.planned.clear();
    return std::string(", without a plan: ") + error.what();
  }
}

/// Gives a program its optimized form. Returns what the log says of that.
std::string attach(ProgramRecord &record, cl_program program,
                   std::vector<cl_device_id> devices,
                   const std::string &options, BuildKind kind,
                   const HeaderPrograms &headers) {
  const Clock::time_point begin = Clock::now();
  const BuildOptions flags = readBuildOptions(options);
  for (const std::string &problem :
       {flags.problem, problemOfSource(record.source)})
    if (!problem.empty())
      throw LeftAlone{problem};
  const Surroundings surroundings =
      surroundingsOf(record.source, flags, headers);
  const std::string digest = digestOf(surroundings);
  if (record.restored && record.restored->surroundings != digest)
    throw LeftAlone{"a file that its source includes has changed"};
  if (kind == BuildKind::Whole)
    record.setOrigin(ProgramOrigin{record.source, options, digest});
  if (devices.empty())
    devices = devicesOf(program);
  if (devices.empty())
    throw LeftAlone{"no device is known"};
  std::string profile;
  for (cl_device_id device : devices) {
    const DeviceTarget chosen = targetOf(device, settings());
    if (!chosen.problem.empty())
      throw LeftAlone{chosen.problem};
    if (!profile.empty() && chosen.name != profile)
      throw LeftAlone{"it is built for devices of several kinds"};
    profile = chosen.name;
    if (!flags.isOpenCL1 &&
        mayHaveVariables(record.source, surroundings, program, device))
      throw LeftAlone{"it may have variables of its own"};
  }
  const Optimized optimized =
      optimize(record.source, flags.words, profile, settings(), surroundings);
  const std::string where = " for " + profile + " in " +
                            millisecondsSince(begin) +
                            (optimized.isCached ? ", from the cache" : "");
  if (optimized.state != Optimized::State::Changed) {
    // Other parts may have another form, and are linked with this one.
    if (kind == BuildKind::ToLink)
      record.setShadow(
          nullptr, std::make_shared<ProgramShadow>(nullptr, optimized.kept));
    throw LeftAlone{(optimized.state == Optimized::State::Failed
                         ? optimized.message
                         : "nothing to gain") +
                    where};
  }
  const Clock::time_point beginOfBuild = Clock::now();
  const ShadowBuilder builder(program, devices, options, headers, surroundings);
  auto shadow = std::make_shared<ProgramShadow>(
      builder.build(optimized.text, kind), optimized.kept);
  // A file that was written meanwhile: nobody knows which text was read.
  if (!(surroundingsOf(record.source, flags, headers).includes.files ==
        surroundings.includes.files))
    throw LeftAlone{"a file that it includes has changed"};
  std::vector<TextPlan> plans;
  if (!optimized.plan.empty())
    plans.push_back({optimized.plan, optimized.text});
  std::string planned;
  if (kind == BuildKind::ToLink) {
    shadow->plans = std::move(plans);
    record.setShadow(nullptr, std::move(shadow));
  } else {
    planned = attachPlans(*shadow, program, devices, plans);
    record.setShadow(std::move(shadow));
  }
  return "optimized" + where + ", built in " + millisecondsSince(beginOfBuild) +
         planned;
}

/// What is known of a program's last build is no longer so.
void beginBuild(ProgramRecord &record, const char *options) noexcept {
  record.setShadow(nullptr);
  record.setOrigin(std::nullopt);
  try {
    // Options do not change what a binary holds.
    record.setOptions(record.restored      ? record.restored->options
                      : options != nullptr ? options
                                           : "");
  } catch (...) {
    // Out of memory: only a recorded launch would need them.
  }
}

void endBuild(ProgramRecord &record, cl_program program, cl_uint count,
              const cl_device_id *devices, bool isOver, BuildKind kind,
              const HeaderPrograms &headers) noexcept {
  try {
    const std::string options = record.options();
    std::string line =
        "program of " + std::to_string(record.source.size()) + " bytes";
    if (!options.empty())
      line += " with '" + options + "'";
    try {
      if (!isOver)
        throw LeftAlone{"its build may still go on"};
      line += ": " + attach(record, program, {devices, devices + count},
                            options, kind, headers);
    } catch (const LeftAlone &left) {
      line += " stays as it is: " + left.reason;
    } catch (const std::exception &error) {
      line += " stays as it is: " + std::string(error.what());
    }
    log(line);
  } catch (...) {
    // Not even a line can be written: the application goes on.
  }
}

void remember(cl_program program,
              std::shared_ptr<ProgramRecord> record) noexcept {
  try {
    if (program != nullptr)
      programs().add(program, std::move(record));
  } catch (...) {
    // Out of memory: the program has no optimized form.
  }
}

cl_program CL_API_CALL createWithSource(cl_context context, cl_uint count,
                                        const char **strings,
                                        const std::size_t *lengths,
                                        cl_int *status) {
  const cl_program program = target().clCreateProgramWithSource(
      context, count, strings, lengths, status);
  if (program == nullptr)
    return program;
  std::shared_ptr<ProgramRecord> record;
  try {
    record = std::make_shared<ProgramRecord>(joined(count, strings, lengths));
  } catch (...) {
    // Left without a record.
  }
  remember(program, std::move(record));
  return program;
}

/// A record where all binaries were built of one text, or null.
std::shared_ptr<ProgramRecord>
recordOfBinaries(cl_uint count, const std::size_t *lengths,
                 const unsigned char **binaries) {
  std::optional<ProgramOrigin> common;
  for (cl_uint i = 0; i < count; ++i) {
    const std::optional<ProgramOrigin> origin =
        originOf({reinterpret_cast<const char *>(binaries[i]), lengths[i]});
    if (!origin || (common && !(*common == *origin)))
      return nullptr;
    common = origin;
  }
  return common ? std::make_shared<ProgramRecord>(*common) : nullptr;
}

cl_program CL_API_CALL createWithBinary(cl_context context, cl_uint count,
                                        const cl_device_id *devices,
                                        const std::size_t *lengths,
                                        const unsigned char **binaries,
                                        cl_int *binaryStatus, cl_int *status) {
  const cl_program program = target().clCreateProgramWithBinary(
      context, count, devices, lengths, binaries, binaryStatus, status);
  std::shared_ptr<ProgramRecord> record;
  try {
    if (program != nullptr)
      record = recordOfBinaries(count, lengths, binaries);
    if (program != nullptr && record == nullptr)
      log("program from a binary stays as it is: its source is not known");
  } catch (...) {
    // Left without a record.
  }
  remember(program, std::move(record));
  return program;
}

/// A program whose source is not known.
constexpr auto strange = [](cl_program program, const auto &) {
  remember(program, nullptr);
};

/// What the application has linked, linked of the optimized forms of its parts.
/// Parts in which nothing changes are the application's own.
std::shared_ptr<ProgramShadow>
linkShadows(cl_program linked, cl_context context, cl_uint deviceCount,
            const cl_device_id *devices, const char *options,
            cl_uint inputCount, const cl_program *inputs) {
  std::vector<std::shared_ptr<ProgramShadow>> parts;
  std::vector<cl_program> chosen;
  std::set<std::string> kept;
  std::vector<TextPlan> plans;
  bool isChanged = false;
  for (cl_uint i = 0; i < inputCount; ++i) {
    const std::shared_ptr<ProgramRecord> record = programs().find(inputs[i]);
    parts.push_back(record != nullptr ? record->linkable() : nullptr);
    if (parts.back() == nullptr)
      throw LeftAlone{"a part of it has no form to link"};
    const cl_program own = parts.back()->program;
    isChanged |= own != nullptr;
    chosen.push_back(own != nullptr ? own : inputs[i]);
    kept.insert(parts.back()->kept.begin(), parts.back()->kept.end());
    plans.insert(plans.end(), parts.back()->plans.begin(),
                 parts.back()->plans.end());
  }
  if (!isChanged)
    return std::make_shared<ProgramShadow>(nullptr, std::move(kept));
  cl_int status = CL_SUCCESS;
  const cl_program program =
      target().clLinkProgram(context, deviceCount, devices, options, inputCount,
                             chosen.data(), nullptr, nullptr, &status);
  if (program != nullptr && status == CL_SUCCESS) {
    auto shadow = std::make_shared<ProgramShadow>(program, std::move(kept));
    shadow->plans = std::move(plans);
    return shadow;
  }
  const std::vector<cl_device_id> all = devicesOf(linked);
  const std::string said =
      program != nullptr && !all.empty()
          ? queryText(target().clGetProgramBuildInfo, program, all[0],
                      cl_program_build_info(CL_PROGRAM_BUILD_LOG))
          : "";
  if (program != nullptr)
    target().clReleaseProgram(program);
  throw LeftAlone{"the optimized parts cannot be linked (" +
                  std::to_string(status) + "): " + said.substr(0, 400)};
}

bool isLibrary(cl_program program) {
  const std::vector<cl_device_id> devices = devicesOf(program);
  return devices.empty() ||
         queryValue<cl_program_binary_type>(
             CL_PROGRAM_BINARY_TYPE_NONE, target().clGetProgramBuildInfo,
             program, devices[0],
             cl_program_build_info(CL_PROGRAM_BINARY_TYPE)) !=
             CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

cl_program CL_API_CALL link(cl_context context, cl_uint deviceCount,
                            const cl_device_id *devices, const char *options,
                            cl_uint inputCount, const cl_program *inputs,
                            void(CL_CALLBACK *notify)(cl_program, void *),
                            void *data, cl_int *status) {
  cl_int linked = CL_SUCCESS;
  const cl_program program =
      target().clLinkProgram(context, deviceCount, devices, options, inputCount,
                             inputs, notify, data, &linked);
  if (status != nullptr)
    *status = linked;
  std::shared_ptr<ProgramRecord> record;
  try {
    std::string line = "program linked of " + std::to_string(inputCount);
    try {
      if (program == nullptr || linked != CL_SUCCESS)
        throw LeftAlone{"the driver does not link it"};
      if (notify != nullptr)
        throw LeftAlone{"its linking may still go on"};
      std::shared_ptr<ProgramShadow> shadow = linkShadows(
          program, context, deviceCount, devices, options, inputCount, inputs);
      const bool isChanged = shadow->program != nullptr;
      record = std::make_shared<ProgramRecord>("");
      std::string planned;
      if (isLibrary(program)) {
        record->setShadow(nullptr, std::move(shadow));
      } else if (isChanged) {
        planned =
            attachPlans(*shadow, program, devicesOf(program), shadow->plans);
        record->setShadow(std::move(shadow));
      }
      if (!isChanged)
        throw LeftAlone{"nothing to gain"};
      line += ": optimized" + planned;
    } catch (const LeftAlone &left) {
      line += " stays as it is: " + left.reason;
    }
    log(line);
  } catch (...) {
    record = nullptr; // out of memory
  }
  remember(program, std::move(record));
  return program;
}

cl_int CL_API_CALL buildProgram(cl_program program, cl_uint count,
                                const cl_device_id *devices,
                                const char *options,
                                void(CL_CALLBACK *notify)(cl_program, void *),
                                void *data) {
  const std::shared_ptr<ProgramRecord> record = programs().find(program);
  if (record != nullptr)
    beginBuild(*record, options);
  const cl_int status =
      target().clBuildProgram(program, count, devices, options, notify, data);
  if (record != nullptr && status == CL_SUCCESS)
    endBuild(*record, program, devices != nullptr ? count : 0, devices,
             notify == nullptr, BuildKind::Whole, {});
  return status;
}

cl_int CL_API_CALL compile(cl_program program, cl_uint deviceCount,
                           const cl_device_id *devices, const char *options,
                           cl_uint headerCount, const cl_program *headers,
                           const char **names,
                           void(CL_CALLBACK *notify)(cl_program, void *),
                           void *data) {
  const std::shared_ptr<ProgramRecord> record = programs().find(program);
  if (record != nullptr)
    beginBuild(*record, options);
  const cl_int status =
      target().clCompileProgram(program, deviceCount, devices, options,
                                headerCount, headers, names, notify, data);
  if (record != nullptr && status == CL_SUCCESS)
    endBuild(*record, program, devices != nullptr ? deviceCount : 0, devices,
             notify == nullptr, BuildKind::ToLink,
             {headerCount, headers, names});
  return status;
}

/// Keeps what the binaries were built of that the application takes away.
void keepOrigins(cl_program program, std::size_t bytes, const void *value) {
  const std::shared_ptr<ProgramRecord> record = programs().find(program);
  const std::optional<ProgramOrigin> origin =
      record != nullptr ? record->origin() : std::nullopt;
  if (!origin)
    return;
  const auto *binaries = static_cast<const char *const *>(value);
  std::vector<std::size_t> sizes(devicesOf(program).size());
  if (target().clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES,
                                sizes.size() * sizeof sizes[0], sizes.data(),
                                nullptr) != CL_SUCCESS)
    return;
  for (std::size_t i = 0;
       i < sizes.size() && (i + 1) * sizeof *binaries <= bytes; ++i)
    if (sizes[i] != 0 && binaries[i] != nullptr)
      keepOrigin({binaries[i], sizes[i]}, *origin);
}

cl_int CL_API_CALL programInfo(cl_program program, cl_program_info what,
                               std::size_t bytes, void *value,
                               std::size_t *bytesReturned) {
  const cl_int status =
      target().clGetProgramInfo(program, what, bytes, value, bytesReturned);
  try {
    if (what == CL_PROGRAM_BINARIES && status == CL_SUCCESS && value != nullptr)
      keepOrigins(program, bytes, value);
  } catch (...) {
    // The binary is a stranger the next time.
  }
  return status;
}

constexpr auto retains = [](cl_int status, const auto &all) {
  if (status == CL_SUCCESS)
    programs().retain(std::get<0>(all));
};

cl_int CL_API_CALL release(cl_program program) {
  programs().release(program);
  return target().clReleaseProgram(program);
}

} // namespace

void addProgramCalls(cl_icd_dispatch &table) {
  table.clCreateProgramWithSource = createWithSource;
  table.clCreateProgramWithBinary = createWithBinary;
  using Calls = cl_icd_dispatch;
  table.clCreateProgramWithBuiltInKernels =
      noted<&Calls::clCreateProgramWithBuiltInKernels, strange>;
  table.clCreateProgramWithIL = noted<&Calls::clCreateProgramWithIL, strange>;
  table.clLinkProgram = link;
  table.clBuildProgram = buildProgram;
  table.clCompileProgram = compile;
  table.clGetProgramInfo = programInfo;
  table.clRetainProgram = noted<&Calls::clRetainProgram, retains>;
  table.clReleaseProgram = release;
}

} // namespace clopt::layer
