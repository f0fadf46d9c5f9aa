// Values above those of signed numbers, in tables and behind case, are read as
// all others.
// RUN: %clopt %s --dump-model --dry-run | FileCheck %s
__constant ulong table[4] = {0x428a2f98d728ae22UL, 0xb5c0fbcfec4d3b2fUL,
                             0xe9b5dba58189dbbcUL, 1UL};
// CHECK-LABEL: kernel scale
// CHECK: read table[1]
kernel void scale(global ulong *a, int n) {
  int i = get_global_id(0);
  if (i < n)
    a[i] = a[i] * table[1] + 0xffffffffffffffffUL;
}
// CHECK-LABEL: kernel choose
// CHECK: private ulong switch_value
kernel void choose(global ulong *a, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  switch (a[i]) {
  case 0xffffffffffffffffUL: a[i] = 1; break;
  case 3: a[i] = 2; break;
  default: break;
  }
}
