/* The parts of an HLO module's text, for hlo_text.c and the files beside it alone. */
#ifndef TP_MODEL_HLO_TEXT_PARTS_H
#define TP_MODEL_HLO_TEXT_PARTS_H

#include "model/hlo.h"
#include "model/hlo_field.h"

struct tp_arena;
struct tp_sink;

struct tp_hlo_writing {
	const struct tp_hlo_module *m;
	struct tp_sink *out;
	struct tp_arena *scratch; /* of the instruction in hand */
};

/* Writes the numbers of a field with `between` in between; returns how many. */
size_t tp_hlo_put_numbers(
	const struct tp_hlo_writing *w, struct tp_slice message, uint32_t field, const char *between);

/* Text from the module, without control characters. */
void tp_hlo_put(const struct tp_hlo_writing *w, struct tp_slice text);

/* A serialized xla.ShapeProto; false, and nothing written, when it is damaged. */
bool tp_hlo_put_shape(const struct tp_hlo_writing *w, struct tp_slice message);

/* "7" or "{1, 2}", a serialized xla.LiteralProto of this shape; "{...}" when it is larger than what is written
 * (hlo_literal.c). */
void tp_hlo_put_literal(
	const struct tp_hlo_writing *w, const struct tp_shape *shape, struct tp_slice literal);

/* ", dimensions={0}, to_apply=add", all attributes of an instruction; false when it has some that are not known here
 * (hlo_attributes.c). */
bool tp_hlo_put_attributes(const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i);

/* What an attribute with a text of its own is written by; name: its name, where it has one. False when something is left out
 * (hlo_attribute.c, hlo_attribute_dims.c). */
typedef bool tp_hlo_put_part(
	const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i, const char *name);
tp_hlo_put_part tp_hlo_put_first, tp_hlo_put_groups, tp_hlo_put_pairs, tp_hlo_put_total_order,
	tp_hlo_put_slice, tp_hlo_put_window, tp_hlo_put_labels, tp_hlo_put_dot, tp_hlo_put_precision,
	tp_hlo_put_gather, tp_hlo_put_scatter, tp_hlo_put_padding, tp_hlo_put_shape_field,
	tp_hlo_put_constraints, tp_hlo_put_epsilon, tp_hlo_put_api;

/* "{devices=[2,1]<=[2]}", a serialized xla.OpSharding; false when something is left out (hlo_sharding.c). */
bool tp_hlo_put_sharding(const struct tp_hlo_writing *w, struct tp_slice sharding);

/* "{a=\"b\"}", a serialized xla.FrontendAttributes. */
void tp_hlo_put_frontend(const struct tp_hlo_writing *w, struct tp_slice attributes);
/* "{…}" as it is, else in quotes with escapes, as bytes may be. */
void tp_hlo_put_value(const struct tp_hlo_writing *w, struct tp_slice value);

#endif
