/* The messages of an event file (tensorflow/core/util/event.proto, tensorflow/core/framework/summary.proto). */
#include "ingest/events.h"

#include "codec/pb_message.h"
#include "events.pb-c.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fields of the messages. */
enum {
	EVENT_WALL_TIME = 1,
	EVENT_STEP = 2,
	EVENT_VERSION = 3,
	EVENT_GRAPH = 4,
	EVENT_SUMMARY = 5,
	EVENT_LOG_MESSAGE = 6,
	EVENT_SESSION = 7,
	EVENT_RUN_METADATA = 8,
	EVENT_META_GRAPH = 9,
};
enum { SUMMARY_VALUE = 1 };
enum {
	VALUE_TAG = 1,
	VALUE_SIMPLE = 2,
	VALUE_IMAGE = 4,
	VALUE_HISTOGRAM = 5,
	VALUE_AUDIO = 6,
	VALUE_TENSOR = 8,
	VALUE_METADATA = 9,
};
enum { METADATA_PLUGIN = 1 };

struct tp_event
tp_event_read(struct tp_slice record)
{
	struct tp_pb p = tp_pb_open(record);
	struct tp_event e = {.wall_s = NAN};

	while (tp_pb_next(&p)) {
		if (p.field == EVENT_WALL_TIME && p.type == TP_PB_FIXED64)
			e.wall_s = tp_pb_double(&p);
		else if (p.field == EVENT_STEP && p.type == TP_PB_VARINT)
			e.step = (int64_t)p.number;
		else if (p.type != TP_PB_BYTES)
			continue;
		else if (p.field == EVENT_VERSION)
			e.version = p.bytes;
		else if (p.field == EVENT_SUMMARY)
			e.summary = p.bytes;
		else if (p.field == EVENT_SESSION)
			e.session = p.bytes;
		else if (p.field == EVENT_GRAPH)
			e.graph = p.bytes;
		else if (p.field == EVENT_META_GRAPH)
			e.meta_graph = p.bytes;
		else if (p.field == EVENT_RUN_METADATA)
			e.run_metadata = p.bytes;
		else if (p.field == EVENT_LOG_MESSAGE)
			e.log_message = p.bytes;
	}
	return e;
}

double
tp_event_version(struct tp_slice text)
{
	static const struct tp_slice prefix = {"brain.Event:", 12};
	char number[16] = "";
	struct tp_slice rest = tp_slice_from(text, prefix.len);

	if (!tp_slice_starts(text, prefix) || rest.len >= sizeof number)
		return 0;
	memcpy(number, rest.ptr, rest.len);
	double version = strtod(number, NULL);

	return isfinite(version) ? version : 0;
}

static void
read_plugin(struct tp_slice metadata, struct tp_event_value *v)
{
	Tp__PluginData m = TP__PLUGIN_DATA__INIT;

	tp_pb_message(&m.base, tp_pb_first(metadata, METADATA_PLUGIN));
	v->plugin = tp_pb_slice(m.plugin_name);
	v->content = tp_pb_slice(m.content);
}

static struct tp_event_value
read_value(struct tp_slice bytes)
{
	struct tp_pb p = tp_pb_open(bytes);
	struct tp_event_value v = {.kind = TP_EVENT_OTHERS};

	while (tp_pb_next(&p)) {
		if (p.field == VALUE_SIMPLE && p.type == TP_PB_FIXED32) {
			v.simple = true;
			v.number = (double)tp_pb_float(&p);
		} else if (p.type != TP_PB_BYTES) {
			continue;
		} else if (p.field == VALUE_TAG) {
			v.tag = p.bytes;
		} else if (p.field == VALUE_TENSOR) {
			v.has_tensor = true;
			v.tensor = p.bytes;
		} else if (p.field == VALUE_METADATA) {
			read_plugin(p.bytes, &v);
		} else if (p.field == VALUE_IMAGE) {
			v.kind = TP_EVENT_IMAGES;
		} else if (p.field == VALUE_HISTOGRAM) {
			v.kind = TP_EVENT_HISTOGRAMS;
		} else if (p.field == VALUE_AUDIO) {
			v.kind = TP_EVENT_AUDIO;
		}
	}
	return v;
}

bool
tp_event_value_next(struct tp_pb *summary, struct tp_event_value *v)
{
	if (!tp_pb_next_bytes(summary, SUMMARY_VALUE))
		return false;
	*v = read_value(summary->bytes);
	return true;
}

enum tp_event_other
tp_event_kind_of_plugin(struct tp_slice plugin)
{
	static const struct {
		struct tp_slice name;
		enum tp_event_other kind;
	} kinds[] = {
		{{"histograms", 10}, TP_EVENT_HISTOGRAMS},
		{{"images", 6}, TP_EVENT_IMAGES},
		{{"audio", 5}, TP_EVENT_AUDIO},
		{{"text", 4}, TP_EVENT_TEXTS},
		{{"graphs", 6}, TP_EVENT_GRAPHS},
		{{"graph_keras_model", 17}, TP_EVENT_GRAPHS},
		{{"graph_run_metadata", 18}, TP_EVENT_RUN_METADATA},
		{{"graph_run_metadata_graph", 24}, TP_EVENT_RUN_METADATA},
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (tp_slice_eq(plugin, kinds[i].name))
			return kinds[i].kind;
	}
	return TP_EVENT_OTHERS;
}
