//===- JsonReport.cpp - clopt's own report --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/JsonReportTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/JsonReport.h"

#include "Report/JsonText.h"
#include "Report/OptionValues.h"
#include "Support/Remarks.h"
#include "Support/Sha256.h"
#include "Support/Version.h"

#include <cmath>

using namespace clopt;
using llvm::json::OStream;

namespace {

const char *levelName(Diagnostic::Level level) {
  // In the order of Diagnostic::Level.
  static constexpr const char *names[] = {"note", "warning", "error"};
  return names[static_cast<size_t>(level)];
}

/// Writes the parts of the report from the outside in.
class Writer {
public:
  Writer(OStream &stream, const RunReport &report,
         const std::vector<Finding> &found)
      : json(stream), run(report), findings(found) {}

  void write() {
    json.attribute("schema", "report.schema.json");
    json.attribute("schema_version", reportSchemaVersion);
    json.attribute("mode", run.isCheck ? "check" : "optimize");
    json.attributeObject("tool", [&] {
      json.attribute("name", "clopt");
      json.attribute("version", versionString());
      json.attribute("llvm", llvmVersionString());
      json.attribute("isl", islVersionString());
      json.attribute("ppl", pplVersionString());
    });
    json.attributeObject("options", [&] { options(run.options); });
    jsonObjects(json, "inputs", run.files,
                [&](const ProcessedFile &processed) { file(processed); });
    json.attributeObject("summary", [&] { summary(); });
  }

private:
  void text(llvm::StringRef key, const std::string &value) {
    json.attribute(key, jsonText(value));
  }

  /// Members that have nothing to say are left out.
  void optionalText(llvm::StringRef key, const std::string &value) {
    if (!value.empty())
      text(key, value);
  }

  void location(const SourceRange &range) {
    if (!range.isValid())
      return;
    json.attributeObject("location", [&] {
      text("file", range.file);
      json.attribute("line", range.line);
      json.attribute("column", range.column);
      if (range.endLine) {
        json.attribute("end_line", range.endLine);
        json.attribute("end_column", range.endColumn);
      }
    });
  }

  void options(const Options &those) {
    text("target", those.target);
    json.attribute("alias", aliasName(those.alias));
    if (those.localSize)
      json.attributeArray("local_size", [&] {
        for (unsigned size : *those.localSize)
          json.value(size);
      });
    jsonTexts(json, "build_flags", those.buildFlags);
  }

  void file(const ProcessedFile &processed) {
    const Result &result = processed.result;
    text("path", processed.path);
    json.attribute("sha256", sha256Hex(processed.source));
    json.attributeObject("output", [&] {
      optionalText("path", processed.outputPath);
      json.attribute("sha256", sha256Hex(result.output));
      json.attribute("changed", result.output != processed.source);
    });
    if (processed.options)
      json.attributeObject("options", [&] { options(*processed.options); });
    jsonTexts(json, "dependencies", result.dependencies);
    jsonObjects(json, "kernels", result.kernels,
                [&](const KernelReport &report) { kernel(report); });
    jsonObjects(json, "remarks", result.remarks,
                [&](const Remark &entry) { remark(entry); });
    jsonObjects(json, "diagnostics", result.diagnostics,
                [&](const Diagnostic &entry) { diagnostic(entry); });
  }

  void kernel(const KernelReport &report) {
    text("name", report.name);
    location(report.location);
    json.attribute("changed", report.changed);
    optionalText("recipe", report.recipe);
    jsonTexts(json, "guards", report.guards);
    if (report.validation)
      json.attributeObject("validation",
                           [&] { validation(*report.validation); });
    jsonObjects(json, "accesses", report.accesses,
                [&](const AccessReport &entry) { access(entry); });
    if (report.prices)
      json.attributeObject("prices", [&] { prices(*report.prices); });
    if (report.arrays.empty())
      return;
    jsonObjects(json, "arrays", report.arrays,
                [&](const ArrayReport &entry) { array(entry); });
  }

  /// Of a ValidationReport or a VariantValidation.
  template <typename Entry> void coverage(const Entry &entry) {
    json.attribute("launches", entry.launches);
    json.attribute("branches", entry.branches);
    json.attribute("branches_reached", entry.reached);
    jsonTexts(json, "not_reached", entry.missed);
    jsonTexts(json, "not_compared", entry.skipped);
  }

