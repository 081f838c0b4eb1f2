/* Running the passes: each after those that it comes after, then presented by place. */
#include "analyze/core/only.h"
#include "analyze/core/pass.h"

#include "base/arena.h"
#include "base/pool.h"
#include "model/profile.h"

#include <assert.h>
#include <pthread.h>

enum { MOST_PASSES = 64, FEW_EVENTS = 50000 };

static size_t
index_of(const struct tp_pass *const *passes, const struct tp_pass *pass)
{
	size_t i = 0;

	while (passes[i] != NULL && passes[i] != pass)
		i++;
	return i;
}

const struct tp_pass *
tp_pass_out_of_order(const struct tp_pass *const *passes)
{
	for (size_t i = 0; passes[i] != NULL; i++) {
		if (index_of(passes, passes[i]) != i)
			return passes[i];
		for (const struct tp_pass *const *a = passes[i]->after; a != NULL && *a != NULL; a++) {
			if (index_of(passes, *a) >= i)
				return passes[i];
		}
	}
	return NULL;
}

/* Whether one pass comes after the other, or after one that does. */
static bool
comes_after(const struct tp_pass *pass, const struct tp_pass *other)
{
	for (const struct tp_pass *const *a = pass->after; a != NULL && *a != NULL; a++) {
		if (*a == other || comes_after(*a, other))
			return true;
	}
	return false;
}

const void *
tp_result(const struct tp_pass_ctx *ctx, const struct tp_pass *pass)
{
	assert(ctx->analysing == NULL || comes_after(ctx->analysing, pass));
	return ctx->results[index_of(ctx->passes, pass)];
}

struct tp_slice
tp_skipped(const struct tp_pass_ctx *ctx, const struct tp_pass *pass)
{
	size_t i = index_of(ctx->passes, pass);

	assert(ctx->analysing == NULL || comes_after(ctx->analysing, pass));
	/* Only summaries are without some of the passes. */
	return ctx->passes[i] != NULL ? ctx->reasons[i] : TP_S("summaries of ranks do not hold it");
}

struct tp_slice
tp_skipped_itself(const struct tp_pass_ctx *ctx)
{
	return tp_skipped(ctx, ctx->presenting);
}

bool
tp_has_profile(const struct tp_pass_ctx *ctx)
{
	return (ctx->facts & TP_HAS_PROFILE) != 0;
}

static struct tp_slice
missing_facts(unsigned facts, const struct tp_pass *pass)
{
	unsigned absent = pass->needs_all & ~facts;

	if (absent == 0 && pass->needs_any != 0 && (pass->needs_any & facts) == 0)
		absent = pass->needs_any;
	return tp_facts_lack(absent);
}

struct run {
	struct tp_pass_ctx ctx;
	const struct tp_pass *only; /* that is presented; NULL: all */
	const void *results[MOST_PASSES];
	struct tp_slice reasons[MOST_PASSES];
	bool skipped[MOST_PASSES];
	struct tp_err refusal;
};

static bool
is_presented(const struct run *r, const struct tp_pass *pass)
{
	return r->only == NULL || r->only == pass;
}

/* ctx: the run's, or a copy with arenas of its own. */
static enum tp_status
run_pass(struct run *r, struct tp_pass_ctx *ctx, size_t i, struct tp_err *err)
{
	const struct tp_pass *pass = ctx->passes[i];
	enum tp_status status = TP_OK;
	void *result = NULL;

	assert(i < MOST_PASSES);
	if (!is_presented(r, pass) && !comes_after(r->only, pass)) {
		r->skipped[i] = true;
		r->reasons[i] = TP_S("it was not asked for");
		return TP_OK;
	}
	if (pass->of != NULL) {
		size_t of = index_of(ctx->passes, pass->of);

		r->results[i] = r->results[of];
		r->reasons[i] = r->reasons[of];
		r->skipped[i] = r->skipped[of];
		return TP_OK;
	}
	r->reasons[i] = missing_facts(ctx->facts, pass);
	r->skipped[i] = r->reasons[i].len != 0;
	if (r->skipped[i] || pass->analyze == NULL)
		return TP_OK;
	ctx->analysing = pass;
	status = pass->analyze(ctx, &result, err);
	ctx->analysing = NULL;
	tp_arena_reset(ctx->scratch);
	if (status == TP_ABSENT) {
		r->skipped[i] = true;
		r->reasons[i] = tp_arena_copy(ctx->keep, tp_slice_of(err->text));
		return TP_OK;
	}
	r->results[i] = result;
	return status == TP_OK ? TP_OK : tp_while(err, "%s", pass->name);
}

