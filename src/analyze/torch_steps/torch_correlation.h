/* Who is whose in a PyTorch trace: which range holds which on a host thread, which call launched a piece of device work, and
 * which operator asked for it. What every section on operators, kernels, modules and communication stands on.
 *
 * Rule: device work → the call with its correlation → the operator that the call's External id names, if that operator's
 * interval holds the start of the call, else the innermost operator on the call's thread that holds it. The External id of
 * device work itself is not used: up to torch 2.1 it is the correlation number, and names operators by accident. */
#ifndef TP_ANALYZE_TORCH_CORRELATION_H
#define TP_ANALYZE_TORCH_CORRELATION_H

#include "analyze/core/ctx.h"
#include "base/map.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_torch_trace;

/* Pieces of device work, and the sums of their durations. */
struct tp_torch_device_work {
	uint64_t count;
	uint64_t no_call; /* whose call is not in the file: launched before the trace began */
	uint64_t untold;  /* that name no call at all, as copies of MTIA: launched at any time */
	int64_t ps, no_call_ps, untold_ps;
	int64_t no_operator_ps; /* whose call is in no operator */
};

/* Of one trace; all arrays by event, TP_NONE where there is none. */
struct tp_torch_correlation {
	/* Innermost range (operator, annotation, step) on the thread that holds the event; none for device work. */
	const uint32_t *parent;
	const uint32_t *python; /* likewise: innermost Python function */
	const uint32_t *call;   /* of device work: the call that launched it */
	/* Of device work and calls: the operator that asked for it; of ranges: the innermost one around. */
	const uint32_t *owner;
	uint32_t crossing; /* ranges that end after the range that they began in: taken as not in it */
	struct tp_torch_device_work work;
};

struct tp_torch_correlated {
	struct tp_torch_correlation *traces; /* by trace */
	struct tp_torch_device_work work;    /* of all of them */
};

/* struct tp_torch_correlated */
extern const struct tp_pass tp_pass_torch_correlation;

/* Fills in parent, python and crossing. Arrays in keep. */
void tp_torch_nest(const struct tp_torch_trace *t, struct tp_arena *keep, struct tp_arena *scratch,
	struct tp_torch_correlation *links);

/* The innermost range of a host thread at each of these times, in order: of one that ends at a time the one around it counts.
 * TP_NONE: none. */
void tp_torch_ranges_at(const struct tp_torch_trace *t, uint32_t lane, const int64_t *times_ps,
	uint32_t count, struct tp_arena *scratch, uint32_t *range);

/* Whether an event starts within a range. */
bool tp_torch_holds_start(const struct tp_torch_trace *t, uint32_t range, uint32_t event);

/* From ids that a trace gives to what has them: a table where the ids are dense, as they mostly are, else a map. */
struct tp_torch_ids {
	uint32_t *table; /* by id, all bits turned round, so that 0 is none; NULL: the map has them */
	uint64_t size;
	struct tp_map map;
};

/* For `count` ids, none above `largest`; in scratch. */
void tp_torch_ids_init(
	struct tp_torch_ids *ids, uint64_t largest, uint64_t count, struct tp_arena *scratch);

/* TP_MAP_NONE: nothing has the id; ids below 0 are none. */
uint32_t tp_torch_ids_get(const struct tp_torch_ids *ids, int64_t id);
void tp_torch_ids_put(struct tp_torch_ids *ids, int64_t id, uint32_t value);

/* Whether a piece of device work names the call that launched it. */
bool tp_torch_names_call(const struct tp_torch_trace *t, uint32_t work);

#endif
