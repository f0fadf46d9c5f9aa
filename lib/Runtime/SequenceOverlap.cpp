//===- SequenceOverlap.cpp - copies beside kernels ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeSequenceOverlapTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/SequenceOverlap.h"

#include <algorithm>

namespace clopt::runtime {

/// Cells of the grid along a dimension.
static constexpr std::size_t mostParts = 16;

std::vector<Bytes> ByteSet::missing(Bytes bytes) const {
  std::vector<Bytes> result;
  for (const Bytes &piece : pieces) {
    if (piece.second <= bytes.first)
      continue;
    if (piece.first >= bytes.second)
      break;
    if (piece.first > bytes.first)
      result.emplace_back(bytes.first, piece.first);
    bytes.first = piece.second;
  }
  if (bytes.first < bytes.second)
    result.push_back(bytes);
  return result;
}

void ByteSet::add(Bytes bytes) {
  if (bytes.first >= bytes.second)
    return;
  std::vector<Bytes> apart;
  for (const Bytes &piece : pieces)
    if (piece.second < bytes.first || piece.first > bytes.second)
      apart.push_back(piece);
    else
      bytes = {std::min(bytes.first, piece.first),
               std::max(bytes.second, piece.second)};
  apart.insert(std::lower_bound(apart.begin(), apart.end(), bytes), bytes);
  pieces = std::move(apart);
}

//===-- Parts -------------------------------------------------------------===//

namespace {

/// Cells of the grid, by dimension.
using Cells = std::array<Bytes, 3>;

Bytes hull(const Bytes &a, const Bytes &b) {
  if (a.first == a.second)
    return b;
  if (b.first == b.second)
    return a;
  return {std::min(a.first, b.first), std::max(a.second, b.second)};
}

std::size_t cellCount(const PartedCall &call, unsigned dimension) {
  return dimension < call.ends.size() ? call.ends[dimension].size() : 1;
}

std::vector<TouchedBytes> touchedBy(const PartedCall &call,
                                    const Cells &cells) {
  std::vector<TouchedBytes> result(call.cells.front().size());
  for (std::size_t z = cells[2].first; z < cells[2].second; ++z)
    for (std::size_t y = cells[1].first; y < cells[1].second; ++y)
      for (std::size_t x = cells[0].first; x < cells[0].second; ++x) {
        const std::size_t at =
            (z * cellCount(call, 1) + y) * cellCount(call, 0) + x;
        for (std::size_t b = 0; b < result.size(); ++b) {
          result[b].all = hull(result[b].all, call.cells[at][b].all);
          result[b].written =
              hull(result[b].written, call.cells[at][b].written);
        }
      }
  return result;
}

NDRange rangeOf(const PartedCall &call, const Cells &cells) {
  NDRange range = call.range;
  for (unsigned d = 0; d < range.dimensions && d < call.ends.size(); ++d) {
    const std::vector<std::size_t> &ends = call.ends[d];
    const std::size_t first =
        cells[d].first == 0 ? 0 : ends[cells[d].first - 1];
    range.global[d] = ends[cells[d].second - 1] - first;
    if (first == 0)
      continue;
    if (!range.offset)
      range.offset.emplace(std::array<std::size_t, 3>{0, 0, 0});
    (*range.offset)[d] += first;
  }
  return range;
}

/// The parts of a call, in order.
std::vector<Cells> partsOf(const PartedCall &call, const Cut &cut) {
  Cells all;
  for (unsigned d = 0; d < 3; ++d)
    all[d] = {0, cellCount(call, d)};
  std::vector<Cells> parts;
  const auto band = [&](unsigned d, std::size_t b) {
    return Bytes{b * all[d].second / cut.parts,
                 (b + 1) * all[d].second / cut.parts};
  };
  const auto add = [&](Cells cells, unsigned d, Bytes along) {
    cells[d] = along;
    if (std::all_of(cells.begin(), cells.end(),
                    [](const Bytes &one) { return one.first < one.second; }))
      parts.push_back(cells);
  };
  for (std::size_t b = 0; b < cut.parts; ++b) {
    if (cut.dimensions.empty()) {
      parts.push_back(all);
      break;
    }
    const unsigned first = cut.dimensions.front();
    if (cut.dimensions.size() == 1) {
      add(all, first, band(first, b));
      continue;
    }
    // The band of the second dimension, then what the first one has more.
    const unsigned second = cut.dimensions.back();
    Cells cells = all;
    cells[second] = band(second, b);
    add(cells, first, {0, band(first, b).second});
    cells[second] = {0, band(second, b).first};
    add(cells, first, band(first, b));
  }
  return parts;
}

} // namespace

std::vector<CopyCommand> planCopies(const std::vector<PartedCall> &calls,
                                    const std::vector<Cut> &cuts,
                                    const std::vector<bool> &isWanted) {
  struct Part {
    std::size_t call;
    Cells cells;
    std::vector<TouchedBytes> touched;
    std::vector<std::vector<Bytes>> isLast; // by buffer: written here last
  };
  std::vector<Part> parts;
  for (std::size_t k = 0; k < calls.size(); ++k)
    for (const Cells &cells : partsOf(calls[k], cuts[k]))
      parts.push_back({k, cells, touchedBy(calls[k], cells), {}});
  std::vector<ByteSet> later(isWanted.size()), there(isWanted.size());
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    for (std::size_t b = 0; b < isWanted.size(); ++b) {
      part->isLast.push_back(isWanted[b]
                                 ? later[b].missing(part->touched[b].written)
                                 : std::vector<Bytes>());
      later[b].add(part->touched[b].written);
    }
  std::vector<CopyCommand> commands;
  std::optional<std::size_t> written;
  for (const Part &part : parts) {
    for (std::size_t b = 0; b < isWanted.size(); ++b) {
      for (const Bytes &bytes : there[b].missing(part.touched[b].all)) {
        written = commands.size();
        commands.push_back(
            {CopyCommand::Kind::Write, b, bytes, 0, {}, std::nullopt});
      }
      there[b].add(part.touched[b].all);
    }
    const std::size_t launch = commands.size();
    commands.push_back({CopyCommand::Kind::Launch,
                        0,
                        {0, 0},
                        part.call,
                        rangeOf(calls[part.call], part.cells),
                        written});
    for (std::size_t b = 0; b < isWanted.size(); ++b)
      for (const Bytes &bytes : part.isLast[b])
        commands.push_back({CopyCommand::Kind::Read, b, bytes, 0, {}, launch});
  }
  return commands;
}

//===-- The model ---------------------------------------------------------===//

double predictCopies(const std::vector<CopyCommand> &commands,
                     const std::vector<PartedCall> &calls,
                     const CopyCosts &costs, bool isOneQueue) {
  std::array<double, 3> busy{}; // until when, by kind
  std::vector<double> ends;
  for (const CopyCommand &command : commands) {
    const auto bytes =
        static_cast<double>(command.bytes.second - command.bytes.first);
    double own = costs.command;
    if (command.kind == CopyCommand::Kind::Write)
      own += bytes * costs.writeByte;
    else if (command.kind == CopyCommand::Kind::Read)
      own += bytes * costs.readByte;
    else
      own += costs.calls[command.call] *
             static_cast<double>(command.range.workItems()) /
             static_cast<double>(calls[command.call].range.workItems());
    double &queue =
        busy[isOneQueue ? 0 : static_cast<std::size_t>(command.kind)];
    queue = std::max(queue, command.after ? ends[*command.after] : 0) + own;
    ends.push_back(queue);
  }
  return *std::max_element(busy.begin(), busy.end());
}

std::vector<Cut> chooseCuts(const std::vector<PartedCall> &calls,
                            const std::vector<bool> &isWanted,
                            const CopyCosts &costs) {
  std::vector<Cut> best(calls.size());
  const auto predict = [&](const std::vector<Cut> &cuts) {
    return predictCopies(planCopies(calls, cuts, isWanted), calls, costs,
                         false);
  };
  double least = predict(best);
  for (std::size_t k = 0; k < calls.size(); ++k) {
    std::vector<std::vector<unsigned>> choices;
    for (unsigned d = 0; d < 3; ++d)
      if (cellCount(calls[k], d) > 1) {
        choices.push_back({d});
        for (unsigned e = 0; e < d; ++e)
          if (cellCount(calls[k], e) > 1)
            choices.push_back({e, d});
      }
    for (const std::vector<unsigned> &dimensions : choices)
      for (std::size_t parts = 2; parts <= mostParts; parts *= 2) {
        std::vector<Cut> cuts = best;
        cuts[k] = {dimensions, parts};
        if (const double time = predict(cuts); time < least) {
          least = time;
          best = cuts;
        }
      }
  }
  return best;
}

std::vector<Cut> cutAll(const std::vector<PartedCall> &calls,
                        std::size_t parts) {
  std::vector<Cut> cuts(calls.size());
  for (std::size_t k = 0; k < calls.size(); ++k) {
    cuts[k].parts = parts;
    for (unsigned d = 0; d < 3; ++d)
      if (cellCount(calls[k], d) > 1)
        cuts[k].dimensions.push_back(d);
  }
  return cuts;
}

//===-- What parts touch --------------------------------------------------===//

/// Groups of one dimension in at most so many parts: where these end.
static std::vector<std::size_t> cutEvenly(std::size_t global, std::size_t local,
                                          std::size_t parts) {
  const std::size_t groups = global / local;
  std::vector<std::size_t> ends;
  for (std::size_t i = 1; i <= std::min(groups, parts); ++i)
    ends.push_back(i * groups / std::min(groups, parts) * local);
  return ends;
}

namespace {

class PartFinder {
public:
  PartFinder(const VerifyOptions &how, const SequenceSpec &of,
             const BoundSequence &bound)
      : spec(of), sequence(bound), questions(how) {}

