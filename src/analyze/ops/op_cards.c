/* Choosing the operations that get a card, and what the HLO of a program says of them: the instructions of a fusion, what is around
 * an operation, texts and shapes that the profile's own metadata lack. Each program is unpacked once, and forgotten. */
#include "analyze/ops/op_cards.h"

#include "analyze/ops/op_graph.h"
#include "analyze/ops/op_profile.h"
#include "analyze/ops/ops_words.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/hlo_line.h"
#include "model/precomputed.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

/* However many rows are wanted. */
enum { MOST_CARDS = 100, MOST_OPENED = 1000 };

static double
rank_of(const struct tp_op_total *t)
{
	return isfinite(t->wasted_ps) ? t->wasted_ps : -1;
}

TP_ORDER_POINTERS(by_rank, struct tp_op_total,
	(rank_of(a) < rank_of(b)) - (rank_of(a) > rank_of(b)), TP_DOWN(self_ps), TP_AS_THEY_STAND);

static uint64_t
key_of(const struct tp_op *op)
{
	return (uint64_t)(uintptr_t)op;
}

struct tp_slice
tp_op_id(struct tp_doc *doc, const char *prefix, struct tp_slice program, struct tp_slice label,
	struct tp_map *ids)
{
	struct tp_slice name = tp_arena_printf(doc->arena, "%.*s/%.*s", TP_ARG(program), TP_ARG(label));
	struct tp_slice id = tp_doc_id(doc, prefix, name), unique = id;

	for (unsigned n = 2; tp_map_get(ids, tp_hash_bytes(unique)) != TP_MAP_NONE; n++)
		unique = tp_arena_printf(doc->arena, "%.*s~%u", TP_ARG(id), n);
	tp_map_put(ids, tp_hash_bytes(unique), 0);
	return unique;
}

struct tp_op_card *
tp_op_card_of(const struct tp_op_cards *cards, const struct tp_op *op)
{
	uint32_t at = cards != NULL ? tp_map_get(&cards->index, key_of(op)) : TP_MAP_NONE;

	return at == TP_MAP_NONE ? NULL : &cards->cards[at];
}

struct tp_slice
tp_op_card_href(const struct tp_op_page *page, const struct tp_op_total *t)
{
	const struct tp_op_card *card = tp_op_card_of(page->cards, t->op);

	return card != NULL && card->id.len != 0
		? tp_arena_printf(page->ctx->keep, "#%.*s", TP_ARG(card->id))
		: (struct tp_slice){NULL, 0};
}

/* More instructions are counted only. */
enum { MOST_PARTS = 64 };
/* In the place of a card: of a program that was read. */
#define DONE (TP_NONE - 1)

static struct tp_op_part
part_of(const struct tp_hlo_instruction *i, struct tp_arena *keep, struct tp_arena *scratch)
{
	return (struct tp_op_part){
		.name = tp_op_text(keep, i->name),
		.opcode = tp_op_text(keep, i->opcode),
		.shape = tp_op_text(keep, tp_shape_text(&i->shape, scratch)),
		.framework = tp_op_text(keep, i->framework),
		.source = tp_op_source(keep, i),
	};
}

struct tp_op_inside
tp_op_inside(const struct tp_hlo_module *m, const struct tp_hlo_instruction *fusion,
	struct tp_arena *keep, struct tp_arena *scratch)
{
	struct tp_op_inside inside = {.parts = NULL};

	if (!tp_slice_eq(fusion->opcode, TP_S("fusion")))
		return inside;
	inside.parts = tp_new_array(keep, struct tp_op_part, MOST_PARTS);
	for (uint32_t c = 0; c < fusion->called.count; c++) {
		const struct tp_hlo_computation *in = &m->computations[fusion->called.at[c]];

		for (uint32_t k = in->first; k < in->first + in->count; k++) {
			const struct tp_hlo_instruction *i = &m->instructions[k];

			if (tp_slice_eq(i->opcode, TP_S("parameter")))
				continue;
			if (inside.count == MOST_PARTS)
				inside.left_out++;
			else
				inside.parts[inside.count++] = part_of(i, keep, scratch);
		}
	}
	return inside;
}

