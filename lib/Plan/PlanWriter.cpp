//===- PlanWriter.cpp - a launch plan as JSON -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members that would be empty are left out.
//
// Tested by test/unit/RuntimeLaunchPlanTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "clopt/LaunchPlan.h"

#include <nlohmann/json.hpp>

namespace clopt {

using Json = nlohmann::ordered_json;

static void addUnlessEmpty(Json &to, const char *name, Json value) {
  if (!value.empty())
    to[name] = std::move(value);
}

static void addText(Json &to, const char *name, const std::string &text) {
  if (!text.empty())
    to[name] = text;
}

static Json writeFile(const PlanFile &file) {
  Json json = {{"file", file.name}};
  addText(json, "sha256", file.sha256);
  return json;
}

static Json writeArgument(const PlanArgument &argument) {
  switch (argument.kind) {
  case PlanArgument::Kind::Parameter:
    return {{"parameter", argument.name}};
  case PlanArgument::Kind::Buffer:
    return {{"buffer", argument.name}};
  case PlanArgument::Kind::Image:
    return {{"image", argument.name}};
  case PlanArgument::Kind::Value:
    return {{"value", argument.value}, {"type", argument.type}};
  case PlanArgument::Kind::Local:
    break;
  }
  return {{"local", argument.value}};
}

static Json writeLaunch(const PlanLaunch &launch) {
  Json json;
  json["program"] =
      launch.program == PlanProgram::Optimized ? "optimized" : "original";
  json["kernel"] = launch.kernel;
  if (launch.sameRange) {
    json["same_range"] = true;
  } else {
    json["global"] = launch.global;
    addUnlessEmpty(json, "local", launch.local);
    addUnlessEmpty(json, "offset", launch.offset);
  }
  json["arguments"] = Json::array();
  for (const PlanArgument &argument : launch.arguments)
    json["arguments"].push_back(writeArgument(argument));
  return json;
}

static Json writeConversions(const std::vector<PlanConversion> &conversions) {
  Json json = Json::array();
  for (const PlanConversion &conversion : conversions)
    json.push_back({{"source", conversion.source},
                    {"destination", conversion.destination},
                    {"launch", writeLaunch(conversion.launch)}});
  return json;
}

static Json writeImage(const PlanImage &image) {
  Json json = {{"name", image.name},
               {"source", image.source},
               {"width", image.width},
               {"height", image.height}};
  addText(json, "row_bytes", image.rowBytes);
  json["channel_order"] = image.channelOrder;
  json["channel_type"] = image.channelType;
  return json;
}

static Json writeVariant(const PlanVariant &variant) {
  Json definitions = Json::array(), conditions = Json::array();
  for (const PlanDefinition &definition : variant.definitions)
    definitions.push_back(
        {{"name", definition.name}, {"value", definition.value}});
  for (const PlanCondition &condition : variant.conditions) {
    Json one = {{"expression", condition.expression}};
    addText(one, "reason", condition.reason);
    if (condition.isAdvice)
      one["advice"] = true;
    conditions.push_back(std::move(one));
  }
  Json buffers = Json::array(), images = Json::array();
  for (const PlanBuffer &buffer : variant.buffers)
    buffers.push_back({{"name", buffer.name},
                       {"source", buffer.source},
                       {"bytes", buffer.bytes}});
  for (const PlanImage &image : variant.images)
    images.push_back(writeImage(image));
  Json json = {{"name", variant.name}};
  addUnlessEmpty(json, "definitions", std::move(definitions));
  addUnlessEmpty(json, "conditions", std::move(conditions));
  addUnlessEmpty(json, "buffers", std::move(buffers));
  addUnlessEmpty(json, "before", writeConversions(variant.before));
  addUnlessEmpty(json, "images", std::move(images));
  json["launch"] = writeLaunch(variant.launch);
  addUnlessEmpty(json, "after", writeConversions(variant.after));
  return json;
}

static Json writeParameter(const PlanParameter &parameter) {
  static const char *const kinds[] = {"buffer", "scalar", "local", "other"};
  Json json = {{"name", parameter.name},
               {"kind", kinds[static_cast<int>(parameter.kind)]}};
  addText(json, "type", parameter.type);
  if (parameter.bytes)
    json["bytes"] = parameter.bytes;
  if (parameter.kind == PlanParameter::Kind::Buffer) {
    json["read"] = parameter.isRead;
    json["written"] = parameter.isWritten;
  }
  return json;
}

static Json writeKernel(const PlanKernel &kernel) {
  Json json = {{"name", kernel.name}};
  json["parameters"] = Json::array();
  for (const PlanParameter &parameter : kernel.parameters)
    json["parameters"].push_back(writeParameter(parameter));
  json["variants"] = Json::array();
  for (const PlanVariant &variant : kernel.variants)
    json["variants"].push_back(writeVariant(variant));
  return json;
}

std::string printLaunchPlan(const LaunchPlan &plan) {
  Json json;
  json["schema"] = "launch-plan.schema.json";
  json["schema_version"] = "1.0.0";
  json["tool"] = {{"name", "clopt"}, {"version", plan.toolVersion}};
  json["target"] = plan.target;
  json["original"] = writeFile(plan.original);
  json["optimized"] = writeFile(plan.optimized);
  json["build_flags"] = plan.buildFlags;
  json["kernels"] = Json::array();
  for (const PlanKernel &kernel : plan.kernels)
    json["kernels"].push_back(writeKernel(kernel));
  // Names of files may be of any bytes.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

const PlanKernel *LaunchPlan::find(const std::string &kernel) const {
  for (const PlanKernel &candidate : kernels)
    if (candidate.name == kernel)
      return &candidate;
  return nullptr;
}

} // namespace clopt
