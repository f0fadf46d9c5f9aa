//===- KernelWriterTest.cpp - the mapping of launched work-items ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The declarations at the head of the new body are evaluated for every
// work-item of small launches of all shapes: together the launched work-items
// must take every tile exactly once. What is written below is seen in
// test/lit/emit.
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/KernelWriter.h"

#include "EmissionTesting.h"

#include <cctype>
#include <map>
#include <sstream>

using namespace clopt;

namespace {

/// One launched work-item.
struct WorkItem {
  int64_t globalSize[3], localSize[3], offset[3], group[3], local[3];
  int64_t query(const std::string &name, int64_t d) const {
    if (name == "get_global_size")
      return globalSize[d];
    if (name == "get_global_offset")
      return offset[d];
    if (name == "get_local_size" || name == "get_enqueued_local_size")
      return localSize[d];
    if (name == "get_num_groups")
      return globalSize[d] / localSize[d];
    if (name == "get_group_id")
      return group[d];
    if (name == "get_local_id")
      return local[d];
    EXPECT_EQ(name, "get_global_id");
    return offset[d] + group[d] * localSize[d] + local[d];
  }
};

/// Evaluates integer expressions of OpenCL C: names, calls of work-item
/// functions, casts, and the operators between || and unary minus.
class Evaluator {
public:
  Evaluator(const std::string &expression, const WorkItem &workItem,
            const std::map<std::string, int64_t> &variables)
      : text(expression), item(workItem), names(variables) {}
  int64_t run() {
    int64_t value = binary(0);
    EXPECT_EQ(at, text.size()) << text;
    return value;
  }

private:
  void skip() {
    while (at < text.size() && text[at] == ' ')
      ++at;
  }
  bool take(const std::string &token) {
    skip();
    if (text.compare(at, token.size(), token) != 0)
      return false;
    at += token.size();
    skip();
    return true;
  }
  int64_t binary(size_t level) {
    static const std::vector<std::vector<std::string>> levels = {
        {"||"},     {"&&"},         {"=="}, {"<=", ">=", "<", ">"},
        {"+", "-"}, {"*", "/", "%"}};
    if (level == levels.size())
      return unary();
    int64_t left = binary(level + 1);
    for (bool more = true; more;) {
      more = false;
      for (const std::string &op : levels[level])
        if (take(op)) {
          left = compute(op, left, binary(level + 1));
          more = true;
          break;
        }
    }
    return left;
  }
  static int64_t compute(const std::string &op, int64_t a, int64_t b) {
    if (op == "||" || op == "&&")
      return op == "||" ? a || b : a && b;
    if (op == "==")
      return a == b;
    if (op[0] == '<')
      return op == "<=" ? a <= b : a < b;
    if (op[0] == '>')
      return op == ">=" ? a >= b : a > b;
    if (op == "+" || op == "-")
      return op == "+" ? a + b : a - b;
    return op == "*" ? a * b : op == "/" ? a / b : a % b;
  }
  int64_t unary() {
    if (take("-"))
      return -unary();
    for (const char *cast : {"(int)", "(long)", "(size_t)"})
      if (take(cast))
        return unary();
    if (take("(uint)"))
      return static_cast<uint32_t>(unary());
    if (take("(")) {
      int64_t value = binary(0);
      EXPECT_TRUE(take(")")) << text;
      return value;
    }
    std::string word;
    while (
        at < text.size() &&
        (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
      word += text[at++];
    if (!word.empty() && std::isdigit(static_cast<unsigned char>(word[0])))
      return std::stoll(word);
    if (take("(")) {
      int64_t value = item.query(word, binary(0));
      EXPECT_TRUE(take(")")) << text;
      return value;
    }
    skip();
    EXPECT_EQ(names.count(word), 1u) << word << " in " << text;
    return names.count(word) ? names.at(word) : 0;
  }

  std::string text;
  const WorkItem &item;
  const std::map<std::string, int64_t> &names;
  size_t at = 0;
};

/// The head of a body: declarations and early returns.
class Head {
public:
  explicit Head(const std::string &body) {
    std::istringstream stream(body);
    std::string line;
    while (std::getline(stream, line))
      lines.push_back(
          line.substr(std::min(line.find_first_not_of(' '), line.size())));
  }
  /// Values of all variables, or nothing when the work-item returns.
  std::optional<std::map<std::string, int64_t>>
  run(const WorkItem &item, const std::vector<std::string> &wanted) const {
    std::map<std::string, int64_t> values;
    for (size_t i = 0; i < lines.size(); ++i) {
      const std::string &line = lines[i];
      size_t equals = line.find(" = ");
      bool isReturn = i + 1 < lines.size() && lines[i + 1] == "return;";
      if (line.rfind("const ", 0) == 0 && equals != std::string::npos) {
        size_t name = line.rfind(' ', equals - 1) + 1;
        std::string value = line.substr(equals + 3);
        value.pop_back();
        values[line.substr(name, equals - name)] =
            Evaluator(value, item, values).run();
      } else if (line.rfind("if (", 0) == 0 && isReturn) {
        if (Evaluator(line.substr(3), item, values).run())
          return std::nullopt;
      }
      bool complete = true;
      for (const std::string &name : wanted)
        complete &= values.count(name) != 0;
      if (complete)
        return values;
    }
    ADD_FAILURE() << "the body does not set the ids";
    return std::nullopt;
  }

private:
  std::vector<std::string> lines;
};

struct Shape {
  int64_t global[2], local[2], offset[2];
};

const Shape shapes[] = {
    {{1, 1}, {1, 1}, {0, 0}},   {{8, 4}, {4, 2}, {0, 0}},
    {{8, 4}, {8, 1}, {0, 0}},   {{8, 4}, {1, 4}, {0, 0}},
    {{7, 5}, {1, 1}, {0, 0}},   {{7, 5}, {7, 5}, {0, 0}},
    {{6, 9}, {2, 3}, {0, 0}},   {{6, 9}, {3, 1}, {10, 20}},
    {{13, 2}, {13, 1}, {1, 0}}, {{2, 13}, {1, 13}, {0, 3}},
};

} // namespace

static std::string bodyOf(const TestedKernel &tested, bool spread) {
  EmitOptions options;
  options.spreadWorkItems = spread;
  return emittedBody(tested, options);
}

/// How often each pair of first ids is taken in a launch of this shape.
static std::map<std::pair<int64_t, int64_t>, int>
takenTiles(const Head &head, const Shape &shape,
           const std::vector<std::string> &names) {
  std::map<std::pair<int64_t, int64_t>, int> taken;
  WorkItem item = {{shape.global[0], shape.global[1], 1},
                   {shape.local[0], shape.local[1], 1},
                   {shape.offset[0], shape.offset[1], 0},
                   {0, 0, 0},
                   {0, 0, 0}};
  for (int64_t y = 0; y < shape.global[1]; ++y)
    for (int64_t x = 0; x < shape.global[0]; ++x) {
      item.group[0] = x / shape.local[0], item.local[0] = x % shape.local[0];
      item.group[1] = y / shape.local[1], item.local[1] = y % shape.local[1];
      if (auto values = head.run(item, names))
        ++taken[{values->at(names[0]), values->at(names[1])}];
    }
  return taken;
}

static void expectEveryTileOnce(const std::string &steps, int64_t columns,
                                int64_t rows) {
  for (bool spread : {false, true}) {
    TestedKernel tested("__kernel void f(__global float *a, int n) {\n"
                        "  int i = get_global_id(1), j = get_global_id(0);\n"
                        "  a[i * n + j] = 1; }");
    ASSERT_EQ(tested.apply(steps).message, "");
    Head head(bodyOf(tested, spread));
    std::vector<std::string> names = {columns > 1 ? "j0" : "j",
                                      rows > 1 ? "i0" : "i"};
    for (const Shape &shape : shapes) {
      std::map<std::pair<int64_t, int64_t>, int> expected;
      for (int64_t y = 0; y < shape.global[1]; y += rows)
        for (int64_t x = 0; x < shape.global[0]; x += columns)
          expected[{shape.offset[0] + x, shape.offset[1] + y}] = 1;
      EXPECT_EQ(takenTiles(head, shape, names), expected)
          << steps << " spread " << spread << " global " << shape.global[0]
          << "x" << shape.global[1] << " local " << shape.local[0] << "x"
          << shape.local[1];
    }
  }
}

TEST(KernelWriterTest, EveryTileIsTakenOnce) {
  expectEveryTileOnce("coarsen j:2", 2, 1);
  expectEveryTileOnce("coarsen i:3", 1, 3);
  expectEveryTileOnce("vectorize j:4\ncoarsen i:2", 4, 2);
  expectEveryTileOnce("coarsen j:16 i:4", 16, 4);
}

//===-- The frame ---------------------------------------------------------===//

TEST(KernelWriterTest, TheOriginalBodyIsKeptByteForByte) {
  const std::string body = "\n  int   i = get_global_id(0); // the id\n"
                           "\tr[ i ] = 1;   /* odd   blanks */\n";
  TestedKernel tested("__kernel void f(__global float *r) {" + body + "}");
  ASSERT_EQ(tested.apply("coarsen i:2").message, "");
  std::string text = bodyOf(tested, false);
  EXPECT_NE(text.find(body.substr(1)), std::string::npos) << text;
  EXPECT_EQ(text.substr(0, 2), "{\n");
  EXPECT_EQ(text.back(), '}');
}

TEST(KernelWriterTest, NamesOfTheProgramAreNotTaken) {
  TestedKernel tested("int tile(int x);\n"
                      "__kernel void f(__global float *r, int i0, int tiles,\n"
                      "                int i_end, int share) {\n"
                      "  int i = get_global_id(0);\n"
                      "  r[i] = i0 + tiles + i_end + share; }");
  ASSERT_EQ(tested.apply("coarsen i:2").message, "");
  std::string text = bodyOf(tested, true);
  for (const char *name : {"tile", "tiles", "i0", "i_end", "share"})
    EXPECT_EQ(text.find(" " + std::string(name) + " = "), std::string::npos)
        << name << "\n"
        << text;
}

TEST(KernelWriterTest, StridedBlocksDoNotTakeNamesOfTheProgram) {
  TestedKernel tested("__kernel void f(__global float *r, int i0_first) {\n"
                      "  int i = get_global_id(0); r[i] = i0_first; }");
  ASSERT_EQ(tested.apply("coarsen i:2 stride").message, "");
  std::string text = bodyOf(tested, false);
  EXPECT_EQ(text.find(" i0_first = "), std::string::npos) << text;
}

TEST(KernelWriterTest, TheGuardTellsPeopleWhatItAsks) {
  TestedKernel tested(kernelOf("for (int k = 0; k < n; k++) a[k] = b[k];"));
  ASSERT_EQ(tested.apply("vectorize k:4").message, "");
  LoweringError error;
  std::optional<EmittedKernel> emitted =
      emitKernel(tested.kernel, EmitOptions(), error);
  ASSERT_TRUE(emitted) << error.message;
  EXPECT_EQ(emitted->guards,
            std::vector<std::string>({"'a' and 'b' do not overlap"}));
}

TEST(KernelWriterTest, WithoutAConditionThereIsNoSecondBody) {
  TestedKernel tested(kernelOf("for (int k = 0; k < 4; k++) r[k] = s[k];"));
  ASSERT_EQ(tested.apply("unroll k").message, "");
  std::string text = bodyOf(tested, false);
  EXPECT_EQ(text.find("for"), std::string::npos) << text;
  EXPECT_EQ(text.find("return"), std::string::npos) << text;
}
