/* Keys of events by tables: of their arguments those that somebody asks for, in the spelling of all versions. */
#include "ingest/torch_event.h"

#include <math.h>
#include <strings.h>

#include "base/arena.h"
#include "codec/json_number.h"
#include "codec/json_pull.h"
#include "model/torch.h"

enum form { WHOLE, TEXT, REAL, THREE, PEER };

struct argument {
	const char *key;
	enum form form;
	size_t at;
};

/* By length; letters count the same in both cases ("External id", "external id"; "Input Dims", "Input dims"). */
#define AT(field) offsetof(struct tp_torch_event, field)
static const struct argument arguments[] = {
	{"Addr", WHOLE, AT(address)},
	{"grid", THREE, AT(grid)},
	{"name", TEXT, AT(label)},
	{"Rank", WHOLE, AT(rank)},
	{"size", WHOLE, AT(bytes)},
	{"block", THREE, AT(block)},
	{"bytes", WHOLE, AT(bytes)},
	{"dtype", TEXT, AT(dtype)},
	{"flops", WHOLE, AT(flops)},
	{"device", WHOLE, AT(device)},
	{"stream", WHOLE, AT(stream)},
	{"CallFrom", TEXT, AT(called_from)},
	{"Dst Rank", WHOLE, AT(to_rank)},
	{"Src Rank", WHOLE, AT(from_rank)},
	{"graph id", WHOLE, AT(graph)},
	{"Device Id", WHOLE, AT(device_id)},
	{"Python id", WHOLE, AT(python_id)},
	{"Call stack", TEXT, AT(stack)},
	{"Group size", WHOLE, AT(group_size)},
	{"Input Dims", TEXT, AT(shapes)},
	{"Input type", TEXT, AT(types)},
	{"correlation", WHOLE, AT(correlation)},
	{"Device Type", WHOLE, AT(device_type)},
	{"External id", WHOLE, AT(external_id)},
	{"kernel_flop", WHOLE, AT(flops)},
	{"warps per SM", REAL, AT(warps_per_sm)},
	{"blocks per SM", REAL, AT(blocks_per_sm)},
	{"Fwd thread id", WHOLE, AT(forward_thread)},
	{"In msg nelems", WHOLE, AT(in_elements)},
	{"In split size", TEXT, AT(in_split)},
	{"shared memory", WHOLE, AT(shared_bytes)},
	{"Out msg nelems", WHOLE, AT(out_elements)},
	{"Out split size", TEXT, AT(out_split)},
	{"Total Reserved", WHOLE, AT(reserved_bytes)},
	{"Collective name", TEXT, AT(collective)},
	{"Concrete Inputs", PEER, AT(peer)},
	{"Sequence number", WHOLE, AT(sequence)},
	{"Total Allocated", WHOLE, AT(allocated_bytes)},
	{"Module Hierarchy", TEXT, AT(modules)},
	{"Python module id", WHOLE, AT(python_module)},
	{"Python parent id", WHOLE, AT(python_parent)},
	{"Global rank start", WHOLE, AT(rank_start)},
	{"Global rank stride", WHOLE, AT(rank_stride)},
	{"Process Group Name", TEXT, AT(group_name)},
	{"Process Group Ranks", TEXT, AT(group_ranks)},
	{"registers per thread", WHOLE, AT(registers)},
	{"theoretical occupancy %", REAL, AT(occupancy_percent)},
	{"est. achieved occupancy %", REAL, AT(occupancy_percent)},
	{"Process Group Description", TEXT, AT(group_description)},
};
#undef AT
enum { ARGUMENTS = sizeof arguments / sizeof *arguments };

#define WORD(text)                                                                                 \
	{                                                                                              \
		text, sizeof(text) - 1                                                                     \
	}
