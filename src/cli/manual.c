/* The manual's texts: topics, and the pieces of one: headings, paragraphs, lists, tables and examples. */
#include "cli/manual.h"

#include "base/arena.h"
#include "base/asset.h"
#include "base/memory.h"
#include "cli/catalogue.h"
#include "cli/options.h"
#include "report/doc.h"
#include "report/shape.h"

#include <stdio.h>

enum { MOST_CELLS = 12 };

/* Takes a line off the front, without its end. */
static struct tp_slice
take_line(struct tp_slice *rest)
{
	const char *end = rest->len != 0 ? memchr(rest->ptr, '\n', rest->len) : NULL;
	struct tp_slice line = {rest->ptr, end != NULL ? (size_t)(end - rest->ptr) : rest->len};

	*rest = tp_slice_from(*rest, line.len + 1);
	return line;
}

static struct tp_topic
topic_of(const struct tp_asset *asset)
{
	struct tp_slice text = {(const char *)asset->data, asset->size}, line = take_line(&text);
	const char *colon = memmem(line.ptr, line.len, ": ", 2);

	line = tp_slice_from(line, 2);
	size_t length = colon != NULL ? (size_t)(colon - line.ptr) : line.len;

	return (struct tp_topic){{line.ptr, length}, tp_slice_from(line, length + 2), text};
}

static bool
is_command(struct tp_slice name)
{
	for (const struct tp_command *c = tp_commands; c->name != NULL; c++) {
		if (tp_slice_eq(tp_slice_of(c->name), name))
			return true;
	}
	return false;
}

struct tp_topic
tp_topic_at(size_t index)
{
	for (size_t i = 0; i < tp_asset_count; i++) {
		if (!tp_slice_starts(tp_slice_of(tp_asset_table[i].name), TP_S("manual/")))
			continue;
		struct tp_topic topic = topic_of(&tp_asset_table[i]);

		if (!is_command(topic.name) && index-- == 0)
			return topic;
	}
	return (struct tp_topic){0};
}

struct tp_topic
tp_topic_named(struct tp_slice name)
{
	for (size_t i = 0; i < tp_asset_count; i++) {
		if (!tp_slice_starts(tp_slice_of(tp_asset_table[i].name), TP_S("manual/")))
			continue;
		struct tp_topic topic = topic_of(&tp_asset_table[i]);

		if (tp_slice_eq(topic.name, name))
			return topic;
	}
	return (struct tp_topic){0};
}

/* A cell of a table. */
static void
put_cell(FILE *out, struct tp_slice text)
{
	for (size_t i = 0; i < text.len; i++)
		fprintf(out, text.ptr[i] == '|' ? "\\%c" : "%c", text.ptr[i]);
}

/* | id | unit | better | name: formula |, for each of the catalogue. */
static void
put_metrics(FILE *out)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_err err;
	const struct tp_doc *doc = tp_catalogue(arena, &err);

	fputs("\n| id | meaning |\n|---|---|\n", out);
	for (const struct tp_metric *m = doc != NULL ? doc->metrics : NULL; m != NULL; m = m->next) {
		struct tp_slice unit = tp_unit_name(m->value.unit);
		struct tp_slice better = tp_name_in(&tp_direction_names, m->better);

		fprintf(out, "| `%.*s` | ", TP_ARG(m->id));
		put_cell(out, m->label);
		fputs(m->how.len != 0 ? ": " : "", out);
		put_cell(out, m->how);
		fprintf(out, "%s%.*s%s%.*s%s |\n", unit.len + better.len != 0 ? " (" : "", TP_ARG(unit),
			unit.len != 0 && better.len != 0 ? ", better: " : "", TP_ARG(better),
			unit.len + better.len != 0 ? ")" : "");
	}
	tp_arena_free(arena);
}

struct tp_slice
tp_topic_text(struct tp_topic topic, struct tp_arena *arena)
{
	char *text = NULL;
	size_t size = 0;

	if (!tp_slice_eq(topic.name, TP_S("metrics")))
		return topic.text;
	FILE *out = open_memstream(&text, &size);

	if (out == NULL)
		tp_out_of_memory();
	fprintf(out, "%.*s", TP_ARG(topic.text));
	put_metrics(out);
	if (fclose(out) != 0)
		tp_out_of_memory();
	tp_arena_own(arena, text);
	return (struct tp_slice){text, size};
}

