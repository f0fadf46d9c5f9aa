//===- HtmlReport.cpp - a report to look at -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/HtmlReportTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/html/HtmlReport.h"

#include "Report/OptionValues.h"
#include "Report/html/HtmlAccesses.h"
#include "Report/html/HtmlComparison.h"
#include "Report/html/HtmlKernel.h"
#include "Report/html/HtmlMeasurements.h"
#include "Report/html/HtmlOrder.h"
#include "Report/html/HtmlPlacement.h"
#include "Report/html/HtmlSource.h"
#include "Report/html/HtmlStyle.h"
#include "Support/Refusals.h"
#include "Support/Version.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <map>
#include <set>

using namespace clopt;

namespace {

/// A file and what the page says of it.
struct FilePage {
  std::string id; ///< of its section, "f1"
  const ProcessedFile &file;
  std::vector<Annotation> annotations;

  std::string name() const { return file.path == "-" ? "<stdin>" : file.path; }
  size_t count(AnnotationKind kind) const {
    return llvm::count_if(annotations, [&](const Annotation &one) {
      return one.kind == kind && !one.isSuppressed && !one.isInBaseline;
    });
  }
  /// In the form of "2 of 3 kernels".
  size_t changedKernels() const {
    return llvm::count_if(file.result.kernels, [](const KernelReport &kernel) {
      return kernel.changed;
    });
  }
};

class HtmlPage {
public:
  HtmlPage(const RunReport &report, const std::vector<Finding> &findings);
  std::string print();

private:
  void body();
  void title();
  void index();
  void files();
  void ruleCounts();
  void section(const FilePage &page);
  void contents(const FilePage &page);
  void kernels(const FilePage &page);
  void rules();

  const RunReport &run;
  std::vector<FilePage> pages;
  HtmlWriter html;
};

} // namespace

/// The findings of the run that are in this file.
static std::vector<Finding> findingsIn(const ProcessedFile &file,
                                       const std::vector<Finding> &findings) {
  std::set<const AccessReport *> own;
  for (const KernelReport &kernel : file.result.kernels)
    for (const AccessReport &access : kernel.accesses)
      own.insert(&access);
  std::vector<Finding> result;
  llvm::copy_if(
      findings, std::back_inserter(result),
      [&](const Finding &finding) { return own.count(finding.access) != 0; });
  return result;
}

HtmlPage::HtmlPage(const RunReport &report,
                   const std::vector<Finding> &findings)
    : run(report) {
  for (const ProcessedFile &file : run.files) {
    std::vector<Finding> own =
        run.isCheck ? findingsIn(file, findings) : findingsOf(file.result);
    pages.push_back({"f" + std::to_string(pages.size() + 1), file,
                     annotationsOf(file, own)});
  }
}

std::string HtmlPage::print() {
  html.raw("<!DOCTYPE html>\n");
  html.element("html", {{"lang", "en"}}, [&] {
    html.element("head", [&] {
      html.leaf("meta", {{"charset", "utf-8"}});
      html.leaf("meta", {{"name", "viewport"},
                         {"content", "width=device-width, initial-scale=1"}});
      // Without one, browsers ask for an icon.
      html.raw("<link rel=\"icon\" href=\"data:,\">\n");
      html.element("title", run.isCheck ? "clopt check" : "clopt report");
      html.element("style", [&] { html.raw(htmlStyleSheet); });
    });
    html.element("body", [&] { body(); });
  });
  return html.take();
}

void HtmlPage::body() {
  html.element("header", [&] { title(); });
  html.element("main", [&] {
    if (run.isCheck || pages.size() > 1)
      index();
    for (const FilePage &page : pages)
      section(page);
    rules();
  });
  html.element("footer", std::string("clopt ") + versionString() + ", LLVM " +
                             llvmVersionString() + ", " + islVersionString() +
                             ", PPL " + pplVersionString());
}

static std::string describeOptions(const Options &options) {
  std::string text =
      "target " + options.target + ", aliases " + aliasName(options.alias);
  if (options.localSize)
    text += ", local size " + std::to_string((*options.localSize)[0]) + "," +
            std::to_string((*options.localSize)[1]) + "," +
            std::to_string((*options.localSize)[2]);
  if (!options.buildFlags.empty())
    text += ", " + llvm::join(options.buildFlags, " ");
  return text;
}

void HtmlPage::title() {
  html.element("h1", run.isCheck ? "clopt check" : "clopt report");
  html.element("p", {{"class", "facts"}}, describeOptions(run.options));
}

//===-- Index -------------------------------------------------------------===//

void HtmlPage::index() {
  ruleCounts();
  html.element("h3", "Files");
  files();
}

