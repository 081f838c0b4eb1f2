/* Which section tells more of a tile's figure. */
#include "analyze/page/tiles.h"

#include "report/doc.h"

/* By how the id of its metric begins; what is more special stands first. */
static const struct {
	struct tp_slice metric, section;
} places[] = {
	{TP_S("step.class.collective"), TP_S("distributed")},
	{TP_S("step.class.input_wait"), TP_S("input-pipeline")},
	{TP_S("step."), TP_S("steps")},
	{TP_S("run."), TP_S("steps")},
	{TP_S("input."), TP_S("input-pipeline")},
	{TP_S("flops."), TP_S("roofline")},
	{TP_S("matrix_unit."), TP_S("roofline")},
	{TP_S("device."), TP_S("devices")},
	{TP_S("op."), TP_S("operations")},
	{TP_S("host."), TP_S("operations")},
	{TP_S("kernels."), TP_S("kernels")},
	{TP_S("memory.measured."), TP_S("memory-over-time")},
	{TP_S("memory.live."), TP_S("live-buffers")},
	{TP_S("memory."), TP_S("memory")},
	{TP_S("graph."), TP_S("graph")},
	{TP_S("tfprof."), TP_S("tfprof")},
	{TP_S("torch.gpu."), TP_S("gpus")},
	{TP_S("torch.memory."), TP_S("torch-memory")},
	{TP_S("torch.comm."), TP_S("distributed")},
	{TP_S("torch."), TP_S("operations")},
};

struct tp_slice
tp_tile_section(struct tp_slice metric)
{
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		if (tp_slice_starts(metric, places[i].metric))
			return places[i].section;
	}
	return TP_S("");
}
