/* Figures of the report, in the words and the form of the guide to Cloud TPU. */
#include "cli/levels.h"

#include "base/number.h"
#include "cli/terminal.h"
#include "model/profile.h"
#include "report/doc.h"

#include <time.h>

/* "90.8", "1.95", "0.091": three digits, as many as that before the point. */
static int
decimals_of(double number)
{
	return number >= 100 ? 0 : number >= 10 ? 1 : number >= 1 ? 2 : 3;
}

static void
put_share(FILE *out, struct tp_value share)
{
	double percent = 100 * tp_value_in(share, TP_UNIT_SHARE);

	fprintf(out, "%.*f%%", decimals_of(percent), percent);
}

static void
put_time(FILE *out, struct tp_value time)
{
	static const struct {
		double from_ms, ms;
		const char *unit;
	} units[] = {{1000, 1000, "s"}, {1, 1, "ms"}, {0, 1e-3, "us"}};
	double ms = tp_value_in(time, TP_UNIT_MS);
	size_t i = 0;

	while (ms < units[i].from_ms)
		i++;
	fprintf(out, "%.*f%s", decimals_of(ms / units[i].ms), ms / units[i].ms, units[i].unit);
}

static void
put_missing(FILE *out, struct tp_value value)
{
	fputs("unknown (", out);
	tp_put_safe(out, value.text.len != 0 ? value.text : TP_S("not recorded"), "?");
	fputs(")\n", out);
}

static void
share_line(FILE *out, const char *label, struct tp_value share)
{
	fprintf(out, "%s: ", label);
	if (!tp_known(share)) {
		put_missing(out, share);
		return;
	}
	put_share(out, share);
	putc('\n', out);
}

/* Mean, shortest and longest, or lowest and highest. */
static void
spread_line(FILE *out, const char *label, void (*put)(FILE *out, struct tp_value v),
	const struct tp_value values[static 3])
{
	static const char *const of[] = {"avg", "min", "max"};
	bool begun = false;

	fprintf(out, "%s: ", label);
	if (!tp_known(values[0])) {
		put_missing(out, values[0]);
		return;
	}
	for (size_t i = 0; i < 3; i++) {
		if (!tp_known(values[i]))
			continue;
		fputs(begun ? ", " : "", out);
		put(out, values[i]);
		fprintf(out, " (%s)", of[i]);
		begun = true;
	}
	putc('\n', out);
}

/* When the capture ended; now where the profile does not say. */
static void
time_line(FILE *out, const struct tp_profile *p)
{
	time_t when = time(NULL);
	struct tm local;

	if (p != NULL && p->host_count != 0 && p->hosts[0].stop_unix_ns > 0)
		when = (time_t)(p->hosts[0].stop_unix_ns / 1000000000);
	localtime_r(&when, &local);
	fprintf(out, "Timestamp: %02d:%02d:%02d\n", local.tm_hour, local.tm_min, local.tm_sec);
}

enum kind { TPU, GPU, NEITHER };

static enum kind
kind_of(const struct tp_profile *p)
{
	for (uint32_t i = 0; p != NULL && i < p->device_count; i++) {
		if (p->devices[i].kind == TP_DEVICE_TPU || p->devices[i].kind == TP_DEVICE_GPU)
			return p->devices[i].kind == TP_DEVICE_TPU ? TPU : GPU;
	}
	return NEITHER;
}

static void
type_line(FILE *out, const char *label, struct tp_value type)
{
	fprintf(out, "%s: ", label);
	if (!tp_known(type)) {
		put_missing(out, type);
		return;
	}
	tp_put_safe(out, type.text, "?");
	putc('\n', out);
}

/* A device without matrix units has no line for them. */
static void
use_line(FILE *out, const struct tp_doc *doc, enum kind kind)
{
	if (kind == TPU)
		share_line(out, "Utilization of TPU Matrix Units (higher is better)",
			tp_doc_value(doc, "matrix_unit.utilization_share"));
	else if (kind == GPU)
		share_line(out, "Kernel time on tensor cores (higher is better)",
			tp_doc_value(doc, "gpu.tensor_core_share"));
}

static void
count_line(FILE *out, const char *label, struct tp_value count)
{
	if (count.kind == TP_VALUE_INTEGER)
		fprintf(out, "%s: %lld\n", label, (long long)count.integer);
}

/* Where waiting for input is not recorded there is a limit to it. */
static void
input_line(FILE *out, const struct tp_doc *doc)
{
	const struct tp_value waits[] = {tp_doc_value(doc, "input.wait_share"),
		tp_doc_value(doc, "input.worst_min_share"), tp_doc_value(doc, "input.worst_max_share")};
	struct tp_value limit = tp_doc_value(doc, "input.wait_limit_share");

	if (tp_known(waits[0]) || !tp_known(limit)) {
		spread_line(out, "Infeed percentage", put_share, waits);
		return;
	}
	fputs("Infeed percentage: at most ", out);
	put_share(out, limit);
	putc('\n', out);
}

static void
second_level(FILE *out, const struct tp_doc *doc, enum kind kind)
{
	const struct tp_value steps[] = {tp_doc_value(doc, "step.time.mean_ms"),
		tp_doc_value(doc, "step.time.min_ms"), tp_doc_value(doc, "step.time.max_ms")};

	if (kind != NEITHER) {
		count_line(out, kind == TPU ? "Number of TPU cores" : "Number of GPUs",
			tp_doc_value(doc, "run.cores"));
		count_line(out, "Per-core batch size", tp_doc_value(doc, "run.batch.per_core"));
		share_line(out,
			kind == TPU ? "TPU idle time (lower is better)" : "GPU idle time (lower is better)",
			tp_doc_value(doc, "device.idle_share"));
	}
	use_line(out, doc, kind);
	spread_line(out, "Step time", put_time, steps);
	input_line(out, doc);
}

void
tp_levels_print(const struct tp_doc *doc, const struct tp_profile *profile, int level, FILE *out)
{
	static const char *const types[] = {"TPU type", "GPU type", "Device type"};
	enum kind kind = kind_of(profile);

	time_line(out, profile);
	type_line(out, types[kind], tp_doc_value(doc, "run.device_type"));
	if (level == 1)
		use_line(out, doc, kind);
	else
		second_level(out, doc, kind);
}
