/* What the order of a heap simulation's events shows: frees of what is not live, memory shared with oneself. Each event is
 * held against those before it in its trace, as analyze/memory/memory_walk.c replays them. */
#include "model/buffers.h"

#include "base/arena.h"

const char *
tp_plan_fault_text(enum tp_plan_fault fault)
{
	static const char *const texts[TP_PLAN_FAULT_COUNT] = {
		[TP_PLAN_SIZE_BELOW_0] = "sizes below 0",
		[TP_PLAN_ID_TWICE] = "buffers with the id of another",
		[TP_PLAN_NO_SUCH_BUFFER] = "uses of buffers that it does not hold",
		[TP_PLAN_NO_SUCH_INSTRUCTION] = "buffers of instructions that the module does not hold",
		[TP_PLAN_UNKNOWN_EVENT] = "events of an unknown kind",
		[TP_PLAN_LIVE_TWICE] = "events that give memory to what has some",
		[TP_PLAN_FREED_TWICE] = "events that free what is not live",
		[TP_PLAN_SHARED_WITH_ITSELF] = "buffers that share memory with themselves",
		[TP_PLAN_SHARED_WITH_NOTHING] = "buffers that share memory which was never given",
	};

	return texts[fault];
}

/* By buffer: whether it has memory now, and whether it ever had. */
struct state {
	bool live, ever;
};

static void
check_event(struct tp_buffers *b, struct state *states, const struct tp_heap_event *e)
{
	if (e->buffer == TP_MAP_NONE)
		return;
	struct state *own = &states[e->buffer];

	switch (e->kind) {
	case TP_HEAP_ALLOC:
		b->faults[TP_PLAN_LIVE_TWICE] += own->live;
		break;
	case TP_HEAP_FREE:
		b->faults[TP_PLAN_FREED_TWICE] += !own->live;
		own->live = false;
		return;
	case TP_HEAP_SHARE:
		if (e->canonical == TP_MAP_NONE)
			return;
		if (e->canonical == e->buffer) {
			b->faults[TP_PLAN_SHARED_WITH_ITSELF]++;
			return;
		}
		b->faults[TP_PLAN_LIVE_TWICE] += own->live;
		b->faults[TP_PLAN_SHARED_WITH_NOTHING] += !states[e->canonical].ever;
		break;
	}
	own->live = own->ever = true;
}

void
tp_buffers_check(struct tp_buffers *b, struct tp_arena *scratch)
{
	struct state *states = tp_new_array(scratch, struct state, b->buffer_count);

	for (uint32_t t = 0; t < b->trace_count; t++) {
		const struct tp_heap_trace *trace = &b->traces[t];

		/* Traces are many where each computation has its own: only what this one touches is made anew. */
		for (uint32_t i = 0; i < trace->count; i++) {
			if (trace->events[i].buffer != TP_MAP_NONE)
				states[trace->events[i].buffer] = (struct state){.live = false};
			if (trace->events[i].canonical != TP_MAP_NONE)
				states[trace->events[i].canonical] = (struct state){.live = false};
		}
		for (uint32_t i = 0; i < trace->count; i++)
			check_event(b, states, &trace->events[i]);
	}
}
