//===- KernelVersions.cpp - the fast and the general version --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The versions of a kernel for tiles that are full and for those at the ends.
//
// Tested by test/unit/KernelWriterTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/KernelWriterImpl.h"

#include "Emit/body/ArrayTiles.h"
#include "Emit/body/BarrierFlow.h"
#include "Emit/frame/WorkMapping.h"
#include "Emit/lower/InteriorTiles.h"
#include "Model/ExprPrinter.h"

#include <isl/ast.h>
#include <isl/val.h>

#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace clopt {

/// Blocks of a strided dimension run one after the other.
std::vector<std::string>
KernelWriter::wrapStrided(std::vector<std::string> lines) {
  for (size_t i = 0; i < dims.size(); ++i) {
    const WorkDimension &work = kernel.work[dims[i]];
    if (!work.strided || work.points <= 1)
      continue;
    const std::string &base = names.bases[i];
    mentioned.insert({base, names.strides[i]});
    std::vector<std::string> wrapped;
    std::string first = fresh(base + "_first");
    if (kernel.isGrouped()) {
      std::string block = fresh("block");
      std::string step = names.strides[i].empty()
                             ? std::to_string(work.threads() * work.lanes)
                             : names.strides[i];
      wrapped = {"const " + names.idTypes[i] + " " + first + " = " + base + ";",
                 "for (int " + block + " = 0; " + block + " < " +
                     std::to_string(work.points) + "; " + block + "++) {",
                 "    const " + names.idTypes[i] + " " + base + " = " + first +
                     " + " + block + " * " + step + ";"};
      appendLines(wrapped, lines, 4);
      wrapped.push_back("}");
      lines = wrapped;
      continue;
    }
    wrapped.push_back("const " + names.idTypes[i] + " " + first + " = " + base +
                      ";");
    mentioned.insert(names.ends[i]);
    wrapped.push_back("for (" + names.idTypes[i] + " " + base + " = " + first +
                      "; " + base + " < " + names.ends[i] + "; " + base +
                      " += " + names.strides[i] + ") {");
    appendLines(wrapped, lines, 4);
    wrapped.push_back("}");
    lines = wrapped;
  }
  return lines;
}

/// if (condition) { yes } else { no }, without an empty part.
static std::vector<std::string> either(const std::string &condition,
                                       const std::vector<std::string> &yes,
                                       const std::vector<std::string> &no) {
  std::vector<std::string> lines = {"if (" + condition + ") {"};
  appendLines(lines, yes, 4);
  if (!no.empty()) {
    lines.push_back("} else {");
    appendLines(lines, no, 4);
  }
  lines.push_back("}");
  return lines;
}

/// if (condition) { body }, in one with what is all of the body.
static std::vector<std::string> onlyIf(const std::string &condition,
                                       const WrittenBody &body) {
  if (body.condition.text.empty())
    return either(condition, body.lines, {});
  return either(condition + " && " + atLeast(body.condition, PrecLAnd),
                body.chosen, {});
}

/// if (condition) { yes } else { body }, where a condition that is all of the
/// body belongs to the else.
static std::vector<std::string> eitherOr(const std::string &condition,
                                         const std::vector<std::string> &yes,
                                         const WrittenBody &body) {
  if (body.condition.text.empty())
    return either(condition, yes, body.lines);
  std::vector<std::string> lines = {"if (" + condition + ") {"};
  appendLines(lines, yes, 4);
  lines.push_back("} else if (" + body.condition.text + ") {");
  appendLines(lines, body.chosen, 4);
  lines.push_back("}");
  return lines;
}

/// What work-items pass that do not run the fast version, which has barriers.
std::vector<std::string> KernelWriter::passedBarrier() const {
  if (kernel.sections().empty())
    return {};
  return {groupBarrier};
}

/// Names in the condition of the fast version.
AstNames KernelWriter::conditionNames() {
  return namesWithBases(kernel.isGrouped() ? names.group.bases : names.bases);
}

/// The same for tiles with these first ids.
AstNames KernelWriter::namesWithBases(const std::vector<std::string> &bases) {
  AstNames result = parameterNames(model, false, names.launch);
  result.mentioned = &mentioned;
  for (const auto &[name, value] : names.group.constants)
    result.intTerms[name] = {value, value};
  for (size_t i = 0; i < dims.size(); ++i) {
    result.names[lowered.baseNames[i]] = LinearForm::ofTerm(bases[i]);
    if (!lowered.extentNames[i].empty())
      result.names[lowered.extentNames[i]] = wholeIds(kernel, names, i);
    if (!names.strides[i].empty())
      result.names[lowered.strideNames[i]] =
          LinearForm::ofTerm(names.strides[i]);
    if (!lowered.endNames[i].empty())
      result.names[lowered.endNames[i]] = endOfIds(names, i);
    if (names.idTypes[i] != "int")
      result.wideTerms.insert({bases[i], names.bases[i], names.ends[i],
                               names.strides[i],
                               kernel.isGrouped() ? names.group.bases[i] : ""});
  }
  return result;
}

