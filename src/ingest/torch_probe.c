/* By the keys alone, for runs are put in order before any is read as a whole; and by words in quotes that other traces in the same
 * JSON, of XLA or of browsers, do not hold. */
#include "ingest/torch_probe.h"

#include "base/texts.h"
#include "codec/json_number.h"
#include "codec/json_pull.h"

#include <stdbool.h>
#include <stddef.h>

/* Times since 1970 lie beyond September 2001; those of torch 2.2 and later, counted from a base, far below. */
static const int64_t EARLIEST_UNIX_NS = INT64_C(1000000000000000000);

struct reading {
	struct tp_pull json;
	int64_t base_ns, first_ns; /* 0, INT64_MAX: not found */
};

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
		if (tp_pull_key_is(j, "ph"))
			lasts = tp_slice_eq(j->text, TP_S("X"));
		else if (tp_pull_key_is(j, "ts"))
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
		if (j->type == TP_PULL_ARRAY && tp_pull_key_is(j, "traceEvents")) {
			goes_on = read_events(r);
			continue;
		}
		if (tp_pull_key_is(j, "baseTimeNanoseconds") && !tp_decimal_integer(j->text, &r->base_ns))
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

static bool
first_is(struct tp_slice head, char c)
{
	for (size_t i = 0; i < head.len; i++) {
		if ((unsigned char)head.ptr[i] > ' ')
			return head.ptr[i] == c;
	}
	return false;
}

/* What stands further behind is not looked for. */
enum { MOST = 64 << 10 };

int
tp_torch_probe(const char *name, struct tp_slice head)
{
	if (tp_texts_any(tp_slice_of(name), tp_slice_ends,
			TP_TEXTS(".pt.trace.json", ".pt.trace.json.gz", ".pt.trace.json.zst")))
		return 95;
	head.len = head.len < MOST ? head.len : MOST;
	if (!first_is(head, '{') && !first_is(head, '['))
		return 0;
	if (!tp_texts_any(head, tp_slice_has,
			TP_TEXTS("\"deviceProperties\"", "\"computeProperties\"", "\"distributedInfo\"",
				"\"baseTimeNanoseconds\"", "\"cpu_op\"", "\"Operator\"", "\"python_function\"",
				"\"user_annotation\"", "\"cuda_runtime\"", "\"gpu_memcpy\"", "\"Runtime\"",
				"\"Kernel\"", "\"kernel\"", "\"PyTorch Profiler")))
		return 0;
	if (tp_slice_has(head, TP_S("\"traceEvents\"")) ||
		tp_slice_has(head, TP_S("\"schemaVersion\"")))
		return 93;
	return first_is(head, '[') && tp_slice_has(head, TP_S("\"ph\"")) ? 70 : 0;
}
