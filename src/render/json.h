/* What the parts of the JSON renderer share: the report being written, and who writes which kind of block. What begins with
 * tp_json_put_ says a part of a document; the rest of tp_json_ is the writer, which knows nothing of documents. */
#ifndef TP_RENDER_JSON_H
#define TP_RENDER_JSON_H

#include "io/sink.h"
#include "render/json_writer.h"
#include "report/doc.h"

struct tp_packed;

struct tp_json_report {
	struct tp_json json;
	struct tp_arena *scratch;
	size_t start; /* of the sink's bytes */
	/* bytes from there after which tables hold no more than is shown; of metrics a quarter */
	size_t most;
	bool drawn_only;      /* of timelines: nothing that only scripts use */
	struct tp_pool *pool; /* may be NULL */
	struct tp_packed
		*packed; /* bytes of the chart in hand that were packed side by side; NULL: none */
};

static inline size_t
tp_json_written(const struct tp_json_report *w)
{
	return tp_sink_written(w->json.out) - w->start;
}

/* Names, texts and values (json_text.c), sentences (json_shape.c). What is empty is left out; a key is NULL in arrays. */
void tp_json_put_name(struct tp_json_report *w, const char *key, const char *name);
void tp_json_put_judge(struct tp_json_report *w, const char *key, enum tp_judge judge);
void tp_json_put_filled(struct tp_json_report *w, const char *key, struct tp_slice text);
/* A sentence as the text that it shows; one with links, figures of metrics or styles has KEY_spans beside it. */
void tp_json_put_sentence(struct tp_json_report *w, const char *key, struct tp_text text);
void tp_json_put_sentences(
	struct tp_json_report *w, const char *key, const struct tp_text *texts, size_t count);
void tp_json_put_numbers(
	struct tp_json_report *w, const char *key, const double *values, size_t count);

/* The members of a struct into the object in hand; points: of the chart around it. */
struct tp_shape;
void tp_json_put_shape(
	struct tp_json_report *w, const struct tp_shape *shape, const void *object, size_t points);

/* What people see of a value, unless a reader of the raw one makes the same of it, by the rule of templates/report.schema.json;
 * column NULL: beside its own unit. */
void tp_json_put_text(struct tp_json_report *w, struct tp_value raw, const struct tp_column *column,
	struct tp_slice text);

/* The members of a value: the raw number, its unit, what people see where that differs, why there is none. */
void tp_json_put_value_members(struct tp_json_report *w, struct tp_value v);
void tp_json_put_value(struct tp_json_report *w, const char *key, struct tp_value v);

#endif
