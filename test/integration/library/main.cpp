// optimizer KERNEL.cl REPORT.json: optimizes for the processor, says what was
// done, and prints the result.

#include <clopt/Clopt.h>

#include <fstream>
#include <iostream>
#include <sstream>

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  std::ifstream stream(argv[1]);
  std::stringstream text;
  text << stream.rdbuf();

  clopt::Options options;
  options.target = "cpu";
  options.buildFlags = {"-cl-mad-enable"};
  const clopt::Result result = clopt::optimize(argv[1], text.str(), options);

  std::cerr << clopt::messages(argv[1], text.str(), result);
  if (!result.ok)
    return 1;
  for (const clopt::KernelReport &kernel : result.kernels)
    std::cerr << kernel.name << (kernel.changed ? ":\n" : ": unchanged\n")
              << kernel.recipe;
  std::ofstream(argv[2]) << clopt::reportJson(argv[1], text.str(), options,
                                              result);
  std::cout << result.output;
}
