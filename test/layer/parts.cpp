// An application whose programs consist of parts: headers in a folder, headers
// in memory, programs that are compiled and linked, and a library.
//
//     clopt-layer-parts FOLDER    of the header scale.h

#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include "host.h"

#include <iostream>
#include <string>
#include <vector>

static const std::string product = productOf("SCALE(sum)");
// Another part says how much.
static const std::string scaled = R"(
float times(float x);
__kernel void scaled(__global float *C)
{
    int i = get_global_id(0);
    C[i] = times(C[i]);
}
)";
static const std::string times =
    "float times(float x) { return x * FACTOR; }\n";

struct Place {
  cl::Device device;
  cl::Context context;
};

// All values are small integers, so every order of the sums gives the same.
static void run(const char *what, const Place &place,
                const cl::Program &program) {
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = float(i % 7 - 3);
    b[i] = float(i % 5 - 1);
  }
  cl::CommandQueue queue(place.context, place.device);
  cl::Buffer x(place.context, a.begin(), a.end(), true);
  cl::Buffer y(place.context, b.begin(), b.end(), true);
  cl::Buffer z(place.context, CL_MEM_WRITE_ONLY, c.size() * sizeof(float));
  cl::Kernel kernel(program, "product");
  kernel.setArg(0, x);
  kernel.setArg(1, y);
  kernel.setArg(2, z);
  kernel.setArg(3, n);
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(n, n));
  if (program.getInfo<CL_PROGRAM_KERNEL_NAMES>().find("scaled") !=
      std::string::npos) {
    cl::Kernel second(program, "scaled");
    second.setArg(0, z);
    queue.enqueueNDRangeKernel(second, cl::NullRange, cl::NDRange(n * n));
  }
  queue.enqueueReadBuffer(z, true, 0, c.size() * sizeof(float), c.data());
  // What all of them have is how much they scale.
  float scale = 0;
  for (int j = 0; scale == 0 && j < n; ++j) {
    float sum = 0;
    for (int k = 0; k < n; ++k)
      sum += a[k] * b[k * n + j];
    if (sum != 0)
      scale = c[j] / sum;
  }
  const int wrong = compare(a.data(), b.data(), c.data(), scale).wrong;
  std::cout << what << ": " << wrong << " wrong, times " << scale << "\n";
}

static void compile(const cl::Program &program, const char *options,
                    const cl::Program *header = nullptr,
                    const char *name = nullptr) {
  const cl_program headers[] = {header != nullptr ? (*header)() : nullptr};
  const char *names[] = {name};
  const cl_int status = clCompileProgram(
      program(), 0, nullptr, options, header != nullptr ? 1 : 0,
      header != nullptr ? headers : nullptr,
      header != nullptr ? names : nullptr, nullptr, nullptr);
  if (status != CL_SUCCESS)
    throw cl::Error(status, "clCompileProgram");
}

static cl::Program link(const Place &place, const char *options,
                        std::vector<cl_program> parts) {
  cl_int status = CL_SUCCESS;
  const cl_program linked =
      clLinkProgram(place.context(), 0, nullptr, options, cl_uint(parts.size()),
                    parts.data(), nullptr, nullptr, &status);
  if (status != CL_SUCCESS)
    throw cl::Error(status, "clLinkProgram");
  return cl::Program(linked);
}

int main(int, char **arguments) {
  try {
    const cl::Device device = pickDevice();
    const Place place = {device, cl::Context(device)};
    const std::string folder = arguments[1];
    const auto make = [&](const std::string &text) {
      return cl::Program(place.context, text);
    };
    const cl::Program included = make("#include \"scale.h\"\n" + product);
    included.build(("-I " + folder).c_str());
    run("a header of a folder", place, included);

    const cl::Program header = make("#define SCALE(x) (x) * 3\n");
    const cl::Program inMemory = make("#include \"memory/s.h\"\n" + product);
    compile(inMemory, "", &header, "memory/s.h");
    run("a header in memory", place, link(place, "", {inMemory()}));

    const cl::Program main = make("#define SCALE(x) (x)\n" + product + scaled);
    const cl::Program five = make(times), six = make(times);
    compile(main, "");
    compile(five, "-DFACTOR=5");
    compile(six, "-DFACTOR=6");
    run("two parts", place, link(place, "", {main(), five()}));
    const cl::Program library = link(place, "-create-library", {six()});
    run("a library", place, link(place, "", {main(), library()}));
    // What has been linked stays as it is when a part is compiled again.
    const cl::Program before = link(place, "", {main(), five()});
    compile(five, "-DFACTOR=7");
    run("before", place, before);
    run("compiled again", place, link(place, "", {main(), five()}));
    // Errors are those of OpenCL.
    cl_int status = CL_SUCCESS;
    const cl_program part = main();
    const cl_program none = clLinkProgram(place.context(), 0, nullptr, "", 1,
                                          &part, nullptr, nullptr, &status);
    std::cout << "without its part: " << (status == CL_SUCCESS) << "\n";
    if (none != nullptr)
      clReleaseProgram(none);
  } catch (const cl::Error &error) {
    std::cout << error.what() << ": " << error.err() << "\n";
    return 1;
  }
  return 0;
}
