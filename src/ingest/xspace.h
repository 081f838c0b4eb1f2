/* What the files of the XSpace reader share: stats, and a plane while it is being read. */
#ifndef TP_INGEST_XSPACE_H
#define TP_INGEST_XSPACE_H

#include "base/buf.h"
#include "base/map.h"
#include "ingest/reader.h"
#include "ingest/xspace_file.h"
#include "model/allocator.h"
#include "model/build.h"

enum tp_xstat_type {
	TP_XSTAT_NONE,
	TP_XSTAT_DOUBLE,
	TP_XSTAT_INTEGER, /* int64 or uint64: producers differ for the same key, so the bits are what counts */
	TP_XSTAT_TEXT,
	TP_XSTAT_BYTES,
	TP_XSTAT_REF, /* text is the id of a stat metadata whose name is the value */
};

struct tp_xstat {
	int64_t id; /* of the stat metadata that names it */
	enum tp_xstat_type type;
	int64_t integer; /* INTEGER; DOUBLE: truncated */
	double number;   /* DOUBLE; INTEGER: converted */
	struct tp_slice bytes;
};

/* Stats that mean something to us. */
enum tp_xkey {
	TP_XKEY_OTHER,
#define TP_XKEY(key, name) TP_XKEY_##key,
#include "ingest/xspace_keys.inc"
#undef TP_XKEY
	TP_XKEY_COUNT
};

/* Producers count ids from 1, so nearly all are small; what is looked up for each event goes through tables first. */
enum { TP_XSMALL_STAT_ID = 128, TP_XSMALL_OP_ID = 65536 };

/* What the stats of the event in hand say of an allocator. */
struct tp_xallocator {
	uint32_t said; /* which keys were there; 0: none */
	struct tp_allocator_event event;
	struct tp_slice name, region, shape;
	/* of a piece: events that cannot be used, and the first of them */
	uint32_t unusable, first_unusable;
};

/* What an event is an occurrence of. */
struct tp_xwhat {
	uint64_t metadata_id;
	struct tp_slice hlo_op;
	bool is_kernel; /* of a program that XLA compiled for a GPU */
	bool has_program;
	uint64_t program_id;
};

/* An operation that a piece of a line met, and the plane's metadata do not hold. */
struct tp_xown {
	struct tp_xwhat what;
	struct tp_slice name;
	uint32_t known; /* the operation in the metadata, of a kernel; TP_NONE: none */
	uint32_t event; /* the first of it in the piece */
};

/* A field of a plane that is read later. */
struct tp_xkept {
	struct tp_slice bytes;
	uint64_t at; /* in the file */
};

struct tp_xplane {
	const struct tp_source *in;
	struct tp_xfile *file;
	struct tp_builder *out;
	uint32_t host;
	bool partial; /* the file ends inside it */
	struct tp_slice name;
	struct tp_buf lines;                                /* of struct tp_xpart */
	struct tp_buf event_metadata, stat_metadata, stats; /* of struct tp_xkept */
	struct tp_arena *scratch;
	struct tp_map stat_index; /* stat metadata id → index into the two below */
	struct tp_slice *stat_names;
	uint8_t *stat_keys;     /* enum tp_xkey */
	uint32_t *stat_strings; /* ids in the profile's strings; TP_NONE: not asked for yet */
	uint8_t key_of_small_id[TP_XSMALL_STAT_ID]; /* the same by id, for ids that small */
	struct tp_map ops;                          /* event metadata id → op */
	/* the same for ids below small_ids ≤ TP_XSMALL_OP_ID; TP_NONE: none */
	uint32_t *op_of_small_id;
	uint32_t small_ids;
	/* (hlo_op, program) → op, for XLA:CPU; (metadata id, program) → op, for a GPU's kernels */
	struct tp_map hlo_ops;
	struct tp_map unnamed;     /* metadata id → op, of ids without metadata */
	uint32_t first_op, end_op; /* the operations in the metadata */
	uint32_t first_region_op,
		region_ops; /* those among which are begins and ends of regions of a thread pool */
	/* Of a copy that reads pieces, whose builder has no operations: the names of those, and what it met besides, which are numbered from
	 * end_op on. Else NULL. */
	const struct tp_slice *op_names;
	struct tp_buf *own; /* of struct tp_xown */
	uint32_t device;    /* TP_NONE on host planes */
	bool gpu;           /* it is a GPU's */
	struct tp_xallocator allocator;
};

/* What a stat of this name means. */
enum tp_xkey tp_xkey_named(struct tp_slice name);

/* Reads an XSpace: also one that another reader made, which in->made says. */
enum tp_status tp_xspace_read(
	const struct tp_source *in, struct tp_builder *out, struct tp_err *err);

/* Decodes a stat; false when it is damaged. REF and names are resolved by tp_xstat_text. */
bool tp_xstat_read(struct tp_slice bytes, struct tp_xstat *out);
/* The same where the memory behind them up to `readable` may be looked at, which makes it quicker. */
bool tp_xstat_read_near(struct tp_slice bytes, const uint8_t *readable, struct tp_xstat *out);
enum tp_xkey tp_xstat_key(const struct tp_xplane *plane, const struct tp_xstat *stat);
struct tp_slice tp_xstat_name(const struct tp_xplane *plane, const struct tp_xstat *stat);
/* The text of a TEXT, BYTES or REF stat; empty for others. Of an event's stat it lasts no longer than the event. */
struct tp_slice tp_xstat_text(const struct tp_xplane *plane, const struct tp_xstat *stat);
/* The same text's id in the profile's strings; that of a REF is looked up once a plane. */
uint32_t tp_xstat_string(const struct tp_xplane *plane, const struct tp_xstat *stat);

/* Splits a plane into its parts. FORMAT when it is no plane; a plane that is cut off gives what is there. */
enum tp_status tp_xplane_open(struct tp_xplane *plane, struct tp_xpart part, struct tp_err *err);
void tp_xplane_close(struct tp_xplane *plane);

/* Reads metadata, stats and lines of an open plane into the builder. */
void tp_xplane_read(struct tp_xplane *plane);

/* What the profiler was asked for, into the plane's host; at: where it lies in the file. */
void tp_xoptions_read(struct tp_xplane *plane, struct tp_slice bytes, uint64_t at);

/* Event metadata → operations. */
void tp_xplane_read_ops(struct tp_xplane *plane);

/* An operation that is not in the metadata, or, of a kernel, is of a program; known: the one of its metadata id, TP_NONE: there is none.
 * event: which occurs (xspace_own.c). */
uint32_t tp_xown_op(
	struct tp_xplane *plane, const struct tp_xwhat *what, uint32_t known, uint32_t event);
/* The long name of an operation of this plane. */
struct tp_slice tp_xop_name(const struct tp_xplane *plane, uint32_t op);

/* The place in the file, for messages; TP_NO_OFFSET where the bytes are made from another file. */
static inline uint64_t
tp_xoffset(const struct tp_source *in, uint64_t at)
{
	return in->made ? TP_NO_OFFSET : at;
}

/* Takes a stat of a host event that may be one of an allocator (xspace_allocator.c). */
void tp_xallocator_stat(struct tp_xplane *plane, enum tp_xkey key, const struct tp_xstat *stat);
/* The event in hand is complete: builds what was taken if its name is an allocator's, and forgets it. */
void tp_xallocator_event(
	struct tp_xplane *plane, struct tp_slice name, uint32_t event, int64_t time_ps);
/* Says of so many that they cannot be used. */
void tp_xallocator_unusable(struct tp_xplane *plane, uint32_t count);

#endif
