//===- PlanReader.cpp - JSON as a launch plan -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whoever carries out a plan trusts it, so everything that can be checked
// without a device is checked here: the form, the expressions, that every name
// means something, and that the last variant always applies. Unknown members
// are ignored, as later versions may have more.
//
// Tested by test/unit/RuntimeLaunchPlanTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Plan/PlanExpression.h"
#include "clopt/LaunchPlan.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>

namespace clopt {

namespace {

using Json = nlohmann::ordered_json;

/// A value of the document and where it stands: "/kernels/0/name".
struct Place {
  const Json *json;
  std::string path;
};

[[noreturn]] void fail(const std::string &path, const std::string &message) {
  throw std::runtime_error((path.empty() ? "the document" : path) + ": " +
                           message);
}

void require(const Place &place, bool isRight, const char *what) {
  if (!isRight)
    fail(place.path, std::string("expected ") + what);
}

/// The member, or nothing when it may be missing and is.
std::optional<Place> member(const Place &object, const std::string &name,
                            bool isNeeded = true) {
  require(object, object.json->is_object(), "an object");
  auto it = object.json->find(name);
  if (it != object.json->end())
    return Place{&*it, object.path + "/" + name};
  if (isNeeded)
    fail(object.path, "'" + name + "' is missing");
  return std::nullopt;
}

std::vector<Place> elements(const Place &object, const std::string &name,
                            bool isNeeded) {
  std::vector<Place> result;
  std::optional<Place> list = member(object, name, isNeeded);
  if (!list)
    return result;
  require(*list, list->json->is_array(), "an array");
  for (size_t i = 0; i < list->json->size(); ++i)
    result.push_back({&(*list->json)[i], list->path + "/" + std::to_string(i)});
  return result;
}

std::string text(const Place &place) {
  require(place, place.json->is_string(), "a string");
  return place.json->get<std::string>();
}

std::string text(const Place &object, const std::string &name,
                 bool isNeeded = true) {
  std::optional<Place> value = member(object, name, isNeeded);
  return value ? text(*value) : std::string();
}

bool flag(const Place &object, const std::string &name, bool otherwise) {
  std::optional<Place> value = member(object, name, false);
  if (!value)
    return otherwise;
  require(*value, value->json->is_boolean(), "true or false");
  return value->json->get<bool>();
}

/// One of the words, by its position.
size_t choice(const Place &object, const std::string &name,
              const std::vector<std::string> &words) {
  std::string value = text(object, name);
  auto it = std::find(words.begin(), words.end(), value);
  if (it != words.end())
    return static_cast<size_t>(it - words.begin());
  std::string all;
  for (const std::string &word : words)
    all += (all.empty() ? "" : ", ") + word;
  fail(object.path + "/" + name, "expected one of " + all);
}

const std::vector<std::string> channelOrders = {"CL_R", "CL_RG", "CL_RGBA"};
const std::vector<std::string> channelTypes = {
    "CL_FLOAT",          "CL_HALF_FLOAT",    "CL_SIGNED_INT8",
    "CL_SIGNED_INT16",   "CL_SIGNED_INT32",  "CL_UNSIGNED_INT8",
    "CL_UNSIGNED_INT16", "CL_UNSIGNED_INT32"};

class VariantReader {
public:
  VariantReader(const PlanKernel &owner,
                const std::set<std::string> &macroNames)
      : kernel(owner), macros(macroNames) {}

  PlanVariant read(const Place &place) {
    PlanVariant variant;
    variant.name = text(place, "name");
    known.insert(planDeviceFacts().begin(), planDeviceFacts().end());
    for (const PlanParameter &parameter : kernel.parameters)
      known.insert(parameter.name);
    for (const Place &one : elements(place, "definitions", false)) {
      variant.definitions.push_back(
          {text(one, "name"), expression(one, "value")});
      known.insert(variant.definitions.back().name);
    }
    for (const Place &one : elements(place, "conditions", false))
      variant.conditions.push_back({expression(one, "expression"),
                                    text(one, "reason", false),
                                    flag(one, "advice", false)});
    for (const Place &one : elements(place, "buffers", false))
      addBuffer(one, variant);
    variant.before = conversions(place, "before");
    for (const Place &one : elements(place, "images", false))
      addImage(one, variant);
    variant.launch = launch(*member(place, "launch"));
    variant.after = conversions(place, "after");
    return variant;
  }

private:
  std::string expression(const Place &place) {
    std::string source = text(place);
    try {
      PlanExpression::parse(source).forEachName([&](const std::string &name) {
        if (!known.count(name) && !macros.count(name))
          fail(place.path, "'" + name + "' in \"" + source + "\" is not known");
      });
    } catch (const PlanExpressionError &error) {
      fail(place.path, std::string(error.what()) + " at byte " +
                           std::to_string(error.offset) + " of \"" + source +
                           "\"");
    }
    return source;
  }