static const struct {
	struct tp_slice name;
	uint8_t category;
	bool old; /* when the first letter is a capital */
} categories[] = {
	{WORD("cpu_op"), TP_TORCH_OPERATOR, false},
	{WORD("python_function"), TP_TORCH_PYTHON, false},
	{WORD("kernel"), TP_TORCH_KERNEL, true},
	{WORD("cuda_runtime"), TP_TORCH_RUNTIME, false},
	{WORD("user_annotation"), TP_TORCH_ANNOTATION, false},
	{WORD("Operator"), TP_TORCH_OPERATOR, true},
	{WORD("Runtime"), TP_TORCH_RUNTIME, true},
	{WORD("gpu_memcpy"), TP_TORCH_MEMCPY, false},
	{WORD("gpu_memset"), TP_TORCH_MEMSET, false},
	{WORD("Memcpy"), TP_TORCH_MEMCPY, true},
	{WORD("Memset"), TP_TORCH_MEMSET, true},
	{WORD("cuda_driver"), TP_TORCH_DRIVER, false},
	{WORD("cuda_sync"), TP_TORCH_SYNC, false},
	{WORD("gpu_user_annotation"), TP_TORCH_GPU_ANNOTATION, false},
	{WORD("overhead"), TP_TORCH_OVERHEAD, false},
	{WORD("Trace"), TP_TORCH_CATEGORY_TRACE, false},
	{WORD("python"), TP_TORCH_PYTHON, false},
	{WORD("hip_runtime"), TP_TORCH_RUNTIME, false},
	{WORD("hip_driver"), TP_TORCH_DRIVER, false},
	{WORD("xpu_runtime"), TP_TORCH_RUNTIME, false},
	{WORD("xpu_driver"), TP_TORCH_DRIVER, false},
	{WORD("mtia_runtime"), TP_TORCH_RUNTIME, false},
	{WORD("mtia_ccp_events"), TP_TORCH_CATEGORY_MTIA, false},
	{WORD("privateuse1_runtime"), TP_TORCH_RUNTIME, false},
	{WORD("privateuse1_driver"), TP_TORCH_DRIVER, false},
};
#undef WORD

static const struct tp_torch_event nothing = {
	.category = TP_TORCH_CATEGORY_NONE,
	.correlation = -1,
	.external_id = -1,
	.sequence = -1,
	.forward_thread = -1,
	.flops = -1,
	.python_id = -1,
	.python_parent = -1,
	.python_module = -1,
	.device = -1,
	.stream = -1,
	.bytes = INT64_MIN,
	.graph = -1,
	.registers = -1,
	.shared_bytes = -1,
	.device_type = -1,
	.device_id = -1,
	.address = -1,
	.allocated_bytes = -1,
	.reserved_bytes = -1,
	.in_elements = -1,
	.out_elements = -1,
	.group_size = -1,
	.rank = -1,
	.rank_start = -1,
	.rank_stride = -1,
	.from_rank = -1,
	.to_rank = -1,
	.peer = -1,
	.blocks_per_sm = NAN,
	.warps_per_sm = NAN,
	.occupancy_percent = NAN,
};

void
tp_torch_events_init(struct tp_torch_events *x, struct tp_arena *scratch, struct tp_arena *keep,
	struct tp_strings *strings)
{
	*x = (struct tp_torch_events){.arena = keep, .strings = strings};
	tp_map_init(&x->compact, scratch);
	for (size_t length = 0, a = 0; length < sizeof x->first; length++) {
		while (a < ARGUMENTS && strlen(arguments[a].key) < length)
			a++;
		x->first[length] = (uint8_t)a;
	}
}

/* Nearly always to the letter. word has at least as many bytes. */
static bool
same_word(const char *word, struct tp_slice text)
{
	return memcmp(word, text.ptr, text.len) == 0 || strncasecmp(word, text.ptr, text.len) == 0;
}

/* In either case; the same is said of some pairs of other bytes. */
static inline bool
same_letter(char a, char b)
{
	return ((a ^ b) & ~0x20) == 0;
}

