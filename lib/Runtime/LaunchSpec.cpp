//===- LaunchSpec.cpp - how a kernel is to be launched --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the T1 format of Kernel Tuner, KTT and BAT ("Towards a benchmarking
// suite for kernel tuners", Tørring et al. 2023) and clopt's extensions. Fields
// that nobody here uses are ignored, as the format's own readers do; fields
// that are used are checked. Tested by test/unit/RuntimeLaunchSpecTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/LaunchSpec.h"

#include "Runtime/SpecFields.h"

#include <algorithm>
#include <sstream>

namespace clopt::runtime {

namespace {

template <typename T> struct NamedValue {
  const char *name;
  T value;
};

/// The value called `text`, or an error that lists the names.
template <typename T, std::size_t N>
T choose(const Fields &fields, const std::string &field,
         const std::string &text, const NamedValue<T> (&choices)[N]) {
  std::string names;
  for (const NamedValue<T> &choice : choices) {
    if (text == choice.name)
      return choice.value;
    names += (names.empty() ? "" : ", ") + std::string(choice.name);
  }
  fields.fail(field,
              "unknown " + field + " '" + text + "' (there are " + names + ")");
}

constexpr NamedValue<MemoryKind> memoryKinds[] = {
    {"Scalar", MemoryKind::Scalar},   {"Vector", MemoryKind::Vector},
    {"Local", MemoryKind::Local},     {"Image", MemoryKind::Image},
    {"Sampler", MemoryKind::Sampler},
};

constexpr NamedValue<FillKind> fillKinds[] = {
    {"Constant", FillKind::Constant},    {"Random", FillKind::Random},
    {"Generator", FillKind::Generator},  {"BinaryRaw", FillKind::BinaryRaw},
    {"Monotone", FillKind::Monotone},    {"Permutation", FillKind::Permutation},
    {"Uninitialized", FillKind::Random},
};

constexpr NamedValue<cl_addressing_mode> addressingModes[] = {
    {"None", CL_ADDRESS_NONE},
    {"ClampToEdge", CL_ADDRESS_CLAMP_TO_EDGE},
    {"Clamp", CL_ADDRESS_CLAMP},
    {"Repeat", CL_ADDRESS_REPEAT},
    {"MirroredRepeat", CL_ADDRESS_MIRRORED_REPEAT},
};

constexpr NamedValue<cl_filter_mode> filterModes[] = {
    {"Nearest", CL_FILTER_NEAREST}, {"Linear", CL_FILTER_LINEAR}};

constexpr NamedValue<bool> accessKinds[] = {
    {"ReadOnly", false}, {"WriteOnly", true}, {"ReadWrite", true}};

constexpr NamedValue<bool> globalSizeTypes[] = {
    {"OpenCL", false}, {"CUDA", true}, {"Vulkan", true}};

ElementType readStruct(const Fields &fields, const Json &members) {
  std::vector<std::string> names;
  for (const Json &member : members) {
    if (!member.is_string())
      fields.fail("Members", "'Members' must be a list of type names");
    names.push_back(member.get<std::string>());
  }
  const std::optional<ElementType> type = makeStructType(names);
  if (!type || type->size == 0)
    fields.fail("Members", "'Members' has a type that is not known");
  return *type;
}

/// The size of a type that only the kernel knows, in bytes.
std::optional<std::size_t> readTypeSize(const Fields &fields) {
  for (const char *name : {"TypeSize", "ElementSize"}) {
    const Json *size = fields.find(name);
    if (size == nullptr)
      continue;
    if (!size->is_number_unsigned() || *size == 0 || *size > 65536)
      fields.fail(name, "'" + std::string(name) +
                            "' must be between 1 and 65536 bytes");
    return size->get<std::size_t>();
  }
  return std::nullopt;
}

ElementType readType(const Fields &fields) {
  const std::string name = fields.requireString("Type");
  if (const std::optional<ElementType> known = parseElementType(name))
    return *known;
  ElementType type;
  const std::optional<std::size_t> size = readTypeSize(fields);
  if (const Json *members = fields.find("Members")) {
    type = readStruct(fields, *members);
    if (size && *size != type.size)
      fields.fail("Members", "'Members' take " + std::to_string(type.size) +
                                 " bytes, not " + std::to_string(*size));
  } else if (size) {
    type = makeOpaqueType(*size);
  } else if (name.rfind("image", 0) == 0 || name == "sampler_t") {
    fields.fail("Type", "'" + name + "' needs MemoryType '" +
                            (name == "sampler_t" ? "Sampler'" : "Image'"));
  } else {
    fields.fail("Type",
                "unknown type '" + name +
                    "' (a struct needs 'Members', or 'TypeSize' in bytes)");
  }
  type.name = name;
  return type;
}

/// The object, and its texels as the type.
void readImage(const Fields &fields, ArgumentSpec &argument) {
  const std::string name = fields.requireString("Type");
  argument.imageKind = findImageKind(name);
  if (!argument.imageKind)
    fields.fail("Type", "'" + name + "' is no type of images");
  const std::string order = fields.requireString("ChannelOrder");
  const std::string type = fields.requireString("ChannelType");
  const auto knownOrder = findChannelOrder(order);
  const auto knownType = findChannelType(type);
  if (!knownOrder)
    fields.fail("ChannelOrder", "unknown ChannelOrder '" + order +
                                    "' (there are " + channelOrderNames() +
                                    ")");
  if (!knownType)
    fields.fail("ChannelType", "unknown ChannelType '" + type +
                                   "' (there are " + channelTypeNames() + ")");
  argument.format = {*knownOrder, *knownType};
  argument.type = texelType(argument.format);
  for (const char *extent : argument.imageKind->extents)
    if (extent) {
      fields.require(extent);
      argument.extents.push_back(*fields.expression(extent));
    }
}

void readSampler(const Fields &fields, ArgumentSpec &argument) {
  if (const std::string name = fields.requireString("Type");
      name != "sampler_t")
    fields.fail("Type", "'" + name + "' is no sampler");
  if (const Json *normalized = fields.find("NormalizedCoordinates")) {
    if (!normalized->is_boolean())
      fields.fail("NormalizedCoordinates",
                  "'NormalizedCoordinates' must be true or false");
    argument.sampler.isNormalized = normalized->get<bool>();
  }
  argument.sampler.addressing =
      choose(fields, "AddressMode", fields.string("AddressMode", "ClampToEdge"),
             addressingModes);
  argument.sampler.filter =
      choose(fields, "FilterMode", fields.string("FilterMode", "Nearest"),
             filterModes);
}

void readRange(const Fields &fields, ArgumentSpec &argument) {
  const Json *range = fields.find("FillRange");
  if (range == nullptr)
    return;
  if (!range->is_array() || range->size() != 2)
    fields.fail("FillRange", "'FillRange' must be a list of two numbers");
  argument.fillRange = {
      fields.makeNumber((*range)[0], fields.path("FillRange/0"), "'FillRange'"),
      fields.makeNumber((*range)[1], fields.path("FillRange/1"),
                        "'FillRange'")};
}

void readFillValue(const Fields &fields, ArgumentSpec &argument) {
  const Json *value = fields.find("FillValue");
  if (value == nullptr)
    return;
  if (!value->is_array()) {
    argument.fillValue.push_back(
        fields.makeNumber(*value, fields.path("FillValue"), "'FillValue'"));
    return;
  }
  if (value->size() != argument.type.components.size())
    fields.fail("FillValue",
                "'FillValue' must have one value for each of the " +
                    std::to_string(argument.type.components.size()) +
                    " lanes of " + argument.type.name);
  for (std::size_t i = 0; i < value->size(); ++i)
    argument.fillValue.push_back(fields.makeNumber(
        (*value)[i], fields.path("FillValue/" + std::to_string(i)),
        "'FillValue'"));
}

void readFill(const Fields &fields, ArgumentSpec &argument) {
  const char *usual =
      argument.memory == MemoryKind::Scalar ? "Constant" : "Random";
  const std::string fill = fields.string("FillType", usual);
  if (fill == "Script" || fill == "BinaryHDF")
    fields.fail("FillType", "FillType '" + fill + "' is not supported");
  argument.fill = choose(fields, "FillType", fill, fillKinds);
  readRange(fields, argument);
  readFillValue(fields, argument);
  if (argument.fill == FillKind::BinaryRaw)
    argument.dataFile = fields.requireString("DataSource");
  if (argument.fill == FillKind::Generator) {
    fields.require("DataSource");
    argument.generator = fields.expression("DataSource");
  }
  if (argument.fill == FillKind::Monotone && argument.fillValue.empty())
    fields.fail("FillType",
                "FillType 'Monotone' needs the last value as 'FillValue'");
  if (const Json *seed = fields.find("RandomSeed")) {
    if (!seed->is_number_integer())
      fields.fail("RandomSeed", "'RandomSeed' must be an integer");
    argument.seed = seed->get<std::uint64_t>();
  }
}

void readAlias(const Fields &fields, ArgumentSpec &argument) {
  argument.sameBufferAs = fields.string("SameBufferAs", "");
  argument.shift = fields.expression("Offset");
  if (argument.shift && argument.sameBufferAs.empty())
    fields.fail("Offset", "'Offset' needs 'SameBufferAs'");
}

ArgumentSpec readArgument(const Fields &fields, std::size_t index) {
  ArgumentSpec argument;
  argument.where = fields.where();
  argument.name = fields.string("Name", "argument " + std::to_string(index));
  const std::string memory = fields.requireString("MemoryType");
  if (memory == "Symbol")
    fields.fail("MemoryType", "MemoryType 'Symbol' exists in CUDA only");
  argument.memory = choose(fields, "MemoryType", memory, memoryKinds);
  if (argument.memory == MemoryKind::Sampler) {
    readSampler(fields, argument);
    return argument;
  }
  if (argument.memory == MemoryKind::Image)
    readImage(fields, argument);
  else
    argument.type = readType(fields);
  argument.size = fields.expression("Size");
  choose(fields, "AccessType", fields.string("AccessType", "ReadWrite"),
         accessKinds);
  readAlias(fields, argument);
  const bool hasSize = argument.memory == MemoryKind::Vector ||
                       argument.memory == MemoryKind::Local;
  const bool needsSize = hasSize && argument.sameBufferAs.empty();
  if (needsSize && !argument.size)
    throw fields.document.error(fields.pointer,
                                "'Size' of '" + argument.name + "' is missing");
  if (argument.memory != MemoryKind::Local)
    readFill(fields, argument);
  return argument;
}

/// A scalar without a value takes the size of its name.
void fillScalarByName(const Fields &fields, const KernelSpec &spec,
                      ArgumentSpec &argument) {
  const bool needsValue = argument.memory == MemoryKind::Scalar &&
                          argument.fill == FillKind::Constant &&
                          argument.fillValue.empty();
  if (!needsValue)
    return;
  if (!spec.hasSize(argument.name) && spec.constants.count(argument.name) == 0)
    throw fields.document.error(fields.pointer,
                                "'FillValue' of '" + argument.name +
                                    "' is missing, and no size has its name");
  NumberSpec number;
  number.expression.where = argument.where;
  number.expression.value = Expression::parse(argument.name);
  argument.fillValue.push_back(number);
}

void checkAlias(const Fields &fields, const KernelSpec &spec,
                const ArgumentSpec &argument) {
  if (argument.sameBufferAs.empty())
    return;
  if (argument.memory != MemoryKind::Vector)
    fields.fail("SameBufferAs", "'SameBufferAs' is for MemoryType 'Vector'");
  for (const ArgumentSpec &earlier : spec.arguments)
    if (earlier.name == argument.sameBufferAs &&
        earlier.memory == MemoryKind::Vector && earlier.sameBufferAs.empty())
      return;
  fields.fail("SameBufferAs",
              "no earlier buffer is called '" + argument.sameBufferAs + "'");
}

void readArguments(const Fields &kernel, KernelSpec &spec) {
  const Json *list = kernel.find("Arguments");
  if (list == nullptr)
    return;
  if (!list->is_array())
    kernel.fail("Arguments", "'Arguments' must be a list");
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Fields fields(kernel.document, (*list)[i],
                        kernel.path("Arguments/" + std::to_string(i)));
    ArgumentSpec argument = readArgument(fields, i);
    for (const ArgumentSpec &earlier : spec.arguments)
      if (earlier.name == argument.name)
        fields.fail("Name",
                    "there are two arguments called '" + argument.name + "'");
    checkAlias(fields, spec, argument);
    fillScalarByName(fields, spec, argument);
    spec.arguments.push_back(std::move(argument));
  }
}

void readSizeList(const Fields &kernel, const Json &points, KernelSpec &spec) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string at = kernel.path("Sizes/" + std::to_string(i));
    const Fields fields(kernel.document, points[i], at);
    SizePoint point;
    for (const auto &[name, value] : points[i].items()) {
      if (!value.is_number_integer())
        fields.fail(name, "a size in a list of sizes must be an integer");
      point.emplace_back(name, value.get<std::int64_t>());
    }
    if (i != 0 &&
        (point.size() != spec.points[0].size() ||
         !std::equal(
             point.begin(), point.end(), spec.points[0].begin(),
             [](const auto &a, const auto &b) { return a.first == b.first; })))
      throw kernel.document.error(
          at, "every entry of 'Sizes' must name the same sizes");
    spec.points.push_back(std::move(point));
  }
}

