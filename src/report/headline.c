/* The headline figures. */
#include "report/headline.h"

const struct tp_headline tp_headlines[] = {
	{"step.time.p50_ms", "Step time"},
	{"run.examples_per_s", "Throughput"},
	{"flops.utilization_share", "FLOPS use"},
	{"torch.flops.utilization_share", "FLOPS use"},
	{"device.busy_share", "Device busy"},
	{"memory.measured.peak_bytes", "Memory peak, measured"},
	{"torch.memory.peak_bytes", "Memory peak"},
	{"memory.peak_bytes", "Memory peak, planned"},
	{"step.class.collective_ms", "Collectives"},
	{"input.wait_share", "Input wait"},
};
const size_t tp_headline_count = sizeof tp_headlines / sizeof *tp_headlines;
