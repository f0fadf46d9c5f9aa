//===- RuntimeLauncherTest.cpp - launch plans as C headers ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every header is compiled as C99 and as C++11, without a warning, and run.
//
//===----------------------------------------------------------------------===//

#include "RuntimePlanTesting.h"

#include "clopt/LaunchPlan.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <unistd.h>

using namespace clopt;
using namespace clopt::runtime;

/// Prints what each cell of the result has more than its cell of the input.
static const char *const host = R"(#include "add_launch.h"
#include <stdio.h>
#include <stdlib.h>

static cl_program build(cl_context context, cl_device_id device,
                        const char *path) {
  static char text[1 << 16];
  const char *source = text;
  size_t length;
  FILE *file = fopen(path, "rb");
  cl_program program;
  if (!file)
    exit(2);
  length = fread(text, 1, sizeof text, file);
  fclose(file);
  program = clCreateProgramWithSource(context, 1, &source, &length, NULL);
  if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS)
    exit(3);
  return program;
}

int main(int argc, char **argv) {
  enum { MOST = 32 };
  static float before[MOST * MOST], after[MOST * MOST];
  const cl_int n = argc > 3 ? atoi(argv[3]) : 5;
  const int isShared = argc > 4;
  const size_t global[2] = {(size_t)n, (size_t)n};
  cl_platform_id platforms[16];
  cl_device_id device = NULL;
  cl_context context;
  cl_command_queue queue;
  cl_program optimized, original;
  cl_mem a, c;
  cl_event event;
  cl_uint count = 0, i;
  cl_int status;
  int wrong = 0;
  clGetPlatformIDs(16, platforms, &count);
  for (i = 0; i < count && !device; ++i) {
    char name[256] = "";
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
    if (strstr(name, "Portable Computing Language"))
      clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  }
  if (argc < 3 || !device)
    return 4;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  queue = clCreateCommandQueue(context, device, 0, NULL);
  optimized = build(context, device, argv[1]);
  original = build(context, device, argv[2]);
  for (i = 0; i < MOST * MOST; ++i)
    before[i] = (float)i;
  a = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                     (size_t)n * (size_t)n * sizeof(float), before, NULL);
  c = clCreateBuffer(context, CL_MEM_READ_WRITE,
                     (size_t)n * (size_t)n * sizeof(float), NULL, NULL);
  status = add_launch(queue, optimized, original, 2, NULL, global, NULL, a,
                      isShared ? a : c, n, 0, NULL, &event);
  if (status != CL_SUCCESS) {
    printf("error %d", status);
    return 0;
  }
  clEnqueueReadBuffer(queue, isShared ? a : c, CL_TRUE, 0,
                      (size_t)n * (size_t)n * sizeof(float), after, 1, &event,
                      NULL);
  clReleaseEvent(event);
  for (i = 0; i < (cl_uint)(n * n); ++i)
    wrong += after[i] - before[i] != after[0] - before[0];
  printf("%g %d wrong", after[0] - before[0], wrong);
  clReleaseMemObject(a);
  clReleaseMemObject(c);
  clReleaseProgram(optimized);
  clReleaseProgram(original);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
)";

namespace {

/// A folder with a header, a host, and the programs.
class Launcher {
public:
  explicit Launcher(const std::string &planText,
                    const std::string &name = "launcher")
      : folder(testing::TempDir() + "clopt_" + name + "_" +
               std::to_string(getpid())) {
    EXPECT_EQ(run("mkdir -p '" + folder + "'"), "");
    LaunchPlan plan;
    LaunchPlanError error;
    EXPECT_TRUE(parseLaunchPlan(planText, plan, error)) << error.message;
    write("add_launch.h", printLauncher(plan, "add_launch.h"));
    // Two headers do not disturb each other.
    write("other.h", printLauncher(LaunchPlan(), "other.h"));
    write("host.c", std::string("#include \"other.h\"\n") + host);
    write("optimized.cl", optimizedText);
    write("original.cl", originalText);
    compile("cc -std=c99", "host_c");
    compile("c++ -std=c++11 -x c++", "host_cpp");
  }
  ~Launcher() { run("rm -r '" + folder + "'"); }
  Launcher(const Launcher &) = delete;

  /// What both hosts print.
  std::string operator()(const std::string &arguments) {
    std::string inC = start("host_c", arguments);
    EXPECT_EQ(start("host_cpp", arguments), inC);
    return inC;
  }

private:
  void write(const std::string &name, const std::string &text) {
    std::ofstream(folder + "/" + name, std::ios::binary) << text;
  }

  void compile(const std::string &compiler, const std::string &program) {
    EXPECT_EQ(run("cd '" + folder + "' && " + compiler +
                  " -Wall -Wextra -pedantic -Werror "
                  "-DCL_TARGET_OPENCL_VERSION=120 host.c -o " +
                  program + " -lOpenCL 2>&1"),
              "");
  }

