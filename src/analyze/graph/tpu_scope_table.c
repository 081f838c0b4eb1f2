/* Scopes of a graph that is judged for TPUs, as a tree. */
#include "analyze/graph/tpu_compat.h"

#include "analyze/core/say.h"
#include "analyze/graph/graph.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

enum { SCOPES_OPEN = 12, MOST_SCOPES = 2000, OPEN_DEPTH = 2 };
enum { SCOPE, SHARE, INCOMPATIBLE, JUDGED, NODES, COLUMNS };

static const struct tp_column columns[COLUMNS] = {
	[SCOPE] = TP_COLUMN("scope", "Scope", .code = true),
	[SHARE] = TP_SHARE_COLUMN("compatible_share", "Compatible", .bar = true),
	[INCOMPATIBLE] = TP_COUNT_COLUMN("incompatible", "Incompatible"),
	[JUDGED] = TP_COUNT_COLUMN("judged", "Judged"),
	[NODES] = TP_COUNT_COLUMN("nodes", "Nodes"),
};

static void
row(const struct tp_pass_ctx *ctx, const struct tp_tpu_compat *c, uint32_t i,
	struct tp_draft *draft)
{
	const struct tp_graph_scope *s = &c->scopes->scopes[i];
	const struct tp_tpu_sums *sums = &c->sums[i];
	uint32_t judged = sums->compatible + sums->incompatible;
	struct tp_slice path =
		i == 0 ? TP_S("the graph") : tp_graph_scope_path(c->scopes, i, ctx->keep);
	struct tp_cell *cell = tp_draft_row(draft, path, TP_ROW_NORMAL, (int)s->depth);

	cell[SCOPE].value = tp_text_value(tp_graph_scope_label(ctx, c->view, i));
	cell[SCOPE].full = path;
	cell[NODES].value = tp_count(s->nodes);
	cell[JUDGED].value = tp_count(judged);
	cell[INCOMPATIBLE].value = tp_count(sums->incompatible);
	cell[SHARE].value = tp_share(
		sums->compatible, judged, TP_S("all in it is work of the host, or placed by hand"));
}

/* The first of siblings from this one on that holds an incompatible node, or that holds none. */
static uint32_t
sibling(const struct tp_tpu_compat *c, uint32_t scope, bool clean)
{
	while (scope != TP_NONE && (c->sums[scope].incompatible == 0) != clean)
		scope = c->scopes->scopes[scope].next;
	return scope;
}

/* The siblings of one level: those with an incompatible node, then the others. */
struct level {
	uint32_t first, next;
	bool clean;
};

static struct level
enter(const struct tp_tpu_compat *c, uint32_t first)
{
	return (struct level){.first = first, .next = sibling(c, first, false)};
}

/* TP_NONE: there is none left. */
static uint32_t
take(const struct tp_tpu_compat *c, struct level *l)
{
	uint32_t scope = l->next;

	if (scope == TP_NONE && !l->clean) {
		l->clean = true;
		scope = sibling(c, l->first, true);
	}
	if (scope != TP_NONE)
		l->next = sibling(c, c->scopes->scopes[scope].next, l->clean);
	return scope;
}

/* Scopes in which all is alike are not opened: their parts say the same. Returns how many there was no room for. */
static size_t
rows(const struct tp_pass_ctx *ctx, const struct tp_tpu_compat *c, struct tp_draft *draft)
{
	struct level levels[TP_GRAPH_DEEPEST_SCOPE + 1], *l = levels;
	size_t left_out = 0;

	*l = enter(c, 0);
	while (l >= levels) {
		uint32_t scope = take(c, l);

		if (scope == TP_NONE) {
			l--;
			continue;
		}
		if (draft->rows.count < MOST_SCOPES)
			row(ctx, c, scope, draft);
		else
			left_out++;
		if (c->scopes->scopes[scope].first != TP_NONE &&
			(scope == 0 || c->sums[scope].incompatible != 0 || ctx->options->top == SIZE_MAX))
			*++l = enter(c, c->scopes->scopes[scope].first);
	}
	return left_out;
}

void
tp_tpu_scope_table(const struct tp_pass_ctx *ctx, const struct tp_tpu_compat *c, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft = tp_draft_table(doc, section, "graph/tpu/scopes", columns, COLUMNS);
	size_t left_out = rows(ctx, c, &draft);
	struct tp_table *t = tp_draft_finish(&draft, SIZE_MAX);

	t->tree = true;
	t->open_depth = OPEN_DEPTH;
	t->shown = tp_table_open_rows(t, SCOPES_OPEN);
	t->caption =
		TP_S("Scopes, each with those within; the share is of its judged nodes. Those with an "
			 "incompatible node come first, the others are not opened further");
	tp_tpu_say_left_out(
		ctx, doc, section, "graph/tpu/more-scopes", left_out, "more scope is", "more scopes are");
}
