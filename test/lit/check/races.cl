// Accesses to local memory that no barrier separates.
// RUN: not %clopt check --target=cpu --error-on=clopt-race %s > %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: grep -c 'warning:.*clopt-race' %t.txt | grep -x 4
// RUN: %clopt check --target=cpu %s --sarif=%t.sarif
// RUN: grep '"ruleId": "clopt-race"' %t.sarif

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void reverse(__global float *a, int n) {
  __local float t[64], last;
  int l = get_local_id(0);
  // CHECK: {{.*}}races.cl:[[#@LINE+2]]:3: warning: work-items of a group may write the same element of `last` at the same time [clopt-race]
  // CHECK: note: let one work-item write it, or use an atomic operation
  last = n;
  t[l] = a[get_global_id(0)];
  // CHECK: {{.*}}races.cl:[[#@LINE+2]]:25: warning: a work-item may read an element of `t` while another of its group writes it in line [[#@LINE-1]]: no barrier is between [clopt-race]
  // CHECK: note: put barrier(CLK_LOCAL_MEM_FENCE) between the two{{$}}
  a[get_global_id(0)] = t[63 - l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < n; k++) {
    t[l] = k + last;
    barrier(CLK_LOCAL_MEM_FENCE);
    // CHECK: {{.*}}races.cl:[[#@LINE+2]]:13: warning: a work-item may read an element of `t` while another of its group writes it in line [[#@LINE-2]]: no barrier is between [clopt-race]
    // CHECK: note: put barrier(CLK_LOCAL_MEM_FENCE) between the two, also from one iteration of their loop to the next
    a[l] += t[63 - l];
  }
}

// The group's size is the launch's matter.
__kernel void last_steps(__global float *a, __local float *t) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 8)
    t[l] += t[l + 8];
  if (l < 4)
    // CHECK: {{.*}}races.cl:[[#@LINE+1]]:13: warning: a work-item may read an element of `t` while another of its group writes it in line [[#@LINE-2]]: no barrier is between [clopt-race]
    t[l] += t[l + 4];
  if (l == 0)
    // clopt: off-next-line(clopt-race)
    a[get_group_id(0)] = t[0] + t[1];
}
// CHECK: 1 suppressed
