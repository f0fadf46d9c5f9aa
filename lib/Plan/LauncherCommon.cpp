//===- LauncherCommon.cpp - the part that all launcher headers share ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C99 and C++11. Its commands behave as those of PlanExecutor.cpp.
//
// Tested by test/unit/RuntimeLauncherTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Plan/LauncherCommon.h"

namespace clopt {

// clang-format off
const char *const launcherCommands = R"c(/* get_global_size and its like: 's', 'o', 'l'. */
static inline clopt_value clopt_query(const clopt_call *l, char what,
                                      clopt_value dim) {
  cl_ulong outside = what == 'o' ? 0 : 1;
  if (!dim.ok || (what == 'l' && !l->has_local))
    return clopt_none();
  if (dim.bits > 2)
    return clopt_make(outside, 1, 1);
  return clopt_make(what == 's'   ? l->global[dim.bits]
                    : what == 'o' ? l->offset[dim.bits]
                                  : l->local[dim.bits],
                    1, 1);
}

static inline clopt_value clopt_fact(const clopt_call *l,
                                     cl_device_info what) {
  unsigned char bytes[8];
  size_t size = 0;
  cl_uint narrow;
  cl_ulong value = 0;
  if (clGetDeviceInfo(l->device, what, sizeof bytes, bytes, &size) !=
      CL_SUCCESS)
    return clopt_none();
  if (size == sizeof narrow) {
    memcpy(&narrow, bytes, sizeof narrow);
    value = narrow;
  } else if (size == sizeof value) {
    memcpy(&value, bytes, sizeof value);
  }
  return clopt_make(value, 1, 1);
}

static inline clopt_value clopt_buffer_bytes(cl_mem mem) {
  size_t bytes = 0;
  if (!mem || clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof bytes, &bytes, NULL) !=
                  CL_SUCCESS)
    return clopt_none();
  return clopt_make(bytes, 1, 1);
}

/* Sub-buffers of one buffer are as far apart as their origins, others are far
 * away from each other. */
static inline clopt_value clopt_address(clopt_call *l, cl_mem mem,
                                        cl_ulong element) {
  cl_mem root = NULL;
  size_t origin = 0;
  cl_uint i = 0;
  clopt_value v = clopt_make(0, 1, 1);
  v.element = element;
  if (!mem)
    return v;
  if (clGetMemObjectInfo(mem, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof root, &root,
                         NULL) != CL_SUCCESS)
    return clopt_none();
  if (root && clGetMemObjectInfo(mem, CL_MEM_OFFSET, sizeof origin, &origin,
                                 NULL) != CL_SUCCESS)
    return clopt_none();
  if (!root)
    root = mem;
  while (i < l->roots && l->root[i] != root)
    ++i;
  if (i == CLOPT_MOST_OBJECTS)
    return clopt_none();
  if (i == l->roots)
    l->root[l->roots++] = root;
  v.bits = ((cl_ulong)(i + 1) << 44) + origin;
  return v;
}

/* A size; what has none, or an impossible one, clears `ok`. */
static inline size_t clopt_size(clopt_value v, int *ok) {
  if (!v.ok || v.element || (!v.uns && (cl_long)v.bits < 0) ||
      v.bits > (cl_ulong)1 << 44) {
    *ok = 0;
    return 0;
  }
  return (size_t)v.bits;
}

static inline cl_ulong clopt_bits(clopt_value v, int *ok) {
  if (!v.ok || v.element)
    *ok = 0;
  return v.bits;
}

static inline cl_int clopt_begin(clopt_call *l, cl_command_queue queue,
                                 cl_program optimized, cl_program original,
                                 cl_uint work_dim, const size_t *offset,
                                 const size_t *global, const size_t *local,
                                 cl_uint wait_count,
                                 const cl_event *wait_list) {
  cl_uint d;
  cl_int status;
  if (work_dim < 1 || work_dim > 3)
    return CL_INVALID_WORK_DIMENSION;
  if (!global || !optimized)
    return CL_INVALID_VALUE;
  memset(l, 0, sizeof *l);
  l->queue = queue;
  l->optimized = optimized;
  l->original = original ? original : optimized;
  l->dims = work_dim;
  l->has_local = local != NULL;
  l->wait_count = wait_count;
  l->wait_list = wait_list;
  for (d = 0; d < 3; ++d) {
    l->global[d] = d < work_dim ? global[d] : 1;
    l->offset[d] = d < work_dim && offset ? offset[d] : 0;
    l->local[d] = d < work_dim && local ? local[d] : 1;
  }
  status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof l->context,
                                 &l->context, NULL);
  if (status == CL_SUCCESS)
    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof l->device,
                                   &l->device, NULL);
  return status;
}

