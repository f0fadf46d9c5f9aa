//===- LauncherCommon.cpp - the part that all launcher headers share ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C99 and C++11. Its integers behave as those of PlanExpression.cpp, its
// commands as those of PlanExecutor.cpp.
//
// Tested by test/unit/RuntimeLauncherTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Plan/LauncherCommon.h"

namespace clopt {

// clang-format off
const char *const launcherCommon = R"c(#ifndef CLOPT_LAUNCHER_COMMON
#define CLOPT_LAUNCHER_COMMON

#include <CL/cl.h>
#include <stddef.h>
#include <string.h>

/* Integers with the types of OpenCL C. What has no meaning (overflow, division
 * by zero, a size that was not given) is not ok. */
typedef struct clopt_value {
  cl_ulong bits;    /* sign-extended when signed */
  cl_ulong element; /* an address: bytes of what it points to */
  int ok, wide, uns;
} clopt_value;

enum { CLOPT_MOST_OBJECTS = 64 };

/* One launch: what was asked for, and what has to be released. */
typedef struct clopt_launch {
  cl_command_queue queue;
  cl_program optimized, original;
  cl_context context;
  cl_device_id device;
  cl_uint dims, wait_count, mems, roots;
  size_t global[3], offset[3], local[3];
  int has_local;
  const cl_event *wait_list;
  cl_event last;
  cl_mem mem[CLOPT_MOST_OBJECTS], root[CLOPT_MOST_OBJECTS];
} clopt_launch;

typedef struct clopt_argument {
  size_t size;
  const void *value;
} clopt_argument;

static inline clopt_value clopt_make(cl_ulong bits, int wide, int uns) {
  clopt_value v;
  v.bits = bits;
  v.element = 0;
  v.ok = 1;
  v.wide = wide;
  v.uns = uns;
  return v;
}

static inline clopt_value clopt_none(void) {
  clopt_value v = clopt_make(0, 0, 0);
  v.ok = 0;
  return v;
}

/* The low bytes as a value of that type. */
static inline clopt_value clopt_cast(unsigned bytes, int uns, clopt_value v) {
  unsigned unused = 64 - 8 * bytes;
  cl_ulong bits = v.bits;
  if (!v.ok)
    return v;
  if (unused) {
    cl_ulong mask = ~(cl_ulong)0 >> unused, sign = (mask >> 1) + 1;
    bits &= mask;
    if (!uns && (bits & sign))
      bits |= ~mask;
  }
  return clopt_make(bits, bytes == 8, uns && bytes >= 4);
}

static inline clopt_value clopt_scalar(unsigned bytes, int uns, cl_ulong bits) {
  return clopt_cast(bytes, uns, clopt_make(bits, 1, 1));
}

static inline int clopt_true(clopt_value v) { return v.ok && v.bits != 0; }

static inline int clopt_less(clopt_value a, clopt_value b) {
  return a.uns ? a.bits < b.bits : (cl_long)a.bits < (cl_long)b.bits;
}

static inline clopt_value clopt_bool(clopt_value v) {
  return v.ok ? clopt_make(v.bits != 0, 0, 0) : v;
}

/* The usual arithmetic conversions. */
static inline void clopt_unify(clopt_value *a, clopt_value *b) {
  int wide = a->wide || b->wide;
  int uns = (a->uns && a->wide == wide) || (b->uns && b->wide == wide);
  *a = clopt_cast(wide ? 8 : 4, uns, *a);
  *b = clopt_cast(wide ? 8 : 4, uns, *b);
}

static inline clopt_value clopt_checked(clopt_value v) {
  clopt_value w = clopt_cast(v.wide ? 8 : 4, v.uns, v);
  return v.uns || w.bits == v.bits ? w : clopt_none();
}

static inline clopt_value clopt_mul(clopt_value a, clopt_value b) {
  cl_long x = (cl_long)a.bits, y = (cl_long)b.bits;
  if (!a.uns && x != 0 && y != 0) {
    cl_ulong limit = (x < 0) != (y < 0) ? (cl_ulong)1 << 63
                                        : ((cl_ulong)1 << 63) - 1;
    cl_ulong p = x < 0 ? 0 - a.bits : a.bits, q = y < 0 ? 0 - b.bits : b.bits;
    if (p > limit / q)
      return clopt_none();
  }
  a.bits *= b.bits;
  return clopt_checked(a);
}

static inline clopt_value clopt_sum(int minus, clopt_value a, clopt_value b) {
  cl_ulong r = minus ? a.bits - b.bits : a.bits + b.bits;
  cl_ulong other = minus ? ~b.bits : b.bits;
  if (!a.uns && ((~(a.bits ^ other) & (a.bits ^ r)) >> 63))
    return clopt_none();
  a.bits = r;
  return clopt_checked(a);
}

static inline clopt_value clopt_divide(int rest, clopt_value a, clopt_value b) {
  cl_ulong p = a.bits, q = b.bits, r;
  int negative = 0, result;
  if (q == 0)
    return clopt_none();
  if (!a.uns) {
    negative = (cl_long)a.bits < 0;
    result = negative != ((cl_long)b.bits < 0);
    p = negative ? 0 - p : p;
    q = (cl_long)b.bits < 0 ? 0 - q : q;
    if (!rest && !result && p / q > ((cl_ulong)1 << 63) - 1)
      return clopt_none();
    negative = rest ? negative : result;
  }
  r = rest ? p % q : p / q;
  a.bits = negative ? 0 - r : r;
  return clopt_checked(a);
}

static inline clopt_value clopt_shift(int left, clopt_value a, clopt_value b) {
  cl_ulong ones;
  if ((!b.uns && (cl_long)b.bits < 0) || b.bits >= (a.wide ? 64u : 32u))
    return clopt_none();
  ones = !a.uns && (cl_long)a.bits < 0 && b.bits
             ? ~(~(cl_ulong)0 >> b.bits)
             : 0;
  a.bits = left ? a.bits << b.bits : (a.bits >> b.bits) | ones;
  return clopt_cast(a.wide ? 8 : 4, a.uns, a);
}

/* An address moved by a number of elements. */
static inline clopt_value clopt_move(char op, clopt_value a, clopt_value b) {
  if (op == '+' && b.element) {
    clopt_value c = a;
    a = b;
    b = c;
  }
  if ((op != '+' && op != '-') || b.element ||
      (b.uns && b.bits > ~(cl_ulong)0 / a.element))
    return clopt_none();
  a.bits += op == '+' ? b.bits * a.element : 0 - b.bits * a.element;
  return a;
}

/* Operators by their first character; 'l' and 'g' are <= and >=, 'L' and 'R'
 * shifts, 'A' and 'O' && and ||. */
static inline clopt_value clopt_op(char op, clopt_value a, clopt_value b) {
  if (op == 'A' || op == 'O') {
    if (a.ok && (a.bits != 0) != (op == 'A'))
      return clopt_make(op == 'O', 0, 0);
    return a.ok ? clopt_bool(b) : a;
  }
  if (!a.ok || !b.ok)
    return clopt_none();
  if (a.element || b.element)
    return clopt_move(op, a, b);
  if (op == 'L' || op == 'R')
    return clopt_shift(op == 'L', a, b);
  clopt_unify(&a, &b);
  switch (op) {
  case '*':
    return clopt_mul(a, b);
  case '+':
  case '-':
    return clopt_sum(op == '-', a, b);
  case '/':
  case '%':
    return clopt_divide(op == '%', a, b);
  case '&':
    a.bits &= b.bits;
    return a;
  case '|':
    a.bits |= b.bits;
    return a;
  case '^':
    a.bits ^= b.bits;
    return a;
  case '<':
    return clopt_make((cl_ulong)clopt_less(a, b), 0, 0);
  case '>':
    return clopt_make((cl_ulong)clopt_less(b, a), 0, 0);
  case 'l':
    return clopt_make((cl_ulong)!clopt_less(b, a), 0, 0);
  case 'g':
    return clopt_make((cl_ulong)!clopt_less(a, b), 0, 0);
  case '=':
    return clopt_make(a.bits == b.bits, 0, 0);
  default:
    return clopt_make(a.bits != b.bits, 0, 0);
  }
}

static inline clopt_value clopt_unary(char op, clopt_value v) {
  clopt_value zero = v;
  if (!v.ok || (v.element && op != '!'))
    return clopt_none();
  zero.bits = 0;
  if (op == '!')
    return clopt_make(v.bits == 0, 0, 0);
  if (op == '-')
    return clopt_sum(1, zero, v);
  if (op == '~') {
    v.bits = ~v.bits;
    return clopt_cast(v.wide ? 8 : 4, v.uns, v);
  }
  return v;
}

static inline clopt_value clopt_choose(clopt_value c, clopt_value a,
                                       clopt_value b) {
  clopt_value chosen = c.ok && c.bits ? a : b;
  if (!c.ok)
    return c;
  if (a.ok && b.ok && !a.element && !b.element) {
    clopt_unify(&a, &b);
    chosen = c.bits ? a : b;
  }
  return chosen;
}

static inline clopt_value clopt_extreme(int most, clopt_value a,
                                        clopt_value b) {
  if (!a.ok || !b.ok || a.element || b.element)
    return clopt_none();
  clopt_unify(&a, &b);
  return clopt_less(a, b) == !most ? a : b;
}

static inline clopt_value clopt_rounded(int multiple, clopt_value a,
                                        clopt_value b) {
  if (!a.ok || !b.ok || a.element || b.element)
    return clopt_none();
  clopt_unify(&a, &b);
  if ((!a.uns && ((cl_long)a.bits < 0 || (cl_long)b.bits < 0)) || !b.bits)
    return clopt_none();
  a.bits = a.bits / b.bits + (a.bits % b.bits != 0);
  if (!multiple)
    return a;
  if (a.bits > ~(cl_ulong)0 / b.bits)
    return clopt_none();
  a.bits *= b.bits;
  b = clopt_cast(a.wide ? 8 : 4, a.uns, a);
  return b.bits == a.bits ? a : clopt_none();
}

/* get_global_size and its like: 's', 'o', 'l'. */
static inline clopt_value clopt_query(const clopt_launch *l, char what,
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

static inline clopt_value clopt_fact(const clopt_launch *l,
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
static inline clopt_value clopt_address(clopt_launch *l, cl_mem mem,
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

static inline cl_int clopt_begin(clopt_launch *l, cl_command_queue queue,
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
static inline cl_int clopt_end(clopt_launch *l, cl_int status,
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
static inline void clopt_waits(const clopt_launch *l, cl_uint *count,
                               const cl_event **list) {
  *count = l->last ? 1 : l->wait_count;
  *list = l->last ? &l->last : l->wait_list;
}

static inline void clopt_follow(clopt_launch *l, cl_event event) {
  if (l->last)
    clReleaseEvent(l->last);
  l->last = event;
}

/* True when the device can have groups of this size for the kernel. */
static inline int clopt_fits(clopt_launch *l, cl_program program,
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

static inline cl_int clopt_run(clopt_launch *l, cl_program program,
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

static inline cl_int clopt_buffer(clopt_launch *l, size_t bytes, cl_mem *mem) {
  cl_int status = CL_OUT_OF_RESOURCES;
  if (l->mems == CLOPT_MOST_OBJECTS)
    return status;
  *mem = clCreateBuffer(l->context, CL_MEM_READ_WRITE, bytes ? bytes : 1, NULL,
                        &status);
  if (status == CL_SUCCESS)
    l->mem[l->mems++] = *mem;
  return status;
}

static inline cl_int clopt_rows(clopt_launch *l, cl_mem buffer, cl_mem image,
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
static inline int clopt_has_format(clopt_launch *l, cl_channel_order order,
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
static inline int clopt_can_share(clopt_launch *l, cl_mem buffer, size_t texel,
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
static inline cl_int clopt_image(clopt_launch *l, cl_mem buffer,
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

#endif /* CLOPT_LAUNCHER_COMMON */
)c";
// clang-format on

} // namespace clopt
