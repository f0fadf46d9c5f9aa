//===- OptionsFile.cpp - the file .clopt.yaml -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/OptionsFileTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/OptionsFile.h"

#include "Report/CheckSelection.h"
#include "Support/BuildFlags.h"
#include "Support/Suggest.h"
#include "Target/DeviceProfile.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/GlobPattern.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/YAMLParser.h>
#include <llvm/Support/YAMLTraits.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <functional>
#include <set>

using namespace clopt;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
namespace yaml = llvm::yaml;

namespace {

/// Reads one text, collecting all that is wrong with it.
class Reader {
public:
  Reader(const std::string &text, const std::string &file)
      : stream(text, manager) {
    result.value.path = file;
    manager.setDiagHandler(
        [](const llvm::SMDiagnostic &diagnostic, void *self) {
          static_cast<Reader *>(self)->syntaxError(diagnostic);
        },
        this);
  }

  OptionsFileText read() {
    yaml::document_iterator document = stream.begin();
    if (document != stream.end())
      if (yaml::Node *root = document->getRoot();
          root && !llvm::isa<yaml::NullNode>(root))
        readAll(*root);
    if (result.errors.empty() && document != stream.end() &&
        ++document != stream.end())
      if (yaml::Node *second = document->getRoot())
        fail(*second, "a configuration is one document");
    llvm::stable_sort(result.errors, [](const auto &left, const auto &right) {
      return std::pair(left.location.line, left.location.column) <
             std::pair(right.location.line, right.location.column);
    });
    return std::move(result);
  }

private:
  using Handler = std::function<void(yaml::Node &)>;
  struct Key {
    const char *name;
    Handler read;
  };
  struct Word {
    std::string text;
    yaml::Node *node;
  };

  void readAll(yaml::Node &root) {
    OptionsFile &to = result.value;
    std::optional<bool> inherits;
    readMapping(
        root, {{"target", [&](yaml::Node &node) { readTarget(node); }},
               {"flags", [&](yaml::Node &node) { to.flags = readFlags(node); }},
               {"files", [&](yaml::Node &node) { readFiles(node); }},
               value("alias", to.alias, parseAliasMode),
               value("validate", to.validate, parseValidateMode),
               value("local-size", to.localSize, parseLocalSize),
               value("format", to.format, parseFindingFormat),
               value("quiet", to.isQuiet, parseFlag),
               value("InheritParentConfig", inherits, parseFlag),
               {"checks", [&](yaml::Node &node) { readChecks(node); }},
               {"baseline",
                [&](yaml::Node &node) {
                  if (std::optional<std::string> word = readWord(node))
                    to.baseline = fromFolder(*word);
                }},
               {"error-on", [&](yaml::Node &node) {
                  for (const Word &word : readWords(node))
                    if (auto threshold =
                            checked(*word.node,
                                    parseErrorThreshold(word.text, "error-on")))
                      to.errorOn.push_back(*threshold);
                  to.errorOnFile = to.path;
                }}});
    to.inheritsParent = inherits.value_or(false);
  }

  void readMapping(yaml::Node &node, const std::vector<Key> &keys) {
    auto *mapping = llvm::dyn_cast<yaml::MappingNode>(&node);
    if (!mapping) {
      fail(node, "keys with values are wanted here, as in 'target: cpu'");
      return;
    }
    std::vector<std::string> names;
    for (const Key &key : keys)
      names.push_back(key.name);
    std::set<std::string> seen;
    for (yaml::KeyValueNode &entry : *mapping) {
      yaml::Node *key = entry.getKey();
      if (!key)
        return; // a mistake of form, which the parser has reported
      std::optional<std::string> name = readWord(*key);
      if (!name)
        continue;
      auto known = llvm::find_if(
          keys, [&](const Key &one) { return *name == one.name; });
      if (known == keys.end())
        fail(*key, "unknown key '" + *name + "'" + didYouMean(*name, names));
      else if (!seen.insert(*name).second)
        fail(*key, "the key '" + *name + "' is given twice");
      else if (yaml::Node *value = entry.getValue();
               !value || llvm::isa<yaml::NullNode>(value))
        fail(*key, "the key '" + *name + "' has no value");
      else
        known->read(*value);
    }
  }

