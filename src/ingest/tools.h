/* What the readers of tool files share: the host that a file is of, texts and numbers out of JSON, tables in it. */
#ifndef TP_INGEST_TOOLS_H
#define TP_INGEST_TOOLS_H

#include "base/err.h"
#include "base/slice.h"
#include "codec/pb_message.h"
#include "model/precomputed.h"

#include <jansson.h>

struct tp_arena;
struct tp_buf;
struct tp_builder;
struct tp_source;

/* A list that is too long to be true is cut here. */
enum { TP_TOOL_MOST_ROWS = 1000000 };

/* No file is larger; of JSON, which takes many times its size in memory, half of it is too much. */
enum { TP_TOOL_MOST_BYTES = 128 << 20 };

/* Longer than any step. */
#define TP_TOOL_LONGEST_MS 1e9

/* The host that the file is of, made when there is none of its name yet. TP_NONE when the run has files with events: their
 * hosts say what there is to say. */
uint32_t tp_tool_host(const struct tp_source *in, struct tp_builder *out);

/* A text from a file: valid, cut where it is endless, in the arena. */
struct tp_slice tp_tool_text(struct tp_arena *a, struct tp_slice text);

static inline struct tp_slice
tp_tool_pb_text(struct tp_arena *a, ProtobufCBinaryData text)
{
	return tp_tool_text(a, tp_pb_slice(text));
}

/* The same of HLO, of which one instruction may fill pages. */
struct tp_slice tp_tool_long_text(struct tp_arena *a, struct tp_slice text);

/* A number, also out of a text like "48.8%" or "123"; NaN when it is none. */
double tp_json_figure(const json_t *value);
/* A text, or a number as text; empty: neither. */
struct tp_slice tp_json_text(struct tp_arena *a, const json_t *value);

/* A table as Google Charts has it: {cols: [{id}], rows: [{c: [{v}]}], p: {}}. */
struct tp_gviz {
	const json_t *columns, *rows, *properties;
};
struct tp_gviz tp_gviz_of(const json_t *table);
bool tp_gviz_has(const struct tp_gviz *t, const char *column);
size_t tp_gviz_rows(const struct tp_gviz *t);
const json_t *tp_gviz_cell(const struct tp_gviz *t, size_t row, const char *column);

/* A double of a message that is finite and not negative. */
bool tp_tool_number(const struct tp_pb *p, double *out);

/* A message whose doubles are all finite and not negative: those that are not, or not there, are `absent`. */
void tp_tool_message(ProtobufCMessage *m, struct tp_slice bytes, double absent);
void tp_tool_doubles(ProtobufCMessage *m, double absent);

/* An operation of which nothing is known yet: no figure. */
struct tp_precomputed_op tp_tool_no_op(void);

/* Whether it is as long as a step may be, also when its parts are summed: they need not fit the time beside them. */
bool tp_tool_is_step(const struct tp_precomputed_step *step);

/* After a walk over a message: a file that ends too early is said to, and marked partial. */
void tp_tool_end(const struct tp_source *in, struct tp_builder *out, const struct tp_pb *p);

/* Parts that both JSON and messages give. Each takes what it finds into what the builder has been given; the first file
 * that gives something has the word. */
struct tp_tool_file {
	const struct tp_source *in;
	struct tp_builder *out;
	struct tp_arena *arena;
	struct tp_precomputed *precomputed;
	struct tp_slice name; /* of the file */
	bool found;           /* anything */
	bool empty;           /* whole, and the profiler had nothing to put in it */
};

/* How a tool's file is read: as JSON or as a message (NULL: it never is one). */
struct tp_tool {
	const char *complaint; /* when nothing was found in it */
	void (*json)(struct tp_tool_file *, const json_t *);
	void (*message)(struct tp_tool_file *, struct tp_slice);
	/* Every file of a host is read, not the first alone: they are of different programs. */
	bool each;
};
#define TP_TOOL(...) (&(const struct tp_tool){__VA_ARGS__})

/* Reads the file as its reader's tool says. */
enum tp_status tp_tool_read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err);

/* These operations have the word unless as many are there already: of two files that keep all, or the first few, the first.
 * Takes the buffer of struct tp_precomputed_op, in any order (tools_ops.c). */
void tp_tool_take_ops(
	struct tp_tool_file *f, struct tp_precomputed_ops *to, struct tp_buf *list, bool first_few);

/* Takes these steps, in the arena of the file, unless earlier ones have the word: the first, or those told in more parts. Steps that take
 * another time than the earlier ones are of another capture, which is said. */
void tp_tool_take_steps(
	struct tp_tool_file *f, const struct tp_precomputed_step *steps, size_t count, unsigned parts);

/* The tables of overview_page.json and input_pipeline.json (tools_json.c). */
void tp_tool_tables(struct tp_tool_file *f, const json_t *tables);

/* "device_type" = "TPU v2", for the section on the environment. */
void tp_tool_fact(struct tp_tool_file *f, const char *key, struct tp_slice value);

#endif
