//===- Launcher.cpp - a launch plan as a C header -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per kernel: what the runtime library does for the plan, without
// kept copies, as C that depends on OpenCL alone. Every expression becomes
// calls of the checked operations in LauncherValues.cpp.
//
// Tested by test/unit/RuntimeLauncherTest.cpp, test/lit/plan.
//
//===----------------------------------------------------------------------===//

#include "Plan/LauncherCommon.h"
#include "Plan/PlanExpression.h"
#include "Plan/PlanExpressionReader.h"
#include "clopt/LaunchPlan.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace clopt {

namespace {

std::string number(uint64_t value) { return std::to_string(value); }

/// "4, 0" for int: size and whether it is unsigned.
std::string typeWords(const PlanScalar &type) {
  return number(type.bytes) + ", " + (type.isUnsigned ? "1" : "0");
}

/// The characters that C has in names.
std::string plainCharacters(const std::string &name) {
  std::string result;
  for (char c : name)
    result += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return result;
}

/// Parts of the names of a file or of a function. Different names stay
/// different, and none is a word of C or C++ once it has a prefix.
class NameParts {
public:
  const std::string &operator[](const std::string &name) {
    auto known = parts.find(name);
    if (known != parts.end())
      return known->second;
    const std::string plain = plainCharacters(name);
    std::string part = plain;
    for (unsigned number = 2; !taken.insert(part).second; ++number)
      part = plain + "_" + std::to_string(number);
    return parts[name] = part;
  }

private:
  std::map<std::string, std::string> parts;
  std::set<std::string> taken;
};

class Writer {
public:
  Writer(const LaunchPlan &wanted, const std::string &file)
      : plan(wanted), guard("CLOPT_LAUNCHER_" + plainCharacters(file)) {}

