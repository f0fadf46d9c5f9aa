//===- SequenceBatches.cpp - launches of one shape, as one ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/SequenceBatches.h"

#include "Runtime/CloptCommand.h"
#include "Runtime/JsonDocument.h"
#include "Runtime/Process.h"
#include "Runtime/TextFiles.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

namespace clopt::runtime {

namespace {

/// Two arguments in one buffer depend on each other, which clopt cannot see.
bool hasSharedBuffer(const BoundCall &call) {
  std::set<std::size_t> seen;
  for (const LaunchArgument &argument : call.arguments)
    if (argument.hasBuffer() && !seen.insert(argument.buffer).second)
      return true;
  return false;
}

Json sizesOf(const std::array<std::size_t, 3> &sizes, unsigned dimensions) {
  return std::vector<std::size_t>(sizes.begin(), sizes.begin() + dimensions);
}

Json requestFor(const SequenceSpec &spec, const BoundCall &call,
                const CallRun &run) {
  Json request;
  request["kernel"] = call.kernel;
  request["count"] = run.count;
  const unsigned dimensions = call.range.dimensions;
  request["global"] = sizesOf(call.range.global, dimensions);
  request["local"] = Json::array();
  if (call.range.local)
    request["local"] = sizesOf(*call.range.local, dimensions);
  request["offset"] = Json::array();
  if (call.range.offset)
    request["offset"] = sizesOf(*call.range.offset, dimensions);
  request["scalars"] = Json::array();
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (const auto value = integerOf(spec, call, i))
      request["scalars"].push_back({{"name", call.arguments[i].name},
                                    {"first", *value},
                                    {"step", run.steps[i]}});
  return request;
}

/// One launch in place of the run.
BoundCall merged(const BoundCall &first, const CallRun &run,
                 const Json &answer) {
  BoundCall call = first;
  call.kernel = answer.at("kernel").get<std::string>();
  call.range.global[call.range.dimensions] = run.count;
  if (call.range.offset)
    (*call.range.offset)[call.range.dimensions] = 0;
  ++call.range.dimensions;
  for (const Json &name : answer.at("stepped"))
    for (std::size_t i = 0; i < first.arguments.size(); ++i) {
      if (first.arguments[i].name != name)
        continue;
      LaunchArgument step;
      step.name = first.arguments[i].name + "'s step";
      step.scalar.resize(sizeof(cl_long));
      const cl_long value = run.steps[i];
      std::memcpy(step.scalar.data(), &value, sizeof value);
      call.arguments.push_back(std::move(step));
    }
  return call;
}

} // namespace

std::vector<std::string> callFlags(const VerifyOptions &options,
                                   const BoundCall &call) {
  std::vector<std::string> flags = options.projectFlags;
  flags.insert(flags.end(), call.options.begin(), call.options.end());
  flags.insert(flags.end(), options.buildFlags.begin(),
               options.buildFlags.end());
  return flags;
}

BatchedSequence batchSequence(const VerifyOptions &options,
                              const SequenceSpec &spec,
                              const BoundSequence &sequence) {
  BatchedSequence result;
  const TemporaryFolder folder;
  const std::string request = folder.file("request.json");
  const std::string answer = folder.file("answer.json");
  std::map<std::pair<std::string, std::vector<std::string>>, Json> known;
  const auto ask = [&](const BoundCall &call, const CallRun &run) {
    const std::vector<std::string> flags = callFlags(options, call);
    const std::string text = requestFor(spec, call, run).dump();
    auto found = known.find({text, flags});
    if (found != known.end())
      return found->second;
    writeFile(request, text);
    runClopt(options, {"--batch=" + request, "--emit-batch=" + answer}, flags);
    return known[{text, flags}] = JsonDocument::load(answer).root();
  };
  const auto keep = [&](const CallRun &run, const std::string &why) {
    const std::string note = std::to_string(run.count) + " launches of '" +
                             sequence.calls[run.first].kernel +
                             "' stay: " + why;
    if (std::find(result.notes.begin(), result.notes.end(), note) ==
        result.notes.end())
      result.notes.push_back(note);
  };
  for (const CallRun &run : findRuns(spec, sequence)) {
    const BoundCall &first = sequence.calls[run.first];
    const bool isShared = run.count > 1 && hasSharedBuffer(first);
    if (isShared)
      keep(run, "two arguments are one buffer");
    Json made;
    if (run.count > 1 && !isShared)
      made = ask(first, run);
    if (made.contains("problem"))
      keep(run, made["problem"].get<std::string>());
    if (made.contains("text")) {
      result.calls.push_back(merged(first, run, made));
      result.texts.push_back(made["text"].get<std::string>());
      result.hasBatch = true;
      continue;
    }
    for (std::size_t i = 0; i < run.count; ++i) {
      result.calls.push_back(sequence.calls[run.first + i]);
      result.texts.emplace_back();
    }
  }
  return result;
}

} // namespace clopt::runtime
