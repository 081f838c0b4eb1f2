/* Findings in JSON: what was seen, why it matters, what to do, and how much it saves at most. */
#include "render/json.h"

#include "base/arena.h"
#include "base/map.h"

static const char *const finding_statuses[] = {
	[TP_FINDING_OPEN] = "open",
	[TP_FINDING_PASSED] = "passed",
	[TP_FINDING_NOT_APPLICABLE] = "not_applicable",
	[TP_FINDING_UNDECIDED] = "undecided",
};

static void
put_links(struct tp_json_report *w, struct tp_text text)
{
	char buf[TP_VALUE_BUF];

	tp_json_open(&w->json, "links", TP_JSON_ARRAY);
	for (size_t i = 0; i < text.count; i++) {
		if (text.spans[i].href.len == 0)
			continue;
		tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_string(&w->json, "text", tp_span_shown(&text.spans[i], buf));
		tp_json_string(&w->json, "href", text.spans[i].href);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
}

static void
put_finding(struct tp_json_report *w, const struct tp_finding *f, unsigned number)
{
	tp_json_open(&w->json, NULL, TP_JSON_OBJECT);
	tp_json_string(&w->json, "id", f->id);
	tp_json_put_name(w, "status", finding_statuses[f->status]);
	tp_json_string(&w->json, "name", f->name);
	tp_json_put_sentence(w, "title", f->title);
	if (f->status == TP_FINDING_OPEN) {
		tp_json_integer(&w->json, "number", number);
		tp_json_string(&w->json, "severity", tp_severity_word(f->severity));
		tp_json_put_sentence(w, "brief", f->brief);
		tp_json_put_sentence(w, "saw", f->saw);
		tp_json_put_sentence(w, "matters", f->matters);
		tp_json_put_sentences(w, "actions", f->actions, f->action_count);
		tp_json_put_sentence(w, "check", f->check);
		put_links(w, f->evidence);
		tp_json_put_value(w, "saving", f->saving);
		tp_json_put_filled(w, "saving_note", f->saving_note);
		tp_json_string(&w->json, "hue", tp_hue_name(f->hue));
	}
	tp_json_put_value(w, "measured", f->measured);
	tp_json_put_value(w, "limit", f->limit);
	tp_json_close(&w->json);
}

void
tp_json_put_findings(struct tp_json_report *w, const struct tp_doc *doc)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_strings seen;

	tp_strings_init(&seen, arena);
	tp_json_open(&w->json, "findings", TP_JSON_ARRAY);
	for (struct tp_walk walk = tp_walk_of(doc); tp_walk_next(&walk);) {
		if (walk.event == TP_WALK_LEAVE || walk.block->kind != TP_BLOCK_FINDING)
			continue;
		const struct tp_finding_block *b = &walk.block->finding;
		uint32_t before = seen.count;

		if (tp_intern(&seen, b->finding->id) == before)
			put_finding(w, b->finding, b->number);
	}
	tp_json_close(&w->json);
	tp_arena_free(arena);
}
