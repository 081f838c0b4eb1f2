/* Texts of the Markdown digest. Names come from the profile, and none of them may become markup or reach anybody. */
#include "render/markdown.h"

#include "base/arena.h"
#include "base/utf8.h"

/* Longer texts are cut: a digest is read, and a name of a megabyte is not. */
enum { LONGEST_TEXT = 400, LONGEST_CODE = 120 };

/* On one line, cut, and nothing in it that is not seen. */
static struct tp_slice
line_of(struct tp_markdown *m, struct tp_slice text, size_t most)
{
	bool is_cut = text.len > most;
	struct tp_slice kept = {text.ptr, is_cut ? tp_utf8_fit(text, most) : text.len};
	struct tp_slice line = tp_utf8_line(m->arena, kept);

	return is_cut ? tp_arena_printf(m->arena, "%.*s…", TP_ARG(line)) : line;
}

static bool
holds(struct tp_slice text, const char *part)
{
	return tp_slice_has(text, tp_slice_of(part));
}

/* "@team", "https://…", "#12", "!12": forges make links of these, and write to people. */
static bool
is_obeyed(struct tp_slice text)
{
	for (size_t i = 0; i + 1 < text.len; i++) {
		bool digit = text.ptr[i + 1] >= '0' && text.ptr[i + 1] <= '9';

		if (text.ptr[i] == '@' || (digit && (text.ptr[i] == '#' || text.ptr[i] == '!')))
			return true;
	}
	return holds(text, "://") || holds(text, "www.");
}

static void
put_escaped(struct tp_markdown *m, struct tp_slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (memchr("\\`*_[]<>|~#&$", text.ptr[i], 13) != NULL)
			tp_sink_puts(m->out, "\\");
		tp_sink_write(m->out, text.ptr + i, 1);
	}
}

/* A fence of one backtick more than the text has in a row; within tables a bar ends a cell even in code. */
static void
put_fenced(struct tp_markdown *m, struct tp_slice text)
{
	size_t most = 0, run = 0;

	for (size_t i = 0; i < text.len; i++) {
		run = text.ptr[i] == '`' ? run + 1 : 0;
		most = run > most ? run : most;
	}
	bool pad = text.len == 0 || text.ptr[0] == '`' || text.ptr[text.len - 1] == '`';

	for (size_t i = 0; i <= most; i++)
		tp_sink_puts(m->out, "`");
	tp_sink_puts(m->out, pad ? " " : "");
	for (size_t i = 0; i < text.len; i++) {
		tp_sink_puts(m->out, text.ptr[i] == '|' ? "\\" : "");
		tp_sink_write(m->out, text.ptr + i, 1);
	}
	tp_sink_puts(m->out, pad ? " " : "");
	for (size_t i = 0; i <= most; i++)
		tp_sink_puts(m->out, "`");
}

void
tp_markdown_put(struct tp_markdown *m, struct tp_slice text)
{
	struct tp_slice line = line_of(m, text, LONGEST_TEXT);

	if (is_obeyed(line))
		put_fenced(m, line);
	else
		put_escaped(m, line);
}

void
tp_markdown_code(struct tp_markdown *m, struct tp_slice text)
{
	put_fenced(m, line_of(m, text, LONGEST_CODE));
}

void
tp_markdown_value(struct tp_markdown *m, struct tp_value value)
{
	char buf[TP_VALUE_BUF];

	tp_markdown_put(m, tp_value_text(value, buf));
}

void
tp_markdown_glyph(struct tp_markdown *m, enum tp_judge judge)
{
	struct tp_slice glyph = tp_judge_glyph(judge);

	tp_sink_put(m->out, glyph);
	tp_sink_puts(m->out, glyph.len != 0 ? " " : "");
}

static void
put_span(struct tp_markdown *m, const struct tp_span *span)
{
	char buf[TP_VALUE_BUF];
	struct tp_slice text = tp_span_shown(span, buf);

	if (span->judge != TP_JUDGE_NONE)
		tp_markdown_glyph(m, span->judge);
	else if (span->style == TP_STYLE_CODE && text.len != 0)
		tp_markdown_code(m, text);
	else
		tp_markdown_put(m, text);
}

void
tp_markdown_flat(struct tp_markdown *m, struct tp_text text)
{
	for (size_t i = 0; i < text.count; i++)
		put_span(m, &text.spans[i]);
}

/* How many blanks a text begins or, from its end, ends with. */
static size_t
blanks(struct tp_slice text, bool at_end)
{
	size_t count = 0;

	while (count < text.len && text.ptr[at_end ? text.len - 1 - count : count] == ' ')
		count++;
	return count;
}

/* Strong spans in a row are one: "**a b**". Blanks at their edges stand outside, where Markdown wants them. */
void
tp_markdown_sentence(struct tp_markdown *m, struct tp_text text)
{
	struct tp_sink *out = m->out;

	for (size_t i = 0; i < text.count;) {
		if (text.spans[i].style != TP_STYLE_STRONG) {
			put_span(m, &text.spans[i++]);
			continue;
		}
		struct tp_sink *strong = tp_sink_memory();

		m->out = strong;
		while (i < text.count && text.spans[i].style == TP_STYLE_STRONG)
			put_span(m, &text.spans[i++]);
		m->out = out;
		struct tp_slice bytes = tp_sink_bytes(strong);
		size_t before = blanks(bytes, false), after = before < bytes.len ? blanks(bytes, true) : 0;

		tp_sink_puts(out, before != 0 ? " " : "");
		if (before + after < bytes.len)
			tp_sink_printf(out, "**%.*s**", (int)(bytes.len - before - after), bytes.ptr + before);
		tp_sink_puts(out, after != 0 ? " " : "");
		tp_sink_close(strong);
	}
}
