/* Theoretical occupancy: how much of a multiprocessor's room for threads the blocks of a kernel can fill at once. */
#ifndef TP_ANALYZE_OCCUPANCY_H
#define TP_ANALYZE_OCCUPANCY_H

#include "base/slice.h"

#include <stdint.h>

struct tp_device;
struct tp_kernel_launch;

struct tp_occupancy {
	double share;           /* 0…1; NaN: not known */
	uint32_t blocks;        /* resident on a multiprocessor */
	struct tp_slice limit;  /* what the number of blocks is limited by: "registers" */
	struct tp_slice reason; /* why it is not known */
};

/* From the limits of the device's compute capability (NVIDIA) or target (AMD). */
struct tp_occupancy tp_occupancy_of(
	const struct tp_device *device, const struct tp_kernel_launch *launch);

/* The LLVM target of an AMD GPU ("gfx942"); empty: another vendor, or not known. */
struct tp_slice tp_amd_target(const struct tp_device *device);

/* Whether the device has matrix units at all; false as well where its kind is not known. */
bool tp_has_tensor_cores(const struct tp_device *device);

#endif