/// A tile with fewer ids than it is wide cannot be moved. It then leaves ids
/// over that fill no work-item, unless there are none: they would run one after
/// the other while the whole group waits.
void KernelWriter::requireManyIds(Guards &guards) {
  names.counts.resize(dims.size());
  if (!kernel.isGrouped())
    return;
  AstNames wide = parameterNames(model, true);
  wide.mentioned = &guards.mentioned;
  for (size_t i = 0; i < dims.size(); ++i) {
    wide.names[lowered.endNames[i]] = LinearForm::ofTerm(names.ends[i]);
    wide.wideTerms.insert(names.ends[i]);
  }
  std::string all, launched;
  bool mayBeFewer = false;
  for (size_t i = 0; i < dims.size(); ++i)
    mayBeFewer |=
        lowered.moves[i] && minimumOf(lowered.moves[i]->count).size() > 1;
  // Work-items that are launched and do nothing along a tile do not count.
  const bool asksForAll = kernel.minWorkItems >= 2 && mayBeFewer;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!lowered.moves[i]) {
      launched += " * (long)" + launchText(kernel, names.launch,
                                           WorkItemQuery::GlobalSize, dims[i]);
      continue;
    }
    const WorkDimension &work = kernel.work[dims[i]];
    const bool mayShrink = kernel.adaptiveDimension() == dims[i] &&
                           minTileIds(kernel, dims[i]) < work.groupIds;
    if (work.total() == 1 && !asksForAll && !mayShrink)
      continue;
    names.counts[i] = fresh(names.ids[i] + "_count");
    const std::string &count = names.counts[i];
    guards.definitions.push_back(
        {"long", count, printAst(lowered.moves[i]->count, wide).text});
    all += (all.empty() ? "" : " * ") + count;
    if (work.total() == 1)
      continue;
    std::string least = std::to_string(minTileIds(kernel, dims[i]));
    std::string total = std::to_string(work.total());
    guards.conditions.push_back({{"(" + count + " >= " + least + " || " +
                                  count + " % " + total + " == 0)"},
                                 true});
    guards.reasons.push_back("there are at least " + least + " ids along '" +
                             names.ids[i] + "', or a multiple of " + total);
  }
  if (!asksForAll)
    return;
  std::string least = std::to_string(kernel.minWorkItems);
  guards.conditions.push_back({{all + launched + " >= " + least}, true});
  guards.reasons.push_back("at least " + least + " work-items do something");
}

/// How many times more work-items a launch must have where tiles across a
/// slanted border do some of their ids one after the other: what that takes
/// grows with the loops alone. (Sums of 769 and 1024 terms over a triangle on
/// an H100: 1024 x 1024 at 0.08, 2048 x 2048 at 0.25.)
static constexpr int64_t slantedFactor = 24;

void KernelWriter::requireManyTiles(Guards &guards) const {
  if (kernel.minWorkItems < 2)
    return;
  const std::string least = std::to_string(slantedFactor * kernel.minWorkItems);
  guards.conditions.push_back(
      {{productOf(model.ndrange.launchRank(), WorkItemQuery::GlobalSize) +
        " >= " + least},
       true});
  guards.reasons.push_back("there are at least " + least + " work-items");
}

/// The name of a tile's ids along a coordinate, by their number.
std::map<int64_t, std::string> KernelWriter::sizeConstant(size_t i) const {
  const std::vector<std::string> &sizes = names.group.sizes;
  if (sizes.empty() || sizes[i].empty())
    return {};
  const WorkDimension &work = kernel.work[dims[i]];
  return {{std::max(work.groupIds, work.total()), sizes[i]}};
}

