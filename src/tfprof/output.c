/* Where the answer goes: a type, and for files the name of one. */
#include "tfprof/output.h"

#include "base/memory.h"
#include "io/sink.h"

#include <stdlib.h>

static const char *const names[TP_TFPROF_OUTPUTS] = {
	[TP_TFPROF_TO_TIMELINE] = "timeline",
	[TP_TFPROF_TO_STDOUT] = "stdout",
	[TP_TFPROF_TO_FILE] = "file",
	[TP_TFPROF_TO_PPROF] = "pprof",
	[TP_TFPROF_TO_NONE] = "none",
};

struct tp_slice
tp_tfprof_output_begins(unsigned nth)
{
	static const char *const begins[TP_TFPROF_OUTPUTS] = {
		[TP_TFPROF_TO_TIMELINE] = "timeline:outfile=",
		[TP_TFPROF_TO_STDOUT] = "stdout",
		[TP_TFPROF_TO_FILE] = "file:outfile=",
		[TP_TFPROF_TO_PPROF] = "pprof:outfile=",
		[TP_TFPROF_TO_NONE] = "none",
	};

	return nth < TP_TFPROF_OUTPUTS ? tp_slice_of(begins[nth]) : TP_S("");
}

static bool
needs_file(enum tp_tfprof_output output)
{
	return output != TP_TFPROF_TO_STDOUT && output != TP_TFPROF_TO_NONE;
}

/* "outfile=name" or nothing, commas around it. */
static enum tp_status
read_file(
	enum tp_tfprof_output output, struct tp_slice keys, struct tp_slice *file, struct tp_err *err)
{
	const struct tp_slice key = TP_S("outfile=");

	*file = TP_S("");
	while (keys.len != 0) {
		const char *comma = memchr(keys.ptr, ',', keys.len);
		struct tp_slice one = {keys.ptr, comma != NULL ? (size_t)(comma - keys.ptr) : keys.len};

		keys = tp_slice_from(keys, one.len + 1);
		if (one.len == 0)
			continue;
		if (memchr(one.ptr, '=', one.len) == NULL || one.ptr[one.len - 1] == '=')
			return tp_fail(
				err, TP_ERR_USAGE, "Visualize format: -output timeline:key=value,key=value,...");
		if (!needs_file(output) || !tp_slice_starts(one, key))
			return tp_fail(err, TP_ERR_USAGE, "Unrecognized options %.*s for output_type: %s",
				(int)((const char *)memchr(one.ptr, 0x3d, one.len) - one.ptr), one.ptr,
				names[output]);
		*file = tp_slice_from(one, key.len);
	}
	if (needs_file(output) && file->len == 0)
		return tp_fail(err, TP_ERR_USAGE,
			"Missing required output_options for %s: E.g. -output %s:outfile=...", names[output],
			names[output]);
	return TP_OK;
}

enum tp_status
tp_tfprof_output_read(struct tp_tfprof_line *line, struct tp_slice value, struct tp_err *err)
{
	const char *colon = value.len != 0 ? memchr(value.ptr, ':', value.len) : NULL;
	struct tp_slice type = {value.ptr, colon != NULL ? (size_t)(colon - value.ptr) : value.len};
	unsigned output = value.len == 0 ? TP_TFPROF_TO_STDOUT : 0;
	struct tp_slice file;

	while (value.len != 0 && output < TP_TFPROF_OUTPUTS &&
		!tp_slice_eq(type, tp_slice_of(names[output])))
		output++;
	if (output == TP_TFPROF_OUTPUTS)
		return tp_fail(err, TP_ERR_USAGE,
			"E.g. Unknown output type: %.*s, Valid types: file,none,pprof,stdout,timeline",
			TP_ARG(type));
	enum tp_status status = read_file(output, tp_slice_from(value, type.len + 1), &file, err);

	if (status != TP_OK)
		return status;
	free(line->outfile);
	line->outfile = NULL;
	if (file.len != 0) {
		line->outfile = tp_memory_take(file.len + 1);
		memcpy(line->outfile, file.ptr, file.len);
		line->outfile[file.len] = '\0';
	}
	line->output = output;
	return TP_OK;
}

void
tp_tfprof_output_write(const struct tp_tfprof_line *line, struct tp_sink *out)
{
	tp_sink_printf(out, "%s:", names[line->output]);
	if (line->outfile != NULL)
		tp_sink_printf(out, "outfile=%s", line->outfile);
}
