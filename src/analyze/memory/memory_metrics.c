/* The memory viewer's headline figures: of the program with the largest peak, and of each program by name and by id. */
#include "analyze/facts/peaks.h"
#include "analyze/memory/memory.h"
#include "base/arena.h"
#include "base/map.h"
#include "model/profile.h"
#include "report/doc.h"
#include "report/scope.h"

/* Figures of single programs: of so many at most, the largest first. */
enum { MOST_SCOPED = 1000 };

static const char peak_how[] =
	"the compiler's heap simulation replayed, plus what is live all the time; of all programs the "
	"one with the largest peak";

struct figures {
	struct tp_value peak, unpadded, position;
};

static struct figures
figures_of(const struct tp_memory_space *s, struct tp_slice none)
{
	if (s == NULL)
		return (struct figures){tp_missing(none), tp_missing(none), tp_missing(none)};
	return (struct figures){
		tp_bytes(s->peak_bytes), tp_bytes(s->peak_unpadded_bytes), tp_count(s->peak_position)};
}

static struct tp_value
scoped_vmem(const struct tp_memory_module *m)
{
	return m->scoped_bytes != 0 ? tp_bytes(m->scoped_bytes)
								: tp_missing(TP_S("no instruction says that it takes any VMEM"));
}

static void
scoped(struct tp_doc *doc, struct tp_scope scope, const struct tp_memory_module *m)
{
	struct figures f = figures_of(tp_memory_main(m), TP_S("the program uses no main memory"));

	tp_doc_metric_for(doc, "memory.peak_bytes", scope, f.peak, TP_S(""));
	tp_doc_metric_for(doc, "memory.peak_unpadded_bytes", scope, f.unpadded, TP_S(""));
	tp_doc_metric_for(doc, "memory.peak_position", scope, f.position, TP_S(""));
	tp_doc_metric_for(doc, "memory.scoped_vmem_bytes", scope, scoped_vmem(m), TP_S(""));
}

/* By name, where the largest of several with one name stands for it, and by id. */
static void
scoped_metrics(const struct tp_pass_ctx *ctx, const struct tp_memory *m, struct tp_doc *doc)
{
	struct tp_map names, ids;

	tp_map_init(&names, ctx->scratch);
	tp_map_init(&ids, ctx->scratch);
	for (size_t i = 0; m != NULL && i < m->count && i < MOST_SCOPED; i++) {
		const struct tp_program *p = &ctx->profile->programs[m->modules[i].program];
		uint64_t name = tp_hash_bytes(p->name);

		if (tp_map_get(&names, name) == TP_MAP_NONE)
			scoped(doc, (struct tp_scope){.module = p->name}, &m->modules[i]);
		if (tp_map_get(&ids, p->id) == TP_MAP_NONE)
			scoped(doc,
				(struct tp_scope){
					.program = tp_arena_printf(ctx->keep, "%llu", (unsigned long long)p->id)},
				&m->modules[i]);
		tp_map_put(&names, name, 0);
		tp_map_put(&ids, p->id, 0);
	}
}

void
tp_memory_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_memory *m = result;
	const struct tp_memory_space *top = m != NULL ? tp_memory_main(&m->modules[0]) : NULL;
	struct tp_slice none = m == NULL ? tp_skipped(ctx, &tp_pass_memory)
									 : TP_S("no program of the profile uses main memory");
	struct tp_slice coverage = top != NULL ? tp_memory_program(ctx, &m->modules[0]) : TP_S("");
	struct figures f = figures_of(top, none);
	struct tp_value capacity = tp_peak_value(ctx, TP_PEAK_CAPACITY), share = capacity;

	if (top == NULL)
		share = tp_missing(none);
	else if (tp_known(capacity))
		share = tp_share((double)top->peak_bytes, tp_value_in(capacity, TP_UNIT_BYTES),
			TP_S("the capacity is 0"));
	tp_doc_metric(doc, TP_S("memory.peak_bytes"), "Memory at the peak", f.peak,
		tp_slice_of(peak_how), coverage);
	tp_doc_metric(doc, TP_S("memory.peak_unpadded_bytes"), "Memory at the peak without padding",
		f.unpadded, TP_S("product of dimensions × element size of every live buffer"), coverage);
	tp_doc_metric(doc, TP_S("memory.peak_position"), "Where the peak is", f.position,
		TP_S("index, from 0, of the event of the heap simulation that makes it"), coverage);
	tp_doc_metric(doc, TP_S("memory.peak_share"), "Memory at the peak, of the device's", share,
		TP_S("memory.peak_bytes over memory.capacity_bytes"), coverage);
	tp_doc_metric(doc, TP_S("memory.scoped_vmem_bytes"), "VMEM of a single instruction",
		m != NULL ? scoped_vmem(&m->modules[0]) : tp_missing(none),
		TP_S("the most that an instruction takes of VMEM for itself while it runs, as its backend "
			 "configuration says"),
		coverage);
	tp_doc_metric_scopes(doc, "memory.scoped_vmem_bytes", "@module, @program");
	tp_doc_metric_scopes(doc, "memory.peak_bytes", "@module, @program");
	tp_doc_metric_scopes(doc, "memory.peak_unpadded_bytes", "@module, @program");
	tp_doc_metric_scopes(doc, "memory.peak_position", "@module, @program");
	scoped_metrics(ctx, m, doc);
}
