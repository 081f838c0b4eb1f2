/* A report as JSON, redacted: every string of it, whatever it is, so what a report holds in later versions is redacted, too. */
#include "stored/tree.h"
#include "redact/redaction.h"

/* What a name is of, by the key of the column or member that it stands in … */
static const struct {
	const char *key;
	enum tp_noun noun;
} keys[] = {
	{"host", TP_NOUN_HOST},
	{"worker", TP_NOUN_WORKER},
	{"process", TP_NOUN_WORKER},
	{"file", TP_NOUN_PATH},
	{"place", TP_NOUN_NAME},
	{"source", TP_NOUN_PATH},
	{"kernel", TP_NOUN_KERNEL},
	{"program", TP_NOUN_MODULE},
	{"module", TP_NOUN_MODULE},
	{"class", TP_NOUN_MODULE},
	{"scope", TP_NOUN_MODULE},
	{"operator", TP_NOUN_OP},
	{"operation", TP_NOUN_OP},
	{"instruction", TP_NOUN_OP},
	{"top", TP_NOUN_OP},
};

/* … else by the section. */
static const struct {
	const char *start;
	enum tp_noun noun;
} sections[] = {
	{"kernels", TP_NOUN_KERNEL},
	{"modules", TP_NOUN_MODULE},
	{"operators", TP_NOUN_OP},
	{"operations", TP_NOUN_OP},
	{"environment", TP_NOUN_ARG},
	{"method/files", TP_NOUN_PATH},
};

/* Members that hold an id. */
static const char *const ids[] = {"id", "href", "metric", "section", "finding", "chart"};

struct walk {
	struct tp_redaction *r;
	void (*visit)(struct walk *w, struct tp_slice *text);
	enum tp_noun noun;
	enum tp_writing writing;
	bool own;    /* a key of ours: "self_ms" */
	bool digest; /* below a fingerprint, which has no names in it */
};

static bool
is_one_of(struct tp_slice key, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (tp_slice_eq(key, tp_slice_of(list[i])))
			return true;
	}
	return false;
}

static enum tp_noun
noun_of(struct tp_slice key, enum tp_noun around)
{
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (tp_slice_eq(key, tp_slice_of(keys[i].key)))
			return keys[i].noun;
	}
	return around;
}

static enum tp_noun
noun_in(struct tp_slice id, enum tp_noun around)
{
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
		if (tp_slice_starts(id, tp_slice_of(sections[i].start)))
			return sections[i].noun;
	}
	return around;
}

/* Events, arrows and counters of a timeline, which are packed numbers: their names stand beside them. */
static bool
is_packed(struct tp_node *around, const struct tp_node *node)
{
	return tp_slice_eq(node->key, TP_S("data")) && tp_tree_member(around, "count") != NULL &&
		(tp_tree_member(around, "from_ps") != NULL || tp_tree_member(around, "tick_ps") != NULL ||
			tp_tree_member(around, "cell_ps") != NULL);
}

static void
walk_node(struct walk w, struct tp_node *node, bool in_metrics)
{
	bool metrics = tp_slice_eq(node->key, TP_S("metrics"));
	struct walk key = w;

	/* Keys of metrics are ids, all others ours. */
	key.own = true;
	key.writing = in_metrics ? TP_WRITTEN_AS_ID : TP_WRITTEN_PLAIN;
	key.visit(&key, &node->key);
	w.noun = noun_of(node->key, w.noun);
	w.digest = w.digest || tp_slice_eq(node->key, TP_S("fingerprint"));
	if (node->type == TP_PULL_STRING) {
		w.writing = is_one_of(node->key, ids, sizeof ids / sizeof *ids) ? TP_WRITTEN_AS_ID
																		: TP_WRITTEN_PLAIN;
		w.own = tp_slice_eq(node->key, TP_S("key"));
		w.visit(&w, &node->text);
	}
	if (node->type == TP_PULL_OBJECT && tp_tree_member(node, "kind") != NULL)
		w.noun = noun_in(tp_tree_text(node, "id"), w.noun);
	for (struct tp_node *at = node->first; at != NULL; at = at->next) {
		if (!is_packed(node, at))
			walk_node(w, at, metrics);
	}
}

/* What a report says of itself is named after folders. */
static void
walk_all(struct tp_redaction *r, struct tp_node *root,
	void (*visit)(struct walk *w, struct tp_slice *text))
{
	struct walk w = {.r = r, .visit = visit};

	for (struct tp_node *at = root->first; at != NULL; at = at->next) {
		w.noun = at->type == TP_PULL_STRING ? TP_NOUN_PATH : TP_NOUN_NAME;
		walk_node(w, at, false);
	}
}

/* The part of a key that is ours: all but what the id of a metric is narrowed to. */
static struct tp_slice
own_part(struct tp_slice key)
{
	const char *at = key.len != 0 ? memchr(key.ptr, '@', key.len) : NULL;

	return at != NULL ? (struct tp_slice){key.ptr, (size_t)(at - key.ptr)} : key;
}

static void
look(struct walk *w, struct tp_slice *text)
{
	struct tp_word word;

	if (!w->own && w->writing == TP_WRITTEN_PLAIN)
		tp_redaction_look(w->r, *text);
	if (!w->own && !w->digest)
		return;
	for (size_t at = 0; tp_word_next(own_part(*text), TP_WRITTEN_PLAIN, &at, &word);) {
		if (w->digest || tp_redaction_parts_are_public(w->r, word.shown))
			tp_redaction_spare(w->r, word.shown);
	}
}

static void
sort(struct walk *w, struct tp_slice *text)
{
	tp_redaction_sort(w->r, w->noun, w->writing, *text);
}

static void
replace(struct walk *w, struct tp_slice *text)
{
	*text = tp_redaction_text(w->r, w->writing, *text);
}

/* Takes out what an earlier run of tpreport said of its redaction. */
static bool
take_out_section(struct tp_node *root)
{
	struct tp_node *list = tp_tree_member(root, "sections");
	struct tp_node **at = list != NULL ? &list->first : NULL;

	while (at != NULL && *at != NULL && !tp_slice_eq(tp_tree_text(*at, "id"), TP_S("redaction")))
		at = &(*at)->next;
	bool is_there = at != NULL && *at != NULL;

	if (is_there) {
		*at = (*at)->next;
		list->count--;
	}
	return is_there;
}

bool
tp_redact_tree(struct tp_redaction *r, struct tp_node *root)
{
	bool was_redacted = take_out_section(root);

	tp_redaction_begin(r);
	walk_all(r, root, look);
	walk_all(r, root, sort);
	walk_all(r, root, replace);
	return was_redacted;
}
