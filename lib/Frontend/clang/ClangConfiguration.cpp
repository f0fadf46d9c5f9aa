//===- ClangConfiguration.cpp - what a kernel's text depends on -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel depends on its own text, on the declarations that the text names,
// and on what these name in turn. A conditional matters when it holds such a
// text, stands in it, or decides about a macro in it: also one that was left
// out. Of a conditional that matters, the outcome of its conditions is asked
// for again at the kernel's body.
//
// That works where their macros have not changed on the way. Where they have,
// as with
//
//   #ifndef TS
//   #define TS 16
//   #endif
//
// and the conditional does nothing but to define macros, these are compared
// instead: is TS 16? So are macros of the command line that the text uses.
// What an `#if` cannot compare is a problem, and the kernel stays as it is.
// Operators beside a macro take part of one like `8 + 8`, and no value tells:
// numbers have to stand for themselves, here and where the text is built.
//
// Names are looked for generously: a word of the text that is no name at all
// makes at most one condition too many.
//
// Tested by test/unit/ClangConditionsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangConditions.h"
#include "Frontend/clang/TreeVisitor.h"

#include "Model/MentionedNames.h"

#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace clopt {

using clang::SourceLocation;

/// Names that a declaration introduces outside of itself.
static void addIntroduced(const clang::Decl &decl,
                          std::set<std::string> &names) {
  if (const auto *named = llvm::dyn_cast<clang::NamedDecl>(&decl))
    if (named->getDeclName().isIdentifier() && named->getIdentifier())
      names.insert(named->getName().str());
  const auto *scope = llvm::dyn_cast<clang::DeclContext>(&decl);
  if (scope &&
      llvm::isa<clang::EnumDecl, clang::LinkageSpecDecl, clang::NamespaceDecl>(
          decl))
    for (const clang::Decl *inner : scope->decls())
      addIntroduced(*inner, names);
}

/// True when nothing but comments stands before and behind the conditional.
static bool isAllOfFile(const TextConditional &conditional,
                        const clang::ASTContext &ast) {
  const clang::SourceManager &manager = ast.getSourceManager();
  clang::FileID file = manager.getFileID(conditional.begin);
  llvm::StringRef whole = manager.getBufferData(file);
  clang::Lexer lexer(manager.getLocForStartOfFile(file), ast.getLangOpts(),
                     whole.begin(), whole.begin(), whole.end());
  clang::Token token;
  lexer.LexFromRawLexer(token); // `#`
  lexer.LexFromRawLexer(token);
  if (token.getLocation() != conditional.begin)
    return false;
  while (token.isNot(clang::tok::eof) && token.getLocation() != conditional.end)
    lexer.LexFromRawLexer(token);
  do
    lexer.LexFromRawLexer(token);
  while (token.isNot(clang::tok::eof) && !token.isAtStartOfLine());
  return token.is(clang::tok::eof);
}

/// True for `#ifndef X` around all of a file, or with an empty `#define X` in
/// it: it is about being read twice.
bool ConfigurationFinder::isGuard(const TextConditional &conditional) const {
  if (conditional.hasSkipped || conditional.conditions.size() != 1)
    return false;
  const TextCondition &only = conditional.conditions.front();
  if (only.text.compare(0, 1, "!") != 0 || !only.isTrue)
    return false;
  for (const MacroChange &change : log.changes)
    if (only.text == "!defined(" + change.name + ")" && change.info &&
        change.info->tokens_empty() && change.info->isObjectLike() &&
        overlaps(conditional, change.at, change.at))
      return true;
  return isAllOfFile(conditional, ast);
}

