/* XLA on the CPU writes the ids of the program and of the run on each operation. */
#include "analyze/steps/step_hosts.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/profile.h"

struct finding {
	const struct tp_profile *p;
	struct tp_map runs, programs; /* (program, run id) → run; program id → program */
	struct tp_buf run_list, id_list;
};

static uint32_t
program_of(struct finding *f, uint64_t id)
{
	uint32_t program;

	if (tp_map_number(&f->programs, id, &program))
		TP_PUSH(&f->id_list, uint64_t, id);
	return program;
}

/* The run of an operation, which it makes longer. */
static uint32_t
run_of(struct finding *f, const struct tp_line *line, uint32_t event, int64_t run_id)
{
	uint64_t program_id = f->p->ops[tp_line_op(line, event)].program_id;
	int64_t start = tp_line_start_ps(line, event), end = start + tp_line_duration_ps(line, event);
	uint32_t run;

	if (tp_map_number(&f->runs, tp_hash_pair(program_id, (uint64_t)run_id), &run))
		TP_PUSH(&f->run_list, struct tp_run, program_of(f, program_id), start, end);
	tp_run_widen((struct tp_run *)f->run_list.data + run, start, end);
	return run;
}

/* Goes through the events with those that are open, so that these take the run of the first operation within. */
static uint32_t *
take_line(struct finding *f, const struct tp_line *line, struct tp_arena *scratch)
{
	uint32_t *of = tp_new_array(scratch, uint32_t, line->count);
	uint32_t *open = tp_new_array(scratch, uint32_t, line->count);
	uint32_t depth = 0;
	size_t tag = 0;

	memset(of, 0xff, line->count * sizeof *of);
	for (uint32_t i = 0; i < line->count; i++) {
		int64_t end = tp_line_start_ps(line, i) + tp_line_duration_ps(line, i), run_id;

		while (depth != 0 &&
			tp_line_start_ps(line, open[depth - 1]) + tp_line_duration_ps(line, open[depth - 1]) <
				end)
			depth--;
		if (f->p->ops[tp_line_op(line, i)].xla && tp_tag_find(line, &tag, i, TP_TAG_RUN, &run_id)) {
			of[i] = run_of(f, line, i, run_id);
			for (uint32_t d = depth; d-- > 0 && of[open[d]] == TP_NONE;)
				of[open[d]] = of[i];
		}
		open[depth++] = i;
	}
	return of;
}

struct tp_host_runs
tp_host_runs_of(const struct tp_profile *p, uint32_t host, struct tp_arena *scratch)
{
	struct finding f = {.p = p};
	struct tp_host_runs out = {.of_event = tp_new_array(scratch, uint32_t *, p->line_count)};

	tp_map_init(&f.runs, scratch);
	tp_map_init(&f.programs, scratch);
	for (uint32_t l = 0; l < p->line_count; l++) {
		const struct tp_line *line = &p->lines[l];

		if (line->host == host && line->kind == TP_LINE_THREAD &&
			(line->tag_keys & (uint64_t)1 << TP_TAG_RUN) != 0)
			out.of_event[l] = take_line(&f, line, scratch);
	}
	out.count = (uint32_t)f.run_list.count;
	out.program_count = (uint32_t)f.id_list.count;
	out.runs = tp_buf_settle(&f.run_list, sizeof(struct tp_run), scratch);
	out.program_ids = tp_buf_settle(&f.id_list, sizeof(uint64_t), scratch);
	return out;
}
