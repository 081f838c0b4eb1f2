/* Keys of events by tables: of their arguments those that somebody asks for, in the spelling of all versions. */
#include "ingest/torch_member.h"

#include <stddef.h>
#include <strings.h>

#include "base/arena.h"
#include "codec/json_number.h"
#include "ingest/torch_event.h"
#include "model/torch.h"

/* By length; letters count the same in both cases ("External id", "external id"; "Input Dims", "Input dims"). */
#define AT(field) offsetof(struct tp_torch_event, field)
static const struct tp_torch_member arguments[] = {
	{"Addr", TP_TORCH_WHOLE, AT(address)},
	{"grid", TP_TORCH_THREE, AT(grid)},
	{"name", TP_TORCH_TEXT, AT(label)},
	{"Rank", TP_TORCH_WHOLE, AT(rank)},
	{"size", TP_TORCH_WHOLE, AT(bytes)},
	{"block", TP_TORCH_THREE, AT(block)},
	{"bytes", TP_TORCH_WHOLE, AT(bytes)},
	{"dtype", TP_TORCH_TEXT, AT(dtype)},
	{"flops", TP_TORCH_WHOLE, AT(flops)},
	{"device", TP_TORCH_WHOLE, AT(device)},
	{"stream", TP_TORCH_WHOLE, AT(stream)},
	{"CallFrom", TP_TORCH_TEXT, AT(called_from)},
	{"Dst Rank", TP_TORCH_WHOLE, AT(to_rank)},
	{"Src Rank", TP_TORCH_WHOLE, AT(from_rank)},
	{"graph id", TP_TORCH_WHOLE, AT(graph)},
	{"Device Id", TP_TORCH_WHOLE, AT(device_id)},
	{"Python id", TP_TORCH_WHOLE, AT(python_id)},
	{"Call stack", TP_TORCH_TEXT, AT(stack)},
	{"Group size", TP_TORCH_WHOLE, AT(group_size)},
	{"Input Dims", TP_TORCH_TEXT, AT(shapes)},
	{"Input type", TP_TORCH_TEXT, AT(types)},
	{"correlation", TP_TORCH_WHOLE, AT(correlation)},
	{"Device Type", TP_TORCH_WHOLE, AT(device_type)},
	{"External id", TP_TORCH_WHOLE, AT(external_id)},
	{"kernel_flop", TP_TORCH_WHOLE, AT(flops)},
	{"warps per SM", TP_TORCH_REAL, AT(warps_per_sm)},
	{"blocks per SM", TP_TORCH_REAL, AT(blocks_per_sm)},
	{"Fwd thread id", TP_TORCH_WHOLE, AT(forward_thread)},
	{"In msg nelems", TP_TORCH_WHOLE, AT(in_elements)},
	{"In split size", TP_TORCH_TEXT, AT(in_split)},
	{"shared memory", TP_TORCH_WHOLE, AT(shared_bytes)},
	{"Out msg nelems", TP_TORCH_WHOLE, AT(out_elements)},
	{"Out split size", TP_TORCH_TEXT, AT(out_split)},
	{"Total Reserved", TP_TORCH_WHOLE, AT(reserved_bytes)},
	{"Collective name", TP_TORCH_TEXT, AT(collective)},
	{"Concrete Inputs", TP_TORCH_INPUTS, AT(inputs)},
	{"Sequence number", TP_TORCH_WHOLE, AT(sequence)},
	{"Total Allocated", TP_TORCH_WHOLE, AT(allocated_bytes)},
	{"Module Hierarchy", TP_TORCH_TEXT, AT(modules)},
	{"Python module id", TP_TORCH_WHOLE, AT(python_module)},
	{"Python parent id", TP_TORCH_WHOLE, AT(python_parent)},
	{"Global rank start", TP_TORCH_WHOLE, AT(rank_start)},
	{"Global rank stride", TP_TORCH_WHOLE, AT(rank_stride)},
	{"Process Group Name", TP_TORCH_TEXT, AT(group_name)},
	{"Process Group Ranks", TP_TORCH_TEXT, AT(group_ranks)},
	{"registers per thread", TP_TORCH_WHOLE, AT(registers)},
	{"theoretical occupancy %", TP_TORCH_REAL, AT(occupancy_percent)},
	{"est. achieved occupancy %", TP_TORCH_REAL, AT(occupancy_percent)},
	{"Process Group Description", TP_TORCH_TEXT, AT(group_description)},
};
enum { ARGUMENTS = sizeof arguments / sizeof *arguments };

