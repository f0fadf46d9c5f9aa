//===- RuntimeTuningStoreTest.cpp - the fastest recipes, in a file --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/tune/TuningStore.h"

#include "Runtime/Process.h"
#include "Runtime/TextFiles.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

using namespace clopt::runtime;

namespace {

TuneSubject subjectOf(const std::string &kernel, std::int64_t workItems) {
  TuneSubject subject;
  subject.source = "abc";
  subject.kernel = kernel;
  subject.target = "cpu";
  subject.device = "D";
  subject.workItems = workItems;
  return subject;
}

TuneResult resultOf(const Steps &steps, double ms) {
  TuneResult result;
  result.steps = steps;
  result.originalMs = 8;
  result.ms = ms;
  return result;
}

std::size_t entriesOf(const std::string &path) {
  return JsonDocument::load(path).root().at("entries").size();
}

TEST(RuntimeTuningStoreTest, AFileThatIsNotThereHasNothing) {
  const TemporaryFolder folder;
  EXPECT_FALSE(findStored(folder.file("db.json"), subjectOf("f", 64)));
}

TEST(RuntimeTuningStoreTest, NewResultsTakeThePlaceOfOld) {
  const TemporaryFolder folder;
  const std::string path = folder.file("db.json");
  store(path, subjectOf("f", 64), resultOf({"unroll k:4"}, 2));
  store(path, subjectOf("f", 100), resultOf({"unroll k:8"}, 3)); // one class
  EXPECT_EQ(findStored(path, subjectOf("f", 127)), Steps{"unroll k:8"});
  EXPECT_EQ(entriesOf(path), 1u);
}

TEST(RuntimeTuningStoreTest, EveryPartOfTheKeyTellsEntriesApart) {
  const TemporaryFolder folder;
  const std::string path = folder.file("db.json");
  const TuneSubject first = subjectOf("f", 64);
  store(path, first, resultOf({"unroll k:4"}, 2));
  std::vector<TuneSubject> others(8, first);
  others[0].source = "other";
  others[1].flags = {"-DN=4"};
  others[2].kernel = "g";
  others[3].target = "generic-gpu";
  others[4].device = "E";
  others[5].driver = "2";
  others[6].workItems = 128;
  others[7].isPlanned = true;
  std::size_t count = 1;
  for (const TuneSubject &other : others) {
    EXPECT_FALSE(findStored(path, other));
    store(path, other, resultOf({}, 8));
    EXPECT_EQ(entriesOf(path), ++count);
  }
  EXPECT_EQ(findStored(path, first), Steps{"unroll k:4"});
  EXPECT_EQ(findStored(path, others[0]), Steps{});
}

TEST(RuntimeTuningStoreTest, OtherFilesAreErrors) {
  const TemporaryFolder folder;
  const std::string path = folder.file("db.json");
  for (const char *text :
       {"[]", "{}", "{\"schema_version\": \"2.0.0\", \"entries\": []}"}) {
    writeFile(path, text);
    EXPECT_THROW(findStored(path, subjectOf("f", 64)), Error) << text;
    EXPECT_THROW(store(path, subjectOf("f", 64), resultOf({}, 1)), Error);
    EXPECT_EQ(readFile(path), text);
  }
}

TEST(RuntimeTuningStoreTest, ProcessesDoNotLoseEachOthersEntries) {
  const TemporaryFolder folder;
  const std::string path = folder.file("db.json");
  constexpr int processes = 4, each = 8;
  std::vector<pid_t> children;
  for (int i = 0; i < processes; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (int k = 0; k < each; ++k)
        store(path,
              subjectOf("f" + std::to_string(i) + "_" + std::to_string(k), 64),
              resultOf({}, 1));
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_EQ(entriesOf(path), static_cast<std::size_t>(processes * each));
}

} // namespace