  std::string run() {
    std::transform(
        guard.begin(), guard.end(), guard.begin(),
        [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    text = "/* Launches the kernels of '" + comment(plan.optimized.name) +
           "' as its launch plan says. Made by clopt " + plan.toolVersion +
           ".\n"
           " *\n"
           " * Programs are built by the caller, with the flags\n"
           " *   " +
           flagsText() +
           "\n"
           " * `original` is the program of '" +
           comment(plan.original.name) +
           "', or null:\n"
           " * then its kernels are taken from `optimized`. Sizes are those of "
           "the original\n"
           " * launch. The event is that of the last command. */\n\n";
    text += "#ifndef " + guard + "\n#define " + guard + "\n\n";
    text += launcherValues;
    text += launcherCommands;
    for (const PlanKernel &kernel : plan.kernels)
      writeKernel(kernel);
    return text + "\n#endif /* " + guard + " */\n";
  }

private:
  static std::string comment(std::string words) {
    for (size_t at = words.find("*/"); at != std::string::npos;
         at = words.find("*/"))
      words[at] = '+';
    return words;
  }

  std::string flagsText() const {
    std::string all;
    for (const std::string &flag : plan.buildFlags)
      all += (all.empty() ? "" : " ") + flag;
    return all.empty() ? "(none)" : comment(all);
  }

  void line(unsigned indent, const std::string &words) {
    text += std::string(2 * indent, ' ') + words + "\n";
  }

  //===-- Names. Those of the function itself have none of these prefixes.

  std::string argument(const std::string &parameter) const {
    return "arg_" + parts[parameter];
  }
  /// Of an argument that is an address, or of one in local memory.
  std::string size(const std::string &parameter) const {
    return "size_" + parts[parameter];
  }
  std::string value(const std::string &word) const {
    return "v_" + parts[word];
  }
  std::string buffer(const std::string &name) const {
    return "b_" + parts[name];
  }
  std::string image(const std::string &name) const {
    return "i_" + parts[name];
  }

  //===-- Expressions

  std::string expression(const std::string &source) const {
    return print(PlanExpression::parse(source).root());
  }

  std::string print(const PlanNode &node) const {
    if (node.kind == PlanNode::Kind::Call && node.text == "buffer_bytes")
      return bufferBytes(node.operands[0]->text);
    std::vector<std::string> operands;
    for (const auto &operand : node.operands)
      operands.push_back(print(*operand));
    switch (node.kind) {
    case PlanNode::Kind::Literal:
      return "clopt_make((cl_ulong)" + number(node.value.bits) + "u, " +
             (node.value.isWide ? "1, " : "0, ") +
             (node.value.isUnsigned ? "1)" : "0)");
    case PlanNode::Kind::Name:
      return name(node.text);
    case PlanNode::Kind::Cast:
      if (node.text == "bool")
        return "clopt_bool(" + operands[0] + ")";
      return "clopt_cast(" + typeWords(*findPlanScalar(node.text)) + ", " +
             operands[0] + ")";
    case PlanNode::Kind::Unary:
      return "clopt_unary('" + node.text + "', " + operands[0] + ")";
    case PlanNode::Kind::Binary:
      return "clopt_op('" + std::string(1, operatorOf(node.text)) + "', " +
             operands[0] + ", " + operands[1] + ")";
    case PlanNode::Kind::Conditional:
      return "clopt_choose(" + operands[0] + ", " + operands[1] + ", " +
             operands[2] + ")";
    case PlanNode::Kind::Call:
      break;
    }
    return call(node.text, operands);
  }

  std::string bufferBytes(const std::string &buffer) const {
    return buffers.count(buffer)
               ? "clopt_buffer_bytes(" + argument(buffer) + ")"
               : "clopt_none()";
  }

  static char operatorOf(const std::string &op) {
    static const std::map<std::string, char> letters = {
        {"<=", 'l'}, {">=", 'g'}, {"<<", 'L'}, {">>", 'R'},
        {"&&", 'A'}, {"||", 'O'}, {"==", '='}, {"!=", 'n'}};
    auto it = letters.find(op);
    return it == letters.end() ? op[0] : it->second;
  }

  static std::string call(const std::string &function,
                          const std::vector<std::string> &operands) {
    if (function == "get_work_dim")
      return "clopt_make(l.dims, 0, 0)";
    if (function == "min" || function == "max")
      return std::string("clopt_extreme(") +
             (function == "max" ? "1, " : "0, ") + operands[0] + ", " +
             operands[1] + ")";
    if (function == "ceildiv" || function == "roundup")
      return std::string("clopt_rounded(") +
             (function == "roundup" ? "1, " : "0, ") + operands[0] + ", " +
             operands[1] + ")";
    char what = function == "get_global_size"     ? 's'
                : function == "get_global_offset" ? 'o'
                                                  : 'l';
    return std::string("clopt_query(&l, '") + what + "', " + operands[0] + ")";
  }

  /// A name's value: a variable of the function, a fact, or a macro.
  std::string name(const std::string &word) const {
    if (values.count(word))
      return value(word);
    const auto &facts = planDeviceFacts();
    if (std::find(facts.begin(), facts.end(), word) != facts.end())
      return "clopt_fact(&l, " + word + ")";
    const std::map<std::string, std::string> macros =
        planMacros(plan.buildFlags);
    auto macro = macros.find(word);
    if (macro != macros.end())
      try {
        PlanExpression value = PlanExpression::parse(macro->second);
        bool isPlain = true;
        value.forEachName([&](const std::string &) { isPlain = false; });
        if (isPlain)
          return print(value.root());
      } catch (const PlanExpressionError &) {
        // No integer: it has no value.
      }
    return "clopt_none()";
  }

  //===-- Kernels

  static std::string parameterType(const PlanParameter &parameter) {
    if (parameter.kind == PlanParameter::Kind::Buffer)
      return "cl_mem ";
    static const std::set<std::string> scalars = {
        "char", "uchar", "short", "ushort", "int", "uint",
        "long", "ulong", "float", "double", "half"};
    std::string base = parameter.type;
    while (!base.empty() &&
           std::isdigit(static_cast<unsigned char>(base.back())))
      base.pop_back();
    bool isKnown =
        parameter.kind == PlanParameter::Kind::Scalar && scalars.count(base);
    return isKnown ? "cl_" + parameter.type + " " : "";
  }

  /// Other types come as an address and a size.
  std::string parameterText(const PlanParameter &parameter) const {
    const std::string bytes = "size_t " + size(parameter.name);
    if (parameter.kind == PlanParameter::Kind::Local)
      return bytes;
    std::string type = parameterType(parameter);
    return (type.empty() ? bytes + ", const void *" : type) +
           argument(parameter.name);
  }

  void writeKernel(const PlanKernel &kernel) {
    values.clear();
    buffers.clear();
    parts = NameParts();
    text += "\nstatic inline cl_int " + functions[kernel.name] +
            "(\n    cl_command_queue queue, cl_program optimized, "
            "cl_program original,\n    cl_uint work_dim, const size_t "
            "*global_offset, const size_t *global_size,\n    const size_t "
            "*local_size,\n";
    for (const PlanParameter &parameter : kernel.parameters)
      line(2, parameterText(parameter) + ",");
    text += "    cl_uint wait_count, const cl_event *wait_list, cl_event "
            "*event) {\n";
    line(1, "clopt_call l;");
    line(1, "cl_int status = clopt_begin(&l, queue, optimized, original, "
            "work_dim,");
    line(1, "                            global_offset, global_size, "
            "local_size,");
    line(1, "                            wait_count, wait_list);");
    line(1, "if (status != CL_SUCCESS)");
    line(2, "return status;");
    writeParameters(kernel);
    for (const PlanVariant &variant : kernel.variants)
      writeVariant(kernel, variant);
    line(1, "return clopt_end(&l, CL_INVALID_KERNEL_ARGS, event);");
    text += "}\n";
  }

  /// Values of the parameters that expressions use.
  void writeParameters(const PlanKernel &kernel) {
    std::set<std::string> used = usedNames(kernel);
    text += "  {\n";
    for (const PlanParameter &parameter : kernel.parameters) {
      const PlanScalar *type = findPlanScalar(parameter.type);
      std::string own = argument(parameter.name), given;
      if (!used.count(parameter.name))
        continue;
      if (parameter.kind == PlanParameter::Kind::Buffer && parameter.bytes)
        given =
            "clopt_address(&l, " + own + ", " + number(parameter.bytes) + ")";
      else if (parameter.kind == PlanParameter::Kind::Scalar && type)
        given = "clopt_scalar(" + typeWords(*type) + ", (cl_ulong)" + own + ")";
      else if (parameter.kind == PlanParameter::Kind::Scalar &&
               (parameter.type == "float" || parameter.type == "double"))
        given = "clopt_whole(" + own + ")";
      else
        continue;
      values.insert(parameter.name);
      if (parameter.kind == PlanParameter::Kind::Buffer)
        buffers.insert(parameter.name);
      line(1,
           "const clopt_value " + value(parameter.name) + " = " + given + ";");
    }
  }

  static void addNames(const std::string &source,
                       std::set<std::string> &names) {
    PlanExpression::parse(source).forEachName(
        [&](const std::string &word) { names.insert(word); });
  }

  static void addNames(const PlanLaunch &launch, std::set<std::string> &names) {
    for (const auto *list : {&launch.global, &launch.local, &launch.offset})
      for (const std::string &size : *list)
        addNames(size, names);
    for (const PlanArgument &argument : launch.arguments)
      if (!argument.value.empty())
        addNames(argument.value, names);
  }

  /// Names that the sizes, conditions and definitions of a variant use.
  static std::set<std::string> usedNames(const PlanVariant &variant) {
    std::set<std::string> names;
    for (const PlanCondition &condition : variant.conditions)
      addNames(condition.expression, names);
    for (const PlanBuffer &buffer : variant.buffers)
      addNames(buffer.bytes, names);
    for (const PlanImage &image : variant.images)
      for (const std::string &size :
           {image.width, image.height, image.rowBytes})
        if (!size.empty())
          addNames(size, names);
    addNames(variant.launch, names);
    for (const auto *list : {&variant.before, &variant.after})
      for (const PlanConversion &conversion : *list)
        addNames(conversion.launch, names);
    for (size_t i = variant.definitions.size(); i-- > 0;)
      if (names.count(variant.definitions[i].name))
        addNames(variant.definitions[i].value, names);
    return names;
  }

  static std::set<std::string> usedNames(const PlanKernel &kernel) {
    std::set<std::string> names;
    for (const PlanVariant &variant : kernel.variants) {
      std::set<std::string> more = usedNames(variant);
      names.insert(more.begin(), more.end());
    }
    return names;
  }

  //===-- Variants

  void writeVariant(const PlanKernel &kernel, const PlanVariant &variant) {
    std::set<std::string> before = values, used = usedNames(variant);
    line(1, "{ /* " + comment(variant.name) + " */");
    line(2, "int ok = 1;");
    for (const PlanDefinition &definition : variant.definitions) {
      if (!used.count(definition.name))
        continue;
      line(2, "const clopt_value " + value(definition.name) + " = " +
                  expression(definition.value) + ";");
      values.insert(definition.name);
    }
    for (const PlanCondition &condition : variant.conditions)
      line(2,
           "ok = ok && clopt_true(" + expression(condition.expression) + ");");
    for (const PlanImage &image : variant.images)
      line(2, "ok = ok && clopt_has_format(&l, " + image.channelOrder + ", " +
                  image.channelType + ");");
    line(2, "if (ok) {");
    for (size_t i = 0; i < variant.buffers.size(); ++i) {
      line(3, "const size_t bytes" + number(i) + " = clopt_size(" +
                  expression(variant.buffers[i].bytes) + ", &ok);");
      line(3, "cl_mem " + buffer(variant.buffers[i].name) + " = NULL;");
    }
    for (const PlanImage &made : variant.images)
      line(3, "cl_mem " + image(made.name) + " = NULL;");
    unsigned count = 0;
    std::vector<const PlanLaunch *> launches;
    for (const PlanConversion &conversion : variant.before)
      launches.push_back(&conversion.launch);
    launches.push_back(&variant.launch);
    for (const PlanConversion &conversion : variant.after)
      launches.push_back(&conversion.launch);
    for (const PlanLaunch *launch : launches)
      declareLaunch(*launch, count++);
    for (size_t i = 0; i < launches.size(); ++i)
      if (!launches[i]->local.empty())
        line(3, "ok = ok && clopt_fits(&l, l." + program(*launches[i]) +
                    ", \"" + launches[i]->kernel + "\", " +
                    number(launches[i]->global.size()) + ", local" + number(i) +
                    ");");
    line(3, "if (ok) {");
    writeCommands(kernel, variant);
    line(4, "return clopt_end(&l, status, event);");
    line(3, "}");
    line(2, "}");
    line(1, "}");
    if (&variant == &kernel.variants.back())
      line(1, "}");
    values = before;
  }

  static std::string program(const PlanLaunch &launch) {
    return launch.program == PlanProgram::Optimized ? "optimized" : "original";
  }

  void declareSizes(const std::vector<std::string> &sizes,
                    const std::string &name) {
    line(3, "size_t " + name + "[3] = {1, 1, 1};");
    for (size_t d = 0; d < sizes.size(); ++d)
      assignments.push_back(name + "[" + number(d) + "] = clopt_size(" +
                            expression(sizes[d]) + ", &ok);");
  }

  /// Sizes and values of a launch.
  void declareLaunch(const PlanLaunch &launch, unsigned index) {
    std::string suffix = number(index);
    assignments.clear();
    if (!launch.sameRange) {
      declareSizes(launch.global, "global" + suffix);
      if (!launch.local.empty())
        declareSizes(launch.local, "local" + suffix);
      if (!launch.offset.empty())
        declareSizes(launch.offset, "offset" + suffix);
    }
    for (size_t i = 0; i < launch.arguments.size(); ++i) {
      const PlanArgument &argument = launch.arguments[i];
      std::string own = "x" + suffix + "_" + number(i);
      if (argument.kind == PlanArgument::Kind::Value)
        line(3, "const cl_" + argument.type + " " + own + " = (cl_" +
                    argument.type + ")clopt_bits(" +
                    expression(argument.value) + ", &ok);");
      else if (argument.kind == PlanArgument::Kind::Local)
        line(3, "const size_t " + own + " = clopt_size(" +
                    expression(argument.value) + ", &ok);");
    }
    for (const std::string &assignment : assignments)
      line(3, assignment);
    for (size_t d = 0; d < launch.local.size(); ++d) {
      std::string at = suffix + "[" + number(d) + "]";
      line(3, "ok = ok && local" + at + " && global" + at + " % local" + at +
                  " == 0;");
    }
  }

  std::string argumentText(const PlanKernel &kernel, const PlanLaunch &launch,
                           unsigned index, size_t position) const {
    const PlanArgument &wanted = launch.arguments[position];
    std::string own = "x" + number(index) + "_" + number(position);
    switch (wanted.kind) {
    case PlanArgument::Kind::Value:
      return "{sizeof " + own + ", &" + own + "}";
    case PlanArgument::Kind::Local:
      return "{" + own + ", NULL}";
    case PlanArgument::Kind::Buffer:
    case PlanArgument::Kind::Image:
      own = wanted.kind == PlanArgument::Kind::Buffer ? buffer(wanted.name)
                                                      : image(wanted.name);
      return "{sizeof " + own + ", &" + own + "}";
    case PlanArgument::Kind::Parameter:
      break;
    }
    own = argument(wanted.name);
    for (const PlanParameter &parameter : kernel.parameters) {
      if (parameter.name != wanted.name)
        continue;
      if (parameter.kind == PlanParameter::Kind::Local)
        return "{" + size(wanted.name) + ", NULL}";
      if (parameterType(parameter).empty())
        return "{" + size(wanted.name) + ", " + own + "}";
    }
    return "{sizeof " + own + ", &" + own + "}";
  }

  /// Arguments may hold addresses of variables: they are set one by one, which
  /// C++ and C99 both allow.
  void writeRun(const PlanKernel &kernel, const PlanLaunch &launch,
                unsigned index) {
    std::string suffix = number(index);
    size_t count = launch.arguments.size();
    line(4, "if (status == CL_SUCCESS) {");
    std::string list;
    for (size_t i = 0; i < count; ++i)
      list += (i ? ", " : "") + argumentText(kernel, launch, index, i);
    line(5, "const clopt_argument args[] = {" +
                (count ? list : std::string("{0, NULL}")) + "};");
    std::string range;
    if (launch.sameRange)
      range = "l.dims, l.offset, l.global, l.has_local ? l.local : NULL, 0";
    else
      range = number(launch.global.size()) + ", " +
              (launch.offset.empty() ? "NULL" : "offset" + suffix) +
              ", global" + suffix + ", " +
              (launch.local.empty() ? "NULL" : "local" + suffix) + ", 1";
    line(5, "status = clopt_run(&l, l." + program(launch) + ", \"" +
                launch.kernel + "\", args, " + number(count) + ",");
    line(5, "                   " + range + ");");
    line(4, "}");
  }

  void writeCommands(const PlanKernel &kernel, const PlanVariant &variant) {
    for (size_t i = 0; i < variant.buffers.size(); ++i) {
      line(4, "if (status == CL_SUCCESS)");
      line(5, "status = clopt_buffer(&l, bytes" + number(i) + ", &" +
                  buffer(variant.buffers[i].name) + ");");
    }
    unsigned index = 0;
    for (const PlanConversion &conversion : variant.before)
      writeRun(kernel, conversion.launch, index++);
    for (const PlanImage &image : variant.images)
      writeImage(variant, image);
    writeRun(kernel, variant.launch, index++);
    for (const PlanConversion &conversion : variant.after)
      writeRun(kernel, conversion.launch, index++);
  }

  void writeImage(const PlanVariant &variant, const PlanImage &made) {
    bool isOwn = false;
    for (const PlanBuffer &own : variant.buffers)
      isOwn |= own.name == made.source;
    unsigned channels = made.channelOrder == "CL_RGBA" ? 4
                        : made.channelOrder == "CL_RG" ? 2
                                                       : 1;
    const std::string &type = made.channelType;
    unsigned bytes = type.back() == '8'                              ? 1
                     : type == "CL_HALF_FLOAT" || type.back() == '6' ? 2
                                                                     : 4;
    auto bytesOf = [&](const std::string &source) {
      return source.empty() ? std::string("0")
                            : "clopt_size(" + expression(source) + ", &ok)";
    };
    line(4, "if (status == CL_SUCCESS)");
    line(5, "status = clopt_image(&l, " +
                (isOwn ? buffer(made.source) : argument(made.source)) + ", " +
                made.channelOrder + ", " + type + ", " +
                number(channels * bytes) + ",");
    line(5, "                     " + bytesOf(made.width) + ", " +
                bytesOf(made.height) + ", " + bytesOf(made.rowBytes) + ", &" +
                image(made.name) + ");");
  }

  const LaunchPlan &plan;
  std::string guard;
  std::string text;
  /// Of kernels, with their ending; no name of the common part ends so.
  class FunctionNames {
  public:
    std::string operator[](const std::string &kernel) {
      const std::string &part = parts[kernel];
      const bool isName =
          !part.empty() && !std::isdigit(static_cast<unsigned char>(part[0]));
      return (isName ? "" : "_") + part + "_launch";
    }

  private:
    NameParts parts;
  };

  FunctionNames functions;
  mutable NameParts parts;       ///< of the function that is written
  std::set<std::string> values;  ///< names with a variable of the function
  std::set<std::string> buffers; ///< those that are buffers
  std::vector<std::string> assignments;
};

} // namespace

std::string printLauncher(const LaunchPlan &plan, const std::string &fileName) {
  return Writer(plan, fileName).run();
}

} // namespace clopt
