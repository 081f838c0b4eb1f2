/* The sample document's heat map: two hosts, one of them with a core less, a mark, a link, names that mean harm. And a flame
 * graph, and boxes with arrows. */
#include "sample_doc.h"

#include "report/doc.h"

#include <math.h>

void
sample_grid(struct tp_doc *doc, struct tp_block *section)
{
	static const struct tp_slice rows[] = {
		TP_S("worker-0"), TP_S("<script>alert(1)</script> & a long name")};
	static const double values[] = {4.5, 4.6, 4.5, 4.6, 4.5, 5.7, 4.5, NAN};
	static const struct tp_slice labels[] = {TP_S("core 0"), TP_S("core 1"), TP_S("core 2"),
		TP_S("core 3"), TP_S("core 4"), TP_S("core 5 <b>"), TP_S("core 6"), {NULL, 0}};
	static const size_t marked[] = {5}, links[][2] = {{0, 5}};
	static const struct tp_grid grid = {
		.title = TP_S("Own time & <more>"),
		.rows = rows,
		.row_count = 2,
		.columns = 4,
		.group = 2,
		.values = values,
		.labels = labels,
		.low = 4.5,
		.high = 5.7,
		.marked = marked,
		.marked_count = 1,
		.links = links,
		.link_count = 1,
	};

	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("operations/grid"))->chart = (struct tp_chart){
		.kind = TP_CHART_GRID,
		.alt = TP_S("Seven cores of two hosts: 4.5 to 5.7 ms"),
		.unit = TP_UNIT_MS,
		.grid = &grid,
	};
	static const struct tp_frame frames[] = {
		{.label = TP_S("Net_0 <b>"),
			.note = TP_S("12.0 ms & more"),
			.to = 0.9,
			.hue = TP_HUE_COMPUTE},
		{.label = TP_S("Linear_0"), .row = 1, .from = 0.1, .to = 0.6, .hue = TP_HUE_COMPUTE},
		{.label = TP_S("… 2 more modules"),
			.row = 1,
			.from = 0.6,
			.to = 0.7,
			.hue = TP_HUE_COMPUTE,
			.tint = 2},
	};

	static const struct tp_box boxes[] = {
		{.label = TP_S("input <b>"), .note = TP_S("3 operations"), .hue = TP_HUE_INPUT},
		{.label = TP_S("while"), .note = TP_S("40 operations & more"), .strong = true},
		{.label = TP_S("logits"),
			.note = TP_S("12 operations"),
			.more = TP_S("650 parameters"),
			.hue = TP_HUE_COMPUTE},
		{.label = TP_S("loss")},
	};
	static const struct tp_arrow arrows[] = {
		{.from = 0, .to = 1, .weight = 8, .label = TP_S("8 tensors")},
		{.from = 1, .to = 2, .weight = 1},
		{.from = 2, .to = 1, .weight = .5, .label = TP_S("1 tensor <i>")},
		{.from = 0, .to = 3, .weight = 2, .control = true},
		{.from = 2, .to = 3, .weight = 1},
	};
	static const struct tp_diagram diagram = {boxes, 4, arrows, 5};

	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("operations/graph"))->chart = (struct tp_chart){
		.kind = TP_CHART_DIAGRAM,
		.alt = TP_S("Four scopes in a row, two of them in a cycle"),
		.unit = TP_UNIT_COUNT,
		.diagram = &diagram,
	};
	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("operations/flame"))->chart = (struct tp_chart){
		.kind = TP_CHART_FLAME,
		.alt = TP_S("One module takes 90.0 % of the time, Linear_0 in it 50.0 %"),
		.unit = TP_UNIT_SHARE,
		.frames = frames,
		.frame_count = sizeof frames / sizeof *frames,
	};
}
