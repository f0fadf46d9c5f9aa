//===- MutationScore.cpp - how many planted defects validation finds ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   clopt-mutation [--kernels=N] [--mutants=N] [--least=N] [--score=P]
//                  [--equal=FILE] [--steps=N] [-v] kernel.cl...
//
// Takes kernels in an order that only their names decide (so that a new one
// takes the place of at most one other), until N of them are changed by the
// planner for one of the targets, plants mutants into each, spread over its
// text and the kinds of defects, and validates as clopt does by default. Prints
// what survives. Fails below the score, in per cent, or with fewer mutants than
// --least.
//
// --steps: of a validation, to see what a larger budget would find.
//
// --equal: mutants that are known to compute the same, with the reason; a line
// is `kernel target: description # reason`.
//
//===----------------------------------------------------------------------===//

#include "Mutants.h"

#include "Emit/frame/KernelWriter.h"
#include "Frontend/clang/ClangParser.h"
#include "Frontend/model/ModelBuilder.h"
#include "Support/Files.h"
#include "Target/DeviceProfile.h"
#include "Transform/Apply.h"
#include "Validation/ReadBack.h"
#include "clopt/Clopt.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Support/xxhash.h>

#include <isl/ctx.h>

#include <map>
#include <set>

using namespace clopt;

namespace {

struct Settings {
  unsigned kernels = 40, mutants = 8, least = 300, score = 95;
  uint64_t steps = defaultValidationSteps;
  bool isVerbose = false;
  std::set<std::string> equal;
  std::vector<std::string> files;
};

struct Score {
  unsigned kernels = 0, planted = 0, found = 0, equal = 0;
  std::map<std::string, std::pair<unsigned, unsigned>> kinds; // found, planted
};

/// One changed kernel of a file, and how to validate texts of it.
class Subject {
public:
  Subject(const std::string &path, const std::string &text,
          const std::string &target)
      : label(llvm::sys::path::stem(path).str() + " " + target) {
    Options options;
    options.target = target;
    options.validate = ValidateMode::Off;
    result = optimize(path, text, options);
    if (!result.ok)
      return;
    for (const KernelReport &report : result.kernels)
      if (report.changed && name.empty())
        name = report.name;
    parsed = parseOpenCL(path, text, {});
    if (!parsed.unit || name.empty() || !prepare(target))
      name.clear();
  }

  bool isChanged() const { return !name.empty(); }
  const std::string &title() const { return label; }
  const std::string &text() const { return result.output; }
  /// Where the new body begins and ends.
  size_t begin() const { return first; }
  size_t end() const { return last; }
  /// It is about nothing that is computed.
  bool isApart(const Mutant &mutant) const {
    return apart.count(mutant.begin) != 0;
  }

  /// What is found wrong with the text, "" for nothing; "?" when it does not
  /// compile.
  std::string wrong(const std::string &text, uint64_t steps) const {
    ParseResult emitted = parseOpenCL("mutant.cl", text, {});
    if (!emitted.unit)
      return "?";
    isl_ctx_reset_error(model->context.get());
    isl_ctx_reset_operations(model->context.get());
    for (const auto &function : emitted.unit->functions)
      if (function->name == name) {
        const TransformedKernel *version = &kernel;
        for (const Function &alone : versionsOf(*function, kernel, advice)) {
          ReadBackReport report =
              readBack(*version, *model, *emitted.unit, alone, steps);
          if (report.wrong)
            return report.wrong->what;
          version = version->otherwise.get();
        }
        return "";
      }
    return "?";
  }

private:
  bool prepare(const std::string &target) {
    for (const auto &function : parsed.unit->functions)
      if (function->name == name)
        model = buildModel(*parsed.unit, *function, ModelOptions());
    std::optional<TransformedKernel> started = startTransforming(*model);
    RecipeError error;
    std::optional<Recipe> recipe = parseRecipe(result.recipe, error);
    if (!started || !recipe)
      return false;
    kernel = std::move(*started);
    if (shareLoops(kernel, AliasMode::Check))
      return false;
    const KernelRecipe *own = recipe->find(name);
    for (const Step &step : own->steps)
      if (applyStep(kernel, step, AliasMode::Check))
        return false;
    llvm::Expected<DeviceProfile> profile = loadProfile(target);
    if (!profile) {
      llvm::consumeError(profile.takeError());
      return false;
    }
    EmitOptions options;
    options.spreadWorkItems = profile->spreadWorkItems;
    options.computeUnits = profile->computeUnits;
    options.itemsPerComputeUnit = profile->itemsPerComputeUnit;
    LoweringError refused;
    std::optional<EmittedKernel> again = emitKernel(kernel, options, refused);
    if (!again)
      return false;
    advice = again->advice;
    first = result.output.find("Optimized by clopt",
                               result.output.find(" " + name + "("));
    last = first;
    ParseResult emitted = parseOpenCL("written.cl", result.output, {});
    if (first == std::string::npos || !emitted.unit)
      return false;
    for (const auto &function : emitted.unit->functions) {
      if (function->name != name)
        continue;
      // The author's statements at the end are left as they are.
      const auto &all = function->body->children;
      size_t own = model->function->body->children.size();
      // So are barriers before them and between versions, which are only for
      // PoCL.
      for (const StmtRef &child : all)
        if (child->kind == StmtKind::Barrier)
          apart.insert(static_cast<size_t>(child->range.begin));
      size_t at = all.size() > own ? all.size() - own : 0;
      if (at > 0 && all[at - 1]->kind == StmtKind::Barrier)
        --at;
      if (at > 0)
        last = static_cast<size_t>(all[at]->range.begin);
    }
    return last > first;
  }

