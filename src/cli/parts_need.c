/* What traces need of memory, guessed before any is read: from the sizes of their files, and how far their beginning is packed. */
#include "base/memory.h"
#include "base/path.h"
#include "cli/parts.h"
#include "ingest/discover.h"
#include "ingest/reader.h"
#include "io/list.h"
#include "io/peek.h"

/* Memory that events take, in percent of the bytes of their file, unpacked: about half of what was measured, and a third more. */
static const struct percents {
	const struct tp_reader *reader;
	unsigned least, most;
} percents[] = {{&tp_reader_torch, 15, 40}, {&tp_reader_xspace, 50, 150}};

enum { KINDS = sizeof percents / sizeof *percents };

static const struct percents *
percents_of(const struct tp_run_file *f)
{
	for (size_t i = 0; i < KINDS; i++) {
		if (percents[i].reader == f->reader)
			return &percents[i];
	}
	return NULL;
}

bool
tp_parts_is_one(const struct tp_run_file *f)
{
	return !f->left_out && f->held == NULL && percents_of(f) != NULL;
}

size_t
tp_parts_count(const struct tp_run *run)
{
	size_t count = 0;

	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next)
		count += tp_parts_is_one(f);
	return count;
}

/* 0: it cannot be told. */
static uint64_t
unpacked_bytes(const struct tp_run_file *f)
{
	struct tp_file_facts file;
	bool packed = tp_path_has_suffix(f->path, ".gz") || tp_path_has_suffix(f->path, ".zst");

	if (!tp_file_facts(f->path.ptr, &file))
		return 0;
	return packed ? (uint64_t)((double)file.size_bytes * tp_peek_ratio(f->path.ptr))
				  : file.size_bytes;
}

bool
tp_parts_are_needed(const struct tp_run *run)
{
	uint64_t bytes = 0;

	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
		if (tp_parts_is_one(f))
			bytes += unpacked_bytes(f) / 100 * percents_of(f)->least;
	}
	return bytes > tp_memory_limit_bytes();
}

unsigned
tp_parts_beside(const struct tp_run *run, unsigned most)
{
	uint64_t largest = 0, limit = tp_memory_limit_bytes();
	size_t count = tp_parts_count(run);

	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
		uint64_t bytes = tp_parts_is_one(f) ? unpacked_bytes(f) / 100 * percents_of(f)->most : 0;

		largest = bytes > largest ? bytes : largest;
	}
	uint64_t fit = largest != 0 ? limit / largest : most;

	fit = fit < most ? fit : most;
	fit = fit < count ? fit : count;
	return fit > 1 ? (unsigned)fit : 1;
}