  std::string expression(const Place &object, const std::string &name,
                         bool isNeeded = true) {
    std::optional<Place> value = member(object, name, isNeeded);
    return value ? expression(*value) : std::string();
  }

  std::vector<std::string> shape(const Place &object, const std::string &name,
                                 bool isNeeded) {
    std::vector<std::string> result;
    for (const Place &one : elements(object, name, isNeeded))
      result.push_back(expression(one));
    if (result.size() > 3 || (isNeeded && result.empty()))
      fail(object.path + "/" + name, "expected one to three sizes");
    return result;
  }

  bool isBufferParameter(const std::string &name) const {
    for (const PlanParameter &parameter : kernel.parameters)
      if (parameter.name == name)
        return parameter.kind == PlanParameter::Kind::Buffer;
    return false;
  }

  std::string memory(const Place &object, const std::string &name) {
    std::string value = text(object, name);
    if (!buffers.count(value) && !isBufferParameter(value))
      fail(object.path + "/" + name, "there is no buffer '" + value + "'");
    return value;
  }

  void addBuffer(const Place &place, PlanVariant &variant) {
    PlanBuffer buffer;
    buffer.name = text(place, "name");
    buffer.source = text(place, "source");
    buffer.bytes = expression(place, "bytes");
    if (!isBufferParameter(buffer.source))
      fail(place.path + "/source",
           "there is no buffer parameter '" + buffer.source + "'");
    if (known.count(buffer.name) || !buffers.insert(buffer.name).second)
      fail(place.path + "/name", "'" + buffer.name + "' is taken");
    variant.buffers.push_back(std::move(buffer));
  }

  void addImage(const Place &place, PlanVariant &variant) {
    PlanImage image;
    image.name = text(place, "name");
    image.source = memory(place, "source");
    image.width = expression(place, "width");
    image.height = expression(place, "height");
    image.rowBytes = expression(place, "row_bytes", false);
    image.channelOrder =
        channelOrders[choice(place, "channel_order", channelOrders)];
    image.channelType =
        channelTypes[choice(place, "channel_type", channelTypes)];
    if (!images.insert(image.name).second)
      fail(place.path + "/name", "'" + image.name + "' is taken");
    variant.images.push_back(std::move(image));
  }

  std::vector<PlanConversion> conversions(const Place &place,
                                          const std::string &name) {
    std::vector<PlanConversion> result;
    for (const Place &one : elements(place, name, false)) {
      PlanConversion conversion;
      conversion.source = memory(one, "source");
      conversion.destination = memory(one, "destination");
      conversion.launch = launch(*member(one, "launch"));
      if (conversion.launch.sameRange)
        fail(one.path + "/launch", "a conversion has an NDRange of its own");
      result.push_back(std::move(conversion));
    }
    return result;
  }

  PlanArgument argument(const Place &place) {
    PlanArgument result;
    static const std::pair<const char *, PlanArgument::Kind> kinds[] = {
        {"parameter", PlanArgument::Kind::Parameter},
        {"buffer", PlanArgument::Kind::Buffer},
        {"image", PlanArgument::Kind::Image}};
    for (const auto &[word, kind] : kinds) {
      std::optional<Place> value = member(place, word, false);
      if (!value)
        continue;
      result.kind = kind;
      result.name = text(*value);
      checkName(result, *value);
      return result;
    }
    if (std::optional<Place> bytes = member(place, "local", false)) {
      result.kind = PlanArgument::Kind::Local;
      result.value = expression(*bytes);
      return result;
    }
    result.kind = PlanArgument::Kind::Value;
    result.value = expression(place, "value");
    static const std::vector<std::string> types = {
        "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"};
    result.type = types[choice(place, "type", types)];
    return result;
  }

