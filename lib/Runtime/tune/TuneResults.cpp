//===- TuneResults.cpp - what came of each recipe -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeTuneResultsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/tune/TuneResults.h"

#include <algorithm>
#include <tuple>

namespace clopt::runtime {

namespace {

constexpr std::pair<Invalidity, const char *> invalidities[] = {
    {Invalidity::Correct, "correct"},
    {Invalidity::Constraints, "constraints"},
    {Invalidity::Compile, "compile"},
    {Invalidity::Runtime, "runtime"},
    {Invalidity::Correctness, "correctness"},
    {Invalidity::Timeout, "timeout"}};

Json measurement(const char *name, double value) {
  return {{"name", name}, {"value", value}, {"unit", "ms"}};
}

/// T4 has seconds for what happens on the host, and the unit of the objective
/// for runs. Its schema says "compilation_time", the program of its authors
/// writes "compilation": other readers want either.
Json timesOf(const TuneResult &result) {
  return {{"compilation_time", result.makeSeconds},
          {"compilation", result.makeSeconds},
          {"benchmark", result.runSeconds},
          {"framework", 0.0},
          {"search_algorithm", 0.0},
          {"validation", 0.0},
          {"runtimes", result.runs}};
}

Json resultToT4(const TuneResult &result) {
  Json json;
  json["timestamp"] = result.timestamp;
  json["configuration"]["recipe"] = joinSteps(result.steps);
  if (!result.group.empty())
    json["configuration"]["group"] = result.group;
  json["objectives"] = {"time"};
  json["times"] = timesOf(result);
  json["invalidity"] = invalidityName(result.invalidity);
  json["correctness"] = result.isCorrect() ? 1 : 0;
  json["measurements"] = Json::array();
  if (result.isCorrect()) {
    json["measurements"].push_back(measurement("time", result.ms));
    json["measurements"].push_back(
        measurement("time_original", result.originalMs));
  }
  if (!result.message.empty())
    json["message"] = result.message;
  if (!result.variant.empty())
    json["variant"] = result.variant;
  return json;
}

Json subjectToJson(const TuneSubject &subject) {
  Json json;
  json["source"] = subject.source;
  json["flags"] = subject.flags;
  json["kernel"] = subject.kernel;
  json["target"] = subject.target;
  json["platform"] = subject.platform;
  json["device"] = subject.device;
  json["driver"] = subject.driver;
  json["sizes"] = pointJson(subject.sizes);
  json["work_items"] = subject.workItems;
  json["form"] = subject.form();
  return json;
}

/// Members of an object, with errors at their places.
class Members {
public:
  Members(const JsonDocument &from, std::string where)
      : document(from), pointer(std::move(where)) {}

  template <typename Value>
  Value get(const char *name, const char *type) const {
    const Json *value = find(name);
    if (!value)
      throw document.error(pointer, std::string("'") + name + "' is missing");
    try {
      return value->get<Value>();
    } catch (const nlohmann::json::exception &) {
      throw document.error(pointer + "/" + name,
                           std::string("expected ") + type);
    }
  }

  /// Null when it is missing.
  const Json *find(const char *name) const {
    const Json::json_pointer to(pointer);
    if (!document.root().contains(to) || !document.root().at(to).is_object() ||
        !document.root().at(to).contains(name))
      return nullptr;
    return &document.root().at(to).at(name);
  }

  std::string text(const char *name) const {
    return get<std::string>(name, "a text");
  }
  Members inside(const std::string &name) const {
    return {document, pointer + "/" + name};
  }

private:
  const JsonDocument &document;
  std::string pointer;
};

TuneSubject readSubject(const Members &from) {
  TuneSubject subject;
  subject.source = from.text("source");
  subject.flags =
      from.get<std::vector<std::string>>("flags", "a list of texts");
  subject.kernel = from.text("kernel");
  subject.target = from.text("target");
  subject.platform = from.text("platform");
  subject.device = from.text("device");
  subject.driver = from.text("driver");
  const Json sizes = from.get<Json>("sizes", "an object");
  for (const auto &[name, value] : sizes.items())
    subject.sizes.emplace_back(
        name, from.inside("sizes").get<std::int64_t>(name.c_str(), "a number"));
  subject.workItems = from.get<std::int64_t>("work_items", "a number");
  subject.isPlanned = from.text("form") == "plan";
  return subject;
}

void readMeasurements(const Members &from, TuneResult &result) {
  const Json list = from.get<Json>("measurements", "a list");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Members one = from.inside("measurements/" + std::to_string(i));
    const std::string name = one.text("name");
    if (name == "time")
      result.ms = one.get<double>("value", "a number");
    if (name == "time_original")
      result.originalMs = one.get<double>("value", "a number");
  }
}

TuneResult readResult(const Members &from) {
  TuneResult result;
  result.steps = splitSteps(from.inside("configuration").text("recipe"));
  const Members configuration = from.inside("configuration");
  if (configuration.find("group"))
    result.group = configuration.get<std::vector<std::int64_t>>(
        "group", "a list of sizes");
  const std::string word = from.text("invalidity");
  for (const auto &[value, name] : invalidities)
    if (word == name)
      result.invalidity = value;
  result.timestamp = from.text("timestamp");
  readMeasurements(from, result);
  const Members times = from.inside("times");
  const char *made =
      times.find("compilation_time") ? "compilation_time" : "compilation";
  result.makeSeconds = times.get<double>(made, "a number");
  result.runSeconds = times.get<double>("benchmark", "a number");
  result.runs = times.get<std::vector<double>>("runtimes", "a list of numbers");
  if (from.find("message"))
    result.message = from.text("message");
  if (from.find("variant"))
    result.variant = from.text("variant");
  return result;
}

/// What kernel_tuner writes in place of a time.
const char *failureName(Invalidity value) {
  switch (value) {
  case Invalidity::Compile:
    return "CompilationFailedConfig";
  case Invalidity::Constraints:
    return "InvalidConfig";
  default:
    return "RuntimeFailedConfig";
  }
}

Json cacheEntry(const TuneResult &result) {
  Json entry;
  entry["recipe"] = joinSteps(result.steps);
  if (result.isCorrect())
    entry["time"] = result.ms;
  else
    entry["time"] = failureName(result.invalidity);
  entry["times"] = result.runs;
  entry["compile_time"] = result.makeSeconds * 1000;
  entry["verification_time"] = 0;
  entry["benchmark_time"] = result.runSeconds * 1000;
  entry["strategy_time"] = 0;
  entry["framework_time"] = 0;
  entry["timestamp"] = result.timestamp;
  return entry;
}

/// What is missing at the end of a file that is still being written.
std::string closedCache(std::string text) {
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  if (Json::accept(text))
    return text;
  if (!text.empty() && text.back() == ',')
    text.pop_back();
  return text + "}}";
}

} // namespace