/// Where tiles at the ends are moved to, between the declarations of their
/// first own ids and those of the bases.
void KernelWriter::nameMoves(Guards &guards, LoweringError &error) {
  if (lowered.moves.empty())
    return;
  const std::vector<std::string> &bases =
      kernel.isGrouped() ? names.group.bases : names.bases;
  std::vector<std::string> begins = bases;
  names.firsts.resize(dims.size());
  for (size_t i = 0; i < dims.size(); ++i)
    if (lowered.moves[i]) {
      names.firsts[i] = fresh(names.ids[i] + "_first");
      begins[i] = fresh(names.ids[i] + "_begin");
    }
  requireManyIds(guards);
  names.own = fresh("own");
  const std::string moves = fresh("moves");
  // Tiles that are moved read cells of ids that are not their own.
  Guards apart = makeOverlapGuards(
      kernel, lowered.owned.apart, lowered.endNames, names.ends,
      [this](const std::string &name) { return fresh(name); });
  if (apart.error) {
    error = *apart.error;
    return;
  }
  mentioned.insert(apart.mentioned.begin(), apart.mentioned.end());
  AstNames inMove = namesWithBases(begins);
  inMove.clear = &clearArguments;
  std::vector<ConstantDeclaration> chosen;
  std::vector<std::string> near, away;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!lowered.moves[i])
      continue;
    const std::string &type = names.idTypes[i];
    inMove.constants = sizeConstant(i);
    // OpenCL's min takes two operands of one type.
    auto typed = [&](const isl::ast_expr &value) {
      PrintedText text = printMinimum(minimumOf(value), inMove);
      return type == "int" && !text.isLong
                 ? text.text
                 : "(" + type + ")" + atLeast(text, PrecUnary);
    };
    std::string begin = names.firsts[i];
    if (lowered.moves[i]->least)
      begin = extremeOf("max", begin, typed(*lowered.moves[i]->least),
                        inMove.hasOwnExtremes);
    begin = extremeOf("min", begin, typed(lowered.moves[i]->greatest),
                      inMove.hasOwnExtremes);
    names.moves.push_back({type, begins[i], begin});
    chosen.push_back(
        {type, bases[i], moves + " ? " + begins[i] + " : " + names.firsts[i]});
    mentioned.insert({begins[i], bases[i], names.firsts[i]});
    away.push_back(begins[i] + " != " + names.firsts[i]);
    // A tile that has no ids of its own stays, and does nothing.
    LinearForm whole = wholeIds(kernel, names, i);
    whole.addNames(mentioned);
    std::string ids = atLeast(whole.print(), PrecRelational + 1);
    near.push_back(names.firsts[i] + " - " + begins[i] + " < " + ids);
    if (lowered.moves[i]->least)
      near.push_back(begins[i] + " - " + names.firsts[i] + " < " + ids);
  }
  inMove.constants.clear();
  PrintedText movable = printAst(*lowered.movable, inMove);
  if (movable.text != "1")
    near.insert(near.begin(), atLeast(movable, PrecLAnd));
  ConstantDeclaration isMoved = {"bool", moves, ""};
  std::vector<std::string> checks;
  for (const GuardCondition &condition : apart.conditions)
    for (const Conjunct &part : condition.parts)
      checks.push_back(part.text);
  // Nothing is to be seen of buffers where a tile is in its place.
  if (!checks.empty())
    near.insert(near.begin(), away.size() > 1
                                  ? "(" + llvm::join(away, " || ") + ")"
                                  : away.front());
  isMoved.value = llvm::join(near, " && ");
  isMoved.checks = apart.definitions;
  isMoved.checked = llvm::join(checks, " && ");
  names.moves.push_back(std::move(isMoved));
  mentioned.insert(moves);
  names.moves.insert(names.moves.end(), chosen.begin(), chosen.end());
}

std::vector<std::string> KernelWriter::writeVersions(LoweringError &error) {
  WrittenBody general;
  if (!kernel.hasGroupLanes())
    general = writeBody(kernel, lowered, lowered.general.root,
                        !kernel.isTiled(), names);
  WrittenBody full;
  TransformedKernel chosen = kernel;
  chosen.selections = lowered.selections;
  InteriorKernel interior(chosen, lowered.dead);
  if (lowered.full)
    full =
        writeBody(interior.kernel(), lowered, lowered.full->root, true, names);
  if (kernel.hasGroupLanes())
    general = full;
  for (const WrittenBody *body : {&general, lowered.full ? &full : &general})
    if (!body->ok) {
      error = {"clopt-opaque-code", "cannot write " + body->failure, ""};
      return {};
    }
  for (const WrittenBody *body : {&general, &full}) {
    mentioned.insert(body->mentioned.begin(), body->mentioned.end());
    asked.insert(body->asked.begin(), body->asked.end());
    for (const auto &[argument, most] : body->clear) {
      auto [own, isNew] = clearArguments.emplace(argument, most);
      own->second = std::min(own->second, most);
    }
  }
  if (!lowered.full)
    return general.lines;
  WrittenBody slow = general;
  slow.lines = wrapStrided(general.lines);
  if (slow.lines.size() != general.lines.size())
    slow.condition.text.clear();
  full.lines.insert(full.lines.begin(), full.own.begin(), full.own.end());
  AstNames inCondition = conditionNames();
  inCondition.clear = &clearArguments;
  std::string condition = printAst(*lowered.full->condition, inCondition).text;
  if (!lowered.validIds.empty())
    return joinCutVersions(condition, inCondition, full, slow);
  othersRunAlone &= condition != "1";
  if (condition == "1")
    return full.lines;
  // Groups at the ends are as many as they were: one that did the work of all
  // of them would be the last to finish.
  if (othersRunAlone) {
    std::vector<std::string> lines = idleGroups();
    appendLines(lines, full.lines);
    lines.push_back("return;");
    return either(condition, lines, {});
  }
  if (!kernel.isGrouped())
    return eitherOr(condition, full.lines, slow);
  mentioned.insert(names.group.active);
  std::vector<std::string> others = passedBarrier();
  appendLines(others, onlyIf(names.group.active, slow));
  return either(condition, full.lines, others);
}