static const struct argument *
find_argument(const struct tp_torch_events *x, struct tp_slice key)
{
	if (key.len == 0 || key.len + 1 >= sizeof x->first)
		return NULL;
	for (const struct argument *a = arguments + x->first[key.len],
							   *end = arguments + x->first[key.len + 1];
		 a != end; a++) {
		if (same_letter(a->key[0], key.ptr[0]) &&
			same_letter(a->key[key.len - 1], key.ptr[key.len - 1]) && same_word(a->key, key))
			return a;
	}
	return NULL;
}

static uint8_t
find_category(struct tp_slice text, bool *old)
{
	for (size_t i = 0; i < sizeof categories / sizeof *categories; i++) {
		if (categories[i].name.len != text.len || !same_word(categories[i].name.ptr, text))
			continue;
		*old = categories[i].old && text.ptr[0] < 'a';
		return categories[i].category;
	}
	return text.len != 0 ? TP_TORCH_OTHER : TP_TORCH_CATEGORY_NONE;
}

/* JSON without the white space between its parts. */
static struct tp_slice
compact(struct tp_arena *arena, struct tp_slice json)
{
	char *text = tp_arena_alloc(arena, json.len);
	size_t length = 0;
	bool quoted = false;

	for (size_t i = 0; i < json.len; i++) {
		char c = json.ptr[i];

		if (!quoted && (unsigned char)c <= ' ')
			continue;
		if (c == '"')
			quoted = !quoted;
		text[length++] = c;
		if (quoted && c == '\\' && i + 1 < json.len)
			text[length++] = json.ptr[++i];
	}
	return (struct tp_slice){text, length};
}

static bool
list_text(struct tp_torch_events *x, struct tp_pull *j, uint32_t *out)
{
	struct tp_slice raw;

	if (!tp_pull_raw(j, &raw))
		return false;
	uint64_t key = tp_hash_bytes(raw);

	*out = tp_map_get(&x->compact, key);
	if (*out == TP_MAP_NONE) {
		*out = tp_intern(x->strings, compact(x->arena, raw));
		tp_map_put(&x->compact, key, *out);
	}
	return true;
}

bool
tp_torch_text(struct tp_torch_events *x, struct tp_pull *j, uint32_t *out)
{
	switch (j->type) {
	case TP_PULL_OBJECT:
	case TP_PULL_ARRAY:
		return list_text(x, j, out);
	case TP_PULL_STRING:
	case TP_PULL_NUMBER:
	case TP_PULL_TRUE:
	case TP_PULL_FALSE:
		*out = tp_intern_copy(x->strings, j->text);
		return true;
	case TP_PULL_NULL:
	case TP_PULL_ODD:
	case TP_PULL_OBJECT_END:
	case TP_PULL_ARRAY_END:
		break;
	}
	*out = 0;
	return true;
}

static bool
is_text(const struct tp_pull *j)
{
	return j->type == TP_PULL_STRING || j->type == TP_PULL_NUMBER;
}

/* A list of up to three whole numbers ≥ 0; what is not one of these is taken for 0, and all for absent. */
static bool
three(struct tp_pull *j, uint32_t out[static 3])
{
	uint32_t n[3] = {0};
	size_t count = 0;

	if (j->type != TP_PULL_ARRAY)
		return tp_pull_skip(j);
	while (tp_pull_item(j)) {
		int64_t number = 0;

		if (count < 3 && j->type == TP_PULL_NUMBER && tp_decimal_integer(j->text, &number) &&
			number >= 0 && number <= UINT32_MAX)
			n[count] = (uint32_t)number;
		count++;
		if (!tp_pull_skip(j))
			return false;
	}
	memcpy(out, n, sizeof n);
	return j->state == TP_PULL_MORE;
}

/* The third input of c10d::send(tensors, group, rank, tag) and recv_. Of other operators, whose name comes before their
 * arguments, inputs are not kept. */
