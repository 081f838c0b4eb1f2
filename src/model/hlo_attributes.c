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
	NAMED,   /* quoted, empty or not */
	ENUM,    /* a word by its number */
	TRUTH,   /* "=true" or "=false" */
	LIST,    /* "={1,2}", empty or not */
	FILLED,  /* where it is not empty */
	MESSAGE, /* by what the field holds, where it is */
	SPECIAL,
};

static const char collective[] =
	"all-reduce all-reduce-start all-gather all-gather-start all-to-all reduce-scatter "
	"collective-broadcast ragged-all-to-all";
static const char reducing[] = "all-reduce all-reduce-start reduce-scatter";
static const char normalizing[] = "batch-norm-training batch-norm-inference batch-norm-grad";

/* Words by number, with blanks between; "-": there the attribute is left out. */
static const char distributions[] = "rng_invalid rng_uniform rng_normal";
static const char algorithms[] = "rng_default rng_three_fry rng_philox";
static const char transforms[] = "FFT IFFT RFFT IRFFT";
static const char paddings[] = "- PADDING_VALID PADDING_SAME";
static const char schedules[] = "- SCHEDULE_LATEST SCHEDULE_EARLIEST";
static const char versions[] =
	"- - API_VERSION_STATUS_RETURNING API_VERSION_STATUS_RETURNING_UNIFIED API_VERSION_TYPED_FFI";

/* only: opcodes that have it, with blanks between; NULL: any that has the field. */
static const struct attribute {
	uint32_t field;
	enum how how;
	const char *name, *only;
	tp_hlo_put_part *put; /* of SPECIAL */
	tp_hlo_put_within *put_message;
	const char *words; /* of ENUM */
} attributes[] = {
	{79, QUOTED, .name = "async_execution_thread"},
	{26, POSITIVE, .name = "channel_id"},
	{47, FLAG, .name = "is_host_transfer"},
	{49, SPECIAL, "replica_groups", .only = collective, .put = tp_hlo_put_groups},
	{56, FLAG, "constrain_layout", .only = collective},
	{71, FLAG, "use_global_device_ids", .only = reducing},
	{14, LIST, "dimensions",
		.only =
			"broadcast transpose reverse concatenate reduce map sort all-gather all-gather-start "
			"reduce-scatter get-dimension-size set-dimension-size scan"},
	{14, FILLED, "dimensions", .only = "all-to-all"},
	{14, SPECIAL, "iota_dimension", .only = "iota", .put = tp_hlo_put_first},
	{14, SPECIAL, "inferred_dimension", .only = "reshape", .put = tp_hlo_put_first},
	{71, FLAG, "use_global_device_ids", .only = "all-gather all-gather-start"},
	{60, FLAG, .name = "is_stable"},
	{80, PRESENT, .name = "cross_program_prefetch_index"},
	{63, WORD, "direction", .only = "compare"},
	{72, SPECIAL, "type", .only = "compare", .put = tp_hlo_put_total_order},
	{11, WORD, .name = "kind"},
	{13, NUMBER, "index", .only = "get-tuple-element"},
	{17, SPECIAL, "slice", .only = "slice", .put = tp_hlo_put_slice},
	{15, SPECIAL, "window", .put = tp_hlo_put_window},
	{16, SPECIAL, "dim_labels", .put = tp_hlo_put_labels},
	{50, ABOVE_ONE, .name = "feature_group_count"},
	{58, ABOVE_ONE, .name = "batch_group_count"},
	{30, MESSAGE, NULL, .put_message = tp_hlo_put_dot},
	{90, MESSAGE, NULL, .only = "ragged-dot", .put_message = tp_hlo_put_ragged_dot},
	{51, MESSAGE, "operand_precision", .put_message = tp_hlo_put_precision},
	{52, SPECIAL, "source_target_pairs", .put = tp_hlo_put_pairs},
	{20, LIST, "dynamic_slice_sizes", .only = "dynamic-slice"},
	{33, MESSAGE, NULL, .only = "gather", .put_message = tp_hlo_put_gather},
	{34, LIST, "slice_sizes", .only = "gather"},
	{48, MESSAGE, NULL, .only = "scatter", .put_message = tp_hlo_put_scatter},
	{67, FLAG, .name = "indices_are_sorted"},
	{69, FLAG, .name = "unique_indices"},
	{21, MESSAGE, "padding", .put_message = tp_hlo_put_padding},
	{27, QUOTED, .name = "infeed_config"},
	{29, MESSAGE, "outfeed_shape", .put_message = tp_hlo_put_shape_field},
	{22, QUOTED, .name = "outfeed_config"},
	{75, ENUM, "padding_type", .only = "custom-call", .words = paddings},
	{28, NAMED, "custom_call_target", .only = "custom-call"},
	{57, SPECIAL, "operand_layout_constraints", .only = "custom-call",
		.put = tp_hlo_put_constraints},
	{65, FLAG, .name = "custom_call_has_side_effect"},
	{8, MESSAGE, "literal", .only = "custom-call", .put_message = tp_hlo_put_literal_field},
	{74, SPECIAL, "output_to_operand_aliasing", .put = tp_hlo_put_aliasing},
	{76, ENUM, "schedule", .only = "custom-call", .words = schedules},
	{77, ENUM, "api_version", .only = "custom-call", .words = versions},
	{24, SPECIAL, "epsilon", .only = normalizing, .put = tp_hlo_put_epsilon},
	{25, NUMBER, "feature_index", .only = normalizing},
	{18, NUMBER, "exponent_bits", .only = "reduce-precision"},
	{19, NUMBER, "mantissa_bits", .only = "reduce-precision"},
	{66, NUMBER, "delta", .only = "rng-get-and-update-state"},
	{31, ENUM, "fft_type", .only = "fft", .words = transforms},
	{32, LIST, "fft_length", .only = "fft"},
	{81, NUMBER, "k", .only = "topk"},
	{85, TRUTH, "largest", .only = "topk"},
	{23, ENUM, "distribution", .only = "rng", .words = distributions},
	{70, ENUM, "algorithm", .only = "rng-bit-generator", .words = algorithms},
	{59, SPECIAL, NULL, .only = "triangular-solve", .put = tp_hlo_put_triangle},
	{62, SPECIAL, NULL, .only = "cholesky", .put = tp_hlo_put_triangle},
	{61, MESSAGE, "parameter_replication", .only = "parameter",
		.put_message = tp_hlo_put_replication},
	{95, NUMBER, "num_carries", .only = "scan"},
	{94, FLAG, "is_reverse", .only = "scan"},
	{96, FLAG, "is_associative", .only = "scan"},
	{54, SPECIAL, "domain", .only = "domain", .put = tp_hlo_put_domain},
	/* What stands elsewhere, or says nothing there. */
	{8, .how = SILENT, .only = "constant"},
	{55, .how = SILENT, .only = "domain"},
	{89, .how = SILENT, .only = "call"},
	{9, .how = SILENT, .only = "parameter"},
	{56, .how = SILENT, .only = "custom-call"},
	{87, .how = SILENT, .only = collective},
	{92, .how = SILENT, .only = collective},
	{93, .how = SILENT, .only = collective},
};
enum { ATTRIBUTES = sizeof attributes / sizeof *attributes };