/* Releases everything; the caller gets the event of the last command. */
static inline cl_int clopt_end(clopt_call *l, cl_int status,
                               cl_event *event) {
  while (l->mems)
    clReleaseMemObject(l->mem[--l->mems]);
  if (l->last && status == CL_SUCCESS && event)
    *event = l->last;
  else if (l->last)
    clReleaseEvent(l->last);
  return status;
}

/* Commands form a chain: the first waits for the application's list. */
static inline void clopt_waits(const clopt_call *l, cl_uint *count,
                               const cl_event **list) {
  *count = l->last ? 1 : l->wait_count;
  *list = l->last ? &l->last : l->wait_list;
}

static inline void clopt_follow(clopt_call *l, cl_event event) {
  if (l->last)
    clReleaseEvent(l->last);
  l->last = event;
}

/* True when the device can have groups of this size for the kernel. */
static inline int clopt_fits(clopt_call *l, cl_program program,
                             const char *name, cl_uint dims,
                             const size_t *local) {
  size_t most = 0, sides[16], items = 1;
  cl_uint d;
  int fits = 1;
  cl_int status;
  cl_kernel kernel;
  if (!local)
    return 1;
  kernel = clCreateKernel(program, name, &status);
  if (status != CL_SUCCESS)
    return 0;
  fits = clGetKernelWorkGroupInfo(kernel, l->device, CL_KERNEL_WORK_GROUP_SIZE,
                                  sizeof most, &most, NULL) == CL_SUCCESS &&
         clGetDeviceInfo(l->device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sides,
                         sides, NULL) == CL_SUCCESS;
  for (d = 0; d < dims; ++d) {
    items *= local[d];
    fits = fits && local[d] <= sides[d];
  }
  clReleaseKernel(kernel);
  return fits && items <= most;
}

static inline cl_int clopt_run(clopt_call *l, cl_program program,
                               const char *name, const clopt_argument *args,
                               cl_uint count, cl_uint dims,
                               const size_t *offset, const size_t *global,
                               const size_t *local, int may_be_empty) {
  cl_uint i, waits;
  cl_int status;
  const cl_event *list;
  cl_event event = NULL;
  cl_kernel kernel;
  clopt_waits(l, &waits, &list);
  for (i = 0; may_be_empty && i < dims; ++i)
    if (global[i] == 0) {
      status = clEnqueueMarkerWithWaitList(l->queue, waits, list, &event);
      if (status == CL_SUCCESS)
        clopt_follow(l, event);
      return status;
    }
  kernel = clCreateKernel(program, name, &status);
  if (status != CL_SUCCESS)
    return status;
  for (i = 0; i < count && status == CL_SUCCESS; ++i)
    status = clSetKernelArg(kernel, i, args[i].size, args[i].value);
  if (status == CL_SUCCESS)
    status = clEnqueueNDRangeKernel(l->queue, kernel, dims, offset, global,
                                    local, waits, list, &event);
  clReleaseKernel(kernel);
  if (status == CL_SUCCESS)
    clopt_follow(l, event);
  return status;
}

static inline cl_int clopt_buffer(clopt_call *l, size_t bytes, cl_mem *mem) {
  cl_int status = CL_OUT_OF_RESOURCES;
  if (l->mems == CLOPT_MOST_OBJECTS)
    return status;
  *mem = clCreateBuffer(l->context, CL_MEM_READ_WRITE, bytes ? bytes : 1, NULL,
                        &status);
  if (status == CL_SUCCESS)
    l->mem[l->mems++] = *mem;
  return status;
}

static inline cl_int clopt_rows(clopt_call *l, cl_mem buffer, cl_mem image,
                                size_t from, size_t row, size_t width,
                                size_t height) {
  size_t origin[3] = {0, 0, 0}, region[3] = {1, 1, 1};
  cl_uint waits;
  const cl_event *list;
  cl_event event = NULL;
  cl_int status;
  origin[1] = row;
  region[0] = width;
  region[1] = height;
  clopt_waits(l, &waits, &list);
  status = clEnqueueCopyBufferToImage(l->queue, buffer, image, from, origin,
                                      region, waits, list, &event);
  if (status == CL_SUCCESS)
    clopt_follow(l, event);
  return status;
}

