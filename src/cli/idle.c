/* In which formats an option is seen, and what a run must hold for one. */
#include "cli/idle.h"

#include "analyze/graph/tpu_ops.h"
#include "base/asset.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "model/profile.h"
#include "render/renderer.h"

#include <stdio.h>
#include <unistd.h>

static void
tell(const struct tp_args *args, const char *option, const char *why)
{
	if (!args->quiet)
		tp_say("warning: --%s does nothing here: %s", option, why);
}

enum { MOST_FORMATS = 4 };

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

void
tp_idle_tell_outputs(const struct tp_args *args, const struct tp_outputs *out)
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
		{"template-dir", args->template_dir != NULL,
			{&tp_render_html, header ? &tp_render_pdf : &tp_render_html},
			"no page is written, and a PDF takes header.html alone"},
		{"top", args->top != NULL,
			{&tp_render_html, &tp_render_pdf, &tp_render_json, &tp_render_outline},
			"no table is written"},
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

static bool
has_device(const struct tp_profile *p)
{
	for (uint32_t i = 0; i < p->device_count; i++) {
		if (p->devices[i].kind != TP_DEVICE_OTHER)
			return true;
	}
	return false;
}

void
tp_idle_tell_run(const struct tp_args *args, const struct tp_profile *p)
{
	if (args->graph != NULL && p->graphs == NULL)
		tell(args, "graph", "no graph of TensorFlow was read");
	if (args->peak != NULL && !has_device(p))
		tell(args, "peak", "no TPU or GPU was recorded");
	if (args->tpu_ops != NULL && p->graphs == NULL)
		tell(args, "tpu-ops", "no graph of TensorFlow was read");
	else if (args->tpu_ops != NULL && tp_tpu_list_is_past(args->tpu_ops) && !args->quiet)
		tp_say("warning: --tpu-ops %s: taken is the list of TensorBoard %s, the newest known",
			args->tpu_ops, tp_tpu_list_row(TP_TPU_LIST_NEWEST)->last);
}