  std::optional<std::string> readWord(yaml::Node &node) {
    if (auto *scalar = llvm::dyn_cast<yaml::ScalarNode>(&node)) {
      llvm::SmallString<64> storage;
      return scalar->getValue(storage).str();
    }
    if (auto *block = llvm::dyn_cast<yaml::BlockScalarNode>(&node))
      return block->getValue().trim().str();
    fail(node, "one value is wanted here");
    return std::nullopt;
  }

  /// One value, or a list of them.
  std::vector<Word> readWords(yaml::Node &node) {
    std::vector<Word> words;
    auto *list = llvm::dyn_cast<yaml::SequenceNode>(&node);
    if (!list) {
      if (std::optional<std::string> word = readWord(node))
        words.push_back({*word, &node});
      return words;
    }
    for (yaml::Node &item : *list)
      if (std::optional<std::string> word = readWord(item))
        words.push_back({*word, &item});
    return words;
  }

  /// Nothing where it is wrong, which is an error there.
  template <typename T>
  std::optional<T> checked(yaml::Node &node, llvm::Expected<T> value) {
    if (value)
      return std::move(*value);
    fail(node, llvm::toString(value.takeError()));
    return std::nullopt;
  }

  /// A key with one value.
  template <typename T>
  Key value(const char *name, std::optional<T> &to,
            llvm::Expected<T> (*parse)(StringRef, const std::string &)) {
    return {name, [this, name, &to, parse](yaml::Node &node) {
              if (std::optional<std::string> word = readWord(node))
                if (auto value = checked(node, parse(*word, name)))
                  to = *value;
            }};
  }

  void readTarget(yaml::Node &node) {
    std::optional<std::string> word = readWord(node);
    if (!word)
      return;
    const bool isName = llvm::is_contained(builtinProfileNames(), *word);
    const bool isFile =
        path::extension(*word) == ".json" || StringRef(*word).contains('/');
    result.value.target = isFile && !isName ? fromFolder(*word) : *word;
    if (*word == "native")
      return; // which device that is, is asked when it is needed
    checked(node, loadProfile(*result.value.target));
  }

  void readChecks(yaml::Node &node) {
    // Several patterns are one text with commas.
    std::string all;
    for (const Word &word : readWords(node))
      if (checked(*word.node, CheckSelection::parse(word.text)))
        all += (all.empty() ? "" : ",") + word.text;
    result.value.checks = all;
  }

  std::vector<std::string> readFlags(yaml::Node &node) {
    std::vector<std::string> flags;
    std::string before; // a flag that waits for its value
    yaml::Node *last = &node;
    for (const Word &word : readWords(node)) {
      const std::vector<std::string> whole = {word.text};
      for (std::string part : before.empty() ? splitBuildFlags(whole) : whole) {
        if (!before.empty()) {
          flags.push_back(isFolderFlag(before) ? fromFolder(part) : part);
          before.clear();
          continue;
        }
        if (!StringRef(part).starts_with("-"))
          fail(*word.node, "'" + part +
                               "' is no flag of clBuildProgram: those begin "
                               "with '-'");
        if (takesNextWord(part))
          before = part;
        else if (StringRef(part).starts_with("-I"))
          part = "-I" + fromFolder(part.substr(2));
        flags.push_back(part);
      }
      last = word.node;
    }
    if (!before.empty())
      fail(*last, "the flag '" + before + "' needs a value");
    return flags;
  }

  static bool isFolderFlag(StringRef flag) {
    return flag == "-I" || flag == "-isystem" || flag == "-include";
  }

