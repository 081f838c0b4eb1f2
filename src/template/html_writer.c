/* The HTML writer: escapes, knows void and raw-text elements, closes what was opened. */
#include "template/html_writer.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

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

/* The code point at p, and its length in *len; UINT32_MAX when the bytes are not UTF-8. */
static uint32_t
decode(const unsigned char *p, const unsigned char *end, size_t *len)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t n = *p < 0x80          ? 1
		: *p >= 0xc2 && *p < 0xe0 ? 2
		: (*p & 0xf0) == 0xe0     ? 3
		: *p >= 0xf0 && *p < 0xf5 ? 4
								  : 0;
	uint32_t code;

	*len = 1;
	if (n == 0 || (size_t)(end - p) < n)
		return UINT32_MAX;
	code = n == 1 ? *p : *p & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return UINT32_MAX;
		code = code << 6 | (p[i] & 0x3fu);
	}
	if (code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return UINT32_MAX;
	*len = n;
	return code;
}

static bool
turns_direction(uint32_t code)
{
	return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
		code == 0x200e || code == 0x200f || code == 0x061c;
}

static bool
is_noncharacter(uint32_t code)
{
	return (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) == 0xfffe;
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
	case '\t':
	case '\n':
		return NULL;
	case 0x7f:
		return "\u2421"; /* the sign for "delete" */
	}
	if (code < 0x20) { /* the signs for control characters */
		snprintf(buf, 16, "\xe2\x90%c", (char)(0x80 + code));
		return buf;
	}
	if (turns_direction(code)) {
		snprintf(buf, 16, "[U+%04X]", code);
		return buf;
	}
	return code == UINT32_MAX || is_noncharacter(code) || (code >= 0x80 && code < 0xa0) ? "\ufffd"
																						: NULL;
}

static void
put_escaped(struct tp_sink *out, struct tp_slice text)
{
	if (text.len == 0)
		return;
	const unsigned char *p = (const unsigned char *)text.ptr;
	const unsigned char *end = p + text.len;
	const unsigned char *kept = p; /* start of what is not yet written */

	while (p < end) {
		char buf[16];
		size_t len;
		const char *other = replacement(decode(p, end, &len), buf);

		if (other != NULL) {
			tp_sink_write(out, kept, (size_t)(p - kept));
			tp_sink_puts(out, other);
			kept = p + len;
		}
		p += len;
	}
	tp_sink_write(out, kept, (size_t)(p - kept));
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
tp_html_json_sink(struct tp_html *h)
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