  PartedCall find(const BoundCall &call) {
    PartedCall result = ask(call, mostParts);
    if (result.problem.empty())
      return result;
    PartedCall whole = ask(call, 1);
    if (!whole.problem.empty())
      whole.cells = {everything(call)};
    whole.problem = result.problem;
    return whole;
  }

private:
  std::size_t bytesOf(const LaunchArgument &argument) const {
    return sequence.memory.buffers[argument.buffer].contents.size();
  }

  std::vector<TouchedBytes> everything(const BoundCall &call) const {
    std::vector<TouchedBytes> result(sequence.memory.buffers.size());
    for (const LaunchArgument &argument : call.arguments)
      if (argument.hasBuffer())
        result[argument.buffer] = {{0, bytesOf(argument)},
                                   {0, bytesOf(argument)}};
    return result;
  }

  /// Numbers r, r: bytes behind the argument's first one.
  Bytes bytesFrom(const LaunchArgument &argument, const Json &numbers,
                  std::size_t at) const {
    const auto first = numbers.at(at).get<std::int64_t>();
    const auto end = numbers.at(at + 1).get<std::int64_t>();
    const std::size_t most = bytesOf(argument);
    if (end < 0)
      return {0, most};
    if (first >= end)
      return {0, 0};
    const auto clamp = [&](std::int64_t value) {
      return std::min(most,
                      static_cast<std::size_t>(value) + argument.shiftBytes);
    };
    return {clamp(first), clamp(end)};
  }

