/* Read by the keys alone: runs are put in order before any is read as a whole. */
#include "ingest/torch_began.h"

#include "codec/json_number.h"
#include "codec/json_pull.h"

#include <stdbool.h>

/* Times since 1970 lie beyond September 2001; those of torch 2.2 and later, counted from a base, far below. */
static const int64_t EARLIEST_UNIX_NS = INT64_C(1000000000000000000);

struct reading {
	struct tp_pull json;
	int64_t base_ns, first_ns; /* 0, INT64_MAX: not found */
};

static bool
key_is(const struct tp_pull *j, const char *key)
{
	return tp_slice_eq(j->key, tp_slice_of(key));
}

/* At the event's begin. */
static bool
read_event(struct reading *r)
{
	struct tp_pull *j = &r->json;
	bool lasts = false, timed = false;
	int64_t ns = 0;

	if (j->type != TP_PULL_OBJECT)
		return tp_pull_skip(j);
	while (tp_pull_item(j)) {
		if (key_is(j, "ph"))
			lasts = tp_slice_eq(j->text, TP_S("X"));
		else if (key_is(j, "ts"))
			timed = j->type == TP_PULL_NUMBER && tp_decimal_scaled(j->text, 3, &ns);
		if (!tp_pull_skip(j))
			return false;
	}
	if (lasts && timed && ns < r->first_ns)
		r->first_ns = ns;
	return j->state == TP_PULL_MORE;
}

static bool
read_events(struct reading *r)
{
	while (tp_pull_item(&r->json)) {
		if (!read_event(r))
			return false;
	}
	return r->json.state == TP_PULL_MORE;
}

static void
read_members(struct reading *r)
{
	struct tp_pull *j = &r->json;
	bool goes_on = true;

	while (goes_on && tp_pull_item(j)) {
		if (j->type == TP_PULL_ARRAY && key_is(j, "traceEvents")) {
			goes_on = read_events(r);
			continue;
		}
		if (key_is(j, "baseTimeNanoseconds") && !tp_decimal_integer(j->text, &r->base_ns))
			r->base_ns = 0;
		goes_on = tp_pull_skip(j);
	}
}

int64_t
tp_torch_began_unix_ns(struct tp_slice head)
{
	struct reading r = {.first_ns = INT64_MAX};
	int64_t began = 0;

	tp_pull_open(&r.json, head, NULL, NULL);
	if (tp_pull_next(&r.json)) {
		if (r.json.type == TP_PULL_OBJECT)
			read_members(&r);
		else if (r.json.type == TP_PULL_ARRAY)
			read_events(&r);
	}
	tp_pull_close(&r.json);
	if (r.first_ns == INT64_MAX || __builtin_add_overflow(r.base_ns, r.first_ns, &began) ||
		began < EARLIEST_UNIX_NS)
		return 0;
	return began;
}
