/* Structs out of JSON, by the tables of report/shape.h. */
#include "report/shape.h"

#include <math.h>
#include <stdio.h>

#include "base/arena.h"
#include "codec/json_number.h"
#include "report/doc.h"
#include "stored/read.h"

/* A struct's member, to be written. */
#define AT(type, object, member) ((type *)(void *)((char *)(object) + (member)->offset))

bool
tp_read_wrong(struct tp_reading *r, const char *member, const char *text)
{
	tp_fail_at(r->err, TP_ERR_FORMAT, r->name, TP_NO_OFFSET,
		"not as tpreport writes reports: \"%s\" of \"%.*s\" %s", member, TP_ARG(r->where), text);
	return false;
}

bool
tp_read_whole(const struct tp_node *node, uint64_t *out)
{
	int64_t whole;

	if (node == NULL || node->type != TP_PULL_NUMBER || !tp_decimal_integer(node->text, &whole) ||
		whole < 0)
		return false;
	*out = (uint64_t)whole;
	return true;
}

bool
tp_read_number(const struct tp_node *node, double *out)
{
	return node != NULL && node->type == TP_PULL_NUMBER && tp_decimal_double(node->text, out) &&
		isfinite(*out);
}

struct tp_value
tp_read_plain_value(const struct tp_node *node, enum tp_unit unit)
{
	int64_t whole;
	double number;

	if (node != NULL && node->type == TP_PULL_STRING)
		return (struct tp_value){.kind = TP_VALUE_TEXT, .unit = unit, .text = node->text};
	if (node != NULL && node->type == TP_PULL_NUMBER &&
		memchr(node->text.ptr, '.', node->text.len) == NULL &&
		tp_decimal_integer(node->text, &whole))
		return tp_integer(whole, unit);
	if (tp_read_number(node, &number))
		return tp_number(number, unit);
	return (struct tp_value){.unit = unit};
}

bool
tp_read_value(struct tp_reading *r, struct tp_node *object, struct tp_value *out)
{
	struct tp_node *unit = tp_tree_member(object, "unit"), *value = tp_tree_member(object, "value");
	unsigned number = TP_UNIT_NONE;

	if (unit != NULL && !tp_value_named(&tp_unit_names, unit->text, &number))
		return tp_read_wrong(r, "unit", "is not a known unit");
	*out = tp_read_plain_value(value, (enum tp_unit)number);
	if (!tp_known(*out))
		out->text = tp_tree_text(object, "missing");
	return true;
}

static bool
read_span(struct tp_reading *r, struct tp_node *node, struct tp_span *out)
{
	if (node->type == TP_PULL_STRING) {
		out->text = node->text;
		return true;
	}
	if (node->type != TP_PULL_OBJECT)
		return tp_read_wrong(r, "spans", "holds something that is not a piece of a sentence");
	out->has_value = tp_tree_member(node, "value") != NULL;
	if (!tp_read_shape(r, node, &tp_span_shape, out, 0))
		return false;
	if (!out->has_value)
		return true;
	out->text = TP_S("");
	return tp_read_value(r, node, &out->value);
}

/* A sentence from its spans (NULL: it has none of its own) or its text. */
static bool
read_sentence(
	struct tp_reading *r, const struct tp_node *text, struct tp_node *spans, struct tp_text *out)
{
	size_t count = spans != NULL && spans->type == TP_PULL_ARRAY ? spans->count : 1;
	struct tp_span *all = tp_new_array(r->arena, struct tp_span, count);

	*out = (struct tp_text){all, count};
	if (spans == NULL || spans->type != TP_PULL_ARRAY) {
		if (text->type != TP_PULL_STRING)
			return tp_read_wrong(r, "a sentence", "is not a string");
		all->text = text->text;
		return true;
	}
	for (struct tp_node *at = spans->first; at != NULL; at = at->next) {
		if (!read_span(r, at, all++))
			return false;
	}
	return true;
}

