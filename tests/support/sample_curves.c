/* The sample document's curves: lanes above them, a session without an end, what is no number, names that mean harm. */
#include "sample_doc.h"

#include "report/doc.h"

void
sample_curves(struct tp_doc *doc, struct tp_block *section)
{
	static const struct tp_period sessions[] = {{.label = TP_S("training 1 <b>"),
													.note = TP_S("1.50 s & more"),
													.from = 1551710000,
													.to = 1551710001.5,
													.hue = TP_HUE_COMPUTE,
													.open = true},
		{.label = TP_S("training 2"), .from = 1551710002, .to = 1551710004, .hue = TP_HUE_COMPUTE}};
	static const struct tp_lane lanes[] = {
		{.label = TP_S("training"), .periods = sessions, .count = 2}};
	static const double xs[] = {1551710000.5, 1551710001, 1551710003}, ys[] = {0.1, 0.05, 2.5};
	static const struct tp_non_finite non_finites[] = {
		{.x = 1551710002, .kind = TP_NON_FINITE_NAN}};
	static const struct tp_curve curves[] = {{.label = TP_S("loss <script>"),
												 .xs = xs,
												 .ys = ys,
												 .count = 3,
												 .points = 3000,
												 .non_finites = non_finites,
												 .non_finite_count = 1,
												 .not_finite = 2},
		{.label = TP_S("flat"), .xs = xs, .ys = ys, .count = 1, .points = 1}};
	static const struct tp_moment moments[] = {{.label = TP_S("restart"), .at = 1551710002}};
	static const struct tp_curves all = {
		.lanes = lanes,
		.lane_count = 1,
		.curves = curves,
		.curve_count = 2,
		.moments = moments,
		.moment_count = 1,
		.x_title = TP_S("UTC"),
		.utc = true,
		.low = 1551710000,
		.high = 1551710004,
		.window_from = 1551710003,
		.window_to = 1551710003.5,
		.window_label = TP_S("profile, 500 ms"),
	};

	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("operations/curves"))->chart = (struct tp_chart){
		.kind = TP_CHART_CURVES,
		.alt = TP_S("Over wall time, below two trainings: loss & flat"),
		.unit = TP_UNIT_NONE,
		.curves = &all,
	};
}
