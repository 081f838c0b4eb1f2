/* What begins like these is never a profile that a reader here knows, whatever its name says. */
#include "ingest/foreign.h"

#include "io/peek.h"
#include "io/remote.h"
#include "io/unpack.h"

#include <strings.h>

struct kind {
	size_t at;
	const char *mark;
	const char *what;
};

static const struct kind kinds[] = {
	{0, "PK\3\4", "a zip archive: unpack it first (unzip FILE -d DIR), then tpreport DIR"},
	{0, "PK\5\6", "a zip archive with nothing in it"},
	{257, "ustar", "a tar archive: unpack it first (tar -xf FILE), then tpreport the directory"},
	{0,
		"\xfd"
		"7zXZ",
		"compressed with xz: unpack it first (xz -dk FILE)"},
	{0, "BZh", "compressed with bzip2: unpack it first (bzip2 -dk FILE)"},
	{0, "7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it first (7z x FILE)"},
	{0, "\x04\x22\x4d\x18", "compressed with lz4: unpack it first (lz4 -d FILE)"},
	{0, "SQLite format 3",
		"an SQLite database, as exported by Nsight Systems and ROCm's profilers: not supported "
		"yet; nsys stats FILE prints Nsight Systems' results"},
	{0, "%PDF-", "a PDF, perhaps a report: give the log directory it was made from"},
	{0, "version https://git-lfs",
		"a Git LFS pointer instead of the file: fetch it with git lfs pull"},
	{0, "\x89HDF", "an HDF5 file, such as model weights: not a profile"},
	{0, "\x93NUMPY", "a NumPy array: not a profile"},
	{0, "\x89PNG", "an image: give the profile it shows"},
	{0, "\xff\xd8\xff", "an image: give the profile it shows"},
	{0, "captured_unix_s,", "a history of runs, kept by tpreport history: give it to that"},
	{0, "PAR1", "a Parquet table: not a profile"},
	{0,
		"\x7f"
		"ELF",
		"a program or library: not a profile"},
};

/* Known by their names: nothing is published of how they begin. */
static const struct {
	const char *suffix, *what;
} names[] = {
	{".nsys-rep",
		"an Nsight Systems report: not supported yet; nsys stats FILE prints its results"},
	{".qdrep", "an Nsight Systems report: not supported yet; nsys stats FILE prints its results"},
	{".qdstrm",
		"a raw Nsight Systems capture: not supported; QdstrmImporter converts it to a report"},
	{".ncu-rep", "an Nsight Compute report: not supported; ncu --import FILE prints its results"},
};

static bool
marked(struct tp_slice head, const struct kind *k)
{
	return head.len >= k->at && tp_slice_starts(tp_slice_from(head, k->at), tp_slice_of(k->mark));
}

static bool
is_html(struct tp_slice head)
{
	static const char *const tags[] = {"<!doctype html", "<html"};
	size_t i = tp_slice_starts(head, TP_S("\xef\xbb\xbf")) ? 3 : 0;

	while (i < head.len && (unsigned char)head.ptr[i] <= ' ')
		i++;
	for (size_t t = 0; t < sizeof tags / sizeof *tags; t++) {
		size_t length = strlen(tags[t]);

		if (head.len - i >= length && strncasecmp(head.ptr + i, tags[t], length) == 0)
			return true;
	}
	return false;
}

/* PROTO with a version, then what dumps of dictionaries, lists and objects begin with. */
static bool
is_pickle(struct tp_slice head)
{
	return head.len > 2 && head.ptr[0] == '\x80' && head.ptr[1] >= 2 && head.ptr[1] <= 5 &&
		memchr("\x95}]()cXq\x8c", head.ptr[2], 9) != NULL;
}

/* Rows of [time, action, bytes, category]: [[-1, 1, 37888, 7], … */
static bool
is_memory_timeline(struct tp_slice head)
{
	size_t commas = 0, i = 2;

	if (!tp_slice_starts(head, TP_S("[[")))
		return false;
	for (; i < head.len && memchr("-0123456789, ", head.ptr[i], 13) != NULL; i++)
		commas += head.ptr[i] == ',';
	return commas == 3 && tp_slice_starts(tp_slice_from(head, i), TP_S("], ["));
}

/* An answer that was saved from the profiler's page and has no reader. */
static const char *
unread_answer(struct tp_slice head)
{
	static const struct {
		const char *mark, *what;
	} answers[] = {
		{"\"hlo_op_name\"",
			"xprof's operation statistics, which are not supported: give its op profile or the "
			"*.xplane.pb they came from"},
		{"\"memoryProfilePerAllocator\"",
			"memory over time from xprof's page, which is not supported: give the *.xplane.pb it "
			"came from"},
		{"\"hbm_operational_intensity\"",
			"xprof's roofline, which is not supported: give its op profile or the *.xplane.pb it "
			"came from"},
	};

	head.len = head.len < TP_PEEK_BYTES ? head.len : TP_PEEK_BYTES;
	for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
		if (tp_slice_has(head, tp_slice_of(answers[i].mark)))
			return answers[i].what;
	}
	return NULL;
}

const char *
tp_foreign_file(const char *name, struct tp_slice head, bool guessed)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (tp_slice_ends(tp_slice_of(name), tp_slice_of(names[i].suffix)))
			return names[i].what;
	}
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (marked(head, &kinds[i]))
			return kinds[i].what;
	}
	if (tp_is_leveldb_table(head))
		return "a LevelDB table, the event cache of a trace viewer: give the *.xplane.pb or "
			   "*.trace of the same profile";
	if (is_html(head))
		return "an HTML page: a report, or an error page saved instead of the file; give the log "
			   "directory or the profile itself";
	if (is_pickle(head))
		return "a Python pickle, the format of PyTorch memory snapshots: not supported yet; python "
			   "-m torch.cuda._memory_viz trace_plot FILE -o FILE.html plots such a snapshot";
	if (is_memory_timeline(head))
		return "a memory timeline of torch.profiler (export_memory_timeline, *.raw.json.gz): give "
			   "the trace it was computed from, captured with profile_memory=True";
	return guessed ? unread_answer(head) : NULL;
}

enum tp_status
tp_check_local(const char *path, struct tp_err *err)
{
	const char *mark = strstr(path, "://");

	if (mark == NULL || mark == path || memchr(path, '/', (size_t)(mark - path)) != NULL ||
		tp_remote_is(path))
		return TP_OK;
	if (tp_slice_starts(tp_slice_of(path), TP_S("file://")))
		return tp_fail_at(err, TP_ERR_UNSUPPORTED, path, TP_NO_OFFSET, "give the path itself: %s",
			mark + strlen("://"));
	if (tp_slice_starts(tp_slice_of(path), TP_S("hdfs://")))
		return tp_fail_at(err, TP_ERR_UNSUPPORTED, path, TP_NO_OFFSET,
			"not read from there: copy it first: hdfs dfs -get %s DIR; of a file: --fetch 'hdfs dfs -cat {}'",
			path);
	return tp_fail_at(err, TP_ERR_UNSUPPORTED, path, TP_NO_OFFSET,
		"not read from there: copy it to this machine first, or give a command that prints the file: "
		"--fetch 'CMD {}'");
}
