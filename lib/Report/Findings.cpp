//===- Findings.cpp - the findings of `clopt check` -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/FindingsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/Findings.h"

#include "Support/Refusals.h"
#include "Support/Sha256.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <tuple>

using namespace clopt;

std::string clopt::fingerprint(const AccessReport &access) {
  // The text, not the subscript: in how many dimensions an array is seen
  // depends on its other accesses.
  std::string normalised = access.text;
  llvm::erase_if(normalised, [](char c) { return llvm::isSpace(c); });
  // A NUL stands in none of the parts, so ("ab", "c") and ("a", "bc") differ.
  std::string key = access.kernel + '\0' + access.array + '\0' + normalised;
  return sha256Hex(key).substr(0, 32);
}

static auto place(const AccessReport &access) {
  const SourceRange &at = access.location;
  return std::tie(at.file, at.line, at.column, at.endLine, at.endColumn);
}

/// The read and the write of `a[2 * i] += 1` are one finding.
static bool isRepetition(const Finding &finding, const AccessReport &access) {
  const AccessReport &other = *finding.access;
  return place(other) == place(access) && other.ruleId == access.ruleId &&
         other.kernel == access.kernel && other.reason == access.reason;
}

std::vector<Finding> clopt::findingsOf(const Result &result) {
  std::vector<Finding> findings;
  for (const KernelReport &kernel : result.kernels)
    for (const AccessReport &access : kernel.accesses) {
      if (access.ruleId.empty() ||
          llvm::any_of(findings, [&](const Finding &finding) {
            return isRepetition(finding, access);
          }))
        continue;
      Finding finding;
      finding.access = &access;
      finding.fingerprint = fingerprint(access);
      finding.isSuppressed = access.suppressed;
      findings.push_back(std::move(finding));
    }
  llvm::stable_sort(findings, [](const Finding &left, const Finding &right) {
    return place(*left.access) < place(*right.access);
  });
  return findings;
}

std::vector<Finding> clopt::collectFindings(const RunReport &run) {
  std::vector<Finding> findings;
  for (const ProcessedFile &file : run.files)
    for (Finding &finding : findingsOf(file.result)) {
      finding.input = file.path;
      findings.push_back(std::move(finding));
    }
  return findings;
}

std::vector<const Remark *> clopt::unanalyzedKernels(const Result &result) {
  std::vector<const Remark *> remarks;
  for (const Remark &remark : result.remarks)
    if (remark.kind == RemarkKind::Missed && isAboutBudget(remark.ruleId) &&
        !remark.suppressed && llvm::none_of(remarks, [&](const Remark *other) {
          return other->function == remark.function;
        }))
      remarks.push_back(&remark);
  return remarks;
}

std::string clopt::unanalyzedMessage(const Remark &remark) {
  return "kernel '" + remark.function + "' was not analysed: " + remark.message;
}

FindingCounts clopt::countFindings(const RunReport &run,
                                   const std::vector<Finding> &findings) {
  FindingCounts counts;
  counts.files = run.files.size();
  for (const ProcessedFile &file : run.files) {
    for (const KernelReport &kernel : file.result.kernels)
      counts.accesses += kernel.accesses.size();
    if (run.isCheck)
      counts.unanalyzed += unanalyzedKernels(file.result).size();
  }
  for (const Finding &finding : findings) {
    if (finding.isSuppressed)
      ++counts.suppressed;
    else if (finding.isInBaseline)
      ++counts.inBaseline;
    else
      ++counts.found;
  }
  return counts;
}

static std::string reasonOf(const AccessReport &access) {
  const Rule *rule = findRule(access.ruleId);
  return access.reason.empty() && rule ? rule->summary : access.reason;
}

/// A message of a check with what would help, both at the same place.
static std::string renderWithHint(const SourceRange &at,
                                  const std::string &message,
                                  const std::string &ruleId,
                                  const std::string &hint, SourceTexts &sources,
                                  const MessageStyle &style) {
  std::string text =
      renderMessage(MessageKind::Warning, at, message, ruleId, sources, style);
  if (hint.empty())
    return text;
  MessageStyle withoutSnippet = style;
  withoutSnippet.snippet = false;
  return text + renderMessage(MessageKind::Note, at, hint, "", sources,
                              withoutSnippet);
}

