//===- SequenceFusion.cpp - neighbouring launches, as one -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From each launch on, the launches that repeat best are tried: all in one
// kernel, then one kernel for each repetition, then fewer launches. Afterwards
// the temporary buffers that all their kernels can do without leave.
//
//===----------------------------------------------------------------------===//

#include "Runtime/SequenceFusion.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace clopt::runtime {

namespace {

/// Launches of the longest window.
constexpr std::size_t longestWindow = 8;

/// `count` times the same `length` launches, scalars apart.
struct Window {
  std::size_t first = 0;
  std::size_t length = 1;
  std::size_t count = 1;
  bool isLoop = false; ///< one launch for all repetitions
  Json answer = {};    ///< null: the launches stay

  std::size_t calls() const { return length * count; }
};

class SequenceFuser {
public:
  SequenceFuser(const VerifyOptions &how, const SequenceSpec &of,
                const BoundSequence &bound, const MergedSequence &start)
      : spec(of), sequence(bound), before(start), questions(how) {}

  MergedSequence run() {
    for (std::size_t at = 0; at < before.calls.size();)
      at = addWindow(at);
    removeTemporaries();
    for (const Window &window : windows)
      write(window);
    return std::move(result);
  }

private:
  const BoundCall &call(std::size_t index) const { return before.calls[index]; }

  /// How many launches from `at` on could be in one kernel.
  std::size_t reach(std::size_t at) const {
    std::size_t end = at;
    while (end < before.calls.size() && before.textOf[end] == 0 &&
           isSameRange(call(end).range, call(at).range) &&
           call(end).options == call(at).options)
      ++end;
    return end - at;
  }

  /// How often the `length` launches at `first` are repeated, with scalars that
  /// grow evenly; at most `most` launches.
  std::size_t repetitions(std::size_t first, std::size_t length,
                          std::size_t most) const {
    std::size_t count = 1;
    const auto step = [&](std::size_t i) {
      return stepsBetween(spec, call(i - length), call(i));
    };
    for (; (count + 1) * length <= most; ++count)
      for (std::size_t i = 0; i < length; ++i) {
        const auto steps = step(first + count * length + i);
        if (!steps || (count > 1 && *steps != *step(first + length + i)))
          return count;
      }
    return count;
  }

  /// The window that takes most launches, of these the shortest.
  Window bestWindow(std::size_t first) const {
    const std::size_t most = reach(first);
    Window best{first};
    for (std::size_t length = 1; length <= std::min(longestWindow, most);
         ++length) {
      Window window{first, length, repetitions(first, length, most)};
      if (window.calls() > best.calls())
        best = window;
    }
    return best;
  }

  /// Adds a window that begins there; where the next one does.
  std::size_t addWindow(std::size_t at) {
    Window window = bestWindow(at);
    if (window.calls() < 2) {
      noteNeighbour(at);
      return keep(at, 1);
    }
    Window loop = window;
    loop.isLoop = true;
    if (window.count > 1 && fuse(loop))
      return add(loop);
    if (window.length > 1 && fuse(window))
      return add(window);
    for (Window prefix = window; --prefix.length > 1;) {
      prefix.count = 1;
      if (fuse(prefix))
        return add(prefix);
    }
    note(window, problem);
    // The repetitions may begin with a later launch.
    if (++barren < window.length || window.count == 1)
      return keep(at, 1);
    return keep(at, window.length * (window.count - 1));
  }

  std::size_t keep(std::size_t at, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      windows.push_back({at + i});
    return at + count;
  }

  std::size_t add(const Window &window) {
    barren = 0;
    windows.push_back(window);
    return window.first + window.calls();
  }

  /// Why the launch cannot be in one kernel with the next one.
  void noteNeighbour(std::size_t at) {
    const bool isOwn = at + 1 < before.calls.size() && before.textOf[at] == 0 &&
                       before.textOf[at + 1] == 0;
    if (!isOwn)
      return;
    note({at, 2}, isSameRange(call(at).range, call(at + 1).range)
                      ? "they are built with different options"
                      : "their NDRanges differ");
  }

  void note(const Window &window, const std::string &why) {
    std::string names;
    for (std::size_t i = 0; i < window.length; ++i)
      names += (i ? ", '" : "'") + call(window.first + i).kernel + "'";
    addOnce(result.notes, "launches of " + names + " are not fused: " + why);
  }

  Json argumentFor(const Window &window, std::size_t part,
                   std::size_t index) const {
    const BoundCall &first = call(window.first + part);
    const LaunchArgument &argument = first.arguments[index];
    if (argument.memory == MemoryKind::Vector)
      return {{"buffer", sequence.memory.buffers[argument.buffer].name}};
    if (const auto value = integerOf(spec, first, index)) {
      std::int64_t step = 0;
      if (window.count > 1)
        step = (*stepsBetween(
            spec, first, call(window.first + window.length + part)))[index];
      return {{"first", *value}, {"step", step}};
    }
    std::string bytes;
    for (std::uint8_t byte : argument.scalar)
      bytes += std::to_string(byte) + " ";
    return {{"value", bytes}};
  }