ConfigurationFinder::ConfigurationFinder(clang::ASTContext &context,
                                         clang::Preprocessor &finished,
                                         const PreprocessorLog &record)
    : ast(context), preprocessor(finished), log(record),
      manager(context.getSourceManager()) {
  collectSites(*ast.getTranslationUnitDecl());
  placeExpansions();
  for (size_t i = 0; i < log.conditionals.size(); ++i) {
    if (isGuard(log.conditionals[i]))
      guards.insert(i);
    for (const std::string &name : log.conditionals[i].skippedNames)
      skippedIn[name].push_back(i);
  }
  for (size_t i = 0; i < log.changes.size(); ++i)
    changesOf[log.changes[i].name].push_back(i);
}

void ConfigurationFinder::collectSites(const clang::DeclContext &scope) {
  for (const clang::Decl *decl : scope.decls()) {
    Site site;
    site.decl = decl;
    site.begin = manager.getExpansionLoc(decl->getBeginLoc());
    site.end = manager.getExpansionRange(decl->getEndLoc()).getEnd();
    if (decl->isImplicit() || site.begin.isInvalid() || site.end.isInvalid() ||
        manager.isInSystemHeader(site.begin))
      continue;
    addIntroduced(*decl, site.names);
    for (size_t i = 0; i < log.conditionals.size(); ++i)
      if (overlaps(log.conditionals[i], site.begin, site.end))
        site.conditionals.push_back(i);
    for (const std::string &name : site.names)
      sitesOf[name].push_back(sites.size());
    sites.push_back(std::move(site));
  }
}

static bool isBefore(const clang::SourceManager &manager, SourceLocation a,
                     SourceLocation b) {
  return a != b && manager.isBeforeInTranslationUnit(a, b);
}

/// Declarations stand in order; the few that overlap are neighbours: a
/// `typedef` and the `struct` in it, the variables of one declaration.
void ConfigurationFinder::placeExpansions() {
  for (size_t i = 0; i < log.expansions.size(); ++i) {
    SourceLocation at = log.expansions[i].at;
    auto next = std::upper_bound(sites.begin(), sites.end(), at,
                                 [&](SourceLocation place, const Site &site) {
                                   return isBefore(manager, place, site.begin);
                                 });
    for (; next != sites.begin(); --next) {
      Site &site = *std::prev(next);
      if (isBefore(manager, site.end, at))
        break;
      site.expansions.push_back(i);
    }
  }
}

bool ConfigurationFinder::overlaps(const TextConditional &conditional,
                                   SourceLocation first,
                                   SourceLocation last) const {
  return !isBefore(manager, last, conditional.begin) &&
         !isBefore(manager, conditional.end, first);
}

std::string ConfigurationFinder::text(SourceLocation first,
                                      SourceLocation last) const {
  last = clang::Lexer::getLocForEndOfToken(last, 0, manager, ast.getLangOpts());
  return clang::Lexer::getSourceText(
             clang::CharSourceRange::getCharRange(first, last), manager,
             ast.getLangOpts())
      .str();
}

namespace {

/// Names of all that a declaration refers to.
class ReferredNames : public TreeVisitor {
public:
  bool visitStmt(clang::Stmt &stmt) override {
    if (const auto *expr = llvm::dyn_cast<clang::DeclRefExpr>(&stmt))
      add(*expr->getDecl());
    return true;
  }
  bool visitTypeLoc(clang::TypeLoc type) override {
    if (const auto alias = type.getAs<clang::TypedefTypeLoc>())
      add(*alias.getTypedefNameDecl());
    if (const auto tag = type.getAs<clang::TagTypeLoc>())
      add(*tag.getDecl());
    return true;
  }
  std::set<std::string> names;

private:
  void add(const clang::NamedDecl &decl) {
    if (decl.getDeclName().isIdentifier() && decl.getIdentifier())
      names.insert(decl.getName().str());
  }
};

} // namespace

/// All that the text of a declaration may be about.
const std::set<std::string> &ConfigurationFinder::wordsOf(Site &site) const {
  if (site.words)
    return *site.words;
  ReferredNames referred;
  referred.walk(site.decl);
  addWords(text(site.begin, site.end), referred.names);
  for (size_t index : site.expansions)
    referred.names.insert(log.expansions[index].name);
  site.words = std::move(referred.names);
  return *site.words;
}

