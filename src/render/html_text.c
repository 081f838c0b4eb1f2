/* Sentences in HTML: spans, values with their metric, glyphs with their word. */
#include "render/html.h"

#include "base/utf8.h"

enum {
	PART = 12,      /* bytes; a name is broken after parts that are no shorter */
	LONG_NAME = 24, /* bytes; shorter names within a sentence are not broken */
	LONG_OPTION = 40,
};

const char *
tp_html_judge_class(enum tp_judge judge)
{
	static const char *const classes[] = {
		[TP_JUDGE_NONE] = "",
		[TP_JUDGE_BAD] = "bad",
		[TP_JUDGE_WARN] = "warn",
		[TP_JUDGE_GOOD] = "good",
		[TP_JUDGE_UNDECIDED] = "warn",
		[TP_JUDGE_ABSENT] = "m",
	};

	return classes[judge];
}

void
tp_html_div(struct tp_html_page *page, const char *name, const char *class_name)
{
	tp_html_open(&page->out, name);
	if (class_name[0] != '\0')
		tp_html_attr(&page->out, "class", tp_slice_of(class_name));
}

void
tp_html_end(struct tp_html_page *page)
{
	tp_html_close(&page->out);
}

/* The glyph in its colour; `word` says it to those who do not see it and stands in the tooltip. */
void
tp_html_glyph(struct tp_html_page *page, enum tp_judge judge, struct tp_slice word)
{
	if (judge == TP_JUDGE_NONE)
		return;
	tp_html_div(page, "span", tp_html_judge_class(judge));
	if (word.len > 0)
		tp_html_attr(&page->out, "title", word);
	tp_html_text(&page->out, tp_judge_glyph(judge));
	tp_html_end(page);
}

void
tp_html_value(struct tp_html_page *page, struct tp_value value)
{
	char buf[TP_VALUE_BUF];
	struct tp_slice text = tp_value_text(value, buf);
	struct tp_html *h = &page->out;

	if (value.kind == TP_VALUE_MISSING) {
		tp_html_div(page, "span", "na");
		tp_html_attr(h, "title", value.text);
		tp_html_text(h, text);
		tp_html_end(page);
	} else if (value.kind == TP_VALUE_TEXT && tp_utf8_may_turn(text)) {
		tp_html_element(h, "bdi", NULL, text); /* so that it cannot reorder what stands beside it */
	} else {
		tp_html_text(h, text);
	}
}

/* Whether a name may be broken into lines after this byte of it: of "::" after the second. */
static bool
ends_part(struct tp_slice text, size_t i)
{
	char c = text.ptr[i];

	return c == '/' || c == '_' || c == ',' || (c == ':' && text.ptr[i + 1] != ':');
}

void
tp_html_breakable(struct tp_html_page *page, struct tp_slice text)
{
	size_t from = 0;

	for (size_t i = 0; i + 1 < text.len; i++) {
		if (i + 1 - from < PART || !ends_part(text, i))
			continue;
		tp_html_text(&page->out, (struct tp_slice){text.ptr + from, i + 1 - from});
		tp_html_open(&page->out, "wbr");
		tp_html_close(&page->out);
		from = i + 1;
	}
	tp_html_text(&page->out, tp_slice_from(text, from));
}

/* So that it cannot reorder what stands beside it. */
static void
write_name(struct tp_html_page *page, struct tp_slice text)
{
	bool may_turn = tp_utf8_may_turn(text);

	if (may_turn)
		tp_html_open(&page->out, "bdi");
	if (text.len >= LONG_NAME)
		tp_html_breakable(page, text);
	else
		tp_html_text(&page->out, text);
	if (may_turn)
		tp_html_close(&page->out);
}

static void
write_shown(struct tp_html_page *page, const struct tp_span *span)
{
	if (span->metric.len > 0) {
		tp_html_open(&page->out, "span");
		tp_html_attr(&page->out, "data-metric", span->metric);
	}
	if (span->style == TP_STYLE_CODE && (!span->has_value || span->value.kind == TP_VALUE_TEXT))
		write_name(page, span->has_value ? span->value.text : span->text);
	else if (span->has_value)
		tp_html_value(page, span->value);
	else
		tp_html_text(&page->out, span->text);
	if (span->metric.len > 0)
		tp_html_end(page);
}

/* "--overlap": a browser would break the line behind its hyphens. */
static bool
is_option(const struct tp_span *span)
{
	return span->style == TP_STYLE_CODE && !span->has_value &&
		tp_slice_starts(span->text, TP_S("--")) && span->text.len < LONG_OPTION;
}

static void
write_span(struct tp_html_page *page, const struct tp_span *span)
{
	static const struct {
		const char *name, *class_name;
	} elements[] = {
		[TP_STYLE_PLAIN] = {NULL, NULL},
		[TP_STYLE_STRONG] = {"b", ""},
		[TP_STYLE_MUTED] = {"span", "m"},
		[TP_STYLE_CODE] = {"code", ""},
	};

	if (span->judge != TP_JUDGE_NONE) {
		tp_html_glyph(page, span->judge, tp_judge_word(span->judge));
		return;
	}
	if (elements[span->style].name != NULL)
		tp_html_div(page, elements[span->style].name,
			is_option(span) ? "whole" : elements[span->style].class_name);
	write_shown(page, span);
	if (elements[span->style].name != NULL)
		tp_html_end(page);
}

/* A glyph is followed by a space. */
static bool
wants_space_after(const struct tp_span *span, const struct tp_span *next)
{
	if (span->judge == TP_JUDGE_NONE)
		return false;
	return next->has_value || next->text.len == 0 || next->text.ptr[0] != ' ';
}

/* Neighbouring spans with the same target make one link. */
void
tp_html_say(struct tp_html_page *page, struct tp_text text)
{
	struct tp_slice href = TP_S("");

	for (size_t i = 0; i < text.count; i++) {
		const struct tp_span *span = &text.spans[i];

		if (href.len > 0 && !tp_slice_eq(span->href, href))
			tp_html_end(page);
		if (span->href.len > 0 && !tp_slice_eq(span->href, href)) {
			tp_html_open(&page->out, "a");
			tp_html_attr(&page->out, "href", span->href);
		}
		href = span->href;
		write_span(page, span);
		if (i + 1 < text.count && wants_space_after(span, span + 1))
			tp_html_text(&page->out, TP_S(" "));
	}
	if (href.len > 0)
		tp_html_end(page);
}
