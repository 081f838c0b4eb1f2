/* Resident blocks = the least of four limits: threads (in whole warps), blocks, registers, shared memory. Rules and limits
 * of NVIDIA: the CUDA occupancy calculator; of AMD: LLVM's AMDGPU target, where a wave is the warp and a SIMD has its own
 * registers. Both allocate registers to a warp in granules, and shared memory to a block. */
#include "analyze/facts/occupancy.h"

#include "analyze/facts/kernel_launch.h"
#include "analyze/facts/peaks.h"
#include "model/profile.h"

#include <math.h>

/* Of one multiprocessor (NVIDIA) or compute unit (AMD). */
struct limits {
	uint32_t warp_threads, warps, blocks;
	uint32_t parts;     /* that have registers of their own; warps are spread over them */
	uint32_t registers; /* of a part; AMD: for each of a wave's lanes */
	uint32_t granule;   /* of registers for a warp; AMD: for a lane */
	bool by_lane;       /* registers are counted for a lane, not for a warp */
	uint32_t shared_bytes, shared_block_bytes, shared_granule;
	uint32_t shared_reserved; /* of each block, by the system */
};

enum { KIB = 1024 };

#define NVIDIA(warp_count, block_count, shared_kib, block_kib, shared_step, reserved_bytes)        \
	{                                                                                              \
		.warp_threads = 32, .warps = (warp_count), .blocks = (block_count), .parts = 4,            \
		.registers = 16384, .granule = 256, .shared_bytes = (shared_kib)*KIB,                      \
		.shared_block_bytes = (block_kib)*KIB, .shared_granule = (shared_step),                    \
		.shared_reserved = (reserved_bytes)                                                        \
	}

static const struct {
	uint32_t major, minor;
	struct limits limits;
} nvidia[] = {
	{6, 0, NVIDIA(64, 32, 64, 48, 256, 0)},
	{6, 1, NVIDIA(64, 32, 96, 48, 256, 0)},
	{7, 0, NVIDIA(64, 32, 96, 96, 256, 0)},
	{7, 5, NVIDIA(32, 16, 64, 64, 256, 0)},
	{8, 0, NVIDIA(64, 32, 164, 163, 128, KIB)},
	{8, 6, NVIDIA(48, 16, 100, 99, 128, KIB)},
	{8, 9, NVIDIA(48, 24, 100, 99, 128, KIB)},
	{9, 0, NVIDIA(64, 32, 228, 227, 128, KIB)},
	{10, 0, NVIDIA(64, 32, 228, 227, 128, KIB)},
	{12, 0, NVIDIA(48, 24, 100, 99, 128, KIB)},
};

#define AMD(waves, lane_registers, lane_granule, shared_kib, shared_step)                          \
	{                                                                                              \
		.warp_threads = 64, .warps = (waves), .blocks = (waves), .parts = 4,                       \
		.registers = (lane_registers), .granule = (lane_granule), .by_lane = true,                 \
		.shared_bytes = (shared_kib)*KIB, .shared_block_bytes = (shared_kib)*KIB,                  \
		.shared_granule = (shared_step)                                                            \
	}

static const struct {
	const char *target;
	struct limits limits;
} amd[] = {
	{"gfx908", AMD(40, 256, 4, 64, 512)},
	{"gfx90a", AMD(32, 512, 8, 64, 512)},
	{"gfx942", AMD(32, 512, 8, 64, 512)},
	{"gfx950", AMD(32, 512, 8, 160, 1280)},
};

struct tp_slice
tp_amd_target(const struct tp_device *device)
{
	static const struct {
		uint32_t major, minor;
		const char *target;
	} by_capability[] = {{9, 4, "gfx942"}, {9, 5, "gfx950"}};

	if (tp_slice_starts(device->type, TP_S("gfx"))) {
		size_t end = 0; /* "gfx942:sramecc+:xnack-" */

		while (end < device->type.len && device->type.ptr[end] != ':')
			end++;
		return (struct tp_slice){device->type.ptr, end};
	}
	if (!tp_slice_eq(device->vendor, TP_S("AMD")))
		return (struct tp_slice){NULL, 0};
	for (size_t i = 0; i < sizeof by_capability / sizeof *by_capability; i++) {
		if (by_capability[i].major == device->compute_major &&
			by_capability[i].minor == device->compute_minor)
			return tp_slice_of(by_capability[i].target);
	}
	return (struct tp_slice){NULL, 0}; /* 9.0 is a gfx908 or a gfx90a */
}

static bool
is_amd(const struct tp_device *device)
{
	return tp_slice_eq(device->vendor, TP_S("AMD")) || tp_slice_starts(device->type, TP_S("gfx"));
}

