/* Building a profile: readers push what they find. */
#ifndef TP_MODEL_BUILD_H
#define TP_MODEL_BUILD_H

#include "model/profile.h"

#include <stddef.h>

struct tp_builder;
struct tp_torch_trace;

/* A builder whose profile lives in arena. tp_builder_finish gives the profile and frees the builder. */
struct tp_builder *tp_builder_new(struct tp_arena *arena);
struct tp_profile *tp_builder_finish(struct tp_builder *b);
/* Frees a builder that is not finished, for what was to be taken out of it was taken. */
void tp_builder_drop(struct tp_builder *b);

/* The profile as it stands, for its arena, strings and diagnostics. */
struct tp_profile *tp_builder_profile(struct tp_builder *b);

/* Each adds a zeroed item and returns its index; the item may be written through the pointer until the next of its kind
 * is added. */
uint32_t tp_build_input(struct tp_builder *b, struct tp_input **out);
uint32_t tp_build_host(struct tp_builder *b, struct tp_host **out);
/* Takes the last host back, of whose file nothing could be read. */
void tp_unbuild_host(struct tp_builder *b);
uint32_t tp_build_device(struct tp_builder *b, struct tp_device **out);
uint32_t tp_build_program(struct tp_builder *b, struct tp_program **out);
uint32_t tp_build_op(struct tp_builder *b, struct tp_op **out);
/* The operation that is its name alone, a string of the profile: one for all that ask for the same. */
uint32_t tp_build_op_named(struct tp_builder *b, uint32_t string);

/* What has been built so far. The pointers hold until the next of their kind is added. */
struct tp_input *tp_built_input(struct tp_builder *b, uint32_t index);
struct tp_host *tp_built_host(struct tp_builder *b, uint32_t index);
uint32_t tp_built_host_count(const struct tp_builder *b);
struct tp_device *tp_built_device(struct tp_builder *b, uint32_t index);
uint32_t tp_built_device_count(const struct tp_builder *b);
struct tp_program *tp_built_program(struct tp_builder *b, uint32_t index);
uint32_t tp_built_program_count(const struct tp_builder *b);
uint32_t tp_built_op_count(const struct tp_builder *b);
struct tp_op *tp_built_op(struct tp_builder *b, uint32_t index);
uint32_t tp_built_line_count(const struct tp_builder *b);
const struct tp_line *tp_built_line(const struct tp_builder *b, uint32_t index);

/* A line while it is being read. Fill kind, host, device, name and chip (with the second clock) and open it; then, again and
 * again, make room, fill the columns for up to `capacity` events and say in `count` how many there are. An event's number is
 * first + its place in the columns; tags come with tp_build_tag in any order of events. */
struct tp_line_columns {
	enum tp_line_kind kind;
	uint32_t host, device;
	struct tp_slice name, process;
	int64_t thread; /* as in tp_line */
	bool chip;
	uint32_t first, capacity, count;
	int64_t *start_ps, *duration_ps;           /* the builder's until the line is closed */
	int64_t *chip_start_ps, *chip_duration_ps; /* the two above, where there is no second clock */
	uint32_t *op;
};
void tp_build_line_open(struct tp_builder *b, struct tp_line_columns *c);
/* Makes room for more events: takes those in the columns, which are empty then. share: about how much of the line was read so
 * far, 0…1. False when a line can hold no more. */
bool tp_build_line_room(struct tp_builder *b, struct tp_line_columns *c, double share);
/* Another duration for an event of the open line, which has one clock. */
void tp_build_duration(
	struct tp_builder *b, struct tp_line_columns *c, uint32_t event, int64_t duration_ps);
/* Of several with the same key the event's first is kept. */
void tp_build_tag(struct tp_builder *b, uint32_t event, enum tp_tag_key key, int64_t value);
/* Takes the tags of the event back, which must be the last that got any. */
void tp_unbuild_tags(struct tp_builder *b, uint32_t event);
/* Adds the events of a part of the line that was read by itself, in columns of its own; share: before it. False when the line can hold
 * no more. */
bool tp_build_line_part(struct tp_builder *b, struct tp_line_columns *c,
	const struct tp_line_columns *part, double share);
/* Takes the tags of another builder's open line, which has none then: those of its event 0 are of event `first`, and values of
 * string_keys (1 << key) are indices into strings. */
void tp_build_tags_of(struct tp_builder *b, uint32_t first, struct tp_builder *of,
	uint64_t string_keys, const uint32_t *strings);
/* Sorts the events when needed and adds the line (nothing when it has no event). */
void tp_build_line_close(struct tp_builder *b, struct tp_line_columns *c);

/* Adds a line whose columns are made already: in order, and in the profile's arena. Returns its index. */
uint32_t tp_build_line(struct tp_builder *b, const struct tp_line *line);

/* Adds a trace of PyTorch, which lives in the profile's arena. */
void tp_build_torch_trace(struct tp_builder *b, struct tp_torch_trace *trace);
/* Those so far. */
struct tp_torch_trace *const *tp_built_torch_traces(const struct tp_builder *b, uint32_t *count);

/* What tool files of a host of this name give, made empty when it is first asked for. */
struct tp_precomputed *tp_build_precomputed(struct tp_builder *b, struct tp_slice host);
uint32_t tp_built_precomputed_count(const struct tp_builder *b); /* hosts */

/* What an allocator said. */
void tp_build_allocator_event(struct tp_builder *b, const struct tp_allocator_event *event);
/* Takes those of another builder, which has none then; its strings are indices into strings. */
void tp_build_allocator_events_of(
	struct tp_builder *b, struct tp_builder *of, const uint32_t *strings);

/* One more model of a list of the profile (model/facts.inc), zeroed and at its end: tp_build_next(out, graphs). */
#define tp_build_next(b, list)                                                                     \
	tp_build_linked((b), &tp_builder_profile(b)->list, sizeof *tp_builder_profile(b)->list,        \
		offsetof(__typeof__(*tp_builder_profile(b)->list), next))
void *tp_build_linked(struct tp_builder *b, void *list, size_t size, size_t next_at);

/* Counts events that the profiler dropped or that could not be read. */
void tp_build_dropped(struct tp_builder *b, uint64_t count);

/* where: which part of the file says so. Of two parts that say the same the first stays. */
void tp_build_fact(struct tp_builder *b, uint32_t host, struct tp_slice key, struct tp_slice value,
	struct tp_slice where);

#endif
