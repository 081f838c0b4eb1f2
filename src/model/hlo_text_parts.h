/* The parts of an HLO module's text, for hlo_text.c and the files beside it alone. */
#ifndef TP_MODEL_HLO_TEXT_PARTS_H
#define TP_MODEL_HLO_TEXT_PARTS_H

#include "codec/pb_field.h"
#include "model/hlo.h"

struct tp_arena;
struct tp_sink;

struct tp_hlo_writing {
	const struct tp_hlo_module *m;
	struct tp_sink *out;
	struct tp_arena *scratch; /* of the instruction in hand */
	const uint32_t *started;  /* by instruction: the one that started it, or itself */
	const bool *alone;        /* by computation: it is written where it is started */
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

/* What an attribute with a text of its own is written by, or what a message within the instruction says; name: the attribute's, where
 * it has one. False when something is left out (hlo_attribute.c, hlo_attribute_dims.c). */
typedef bool tp_hlo_put_part(
	const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i, const char *name);
tp_hlo_put_part tp_hlo_put_first, tp_hlo_put_groups, tp_hlo_put_pairs, tp_hlo_put_total_order,
	tp_hlo_put_slice, tp_hlo_put_window, tp_hlo_put_labels, tp_hlo_put_constraints,
	tp_hlo_put_epsilon, tp_hlo_put_triangle, tp_hlo_put_domain, tp_hlo_put_aliasing,
	tp_hlo_put_accuracy;
typedef bool tp_hlo_put_within(
	const struct tp_hlo_writing *w, struct tp_slice message, const char *name);
tp_hlo_put_within tp_hlo_put_dot, tp_hlo_put_precision, tp_hlo_put_ragged_dot, tp_hlo_put_gather,
	tp_hlo_put_scatter, tp_hlo_put_padding, tp_hlo_put_shape_field, tp_hlo_put_replication,
	tp_hlo_put_literal_field;

/* "{devices=[2,1]<=[2]}", a serialized xla.OpSharding; false when something is left out (hlo_sharding.c). */
bool tp_hlo_put_sharding(const struct tp_hlo_writing *w, struct tp_slice sharding);

/* "mesh['a'=2,'b'=4] {'a'}", an xla.MeshAxesReplicaGroupListProto; false when something is left out (hlo_sharding.c). */
bool tp_hlo_put_mesh_groups(const struct tp_hlo_writing *w, struct tp_slice groups);

/* ", fft_type=RFFT": of words with blanks between, the one with this number; nothing where that is "-". False when there is
 * none. */
bool tp_hlo_put_word(
	const struct tp_hlo_writing *w, const char *name, const char *words, int64_t number);

/* "{0,1}" */
void tp_hlo_put_index(const struct tp_hlo_writing *w, struct tp_slice message, uint32_t field);
/* ", name={0,1}" */
void tp_hlo_put_list(
	const struct tp_hlo_writing *w, const char *name, struct tp_slice message, uint32_t field);

/* "{a=\"b\"}", a serialized xla.FrontendAttributes. */
void tp_hlo_put_frontend(const struct tp_hlo_writing *w, struct tp_slice attributes);
/* In quotes, with escapes as bytes may be. */
void tp_hlo_put_quoted(const struct tp_hlo_writing *w, struct tp_slice text);
/* "{…}" as it is, else in quotes. */
void tp_hlo_put_value(const struct tp_hlo_writing *w, struct tp_slice value);

#endif