  std::string label, name;
  Result result;
  ParseResult parsed;
  std::unique_ptr<KernelModel> model;
  TransformedKernel kernel;
  std::vector<std::set<unsigned>> advice; ///< of each version
  size_t first = 0, last = 0;
  std::set<size_t> apart; ///< where barriers between versions begin
};

/// Up to `count` mutants, as many of each kind as there are, from all over the
/// text.
std::vector<Mutant> choose(const std::vector<Mutant> &all, unsigned count) {
  std::map<std::string, std::vector<Mutant>> byKind;
  for (const Mutant &mutant : all)
    byKind[mutant.kind].push_back(mutant);
  std::vector<Mutant> chosen;
  for (unsigned round = 0; chosen.size() < count && round < count; ++round)
    for (const auto &[kind, list] : byKind) {
      // 1/2, 1/4, 3/4, 1/8 ... of the list.
      double at = 0, half = 0.5;
      for (unsigned bits = round + 1; bits; bits >>= 1, half /= 2)
        at += bits & 1 ? half : 0;
      size_t index = static_cast<size_t>(at * static_cast<double>(list.size()));
      bool isNew = true;
      for (const Mutant &other : chosen)
        isNew &=
            other.begin != list[index].begin || other.text != list[index].text;
      if (isNew && chosen.size() < count)
        chosen.push_back(list[index]);
    }
  return chosen;
}

void plant(const Subject &subject, const Settings &settings, Score &score) {
  std::vector<Mutant> all =
      findMutants(subject.text(), subject.begin(), subject.end());
  llvm::erase_if(all,
                 [&](const Mutant &mutant) { return subject.isApart(mutant); });
  const std::vector<Mutant> mutants = choose(all, settings.mutants);
  ++score.kernels;
  for (const Mutant &mutant : mutants) {
    std::string wrong =
        subject.wrong(mutant.apply(subject.text()), settings.steps);
    if (wrong == "?")
      continue;
    std::string line = subject.title() + ": " + mutant.describe(subject.text());
    if (wrong.empty() && settings.equal.count(line)) {
      ++score.equal;
      continue;
    }
    ++score.planted;
    ++score.kinds[mutant.kind].second;
    if (wrong.empty()) {
      llvm::outs() << line << "\n";
    } else {
      ++score.found;
      ++score.kinds[mutant.kind].first;
      if (settings.isVerbose)
        llvm::outs() << "found: " << line << ": " << wrong << "\n";
    }
  }
}

bool readEqual(const std::string &path, std::set<std::string> &equal) {
  llvm::Expected<std::string> text = readTextFile(path);
  if (!text) {
    llvm::errs() << llvm::toString(text.takeError()) << "\n";
    return false;
  }
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(*text).split(lines, '\n');
  for (llvm::StringRef line : lines)
    equal.insert(line.rsplit(" # ").first.str());
  return true;
}

} // namespace

int main(int argc, char **argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef word = argv[i];
    if (word.consume_front("--equal=")) {
      if (!readEqual(word.str(), settings.equal))
        return 2;
    } else if (word == "-v") {
      settings.isVerbose = true;
    } else if (word.consume_front("--kernels=")) {
      word.getAsInteger(10, settings.kernels);
    } else if (word.consume_front("--mutants=")) {
      word.getAsInteger(10, settings.mutants);
    } else if (word.consume_front("--least=")) {
      word.getAsInteger(10, settings.least);
    } else if (word.consume_front("--steps=")) {
      word.getAsInteger(10, settings.steps);
    } else if (word.consume_front("--score=")) {
      word.getAsInteger(10, settings.score);
    } else {
      settings.files.push_back(word.str());
    }
  }
  static const char *const targets[] = {"generic-gpu", "cpu", "nvidia-hopper",
                                        "amd-cypress", "mali-midgard"};
  Score score;
  std::map<uint64_t, std::string> files; // by their names' hashes
  for (const std::string &file : settings.files)
    files.emplace(llvm::xxh3_64bits(llvm::sys::path::stem(file)), file);
  for (const auto &[hash, file] : files) {
    if (score.kernels >= settings.kernels)
      break;
    llvm::Expected<std::string> text = readTextFile(file);
    if (!text) {
      llvm::errs() << llvm::toString(text.takeError()) << "\n";
      return 2;
    }
    Subject subject(file, *text, targets[hash % 5]);
    if (subject.isChanged())
      plant(subject, settings, score);
  }
  for (const auto &[kind, counts] : score.kinds)
    llvm::outs() << kind << ": " << counts.first << " of " << counts.second
                 << "\n";
  const double percent =
      score.planted ? 100.0 * score.found / score.planted : 0;
  llvm::outs() << score.found << " of " << score.planted << " mutants of "
               << score.kernels << " kernels found, "
               << llvm::format("%.1f", percent) << " %; " << score.equal
               << " compute the same\n";
  return percent >= settings.score && score.planted >= settings.least ? 0 : 1;
}
