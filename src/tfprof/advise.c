/* Each checker writes its reports, a line or several each; text and JSON show the same. */
#include "tfprof/advise.h"

#include "analyze/tfprof/tfprof_advice.h"
#include "base/arena.h"
#include "base/buf.h"
#include "io/sink.h"
#include "render/json_writer.h"
#include "tfprof/advise_expensive.h"
#include "tfprof/run.h"

#include <stdlib.h>

static const char *const names[TP_TFPROF_CHECKERS] = {
	[TP_TFPROF_ACCELERATOR_UTILIZATION] = "AcceleratorUtilizationChecker",
	[TP_TFPROF_OPERATION] = "OperationChecker",
	[TP_TFPROF_EXPENSIVE_OPERATION] = "ExpensiveOperationChecker",
	[TP_TFPROF_JOB] = "JobChecker",
};

void
tp_tfprof_advice_defaults(struct tp_tfprof_advice_options *o)
{
	*o = (struct tp_tfprof_advice_options){
		.checkers = (1u << TP_TFPROF_CHECKERS) - 1,
		.least_utilization = 0.5,
		.most = 3,
		.min_scope_us = 100,
		.min_line_us = 1000,
	};
}

static enum tp_status
set_checkers(struct tp_tfprof_advice_options *o, struct tp_slice list, struct tp_err *err)
{
	o->checkers = 0;
	while (list.len != 0) {
		const char *comma = memchr(list.ptr, ',', list.len);
		struct tp_slice word = {list.ptr, comma != NULL ? (size_t)(comma - list.ptr) : list.len};
		unsigned i = 0;

		list = tp_slice_from(list, word.len + 1);
		while (i < TP_TFPROF_CHECKERS && !tp_slice_eq(word, tp_slice_of(names[i])))
			i++;
		if (i == TP_TFPROF_CHECKERS)
			return tp_fail(err, TP_ERR_USAGE,
				"%.*s: not a checker; there are AcceleratorUtilizationChecker, OperationChecker, "
				"ExpensiveOperationChecker and JobChecker",
				TP_ARG(word));
		o->checkers |= 1u << i;
	}
	return TP_OK;
}

static enum tp_status
set_integer(int64_t *to, struct tp_slice name, struct tp_slice value, struct tp_err *err)
{
	char *end, text[24] = "";

	if (value.len != 0 && value.len < sizeof text)
		memcpy(text, value.ptr, value.len);
	*to = strtoll(text, &end, 10);
	return *text != '\0' && *end == '\0' && *to >= 0
		? TP_OK
		: tp_fail(err, TP_ERR_USAGE, "-%.*s %.*s: give a whole number of at least 0", TP_ARG(name),
			  TP_ARG(value));
}

bool
tp_tfprof_advice_option(struct tp_tfprof_advice_options *o, struct tp_slice name,
	struct tp_slice value, enum tp_status *status, struct tp_err *err)
{
	*status = TP_OK;
	if (tp_slice_eq(name, TP_S("checkers"))) {
		*status = set_checkers(o, value, err);
	} else if (tp_slice_eq(name, TP_S("low_utilization"))) {
		int64_t percent;

		*status = set_integer(&percent, name, value, err);
		o->least_utilization = (double)percent / 100;
	} else if (tp_slice_eq(name, TP_S("top"))) {
		*status = set_integer(&o->most, name, value, err);
	} else if (tp_slice_eq(name, TP_S("min_scope_micros"))) {
		*status = set_integer(&o->min_scope_us, name, value, err);
	} else if (tp_slice_eq(name, TP_S("min_code_micros"))) {
		*status = set_integer(&o->min_line_us, name, value, err);
	} else {
		return false;
	}
	return true;
}

static void
check_utilization(const struct tp_tfprof_advice *advice, const struct tp_tfprof_advice_options *o,
	struct tp_arena *arena, struct tp_buf *reports)
{
	for (uint32_t i = 0; i < advice->device_count; i++) {
		const struct tp_tfprof_device *d = &advice->devices[i];
		double span_us = (double)d->end_us - (double)d->start_us;
		double share = span_us > 0 ? (double)d->busy_us / span_us : 0;

		if (span_us > 0)
			*tp_buf_new(reports, struct tp_slice) =
				tp_arena_printf(arena, "device: %.*s %sutilization: %.2f", TP_ARG(d->name),
					share < o->least_utilization ? "low " : "", share);
	}
}

static void
check_operations(const struct tp_tfprof_advice *advice, struct tp_buf *reports)
{
	if (advice->batch_norm != TP_MAP_NONE)
		*tp_buf_new(reports, struct tp_slice) =
			TP_S("Maybe use faster FusedBatchNorm instead of BatchNorm");
	if (advice->nhwc != TP_MAP_NONE)
		*tp_buf_new(reports, struct tp_slice) =
			TP_S("Found operation using NHWC data_format on GPU. Maybe NCHW is faster.");
}

static void
put_text(const char *name, const struct tp_buf *reports, struct tp_sink *out)
{
	const struct tp_slice *report = reports->data;

	tp_sink_printf(out, "\n%s:\n", name);
	for (size_t i = 0; i < reports->count; i++)
		tp_sink_printf(out, "%.*s\n", TP_ARG(report[i]));
}

static void
put_json(const char *name, const struct tp_buf *reports, bool first, struct tp_sink *out)
{
	const struct tp_slice *report = reports->data;

	tp_sink_printf(out, "%s\"%s\": {", first ? "{\"checkers\": {\n" : ",\n", name);
	for (size_t i = 0; i < reports->count; i++) {
		tp_sink_puts(out, i != 0 ? ", " : "\"reports\": [");
		tp_json_put_string(out, report[i]);
	}
	tp_sink_puts(out, reports->count != 0 ? "]}" : "}");
}

static enum tp_status
put_all(const struct tp_tfprof_run *run, const struct tp_tfprof_advice_options *o,
	struct tp_arena *arena, struct tp_sink *out, struct tp_err *err)
{
	struct tp_tfprof_advice advice;
	bool first = true;

	tp_tfprof_advise(run->tfprof, false, arena, &advice);
	for (unsigned i = 0; i < TP_TFPROF_JOB; i++) {
		struct tp_buf reports = {0};
		enum tp_status status = TP_OK;

		if ((o->checkers >> i & 1) == 0)
			continue;
		if (i == TP_TFPROF_ACCELERATOR_UTILIZATION)
			check_utilization(&advice, o, arena, &reports);
		else if (i == TP_TFPROF_OPERATION)
			check_operations(&advice, &reports);
		else
			status = tp_tfprof_check_expensive(run, o, arena, &reports, err);
		if (status == TP_OK && run->json)
			put_json(names[i], &reports, first, out);
		else if (status == TP_OK)
			put_text(names[i], &reports, out);
		tp_buf_free(&reports);
		if (status != TP_OK)
			return status;
		first = false;
	}
	if (run->json)
		tp_sink_puts(out, first ? "{}\n" : "}}\n");
	return TP_OK;
}

enum tp_status
tp_tfprof_write_advice(const struct tp_tfprof_run *run, struct tp_arena *arena, struct tp_err *err)
{
	struct tp_tfprof_advice_options defaults;
	struct tp_sink *out = tp_sink_open("-", err);

	if (out == NULL)
		return err->status;
	tp_tfprof_advice_defaults(&defaults);
	enum tp_status status =
		put_all(run, run->advice != NULL ? run->advice : &defaults, arena, out, err);

	if (status == TP_OK)
		status = tp_sink_commit(out, err);
	tp_sink_close(out);
	return status;
}
