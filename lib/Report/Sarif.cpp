//===- Sarif.cpp - results for code scanning ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Written over llvm::json rather than with Clang's writer, which gives
// absolute file names, numbers in place of rule ids and no fingerprints.
//
// Tested by test/unit/SarifTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/Sarif.h"

#include "Report/JsonText.h"
#include "Report/RepositoryPaths.h"
#include "Support/Refusals.h"
#include "Support/Version.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <map>
#include <set>
#include <tuple>

using namespace clopt;
using llvm::json::OStream;

namespace {

/// What findings and remarks have in common as results.
struct SarifResult {
  std::string ruleId;
  const char *level = "warning";
  std::string message;
  std::string hint;
  std::string kernel;
  SourceRange location;
  std::string fingerprint; ///< empty for remarks
  bool isSuppressed = false;
  bool isInBaseline = false;
};

SarifResult fromFinding(const Finding &finding) {
  const AccessReport &access = *finding.access;
  SarifResult result;
  result.ruleId = access.ruleId;
  result.message = access.reason;
  result.hint = access.hint;
  result.kernel = access.kernel;
  result.location = access.location;
  result.fingerprint = finding.fingerprint;
  result.isSuppressed = finding.isSuppressed;
  result.isInBaseline = finding.isInBaseline;
  return result;
}

SarifResult fromRemark(const Remark &remark) {
  SarifResult result;
  result.ruleId = remark.ruleId;
  result.level = "note";
  result.message = remark.message;
  result.hint = remark.hint;
  result.kernel = remark.function;
  result.location = remark.location;
  result.isSuppressed = remark.suppressed;
  return result;
}

/// A check that said nothing of such a kernel would seem to be content.
SarifResult fromUnanalyzed(const Remark &remark) {
  SarifResult result = fromRemark(remark);
  result.level = "warning";
  result.message = unanalyzedMessage(remark);
  return result;
}

/// Only what has a rule and a place can be shown by a code scanning service.
bool isShowable(const SarifResult &result) {
  return findRule(result.ruleId) && result.location.isValid() &&
         !result.location.file.empty();
}

std::vector<SarifResult> collectResults(const RunReport &run,
                                        const std::vector<Finding> &findings) {
  std::vector<SarifResult> results;
  std::set<std::tuple<std::string, std::string, unsigned, unsigned>> seen;
  auto add = [&](SarifResult result) {
    const SourceRange &at = result.location;
    if (isShowable(result) &&
        seen.emplace(result.ruleId, at.file, at.line, at.column).second)
      results.push_back(std::move(result));
  };
  for (const Finding &finding : findings)
    add(fromFinding(finding));
  for (const ProcessedFile &file : run.files) {
    if (run.isCheck)
      for (const Remark *remark : unanalyzedKernels(file.result))
        add(fromUnanalyzed(*remark));
    for (const Remark &remark : file.result.remarks)
      if (remark.kind == RemarkKind::Missed)
        add(fromRemark(remark));
  }
  return results;
}

class SarifWriter {
public:
  SarifWriter(OStream &stream, const RunReport &report,
              std::vector<SarifResult> collected, bool baseline)
      : json(stream), run(report), results(std::move(collected)),
        hasBaseline(baseline) {
    for (const ProcessedFile &file : run.files)
      sources.add(file.path, file.source);
    for (const SarifResult &result : results)
      uris.emplace(result.location.file, repositoryUri(result.location.file));
  }

