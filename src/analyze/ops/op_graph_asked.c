/* The HLO around operations that were asked for by name, whether they ran or not: a section of its own. */
#include "analyze/ops/op_graph.h"

#include "analyze/core/say.h"
#include "analyze/ops/op_cards.h"
#include "analyze/ops/op_graph_words.h"
#include "base/arena.h"
#include "base/nearest.h"
#include "model/profile.h"

/* Of one wish; a name may be in many programs. */
enum { MOST_FOUND = 8 };

struct asked {
	const struct tp_graph_wish *wish;
	struct found {
		const struct tp_program *program;
		const struct tp_op_graph *graph;
		struct tp_op_inside inside;
	} found[MOST_FOUND];
	size_t count, more; /* found, and beyond that */
	struct tp_nearest nearest;
};

struct asking {
	const struct tp_op_page *page;
	struct asked *asked;
	size_t count;
	struct tp_op_index index;
	size_t read; /* programs */
};

/* "jit_f(7)": programs may have the same name. */
static struct tp_slice
title_of(const struct tp_program *p, struct tp_arena *arena)
{
	return tp_arena_printf(arena, "%.*s(%llu)", TP_ARG(p->name), (unsigned long long)p->id);
}

/* What is left of a wish after "prefix/"; all of it when it does not begin so. */
static struct tp_slice
without(struct tp_slice wish, struct tp_slice prefix)
{
	bool begins =
		tp_slice_starts(wish, prefix) && wish.len > prefix.len && wish.ptr[prefix.len] == '/';

	return begins ? tp_slice_from(wish, prefix.len + 1) : wish;
}

/* What is asked of this program: "fusion.1" of "fusion.1", of "%fusion.1" as HLO writes it, and of "jit_f/fusion.1" or
 * "jit_f(7)/fusion.1" when it is that one. */
static struct tp_slice
name_in(const struct tp_program *p, struct tp_slice wish, struct tp_arena *arena)
{
	if (tp_slice_starts(wish, TP_S("%")))
		return tp_slice_from(wish, 1);
	return without(without(wish, title_of(p, arena)), p->name);
}

/* Takes what was asked for out of one program, and what is like it. */
static void
search(struct asking *a, const struct tp_program *program, const struct tp_hlo_module *m,
	struct tp_arena *arena)
{
	struct tp_arena *keep = a->page->ctx->keep;
	struct tp_op_program *p = NULL;

	for (size_t w = 0; w < a->count; w++) {
		struct asked *asked = &a->asked[w];
		struct tp_slice name = name_in(program, asked->wish->op, arena);
		const struct tp_hlo_instruction *i = tp_hlo_find(m, name);

		if (i != NULL && asked->count == MOST_FOUND) {
			asked->more++;
		} else if (i != NULL) {
			if (p == NULL)
				p = tp_op_program(m, program->id, &a->index, arena);
			asked->found[asked->count++] = (struct found){
				.program = program,
				.graph = tp_op_graph(p, i, asked->wish->width, keep),
				.inside = tp_op_inside(m, i, keep, arena),
			};
		}
		asked->nearest.wish = name;
		for (uint32_t n = 0; asked->count == 0 && n < m->instruction_count; n++)
			tp_nearest_offer(&asked->nearest, m->instructions[n].name);
	}
}

static void
search_all(struct asking *a)
{
	const struct tp_profile *p = a->page->ctx->profile;
	struct tp_map done;

	tp_map_init(&done, a->page->ctx->scratch);
	for (uint32_t n = 0; n < p->program_count; n++) {
		const struct tp_program *program = &p->programs[n];
		const struct tp_hlo_module *m;
		struct tp_err err;
		uint32_t number;

		/* Of several hosts that have it the first counts. */
		if (!tp_map_number(&done, tp_hash_pair(program->id, tp_hash_bytes(program->name)), &number))
			continue;
		struct tp_arena *arena = tp_arena_new();

		if (tp_hlo_read(program->hlo, arena, &m, &err) == TP_OK) {
			search(a, program, m, arena);
			a->read++;
		}
		tp_arena_free(arena);
	}
}