/// One function's configuration.
class ConfigurationSearch {
public:
  ConfigurationSearch(const ConfigurationFinder &owner,
                      const clang::FunctionDecl &definition)
      : finder(owner), log(owner.log), manager(owner.ast.getSourceManager()),
        function(definition) {
    begin = manager.getExpansionLoc(function.getBeginLoc());
    end = manager.getExpansionRange(function.getEndLoc()).getEnd();
    body = manager.getExpansionLoc(function.getBody()->getBeginLoc());
  }
  Configuration run();

private:
  // What matters.
  void addSite(size_t index);
  void addName(const std::string &name);
  void addMeaning(const std::string &name);
  void addTested(const std::string &name);
  void addAround(SourceLocation at);
  void addConditional(size_t index);

  // How to ask for it.
  void express(const TextConditional &conditional);
  bool isInside(const TextConditional &conditional) const;
  bool isInside(const TextCondition &condition) const;
  bool staysAsItWas(const TextCondition &condition) const;
  void requireEqual(const std::string &name);
  bool isInteger(const clang::MacroInfo &info, unsigned depth) const;
  bool isPrimary(const clang::MacroInfo &info) const;
  bool isWord(const clang::MacroInfo &info) const;
  bool isReal(const clang::MacroInfo &info, unsigned depth) const;
  std::string spelling(const clang::MacroInfo &info) const;
  void require(std::string condition);
  void fail(const std::string &problem);

  bool isBefore(SourceLocation a, SourceLocation b) const {
    return clopt::isBefore(manager, a, b);
  }
  /// Indices of what bears the name.
  static const std::vector<size_t> &
  find(const ConfigurationFinder::Places &places, const std::string &name) {
    static const std::vector<size_t> none;
    auto found = places.find(name);
    return found == places.end() ? none : found->second;
  }
  bool isOfFlags(const clang::MacroInfo &info) const {
    SourceLocation at = info.getDefinitionLoc();
    return !info.isBuiltinMacro() && (manager.isWrittenInCommandLineFile(at) ||
                                      manager.isWrittenInBuiltinFile(at));
  }
  const clang::MacroInfo *atBody(const std::string &name) const {
    return finder.preprocessor
        .getMacroDefinitionAtLoc(finder.preprocessor.getIdentifierInfo(name),
                                 body)
        .getMacroInfo();
  }

  const ConfigurationFinder &finder;
  const PreprocessorLog &log;
  const clang::SourceManager &manager;
  const clang::FunctionDecl &function;
  SourceLocation begin, end, body;
  std::set<std::string> names, tested, compared;
  std::set<size_t> sites;
  std::set<size_t> conditionals;
  Configuration result;
};

void ConfigurationSearch::addSite(size_t index) {
  ConfigurationFinder::Site &site = finder.sites[index];
  if (isBefore(end, site.begin) || !sites.insert(index).second)
    return;
  for (size_t conditional : site.conditionals)
    addConditional(conditional);
  for (const std::string &name : finder.wordsOf(site))
    addName(name);
}

void ConfigurationSearch::addName(const std::string &name) {
  if (!names.insert(name).second)
    return;
  for (size_t index : find(finder.sitesOf, name))
    addSite(index);
  for (size_t index : find(finder.skippedIn, name))
    if (!isBefore(end, log.conditionals[index].begin))
      addConditional(index);
  addTested(name);
  addMeaning(name);
}

/// The words that a macro stands for, wherever it was defined.
void ConfigurationSearch::addMeaning(const std::string &name) {
  std::vector<const clang::MacroInfo *> infos{atBody(name)};
  for (size_t index : find(finder.changesOf, name))
    infos.push_back(log.changes[index].info);
  for (const clang::MacroInfo *info : infos)
    if (info)
      for (const clang::Token &token : info->tokens())
        if (const clang::IdentifierInfo *word = token.getIdentifierInfo())
          addName(word->getName().str());
}

