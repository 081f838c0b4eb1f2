/* Theoretical occupancy: how much of a multiprocessor's room for threads the blocks of a kernel can fill at once. */
#ifndef TP_ANALYZE_OCCUPANCY_H
#define TP_ANALYZE_OCCUPANCY_H

#include "base/number.h"
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

/* Of kernels that ran: none occupies nothing, and traces state whole per cents. why: of NaN. */
struct tp_value tp_occupancy_value(double share, struct tp_slice why);

/* The LLVM target of an AMD GPU ("gfx942"); empty: another vendor, or not known. */
struct tp_slice tp_amd_target(const struct tp_device *device);

/* Whether a device has matrix units at all. Of several devices the largest holds. */
enum tp_tensor_cores {
	TP_TENSOR_CORES_UNRECORDED, /* the profile does not say what kind of GPU it is */
	TP_TENSOR_CORES_UNKNOWN,    /* it does, and no table has that kind */
	TP_TENSOR_CORES_NONE,
	TP_TENSOR_CORES_THERE,
};
enum tp_tensor_cores tp_tensor_cores_of(const struct tp_device *device);

/* Why nothing is said about them; not for those that are there. */
const char *tp_no_tensor_cores(enum tp_tensor_cores cores);

#endif
