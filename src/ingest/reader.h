/* Readers: one descriptor an input format. A reader pushes what it finds into the builder and keeps no state. */
#ifndef TP_INGEST_READER_H
#define TP_INGEST_READER_H

#include "base/err.h"
#include "base/slice.h"
#include "io/blob.h"

#include <stdint.h>

struct tp_arena;
struct tp_builder;
struct tp_pool;
struct tp_tool;

/* One input file. */
struct tp_source {
	const char *path; /* as messages name it */
	/* Live as long as the profile: slices may point into them. The reader's form says which they are. */
	struct tp_slice bytes;
	uint64_t bytes_at;    /* where bytes begin in the file, if they are a part of it */
	struct tp_blob *blob; /* that the bytes are of; NULL: of none */
	struct tp_slice host; /* from the file's name, for formats that do not say; may be empty */
	uint32_t input;       /* its index among the profile's inputs */
	uint32_t span_number; /* of PyTorch traces: of the span in its worker; 0: not known */
	bool made; /* bytes were made from the file, so that places in them mean nothing to anybody */
	const struct tp_reader *reader; /* that reads it */
	struct tp_pool *pool;           /* for parts of it side by side; NULL: one thread reads it */
	uint64_t
		slice_bytes; /* of a text that is cut for that, as tests ask for it; 0: as its reader sees fit */
};

/* What files of a reader give, and so when they are read and where they may lie. Those after
 * TP_READS_PRECOMPUTED are that as well. */
enum tp_reader_kind {
	TP_READS_EVENTS,
	/* Events that another file of the host has too, and more of them: read only where no such file was. */
	TP_READS_COPY,
	/* What the profiler worked out itself or left beside the profile: read after the files with events, whose figures win. */
	TP_READS_PRECOMPUTED,
	/* About a job as a whole, so that it may lie in a folder above that of the run. */
	TP_READS_OF_JOB,
	/* Likewise; those that no run is near are one run together, of the log directory that was given. */
	TP_READS_OF_LOG,
};

struct tp_reader {
	const char *name, *summary;
	enum tp_reader_kind kind;
	/* Of file names, ends with NULL; ".gz" and ".zst" may follow each. */
	const char *const *suffixes;
	/* Of files in JSON: texts in one of which such a file begins, as the answers that are saved from the profiler's own page, which are
	 * called anything. Ends with NULL; NULL: of none. */
	const char *const *marks;
	/* 0 no … 100 certain; head is empty where only the name is known yet, else how the file begins, or all of it.
	 * NULL: the suffixes and marks tell. */
	int (*probe)(const char *name, struct tp_slice head);
	/* The host's name in a file's name, when that holds more than it; NULL: all before the suffix. */
	struct tp_slice (*host_of_name)(struct tp_slice name);
	/* The host's name as the file says it; empty: it does not, then the file's own name counts. May be NULL. */
	struct tp_slice (*host)(const struct tp_source *in, struct tp_arena *arena);
	/* When what the file holds began, by its first bytes unpacked (io/peek.h), in nanoseconds since 1970; 0: they do not
	 * say. May be NULL. */
	int64_t (*began_unix_ns)(struct tp_slice head);
	/* Of its input: whole, or in pieces, of which it keeps nothing but copies. */
	enum tp_blob_form form;
	/* Whether such a file may begin so, unpacked: of a compressed one that does not, no more is looked at. May be NULL. */
	bool (*begins)(struct tp_slice head);
	/* No such file is larger, unpacked: the input is refused then. 0: it may be of any size. */
	uint64_t most_bytes;
	const struct tp_tool *tool; /* of tool files, which tp_tool_read reads (ingest/tools.h) */
	/* TP_OK also when a part was lost (a diagnostic says so and the input is marked partial); otherwise nothing of the
	 * file is of use. */
	enum tp_status (*read)(const struct tp_source *in, struct tp_builder *out, struct tp_err *err);
	/* The same in two: take reads the file without a profile, beside others and in any thread, with in->input not known yet; put brings
	 * what it gave into a builder, file by file in their order, and gives it back if this is the last; drop alone gives it back. What
	 * is put and is not the last has to outlive that profile. NULL: there is only read. */
	void *(*take)(const struct tp_source *in, struct tp_err *err); /* NULL: err says why */
	enum tp_status (*put)(void *taken, bool last, const struct tp_source *in,
		struct tp_builder *out, struct tp_err *err);
	void (*drop)(void *taken);
};

/* All readers; ends with NULL. */
extern const struct tp_reader *const tp_readers[];

/* Whether the name ends with one of the suffixes, perhaps with ".gz" or ".zst" behind: 80, else 0. */
int tp_probe_suffixes(const char *name, const char *const *suffixes);

/* Whether the bytes are JSON, by their first mark. */
bool tp_is_json(struct tp_slice bytes);

/* The reader that is surest of a file with this name and these first bytes; NULL when none knows it. */
const struct tp_reader *tp_reader_for(const char *name, struct tp_slice head);

#define TP_READER(name) extern const struct tp_reader tp_reader_##name;
#include "ingest/readers.inc"
#undef TP_READER

#endif
