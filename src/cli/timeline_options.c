/* --timeline SIZE|none and --window step:NAME|FROM..TO. */
#include "cli/pass_options.h"

#include "analyze/core/ctx.h"
#include "base/arena.h"
#include "base/number.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "render/renderer.h"

#include <math.h>
#include <string.h>

#define DEFAULT_BYTES ((uint64_t)4 << 20)

static bool
read_window(const char *word, struct tp_timeline_wish *out)
{
	static const char step[] = "step:";
	const char *dots = strstr(word, "..");

	out->asked = tp_slice_of(word);
	if (strncmp(word, step, strlen(step)) == 0 && word[strlen(step)] != '\0') {
		out->step = tp_slice_of(word + strlen(step));
		return true;
	}
	out->from_s = dots != NULL ? tp_parse_seconds(word, dots) : NAN;
	out->to_s = dots != NULL ? tp_parse_seconds(dots + 2, word + strlen(word)) : NAN;
	if (out->from_s < out->to_s)
		return true;
	tp_say("--window %s: give step:NAME, step:slowest, step:median, or times such as 1.2s..1.25s",
		word);
	return false;
}

static bool
is_for_scripts(const struct tp_renderer *r)
{
	return r == &tp_render_html || r == &tp_render_json;
}

static bool
is_of_events(const struct tp_renderer *r)
{
	return r->of_events;
}

static bool
is_of_ranks(const struct tp_renderer *r)
{
	return r == &tp_render_summary;
}

/* Whether an output is of a kind. */
static bool
any_output(const struct tp_args *args, bool (*is)(const struct tp_renderer *))
{
	const char *const *paths = tp_args_strings(&args->outputs);

	for (size_t i = 0; i < args->outputs.count; i++) {
		const struct tp_renderer *by_path = tp_renderer_for_path(paths[i]);
		const struct tp_renderer *renderer =
			by_path != NULL || args->format == NULL ? by_path : tp_renderer_named(args->format);

		if (renderer != NULL && is(renderer))
			return true;
	}
	return false;
}

bool
tp_timeline_options_read(
	const struct tp_args *args, struct tp_arena *arena, struct tp_pass_options *options)
{
	struct tp_timeline_wish *windows =
		tp_new_array(arena, struct tp_timeline_wish, args->windows.count);

	for (size_t i = 0; i < args->windows.count; i++) {
		if (!read_window(tp_args_strings(&args->windows)[i], &windows[i]))
			return false;
	}
	if (args->windows.count > TP_TIMELINE_WINDOWS) {
		tp_say("--window: a timeline draws %d at most", TP_TIMELINE_WINDOWS);
		return false;
	}
	options->windows = windows;
	options->window_count = args->windows.count;
	options->timeline_bytes = DEFAULT_BYTES;
	options->no_timeline = args->timeline != NULL && strcmp(args->timeline, "none") == 0;
	if (args->timeline != NULL && !options->no_timeline &&
		!tp_parse_bytes(args->timeline, &options->timeline_bytes)) {
		tp_say("--timeline %s: give a size with its unit, e.g. 8M, or none", args->timeline);
		return false;
	}
	const struct tp_renderer *format =
		args->format != NULL ? tp_renderer_named(args->format) : NULL;

	options->run_events = any_output(args, is_of_events) ||
		(args->outputs.count == 0 && format != NULL && format->of_events);
	options->ranks = any_output(args, is_of_ranks) || format == &tp_render_summary;
	if (!any_output(args, is_for_scripts))
		options->timeline_bytes = 0;
	return true;
}
