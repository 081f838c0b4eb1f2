/* Shapes as HLO prints them: read. */
#include "model/shape.h"

#include "base/arena.h"

enum { TYPE_TUPLE = 13 };

struct parsing {
	struct tp_slice text, rest;
	struct tp_arena *arena;
	struct tp_err *err;
};

static enum tp_status
wrong(struct parsing *p, const char *expected)
{
	return tp_fail(p->err, TP_ERR_FORMAT, "shape \"%.*s\": expected %s at byte %zu",
		(int)(p->text.len > 80 ? 80 : p->text.len), p->text.ptr ? p->text.ptr : "", expected,
		p->text.len - p->rest.len);
}

static void
skip(struct parsing *p, size_t count)
{
	p->rest = tp_slice_from(p->rest, count);
}

/* Takes the literal when it is next. */
static bool
take(struct parsing *p, const char *literal)
{
	struct tp_slice s = tp_slice_of(literal);

	if (!tp_slice_starts(p->rest, s))
		return false;
	skip(p, s.len);
	return true;
}

static void
skip_blanks(struct parsing *p)
{
	for (;;) {
		if (take(p, " "))
			continue;
		if (!take(p, "/*")) /* HLO numbers every fifth member */
			return;
		while (p->rest.len != 0 && !tp_slice_starts(p->rest, TP_S("*/")))
			skip(p, 1);
		take(p, "*/");
	}
}

/* A number below 2^63; false when there is none. */
static bool
take_number(struct parsing *p, uint64_t *out)
{
	size_t digits = 0;
	uint64_t number = 0;

	while (digits < p->rest.len && p->rest.ptr[digits] >= '0' && p->rest.ptr[digits] <= '9') {
		number = number * 10 + (uint64_t)(p->rest.ptr[digits] - '0');
		if (++digits > 18)
			return false;
	}
	skip(p, digits);
	*out = number;
	return digits != 0;
}

static enum tp_status
parse_sizes(struct parsing *p, struct tp_shape *s)
{
	uint64_t sizes[TP_SHAPE_DIMS];

	while (!take(p, "]")) {
		if (s->rank == TP_SHAPE_DIMS || (s->rank != 0 && !take(p, ",")))
			return wrong(p, s->rank == TP_SHAPE_DIMS ? "fewer dimensions" : "\",\" or \"]\"");
		if (take(p, "<="))
			s->dynamic |= UINT32_C(1) << s->rank;
		if (!take_number(p, &sizes[s->rank]))
			return wrong(p, "a size");
		s->rank++;
	}
	uint64_t *kept = tp_new_array(p->arena, uint64_t, s->rank);

	memcpy(kept, sizes, s->rank * sizeof *kept);
	s->sizes = kept;
	return TP_OK;
}

static enum tp_status
parse_tile(struct parsing *p, struct tp_layout *l, const struct tp_shape_tile **tiles)
{
	int64_t sizes[TP_SHAPE_DIMS];
	uint32_t count = 0;

	do {
		uint64_t size;

		if (count == TP_SHAPE_DIMS)
			return wrong(p, "fewer sizes of a tile");
		if (take(p, "*"))
			sizes[count++] = TP_TILE_COMBINE;
		else if (take_number(p, &size) && size != 0)
			sizes[count++] = (int64_t)size;
		else
			return wrong(p, "a size of a tile");
	} while (take(p, ","));
	if (sizes[count - 1] == TP_TILE_COMBINE)
		return wrong(p, "a dimension to combine with");
	if (!take(p, ")"))
		return wrong(p, "\")\"");
	struct tp_shape_tile *t = tp_arena_alloc(p->arena, sizeof *t + count * sizeof *t->sizes);

	t->count = count;
	memcpy(t->sizes, sizes, count * sizeof *sizes);
	tiles[l->tile_count++] = t;
	return TP_OK;
}

static enum tp_status
parse_tiles(struct parsing *p, struct tp_layout *l)
{
	const struct tp_shape_tile **tiles =
		tp_new_array(p->arena, const struct tp_shape_tile *, TP_SHAPE_TILES);
	enum tp_status status = TP_OK;

	l->tiles = tiles;
	if (!take(p, "("))
		return wrong(p, "a tile");
	do {
		status =
			l->tile_count == TP_SHAPE_TILES ? wrong(p, "fewer tiles") : parse_tile(p, l, tiles);
	} while (status == TP_OK && take(p, "("));
	return status;
}

/* Passes over a property that is not known here: of sparse and of split layouts. */
static enum tp_status
skip_property(struct parsing *p)
{
	size_t depth = 0;

	do {
		if (p->rest.len == 0 || (depth == 0 && p->rest.ptr[0] == ')'))
			return wrong(p, "a property of the layout");
		depth += p->rest.ptr[0] == '(';
		depth -= p->rest.ptr[0] == ')';
		skip(p, 1);
	} while (depth != 0 || (p->rest.len != 0 && p->rest.ptr[0] == '('));
	return TP_OK;
}

