//===- Fusion.cpp - neighbouring launches as one --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that calls the kernels of the request is put behind the file, and
// the front end places their bodies in it. Its model has all that is asked:
// which part a statement belongs to, the iteration of the loop over repetitions
// as its first loop coordinate, work-items as its work coordinates.
//
// Tested by test/unit/FusionTest.cpp, test/lit/sequence,
// test/run/check_sequence.py.
//
//===----------------------------------------------------------------------===//

#include "Driver/Fusion.h"

#include "Analysis/dependence/Dependences.h"
#include "Driver/Remarks.h"
#include "Frontend/clang/ClangParser.h"
#include "Frontend/clang/Format.h"
#include "Frontend/model/ModelBuilder.h"
#include "Model/ExprPrinter.h"
#include "Report/JsonText.h"
#include "Transform/Apply.h"

#include <isl/map.h>
#include <isl/options.h>
#include <isl/set.h>

#include <algorithm>
#include <map>
#include <set>

namespace clopt {

//===-- The kernel that calls the others ----------------------------------===//

namespace {

/// A parameter of the new kernel, and what of the parts it is.
struct Parameter {
  std::string name;
  std::string declaration;
  Type type;
  FusedArgument argument;
  unsigned part = 0, index = 0; ///< the first that it is
};

/// The kernel as text, with calls.
class Frame {
public:
  Frame(const TranslationUnit &of, const FusionRequest &what)
      : unit(of), request(what) {}

  /// Why there is none, or empty.
  std::string make();

  std::string name, counter;
  std::string head; ///< attributes; then the name and parameters follow
  std::vector<Parameter> parameters;
  std::vector<std::string> calls; ///< by part

  bool isLoop() const { return request.isLoop && request.count > 1; }
  /// "for (long launch = 0; ...)", or nothing.
  std::string loopLine() const;
  std::string text() const;
  std::string declaration(const std::set<std::string> &without) const;
  std::vector<LaunchedScalar> scalars() const;

private:
  std::string addPart(unsigned part);
  std::string addArgument(unsigned part, unsigned index,
                          const Variable &variable, std::string &text);
  std::string shapeProblem(const Function &kernel);

