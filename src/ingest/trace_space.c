/* Events of a trace → lines, names and stats of an XSpace, in the order in which they come. Field numbers: xplane.proto. */
#include "ingest/trace_space.h"

#include "base/arena.h"
#include "codec/json_number.h"
#include "ingest/trace_parts.h"

struct tp_trace_space *
tp_trace_space_new(void)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_trace_space *s = tp_new(arena, struct tp_trace_space);

	s->arena = arena;
	tp_strings_init(&s->strings, arena);
	tp_map_init(&s->plane_of, arena);
	tp_map_init(&s->line_of, arena);
	tp_map_init(&s->metadata_of, arena);
	tp_map_init(&s->named, arena);
	return s;
}

void
tp_trace_space_free(struct tp_trace_space *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; i < s->lines.count; i++)
		tp_buf_free(&((struct tp_trace_line *)s->lines.data)[i].events);
	for (size_t i = 0; i < s->planes.count; i++) {
		tp_buf_free(&((struct tp_trace_plane *)s->planes.data)[i].metadata);
		tp_buf_free(&((struct tp_trace_plane *)s->planes.data)[i].stat_names);
	}
	tp_buf_free(&s->planes);
	tp_buf_free(&s->lines);
	tp_buf_free(&s->arguments);
	tp_buf_free(&s->roots);
	tp_buf_free(&s->event);
	tp_buf_free(&s->stat);
	tp_arena_free(s->arena);
}

static uint32_t
plane_of(struct tp_trace_space *s, uint64_t process)
{
	uint32_t index = tp_map_get(&s->plane_of, process);

	if (index != TP_MAP_NONE)
		return index;
	struct tp_trace_plane *plane = tp_buf_add(&s->planes, sizeof *plane);

	plane->process = process;
	tp_map_put(&s->plane_of, process, (uint32_t)s->planes.count - 1);
	return (uint32_t)s->planes.count - 1;
}

struct tp_trace_plane *
tp_trace_plane_at(struct tp_trace_space *s, uint32_t index)
{
	return (struct tp_trace_plane *)s->planes.data + index;
}

static struct tp_trace_line *
line_at(struct tp_trace_space *s, uint32_t index)
{
	return (struct tp_trace_line *)s->lines.data + index;
}

/* Behind the other lines of its plane. */
static void
append_line(struct tp_trace_space *s, uint32_t index)
{
	struct tp_trace_plane *plane = tp_trace_plane_at(s, line_at(s, index)->plane);

	if (plane->last_line != 0)
		line_at(s, plane->last_line - 1)->next = index + 1;
	else
		plane->first_line = index + 1;
	plane->last_line = index + 1;
}

static struct tp_trace_line *
line_of(struct tp_trace_space *s, uint64_t process, uint64_t thread)
{
	uint64_t key = tp_hash_pair(process, thread);
	uint32_t index = tp_map_get(&s->line_of, key);

	if (index != TP_MAP_NONE)
		return line_at(s, index);
	index = (uint32_t)s->lines.count;
	struct tp_trace_line *line = tp_buf_add(&s->lines, sizeof *line);

	line->plane = plane_of(s, process);
	line->thread = thread;
	tp_map_put(&s->line_of, key, index);
	append_line(s, index);
	return line;
}

/* "/device:TPU:0" of "host 10.0.0.2 /device:TPU:0 (pid 1)"; empty when it is none of a profiler of XLA or TensorFlow. Names
 * of its timelines of single sessions ("/job:…/device:CPU:0 Compute") are not meant. */
static struct tp_slice
plane_name(struct tp_slice name)
{
	static const char *const marks[] = {"/host:", "/device:", "Task Environment"};
	const char *at = NULL;

	if (tp_slice_starts(name, TP_S("/job:")) || tp_slice_ends(name, TP_S(" Compute")) ||
		tp_slice_ends(name, TP_S(" Tensors")))
		return TP_S("");
	for (size_t i = 0; i < sizeof marks / sizeof *marks && at == NULL && name.len != 0; i++)
		at = memmem(name.ptr, name.len, marks[i], strlen(marks[i]));
	if (at == NULL)
		return TP_S("");
	name = tp_slice_from(name, (size_t)(at - name.ptr));
	const char *pid = memmem(name.ptr, name.len, " (pid ", 6);

	return pid != NULL ? (struct tp_slice){name.ptr, (size_t)(pid - name.ptr)} : name;
}

void
tp_trace_process(struct tp_trace_space *s, uint64_t process, struct tp_slice name)
{
	struct tp_trace_plane *plane = tp_trace_plane_at(s, plane_of(s, process));

	plane->name = tp_string(&s->strings, tp_intern_copy(&s->strings, plane_name(name)));
	plane->host = tp_slice_starts(plane->name, TP_S("/host:"));
	plane->tpu = tp_slice_starts(plane->name, TP_S("/device:TPU:"));
}

