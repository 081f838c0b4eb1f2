/* The outputs that the command line asks for, each with its format, and their names where each run has its own. */
#include "cli/outputs.h"

#include "base/arena.h"
#include "base/asset.h"
#include "base/map.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/path.h"
#include "cli/options.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "render/renderer.h"
#include "report/doc.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
say_unknown_format(struct tp_arena *arena, const char *name)
{
	struct tp_nearest near = {.arena = arena, .wish = tp_slice_of(name)};

	for (size_t i = 0; tp_renderers[i] != NULL; i++)
		tp_nearest_offer(&near, tp_slice_of(tp_renderers[i]->name));
	tp_say("unknown format %s%.*s; tpreport --list renderers lists them", name,
		TP_ARG(tp_nearest_words(&near, "")));
	return false;
}

/* --format is for paths whose suffix says nothing. Where all suffixes say something, and one something else, nobody can know
 * what was meant. */
static bool
check_format(
	const struct tp_args *args, const struct tp_outputs *out, const struct tp_renderer *format)
{
	const struct tp_output *other = NULL;

	for (size_t i = 0; i < out->count; i++) {
		const struct tp_renderer *by_suffix = tp_renderer_for_path(out->at[i].path);

		if (by_suffix == NULL)
			return true;
		if (by_suffix != format)
			other = &out->at[i];
	}
	if (format == NULL || other == NULL)
		return true;
	tp_say("-o %s is %s by its suffix, but --format says %s: drop one of them", other->path,
		other->renderer->name, args->format);
	return false;
}

/* "r.csv" of "r.csv/", for the names of temporary folders and of other runs. */
static const char *
without_slashes(const char *path, struct tp_arena *arena)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	return tp_arena_copy(arena, (struct tp_slice){path, length}).ptr;
}

/* The same once more is no further output; in another format one would replace the other. */
static bool
add_output(struct tp_outputs *out, const char *path, const struct tp_renderer *renderer)
{
	for (size_t i = 0; i < out->count && strcmp(path, "-") != 0; i++) {
		if (strcmp(out->at[i].path, path) != 0)
			continue;
		if (out->at[i].renderer != renderer)
			tp_say("%s: two formats cannot share one file", path);
		return out->at[i].renderer == renderer;
	}
	out->at[out->count++] = (struct tp_output){path, renderer};
	return true;
}

/* The page names the style sheet by its name alone. */
static bool
check_css_file(const char *path, const struct tp_outputs *out)
{
	for (size_t i = 0; i < out->count; i++) {
		if (out->at[i].renderer == &tp_render_html && strcmp(out->at[i].path, "-") != 0 &&
			!tp_slice_eq(
				tp_path_folder(tp_slice_of(path)), tp_path_folder(tp_slice_of(out->at[i].path)))) {
			tp_say("--css-file %s: give a file in the folder of %s", path, out->at[i].path);
			return false;
		}
	}
	return true;
}

/* -o, then --end-to-end-json and --css-file; standard output where nothing is asked for. */
static bool
list_outputs(const struct tp_args *args, struct tp_arena *arena, struct tp_outputs *out)
{
	const char *const *paths = tp_args_strings(&args->outputs);
	const struct tp_renderer *format =
		args->format != NULL ? tp_renderer_named(args->format) : NULL;

	if (args->format != NULL && format == NULL)
		return say_unknown_format(arena, args->format);
	*out =
		(struct tp_outputs){.at = tp_new_array(arena, struct tp_output, args->outputs.count + 2)};
	for (size_t i = 0; i < args->outputs.count; i++) {
		const struct tp_renderer *renderer = tp_renderer_for_path(paths[i]);

		renderer = renderer != NULL ? renderer : format;
		if (renderer == NULL) {
			tp_say(
				"%s: no format has this suffix; use .html, .pdf, .json, .md, .txt, .csv/, .sqlite or "
				".perfetto-trace, or --format NAME",
				paths[i]);
			return false;
		}
		const char *path =
			renderer->render_folder != NULL ? without_slashes(paths[i], arena) : paths[i];

		if (renderer->of_events && args->redact != NULL) {
			tp_say("-o %s: a trace has every name of the profile as it is, which --redact does not "
				   "change: leave one of them out",
				paths[i]);
			return false;
		}
		if (!add_output(out, path, renderer))
			return false;
	}
	if (!check_format(args, out, format))
		return false;
	if (args->end_to_end_json != NULL &&
		!add_output(out, args->end_to_end_json, &tp_render_end_to_end))
		return false;
	if (args->css_file != NULL &&
		(!check_css_file(args->css_file, out) || !add_output(out, args->css_file, &tp_render_css)))
		return false;
	out->asked = out->count != 0;
	if (!out->asked)
		out->at[out->count++] = (struct tp_output){"-", format != NULL ? format : &tp_render_text};
	return true;
}

