/* How marks look: what is not used is hatched in its own colour, what was not recorded is dotted; by class, and by attribute where style
 * sheets are refused. */
#include "unit.h"

#include "analyze/pod/pod_tables.h"
#include "chart/canvas_svg.h"
#include "chart/palette.h"
#include "io/sink.h"
#include "template/html_writer.h"

/* An SVG of one mark. */
static void
draw(enum tp_hue hue, int tint, char buf[static 256])
{
	struct tp_sink *sink = tp_sink_memory();
	struct tp_html html;
	struct tp_canvas_svg svg;

	tp_html_init(&html, sink);
	tp_canvas_svg_init(&svg, &html, 720, 0);
	svg.canvas.ops->mark(
		&svg.canvas, (struct tp_x){0, 0}, (struct tp_x){1, 0}, 0, 10, hue, tint, TP_S(""));
	snprintf(buf, 256, "%.*s", TP_ARG(tp_sink_bytes(sink)));
	tp_sink_close(sink);
}

static void
a_class_that_is_not_used_is_hatched_in_its_colour(void **state)
{
	char svg[256];

	(void)state;
	for (enum tp_hue hue = TP_HUE_COMPUTE; hue <= TP_HUE_IDLE; hue++) {
		char wanted[64], name[32];

		snprintf(wanted, sizeof wanted, "fill=\"url(#tp-hatch-%.*s) #%06X\"",
			TP_ARG(tp_hue_name(hue)), tp_hue_rgb(hue));
		snprintf(name, sizeof name, "class=\"c-%.*s hatch\"", TP_ARG(tp_hue_name(hue)));
		draw(hue, TP_TINT_UNUSED, svg);
		assert_non_null(strstr(svg, wanted));
		assert_non_null(strstr(svg, name));
		assert_null(strstr(svg, "opacity"));
	}
}

static void
idle_time_is_hatched_and_what_was_not_recorded_dotted(void **state)
{
	char svg[256];

	(void)state;
	draw(TP_HUE_IDLE, 0, svg);
	assert_non_null(strstr(svg, "url(#tp-hatch-idle) #"));
	draw(TP_HUE_IDLE, TP_TINT_UNRECORDED, svg);
	assert_non_null(strstr(svg, "url(#tp-dots) #"));
	assert_null(strstr(svg, "hatch"));
	draw(TP_HUE_COMPUTE, 1, svg);
	assert_non_null(strstr(svg, "fill=\"#396AA8\" opacity=\"0.62\""));
}

static void
an_area_says_its_colour_once(void **state)
{
	static const struct tp_canvas_piece pieces[] = {
		{.to = .5, .top = 2, .height = 8, .title = TP_S("first")},
		{.from = .5, .to = 1, .height = 10}};
	struct tp_sink *sink = tp_sink_memory();
	struct tp_html html;
	struct tp_canvas_svg svg;

	(void)state;
	tp_html_init(&html, sink);
	tp_canvas_svg_init(&svg, &html, 720, 0);
	svg.canvas.ops->area(&svg.canvas, pieces, 2, TP_HUE_MEMORY, 0);
	assert_text(tp_sink_bytes(sink),
		"<g class=\"c-memory\" fill=\"#0B9B81\" shape-rendering=\"crispEdges\">"
		"<rect width=\"50.05%\" y=\"2\" height=\"8\"><title>first</title></rect>"
		"<rect x=\"50%\" width=\"50%\" height=\"10\"></rect></g>");
	tp_sink_close(sink);
}

/* Where work and waiting cannot be told apart, nobody knows that it was not used. */
static void
collectives_are_hatched_where_they_only_wait(void **state)
{
	struct tp_pod known = {.sync_known = true}, unknown = {.sync_known = false},
				  hosts = {.sync_known = true, .coarse = true};

	(void)state;
	assert_int_equal(tp_pod_part_tint(&known, TP_POD_COLLECTIVE_SYNC), TP_TINT_UNUSED);
	assert_true(tp_pod_part_tint(&known, TP_POD_COLLECTIVE_COMPUTE) < TP_TINTS);
	assert_true(tp_pod_part_tint(&unknown, TP_POD_COLLECTIVE_SYNC) < TP_TINTS);
	assert_true(tp_pod_part_tint(&hosts, TP_POD_COLLECTIVE_SYNC) < TP_TINTS);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_class_that_is_not_used_is_hatched_in_its_colour),
		cmocka_unit_test(idle_time_is_hatched_and_what_was_not_recorded_dotted),
		cmocka_unit_test(an_area_says_its_colour_once),
		cmocka_unit_test(collectives_are_hatched_where_they_only_wait),
	};

	return RUN(tests);
}