/* "S(1)" and its like. */
static enum tp_status
parse_property(struct parsing *p, struct tp_layout *l)
{
	static const char *const letters[] = {"L(", "E(", "S(", "M("};
	uint64_t numbers[] = {
		l->tail_alignment, l->element_bits, (uint64_t)l->memory_space, l->prefix_bytes};
	size_t k = 0;

	if (l->tile_count == 0 && take(p, "T"))
		return parse_tiles(p, l);
	while (k < 4 && !take(p, letters[k]))
		k++;
	if (k == 4)
		return skip_property(p);
	if (!take_number(p, &numbers[k]) || !take(p, ")") || numbers[0] == 0 || numbers[1] > 1024)
		return wrong(p, "a number in parentheses");
	l->tail_alignment = numbers[0];
	l->element_bits = (uint32_t)numbers[1];
	l->memory_space = (int64_t)numbers[2];
	l->prefix_bytes = numbers[3];
	return TP_OK;
}

static enum tp_status
parse_layout(struct parsing *p, struct tp_shape *s)
{
	struct tp_layout *l = tp_arena_alloc(p->arena, sizeof *l + s->rank * sizeof *l->minor_to_major);
	uint32_t seen = 0;

	l->tail_alignment = 1;
	for (uint32_t i = 0; i < s->rank; i++) {
		uint64_t dimension;

		if (i != 0 && !take(p, ","))
			return wrong(p, "\",\"");
		if (!take_number(p, &dimension) || dimension >= s->rank || seen >> dimension & 1)
			return wrong(p, "a dimension of the shape, each once");
		seen |= UINT32_C(1) << dimension;
		l->minor_to_major[i] = (uint32_t)dimension;
	}
	if (take(p, ":")) {
		while (p->rest.len != 0 && p->rest.ptr[0] != '}') {
			if (parse_property(p, l) != TP_OK)
				return TP_ERR_FORMAT;
		}
	}
	if (!take(p, "}"))
		return wrong(p, "\"}\"");
	s->layout = l;
	return TP_OK;
}

static enum tp_status
parse_array(struct parsing *p, struct tp_shape *s)
{
	size_t length = 0;

	while (length < p->rest.len && p->rest.ptr[length] != '[')
		length++;
	s->type = tp_element_type((struct tp_slice){p->rest.ptr, length});
	if (s->type == 0)
		return wrong(p, "an element type");
	s->kind = tp_slice_eq(tp_element_name(s->type), TP_S("token")) ? TP_SHAPE_TOKEN
		: tp_slice_eq(tp_element_name(s->type), TP_S("opaque"))    ? TP_SHAPE_OPAQUE
																   : TP_SHAPE_ARRAY;
	skip(p, length);
	if (!take(p, "["))
		return wrong(p, "\"[\"");
	enum tp_status status = parse_sizes(p, s);

	if (status == TP_OK && s->kind != TP_SHAPE_ARRAY && s->rank != 0)
		return wrong(p, "no dimension");
	return status == TP_OK && take(p, "{") ? parse_layout(p, s) : status;
}

static enum tp_status parse(struct parsing *p, unsigned depth, struct tp_shape *s);

/* How many members the tuple has, by counting what stands between its parentheses; too many at most. */
static uint32_t
count_members(const struct parsing *p)
{
	size_t depth = 0;
	uint32_t commas = 0;

	for (size_t i = 0; i < p->rest.len; i++) {
		char c = p->rest.ptr[i];

		if (c == ')' && depth == 0)
			break;
		depth += c == '(' || c == '[' || c == '{';
		depth -= depth != 0 && (c == ')' || c == ']' || c == '}');
		commas += depth == 0 && c == ',' && commas < UINT32_MAX - 1;
	}
	return commas + 1;
}

static enum tp_status
parse_tuple(struct parsing *p, unsigned depth, uint32_t type, struct tp_shape *s)
{
	uint32_t room = count_members(p);
	struct tp_shape *members = tp_new_array(p->arena, struct tp_shape, room);

	s->kind = TP_SHAPE_TUPLE;
	s->type = type;
	s->members = members;
	skip_blanks(p);
	while (!take(p, ")")) {
		if (s->member_count == room || (s->member_count != 0 && !take(p, ",")))
			return wrong(p, "\",\" or \")\"");
		skip_blanks(p);
		if (parse(p, depth + 1, &members[s->member_count]) != TP_OK)
			return TP_ERR_FORMAT;
		s->member_count++;
		skip_blanks(p);
	}
	return TP_OK;
}

static enum tp_status
parse(struct parsing *p, unsigned depth, struct tp_shape *s)
{
	*s = (struct tp_shape){.kind = TP_SHAPE_ARRAY};
	if (depth > TP_SHAPE_DEEPEST)
		return wrong(p, "fewer tuples within each other");
	if (take(p, "("))
		return parse_tuple(p, depth, TYPE_TUPLE, s);
	return take(p, "b(") ? parse_tuple(p, depth, TP_SHAPE_BUFFER, s) : parse_array(p, s);
}

enum tp_status
tp_shape_parse(struct tp_slice text, struct tp_arena *arena, struct tp_shape *out,
	struct tp_slice *rest, struct tp_err *err)
{
	struct parsing p = {text, text, arena, err};
	enum tp_status status = parse(&p, 0, out);

	if (status == TP_OK && rest == NULL && p.rest.len != 0)
		return wrong(&p, "the end");
	if (status == TP_OK && rest != NULL)
		*rest = p.rest;
	return status;
}