bool
tp_trace_space_is_named(struct tp_trace_space *s)
{
	for (uint32_t i = 0; i < s->planes.count; i++) {
		if (tp_trace_plane_at(s, i)->name.len != 0)
			return true;
	}
	return false;
}

void
tp_trace_thread(struct tp_trace_space *s, uint64_t process, uint64_t thread, struct tp_slice name)
{
	struct tp_slice kept = tp_string(&s->strings, tp_intern_copy(&s->strings, name));

	line_of(s, process, thread)->name = kept;
}

/* text: a stat whose values are texts, also when they look like numbers. of_operation: one of a TPU that is of the operation, not of its
 * occurrence; a trace has it on each occurrence. */
static const struct {
	bool text, of_operation;
} stats[TP_XKEY_COUNT] = {
	[TP_XKEY_HLO_OP] = {.text = true},
	[TP_XKEY_STEP_NAME] = {.text = true},
	[TP_XKEY_CATEGORY] = {.text = true, .of_operation = true},
	[TP_XKEY_PROGRAM] = {.of_operation = true},
	[TP_XKEY_SYMBOL] = {.of_operation = true},
	[TP_XKEY_FLOPS] = {.of_operation = true},
	[TP_XKEY_MODEL_FLOPS] = {.of_operation = true},
	[TP_XKEY_BYTES] = {.of_operation = true},
	[TP_XKEY_FRAMEWORK] = {.text = true, .of_operation = true},
	[TP_XKEY_SOURCE] = {.text = true, .of_operation = true},
	[TP_XKEY_SHAPE] = {.text = true, .of_operation = true},
	[TP_XKEY_DUPLICATES] = {.text = true, .of_operation = true},
	[TP_XKEY_KERNEL_SHAPE] = {.text = true},
	[TP_XKEY_KERNEL_DETAILS] = {.text = true},
	[TP_XKEY_COPY_DETAILS] = {.text = true},
	[TP_XKEY_FILL_DETAILS] = {.text = true},
	[TP_XKEY_ANNOTATION] = {.text = true},
	[TP_XKEY_EQUATION] = {.text = true},
	[TP_XKEY_STAGE_CATEGORY] = {.text = true},
};

/* Also numbers beyond int64, whose bits are what counts. */
static bool
whole_number(struct tp_slice text, int64_t *out)
{
	uint64_t number = 0;

	if (tp_slice_eq(text, TP_S("true")) || tp_slice_eq(text, TP_S("false"))) {
		*out = text.len == 4;
		return true;
	}
	if (tp_decimal_integer(text, out))
		return true;
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] < '0' || text.ptr[i] > '9' ||
			__builtin_mul_overflow(number, (uint64_t)10, &number) ||
			__builtin_add_overflow(number, (uint64_t)(text.ptr[i] - '0'), &number))
			return false;
	}
	*out = (int64_t)number;
	return text.len != 0;
}

void
tp_trace_argument(struct tp_trace_space *s, struct tp_slice key, struct tp_slice value)
{
	enum tp_xkey meaning = tp_xkey_named(key);

	if (tp_slice_eq(key, TP_S("long_name")))
		s->long_name_id = tp_intern_copy(&s->strings, value);
	/* An event has no more of them than there are meanings. */
	if (meaning == TP_XKEY_OTHER || s->arguments.count == TP_XKEY_COUNT)
		return;
	struct tp_trace_arg *a = tp_buf_add(&s->arguments, sizeof *a);

	a->key = meaning;
	a->key_id = tp_intern_copy(&s->strings, key);
	a->is_number = !stats[meaning].text && whole_number(value, &a->number);
	if (!a->is_number)
		a->text_id = tp_intern_copy(&s->strings, value);
}

/* The id, in the plane's stat metadata, of a string that a stat says. */
static uint64_t
stat_name(struct tp_trace_space *s, uint32_t plane, uint32_t string)
{
	uint64_t key = tp_hash_pair(plane, string), id = (uint64_t)string + 1;
	struct tp_buf *o = &tp_trace_plane_at(s, plane)->stat_names;

	if (tp_map_get(&s->named, key) != TP_MAP_NONE)
		return id;
	tp_map_put(&s->named, key, 0);
	struct tp_buf value = {0}, entry = {0};

	tp_pb_put_number(&value, 1, id);
	tp_pb_put_bytes(&value, 2, tp_string(&s->strings, string));
	tp_pb_put_number(&entry, 1, id);
	tp_pb_put_bytes(&entry, 2, tp_pb_written(&value));
	tp_pb_put_bytes(o, 5, tp_pb_written(&entry));
	tp_buf_free(&value);
	tp_buf_free(&entry);
	return id;
}

static void
put_number(
	struct tp_trace_space *s, struct tp_buf *to, uint32_t field, uint64_t key, int64_t number)
{
	s->stat.count = 0;
	tp_pb_put_number(&s->stat, 1, key);
	tp_pb_put_number(&s->stat, 4, (uint64_t)number);
	tp_pb_put_bytes(to, field, tp_pb_written(&s->stat));
}

