/* FLOP of the kernels that begin in steps. */
#include "analyze/llm/kernel_flops.h"

#include "analyze/steps/steps.h"
#include "model/profile.h"

/* Kernels of a stream, in order, against steps, in order. */
static double
of_stream(const struct tp_profile *p, const struct tp_line *line, const struct tp_steps *s)
{
	double flops = 0;
	size_t step = 0;

	for (uint32_t e = 0; e < line->count; e++) {
		while (step < s->count && s->steps[step].end_ps <= tp_line_start_ps(line, e))
			step++;
		if (step < s->count && tp_line_start_ps(line, e) >= s->steps[step].start_ps)
			flops += (double)p->ops[tp_line_op(line, e)].matrix_flops;
	}
	return flops;
}

double
tp_kernel_flops_of_step(const struct tp_profile *p, const struct tp_steps *s)
{
	double flops = 0;

	for (uint32_t l = 0; p->torch == NULL && l < p->line_count; l++) {
		if (p->lines[l].kind == TP_LINE_STREAM)
			flops += of_stream(p, &p->lines[l], s);
	}
	return s->count != 0 ? flops / (double)s->count : 0;
}
