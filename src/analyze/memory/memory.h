/* The memory viewer: for every compiled program, how much memory its plan needs at each point, what is live at the peak, and
 * how much of it is padding. */
#ifndef TP_ANALYZE_MEMORY_H
#define TP_ANALYZE_MEMORY_H

#include "analyze/core/ctx.h"
#include "analyze/memory/memory_walk.h"

struct tp_block;
struct tp_doc;

enum { TP_MEMORY_FEW = 3 };

/* A buffer that is live at the peak. Everything is a copy that lives as long as the document. */
struct tp_memory_row {
	struct tp_slice name; /* "fusion.12", "while{1}" */
	struct tp_slice shape, opcode, framework, source;
	enum tp_buffer_kind kind;
	uint64_t size_bytes, unpadded_bytes;
	/* by which the peak would fall without it: where it is not live others may need as much */
	uint64_t frees_bytes;
	uint32_t start, end; /* program points: live in [start, end) */
	uint32_t order;      /* from 1, in program order */
	bool whole;          /* live all the time */
};

/* One memory space of a program. */
struct tp_memory_space {
	int64_t space; /* 0: the main one, HBM on a TPU */
	uint64_t peak_bytes, peak_unpadded_bytes, whole_bytes, allocated_bytes;
	uint64_t kind_bytes[TP_BUFFER_KIND_COUNT];
	uint32_t peak_position, event_count;
	struct tp_slice peak_instruction;
	bool precomputed;                 /* from a tool file, which does not tell all kinds */
	const uint64_t *bytes, *unpadded; /* event_count + 1 points */
	struct tp_memory_row *rows;       /* by size, descending, then program order */
	size_t row_count;
	/* buffers at the peak that are not among the rows, none larger than the last */
	size_t smaller_count;
	uint64_t smaller_bytes, smaller_unpadded_bytes;
	struct tp_memory_row padded[TP_MEMORY_FEW]; /* those with the most padding */
	size_t padded_count;
};

struct tp_memory_module {
	uint32_t program; /* index in the profile, of the first host that has it */
	bool tiled;       /* its arrays are laid out in tiles, as only TPUs have them */
	/* the most of VMEM that an instruction takes for itself alone; 0: none does */
	uint64_t scoped_bytes;
	struct tp_slice scoped_instruction;
	struct tp_memory_space *spaces; /* the main one first, where it has any */
	size_t space_count;
};

struct tp_memory {
	struct tp_memory_module *modules; /* by peak in main memory, descending, then name and id */
	size_t count;
	size_t without_plan; /* programs that are left out */
	struct tp_memory_damage {
		struct tp_slice program, reason;
	} * damaged; /* likewise, and why */
	size_t damaged_count;
};

/* struct tp_memory */
extern const struct tp_pass tp_pass_memory;

/* The main memory of a program; NULL: it uses none. */
const struct tp_memory_space *tp_memory_main(const struct tp_memory_module *m);

/* Name of the program that a module is. */
struct tp_slice tp_memory_program(const struct tp_pass_ctx *ctx, const struct tp_memory_module *m);

/* "HBM", "VMEM", "GPU memory", "host memory", "memory space 7" */
struct tp_slice tp_memory_space_name(
	const struct tp_pass_ctx *ctx, const struct tp_memory_module *m, int64_t space);

/* What is kept of a walk (memory_rows.c). */
void tp_memory_keep(const struct tp_pass_ctx *ctx, int64_t space, const struct tp_memory_walk *w,
	struct tp_memory_space *out);

/* By how much the peak of a space would fall without each of these rows, into the rows. */
void tp_memory_frees(const struct tp_pass_ctx *ctx, const struct tp_memory_space *s,
	struct tp_memory_row *rows, size_t count);

/* The indices of the few largest values above 0, the first of equal ones first; how many there are. */
size_t tp_memory_few(const uint64_t *values, size_t count, size_t few[static TP_MEMORY_FEW]);

/* The most that an instruction takes of VMEM for itself, into out (memory_scoped.c). */
void tp_memory_scoped(
	const struct tp_pass_ctx *ctx, const struct tp_hlo_module *m, struct tp_memory_module *out);

/* A chart of what is live at each point, in MiB, and of the lifetimes of the largest (memory_chart.c). */
void tp_memory_curve(const struct tp_pass_ctx *ctx, const struct tp_memory_space *s,
	struct tp_doc *doc, struct tp_block *parent, const char *id);

/* The buffers at the peak: by size, and in program order in a fold (memory_tables.c). chart: id of their curve; empty: none. */
void tp_memory_tables(const struct tp_pass_ctx *ctx, const struct tp_memory_space *s,
	struct tp_doc *doc, struct tp_block *parent, const char *id, struct tp_slice chart);

/* How to read all this when a run died (memory_guide.c). */
void tp_memory_guide(const struct tp_pass_ctx *ctx, const struct tp_memory *m, struct tp_doc *doc,
	struct tp_block *section);

/* What it says (memory_metrics.c, memory_present.c). */
void tp_memory_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
void tp_memory_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

#endif