/* "## Operations (operations)" names it. */
static bool
is_heading_of(struct tp_slice line, struct tp_slice name)
{
	return tp_slice_starts(line, TP_S("## ")) && line.len > name.len + 5 &&
		tp_slice_ends(line, TP_S(")")) && line.ptr[line.len - name.len - 2] == '(' &&
		memcmp(line.ptr + line.len - name.len - 1, name.ptr, name.len) == 0;
}

struct tp_slice
tp_topic_part(struct tp_slice name)
{
	for (size_t i = 0; name.len != 0 && tp_topic_at(i).name.len != 0; i++) {
		struct tp_slice rest = tp_topic_at(i).text, part = {0};

		while (rest.len != 0) {
			struct tp_slice line = take_line(&rest);

			if (part.ptr != NULL && tp_slice_starts(line, TP_S("## ")))
				return (struct tp_slice){part.ptr, (size_t)(line.ptr - part.ptr)};
			if (part.ptr == NULL && is_heading_of(line, name))
				part = line;
		}
		if (part.ptr != NULL)
			return (struct tp_slice){part.ptr, (size_t)(rest.ptr - part.ptr)};
	}
	return TP_S("");
}

/* "&lt;" and the like; the length of what stands there, 0: no such. */
static size_t
entity(struct tp_slice at, char *sign)
{
	static const struct {
		const char *name;
		char sign;
	} entities[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}};

	for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
		if (tp_slice_starts(at, tp_slice_of(entities[i].name))) {
			*sign = entities[i].sign;
			return strlen(entities[i].name);
		}
	}
	return 0;
}

/* The text of "[text](target)" at the front, and how much to step over; 0: none. */
static size_t
link_text(struct tp_slice at, struct tp_slice *text)
{
	const char *middle = at.ptr[0] == '[' ? memmem(at.ptr, at.len, "](", 2) : NULL;
	const char *end =
		middle != NULL ? memchr(middle, ')', at.len - (size_t)(middle - at.ptr)) : NULL;

	if (end == NULL || memchr(at.ptr + 1, '[', (size_t)(middle - at.ptr) - 1) != NULL)
		return 0;
	*text = (struct tp_slice){at.ptr + 1, (size_t)(middle - at.ptr) - 1};
	return (size_t)(end - at.ptr) + 1;
}

/* A text without its marks, in arena. */
static struct tp_slice
without_marks(struct tp_arena *arena, struct tp_slice s)
{
	char *out = tp_arena_alloc(arena, s.len + 1);
	bool code = false, strong = false;
	size_t length = 0;

	for (size_t i = 0; i < s.len;) {
		struct tp_slice at = tp_slice_from(s, i), text;
		size_t step = 1;

		if (*at.ptr == '`') {
			code = !code;
			out[length++] = code ? TP_MANUAL_STRONG : TP_MANUAL_PLAIN;
		} else if (!code && tp_slice_starts(at, TP_S("**"))) {
			strong = !strong;
			out[length++] = strong ? TP_MANUAL_STRONG : TP_MANUAL_PLAIN;
			step = 2;
		} else if (!code && (step = link_text(at, &text)) != 0) {
			text = without_marks(arena, text);
			memcpy(out + length, text.ptr, text.len);
			length += text.len;
		} else if ((step = code ? 0 : entity(at, &out[length])) != 0) {
			length++;
		} else {
			step = 1 + (*at.ptr == '\\' && at.len > 1 && at.ptr[1] == '|');
			out[length++] = at.ptr[step - 1];
		}
		i += step;
	}
	return (struct tp_slice){out, length};
}

static struct tp_slice
trimmed(struct tp_slice s)
{
	while (s.len != 0 && s.ptr[0] == ' ')
		s = tp_slice_from(s, 1);
	while (s.len != 0 && s.ptr[s.len - 1] == ' ')
		s.len--;
	return s;
}

