//===- LauncherValues.cpp - integers in launcher headers ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C99 and C++11. Its integers behave as those of PlanExpression.cpp.
//
// Tested by test/unit/RuntimeLauncherTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Plan/LauncherCommon.h"

namespace clopt {

// clang-format off
const char *const launcherValues = R"c(#ifndef CLOPT_LAUNCHERS_COMMON
#define CLOPT_LAUNCHERS_COMMON

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
typedef struct clopt_call {
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
} clopt_call;

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

/* The whole part of a number, if it fits an int. */
static inline clopt_value clopt_whole(double v) {
  if (!(v > -2147483649.0 && v < 2147483648.0))
    return clopt_none();
  return clopt_scalar(8, 0, (cl_ulong)(cl_long)v);
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

)c";
// clang-format on

} // namespace clopt