  void readFiles(yaml::Node &node) {
    auto *list = llvm::dyn_cast<yaml::SequenceNode>(&node);
    if (!list) {
      fail(node,
           "a list is wanted here, each with 'path' and 'flags' or 'launch'");
      return;
    }
    for (yaml::Node &item : *list) {
      const size_t before = result.errors.size();
      FileFlags file;
      readMapping(
          item,
          {{"path",
            [&](yaml::Node &value) { file.pattern = readPattern(value); }},
           {"flags", [&](yaml::Node &value) { file.flags = readFlags(value); }},
           {"launch", [&](yaml::Node &value) {
              for (const Word &word : readWords(value))
                file.launches.push_back(fromFolder(word.text));
            }}});
      if (!file.pattern.empty())
        result.value.files.push_back(std::move(file));
      else if (result.errors.size() == before)
        fail(item, "'path' says which files it is for");
    }
  }

  /// Empty when it is malformed.
  std::string readPattern(yaml::Node &node) {
    const std::string pattern = readWord(node).value_or("");
    llvm::Expected<llvm::GlobPattern> glob =
        llvm::GlobPattern::create(pattern, /*MaxSubPatterns=*/1024);
    if (glob)
      return pattern;
    fail(node, "'" + pattern +
                   "' is no pattern: " + llvm::toString(glob.takeError()));
    return "";
  }

  /// Paths in a configuration begin at its folder.
  std::string fromFolder(const std::string &name) const {
    if (path::is_absolute(name))
      return name;
    llvm::SmallString<128> joined = path::parent_path(result.value.path);
    path::append(joined, name);
    return joined.str().str();
  }

  void add(llvm::SMLoc place, const std::string &message) {
    const auto [line, column] = manager.getLineAndColumn(place);
    Diagnostic error;
    error.location.file = result.value.path;
    error.location.line = line;
    error.location.column = column;
    error.message = message;
    result.errors.push_back(std::move(error));
  }

  void fail(yaml::Node &node, const std::string &message) {
    if (!hasSyntaxError)
      add(node.getSourceRange().Start, message);
  }

  void syntaxError(const llvm::SMDiagnostic &diagnostic) {
    // What follows the first mistake of form is guesswork.
    if (hasSyntaxError)
      return;
    hasSyntaxError = true;
    add(diagnostic.getLoc(), diagnostic.getMessage().str());
  }

  llvm::SourceMgr manager;
  yaml::Stream stream;
  bool hasSyntaxError = false;
  OptionsFileText result;
};

} // namespace

OptionsFileText clopt::parseOptionsFile(const std::string &text,
                                        const std::string &file) {
  return Reader(text, file).read();
}