/* What cannot go to standard output, or not to a terminal. */
static bool
check_stdout(const struct tp_renderer *r)
{
	if (r->render_folder != NULL)
		tp_say("%s is a folder of files, not one: tpreport PATH -o report%s/", r->name, r->suffix);
	else if ((r == &tp_render_pdf || r == &tp_render_sqlite || r->of_events) &&
		isatty(STDOUT_FILENO))
		tp_say("%s cannot be shown in a terminal: tpreport PATH -o report%s", r->name, r->suffix);
	else
		return true;
	return false;
}

static bool
check_looks(const struct tp_args *args, const struct tp_outputs *out)
{
	struct stat folder;
	uint64_t size;

	if (args->paper != NULL && strcmp(args->paper, "a4") != 0 &&
		strcmp(args->paper, "letter") != 0) {
		tp_say("--paper %s: give a4 or letter", args->paper);
		return false;
	}
	if (args->size != NULL && !tp_parse_bytes(args->size, &size)) {
		tp_say("--size %s: give a size, e.g. 16K", args->size);
		return false;
	}
	errno = 0;
	if (args->template_dir != NULL &&
		(stat(args->template_dir, &folder) != 0 || !S_ISDIR(folder.st_mode))) {
		tp_say("--template-dir %s: %s", args->template_dir, strerror(errno != 0 ? errno : ENOTDIR));
		return false;
	}
	for (size_t i = 0; i < out->count; i++) {
		if (strcmp(out->at[i].path, "-") == 0 && !check_stdout(out->at[i].renderer))
			return false;
	}
	return true;
}

/* Options of which nothing is seen in any of the outputs: an answer that looks as if they had been heeded misleads. */

static void
tell(const struct tp_args *args, const char *option, const char *why)
{
	if (!args->quiet)
		tp_say("warning: --%s has no effect: %s", option, why);
}

enum { MOST_FORMATS = 5 };

static bool
is_among(const struct tp_renderer *const of[MOST_FORMATS], const struct tp_renderer *format)
{
	for (size_t i = 0; i < MOST_FORMATS; i++) {
		if (of[i] == format)
			return true;
	}
	return false;
}

static bool
holds(const char *folder, const char *name)
{
	char path[4096];
	int length = snprintf(path, sizeof path, "%s/%s", folder, name);

	return length < (int)sizeof path && access(path, F_OK) == 0;
}

/* Whether the folder holds a file in the place of one that the program has inside. */
static bool
holds_template(const char *folder)
{
	for (size_t i = 0; i < tp_asset_count; i++) {
		if (holds(folder, tp_asset_table[i].name))
			return true;
	}
	return false;
}

