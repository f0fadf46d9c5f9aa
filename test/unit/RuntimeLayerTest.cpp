//===- RuntimeLayerTest.cpp - tests of the parts of Layer -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the layer does to applications is tested in test/layer.
//
//===----------------------------------------------------------------------===//

#include "Layer/BufferVersions.h"
#include "Layer/BuildOptions.h"
#include "Layer/HandleTable.h"
#include "Layer/Includes.h"
#include "Layer/Optimizer.h"
#include "Layer/ProgramVariables.h"
#include "Layer/Recorder.h"
#include "Layer/Settings.h"
#include "Layer/TextCache.h"
#include "Layer/Trace.h"

#include "Runtime/JsonDocument.h"
#include "Runtime/Process.h"
#include "Support/Config.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

using namespace clopt::layer;
using clopt::runtime::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

std::map<std::string, std::string> variables;

const char *lookUp(const char *name) {
  const auto known = variables.find(name);
  return known != variables.end() ? known->second.c_str() : nullptr;
}

Settings settingsOf(std::map<std::string, std::string> values) {
  variables = std::move(values);
  return readSettings(lookUp, "/opt/clopt");
}

std::string contentOf(const std::string &path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

size_t countFiles(const std::string &folder) {
  size_t count = 0;
  for (auto at = fs::directory_iterator(folder); at != fs::directory_iterator();
       ++at)
    ++count;
  return count;
}

//===-- Settings ----------------------------------------------------------===//

TEST(RuntimeLayerSettings, Defaults) {
  const Settings settings = settingsOf({});
  EXPECT_EQ(settings.program, "/opt/clopt");
  EXPECT_EQ(settings.target, "");
  EXPECT_EQ(settings.timeLimit, std::chrono::seconds(30));
  EXPECT_EQ(settings.logFile, "");
  EXPECT_FALSE(settings.isVerbose);
  EXPECT_FALSE(settings.arePlansMade);
  EXPECT_EQ(settings.cacheFolder, "");
  EXPECT_EQ(settings.cacheBytes, 256u << 20);
}

TEST(RuntimeLayerSettings, Values) {
  const Settings settings = settingsOf({{"CLOPT_LAYER_CLOPT", "/a/clopt"},
                                        {"CLOPT_LAYER_TARGET", "cpu"},
                                        {"CLOPT_LAYER_OPTIONS", " -a  --b=c "},
                                        {"CLOPT_LAYER_TIMEOUT", "5"},
                                        {"CLOPT_LAYER_LOG", "l"},
                                        {"CLOPT_LAYER_VERBOSE", "1"},
                                        {"CLOPT_LAYER_PLANS", "1"},
                                        {"CLOPT_LAYER_TRACE", "t"},
                                        {"CLOPT_LAYER_RECORD", "r"},
                                        {"CLOPT_CACHE_SIZE", "1"}});
  EXPECT_EQ(settings.program, "/a/clopt");
  EXPECT_EQ(settings.target, "cpu");
  EXPECT_EQ(settings.options, (std::vector<std::string>{"-a", "--b=c"}));
  EXPECT_EQ(settings.timeLimit, std::chrono::seconds(5));
  EXPECT_EQ(settings.logFile, "l");
  EXPECT_TRUE(settings.isVerbose);
  EXPECT_TRUE(settings.arePlansMade);
  EXPECT_EQ(settings.traceFile, "t");
  EXPECT_EQ(settings.recordFolder, "r");
  EXPECT_EQ(settings.cacheBytes, 1u << 20);
}

TEST(RuntimeLayerSettings, NumbersThatAreNone) {
  for (const char *value : {"", "x", "0", "-1", "5s", "99999999999999999999"})
    EXPECT_EQ(settingsOf({{"CLOPT_LAYER_TIMEOUT", value}}).timeLimit,
              std::chrono::seconds(30))
        << value;
}

TEST(RuntimeLayerSettings, FoldersOfTheCache) {
  const auto folder = [](std::map<std::string, std::string> values) {
    return settingsOf(std::move(values)).cacheFolder;
  };
  const std::string end = "/" CLOPT_VERSION_STRING;
  EXPECT_EQ(folder({{"HOME", "/h"}}), "/h/.cache/clopt" + end);
  EXPECT_EQ(folder({{"HOME", "/h"}, {"XDG_CACHE_HOME", "/x"}}),
            "/x/clopt" + end);
  EXPECT_EQ(folder({{"CLOPT_CACHE_DIR", "/c"}, {"XDG_CACHE_HOME", "/x"}}),
            "/c" + end);
  EXPECT_EQ(folder({{"CLOPT_CACHE_DIR", "/c"}, {"CLOPT_DISABLE_CACHE", "1"}}),
            "");
  EXPECT_EQ(folder({{"CLOPT_CACHE_DIR", "/c"}, {"CLOPT_DISABLE_CACHE", "0"}}),
            "/c" + end);
}

//===-- Options -----------------------------------------------------------===//

TEST(RuntimeLayerOptions, WordsAsClBuildProgramHasThem) {
  const BuildOptions options =
      readBuildOptions(" -DN=4  -D T=\"unsigned int\"\t-cl-mad-enable ");
  EXPECT_EQ(options.words,
            (std::vector<std::string>{"-DN=4", "-D", "T=unsigned int",
                                      "-cl-mad-enable"}));
  EXPECT_EQ(options.problem, "");
  EXPECT_TRUE(options.isOpenCL1);
  EXPECT_TRUE(readBuildOptions("").words.empty());
}

TEST(RuntimeLayerOptions, FlagsOfDriversAreDropped) {
  EXPECT_EQ(readBuildOptions(
                "-cl-nv-verbose -w -cl-kernel-arg-info -cl-nv-maxrregcount=32 "
                "-Ia")
                .words,
            std::vector<std::string>{"-Ia"});
}

TEST(RuntimeLayerOptions, Standards) {
  EXPECT_TRUE(readBuildOptions("-cl-std=CL1.2").isOpenCL1);
  for (const char *text : {"-cl-std=CL2.0", "-cl-std=CL3.0", "-cl-std=CLC++"})
    EXPECT_FALSE(readBuildOptions(text).isOpenCL1) << text;
}

TEST(RuntimeLayerOptions, WhatIsReadDifferently) {
  for (const char *text : {"-DA=\\\"x\\\"", "-DA='b c'", "-D \"A=1 -D B\"",
                           "-g", "-cl-opt-disable", "-include a.h", "-D \"\""})
    EXPECT_NE(readBuildOptions(text).problem, "") << text;
}

TEST(RuntimeLayerOptions, TextsThatAreLeftAlone) {
  EXPECT_EQ(problemOfSource("#include <a>\n"), "");
  for (const char *text : {"%:include <a>", "?\?=include <a>"})
    EXPECT_NE(problemOfSource(text), "") << text;
  EXPECT_NE(problemOfSource(std::string("a\0b", 3)), "");
}

TEST(RuntimeLayerOptions, FoldersOfHeaders) {
  const BuildOptions options =
      readBuildOptions("-Ia -I b -I\"c d\" -I \"e f\" -DX");
  EXPECT_EQ(options.problem, "");
  EXPECT_EQ(options.folders,
            (std::vector<std::string>{"a", "b", "c d", "e f"}));
  for (const char *text : {"-iquote a", "-isystem a", "--include=a"})
    EXPECT_NE(readBuildOptions(text).problem, "") << text;
}

//===-- Included texts ----------------------------------------------------===//

void write(const std::string &path, const std::string &text) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path) << text;
}

