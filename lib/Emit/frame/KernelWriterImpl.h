//===- KernelWriterImpl.h - parts of KernelWriter ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For use by Kernel*.cpp of Emit only; KernelWriter.h is the interface.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_KERNELWRITERIMPL_H
#define CLOPT_EMIT_KERNELWRITERIMPL_H

#include "Emit/body/BodyWriter.h"
#include "Emit/body/LocalArrays.h"
#include "Emit/frame/Guards.h"
#include "Emit/frame/KernelWriter.h"
#include "Emit/frame/MappedWork.h"

namespace clopt {

/// One version of a kernel as text.
struct WrittenVersion {
  std::string text; ///< of declarations, guard and new body
  bool isGuarded = false;
  /// Launches that run it go on to what stands behind it.
  bool goesOn = false;
  /// What stands behind it is the other half of its guard.
  bool opensElse = false;
  std::vector<std::string> reasons; ///< Guards::reasons
  std::set<unsigned> advice;
  Configuration configuration;
  /// What stands in front of the guard: values, and names of all else.
  std::map<std::string, ConstantDeclaration> values;
  std::set<std::string> names;
  PlanVariant sameLaunch;               ///< EmittedKernel
  std::optional<PlannedKernel> planned; ///< EmittedKernel
};

class KernelWriter {
public:
  /// `authors`: local arrays, which the first version declares.
  KernelWriter(const TransformedKernel &transformed,
               const EmitOptions &emitOptions, bool mayMoveTiles,
               const LocalArrays &authors, const WrittenVersion *earlier)
      : kernel(transformed), model(*transformed.model), options(emitOptions),
        movesTiles(mayMoveTiles), before(earlier),
        dims(workCoordinates(*transformed.model)) {
    if (!before)
      localDeclarations = authors.declarations;
  }
  /// `taken`: names that this version must not declare in front of the guard;
  /// those are added that the version before has for something else, and then
  /// the result is of no use.
  std::optional<WrittenVersion> write(LoweringError &error,
                                      std::set<std::string> &taken);
  bool hasMoves() const { return !lowered.moves.empty(); }

private:
  void collectReserved();
  void chooseNames();
  void nameGroupId(SymbolKind kind, unsigned dim, const std::string &axis);
  void nameLocalCopies();
  bool hasShortNumbers() const;
  void requireShortNumbers(Guards &guards);
  void declareTerms(Guards &guards);
  void requireManyGroups(Guards &guards) const;
  std::vector<std::string> declareLocalCopies(LoweringError &error) const;
  std::vector<std::string> mergedGroups() const;
  std::vector<std::string> idleGroups() const;
  std::vector<std::string> leadingItems() const;
  void nameLoops();
  void nameGroup();
  std::string nameConstant(const std::string &stem, int64_t value);
  void nameTiles();
  void nameVariables();
  void nameUniformCalls();
  void nameMoves(Guards &guards, LoweringError &error);
  void requireManyIds(Guards &guards);
  void requireManyTiles(Guards &guards) const;
  std::map<int64_t, std::string> sizeConstant(size_t i) const;
  bool hidesFile(const Variable &variable) const;
  bool isShared(const Variable &variable) const;
  const Variable *localIdVariable(unsigned dim) const;
  std::string freshIdName(unsigned dim, const std::string &axis);
  std::string fresh(const std::string &name);
  std::vector<std::string> writeTileApart() const;
  std::vector<std::string> writeTile(Guards &guards);
  MappedWork mappedWork();
  std::vector<std::string> idDeclarations() const;
  std::vector<ConstantDeclaration>
  endDeclarations(const std::set<std::string> &mentioned) const;
  std::string linearGroup() const;
  std::string linearLocal() const;
  std::string tilesOf(unsigned dim) const;
  std::vector<std::string> writeBelowGuard(Guards &guards,
                                           LoweringError &error);
  std::vector<std::string> writeVersions(LoweringError &error);
  std::vector<std::string> passedBarrier() const;
  bool endsApart() const;
  AstNames conditionNames();
  AstNames namesWithBases(const std::vector<std::string> &bases);
  std::vector<std::string> joinCutVersions(const std::string &condition,
                                           const AstNames &inCondition,
                                           const WrittenBody &full,
                                           const WrittenBody &slow);
  std::vector<std::string> wrapStrided(std::vector<std::string> lines);
  std::vector<std::string> tableDeclarations() const;
  std::vector<ConstantDeclaration> outerValues(const Guards &guards) const;
  std::set<std::string> outerNames() const;
  std::string newText(const std::vector<std::string> &fast,
                      const Guards &guards) const;
  Configuration writtenFor() const;
  void addPlan(const KernelNames &ahead, WrittenVersion &result);
  std::vector<ConstantDeclaration> launchEnds(const LaunchNames &launch) const;
  std::vector<ConstantDeclaration> quotients() const;

  const TransformedKernel &kernel;
  const KernelModel &model;
  EmitOptions options;
  bool movesTiles;
  const WrittenVersion *before; ///< null: this one is the first
  /// Groups that cannot be merged run the author's text, each its own part.
  bool othersRunAlone = false;
  std::vector<unsigned> dims;
  KernelNames names;
  TakenNames guardNames; ///< reserved before those of the guards
  /// What the versions need of arguments, see AstNames.
  std::map<std::pair<std::string, bool>, int64_t> clearArguments;
  std::set<std::string> asked;       ///< as in WrittenBody
  std::vector<std::string> versions; ///< of the body
  /// Names in the versions and what is around them, but for the guard.
  std::set<std::string> mentioned;
  std::string tileName, countName;
  LoweredKernel lowered;
  /// The values of KernelNames::uniformCalls.
  std::vector<ConstantDeclaration> uniformCalls;
  std::vector<std::string> localDeclarations;
  std::set<std::string> ownLocalCopies; ///< names of local arrays
};

/// The lines of the declarations.
std::vector<std::string>
linesOf(const std::vector<ConstantDeclaration> &declarations);
/// Adds the lines `from`, indented.
void appendLines(std::vector<std::string> &to,
                 const std::vector<std::string> &from, unsigned indent = 0);

} // namespace clopt

#endif // CLOPT_EMIT_KERNELWRITERIMPL_H
