/* The markup of sentences: a few marks in the passes' own literals become spans; values are put in, never parsed. */
#include "report/doc.h"

#include "base/arena.h"

struct parser {
	struct tp_doc *doc;
	const char *at;
	const struct tp_value *values;
	size_t value_count, next_value;

	char *out; /* unescaped text, as long as the markup at most */
	size_t out_start, out_len;
	struct tp_span *spans;
	size_t count;
	enum tp_style style;
	const char *label_end; /* the "](" of the link that is open, or NULL */
	size_t link_first;     /* its first span */
};

/* Closes the run of plain text before a mark. */
static void
end_run(struct parser *p)
{
	if (p->out_len == p->out_start)
		return;
	p->spans[p->count++] = (struct tp_span){
		.style = p->style,
		.text = {p->out + p->out_start, p->out_len - p->out_start},
	};
	p->out_start = p->out_len;
}

static struct tp_value
copied(struct tp_doc *doc, struct tp_value v)
{
	if (v.kind == TP_VALUE_TEXT || v.kind == TP_VALUE_MISSING)
		v.text = tp_arena_copy(doc->arena, v.text);
	return v;
}

static struct tp_value
next_value(struct parser *p)
{
	if (p->next_value >= p->value_count)
		return tp_missing(TP_S("no value was given"));
	return copied(p->doc, p->values[p->next_value++]);
}

/* {} or {metric.id}; returns false when it is neither. */
static bool
take_value(struct parser *p)
{
	const char *close = strchr(p->at, '}');

	if (*p->at != '{' || close == NULL)
		return false;
	struct tp_slice id = {p->at + 1, (size_t)(close - p->at) - 1};
	struct tp_span span = {.style = p->style, .has_value = true};

	if (id.len == 0) {
		span.value = next_value(p);
	} else {
		const struct tp_metric *m = tp_doc_find_metric(p->doc, id);

		span.value = m ? m->value : tp_missing(TP_S("no such metric"));
		span.metric = m ? m->id : (struct tp_slice){NULL, 0};
	}
	end_run(p);
	p->spans[p->count++] = span;
	p->at = close + 1;
	return true;
}

/* The anchor between ( and ), with {} replaced by texts; p->at is left behind the closing one. */
static struct tp_slice
take_anchor(struct parser *p, const char *from)
{
	struct tp_slice anchor = {NULL, 0};
	const char *end = strchr(from, ')');

	while (from < end) {
		bool value = from[0] == '{' && from[1] == '}';
		char buf[TP_VALUE_BUF];
		struct tp_slice piece =
			value ? tp_value_raw(next_value(p), buf) : (struct tp_slice){from, 1};

		anchor = tp_arena_printf(p->doc->arena, "%.*s%.*s", TP_ARG(anchor), TP_ARG(piece));
		from += value ? 2 : 1;
	}
	p->at = end + 1;
	return anchor;
}

static bool
open_link(struct parser *p)
{
	const char *middle = *p->at == '[' ? strstr(p->at, "](") : NULL;

	if (p->label_end != NULL || middle == NULL || strchr(middle, ')') == NULL)
		return false;
	end_run(p);
	p->label_end = middle;
	p->link_first = p->count;
	p->at++;
	return true;
}

/* "#operations/tree" leads into the section "operations". */
static bool
leads_somewhere(const struct tp_doc *doc, struct tp_slice anchor)
{
	struct tp_slice id = tp_slice_from(anchor, anchor.len != 0);
	const char *slash = id.len != 0 ? memchr(id.ptr, '/', id.len) : NULL;

	id.len = slash != NULL ? (size_t)(slash - id.ptr) : id.len;
	if (doc->sections == NULL)
		return true;
	for (size_t i = 0; doc->sections[i] != NULL; i++) {
		if (tp_slice_eq(id, tp_slice_of(doc->sections[i])))
			return true;
	}
	return false;
}

static bool
close_link(struct parser *p)
{
	if (p->at != p->label_end)
		return false;
	end_run(p);
	struct tp_slice anchor = take_anchor(p, p->label_end + 2);

	for (size_t i = p->link_first; i < p->count && leads_somewhere(p->doc, anchor); i++)
		p->spans[i].href = anchor;
	p->label_end = NULL;
	return true;
}

static bool
is_word(char c)
{
	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || (c & 0x80) != 0;
}

static bool
is_gap(char c)
{
	return c == ' ' || c == '\0';
}

/* * _ ` switch their style on and off; within code only ` does. */
static bool
take_mark(struct parser *p, const char *start)
{
	static const char marks[] = {[TP_STYLE_PLAIN] = '\0',
		[TP_STYLE_STRONG] = '*',
		[TP_STYLE_MUTED] = '_',
		[TP_STYLE_CODE] = '`'};
	char before = p->at == start ? '\0' : p->at[-1], after = p->at[1];
	enum tp_style style = TP_STYLE_STRONG;

	while (style <= TP_STYLE_CODE && marks[style] != *p->at)
		style++;
	if (style > TP_STYLE_CODE || (p->style == TP_STYLE_CODE && style != TP_STYLE_CODE))
		return false;
	if (style != TP_STYLE_CODE &&
		((is_word(before) && is_word(after)) || (is_gap(before) && is_gap(after))))
		return false;
	end_run(p);
	p->style = p->style == style ? TP_STYLE_PLAIN : style;
	p->at++;
	return true;
}

static void
take_letter(struct parser *p)
{
	if (p->at[0] == '\\' && p->at[1] != '\0')
		p->at++;
	p->out[p->out_len++] = *p->at++;
}

/* Each mark ends one run and adds one span at most. */
static size_t
most_spans(const char *markup)
{
	size_t count = 1;

	for (const char *c = strpbrk(markup, "*_`[]{"); c != NULL; c = strpbrk(c + 1, "*_`[]{"))
		count += 2;
	return count;
}

struct tp_text
tp_doc_say(struct tp_doc *doc, const char *markup, const struct tp_value *values, size_t count)
{
	struct parser p = {
		.doc = doc,
		.at = markup,
		.values = values,
		.value_count = count,
		.out = tp_arena_alloc(doc->arena, strlen(markup)),
		.spans = tp_new_array(doc->arena, struct tp_span, most_spans(markup)),
	};

	while (*p.at != '\0') {
		if (!close_link(&p) && !open_link(&p) && !take_value(&p) && !take_mark(&p, markup))
			take_letter(&p);
	}
	end_run(&p);
	return (struct tp_text){p.spans, p.count};
}

/* What a sentence shows, without its styles and links. */

struct tp_slice
tp_span_shown(const struct tp_span *span, char buf[static TP_VALUE_BUF])
{
	if (span->judge != TP_JUDGE_NONE)
		return tp_judge_glyph(span->judge);
	return span->has_value ? tp_value_text(span->value, buf) : span->text;
}

struct tp_slice
tp_text_shown(struct tp_text text, struct tp_arena *a)
{
	char buf[TP_VALUE_BUF];
	size_t len = 0;

	for (size_t i = 0; i < text.count; i++)
		len += tp_span_shown(&text.spans[i], buf).len + 1;
	char *shown = tp_arena_alloc(a, len);

	len = 0;
	for (size_t i = 0; i < text.count; i++) {
		struct tp_slice piece = tp_span_shown(&text.spans[i], buf);

		if (piece.len != 0)
			memcpy(shown + len, piece.ptr, piece.len);
		len += piece.len;
		/* A glyph that leads a sentence stands apart from it. */
		if (text.spans[i].judge != TP_JUDGE_NONE && i + 1 < text.count)
			shown[len++] = ' ';
	}
	return (struct tp_slice){shown, len};
}
