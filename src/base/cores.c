/* sched_getaffinity(2), and the bandwidth of control groups: cpu.max (version 2), cpu.cfs_quota_us (version 1). */
#include "base/cores.h"

#include "base/cgroup.h"

#include <sched.h>
#include <stdio.h>
#include <unistd.h>

/* The two numbers of a quota and its period; false where there is none. */
static int
read_numbers(const char *folder, const char *name, const char *format, long long *a, long long *b)
{
	char path[4200];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "re");
	int read = file != NULL ? fscanf(file, format, a, b) : 0;

	if (file != NULL)
		fclose(file);
	return read;
}

static void
look(void *with, const char *folder, int version)
{
	unsigned *least = with;
	long long quota = 0, period = 0;

	/* "max 100000" has no number in front, "-1" is no quota either. */
	if (version == 2) {
		if (read_numbers(folder, "cpu.max", "%lld %lld", &quota, &period) != 2)
			return;
	} else if (read_numbers(folder, "cpu.cfs_quota_us", "%lld", &quota, NULL) != 1 ||
		read_numbers(folder, "cpu.cfs_period_us", "%lld", &period, NULL) != 1) {
		return;
	}
	if (quota <= 0 || period <= 0 || quota / period > 1 << 16)
		return;
	unsigned cores = (unsigned)(quota / period + (quota % period != 0));

	if (*least == 0 || cores < *least)
		*least = cores;
}

unsigned
tp_cores_of_groups(const char *root)
{
	unsigned least = 0;

	tp_cgroup_each(root, "cpu", look, &least);
	return least;
}

/* More cores than a set of the usual size has room for are taken from what is online. */
static unsigned
allowed_cores(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
		return (unsigned)CPU_COUNT(&set);
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	return online > 0 ? (unsigned)online : 1;
}

unsigned
tp_cores(void)
{
	unsigned cores = allowed_cores(), quota = tp_cores_of_groups("");

	return quota != 0 && quota < cores ? quota : cores;
}