  PartedCall ask(const BoundCall &call, std::size_t parts) {
    PartedCall result;
    result.range = call.range;
    Json request = rangeRequest(call.range);
    request["kernel"] = call.kernel;
    request["scalars"] = Json::array();
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      if (const auto value = integerOf(spec, call, i))
        request["scalars"].push_back(
            {{"name", call.arguments[i].name}, {"first", *value}, {"step", 0}});
    for (unsigned d = 0; d < call.range.dimensions; ++d)
      result.ends.push_back(cutEvenly(
          call.range.global[d], call.range.local ? (*call.range.local)[d] : 1,
          // A grid in the two outermost dimensions.
          d + 2 < call.range.dimensions ? 1 : parts));
    request["ends"] = result.ends;
    const Json answer = questions.ask(request, call);
    if (answer.contains("problem")) {
      result.problem = answer.at("problem").get<std::string>();
      return result;
    }
    for (const Json &cell : answer.at("tiles")) {
      result.cells.emplace_back(sequence.memory.buffers.size());
      for (std::size_t i = 0; i < cell.size(); ++i) {
        const LaunchArgument &argument =
            call.arguments[answer.at("buffers").at(i).get<std::size_t>()];
        const Bytes written = bytesFrom(argument, cell[i], 2);
        TouchedBytes &touched = result.cells.back()[argument.buffer];
        touched.written = hull(touched.written, written);
        touched.all =
            hull(hull(touched.all, written), bytesFrom(argument, cell[i], 0));
      }
    }
    return result;
  }

  const SequenceSpec &spec;
  const BoundSequence &sequence;
  MergeQuestions questions;
};

} // namespace

std::vector<PartedCall> findParts(const VerifyOptions &options,
                                  const SequenceSpec &spec,
                                  const BoundSequence &sequence) {
  PartFinder finder(options, spec, sequence);
  std::vector<PartedCall> result;
  for (const BoundCall &call : sequence.calls)
    result.push_back(finder.find(call));
  return result;
}

} // namespace clopt::runtime
