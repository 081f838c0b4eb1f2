/* One table of names, one of types; operations and process groups, numbered as traces are read; and ranks, as traces write them in
 * arguments, in names of spans and in lists of groups. */
#include "analyze/torch/comm/torch_comm_group.h"

#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

#include <ctype.h>
#include <strings.h>

/* By letters and digits alone, in lower case. */
static const struct {
	const char *written, *name;
	enum tp_torch_comm_kind kind;
} known[] = {
	{"allreduce", "all_reduce", TP_TORCH_COMM_REDUCES},
	{"allreducecoalesced", "all_reduce", TP_TORCH_COMM_REDUCES},
	{"allreducesparse", "all_reduce", TP_TORCH_COMM_REDUCES},
	{"allreducebarrier", "barrier", TP_TORCH_COMM_IS_BARRIER},
	{"allgather", "all_gather", TP_TORCH_COMM_GATHERS},
	{"allgatherbase", "all_gather", TP_TORCH_COMM_GATHERS},
	{"allgathercoalesced", "all_gather", TP_TORCH_COMM_GATHERS},
	{"allgatherintotensor", "all_gather", TP_TORCH_COMM_GATHERS},
	{"allgatherintotensorcoalesced", "all_gather", TP_TORCH_COMM_GATHERS},
	{"gather", "gather", TP_TORCH_COMM_GATHERS},
	{"reducescatter", "reduce_scatter", TP_TORCH_COMM_SCATTERS},
	{"reducescatterbase", "reduce_scatter", TP_TORCH_COMM_SCATTERS},
	{"reducescattertensor", "reduce_scatter", TP_TORCH_COMM_SCATTERS},
	{"reducescattertensorcoalesced", "reduce_scatter", TP_TORCH_COMM_SCATTERS},
	{"reducescattercoalesced", "reduce_scatter", TP_TORCH_COMM_SCATTERS},
	{"alltoall", "all_to_all", TP_TORCH_COMM_SCATTERS},
	{"alltoallv", "all_to_all", TP_TORCH_COMM_SCATTERS},
	{"alltoallbase", "all_to_all", TP_TORCH_COMM_SCATTERS},
	{"alltoallsingle", "all_to_all", TP_TORCH_COMM_SCATTERS},
	{"scatter", "scatter", TP_TORCH_COMM_SCATTERS},
	{"broadcast", "broadcast", TP_TORCH_COMM_ROOTED},
	{"broadcastoop", "broadcast", TP_TORCH_COMM_ROOTED},
	{"broadcastcoalesced", "broadcast", TP_TORCH_COMM_ROOTED},
	{"reduce", "reduce", TP_TORCH_COMM_ROOTED},
	{"reduceoop", "reduce", TP_TORCH_COMM_ROOTED},
	{"send", "send", TP_TORCH_COMM_POINT},
	{"isend", "send", TP_TORCH_COMM_POINT},
	{"recv", "recv", TP_TORCH_COMM_POINT},
	{"irecv", "recv", TP_TORCH_COMM_POINT},
	{"recvanysource", "recv", TP_TORCH_COMM_POINT},
	{"barrier", "barrier", TP_TORCH_COMM_IS_BARRIER},
	{"monitoredbarrier", "barrier", TP_TORCH_COMM_IS_BARRIER},
	{"coalesced", "coalesced", TP_TORCH_COMM_MIXED},
};

struct tp_slice
tp_torch_comm_backend(struct tp_slice name)
{
	const char *colon = name.len != 0 ? memchr(name.ptr, ':', name.len) : NULL;

	return colon == NULL ? TP_S("") : (struct tp_slice){name.ptr, (size_t)(colon - name.ptr)};
}

struct tp_torch_comm_op
tp_torch_comm_op_of(struct tp_slice name, struct tp_arena *a)
{
	struct tp_slice backend = tp_torch_comm_backend(name);
	struct tp_slice rest = backend.len != 0 ? tp_slice_from(name, backend.len + 1) : name;
	char letters[64];
	size_t n = 0;

	/* "send 0->1": with whom is not what it is. */
	const char *space = rest.len != 0 ? memchr(rest.ptr, ' ', rest.len) : NULL;

	if (space != NULL && space != rest.ptr)
		rest.len = (size_t)(space - rest.ptr);
	for (size_t i = 0; i < rest.len && n < sizeof letters; i++) {
		if (isalnum((unsigned char)rest.ptr[i]))
			letters[n++] = (char)tolower((unsigned char)rest.ptr[i]);
	}
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (tp_slice_eq((struct tp_slice){letters, n}, tp_slice_of(known[i].written)))
			return (struct tp_torch_comm_op){tp_slice_of(known[i].name), known[i].kind};
	}
	if (n == 0)
		return (struct tp_torch_comm_op){TP_S("collective"), TP_TORCH_COMM_MIXED};
	return (struct tp_torch_comm_op){tp_arena_copy(a, rest), TP_TORCH_COMM_MIXED};
}