static bool
peer(struct tp_torch_events *x, struct tp_pull *j, const struct tp_torch_event *e, int64_t *out)
{
	if (j->type != TP_PULL_ARRAY ||
		!tp_slice_starts(tp_string(x->strings, e->name), TP_S("c10d::")))
		return tp_pull_skip(j);
	for (size_t at = 0; tp_pull_item(j); at++) {
		int64_t rank;

		if (at == 2 && is_text(j) && tp_decimal_integer(j->text, &rank))
			*out = rank;
		if (!tp_pull_skip(j))
			return false;
	}
	return j->state == TP_PULL_MORE;
}

static bool
take(struct tp_torch_events *x, struct tp_pull *j, const struct argument *a,
	struct tp_torch_event *e)
{
	void *to = (char *)e + a->at;
	int64_t whole;
	double real;

	switch (a->form) {
	case WHOLE:
		if (is_text(j) && tp_decimal_integer(j->text, &whole))
			*(int64_t *)to = whole;
		break;
	case REAL:
		if (is_text(j) && tp_decimal_double(j->text, &real))
			*(double *)to = real;
		break;
	case TEXT:
		return tp_torch_text(x, j, to);
	case THREE:
		return three(j, to);
	case PEER:
		return peer(x, j, e, to);
	}
	return tp_pull_skip(j);
}

static bool
read_arguments(struct tp_torch_events *x, struct tp_pull *j, struct tp_torch_event *e)
{
	if (j->type != TP_PULL_OBJECT)
		return tp_pull_skip(j);
	while (tp_pull_item(j)) {
		const struct argument *a = find_argument(x, j->key);

		if (!(a == NULL ? tp_pull_skip(j) : take(x, j, a, e)))
			return false;
	}
	return j->state == TP_PULL_MORE;
}

/* Of a process or thread: a number or a text. */
static void
read_place(struct tp_torch_events *x, const struct tp_pull *j, int which, uint32_t *out)
{
	if (!is_text(j))
		return;
	if (x->last[which].length == j->text.len &&
		memcmp(x->last[which].text, j->text.ptr, j->text.len) == 0) {
		*out = x->last[which].id;
		return;
	}
	*out = tp_intern_copy(x->strings, j->text);
	if (j->text.len > sizeof x->last[which].text)
		return;
	memcpy(x->last[which].text, j->text.ptr, j->text.len);
	x->last[which].length = j->text.len;
	x->last[which].id = *out;
}

/* Microseconds, with decimals or without. */
static bool
read_time(const struct tp_pull *j, int64_t *ns)
{
	return is_text(j) && tp_decimal_scaled(j->text, 3, ns);
}

static bool
key_is(const struct tp_pull *j, const char *key, size_t length)
{
	return j->key.len == length && memcmp(j->key.ptr, key, length) == 0;
}

static bool
read_member(struct tp_torch_events *x, struct tp_pull *j, struct tp_torch_event *e)
{
	if (key_is(j, "args", 4))
		return read_arguments(x, j, e);
	if (key_is(j, "ph", 2)) {
		if (j->type == TP_PULL_STRING && j->text.len == 1)
			e->phase = j->text.ptr[0];
	} else if (key_is(j, "ts", 2)) {
		e->has_start = read_time(j, &e->start_ns);
		e->fraction = e->has_start && memchr(j->text.ptr, '.', j->text.len) != NULL;
	} else if (key_is(j, "dur", 3)) {
		e->has_duration = read_time(j, &e->duration_ns);
	} else if (key_is(j, "pid", 3)) {
		read_place(x, j, 0, &e->pid);
	} else if (key_is(j, "tid", 3)) {
		read_place(x, j, 1, &e->tid);
	} else if (key_is(j, "cat", 3)) {
		if (j->type == TP_PULL_STRING)
			e->category = find_category(j->text, &e->old_category);
	} else if (key_is(j, "name", 4)) {
		return tp_torch_text(x, j, &e->name);
	}
	return tp_pull_skip(j);
}

bool
tp_torch_event_read(struct tp_torch_events *x, struct tp_pull *j, struct tp_torch_event *e)
{
	*e = nothing;
	while (tp_pull_item(j)) {
		if (!read_member(x, j, e))
			return false;
	}
	return j->state == TP_PULL_MORE;
}
