/* Shapes of XLA arrays and how they lie in memory: element type, dimensions, order, tiles, memory space. The text is what
 * HLO prints ("bf16[16,224,224,3]{0,3,2,1:T(8,128)(2,1)S(1)}"), the message is xla.ShapeProto. */
#ifndef TP_MODEL_SHAPE_H
#define TP_MODEL_SHAPE_H

#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;

/* A number in xla.PrimitiveType: the array within it, in a place that is fixed; read as a tuple of one, written "b(f32[8])". */
enum { TP_SHAPE_BUFFER = 34 };

enum tp_shape_kind { TP_SHAPE_ARRAY, TP_SHAPE_TUPLE, TP_SHAPE_TOKEN, TP_SHAPE_OPAQUE };

/* What a file may ask for; more is an error. Tuples hold tuples at most that deep. */
enum { TP_SHAPE_DIMS = 32, TP_SHAPE_TILES = 8, TP_SHAPE_DEEPEST = 16 };

/* Sizes of a tile, major to minor; it covers that many of the minor dimensions. */
struct tp_shape_tile {
	uint32_t count;
	int64_t sizes[]; /* > 0, or TP_TILE_COMBINE: this dimension is one with the next */
};
#define TP_TILE_COMBINE (-1)

struct tp_layout {
	uint32_t tile_count;
	uint32_t element_bits;                    /* 0: those of the type */
	int64_t memory_space;                     /* 0: HBM; 1: VMEM; 5: host */
	uint64_t tail_alignment;                  /* elements are padded to a multiple; ≥ 1 */
	uint64_t prefix_bytes;                    /* sizes of dynamic dimensions, in front */
	const struct tp_shape_tile *const *tiles; /* in the order in which they apply */
	uint32_t minor_to_major[];                /* dimensions, the fastest first: a permutation */
};

struct tp_shape {
	enum tp_shape_kind kind;
	uint32_t type; /* number in xla.PrimitiveType */
	uint32_t rank;
	uint32_t dynamic;               /* bit i: sizes[i] is an upper bound */
	const uint64_t *sizes;          /* by dimension */
	const struct tp_layout *layout; /* NULL: not known */
	const struct tp_shape *members; /* of a tuple */
	uint32_t member_count;
};

/* "bf16"; empty for a type that is not known here. */
struct tp_slice tp_element_name(uint32_t type);
/* As the type counts: 4 for s4; 0: not known. */
uint32_t tp_element_bits(uint32_t type);

/* All below: the largest number when the product does not fit. */
uint64_t tp_shape_elements(const struct tp_shape *s); /* 1 for a scalar, 0 unless an array */

/* Bytes without any padding: elements × element size. A tuple has a table of pointers, 8 bytes for each member; what these
 * point to is not counted. */
uint64_t tp_shape_bytes(const struct tp_shape *s);

/* Bytes as laid out: with tiles, tail alignment and prefix. */
uint64_t tp_shape_padded_bytes(const struct tp_shape *s);

enum tp_axis {
	TP_AXIS_NONE,    /* not tiled */
	TP_AXIS_LANE,    /* the minor dimension of the first tile */
	TP_AXIS_SUBLANE, /* the one above it */
	TP_AXIS_OTHER,   /* tiled beyond these */
};

/* A dimension as laid out. Dimensions that a tile combines are one, named after the most minor. */
struct tp_padded_dim {
	/* in the shape; ≥ rank: none, the tile has more dimensions than the array */
	uint32_t dimension;
	uint32_t combined; /* how many dimensions it holds; 1: just itself */
	enum tp_axis axis;
	uint64_t size, padded;
	uint64_t multiple; /* sizes that are multiples of it need no padding */
};

struct tp_padding_of {
	uint32_t count;
	struct tp_padded_dim dims[TP_SHAPE_DIMS]; /* minor to major */
	uint64_t elements, padded_elements;       /* the second without tail alignment */
	bool tiled;
};

/* How an array's dimensions are padded; false when it is none or its layout is not known. Repeated tiling as XLA defines it
 * (docs/tiled_layout.md): each tile splits the minor dimensions, rounded up, into tiles and what is within a tile, and the
 * next tile applies to the result. So in T(8,128)(2,1) the second tile only orders what lies within 8 × 128 elements; in
 * T(8,128)(2,1,1,1) it pairs tiles, and the rows are padded to 16. */
bool tp_shape_pad(const struct tp_shape *s, struct tp_padding_of *out);

/* Whether its layout, or that of a member, has tiles. */
bool tp_shape_tiled(const struct tp_shape *s);

/* As HLO prints it. */
struct tp_slice tp_shape_text(const struct tp_shape *s, struct tp_arena *arena);
/* The same with a comment before each fifth member of a tuple, which says the member's number, as modules are written. */
struct tp_slice tp_shape_numbered_text(const struct tp_shape *s, struct tp_arena *arena);

/* Reads what tp_shape_text writes, and HLO's comments in tuples. rest: what follows the shape; NULL: nothing may. */
enum tp_status tp_shape_parse(struct tp_slice text, struct tp_arena *arena, struct tp_shape *out,
	struct tp_slice *rest, struct tp_err *err);

/* Reads a serialized xla.ShapeProto. */
enum tp_status tp_shape_read(
	struct tp_slice message, struct tp_arena *arena, struct tp_shape *out, struct tp_err *err);

/* The number of the type with this name ("bf16"); 0: none. */
uint32_t tp_element_type(struct tp_slice name);

#endif