/// Sizes beside the list of kernels are those of every kernel without its own.
void readSizes(const Fields &kernel, KernelSpec &spec) {
  const Json *sizes = kernel.find("Sizes");
  if (sizes == nullptr)
    return;
  if (sizes->empty() || !(sizes->is_array() || sizes->is_object()))
    kernel.fail("Sizes", "'Sizes' must be an object or a list of objects");
  if (sizes->is_array())
    return readSizeList(kernel, *sizes, spec);
  for (const auto &[name, value] : sizes->items()) {
    SizeSpec size;
    size.name = name;
    const std::string at = kernel.path("Sizes/" + name);
    const std::string what = "size '" + name + "'";
    if (value.is_array())
      for (std::size_t i = 0; i < value.size(); ++i)
        size.values.push_back(kernel.makeExpression(
            value[i], at + "/" + std::to_string(i), what));
    else
      size.values.push_back(kernel.makeExpression(value, at, what));
    if (size.values.empty())
      throw kernel.document.error(at, what + " has no value");
    spec.sizes.push_back(std::move(size));
  }
}

NDRangeSpec readRange(const Fields &fields) {
  NDRangeSpec range;
  range.where = fields.where();
  range.global = fields.shape("GlobalSize");
  range.local = fields.shape("LocalSize");
  range.offset = fields.shape("GlobalOffset");
  return range;
}