/* Devices need not have the formats of one and two channels. */
static inline int clopt_has_format(clopt_call *l, cl_channel_order order,
                                   cl_channel_type type) {
  cl_image_format formats[256];
  cl_uint count = 0, i;
  if (clGetSupportedImageFormats(l->context, CL_MEM_READ_ONLY,
                                 CL_MEM_OBJECT_IMAGE2D, 256, formats,
                                 &count) != CL_SUCCESS)
    return 0;
  for (i = 0; i < count && i < 256; ++i)
    if (formats[i].image_channel_order == order &&
        formats[i].image_channel_data_type == type)
      return 1;
  return 0;
}

/* True when rows of the buffer can be rows of an image as they lie
 * (OpenCL 2.0, cl_khr_image2d_from_buffer). */
static inline int clopt_can_share(clopt_call *l, cl_mem buffer, size_t texel,
                                  size_t height, size_t pitch) {
  /* CL_DEVICE_IMAGE_PITCH_ALIGNMENT, which headers for OpenCL 1.2 lack */
  const cl_device_info query = 0x104A;
  cl_uint alignment = 0;
  cl_mem parent = NULL;
  cl_mem_flags flags = 0;
  size_t bytes = 0;
  if (clGetDeviceInfo(l->device, query, sizeof alignment, &alignment, NULL) !=
          CL_SUCCESS ||
      !alignment || pitch % (alignment * texel) ||
      clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL) !=
          CL_SUCCESS ||
      clGetMemObjectInfo(buffer, CL_MEM_FLAGS, sizeof flags, &flags, NULL) !=
          CL_SUCCESS ||
      clGetMemObjectInfo(buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent,
                         &parent, NULL) != CL_SUCCESS)
    return 0;
  return height <= bytes / pitch && !parent && !(flags & CL_MEM_USE_HOST_PTR);
}

/* An image of a buffer: the buffer itself where the device can, or else a copy,
 * row by row; rows beyond the end of the buffer are left out. */
static inline cl_int clopt_image(clopt_call *l, cl_mem buffer,
                                 cl_channel_order order, cl_channel_type type,
                                 size_t texel, size_t width, size_t height,
                                 size_t pitch, cl_mem *image) {
  cl_image_format format;
  cl_image_desc desc;
  size_t bytes = 0, row, whole = 0, rest, dense = width * texel, from = 0;
  cl_mem parent = NULL;
  cl_int status;
  if (l->mems == CLOPT_MOST_OBJECTS)
    return CL_OUT_OF_RESOURCES;
  memset(&desc, 0, sizeof desc);
  format.image_channel_order = order;
  format.image_channel_data_type = type;
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = width;
  desc.image_height = height;
  if (!pitch)
    pitch = dense;
  if (clopt_can_share(l, buffer, texel, height, pitch)) {
    desc.image_row_pitch = pitch;
    desc.buffer = buffer;
    *image = clCreateImage(l->context, CL_MEM_READ_ONLY, &format, &desc, NULL,
                           &status);
    if (status == CL_SUCCESS) {
      l->mem[l->mems++] = *image;
      return status;
    }
    desc.image_row_pitch = 0;
    desc.buffer = NULL;
  }
  *image = clCreateImage(l->context, CL_MEM_READ_ONLY, &format, &desc, NULL,
                         &status);
  if (status != CL_SUCCESS)
    return status;
  l->mem[l->mems++] = *image;
  status = clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
  /* Parts of a buffer are copied from the whole: some drivers need that. */
  if (status == CL_SUCCESS)
    status = clGetMemObjectInfo(buffer, CL_MEM_ASSOCIATED_MEMOBJECT,
                                sizeof parent, &parent, NULL);
  if (status == CL_SUCCESS && parent) {
    status = clGetMemObjectInfo(buffer, CL_MEM_OFFSET, sizeof from, &from, NULL);
    buffer = parent;
  }
  while (status == CL_SUCCESS && whole < height &&
         whole * pitch + dense <= bytes)
    ++whole;
  if (pitch == dense && whole && status == CL_SUCCESS)
    status = clopt_rows(l, buffer, *image, from, 0, width, whole);
  for (row = 0; row < whole && pitch != dense && status == CL_SUCCESS; ++row)
    status = clopt_rows(l, buffer, *image, from + row * pitch, row, width, 1);
  rest = whole < height && whole * pitch < bytes
             ? (bytes - whole * pitch) / texel
             : 0;
  if (rest && status == CL_SUCCESS)
    status = clopt_rows(l, buffer, *image, from + whole * pitch, whole,
                        rest < width ? rest : width, 1);
  return status;
}

#endif /* CLOPT_LAUNCHERS_COMMON */
)c";
// clang-format on

} // namespace clopt