/// A macro that text or conditions depend on: what decides about it matters.
void ConfigurationSearch::addTested(const std::string &name) {
  if (!tested.insert(name).second)
    return;
  for (size_t index : find(finder.changesOf, name))
    if (!isBefore(end, log.changes[index].at))
      addAround(log.changes[index].at);
}

void ConfigurationSearch::addAround(SourceLocation at) {
  for (size_t i = 0; i < log.conditionals.size(); ++i)
    if (finder.overlaps(log.conditionals[i], at, at))
      addConditional(i);
}

/// Conditions around the whole kernel are around its new body as well.
void ConfigurationSearch::addConditional(size_t index) {
  const TextConditional &conditional = log.conditionals[index];
  bool isAround =
      !isBefore(begin, conditional.begin) && !isBefore(conditional.end, end);
  if (isAround || finder.guards.count(index) ||
      !conditionals.insert(index).second)
    return;
  for (const TextCondition &condition : conditional.conditions)
    for (const auto &[name, info] : condition.macros)
      addTested(name);
}

//===-- How to ask for it -------------------------------------------------===//

void ConfigurationSearch::fail(const std::string &problem) {
  if (result.problem.empty())
    result.problem = problem;
}

void ConfigurationSearch::require(std::string condition) {
  std::vector<std::string> &all = result.conditions;
  if (std::find(all.begin(), all.end(), condition) == all.end())
    all.push_back(std::move(condition));
}

/// The opposite of a condition, and the condition among others: macros in it
/// may stand for any operators.
static std::string opposite(const std::string &text) {
  if (text.compare(0, 9, "!defined(") == 0 && text.find(')') == text.size() - 1)
    return text.substr(1);
  if (text.compare(0, 8, "defined(") == 0 && text.find(')') == text.size() - 1)
    return "!" + text;
  return "!(" + text + ")";
}
static std::string operand(const std::string &text) {
  bool isOne = text.find("defined(") <= 1 && text.find(')') == text.size() - 1;
  return isOne ? text : "(" + text + ")";
}

/// True when the file alone decides the condition.
bool ConfigurationSearch::isInside(const TextCondition &condition) const {
  for (const auto &[name, info] : condition.macros) {
    if (!info || info->isBuiltinMacro() || isOfFlags(*info) ||
        manager.isInSystemHeader(info->getDefinitionLoc()))
      return false;
    for (size_t index : find(finder.changesOf, name)) {
      const MacroChange &change = log.changes[index];
      if (!isBefore(change.at, condition.at))
        continue;
      for (size_t i = 0; i < log.conditionals.size(); ++i)
        if (finder.overlaps(log.conditionals[i], change.at, change.at) &&
            !finder.guards.count(i) && !isInside(log.conditionals[i]))
          return false;
    }
  }
  return true;
}

bool ConfigurationSearch::isInside(const TextConditional &conditional) const {
  return std::all_of(
      conditional.conditions.begin(), conditional.conditions.end(),
      [&](const TextCondition &condition) { return isInside(condition); });
}

/// True when asking at the kernel's body gives the same answer, with any flags.
bool ConfigurationSearch::staysAsItWas(const TextCondition &condition) const {
  bool isAhead = isBefore(condition.at, body);
  SourceLocation first = isAhead ? condition.at : body;
  SourceLocation last = isAhead ? body : condition.at;
  for (const auto &[name, info] : condition.macros)
    for (size_t index : find(finder.changesOf, name))
      if (isBefore(first, log.changes[index].at) &&
          isBefore(log.changes[index].at, last))
        return false;
  return true;
}

/// Macros that no text may define or undefine, says the language.
static bool isOfLanguage(llvm::StringRef name) {
  return name == "__cplusplus" || name.starts_with("__OPENCL_") ||
         name.starts_with("__STDC");
}