std::vector<std::string> namesOf(const Includes &includes) {
  std::vector<std::string> names;
  for (const NamedText &file : includes.files)
    names.push_back(fs::path(file.name).filename().string());
  return names;
}

using Names = std::vector<std::string>;

TEST(RuntimeLayerIncludes, AllThatMayBeRead) {
  const TemporaryFolder folder;
  const std::string a = folder.file("a"), b = folder.file("b");
  write(a + "/one.h", "#include \"two.h\"\n#include \"one.h\"\n");
  write(a + "/two.h", "2");
  write(b + "/two.h", "wrong");
  write(b + "/three.h", "3");
  const Includes found = findIncludes(
      "#include <one.h>\n#if 0\n # inc\\\nlude <three.h> // no\n#endif\n"
      "#include <none.h>\n/*\n#include <two.h>\n*/",
      {a, b}, {});
  EXPECT_EQ(found.problem, "");
  EXPECT_EQ(namesOf(found), (Names{"one.h", "two.h", "three.h"}));
  EXPECT_EQ(found.files[1].text, "2");
  EXPECT_FALSE(found.isWorkingFolderUsed);
  // A file that comes before another one of its name is seen.
  write(a + "/three.h", "new");
  EXPECT_EQ(findIncludes("#include <three.h>", {a, b}, {}).files[0].text,
            "new");
}

