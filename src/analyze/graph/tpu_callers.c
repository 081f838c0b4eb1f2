/* Functions that only the host runs: nothing calls them but the input pipeline and nodes that are placed elsewhere, be it by way
 * of other functions. What calls a function decides where its nodes run, as far as they do not say it themselves. */
#include "analyze/graph/tpu_rule.h"

#include "base/arena.h"
#include "model/graph.h"
#include "model/profile.h"

enum { NOT_REACHED = TP_TPU_CLASS_COUNT };

/* Calls in lists by the function in which they stand, and functions that are reached and not yet gone on from. */
struct walk {
	const struct tp_graph *g;
	const uint8_t *by;      /* by call, as given */
	uint32_t *first, *next; /* by function, by call: a call, or TP_NONE */
	uint32_t *queue, queued, done;
	uint8_t *reached; /* by function */
};

static void
list_calls(struct walk *w, struct tp_arena *arena)
{
	const struct tp_graph *g = w->g;

	w->first = tp_new_array(arena, uint32_t, g->function_count);
	w->next = tp_new_array(arena, uint32_t, g->call_count);
	memset(w->first, 0xff, g->function_count * sizeof *w->first);
	for (uint32_t i = 0; i < g->call_count; i++) {
		if (!tp_graph_in_library(g, g->calls[i].node))
			continue;
		uint32_t *first = &w->first[tp_graph_function_of(g, g->calls[i].node)];

		w->next[i] = *first;
		*first = i;
	}
}

static void
start(struct walk *w)
{
	memset(w->reached, NOT_REACHED, w->g->function_count);
	w->queued = w->done = 0;
}

static void
reach(struct walk *w, uint32_t function, uint8_t class)
{
	if (w->reached[function] != NOT_REACHED)
		return;
	w->reached[function] = class;
	w->queue[w->queued++] = function;
}

/* What is reached calls others: by the host's nodes as well (host), or by the others alone. */
static void
go_on(struct walk *w, bool host)
{
	while (w->done < w->queued) {
		uint32_t function = w->queue[w->done++];

		for (uint32_t i = w->first[function]; i != TP_NONE; i = w->next[i]) {
			if (host || w->by[i] == TP_TPU_COMPATIBLE)
				reach(w, w->g->calls[i].function, w->reached[function]);
		}
	}
}

/* From what the host's nodes call, wherever these stand. */
static void
reach_from_host(struct walk *w)
{
	start(w);
	for (uint32_t i = 0; i < w->g->call_count; i++) {
		if (w->by[i] != TP_TPU_COMPATIBLE)
			reach(w, w->g->calls[i].function, w->by[i]);
	}
	go_on(w, true);
}

/* From what other nodes of the graph call, and from functions that may be called by whoever has the graph. */
static void
reach_from_others(struct walk *w, struct tp_arena *arena)
{
	const struct tp_graph *g = w->g;
	bool *called = tp_new_array(arena, bool, g->function_count);

	start(w);
	for (uint32_t i = 0; i < g->call_count; i++) {
		called[g->calls[i].function] = true;
		if (w->by[i] == TP_TPU_COMPATIBLE && !tp_graph_in_library(g, g->calls[i].node))
			reach(w, g->calls[i].function, TP_TPU_COMPATIBLE);
	}
	for (uint32_t f = 0; f < g->function_count; f++) {
		if (!called[f] || g->functions[f].of_object)
			reach(w, f, TP_TPU_COMPATIBLE);
	}
	go_on(w, false);
}

uint8_t *
tp_tpu_functions_of_host(const struct tp_graph *g, const uint8_t *by, struct tp_arena *arena)
{
	uint8_t *host = tp_new_array(arena, uint8_t, g->function_count);
	uint8_t *others = tp_new_array(arena, uint8_t, g->function_count);
	struct walk w = {.g = g,
		.by = by,
		.queue = tp_new_array(arena, uint32_t, g->function_count),
		.reached = host};

	list_calls(&w, arena);
	reach_from_host(&w);
	w.reached = others;
	reach_from_others(&w, arena);
	for (uint32_t f = 0; f < g->function_count; f++) {
		if (host[f] == NOT_REACHED || others[f] != NOT_REACHED)
			host[f] = TP_TPU_COMPATIBLE;
	}
	return host;
}
