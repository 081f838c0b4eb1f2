/* What tells kernels of one short name apart: the words at the first places at which their names part. */
#include "analyze/facts/kernel_name.h"

#include "base/arena.h"
#include "base/buf.h"

#include <ctype.h>

/* Of more kernels, and of more words, it is not looked for. */
enum { MOST_NAMES = 64, MOST_WORDS = 400, MOST_TOLD = 6 };

struct words {
	struct tp_slice *of;
	size_t count;
	bool mangled;
};

/* 0: of no word. Numbers within a mangled name are words: "64" of "ILi64E". */
static int
kind_of(char c, bool mangled)
{
	if (isdigit((unsigned char)c))
		return mangled ? 2 : 1;
	return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static struct words
split(struct tp_slice name, struct tp_arena *arena)
{
	bool mangled = tp_slice_starts(name, TP_S("_Z"));
	struct words words = {tp_new_array(arena, struct tp_slice, MOST_WORDS), 0, mangled};

	for (size_t at = 0, from; at < name.len && words.count < MOST_WORDS; at += at == from) {
		int kind = kind_of(name.ptr[at], mangled);

		for (from = at; kind != 0 && at < name.len && kind_of(name.ptr[at], mangled) == kind; at++)
			;
		/* Of "Eigen::half" only the last one. */
		if (at > from && !tp_slice_starts(tp_slice_from(name, at), TP_S("::")))
			words.of[words.count++] = (struct tp_slice){name.ptr + from, at - from};
	}
	return words;
}

static struct tp_slice
word_at(const struct words *words, size_t at)
{
	return at < words->count ? words->of[at] : TP_S("");
}

/* Splits groups of names by their words at a place; returns how many groups there are then. */
static size_t
part_by(const struct words *names, size_t count, size_t at, const size_t *group, size_t *parted)
{
	size_t groups = 0;

	for (size_t i = 0; i < count; i++) {
		size_t k = 0;

		while (k < i &&
			!(group[k] == group[i] && tp_slice_eq(word_at(&names[k], at), word_at(&names[i], at))))
			k++;
		parted[i] = k < i ? parted[k] : groups++;
	}
	return groups;
}

/* How many groups the names fall into by their words at these places, but for the one at `without`. */
static size_t
groups_of(const struct words *names, size_t count, const size_t *places, size_t place_count,
	size_t without, struct tp_arena *arena)
{
	size_t *group = tp_new_array(arena, size_t, count),
		   *parted = tp_new_array(arena, size_t, count);
	size_t groups = 1;

	for (size_t p = 0; p < place_count; p++) {
		if (p == without)
			continue;
		groups = part_by(names, count, places[p], group, parted);
		memcpy(group, parted, count * sizeof *group);
	}
	return groups;
}

/* Whether a word at this place says little: "4", "false"; of a mangled name, whose letters are mostly codes, what is no number. */
static bool
is_weak(const struct words *names, size_t count, size_t at)
{
	for (size_t i = 0; i < count; i++) {
		struct tp_slice word = at < names[i].count ? names[i].of[at] : TP_S("");

		if (word.len == 0 || (isdigit((unsigned char)word.ptr[0]) == 0) == names[i].mangled ||
			tp_slice_eq(word, TP_S("false")) || tp_slice_eq(word, TP_S("true")))
			return true;
	}
	return false;
}

/* The first places at which more names part, of those that say more before the others; of these only those that it takes. Returns how
 * many; 0: names are left that do not part. */
static size_t
find_places(const struct words *names, size_t count, size_t places[static MOST_TOLD],
	struct tp_arena *arena)
{
	size_t longest = 0, groups = 1, told = 0;

	for (size_t i = 0; i < count; i++)
		longest = names[i].count > longest ? names[i].count : longest;
	for (size_t n = 0; n < 2 * longest && groups < count && told < MOST_TOLD; n++) {
		size_t at = n % longest;

		if (is_weak(names, count, at) != (n >= longest))
			continue;
		places[told] = at;
		size_t more = groups_of(names, count, places, told + 1, SIZE_MAX, arena);

		told += more > groups;
		groups = more > groups ? more : groups;
	}
	if (groups < count)
		return 0;
	for (size_t p = told; p-- > 0;) {
		if (told > 1 && groups_of(names, count, places, told, p, arena) == count) {
			told--;
			memmove(&places[p], &places[p + 1], (told - p) * sizeof *places);
		}
	}
	return told;
}

void
tp_kernel_differences(const struct tp_slice *names, size_t count, struct tp_slice *differences,
	struct tp_arena *arena)
{
	struct tp_arena *work = tp_arena_new();
	struct words *words = tp_new_array(work, struct words, count);
	size_t places[MOST_TOLD], told = 0;

	for (size_t i = 0; i < count && count <= MOST_NAMES; i++)
		words[i] = split(names[i], work);
	if (count > 1 && count <= MOST_NAMES)
		told = find_places(words, count, places, work);
	for (size_t i = 0; i < count; i++) {
		differences[i] = TP_S("");
		for (size_t p = 0; p < told; p++) {
			size_t at = places[p];
			struct tp_slice word = at < words[i].count ? words[i].of[at] : TP_S("–");

			differences[i] = p == 0
				? word
				: tp_arena_printf(arena, "%.*s, %.*s", TP_ARG(differences[i]), TP_ARG(word));
		}
	}
	tp_arena_free(work);
}