TEST(RuntimeLayerIncludes, TextsThatComeWithTheProgram) {
  const TemporaryFolder folder;
  const std::string a = folder.file("a");
  write(a + "/file.h", "1");
  const NamedText header{"memory.h", "#include <file.h>"};
  const Includes found = findIncludes("#include <memory.h>", {a}, {header});
  EXPECT_EQ(found.problem, "");
  EXPECT_EQ(namesOf(found), Names{"file.h"});
  write(a + "/memory.h", "2");
  EXPECT_NE(findIncludes("#include <memory.h>", {a}, {header}).problem, "");
}

TEST(RuntimeLayerIncludes, WhatCannotBeTold) {
  for (const char *text :
       {"#include NAME", "#include_next <a>", "#import <a>", "#include",
        "# /* */ include <a>", "#if __has_include(<a>)\n#endif",
        "#define A __has_include", "#include \"a", "\n\t#include MACRO\n"}) {
    EXPECT_NE(findIncludes(text, {}, {}).problem, "") << text;
    EXPECT_TRUE(mayInclude(text)) << text;
  }
  for (const char *text : {"", "#define include 1", "// #include <a>", "#",
                           "#pragma once", "# 1 \"a.cl\"", "#if 1\n#endif"}) {
    EXPECT_EQ(findIncludes(text, {}, {}).problem, "") << text;
    EXPECT_FALSE(mayInclude(text)) << text;
  }
  EXPECT_TRUE(mayInclude("#include <a>"));
}

TEST(RuntimeLayerOptions, ProgramsWithoutVariables) {
  for (const char *text :
       {"", "int f(int a);\nint f(int a) { int b = a; return b; }",
        "typedef struct { int a; } S; struct T { float b; }; enum { A, B };",
        "__constant float table[] = {1, 2}; constant int x = f(3);",
        "struct T; static int g(__global int *p) { if (*p) { ; } return 0; }",
        "#define V int x;\n// int y;\n__kernel void k() {}\n;",
        "struct S h(void) { struct S s; return s; }",
        "__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void k() {}"})
    EXPECT_FALSE(mayDeclareVariables(text)) << text;
}

TEST(RuntimeLayerOptions, ProgramsThatMayHaveVariables) {
  for (const char *text :
       {"__global int x;", "int x = 1; __kernel void k() {}",
        "__global int x[4] = {1, 2};",
        "global atomic_int a = "
        "ATOMIC_VAR_INIT(0);",
        "struct S { int a; } s;", "struct S s;", "enum { A } e;",
        "int f(int), x;", "void f() { static global int n = 0; n++; }",
        "DECLARE(x);", "__kernel void k() {", "}", "int (*p)[2];", "int x",
        "__constant float t[] ="})
    EXPECT_TRUE(mayDeclareVariables(text)) << text;
}

//===-- Cache -------------------------------------------------------------===//