static struct tp_node *
spans_of(struct tp_node *object, const char *key)
{
	char room[64];

	snprintf(room, sizeof room, "%s_spans", key);
	return tp_tree_member(object, room);
}

bool
tp_read_sentences(
	struct tp_reading *r, struct tp_node *list, struct tp_node *spans, const struct tp_text **out)
{
	struct tp_text *all = tp_new_array(r->arena, struct tp_text, list->count);
	bool marked = spans != NULL && spans->type == TP_PULL_ARRAY && spans->count == list->count;
	struct tp_node *span = marked ? spans->first : NULL;

	*out = all;
	for (struct tp_node *at = list->first; at != NULL; at = at->next) {
		if (!read_sentence(r, at, span, all++))
			return false;
		span = span != NULL ? span->next : NULL;
	}
	return true;
}

static bool
read_name(struct tp_reading *r, const struct tp_node *node, const struct tp_member *m, void *into)
{
	unsigned value;

	if (node->type != TP_PULL_STRING || !tp_value_named(m->names, node->text, &value))
		return tp_read_wrong(r, m->name, "is not a known name");
	if (m->size == sizeof(uint8_t))
		*AT(uint8_t, into, m) = (uint8_t)value;
	else
		*AT(uint32_t, into, m) = value;
	return true;
}

static bool
read_whole(struct tp_reading *r, const struct tp_node *node, const struct tp_member *m, void *into)
{
	uint64_t whole;

	if (!tp_read_whole(node, &whole) || (m->size == sizeof(uint32_t) && whole > INT32_MAX))
		return tp_read_wrong(r, m->name, "is not a whole number in range");
	if (m->size == sizeof(uint32_t))
		*AT(uint32_t, into, m) = (uint32_t)whole;
	else
		*AT(uint64_t, into, m) = whole;
	return true;
}

static bool
read_double(struct tp_reading *r, const struct tp_node *node, const struct tp_member *m, void *into)
{
	if (node->type == TP_PULL_NULL) {
		*AT(double, into, m) = NAN;
		return true;
	}
	return tp_read_number(node, AT(double, into, m)) ? true
													 : tp_read_wrong(r, m->name, "is not a number");
}

static bool
read_bool(struct tp_reading *r, const struct tp_node *node, const struct tp_member *m, void *into)
{
	if (node->type != TP_PULL_TRUE && node->type != TP_PULL_FALSE)
		return tp_read_wrong(r, m->name, "is neither true nor false");
	*AT(bool, into, m) = node->type == TP_PULL_TRUE;
	return true;
}

/* Arrays. */

static bool
read_list(struct tp_reading *r, struct tp_node *list, const struct tp_member *m, void *into,
	size_t points)
{
	char *items = tp_arena_array(r->arena, list->count, m->of->size);

	*AT(void *, into, m) = items;
	for (struct tp_node *at = list->first; at != NULL; at = at->next) {
		if (at->type != TP_PULL_OBJECT)
			return tp_read_wrong(r, m->name, "holds something that is not an object");
		if (!tp_read_shape(r, at, m->of, items, points))
			return false;
		items += m->of->size;
	}
	return true;
}

static bool
read_texts(struct tp_reading *r, const struct tp_node *list, const struct tp_member *m, void *into)
{
	struct tp_slice *texts = tp_new_array(r->arena, struct tp_slice, list->count);

	*AT(const struct tp_slice *, into, m) = texts;
	for (const struct tp_node *at = list->first; at != NULL; at = at->next) {
		if (at->type != TP_PULL_STRING)
			return tp_read_wrong(r, m->name, "holds something that is not a string");
		*texts++ = at->text;
	}
	return true;
}

static bool
read_numbers(
	struct tp_reading *r, const struct tp_node *list, const struct tp_member *m, void *into)
{
	double *numbers = tp_new_array(r->arena, double, list->count);