static void
tell_idle(const struct tp_args *args, const struct tp_outputs *out)
{
	/* Of templates a PDF has the header only. */
	bool header = args->template_dir != NULL && holds(args->template_dir, "header.html");
	const struct {
		const char *option;
		bool given;
		const struct tp_renderer *seen_in[MOST_FORMATS];
		const char *why;
	} rules[] = {
		{"paper", args->paper != NULL, {&tp_render_pdf}, "no PDF is written"},
		{"size", args->size != NULL, {&tp_render_markdown, &tp_render_summary},
			"no Markdown is written, and no summary"},
		{"template-dir", args->template_dir != NULL,
			{&tp_render_html, header ? &tp_render_pdf : &tp_render_html},
			"no page is written, and a PDF only uses header.html"},
		{"css-file", args->css_file != NULL, {&tp_render_html}, "no page is written"},
		{"top", args->top != NULL,
			{&tp_render_html, &tp_render_pdf, &tp_render_json, &tp_render_outline},
			"no table is shown in part"},
		{"graph-of", args->graphs.count != 0,
			{&tp_render_html, &tp_render_pdf, &tp_render_json, &tp_render_outline},
			"no drawing is written"},
	};

	for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
		bool seen = false;

		for (size_t i = 0; i < out->count; i++)
			seen |= is_among(rules[r].seen_in, out->at[i].renderer);
		if (rules[r].given && !seen)
			tell(args, rules[r].option, rules[r].why);
	}
	if (args->template_dir != NULL && !holds_template(args->template_dir))
		tell(args, "template-dir", "the folder holds no file named like a template");
}

bool
tp_outputs_plan(const struct tp_args *args, struct tp_arena *arena, struct tp_outputs *out)
{
	bool planned = list_outputs(args, arena, out) && check_looks(args, out);

	if (planned)
		tell_idle(args, out);
	return planned;
}

/* "report.html" → "report.2026_11_21_02_41_41.html", and ".2" after that where another run has taken the name. */
struct naming {
	const struct tp_outputs *out;
	struct tp_arena *arena;
	struct tp_strings taken; /* paths */
};

static bool
is_stdout(const char *path)
{
	return strcmp(path, "-") == 0;
}

static struct tp_slice
path_for(struct tp_arena *arena, const char *path, struct tp_slice run)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');

	if (is_stdout(path))
		return tp_slice_of(path);
	if (dot == NULL || (slash != NULL && dot < slash))
		dot = path + strlen(path);
	return tp_arena_printf(arena, "%.*s.%.*s%s", (int)(dot - path), path, TP_ARG(run), dot);
}

/* Fills the paths of one run; false when one of them is taken. */
static bool
take(struct naming *n, struct tp_slice run, struct tp_slice *paths)
{
	bool all_free = true;

	for (size_t i = 0; i < n->out->count; i++) {
		uint32_t before = n->taken.count;

		paths[i] = path_for(n->arena, n->out->at[i].path, run);
		if (is_stdout(n->out->at[i].path))
			continue;
		tp_intern(&n->taken, paths[i]);
		all_free &= n->taken.count != before;
	}
	return all_free;
}

const struct tp_slice *
tp_run_paths(const struct tp_outputs *out, const struct tp_session *s, struct tp_arena *arena)
{
	struct naming n = {.out = out, .arena = arena};
	size_t runs = tp_session_count(s);
	struct tp_slice *paths = tp_new_array(arena, struct tp_slice, runs * out->count);
	bool *named = tp_new_array(arena, bool, runs);
	struct tp_strings names;
	struct tp_map numbers; /* name → the last number given */

	for (size_t i = 0; runs == 1 && i < out->count; i++)
		paths[i] = tp_slice_of(out->at[i].path);
	if (runs == 1)
		return paths;
	tp_strings_init(&n.taken, arena);
	tp_strings_init(&names, arena);
	tp_map_init(&numbers, arena);
	/* No number may take the name that a run has. */
	for (size_t r = 0; r < runs; r++)
		named[r] = take(&n, tp_session_doc(s, r)->run, paths + r * out->count);
	for (size_t r = 0; r < runs; r++) {
		struct tp_slice run = tp_session_doc(s, r)->run;
		uint32_t name = tp_intern(&names, run), number = tp_map_get(&numbers, name);

		if (named[r])
			continue;
		number = number == TP_MAP_NONE ? 1 : number;
		while (!take(
			&n, tp_arena_printf(arena, "%.*s.%u", TP_ARG(run), ++number), paths + r * out->count))
			;
		tp_map_put(&numbers, name, number);
	}
	return paths;
}
