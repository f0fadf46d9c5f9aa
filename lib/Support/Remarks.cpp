//===- Remarks.cpp - names and text of remarks ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RemarksTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Support/Remarks.h"

#include "Support/Refusals.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

#include <tuple>

using namespace clopt;

const char *clopt::remarkKindName(RemarkKind kind) {
  // In the order of RemarkKind.
  static constexpr const char *names[] = {"Passed", "Missed", "Analysis"};
  return names[static_cast<size_t>(kind)];
}

const char *clopt::remarkOption(RemarkKind kind) {
  // In the order of RemarkKind.
  static constexpr const char *names[] = {"-Rpass", "-Rpass-missed",
                                          "-Rpass-analysis"};
  return names[static_cast<size_t>(kind)];
}

std::string clopt::remarkPassName(const Remark &remark) {
  return "clopt-" + (remark.pass.empty() ? "optimize" : remark.pass);
}

/// "split-loop" as "SplitLoop".
static std::string camelCase(llvm::StringRef words) {
  std::string result;
  bool atStart = true;
  for (char c : words) {
    if (!llvm::isAlnum(c)) {
      atStart = true;
      continue;
    }
    result.push_back(atStart ? llvm::toUpper(c) : c);
    atStart = false;
  }
  return result;
}

std::string clopt::remarkName(const Remark &remark) {
  if (const Rule *rule = findRule(remark.ruleId))
    return rule->name;
  llvm::StringRef words = remark.ruleId;
  words.consume_front("clopt-");
  if (words.empty())
    words = remark.pass.empty() ? llvm::StringRef("optimize") : remark.pass;
  return camelCase(words);
}

static auto place(const Remark &remark) {
  const SourceRange &at = remark.location;
  return std::tie(at.file, at.line, at.column);
}

static bool saysTheSame(const Remark &left, const Remark &right) {
  auto content = [](const Remark &remark) {
    return std::tie(remark.kind, remark.pass, remark.ruleId, remark.function,
                    remark.message, remark.hint, remark.args);
  };
  return place(left) == place(right) && content(left) == content(right);
}

void clopt::sortRemarks(std::vector<Remark> &remarks) {
  // Stable: remarks about one place stay in the order of what happened.
  llvm::stable_sort(remarks, [](const Remark &left, const Remark &right) {
    return place(left) < place(right);
  });
  std::vector<Remark> kept;
  for (Remark &remark : remarks) {
    bool isRepetition = false;
    for (size_t i = kept.size(); i > 0 && !isRepetition; --i) {
      if (place(kept[i - 1]) != place(remark))
        break;
      isRepetition = saysTheSame(kept[i - 1], remark);
    }
    if (!isRepetition)
      kept.push_back(std::move(remark));
  }
  remarks = std::move(kept);
}

std::string clopt::renderRemark(const Remark &remark, SourceTexts &sources,
                                const MessageStyle &style) {
  std::string flag =
      std::string(remarkOption(remark.kind)) + "=" + remarkPassName(remark);
  // docs/rules has a page for it.
  if (findRule(remark.ruleId))
    flag += "] [" + remark.ruleId;
  std::string text = renderMessage(MessageKind::Remark, remark.location,
                                   remark.message, flag, sources, style);
  if (remark.hint.empty())
    return text;
  // The note stands at the same place, so the line is not shown again.
  MessageStyle withoutSnippet = style;
  withoutSnippet.snippet = false;
  return text + renderMessage(MessageKind::Note, remark.location, remark.hint,
                              "", sources, withoutSnippet);
}