  const TranslationUnit &unit;
  const FusionRequest &request;
  std::optional<std::string> shape; ///< required by the parts
};

} // namespace

static bool isSameType(const Type &a, const Type &b) {
  return a.kind == b.kind && a.scalar == b.scalar && a.lanes == b.lanes &&
         a.size == b.size &&
         (a.kind != TypeKind::Struct || a.spelling == b.spelling);
}

static Type unqualified(Type type) {
  type.isConst = type.isRestrict = false;
  return type;
}

std::string Frame::shapeProblem(const Function &kernel) {
  std::string own;
  if (kernel.requiredLocalSize[0] != 0)
    for (unsigned d = 0; d < 3; ++d)
      own += (d ? ", " : "") + std::to_string(kernel.requiredLocalSize[d]);
  if (shape && *shape != own)
    return "the kernels ask for groups of different shapes";
  shape = own;
  head =
      own.empty() ? "" : "__attribute__((reqd_work_group_size(" + own + ")))\n";
  return "";
}

/// Adds the argument to the call `text`; why it cannot, or empty.
std::string Frame::addArgument(unsigned part, unsigned index,
                               const Variable &variable, std::string &text) {
  const FusedArgument &given = request.parts[part].arguments[index];
  const Type &type = variable.type;
  const bool isBuffer = type.isPointer() && type.element &&
                        (type.space == AddressSpace::Global ||
                         type.space == AddressSpace::Constant);
  if (isBuffer == given.buffer.empty() || (type.isPointer() && !isBuffer) ||
      type.kind == TypeKind::Opaque)
    return "'" + variable.name +
           "' is neither a buffer nor a value; local memory is not shared "
           "between launches";
  if (type.isVolatile || (isBuffer && type.element->isVolatile))
    return "'" + variable.name + "' is volatile";
  if (isLoop() && given.step != 0) {
    text += "(" + typeText(unqualified(type)) + ")(" +
            std::to_string(given.first.value_or(0)) + "L + " + counter + " * " +
            std::to_string(given.step) + "L)";
    return "";
  }
  for (Parameter &known : parameters) {
    const bool isSame = isBuffer ? known.argument.buffer == given.buffer
                                 : known.argument.buffer.empty() &&
                                       known.argument.first == given.first &&
                                       known.argument.step == given.step &&
                                       known.argument.value == given.value &&
                                       isSameType(known.type, type);
    if (!isSame)
      continue;
    if (isBuffer && (!isSameType(*known.type.element, *type.element) ||
                     known.type.space != type.space))
      return "'" + given.buffer + "' has elements of different types";
    if (isBuffer && !type.element->isConst) {
      Type pointer = known.type;
      pointer.element = type.element;
      known.type = pointer;
    }
    text += known.name;
    return "";
  }
  Parameter added;
  const auto isTaken = [&](const std::string &wanted) {
    return std::any_of(
        parameters.begin(), parameters.end(),
        [&](const Parameter &known) { return known.name == wanted; });
  };
  added.name = variable.name;
  for (unsigned i = 1; isTaken(added.name); ++i)
    added.name = nameNotIn(unit.text, variable.name + "_" + std::to_string(i));
  added.type = unqualified(type);
  added.type.isRestrict = isBuffer; // every name is memory of its own
  added.argument = given;
  added.part = part;
  added.index = index;
  text += added.name;
  parameters.push_back(std::move(added));
  return "";
}

std::string Frame::addPart(unsigned part) {
  const FusedPart &wanted = request.parts[part];
  const Function *kernel = findKernel(unit, wanted.kernel);
  if (!kernel)
    return "there is no kernel '" + wanted.kernel + "'";
  if (kernel->params.size() != wanted.arguments.size())
    return "'" + wanted.kernel + "' has another number of arguments";
  if (std::string problem = shapeProblem(*kernel); !problem.empty())
    return problem;
  std::string call = wanted.kernel + "(";
  for (unsigned i = 0; i < kernel->params.size(); ++i) {
    call += i ? ", " : "";
    if (std::string problem = addArgument(part, i, *kernel->params[i], call);
        !problem.empty())
      return problem;
  }
  calls.push_back(call + ");");
  return "";
}

std::string Frame::make() {
  std::string joined;
  for (const FusedPart &part : request.parts)
    if (joined.size() < 60)
      joined += (joined.empty() ? "" : "_") + part.kernel;
  name = nameNotIn(unit.text, joined + "_fused");
  counter = nameNotIn(unit.text, "launch");
  for (unsigned part = 0; part < request.parts.size(); ++part)
    if (std::string problem = addPart(part); !problem.empty())
      return problem;
  return "";
}

std::string Frame::loopLine() const {
  return isLoop() ? "for (long " + counter + " = 0; " + counter + " < " +
                        std::to_string(request.count) + "; ++" + counter + ")"
                  : "";
}

/// From `__kernel` to the parameters, but for those of the buffers `without`.
std::string Frame::declaration(const std::set<std::string> &without) const {
  std::string list;
  for (const Parameter &parameter : parameters)
    if (!without.count(parameter.argument.buffer) ||
        parameter.argument.buffer.empty())
      list += (list.empty() ? "" : ", ") +
              declarationText(parameter.type, parameter.name);
  return head + "__kernel void " + name + "(" + list + ")\n";
}

std::string Frame::text() const {
  std::string body;
  for (const std::string &call : calls)
    body += "{ " + call + " }\n";
  if (isLoop())
    body = loopLine() + " {\n" + body + "}\n";
  return unit.text + "\n\n" + declaration({}) + "{\n" + body + "}\n";
}

std::vector<LaunchedScalar> Frame::scalars() const {
  std::vector<LaunchedScalar> result;
  for (const Parameter &parameter : parameters)
    if (parameter.argument.first)
      result.push_back(
          {parameter.name, *parameter.argument.first, parameter.argument.step});
  return result;
}

//===-- What is legal -----------------------------------------------------===//

namespace {

class Fuser {
public:
  Fuser(const TranslationUnit &of, const Function &caller,
        const KernelModel &built, const Frame &made, const FusionRequest &what);