  Json ask(const Window &window, const std::set<std::string> &temporaries) {
    const BoundCall &first = call(window.first);
    Json request = rangeRequest(first.range);
    request["count"] = window.count;
    request["loop"] = window.isLoop;
    request["temporaries"] = temporaries;
    request["parts"] = Json::array();
    for (std::size_t part = 0; part < window.length; ++part) {
      Json arguments = Json::array();
      const BoundCall &one = call(window.first + part);
      for (std::size_t i = 0; i < one.arguments.size(); ++i)
        arguments.push_back(argumentFor(window, part, i));
      request["parts"].push_back(
          {{"kernel", one.kernel}, {"arguments", std::move(arguments)}});
    }
    return questions.ask(request, first);
  }

  /// An argument of the window that is a part of a buffer: clopt could not see
  /// which cells it shares with others.
  const LaunchArgument *findShifted(const Window &window) const {
    for (std::size_t i = 0; i < window.length; ++i)
      for (const LaunchArgument &argument : call(window.first + i).arguments)
        if (argument.shiftBytes != 0)
          return &argument;
    return nullptr;
  }

  bool fuse(Window &window) {
    if (const LaunchArgument *shifted = findShifted(window)) {
      problem = "'" + shifted->name + "' begins within another buffer";
      return false;
    }
    window.answer = ask(window, {});
    if (window.answer.contains("text"))
      return true;
    problem = window.answer.at("problem").get<std::string>();
    window.answer = {};
    return false;
  }

  /// The buffers that the launches of the window use.
  std::set<std::string> buffersOf(const Window &window) const {
    std::set<std::string> names;
    for (std::size_t i = 0; i < window.calls(); ++i)
      for (const LaunchArgument &argument : call(window.first + i).arguments)
        if (argument.hasBuffer())
          names.insert(sequence.memory.buffers[argument.buffer].name);
    return names;
  }

  /// A temporary buffer leaves when all kernels that use it are fused ones that
  /// can do without.
  void removeTemporaries() {
    std::set<std::string> leaving(spec.temporaries.begin(),
                                  spec.temporaries.end());
    for (const Window &window : windows)
      if (window.answer.is_null())
        for (const std::string &name : buffersOf(window))
          leaving.erase(name);
    for (bool isStable = false; !isStable;) {
      isStable = true;
      for (Window &window : windows) {
        if (window.answer.is_null())
          continue;
        const std::set<std::string> used = buffersOf(window);
        std::set<std::string> own;
        std::set_intersection(used.begin(), used.end(), leaving.begin(),
                              leaving.end(), std::inserter(own, own.begin()));
        window.answer = ask(window, own);
        for (const Json &text : window.answer.at("notes"))
          addOnce(result.notes, text.get<std::string>());
        for (const Json &name : window.answer.at("removed"))
          own.erase(name.get<std::string>());
        isStable &= own.empty();
        for (const std::string &name : own)
          leaving.erase(name);
      }
    }
  }

  void write(const Window &window) {
    if (window.answer.is_null()) {
      result.calls.push_back(call(window.first));
      result.textOf.push_back(
          result.addText(before.texts[before.textOf[window.first]]));
      return;
    }
    result.isChanged = true;
    const std::size_t launches = window.isLoop ? 1 : window.count;
    const std::size_t text =
        result.addText(window.answer.at("text").get<std::string>());
    for (std::size_t i = 0; i < launches; ++i) {
      const std::size_t first = window.first + i * window.length;
      BoundCall merged = call(first);
      merged.kernel = window.answer.at("kernel").get<std::string>();
      merged.arguments.clear();
      for (const Json &place : window.answer.at("arguments"))
        merged.arguments.push_back(
            call(first + place.at(0).get<std::size_t>())
                .arguments[place.at(1).get<std::size_t>()]);
      result.calls.push_back(std::move(merged));
      result.textOf.push_back(text);
    }
  }

  const SequenceSpec &spec;
  const BoundSequence &sequence;
  const MergedSequence &before;
  MergeQuestions questions;
  std::vector<Window> windows;
  std::string problem;    ///< of the last window that stays
  std::size_t barren = 0; ///< windows without success, one behind the other
  MergedSequence result;
};

} // namespace

MergedSequence fuseSequence(const VerifyOptions &options,
                            const SequenceSpec &spec,
                            const BoundSequence &sequence,
                            const MergedSequence &before) {
  return SequenceFuser(options, spec, sequence, before).run();
}

} // namespace clopt::runtime
