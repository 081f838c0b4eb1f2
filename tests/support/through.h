/* The whole way in one process: bytes of an XSpace → report in memory. Aborts when anything on it goes wrong that no input
 * may cause. */
#ifndef TP_TESTS_THROUGH_H
#define TP_TESTS_THROUGH_H

#include "analyze/core/pass.h"
#include "analyze/page/passes.h"
#include "base/arena.h"
#include "ingest/reader.h"
#include "io/sink.h"
#include "model/build.h"
#include "model/events.h"
#include "render/renderer.h"
#include "report/doc.h"
#include "report/run_events.h"

#include <stdio.h>
#include <stdlib.h>

/* What became of the bytes. */
struct tp_through {
	enum tp_status status; /* of the reader */
	struct tp_err err;     /* when that is not TP_OK */
	size_t warnings;
	uint64_t events, dropped;
};

static inline void
tp_through_must(enum tp_status status, const struct tp_err *err, const char *what)
{
	if (status == TP_OK)
		return;
	fprintf(stderr, "%s: %s\n", what, err->text);
	abort();
}

/* The metric that scripts ask first when data may be missing. */
static inline void
tp_through_count(const struct tp_doc *doc, const struct tp_profile *profile)
{
	const struct tp_metric *m = tp_doc_find_metric(doc, TP_S("data.warnings"));

	if (m != NULL && m->value.integer == (int64_t)profile->diags.warnings)
		return;
	fprintf(stderr, "data.warnings is not the number of warnings\n");
	abort();
}

/* What passes rely on: events in order, tags of events that there are. */
static inline void
tp_through_lines(const struct tp_profile *profile)
{
	for (uint32_t l = 0; l < profile->line_count; l++) {
		const struct tp_line *line = &profile->lines[l];
		bool sound = line->count != 0;

		for (uint32_t i = 0; i < line->count; i++)
			sound &= tp_line_duration_ps(line, i) >= 0 && tp_line_op(line, i) < profile->op_count &&
				(i == 0 || tp_line_chip_start_ps(line, i - 1) <= tp_line_chip_start_ps(line, i));
		for (size_t k = 0; k < line->tag_count; k++)
			sound &= line->tags[k].event < line->count &&
				(k == 0 || line->tags[k - 1].event <= line->tags[k].event);
		if (sound)
			continue;
		fprintf(stderr, "line %u is not as passes need it\n", l);
		abort();
	}
}

/* Points of event files: as many as are counted, and no restart made void what was not there. */
static inline void
tp_through_points(const struct tp_profile *profile)
{
	for (const struct tp_event_run *run = profile->event_runs; run != NULL; run = run->next) {
		uint64_t points = 0, purged = 0;

		for (uint32_t i = 0; i < run->tags.count && i < run->series_capacity; i++) {
			struct tp_points_walk w = tp_points_walk(&run->series[i].points);
			struct tp_event_point p;

			for (uint64_t left = run->series[i].points.count; left != 0; left--)
				points += tp_points_next(&w, &p);
			points += tp_points_next(&w, &p);
		}
		for (uint32_t i = 0; i < run->mark_count; i++)
			purged += run->marks[i].purged;
		if (points == run->points && purged <= run->purged)
			continue;
		fprintf(stderr, "%llu points, not %llu\n", (unsigned long long)points,
			(unsigned long long)run->points);
		abort();
	}
}

/* The document of a profile; NULL: what was asked for is not there, which alone may be refused. */
static inline struct tp_doc *
tp_through_doc(
	struct tp_profile *profile, const struct tp_pass_options *options, struct tp_arena *arena)
{
	struct tp_doc *doc = tp_doc_new(arena);
	struct tp_err err = {.status = TP_OK};

	profile->name = TP_S("job");
	profile->run = TP_S("run");
	doc->version = TP_S("test");
	enum tp_status status = tp_analyze(tp_passes, profile, options, arena, doc, &err);

	if (status == TP_ERR_USAGE && options->graph_count != 0)
		return NULL;
	tp_through_must(status, &err, "analysis");
	tp_through_must(tp_doc_check(doc, &err), &err, "check");
	tp_through_count(doc, profile);
	return doc;
}