/* "| a | b |": its cells. */
static size_t
cells_of(struct tp_slice row, struct tp_slice cells[MOST_CELLS])
{
	size_t count = 0, from = 1;

	for (size_t i = 1; i < row.len && count < MOST_CELLS; i++) {
		if (row.ptr[i] == '|' && row.ptr[i - 1] != '\\') {
			cells[count++] = trimmed((struct tp_slice){row.ptr + from, i - from});
			from = i + 1;
		}
	}
	return count;
}

/* Of more than two columns, each but the first says whose it is. */
static void
take_row(struct tp_manual *m, struct tp_slice row, struct tp_manual_piece *out)
{
	struct tp_slice cells[MOST_CELLS], heads[MOST_CELLS], text = TP_S("");
	size_t count = cells_of(row, cells), known = cells_of(m->header, heads);

	for (size_t i = 1; i < count; i++) {
		bool named = count > 2 && i < known;

		text = tp_arena_printf(m->arena, "%.*s%s%.*s%s%.*s", TP_ARG(text), i > 1 ? " · " : "",
			named ? (int)heads[i].len : 0, named ? heads[i].ptr : "", named ? " " : "",
			TP_ARG(cells[i]));
	}
	*out = (struct tp_manual_piece){.kind = TP_MANUAL_TERM,
		.term = without_marks(m->arena, count != 0 ? cells[0] : TP_S("")),
		.text = without_marks(m->arena, text)};
}

/* Whether a line ends the paragraph or item before it. */
static bool
begins_piece(struct tp_slice line)
{
	return line.len == 0 || strchr("#|", line.ptr[0]) != NULL ||
		tp_slice_starts(line, TP_S("- ")) || tp_slice_starts(line, TP_S("```")) ||
		tp_slice_starts(line, TP_S("<!--"));
}

static void
take_text(struct tp_manual *m, struct tp_slice line, struct tp_manual_piece *out)
{
	bool item = tp_slice_starts(line, TP_S("- "));
	struct tp_slice text = tp_slice_from(line, item ? 2 : 0);

	for (;;) {
		struct tp_slice rest = m->rest, next = take_line(&rest);

		if (begins_piece(next))
			break;
		text = tp_arena_printf(m->arena, "%.*s %.*s", TP_ARG(text), TP_ARG(trimmed(next)));
		m->rest = rest;
	}
	*out = (struct tp_manual_piece){
		.kind = item ? TP_MANUAL_ITEM : TP_MANUAL_TEXT, .text = without_marks(m->arena, text)};
}

static void
skip_comment(struct tp_manual *m, struct tp_slice line)
{
	while (!tp_slice_has(line, TP_S("-->")) && m->rest.len != 0)
		line = take_line(&m->rest);
}

bool
tp_manual_next(struct tp_manual *m, struct tp_manual_piece *out)
{
	while (m->rest.len != 0) {
		struct tp_slice line = take_line(&m->rest);

		if (tp_slice_starts(line, TP_S("```"))) {
			m->code = !m->code;
		} else if (m->code) {
			*out = (struct tp_manual_piece){.kind = TP_MANUAL_CODE, .text = line};
			return true;
		} else if (tp_slice_starts(line, TP_S("<!--"))) {
			skip_comment(m, line);
		} else if (tp_slice_starts(line, TP_S("|--"))) {
			continue;
		} else if (tp_slice_starts(line, TP_S("|"))) {
			bool first = m->header.len == 0;

			if (first)
				m->header = line;
			else
				take_row(m, line, out);
			if (!first)
				return true;
		} else if (line.len == 0) {
			m->header = TP_S("");
		} else if (line.ptr[0] == '#') {
			unsigned level = 0;

			while (level < line.len && line.ptr[level] == '#')
				level++;
			*out = (struct tp_manual_piece){.kind = TP_MANUAL_HEADING,
				.level = level,
				.text = without_marks(m->arena, tp_slice_from(line, level + 1))};
			return true;
		} else {
			take_text(m, line, out);
			return true;
		}
	}
	return false;
}
