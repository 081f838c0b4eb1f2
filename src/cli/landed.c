/* A run is told from what it was before by the names, sizes and times of its files. */
#include "cli/landed.h"

#include "base/arena.h"
#include "base/map.h"
#include "cli/session.h"
#include "ingest/discover.h"
#include "ingest/reader.h"
#include "io/list.h"
#include "model/profile.h"

/* What was seen of a run: the state that was given to the caller, and the last one that was seen. */
struct known {
	uint64_t run, given, seen;
};

static uint64_t
print_of_file(const char *path)
{
	struct tp_file_facts facts = {0};

	tp_file_facts(path, &facts);
	return tp_hash_pair(tp_hash_bytes(tp_slice_of(path)),
		tp_hash_pair(facts.size_bytes, (uint64_t)facts.modified_unix_ns));
}

static bool
is_of_profile(const struct tp_run_file *f)
{
	return f->reader != NULL && f->reader->kind < TP_READS_OF_JOB;
}

static struct known *
known_run(struct tp_landed *l, uint64_t run)
{
	struct known *known = l->known.data;

	for (size_t i = 0; i < l->known.count; i++) {
		if (known[i].run == run)
			return &known[i];
	}
	known = tp_buf_new(&l->known, struct known);
	known->run = run;
	return known;
}

/* Its files, and what they look like; 0: it has none of a profile. */
static uint64_t
describe(const struct tp_run *run, struct tp_landed_run *out, struct tp_arena *arena)
{
	const char **files = tp_new_array(arena, const char *, run->file_count + 1);
	uint64_t print = 0;
	size_t count = 0;

	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
		if (f->held != NULL || !is_of_profile(f) || count == run->file_count)
			continue;
		files[count++] = f->path.ptr;
		print = tp_hash_pair(print, print_of_file(f->path.ptr));
	}
	*out = (struct tp_landed_run){
		tp_arena_copy(arena, run->name.len != 0 ? run->name : run->shown).ptr, files, count};
	return count != 0 ? print : 0;
}

size_t
tp_landed_look(struct tp_landed *l, const char *logdir, bool by_clock, struct tp_landed_run **runs,
	struct tp_arena *arena)
{
	struct tp_found found = {0};
	size_t count = 0;

	if (tp_discover(arena, &logdir, 1, &found, NULL) != TP_OK)
		return 0;
	*runs = tp_new_array(arena, struct tp_landed_run, found.run_count + 1);
	for (size_t i = 0; i < found.run_count; i++) {
		uint64_t print = describe(&found.runs[i], &(*runs)[count], arena);

		if (print == 0)
			continue;
		struct known *known = known_run(l,
			tp_hash_pair(tp_hash_bytes(found.runs[i].folder), tp_hash_bytes(found.runs[i].name)));
		bool steady = !by_clock || known->seen == print;
		bool past = !l->begun && i + 1 < found.run_count;

		known->seen = print;
		if (known->given == print || !steady)
			continue;
		known->given = print;
		count += !past;
	}
	l->begun = true;
	return count;
}

void
tp_landed_free(struct tp_landed *l)
{
	tp_buf_free(&l->known);
}

bool
tp_landed_in_part(const struct tp_session *s)
{
	for (size_t i = 0; i < tp_session_count(s); i++) {
		const struct tp_profile *p = tp_session_profile(s, i);

		for (uint32_t k = 0; p != NULL && k < p->input_count; k++) {
			if (p->inputs[k].partial && !p->inputs[k].of_job)
				return true;
		}
	}
	return false;
}
