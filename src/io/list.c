/* Directory walks with a list of work instead of recursion; every directory is entered once, links or not. */
#include "io/list.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "io/remote.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MOST_FILES = 1000000, DEEPEST = 64 };

struct place {
	struct tp_slice path;
	int depth;
};

struct walk {
	struct tp_arena *arena;
	struct tp_buf todo;  /* of struct place */
	struct tp_buf found; /* of struct tp_slice */
	struct tp_buf gaps;  /* of struct tp_list_gap */
	struct tp_map seen;  /* (device, inode) of directories */
	struct tp_file_list *out;
	bool full;
};

TP_ORDER(by_path, struct tp_slice, tp_slice_cmp(*a, *b));

static void
add_gap(struct walk *w, struct tp_slice path, struct tp_slice why, bool dangling)
{
	*tp_buf_new(&w->gaps, struct tp_list_gap) = (struct tp_list_gap){path, why, dangling};
}

static void
add_unreadable(struct walk *w, struct tp_slice path, int number)
{
	add_gap(w, path, tp_arena_printf(w->arena, "%s", strerror(number)),
		number == ENOENT || number == ELOOP);
}

/* One more file than are looked at: said once. */
static void
add_full(struct walk *w, struct tp_slice path)
{
	if (!w->full)
		add_gap(w, path, tp_arena_printf(w->arena, "limit of %d files reached", MOST_FILES), false);
	w->full = true;
}

static void
visit(struct walk *w, struct tp_slice path, int depth)
{
	struct stat st;

	if (stat(path.ptr, &st) != 0) {
		add_unreadable(w, path, errno);
		return;
	}
	if (S_ISREG(st.st_mode)) {
		if (w->found.count == MOST_FILES) {
			add_full(w, path);
			return;
		}
		*tp_buf_new(&w->found, struct tp_slice) = path;
		return;
	}
	if (!S_ISDIR(st.st_mode))
		return;
	uint64_t key = tp_hash_pair((uint64_t)st.st_dev, (uint64_t)st.st_ino);

	if (tp_map_get(&w->seen, key) != TP_MAP_NONE)
		return;
	if (depth > DEEPEST) {
		add_gap(w, path, tp_arena_printf(w->arena, "more than %d levels deep", DEEPEST), false);
		return;
	}
	tp_map_put(&w->seen, key, 0);
	*tp_buf_new(&w->todo, struct place) = (struct place){path, depth};
}

static void
enter(struct walk *w, struct place place)
{
	DIR *dir = opendir(place.path.ptr);

	if (dir == NULL) {
		add_unreadable(w, place.path, errno);
		return;
	}
	w->out->directories++;
	errno = 0;
	for (struct dirent *e; (e = readdir(dir)) != NULL; errno = 0) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
			strncmp(e->d_name, TP_UNDER_WAY, strlen(TP_UNDER_WAY)) == 0)
			continue;
		bool slash = tp_slice_ends(place.path, TP_S("/"));

		visit(w, tp_arena_printf(w->arena, "%s%s%s", place.path.ptr, slash ? "" : "/", e->d_name),
			place.depth + 1);
	}
	if (errno != 0)
		add_unreadable(w, place.path, errno);
	closedir(dir);
}

enum tp_place
tp_place_of(const char *path, struct tp_err *err)
{
	struct stat st;

	if (tp_remote_is(path))
		return tp_remote_place(path, err);
	if (stat(path, &st) == 0)
		return S_ISDIR(st.st_mode) ? TP_PLACE_FOLDER : TP_PLACE_FILE;
	tp_fail_at(err, TP_ERR_IO, path, TP_NO_OFFSET, "cannot open: %s", strerror(errno));
	return TP_PLACE_NONE;
}

bool
tp_file_facts(const char *path, struct tp_file_facts *out)
{
	struct stat st;

	if (tp_remote_is(path))
		return tp_remote_facts(path, out);
	if (stat(path, &st) != 0)
		return false;
	*out = (struct tp_file_facts){
		(uint64_t)st.st_size, (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec};
	return true;
}

enum tp_status
tp_list_files(
	struct tp_arena *arena, const char *path, struct tp_file_list *out, struct tp_err *err)
{
	struct walk w = {.arena = arena, .out = out};
	struct stat st;

	if (tp_remote_is(path))
		return tp_remote_list(arena, path, out, err);
	*out = (struct tp_file_list){0};
	if (stat(path, &st) != 0)
		return tp_fail_at(err, TP_ERR_IO, path, TP_NO_OFFSET, "cannot open: %s", strerror(errno));
	tp_map_init(&w.seen, arena);
	visit(&w, tp_arena_copy(arena, tp_slice_of(path)), 0);
	for (size_t i = 0; i < w.todo.count; i++)
		enter(&w, ((struct place *)w.todo.data)[i]);
	out->gap_count = w.gaps.count;
	out->gaps = tp_buf_settle(&w.gaps, sizeof *out->gaps, arena);
	out->count = w.found.count;
	out->paths = tp_buf_settle(&w.found, sizeof *out->paths, arena);
	qsort(out->paths, out->count, sizeof *out->paths, by_path);
	tp_buf_free(&w.todo);
	return TP_OK;
}
