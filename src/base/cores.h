/* How many threads of this process can run at the same time. */
#ifndef TP_BASE_CORES_H
#define TP_BASE_CORES_H

/* The cores that the process may use, and no more than the CPU time that its control groups give it amounts to; at least 1. */
unsigned tp_cores(void);

/* The second of these alone: the least quota, rounded up; 0: none says. root: what stands before /proc and /sys; "" but in tests. */
unsigned tp_cores_of_groups(const char *root);

#endif