/// An NDRange of one to three equal ranks. T1 files always write all three
/// axes.
void checkRanks(const Fields &fields, NDRangeSpec &range) {
  for (auto [shape, name] : {std::pair(&range.local, "LocalSize"),
                             std::pair(&range.offset, "GlobalOffset")}) {
    if (shape->size() > range.global.size())
      fields.fail(name, std::string("'") + name +
                            "' has more dimensions than 'GlobalSize'");
    const std::int64_t missing = shape == &range.local ? 1 : 0;
    while (!shape->empty() && shape->size() < range.global.size())
      shape->push_back({Expression::constant(missing), range.where});
  }
}

/// Each of 'LocalSizes' is one more launch, over as many work-items as the
/// first at least: hosts round up the global size when they choose groups.
void readLocalSizes(const Fields &kernel, KernelSpec &spec) {
  const Json *list = kernel.find("LocalSizes");
  if (list == nullptr)
    return;
  if (!list->is_array())
    kernel.fail("LocalSizes", "'LocalSizes' must be a list");
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string at = "LocalSizes/" + std::to_string(i);
    NDRangeSpec range = spec.ranges[0];
    range.where = kernel.document.locate(kernel.path(at));
    range.local.clear();
    range.roundUp = true;
    if (!(*list)[i].is_null()) {
      range.local = kernel.shape(at, (*list)[i]);
      checkRanks(kernel, range);
    }
    spec.ranges.push_back(std::move(range));
  }
}