/// The most ids that a tile can have, where their number is a variable.
static std::optional<int64_t> maxIds(const WorkDimension &work) {
  return static_cast<int64_t>(std::max(work.groupIds, work.total()));
}

/// The values that may end a tile, without numbers that it never exceeds.
static std::vector<isl::ast_expr> tileEnds(const isl::ast_expr &ends,
                                           std::optional<int64_t> most) {
  std::vector<isl::ast_expr> result;
  for (const isl::ast_expr &end : minimumOf(ends)) {
    bool isNeeded = true;
    if (most && isl_ast_expr_get_type(end.get()) == isl_ast_expr_int) {
      isl::val number = isl::manage(isl_ast_expr_get_val(end.get()));
      isNeeded = isl_val_get_num_si(number.get()) < *most;
    }
    if (isNeeded)
      result.push_back(end);
  }
  return result.empty() ? std::vector<isl::ast_expr>{ends} : result;
}

/// The fast version for the valid part of a tile; work-items that are not
/// wholly in it, and tiles without any, take the general version.
std::vector<std::string> KernelWriter::joinCutVersions(
    const std::string &condition, const AstNames &inCondition,
    const WrittenBody &full, const WrittenBody &slow) {
  const GroupNames &group = names.group;
  std::vector<std::string> lines;
  std::string whole, inside = group.active;
  mentioned.insert(group.active);
  for (size_t i = 0; i < dims.size(); ++i) {
    if (group.valid[i].empty())
      continue;
    const WorkDimension &work = kernel.work[dims[i]];
    LinearForm all = wholeIds(kernel, names, i);
    all.addNames(mentioned);
    mentioned.insert({group.offsets[i], names.strides[i]});
    std::string ids = all.print().text;
    AstNames inEnd = inCondition;
    inEnd.constants = sizeConstant(i);
    PrintedText most = printMinimum(
        tileEnds(*lowered.validIds[i],
                 group.extents[i].empty() ? std::nullopt : maxIds(work)),
        inEnd);
    std::string value = names.idTypes[i] == "int"
                            ? most.text
                            : "(int)" + atLeast(most, PrecUnary);
    bool isSum = names.idTypes[i] == "int" && group.extents[i].empty() &&
                 most.precedence < PrecMultiplicative;
    // OpenCL's min takes two operands of one type.
    if (!group.extents[i].empty())
      value = most.isLong ? "(int)" + extremeOf("min", "(long)(" + ids + ")",
                                                "(long)(" + value + ")",
                                                inEnd.hasOwnExtremes)
                          : extremeOf("min", ids, value, inEnd.hasOwnExtremes);
    // What only some ids of a work-item would use is not copied.
    if (work.total() > 1 && !work.strided)
      value = (isSum ? "(" + value + ")" : value) + " / " +
              std::to_string(work.total()) + " * " +
              std::to_string(work.total());
    lines.push_back("const int " + group.valid[i] + " = " + value + ";");
    whole += (whole.empty() ? "" : " && ") + group.valid[i] + " == " + ids;
    std::string last = group.offsets[i];
    if (work.strided && work.points > 1)
      last +=
          " + " +
          (names.strides[i].empty()
               ? std::to_string((work.points - 1) * work.threads() * work.lanes)
               : std::to_string(work.points - 1) + " * " + names.strides[i]);
    unsigned together = work.strided ? work.lanes : work.total();
    inside +=
        " && " + last +
        (together == 1 ? " < " : " + " + std::to_string(together) + " <= ") +
        group.valid[i];
  }
  if (full.asksWhole)
    lines.push_back("const bool " + group.whole + " = " + whole + ";");
  lines.push_back("const bool " + group.inside + " = " + inside + ";");
  lines.push_back(group.rest + " = " + group.active + " && !" + group.inside +
                  ";");
  appendLines(lines, full.lines);
  std::vector<std::string> all = {"bool " + group.rest + " = " + group.active +
                                  ";"};
  if (condition == "1") {
    all.push_back("{");
    appendLines(all, lines, 4);
    all.push_back("}");
  } else {
    appendLines(all, either(condition, lines, passedBarrier()));
    // Compilers that make loops of work-items (PoCL 3.1) write wrong cells when
    // the ways from two barriers meet in the general version's choices.
    if (!lowered.selections.empty())
      appendLines(all, passedBarrier());
  }
  appendLines(all, onlyIf(group.rest, slow));
  return all;
}

} // namespace clopt
