/* The XSpace reader: *.xplane.pb as written by XLA, TensorFlow, JAX and PyTorch/XLA. One file is one host of a run. */
#include "ingest/xspace.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "ingest/hlo.h"

struct space {
	struct tp_buf planes; /* of struct tp_xpart */
	struct tp_slice hostname;
	enum tp_pb_state end;
	uint64_t end_offset;
};

static struct space
split(struct tp_xfile *file, struct tp_profile *profile)
{
	const struct tp_source *in = file->in;
	struct tp_xmessage m = tp_xmessage_open(file, (struct tp_xpart){0, file->size});
	struct space s = {0};

	for (uint64_t field = m.at; tp_xmessage_next(&m); field = m.at) {
		if (m.type != TP_PB_BYTES || m.field < 1 || m.field > 4) {
			/* An XSpace has no other fields, so whatever follows is not one. */
			m.state = TP_PB_BROKEN;
			m.at = field;
			break;
		}
		if (m.field == 1) {
			*tp_buf_new(&s.planes, struct tp_xpart) = m.part;
		} else if (m.field == 4 && s.hostname.len == 0) {
			s.hostname = tp_xfile_keep(file, m.part, profile->arena);
		} else if (m.field == 2 || m.field == 3) {
			tp_diag_at(&profile->diags, TP_DIAG_WARNING, in->path, tp_xoffset(in, m.part.at),
				"the profiler reported: %.*s", TP_ARG(tp_xfile_keep(file, m.part, profile->arena)));
		}
	}
	s.end = m.state;
	s.end_offset = tp_xoffset(in, m.at);
	return s;
}

/* Whether binary data went through a text conversion: every byte that is not UTF-8 became U+FFFD. */
static bool
looks_mangled(struct tp_slice bytes)
{
	size_t found = 0, looked = bytes.len < 65536 ? bytes.len : 65536;
	const char *at = bytes.ptr, *end = bytes.ptr + looked;

	while (looked != 0 && (at = memmem(at, (size_t)(end - at), "\xef\xbf\xbd", 3)) != NULL) {
		found++;
		at += 3;
	}
	return found > 16 && found > looked / 200;
}

static enum tp_status
unusable(const struct tp_source *in, uint64_t offset, const char *why, struct tp_err *err)
{
	if (looks_mangled(in->bytes))
		why = "no plane can be read: the file went through a text conversion that replaced every "
			  "byte above 7F by EF BF BD, so copy it again in binary mode";
	return tp_fail_at(err, TP_ERR_FORMAT, in->path, offset, "%s", why);
}

static uint32_t
read_planes(struct tp_xfile *file, struct tp_builder *out, const struct space *s, uint32_t host,
	struct tp_err *first_err)
{
	const struct tp_xpart *planes = s->planes.data;
	struct tp_profile *profile = tp_builder_profile(out);
	uint32_t read = 0;

	for (size_t i = 0; i < s->planes.count; i++) {
		struct tp_xplane plane = {
			.in = file->in,
			.file = file,
			.out = out,
			.host = host,
			.partial = s->end == TP_PB_TRUNCATED && i + 1 == s->planes.count,
		};
		struct tp_err err;

		if (tp_xplane_open(&plane, planes[i], &err) == TP_OK) {
			tp_xplane_read(&plane);
			read++;
		} else {
			if (first_err->status == TP_OK)
				*first_err = err;
			/* A last plane of which not even the name is there is told by the message on the end. */
			if (!plane.partial)
				tp_diag_err(&profile->diags, TP_DIAG_WARNING, &err);
		}
		tp_xplane_close(&plane);
	}
	return read;
}