  std::string start(const std::string &program, const std::string &arguments) {
    return run("cd '" + folder + "' && ./" + program +
               " optimized.cl original.cl " + arguments + " 2>&1");
  }

  static std::string run(const std::string &command) {
    std::string output;
    std::FILE *pipe = popen(command.c_str(), "r");
    char buffer[512];
    while (pipe && std::fgets(buffer, sizeof buffer, pipe))
      output += buffer;
    if (pipe)
      pclose(pipe);
    return output;
  }

  std::string folder;
};

} // namespace

TEST(RuntimeLauncherTest, ConditionsChooseTheVariant) {
  Launcher launch(planWith(transposedVariant(
      "(a_end <= (size_t)c || c_end <= (size_t)a) && n > 3")));
  EXPECT_EQ(launch("5"), "1.125 0 wrong");
  EXPECT_EQ(launch("3"), "1 0 wrong");
  EXPECT_EQ(launch("5 shared"), "1 0 wrong");
}

/// The operations of the header are those of the runtime.
TEST(RuntimeLauncherTest, ExpressionsHaveTheValuesOfTheRuntime) {
  const char *const hold[] = {
      "-7 / 2 == -3 && -7 % 2 == -1 && (n - 12) / 2 == -3",
      "(int)4294967289 == -7 && (uchar)300 == 44 && (char)200 == -56",
      "!(n - 12 < 1u) && (long)(n - 12) < (long)get_global_size(0)",
      "2147483647u + 1u == 2147483648 && 4294967295u + 1u == 0",
      "min(n, -7) == -7 && max(n, -7) == 5 && max(n, 7ul) == 7",
      "ceildiv(n, 2) == 3 && roundup(n, 4) == 8",
      "(1 << 4 | 3 & 6 ^ 1) == 19 && -8 >> 1 == -4 && ~0 == -1",
      "(n < 5 ? 1 / 0 : 7) == 7 && (0 && 1 / 0) == 0 && (1 || 1 / 0)",
      "get_work_dim() == 2 && get_global_size(2) == 1 && "
      "get_global_offset(1) == 0",
      "(size_t)(a + 3) - (size_t)a == 12 && (size_t)(a - 1) < (size_t)a",
      "CL_DEVICE_MAX_COMPUTE_UNITS > 0 && CL_DEVICE_LOCAL_MEM_SIZE > 1024",
      "SIZE == 12 && SIZE * (long)SIZE == 144 && !0"};
  const char *const fail[] = {"n * 1000000000 != 3",
                              "(2147483647 + n) != 3",
                              "-(-2147483647 - 1) != 3",
                              "9223372036854775807 + n != 3",
                              "4611686018427387904 * 2 != 3",
                              "1 / (n - 5) != 3",
                              "1 << 32 != 3",
                              "get_local_size(0) != 3",
                              "roundup(n, 0) != 3",
                              "(a + a) != 3",
                              "TEXT != 3"};
  std::string all, none;
  for (const char *one : hold)
    all += (all.empty() ? "(" : " && (") + std::string(one) + ")";
  for (const char *one : fail)
    none += transposedVariant(one);
  const std::string flags = "[\"-DSIZE=(6+6)\", \"-D\", \"TEXT=float\"]";
  PlanBench bench;
  const std::string held = planWith(transposedVariant(all), flags);
  const std::string failed = planWith(none, flags);
  EXPECT_EQ(PlanRun(bench, held, optimizedText).variant(bench), "turned");
  EXPECT_EQ(PlanRun(bench, failed, optimizedText).variant(bench), "original");
  Launcher first(held, "held");
  EXPECT_EQ(first("5"), "1.125 0 wrong");
  Launcher second(failed, "failed");
  EXPECT_EQ(second("5"), "1 0 wrong");
}

TEST(RuntimeLauncherTest, CopiesImagesAndTheWayBack) {
  Launcher image(planWith(imageVariant), "image");
  for (const char *n : {"1", "5", "8", "13"})
    EXPECT_EQ(image(n), "1.25 0 wrong") << n;
  Launcher written(planWith(writtenVariant), "written");
  EXPECT_EQ(written("7"), "1.375 0 wrong");
}

