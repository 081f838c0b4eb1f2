/* Structs as JSON, by the tables of report/shape.h, and the sentences in them. */
#include "render/json.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "render/pack.h"
#include "render/packed.h"
#include "report/shape.h"

#include <math.h>
#include <stdio.h>

enum { KEY_ROOM = 64 };

/* Sentences. */

/* Whether a span is no more than the text that it shows. */
static bool
is_plain(const struct tp_span *span)
{
	if (span->style != TP_STYLE_PLAIN || span->judge != TP_JUDGE_NONE || span->href.len != 0 ||
		span->metric.len != 0)
		return false;
	if (!span->has_value || span->value.kind == TP_VALUE_INTEGER ||
		span->value.kind == TP_VALUE_NUMBER)
		return true;
	return tp_known(span->value) && !tp_utf8_may_turn(span->value.text);
}

static bool
is_marked(struct tp_text text)
{
	for (size_t i = 0; i < text.count; i++) {
		if (!is_plain(&text.spans[i]))
			return true;
	}
	return false;
}

static void
put_span(struct tp_json_report *w, const struct tp_span *span)
{
	char buf[TP_VALUE_BUF];

	if (is_plain(span)) {
		tp_json_string(&w->json, NULL, tp_span_shown(span, buf));
		return;
	}
	tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
	tp_json_put_shape(w, &tp_span_shape, span, 0);
	if (span->has_value)
		tp_json_put_value_members(w, span->value);
	tp_json_close(&w->json);
}

static void
put_spans(struct tp_json_report *w, const char *key, struct tp_text text)
{
	tp_json_open(&w->json, key, TP_JSON_FLAT_ARRAY);
	for (size_t i = 0; i < text.count; i++)
		put_span(w, &text.spans[i]);
	tp_json_close(&w->json);
}

static const char *
spans_key(const char *key, char room[static KEY_ROOM])
{
	snprintf(room, KEY_ROOM, "%s_spans", key);
	return room;
}

static void
put_text(struct tp_json_report *w, const char *key, struct tp_text text)
{
	tp_json_string(&w->json, key, tp_text_shown(text, w->scratch));
	tp_arena_reset(w->scratch);
}

void
tp_json_put_sentence(struct tp_json_report *w, const char *key, struct tp_text text)
{
	char room[KEY_ROOM];

	if (text.count == 0)
		return;
	put_text(w, key, text);
	if (is_marked(text))
		put_spans(w, spans_key(key, room), text);
}

void
tp_json_put_sentences(
	struct tp_json_report *w, const char *key, const struct tp_text *texts, size_t count)
{
	char room[KEY_ROOM];
	bool marked = false;

	tp_json_open(&w->json, key, TP_JSON_ARRAY);
	for (size_t i = 0; i < count; i++) {
		if (texts[i].count != 0)
			put_text(w, NULL, texts[i]);
		marked = marked || is_marked(texts[i]);
	}
	tp_json_close(&w->json);
	if (!marked)
		return;
	tp_json_open(&w->json, spans_key(key, room), TP_JSON_ARRAY);
	for (size_t i = 0; i < count; i++) {
		if (texts[i].count != 0)
			put_spans(w, NULL, texts[i]);
	}
	tp_json_close(&w->json);
}

/* Structs. */

/* What a struct holds at a member's place. */
#define AT(type, object, member)                                                                   \
	(*(type const *)(const void *)((const char *)(object) + (member)->offset))

static size_t
count_of(const void *object, const struct tp_member *m)
{
	return *(const size_t *)(const void *)((const char *)object + m->count_offset);
}

static uint64_t
whole_of(const void *object, const struct tp_member *m)
{
	switch (m->size) {
	case sizeof(uint8_t):
		return AT(uint8_t, object, m);
	case sizeof(uint32_t):
		return AT(uint32_t, object, m);
	default:
		return AT(uint64_t, object, m);
	}
}