struct tp_torch_comm_op
tp_torch_comm_op_of_kernel(struct tp_slice name, struct tp_arena *a)
{
	/* A name that holds another comes first. */
	static const char *const parts[] = {"AllReduce", "all_reduce", "allreduce", "AllGather",
		"allgather", "ReduceScatter", "reduce_scatter", "AllToAll", "alltoall", "Broadcast",
		"Reduce"};

	if (tp_slice_has(name, TP_S("cross_device_reduce")))
		return tp_torch_comm_op_of(TP_S("all_reduce"), a);
	/* Of send, receive and all-to-all alike. */
	if (tp_slice_has(name, TP_S("SendRecv")))
		return (struct tp_torch_comm_op){TP_S("send and recv"), TP_TORCH_COMM_POINT};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (tp_slice_has(name, tp_slice_of(parts[i])))
			return tp_torch_comm_op_of(tp_slice_of(parts[i]), a);
	}
	return tp_torch_comm_op_of(TP_S(""), a);
}

double
tp_torch_comm_bus_bytes(enum tp_torch_comm_kind kind, int64_t in, int64_t out, int64_t n)
{
	double part = n > 0 ? (double)(n - 1) / (double)n : 0;

	switch (kind) {
	case TP_TORCH_COMM_REDUCES:
		return in > 0 ? 2 * part * (double)in : 0;
	case TP_TORCH_COMM_SCATTERS:
		return in > 0 ? part * (double)in : 0;
	case TP_TORCH_COMM_GATHERS:
		/* What comes out is what all put in. */
		return out > in ? part * (double)out : in > 0 ? part * (double)in * (double)n : 0;
	case TP_TORCH_COMM_ROOTED:
	case TP_TORCH_COMM_POINT:
		return in > 0 ? (double)in : out > 0 ? (double)out : 0;
	case TP_TORCH_COMM_IS_BARRIER:
	case TP_TORCH_COMM_MIXED:
		break;
	}
	return 0;
}

/* c10/core/ScalarType.h, and the names of the C++ types. */
static const struct {
	const char *name;
	uint32_t bytes;
} types[] = {
	{"float", 4},
	{"double", 8},
	{"half", 2},
	{"bfloat16", 2},
	{"long", 8},
	{"long int", 8},
	{"long long", 8},
	{"int", 4},
	{"short", 2},
	{"short int", 2},
	{"byte", 1},
	{"char", 1},
	{"signed char", 1},
	{"unsigned char", 1},
	{"bool", 1},
	{"unsigned short", 2},
	{"unsigned int", 4},
	{"unsigned long", 8},
	{"uint16", 2},
	{"uint32", 4},
	{"uint64", 8},
	{"complex<half>", 4},
	{"complexhalf", 4},
	{"complex<c10::half>", 4},
	{"complex<float>", 8},
	{"complexfloat", 8},
	{"complex<double>", 16},
	{"complexdouble", 16},
	{"float8_e5m2", 1},
	{"float8_e4m3fn", 1},
	{"float8_e5m2fnuz", 1},
	{"float8_e4m3fnuz", 1},
	{"float8_e8m0fnu", 1},
};

uint32_t
tp_torch_element_bytes(struct tp_slice type)
{
	if (tp_slice_starts(type, TP_S("c10::")))
		type = tp_slice_from(type, strlen("c10::"));
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		if (strlen(types[i].name) == type.len &&
			strncasecmp(types[i].name, type.ptr, type.len) == 0)
			return types[i].bytes;
	}
	return 0;
}

/* The text of the next string of a list, from *at on; empty at its end. */
static struct tp_slice
next_string(struct tp_slice list, size_t *at)
{
	while (*at < list.len && list.ptr[*at] != '"')
		(*at)++;
	size_t from = *at + 1, to = from;

	while (to < list.len && list.ptr[to] != '"')
		to++;
	*at = to + 1;
	return from < list.len ? (struct tp_slice){list.ptr + from, to - from} : TP_S("");
}

/* One tensor's list of sizes, in the innermost brackets. */
struct dims {
	int64_t product, number;
	bool in_number, wrong;
};

static void
take_number(struct dims *d)
{
	if (d->in_number && __builtin_mul_overflow(d->product, d->number, &d->product))
		d->wrong = true;
	d->in_number = false;
	d->number = 0;
}

