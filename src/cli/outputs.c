/* The outputs that the command line asks for, each with its format. */
#include "cli/outputs.h"

#include "base/arena.h"
#include "base/nearest.h"
#include "cli/options.h"
#include "cli/session.h"
#include "cli/words.h"
#include "render/renderer.h"

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
		TP_ARG(tp_words_near(&near, "")));
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
	tp_say("-o %s is %s by its suffix, and --format says %s: leave one of them out", other->path,
		other->renderer->name, args->format);
	return false;
}

/* The same once more is no further output; in another format one would replace the other. */
static bool
add_output(struct tp_outputs *out, const char *path, const struct tp_renderer *renderer)
{
	for (size_t i = 0; i < out->count && strcmp(path, "-") != 0; i++) {
		if (strcmp(out->at[i].path, path) != 0)
			continue;
		if (out->at[i].renderer != renderer)
			tp_say("%s: two reports of different formats cannot be one file", path);
		return out->at[i].renderer == renderer;
	}
	out->at[out->count++] = (struct tp_output){path, renderer};
	return true;
}

/* -o, then --end-to-end-json; standard output where nothing is asked for. */
static bool
list_outputs(const struct tp_args *args, struct tp_arena *arena, struct tp_outputs *out)
{
	const char *const *paths = tp_args_strings(&args->outputs);
	const struct tp_renderer *format =
		args->format != NULL ? tp_renderer_named(args->format) : NULL;

	if (args->format != NULL && format == NULL)
		return say_unknown_format(arena, args->format);
	*out =
		(struct tp_outputs){.at = tp_new_array(arena, struct tp_output, args->outputs.count + 1)};
	for (size_t i = 0; i < args->outputs.count; i++) {
		const struct tp_renderer *renderer = tp_renderer_for_path(paths[i]);

		renderer = renderer != NULL ? renderer : format;
		if (renderer == NULL) {
			tp_say(
				"%s: no format has this suffix; use .html, .pdf, .json or .txt, or --format NAME",
				paths[i]);
			return false;
		}
		if (!add_output(out, paths[i], renderer))
			return false;
	}
	if (!check_format(args, out, format))
		return false;
	if (args->end_to_end_json != NULL &&
		!add_output(out, args->end_to_end_json, &tp_render_end_to_end))
		return false;
	out->asked = out->count != 0;
	if (!out->asked)
		out->at[out->count++] = (struct tp_output){"-", format != NULL ? format : &tp_render_text};
	return true;
}

static bool
check_looks(const struct tp_args *args, const struct tp_outputs *out)
{
	struct stat folder;

	if (args->paper != NULL && strcmp(args->paper, "a4") != 0 &&
		strcmp(args->paper, "letter") != 0) {
		tp_say("--paper %s: give a4 or letter", args->paper);
		return false;
	}
	errno = 0;
	if (args->template_dir != NULL &&
		(stat(args->template_dir, &folder) != 0 || !S_ISDIR(folder.st_mode))) {
		tp_say("--template-dir %s: %s", args->template_dir, strerror(errno != 0 ? errno : ENOTDIR));
		return false;
	}
	for (size_t i = 0; i < out->count; i++) {
		if (out->at[i].renderer == &tp_render_pdf && strcmp(out->at[i].path, "-") == 0 &&
			isatty(STDOUT_FILENO)) {
			fputs(
				"tpreport: a PDF is nothing for a terminal: tpreport PATH -o report.pdf\n", stderr);
			return false;
		}
	}
	return true;
}

bool
tp_outputs_plan(const struct tp_args *args, struct tp_arena *arena, struct tp_outputs *out)
{
	return list_outputs(args, arena, out) && check_looks(args, out);
}
