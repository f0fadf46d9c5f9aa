// An application with memory that is no plain buffer: shared virtual memory,
// images and samplers, and a buffer that is also written as an image. It prints
// sums of what it gets, so that two runs can be compared, and says where values
// are wrong.

#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 200
#include "host.h"

#include <cstring>
#include <iostream>
#include <string>
#include <vector>

static const std::string source = productOf() + R"(
__kernel void pictured(__read_only image2d_t A, sampler_t how, __global const float *B,
                       __global float *C, int n)
{
    int i = get_global_id(1), j = get_global_id(0);
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += read_imagef(A, how, (int2)(k, i)).x * B[k * n + j];
    C[i * n + j] = sum;
}
)";

constexpr size_t bytes = n * n * sizeof(float);

static int check(const char *what, const Matrix &a, const float *b,
                 const float *c) {
  const Compared all = compare(a.data(), b, c);
  std::cout << what << ": " << all.wrong << " wrong, " << all.total << "\n";
  return all.wrong;
}

struct Place {
  cl::Context context;
  cl::CommandQueue queue;
  cl::Program program;
  Matrix a = filled(3), b = filled(5);
  cl::Buffer A, B, C;

  explicit Place(const cl::Device &device)
      : context(device), queue(context, device), program(context, source),
        A(context, CL_MEM_COPY_HOST_PTR, bytes, a.data()),
        B(context, CL_MEM_COPY_HOST_PTR, bytes, b.data()),
        C(context, CL_MEM_READ_WRITE, bytes) {
    program.build();
  }
  cl::Kernel kernel(const char *name) const {
    cl::Kernel result(program, name);
    const bool isPictured = std::strcmp(name, "pictured") == 0;
    const cl_uint first = isPictured ? 2 : 1;
    if (!isPictured)
      result.setArg(0, A);
    result.setArg(first, B);
    result.setArg(first + 1, C);
    result.setArg(first + 2, n);
    return result;
  }
  void launch(const cl::Kernel &kernel) const {
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(n, n),
                               cl::NDRange(8, 8));
  }
  int launch(const char *what, const cl::Kernel &kernel) {
    launch(kernel);
    Matrix c(n * n);
    queue.enqueueReadBuffer(C, true, 0, bytes, c.data());
    return check(what, a, b.data(), c.data());
  }
};

// B and C are shared; the host and commands write to them between launches.
static int shared(Place &place) {
  const cl_command_queue queue = place.queue();
  auto *b = static_cast<float *>(
      clSVMAlloc(place.context(), CL_MEM_READ_WRITE, bytes, 0));
  auto *c = static_cast<float *>(
      clSVMAlloc(place.context(), CL_MEM_READ_WRITE, bytes, 0));
  const Matrix first = filled(2), second = filled(4);
  cl::Kernel product = place.kernel("product");
  int wrong = place.launch("before it is shared", product);
  clSetKernelArgSVMPointer(product(), 1, b);
  clSetKernelArgSVMPointer(product(), 2, c);
  const auto run = [&](const char *what) {
    place.launch(product);
    clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, b, bytes, 0, nullptr, nullptr);
    clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, c, bytes, 0, nullptr, nullptr);
    wrong += check(what, place.a, b, c);
    clEnqueueSVMUnmap(queue, b, 0, nullptr, nullptr);
    clEnqueueSVMUnmap(queue, c, 0, nullptr, nullptr);
  };
  clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, b, bytes, 0, nullptr, nullptr);
  std::memcpy(b, first.data(), bytes);
  clEnqueueSVMUnmap(queue, b, 0, nullptr, nullptr);
  run("shared, mapped");
  clEnqueueSVMMemcpy(queue, CL_TRUE, b, second.data(), bytes, 0, nullptr,
                     nullptr);
  run("shared, copied");
  const float two = 2;
  clEnqueueSVMMemFill(queue, b, &two, sizeof two, bytes / 2, 0, nullptr,
                      nullptr);
  run("shared, filled");
  // The same kernel with buffers again.
  product.setArg(1, place.B);
  product.setArg(2, place.C);
  wrong += place.launch("buffers again", product);
  cl::Kernel told = place.kernel("product");
  const void *pointers[] = {b};
  clSetKernelExecInfo(told(), CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers,
                      pointers);
  wrong += place.launch("told what it may access", told);
  // A buffer in shared memory, which its pointer writes as well.
  cl::Kernel lying = place.kernel("product");
  const cl::Buffer inShared(place.context, CL_MEM_USE_HOST_PTR, bytes, b);
  lying.setArg(1, inShared);
  for (const Matrix *content : {&first, &second}) {
    clEnqueueSVMMemcpy(queue, CL_TRUE, b, content->data(), bytes, 0, nullptr,
                       nullptr);
    std::swap(place.b, const_cast<Matrix &>(*content));
    wrong += place.launch("a buffer in shared memory", lying);
    std::swap(place.b, const_cast<Matrix &>(*content));
  }
  place.queue.finish();
  clSVMFree(place.context(), b);
  clSVMFree(place.context(), c);
  return wrong;
}

