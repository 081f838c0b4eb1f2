/* Makes the further timelines, with the steps that they have themselves and no result of passes on the profile. */
#include "analyze/timeline/timeline_more.h"

#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/job/end_to_end.h"
#include "analyze/job/scalars.h"
#include "analyze/steps/steps.h"
#include "analyze/tfprof/tfprof.h"
#include "analyze/timeline/places.h"
#include "analyze/timeline/timeline_words.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/tfprof.h"

/* They are no more than a part of the page's timelines. */
enum { PART_OF_ROOM = 4 };

struct more {
	const struct tp_timeline_shown *nodes, *job; /* NULL: there is none */
	struct tp_slice dump;                        /* whose nodes they are */
};

void
tp_timeline_alone(const struct tp_pass_ctx *ctx, const struct tp_timeline_source *source,
	struct tp_timeline_alone *out)
{
	*out = (struct tp_timeline_alone){
		.ctx = *ctx, .passes = {&tp_pass_steps}, .results = {source->steps}};
	out->ctx.profile = source->profile;
	out->ctx.passes = out->passes;
	out->ctx.results = out->results;
}

static const struct tp_timeline_shown *
make(const struct tp_pass_ctx *ctx, const struct tp_timeline_source *source, struct tp_slice all)
{
	struct tp_pass_options options = *ctx->options;
	struct tp_timeline_shown *shown = tp_new(ctx->keep, struct tp_timeline_shown);
	struct tp_timeline_alone own;
	struct tp_timeline_found lines;
	struct tp_err err = {0};

	options.window_count = 0;
	options.timeline_bytes /= PART_OF_ROOM;
	tp_timeline_alone(ctx, source, &own);
	own.ctx.options = &options;
	enum tp_status status =
		tp_timeline_look_at(&own.ctx, source->looks, source->profile->line_count, &lines, &err);

	if (status == TP_OK)
		status = tp_timeline_make(&own.ctx, &lines, all, shown, &err);

	tp_profile_release_lines(source->profile);
	return status == TP_OK ? shown : NULL;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_tfprof_section *tfprof = tp_result(ctx, &tp_pass_tfprof);
	struct more *more = tp_new(ctx->keep, struct more);
	struct tp_timeline_source source = {0};

	if (ctx->options->no_timeline || ctx->options->short_of_memory)
		return tp_fail(err, TP_ABSENT, why_others_left_out);
	if (tfprof != NULL && tp_timeline_of_tfprof(ctx, tfprof->tfprof, &source)) {
		more->nodes = make(ctx, &source, TP_S(title_all_of_dump));
		more->dump = tfprof->tfprof->name;
	}
	source = (struct tp_timeline_source){0};
	if (tp_timeline_of_job(ctx, &source))
		more->job = make(ctx, &source, TP_S(title_all_of_run));
	if (more->nodes == NULL && more->job == NULL)
		return tp_fail(err, TP_ABSENT, why_nothing_says_when);
	*result = more;
	return TP_OK;
}

static void
add(const struct tp_pass_ctx *ctx, const struct tp_timeline_shown *shown, const char *id,
	const char *title, bool classes, struct tp_text text, struct tp_doc *doc)
{
	struct tp_block *main = tp_doc_find_section(doc, "timeline"), *section;

	if (main == NULL) {
		main = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "timeline", "Timeline");
		main->section.answer =
			classes ? TP_SAY0(doc, text_nodes_ran) : TP_SAY0(doc, text_run_phases);
		main->section.aside =
			TP_SAY(doc, "{}", tp_say_number(ctx, shown->timeline.events, "event", "events"));
	}
	section = tp_doc_section(doc, main, TP_SECTION_SUB, id, title);
	tp_doc_paragraph(
		doc, section, TP_PARAGRAPH_SMALL, tp_arena_printf(ctx->keep, "%s-text", id).ptr, text);
	tp_timeline_chart(ctx, &shown->timeline, tp_arena_printf(ctx->keep, "%s-view", id).ptr, classes,
		doc, section);
}

static void
present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct more *more = result;

	if (more->nodes != NULL)
		add(ctx, more->nodes, "timeline/nodes", title_nodes, true,
			TP_SAY(doc, text_nodes, tp_text_value(more->dump),
				tp_say_number(ctx, more->nodes->timeline.events, "run", "runs")),
			doc);
	if (more->job != NULL)
		add(ctx, more->job, "timeline/job", title_job, false, TP_SAY0(doc, text_job), doc);
}

const struct tp_pass tp_pass_timeline_more = {
	.name = "timeline-more",
	.title = "Timelines of the graph and the run",
	.summary = "when nodes of a graph ran, and the sessions of the whole run",
	.needs_any = TP_HAS_TFPROF | TP_HAS_PHASES | TP_HAS_EVENT_FILES,
	.after = TP_AFTER(&tp_pass_tfprof, &tp_pass_end_to_end, &tp_pass_scalars, &tp_pass_timeline),
	.place = TP_PLACE_TIMELINE,
	.analyze = analyze,
	.present = present,
	.lacks_nothing = "what a dump and event files hold of times is in them",
};