static void
take_digit(struct dims *d, int digit)
{
	d->in_number = true;
	if (__builtin_mul_overflow(d->number, 10, &d->number) ||
		__builtin_add_overflow(d->number, digit, &d->number))
		d->wrong = true;
}

int64_t
tp_torch_shapes_bytes(struct tp_slice shapes, struct tp_slice type_names)
{
	struct dims d = {.product = 1};
	int64_t sum = -1;
	size_t at = 0, depth = 0;
	uint32_t size = 0;

	for (size_t i = 0; i < shapes.len; i++) {
		char c = shapes.ptr[i];

		if (c >= '0' && c <= '9') {
			take_digit(&d, c - '0');
		} else if (c == '[') {
			if (++depth == 2)
				size = tp_torch_element_bytes(next_string(type_names, &at));
			d = (struct dims){.product = 1};
		} else if (c == ',') {
			take_number(&d);
		} else if (c == ']') {
			take_number(&d);
			/* A list of lists has ended where the brackets are not the innermost. */
			if (depth >= 2 && size != 0 && shapes.ptr[i - 1] != ']' && !d.wrong) {
				int64_t bytes;

				if (!__builtin_mul_overflow(d.product, size, &bytes) &&
					__builtin_add_overflow(sum < 0 ? 0 : sum, bytes, &sum))
					return -1;
			}
			depth -= depth != 0;
		}
	}
	return sum;
}

uint32_t
tp_torch_comm_find_op(struct tp_torch_comm_names *names, struct tp_torch_comm_op op)
{
	uint32_t id = tp_intern(&names->op_keys, op.name);

	/* Id 0 is the empty string, which no operation is named. */
	while (names->ops.count < id)
		*(struct tp_torch_comm_op *)tp_buf_add(&names->ops, sizeof op) = op;
	return id - 1;
}

/* "[0, 1]" and "[0,1]" are the same. */
static struct tp_slice
without_spaces(struct tp_slice s, struct tp_arena *a)
{
	struct tp_slice copy = tp_arena_copy(a, s);
	char *to = (char *)copy.ptr;

	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] != ' ')
			*to++ = s.ptr[i];
	}
	copy.len = (size_t)(to - copy.ptr);
	return copy;
}

uint32_t
tp_torch_comm_find_known_group(struct tp_torch_comm_names *names, struct tp_torch_comm_group group)
{
	uint32_t id = tp_intern(&names->group_keys, group.key);

	while (names->groups.count < id)
		*(struct tp_torch_comm_group *)tp_buf_add(&names->groups, sizeof group) = group;
	return id - 1;
}

uint32_t
tp_torch_comm_find_group(struct tp_torch_comm_names *names, const struct tp_torch_trace *t,
	const struct tp_torch_collective *c, struct tp_slice backend, struct tp_arena *keep)
{
	const struct tp_torch_distributed *d = &t->distributed;
	struct tp_torch_comm_group g = {.size = -1};

	if (c != NULL && c->group_name.len != 0) {
		g.name =
			c->group_description.len != 0 && !tp_slice_eq(c->group_description, TP_S("undefined"))
			? c->group_description
			: c->group_name;
		g.ranks = c->group_ranks;
		g.size = c->group_size;
		g.key = c->group_name;
	} else if (d->group_count == 1) {
		g.name = d->groups[0].description.len != 0 ? d->groups[0].description : d->groups[0].name;
		g.ranks = d->groups[0].ranks;
		g.size = d->groups[0].size;
		g.key = d->groups[0].name;
	} else if (c != NULL && c->group_ranks.len != 0) {
		g.name = TP_S("not named");
		g.ranks = c->group_ranks;
		g.size = c->group_size;
	} else {
		g.name = g.key = backend.len != 0 ? backend
			: d->backend.len != 0         ? d->backend
										  : TP_TORCH_COMM_UNNAMED;
	}
	g.ranks = without_spaces(g.ranks, keep);
	g.key = tp_arena_printf(keep, "%.*s %.*s", TP_ARG(g.key), TP_ARG(g.ranks));
	return tp_torch_comm_find_known_group(names, g);
}

/* More workers than any job has. */
#define MOST_RANK (1 << 24)

/* The next whole number of a text, which then begins behind it. */
static bool
next_number(struct tp_slice *text, int64_t *number)
{
	size_t i = 0;

	while (i < text->len && (text->ptr[i] < '0' || text->ptr[i] > '9'))
		i++;
	if (i == text->len)
		return false;
	for (*number = 0; i < text->len && text->ptr[i] >= '0' && text->ptr[i] <= '9'; i++)
		*number = *number > INT64_MAX / 100 ? INT64_MAX / 100 : *number * 10 + (text->ptr[i] - '0');
	*text = tp_slice_from(*text, i);
	return true;
}