	*AT(const double *, into, m) = numbers;
	for (const struct tp_node *at = list->first; at != NULL; at = at->next) {
		if (!tp_read_number(at, numbers++))
			return tp_read_wrong(r, m->name, "holds something that is not a number");
	}
	return true;
}

static bool
read_indices(
	struct tp_reading *r, const struct tp_node *list, const struct tp_member *m, size_t *out)
{
	for (const struct tp_node *at = list->first; at != NULL; at = at->next) {
		uint64_t whole;

		if (!tp_read_whole(at, &whole))
			return tp_read_wrong(r, m->name, "holds something that is not an index");
		*out++ = whole;
	}
	return true;
}

static bool
read_pairs(struct tp_reading *r, const struct tp_node *list, const struct tp_member *m, void *into)
{
	size_t(*pairs)[2] = tp_arena_array(r->arena, list->count, sizeof *pairs);

	*AT(void *, into, m) = pairs;
	for (const struct tp_node *at = list->first; at != NULL; at = at->next) {
		if (at->type != TP_PULL_ARRAY || at->count != 2)
			return tp_read_wrong(r, m->name, "holds something that is not a pair");
		if (!read_indices(r, at, m, *pairs++))
			return false;
	}
	return true;
}

static bool
read_flags(struct tp_reading *r, const struct tp_node *list, const struct tp_member *m, void *into,
	size_t points)
{
	bool *flags = tp_new_array(r->arena, bool, points);

	*AT(const bool *, into, m) = flags;
	for (const struct tp_node *at = list->first; at != NULL; at = at->next) {
		uint64_t whole;

		if (!tp_read_whole(at, &whole) || whole >= points)
			return tp_read_wrong(r, m->name, "holds something that is not a point of the chart");
		flags[whole] = true;
	}
	return true;
}

/* Whether a member tells how many there are of something. */
static bool
is_counted(enum tp_member_kind kind)
{
	switch (kind) {
	case TP_MEMBER_SENTENCES:
	case TP_MEMBER_LIST:
	case TP_MEMBER_LIST_IF:
	case TP_MEMBER_TEXTS:
	case TP_MEMBER_POINTS:
	case TP_MEMBER_NUMBERS:
	case TP_MEMBER_NUMBERS_IF:
	case TP_MEMBER_INDICES:
	case TP_MEMBER_PAIRS:
		return true;
	default:
		return false;
	}
}

/* How many there are; lists that share a number (x and y of a curve) follow each other and are of the same length. */
static bool
set_count(struct tp_reading *r, const struct tp_shape *shape, size_t member,
	const struct tp_node *list, void *into)
{
	const struct tp_member *m = &shape->members[member];
	size_t *count = (size_t *)(void *)((char *)into + m->count_offset);
	bool second = member != 0 && is_counted(m[-1].kind) && m[-1].count_offset == m->count_offset;

	if (list != NULL && list->type != TP_PULL_ARRAY)
		return tp_read_wrong(r, m->name, "is not a list");
	if (second && (list != NULL ? list->count : 0) != *count)
		return tp_read_wrong(r, m->name, "is not as long as the list before it");
	*count = list != NULL ? list->count : 0;
	return true;
}

/* What is not there: not always zero. */
static void
set_absent(const struct tp_member *m, void *into, struct tp_arena *arena)
{
	static const double none[1];

	switch (m->kind) {
	case TP_MEMBER_FINITE:
		*AT(double, into, m) = NAN;
		break;
	case TP_MEMBER_INDEX:
		*AT(size_t, into, m) = SIZE_MAX;
		break;
	case TP_MEMBER_DECIMALS:
		*AT(int, into, m) = TP_DECIMALS_BY_SIZE;
		break;
	case TP_MEMBER_NUMBERS:
		*AT(const double *, into, m) = none;
		break;
	case TP_MEMBER_LIST:
		*AT(void *, into, m) = tp_arena_alloc(arena, 0);
		break;
	default:
		break;
	}
}