static void
refuse(const struct asked *a, struct tp_err *refusal)
{
	struct tp_slice near = tp_nearest_text(&a->nearest);

	tp_fail(refusal, TP_ERR_USAGE, text_refused, TP_ARG(a->wish->op),
		near.len != 0 ? "near are " : "tpreport hlo lists the programs", TP_ARG(near));
}

static void
present_one(
	const struct asking *a, const struct found *f, struct tp_block *section, struct tp_map *ids)
{
	const struct tp_op_page *page = a->page;
	const struct tp_op_graph_node *middle = &f->graph->nodes[f->graph->middle];
	const struct tp_op_card *card =
		middle->total != NULL ? tp_op_card_of(page->cards, middle->total->op) : NULL;
	struct tp_arena *keep = page->ctx->keep;
	struct tp_slice id = tp_op_id(page->doc, "around", f->program->name, middle->name, ids);
	struct tp_block *sub =
		tp_doc_section(page->doc, section, TP_SECTION_SUB, id.ptr, "An operation");

	sub->section.title = tp_arena_printf(
		keep, "%.*s of %.*s", TP_ARG(middle->name), TP_ARG(title_of(f->program, keep)));
	sub->section.spare = section->section.first != sub;
	if (card != NULL && card->id.len != 0)
		tp_doc_paragraph(page->doc, sub, TP_PARAGRAPH_SMALL,
			tp_arena_printf(keep, "%.*s/card", TP_ARG(id)).ptr,
			TP_SAY(page->doc, text_card, tp_text_value(card->id)));
	tp_op_graph_present(page, sub, id, f->graph);
	tp_op_inside_table(page, sub, tp_arena_printf(keep, "%.*s/parts", TP_ARG(id)), &f->inside);
}

static void
say_answer(const struct asking *a, struct tp_block *section)
{
	struct tp_doc *doc = a->page->doc;
	size_t shown = 0, more = 0;

	for (size_t w = 0; w < a->count; w++) {
		shown += a->asked[w].count;
		more += a->asked[w].more;
	}
	section->section.key_figure = tp_say_number(a->page->ctx, shown, "operation", "operations");
	section->section.answer =
		TP_SAY(doc, shown == 1 ? text_shown_one : text_shown, section->section.key_figure);
	if (more != 0)
		section->section.so_what = TP_SAY(doc, text_more_of_name, tp_count(more));
}

void
tp_op_graphs_asked(const struct tp_op_page *page)
{
	const struct tp_pass_options *options = page->ctx->options;
	struct asking a = {.page = page, .count = options->graph_count};
	struct tp_map ids;

	if (a.count == 0)
		return;
	a.asked = tp_new_array(page->ctx->scratch, struct asked, a.count);
	a.index = tp_op_index(page->ops, page->ctx->scratch);
	for (size_t w = 0; w < a.count; w++) {
		a.asked[w].wish = &options->graphs[w];
		a.asked[w].nearest.arena = page->ctx->scratch;
	}
	search_all(&a);
	struct tp_block *section =
		tp_doc_section(page->doc, NULL, TP_SECTION_MAIN, "around", title_around_chosen);

	tp_map_init(&ids, page->ctx->scratch);
	for (size_t w = 0; w < a.count && a.read != 0; w++) {
		if (a.asked[w].count == 0) {
			refuse(&a.asked[w], page->ctx->refusal);
			return;
		}
		for (size_t f = 0; f < a.asked[w].count; f++)
			present_one(&a, &a.asked[w].found[f], section, &ids);
	}
	if (a.read != 0)
		say_answer(&a, section);
	else
		section->section.answer = TP_SAY(page->doc, text_nothing_shown,
			tp_text_value(
				page->ctx->profile->program_count != 0 ? TP_S(why_damaged) : TP_S(why_no_hlo)));
}
