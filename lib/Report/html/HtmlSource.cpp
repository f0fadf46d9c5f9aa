//===- HtmlSource.cpp - a source with remarks under its lines -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As LLVM's opt-viewer shows them: one row per line, the remarks in rows of
// their own below, and what they are about underlined.
//
// Tested by test/unit/HtmlSourceTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/html/HtmlSource.h"

#include "Report/html/CodeColors.h"
#include "Support/Refusals.h"

#include <map>

using namespace clopt;

/// Characters of a message that is shown as a whole.
static constexpr size_t longMessage = 200;

std::string clopt::lineAnchor(const std::string &fileId, unsigned line) {
  return fileId + "-L" + std::to_string(line);
}

static void writeTag(HtmlWriter &html, const std::string &style,
                     const std::string &name) {
  html.element("span", {{"class", "tag " + style}}, name);
  html.text(" ");
}

/// Long lists are unfolded when they are wanted.
static void writeText(HtmlWriter &html, llvm::StringRef message) {
  const size_t end = message.find("; ");
  if (message.size() <= longMessage || end == llvm::StringRef::npos) {
    writeMessage(html, message);
    return;
  }
  html.element("details", [&] {
    html.element("summary",
                 [&] { writeMessage(html, message.take_front(end)); });
    writeMessage(html, message.drop_front(end + 2));
  });
}

void clopt::writeAnnotation(HtmlWriter &html, const Annotation &annotation) {
  const std::string kind = annotationName(annotation.kind);
  const bool isQuiet = annotation.isSuppressed || annotation.isInBaseline;
  html.element(
      "div", {{"class", "note " + kind + (isQuiet ? " quiet" : "")}}, [&] {
        writeTag(html, kind, annotation.pass.empty() ? kind : annotation.pass);
        if (annotation.isSuppressed)
          writeTag(html, "plain", "suppressed");
        if (annotation.isInBaseline)
          writeTag(html, "plain", "in the baseline");
        writeText(html, annotation.message);
        if (const Rule *rule = findRule(annotation.ruleId)) {
          html.text(" ");
          html.element("a",
                       {{"class", "rule"},
                        {"href", "#rule-" + annotation.ruleId},
                        {"title", rule->summary}},
                       annotation.ruleId);
        }
        if (!annotation.hint.empty())
          html.element("div", {{"class", "hint"}},
                       [&] { writeMessage(html, annotation.hint); });
      });
}

static std::string markOf(AnnotationKind kind) {
  return std::string("mark ") + annotationName(kind);
}

/// Underlines what the annotation is about, if it is a part of the line.
static void mark(CodeLine &line, const Annotation &annotation) {
  const SourceRange &at = annotation.location;
  if (annotation.isSuppressed || annotation.isInBaseline || at.column == 0 ||
      at.endLine != at.line || at.endColumn <= at.column)
    return;
  line.parts.push_back(
      {at.column - 1, at.endColumn - 1, markOf(annotation.kind)});
}

void clopt::writeSource(HtmlWriter &html, const std::string &fileId,
                        const std::string &file, const std::string &source,
                        const std::vector<Annotation> &annotations) {
  std::vector<CodeLine> lines = colorCode(source);
  std::map<size_t, std::vector<const Annotation *>> byLine;
  for (const Annotation &annotation : annotations) {
    const SourceRange &at = annotation.location;
    const bool isHere =
        at.file == file && at.line >= 1 && at.line <= lines.size();
    byLine[isHere ? at.line : 0].push_back(&annotation);
    if (isHere && (annotation.kind == AnnotationKind::Finding ||
                   annotation.kind == AnnotationKind::Missed))
      mark(lines[at.line - 1], annotation);
  }
  for (const Annotation *annotation : byLine[0])
    writeAnnotation(html, *annotation);
  if (lines.empty())
    return;
  html.element("table", {{"class", "source"}}, [&] {
    for (size_t i = 1; i <= lines.size(); ++i) {
      const std::string anchor = lineAnchor(fileId, static_cast<unsigned>(i));
      html.element("tr", {{"id", anchor}}, [&] {
        html.element("td", {{"class", "number"}}, [&] {
          html.element("a", {{"href", "#" + anchor}}, std::to_string(i));
        });
        html.element("td", {{"class", "code"}},
                     [&] { writeCode(html, lines[i - 1]); });
      });
      auto notes = byLine.find(i);
      if (notes == byLine.end())
        continue;
      html.element("tr", {{"class", "notes"}}, [&] {
        html.element("td", {{"class", "number"}}, "");
        html.element("td", [&] {
          for (const Annotation *annotation : notes->second)
            writeAnnotation(html, *annotation);
        });
      });
    }
  });
}