  void checkName(const PlanArgument &argument, const Place &place) const {
    bool isKnown = false;
    if (argument.kind == PlanArgument::Kind::Parameter)
      for (const PlanParameter &parameter : kernel.parameters)
        isKnown |= parameter.name == argument.name;
    else if (argument.kind == PlanArgument::Kind::Buffer)
      isKnown = buffers.count(argument.name) != 0;
    else
      isKnown = images.count(argument.name) != 0;
    if (!isKnown)
      fail(place.path, "there is no '" + argument.name + "'");
  }

  PlanLaunch launch(const Place &place) {
    PlanLaunch result;
    result.program = choice(place, "program", {"optimized", "original"}) == 0
                         ? PlanProgram::Optimized
                         : PlanProgram::Original;
    result.kernel = text(place, "kernel");
    result.sameRange = flag(place, "same_range", false);
    if (!result.sameRange) {
      result.global = shape(place, "global", true);
      result.local = shape(place, "local", false);
      result.offset = shape(place, "offset", false);
      for (const auto *other : {&result.local, &result.offset})
        if (!other->empty() && other->size() != result.global.size())
          fail(place.path, "the sizes have different dimensions");
    }
    for (const Place &one : elements(place, "arguments", true))
      result.arguments.push_back(argument(one));
    return result;
  }

  const PlanKernel &kernel;
  const std::set<std::string> &macros;
  std::set<std::string> known, buffers, images;
};

class PlanReader {
public:
  explicit PlanReader(LaunchPlan &output) : plan(output) {}

  void read(const Json &json) {
    Place root{&json, ""};
    std::string version = text(root, "schema_version");
    if (version.compare(0, 2, "1.") != 0)
      fail("/schema_version",
           "version " + version + " is not known here; 1.x is");
    plan.toolVersion = text(*member(root, "tool"), "version");
    plan.target = text(root, "target");
    plan.original = file(*member(root, "original"));
    plan.optimized = file(*member(root, "optimized"));
    for (const Place &one : elements(root, "build_flags", false))
      plan.buildFlags.push_back(text(one));
    collectMacros();
    for (const Place &one : elements(root, "kernels", true))
      plan.kernels.push_back(kernel(one));
  }

private:
  static PlanFile file(const Place &place) {
    return {text(place, "file"), text(place, "sha256", false)};
  }

  void collectMacros() {
    for (const auto &[name, text] : planMacros(plan.buildFlags))
      macros.insert(name);
  }

  PlanParameter parameter(const Place &place) {
    PlanParameter result;
    result.name = text(place, "name");
    result.kind = static_cast<PlanParameter::Kind>(
        choice(place, "kind", {"buffer", "scalar", "local", "other"}));
    result.type = text(place, "type", false);
    if (std::optional<Place> bytes = member(place, "bytes", false)) {
      require(*bytes, bytes->json->is_number_unsigned(), "a size");
      result.bytes = bytes->json->get<uint64_t>();
    }
    result.isRead = flag(place, "read", true);
    result.isWritten = flag(place, "written", true);
    return result;
  }

  PlanKernel kernel(const Place &place) {
    PlanKernel result;
    result.name = text(place, "name");
    if (plan.find(result.name))
      fail(place.path + "/name",
           "there is a kernel '" + result.name + "' already");
    std::set<std::string> names;
    for (const Place &one : elements(place, "parameters", true)) {
      result.parameters.push_back(parameter(one));
      if (!names.insert(result.parameters.back().name).second)
        fail(one.path + "/name",
             "'" + result.parameters.back().name + "' is taken");
    }
    for (const Place &one : elements(place, "variants", true))
      result.variants.push_back(VariantReader(result, macros).read(one));
    if (result.variants.empty() || !result.variants.back().conditions.empty())
      fail(place.path + "/variants",
           "the last variant must have no conditions");
    return result;
  }

  LaunchPlan &plan;
  std::set<std::string> macros;
};

} // namespace

/// Line and column of a byte.
static void locate(const std::string &text, size_t byte,
                   LaunchPlanError &error) {
  error.line = 1;
  error.column = 1;
  for (size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    ++error.column;
    if (text[i] == '\n') {
      ++error.line;
      error.column = 1;
    }
  }
}

bool parseLaunchPlan(const std::string &text, LaunchPlan &plan,
                     LaunchPlanError &error) {
  plan = LaunchPlan();
  try {
    PlanReader(plan).read(Json::parse(text));
    return true;
  } catch (const Json::parse_error &problem) {
    locate(text, problem.byte, error);
    error.message = "this is not JSON";
  } catch (const std::exception &problem) {
    error.message = problem.what();
  }
  return false;
}

} // namespace clopt
