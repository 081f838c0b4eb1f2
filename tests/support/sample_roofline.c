/* The sample document's scatter chart: points of every role, ceilings, names that mean harm. */
#include "sample_doc.h"

#include "report/doc.h"

void
sample_roofline(struct tp_doc *doc, struct tp_block *section)
{
	static const struct tp_point points[] = {
		{.role = TP_POINT_WHOLE, .label = TP_S("whole program"), .x = 20, .y = 4e12},
		{.role = TP_POINT_MEAN, .label = TP_S("average step"), .x = 20, .y = 4.5e12},
		{.role = TP_POINT_NAMED,
			.label = TP_S("fusion.12"),
			.x = 12.3,
			.y = 6.4e11,
			.weight = 12.9,
			.hue = TP_HUE_COMPUTE,
			.number = 1},
		{.role = TP_POINT_NAMED,
			.label = TP_S("<script>alert(1)</script> & a name that is much too long to be set"),
			.x = 0.8,
			.y = 2.6e11,
			.weight = 4.1,
			.hue = TP_HUE_MEMORY,
			.number = 3},
		{.role = TP_POINT_OTHER,
			.label = TP_S("right\u202eto left"),
			.x = 210,
			.y = 3.3e13,
			.weight = .01},
	};
	static const struct tp_ceiling ceilings[] = {
		{.key = TP_S("compute"), .label = TP_S("compute 61.5 TFLOP/s"), .y = 61.5e12},
		{.key = TP_S("hbm"), .label = TP_S("HBM 450 GB/s"), .slope = 450e9},
		{.key = TP_S("vmem"), .label = TP_S("VMEM 6 TB/s"), .slope = 6e12, .minor = true},
	};
	static const struct tp_scatter scatter = {
		.x_unit = TP_UNIT_FLOP_PER_BYTE,
		.x_title = TP_S("FLOP a byte →"),
		.y_title = TP_S("FLOP/s of a device ↑"),
		.points = points,
		.point_count = sizeof points / sizeof *points,
		.ceilings = ceilings,
		.ceiling_count = sizeof ceilings / sizeof *ceilings,
	};

	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("operations/roofline"))->chart =
		(struct tp_chart){
			.kind = TP_CHART_SCATTER,
			.alt = TP_S("Five points below a roof of 61.5 TFLOP/s and 450 GB/s"),
			.unit = TP_UNIT_FLOP_PER_S,
			.scatter = &scatter,
		};
}
