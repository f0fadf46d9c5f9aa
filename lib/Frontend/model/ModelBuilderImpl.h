//===- ModelBuilderImpl.h - the walk that makes a draft ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One object per walk. Statements: ModelStatements.cpp and ModelLoops.cpp.
// Expressions: ModelExpressions.cpp, ModelArithmetic.cpp. Memory and calls:
// ModelPlaces.cpp.
//
// Tested by test/unit/ModelBuilderTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_MODELBUILDERIMPL_H
#define CLOPT_FRONTEND_MODELBUILDERIMPL_H

#include "Frontend/model/ModelDraft.h"
#include "Model/Control.h"

namespace clopt {

/// Values of variables at one point of the walk, by ModelBuilder::ordinal.
using Environment = std::map<unsigned, Value>;

/// Under which condition control does not reach the next statement.
struct Exits {
  Condition returned{Condition::Kind::False, {}, {}};
  Condition continued{Condition::Kind::False, {}, {}};
  /// Control may leave in a way that no condition tells: the walk of the loop
  /// (or of the kernel) must be done differently.
  bool escapes = false;
};

/// One update of a variable by a constant amount: `i++`, `i -= 2`, `i = i + n`.
struct Update {
  const Variable *var = nullptr;
  ExprRef amount; ///< null: one
  bool isNegative = false;
};

class ModelBuilder {
public:
  ModelBuilder(const TranslationUnit &unit, const Function &kernel,
               const DraftSettings &settings,
               const std::shared_ptr<isl_ctx> &context);
  Draft run();

private:
  //===-- Set-up ----------------------------------------------------------===//
  void addParameters();
  void addDeclaredArrays();
  bool isUnusedLocal(const Variable &variable) const;
  void addNDRange();
  void enterFlatLaunch();
  void findSingles();
  unsigned ordinal(const Variable *var) const;

  //===-- Statements ------------------------------------------------------===//
  Exits walk(const StmtRef &stmt, DraftNode &parent);
  Exits walkChildren(const std::vector<StmtRef> &children, DraftNode &parent);
  Exits walkIf(const StmtRef &stmt, DraftNode &parent);
  StmtRef withoutExits(const StmtRef &stmt, StmtKind kind) const;
  void walkSimple(const StmtRef &stmt, DraftNode &parent);
  Exits walkFor(const StmtRef &stmt, DraftNode &parent);
  /// What became of a loop that was to be one of the model.
  enum class LoopResult { Modelled, NoLoop, LeftEarly };
  LoopResult modelLoop(const StmtRef &stmt, DraftNode &parent);
  void noteControl(const Stmt &stmt);
  Exits walkWhole(const StmtRef &stmt, DraftNode &parent);
  void walkInside(const StmtRef &stmt);
  void walkHead(const StmtRef &stmt);
  void walkBody(const StmtRef &stmt);
  void declare(const Stmt &decl);
  unsigned beginStatement(const StmtRef &stmt, DraftNode &parent);
  void enterCondition(const Condition &condition);
  void joinEnvironments(const Condition &condition, const Environment &first,
                        const Environment &second);