static const struct limits *
limits_of(const struct tp_device *device)
{
	if (is_amd(device)) {
		struct tp_slice target = tp_amd_target(device);

		for (size_t i = 0; i < sizeof amd / sizeof *amd; i++) {
			if (tp_slice_eq(target, tp_slice_of(amd[i].target)))
				return &amd[i].limits;
		}
		return NULL;
	}
	for (size_t i = 0; i < sizeof nvidia / sizeof *nvidia; i++) {
		if (nvidia[i].major == device->compute_major && nvidia[i].minor == device->compute_minor)
			return &nvidia[i].limits;
	}
	return NULL;
}

enum tp_tensor_cores
tp_tensor_cores_of(const struct tp_device *device)
{
	if (is_amd(device))
		return limits_of(device) != NULL ? TP_TENSOR_CORES_THERE : TP_TENSOR_CORES_UNKNOWN;
	if (device->compute_major != 0)
		return device->compute_major >= 7 ? TP_TENSOR_CORES_THERE : TP_TENSOR_CORES_NONE;
	if (device->type.len == 0 || tp_slice_eq(device->type, TP_S("GPU")))
		return TP_TENSOR_CORES_UNRECORDED;
	/* Old traces name the GPU alone. */
	bool slice;
	const struct tp_peak_row *row = tp_peak_row(device->type, &slice);

	if (row == NULL || row->units == 0)
		return TP_TENSOR_CORES_UNKNOWN;
	return row->note != NULL && strstr(row->note, "without tensor cores") != NULL
		? TP_TENSOR_CORES_NONE
		: TP_TENSOR_CORES_THERE;
}

const char *
tp_no_tensor_cores(enum tp_tensor_cores cores)
{
	switch (cores) {
	case TP_TENSOR_CORES_UNRECORDED:
		return "the profile does not record the type of the GPU";
	case TP_TENSOR_CORES_UNKNOWN:
		return "it is unknown whether a GPU of this type has tensor cores";
	case TP_TENSOR_CORES_NONE:
	case TP_TENSOR_CORES_THERE:
		break;
	}
	return "the GPU has no tensor cores";
}

static uint64_t
round_up(uint64_t number, uint64_t granule)
{
	return (number + granule - 1) / granule * granule;
}

/* Warps for which the registers last, spread evenly over the parts. */
static uint64_t
warps_by_registers(const struct limits *m, uint32_t registers)
{
	uint64_t a_warp =
		round_up(m->by_lane ? registers : (uint64_t)registers * m->warp_threads, m->granule);

	return m->registers / a_warp * m->parts;
}

static struct tp_occupancy
unknown(const char *reason)
{
	return (struct tp_occupancy){.share = NAN, .reason = tp_slice_of(reason)};
}

struct tp_value
tp_occupancy_value(double share, struct tp_slice why)
{
	return share == 0
		? tp_missing(TP_S("the trace rounds it to 0 %: it is below 0.5 %, or was not measured"))
		: tp_number_or(share, TP_UNIT_SHARE, why);
}

struct tp_occupancy
tp_occupancy_of(const struct tp_device *device, const struct tp_kernel_launch *launch)
{
	const struct limits *m = limits_of(device);
	uint64_t threads = tp_launch_threads(launch);

	if (m == NULL)
		return unknown(is_amd(device) || device->compute_major != 0
				? "the limits of this type of GPU are unknown"
				: "the profile does not state the compute capability");
	if (threads == 0 || !launch->has_registers || !launch->has_shared)
		return unknown("the profile does not state how the kernel was launched");
	uint64_t warps = (threads + m->warp_threads - 1) / m->warp_threads;
	uint64_t shared =
		round_up(tp_launch_shared_bytes(launch) + m->shared_reserved, m->shared_granule);
	const struct {
		uint64_t blocks;
		const char *limit;
	} by[] = {
		{m->warps / warps, "threads"},
		{m->blocks, "blocks"},
		{warps_by_registers(m, launch->registers) / warps, "registers"},
		{tp_launch_shared_bytes(launch) == 0 ? m->blocks : m->shared_bytes / shared,
			"shared memory"},
	};
	size_t least = 0;

	for (size_t i = 1; i < sizeof by / sizeof *by; i++)
		least = by[i].blocks < by[least].blocks ? i : least;
	if (by[least].blocks == 0 || tp_launch_shared_bytes(launch) > m->shared_block_bytes)
		return unknown("the stated launch would not fit on the device");
	return (struct tp_occupancy){
		.share = (double)(by[least].blocks * warps) / m->warps,
		.blocks = (uint32_t)by[least].blocks,
		.limit = tp_slice_of(by[least].limit),
	};
}
