/* The HTML writer: escapes, knows void and raw-text elements, closes what was opened. */
#include "template/html_writer.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "io/sink.h"

static const char *const void_elements[] = {"area", "base", "br", "col", "embed", "hr", "img",
	"input", "link", "meta", "source", "track", "wbr", NULL};
static const char *const raw_text_elements[] = {"script", "style", NULL};

static bool
is_one_of(const char *name, const char *const *list)
{
	for (; *list != NULL; list++)
		if (strcmp(name, *list) == 0)
			return true;
	return false;
}

void
tp_html_init(struct tp_html *h, struct tp_sink *out)
{
	h->out = out;
	h->depth = 0;
	h->in_tag = false;
}

void
tp_html_start(struct tp_html *h, struct tp_sink *out)
{
	tp_html_init(h, out);
	tp_sink_puts(out, "<!doctype html>\n");
}

static void
end_tag_start(struct tp_html *h)
{
	if (h->in_tag)
		tp_sink_puts(h->out, ">");
	h->in_tag = false;
}

void
tp_html_open(struct tp_html *h, const char *name)
{
	end_tag_start(h);
	if (h->depth == TP_HTML_DEPTH)
		abort(); /* a fault of ours: templates cannot be that deep */
	h->open[h->depth++] = name;
	tp_sink_puts(h->out, "<");
	tp_sink_puts(h->out, name);
	h->in_tag = true;
}

/* What a reader sees instead of a character that is not shown: a sign, or its number; NULL when it is shown. */
static const char *
sign_of(uint32_t code, char buf[static 16])
{
	if (code == '\t' || code == '\n' || tp_utf8_shown(code))
		return NULL;
	if (code == 0x7f)
		return "\u2421"; /* the sign for "delete" */
	if (code < 0x20)     /* the signs for control characters */
		snprintf(buf, 16, "\xe2\x90%c", (char)(0x80 + code));
	else if (code != TP_UTF8_ILL_FORMED)
		snprintf(buf, 16, "[U+%04X]", code);
	else
		return "\ufffd";
	return buf;
}

/* What stands for a code point that may not be written as it is; NULL when it may. */
static const char *
replacement(uint32_t code, char buf[static 16])
{
	switch (code) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	}
	return sign_of(code, buf);
}

static void
put_replaced(struct tp_sink *out, struct tp_slice text,
	const char *(*instead)(uint32_t code, char buf[static 16]))
{
	struct tp_slice kept = text; /* begins with what is not yet written */

	while (text.len != 0) {
		char buf[16];
		size_t length;
		const char *other = instead(tp_utf8_next(text, &length), buf);

		text = tp_slice_from(text, length);
		if (other != NULL) {
			tp_sink_write(out, kept.ptr, kept.len - text.len - length);
			tp_sink_puts(out, other);
			kept = text;
		}
	}
	tp_sink_write(out, kept.ptr, kept.len);
}

static void
put_escaped(struct tp_sink *out, struct tp_slice text)
{
	put_replaced(out, text, replacement);
}

static bool
all_shown(struct tp_slice text)
{
	char buf[16];
	size_t length;

	while (text.len != 0 && sign_of(tp_utf8_next(text, &length), buf) == NULL)
		text = tp_slice_from(text, length);
	return text.len == 0;
}

struct tp_slice
tp_html_seen(struct tp_slice text, struct tp_arena *arena)
{
	if (all_shown(text))
		return text;
	struct tp_sink *seen = tp_sink_memory();

	put_replaced(seen, text, sign_of);
	text = tp_arena_copy(arena, tp_sink_bytes(seen));
	tp_sink_close(seen);
	return text;
}

void
tp_html_attr(struct tp_html *h, const char *name, struct tp_slice value)
{
	if (!h->in_tag)
		abort();
	tp_sink_puts(h->out, " ");
	tp_sink_puts(h->out, name);
	tp_sink_puts(h->out, "=\"");
	put_escaped(h->out, value);
	tp_sink_puts(h->out, "\"");
}

void
tp_html_attrf(struct tp_html *h, const char *name, const char *format, ...)
{
	char buf[512];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(buf, sizeof buf, format, args);
	va_end(args);
	tp_html_attr(h, name,
		(struct tp_slice){buf,
			n < 0                        ? 0
				: (size_t)n < sizeof buf ? (size_t)n
										 : sizeof buf - 1});
}

/* `text` with each "<" that stands before one of `before` (any character when NULL) written as `instead`. */
static void
put_without_tags(struct tp_sink *out, struct tp_slice text, const char *before, const char *instead)
{
	size_t kept = 0;

	if (text.len == 0)
		return;
	for (size_t i = 0; i < text.len; i++) {
		char next = i + 1 < text.len ? text.ptr[i + 1] : '\0';

		if (text.ptr[i] != '<' || (before != NULL && (next == '\0' || !strchr(before, next))))
			continue;
		tp_sink_write(out, text.ptr + kept, i - kept);
		tp_sink_puts(out, instead);
		kept = i + 1;
	}
	tp_sink_write(out, text.ptr + kept, text.len - kept);
}

void
tp_html_text(struct tp_html *h, struct tp_slice text)
{
	end_tag_start(h);
	if (h->depth > 0 && is_one_of(h->open[h->depth - 1], raw_text_elements))
		put_without_tags(h->out, text, "/!", "< ");
	else
		put_escaped(h->out, text);
}

void
tp_html_json(struct tp_html *h, struct tp_slice json)
{
	end_tag_start(h);
	put_without_tags(h->out, json, NULL, "\\u003c");
}

struct tp_sink *
tp_html_raw(struct tp_html *h)
{
	end_tag_start(h);
	return h->out;
}

void
tp_html_close(struct tp_html *h)
{
	const char *name;

	if (h->depth == 0)
		abort();
	name = h->open[--h->depth];
	end_tag_start(h);
	if (is_one_of(name, void_elements))
		return;
	tp_sink_puts(h->out, "</");
	tp_sink_puts(h->out, name);
	tp_sink_puts(h->out, ">");
}

void
tp_html_element(struct tp_html *h, const char *name, const char *class_name, struct tp_slice text)
{
	tp_html_open(h, name);
	if (class_name != NULL && class_name[0] != '\0')
		tp_html_attr(h, "class", tp_slice_of(class_name));
	tp_html_text(h, text);
	tp_html_close(h);
}

void
tp_html_newline(struct tp_html *h)
{
	end_tag_start(h);
	tp_sink_puts(h->out, "\n");
}