  //===-- Loops -----------------------------------------------------------===//
  struct LoopPlan {
    const Variable *var = nullptr;
    ExprRef first; ///< null: the value the variable has
    int64_t step = 1;
    std::vector<StmtRef> before;     ///< further parts of the init
    std::vector<StmtRef> after;      ///< further parts of the increment
    std::optional<unsigned> gridDim; ///< steps of the launch's size
  };
  /// A loop that is counted: its own variables are like any others.
  struct WalkPlan {
    std::vector<StmtRef> before; ///< the init
    std::vector<StmtRef> body;   ///< with the increment
  };
  std::optional<WalkPlan> planWalk(const Stmt &loop);
  LoopResult modelWalk(const StmtRef &stmt, DraftNode &parent);
  std::optional<unsigned> enterWalk(const StmtRef &stmt, const WalkPlan &plan);
  Variable *makeCounter(const Stmt &stmt);
  std::optional<Polynomial> tripOf(const DraftLoop &walk);
  Condition withoutStride(const Condition &condition, const Stmt &stmt,
                          const Loop &loop);
  void requireAtStart(const Polynomial &poly, const Stmt &stmt);
  bool requireEntry(const Condition &bound, const Stmt &stmt,
                    SymbolId iterator);
  std::optional<LoopPlan> planLoop(const Stmt &loop);
  bool planInit(const Stmt &loop, LoopPlan &plan);
  std::optional<int64_t> stepOf(const Update &update);
  StmtRef synthesize(const ExprRef &expr);
  void enterIteration(const std::vector<StmtRef> &body, const Loop &loop,
                      const Environment &entry);
  /// What one iteration adds to a variable, by how many assignments.
  struct Advance {
    unsigned count = 0;
    Polynomial amount;
  };
  using Advances = std::map<const Variable *, Advance>;
  std::optional<Polynomial> tripOf(const Stmt &loop, bool mayAssume);
  void collectAdvances(const StmtRef &stmt, Advances &found);
  void collectFromLoop(const Stmt &loop, Advances &found);
  Advances advancesOf(const std::vector<StmtRef> &body,
                      const std::map<const Variable *, unsigned> &counts);
  std::optional<Value> advanced(const Variable *variable,
                                const Environment &entry,
                                const Polynomial &distance);
  Polynomial completed(const Loop &loop);
  void leaveLoop(const Stmt &stmt, const std::vector<StmtRef> &body,
                 const DraftLoop *walk = nullptr);
  std::optional<Value> valueInIteration(const Update &update, const Loop &loop,
                                        const Environment &entry);
  void findGuarded(const StmtRef &stmt, const Loop &loop,
                   const Environment &entry,
                   const std::map<const Variable *, unsigned> &counts);
  std::optional<Condition> guardOf(const StmtRef &stmt);
  std::optional<Condition> loopBound(const Stmt &stmt, const Loop &loop);
  std::optional<Condition> boundOf(const Condition &condition, const Stmt &stmt,
                                   const Loop &loop);
  void moveRequirements(const Stmt &stmt, const Loop &loop, unsigned outside,
                        size_t firstRequirement);
  void limitIterator(const Condition &bound, const Loop &loop);
  bool dependsOn(const Polynomial &poly, SymbolId id, bool insideAtoms) const;
  bool dependsOn(const Condition &condition, SymbolId id,
                 bool insideAtoms) const;
  void forgetAssigned(const std::vector<StmtRef> &stmts);
  bool isLiveAfter(const Variable *var) const;

  //===-- Grid-stride loops (ModelGridLoops.cpp) --------------------------===//
  std::optional<unsigned> gridStep(const Update &update);
  void checkGrid();
  void proposeGrid(const StmtRef &stmt);
  Exits refuseGrid(const StmtRef &stmt, DraftNode &parent,
                   const std::string &why);
  Exits walkGrid(const StmtRef &stmt, DraftNode &parent);
  std::optional<Polynomial> gridStart(const LoopPlan &plan, unsigned dim);
  std::optional<Condition> gridBound(const Stmt &stmt, const Loop &loop,
                                     unsigned dim);
  bool requireOfLaunch(Requirement requirement, const Polynomial &start,
                       unsigned dim);
  void requireGridSteps(const Stmt &stmt, const Loop &loop, unsigned dim,
                        size_t firstRequirement);
  void restateRequirements();
  void walkDropped(const StmtRef &stmt);