static bool
read_member(struct tp_reading *r, struct tp_node *object, struct tp_node *node,
	const struct tp_member *m, void *into, size_t points)
{
	switch (m->kind) {
	case TP_MEMBER_TEXT:
	case TP_MEMBER_FILLED:
		if (node->type != TP_PULL_STRING)
			return tp_read_wrong(r, m->name, "is not a string");
		*AT(struct tp_slice, into, m) = node->text;
		return true;
	case TP_MEMBER_NUMBER:
	case TP_MEMBER_FINITE:
	case TP_MEMBER_POSITIVE:
		return read_double(r, node, m, into);
	case TP_MEMBER_INDEX:
	case TP_MEMBER_DECIMALS:
	case TP_MEMBER_WHOLE:
	case TP_MEMBER_NONZERO:
		return read_whole(r, node, m, into);
	case TP_MEMBER_BOOL:
	case TP_MEMBER_FLAG:
		return read_bool(r, node, m, into);
	case TP_MEMBER_NAME:
	case TP_MEMBER_NAME_IF:
		return read_name(r, node, m, into);
	case TP_MEMBER_VALUE:
		return tp_read_value(r, node, AT(struct tp_value, into, m));
	case TP_MEMBER_VALUE_HERE:
		return tp_read_value(r, object, AT(struct tp_value, into, m));
	case TP_MEMBER_SENTENCE:
		return read_sentence(r, node, spans_of(object, m->name), AT(struct tp_text, into, m));
	case TP_MEMBER_SENTENCES:
		return tp_read_sentences(
			r, node, spans_of(object, m->name), AT(const struct tp_text *, into, m));
	case TP_MEMBER_OBJECT_IF:
		*AT(void *, into, m) = tp_arena_alloc(r->arena, m->of->size);
		return tp_read_shape(r, node, m->of, *AT(void *, into, m), 0);
	case TP_MEMBER_LIST:
	case TP_MEMBER_LIST_IF:
		return read_list(r, node, m, into, points);
	case TP_MEMBER_TEXTS:
	case TP_MEMBER_POINTS:
		return read_texts(r, node, m, into);
	case TP_MEMBER_NUMBERS:
	case TP_MEMBER_NUMBERS_IF:
		return read_numbers(r, node, m, into);
	case TP_MEMBER_INDICES:
		*AT(size_t *, into, m) = tp_new_array(r->arena, size_t, node->count);
		return read_indices(r, node, m, *AT(size_t *, into, m));
	case TP_MEMBER_PAIRS:
		return read_pairs(r, node, m, into);
	case TP_MEMBER_POINT_NUMBERS:
		return node->count == points
			? read_numbers(r, node, m, into)
			: tp_read_wrong(r, m->name, "is not as long as there are points");
	case TP_MEMBER_POINT_FLAGS:
		return read_flags(r, node, m, into, points);
	case TP_MEMBER_PACKED:
		return node->type == TP_PULL_STRING &&
				tp_read_packed(r, node->text, AT(struct tp_slice, into, m))
			? true
			: tp_read_wrong(r, m->name, "is not packed as tpreport packs");
	}
	return false;
}

bool
tp_read_shape(struct tp_reading *r, struct tp_node *object, const struct tp_shape *shape,
	void *into, size_t points)
{
	for (size_t i = 0; i < shape->count; i++) {
		const struct tp_member *m = &shape->members[i];
		struct tp_node *node = tp_tree_member(object, m->name);

		if (is_counted(m->kind) && !set_count(r, shape, i, node, into))
			return false;
		if (m->kind == TP_MEMBER_POINTS)
			points = *(size_t *)(void *)((char *)into + m->count_offset);
		if (node == NULL && m->kind == TP_MEMBER_POINT_NUMBERS)
			return tp_read_wrong(r, m->name, "is missing");
		if (node == NULL)
			set_absent(m, into, r->arena);
		else if (!read_member(r, object, node, m, into, points))
			return false;
	}
	return true;
}
