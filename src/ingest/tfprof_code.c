/* The last frame of a stack is the innermost; of those in the framework's own files nobody learns where a node is from. */
#include "ingest/tfprof_code.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/texts.h"
#include "codec/pb_message.h"
#include "tfprof.pb-c.h"

enum { CODE_TRACE = 1 };

static bool
is_of_framework(struct tp_slice file)
{
	return tp_texts_any(file, tp_slice_has,
		TP_TEXTS("/tensorflow/python/", "/tensorflow_core/python/", "/tensorflow_estimator/python/",
			"/tensorflow/contrib/", "/tensorflow/dtensor/", "-packages/keras/",
			"-packages/tf_keras/", "-packages/tf_slim/"));
}

static void
keep(struct tp_tfprof_code *code, struct tp_buf *texts, struct tp_slice entry)
{
	struct tp_tfprof_text *t = tp_buf_add(texts, sizeof *t);
	Tp__NumberedEntry m = TP__NUMBERED_ENTRY__INIT;

	tp_pb_message(&m.base, entry);
	t->text = tp_pb_slice(m.value);
	t->of_framework = is_of_framework(t->text);
	tp_map_put(&code->numbers, m.key, (uint32_t)texts->count - 1);
}

struct tp_tfprof_code
tp_tfprof_code_open(struct tp_slice message, uint32_t field, struct tp_arena *arena)
{
	struct tp_tfprof_code code = {.arena = arena};
	struct tp_buf texts = {0};

	tp_map_init(&code.numbers, arena);
	for (struct tp_pb p = tp_pb_open(message); tp_pb_next_bytes(&p, field);)
		keep(&code, &texts, p.bytes);
	code.texts = tp_buf_settle(&texts, sizeof *code.texts, arena);
	return code;
}

static struct tp_tfprof_text
text_of(const struct tp_tfprof_code *code, uint64_t number)
{
	uint32_t i = tp_map_get(&code->numbers, number);

	return i == TP_MAP_NONE ? (struct tp_tfprof_text){0} : code->texts[i];
}

struct frame {
	struct tp_tfprof_text file, function;
	uint64_t line;
};

static struct frame
read_frame(const struct tp_tfprof_code *code, struct tp_slice trace)
{
	Tp__CodeTrace m = TP__CODE_TRACE__INIT;

	tp_pb_message(&m.base, trace);
	struct frame f = {.line = m.line};

	if (m.has_file)
		f.file = text_of(code, m.file);
	if (m.has_function)
		f.function = text_of(code, m.function);
	return f;
}

struct tp_slice
tp_tfprof_place(const struct tp_tfprof_code *code, struct tp_slice code_def)
{
	struct frame place = {0};

	for (struct tp_pb p = tp_pb_open(code_def); tp_pb_next_bytes(&p, CODE_TRACE);) {
		struct frame f = read_frame(code, p.bytes);

		if (f.file.text.len != 0 && !f.file.of_framework)
			place = f;
	}
	if (place.file.text.len == 0)
		return TP_S("");
	if (place.function.text.len == 0)
		return tp_arena_printf(
			code->arena, "%.*s:%llu", TP_ARG(place.file.text), (unsigned long long)place.line);
	return tp_arena_printf(code->arena, "%.*s:%llu (%.*s)", TP_ARG(place.file.text),
		(unsigned long long)place.line, TP_ARG(place.function.text));
}
