/* Hyperparameters as TensorFlow and PyTorch write them: the content of the plugin "hparams", a HParamsPluginData
 * (tensorboard/plugins/hparams/plugin_data.proto) whose start of a session names them. */
#include "ingest/events.h"

#include "base/arena.h"
#include "codec/pb_wire.h"
#include "model/events.h"

enum { DATA_START = 3, START_HPARAMS = 1, ENTRY_KEY = 1, ENTRY_VALUE = 2 };
/* google.protobuf.Value */
enum { VALUE_NUMBER = 2, VALUE_TEXT = 3, VALUE_TRUTH = 4 };

/* false: it is none of those. */
static bool
read_value(struct tp_slice bytes, struct tp_event_hparam *h)
{
	struct tp_pb p = tp_pb_open(bytes);
	bool known = false;

	while (tp_pb_next(&p)) {
		if (p.field == VALUE_NUMBER && p.type == TP_PB_FIXED64) {
			h->kind = TP_EVENT_HPARAM_NUMBER;
			h->number = tp_pb_double(&p);
		} else if (p.field == VALUE_TEXT && p.type == TP_PB_BYTES) {
			h->kind = TP_EVENT_HPARAM_TEXT;
			h->text = p.bytes;
		} else if (p.field == VALUE_TRUTH && p.type == TP_PB_VARINT) {
			h->kind = TP_EVENT_HPARAM_TRUTH;
			h->number = p.number != 0;
		} else {
			continue;
		}
		known = true;
	}
	return known;
}

static void
add(struct tp_event_run *run, const struct tp_event_hparam *h, struct tp_arena *arena)
{
	struct tp_event_hparam *kept = tp_new(arena, struct tp_event_hparam);

	*kept = *h;
	kept->name = tp_arena_copy(arena, h->name);
	kept->text = tp_arena_copy(arena, h->text);
	if (run->last_hparam != NULL)
		run->last_hparam->next = kept;
	else
		run->hparams = kept;
	run->last_hparam = kept;
	run->hparam_count++;
}

void
tp_events_hparams(struct tp_event_run *run, struct tp_slice content, struct tp_arena *arena)
{
	for (struct tp_pb start = tp_pb_open(tp_pb_first(content, DATA_START));
		 tp_pb_next_bytes(&start, START_HPARAMS);) {
		struct tp_event_hparam h = {.name = tp_pb_first(start.bytes, ENTRY_KEY)};

		if (read_value(tp_pb_first(start.bytes, ENTRY_VALUE), &h))
			add(run, &h, arena);
	}
}