void readRanges(const Fields &kernel, KernelSpec &spec) {
  kernel.require("GlobalSize");
  spec.ranges.push_back(readRange(kernel));
  checkRanks(kernel, spec.ranges.back());
  const Json *list = kernel.find("NDRanges");
  if (list != nullptr && !list->is_array())
    kernel.fail("NDRanges", "'NDRanges' must be a list");
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const Fields fields(kernel.document, (*list)[i],
                        kernel.path("NDRanges/" + std::to_string(i)));
    NDRangeSpec range = readRange(fields);
    if (range.global.empty())
      range.global = spec.ranges[0].global;
    checkRanks(fields, range);
    spec.ranges.push_back(std::move(range));
  }
  readLocalSizes(kernel, spec);
}

void readOptions(const Fields &kernel, KernelSpec &spec) {
  const Json *options = kernel.find("CompilerOptions");
  if (options == nullptr)
    return;
  spec.optionsWhere = kernel.document.locate(kernel.path("CompilerOptions"));
  if (options->is_string()) {
    std::istringstream words(options->get<std::string>());
    for (std::string word; words >> word;)
      spec.options.push_back(word);
    return;
  }
  for (const Json &option : *options) {
    if (!option.is_string())
      kernel.fail("CompilerOptions",
                  "'CompilerOptions' must be a list of strings");
    spec.options.push_back(option.get<std::string>());
  }
}