static int images(Place &place) {
  const cl::ImageFormat format(CL_R, CL_FLOAT);
  const cl::Image2D image(place.context, CL_MEM_COPY_HOST_PTR, format, n, n, 0,
                          place.a.data());
  const cl::Sampler sampler(place.context, CL_FALSE, CL_ADDRESS_NONE,
                            CL_FILTER_NEAREST);
  cl::Kernel pictured = place.kernel("pictured");
  pictured.setArg(0, image);
  pictured.setArg(1, sampler);
  int wrong = place.launch("an image", pictured);
  // Another buffer's content, by way of an image.
  place.b = filled(6);
  const cl::Image2D other(place.context, CL_MEM_COPY_HOST_PTR, format, n, n, 0,
                          place.b.data());
  const cl::Kernel product = place.kernel("product");
  Matrix before = filled(5);
  std::swap(place.b, before);
  wrong += place.launch("before an image is copied", product);
  std::swap(place.b, before);
  place.queue.enqueueCopyImageToBuffer(other, place.B, {0, 0, 0}, {n, n, 1}, 0);
  wrong += place.launch("an image is copied", product);
  return wrong + place.launch("an image", pictured);
}

// A buffer whose content is that of an image, by either call that makes such
// memory. Drivers need not have them.
static int imageInBuffer(Place &place) {
  int wrong = 0;
  for (const bool hasProperties : {false, true}) {
    const cl::Buffer B(
        hasProperties ? clCreateBufferWithProperties(
                            place.context(), nullptr, CL_MEM_COPY_HOST_PTR,
                            bytes, place.b.data(), nullptr)
                      : clCreateBuffer(place.context(), CL_MEM_COPY_HOST_PTR,
                                       bytes, place.b.data(), nullptr));
    cl::Kernel product = place.kernel("product");
    product.setArg(1, B);
    wrong += place.launch("before it is an image", product);
    const cl_image_format format = {CL_R, CL_FLOAT};
    cl_image_desc description = {};
    description.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
    description.image_width = n * n;
    description.mem_object = B();
    cl_int status = CL_SUCCESS;
    const cl_mem image =
        hasProperties
            ? clCreateImageWithProperties(place.context(), nullptr,
                                          CL_MEM_READ_WRITE, &format,
                                          &description, nullptr, &status)
            : clCreateImage(place.context(), CL_MEM_READ_WRITE, &format,
                            &description, nullptr, &status);
    std::cout << "an image in a buffer: " << status << "\n";
    if (status != CL_SUCCESS)
      continue;
    const size_t origin[] = {0, 0, 0}, region[] = {n * n, 1, 1};
    Matrix content = filled(7 + hasProperties);
    clEnqueueWriteImage(place.queue(), image, CL_TRUE, origin, region, 0, 0,
                        content.data(), 0, nullptr, nullptr);
    std::swap(place.b, content);
    wrong += place.launch("written as an image", product);
    clReleaseMemObject(image);
  }
  return wrong;
}

int main() {
  int wrong = 0;
  try {
    Place place(pickDevice());
    wrong += shared(place);
    wrong += images(place);
    wrong += imageInBuffer(place);
  } catch (const cl::Error &error) {
    std::cout << error.what() << ": " << error.err() << "\n";
    return 1;
  }
  std::cout << wrong << " wrong\n";
  return wrong != 0;
}