static enum tp_status
analyze_all(struct run *r, struct tp_err *err)
{
	enum tp_status status = TP_OK;

	for (size_t i = 0; r->ctx.passes[i] != NULL && status == TP_OK; i++)
		status = run_pass(r, &r->ctx, i, err);
	return status;
}

/* A pass that runs beside others, as soon as those that it comes after have run. */
struct job {
	struct tp_task task;
	struct jobs *jobs;
	size_t index;
	struct tp_pass_ctx ctx; /* with arenas of its own */
	enum tp_status status;
	struct tp_err err;
	size_t waits_for; /* passes that have not run */
};

struct jobs {
	struct run *run;
	struct tp_pool *pool;
	pthread_mutex_t lock; /* over waits_for of all */
	struct job all[MOST_PASSES];
	size_t count;
};

/* Whether the pass has to wait for the other itself. */
static bool
waits_for(const struct tp_pass *pass, const struct tp_pass *other)
{
	if (pass->of == other)
		return true;
	for (const struct tp_pass *const *a = pass->after; a != NULL && *a != NULL; a++) {
		if (*a == other)
			return true;
	}
	return false;
}

static void
run_job(void *with)
{
	struct job *job = with;
	struct jobs *jobs = job->jobs;
	const struct tp_pass *const *passes = job->ctx.passes;

	job->ctx.keep = tp_arena_new();
	job->ctx.scratch = tp_arena_new();
	job->status = run_pass(jobs->run, &job->ctx, job->index, &job->err);
	tp_arena_free(job->ctx.scratch);
	pthread_mutex_lock(&jobs->lock);
	for (size_t i = job->index + 1; i < jobs->count; i++) {
		if (waits_for(passes[i], passes[job->index]) && --jobs->all[i].waits_for == 0)
			tp_pool_start(jobs->pool, &jobs->all[i].task);
	}
	pthread_mutex_unlock(&jobs->lock);
}

/* None reads what another writes but the results of those that it comes after, so that it does not matter which runs when; of several
 * that fail the first in the list counts, as where they run one after the other. */
static enum tp_status
analyze_side_by_side(struct run *r, struct tp_pool *pool, struct tp_err *err)
{
	const struct tp_pass *const *passes = r->ctx.passes;
	struct jobs *jobs = tp_new(r->ctx.keep, struct jobs);
	enum tp_status status = TP_OK;

	*jobs = (struct jobs){.run = r, .pool = pool};
	pthread_mutex_init(&jobs->lock, NULL);
	for (size_t i = 0; passes[i] != NULL; i++) {
		struct job *job = &jobs->all[jobs->count++];

		*job = (struct job){{.run = run_job, .with = job}, jobs, i, r->ctx, TP_OK, {0}, 0};
		for (size_t k = 0; k < i; k++)
			job->waits_for += waits_for(passes[i], passes[k]);
	}
	pthread_mutex_lock(&jobs->lock);
	for (size_t i = 0; i < jobs->count; i++) {
		if (jobs->all[i].waits_for == 0)
			tp_pool_start(pool, &jobs->all[i].task);
	}
	pthread_mutex_unlock(&jobs->lock);
	for (size_t i = 0; i < jobs->count; i++) {
		struct job *job = &jobs->all[i];

		tp_pool_wait(pool, &job->task);
		tp_arena_join(r->ctx.keep, job->ctx.keep);
		/* A result may hold the context that it was made with. */
		job->ctx = r->ctx;
		if (status == TP_OK && job->status != TP_OK) {
			status = job->status;
			*err = job->err;
		}
	}
	pthread_mutex_destroy(&jobs->lock);
	return status;
}