  void validation(const ValidationReport &entry) {
    coverage(entry);
    if (entry.variants.empty())
      return;
    jsonObjects(json, "variants", entry.variants, [&](const auto &variant) {
      text("name", variant.name);
      json.attribute("left_out", variant.isLeftOut);
      coverage(variant);
    });
  }

  void prices(const PriceList &entry) {
    optionalText("launch", entry.launch);
    optionalText("problem", entry.problem);
    for (const auto &[name, list] :
         {std::pair("steps", &entry.steps), std::pair("others", &entry.others)})
      jsonObjects(json, name, *list, [&](const PriceReport &price) {
        text("label", price.label);
        optionalText("problem", price.problem);
        if (price.nanoseconds <= 0)
          return;
        json.attribute("nanoseconds", std::llround(price.nanoseconds));
        json.attributeObject("terms", [&] {
          for (const auto &[term, nanoseconds] : price.terms)
            json.attribute(term, std::llround(nanoseconds));
        });
      });
  }

  void array(const ArrayReport &entry) {
    text("array", entry.array);
    text("memory", entry.chosen);
    text("drop_in_memory", entry.dropIn);
    json.attribute("clocks", entry.clocks);
    json.attribute("chosen_clocks", entry.chosenClocks);
    jsonObjects(json, "memories", entry.memories, [&](const auto &memory) {
      text("memory", memory.memory);
      json.attribute("possible", memory.isPossible);
      json.attribute("needs_host", memory.needsHost);
      json.attribute("bytes", memory.bytes);
      json.attribute("clocks", memory.clocks);
      optionalText("reason", memory.reason);
    });
  }

  void access(const AccessReport &entry) {
    text("array", entry.array);
    json.attribute("kind", entry.isWrite ? "write" : "read");
    location(entry.location);
    text("text", entry.text);
    text("subscript", entry.subscript);
    text("element_type", entry.elementType);
    text("pattern", entry.pattern);
    json.attribute("vectorizable", entry.isVectorizable);
    json.attribute("contiguous", entry.isContiguous);
    json.attribute("broadcast", entry.isBroadcast);
    json.attribute("transactions", entry.transactions);
    json.attribute("ideal_transactions", entry.idealTransactions);
    json.attribute("read_only", entry.isReadOnly);
    json.attribute("reused", entry.isReused);
    json.attribute("uniform", entry.isUniform);
    json.attribute("fingerprint", fingerprint(entry));
    if (entry.ruleId.empty())
      return;
    json.attributeObject("finding", [&] {
      text("rule", entry.ruleId);
      text("reason", entry.reason);
      optionalText("hint", entry.hint);
      json.attribute("suppressed", entry.suppressed);
    });
  }

  void remark(const Remark &entry) {
    json.attribute("kind", llvm::StringRef(remarkKindName(entry.kind)).lower());
    text("pass", remarkPassName(entry));
    text("name", remarkName(entry));
    optionalText("rule", entry.ruleId);
    optionalText("kernel", entry.function);
    location(entry.location);
    text("message", entry.message);
    optionalText("hint", entry.hint);
    json.attributeObject("args", [&] {
      for (const auto &[key, value] : entry.args)
        text(key, value);
    });
    json.attribute("suppressed", entry.suppressed);
  }

  void diagnostic(const Diagnostic &entry) {
    json.attribute("level", levelName(entry.level));
    location(entry.location);
    text("message", entry.message);
  }

  void summary() {
    FindingCounts counts = countFindings(run, findings);
    unsigned kernels = 0, changed = 0;
    for (const ProcessedFile &processed : run.files)
      for (const KernelReport &report : processed.result.kernels) {
        ++kernels;
        changed += report.changed;
      }
    json.attribute("kernels", kernels);
    json.attribute("changed_kernels", changed);
    json.attribute("accesses", counts.accesses);
    json.attribute("findings", counts.found);
    json.attribute("suppressed_findings", counts.suppressed);
    json.attribute("baseline_findings", counts.inBaseline);
    if (counts.unanalyzed)
      json.attribute("unanalyzed_kernels", counts.unanalyzed);
  }

  OStream &json;
  const RunReport &run;
  const std::vector<Finding> &findings;
};

} // namespace

std::string clopt::printJsonReport(const RunReport &run,
                                   const std::vector<Finding> &findings) {
  return printJson([&](OStream &json) { Writer(json, run, findings).write(); });
}