const char *invalidityName(Invalidity value) {
  for (const auto &[known, name] : invalidities)
    if (known == value)
      return name;
  return "";
}

std::string TuneResult::name() const {
  std::string text = steps.empty() ? "the author's text" : joinSteps(steps);
  for (std::size_t d = 0; d < group.size(); ++d)
    text += (d == 0 ? "; group " : "x") + std::to_string(group[d]);
  return text;
}

std::int64_t TuneSubject::sizeClass() const {
  std::int64_t result = 0;
  for (std::int64_t left = workItems; left > 1; left /= 2)
    ++result;
  return result;
}

bool TuneSubject::operator==(const TuneSubject &other) const {
  const auto all = [](const TuneSubject &one) {
    return std::tie(one.source, one.flags, one.kernel, one.target, one.platform,
                    one.device, one.driver, one.sizes, one.workItems,
                    one.isPlanned);
  };
  return all(*this) == all(other);
}

std::vector<TuneResult> fastestFirst(const TuneRecord &record) {
  std::vector<TuneResult> valid;
  for (const TuneResult &result : record.results)
    if (result.isCorrect())
      valid.push_back(result);
  std::stable_sort(valid.begin(), valid.end(),
                   [](const TuneResult &a, const TuneResult &b) {
                     return a.relative() < b.relative();
                   });
  return valid;
}

Json toT4(const TuneRecord &record) {
  Json json;
  json["schema_version"] = "1.0.0";
  json["metadata"] = subjectToJson(record.subject);
  json["results"] = Json::array();
  for (const TuneResult &result : record.results)
    json["results"].push_back(resultToT4(result));
  return json;
}

TuneRecord fromT4(const JsonDocument &document) {
  const Members root(document, "");
  TuneRecord record;
  record.subject = readSubject(root.inside("metadata"));
  const Json results = root.get<Json>("results", "a list");
  for (std::size_t i = 0; i < results.size(); ++i)
    record.results.push_back(
        readResult(root.inside("results/" + std::to_string(i))));
  return record;
}

Json toKernelTunerCache(const TuneRecord &record) {
  Json json;
  json["device_name"] = record.subject.device;
  json["kernel_name"] = record.subject.kernel;
  std::string size;
  for (const auto &[name, value] : record.subject.sizes)
    size += (size.empty() ? "" : ", ") + std::to_string(value);
  json["problem_size"] = size;
  json["tune_params_keys"] = {"recipe"};
  json["tune_params"]["recipe"] = Json::array();
  json["objective"] = "time";
  json["cache"] = Json::object();
  for (const TuneResult &result : record.results) {
    if (!result.group.empty())
      continue;
    const std::string recipe = joinSteps(result.steps);
    if (!json["cache"].contains(recipe))
      json["tune_params"]["recipe"].push_back(recipe);
    json["cache"][recipe] = cacheEntry(result);
  }
  return json;
}

std::vector<Steps> fromKernelTunerCache(const std::string &path,
                                        const std::string &text) {
  const JsonDocument document(path, closedCache(text));
  const Members root(document, "");
  if (root.get<Json>("tune_params_keys", "a list") != Json{"recipe"})
    throw document.error("/tune_params_keys",
                         "the only parameter has to be 'recipe'");
  const Json cache = root.get<Json>("cache", "an object");
  std::vector<std::pair<double, std::string>> valid;
  for (const auto &[key, entry] : cache.items())
    if (entry.is_object() && entry.contains("time") &&
        entry["time"].is_number())
      valid.emplace_back(entry["time"].get<double>(), key);
  std::sort(valid.begin(), valid.end());
  std::vector<Steps> result;
  for (const auto &[time, recipe] : valid)
    result.push_back(splitSteps(recipe));
  return result;
}

} // namespace clopt::runtime