static void
register_metrics(struct run *r, struct tp_doc *doc)
{
	for (size_t i = 0; r->ctx.passes[i] != NULL; i++) {
		r->ctx.presenting = r->ctx.passes[i];
		if (is_presented(r, r->ctx.presenting) && r->ctx.presenting->metrics != NULL)
			r->ctx.presenting->metrics(&r->ctx, r->results[i], doc);
	}
}

static void
present_pass(struct run *r, size_t i, struct tp_doc *doc)
{
	const struct tp_pass *pass = r->ctx.passes[i];

	if (!is_presented(r, pass) || (pass->of_profile && !tp_has_profile(&r->ctx)))
		return;
	r->ctx.presenting = pass;
	if (!r->skipped[i] && pass->present != NULL)
		pass->present(&r->ctx, r->results[i], doc);
	if (r->skipped[i] && pass->present_skipped != NULL)
		pass->present_skipped(&r->ctx, doc);
	tp_arena_reset(r->ctx.scratch);
}

/* The pass that comes next in the page; MOST_PASSES: none is left. */
static size_t
next_by_place(const struct tp_pass *const *passes, const bool told[static MOST_PASSES])
{
	size_t next = MOST_PASSES;

	for (size_t i = 0; passes[i] != NULL; i++) {
		if (!told[i] && (next == MOST_PASSES || passes[i]->place < passes[next]->place))
			next = i;
	}
	return next;
}

static enum tp_status
present_all(struct run *r, struct tp_doc *doc, struct tp_err *err)
{
	bool told[MOST_PASSES] = {false};
	size_t i;

	while ((i = next_by_place(r->ctx.passes, told)) != MOST_PASSES) {
		told[i] = true;
		present_pass(r, i, doc);
		if (r->refusal.status != TP_OK) {
			*err = r->refusal;
			return err->status;
		}
	}
	return TP_OK;
}

enum tp_status
tp_analyze_only(const struct tp_pass *only, const struct tp_pass *const *passes,
	struct tp_profile *profile, const struct tp_pass_options *options, struct tp_arena *keep,
	struct tp_doc *doc, struct tp_err *err)
{
	struct run r = {.only = only};
	enum tp_status status;

	r.ctx = (struct tp_pass_ctx){
		.passes = passes,
		.profile = profile,
		.facts = tp_profile_facts(profile),
		.keep = keep,
		.scratch = tp_arena_new(),
		.options = options,
		.results = r.results,
		.reasons = r.reasons,
		.refusal = &r.refusal,
	};
	/* With few events no pass takes long enough. */
	bool alone = tp_pool_threads(options->pool) == 1 || profile->event_count < FEW_EVENTS;

	status = alone ? analyze_all(&r, err) : analyze_side_by_side(&r, options->pool, err);
	/* An output of all events asks for them one by one as it is written. */
	if (!options->run_events)
		tp_profile_release_lines(profile);
	if (status == TP_OK)
		register_metrics(&r, doc);
	if (status == TP_OK)
		status = present_all(&r, doc, err);
	tp_arena_free(r.ctx.scratch);
	return status;
}

enum tp_status
tp_analyze(const struct tp_pass *const *passes, struct tp_profile *profile,
	const struct tp_pass_options *options, struct tp_arena *keep, struct tp_doc *doc,
	struct tp_err *err)
{
	return tp_analyze_only(NULL, passes, profile, options, keep, doc, err);
}
