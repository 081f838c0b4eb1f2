/* Of which time shares of devices are, in words. */
#include "analyze/facts/devices.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "model/profile.h"

/* Devices with work, each once that several spans of a worker show. */
static size_t
at_work(const struct tp_pass_ctx *ctx, const struct tp_devices *d)
{
	size_t count = 0;

	for (size_t i = 0; i < d->count; i++)
		count += !ctx->profile->devices[d->devices[i].device].again;
	return count;
}

struct tp_value
tp_devices_say_all(const struct tp_pass_ctx *ctx, const struct tp_devices *d)
{
	bool gpus = true;

	for (size_t i = 0; i < d->count; i++)
		gpus &= ctx->profile->devices[d->devices[i].device].kind == TP_DEVICE_GPU;
	return tp_say_number(
		ctx, at_work(ctx, d) + d->without_work, gpus ? "GPU" : "device", gpus ? "GPUs" : "devices");
}

struct tp_text
tp_devices_say_some(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_devices *d)
{
	if (d->without_work == 0)
		return TP_SAY0(doc, "");
	return TP_SAY(doc, " on {} of {}", tp_count(d->count), tp_devices_say_all(ctx, d));
}

struct tp_text
tp_devices_say_window(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_devices *d)
{
	struct tp_text some = tp_devices_say_some(ctx, doc, d);

	return tp_doc_join(doc,
		TP_SAY(doc,
			d->without_work != 0 ? "{} from first to last operation,"
								 : "{} from first to last operation",
			tp_number((double)d->total_ps / (double)d->count / 1e9, TP_UNIT_MS)),
		some);
}

/* From this share on of the capture it says nothing new. */
#define WHOLE_CAPTURE 0.9

struct tp_text
tp_devices_say_capture(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_devices *d)
{
	size_t all = d->count + d->without_work;

	if (d->capture_ps == 0 || (double)d->total_ps >= WHOLE_CAPTURE * (double)d->capture_ps)
		return TP_SAY0(doc, "");
	return TP_SAY(doc, " In the {} of the capture, {} worked {device.capture_busy_share}.",
		tp_number((double)d->capture_ps / (double)all / 1e9, TP_UNIT_MS),
		all == 1 ? tp_text_value(TP_S("the device"))
				 : tp_text_value(tp_arena_printf(
					   ctx->keep, "the %.*s together", TP_ARG(tp_devices_say_all(ctx, d).text))));
}

struct tp_slice
tp_devices_some_of_all(const struct tp_pass_ctx *ctx, const struct tp_devices *d)
{
	return tp_arena_printf(
		ctx->keep, "%zu of %.*s", at_work(ctx, d), TP_ARG(tp_devices_say_all(ctx, d).text));
}