void readProblemSize(const Fields &kernel, KernelSpec &spec) {
  const Json *size = kernel.find("ProblemSize");
  if (size == nullptr)
    return;
  const auto add = [&](const Json &value, const std::string &name) {
    if (value.is_number_integer())
      spec.constants[name] = value.get<std::int64_t>();
  };
  if (size->is_array())
    for (std::size_t i = 0; i < size->size(); ++i)
      add((*size)[i], "ProblemSize[" + std::to_string(i) + "]");
  else
    add(*size, "ProblemSize");
}

/// The value that a tuning parameter has before any tuning: its Default, or
/// else the first of its Values when these are a plain list.
std::optional<std::int64_t> tuningDefault(const Json &parameter) {
  if (const auto usual = parameter.find("Default");
      usual != parameter.end() && usual->is_number_integer())
    return usual->get<std::int64_t>();
  auto values = parameter.find("Values");
  if (values == parameter.end())
    return std::nullopt;
  const Json list =
      values->is_string()
          ? Json::parse(values->get<std::string>(), nullptr, false)
          : *values;
  if (!list.is_array() || list.empty() || !list[0].is_number_integer())
    return std::nullopt;
  return list[0].get<std::int64_t>();
}

/// Tuners pass their parameters to the kernel as macros; so do we.
void readTuningParameters(const Json &root, KernelSpec &spec) {
  if (!root.is_object() || !root.contains("ConfigurationSpace") ||
      !root["ConfigurationSpace"].is_object())
    return;
  const Json &space = root["ConfigurationSpace"];
  const auto parameters = space.find("TuningParameters");
  if (parameters == space.end() || !parameters->is_array())
    return;
  for (const Json &parameter : *parameters) {
    if (!parameter.is_object() || !parameter.contains("Name") ||
        !parameter["Name"].is_string())
      continue;
    const std::optional<std::int64_t> value = tuningDefault(parameter);
    if (!value)
      continue;
    const std::string name = parameter["Name"].get<std::string>();
    spec.constants[name] = *value;
    spec.options.push_back("-D" + name + "=" + std::to_string(*value));
  }
}

