/* Attributes of HLO instructions as text: one table in the order in which XLA writes them. Field numbers are those of
 * HloInstructionProto in hlo.proto. What has a text of its own is in hlo_attribute.c and hlo_attribute_dims.c. */
#include "base/arena.h"
#include "io/sink.h"
#include "model/hlo_text_parts.h"

#include <inttypes.h>

enum how {
	SILENT,   /* no attribute, or one that stands elsewhere */
	POSITIVE, /* a number, where it is more than 0 */
	ABOVE_ONE,
	NUMBER,  /* in any case */
	PRESENT, /* a number, where there is one */
	FLAG,    /* "=true" where it is */
	WORD,
	QUOTED,
	LIST,   /* "={1,2}", empty or not */
	FILLED, /* where it is not empty */
	SPECIAL,
};

static const char collective[] =
	"all-reduce all-reduce-start all-gather all-gather-start all-to-all "
	"reduce-scatter collective-broadcast ragged-all-to-all";
static const char reducing[] = "all-reduce all-reduce-start reduce-scatter";

/* only: opcodes that have it, with blanks between; NULL: any that has the field. */
static const struct attribute {
	uint32_t field;
	enum how how;
	const char *name, *only;
	tp_hlo_put_part *put;
} attributes[] = {
	{26, POSITIVE, "channel_id", NULL, NULL},
	{47, FLAG, "is_host_transfer", NULL, NULL},
	{49, SPECIAL, "replica_groups", collective, tp_hlo_put_groups},
	{56, FLAG, "constrain_layout", collective, NULL},
	{71, FLAG, "use_global_device_ids", reducing, NULL},
	{14, LIST, "dimensions",
		"broadcast transpose reverse concatenate reduce map sort all-gather all-gather-start "
		"reduce-scatter get-dimension-size set-dimension-size",
		NULL},
	{14, FILLED, "dimensions", "all-to-all", NULL},
	{14, SPECIAL, "iota_dimension", "iota", tp_hlo_put_first},
	{14, SPECIAL, "inferred_dimension", "reshape", tp_hlo_put_first},
	{71, FLAG, "use_global_device_ids", "all-gather all-gather-start", NULL},
	{60, FLAG, "is_stable", NULL, NULL},
	{80, PRESENT, "cross_program_prefetch_index", NULL, NULL},
	{63, WORD, "direction", "compare", NULL},
	{72, SPECIAL, "type", "compare", tp_hlo_put_total_order},
	{11, WORD, "kind", NULL, NULL},
	{13, NUMBER, "index", "get-tuple-element", NULL},
	{17, SPECIAL, "slice", "slice", tp_hlo_put_slice},
	{15, SPECIAL, "window", NULL, tp_hlo_put_window},
	{16, SPECIAL, "dim_labels", NULL, tp_hlo_put_labels},
	{50, ABOVE_ONE, "feature_group_count", NULL, NULL},
	{58, ABOVE_ONE, "batch_group_count", NULL, NULL},
	{30, SPECIAL, NULL, NULL, tp_hlo_put_dot},
	{51, SPECIAL, "operand_precision", NULL, tp_hlo_put_precision},
	{52, SPECIAL, "source_target_pairs", NULL, tp_hlo_put_pairs},
	{20, LIST, "dynamic_slice_sizes", "dynamic-slice", NULL},
	{33, SPECIAL, NULL, "gather", tp_hlo_put_gather},
	{34, LIST, "slice_sizes", "gather", NULL},
	{48, SPECIAL, NULL, "scatter", tp_hlo_put_scatter},
	{67, FLAG, "indices_are_sorted", NULL, NULL},
	{69, FLAG, "unique_indices", NULL, NULL},
	{21, SPECIAL, "padding", NULL, tp_hlo_put_padding},
	{27, QUOTED, "infeed_config", NULL, NULL},
	{29, SPECIAL, "outfeed_shape", NULL, tp_hlo_put_shape_field},
	{22, QUOTED, "outfeed_config", NULL, NULL},
	{28, QUOTED, "custom_call_target", NULL, NULL},
	{57, SPECIAL, "operand_layout_constraints", "custom-call", tp_hlo_put_constraints},
	{65, FLAG, "custom_call_has_side_effect", NULL, NULL},
	{77, SPECIAL, "api_version", NULL, tp_hlo_put_api},
	{24, SPECIAL, "epsilon", NULL, tp_hlo_put_epsilon},
	{25, NUMBER, "feature_index", "batch-norm-training batch-norm-inference batch-norm-grad", NULL},
	{18, NUMBER, "exponent_bits", "reduce-precision", NULL},
	{19, NUMBER, "mantissa_bits", "reduce-precision", NULL},
	{66, NUMBER, "delta", "rng-get-and-update-state", NULL},
	{32, LIST, "fft_length", "fft", NULL},
	{81, NUMBER, "k", "topk", NULL},
	{85, FLAG, "largest", NULL, NULL},
	{79, QUOTED, "async_execution_thread", NULL, NULL},
	{89, FLAG, "is_composite", NULL, NULL},
	/* Names, operands, callees and the like; control predecessors and metadata, which a short text does not have; and what
	 * viewers left behind. */
	{1, SILENT, NULL, NULL, NULL},
	{2, SILENT, NULL, NULL, NULL},
	{3, SILENT, NULL, NULL, NULL},
	{7, SILENT, NULL, NULL, NULL},
	{8, SILENT, NULL, "constant", NULL},
	{9, SILENT, NULL, "parameter", NULL},
	{35, SILENT, NULL, NULL, NULL},
	{36, SILENT, NULL, NULL, NULL},
	{37, SILENT, NULL, NULL, NULL},
	{38, SILENT, NULL, NULL, NULL},
	{40, SILENT, NULL, NULL, NULL},
	{43, SILENT, NULL, NULL, NULL},
	{56, SILENT, NULL, "custom-call", NULL},
	{68, SILENT, NULL, NULL, NULL},
	{82, SILENT, NULL, NULL, NULL},
	{87, SILENT, NULL, collective, NULL},
};
enum { ATTRIBUTES = sizeof attributes / sizeof *attributes };