  //===-- Expressions -----------------------------------------------------===//
  Value evaluate(const ExprRef &expr);
  Value evaluateNode(const ExprRef &expr);
  void noteEscape(const Expr &expr, const Value &value);
  Value evaluateVariable(const ExprRef &expr);
  Value evaluateWorkItem(const Expr &expr);
  Value evaluateUnary(const ExprRef &expr);
  Value evaluateBinary(const ExprRef &expr);
  Value evaluateAssign(const ExprRef &expr);
  Value evaluateStep(const ExprRef &expr);
  Value evaluateConditional(const ExprRef &expr);
  Value selectValue(const Condition &condition, const Value &first,
                    const Value &second);
  Value evaluateCall(const ExprRef &expr);
  Value evaluatePure(const Expr &call, const std::vector<Value> &values);
  Value evaluateBuiltin(const Expr &call, const Type &type,
                        const std::vector<Value> &values);
  Value product24(const Expr &call, const std::vector<Value> &values);
  Value evaluateVectorMemory(const ExprRef &expr);
  Value evaluateHelper(const Expr &call, const std::vector<Value> &values);
  Value arithmetic(const Expr &expr, Op op, const Type &type,
                   const ExprRef &left, const Value &leftValue,
                   const ExprRef &right, const Value &rightValue);
  Value pointerArithmetic(Op op, const Type &pointer, const Value &base,
                          const ExprRef &index, const Value &indexValue);
  Value shift(Op op, const Type &type, const ExprRef &left, const Value &value,
              const Value &amount);
  Value mask(const ExprRef &left, const Value &value, int64_t bits);
  Value wrapped(const Expr &expr, Op op, const Type &type, const ExprRef &left,
                const Value &value, const Value &length);
  Value convert(const ExprRef &expr, const Type &from, const Value &value,
                const Type &to);
  std::optional<Condition> evaluateCondition(const ExprRef &expr);
  std::optional<Condition> compare(const ExprRef &expr);
  std::optional<Condition> comparison(const ExprRef &expr,
                                      const Value &leftValue,
                                      const Value &rightValue);
  std::optional<Condition> unsignedOrder(const ExprRef &expr,
                                         const Value &leftValue,
                                         const Value &rightValue);
  Value asInteger(const std::optional<Condition> &condition);
  std::optional<Polynomial> exact(const ExprRef &expr, const Value &value);
  void require(const ExprRef &expr, const Polynomial &poly,
               const Interval &range, Assumption::Kind kind);
  void addRequirement(const ExprRef &expr, const Polynomial &poly,
                      const Interval &range, Assumption::Kind kind);
  void addRequirement(Requirement requirement);
  bool isProved(const Expr &expr, const Interval &range) const;
  Polynomial quotient(const Polynomial &value, int64_t divisor);
  Polynomial remainder(const Polynomial &value, int64_t divisor);
  Polynomial truncatedQuotient(const Polynomial &value, int64_t divisor);
  Polynomial select(const Condition &condition, const Polynomial &ifTrue,
                    const Polynomial &ifFalse);
  std::optional<Polynomial> selectDistance(const Condition &condition,
                                           const Polynomial &ifTrue,
                                           const Polynomial &ifFalse);
  SymbolId parameterOf(const Expr &expr, const Polynomial &dividend,
                       const Expr &by, const Polynomial &divisor);
  std::optional<Polynomial> divideArguments(const ExprRef &left,
                                            const Polynomial &dividend,
                                            const ExprRef &right,
                                            const Polynomial &divisor);
  Polynomial asParameters(const ExprRef &expr, const Polynomial &poly);
  void assumeGroupSize(unsigned dim, const Polynomial &poly);
  Polynomial foldGlobalIds(const Polynomial &poly);
  Polynomial atMostIds(const Polynomial &poly);

  //===-- Vectors (ModelVectors.cpp) --------------------------------------===//
  Value literalOf(const Expr &literal, const std::vector<Value> &values);
  Value evaluatePart(const ExprRef &expr);
  Value argumentPart(const Variable *argument, const std::string &text,
                     const std::string &name, const Type &type);
  std::optional<Value> wholePartOfArgument(const Expr &conversion);
  Value partOfArgument(const Variable *argument, const std::string &part,
                       const Type &type);
  Value vectorArgument(const Variable *argument);
  std::optional<Value> partOfArgument(const Expr &expr);
  bool runsInEveryItem() const;
  std::optional<Value> partOfMemory(const Expr &expr);
  void storePart(const Place &place, const Value &value);
  Value eachLane(const std::vector<Value> &values,
                 const std::function<Value(const std::vector<Value> &)> &of);
  Value compareLanes(const ExprRef &expr, const Value &left,
                     const Value &right);
  Value truthOfLanes(const Value &value, bool all);

  //===-- Places ----------------------------------------------------------===//
  Place placeOf(const ExprRef &expr);
  void selectMember(Place &place, const Expr &expr);
  Place placeOfPointer(const Value &pointer, const Type &pointerType);
  unsigned pointeeOf(const Variable *param);
  unsigned arrayOf(const Variable *var);
  unsigned addArray(const Variable *var, const Type &element,
                    AddressSpace space);
  bool isFollowed(const Variable *var) const;
  bool isConstantParam(const Variable *var) const;
  std::optional<unsigned> elementsPer(unsigned array, const Type &pointee);
  Value load(const ExprRef &expr, const Place &place);
  void store(const ExprRef &expr, const Place &place, const Value &value);
  void record(const ExprRef &expr, const Place &place, bool isWrite,
              bool isOrdered = false);
  void recordWhole(unsigned array, const ExprRef &expr, bool isWrite,
                   bool isOrdered);
  void recordArguments(const Expr &call, const std::vector<Value> &values,
                       bool writes, bool isOrdered);

  //===-- Casts (ModelCasts.cpp) ------------------------------------------===//
  void castArrays();
  std::optional<Type> accessedType(unsigned array) const;
  std::optional<Polynomial> divideAddress(const Polynomial &bytes,
                                          int64_t divisor,
                                          std::map<SymbolId, Polynomial> &parts,
                                          const Expr *expr);

