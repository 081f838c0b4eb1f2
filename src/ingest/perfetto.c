/* The reader of Perfetto traces: their track events, as Perfetto's own SDK, ROCm's profilers and tpreport write them. */
#include "base/arena.h"
#include "base/number.h"
#include "codec/pb_wire.h"
#include "ingest/perfetto_packed.h"
#include "ingest/perfetto_packets.h"
#include "ingest/reader.h"
#include "ingest/tracks.h"
#include "model/build.h"

enum { TRACE_PACKET = 1, PACKET_TRACK = 60 };

/* Descriptors first: a track may be described behind its events. */
static void
read_descriptors(struct tp_perfetto_reading *r, struct tp_slice bytes)
{
	for (struct tp_pb trace = tp_pb_open(bytes); tp_pb_next(&trace);) {
		if (trace.field != TRACE_PACKET || trace.type != TP_PB_BYTES ||
			trace.state == TP_PB_TRUNCATED)
			continue;
		for (struct tp_pb p = tp_pb_open(trace.bytes); tp_pb_next(&p);) {
			if (p.field == PACKET_TRACK && p.type == TP_PB_BYTES)
				tp_perfetto_describe(&r->about, p.bytes);
		}
	}
}

/* Where reading stopped, if before the end. */
static bool
read_packets(struct tp_perfetto_reading *r, struct tp_slice bytes, uint64_t *stopped_at)
{
	struct tp_pb trace = tp_pb_open(bytes);
	const uint8_t *at = trace.at;

	while (tp_pb_next(&trace) && trace.state == TP_PB_MORE) {
		if (trace.field == TRACE_PACKET && trace.type == TP_PB_BYTES)
			tp_perfetto_packet(r, trace.bytes);
		at = trace.at;
	}
	*stopped_at = (uint64_t)(at - (const uint8_t *)bytes.ptr);
	return trace.state == TP_PB_END;
}

static void
say(const struct tp_source *in, struct tp_builder *out, uint64_t count, enum tp_diag_level level,
	const char *one, const char *many, const char *what)
{
	if (count != 0)
		tp_diag_at(&tp_builder_profile(out)->diags, level, in->path, TP_NO_OFFSET, "%llu %s %s",
			(unsigned long long)count, tp_plural(count, one, many), what);
}

static void
tell(const struct tp_perfetto_reading *r, const struct tp_source *in, struct tp_builder *out)
{
	tp_build_dropped(out, r->lost + r->no_clock + r->unusable);
	say(in, out, r->lost, TP_DIAG_WARNING, "event whose name was", "events whose names were",
		"lost with packets before: not used");
	say(in, out, r->no_clock, TP_DIAG_WARNING, "event", "events",
		"by a clock that no snapshot relates to the others: not used");
	say(in, out, r->unusable, TP_DIAG_WARNING, "event", "events",
		"without a time or a value, or too far from the others: not used");
	say(in, out, r->packed, TP_DIAG_WARNING, "packet holds compressed ones that are",
		"packets hold compressed ones that are",
		"damaged or cut off: what could be unpacked is used");
	say(in, out, r->unknown, TP_DIAG_NOTE, "track event of another kind",
		"track events of other kinds", "(states, samples): not used");
	say(in, out, r->other_packets, TP_DIAG_NOTE, "packet of another kind", "packets of other kinds",
		"(scheduling, samples, metadata): not used");
}

static enum tp_status
finish(struct tp_perfetto_reading *r, const struct tp_source *in, bool whole, uint64_t stopped_at,
	struct tp_builder *out, struct tp_err *err)
{
	if (tp_tracks_count(r->tracks) == 0)
		return tp_fail_at(err,
			whole && r->packed + r->other_packets != 0 ? TP_ABSENT : TP_ERR_FORMAT, in->path,
			whole ? TP_NO_OFFSET : stopped_at,
			in->bytes.len == 0 ? "the file is empty"
				: r->packed != 0
				? "a Perfetto trace whose compressed packets are damaged: nothing of them could be "
				  "unpacked"
				: r->other_packets != 0
				? "a Perfetto trace without track events: %llu %s, which ui.perfetto.dev shows"
				: "not a Perfetto trace: no packet of it was found",
			(unsigned long long)r->other_packets,
			tp_plural(r->other_packets, "packet of another kind", "packets of other kinds"));
	int64_t base_ns = r->base_ns;

