/* Channels and all-reduces of a pod viewer's file. */
#include "ingest/tools_pod.h"

#include "base/arena.h"
#include "base/order.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_TRANSFERS = 1 << 17 }; /* channels, and as many collectives */

double
tp_pod_us(const json_t *value)
{
	double us = tp_json_figure(value);

	return us >= 0 && us < TP_TOOL_LONGEST_MS * 1e3 ? us : 0;
}

/* A channel names its cores by chip and place on it, counted through: of two cores a chip, 2 × chip + place. In the stored
 * example they run from 0 without gaps, where the keys of cores do not. */
static uint32_t
core_of(const struct tp_pod_reading *r, const json_t *value)
{
	double n = tp_json_figure(value);

	if (!(n >= 0 && n < TP_NONE))
		return TP_MAP_NONE;
	return tp_map_get(
		r->pod->numbers_from_chips ? &r->core_of_place : &r->core_of_number, (uint64_t)n);
}

static double
or_zero(double figure)
{
	return figure >= 0 && figure < 1e18 ? figure : 0;
}

static void
add_link(struct tp_pod_reading *r, const json_t *channel, const json_t *from, const json_t *to)
{
	uint32_t source = core_of(r, from), target = core_of(r, to);
	double id = tp_json_figure(json_object_get(channel, "channelId"));
	double n = or_zero(tp_json_figure(json_object_get(channel, "occurrences")));
	const json_t *names = json_object_get(channel, "hloNames");

	if (source == TP_MAP_NONE || target == TP_MAP_NONE || !(fabs(id) < 9e15)) {
		r->pod->links_left_out++;
		return;
	}
	uint64_t key = tp_hash_pair((uint64_t)(int64_t)id, tp_hash_pair(source, target));
	uint32_t at = tp_map_get(&r->link_of_key, key);

	if (at == TP_MAP_NONE) {
		if (r->links.count == MOST_TRANSFERS) {
			r->pod->links_left_out++;
			return;
		}
		struct tp_precomputed_link *new = tp_buf_add(&r->links, sizeof *new);

		*new = (struct tp_precomputed_link){
			.channel = (int64_t)id, .source = source, .target = target};
		at = (uint32_t)r->links.count - 1;
		tp_map_put(&r->link_of_key, key, at);
	}
	struct tp_precomputed_link *link = (struct tp_precomputed_link *)r->links.data + at;

	n = n > 0 ? n : 1;
	link->occurrences += n;
	link->bytes = or_zero(tp_json_figure(json_object_get(channel, "dataSize")));
	link->duration_us += n * tp_pod_us(json_object_get(channel, "durationUs"));
	link->delay_us += n * tp_pod_us(json_object_get(channel, "sendDelayUs"));
	for (size_t i = 0; i < json_array_size(names); i++) {
		struct tp_slice name = tp_json_text(r->f->arena, json_array_get(names, i));

		if (tp_slice_starts(name, TP_S("recv")) || tp_slice_starts(name, TP_S("%recv")))
			link->receive = name;
		else if (link->send.len == 0)
			link->send = name;
	}
}

void
tp_pod_read_channels(struct tp_pod_reading *r, const json_t *channels)
{
	for (size_t i = 0; i < json_array_size(channels); i++) {
		const json_t *channel = json_array_get(channels, i);
		const json_t *from = json_object_get(channel, "srcCoreIds");
		const json_t *to = json_object_get(channel, "dstCoreIds");

		if (from == NULL) {
			add_link(r, channel, json_object_get(channel, "srcCoreId"),
				json_object_get(channel, "dstCoreId"));
			continue;
		}
		for (size_t k = 0; k < json_array_size(from) && k < json_array_size(to); k++)
			add_link(r, channel, json_array_get(from, k), json_array_get(to, k));
	}
}

/* "f32[72,8,128]{2,1,0:T(8,128)}" of "%fusion.35 = f32[72,8,128]{2,1,0:T(8,128)} fusion(…". */
static struct tp_slice
shape_in(struct tp_slice text)
{
	const char *from = text.len != 0 ? memmem(text.ptr, text.len, " = ", 3) : NULL;

	if (from == NULL || from[3] == '(')
		return TP_S("");
	struct tp_slice rest = tp_slice_from(text, (size_t)(from - text.ptr) + 3);
	const char *to = rest.len != 0 ? memchr(rest.ptr, ' ', rest.len) : NULL;

	return to != NULL ? (struct tp_slice){rest.ptr, (size_t)(to - rest.ptr)} : TP_S("");
}

/* durationUs is the mean of an occurrence: in the stored example of 32 cores Σ durationUs × occurrences ÷ cores is the mean
 * of what the cores spent in all-reduce, to the last digit. */
void
tp_pod_read_collectives(struct tp_pod_reading *r, const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *op = json_array_get(list, i);
		struct tp_slice name = tp_json_text(r->f->arena, json_object_get(op, "name"));
		uint64_t key = tp_hash_bytes(name);
		uint32_t at = tp_map_get(&r->collective_of_name, key);
		double n = or_zero(tp_json_figure(json_object_get(op, "occurrences")));

		if (at == TP_MAP_NONE) {
			struct tp_precomputed_collective *new;

			if (r->collectives.count == MOST_TRANSFERS)
				return;
			new = tp_buf_add(&r->collectives, sizeof *new);
			*new = (struct tp_precomputed_collective){.name = name,
				.shape = shape_in(tp_json_text(r->f->arena, json_object_get(op, "description")))};
			at = (uint32_t)r->collectives.count - 1;
			tp_map_put(&r->collective_of_name, key, at);
		}
		struct tp_precomputed_collective *c =
			(struct tp_precomputed_collective *)r->collectives.data + at;

		c->occurrences += n;
		c->total_us += n * tp_pod_us(json_object_get(op, "durationUs"));
		c->bytes = or_zero(tp_json_figure(json_object_get(op, "dataSize")));
	}
}

TP_ORDER(
	by_total, struct tp_precomputed_collective, TP_DOWN(total_us), tp_slice_cmp(a->name, b->name));

void
tp_pod_settle_traffic(struct tp_pod_reading *r)
{
	struct tp_precomputed_pod *pod = r->pod;

	pod->link_count = r->links.count;
	struct tp_precomputed_link *links = tp_buf_settle(&r->links, sizeof *links, r->f->arena);

	for (size_t i = 0; i < pod->link_count; i++) {
		links[i].duration_us /= links[i].occurrences;
		links[i].delay_us /= links[i].occurrences;
	}
	pod->links = links;
	pod->collective_count = r->collectives.count;
	struct tp_precomputed_collective *collectives =
		tp_buf_settle(&r->collectives, sizeof *collectives, r->f->arena);

	if (pod->collective_count != 0)
		qsort(collectives, pod->collective_count, sizeof *collectives, by_total);
	pod->collectives = collectives;
}