/* From a profile to every output. */
static inline void
tp_through_report(struct tp_profile *profile, const struct tp_pass_options *options,
	struct tp_arena *arena, const char *const *formats)
{
	const struct tp_render_options looks = {0};
	const struct tp_doc *doc = tp_through_doc(profile, options, arena);
	struct tp_err err = {.status = TP_OK};

	for (; doc != NULL && *formats != NULL; formats++) {
		const struct tp_renderer *renderer = tp_renderer_named(*formats);
		struct tp_sink *sink;

		if (renderer->of_events && (doc->events == NULL || doc->events->refused.len != 0))
			continue;
		sink = tp_sink_memory();
		tp_through_must(renderer->render(doc, &looks, sink, &err), &err, *formats);
		tp_through_must(tp_sink_commit(sink, &err), &err, *formats);
		tp_sink_close(sink);
	}
}

/* What this reader makes of a file of this name. */
static inline struct tp_profile *
tp_through_profile(const struct tp_reader *reader, const char *path, struct tp_slice bytes,
	struct tp_arena *arena, struct tp_through *out)
{
	struct tp_builder *builder = tp_builder_new(arena);
	struct tp_input *input;
	struct tp_source source = {
		.reader = reader,
		.path = path,
		.bytes = bytes,
		.host = TP_S("vm"),
		.input = tp_build_input(builder, &input),
	};

	*input = (struct tp_input){.path = tp_slice_of(path),
		.reader = tp_slice_of(reader->name),
		.size_bytes = bytes.len,
		.precomputed = reader->kind >= TP_READS_PRECOMPUTED};
	*out = (struct tp_through){.status = TP_OK};
	out->status = reader->read(&source, builder, &out->err);
	struct tp_profile *profile = tp_builder_finish(builder);

	tp_through_lines(profile);
	tp_through_points(profile);
	return profile;
}

/* By this reader, as a file of this name, and analysed with these options. formats: names of renderers, ends with NULL; NULL:
 * only read. */
static inline struct tp_through
tp_through_with(const struct tp_reader *reader, const char *path, struct tp_slice bytes,
	const struct tp_pass_options *options, const char *const *formats)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_through out;
	struct tp_profile *profile = tp_through_profile(reader, path, bytes, arena, &out);

	if (out.status == TP_OK && formats != NULL) {
		tp_through_report(profile, options, arena, formats);
		out.warnings = profile->diags.warnings;
		out.events = profile->event_count;
		out.dropped = profile->dropped_events;
	}
	tp_arena_free(arena);
	return out;
}

/* The same with the options that a user has who asks for nothing. */
static inline struct tp_through
tp_through_reader(const struct tp_reader *reader, const char *path, struct tp_slice bytes,
	const char *const *formats)
{
	const struct tp_pass_options options = {
		.top = 10, .run_events = true, .timeline_bytes = 1 << 16};

	return tp_through_with(reader, path, bytes, &options, formats);
}

/* How far a fuzz target goes with these bytes: to every format, in one seed of 16 to the PDF too. Of what libFuzzer tries,
 * one in eight is analysed, one in 64 rendered and one in 512 as a PDF, for that takes many times as long as reading; which
 * ones the bytes themselves decide, so that a crash comes again. */
static inline const char *const *
tp_through_formats(struct tp_slice bytes)
{
	static const char *const formats[] = {
		"pdf", "json", "outline", "text", "html", "perfetto", "chrome_trace", NULL};
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < bytes.len; i++)
		hash = (hash ^ (uint8_t)bytes.ptr[i]) * 16777619u;
#ifdef TP_FUZZ
	static const char *const none[] = {NULL};

	if (hash >> 29 != 0)
		return NULL;
	if (hash >> 26 != 0)
		return none;
	return hash >> 23 == 0 ? formats : formats + 1;
#else
	return hash >> 28 == 0 ? formats : formats + 1;
#endif
}

/* The same for an XSpace. */
static inline struct tp_through
tp_through(struct tp_slice bytes, const char *const *formats)
{
	return tp_through_reader(&tp_reader_xspace, "run/vm.xplane.pb", bytes, formats);
}

#endif