/* A list as far as it is whole: of long ones kineto writes the first and the last ("[0, 1, ..., 63]"). */
static struct tp_slice
whole_part(struct tp_slice list)
{
	const char *cut = list.len != 0 ? memmem(list.ptr, list.len, "...", 3) : NULL;

	return cut == NULL ? list : (struct tp_slice){list.ptr, (size_t)(cut - list.ptr)};
}

/* Member number `number` of a group, by its ranks; -1: the list is shorter or cut before it ("[0, 1, ..., 63]"). */
static int64_t
rank_at(struct tp_slice ranks, int64_t number)
{
	int64_t rank;

	ranks = whole_part(ranks);
	while (next_number(&ranks, &rank)) {
		if (number-- == 0)
			return rank;
	}
	return -1;
}

double
tp_torch_comm_away_share(struct tp_slice split, int64_t own)
{
	double all = 0, kept = -1;
	int64_t size;

	if (whole_part(split).len != split.len)
		return -1;
	while (next_number(&split, &size)) {
		all += (double)size;
		if (own-- == 0)
			kept = (double)size;
	}
	return kept < 0 || all <= 0 ? -1 : (all - kept) / all;
}

/* A member of a group as a rank of the job. Where nothing is said of the group it is the whole job. */
static int64_t
in_job(const struct tp_torch_trace *t, const struct tp_torch_collective *c, struct tp_slice ranks,
	int64_t number)
{
	const struct tp_torch_distributed *d = &t->distributed;

	if (number < 0 || number > MOST_RANK)
		return -1;
	if (c != NULL && c->rank_start >= 0 && c->rank_start <= MOST_RANK && c->rank_stride > 0 &&
		c->rank_stride <= MOST_RANK)
		return c->rank_start + c->rank_stride * number;
	for (uint32_t i = 0; c != NULL && i < d->group_count; i++) {
		if (tp_slice_eq(d->groups[i].name, c->group_name) && d->groups[i].ranks.len != 0)
			return rank_at(d->groups[i].ranks, number);
	}
	if (ranks.len != 0)
		return rank_at(ranks, number);
	return c == NULL || c->group_size < 0 || c->group_size == d->world_size ? number : -1;
}

/* The c10d operator that holds the start of a span, which gloo's outlast; TP_NONE: there is none. */
static uint32_t
operator_around(const struct tp_profile *p, const struct tp_torch_trace *t, uint32_t event)
{
	enum { LOOK_BACK = 8 };
	uint32_t first = t->lanes[tp_torch_lane_of(t, event)].first;

	for (uint32_t e = event; e > first && event - e < LOOK_BACK;) {
		e--;
		if (t->kind[e] != TP_TORCH_OPERATOR || tp_torch_end_ps(t, e) < tp_torch_start_ps(t, event))
			continue;
		struct tp_slice name = tp_torch_name(p, t, e);

		if (tp_slice_eq(name, TP_S("c10d::send")) || tp_slice_eq(name, TP_S("c10d::recv_")))
			return e;
	}
	return TP_NONE;
}

/* The rank in the group that an operator names; -1: none. */
static int64_t
peer_of(const struct tp_torch_trace *t, uint32_t asking)
{
	uint32_t peer = asking == TP_NONE || t->detail[asking] == TP_NONE
		? TP_NONE
		: t->attributes[t->operators[t->detail[asking]].attributes].peer;

	return peer == TP_NONE ? -1 : (int64_t)peer;
}

void
tp_torch_comm_ends(const struct tp_profile *p, const struct tp_torch_trace *t, uint32_t event,
	const struct tp_torch_collective *c, struct tp_slice ranks, bool sends,
	struct tp_torch_comm_call *call)
{
	struct tp_slice name = tp_torch_name(p, t, event);
	uint32_t asking = operator_around(p, t, event);
	bool named = tp_slice_has(name, TP_S("->")) || tp_slice_has(name, TP_S("<-"));
	int64_t own = t->distributed.rank, other = -1, member = -1, me = -1;

	if (named && next_number(&name, &me))
		named = next_number(&name, &member);
	if (own < 0 && named)
		own = in_job(t, c, ranks, me);
	if (c != NULL)
		other = sends ? c->to_rank : c->from_rank;
	if (!named)
		member = peer_of(t, asking);
	if (member < 0 && c != NULL)
		member = c->rank;
	if (other < 0)
		other = in_job(t, c, ranks, member);
	if (own > MOST_RANK || other > MOST_RANK)
		own = other = -1;
	call->from = sends ? own : other;
	call->to = sends ? other : own;
	call->asked_ps = tp_torch_start_ps(t, asking != TP_NONE ? asking : event);
}