TEST(RuntimeLayerCache, KeysKeepPartsApart) {
  EXPECT_EQ(cacheKey({"a", "b"}), cacheKey({"a", "b"}));
  EXPECT_NE(cacheKey({"a", "b"}), cacheKey({"ab", ""}));
  EXPECT_NE(cacheKey({"a", "b"}), cacheKey({"a", "b", ""}));
  EXPECT_EQ(cacheKey({}).size(), 64u);
}

TEST(RuntimeLayerCache, WhatIsStoredIsFound) {
  const TemporaryFolder folder;
  const TextCache cache(folder.file("a/b"), 1 << 20);
  EXPECT_FALSE(cache.find("k"));
  for (const std::string &text :
       {std::string("one\n\ntwo"), std::string(), std::string(100000, 'x')}) {
    EXPECT_TRUE(cache.store("k", text));
    EXPECT_EQ(cache.find("k"), text);
  }
  EXPECT_FALSE(cache.find("l"));
  EXPECT_EQ(countFiles(folder.file("a/b")), 1u);
}

TEST(RuntimeLayerCache, NoFolder) {
  const TextCache none("", 1 << 20);
  EXPECT_FALSE(none.store("k", "text"));
  EXPECT_FALSE(none.find("k"));
  const TextCache impossible("/proc/none", 1 << 20);
  EXPECT_FALSE(impossible.store("k", "text"));
  EXPECT_FALSE(impossible.find("k"));
}

TEST(RuntimeLayerCache, DamagedFilesAreNone) {
  const TemporaryFolder folder;
  const TextCache cache(folder.file("c"), 1 << 20);
  const std::string file = folder.file("c/k.txt");
  for (const int damage : {0, 1, 2, 3}) {
    ASSERT_TRUE(cache.store("k", "some text"));
    std::string whole = contentOf(file);
    if (damage == 0)
      whole.back() = 'T';
    if (damage == 1)
      whole.pop_back();
    if (damage == 2)
      whole.clear();
    if (damage == 3)
      whole = "some text";
    std::ofstream(file) << whole;
    EXPECT_FALSE(cache.find("k")) << damage;
  }
  EXPECT_TRUE(cache.store("k", "some text"));
  EXPECT_TRUE(cache.find("k"));
}

TEST(RuntimeLayerCache, TheOldestGoFirst) {
  const TemporaryFolder folder;
  const TextCache cache(folder.file("c"), 4000);
  const std::string text(800, 'x');
  for (const char *key : {"a", "b", "c"})
    ASSERT_TRUE(cache.store(key, text));
  // The times of files are not fine enough to tell those apart.
  const auto now = fs::file_time_type::clock::now();
  for (const auto &[key, age] :
       std::map<std::string, int>{{"a", 30}, {"b", 20}, {"c", 10}})
    fs::last_write_time(folder.file("c/" + key + ".txt"),
                        now - std::chrono::minutes(age));
  ASSERT_TRUE(cache.find("a")); // is in use
  ASSERT_TRUE(cache.store("d", text));
  EXPECT_TRUE(cache.find("b"));
  fs::last_write_time(folder.file("c/b.txt"), now - std::chrono::minutes(20));
  ASSERT_TRUE(cache.store("e", text)); // now there are too many
  EXPECT_TRUE(cache.find("a"));
  EXPECT_FALSE(cache.find("b"));
  EXPECT_FALSE(cache.find("c"));
  EXPECT_TRUE(cache.find("e"));
}