/* Whether a word is one of those in a list with blanks between. */
static bool
is_among(struct tp_slice word, const char *list)
{
	for (const char *at = list; *at != '\0';) {
		size_t length = strcspn(at, " ");

		if (tp_slice_eq(word, (struct tp_slice){at, length}))
			return true;
		at += length + (at[length] == ' ');
	}
	return false;
}

static bool
applies(const struct attribute *a, const struct tp_hlo_instruction *i)
{
	return a->only == NULL || is_among(i->opcode, a->only);
}

static void
put_list(const struct tp_hlo_writing *w, const struct attribute *a, struct tp_slice message)
{
	tp_sink_printf(w->out, ", %s={", a->name);
	tp_hlo_put_numbers(w, message, a->field, ",");
	tp_sink_puts(w->out, "}");
}

static bool
put_attribute(
	const struct tp_hlo_writing *w, const struct attribute *a, const struct tp_hlo_instruction *i)
{
	int64_t number = tp_hlo_number(i->message, a->field), first;
	struct tp_hlo_numbers numbers = tp_hlo_numbers(i->message, a->field);
	struct tp_pb p;

	switch (a->how) {
	case SILENT:
		return true;
	case POSITIVE:
	case ABOVE_ONE:
		if (number > (a->how == ABOVE_ONE))
			tp_sink_printf(w->out, ", %s=%" PRId64, a->name, number);
		return true;
	case PRESENT:
		if (!tp_hlo_field(i->message, a->field, TP_PB_VARINT, &p))
			return true;
		/* fall through */
	case NUMBER:
		tp_sink_printf(w->out, ", %s=%" PRId64, a->name, number);
		return true;
	case FLAG:
		if (number != 0)
			tp_sink_printf(w->out, ", %s=true", a->name);
		return true;
	case WORD:
	case QUOTED:
		if (!tp_hlo_field(i->message, a->field, TP_PB_BYTES, &p) || p.bytes.len == 0)
			return true;
		tp_sink_printf(w->out, ", %s=%s", a->name, a->how == QUOTED ? "\"" : "");
		tp_hlo_put(w, p.bytes);
		tp_sink_puts(w->out, a->how == QUOTED ? "\"" : "");
		return true;
	case FILLED:
		if (tp_hlo_next_number(&numbers, &first))
			put_list(w, a, i->message);
		return true;
	case LIST:
		put_list(w, a, i->message);
		return true;
	case SPECIAL:
		return a->put(w, i, a->name);
	}
	return true;
}

/* Whether a field is one of those in the table, or says nothing. */
static bool
is_known(const struct tp_pb *p, const struct tp_hlo_instruction *i)
{
	if (p->type == TP_PB_BYTES ? p->bytes.len == 0 : p->number == 0)
		return true;
	for (size_t a = 0; a < ATTRIBUTES; a++) {
		if (attributes[a].field == p->field && applies(&attributes[a], i))
			return true;
	}
	return false;
}

bool
tp_hlo_put_attributes(const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i)
{
	bool whole = true;

	for (struct tp_pb p = tp_pb_open(i->message); tp_pb_next(&p);)
		whole = whole && is_known(&p, i);
	for (size_t a = 0; a < ATTRIBUTES; a++) {
		if (applies(&attributes[a], i))
			whole = put_attribute(w, &attributes[a], i) && whole;
	}
	return whole;
}
