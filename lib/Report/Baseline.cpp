//===- Baseline.cpp - findings that are allowed to stay -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/BaselineTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/Baseline.h"

#include "Report/JsonText.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <filesystem>
#include <map>

using namespace clopt;

static constexpr const char *kindName = "clopt-baseline";
static constexpr int64_t currentVersion = 1;

/// Without symbolic links in its folder, which are no difference.
static std::string resolved(llvm::StringRef name) {
  llvm::SmallString<128> path = name;
  if (llvm::sys::fs::make_absolute(path))
    return name.str();
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::real_path(llvm::sys::path::parent_path(path), folder))
    return path.str().str();
  llvm::sys::path::append(folder, llvm::sys::path::filename(path));
  return folder.str().str();
}

static std::string folderOf(const std::string &baseline) {
  return llvm::sys::path::parent_path(resolved(baseline)).str();
}

/// The name of an input in a baseline.
static std::string nameIn(const std::string &baseline,
                          const std::string &input) {
  if (input.empty() || input == "-")
    return "";
  return std::filesystem::path(resolved(input))
      .lexically_relative(folderOf(baseline))
      .generic_string();
}

static bool isFileGone(const Baseline &baseline, const BaselineEntry &entry) {
  llvm::SmallString<128> path(folderOf(baseline.path));
  llvm::sys::path::append(path, entry.file);
  return !entry.file.empty() && !llvm::sys::fs::exists(path);
}

static bool isGone(const Baseline &baseline, const BaselineEntry &entry) {
  return entry.isCovered || isFileGone(baseline, entry);
}

/// Sorted: a changed kernel changes few lines of the file.
using SortedEntries =
    std::map<std::pair<std::string, std::string>, BaselineEntry>;

static void add(SortedEntries &entries, const BaselineEntry &entry) {
  auto [known, isNew] =
      entries.try_emplace({entry.fingerprint, entry.file}, entry);
  if (!isNew)
    known->second.count += entry.count;
}

std::string clopt::printBaseline(const std::string &path,
                                 const std::vector<Finding> &findings,
                                 const Baseline *before) {
  SortedEntries entries;
  for (const Finding &finding : findings) {
    const AccessReport &access = *finding.access;
    if (!finding.isSuppressed)
      add(entries, {finding.fingerprint, nameIn(path, finding.input),
                    access.kernel, access.text, access.ruleId, 1});
  }
  if (before)
    for (const BaselineEntry &entry : before->entries)
      if (!isGone(*before, entry))
        add(entries, entry);
  return printJson([&](llvm::json::OStream &json) {
    json.attribute("kind", kindName);
    json.attribute("version", currentVersion);
    jsonObjects(json, "findings", entries, [&](const auto &sorted) {
      const BaselineEntry &entry = sorted.second;
      json.attribute("fingerprint", entry.fingerprint);
      json.attribute("count", entry.count);
      if (!entry.file.empty())
        json.attribute("file", jsonText(entry.file));
      json.attribute("kernel", jsonText(entry.kernel));
      // For people who read the file; not looked at.
      json.attribute("access", jsonText(entry.access));
      json.attribute("rule", jsonText(entry.rule));
    });
  });
}

static llvm::Error malformed(const std::string &name,
                             const std::string &reason) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "%s: not a baseline: %s", name.c_str(),
                                 reason.c_str());
}

llvm::Expected<Baseline> clopt::parseBaseline(const std::string &text,
                                              const std::string &path) {
  llvm::Expected<llvm::json::Value> document = llvm::json::parse(text);
  if (!document)
    return malformed(path, llvm::toString(document.takeError()));
  const llvm::json::Object *root = document->getAsObject();
  if (!root || root->getString("kind") != llvm::StringRef(kindName))
    return malformed(path, "\"kind\" is not \"clopt-baseline\"; make one with "
                           "--write-baseline");
  if (root->getInteger("version") != currentVersion)
    return malformed(path, "\"version\" is not 1; make it again with "
                           "--write-baseline");
  const llvm::json::Array *entries = root->getArray("findings");
  if (!entries)
    return malformed(path, "\"findings\" is missing");
  Baseline baseline;
  baseline.path = path;
  for (const llvm::json::Value &entry : *entries) {
    const llvm::json::Object *object = entry.getAsObject();
    auto key = object ? object->getString("fingerprint") : std::nullopt;
    auto count = object ? object->getInteger("count") : std::nullopt;
    if (!key || !count || *count < 1)
      return malformed(path, "a finding has no \"fingerprint\" or \"count\"");
    auto word = [&](llvm::StringRef member) {
      return object->getString(member).value_or("").str();
    };
    const auto all = static_cast<unsigned>(*count);
    baseline.entries.push_back({key->str(), word("file"), word("kernel"),
                                word("access"), word("rule"), all, all});
  }
  return baseline;
}

/// An entry that allows the finding, if possible of its file.
static BaselineEntry *entryFor(Baseline &baseline, const Finding &finding) {
  const std::string file = nameIn(baseline.path, finding.input);
  BaselineEntry *other = nullptr;
  for (BaselineEntry &entry : baseline.entries) {
    if (entry.fingerprint != finding.fingerprint || entry.left == 0)
      continue;
    if (entry.file == file)
      return &entry;
    if (!other)
      other = &entry;
  }
  return other;
}

void clopt::applyBaseline(Baseline &baseline, std::vector<Finding> &findings) {
  for (Finding &finding : findings) {
    if (finding.isSuppressed)
      continue;
    if (BaselineEntry *entry = entryFor(baseline, finding)) {
      --entry->left;
      finding.isInBaseline = true;
    }
  }
}

void clopt::coverBaseline(
    Baseline &baseline, const ProcessedFile &file,
    llvm::function_ref<bool(const std::string &)> isWanted) {
  const std::string name = nameIn(baseline.path, file.path);
  const std::vector<const Remark *> unknown = unanalyzedKernels(file.result);
  for (BaselineEntry &entry : baseline.entries) {
    // Without a name of the file, that of the kernel has to do.
    const bool isHere = entry.file.empty()
                            ? llvm::any_of(file.result.kernels,
                                           [&](const KernelReport &kernel) {
                                             return kernel.name == entry.kernel;
                                           })
                            : entry.file == name;
    entry.isCovered |= isHere && isWanted(entry.rule) &&
                       llvm::none_of(unknown, [&](const Remark *remark) {
                         return remark->function == entry.kernel;
                       });
  }
}

unsigned clopt::countGone(const Baseline &baseline) {
  unsigned count = 0;
  for (const BaselineEntry &entry : baseline.entries)
    if (isGone(baseline, entry))
      count += entry.left;
  return count;
}
