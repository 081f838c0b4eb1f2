/* Each other run is read and analysed, and forgotten but for a few figures. */
#include "cli/glance.h"

#include "analyze/run_glance.h"
#include "base/arena.h"
#include "cli/options.h"
#include "ingest/choose.h"
#include "ingest/discover.h"
#include "ingest/load.h"
#include "ingest/reader.h"
#include "report/doc.h"

enum { MOST_RUNS = 20 };

static bool
is_torch(const struct tp_run *run)
{
	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
		if (f->reader != &tp_reader_torch)
			return false;
	}
	return run->files != NULL;
}

/* A figure's reason lies in memory that is given back. */
static struct tp_value
lasting(struct tp_value v)
{
	return tp_known(v) ? v : tp_missing(TP_S("that run does not give it"));
}

static struct tp_run_glance
look(const struct tp_run *run, struct tp_arena *keep, const struct tp_pass_options *options)
{
	static const struct tp_choice all = {0};
	struct tp_value none = tp_missing(TP_S("that run cannot be read"));
	struct tp_run_glance glance = {tp_arena_copy(keep, run->name), none, none, none, none, none};
	struct tp_arena *arena = tp_arena_new();
	struct tp_err err = {.status = TP_OK};
	struct tp_loaded *loaded = tp_load_run(run, &all, NULL, arena, &err);

	if (loaded != NULL) {
		struct tp_doc *doc = tp_doc_new(arena);

		if (tp_analyze(tp_loaded_profile(loaded), options, arena, doc, &err) == TP_OK) {
			glance = tp_run_glance_of(tp_loaded_profile(loaded), doc, glance.name);
			glance.workers = lasting(glance.workers);
			glance.steps = lasting(glance.steps);
			glance.step_ms = lasting(glance.step_ms);
			glance.input_share = lasting(glance.input_share);
		}
	}
	tp_loaded_close(loaded);
	tp_arena_free(arena);
	return glance;
}

void
tp_glance_others(const struct tp_args *args, const struct tp_found *found, size_t chosen,
	struct tp_arena *arena, struct tp_pass_options *options)
{
	const struct tp_pass_options plain = *options;
	size_t most = found->run_count < MOST_RUNS ? found->run_count : MOST_RUNS;

	if (args->run != NULL || found->run_count < 2 || !is_torch(&found->runs[chosen]))
		return;
	struct tp_run_glance *others = tp_new_array(arena, struct tp_run_glance, most);
	size_t count = 0;

	for (size_t i = found->run_count; i-- > 0 && count < most;) {
		if (i != chosen && is_torch(&found->runs[i]))
			others[count++] = look(&found->runs[i], arena, &plain);
	}
	options->others = others;
	options->other_count = count;
}