/* Fields of any instruction that are no attributes: names, operands, callees and the like; control predecessors and metadata, which a
 * short text does not have; and what viewers left behind. */
static const uint32_t silent[] = {1, 2, 3, 7, 35, 36, 37, 38, 40, 43, 68, 82, 91};

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

static bool
put_attribute(
	const struct tp_hlo_writing *w, const struct attribute *a, const struct tp_hlo_instruction *i)
{
	int64_t number = tp_pb_number(i->message, a->field), first;
	struct tp_pb_numbers numbers = tp_pb_numbers(i->message, a->field);
	struct tp_slice text;
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
		if (!tp_pb_field(i->message, a->field, TP_PB_VARINT, &p))
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
		if (!tp_pb_field(i->message, a->field, TP_PB_BYTES, &p) || p.bytes.len == 0)
			return true;
		tp_sink_printf(w->out, ", %s=", a->name);
		tp_hlo_put(w, p.bytes);
		return true;
	case QUOTED:
	case NAMED:
		text = tp_pb_field(i->message, a->field, TP_PB_BYTES, &p) ? p.bytes : TP_S("");
		if (text.len == 0 && a->how == QUOTED)
			return true;
		tp_sink_printf(w->out, ", %s=", a->name);
		tp_hlo_put_quoted(w, text);
		return true;
	case ENUM:
		return tp_hlo_put_word(w, a->name, a->words, number);
	case TRUTH:
		tp_sink_printf(w->out, ", %s=%s", a->name, number != 0 ? "true" : "false");
		return true;
	case FILLED:
		if (tp_pb_next_number(&numbers, &first))
			tp_hlo_put_list(w, a->name, i->message, a->field);
		return true;
	case LIST:
		tp_hlo_put_list(w, a->name, i->message, a->field);
		return true;
	case MESSAGE:
		return !tp_pb_field(i->message, a->field, TP_PB_BYTES, &p) ||
			a->put_message(w, p.bytes, a->name);
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
	for (size_t k = 0; k < sizeof silent / sizeof *silent; k++) {
		if (silent[k] == p->field)
			return true;
	}
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
