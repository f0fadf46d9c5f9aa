//===- SequenceBatches.cpp - launches of one shape, as one ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/SequenceBatches.h"

#include "Runtime/CloptCommand.h"
#include "Runtime/TextFiles.h"

#include <algorithm>
#include <cstring>
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

Json requestFor(const SequenceSpec &spec, const BoundCall &call,
                const CallRun &run) {
  Json request = rangeRequest(call.range);
  request["kernel"] = call.kernel;
  request["count"] = run.count;
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
  return allFlags(options, call.options);
}

std::size_t MergedSequence::addText(const std::string &text) {
  const auto found = std::find(texts.begin(), texts.end(), text);
  if (found == texts.end())
    texts.push_back(text);
  return static_cast<std::size_t>(std::find(texts.begin(), texts.end(), text) -
                                  texts.begin());
}

Json rangeRequest(const NDRange &range) {
  Json request;
  const auto sizes = [&](const std::array<std::size_t, 3> &all) {
    return std::vector<std::size_t>(all.begin(),
                                    all.begin() + range.dimensions);
  };
  request["global"] = sizes(range.global);
  request["local"] = range.local ? Json(sizes(*range.local)) : Json::array();
  request["offset"] = range.offset ? Json(sizes(*range.offset)) : Json::array();
  return request;
}

Json MergeQuestions::ask(const Json &question, const BoundCall &call) {
  const std::vector<std::string> flags = callFlags(options, call);
  const std::string text = question.dump();
  auto found = known.find({text, flags});
  if (found != known.end())
    return found->second;
  const std::string request = folder.file("request.json");
  const std::string answer = folder.file("answer.json");
  writeFile(request, text);
  runClopt(options, {"--batch=" + request, "--emit-batch=" + answer}, flags);
  return known[{text, flags}] = JsonDocument::load(answer).root();
}

MergedSequence batchSequence(const VerifyOptions &options,
                             const SequenceSpec &spec,
                             const BoundSequence &sequence) {
  MergedSequence result;
  MergeQuestions questions(options);
  const auto keep = [&](const CallRun &run, const std::string &why) {
    addOnce(result.notes, std::to_string(run.count) + " launches of '" +
                              sequence.calls[run.first].kernel +
                              "' stay: " + why);
  };
  for (const CallRun &run : findRuns(spec, sequence)) {
    const BoundCall &first = sequence.calls[run.first];
    const bool isShared = run.count > 1 && hasSharedBuffer(first);
    if (isShared)
      keep(run, "two arguments are one buffer");
    Json made;
    if (run.count > 1 && !isShared)
      made = questions.ask(requestFor(spec, first, run), first);
    if (made.contains("problem"))
      keep(run, made["problem"].get<std::string>());
    if (made.contains("text")) {
      result.calls.push_back(merged(first, run, made));
      result.textOf.push_back(result.addText(made["text"].get<std::string>()));
      result.isChanged = true;
      continue;
    }
    for (std::size_t i = 0; i < run.count; ++i) {
      result.calls.push_back(sequence.calls[run.first + i]);
      result.textOf.push_back(0);
    }
  }
  return result;
}

} // namespace clopt::runtime