static bool isOfLanguage(const TextConditional &conditional) {
  for (const TextCondition &condition : conditional.conditions)
    for (const auto &[name, info] : condition.macros)
      if (!isOfLanguage(name))
        return false;
  return true;
}

void ConfigurationSearch::express(const TextConditional &conditional) {
  if (isInside(conditional))
    return;
  // What the file would define is not known: perhaps a macro of the condition.
  if (conditional.skipsInclude && !isOfLanguage(conditional))
    fail("flags decide whether a file is included");
  std::vector<std::string> asked;
  for (const TextCondition &condition : conditional.conditions) {
    if (isInside(condition))
      continue;
    if (!staysAsItWas(condition)) {
      asked.clear();
      break;
    }
    asked.push_back(condition.isTrue ? operand(condition.text)
                                     : opposite(condition.text));
  }
  for (std::string &condition : asked)
    require(std::move(condition));
  if (!asked.empty())
    return;
  for (size_t index : sites)
    if (finder.overlaps(conditional, finder.sites[index].begin,
                        finder.sites[index].end))
      return fail("'#if " + conditional.conditions.front().text +
                  "' cannot be asked again behind it");
  for (const MacroChange &change : log.changes)
    if (tested.count(change.name) &&
        finder.overlaps(conditional, change.at, change.at))
      requireEqual(change.name);
}

std::string ConfigurationSearch::spelling(const clang::MacroInfo &info) const {
  std::string text;
  for (const clang::Token &token : info.tokens()) {
    if (!text.empty() && token.hasLeadingSpace())
      text += ' ';
    text += finder.preprocessor.getSpelling(token);
  }
  return text;
}

/// True when an `#if` can compute it: integers, operators, and names of macros
/// for which the same holds.
bool ConfigurationSearch::isInteger(const clang::MacroInfo &info,
                                    unsigned depth) const {
  if (info.isFunctionLike() || info.tokens_empty() || depth > 8)
    return false;
  for (const clang::Token &token : info.tokens()) {
    std::string text = finder.preprocessor.getSpelling(token);
    if (token.is(clang::tok::numeric_constant)) {
      bool isHex = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
      if (text.find_first_of(isHex ? ".pP" : ".eEfF") != std::string::npos)
        return false;
    } else if (const clang::IdentifierInfo *word = token.getIdentifierInfo()) {
      const clang::MacroInfo *inner = atBody(word->getName().str());
      if (!inner || !isInteger(*inner, depth + 1))
        return false;
    } else if (text.find_first_not_of("+-*/%()<>=!&|^~?:") !=
               std::string::npos) {
      return false;
    }
  }
  return true;
}

/// True when no operator beside the macro can take a part of it: a number,
/// with a sign or without, all of it in parentheses, or the name of such a
/// macro. It has one of the kinds above and below.
bool ConfigurationSearch::isPrimary(const clang::MacroInfo &info) const {
  llvm::ArrayRef<clang::Token> tokens = info.tokens();
  if (tokens.front().is(clang::tok::minus))
    return tokens.size() == 2 && tokens[1].is(clang::tok::numeric_constant);
  if (const clang::IdentifierInfo *word = tokens.front().getIdentifierInfo())
    return tokens.size() == 1 && isPrimary(*atBody(word->getName().str()));
  int depth = 0;
  for (const clang::Token &token : tokens) {
    depth += token.is(clang::tok::l_paren);
    depth -= token.is(clang::tok::r_paren);
    if (depth == 0 && &token != &tokens.back())
      return false;
  }
  return depth == 0;
}