static const struct tp_torch_member members[] = {
	{"ph", TP_TORCH_PHASE, AT(phase)},
	{"ts", TP_TORCH_START, AT(start_ns)},
	{"cat", TP_TORCH_CATEGORY, AT(category)},
	{"dur", TP_TORCH_DURATION, AT(duration_ns)},
	{"pid", TP_TORCH_PLACE, AT(pid)},
	{"tid", TP_TORCH_PLACE, AT(tid)},
	{"args", TP_TORCH_ARGUMENTS, 0},
	{"name", TP_TORCH_TEXT, AT(name)},
};
#undef AT

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

const struct tp_torch_member *
tp_torch_argument(const struct tp_torch_events *x, struct tp_slice key)
{
	if (key.len == 0 || key.len + 1 >= sizeof x->first)
		return NULL;
	for (const struct tp_torch_member *a = arguments + x->first[key.len],
									  *end = arguments + x->first[key.len + 1];
		 a != end; a++) {
		if (same_letter(a->key[0], key.ptr[0]) &&
			same_letter(a->key[key.len - 1], key.ptr[key.len - 1]) && same_word(a->key, key))
			return a;
	}
	return NULL;
}

const struct tp_torch_member *
tp_torch_member(struct tp_slice key)
{
	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		if (tp_slice_eq(key, tp_slice_of(members[i].key)))
			return &members[i];
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
	*old = false;
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

uint32_t
tp_torch_list(struct tp_torch_events *x, struct tp_slice raw)
{
	uint64_t key = tp_hash_here(raw);
	uint32_t id = tp_map_get(&x->compact, key);

	if (id == TP_MAP_NONE) {
		id = tp_intern(x->strings, compact(x->arena, raw));
		tp_map_put(&x->compact, key, id);
	}
	return id;
}

/* Of a process or thread: a number or a text. */
static void
set_place(struct tp_torch_events *x, struct tp_slice text, int which, uint32_t *out)
{
	if (x->last[which].length == text.len && memcmp(x->last[which].text, text.ptr, text.len) == 0) {
		*out = x->last[which].id;
		return;
	}
	*out = tp_intern_copy(x->strings, text);
	if (text.len > sizeof x->last[which].text)
		return;
	memcpy(x->last[which].text, text.ptr, text.len);
	x->last[which].length = text.len;
	x->last[which].id = *out;
}

static uint32_t
text_id(struct tp_torch_events *x, enum tp_pull_type type, struct tp_slice text)
{
	switch (type) {
	case TP_PULL_STRING:
	case TP_PULL_NUMBER:
	case TP_PULL_TRUE:
	case TP_PULL_FALSE:
		return tp_intern_copy(x->strings, text);
	case TP_PULL_NULL:
	case TP_PULL_NON_FINITE:
	case TP_PULL_OBJECT:
	case TP_PULL_ARRAY:
	case TP_PULL_OBJECT_END:
	case TP_PULL_ARRAY_END:
		break;
	}
	return 0;
}

void
tp_torch_set(struct tp_torch_events *x, const struct tp_torch_member *m, enum tp_pull_type type,
	struct tp_slice text, struct tp_torch_event *e)
{
	bool is_text = type == TP_PULL_STRING || type == TP_PULL_NUMBER;
	void *to = (char *)e + m->at;
	int64_t whole;
	double real;

	switch (m->form) {
	case TP_TORCH_WHOLE:
		if (is_text && tp_decimal_integer(text, &whole))
			*(int64_t *)to = whole;
		break;
	case TP_TORCH_REAL:
		if (is_text && tp_decimal_double(text, &real))
			*(double *)to = real;
		break;
	case TP_TORCH_TEXT:
		*(uint32_t *)to = text_id(x, type, text);
		break;
	case TP_TORCH_PLACE:
		if (is_text)
			set_place(x, text, to == &e->tid, to);
		break;
	case TP_TORCH_START:
		/* Microseconds, with decimals or without. */
		e->has_start = is_text && tp_decimal_scaled(text, 3, to);
		e->fraction = e->has_start && memchr(text.ptr, '.', text.len) != NULL;
		break;
	case TP_TORCH_DURATION:
		e->has_duration = is_text && tp_decimal_scaled(text, 3, to);
		break;
	case TP_TORCH_PHASE:
		if (type == TP_PULL_STRING && text.len == 1)
			e->phase = text.ptr[0];
		break;
	case TP_TORCH_CATEGORY:
		if (type == TP_PULL_STRING)
			e->category = find_category(text, &e->old_category);
		break;
	case TP_TORCH_THREE:
	case TP_TORCH_INPUTS:
	case TP_TORCH_ARGUMENTS:
		break;
	}
}

bool
tp_torch_names_peer(const struct tp_torch_events *x, const struct tp_torch_event *e)
{
	return tp_slice_starts(tp_string(x->strings, e->name), TP_S("c10d::"));
}

bool
tp_torch_keeps_inputs(const struct tp_torch_events *x, const struct tp_torch_event *e)
{
	return tp_slice_starts(tp_string(x->strings, e->name), TP_S("aten::convolution"));
}
