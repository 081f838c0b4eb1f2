/* The memory viewer: for every compiled program, how much memory its plan needs at each point, what is live at the peak, and
 * how much of it is padding. */
#ifndef TP_ANALYZE_MEMORY_H
#define TP_ANALYZE_MEMORY_H

#include "analyze/core/ctx.h"
#include "analyze/core/say.h"
#include "analyze/memory/memory_walk.h"

struct tp_block;
struct tp_doc;
struct tp_precomputed_plan;

enum { TP_MEMORY_FEW = 3, TP_MEMORY_MAIN = 0 };

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
	int64_t space; /* TP_MEMORY_MAIN: HBM on a TPU */
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
	struct tp_memory_damage {
		struct tp_slice program, reason;
	} * damaged; /* programs that are left out, and why */
	size_t damaged_count;
};

/* struct tp_memory */
extern const struct tp_pass tp_pass_memory;

/* Where memory was measured, those are parts of the section on what programs need. */
static inline struct tp_block *
tp_memory_part(struct tp_doc *doc, const char *id, const char *title, const char *part_title)
{
	static const char *const openers[] = {"memory", "memory-over-time", NULL};

	return tp_say_part_of(doc, openers, id, title, part_title);
}

/* The main memory of a program; NULL: it uses none. */
static inline const struct tp_memory_space *
tp_memory_main(const struct tp_memory_module *m)
{
	return m->spaces[0].space == TP_MEMORY_MAIN ? &m->spaces[0] : NULL;
}

static inline uint64_t
tp_memory_padding(uint64_t size_bytes, uint64_t unpadded_bytes)
{
	return size_bytes > unpadded_bytes ? size_bytes - unpadded_bytes : 0;
}

/* What is kept of a walk (memory_rows.c). */
void tp_memory_keep(const struct tp_pass_ctx *ctx, int64_t space, const struct tp_memory_walk *w,
	struct tp_memory_space *out);

/* The indices of the few largest values above 0, the first of equal ones first; how many there are. */
size_t tp_memory_few(const uint64_t *values, size_t count, size_t few[static TP_MEMORY_FEW]);

/* Memory plans out of tool files: of some the file holds the HLO, which is read as that of a profile, of
 * others the profiler's own figures. */

/* The plan that a program of the profile is from; NULL: it is from no tool file. */
const struct tp_precomputed_plan *tp_memory_precomputed_plan(
	const struct tp_pass_ctx *ctx, uint32_t program);

/* A plan without HLO as a module with one space. */
void tp_memory_from_precomputed(const struct tp_pass_ctx *ctx,
	const struct tp_precomputed_plan *plan, struct tp_memory_module *out);

/* What the section says of where its figures are from; false: from no tool file. */
bool tp_memory_precomputed_present(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

/* The peak of a plan in main memory, in bytes; NaN: it has none. */
double tp_memory_precomputed_peak(const struct tp_precomputed_plan *plan);

/* One memory space of a program: what makes its peak, the curve, the buffers at the peak (memory_space.c). */
void tp_memory_space_present(const struct tp_pass_ctx *ctx, const struct tp_memory_module *m,
	const struct tp_memory_space *s, struct tp_doc *doc, struct tp_block *parent);

/* What it says (memory_present.c). */
void tp_memory_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

#endif