std::string clopt::renderFinding(const Finding &finding, SourceTexts &sources,
                                 const MessageStyle &style) {
  const AccessReport &access = *finding.access;
  return renderWithHint(access.location, reasonOf(access), access.ruleId,
                        access.hint, sources, style);
}

std::string clopt::renderUnanalyzed(const Remark &remark, SourceTexts &sources,
                                    const MessageStyle &style) {
  return renderWithHint(remark.location, unanalyzedMessage(remark),
                        remark.ruleId, remark.hint, sources, style);
}

static std::string renderInLine(const SourceRange &at,
                                const std::string &message,
                                const std::string &ruleId) {
  return at.file + ":" + std::to_string(at.line) + ":" +
         std::to_string(at.column) + ": warning: " + message + " [" + ruleId +
         "]\n";
}

std::string clopt::renderFindingInLine(const Finding &finding) {
  const AccessReport &access = *finding.access;
  return renderInLine(access.location, reasonOf(access), access.ruleId);
}

std::string clopt::renderUnanalyzedInLine(const Remark &remark) {
  return renderInLine(remark.location, unanalyzedMessage(remark),
                      remark.ruleId);
}

/// What the runner reads back: its own separators are escaped.
static std::string escapedForGitHub(const std::string &text,
                                    llvm::StringRef separators) {
  std::string result;
  for (char c : text)
    if (separators.contains(c))
      result += "%" + llvm::toHex(llvm::StringRef(&c, 1));
    else
      result += c;
  return result;
}

static std::string commandForGitHub(const std::string &level,
                                    const SourceRange &at,
                                    const std::string &title,
                                    const std::string &message) {
  return "::" + level + " file=" + escapedForGitHub(at.file, "%\r\n:,") +
         ",line=" + std::to_string(at.line) +
         ",col=" + std::to_string(at.column) +
         ",endLine=" + std::to_string(std::max(at.line, at.endLine)) +
         ",title=" + title + "::" + escapedForGitHub(message, "%\r\n") + "\n";
}

static std::string warningForGitHub(const SourceRange &at,
                                    const std::string &ruleId,
                                    std::string message,
                                    const std::string &hint) {
  if (!hint.empty())
    message += "\n" + hint;
  return commandForGitHub("warning", at, ruleId, message);
}

std::string clopt::renderFindingForGitHub(const Finding &finding) {
  const AccessReport &access = *finding.access;
  return warningForGitHub(access.location, access.ruleId, reasonOf(access),
                          access.hint);
}

std::string clopt::renderUnanalyzedForGitHub(const Remark &remark) {
  return warningForGitHub(remark.location, remark.ruleId,
                          unanalyzedMessage(remark), remark.hint);
}

std::string clopt::renderDiagnosticForGitHub(const Diagnostic &diagnostic) {
  const char *level =
      diagnostic.level == Diagnostic::Level::Error ? "error" : "warning";
  return commandForGitHub(level, diagnostic.location, "clopt check",
                          diagnostic.message);
}

static std::string counted(unsigned count, const std::string &one,
                           const std::string &many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string clopt::renderSummary(const FindingCounts &counts) {
  std::string text = counted(counts.found, "finding", "findings") + " in " +
                     counted(counts.files, "file", "files") + " (" +
                     counted(counts.accesses, "access", "accesses") + ")";
  std::vector<std::string> others;
  if (counts.suppressed)
    others.push_back(std::to_string(counts.suppressed) + " suppressed");
  if (counts.inBaseline)
    others.push_back(std::to_string(counts.inBaseline) + " in the baseline");
  if (counts.unanalyzed)
    others.push_back(counted(counts.unanalyzed, "kernel", "kernels") +
                     " not analysed");
  if (!others.empty())
    text += "; " + llvm::join(others, ", ");
  return text + "\n";
}
