//===- PlanReadBack.cpp - variants of a plan against the original ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/PlanReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/PlanReadBack.h"

#include "Validation/Coverage.h"
#include "Validation/LaunchSearch.h"

#include <algorithm>
#include <cstring>

namespace clopt {

bool isOwnVariant(const PlanKernel &kernel, const PlanVariant &variant) {
  return variant.launch.program == PlanProgram::Optimized &&
         !(variant.launch.sameRange && variant.launch.kernel == kernel.name &&
           variant.buffers.empty() && variant.images.empty());
}

//===-- What the host knows -----------------------------------------------===//

/// A device that has all that a plan can ask for.
static PlanNames factsAndMacros(const LaunchPlan &plan) {
  PlanNames names;
  for (const std::string &fact : planDeviceFacts())
    names[fact] = PlanValue::ofULong(1024);
  for (const char *size :
       {"CL_DEVICE_LOCAL_MEM_SIZE", "CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE",
        "CL_DEVICE_MAX_MEM_ALLOC_SIZE", "CL_DEVICE_IMAGE2D_MAX_WIDTH",
        "CL_DEVICE_IMAGE2D_MAX_HEIGHT"})
    names[size] = PlanValue::ofULong(1 << 30);
  for (const auto &[name, value] : integerMacros(plan.buildFlags))
    names[name] = value;
  return names;
}

static RequestedRange rangeOf(const SmallLaunch &launch) {
  RequestedRange range;
  range.dimensions = launch.dimensions;
  range.local = {1, 1, 1};
  for (unsigned d = 0; d < 3; ++d) {
    range.global[d] = static_cast<size_t>(launch.global[d]);
    range.offset[d] = static_cast<size_t>(launch.offset[d]);
    (*range.local)[d] = static_cast<size_t>(launch.local[d]);
  }
  return range;
}

static bool isBuffer(const Variable &param) {
  return param.type.isPointer() && param.type.space != AddressSpace::Local;
}

static const std::string &memoryOf(const SmallLaunch &launch,
                                   const std::string &name) {
  auto same = launch.sameAs.find(name);
  return same == launch.sameAs.end() ? name : same->second;
}

/// In the order of the kernel's own run (Machine::addHandles).
static void addHandles(const Function &kernel, RunResult &run) {
  for (const Variable *param : kernel.params) {
    if (param->type.kind != TypeKind::Opaque)
      continue;
    MemoryObject object;
    object.name = param->name;
    object.hasData = true;
    run.buffers[param->name] = run.memory.addObject(std::move(object));
  }
}

using BufferSizes = std::map<std::string, int64_t>;

/// The application's images, samplers and buffers in an empty memory. Buffers
/// that `sizes` does not tell of are large.
static void addBuffers(const Function &kernel, const SmallLaunch &launch,
                       const BufferSizes &sizes, RunResult &run) {
  addHandles(kernel, run);
  for (const Variable *param : kernel.params) {
    if (!isBuffer(*param) || memoryOf(launch, param->name) != param->name)
      continue;
    MemoryObject object;
    object.name = param->name;
    if (param->type.element)
      object.type = *param->type.element;
    object.hasData = true;
    object.address = launch.misalignment;
    auto known = sizes.find(param->name);
    constexpr int64_t large = 1 << 22;
    object.size = known == sizes.end() ? large : known->second;
    run.buffers[param->name] = run.memory.addObject(std::move(object));
  }
}

static std::vector<GivenArgument>
argumentsOf(const Function &kernel, const SmallLaunch &launch, RunResult &run) {
  std::vector<GivenArgument> arguments;
  for (const Variable *param : kernel.params) {
    GivenArgument argument;
    argument.isSet = true;
    auto found = run.buffers.find(memoryOf(launch, param->name));
    if (isBuffer(*param) && found != run.buffers.end()) {
      const MemoryObject &object = run.memory.object(found->second);
      int64_t shift =
          launch.sameAs.count(param->name) ? launch.overlapShift : 0;
      argument.address = static_cast<uint64_t>(object.address + shift);
      argument.bufferBytes =
          static_cast<uint64_t>(std::max<int64_t>(0, object.size - shift));
    } else if (param->type.isInteger() && param->type.isScalar()) {
      auto given = launch.integers.find(param->name);
      int64_t value =
          wrapTo(param->type.scalar,
                 given == launch.integers.end() ? 3 : given->second);
      argument.bytes.resize(sizeOf(param->type.scalar));
      std::memcpy(argument.bytes.data(), &value, argument.bytes.size());
    }
    if (const auto whole = launch.integers.find(param->name);
        whole != launch.integers.end() && param->type.isScalar()) {
      const auto value = static_cast<double>(whole->second);
      const auto single = static_cast<float>(value);
      if (param->type.scalar == ScalarKind::Float) {
        argument.bytes.resize(sizeof single);
        std::memcpy(argument.bytes.data(), &single, sizeof single);
      } else if (param->type.scalar == ScalarKind::Double) {
        argument.bytes.resize(sizeof value);
        std::memcpy(argument.bytes.data(), &value, sizeof value);
      }
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

/// How many bytes the buffers have at least, after what the kernel did; nothing
/// where it leaves them at the front.
static std::optional<BufferSizes> sizesAfter(const Function &kernel,
                                             RunResult &run) {
  BufferSizes sizes;
  for (const Variable *param : kernel.params) {
    auto found = run.buffers.find(param->name);
    if (!isBuffer(*param) || found == run.buffers.end())
      continue;
    MemoryObject &object = run.memory.object(found->second);
    const OffsetRange all = object.accessed();
    int64_t element =
        std::max<int64_t>(1, static_cast<int64_t>(object.type.size));
    int64_t &bytes = sizes[param->name];
    bytes = element;
    if (all.first > all.last)
      continue;
    if (all.first < 0)
      return std::nullopt;
    bytes = (all.last / element + 1) * element;
  }
  return sizes;
}

//===-- Variants ----------------------------------------------------------===//

namespace {

/// Launches that a variant is compared in, even if the first reaches all.
constexpr unsigned minLaunches = 8;

/// A variant, its kernels, and what is known of it so far.
struct VariantState {
  const CompiledVariant *variant = nullptr;
  VariantReadBack report;
  std::vector<BodyCoverage> bodies; ///< of its kernels
  size_t held = 0;                  ///< conditions, at most
  std::optional<SmallLaunch> last;  ///< that was compared
  bool isOver() const {
    return report.wrong ||
           (report.compared >= minLaunches &&
            std::all_of(bodies.begin(), bodies.end(),
                        [](const BodyCoverage &body) {
                          return body.isComplete() && body.hasAllEdges();
                        }));
  }
};

class PlanValidator {
public:
  PlanValidator(const CompiledPlan &compiled, const KernelModel &original,
                const TranslationUnit &before, const TranslationUnit &after,
                uint64_t allowed);

  std::vector<VariantReadBack> run(const std::vector<SmallLaunch> &seeds);

private:
  void addVariant(const CompiledVariant &variant);
  bool consider(const SmallLaunch &launch);
  std::optional<SmallLaunch> fullGroup(const VariantState &state) const;
  bool compare(VariantState &state, const ResolvedVariant &resolved,
               const BufferSizes &sizes, const SmallLaunch &launch,
               TermStore &terms, RunResult &meant);
  void carryOut(const ResolvedVariant &resolved, const SmallLaunch &launch,
                TermStore &terms, RunResult &found);
  void enqueue(const ResolvedLaunch &resolved, const SmallLaunch &launch,
               TermStore &terms, RunResult &found);
  void addImage(const PlanImage &image, const ResolvedImage &size,
                const SmallLaunch &launch, RunResult &found) const;
  PlanScope scopeOf(const SmallLaunch &launch, const BufferSizes &sizes) const;
  const CompiledKernel *compiledKernel(const Function &function);
  void finish(VariantState &state) const;
  bool isOver() const;
  uint64_t left() const { return budget > steps ? budget - steps : 0; }

  const CompiledPlan &plan;
  const PlanKernel &kernel;
  const KernelModel &model;
  const Function &author;
  const TranslationUnit &parsed, &written;
  const PlanNames fixed;
  const CompiledKernel original;
  std::map<const Function *, CompiledKernel> kernels;
  std::vector<VariantState> variants;
  std::vector<int64_t> numbers; ///< that matter to bodies and conditions
  uint64_t budget = 0, steps = 0;
};

} // namespace

static const Function *findKernel(const TranslationUnit &unit,
                                  const std::string &name) {
  for (const auto &function : unit.functions)
    if (function->isKernel && function->name == name)
      return function.get();
  return nullptr;
}

static void collectNumbers(const PlanNode &node,
                           std::vector<int64_t> &numbers) {
  if (node.kind == PlanNode::Kind::Literal && node.value.bits <= 4096)
    numbers.push_back(node.value.asSigned());
  for (const auto &operand : node.operands)
    collectNumbers(*operand, numbers);
}

PlanValidator::PlanValidator(const CompiledPlan &compiled,
                             const KernelModel &modelled,
                             const TranslationUnit &before,
                             const TranslationUnit &after, uint64_t allowed)
    : plan(compiled), kernel(*compiled.plan().find(modelled.function->name)),
      model(modelled), author(*modelled.function), parsed(before),
      written(after), fixed(factsAndMacros(compiled.plan())),
      original(*modelled.unit, *modelled.function) {
  for (const CompiledVariant &variant : *plan.variants(kernel.name))
    if (isOwnVariant(kernel, *variant.plan))
      addVariant(variant);
  budget = allowed * variants.size();
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

void PlanValidator::addVariant(const CompiledVariant &variant) {
  VariantState state;
  state.variant = &variant;
  state.report.name = variant.plan->name;
  Function nothing;
  nothing.body = std::make_shared<Stmt>();
  std::set<std::string> names = {variant.plan->launch.kernel};
  for (const auto *conversions : {&variant.plan->before, &variant.plan->after})
    for (const PlanConversion &conversion : *conversions)
      names.insert(conversion.launch.kernel);
  for (const std::string &name : names) {
    const Function *function = findKernel(written, name);
    if (!function)
      continue;
    // Optimized versions of kernels of the file fall back to their text.
    const Function *before = findKernel(parsed, name);
    state.bodies.emplace_back(*function, before ? *before : nothing);
    const std::vector<int64_t> &more = state.bodies.back().numbers();
    numbers.insert(numbers.end(), more.begin(), more.end());
  }
  for (const PlanExpression &condition : variant.conditions)
    collectNumbers(condition.root(), numbers);
  variants.push_back(std::move(state));
}

PlanScope PlanValidator::scopeOf(const SmallLaunch &launch,
                                 const BufferSizes &sizes) const {
  TermStore terms;
  RunResult run(terms);
  addBuffers(author, launch, sizes, run);
  return PlanScope(kernel, rangeOf(launch), argumentsOf(author, launch, run),
                   fixed);
}

const CompiledKernel *PlanValidator::compiledKernel(const Function &function) {
  return &kernels.try_emplace(&function, written, function).first->second;
}

//===-- What the host does ------------------------------------------------===//

/// A group that a driver could choose.
static size_t groupFor(size_t items) {
  size_t group = std::min<size_t>(items, 16);
  while (items % group)
    --group;
  return group;
}

void PlanValidator::enqueue(const ResolvedLaunch &resolved,
                            const SmallLaunch &launch, TermStore &terms,
                            RunResult &found) {
  if (resolved.isEmpty() || found.fault || found.gaveUp)
    return;
  const PlanLaunch &asked = *resolved.plan;
  const Function *function = findKernel(written, asked.kernel);
  if (!function || function->params.size() != asked.arguments.size()) {
    found.fault =
        RunFault{"'" + asked.kernel + "' is no kernel with " +
                     std::to_string(asked.arguments.size()) + " arguments",
                 SourceRange()};
    return;
  }
  SmallLaunch own = launch;
  own.dimensions = resolved.range.dimensions;
  for (unsigned d = 0; d < 3; ++d) {
    const size_t items = resolved.range.global[d];
    own.global[d] = static_cast<int64_t>(items);
    own.offset[d] = static_cast<int64_t>(resolved.range.offset[d]);
    own.local[d] = static_cast<int64_t>(
        resolved.range.local ? (*resolved.range.local)[d] : groupFor(items));
    if (function->requiredLocalSize[d] > 0 &&
        own.local[d] != static_cast<int64_t>(function->requiredLocalSize[d]))
      found.fault = RunFault{"'" + asked.kernel +
                                 "' is launched in groups "
                                 "that it is not for",
                             function->range};
  }
  for (size_t i = 0; i < asked.arguments.size(); ++i) {
    const PlanArgument &argument = asked.arguments[i];
    const std::string &param = function->params[i]->name;
    if (argument.kind == PlanArgument::Kind::Local)
      continue;
    own.given[param] = argument.name;
    if (argument.kind != PlanArgument::Kind::Value)
      continue;
    const std::vector<uint8_t> &bytes = resolved.values[i];
    if (bytes.size() != function->params[i]->type.size)
      found.fault = RunFault{"'" + param + "' is given " +
                                 std::to_string(bytes.size()) + " bytes",
                             function->range};
    int64_t value = 0;
    std::memcpy(&value, bytes.data(), bytes.size());
    own.given[param] = "value of " + param;
    own.integers[own.given[param]] = value;
  }
  if (!found.fault)
    compiledKernel(*function)->runAfter(own, terms, budget, found);
}

static std::optional<ScalarKind> channelKind(const std::string &type) {
  static const std::map<std::string, ScalarKind> kinds = {
      {"CL_UNSIGNED_INT32", ScalarKind::UInt},
      {"CL_SIGNED_INT32", ScalarKind::Int},
      {"CL_UNSIGNED_INT16", ScalarKind::UShort},
      {"CL_SIGNED_INT16", ScalarKind::Short},
      {"CL_UNSIGNED_INT8", ScalarKind::UChar},
      {"CL_SIGNED_INT8", ScalarKind::Char}};
  auto found = kinds.find(type);
  return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

void PlanValidator::addImage(const PlanImage &image, const ResolvedImage &size,
                             const SmallLaunch &launch,
                             RunResult &found) const {
  std::optional<ScalarKind> kind = channelKind(image.channelType);
  auto source = found.buffers.find(memoryOf(launch, image.source));
  if (!kind || source == found.buffers.end()) {
    found.gaveUp = "images of this form";
    return;
  }
  BufferImage texels;
  texels.kind = *kind;
  texels.channels = image.channelOrder == "CL_RGBA" ? 4
                    : image.channelOrder == "CL_RG" ? 2
                                                    : 1;
  texels.width = static_cast<int64_t>(size.width);
  texels.height = static_cast<int64_t>(size.height);
  texels.rowBytes = size.rowBytes
                        ? static_cast<int64_t>(size.rowBytes)
                        : texels.width * texels.channels * sizeOf(*kind);
  texels.source = found.memory.object(source->second).address +
                  (launch.sameAs.count(image.source) ? launch.overlapShift : 0);
  MemoryObject object;
  object.name = image.name;
  object.image = texels;
  found.buffers[image.name] = found.memory.addObject(std::move(object));
}

/// All that the host does for the variant. What goes wrong is in `found`.
void PlanValidator::carryOut(const ResolvedVariant &resolved,
                             const SmallLaunch &launch, TermStore &terms,
                             RunResult &found) {
  const PlanVariant &variant = *resolved.plan;
  for (size_t i = 0; i < variant.buffers.size(); ++i) {
    MemoryObject object;
    object.name = variant.buffers[i].name;
    object.size =
        std::max<int64_t>(1, static_cast<int64_t>(resolved.bufferBytes[i]));
    found.buffers[variant.buffers[i].name] =
        found.memory.addObject(std::move(object));
  }
  for (const ResolvedLaunch &conversion : resolved.before)
    enqueue(conversion, launch, terms, found);
  for (size_t i = 0; i < variant.images.size(); ++i)
    addImage(variant.images[i], resolved.images[i], launch, found);
  enqueue(resolved.launch, launch, terms, found);
  for (const ResolvedLaunch &conversion : resolved.after)
    enqueue(conversion, launch, terms, found);
}

//===-- Launches ----------------------------------------------------------===//

/// True when more of the variant has run than before.
bool PlanValidator::compare(VariantState &state,
                            const ResolvedVariant &resolved,
                            const BufferSizes &sizes, const SmallLaunch &launch,
                            TermStore &terms, RunResult &meant) {
  RunResult found(terms);
  found.memory.unsetSeed = 1;
  addBuffers(author, launch, sizes, found);
  carryOut(resolved, launch, terms, found);
  steps += found.steps;
  state.report.steps += found.steps;
  if (found.gaveUp) {
    state.report.skipped.insert(*found.gaveUp);
    return false;
  }
  std::optional<RunFault> fault = found.fault, wrong;
  if (fault)
    fault->what += lineText(&fault->range);
  auto differs = [&](RunResult &run) {
    return fault ? fault
                 : compareRestored(terms, run, found, model.unit->unsafeMath);
  };
  std::string skipped;
  try {
    wrong = differs(meant);
    if (wrong)
      skipped = whyMeaningless(original, launch, terms, budget, meant, differs,
                               wrong);
  } catch (const GiveUp &end) {
    skipped = end.reason;
  }
  if (!skipped.empty()) {
    state.report.skipped.insert(skipped);
    return false;
  }
  if (wrong) {
    state.report.wrong =
        RunFault{wrong->what + ", with " + launch.text(), author.range};
    return false;
  }
  ++state.report.compared;
  state.last = launch;
  bool isNew = false;
  for (BodyCoverage &body : state.bodies)
    isNew |= body.add(found.executed, found.branches, found.edges);
  return isNew;
}

static bool canBegin(const Function &kernel, int64_t address) {
  return std::all_of(
      kernel.params.begin(), kernel.params.end(), [&](const Variable *param) {
        const Type *element = param->type.element.get();
        return !isBuffer(*param) || !element || canBegin(*element, address);
      });
}

/// Compares the variants that the launch enters with the original; true when it
/// leads further than those before.
bool PlanValidator::consider(const SmallLaunch &launch) {
  if (!canBegin(author, launch.misalignment))
    return false;
  // Most launches fail a condition, whatever the sizes of buffers are.
  const PlanScope guess = scopeOf(launch, {});
  std::vector<VariantState *> entered;
  bool isNew = false;
  for (VariantState &state : variants) {
    if (state.isOver())
      continue;
    const size_t held = guess.held(*state.variant);
    isNew |= held > state.held;
    state.held = std::max(state.held, held);
    if (held == state.variant->conditions.size())
      entered.push_back(&state);
  }
  if (entered.empty())
    return isNew;
  TermStore terms(launch.data, comparedNumbers(*model.function));
  RunResult meant = original.run(launch, terms, budget);
  steps += meant.steps;
  entered.front()->report.steps += meant.steps;
  std::optional<BufferSizes> exact;
  std::string skipped;
  if (meant.gaveUp || meant.fault)
    skipped = meant.gaveUp ? *meant.gaveUp : meant.fault->what;
  else if (!(exact = sizesAfter(author, meant)))
    skipped = "accesses ahead of a buffer";
  if (!exact) {
    for (VariantState *state : entered)
      state->report.skipped.insert(skipped);
    return false;
  }
  BufferSizes roomy = *exact;
  for (auto &entry : roomy)
    entry.second = (entry.second / 256 + 2) * 256;
  for (VariantState *state : entered)
    for (const BufferSizes *sizes : {&*exact, &roomy})
      if (std::optional<ResolvedVariant> resolved =
              scopeOf(launch, *sizes).resolve(*state->variant, true)) {
        isNew |= compare(*state, *resolved, *sizes, launch, terms, meant);
        break;
      }
  return isNew;
}

/// The launch with so many work-items side by side, and arguments as large
/// where they were not below the launch's sizes.
static SmallLaunch grown(const SmallLaunch &launch, const Function &kernel,
                         int64_t size) {
  SmallLaunch result = launch;
  int64_t least = launch.global[0];
  for (unsigned d = 0; d < launch.dimensions; ++d) {
    least = std::min(least, launch.global[d]);
    result.global[d] = size;
    result.local[d] = kernel.requiredLocalSize[d]
                          ? static_cast<int64_t>(kernel.requiredLocalSize[d])
                      : d < 2 ? std::min<int64_t>(size, 16)
                              : 1;
    result.offset[d] = 0;
  }
  for (auto &entry : result.integers)
    if (entry.second >= least)
      entry.second = size;
  return result;
}

/// The largest launch for which the variant has one group: that is full.
std::optional<SmallLaunch>
PlanValidator::fullGroup(const VariantState &state) const {
  std::optional<SmallLaunch> result;
  if (state.variant->plan->launch.sameRange || !state.last)
    return result;
  for (int64_t size = 8; size <= 512; size *= 2) {
    const SmallLaunch larger = grown(*state.last, author, size);
    auto resolved = scopeOf(larger, {}).resolve(*state.variant, true);
    if (!resolved || !resolved->launch.range.local)
      continue;
    const RequestedRange &range = resolved->launch.range;
    size_t groups = 1;
    for (unsigned d = 0; d < range.dimensions; ++d)
      groups *= range.global[d] / (*range.local)[d];
    if (groups == 1 && larger.global[0] % larger.local[0] == 0 &&
        larger.global[1] % larger.local[1] == 0 &&
        larger.global[2] % larger.local[2] == 0)
      result = larger;
  }
  return result;
}

bool PlanValidator::isOver() const {
  return left() == 0 ||
         std::all_of(variants.begin(), variants.end(),
                     [](const VariantState &state) { return state.isOver(); });
}

void PlanValidator::finish(VariantState &state) const {
  VariantReadBack &report = state.report;
  report.isEntered = report.compared > 0;
  for (const BodyCoverage &body : state.bodies) {
    report.isEntered &= body.isEntered();
    report.statements += body.statements();
    report.executed += body.statementsReached();
    report.branches += body.branches().size();
    report.reached += body.branchesReached();
    for (const Branch &branch : body.branches())
      if (!branch.isReached)
        report.missed.push_back(branch.text());
  }
  const std::vector<PlanCondition> &conditions =
      state.variant->plan->conditions;
  if (report.compared == 0 && !report.wrong && state.held < conditions.size())
    report.skipped.insert("no launch meets '" +
                          conditions[state.held].expression + "'");
}

std::vector<VariantReadBack>
PlanValidator::run(const std::vector<SmallLaunch> &seeds) {
  // Half of the steps for cheap launches, before a group of the plan is full.
  auto next = seeds.begin();
  for (; next != seeds.end() && !isOver() && steps < budget / 2; ++next)
    consider(*next);
  for (const VariantState &state : variants)
    if (std::optional<SmallLaunch> full = fullGroup(state); full && !isOver())
      consider(*full);
  for (; next != seeds.end() && !isOver(); ++next)
    consider(*next);
  if (!seeds.empty()) {
    LaunchSearch changes(model, numbers, seeds);
    for (unsigned tries = 0, vain = 0; tries < 400 && vain < 100 && !isOver();
         ++tries, ++vain) {
      SmallLaunch launch = changes.next();
      if (!consider(launch))
        continue;
      changes.keep(launch);
      vain = 0;
    }
  }
  std::vector<VariantReadBack> reports;
  for (VariantState &state : variants) {
    finish(state);
    reports.push_back(std::move(state.report));
  }
  return reports;
}

std::vector<VariantReadBack>
readBackPlan(const CompiledPlan &plan, const KernelModel &model,
             const TranslationUnit &parsed, const TranslationUnit &written,
             const std::vector<SmallLaunch> &seeds, uint64_t budget) {
  if (!plan.plan().find(model.function->name))
    return {};
  return PlanValidator(plan, model, parsed, written, budget).run(seeds);
}

} // namespace clopt