/// True for a single name that is no macro itself, for a type of two (`unsigned
/// int`, whose words may stand in any order; `long` may stand there twice), and
/// for nothing at all.
bool ConfigurationSearch::isWord(const clang::MacroInfo &info) const {
  if (info.isFunctionLike() || info.getNumTokens() > 2)
    return false;
  std::set<std::string> words;
  bool hasKeyword = false;
  for (const clang::Token &token : info.tokens()) {
    const clang::IdentifierInfo *word = token.getIdentifierInfo();
    if (!word || atBody(word->getName().str()))
      return false;
    words.insert(word->getName().str());
    hasKeyword |= word->getTokenID() != clang::tok::identifier;
  }
  return words.size() == info.getNumTokens() &&
         (words.size() < 2 || (hasKeyword && !words.count("long")));
}

/// True for a floating-point number, which only the compiler can compare, and
/// for the name of such a macro.
bool ConfigurationSearch::isReal(const clang::MacroInfo &info,
                                 unsigned depth) const {
  if (info.isFunctionLike() || isInteger(info, 0) || depth > 8)
    return false;
  bool hasNumber = false;
  for (const clang::Token &token : info.tokens()) {
    if (const clang::IdentifierInfo *word = token.getIdentifierInfo()) {
      const clang::MacroInfo *inner = atBody(word->getName().str());
      if (!inner || !isReal(*inner, depth + 1))
        return false;
      hasNumber = true;
      continue;
    }
    hasNumber |= token.is(clang::tok::numeric_constant);
    if (!token.isOneOf(clang::tok::numeric_constant, clang::tok::minus,
                       clang::tok::plus, clang::tok::star, clang::tok::slash,
                       clang::tok::l_paren, clang::tok::r_paren))
      return false;
  }
  return hasNumber;
}

/// The macro has to be at the kernel's body what it is there now.
void ConfigurationSearch::requireEqual(const std::string &name) {
  if (!compared.insert(name).second)
    return;
  const std::vector<size_t> &all = find(finder.changesOf, name);
  size_t changes = std::count_if(all.begin(), all.end(), [&](size_t index) {
    const MacroChange &change = log.changes[index];
    return !change.isSkipped && !isBefore(body, change.at);
  });
  const clang::MacroInfo *info = atBody(name);
  bool isOwn = info && !isOfFlags(*info);
  if (changes > (isOwn ? 1 : 0))
    return fail("macro '" + name + "' changes on the way to the kernel");
  if (!info)
    return require("!defined(" + name + ")");
  std::string value = spelling(*info);
  if (isWord(*info)) {
    result.words.emplace_back(name, value);
    return;
  }
  bool isInt = isInteger(*info, 0);
  if (!isInt && !isReal(*info, 0))
    return fail("macro '" + name + "' is '" + value +
                "', which no #if can ask for");
  if (!isPrimary(*info))
    return fail("macro '" + name + "' is '" + value +
                "' without parentheses around it");
  if (!isInt) {
    result.reals.emplace_back(name, value);
    return require("defined(" + name + ")");
  }
  bool isNumber = info->getNumTokens() == 1 && llvm::isDigit(value[0]);
  // An unknown name counts as 0 there.
  if (info->getNumTokens() == 1 &&
      value.find_first_not_of("0xXuUlL") == std::string::npos)
    require("defined(" + name + ")");
  if (isNumber && isOfFlags(*info))
    result.values.emplace_back(name, value);
  result.numbers.emplace_back(name, value);
}

Configuration ConfigurationSearch::run() {
  // Its own declaration, or a namespace that it stands in.
  for (size_t i = 0; i < finder.sites.size(); ++i)
    if (!isBefore(begin, finder.sites[i].begin) &&
        !isBefore(finder.sites[i].end, end))
      addSite(i);
  for (size_t index : conditionals)
    express(log.conditionals[index]);
  for (size_t site : sites)
    for (size_t index : finder.sites[site].expansions) {
      const MacroExpansion &expansion = log.expansions[index];
      if (!expansion.isInCondition && isOfFlags(*expansion.info))
        requireEqual(expansion.name);
    }
  return std::move(result);
}

Configuration ConfigurationFinder::configurationOf(
    const clang::FunctionDecl &function) const {
  return ConfigurationSearch(*this, function).run();
}

} // namespace clopt