/* "dot.5 = f32[8,8]{1,0} dot(p.1, p.2)" */
static struct tp_slice
expression(
	const struct tp_hlo_module *m, const struct tp_hlo_instruction *i, struct tp_arena *scratch)
{
	enum { MOST_OPERANDS = 16 };
	struct tp_slice text = tp_arena_printf(scratch, "%.*s = %.*s %.*s(", TP_ARG(i->name),
		TP_ARG(tp_shape_text(&i->shape, scratch)), TP_ARG(i->opcode));

	for (uint32_t k = 0; k < i->operands.count && k < MOST_OPERANDS; k++)
		text = tp_arena_printf(scratch, "%.*s%s%.*s", TP_ARG(text), k == 0 ? "" : ", ",
			TP_ARG(m->instructions[i->operands.at[k]].name));
	text = tp_arena_printf(
		scratch, "%.*s%s)", TP_ARG(text), i->operands.count > MOST_OPERANDS ? ", …" : "");
	return text;
}

static void
describe(const struct tp_hlo_module *m, const struct tp_hlo_instruction *i, struct tp_op_card *card,
	struct tp_arena *keep, struct tp_arena *scratch)
{
	const struct tp_op *op = card->total->op;

	/* XLA on a host's CPU writes the instruction's name alone. */
	if (tp_slice_eq(op->name, op->label))
		card->expression = tp_op_text(keep, expression(m, i, scratch));
	if (op->shape.len == 0)
		card->shape = tp_op_text(keep, tp_shape_text(&i->shape, scratch));
	card->inside = tp_op_inside(m, i, keep, scratch);
}

/* Cards by program: the first in the map, then from one to the next. */
struct by_program {
	struct tp_map first;
	uint32_t *next; /* TP_NONE: the last */
};

static struct by_program
sort_by_program(const struct tp_op_cards *cards, struct tp_arena *scratch)
{
	struct by_program by = {.next = tp_new_array(scratch, uint32_t, cards->count)};

	tp_map_init(&by.first, scratch);
	for (uint32_t i = (uint32_t)cards->count; i-- > 0;) {
		const struct tp_op_total *t = cards->cards[i].total;

		by.next[i] = TP_NONE;
		if (!t->has_program)
			continue;
		by.next[i] = tp_map_get(&by.first, t->program_id);
		tp_map_put(&by.first, t->program_id, i);
	}
	return by;
}

/* All cards of a program, from card number `i` on. */
static void
describe_all(const struct tp_hlo_module *m, const struct by_program *by, uint32_t i,
	struct tp_op_cards *cards, const struct tp_op_index *index, struct tp_arena *keep,
	struct tp_arena *arena)
{
	struct tp_op_program *program = NULL;

	for (; i != TP_NONE; i = by->next[i]) {
		struct tp_op_card *card = &cards->cards[i];
		const struct tp_hlo_instruction *at = tp_hlo_find(m, card->total->op->label);

		card->no_graph = TP_S(why_no_instruction);
		if (at == NULL)
			continue;
		describe(m, at, card, keep, arena);
		if (card->id.len == 0)
			continue;
		if (program == NULL)
			program = tp_op_program(m, card->total->program_id, index, arena);
		card->graph = tp_op_graph(program, at, TP_OP_GRAPH_WIDTH, keep);
	}
}