/// How often each rule was broken, most often first.
void HtmlPage::ruleCounts() {
  std::map<std::string, size_t> counts;
  for (const FilePage &page : pages)
    for (const Annotation &one : page.annotations)
      if (one.kind == AnnotationKind::Finding && !one.isSuppressed &&
          !one.isInBaseline)
        ++counts[one.ruleId];
  if (counts.empty()) {
    html.element("p", "No findings.");
    return;
  }
  std::vector<std::pair<std::string, size_t>> sorted(counts.begin(),
                                                     counts.end());
  llvm::stable_sort(
      sorted, [](const auto &a, const auto &b) { return a.second > b.second; });
  html.element("h3", "Findings by rule");
  html.element("table", {{"class", "data"}}, [&] {
    html.element("tr", [&] {
      html.element("th", {{"class", "n"}}, "findings");
      html.element("th", "rule");
      html.element("th", "meaning");
    });
    for (const auto &[id, count] : sorted)
      html.element("tr", [&, &ruleId = id, &number = count] {
        html.element("td", {{"class", "n"}}, std::to_string(number));
        html.element("td", [&] {
          html.element("a", {{"href", "#rule-" + ruleId}}, ruleId);
        });
        const Rule *rule = findRule(ruleId);
        html.element("td",
                     [&] { writeMessage(html, rule ? rule->summary : ""); });
      });
  });
}

void HtmlPage::files() {
  html.element("table", {{"class", "data"}}, [&] {
    html.element("tr", [&] {
      html.element("th", "file");
      html.element("th", {{"class", "n"}}, "kernels");
      if (!run.isCheck)
        html.element("th", {{"class", "n"}}, "optimized");
      html.element("th", {{"class", "n"}}, "findings");
      html.element("th", {{"class", "n"}}, "errors");
    });
    auto number = [&](size_t value) {
      html.element("td", {{"class", "n"}}, value ? std::to_string(value) : "-");
    };
    for (const FilePage &page : pages)
      html.element("tr", [&] {
        html.element("td", [&] {
          html.element("a", {{"href", "#" + page.id}}, page.name());
        });
        number(page.file.result.kernels.size());
        if (!run.isCheck)
          number(page.changedKernels());
        number(page.count(AnnotationKind::Finding));
        number(page.count(AnnotationKind::Error));
      });
  });
}

//===-- Files -------------------------------------------------------------===//

void HtmlPage::section(const FilePage &page) {
  html.element("section", {{"id", page.id}}, [&] {
    html.element("h2", page.name());
    if (page.file.options)
      html.element("p", {{"class", "facts"}},
                   describeOptions(*page.file.options));
    contents(page);
    writeSource(html, page.id, page.name(), page.file.source, page.annotations);
    kernels(page);
  });
}

static std::string kernelAnchor(const FilePage &page,
                                const KernelReport &kernel) {
  return page.id + "-" + kernel.name;
}

/// Links to what the file's kernels have below its source.
void HtmlPage::contents(const FilePage &page) {
  if (!page.file.result.ok || page.file.result.kernels.empty())
    return;
  html.element("nav", [&] {
    for (const KernelReport &kernel : page.file.result.kernels) {
      html.element("a", {{"href", "#" + kernelAnchor(page, kernel)}},
                   kernel.name);
    }
  });
}

void HtmlPage::kernels(const FilePage &page) {
  const Result &result = page.file.result;
  if (!result.ok)
    return;
  const ComparisonView comparison(page.id, page.file);
  for (const KernelReport &kernel : result.kernels) {
    html.element("h3", {{"id", kernelAnchor(page, kernel)}}, [&] {
      html.text("Kernel ");
      html.element("code", kernel.name);
      html.text(" ");
      if (!run.isCheck)
        html.element("span",
                     {{"class", kernel.changed ? "tag good" : "tag plain"}},
                     kernel.changed ? "optimized" : "unchanged");
    });
    if (!run.isCheck)
      comparison.write(html, kernel);
    writeRecipe(html, kernel, page.annotations);
    if (run.measurements)
      writeMeasurements(html, *run.measurements, kernel.name);
    writeWork(html, kernel);
    writePlacement(html, kernel);
    writeAccesses(html, page.id, kernel, run.isCheck);
    writeOrders(html, kernel);
  }
}

//===-- Rules -------------------------------------------------------------===//

/// What the rules mean that the page speaks of, as it is read without a
/// network.
void HtmlPage::rules() {
  std::set<std::string> used;
  for (const FilePage &page : pages)
    for (const Annotation &one : page.annotations)
      used.insert(one.ruleId);
  if (llvm::none_of(used, [](const std::string &id) { return findRule(id); }))
    return;
  html.element("section", [&] {
    html.element("h2", "Rules");
    for (const Rule &rule : allRules()) {
      if (!used.count(rule.id))
        continue;
      html.element("div", {{"id", std::string("rule-") + rule.id}}, [&] {
        html.element("h3", rule.id);
        html.element("p", [&] { writeMessage(html, rule.summary); });
        html.element("p", {{"class", "facts"}},
                     [&] { writeMessage(html, rule.help); });
      });
    }
  });
}

std::string clopt::printHtmlReport(const RunReport &run,
                                   const std::vector<Finding> &findings) {
  return HtmlPage(run, findings).print();
}