void
tp_trace_put_stat(struct tp_trace_space *s, struct tp_buf *event, uint32_t plane,
	struct tp_slice key, int64_t number)
{
	put_number(s, event, 4, stat_name(s, plane, tp_intern_copy(&s->strings, key)), number);
}

static void
put_argument(struct tp_trace_space *s, uint32_t plane, const struct tp_trace_arg *a,
	struct tp_buf *to, uint32_t field)
{
	uint64_t key = stat_name(s, plane, a->key_id);

	if (a->is_number) {
		put_number(s, to, field, key, a->number);
		return;
	}
	uint64_t value = stat_name(s, plane, a->text_id);

	s->stat.count = 0;
	tp_pb_put_number(&s->stat, 1, key);
	tp_pb_put_number(&s->stat, 7, value);
	tp_pb_put_bytes(to, field, tp_pb_written(&s->stat));
}

/* The metadata of events of this name; those of a TPU carry the operation's stats, as its first occurrence says them. */
static uint64_t
metadata_of(struct tp_trace_space *s, uint32_t plane, uint32_t name)
{
	uint64_t key = tp_hash_pair(tp_hash_pair(plane, name), s->long_name_id);
	uint32_t known = tp_map_get(&s->metadata_of, key);

	if (known != TP_MAP_NONE)
		return known;
	uint32_t id = ++s->metadata_count;
	struct tp_slice text = tp_string(&s->strings, name);
	struct tp_slice longer = tp_string(&s->strings, s->long_name_id);
	const struct tp_trace_arg *arguments = s->arguments.data;
	struct tp_buf value = {0}, entry = {0};

	tp_map_put(&s->metadata_of, key, id);
	tp_pb_put_number(&value, 1, id);
	tp_pb_put_bytes(&value, 2, longer.len != 0 ? longer : text);
	if (longer.len != 0)
		tp_pb_put_bytes(&value, 4, text);
	for (size_t i = 0; tp_trace_plane_at(s, plane)->tpu && i < s->arguments.count; i++) {
		if (stats[arguments[i].key].of_operation)
			put_argument(s, plane, &arguments[i], &value, 5);
	}
	tp_pb_put_number(&entry, 1, id);
	tp_pb_put_bytes(&entry, 2, tp_pb_written(&value));
	tp_pb_put_bytes(&tp_trace_plane_at(s, plane)->metadata, 4, tp_pb_written(&entry));
	tp_buf_free(&value);
	tp_buf_free(&entry);
	return id;
}

void
tp_trace_event(struct tp_trace_space *s, uint64_t process, uint64_t thread, struct tp_slice name,
	int64_t start_ps, int64_t duration_ps)
{
	uint32_t name_id = tp_intern_copy(&s->strings, name),
			 plane = line_of(s, process, thread)->plane;
	uint64_t metadata = metadata_of(s, plane, name_id);
	const struct tp_trace_arg *arguments = s->arguments.data;
	bool numbered = false, tpu = tp_trace_plane_at(s, plane)->tpu;
	struct tp_trace_line *line;

	s->event.count = 0;
	tp_pb_put_number(&s->event, 1, metadata);
	tp_pb_put_number(&s->event, 2, (uint64_t)start_ps);
	tp_pb_put_number(&s->event, 3, (uint64_t)duration_ps);
	for (size_t i = 0; i < s->arguments.count; i++) {
		numbered |= arguments[i].key == TP_XKEY_STEP_NUMBER;
		s->grouped |= arguments[i].key == TP_XKEY_GROUP || arguments[i].key == TP_XKEY_CONSUMER_ID;
		if (!tpu || !stats[arguments[i].key].of_operation)
			put_argument(s, plane, &arguments[i], &s->event, 4);
	}
	line = line_of(s, process, thread);
	/* A numbered step of the host is the root of what happens in it; profilers write that down, but not into traces. */
	if (numbered && tp_trace_plane_at(s, plane)->host && duration_ps > 0) {
		struct tp_trace_root *root = tp_buf_add(&s->roots, sizeof *root);

		line->has_roots = true;
		*root = (struct tp_trace_root){start_ps, start_ps, (int64_t)s->roots.count};
		__builtin_add_overflow(start_ps, duration_ps, &root->end_ps);
		tp_trace_put_stat(s, &s->event, plane, TP_S("_r"), 1);
		tp_trace_put_stat(s, &s->event, plane, TP_S("_pt"), TP_TRACE_FLOW_TYPE);
		tp_trace_put_stat(s, &s->event, plane, TP_S("_p"), root->flow);
	}
	tp_pb_put_bytes(&line->events, 4, tp_pb_written(&s->event));
	s->event_count++;
	tp_trace_no_event(s);
}

void
tp_trace_no_event(struct tp_trace_space *s)
{
	s->arguments.count = 0;
	s->long_name_id = 0;
}

uint64_t
tp_trace_event_count(const struct tp_trace_space *s)
{
	return s->event_count;
}
