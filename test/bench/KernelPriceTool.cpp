//===- KernelPriceTool.cpp - prices of texts, for comparison with times ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   clopt-price [--target=NAME] [--budget=STEPS] < launches.json
//
// A line of the input is {"file", "kernel", "options": [...], "global": [...],
// "local": [...], "integers": {...}}; a line of the output has the price in
// nanoseconds and its terms.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangParser.h"
#include "Planning/cost/KernelPrice.h"
#include "Support/Files.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <iostream>

using namespace clopt;

static llvm::json::Object price(const llvm::json::Object &given,
                                const DeviceProfile &profile, uint64_t budget) {
  const std::string path = given.getString("file")->str();
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::json::Object{{"error", "no file"}};
  std::vector<std::string> options;
  if (const auto *list = given.getArray("options"))
    for (const auto &option : *list)
      options.push_back(option.getAsString()->str());
  ParseResult parsed = parseOpenCL(path, (*buffer)->getBuffer().str(), options);
  if (!parsed.unit)
    return llvm::json::Object{{"error", "does not compile"}};
  SmallLaunch launch;
  auto read = [&](const char *key, std::array<int64_t, 3> &to) {
    unsigned d = 0;
    for (const auto &value : *given.getArray(key))
      to[d++] = *value.getAsInteger();
    launch.dimensions = std::max(launch.dimensions, d);
  };
  read("global", launch.global);
  read("local", launch.local);
  for (const auto &[name, value] : *given.getObject("integers"))
    launch.integers[name.str()] = *value.getAsInteger();
  for (const auto &function : parsed.unit->functions)
    if (function->name == *given.getString("kernel")) {
      std::string why;
      auto costs =
          countCosts(*parsed.unit, *function, launch, profile, budget, why);
      if (!costs)
        return llvm::json::Object{{"error", why}};
      const KernelPrice result = priceOf(*costs, profile);
      llvm::json::Object terms;
      for (const PriceTerm &term : result.terms)
        terms[term.name] = term.nanoseconds;
      return llvm::json::Object{
          {"nanoseconds", result.nanoseconds},
          {"terms", std::move(terms)},
          {"resident", result.residentGroups},
          {"ran", costs->seen},
          {"counted", costs->counted},
          {"busy", costs->busy},
          {"private", costs->privateBytes},
          {"why", why},
          {"operations", costs->operations / costs->counted},
          {"integers", costs->integers / costs->counted}};
    }
  return llvm::json::Object{{"error", "no such kernel"}};
}

int main(int argc, char **argv) {
  std::string target = "nvidia-hopper";
  uint64_t budget = 4000000;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    if (argument.consume_front("--target="))
      target = argument.str();
    else if (argument.consume_front("--budget="))
      argument.getAsInteger(10, budget);
  }
  llvm::Expected<DeviceProfile> profile = loadProfile(target);
  if (!profile) {
    llvm::errs() << toString(profile.takeError()) << "\n";
    return 1;
  }
  std::string line;
  while (std::getline(std::cin, line)) {
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
    if (!value) {
      llvm::errs() << toString(value.takeError()) << "\n";
      return 1;
    }
    llvm::outs() << llvm::json::Value(
                        price(*value->getAsObject(), *profile, budget))
                 << "\n";
    llvm::outs().flush();
  }
}