static void
put_list(struct tp_json_report *w, const struct tp_member *m, const void *object, size_t points)
{
	const char *items = AT(const char *, object, m);

	tp_json_open(&w->json, m->name, TP_JSON_ARRAY);
	for (size_t i = 0; i < count_of(object, m); i++) {
		tp_json_open(&w->json, NULL, m->of->flat ? TP_JSON_FLAT_OBJECT : TP_JSON_OBJECT);
		tp_json_put_shape(w, m->of, items + i * m->of->size, points);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
}

static void
put_texts(struct tp_json_report *w, const char *name, const struct tp_slice *texts, size_t count)
{
	tp_json_open(&w->json, name, TP_JSON_FLAT_ARRAY);
	for (size_t i = 0; i < count; i++)
		tp_json_string(&w->json, NULL, texts[i]);
	tp_json_close(&w->json);
}

static void
put_pairs(struct tp_json_report *w, const char *name, const size_t (*pairs)[2], size_t count)
{
	tp_json_open(&w->json, name, TP_JSON_ARRAY);
	for (size_t i = 0; i < count; i++) {
		tp_json_open(&w->json, NULL, TP_JSON_FLAT_ARRAY);
		tp_json_integer(&w->json, NULL, (int64_t)pairs[i][0]);
		tp_json_integer(&w->json, NULL, (int64_t)pairs[i][1]);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
}

static void
put_flags(struct tp_json_report *w, const char *name, const bool *flags, size_t count)
{
	if (flags == NULL)
		return;
	tp_json_open(&w->json, name, TP_JSON_FLAT_ARRAY);
	for (size_t i = 0; i < count; i++) {
		if (flags[i])
			tp_json_integer(&w->json, NULL, (int64_t)i);
	}
	tp_json_close(&w->json);
}

static void
put_indices(struct tp_json_report *w, const char *name, const size_t *indices, size_t count)
{
	tp_json_open(&w->json, name, TP_JSON_FLAT_ARRAY);
	for (size_t i = 0; i < count; i++)
		tp_json_integer(&w->json, NULL, (int64_t)indices[i]);
	tp_json_close(&w->json);
}

static void
put_object(struct tp_json_report *w, const struct tp_member *m, const void *object)
{
	if (object == NULL)
		return;
	tp_json_open(&w->json, m->name, TP_JSON_FLAT_OBJECT);
	tp_json_put_shape(w, m->of, object, 0);
	tp_json_close(&w->json);
}

static void
put_name(struct tp_json_report *w, const struct tp_member *m, uint64_t value)
{
	tp_json_string(&w->json, m->name, tp_name_in(m->names, (unsigned)value));
}

/* Packed bytes have a bound of their own: they do not count for that of tables. */
static void
put_packed(struct tp_json_report *w, const char *name, struct tp_slice bytes)
{
	struct tp_slice text = tp_packed_text(w->packed, bytes);

	if (text.len == 0)
		text = tp_pack_part(bytes, w->scratch);
	tp_json_string(&w->json, name, text);
	w->most = w->most == SIZE_MAX ? w->most : w->most + text.len;
	tp_arena_reset(w->scratch);
}

static void
put_member(struct tp_json_report *w, const struct tp_member *m, const void *object, size_t points)
{
	struct tp_json *j = &w->json;

	switch (m->kind) {
	case TP_MEMBER_TEXT:
		tp_json_string(j, m->name, AT(struct tp_slice, object, m));
		return;
	case TP_MEMBER_FILLED:
		tp_json_put_filled(w, m->name, AT(struct tp_slice, object, m));
		return;
	case TP_MEMBER_FINITE:
		if (!isfinite(AT(double, object, m)))
			return;
		break;
	case TP_MEMBER_POSITIVE:
		if (!(AT(double, object, m) > 0))
			return;
		break;
	case TP_MEMBER_NUMBER:
		break;
	case TP_MEMBER_INDEX:
		if (AT(size_t, object, m) != SIZE_MAX)
			tp_json_integer(j, m->name, (int64_t)AT(size_t, object, m));
		return;
	case TP_MEMBER_DECIMALS:
		if (AT(int, object, m) != TP_DECIMALS_BY_SIZE)
			tp_json_integer(j, m->name, AT(int, object, m));
		return;
	case TP_MEMBER_WHOLE:
		tp_json_integer(j, m->name, (int64_t)whole_of(object, m));
		return;
	case TP_MEMBER_NONZERO:
		if (whole_of(object, m) != 0)
			tp_json_integer(j, m->name, (int64_t)whole_of(object, m));
		return;
	case TP_MEMBER_BOOL:
		tp_json_bool(j, m->name, AT(bool, object, m));
		return;
	case TP_MEMBER_FLAG:
		if (AT(bool, object, m))
			tp_json_bool(j, m->name, true);
		return;
	case TP_MEMBER_NAME:
		put_name(w, m, whole_of(object, m));
		return;
	case TP_MEMBER_NAME_IF:
		if (whole_of(object, m) != 0)
			put_name(w, m, whole_of(object, m));
		return;
	case TP_MEMBER_VALUE:
		tp_json_put_value(w, m->name, AT(struct tp_value, object, m));
		return;
	case TP_MEMBER_VALUE_HERE:
		tp_json_put_value_members(w, AT(struct tp_value, object, m));
		return;
	case TP_MEMBER_SENTENCE:
		tp_json_put_sentence(w, m->name, AT(struct tp_text, object, m));
		return;
	case TP_MEMBER_SENTENCES:
		tp_json_put_sentences(
			w, m->name, AT(const struct tp_text *, object, m), count_of(object, m));
		return;
	case TP_MEMBER_OBJECT_IF:
		put_object(w, m, AT(const void *, object, m));
		return;
	case TP_MEMBER_LIST_IF:
		if (count_of(object, m) != 0)
			put_list(w, m, object, points);
		return;
	case TP_MEMBER_LIST:
		put_list(w, m, object, points);
		return;
	case TP_MEMBER_TEXTS:
	case TP_MEMBER_POINTS:
		put_texts(w, m->name, AT(const struct tp_slice *, object, m), count_of(object, m));
		return;
	case TP_MEMBER_NUMBERS_IF:
		if (AT(const double *, object, m) != NULL)
			tp_json_put_numbers(w, m->name, AT(const double *, object, m), count_of(object, m));
		return;
	case TP_MEMBER_NUMBERS:
		tp_json_put_numbers(w, m->name, AT(const double *, object, m), count_of(object, m));
		return;
	case TP_MEMBER_INDICES:
		put_indices(w, m->name, AT(const size_t *, object, m), count_of(object, m));
		return;
	case TP_MEMBER_PAIRS:
		put_pairs(w, m->name, AT(const void *, object, m), count_of(object, m));
		return;
	case TP_MEMBER_POINT_NUMBERS:
		tp_json_put_numbers(w, m->name, AT(const double *, object, m), points);
		return;
	case TP_MEMBER_POINT_FLAGS:
		put_flags(w, m->name, AT(const bool *, object, m), points);
		return;
	case TP_MEMBER_PACKED:
		put_packed(w, m->name, AT(struct tp_slice, object, m));
		return;
	}
	tp_json_number(j, m->name, AT(double, object, m));
}

void
tp_json_put_shape(
	struct tp_json_report *w, const struct tp_shape *shape, const void *object, size_t points)
{
	for (size_t i = 0; i < shape->count; i++)
		put_member(w, &shape->members[i], object, points);
}