  /// Why the launches may not be one, or empty.
  std::string problem();
  /// The kernel's text, from its head on.
  std::string write(FusionAnswer &answer);

private:
  bool findParts();
  std::string formProblem() const;
  std::string dependenceProblem();
  std::string pairProblem(const Access &a, const Access &b);
  void addBarriers(unsigned first, unsigned second);
  isl::map equalAt(const Statement &from, const Statement &to,
                   const std::vector<unsigned> &coordinates) const;
  isl::map sameGroup(const Statement &from, const Statement &to) const;
  std::string removeArray(unsigned array);
  /// The name of what stands for the cell of an array.
  std::string variableFor(const std::string &array) const {
    return nameNotIn(unit.text, array + "_value");
  }
  bool isOneCell(const std::vector<unsigned> &accesses) const;
  unsigned partOf(const Access &access) const {
    return parts.at(model.statements[access.statement].stmt);
  }
  /// Coordinates of a work-item.
  unsigned workRank() const;

  const TranslationUnit &unit;
  const Function &function;
  const KernelModel &model;
  const Frame &frame;
  const FusionRequest &request;
  const LaunchNumbers numbers;
  const KnownLaunches launches;
  std::vector<StmtRef> blocks;               ///< by part
  std::map<const Stmt *, unsigned> parts;    ///< of all statements in them
  std::set<unsigned> barriers;               ///< parts with one ahead of them
  std::map<const Expr *, std::string> cells; ///< that are variables
};

} // namespace

static LaunchNumbers numbersOf(const Frame &frame,
                               const FusionRequest &request) {
  LaunchNumbers result = request;
  result.scalars = frame.scalars();
  if (frame.isLoop())
    result.count = 1;
  return result;
}

Fuser::Fuser(const TranslationUnit &of, const Function &caller,
             const KernelModel &built, const Frame &made,
             const FusionRequest &what)
    : unit(of), function(caller), model(built), frame(made), request(what),
      numbers(numbersOf(made, what)), launches(built, numbers) {}

unsigned Fuser::workRank() const {
  unsigned result = 0;
  for (unsigned d = 0; d < model.ndrange.rank; ++d)
    result += model.ndrange.split[d] ? 2 : 1;
  return result;
}

/// The blocks of the kernel, one for each part.
bool Fuser::findParts() {
  StmtRef body = function.body;
  if (frame.isLoop()) {
    if (body->children.size() != 1 || body->children[0]->kind != StmtKind::For)
      return false;
    body = body->children[0]->body;
  }
  blocks = body->children;
  if (body->kind != StmtKind::Block || blocks.size() != frame.calls.size())
    return false;
  for (unsigned part = 0; part < blocks.size(); ++part)
    forEachStmt(blocks[part],
                [&](const StmtRef &stmt) { parts[stmt.get()] = part; });
  return std::all_of(model.statements.begin(), model.statements.end(),
                     [&](const Statement &statement) {
                       return parts.count(statement.stmt) != 0;
                     });
}

std::string Fuser::formProblem() const {
  bool isCall = false;
  bool asksGroup = false;
  forEachExpr(function.body, [&](const ExprRef &expr) {
    isCall |=
        expr->kind == ExprKind::Call && expr->callee && expr->callee->isKernel;
    asksGroup |= expr->kind == ExprKind::WorkItem &&
                 expr->query != WorkItemQuery::GlobalId &&
                 expr->query != WorkItemQuery::GlobalSize &&
                 expr->query != WorkItemQuery::GlobalOffset &&
                 expr->query != WorkItemQuery::GlobalLinearId &&
                 expr->query != WorkItemQuery::WorkDim;
  });
  if (isCall)
    return "a kernel has a local array, a statement that is not looked into, a "
           "return out of a loop, or is too long to stand in another one";
  if (model.isUntouchable)
    return unmodelledReason(model).message;
  if (model.hasAtomics || model.hasOrderedEffects || model.usesImages)
    return "they have atomic accesses, effects whose order counts, or images";
  if (model.usesLocalMemory)
    return "they use local memory";
  if (numbers.local.empty() && frame.head.empty() &&
      (asksGroup || model.hasBarrier))
    return "the shape of their groups is not known: give 'LocalSize'";
  for (const Statement &statement : model.statements)
    if (statement.isOpaque)
      return "they have statements that are not looked into";
  for (size_t d = model.ndrange.rank; d < numbers.global.size(); ++d)
    if (numbers.global[d] > 1)
      return "work-items that differ in dimension " + std::to_string(d) +
             " do the same work";
  return "";
}

/// "{ S0[c0, c1] -> S3[d0] : " with the names of coordinates `c` and `d`.
static std::string tuplesText(const Statement &from, const Statement &to) {
  const auto tuple = [](const Statement &statement, const char *stem) {
    std::string text = statement.name + "[";
    for (size_t i = 0; i < statement.coordinates.size(); ++i)
      text += (i ? ", " : "") + std::string(stem) + std::to_string(i);
    return text + "]";
  };
  return "{ " + tuple(from, "c") + " -> " + tuple(to, "d") + " : ";
}

/// { S[w, i] -> T[w', j] } instances that agree in these coordinates.
isl::map Fuser::equalAt(const Statement &from, const Statement &to,
                        const std::vector<unsigned> &coordinates) const {
  std::string text = tuplesText(from, to) + "true";
  for (unsigned at : coordinates)
    text += " and c" + std::to_string(at) + " = d" + std::to_string(at);
  return isl::map(isl::ctx(model.context.get()), text + " }");
}

/// { S[w, i] -> T[w', j] } instances of work-items of one group; none where
/// groups are not known.
isl::map Fuser::sameGroup(const Statement &from, const Statement &to) const {
  std::string text = tuplesText(from, to);
  text += numbers.local.empty() ? "false" : "true";
  unsigned at = 0;
  for (unsigned d = 0; d < model.ndrange.rank && d < numbers.local.size();
       ++d) {
    const bool isSplit = model.ndrange.split[d];
    const auto group = [&](const char *stem) {
      const std::string id = stem + std::to_string(at);
      const int64_t offset = numbers.offset.empty() ? 0 : numbers.offset[d];
      return isSplit ? id
                     : "floor((" + id + " - " + std::to_string(offset) +
                           ") / " + std::to_string(numbers.local[d]) + ")";
    };
    text += " and " + group("c") + " = " + group("d");
    at += isSplit ? 2 : 1;
  }
  return isl::map(isl::ctx(model.context.get()), text + " }");
}

/// Barriers such that what is before the later one of two parts is done.
void Fuser::addBarriers(unsigned first, unsigned second) {
  if (frame.isLoop()) {
    barriers.insert(first);
    barriers.insert(second);
  } else {
    barriers.insert(std::max(first, second));
  }
}

std::string Fuser::pairProblem(const Access &a, const Access &b) {
  const unsigned first = partOf(a), second = partOf(b);
  if (first == second && !frame.isLoop())
    return "";
  const Statement &from = model.statements[a.statement];
  const Statement &to = model.statements[b.statement];
  const Array &array = model.arrays[a.array];
  const auto through = [&](const std::string &why) {
    return "work-items of '" + request.parts[first].kernel +
           "' and other ones of " +
           (first == second ? "another launch of it"
                            : "'" + request.parts[second].kernel + "'") +
           " " + why + " '" + array.name + "'";
  };
  const std::optional<isl::map> one = launches.cells(a);
  const std::optional<isl::map> other = launches.cells(b);
  if (!one || !other)
    return through("may share any cell of");
  // { S[w, i] -> T[w', j] : a cell of both, w not w' }
  std::vector<unsigned> item(workRank());
  for (unsigned at = 0; at < item.size(); ++at)
    item[at] = at;
  isl::map meeting =
      one->apply_range(other->reverse()).subtract(equalAt(from, to, item));
  if (first == second) // in different iterations of the loop over launches
    meeting = meeting.subtract(equalAt(from, to, {workRank()}));
  if (meeting.is_empty())
    return "";
  if (!meeting.subtract(sameGroup(from, to)).is_empty())
    return through(numbers.local.empty() ? "share cells of"
                                         : "share cells across groups of");
  addBarriers(first, second);
  return "";
}

std::string Fuser::dependenceProblem() {
  for (const Access &a : model.accesses)
    for (const Access &b : model.accesses)
      if (a.array == b.array && a.id <= b.id && (a.isWrite || b.isWrite) &&
          isShared(model, a))
        if (std::string reason = pairProblem(a, b); !reason.empty())
          return reason;
  return "";
}

std::string Fuser::problem() {
  if (std::string reason = formProblem(); !reason.empty())
    return reason;
  if (!findParts())
    return "they have statements that are not looked into";
  if (std::string reason = launches.problem(); !reason.empty())
    return reason;
  return dependenceProblem();
}

//===-- Buffers that leave ------------------------------------------------===//

/// Every run of the region, an iteration of the loop over launches or a whole
/// work-item, touches at most one cell.
bool Fuser::isOneCell(const std::vector<unsigned> &accesses) const {
  isl::map all;
  for (unsigned index : accesses) {
    const std::optional<isl::map> cells = launches.cells(model.accesses[index]);
    if (!cells)
      return false;
    // { S[w, i] -> A[s] } to { [w] -> A[s] }
    isl_map *map = isl_map_reset_tuple_id(cells->copy(), isl_dim_in);
    const unsigned kept = workRank() + (frame.isLoop() ? 1 : 0);
    const unsigned all_ = static_cast<unsigned>(isl_map_dim(map, isl_dim_in));
    map = isl_map_project_out(map, isl_dim_in, kept, all_ - kept);
    all = all.is_null() ? isl::manage(map) : all.unite(isl::manage(map));
  }
  return all.is_null() || all.is_single_valued();
}

/// Makes the cell of each work-item a variable; why not, or empty.
std::string Fuser::removeArray(unsigned array) {
  const Array &what = model.arrays[array];
  std::vector<unsigned> accesses;
  std::set<const Expr *> places;
  for (const Access &access : model.accesses) {
    if (access.array != array)
      continue;
    const Expr *expr = access.expr;
    const bool isCell =
        expr && access.width == 1 &&
        (expr->kind == ExprKind::Subscript ||
         (expr->kind == ExprKind::Unary && expr->op == Op::Deref)) &&
        isSameType(expr->type, what.elementType);
    if (!isCell)
      return "it is not accessed element by element";
    accesses.push_back(access.id);
    places.insert(expr);
  }
  if (!isOneCell(accesses))
    return "a work-item uses several cells of it";
  const std::optional<TransformedKernel> start = startTransforming(model);
  if (!start)
    return "the order of the kernel is not known";
  const isl::map exposed = upwardExposed(model, start->tree, accesses,
                                         workRank() + (frame.isLoop() ? 1 : 0));
  if (!launches.constrain(exposed.wrap()).is_empty())
    return "it may be read before it is written";
  // Nothing else may name it, neither may its subscripts do anything.
  size_t named = 0, gone = 0;
  bool isPlain = true;
  forEachExpr(function.body, [&](const ExprRef &expr) {
    named += expr->kind == ExprKind::VarRef && expr->var == what.var;
    if (!places.count(expr.get()))
      return;
    for (const ExprRef &operand : expr->operands) {
      isPlain &= isSideEffectFree(operand);
      forEachExpr(operand, [&](const ExprRef &part) {
        gone += part->kind == ExprKind::VarRef && part->var == what.var;
      });
    }
  });
  if (!isPlain || named != gone)
    return "its address is used in another way";
  for (const Expr *place : places)
    cells[place] = variableFor(what.name);
  return "";
}

//===-- The text ----------------------------------------------------------===//

std::string Fuser::write(FusionAnswer &answer) {
  std::string declarations;
  std::set<std::string> gone;
  for (const std::string &buffer : request.temporaries)
    for (const Parameter &parameter : frame.parameters) {
      if (parameter.argument.buffer != buffer)
        continue;
      const std::optional<unsigned> array = model.findArray(parameter.name);
      const std::string why =
          array ? removeArray(*array) : std::string("it is not used");
      if (!why.empty()) {
        answer.notes.push_back("'" + buffer + "' stays a buffer: " + why);
        continue;
      }
      gone.insert(buffer);
      answer.removed.push_back(buffer);
      Type type = model.arrays[*array].elementType;
      type.isConst = false;
      declarations +=
          declarationText(type, variableFor(parameter.name)) + ";\n";
    }
  PrintHooks hooks;
  hooks.expr = [&](const Expr &expr) -> std::optional<PrintedText> {
    const auto found = cells.find(&expr);
    if (found == cells.end())
      return std::nullopt;
    return PrintedText{found->second};
  };
  std::string body = declarations;
  for (unsigned part = 0; part < blocks.size(); ++part) {
    if (barriers.count(part))
      body += "barrier(CLK_GLOBAL_MEM_FENCE);\n";
    for (const std::string &line : printStmt(blocks[part], hooks))
      body += line + "\n";
  }
  if (frame.isLoop())
    body = frame.loopLine() + " {\n" + body + "}\n";
  for (const Parameter &parameter : frame.parameters)
    if (!gone.count(parameter.argument.buffer) ||
        parameter.argument.buffer.empty())
      answer.arguments.emplace_back(parameter.part, parameter.index);
  return frame.declaration(gone) + "{\n" + formatStatements(body) + "}\n";
}

//===-- The whole ---------------------------------------------------------===//

static std::string requestProblem(const FusionRequest &request) {
  if (request.parts.empty() ||
      (request.parts.size() < 2 && !(request.isLoop && request.count > 1)))
    return "there is only one launch";
  LaunchNumbers numbers = request;
  for (const FusedPart &part : request.parts)
    for (const FusedArgument &argument : part.arguments)
      if (argument.first == INT64_MIN)
        return "an argument of '" + part.kernel + "' goes too far";
      else if (argument.first)
        numbers.scalars.push_back(
            {part.kernel, *argument.first, argument.step});
  return numbersProblem(numbers);
}

static void fuse(const std::string &path, const TranslationUnit &source,
                 const FusionRequest &request, const Options &options,
                 FusionAnswer &answer) {
  Frame frame(source, request);
  answer.problem = frame.make();
  if (!answer.problem.empty())
    return;
  const ParseResult parsed =
      parseOpenCL(path, frame.text(), options.buildFlags);
  const Function *function =
      parsed.unit ? findKernel(*parsed.unit, frame.name) : nullptr;
  if (!function) {
    answer.problem = "the new kernel is not OpenCL C";
    return;
  }
  const std::unique_ptr<KernelModel> model =
      buildModel(*parsed.unit, *function, modelOptionsFor(request, options));
  Fuser fuser(source, *function, *model, frame, request);
  answer.problem = fuser.problem();
  if (!answer.problem.empty())
    return;
  std::string text = source.text + "\n\n" + fuser.write(answer);
  if (!parseOpenCL(path, text, options.buildFlags).unit) {
    answer.problem = "the new kernel is not OpenCL C";
    return;
  }
  answer.kernel = frame.name;
  answer.text = std::move(text);
}

FusionAnswer makeFusion(const std::string &path, const std::string &source,
                        const FusionRequest &request, const Options &options) {
  FusionAnswer answer;
  answerLaunches(path, source, options, requestProblem(request), answer,
                 [&](const TranslationUnit &unit) {
                   fuse(path, unit, request, options, answer);
                 });
  return answer;
}

//===-- JSON --------------------------------------------------------------===//

static bool fromJSON(const llvm::json::Value &value, FusedArgument &argument,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.mapOptional("buffer", argument.buffer) &&
         map.mapOptional("first", argument.first) &&
         map.mapOptional("step", argument.step) &&
         map.mapOptional("value", argument.value);
}

static bool fromJSON(const llvm::json::Value &value, FusedPart &part,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("kernel", part.kernel) &&
         map.map("arguments", part.arguments);
}

static bool fromJSON(const llvm::json::Value &value, FusionRequest &request,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("parts", request.parts) &&
         map.mapOptional("count", request.count) &&
         map.mapOptional("loop", request.isLoop) && mapRange(map, request) &&
         map.mapOptional("temporaries", request.temporaries);
}

bool isFusionRequest(const std::string &text) {
  return hasJsonField(text, "parts");
}

llvm::Expected<FusionRequest> parseFusionRequest(const std::string &text) {
  return llvm::json::parse<FusionRequest>(text, "fusion");
}

std::string printFusion(const FusionAnswer &answer) {
  return printAnswer(answer, [&](llvm::json::OStream &json) {
    json.attribute("kernel", answer.kernel);
    json.attributeArray("arguments", [&] {
      for (const auto &[part, index] : answer.arguments)
        json.array([&, part = part, index = index] {
          json.value(part);
          json.value(index);
        });
    });
    jsonTexts(json, "removed", answer.removed);
    jsonTexts(json, "notes", answer.notes);
    json.attribute("text", jsonText(answer.text));
  });
}

} // namespace clopt