static std::string absolutePath(StringRef name) {
  llvm::SmallString<128> result = name;
  (void)fs::make_absolute(result);
  path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

std::vector<const FileFlags *>
OptionsFile::matching(const std::string &source) const {
  StringRef name = path::filename(source);
  const std::string whole = absolutePath(source);
  StringRef below = whole;
  const std::string folder = path::parent_path(absolutePath(path)).str();
  if (below.consume_front(folder))
    below.consume_front("/");
  std::vector<const FileFlags *> result;
  for (const FileFlags &file : files) {
    llvm::GlobPattern glob = llvm::cantFail(
        llvm::GlobPattern::create(file.pattern, /*MaxSubPatterns=*/1024));
    const bool isPath = StringRef(file.pattern).contains('/');
    if (glob.match(isPath ? below : name))
      result.push_back(&file);
  }
  return result;
}

std::vector<std::string> OptionsFile::flagsOf(const std::string &source) const {
  std::vector<std::string> result;
  if (parent)
    result = parent->flagsOf(source);
  result = joinBuildFlags(result, flags);
  for (const FileFlags *file : matching(source))
    result = joinBuildFlags(result, file->flags);
  return result;
}

std::vector<std::string>
OptionsFile::launchesOf(const std::string &source) const {
  std::vector<std::string> result;
  for (const FileFlags *file : matching(source))
    llvm::append_range(result, file->launches);
  return result.empty() && parent ? parent->launchesOf(source) : result;
}

template <typename T>
static void inheritValue(std::optional<T> &own, const std::optional<T> &above) {
  if (!own)
    own = above;
}

void OptionsFile::inherit(const OptionsFile &above) {
  inheritValue(target, above.target);
  inheritValue(alias, above.alias);
  inheritValue(validate, above.validate);
  inheritValue(localSize, above.localSize);
  inheritValue(format, above.format);
  inheritValue(isQuiet, above.isQuiet);
  inheritValue(baseline, above.baseline);
  if (above.checks && !above.checks->empty())
    checks = *above.checks +
             (checks && !checks->empty() ? "," + *checks : std::string());
  if (errorOn.empty()) {
    errorOn = above.errorOn;
    errorOnFile = above.errorOnFile;
  }
  parent = std::make_shared<OptionsFile>(above);
}

/// A word of YAML, in quotation marks where it would mean something else.
static std::string quoted(StringRef text) {
  if (yaml::needsQuotes(text) == yaml::QuotingType::None)
    return text.str();
  return "\"" + yaml::escape(text, /*EscapePrintable=*/false) + "\"";
}

static void printWords(llvm::raw_ostream &stream, StringRef indent,
                       StringRef key, const std::vector<std::string> &words) {
  if (words.empty())
    return;
  stream << key << ":\n";
  for (const std::string &word : words)
    stream << indent << "  - " << quoted(word) << "\n";
}

std::string clopt::printOptionsFile(const OptionsFile &configuration) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto print = [&](StringRef key, const auto &value, const auto &toText) {
    if (value)
      stream << key << ": " << toText(*value) << "\n";
  };
  print("target", configuration.target, quoted);
  printWords(stream, "", "flags", configuration.flags);
  if (!configuration.files.empty())
    stream << "files:\n";
  for (const FileFlags &file : configuration.files) {
    stream << "  - path: " << quoted(file.pattern) << "\n";
    printWords(stream, "    ", "    flags", file.flags);
    printWords(stream, "    ", "    launch", file.launches);
  }
  print("alias", configuration.alias, aliasName);
  print("validate", configuration.validate, validateName);
  print("local-size", configuration.localSize, [](const auto &size) {
    return llvm::formatv("\"{0},{1},{2}\"", size[0], size[1], size[2]).str();
  });
  print("format", configuration.format, formatName);
  print("quiet", configuration.isQuiet,
        [](bool isQuiet) { return isQuiet ? "true" : "false"; });
  if (configuration.checks && !configuration.checks->empty())
    print("checks", configuration.checks, quoted);
  print("baseline", configuration.baseline, quoted);
  std::vector<std::string> limits;
  for (const ErrorThreshold &threshold : configuration.errorOn)
    limits.push_back(threshold.what + "=" + std::to_string(threshold.limit));
  printWords(stream, "", "error-on", limits);
  return text;
}

std::string clopt::findOptionsFile(const std::string &source) {
  // Names stay relative as long as they can: they show in messages.
  const bool isPlain =
      !path::is_absolute(source) && !StringRef(source).contains("..");
  std::string folder = path::parent_path(source).str();
  if (!isPlain)
    folder = path::parent_path(absolutePath(source)).str();
  if (fs::is_directory(source))
    folder = isPlain ? source : absolutePath(source);
  while (true) {
    llvm::SmallString<128> file(folder);
    path::append(file, ".clopt.yaml");
    if (fs::is_regular_file(file))
      return file.str().str();
    if (folder.empty() || folder == ".")
      folder = absolutePath("");
    if (!path::has_parent_path(folder)) {
      if (path::is_absolute(folder))
        return "";
      folder = "";
    } else {
      folder = path::parent_path(folder).str();
    }
  }
}

std::string clopt::findParentOptionsFile(const std::string &file) {
  const std::string folder =
      path::parent_path(path::parent_path(absolutePath(file))).str();
  return folder.empty() ? "" : findOptionsFile(folder);
}