static void
look_up(const struct tp_pass_ctx *ctx, const struct tp_ops *o, struct tp_op_cards *cards)
{
	const struct tp_profile *p = ctx->profile;
	struct by_program by = sort_by_program(cards, ctx->scratch);
	struct tp_op_index index = tp_op_index(o, ctx->scratch);

	/* Of several hosts that have it the first counts. */
	for (uint32_t n = 0; n < p->program_count; n++) {
		uint32_t i = tp_map_get(&by.first, p->programs[n].id);
		const struct tp_hlo_module *m;
		struct tp_err err;

		if (i == TP_MAP_NONE || i == DONE)
			continue;
		struct tp_arena *arena = tp_arena_new();

		tp_map_put(&by.first, p->programs[n].id, DONE);
		/* Damage is said in the part on padding, which reads all programs. */
		if (tp_hlo_read(p->programs[n].hlo, arena, &m, &err) == TP_OK)
			describe_all(m, &by, i, cards, &index, ctx->keep, arena);
		for (; m == NULL && i != TP_NONE; i = by.next[i])
			cards->cards[i].no_graph = TP_S(why_damaged);
		tp_arena_free(arena);
	}
}

static struct tp_op_part
part_precomputed(
	const struct tp_precomputed_fused *precomputed, struct tp_arena *keep, struct tp_arena *scratch)
{
	const struct tp_hlo_module *line =
		tp_hlo_line_read(precomputed->expression, precomputed->framework, scratch);
	const struct tp_hlo_instruction *i = line != NULL ? tp_hlo_line_instruction(line) : NULL;

	return (struct tp_op_part){
		.name = precomputed->name,
		.opcode = i != NULL ? i->opcode : precomputed->opcode,
		.shape = i != NULL ? tp_shape_text(&i->shape, keep) : TP_S(""),
		.framework = tp_op_framework_text(precomputed->framework),
		.source = precomputed->source,
	};
}

/* What an op profile says of fusions of which the profile holds no HLO. */
static void
look_up_precomputed(
	const struct tp_pass_ctx *ctx, const struct tp_op_profile *p, struct tp_op_cards *cards)
{
	for (size_t c = 0; c < cards->count; c++) {
		struct tp_op_card *card = &cards->cards[c];
		const struct tp_precomputed_op *precomputed = p->precomputed[card->total - p->ops.ops];

		if (card->inside.count != 0 || precomputed->part_count == 0)
			continue;
		card->inside = (struct tp_op_inside){
			.parts = tp_new_array(ctx->keep, struct tp_op_part, precomputed->part_count)};
		for (; card->inside.count < precomputed->part_count; card->inside.count++)
			card->inside.parts[card->inside.count] =
				part_precomputed(&precomputed->parts[card->inside.count], ctx->keep, ctx->scratch);
	}
}

struct tp_op_cards *
tp_op_cards(const struct tp_pass_ctx *ctx, const struct tp_ops *o, const struct tp_op_profile *from,
	struct tp_doc *doc)
{
	struct tp_op_cards *cards = tp_new(ctx->keep, struct tp_op_cards);
	const struct tp_op_total **order =
		tp_new_array(ctx->scratch, const struct tp_op_total *, o->count);
	size_t top = ctx->options->top, opened = top < MOST_CARDS ? top * 10 : MOST_OPENED;
	size_t count = 0;

	for (size_t i = 0; i < o->count; i++) {
		if (!o->ops[i].left_out)
			order[count++] = &o->ops[i];
	}
	qsort(order, count, sizeof *order, by_rank);
	cards->count = count < opened ? count : opened;
	cards->shown = top < MOST_CARDS ? top : MOST_CARDS;
	cards->shown = cards->shown < cards->count ? cards->shown : cards->count;
	cards->cards = tp_new_array(ctx->keep, struct tp_op_card, cards->count);
	struct tp_map ids;

	tp_map_init(&ids, ctx->scratch);
	tp_map_init(&cards->index, ctx->keep);
	for (uint32_t i = 0; i < cards->count; i++) {
		const struct tp_op_total *t = order[i];

		cards->cards[i].total = t;
		cards->cards[i].no_graph = t->has_program ? TP_S(why_no_hlo) : TP_S(why_no_program);
		if (i < cards->shown)
			cards->cards[i].id = tp_op_id(doc, "operations/card", t->program, t->op->label, &ids);
		tp_map_put(&cards->index, key_of(t->op), i);
	}
	look_up(ctx, o, cards);
	if (from != NULL)
		look_up_precomputed(ctx, from, cards);
	return cards;
}