TEST(RuntimeLayerCache, SeveralAtATime) {
  const TemporaryFolder folder;
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const TextCache cache(folder.file("c"), 20000);
      for (int i = 0; i < 50; ++i) {
        const std::string key = "k" + std::to_string((i + t) % 7);
        cache.store(key, key + std::string(3000, 'x'));
        const std::optional<std::string> found = cache.find(key);
        wrong += found && *found != key + std::string(3000, 'x');
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

//===-- Handles -----------------------------------------------------------===//

TEST(RuntimeLayerHandles, ReferencesAreCounted) {
  HandleTable<int *, int> table;
  int a = 0, b = 0;
  EXPECT_EQ(table.find(&a), nullptr);
  table.retain(&a); // not known: nothing
  table.release(&a);
  const auto record = std::make_shared<int>(7);
  table.add(&a, record);
  table.add(&b, nullptr);
  EXPECT_EQ(table.find(&a), record);
  EXPECT_EQ(table.find(&b), nullptr);
  table.retain(&a);
  table.release(&a);
  EXPECT_EQ(table.find(&a), record);
  table.release(&a);
  EXPECT_EQ(table.find(&a), nullptr);
  EXPECT_EQ(record.use_count(), 1);
}

TEST(RuntimeLayerHandles, AddressesAreUsedAgain) {
  HandleTable<int *, int> table;
  int a = 0;
  table.add(&a, std::make_shared<int>(1));
  table.retain(&a);
  table.add(&a, std::make_shared<int>(2));
  EXPECT_EQ(*table.find(&a), 2);
  table.release(&a);
  EXPECT_EQ(table.find(&a), nullptr);
  table.add(&a, std::make_shared<int>(3));
  table.add(&a, nullptr);
  EXPECT_EQ(table.find(&a), nullptr);
}

//===-- Versions of buffers -----------------------------------------------===//

cl_command_queue queueAt(int number) {
  static char places[3];
  return reinterpret_cast<cl_command_queue>(&places[number]);
}
const UsingQueue one = {queueAt(1), true}, two = {queueAt(2), true},
                 loose = {queueAt(0), false};

TEST(RuntimeLayerVersions, EachWriteMakesAnother) {
  BufferVersion version, other;
  const auto first = version.current(one);
  ASSERT_TRUE(first);
  EXPECT_EQ(version.current(one), first);
  EXPECT_NE(other.current(one), first);
  version.written(one);
  const auto second = version.current(one);
  ASSERT_TRUE(second);
  EXPECT_NE(second, first);
  EXPECT_NE(other.current(one), second);
}

TEST(RuntimeLayerVersions, OnlyForOneQueueWithAnOrder) {
  BufferVersion version;
  EXPECT_FALSE(version.current(loose));
  EXPECT_TRUE(version.current(one));
  EXPECT_FALSE(version.current(two));
  EXPECT_TRUE(version.current(one));
  version.written(two);
  EXPECT_FALSE(version.current(one));
  EXPECT_FALSE(version.current(two));
  BufferVersion written;
  written.written(loose);
  EXPECT_FALSE(written.current(one));
  BufferVersion lost;
  lost.lose();
  EXPECT_FALSE(lost.current(one));
}

TEST(RuntimeLayerVersions, NoneWhileTheHostMayWrite) {
  BufferVersion version;
  const auto first = version.current(one);
  version.mapped(one, false);
  EXPECT_EQ(version.current(one), first);
  version.mapped(one, true);
  EXPECT_FALSE(version.current(one));
  version.unmapped(one); // one of the two
  EXPECT_FALSE(version.current(one));
  version.unmapped(one);
  ASSERT_TRUE(version.current(one));
  EXPECT_NE(version.current(one), first);
  version.mapped(two, false);
  version.unmapped(two);
  EXPECT_TRUE(version.current(one));
  version.mapped(two, true);
  version.unmapped(two);
  EXPECT_FALSE(version.current(one));
}

//===-- Texts from clopt --------------------------------------------------===//

const char *const product =
    "__kernel void product(__global const float *A, __global const float *B,\n"
    "                      __global float *C, int n) {\n"
    "  int i = get_global_id(1), j = get_global_id(0);\n"
    "  float sum = 0.0f;\n"
    "  for (int k = 0; k < n; k++)\n"
    "    sum += A[i * n + k] * B[k * n + j];\n"
    "  C[i * n + j] = sum * FACTOR;\n"
    "}\n";
const char *const copy =
    "__kernel void copy(__global const float *x, __global float *y) {\n"
    "  y[0] = x[0];\n"
    "}\n";

Settings withClopt(const TemporaryFolder &folder) {
  Settings settings;
  settings.program = CLOPT_EXECUTABLE;
  settings.cacheFolder = folder.file("cache");
  return settings;
}

TEST(RuntimeLayerCache, HeadersArePartOfTheKey) {
  const TemporaryFolder folder;
  const Settings settings = withClopt(folder);
  Surroundings more;
  more.headers = {{"sub/h.h", "#define FACTOR 2\n"}};
  const std::string source = "#include \"sub/h.h\"\n" + std::string(product);
  const auto isCached = [&] {
    const Optimized result = optimize(source, {}, "cpu", settings, more);
    EXPECT_EQ(result.state, Optimized::State::Changed) << result.message;
    return result.isCached;
  };
  EXPECT_FALSE(isCached());
  EXPECT_TRUE(isCached());
  more.headers[0].text = "#define FACTOR 3\n";
  EXPECT_FALSE(isCached());
  more.includes.files = {{"x.h", "1"}};
  EXPECT_FALSE(isCached());
  more.includes.files[0].text = "2";
  EXPECT_FALSE(isCached());
  EXPECT_TRUE(isCached());
}

TEST(RuntimeLayerOptimizer, FromCloptAndThenFromTheCache) {
  const TemporaryFolder folder;
  const Settings settings = withClopt(folder);
  const std::string source = product + std::string(copy);
  const Optimized first = optimize(source, {"-DFACTOR=2"}, "cpu", settings);
  ASSERT_EQ(first.state, Optimized::State::Changed) << first.message;
  EXPECT_FALSE(first.isCached);
  EXPECT_NE(first.text.find("// Optimized by clopt"), std::string::npos);
  EXPECT_EQ(first.kept, std::set<std::string>{"copy"});
  const Optimized second = optimize(source, {"-DFACTOR=2"}, "cpu", settings);
  EXPECT_EQ(second.state, Optimized::State::Changed);
  EXPECT_TRUE(second.isCached);
  EXPECT_EQ(second.text, first.text);
  EXPECT_EQ(second.kept, first.kept);
  // Anything else is another text.
  EXPECT_FALSE(optimize(source, {"-DFACTOR=3"}, "cpu", settings).isCached);
  EXPECT_FALSE(
      optimize(source, {"-DFACTOR=2"}, "generic-gpu", settings).isCached);
  EXPECT_FALSE(
      optimize(source + "\n", {"-DFACTOR=2"}, "cpu", settings).isCached);
}

TEST(RuntimeLayerOptimizer, ApplicationsThatIgnoreTheirChildren) {
  const TemporaryFolder folder;
  Settings settings = withClopt(folder);
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(optimize(product, {"-DFACTOR=2"}, "cpu", settings).state,
            Optimized::State::Changed);
  settings.program = "/bin/false";
  EXPECT_EQ(optimize(product, {"-DFACTOR=2"}, "cpu", settings).state,
            Optimized::State::Failed);
  std::signal(SIGCHLD, before);
}

TEST(RuntimeLayerOptimizer, NothingToGain) {
  const TemporaryFolder folder;
  const Settings settings = withClopt(folder);
  for (const bool isCached : {false, true}) {
    const Optimized result = optimize(copy, {}, "cpu", settings);
    EXPECT_EQ(result.state, Optimized::State::Unchanged);
    EXPECT_EQ(result.text, "");
    EXPECT_EQ(result.isCached, isCached);
  }
}

TEST(RuntimeLayerOptimizer, TextsThatCloptDoesNotRead) {
  const TemporaryFolder folder;
  const Settings settings = withClopt(folder);
  for (const bool isCached : {false, true}) {
    // FACTOR is missing.
    const Optimized result = optimize(product, {}, "cpu", settings);
    EXPECT_EQ(result.state, Optimized::State::Failed);
    EXPECT_EQ(result.isCached, isCached);
    EXPECT_NE(result.message.find("FACTOR"), std::string::npos)
        << result.message;
  }
  EXPECT_EQ(optimize(copy, {}, "no-such-target", settings).state,
            Optimized::State::Failed);
}

TEST(RuntimeLayerOptimizer, ProgramsThatFail) {
  const TemporaryFolder folder;
  Settings settings = withClopt(folder);
  settings.program = "/no/such/program";
  EXPECT_NE(optimize(copy, {}, "cpu", settings).message.find("cannot start"),
            std::string::npos);
  settings.program = folder.file("slow");
  std::ofstream(settings.program) << "#!/bin/sh\nexec sleep 60\n";
  fs::permissions(settings.program, fs::perms::owner_all);
  settings.timeLimit = std::chrono::milliseconds(200);
  const Optimized late = optimize(copy, {}, "cpu", settings);
  EXPECT_EQ(late.state, Optimized::State::Failed);
  EXPECT_NE(late.message.find("no answer in time"), std::string::npos);
  // A longer time is worth another try; what was killed is one, too.
  std::ofstream(settings.program) << "#!/bin/sh\nkill -9 $$\n";
  settings.timeLimit = std::chrono::seconds(20);
  for (int i = 0; i < 2; ++i) {
    const Optimized killed = optimize(copy, {}, "cpu", settings);
    EXPECT_NE(killed.message.find("signal 9"), std::string::npos)
        << killed.message;
    EXPECT_FALSE(killed.isCached);
  }
  // One that says it is done and is not.
  settings.program = "/bin/true";
  EXPECT_EQ(optimize(copy, {}, "cpu", settings).state,
            Optimized::State::Failed);
}

TEST(RuntimeLayerOptimizer, WithoutACache) {
  const TemporaryFolder folder;
  Settings settings = withClopt(folder);
  settings.cacheFolder.clear();
  for (int i = 0; i < 2; ++i)
    EXPECT_FALSE(optimize(copy, {}, "cpu", settings).isCached);
}

//===-- Recorded launches -------------------------------------------------===//

TEST(RuntimeLayerRecorder, TypesAsSpecificationsNameThem) {
  const std::map<std::string, std::string> names = {
      {"float*", "float"},
      {"float4*", "floatx4"},
      {"int8", "intx8"}, // "int8" is a byte there
      {"int16*", "intx16"},
      {"uchar16*", "ucharx16"},
      {"unsigned int", "uint"},
      {"const unsigned char*", "uchar"},
      {"__global const float *restrict", "float"},
      {"struct node*", "struct node"},
      {"vec3*", "vec3"},
      {"size_t", "size_t"}};
  for (const auto &[parameter, wanted] : names)
    EXPECT_EQ(specTypeName(parameter), wanted) << parameter;
}

//===-- Trace -------------------------------------------------------------===//

void checkTrace(bool isMade) {
  const TemporaryFolder folder;
  const std::string file = folder.file("trace.json");
  if (isMade)
    std::ofstream(file) << "[\n]\n"; // as `clopt run` leaves it
  const Launch launch = {nullptr, "k", "optimized", "64x64", "NULL", 10};
  for (std::size_t count = 1; count <= 3; ++count) {
    ASSERT_TRUE(appendToArray(file, traceEvent(launch, 12.5, 3, true, 99)));
    const auto events = clopt::runtime::Json::parse(contentOf(file));
    ASSERT_EQ(events.size(), count);
    EXPECT_EQ(events[count - 1]["name"], "k");
    EXPECT_EQ(events[count - 1]["ph"], "X");
    EXPECT_EQ(events[count - 1]["ts"], 12.5);
    EXPECT_EQ(events[count - 1]["dur"], 3.0);
    EXPECT_EQ(events[count - 1]["pid"], 99);
    EXPECT_EQ(events[count - 1]["args"]["text"], "optimized");
    EXPECT_EQ(events[count - 1]["args"]["clock"], "device");
  }
}

TEST(RuntimeLayerTrace, TheFileIsAlwaysComplete) {
  checkTrace(false);
  checkTrace(true);
  EXPECT_FALSE(appendToArray("/proc/none", "{}"));
}

} // namespace