	if (r->clocks.unix_ns > 0 && __builtin_add_overflow(base_ns, r->clocks.unix_ns, &base_ns))
		base_ns = r->base_ns;
	tp_tracks_build(r->tracks, in, base_ns, out);
	if (!whole) {
		tp_built_input(out, in->input)->partial = true;
		tp_diag_at(&tp_builder_profile(out)->diags, TP_DIAG_WARNING, in->path,
			in->bytes_at + stopped_at,
			"the trace breaks off or is damaged here: the %llu events before it are used",
			(unsigned long long)r->events);
	}
	tell(r, in, out);
	return TP_OK;
}

static enum tp_status
read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	struct tp_arena *scratch = tp_arena_new();
	struct tp_perfetto_reading r = {.tracks = tp_tracks_new()};
	struct tp_buf unpacked = {0};
	uint64_t stopped_at;

	tp_perfetto_tracks_init(&r.about, scratch);
	tp_perfetto_clocks_init(&r.clocks, scratch);
	tp_map_init(&r.sequence_of, scratch);
	tp_map_init(&r.interned, scratch);
	tp_map_init(&r.sum_of, scratch);
	struct tp_slice trace = tp_perfetto_unpacked(in->bytes, in->path, &unpacked, &r.packed);

	read_descriptors(&r, trace);
	bool whole = read_packets(&r, trace, &stopped_at);

	/* What is in the midst of compressed packets has no place in the file. */
	stopped_at = unpacked.count != 0 ? 0 : stopped_at;
	enum tp_status status = finish(&r, in, whole, stopped_at, out, err);

	tp_tracks_free(r.tracks);
	tp_perfetto_tracks_free(&r.about);
	tp_perfetto_clocks_free(&r.clocks);
	tp_buf_free(&r.sequences);
	tp_buf_free(&r.sums);
	tp_buf_free(&unpacked);
	tp_arena_free(scratch);
	return status;
}

/* A Trace holds TracePackets in its field 1, as an XSpace holds planes, which have no field above 6. Packets name their sequence (10)
 * and when they are of (8). */
static bool
is_perfetto(struct tp_slice head)
{
	enum { LOOKED_AT = 20, TIMESTAMP = 8, SEQUENCE = 10 };
	struct tp_pb trace = tp_pb_open(head);

	for (int i = 0; i < LOOKED_AT && tp_pb_next(&trace); i++) {
		if (trace.field != TRACE_PACKET || trace.type != TP_PB_BYTES ||
			trace.state == TP_PB_TRUNCATED)
			return false;
		struct tp_pb packet = tp_pb_open(trace.bytes);
		bool of_sequence = false;

		while (tp_pb_next(&packet))
			of_sequence |= packet.type == TP_PB_VARINT &&
				(packet.field == SEQUENCE || packet.field == TIMESTAMP);
		if (packet.state != TP_PB_END)
			return false;
		if (of_sequence)
			return true;
	}
	return false;
}

static const char *const suffixes[] = {".perfetto-trace", ".pftrace", ".perfetto", NULL};

static int
probe(const char *name, struct tp_slice head)
{
	int sure = tp_probe_suffixes(name, suffixes);

	return sure != 0 ? sure : is_perfetto(head) ? 40 : 0;
}

const struct tp_reader tp_reader_perfetto = {
	.name = "perfetto",
	.summary = "track events of Perfetto traces: *.perfetto-trace and *.pftrace of any program",
	.suffixes = suffixes,
	.probe = probe,
	.read = read,
};
