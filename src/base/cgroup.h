/* What the control groups of this process say (cgroups(7)): those that it is in, and those above them. */
#ifndef TP_BASE_CGROUP_H
#define TP_BASE_CGROUP_H

/* Calls look with the folder of each group that the controller ("memory", "cpu") has a say in, from the process's own up to the root.
 * version: 1 or 2, for the files in them have other names. root: what stands before /proc and /sys; "" but in tests. */
void tp_cgroup_each(const char *root, const char *controller,
	void (*look)(void *with, const char *folder, int version), void *with);

#endif