/// Finds a name that nothing defines before anything runs.
class NameCheck {
public:
  explicit NameCheck(const KernelSpec &kernel) : spec(kernel) {
    for (const auto &[name, value] : spec.constants)
      known.insert(name.substr(0, name.find('[')));
    if (!spec.points.empty())
      for (const auto &[name, value] : spec.points[0])
        known.insert(name);
  }

  void run() {
    for (const SizeSpec &size : spec.sizes) {
      check(size.values);
      known.insert(size.name);
    }
    for (const ArgumentSpec &argument : spec.arguments)
      if (argument.memory == MemoryKind::Scalar &&
          argument.type.components.size() == 1)
        known.insert(argument.name);
    for (const NDRangeSpec &range : spec.ranges) {
      check(range.global);
      check(range.local);
      check(range.offset);
    }
    for (const ArgumentSpec &argument : spec.arguments)
      check(argument);
  }

private:
  void check(const LocatedExpression &expression) const {
    for (const std::string &name : expression.value.names())
      if (known.count(name) == 0)
        throw Error("unknown name '" + name + "' in \"" +
                        expression.value.text() + "\"",
                    spec.file, expression.where);
  }

  void check(const std::vector<LocatedExpression> &expressions) const {
    for (const LocatedExpression &expression : expressions)
      check(expression);
  }

  void check(const ArgumentSpec &argument) {
    if (argument.size)
      check(*argument.size);
    check(argument.extents);
    if (argument.shift)
      check(*argument.shift);
    for (const NumberSpec &number : argument.fillValue)
      check(number.expression);
    if (argument.fillRange) {
      check(argument.fillRange->first.expression);
      check(argument.fillRange->second.expression);
    }
    if (argument.generator) {
      const bool added = known.insert("i").second;
      check(*argument.generator);
      if (added)
        known.erase("i");
    }
  }

  const KernelSpec &spec;
  std::set<std::string> known;
};

KernelSpec readKernel(const Fields &parent, const Json &kernel,
                      const std::string &pointer) {
  const JsonDocument &document = parent.document;
  const Fields fields(document, kernel, pointer);
  KernelSpec spec;
  spec.file = document.fileName();
  spec.where = fields.where();
  const std::string language = fields.string("Language", "OpenCL");
  if (language != "OpenCL")
    fields.fail("Language", "the language is '" + language + "', not 'OpenCL'");
  spec.kernelName = fields.requireString("KernelName");
  spec.kernelFile = fields.string("KernelFile", "");
  const std::string sizeType = fields.string("GlobalSizeType", "OpenCL");
  spec.globalCountsGroups =
      choose(fields, "GlobalSizeType", sizeType, globalSizeTypes);
  readOptions(fields, spec);
  readProblemSize(fields, spec);
  readTuningParameters(parent.object, spec);
  readSizes(kernel.contains("Sizes") ? fields : parent, spec);
  readArguments(fields, spec);
  readRanges(fields, spec);
  NameCheck(spec).run();
  return spec;
}

/// The kernels of one T1 document; its KernelSpecification may be a list.
void readDocument(const JsonDocument &document, const Json &root,
                  const std::string &pointer,
                  std::vector<KernelSpec> &kernels) {
  const Fields fields(document, root, pointer);
  const Json &kernel = fields.require("KernelSpecification");
  const std::string at = fields.path("KernelSpecification");
  if (!kernel.is_array()) {
    kernels.push_back(readKernel(fields, kernel, at));
    return;
  }
  for (std::size_t i = 0; i < kernel.size(); ++i)
    kernels.push_back(
        readKernel(fields, kernel[i], at + "/" + std::to_string(i)));
}

} // namespace

std::vector<KernelSpec> readLaunchSpec(const JsonDocument &document) {
  std::vector<KernelSpec> kernels;
  const Json &root = document.root();
  if (!root.is_array())
    readDocument(document, root, "", kernels);
  for (std::size_t i = 0; root.is_array() && i < root.size(); ++i)
    readDocument(document, root[i], "/" + std::to_string(i), kernels);
  if (kernels.empty())
    throw document.error("", "there is no kernel in this specification");
  return kernels;
}

} // namespace clopt::runtime