  //===-- Bookkeeping -----------------------------------------------------===//
  SymbolId symbolOf(SymbolKind kind, unsigned dim);
  void note(const char *rule, const SourceRange &range,
            const std::string &message, const std::string &hint);

  /// What undoes a failed attempt at a loop.
  struct Snapshot {
    size_t contexts, loops, gridLoops, statements, accesses, requirements,
        notes, synthesized;
    size_t nodes;
    Environment environment;
    unsigned context;
  };
  Snapshot takeSnapshot(const DraftNode &parent) const;
  void restore(const Snapshot &snapshot, DraftNode &parent);

  const TranslationUnit &unit;
  const Function &kernel;
  const DraftSettings &settings;
  Draft draft;
  KernelModel &model;

  std::map<const Variable *, unsigned> ordinals;
  std::map<const Variable *, unsigned> pointees; ///< Array of a parameter
  std::set<const Variable *> assigned;           ///< anywhere in the kernel
  std::set<const Variable *> mentioned;          ///< the same
  isl::set blankSet;                             ///< { : }
  isl::map blankMap;                             ///< { [] -> [] }
  Environment environment;
  unsigned context = 0;
  int statement = -1;         ///< being walked, or -1: record nothing
  unsigned mayDepth = 0;      ///< above 0: accesses may not happen
  unsigned trialDepth = 0;    ///< above 0: values are not those of the place
  bool isBeforeEntry = false; ///< of a flat launch: what is asked is its own
  bool isAfterUnknownExit = false;
  std::map<const Variable *, SymbolId> iterators; ///< of the loops around
  std::set<const Stmt *> dropped; ///< prepare the first value of a grid loop

  /// Where the walk stands, for liveness: what follows in every block.
  struct Frame {
    const std::vector<StmtRef> *children = nullptr;
    size_t next = 0;
    const Stmt *loop = nullptr; ///< or: the back edge of this loop
  };
  std::vector<Frame> frames;
  std::vector<const Function *> helpers;               ///< being followed
  std::map<const Variable *, unsigned> assignedInside; ///< the compound
  std::map<const Variable *, unsigned> variables;      ///< Array of a variable
  std::map<const Expr *, Value> vectors; ///< as KernelModel::values
  std::map<std::string, SymbolId> parts; ///< `size.x` of arguments
  /// The last element of a buffer that work-items read in every launch.
  std::map<const Variable *, int64_t> lastRead;
  /// The context of the loop whose head is evaluated, which happens once at
  /// least; -1 elsewhere.
  int headContext = -1;
  /// `if (y < rows) { ...; ++y; }` in a loop: what holds inside.
  struct Guarded {
    unsigned loop = 0; ///< index into Draft::loops
    std::map<const Variable *, Value> values;
  };
  std::map<const Stmt *, Guarded> guarded;
  /// Symbols that are a number divided by another, as C does.
  std::map<SymbolId, std::pair<Polynomial, int64_t>> quotients;
};

//===-- Questions about the tree (ModelQueries.cpp) -----------------------===//

/// Variables assigned in the statement, declarations included, with the number
/// of assignments.
std::map<const Variable *, unsigned> assignedIn(const StmtRef &stmt);
/// Without the casts the compiler adds, and explicit ones when `all`.
const Expr *stripCasts(const Expr *expr);
/// The children in braces.
StmtRef makeBlock(const SourceRange &range, std::vector<StmtRef> children);
/// `!(condition)`.
ExprRef negated(const ExprRef &condition);
/// The update an expression makes, if it is one of the simple forms.
std::optional<Update> updateOf(const ExprRef &expr);
/// What an execution of `stmt` first does with the variable.
enum class FirstUse { None, Read, Assigned };
FirstUse firstUse(const StmtRef &stmt, const Variable *var);
/// True for conditions that no value of ids and arguments decides.
bool isOfData(const ExprRef &condition);
/// True when the variable is named anywhere below.
bool mentions(const ExprRef &expr, const Variable *var);
/// How often the statement names it.
size_t mentionsOf(const StmtRef &stmt, const Variable *var);
/// True when nothing names it but statements of which `isPlace` holds.
bool isNamedOnlyIn(const StmtRef &body, const Variable *var,
                   const std::function<bool(const Stmt &)> &isPlace);
/// A variable of the kernel's own that nothing changes but its name.
bool isOwnVariable(const Variable &variable);

/// Gives the function another body that does the same; Function::written keeps
/// the author's.
void replaceBody(Function &function, const StmtRef &body);

} // namespace clopt

#endif // CLOPT_FRONTEND_MODELBUILDERIMPL_H
