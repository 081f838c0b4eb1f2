/* Copies and fills on GPU streams, by direction and by kinds of memory. */
#include "analyze/kernels/kernels.h"

#include "analyze/core/say.h"
#include "analyze/facts/op_times.h"
#include "analyze/kernels/kernels_words.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "base/saturate.h"
#include "model/profile.h"
#include "report/draft.h"

#include <stdlib.h>
#include <strings.h>

/* CUPTI's and ROCm's names of copies, older and newer. */
static const struct {
	const char *prefix, *kind;
} kinds[] = {
	{"MemcpyHToD", "host to device"},
	{"Memcpy HtoD", "host to device"},
	{"Memcpy DtoH", "device to host"},
	{"Memcpy DtoD", "within the device"},
	{"Memcpy PtoP", "between devices"},
	{"Memcpy HtoH", "host to host"},
	{"MemcpyH2D", "host to device"},
	{"MemcpyDToH", "device to host"},
	{"MemcpyD2H", "device to host"},
	{"MemcpyDToD", "within the device"},
	{"MemcpyD2D", "within the device"},
	{"MemcpyPToP", "between devices"},
	{"MemcpyP2P", "between devices"},
	{"MemcpyHToH", "host to host"},
	{"CopyHostToDevice", "host to device"},
	{"CopyDeviceToHost", "device to host"},
	{"CopyDeviceToDevice", "within the device"},
	{"Memcpy", "other copy"},
	{"Memset", "fill"},
};

/* Index into kinds; -1: neither copy nor fill. */
static int
kind_of(struct tp_slice name)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		size_t length = strlen(kinds[i].prefix);

		if (name.len >= length && strncasecmp(name.ptr, kinds[i].prefix, length) == 0)
			return (int)i;
	}
	return -1;
}

static struct tp_copy_row *
row_of(struct tp_buf *rows, struct tp_map *groups, int kind, const struct tp_copy *copy)
{
	struct tp_slice name = tp_slice_of(kinds[kind].kind);
	uint64_t key = tp_hash_pair(
		tp_hash_bytes(name), tp_hash_pair(tp_hash_bytes(copy->from), tp_hash_bytes(copy->to)));
	uint32_t index;

	if (tp_map_number(groups, key, &index))
		TP_PUSH(rows, struct tp_copy_row, .kind = name, .from = copy->from, .to = copy->to,
			.has_bytes = true);
	return (struct tp_copy_row *)rows->data + index;
}

TP_ORDER(by_time, struct tp_copy_row, TP_DOWN(total_ps), tp_slice_cmp(a->kind, b->kind),
	tp_slice_cmp(a->from, b->from), tp_slice_cmp(a->to, b->to));

static void
collect_line(const struct tp_profile *p, const struct tp_line *line, const int8_t *kind_of_op,
	struct tp_buf *rows, struct tp_map *groups)
{
	size_t tag = 0;

	for (uint32_t i = 0; i < line->count; i++) {
		int64_t details = 0;
		int kind = kind_of_op[tp_line_op(line, i)];

		if (kind < 0)
			continue;
		tp_tag_find(line, &tag, i, TP_TAG_COPY, &details);
		struct tp_copy copy = tp_copy_read(tp_string(&p->strings, (uint32_t)details));
		struct tp_copy_row *row = row_of(rows, groups, kind, &copy);

		row->calls++;
		row->bytes = tp_plus(row->bytes, copy.bytes);
		row->has_bytes = row->has_bytes && copy.has_bytes;
		row->total_ps = tp_add_ps(row->total_ps, tp_line_duration_ps(line, i));
	}
}

void
tp_copies_collect(const struct tp_pass_ctx *ctx, struct tp_kernels *k)
{
	const struct tp_profile *p = ctx->profile;
	int8_t *kind_of_op = tp_new_array(ctx->scratch, int8_t, p->op_count);
	struct tp_buf rows = {0};
	struct tp_map groups;

	tp_map_init(&groups, ctx->scratch);
	for (uint32_t i = 0; i < p->op_count; i++)
		kind_of_op[i] = (int8_t)kind_of(p->ops[i].name);
	for (uint32_t l = 0; l < p->line_count; l++) {
		if (p->lines[l].kind == TP_LINE_STREAM)
			collect_line(p, &p->lines[l], kind_of_op, &rows, &groups);
	}
	k->copy_count = rows.count;
	k->copies = tp_buf_settle(&rows, sizeof *k->copies, ctx->keep);
	qsort(k->copies, k->copy_count, sizeof *k->copies, by_time);
}

static const struct tp_column columns[] = {
	TP_COLUMN("kind", "Copy, memset", TP_TEXT_FIELD(struct tp_copy_row, kind)),
	TP_COLUMN("from", "From memory", TP_TEXT_FIELD(struct tp_copy_row, from)),
	TP_COLUMN("to", "To memory", TP_TEXT_FIELD(struct tp_copy_row, to)),
	TP_COUNT_COLUMN("calls", "Calls", TP_COUNT_FIELD(struct tp_copy_row, calls)),
	TP_COLUMN("total_us", "Total", .unit = TP_UNIT_US, .decimals = 1, .sorted = true,
		TP_FIELD(struct tp_copy_row, total_ps, TP_UNIT_PS)),
	TP_COLUMN("bytes", "Bytes", .unit = TP_UNIT_BYTES),
	TP_COLUMN("gb_per_s", "Rate", .unit = TP_UNIT_GB_PER_S, .decimals = 2),
};
struct cells {
	struct tp_cell kind, from, to, calls, total, bytes, rate;
};
TP_CELLS_ARE_COLUMNS(struct cells, columns);

void
tp_copies_present(const struct tp_pass_ctx *ctx, const struct tp_kernels *k, struct tp_doc *doc,
	struct tp_block *section)
{
	if (k->copy_count == 0)
		return;
	struct tp_block *sub =
		tp_doc_section(doc, section, TP_SECTION_SUB, "kernels/copies", title_copies);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, sub, "kernels/copies/list", columns);
	struct tp_value no_bytes = tp_missing(TP_S(why_no_bytes));

	for (size_t i = 0; i < k->copy_count; i++) {
		const struct tp_copy_row *c = &k->copies[i];
		struct cells *cells = tp_draft_row_of(&draft,
			tp_arena_printf(ctx->keep, "%.*s%s%.*s%s%.*s", TP_ARG(c->kind), c->from.len ? "/" : "",
				TP_ARG(c->from), c->to.len ? "/" : "", TP_ARG(c->to)),
			TP_ROW_NORMAL, 0, c);

		cells->bytes.value = c->has_bytes ? tp_number((double)c->bytes, TP_UNIT_BYTES) : no_bytes;
		cells->rate.value = !c->has_bytes ? no_bytes
			: c->total_ps > 0
			? tp_number((double)c->bytes * 1e12 / (double)c->total_ps, TP_UNIT_BYTES_PER_S)
			: tp_missing(TP_S(why_no_copy_time));
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(caption_copies);
}