static enum tp_status
read_space(struct tp_xfile *file, struct tp_builder *out, struct tp_err *err)
{
	const struct tp_source *in = file->in;
	struct tp_profile *profile = tp_builder_profile(out);
	struct space s = split(file, profile);
	struct tp_err first = {.status = TP_OK};
	struct tp_host *host;

	if (s.planes.count == 0) {
		tp_buf_free(&s.planes);
		return unusable(in, s.end_offset,
			in->bytes.len == 0 ? "the file is empty"
							   : "it holds no XLA profile, whatever its name says",
			err);
	}
	/* Lengths went with the rest, so whatever could still be read would be wrong. */
	if (s.end != TP_PB_END && looks_mangled(in->bytes)) {
		tp_buf_free(&s.planes);
		return unusable(in, s.end_offset, "", err);
	}
	uint32_t first_op = tp_built_op_count(out), first_program = tp_built_program_count(out);
	uint32_t index = tp_build_host(out, &host);

	host->input = in->input;
	host->base_ns = INT64_MIN;
	host->name = s.hostname;
	uint32_t planes_read = read_planes(file, out, &s, index, &first);

	tp_buf_free(&s.planes);
	if (planes_read == 0) {
		uint64_t offset = first.status != TP_OK ? first.offset : s.end_offset;

		tp_unbuild_host(out);
		return unusable(
			in, offset, first.status != TP_OK ? first.text : "no plane can be read", err);
	}
	host = tp_built_host(out, index);
	if (host->base_ns == INT64_MIN)
		host->base_ns = 0;
	if (host->name.len == 0)
		host->name = in->host;
	if (s.end != TP_PB_END) {
		tp_built_input(out, in->input)->partial = true;
		tp_diag_at(&profile->diags, TP_DIAG_WARNING, in->path, s.end_offset,
			"the file %s here%s: %u plane%s read",
			s.end == TP_PB_TRUNCATED ? "breaks off" : "is damaged from",
			s.end == TP_PB_TRUNCATED ? "" : " on", planes_read,
			planes_read == 1 ? " was" : "s were");
	}
	tp_hlo_describe(in, out, first_op, first_program);
	return TP_OK;
}

enum tp_status
tp_xspace_read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	struct tp_xfile file;

	tp_xfile_open(&file, in);
	enum tp_status status = read_space(&file, out, err);

	tp_xfile_close(&file);
	return status;
}

static struct tp_slice
host_of(const struct tp_source *in, struct tp_arena *arena)
{
	struct tp_xfile file;
	struct tp_slice host = {NULL, 0};

	tp_xfile_open(&file, in);
	struct tp_xmessage m = tp_xmessage_open(&file, (struct tp_xpart){0, file.size});

	while (host.len == 0 && tp_xmessage_next(&m)) {
		if (m.field == 4 && m.type == TP_PB_BYTES)
			host = tp_xfile_keep(&file, m.part, arena);
	}
	tp_xfile_close(&file);
	return host;
}

/* Nothing but planes, errors, warnings and the host's name; other files may be zeros to their end. */
static bool
begins(struct tp_slice head)
{
	struct tp_pb p = tp_pb_open(head);

	return tp_pb_next(&p) && p.type == TP_PB_BYTES && p.field <= 4;
}

static const char *const suffixes[] = {".xplane.pb", NULL};

/* Of a file with any name: an XPlane has fields 1 to 6, its name is a text. */
static bool
begins_with_a_plane(struct tp_slice head)
{
	enum { PLANES = 1, ID = 1, NAME = 2, LAST = 6 };
	struct tp_pb space = tp_pb_open(head);

	if (!tp_pb_next(&space) || space.field != PLANES || space.type != TP_PB_BYTES)
		return false;
	struct tp_pb plane = tp_pb_open(space.bytes);
	bool named = false;

	while (tp_pb_next(&plane)) {
		if (plane.field > LAST || plane.type != (plane.field == ID ? TP_PB_VARINT : TP_PB_BYTES))
			return false;
		named |= plane.field == NAME && plane.bytes.len != 0 && tp_utf8_valid(plane.bytes) &&
			*plane.bytes.ptr > ' ';
	}
	return named && plane.state != TP_PB_BROKEN;
}

static int
probe(const char *name, struct tp_slice head)
{
	if (tp_probe_suffixes(name, suffixes) != 0 || (strcmp(name, "-") == 0 && head.len == 0))
		return 90;
	return begins_with_a_plane(head) ? 50 : 0;
}

const struct tp_reader tp_reader_xspace = {
	.name = "xspace",
	.summary = "XLA profiles of TPU, GPU and CPU: *.xplane.pb from JAX, TensorFlow and PyTorch/XLA",
	.suffixes = suffixes,
	.probe = probe,
	.form = TP_BLOB_PIECES,
	.begins = begins,
	.host = host_of,
	.read = tp_xspace_read,
};
