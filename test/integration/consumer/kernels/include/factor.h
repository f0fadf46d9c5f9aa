/* Shared by the kernel and the host program. */
#define FACTOR 3
