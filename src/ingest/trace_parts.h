/* What the two halves of making an XSpace from a trace share: collecting events as they come, and writing planes. */
#ifndef TP_INGEST_TRACE_PARTS_H
#define TP_INGEST_TRACE_PARTS_H

#include "base/buf.h"
#include "base/map.h"
#include "codec/pb_write.h"
#include "ingest/xspace.h"

/* Of flows that are made here; a trace that has its own is left as it is. */
enum { TP_TRACE_FLOW_TYPE = 1 };

struct tp_trace_line {
	uint32_t plane;
	uint64_t thread;
	struct tp_slice name;
	bool has_roots;
	struct tp_buf events;
	uint32_t next; /* number of the plane's next line, from 1; 0: none */
};

struct tp_trace_plane {
	uint64_t process;
	struct tp_slice name;
	bool host, tpu;
	uint32_t first_line, last_line; /* numbers from 1; 0: there is none */
	struct tp_buf metadata;         /* of its events */
	struct tp_buf stat_names;       /* keys and values that its stats refer to */
};

/* A numbered step of the host. */
struct tp_trace_root {
	int64_t start_ps, end_ps;
	int64_t flow; /* to what happens in it on other threads */
};

struct tp_trace_arg {
	enum tp_xkey key;
	uint32_t key_id, text_id; /* strings */
	bool is_number;
	int64_t number;
};

struct tp_trace_space {
	struct tp_arena *arena;
	struct tp_strings strings;
	struct tp_map plane_of;    /* process → plane */
	struct tp_map line_of;     /* (process, thread) → line */
	struct tp_map metadata_of; /* (plane, name, long name) → id */
	struct tp_map named;       /* (plane, string): that it is among the plane's stat_names */
	struct tp_buf planes, lines;
	struct tp_buf arguments; /* of the event to come */
	struct tp_buf roots;
	bool grouped;          /* the trace tells itself which step events are of */
	uint32_t long_name_id; /* string; 0: it has none */
	uint32_t metadata_count;
	uint64_t event_count;
	struct tp_buf event, stat; /* in the making */
};

struct tp_trace_plane *tp_trace_plane_at(struct tp_trace_space *s, uint32_t index);

/* Adds a stat to an event that is being written. */
void tp_trace_put_stat(struct tp_trace_space *s, struct tp_buf *event, uint32_t plane,
	struct tp_slice key, int64_t number);

#endif
