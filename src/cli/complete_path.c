/* What the path on a command line holds that may be completed: runs, hosts, sections, metric ids … */
#include "cli/complete.h"

#include "base/arena.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "ingest/choose.h"
#include "ingest/discover.h"
#include "model/profile.h"
#include "report/doc.h"

#include <stdio.h>

void
tp_complete_offer(struct tp_slice prefix, struct tp_slice word, struct tp_slice says)
{
	if (!tp_slice_starts(word, prefix))
		return;
	tp_put_safe(stdout, word, "?");
	if (says.len != 0) {
		putchar('\t');
		tp_put_safe(stdout, says, " ");
	}
	putchar('\n');
}

struct asking {
	struct tp_slice prefix;
	struct tp_slice *seen; /* offered already */
	size_t seen_count, room;
	struct tp_arena *arena;
};

static void
offer_once(struct asking *a, struct tp_slice word, struct tp_slice says)
{
	for (size_t i = 0; i < a->seen_count; i++) {
		if (tp_slice_eq(a->seen[i], word))
			return;
	}
	if (a->seen_count == a->room || word.len == 0)
		return;
	a->seen[a->seen_count++] = word;
	tp_complete_offer(a->prefix, word, says);
}

/* Workers and spans of a PyTorch run; one that has a single one has none to choose. */
static void
offer_parts(struct asking *a, enum tp_offer offer, const struct tp_run *run)
{
	struct tp_parts parts = tp_parts_of(run, a->arena);

	for (size_t i = 0; i < parts.count; i++) {
		const struct tp_part *part = &parts.parts[i];

		if (offer == TP_OFFER_WORKERS && part->span_number == 0)
			offer_once(a, part->worker, TP_S(""));
		else if (offer == TP_OFFER_SPANS && part->worker.ptr == NULL)
			offer_once(a, tp_arena_printf(a->arena, "%u", part->span_number), TP_S(""));
	}
}

/* Files of PyTorch have span numbers, and are of workers. */
static void
offer_hosts(struct asking *a, const struct tp_run *run)
{
	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
		if (f->span_number == 0)
			offer_once(a, f->host, TP_S(""));
	}
}

/* Newest first, as they are numbered. */
static void
offer_found(struct asking *a, enum tp_offer offer, const struct tp_found *found)
{
	const struct tp_choice all = {0};
	struct tp_run run;
	struct tp_err err;

	for (size_t i = found->run_count; i-- > 0;) {
		if (offer == TP_OFFER_RUNS)
			offer_once(a, found->runs[i].shown, found->runs[i].job);
		else if (tp_choose_files(&found->runs[i], &all, a->arena, &run, &err) != TP_OK)
			continue;
		else if (offer == TP_OFFER_HOSTS)
			offer_hosts(a, &run);
		else
			offer_parts(a, offer, &run);
	}
}

static void
offer_doc(struct asking *a, enum tp_offer offer, const struct tp_doc *doc)
{
	for (const struct tp_metric *m = doc->metrics; offer == TP_OFFER_METRICS && m != NULL;
		 m = m->next)
		tp_complete_offer(a->prefix, m->id, m->label);
	/* The inner ones once somebody is on the way to them. */
	bool inner = memchr(a->prefix.ptr, '/', a->prefix.len) != NULL;

	for (struct tp_walk w = tp_walk_of(doc); offer == TP_OFFER_SECTIONS && tp_walk_next(&w);) {
		if (w.event == TP_WALK_ENTER && w.block->kind == TP_BLOCK_SECTION &&
			(inner || w.depth == 0))
			tp_complete_offer(a->prefix, w.block->id, w.block->section.title);
	}
}

static void
offer_programs(struct asking *a, const struct tp_profile *p)
{
	for (uint32_t i = 0; p != NULL && i < p->program_count; i++)
		offer_once(a, p->programs[i].name, TP_S(""));
}

void
tp_complete_path(const struct tp_args *args, enum tp_offer offer, struct tp_slice prefix)
{
	enum { MOST = 4096 };
	const char *const *paths = tp_args_strings(&args->paths);
	/* Of get, show and hlo the others are no paths. */
	size_t count = args->command->offer == TP_OFFER_FILES ? args->paths.count : 1;
	struct tp_arena *arena = tp_arena_new();
	struct asking a = {.prefix = prefix,
		.seen = tp_new_array(arena, struct tp_slice, MOST),
		.room = MOST,
		.arena = arena};
	struct tp_found found = {0};
	struct tp_err err;
	int status;

	/* Standard input is the user's keyboard. */
	if (args->paths.count == 0 || strcmp(paths[0], "-") == 0) {
		tp_arena_free(arena);
		return;
	}
	if (offer == TP_OFFER_METRICS || offer == TP_OFFER_SECTIONS || offer == TP_OFFER_PROGRAMS) {
		struct tp_session *s = tp_session_open(args, paths, 1, &status);

		if (s != NULL && offer == TP_OFFER_PROGRAMS)
			offer_programs(&a, tp_session_profile(s, tp_session_count(s) - 1));
		else if (s != NULL)
			offer_doc(&a, offer, tp_session_doc(s, tp_session_count(s) - 1));
		tp_session_close(s);
	} else if (tp_discover(arena, paths, count, &found, &err) == TP_OK)
		offer_found(&a, offer, &found);
	tp_arena_free(arena);
}