  void write() {
    json.attribute("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json.attribute("version", "2.1.0");
    json.attributeArray("runs", [&] { json.object([&] { writeRun(); }); });
  }

private:
  void message(llvm::StringRef key, const std::string &text) {
    json.attributeObject(key, [&] { json.attribute("text", jsonText(text)); });
  }

  void writeRun() {
    json.attributeObject(
        "tool", [&] { json.attributeObject("driver", [&] { driver(); }); });
    json.attributeObject("automationDetails", [&] {
      json.attribute("id", jsonText("clopt/" + run.options.target + "/"));
    });
    json.attribute("columnKind", "utf16CodeUnits");
    json.attributeArray("invocations",
                        [&] { json.object([&] { invocation(); }); });
    jsonObjects(json, "results", results,
                [&](const SarifResult &result) { writeResult(result); });
  }

  void driver() {
    json.attribute("name", "clopt");
    json.attribute("version", versionString());
    json.attribute("semanticVersion", versionString());
    jsonObjects(json, "rules", allRules(),
                [&](const Rule &rule) { writeRule(rule); });
  }

  void invocation() {
    bool isSuccessful = !run.hasUnread &&
                        llvm::all_of(run.files, [](const ProcessedFile &file) {
                          return file.result.ok;
                        });
    json.attribute("executionSuccessful", isSuccessful);
    for (const auto &[file, uri] : uris)
      if (!uri.workingFolder.empty()) {
        json.attributeObject("workingDirectory", [&, &working = uri] {
          json.attribute("uri", working.workingFolder);
        });
        return;
      }
  }

  static std::string sentence(const char *summary) {
    std::string text = summary;
    text[0] = llvm::toUpper(text[0]);
    return text + ".";
  }

  void writeRule(const Rule &rule) {
    json.attribute("id", rule.id);
    json.attribute("name", rule.name);
    message("shortDescription", sentence(rule.summary));
    message("fullDescription", rule.help);
    json.attributeObject("help", [&] {
      json.attribute("text", rule.help);
      json.attribute("markdown",
                     "**" + sentence(rule.summary) + "** " + rule.help);
    });
    json.attributeObject("defaultConfiguration", [&] {
      json.attribute("level", rule.isFinding ? "warning" : "note");
    });
    json.attributeObject("properties", [&] {
      json.attributeArray("tags", [&] {
        bool isError = std::string(rule.id) == "clopt-out-of-bounds" ||
                       std::string(rule.id) == "clopt-race";
        json.value(isError ? "correctness" : "performance");
        json.value("opencl");
      });
      // An access that could not be analysed may be a good one.
      bool isCertain = std::string(rule.id) != "clopt-unvectorized-unknown";
      json.attribute("precision", isCertain ? "very-high" : "medium");
      json.attribute("problem.severity",
                     rule.isFinding ? "warning" : "recommendation");
    });
  }

  unsigned ruleIndex(const std::string &id) const {
    const std::vector<Rule> &rules = allRules();
    return llvm::find_if(rules, [&](const Rule &r) { return r.id == id; }) -
           rules.begin();
  }

  void writeResult(const SarifResult &result) {
    std::string text = result.message.empty() ? findRule(result.ruleId)->summary
                                              : result.message;
    if (!result.hint.empty())
      text += "; " + result.hint;
    json.attribute("ruleId", result.ruleId);
    json.attribute("ruleIndex", ruleIndex(result.ruleId));
    json.attribute("level", result.level);
    message("message", text);
    json.attributeArray("locations",
                        [&] { json.object([&] { location(result); }); });
    if (!result.fingerprint.empty())
      json.attributeObject("partialFingerprints", [&] {
        json.attribute("clopt/access/v1", result.fingerprint);
      });
    if (result.isSuppressed)
      json.attributeArray("suppressions", [&] {
        json.object([&] { json.attribute("kind", "inSource"); });
      });
    if (hasBaseline)
      json.attribute("baselineState",
                     result.isInBaseline ? "unchanged" : "new");
  }

  void location(const SarifResult &result) {
    const SourceRange &at = result.location;
    json.attributeObject("physicalLocation", [&] {
      json.attributeObject("artifactLocation", [&] {
        json.attribute("uri", uris.at(at.file).uri);
      });
      json.attributeObject("region", [&] { region(at); });
    });
    if (result.kernel.empty())
      return;
    json.attributeArray("logicalLocations", [&] {
      json.object([&] {
        json.attribute("name", jsonText(result.kernel));
        json.attribute("kind", "function");
      });
    });
  }

  void region(const SourceRange &at) {
    json.attribute("startLine", at.line);
    if (!at.column)
      return;
    unsigned endLine = std::max(at.line, at.endLine);
    // One past the last character, and at least one character.
    unsigned least = endLine > at.line ? 1 : at.column + 1;
    unsigned endColumn = std::max(at.endColumn, least);
    json.attribute("startColumn", utf16Column(at.file, at.line, at.column));
    json.attribute("endLine", endLine);
    json.attribute("endColumn", utf16Column(at.file, endLine, endColumn));
  }

  /// SARIF counts in units of UTF-16, our places count in bytes of UTF-8.
  unsigned utf16Column(const std::string &file, unsigned line,
                       unsigned column) {
    std::optional<std::string> text = sources.line(file, line);
    if (!text || column == 0)
      return column;
    unsigned units = 0;
    for (char c : llvm::StringRef(*text).take_front(column - 1)) {
      auto byte = static_cast<unsigned char>(c);
      // Continuation bytes add nothing, four-byte letters take two units.
      units += (byte & 0xC0) == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1;
    }
    size_t behind = column - 1 > text->size() ? column - 1 - text->size() : 0;
    return units + behind + 1;
  }

  OStream &json;
  const RunReport &run;
  std::vector<SarifResult> results;
  bool hasBaseline;
  SourceTexts sources;
  std::map<std::string, RepositoryUri> uris;
};

} // namespace

std::string clopt::printSarif(const RunReport &run,
                              const std::vector<Finding> &findings,
                              bool hasBaseline) {
  return printJson([&](OStream &json) {
    SarifWriter(json, run, collectResults(run, findings), hasBaseline).write();
  });
}