TEST(RuntimeLauncherTest, ErrorsAndGroupsThatDoNotFit) {
  std::string variant = transposedVariant("n > 0");
  const std::string local = "\"local\": [\"8\"]";
  const std::string global = "roundup(n * n, 8)";
  variant.replace(variant.find(local), local.size(),
                  "\"local\": [\"CL_DEVICE_MAX_WORK_GROUP_SIZE * 2\"]");
  variant.replace(variant.find(global), global.size(),
                  "roundup(n * n, CL_DEVICE_MAX_WORK_GROUP_SIZE * 2)");
  Launcher large(planWith(variant), "large");
  EXPECT_EQ(large("5"), "1 0 wrong");
  std::string missing = transposedVariant("n > 0");
  const std::string kernel = "\"add_turned\"";
  missing.replace(missing.find(local), local.size(), "\"offset\": [\"0\"]");
  missing.replace(missing.find(kernel), kernel.size(), "\"nothing\"");
  Launcher unknown(planWith(missing), "unknown");
  EXPECT_EQ(unknown("5"), "error " + std::to_string(CL_INVALID_KERNEL_NAME));
}

/// Names of parameters that C, C++ or the header itself mean something by.
static const char *const takenNames[] = {
    "l",          "status",    "ok",         "args",        "queue",
    "optimized",  "original",  "work_dim",   "global_size", "local_size",
    "wait_count", "wait_list", "event",      "bytes0",      "global0",
    "local0",     "offset0",   "x0_0",       "v_n",         "n",
    "b_copy",     "copy",      "i_copy",     "arg_l",       "size_l",
    "l_size",     "l_bytes",   "clopt_call", "clopt_make",  "global_offset",
    "class",      "new",       "template",   "this",        "operator",
    "try",        "delete",    "namespace",  "and",         "true",
    "auto",       "nullptr",   "NULL",       "CL_SUCCESS",  "cl_mem",
    "size_t",     "main",      "a$",         "a_",          "a__2"};

/// A kernel with all of these as parameters of one kind.
static PlanKernel kernelOf(const std::string &name, PlanParameter::Kind kind,
                           const std::string &type, uint64_t bytes) {
  PlanKernel kernel;
  kernel.name = name;
  PlanVariant variant;
  variant.name = "all";
  variant.launch.kernel = name;
  variant.buffers.push_back({"copy", takenNames[0], "64"});
  PlanConversion conversion;
  conversion.launch.kernel = "fill";
  conversion.launch.global = {"64"};
  conversion.launch.local = {"8"};
  conversion.launch.offset = {"0"};
  conversion.destination = "copy";
  std::vector<PlanArgument> arguments;
  for (const char *taken : takenNames) {
    PlanParameter parameter;
    parameter.name = taken;
    parameter.kind = kind;
    parameter.type = type;
    parameter.bytes = bytes;
    kernel.parameters.push_back(parameter);
    PlanArgument argument;
    argument.kind = PlanArgument::Kind::Parameter;
    argument.name = taken;
    arguments.push_back(argument);
    bool isName = std::string(taken).find('$') == std::string::npos;
    if (isName && (kind == PlanParameter::Kind::Scalar ||
                   kind == PlanParameter::Kind::Buffer))
      variant.conditions.push_back({taken + std::string(" != 0"), ""});
  }
  conversion.launch.arguments = arguments;
  PlanArgument number;
  number.kind = PlanArgument::Kind::Value;
  number.type = "int";
  number.value = "7";
  conversion.launch.arguments.push_back(number);
  variant.launch.sameRange = true;
  variant.launch.arguments = arguments;
  variant.before.push_back(conversion);
  kernel.variants.push_back(variant);
  return kernel;
}

TEST(RuntimeLauncherTest, NamesThatAreTaken) {
  LaunchPlan plan;
  plan.kernels = {
      kernelOf("class", PlanParameter::Kind::Scalar, "int", 4),
      kernelOf("clopt", PlanParameter::Kind::Buffer, "float", 4),
      kernelOf("this", PlanParameter::Kind::Local, "float", 4),
      kernelOf("clopt_make", PlanParameter::Kind::Other, "struct S", 0)};
  const std::string folder =
      testing::TempDir() + "clopt_names_" + std::to_string(getpid());
  const auto run = [](const std::string &command) {
    return std::system(command.c_str());
  };
  ASSERT_EQ(run("mkdir -p '" + folder + "'"), 0);
  std::ofstream(folder + "/common") << printLauncher(plan, "common");
  std::ofstream(folder + "/host.c")
      << "#include \"common\"\nint main(void) {\n"
         "  return !class_launch || !clopt_launch || !this_launch ||\n"
         "         !clopt_make_launch;\n}\n";
  for (const char *compiler : {"cc -std=c99", "c++ -std=c++11 -x c++"})
    EXPECT_EQ(run("cd '" + folder + "' && " + compiler +
                  " -Wall -Wextra -pedantic -Werror -Wno-address "
                  "-Wno-unused-parameter -fsyntax-only "
                  "-DCL_TARGET_OPENCL_VERSION=120 host.c"),
              0)
        << compiler;
  run("rm -r '" + folder + "'");
}
