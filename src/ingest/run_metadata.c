/* The reader of RunMetadata (run_meta_9.pb and the like, as wire or as text): statistics of a step. By themselves they say little;
 * together with the graph beside them tfprof_parts.c makes a dump of tfprof. */
#include "base/arena.h"
#include "base/path.h"
#include "base/texts.h"
#include "codec/pb_field.h"
#include "codec/pb_text.h"
#include "ingest/reader.h"
#include "ingest/tfprof_build.h"

enum { META_STATS = 1, STATS_DEVICE = 1, DEVICE_NAME = 1, DEVICE_NODE = 2 };

/* As text, or the statistics of a device with nodes. */
static bool
is_run(struct tp_slice head)
{
	struct tp_slice stats = tp_pb_first(head, META_STATS),
					device = tp_pb_first(stats, STATS_DEVICE);
	struct tp_slice name = tp_pb_first(device, DEVICE_NAME);
	struct tp_text_pull text = tp_text_open(head);

	if (name.len != 0 && *name.ptr == '/' && tp_pb_first(device, DEVICE_NODE).len != 0)
		return true;
	return tp_text_next(&text) && text.type == TP_TEXT_OPEN &&
		tp_slice_eq(text.name, TP_S("step_stats"));
}

static int
probe(const char *path, struct tp_slice head)
{
	struct tp_slice name = tp_path_name(tp_slice_of(path));

	if (head.len == 0)
		return tp_slice_starts(name, TP_S("run_meta")) ? 85 : 0;
	return is_run(head) ? 75 : 0;
}

static enum tp_status
read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	struct tp_arena *scratch = tp_arena_new();
	struct tp_slice wire;
	bool right = tp_tfprof_run_on_wire(in->bytes, scratch, &wire) && wire.len != 0;

	(void)out;
	tp_arena_free(scratch);
	return right
		? TP_OK
		: tp_fail_at(err, TP_ERR_FORMAT, in->path, 0, "%s",
			  in->bytes.len == 0 ? "the file is empty"
								 : "not RunMetadata with statistics of a step, or damaged");
}

const struct tp_reader tp_reader_run_metadata = {
	.name = "run_metadata",
	.summary = "RunMetadata of steps alongside a graph: run_meta_9.pb and the like, what ran",
	.suffixes = TP_TEXTS(NULL),
	.probe = probe,
	.kind = TP_READS_OF_LOG,
	.read = read,
};
